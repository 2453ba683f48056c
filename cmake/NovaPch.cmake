# One precompiled header for every compiler room: MLIR's headers take 10 s a file without it. It holds no header of
# Nova, so that no change in Nova rebuilds it.
include_guard()

set(source ${PROJECT_BINARY_DIR}/NovaPch.cpp)
if(NOT EXISTS ${source})
  file(WRITE ${source} "// Carries the precompiled header.\n")
endif()
add_library(NovaPch OBJECT ${source})
nova_use_mlir(NovaPch)
target_precompile_headers(NovaPch PRIVATE
  <mlir/Conversion/LLVMCommon/TypeConverter.h>
  <mlir/Dialect/Affine/IR/AffineOps.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>
  <mlir/Bytecode/BytecodeOpInterface.h>
  <mlir/IR/Builders.h>
  <mlir/IR/BuiltinOps.h>
  <mlir/IR/DialectImplementation.h>
  <mlir/IR/ImplicitLocOpBuilder.h>
  <mlir/IR/Matchers.h>
  <mlir/IR/OpImplementation.h>
  <mlir/IR/PatternMatch.h>
  <mlir/IR/Remarks.h>
  <mlir/IR/SymbolTable.h>
  <mlir/Interfaces/FunctionInterfaces.h>
  <mlir/Interfaces/InferTypeOpInterface.h>
  <mlir/Interfaces/TilingInterface.h>
  <mlir/Pass/Pass.h>
  <mlir/Pass/PassManager.h>
  <mlir/Transforms/DialectConversion.h>
  <mlir/Transforms/GreedyPatternRewriteDriver.h>
  <llvm/ADT/TypeSwitch.h>)

# What ccache takes for the header's content: LLVM's package and the headers above, whatever folder it was built in.
file(SHA256 ${CMAKE_CURRENT_LIST_FILE} headers)
file(SHA256 ${MLIR_DIR}/MLIRConfigVersion.cmake package)
file(TIMESTAMP ${LLVM_LIBRARY_DIR}/libMLIR.so installed)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/NovaPch.dir/cmake_pch.hxx.pch.sum
  "${headers} ${package} ${installed} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE}\n")
