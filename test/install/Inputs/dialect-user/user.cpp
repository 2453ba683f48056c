#include "Nova/Dialect/Nova.h"
#include "mlir/Parser/Parser.h"

int main() {
  mlir::MLIRContext context;
  context.loadDialect<mlir::nova::NovaDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>("nova.parameter @w : tensor<4xf32> = #nova.constant<1.0>", &context);
  if (!module)
    return 1;
  module->print(llvm::outs());
}
