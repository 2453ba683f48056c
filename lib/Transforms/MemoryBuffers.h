//===- MemoryBuffers.h - The buffers behind a function's tensors *- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_MEMORYBUFFERS_H
#define NOVA_LIB_TRANSFORMS_MEMORYBUFFERS_H

#include "Nova/Dialect/Nova.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <map>

namespace mlir::nova {

constexpr int64_t kBufferAlignment = 64;

/// Bytes of a tensor in memory: i1 takes a byte.
int64_t bytesOf(Type tensor);

/// A state tensor: its role ("parameter", "m" or "v") and the parameter's name.
using StateKey = std::pair<std::string, std::string>;

/// Memory that is allocated as one piece.
struct Buffer {
  int64_t number = 0; ///< in the order of the function
  int64_t size = 0;
  MemoryRegion region = MemoryRegion::Arena;
  /// The launches, by their number in the function, from the first that writes it to the last that uses it.
  int64_t first = 0, last = 0;
  /// The state tensors that lie in it, and their offsets.
  std::vector<std::pair<StateKey, int64_t>> state;
  int64_t offset = 0; ///< in the region, when placed

  /// A buffer may have become part of another.
  Buffer *parent = nullptr;
  int64_t offsetInParent = 0;
};

/// Which buffer each tensor of a function that launches kernels lies in: views lie in their operand's, the operands of
/// a packing concat in the concat's, a donated argument and the result that replaces it in one, and a launch writes
/// over an operand that ends with it where the kernel allows that.
class FunctionBuffers {
public:
  explicit FunctionBuffers(func::FuncOp function) : function(function) {}

  LogicalResult collect();
  /// The buffers that are part of no other, in the order of the function.
  SmallVector<Buffer *> roots();
  /// Writes `nova.address` and `nova.addresses` once all roots have their offsets.
  void writeAddresses();

  func::FuncOp function;

private:
  struct Place {
    Buffer *buffer;
    int64_t offset;
  };
  Place placeOf(Value tensor);
  AddressAttr addressOf(Value tensor);
  Buffer *make(Value tensor, MemoryRegion region);
  void put(Buffer *part, Buffer *whole, int64_t offset);

  void makeArguments();
  LogicalResult makeValues();
  LogicalResult makeView(Operation *op);
  LogicalResult donate();
  void findLifetimes();
  void reuseOperands();
  LogicalResult verifyDonations();

  SmallVector<std::unique_ptr<Buffer>> buffers;
  DenseMap<Value, Place> places;
  SmallVector<LaunchOp> launches;
};

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_MEMORYBUFFERS_H
