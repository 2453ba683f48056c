//===- SpecializeShapesTest.cpp - Programs whose sizes were forgotten -----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every program of the goldens, and every example, with all sizes open that can be, becomes what it was when it gets
// the shapes of its arguments back.
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"
#include "Nova/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nova;

static Type forget(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.clone(SmallVector<int64_t>(tensor.getRank(), ShapedType::kDynamic));
}

/// Whether the sizes of an op's results are its own, and follow from nothing.
static bool ownsItsSizes(Operation *op) {
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op)) {
    // A new axis has the size that is written there, and so has one that is stretched.
    ArrayRef<int64_t> from = broadcast.getX().getType().getShape();
    return int64_t(from.size()) != broadcast.getType().getRank() || from != broadcast.getType().getShape();
  }
  return isa<ConstantOp, ReadOp, IotaOp, SliceOp, DynamicSliceOp, RandomUniformOp, RandomNormalOp>(op);
}

/// The operands whose sizes an op must know.
static bool needsSizes(OpOperand &use) {
  return isa<ConcatOp, Conv2DOp, DynamicUpdateSliceOp, RotaryEmbeddingOp>(use.getOwner());
}

/// Opens the sizes of arguments and results. Reshapes that open more than one size must keep those before it.
static void forgetSizes(func::FuncOp function) {
  Block &block = function.front();
  for (BlockArgument argument : block.getArguments())
    if (llvm::none_of(argument.getUses(), needsSizes))
      argument.setType(forget(argument.getType()));
  for (Operation &op : block.without_terminator()) {
    bool isKnown =
        llvm::all_of(op.getOperandTypes(), [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); });
    if (auto infers = dyn_cast<InferTypeOpInterface>(&op)) {
      SmallVector<Type> types;
      ASSERT_TRUE(
          succeeded(infers.inferReturnTypes(op.getContext(), op.getLoc(), op.getOperands(), op.getAttrDictionary(),
                                            op.getPropertiesStorage(), op.getRegions(), types)));
      for (auto [result, type] : llvm::zip_equal(op.getResults(), types))
        result.setType(type);
    } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
      auto type = cast<RankedTensorType>(reshape.getType());
      SmallVector<int64_t> sizes(type.getShape());
      if (!isKnown && !sizes.empty() && type.getNumElements() != 0)
        sizes.back() = ShapedType::kDynamic;
      reshape.getResult().setType(type.clone(sizes));
    } else if (!isKnown && !ownsItsSizes(&op) && !isa<ConcatOp>(op)) {
      for (Value result : op.getResults())
        if (llvm::none_of(result.getUses(), needsSizes))
          result.setType(forget(result.getType()));
    }
  }
  function.setFunctionType(
      FunctionType::get(function.getContext(), block.getArgumentTypes(), block.getTerminator()->getOperandTypes()));
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().elideLargeElementsAttrs());
  return text;
}

namespace {
class SpecializeShapesTest : public testing::TestWithParam<const char *> {};
} // namespace

TEST_P(SpecializeShapesTest, SizesComeBack) {
  DialectRegistry registry;
  registry.insert<NovaDialect, func::FuncDialect>();
  MLIRContext context(registry);
  std::string file = std::string(NOVA_SOURCE) + "/" + GetParam();
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  ASSERT_TRUE(module);
  for (auto function : module->getOps<func::FuncOp>()) {
    std::vector<std::string> shapes;
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
      auto name = function.getArgAttrOfType<StringAttr>(i, "nova.name");
      auto sizes =
          llvm::map_range(cast<RankedTensorType>(type).getShape(), [](int64_t n) { return std::to_string(n); });
      if (!cast<RankedTensorType>(type).getShape().empty())
        shapes.push_back((name ? name.str() : "arg" + std::to_string(i)) + "=" + llvm::join(sizes, "x"));
    }
    OwningOpRef<ModuleOp> alone = module->clone();
    for (auto other : llvm::make_early_inc_range(alone->getOps<func::FuncOp>()))
      if (other.getName() != function.getName())
        other.erase();
    std::string before = print(*alone);
    auto open = *alone->getOps<func::FuncOp>().begin();
    forgetSizes(open);
    ASSERT_FALSE(HasFatalFailure());
    ASSERT_TRUE(succeeded(verify(*alone))) << function.getName().str();
    EXPECT_NE(print(*alone), before) << function.getName().str();

    PassManager manager(&context);
    SpecializeShapesPassOptions options;
    options.shapes = llvm::to_vector(shapes);
    manager.addPass(createSpecializeShapesPass(options));
    ASSERT_TRUE(succeeded(manager.run(*alone))) << function.getName().str();
    EXPECT_EQ(print(*alone), before);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, SpecializeShapesTest,
                         testing::Values("test/Goldens/op-values-f64.mlir", "test/Goldens/op-values-f32.mlir",
                                         "test/Goldens/op-values-f16.mlir", "test/Goldens/op-values-bf16.mlir",
                                         "test/Goldens/op-values-integers.mlir",
                                         "test/Goldens/op-values-attention-f32.mlir", "examples/gpt2-tiny.mlir",
                                         "examples/gpt2-primitive.mlir"));
