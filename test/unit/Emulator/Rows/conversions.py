# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of cvt: every pair of types with every modifier that it has."""

import itertools
import math
import random
from fractions import Fraction

from floats import BF16, E4M3, E5M2, F16, F32, FORMATS, INF, MINUS_INF, NAN, TF32, edges

INTEGERS = [(kind, width) for width in (8, 16, 32, 64) for kind in "us"]
FLOATS = ["f16", "bf16", "f32", "f64"]
LETTERS = {8: "r", 16: "h", 32: "r", 64: "d"}
TO_INTEGER = {
    "rni": lambda v: round(v),  # Python rounds ties to even
    "rzi": lambda v: math.trunc(v),
    "rmi": lambda v: math.floor(v),
    "rpi": lambda v: math.ceil(v),
}
chance = random.Random(7)


def integer(kind, bits, width):
    bits &= (1 << width) - 1
    return bits - (1 << width) if kind == "s" and bits >> (width - 1) else bits


def clamp(value, kind, width):
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if kind == "s" else (0, (1 << width) - 1)
    return min(max(value, low), high)


def integer_edges(width):
    top = 1 << (width - 1)
    return [0, 1, 3, top - 1, top, top + 1, 2 * top - 1, (0x5A5A5A5A5A5A5A5A % (2 * top))]


def registers(to_width, from_width):
    return f"{LETTERS[to_width]}0, {LETTERS[from_width]}1;"


def between_integers():
    for (tk, tw), (fk, fw), sat in itertools.product(INTEGERS, INTEGERS, ("", ".sat")):
        for bits in integer_edges(fw):
            value = integer(fk, bits, fw)
            value = clamp(value, tk, tw) if sat else integer(tk, value, tw)
            # A register that is wider than its type holds the value extended, and gives its lower bits.
            wide = max(tw, 32) if tw == 8 else tw
            yield f"cvt{sat}.{tk}{tw}.{fk}{fw} {registers(tw, fw)}", [bits | (0xA5 << 8 if fw == 8 else 0)], value % (1 << wide)


def to_floats():
    for name, (kind, width), mode in itertools.product(FLOATS, INTEGERS, ("rn", "rz", "rm", "rp")):
        f = FORMATS[name]
        for sat, ftz in itertools.product(("", ".sat"), ("", ".ftz") if name == "f32" else ("",)):
            for bits in integer_edges(width) + [(1 << (width - 1)) - 63 if width > 8 else 9]:
                value = Fraction(integer(kind, bits, width))
                value = min(max(value, Fraction(0)), Fraction(1)) if sat else value
                yield f"cvt.{mode}{sat}{ftz}.{name}.{kind}{width} {registers(f.width, width)}", [bits], f.encode(value, mode)


def to_integers():
    for name, (kind, width), mode in itertools.product(FLOATS, INTEGERS, TO_INTEGER):
        f = FORMATS[name]
        for sat, ftz in itertools.product(("", ".sat"), ("", ".ftz") if name == "f32" else ("",)):
            values = edges(f) + [f.encode(Fraction(v)) for v in (Fraction(5, 2), Fraction(-5, 2), Fraction(7, 2), -77)]
            for bits in chance.sample(values, 8) + [f.infinity, f.infinity + 1, f.infinity | f.sign]:
                value = f.decode(f.flush(bits) if ftz else bits)
                if value == NAN:
                    result = 1 << (width - 1) if name == "f64" or width == 64 else 0
                else:
                    far = 1 << 70
                    value = far if value == INF else -far if value == MINUS_INF else TO_INTEGER[mode](value)
                    result = clamp(value, kind, width)
                if name == "f64" and width == 8 and value == NAN:
                    continue  # too narrow for the ISA to say
                wide = 32 if width == 8 else width
                yield f"cvt.{mode}{sat}{ftz}.{kind}{width}.{name} {registers(width, f.width)}", [bits], result % (1 << wide)


def restricted(value, negative, after):
    """relu and sat; the sign of a zero with it."""
    if after == ".relu" and value != NAN and (value == MINUS_INF or (value != INF and value <= 0)):
        return Fraction(0), False
    if after == ".sat":
        low = value in (NAN, MINUS_INF) or (value != INF and value <= 0)
        return (Fraction(0), False) if low else (Fraction(1) if value == INF or value > 1 else value, False)
    return value, negative


def one(bits, source, target, mode, flush, after, is_finite, whole=None):
    bits = source.flush(bits) if flush and source is F32 else bits
    value, negative = source.decode(bits), source.is_negative(bits)
    if whole and value not in (NAN, INF, MINUS_INF):
        value = Fraction(TO_INTEGER[whole](value))
    value, negative = restricted(value, negative, after)
    result = target.encode(value, mode, negative, is_finite)
    return target.flush(result) if flush and target is F32 else result


def between_floats():
    for to, origin in itertools.product(FLOATS, FLOATS):
        t, f = FORMATS[to], FORMATS[origin]
        flushes = ("", ".ftz") if "f32" in (to, origin) else ("",)
        widens = to != origin and t.width > f.width
        is_half = t.width == 16 and origin == "f32"
        modes = ("", "rni", "rzi", "rmi", "rpi") if to == origin else ("",) if widens else ("rn", "rz", "rm", "rp")
        for mode, flush in itertools.product(modes, flushes):
            afters = ["", ".sat"] + ([".relu", ".satfinite", ".relu.satfinite"] if is_half and mode in ("rn", "rz") else [])
            for after in afters:
                for bits in chance.sample(edges(f), 9) + [f.largest, f.infinity, f.encode(Fraction(-5, 2)), 1]:
                    whole = mode if mode.endswith("i") else None
                    rounding = "rn" if whole or not mode else mode
                    action = ".relu" if "relu" in after else ".sat" if after == ".sat" else ""
                    result = one(bits, f, t, rounding, flush, action, "satfinite" in after, whole)
                    if (to == "f64" and t.decode(result) == NAN) or (to == origin and t.decode(result) == NAN):
                        continue  # whose bits the ISA leaves open
                    name = "." + mode if mode else ""
                    yield f"cvt{name}{flush}{after}.{to}.{origin} {registers(t.width, f.width)}", [bits], result
    for mode, finite, relu in itertools.product(("rn", "rz", "rna"), ("", ".satfinite"), ("", ".relu")):
        if mode != "rna" or not relu:
            for bits in edges(F32) + [0x3F801000, 0xBF801001, 0x3F803000]:
                result = one(bits, F32, TF32, mode, False, relu, bool(finite)) << 13
                yield f"cvt.{mode}{finite}{relu}.tf32.f32 r0, r1;", [bits], result


def packed():
    pairs = [chance.sample(edges(F32) + [0x43E80000, 0x477FE000, 0x3F804001], 2) for _ in range(12)]
    for (name, f), mode, finite, relu in itertools.product(
        (("f16x2", F16), ("bf16x2", BF16)), ("rn", "rz"), ("", ".satfinite"), ("", ".relu")
    ):
        for high, low in pairs:
            parts = [one(b, F32, f, mode, False, relu, bool(finite)) for b in (low, high)]
            yield f"cvt.{mode}{finite}{relu}.{name}.f32 r0, r1, r2;", [high, low], parts[0] | parts[1] << 16
    halves = [chance.sample(edges(F16) + [0x5F40, 0x7BFF, 0x3C40], 2) for _ in range(12)]
    for (name, f), relu in itertools.product((("e4m3x2", E4M3), ("e5m2x2", E5M2)), ("", ".relu")):
        for high, low in pairs:
            parts = [one(b, F32, f, "rn", False, relu, True) for b in (low, high)]
            yield f"cvt.rn.satfinite{relu}.{name}.f32 h0, r1, r2;", [high, low], parts[0] | parts[1] << 8
        for high, low in halves:
            parts = [one(b, F16, f, "rn", False, relu, True) for b in (low, high)]
            yield f"cvt.rn.satfinite{relu}.{name}.f16x2 h0, r1;", [low | high << 16], parts[0] | parts[1] << 8
        for high, low in [chance.sample(range(256), 2) for _ in range(40)] + [[0x7F, 0xFF], [0x7C, 0xFC]]:
            parts = [one(b, f, F16, "rn", False, relu, False) for b in (low, high)]
            yield f"cvt.rn{relu}.f16x2.{name} r0, h1;", [low | high << 8], parts[0] | parts[1] << 16
    for kind, width in (("u", 8), ("s", 8), ("u", 16), ("s", 16)):
        for a, b in itertools.product(integer_edges(32) + [127, 128, 40000, 0xFFFFFF80], (0xFFFF7FFF, 200)):
            parts = [clamp(integer("s", v, 32), kind, width) % (1 << width) for v in (b, a)]
            yield f"cvt.pack.sat.{kind}{width}.s32 r0, r1, r2;", [a, b], parts[0] | parts[1] << width
            if width == 8:
                yield f"cvt.pack.sat.{kind}8.s32.b32 r0, r1, r2, r3;", [a, b, 0xABCD1234], (
                    parts[0] | parts[1] << 8 | 0x12340000)  # fmt: skip


def conversion_rows():
    return [r for part in (between_integers, to_floats, to_integers, between_floats, packed) for r in part()]
