//===- MemoryTensors.h - What lies where in relation to what ----*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_MEMORYTENSORS_H
#define NOVA_LIB_TRANSFORMS_MEMORYTENSORS_H

#include "MemoryLayout.h"
#include "Nova/Dialect/Nova.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

#include <map>

namespace mlir::nova {

/// Bytes of a tensor in memory: i1 takes a byte.
int64_t bytesOf(Type type);

/// A function and its launches, whose numbers are its time.
struct Entry {
  func::FuncOp function;
  SmallVector<LaunchOp> launches;
  SmallVector<KernelOp> kernels; ///< The kernel of each launch.

  Operation *getReturn() const { return function->getRegion(0).front().getTerminator(); }
};

/// The tensors of a module of launches. Views lie in what they show, the operands of a concat side by side, a result
/// that replaces an argument where the argument lies; the state is the same for all functions.
class MemoryTensors {
public:
  explicit MemoryTensors(ModuleOp module) : module(module) {}

  /// Fails with a diagnostic where tensors cannot lie as they should.
  LogicalResult collect();

  /// That no launch of the entry writes over what it, or a later one, reads.
  LogicalResult verify(const Entry &entry) const;

  unsigned lookup(Value value) const { return tensorOf.lookup(value); }
  unsigned getSet(Value value) const { return ties.getSet(lookup(value)); }

  TiedTensors ties;
  SmallVector<Entry, 0> entries;
  llvm::MapVector<std::pair<StringRef, StringAttr>, unsigned> state; ///< The tensor of each role and name.
  llvm::MapVector<Attribute, unsigned> constants;                    ///< Equal constants are one.

private:
  /// Part of a tensor, as it was written by one launch, or by none: arguments and constants.
  struct Part {
    Value source;
    int64_t begin, end; ///< Bytes in the set of the source.
  };

  /// What wrote the bytes of a set last, by their begins.
  struct Written {
    int64_t end;
    OpResult writer;
  };
  using LastWrites = DenseMap<unsigned, std::map<int64_t, Written>>;

  unsigned stateTensor(StringRef role, StringAttr name, Type type);
  LogicalResult addEntry(func::FuncOp function, const SymbolTable &symbols);
  LogicalResult addArguments(func::FuncOp function);
  LogicalResult addValue(Operation *op);
  LogicalResult addView(Operation *view);
  LogicalResult tieDonated(const Entry &entry);
  void collectParts(Value value, int64_t from, int64_t bytes, SmallVectorImpl<Part> &parts) const;
  LogicalResult verifyRead(Operation *reader, KernelOp kernel, Value operand, const LastWrites &writes) const;
  void noteWrite(OpResult write, LastWrites &writes) const;

  ModuleOp module;
  DenseMap<Value, unsigned> tensorOf;
};

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_MEMORYTENSORS_H
