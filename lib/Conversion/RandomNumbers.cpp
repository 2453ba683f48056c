//===- RandomNumbers.cpp - Counter-based random numbers -------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lib/Support/Random.cpp computes, operation by operation, so that the bits are the same: nothing here may fuse or
// be reassociated. Each lane makes the block of four words that its element is in.
//
//===----------------------------------------------------------------------===//
#include "Formula.h"
#include "TileEmitter.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
/// An f32 of which every operation rounds by itself.
struct Exact {
  ImplicitLocOpBuilder &b;
  Value v;

  Exact(ImplicitLocOpBuilder &b, Value v) : b(b), v(v) {}
  Exact(const Exact &) = default;
  Exact &operator=(const Exact &o) {
    v = o.v;
    return *this;
  }
  /// The value of an integer, rounded.
  static Exact of(Integer w, bool isSigned) {
    Type type = w.b.getF32Type();
    return {w.b, isSigned ? w.toSigned(type) : w.toUnsigned(type)};
  }
  Exact constant(float x) const { return {b, constantOf(b, v.getType(), b.getF32FloatAttr(x))}; }
  Exact operator+(Exact o) const { return {b, arith::AddFOp::create(b, v, o.v)}; }
  Exact operator-(Exact o) const { return {b, arith::SubFOp::create(b, v, o.v)}; }
  Exact operator*(Exact o) const { return {b, arith::MulFOp::create(b, v, o.v)}; }
  Exact operator/(Exact o) const { return {b, arith::DivFOp::create(b, v, o.v)}; }
  Exact operator+(float x) const { return *this + constant(x); }
  Exact operator-(float x) const { return *this - constant(x); }
  Exact operator*(float x) const { return *this * constant(x); }
  Exact operator-() const { return {b, arith::NegFOp::create(b, v)}; }
};
Exact select(Value condition, Exact x, Exact y) { return {x.b, arith::SelectOp::create(x.b, condition, x.v, y.v)}; }
} // namespace

/// The words of the block that holds an element, by Philox4x32-10.
static std::array<Integer, 4> blockOf(Integer seed, Integer stream, Integer index) {
  ImplicitLocOpBuilder &b = index.b;
  auto likeIndex = [&](Integer w) -> Integer {
    auto vector = dyn_cast<VectorType>(index.v.getType());
    return vector ? Integer(b, vector::BroadcastOp::create(b, vector.clone(getElementTypeOrSelf(w.v)), w.v)) : w;
  };
  Integer block = index >> 2;
  std::array<Integer, 4> c = {block.low(), block.high(), likeIndex(stream.low()), likeIndex(stream.high())};
  Integer key0 = seed.low(), key1 = seed.high();
  for (int round = 0; round < 10; ++round) {
    Integer product0 = c[0].wide() * 0xD2511F53, product1 = c[2].wide() * 0xCD9E8D57;
    Integer next0 = product1.high() ^ c[1] ^ likeIndex(key0), next2 = product0.high() ^ c[3] ^ likeIndex(key1);
    c[0] = next0, c[1] = product1.low(), c[2] = next2, c[3] = product0.low();
    key0 = key0 + 0x9E3779B9, key1 = key1 + 0xBB67AE85;
  }
  return c;
}

Value nova::emitRandomUniform(ImplicitLocOpBuilder &b, Value seed, Value stream, Value index) {
  std::array<Integer, 4> block = blockOf({b, seed}, {b, stream}, {b, index});
  Integer place = Integer(b, index) & 3;
  Integer bits = select(place.is(0), block[0], select(place.is(1), block[1], select(place.is(2), block[2], block[3])));
  return (Exact::of(bits >> 8, /*isSigned=*/true) * 0x1p-24f).v;
}

/// -log((bits + 1) / 2^32).
static Exact negativeLog(Integer bits) {
  ImplicitLocOpBuilder &b = bits.b;
  Exact x = (Exact::of(bits, /*isSigned=*/false) + 1.0f) * 0x1p-32f;
  Integer pattern(b, arith::BitcastOp::create(b, bits.v.getType(), x.v));
  Integer exponent = (pattern - 0x3f3504f3).arithmeticShift(23);
  pattern = pattern - exponent * (1 << 23);
  Exact m(b, arith::BitcastOp::create(b, x.v.getType(), pattern.v));
  Exact close = Exact::of(bits ^ 0xffffffff, /*isSigned=*/false) * -0x1p-32f;
  Exact f = select(exponent.is(0), close, m - 1.0f);
  Exact s = f / (f.constant(2.0f) + f), s2 = s * s;
  Exact series = s2.constant(2.0f / 7) + s2 * s2.constant(2.0f / 9);
  for (float c : {2.0f / 5, 2.0f / 3, 2.0f})
    series = s2.constant(c) + s2 * series;
  return -(Exact::of(exponent, /*isSigned=*/true) * 0.693147182f + s * series);
}

/// Normal numbers by Box and Muller: elements 2 i and 2 i + 1 of a stream are the two coordinates of one point.
Value nova::emitRandomNormal(ImplicitLocOpBuilder &b, Value seed, Value stream, Value index) {
  std::array<Integer, 4> block = blockOf({b, seed}, {b, stream}, {b, index});
  Value isFirstPair = (Integer(b, index) & 2).is(0);
  Integer radiusBits = select(isFirstPair, block[0], block[2]), angleBits = select(isFirstPair, block[1], block[3]);
  Exact radius(b, math::SqrtOp::create(b, (negativeLog(radiusBits) * 2.0f).v));
  Integer quadrant = angleBits >> 30, angle = angleBits & 0x3fffffff;
  Exact t = Exact::of(angle - 0x20000000, /*isSigned=*/true) * (1.57079637f * 0x1p-30f), t2 = t * t;
  auto polynomial = [&](std::initializer_list<float> coefficients) {
    Exact sum = t2.constant(*coefficients.begin());
    for (float c : llvm::drop_begin(coefficients))
      sum = t2.constant(c) + t2 * sum;
    return sum;
  };
  Exact sine = t * polynomial({1.0f / 362880, -1.0f / 5040, 1.0f / 120, -1.0f / 6, 1.0f});
  Exact cosine = polynomial({1.0f / 40320, -1.0f / 720, 1.0f / 24, -0.5f, 1.0f});
  Value isTurned = (quadrant & 1).is(1);
  Exact along = select(isTurned, sine, cosine), across = select(isTurned, cosine, sine);
  along = select(((quadrant + 1) & 2).is(2), -along, along);
  across = select((quadrant & 2).is(2), -across, across);
  return (radius * select((Integer(b, index) & 1).is(0), along, across)).v;
}
