//===- Layout.h - Where the elements of a tile are --------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algebra of layouts. Sizes are powers of two, so the number of an element (row-major in its tile) is its
// coordinates' bits side by side, and every layout is a map that is linear over bits: of register and thread to
// element, or of element to place in shared memory. Padding is added afterwards. What a copy or a conversion can be
// follows from these maps alone.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_DIALECT_LAYOUT_H
#define NOVA_DIALECT_LAYOUT_H

#include "Nova/Dialect/Nova.h"

namespace mlir::nova {

/// Whether the attribute is one of NovaLayouts.td.
bool isLayout(Attribute attribute);
bool isInSharedMemory(Type type);
bool isInRegisters(Type type);

/// A map of numbers that is linear over their bits: the XOR of the bases of the bits that are on.
class BitMap {
public:
  BitMap() = default;
  explicit BitMap(ArrayRef<uint32_t> bases) : bases(bases) {}

  unsigned size() const { return bases.size(); }
  uint32_t operator[](unsigned bit) const { return bases[bit]; }
  uint32_t operator()(uint32_t number) const;
  void push_back(uint32_t basis) { bases.push_back(basis); }
  /// The bits of a number that change nothing: numbers without them have each value once.
  uint32_t idle() const;
  /// All bits that a value can have.
  uint32_t reach() const;
  /// The map that applies `next` to this one's values.
  BitMap then(const BitMap &next) const;
  BitMap slice(unsigned from, unsigned count) const { return BitMap(ArrayRef(bases).slice(from, count)); }
  /// The dimension of the space of values: the map reaches 2^rank of them.
  unsigned rank() const;
  bool operator==(const BitMap &other) const { return bases == other.bases; }

private:
  SmallVector<uint32_t, 16> bases;
};

/// What a matrix instruction is made for, and where its operands' elements are: register and lane to (row, column).
struct MatrixIntrinsic {
  struct Operand {
    std::array<int64_t, 2> shape;
    SmallVector<std::array<int64_t, 2>, 3> registers;
    std::array<std::array<int64_t, 2>, 5> lanes;
  };
  StringRef name;
  enum class Factor { BF16, F16, TF32 } factor;
  int64_t m, n, k;
  Operand lhs, rhs, sums;

  const Operand &operand(MatrixOperand which) const {
    return which == MatrixOperand::Lhs ? lhs : which == MatrixOperand::Rhs ? rhs : sums;
  }
  /// The element type of factors in memory.
  Type factorType(MLIRContext *context) const;
};
ArrayRef<MatrixIntrinsic> matrixIntrinsics();
/// Null for an unknown name.
const MatrixIntrinsic *lookupIntrinsic(StringRef name);

/// Register (the low bits), lane and warp to the element's number.
struct RegisterLayout {
  BitMap map;
  unsigned registerBits = 0;

  static constexpr unsigned kLaneBits = 5;
  unsigned threadBits() const { return map.size() - registerBits; }
  int64_t registers() const { return int64_t(1) << registerBits; }
  BitMap ofRegisters() const { return map.slice(0, registerBits); }
  BitMap ofThreads() const { return map.slice(registerBits, threadBits()); }
};

/// The element's number to its place in shared memory, in elements.
struct SharedLayout {
  BitMap map;
  int64_t every = 0, extra = 0; // padding

  int64_t pad(int64_t place) const { return every ? place + place / every * extra : place; }
  int64_t place(uint32_t element) const { return pad(map(element)); }
  /// Elements of memory that the tile takes.
  int64_t extent() const { return pad((int64_t(1) << map.size()) - 1) + 1; }
};

using EmitError = function_ref<InFlightDiagnostic()>;
/// The layout of a tile; a diagnostic, if asked for, when it does not fit the tile's shape or element type.
FailureOr<RegisterLayout> getRegisterLayout(RankedTensorType tile, EmitError error = {});
FailureOr<SharedLayout> getSharedLayout(RankedTensorType tile, EmitError error = {});
/// The place of an element in a row-major tensor of the tile's last axes, `strides` apart: linear along each axis.
SmallVector<int64_t> coordinatesOf(ArrayRef<int64_t> shape, uint32_t element);

/// Low register bits whose elements are neighbours in the order of places: an access may move that many at once.
unsigned neighbourBits(const RegisterLayout &layout, const BitMap &places);

/// Wavefronts that shared memory takes for one access of a warp: `bytes` (up to 16) at each address.
int64_t countWavefronts(ArrayRef<int64_t> addresses, int64_t bytes);

/// How a tile gets from one layout of registers to another.
enum class Conversion {
  None,      ///< the registers are the same ones
  Registers, ///< each thread has its elements, in other registers
  Shuffle,   ///< each warp has its elements
  Shared,    ///< through shared memory
};
Conversion conversionBetween(const RegisterLayout &from, const RegisterLayout &to);

/// Shared memory to registers by ldmatrix: an instruction loads 1, 2 or 4 matrices of 8 rows of 16 bytes.
struct MatrixLoad {
  bool transposed;
  unsigned matrixBits; ///< 0 to 2: the register bits that number an instruction's matrices
  unsigned firstBit;   ///< the lowest of them: registers below are in one 32-bit word
  BitMap rows;         ///< thread to the place of the row whose address it gives
};
/// Nothing if the layouts don't allow it. `bits`: an element's.
std::optional<MatrixLoad> matchMatrixLoad(const SharedLayout &from, const RegisterLayout &to, unsigned bits);

} // namespace mlir::nova

#endif // NOVA_DIALECT_LAYOUT_H
