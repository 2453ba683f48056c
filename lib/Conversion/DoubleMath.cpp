//===- DoubleMath.cpp - f64 functions without a math library --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For devices that have no libm. Range reduction and series in f64, written for accuracy and brevity: programs that
// train need none of these for each element. pow of f32 goes through f64, where exp(y log x) has bits to spare.
//
//===----------------------------------------------------------------------===//

#include "DoubleMath.h"
#include "Formula.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
constexpr double kLog2E = 1.4426950408889634074;
// ln 2 in two parts; the first has so few bits that its product with an exponent is exact.
constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Value integer(ImplicitLocOpBuilder &b, int64_t value) { return arith::ConstantIntOp::create(b, b.getI64Type(), value); }
Float fma(Float x, Float y, Float z) { return {x.b, math::FmaOp::create(x.b, x.v, y.v, z.v)}; }
Float absolute(Float x) { return {x.b, math::AbsFOp::create(x.b, x.v)}; }
Float floor(Float x) { return {x.b, math::FloorOp::create(x.b, x.v)}; }
Float copySign(Float x, Float sign) { return {x.b, math::CopySignOp::create(x.b, x.v, sign.v)}; }
Value both(Float x, Value c, Value d) { return arith::AndIOp::create(x.b, c, d); }

/// 2^n for -1022 <= n <= 1023.
Float powerOfTwo(ImplicitLocOpBuilder &b, Value n) {
  Value biased = arith::AddIOp::create(b, n, integer(b, 1023));
  Value bits = arith::ShLIOp::create(b, biased, integer(b, 52));
  return {b, arith::BitcastOp::create(b, b.getF64Type(), bits)};
}

/// (exp(r) - 1) / r for |r| <= 0.35: Taylor's series, whose next term is below 1e-18.
Float expSeries(Float r) {
  double factorial = 1;
  for (int k = 2; k <= 14; ++k)
    factorial *= k;
  Float sum = r.constant(1 / factorial);
  for (int k = 14; k > 1; --k) {
    factorial /= k;
    sum = fma(sum, r, r.constant(1 / factorial));
  }
  return sum;
}

Float expand(math::ExpOp, ImplicitLocOpBuilder &b, Float x) {
  // Beyond these the result is 0 or infinity in any case. NaN becomes a number here, and is restored at the end.
  Float low = x.constant(-746), high = x.constant(710);
  Float clamped = select(low.less(x), select(x.less(high), x, high), low);
  Float n = floor(fma(clamped, x.constant(kLog2E), x.constant(0.5)));
  Float r = fma(n, x.constant(-kLn2Low), fma(n, x.constant(-kLn2High), clamped));
  Float y = fma(r, expSeries(r), x.constant(1));
  // In two steps: 2^n may not exist where the product does.
  Value exponent = arith::FPToSIOp::create(b, b.getI64Type(), n.v);
  Value half = arith::ShRSIOp::create(b, exponent, integer(b, 1));
  y = y * powerOfTwo(b, half) * powerOfTwo(b, arith::SubIOp::create(b, exponent, half));
  return select(x.equal(x), y, x);
}

Float expand(math::LogOp, ImplicitLocOpBuilder &b, Float x) {
  // x = 2^e (1 + f) with 1 + f between sqrt(1/2) and sqrt(2); denormals are scaled first.
  Value small = x.less(x.constant(std::numeric_limits<double>::min()));
  Float scaled = select(small, x * std::ldexp(1.0, 54), x);
  Value bits = arith::BitcastOp::create(b, b.getI64Type(), scaled.v);
  Value root = integer(b, 0x3FE6A09E667F3BCD); // sqrt(1/2)
  Value exponent = arith::ShRSIOp::create(b, arith::SubIOp::create(b, bits, root), integer(b, 52));
  Value mantissa = arith::SubIOp::create(b, bits, arith::ShLIOp::create(b, exponent, integer(b, 52)));
  Float f = Float(b, arith::BitcastOp::create(b, b.getF64Type(), mantissa)) - 1.0;
  Float e = Float(b, arith::SIToFPOp::create(b, b.getF64Type(), exponent));
  e = e - select(small, x.constant(54), x.constant(0));
  // log(1 + f) = 2 atanh(s) with s = f / (2 + f), |s| < 0.172: an odd series.
  Float s = f / (f + 2.0), z = s * s, sum = x.constant(1.0 / 23);
  for (int k = 21; k >= 3; k -= 2)
    sum = fma(sum, z, x.constant(1.0 / k));
  Float series = (s * z) * (sum * 2.0); // log(1 + f) - 2 s
  Float y = fma(e, x.constant(kLn2High), s * 2.0 + fma(e, x.constant(kLn2Low), series));
  y = select(x.less(x.constant(kInfinity)), y, x); // infinity and NaN
  y = select(x.equal(x.constant(0)), x.constant(-kInfinity), y);
  return select(x.less(x.constant(0)), x.constant(kNaN), y);
}

Float expand(math::TanhOp, ImplicitLocOpBuilder &b, Float x) {
  // (exp(t) - 1) / (exp(t) + 1) with t = 2 |x|; the difference by its series where it would cancel.
  Float t = absolute(x) * 2.0;
  t = select(x.constant(40).less(t), x.constant(40), t);
  Float less = select(t.less(x.constant(0.35)), t * expSeries(t), exp(t) - 1.0);
  return copySign(less / (less + 2.0), x);
}

Float expand(math::ErfOp, ImplicitLocOpBuilder &b, Float x) {
  // 2 / sqrt(pi) x exp(-x^2) (1 + 2x^2/3 (1 + 2x^2/5 (1 + ...))): terms of one sign, so nothing cancels. From 6 on the
  // result is 1.
  constexpr int64_t kTerms = 100;
  Float a = absolute(x);
  a = select(x.constant(6).less(a), x.constant(6), a);
  Float square = a * a;
  auto index = [&](int64_t i) -> Value { return arith::ConstantIndexOp::create(b, i); };
  auto loop = scf::ForOp::create(b, index(0), index(kTerms), index(1), ValueRange(x.constant(1).v));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value i = arith::IndexCastOp::create(b, b.getI64Type(), loop.getInductionVar());
    Float done = Float(b, arith::SIToFPOp::create(b, b.getF64Type(), i));
    Float divisor = x.constant(2 * kTerms + 1) - done * 2.0;
    Float sum = fma((square * 2.0) / divisor, {b, loop.getRegionIterArg(0)}, x.constant(1));
    scf::YieldOp::create(b, sum.v);
  }
  Float y = (a * 1.12837916709551257390) * (exp(-square) * Float(b, loop.getResult(0)));
  return copySign(y, x);
}

/// As C's pow.
Float power(Float x, Float y) {
  Float one = x.constant(1), size = absolute(x);
  Float z = exp(y * log(size));
  // A base of size 1 gives 1 for every y, where log(1) * infinity is NaN.
  z = select(size.equal(one), one, z);
  // The sign of a negative base (and zero) stays for odd y; a y that is no integer has no power of it.
  Float half = y * 0.5;
  Value whole = floor(y).equal(y), even = floor(half).equal(half);
  Float odd = select(even, z, copySign(z, x));
  Value negative = both(x, x.less(x.constant(0)), absolute(y).less(x.constant(kInfinity)));
  z = select(whole, odd, select(negative, x.constant(kNaN), z));
  // NaN anywhere, but 1^y and x^0.
  z = select(both(x, x.equal(x), y.equal(y)), z, x.constant(kNaN));
  z = select(x.equal(one), one, z);
  return select(y.equal(y.constant(0)), one, z);
}

template <typename Op> struct ExpandUnary : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op.getType().isF64())
      return rewriter.notifyMatchFailure(op, "only scalars of f64 are expanded");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, expand(op, b, Float(b, op.getOperand())).v);
    return success();
  }
};

struct ExpandPower : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::PowFOp op, PatternRewriter &rewriter) const override {
    Type type = op.getType(), f64 = rewriter.getF64Type();
    if (type != f64 && !type.isF32())
      return rewriter.notifyMatchFailure(op, "only scalars of f32 and f64 are expanded");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto wide = [&](Value v) -> Float { return {b, type == f64 ? v : Value(arith::ExtFOp::create(b, f64, v))}; };
    Value z = power(wide(op.getLhs()), wide(op.getRhs())).v;
    rewriter.replaceOp(op, type == f64 ? z : Value(arith::TruncFOp::create(b, type, z)));
    return success();
  }
};
} // namespace

void nova::populateDoubleMathPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandUnary<math::ExpOp>, ExpandUnary<math::LogOp>, ExpandUnary<math::TanhOp>, ExpandUnary<math::ErfOp>,
               ExpandPower>(patterns.getContext());
}
