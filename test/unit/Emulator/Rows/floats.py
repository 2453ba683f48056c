# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Binary floating-point numbers as exact fractions, rounded as IEEE 754 and the PTX ISA define it."""

import math
from fractions import Fraction

NAN, INF, MINUS_INF = "nan", "inf", "-inf"


class Format:
    """Sign, exponent and `mantissa` bits; `nan` is what arithmetic gives."""

    def __init__(self, name, width, mantissa, nan, has_infinity=True):
        self.name, self.width, self.mantissa, self.nan, self.has_infinity = name, width, mantissa, nan, has_infinity
        self.sign = 1 << (width - 1)
        bias = (1 << (width - mantissa - 2)) - 1
        self.least = 1 - bias
        ones = (1 << (width - mantissa - 1)) - 1
        self.infinity = ones << mantissa if has_infinity else self.sign - 1
        self.largest = self.infinity - 1

    def decode(self, bits):
        """A Fraction, or NAN, INF, MINUS_INF; the sign of a zero is lost."""
        magnitude = bits & (self.sign - 1)
        if magnitude >= self.infinity:
            is_infinite = self.has_infinity and magnitude == self.infinity
            return NAN if not is_infinite else MINUS_INF if bits & self.sign else INF
        field, rest = magnitude >> self.mantissa, magnitude & ((1 << self.mantissa) - 1)
        rest += (1 << self.mantissa) if field else 0
        value = Fraction(rest) * Fraction(2) ** (max(field, 1) - 1 + self.least - self.mantissa)
        return -value if bits & self.sign else value

    def encode(self, value, mode="rn", is_negative=False, is_finite=False):
        """The bits of a value; `is_negative` is the sign of a zero, `is_finite` .satfinite."""
        if value == NAN:
            return self.nan
        if value in (INF, MINUS_INF):
            largest = self.largest if is_finite or not self.has_infinity else self.infinity
            return largest | (self.sign if value == MINUS_INF else 0)
        if value == 0:
            return self.sign if is_negative else 0
        is_negative, value = value < 0, abs(value)
        exponent = math.floor(math.log2(value.numerator) - math.log2(value.denominator))
        while Fraction(2) ** exponent > value:
            exponent -= 1
        while Fraction(2) ** (exponent + 1) <= value:
            exponent += 1
        exponent = max(exponent, self.least)
        count = value / Fraction(2) ** (exponent - self.mantissa)
        whole, rest = count.numerator // count.denominator, count % 1
        up = {
            "rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1),
            "rna": rest >= Fraction(1, 2),
            "rz": False,
            "rm": is_negative and rest > 0,
            "rp": not is_negative and rest > 0,
        }[mode]
        bits = ((exponent - self.least) << self.mantissa) + whole + up
        if bits >= self.infinity:
            stays = mode == "rz" or (mode == "rm" and not is_negative) or (mode == "rp" and is_negative)
            bits = self.largest if is_finite or stays or not self.has_infinity else self.infinity
        return bits | (self.sign if is_negative else 0)

    def is_negative(self, bits):
        return bool(bits & self.sign)

    def flush(self, bits):
        """.ftz: what is smaller than every normal number is a zero with its sign."""
        return bits & self.sign if (bits & (self.sign - 1)) < (1 << self.mantissa) else bits


F16 = Format("f16", 16, 10, 0x7FFF)
BF16 = Format("bf16", 16, 7, 0x7FFF)
F32 = Format("f32", 32, 23, 0x7FFFFFFF)
F64 = Format("f64", 64, 52, 0xFFF8000000000000)
TF32 = Format("tf32", 19, 10, 0x3FFFF)
E4M3 = Format("e4m3", 8, 3, 0x7F, has_infinity=False)
E5M2 = Format("e5m2", 8, 2, 0x7F)
FORMATS = {f.name: f for f in (F16, BF16, F32, F64, TF32, E4M3, E5M2)}


def edges(f):
    """Bits where rounding, overflow, underflow and NaN happen."""
    one = f.encode(Fraction(1))
    least = 1 << f.mantissa
    positive = [0, 1, least - 1, least, least + 1, one - 1, one, one + 1, f.encode(Fraction(3)),
                f.encode(Fraction(1, 3)), f.largest, f.infinity, one + (1 << (f.mantissa - 1)) + 1]  # fmt: skip
    return positive + [bits | f.sign for bits in positive] + [f.infinity + 3]


def root(value):
    """The square root, exactly or with a last digit that says that more follow."""
    scale = 4**600
    whole = math.isqrt(value.numerator * scale * value.denominator)
    is_exact = whole * whole == value.numerator * scale * value.denominator
    return Fraction(2 * whole + (not is_exact), 2 * 2**600 * value.denominator)


def is_infinite(value):
    return value in (INF, MINUS_INF)


def multiply(f, a, b):
    """Value and sign of a product."""
    x, y, negative = f.decode(a), f.decode(b), f.is_negative(a) != f.is_negative(b)
    if NAN in (x, y) or (is_infinite(x) and y == 0) or (is_infinite(y) and x == 0):
        return NAN, False
    if is_infinite(x) or is_infinite(y):
        return (MINUS_INF if negative else INF), negative
    return x * y, negative


def add(x, x_negative, y, y_negative, mode):
    """Value and sign of a sum of exact values."""
    if NAN in (x, y) or {x, y} == {INF, MINUS_INF}:
        return NAN, False
    if is_infinite(x) or is_infinite(y):
        return (x if is_infinite(x) else y), False
    # An exact zero is negative when both are, and downwards.
    is_negative = (x_negative and y_negative) if x == 0 and y == 0 and x_negative == y_negative else mode == "rm"
    return x + y, is_negative


def arithmetic(name, f, mode, *operands):
    """Value and sign of the exact result of add, sub, mul, fma, div, rcp or sqrt."""
    a, b = operands[0], operands[1] if len(operands) > 1 else 0
    x, y = f.decode(a), f.decode(b)
    if name in ("add", "sub"):
        b ^= f.sign if name == "sub" else 0
        return add(x, f.is_negative(a), f.decode(b), f.is_negative(b), mode)
    if name == "mul":
        return multiply(f, a, b)
    if name in ("fma", "mad"):
        product, negative = multiply(f, a, b)
        c = operands[2]
        return add(product, negative, f.decode(c), f.is_negative(c), mode)
    if name == "sqrt":
        if x == NAN or (x not in (INF,) and (x == MINUS_INF or x < 0)):
            return NAN, False
        return (INF, False) if x == INF else (root(x), f.is_negative(a))
    if name == "rcp":
        a, b = f.encode(Fraction(1)), a
        x, y = f.decode(a), f.decode(b)
    negative = f.is_negative(a) != f.is_negative(b)
    if NAN in (x, y) or (is_infinite(x) and is_infinite(y)) or (x == 0 and y == 0):
        return NAN, False
    if is_infinite(x) or y == 0:
        return (MINUS_INF if negative else INF), negative
    return (Fraction(0) if is_infinite(y) else x / y), negative


def compute(name, f, mode, flush, saturate, relu, *operands):
    """The bits that an instruction gives."""
    operands = [f.flush(bits) for bits in operands] if flush else operands
    value, negative = arithmetic(name, f, mode, *operands)
    if relu and (value == MINUS_INF or (value != NAN and value != INF and (value < 0 or (value == 0 and negative)))):
        return 0
    if saturate:
        low = value in (NAN, MINUS_INF) or (value != INF and value <= 0)
        value, negative = (Fraction(0) if low else Fraction(1) if value == INF or value > 1 else value), False
    bits = f.encode(value, mode, negative)
    return f.flush(bits) if flush else bits
