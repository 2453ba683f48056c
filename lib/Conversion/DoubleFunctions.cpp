//===- DoubleFunctions.cpp - Functions of f64 by arithmetic ---------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Range reduction and series in f64, written for accuracy and brevity: programs that train need none of these for each
// element of a tensor, other than those that have polynomials of their own in f32 (see ApproximateMath.cpp).
//
//===----------------------------------------------------------------------===//

#include "DoubleFunctions.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::doubles;

//===----------------------------------------------------------------------===//
// Exponentials and logarithms
//===----------------------------------------------------------------------===//

namespace {
constexpr double kLog2E = 1.4426950408889634074;
// ln 2 in two parts; the first has so few bits that its product with an exponent is exact.
constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
constexpr double kHalfPi = 1.5707963267948966, kHalfPiLow = 6.123233995736766e-17;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Value both(Float x, Value c, Value d) { return arith::AndIOp::create(x.b, c, d); }

/// 2^n for -1022 <= n <= 1023.
Float powerOfTwo(Integer n) { return ((n + 1023) << 52).asBits(); }

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

} // namespace

/// y 2^n, in two steps: 2^n may not exist where the product does.
static Float scaled(Float y, Float n) {
  Integer exponent = Integer::truncated(n), half = exponent.arithmeticShift(1);
  return y * powerOfTwo(half) * powerOfTwo(exponent - half);
}

Float doubles::exp(Float x) {
  // Beyond these the result is 0 or infinity in any case. NaN becomes a number here, and is restored at the end.
  Float low = x.constant(-746), high = x.constant(710);
  Float clamped = select(low.less(x), select(x.less(high), x, high), low);
  Float n = floor(fma(clamped, x.constant(kLog2E), x.constant(0.5)));
  Float r = fma(n, x.constant(-kLn2Low), fma(n, x.constant(-kLn2High), clamped));
  return select(x.equal(x), scaled(fma(r, expSeries(r), x.constant(1)), n), x);
}

namespace {
/// A number that is the sum of two, the second of which is what the first lacks.
struct Parts {
  Float high, low;
};
} // namespace

/// log(x) for finite x above 0, to some 100 bits.
static Parts logInParts(Float x) {
  // x = 2^e (1 + f) with 1 + f between sqrt(1/2) and sqrt(2); denormals are scaled first.
  Value small = x.less(x.constant(std::numeric_limits<double>::min()));
  Float normal = select(small, x * std::ldexp(1.0, 54), x);
  Integer bits = Integer::bitsOf(normal);
  Integer exponent = (bits - 0x3FE6A09E667F3BCD).arithmeticShift(52); // sqrt(1/2)
  Float f = (bits - (exponent << 52)).asBits() - 1.0, e(x.b, exponent.toSigned(x.b.getF64Type()));
  e = e - select(small, x.constant(54), x.constant(0));
  // log(1 + f) = 2 atanh(s) with s = f / (2 + f), |s| < 0.172: an odd series. The sum and the division round `lost`
  // away.
  Float sum = f + 2.0, s = f / sum, z = s * s, series = x.constant(1.0 / 23);
  Float lost = (fma(-s, sum, f) - s * (f - (sum - 2.0))) / sum;
  for (int k = 21; k >= 3; k -= 2)
    series = fma(series, z, x.constant(1.0 / k));
  Float rest = fma(s * z, series, lost) * 2.0; // log(1 + f) - 2 s
  Float whole = e * kLn2High, large = whole + s * 2.0;
  Float low = (s * 2.0 - (large - whole)) + fma(e, x.constant(kLn2Low), rest), high = large + low;
  return {high, low - (high - large)};
}

/// `log`, or what log(x) is where x is no finite number above 0.
static Float orLogOfOthers(Float x, Float log) {
  Float y = select(x.less(x.constant(kInfinity)), log, x); // infinity and NaN
  y = select(x.equal(x.constant(0)), x.constant(-kInfinity), y);
  return select(x.less(x.constant(0)), x.constant(kNaN), y);
}

Float doubles::log(Float x) { return orLogOfOthers(x, logInParts(x).high); }

Float doubles::tanh(Float x) {
  // (exp(t) - 1) / (exp(t) + 1) with t = 2 |x|; the difference by its series where it would cancel.
  Float t = absolute(x) * 2.0;
  t = select(x.constant(40).less(t), x.constant(40), t);
  Float less = select(t.less(x.constant(0.35)), t * expSeries(t), doubles::exp(t) - 1.0);
  return copySign(less / (less + 2.0), x);
}

Float doubles::erf(Float x) {
  // 2 / sqrt(pi) x exp(-x^2) (1 + 2x^2/3 (1 + 2x^2/5 (1 + ...))): terms of one sign, so nothing cancels. From kOne on
  // the result is 1.
  constexpr int64_t kTerms = 100;
  constexpr double kOne = 5.95;
  Float size = absolute(x), a = select(x.constant(kOne).less(size), x.constant(kOne), size);
  Float square = a * a;
  ImplicitLocOpBuilder &b = x.b;
  auto index = [&](int64_t i) -> Value { return arith::ConstantIndexOp::create(b, i); };
  auto loop = scf::ForOp::create(b, index(0), index(kTerms), index(1), ValueRange(x.constant(1).v));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value i = arith::IndexCastOp::create(b, b.getI64Type(), loop.getInductionVar());
    Value done = arith::SIToFPOp::create(b, b.getF64Type(), i);
    if (auto vector = dyn_cast<VectorType>(x.v.getType()))
      done = vector::BroadcastOp::create(b, vector, done);
    Float divisor = x.constant(2 * kTerms + 1) - Float(b, done) * 2.0;
    Float sum = fma((square * 2.0) / divisor, {b, loop.getRegionIterArg(0)}, x.constant(1));
    scf::YieldOp::create(b, sum.v);
  }
  Float y = (a * 1.12837916709551257390) * (doubles::exp(-square) * Float(b, loop.getResult(0)));
  return copySign(select(x.constant(kOne).less(size), x.constant(1), y), x);
}

Float doubles::power(Float x, Float y) {
  Float one = x.constant(1), size = absolute(x);
  // exp(y log x) multiplies what log x lacks by y: it is taken along, wherever the result is a finite number.
  Parts log = logInParts(size);
  Float high = orLogOfOthers(size, log.high), product = y * high;
  Float low = fma(y, high, -product) + y * log.low;
  low = select(absolute(product).less(x.constant(800)), low, x.constant(0));
  Float z = doubles::exp(product);
  z = select(z.less(x.constant(kInfinity)), fma(z, low, z), z);
  // A base of size 1 gives 1 for every y, where log(1) * infinity is NaN.
  z = select(size.equal(one), one, z);
  // The sign of a negative base (and zero) stays for odd y; a y that is no integer has no power of it.
  Float half = y * 0.5;
  Value whole = floor(y).equal(y), even = floor(half).equal(half);
  Float odd = select(even, z, copySign(z, x));
  // Infinities have powers; their sign counts for odd y alone.
  Value negative = both(x, x.less(x.constant(0)), size.less(x.constant(kInfinity)));
  negative = both(x, negative, absolute(y).less(x.constant(kInfinity)));
  z = select(whole, odd, select(negative, x.constant(kNaN), z));
  // NaN anywhere, but 1^y and x^0.
  z = select(both(x, x.equal(x), y.equal(y)), z, x.constant(kNaN));
  z = select(x.equal(one), one, z);
  return select(y.equal(y.constant(0)), one, z);
}

/// What is left of x after `steps` divisions by y: between -y and y once the quotient is below 2^52. Each step takes
/// the first 52 bits of the quotient away; their product with y lies so close to x that the difference is exact.
static Float divideBySteps(Float x, Float y, int64_t steps) {
  ImplicitLocOpBuilder &b = x.b;
  auto index = [&](int64_t i) -> Value { return arith::ConstantIndexOp::create(b, i); };
  auto loop = scf::ForOp::create(b, index(0), index(steps), index(1), ValueRange(x.v));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Float rest(b, loop.getRegionIterArg(0)), quotient = rest / y;
  quotient = copySign(floor(absolute(quotient)), quotient);
  scf::YieldOp::create(b, fma(-quotient, y, rest).v);
  return {b, loop.getResult(0)};
}

Float doubles::remainder(Float x, Float y, int widest) {
  Float size = absolute(y), rest = absolute(x), zero = x.constant(0), infinity = x.constant(kInfinity);
  // Quotients of f64 may be beyond it, and are taken in parts.
  constexpr int kPart = 1000;
  for (int scale = widest / kPart * kPart; scale > 0; scale -= kPart, widest = kPart) {
    Float large = size;
    for (int i = 0; i < scale; i += kPart)
      large = large * 0x1p1000;
    Float less = divideBySteps(rest, large, kPart / 52 + 2);
    rest = select(large.less(infinity), select(less.less(zero), less + large, less), rest);
  }
  rest = divideBySteps(rest, size, widest / 52 + 2);
  rest = copySign(select(rest.less(zero), rest + size, rest), x);
  rest = select(size.less(infinity), rest, x);
  Value exists = both(x, absolute(x).less(infinity), both(x, y.equal(y), zero.less(size)));
  return select(exists, rest, x.constant(kNaN));
}

Float doubles::exp2(Float x) {
  Float low = x.constant(-1080), high = x.constant(1030);
  Float clamped = select(low.less(x), select(x.less(high), x, high), low);
  Float n = floor(clamped + 0.5), r = (clamped - n) * 0.69314718055994530942;
  return select(x.equal(x), scaled(fma(r, expSeries(r), x.constant(1)), n), x);
}
Float doubles::log2(Float x) { return doubles::log(x) * kLog2E; }
Float doubles::log10(Float x) { return doubles::log(x) * 0.43429448190325182765; }

Float doubles::expm1(Float x) {
  return select(absolute(x).less(x.constant(0.35)), x * expSeries(x), doubles::exp(x) - 1.0);
}

Float doubles::log1p(Float x) {
  // What is lost when 1 + x is rounded has the weight of the slope, 1 / (1 + x).
  Float sum = x + 1.0, lost = x - (sum - 1.0);
  Float y = doubles::log(sum) + lost / sum;
  y = select(x.equal(x.constant(0)), x, y); // -0
  return select(absolute(sum).less(x.constant(kInfinity)), select(sum.equal(x.constant(0)), x.constant(-kInfinity), y),
                select(x.less(x.constant(0)), x.constant(kNaN), x));
}

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

Float doubles::sinh(Float x) {
  Float u = expm1(absolute(x)), y = (u + u / (u + 1.0)) * 0.5;
  return copySign(select(u.less(x.constant(kInfinity)), y, u), x);
}

Float doubles::cosh(Float x) {
  Float e = doubles::exp(absolute(x));
  return (e + e.constant(1) / e) * 0.5;
}

Float doubles::asinh(Float x) {
  Float a = absolute(x);
  Float y = log1p(a + (a * a) / (sqrt(a * a + 1.0) + 1.0));
  // The square of a large number would overflow, and beside it 1 has no weight.
  return copySign(select(a.less(x.constant(0x1p28)), y, doubles::log(a) + 1.0 / kLog2E), x);
}

Float doubles::acosh(Float x) {
  Float t = x - 1.0;
  Float y = select(x.constant(0x1p28).less(x), doubles::log(x) + 1.0 / kLog2E, log1p(t + sqrt(t * 2.0 + t * t)));
  return select(t.less(t.constant(0)), t.constant(kNaN), y);
}

Float doubles::atanh(Float x) {
  Float a = absolute(x);
  return copySign(log1p((a * 2.0) / (a.constant(1) - a)) * 0.5, x);
}

//===----------------------------------------------------------------------===//
// Trigonometric functions
//===----------------------------------------------------------------------===//

Float doubles::atan(Float x) {
  // The angle of 1 / x is the rest of a right one. Half an angle has the tangent t / (1 + sqrt(1 + t^2)): after two
  // halvings it is below 0.2, where the odd series needs few terms.
  Float a = absolute(x), one = x.constant(1);
  Value steep = one.less(a);
  Float t = select(steep, one / a, a);
  for (int i = 0; i < 2; ++i)
    t = t / (sqrt(fma(t, t, one)) + 1.0);
  Float z = t * t, sum = x.constant(1.0 / 25);
  for (int k = 23; k >= 3; k -= 2)
    sum = fma(-sum, z, x.constant(1.0 / k));
  Float angle = (t - (t * z) * sum) * 4.0;
  return copySign(select(steep, x.constant(kHalfPi) - angle, angle), x);
}

Float doubles::asin(Float x) {
  Float one = x.constant(1);
  return atan(x / sqrt((one - x) * (one + x)));
}

Float doubles::acos(Float x) {
  Float one = x.constant(1);
  return atan(sqrt((one - x) / (one + x))) * 2.0;
}

namespace {
/// An angle of at least 0 as a number of right angles, of which the last two bits count, and a rest between -pi/4 and
/// pi/4.
struct Reduced {
  Integer quadrant;
  Float rest;
};
} // namespace

/// By pi/2 in two parts: for numbers that are exact in f32 the rest is as good as its rounding while the number of
/// right angles is below 2^40.
static Reduced reduceSmall(Float x) {
  Float n = floor(fma(x, x.constant(2 / M_PI), x.constant(0.5)));
  Float rest = fma(n, x.constant(-kHalfPiLow), fma(n, x.constant(-kHalfPi), x));
  return {Integer::truncated(n), rest};
}

// The larger reductions take the bits of 2/pi that matter, as Payne and Hanek do: for x = m 2^e those before bit e - 2
// give multiples of 4 right angles.

/// 2/pi, behind 64 zeros.
static constexpr uint64_t kTwoOverPi[] = {0,
                                          0xa2f9836e4e441529,
                                          0xfc2757d1f534ddc0,
                                          0xdb6295993c439041,
                                          0xfe5163abdebbc561,
                                          0xb7246e3a424dd2e0,
                                          0x06492eea09d1921c,
                                          0xfe1deb1cb129a73e,
                                          0xe88235f52ebb4484,
                                          0xe99c7026b45f7e41,
                                          0x3991d639835339f4,
                                          0x9c845f8bbdf9283b,
                                          0x1ff897ffde05980f,
                                          0xef2f118b5a0a6d1f,
                                          0x6d367ecf27cb09b7,
                                          0x4f463f669e5fea2d,
                                          0x7527bac7ebe5f17b,
                                          0x3d0739f78a5292ea,
                                          0x6bfb5fb11f8d5d08,
                                          0x56033046fc7b6bab};

/// 64 bits of two limbs one after the other, from a bit of the first on.
static Integer windowOf(Integer limb, Integer next, Integer shift) {
  return (limb << shift) | ((next >> 1) >> (shift.constant(63) - shift));
}

/// Takes numbers that are exact in f32, between 2^6 and infinity.
static Reduced reduceSingle(Float x) {
  Integer bits = Integer::bitsOf(x);
  Integer start = (bits >> 52) - (1023 + 23 + 2);
  Integer mantissa = ((bits & ((uint64_t(1) << 52) - 1)) >> 29) + (1 << 23);
  Value second = (start & 64).isSet();
  auto limb = [&](unsigned i) {
    return select(second, bits.constant(kTwoOverPi[i + 2]), bits.constant(kTwoOverPi[i + 1]));
  };
  Integer shift = start & 63;
  // A fixed-point number with 62 bits behind the point, modulo 4.
  Integer product =
      mantissa * windowOf(limb(0), limb(1), shift) + ((mantissa * (windowOf(limb(1), limb(2), shift) >> 32)) >> 32);
  Integer quadrant = (product + (uint64_t(1) << 61)) >> 62;
  Float rest(x.b, (product - (quadrant << 62)).toSigned(x.b.getF64Type()));
  return {quadrant, rest * (0x1p-62 * kHalfPi)};
}

/// The limbs of 2/pi from number `index` on, 0 to 16, by one bit of the index after the other.
static std::array<Integer, 4> limbsFrom(Integer index) {
  SmallVector<Integer, 20> limbs = llvm::map_to_vector<20>(kTwoOverPi, [&](uint64_t l) { return index.constant(l); });
  for (unsigned step : {16, 8, 4, 2, 1}) {
    Value isSet = (index & step).isSet();
    for (unsigned i = 0; i + step < limbs.size(); ++i)
      limbs[i] = select(isSet, limbs[i + step], limbs[i]);
  }
  return {limbs[0], limbs[1], limbs[2], limbs[3]};
}

/// Takes any number of at least pi/4: a rest of f64's accuracy, although up to 61 bits of it may cancel.
static Reduced reduceDouble(Float x) {
  ImplicitLocOpBuilder &b = x.b;
  Integer bits = Integer::bitsOf(x);
  Integer start = (bits >> 52) - (1023 + 52 + 2 - 64); // The place in the table.
  Integer mantissa = (bits & ((uint64_t(1) << 52) - 1)) + (uint64_t(1) << 52);
  std::array<Integer, 4> limbs = limbsFrom(start >> 6);
  Integer shift = start & 63;
  auto multiply = [&](unsigned i) -> std::pair<Integer, Integer> {
    auto product = arith::MulUIExtendedOp::create(b, mantissa.v, windowOf(limbs[i], limbs[i + 1], shift).v);
    return {Integer(b, product.getLow()), Integer(b, product.getHigh())};
  };
  // A fixed-point number of three limbs with 190 bits behind the point, modulo 4.
  auto [top, lost] = multiply(0);
  auto [middle, toTop] = multiply(1);
  auto [bottom, toMiddle] = multiply(2);
  (void)lost;
  middle = middle + toMiddle;
  Value carries = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, middle.v, toMiddle.v);
  top = top + toTop + select(carries, top.constant(1), top.constant(0));
  Integer quadrant = (top + (uint64_t(1) << 61)) >> 62;
  top = top - (quadrant << 62);
  // The absolute value of a negative rest is taken, but for the last bit of the bottom.
  Integer sign = top.arithmeticShift(63);
  auto part = [&](Integer limb, double unit) {
    return Float(b, (limb ^ sign).toUnsigned(b.getF64Type())) * (unit * kHalfPi);
  };
  Float rest = part(top, 0x1p-62) + (part(middle, 0x1p-126) + part(bottom, 0x1p-190));
  return {quadrant, select(sign.isSet(), -rest, rest)};
}

/// Takes numbers that are exact in f32.
static Reduced reduceSingles(Float x) {
  Value isLarge = x.constant(0x1p30).less(x);
  Reduced small = reduceSmall(select(isLarge, x.constant(0), x)), large = reduceSingle(x);
  return {select(isLarge, large.quadrant, small.quadrant), select(isLarge, large.rest, small.rest)};
}
static Reduced reduceDoubles(Float x) {
  Value isSmall = x.less(x.constant(M_PI_4));
  Reduced large = reduceDouble(x);
  return {select(isSmall, large.quadrant.constant(0), large.quadrant), select(isSmall, x, large.rest)};
}

/// The sine of x turned by a number of right angles.
static Float sineOf(Float x, uint64_t turned, Reduced (*reduce)(Float)) {
  Float a = absolute(x);
  auto [quadrant, r] = reduce(a);
  Float z = r * r;
  Float sine = x.constant(-1.0 / 1307674368000), cosine = x.constant(1.0 / 20922789888000); // 15!, 16!
  for (double c : {1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6, 1.0})
    sine = fma(sine, z, x.constant(c));
  for (double c : {-1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -0.5, 1.0})
    cosine = fma(cosine, z, x.constant(c));
  // The sine of a negative angle is negative, its cosine is not.
  if (turned == 0)
    sine = sine * copySign(x.constant(1), x), cosine = cosine * copySign(x.constant(1), x);
  quadrant = quadrant + turned;
  Float y = select((quadrant & 1).isSet(), cosine, sine * r);
  y = select((quadrant & 2).isSet(), -y, y);
  return select(a.less(x.constant(kInfinity)), y, x.constant(kNaN));
}

Float doubles::sin(Float x) { return sineOf(x, 0, reduceDoubles); }
Float doubles::cos(Float x) { return sineOf(x, 1, reduceDoubles); }
Float doubles::tan(Float x) { return sin(x) / cos(x); }
Float doubles::sinOfSingle(Float x) { return sineOf(x, 0, reduceSingles); }
Float doubles::cosOfSingle(Float x) { return sineOf(x, 1, reduceSingles); }
Float doubles::tanOfSingle(Float x) { return sinOfSingle(x) / cosOfSingle(x); }
