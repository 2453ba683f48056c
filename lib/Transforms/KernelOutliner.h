//===- KernelOutliner.h - Groups of ops become kernels ----------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_KERNELOUTLINER_H
#define NOVA_LIB_TRANSFORMS_KERNELOUTLINER_H

#include "KernelGroups.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::nova {

/// Makes kernels and launches; kernels of equal structure are made once for the whole module.
class KernelOutliner {
public:
  explicit KernelOutliner(ModuleOp module) : symbols(module) {}

  /// Replaces the ops of one function by launches of kernels, which stand before the function in the module.
  void outline(FunctionOpInterface function, ArrayRef<KernelGroup *> groups);

private:
  /// A tensor of the function in the shape that a kernel takes.
  struct Argument {
    Value value;
    Shape shape;
  };
  struct Outlined {
    KernelOp kernel;
    SmallVector<Argument> arguments;
    SmallVector<Value> results; ///< What the group made that others need.
  };

  Outlined buildKernel(const KernelGroup &group, OpBuilder &builder);
  KernelOp findOrInsert(KernelOp kernel, const KernelGroup &group);
  void buildLaunch(const KernelGroup &group, FunctionOpInterface function);
  Value materialize(OpBuilder &builder, Value value, ArrayRef<int64_t> shape);
  Value materializeView(OpBuilder &builder, Operation *view);

  SymbolTable symbols;
  /// The kernels whose bodies have a hash: among thousands of kernels that compute alike few are compared.
  DenseMap<size_t, SmallVector<KernelOp, 1>> kernels;
  llvm::StringMap<unsigned> lastNumbers; ///< The number at the end of the last kernel of a name.
  DenseMap<Value, Value> made;           ///< What became of a value: a launch's result, or a view, in any shape.
  DenseMap<std::pair<Value, Type>, Value> reshapes;
};

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_KERNELOUTLINER_H
