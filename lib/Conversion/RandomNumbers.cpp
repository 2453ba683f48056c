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
/// An integer, or a vector of them.
struct Word {
  ImplicitLocOpBuilder &b;
  Value v;

  Word(ImplicitLocOpBuilder &b, Value v) : b(b), v(v) {}
  Word(const Word &) = default;
  Word &operator=(const Word &o) {
    v = o.v;
    return *this;
  }
  Word constant(uint64_t value) const {
    auto element = cast<IntegerType>(getElementTypeOrSelf(v));
    APInt number(element.getWidth(), value, /*isSigned=*/false, /*implicitTrunc=*/true);
    return {b, constantOf(b, v.getType(), b.getIntegerAttr(element, number))};
  }
  Word operator+(Word o) const { return {b, arith::AddIOp::create(b, v, o.v)}; }
  Word operator-(Word o) const { return {b, arith::SubIOp::create(b, v, o.v)}; }
  Word operator*(Word o) const { return {b, arith::MulIOp::create(b, v, o.v)}; }
  Word operator^(Word o) const { return {b, arith::XOrIOp::create(b, v, o.v)}; }
  Word operator&(uint64_t o) const { return {b, arith::AndIOp::create(b, v, constant(o).v)}; }
  Word operator>>(uint64_t o) const { return {b, arith::ShRUIOp::create(b, v, constant(o).v)}; }
  Value is(uint64_t o) const { return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, v, constant(o).v); }
  Word low() const { return {b, arith::TruncIOp::create(b, withElement(v, b.getI32Type()), v)}; }
  Word high() const { return (*this >> 32).low(); }
  Word wide() const { return {b, arith::ExtUIOp::create(b, withElement(v, b.getI64Type()), v)}; }
};
Word select(Value condition, Word x, Word y) { return {x.b, arith::SelectOp::create(x.b, condition, x.v, y.v)}; }

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
  static Exact of(Word w, bool isSigned) {
    Type type = withElement(w.v, w.b.getF32Type());
    return {w.b,
            isSigned ? Value(arith::SIToFPOp::create(w.b, type, w.v)) : Value(arith::UIToFPOp::create(w.b, type, w.v))};
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
static std::array<Word, 4> blockOf(Word seed, Word stream, Word index) {
  ImplicitLocOpBuilder &b = index.b;
  auto likeIndex = [&](Word w) -> Word {
    auto vector = dyn_cast<VectorType>(index.v.getType());
    return vector ? Word(b, vector::BroadcastOp::create(b, vector.clone(getElementTypeOrSelf(w.v)), w.v)) : w;
  };
  Word block = index >> 2;
  std::array<Word, 4> c = {block.low(), block.high(), likeIndex(stream.low()), likeIndex(stream.high())};
  Word key0 = seed.low(), key1 = seed.high();
  for (int round = 0; round < 10; ++round) {
    Word product0 = c[0].wide() * c[0].wide().constant(0xD2511F53),
         product1 = c[2].wide() * c[2].wide().constant(0xCD9E8D57);
    Word next0 = product1.high() ^ c[1] ^ likeIndex(key0), next2 = product0.high() ^ c[3] ^ likeIndex(key1);
    c[0] = next0, c[1] = product1.low(), c[2] = next2, c[3] = product0.low();
    key0 = key0 + key0.constant(0x9E3779B9), key1 = key1 + key1.constant(0xBB67AE85);
  }
  return c;
}

Value nova::emitRandomUniform(ImplicitLocOpBuilder &b, Value seed, Value stream, Value index) {
  std::array<Word, 4> block = blockOf({b, seed}, {b, stream}, {b, index});
  Word place = Word(b, index) & 3;
  Word bits = select(place.is(0), block[0], select(place.is(1), block[1], select(place.is(2), block[2], block[3])));
  return (Exact::of(bits >> 8, /*isSigned=*/true) * 0x1p-24f).v;
}

/// -log((bits + 1) / 2^32).
static Exact negativeLog(Word bits) {
  ImplicitLocOpBuilder &b = bits.b;
  Exact x = (Exact::of(bits, /*isSigned=*/false) + 1.0f) * 0x1p-32f;
  Word pattern(b, arith::BitcastOp::create(b, bits.v.getType(), x.v));
  Word exponent(b, arith::ShRSIOp::create(b, (pattern - pattern.constant(0x3f3504f3)).v, pattern.constant(23).v));
  pattern = pattern - exponent * exponent.constant(1 << 23);
  Exact m(b, arith::BitcastOp::create(b, x.v.getType(), pattern.v));
  Exact close = Exact::of(bits ^ bits.constant(0xffffffff), /*isSigned=*/false) * -0x1p-32f;
  Exact f = select(exponent.is(0), close, m - 1.0f);
  Exact s = f / (f.constant(2.0f) + f), s2 = s * s;
  Exact series = s2.constant(2.0f / 7) + s2 * s2.constant(2.0f / 9);
  for (float c : {2.0f / 5, 2.0f / 3, 2.0f})
    series = s2.constant(c) + s2 * series;
  return -(Exact::of(exponent, /*isSigned=*/true) * 0.693147182f + s * series);
}

/// By Box and Muller: elements 2 i and 2 i + 1 of a stream are the two coordinates of one point.
Value nova::emitRandomNormal(ImplicitLocOpBuilder &b, Value seed, Value stream, Value index) {
  std::array<Word, 4> block = blockOf({b, seed}, {b, stream}, {b, index});
  Value isFirstPair = (Word(b, index) & 2).is(0);
  Word radiusBits = select(isFirstPair, block[0], block[2]), angleBits = select(isFirstPair, block[1], block[3]);
  Exact radius(b, math::SqrtOp::create(b, (negativeLog(radiusBits) * 2.0f).v));
  Word quadrant = angleBits >> 30, angle = angleBits & 0x3fffffff;
  Exact t = Exact::of(angle - angle.constant(0x20000000), /*isSigned=*/true) * (1.57079637f * 0x1p-30f), t2 = t * t;
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
  along = select(((quadrant + quadrant.constant(1)) & 2).is(2), -along, along);
  across = select((quadrant & 2).is(2), -across, across);
  return (radius * select((Word(b, index) & 1).is(0), along, across)).v;
}
