#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows for the tests of the emulator's instructions: PTX | inputs | result, in hexadecimal, lanes apart by commas.

rows.py FILE       What instructions give is computed here from the definitions of the PTX ISA, with Python's exact
                   integers and fractions: nothing is shared with the emulator.
"""

import itertools
import pathlib
import random
import sys

from floats import FORMATS, INF, MINUS_INF, NAN, compute, edges
from memory import memory_rows
from products import product_rows

LETTERS = {8: "r", 16: "h", 32: "r", 64: "d"}
INTEGERS = [("u", 16), ("s", 16), ("u", 32), ("s", 32), ("u", 64), ("s", 64)]
chance = random.Random(5)
rows = []


def row(text, inputs, result):
    rows.append((text, inputs, result))


def width_of(name):
    digits = "".join(c for c in name.split("x")[0] if c.isdigit())
    return FORMATS[name].width if name in FORMATS else int(digits) * (2 if name.endswith("x2") else 1)


def letter(name):
    return LETTERS[width_of(name)]


def call(opcode, result, *sources):
    """The text of an instruction by the types of its registers."""
    registers = [letter(result) + "0"] + [letter(s) + str(i + 1) for i, s in enumerate(sources)]
    return f"{opcode} {', '.join(registers)};"


def signed(bits, width):
    bits &= (1 << width) - 1
    return bits - (1 << width) if bits >> (width - 1) else bits


def value_of(kind, bits, width):
    return signed(bits, width) if kind == "s" else bits & ((1 << width) - 1)


def clamp(value, kind, width):
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if kind == "s" else (0, (1 << width) - 1)
    return min(max(value, low), high)


def integer_edges(width):
    top = 1 << (width - 1)
    return [0, 1, 2, 7, top - 1, top, top + 1, 2 * top - 1, 2 * top - 2, 0x5A5A5A5A5A5A5A5A % (2 * top)]


def some(values, count):
    """A few combinations, the same in every run."""
    return [[chance.choice(values) for _ in range(count)] for _ in range(4 + 3 * count)]


def truncated(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def integer_rows():
    for kind, width in INTEGERS:
        name, mask = f"{kind}{width}", (1 << width) - 1
        two = {
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul.lo": lambda a, b: a * b,
            "mul.hi": lambda a, b: a * b >> width,
            "min": min,
            "max": max,
            "div": lambda a, b: truncated(a, b) if b else -1,  # what cards give for a division by zero
            "rem": lambda a, b: a - b * truncated(a, b) if b else a,
        }
        for opcode, function in two.items():
            for inputs in some(integer_edges(width), 2):
                a, b = (value_of(kind, v, width) for v in inputs)
                row(call(f"{opcode}.{name}", name, name, name), inputs, function(a, b) & mask)
        three = {
            "mad.lo": lambda a, b, c: a * b + c,
            "mad.hi": lambda a, b, c: (a * b >> width) + c,
            "sad": lambda a, b, c: abs(a - b) + c,
        }
        for opcode, function in three.items():
            for inputs in some(integer_edges(width), 3):
                a, b, c = (value_of(kind, v, width) for v in inputs)
                row(call(f"{opcode}.{name}", name, name, name, name), inputs, function(a, b, c) & mask)
        if width < 64:
            wide, wide_mask = f"{kind}{2 * width}", (1 << 2 * width) - 1
            for a, b, c in some(integer_edges(width), 3):
                x, y = value_of(kind, a, width), value_of(kind, b, width)
                row(call(f"mul.wide.{name}", wide, name, name), [a, b], x * y & wide_mask)
                row(call(f"mad.wide.{name}", wide, name, name, wide), [a, b, c], x * y + c & wide_mask)
        if kind == "s":
            for a in integer_edges(width):
                row(call(f"abs.{name}", name, name), [a], abs(signed(a, width)) & mask)
                row(call(f"neg.{name}", name, name), [a], -signed(a, width) & mask)
        if width >= 32:
            carry_rows(kind, width)
    for a, b, c in some(integer_edges(32), 3):
        x, y, z = signed(a, 32), signed(b, 32), signed(c, 32)
        row("add.sat.s32 r0, r1, r2;", [a, b], clamp(x + y, "s", 32) & 0xFFFFFFFF)
        row("sub.sat.s32 r0, r1, r2;", [a, b], clamp(x - y, "s", 32) & 0xFFFFFFFF)
        row("mad.hi.sat.s32 r0, r1, r2, r3;", [a, b, c], clamp((x * y >> 32) + z, "s", 32) & 0xFFFFFFFF)
        row("min.relu.s32 r0, r1, r2;", [a, b], max(min(x, y), 0))
        row("max.relu.s32 r0, r1, r2;", [a, b], max(x, y, 0))
        for kind in "us":
            x, y, z = value_of(kind, a, 24), value_of(kind, b, 24), value_of(kind, c, 32)
            for part, shift in ("lo", 0), ("hi", 16):
                product = x * y >> shift
                row(f"mul24.{part}.{kind}32 r0, r1, r2;", [a, b], product & 0xFFFFFFFF)
                row(f"mad24.{part}.{kind}32 r0, r1, r2, r3;", [a, b, c], product + z & 0xFFFFFFFF)
            if kind == "s":
                row("mad24.hi.sat.s32 r0, r1, r2, r3;", [a, b, c], clamp((x * y >> 16) + z, "s", 32) & 0xFFFFFFFF)
        for kind, (name, function) in itertools.product("us", {"min": min, "max": max, "add": lambda p, q: p + q}.items()):
            parts = [function(value_of(kind, a >> s, 16), value_of(kind, b >> s, 16)) for s in (0, 16)]
            row(f"{name}.{kind}16x2 r0, r1, r2;", [a, b], parts[0] & 0xFFFF | (parts[1] & 0xFFFF) << 16)
            if kind == "s" and name != "add":
                parts = [max(p, 0) for p in parts]
                row(f"{name}.relu.s16x2 r0, r1, r2;", [a, b], parts[0] | parts[1] << 16)
        for ka, kb in itertools.product("us", "us"):
            four = sum(value_of(ka, a >> 8 * i, 8) * value_of(kb, b >> 8 * i, 8) for i in range(4))
            row(f"dp4a.{ka}32.{kb}32 r0, r1, r2, r3;", [a, b, c], c + four & 0xFFFFFFFF)
            for part, first in ("lo", 0), ("hi", 2):
                two = sum(value_of(ka, a >> 16 * i, 16) * value_of(kb, b >> 8 * (first + i), 8) for i in range(2))
                row(f"dp2a.{part}.{ka}32.{kb}32 r0, r1, r2, r3;", [a, b, c], c + two & 0xFFFFFFFF)


def carry_rows(kind, width):
    name, mask, r = f"{kind}{width}", (1 << width) - 1, LETTERS[width]
    for a, b, c, d in some(integer_edges(width), 4):
        carry, borrow = int(a + b > mask), int(a < b)
        first = f"add.cc.{name} {r}9, {r}1, {r}2;"
        less = f"sub.cc.{name} {r}9, {r}1, {r}2;"
        row(f"add.cc.{name} {r}0, {r}1, {r}2;", [a, b], a + b & mask)
        row(f"sub.cc.{name} {r}0, {r}1, {r}2;", [a, b], a - b & mask)
        row(f"{first} addc.{name} {r}0, {r}3, {r}4;", [a, b, c, d], c + d + carry & mask)
        row(f"{less} subc.{name} {r}0, {r}3, {r}4;", [a, b, c, d], c - d - borrow & mask)
        row(f"{first} addc.cc.{name} {r}9, {r}3, {r}4; addc.{name} {r}0, {r}3, 0;", [a, b, c, d],
            c + int(c + d + carry > mask) & mask)  # fmt: skip
        row(f"{less} subc.cc.{name} {r}9, {r}3, {r}4; subc.{name} {r}0, {r}3, 0;", [a, b, c, d],
            c - int(c - d - borrow < 0) & mask)  # fmt: skip
        product = value_of(kind, a, width) * value_of(kind, b, width)
        for part, shift in ("lo", 0), ("hi", width):
            low = (product >> shift & mask) + c
            row(f"mad.{part}.cc.{name} {r}9, {r}1, {r}2, {r}3; addc.{name} {r}0, {r}4, 0;", [a, b, c, d],
                d + (low >> width) & mask)  # fmt: skip
            row(f"{first} madc.{part}.{name} {r}0, {r}1, {r}2, {r}3;", [a, b, c], low + carry & mask)
            row(f"{first} madc.{part}.cc.{name} {r}9, {r}1, {r}2, {r}3; addc.{name} {r}0, {r}4, 0;", [a, b, c, d],
                d + (low + carry >> width) & mask)  # fmt: skip


def bit_rows():
    for width in 16, 32, 64:
        r, mask = LETTERS[width], (1 << width) - 1
        for a, b in some(integer_edges(width), 2):
            for name, value in ("and", a & b), ("or", a | b), ("xor", a ^ b):
                row(f"{name}.b{width} {r}0, {r}1, {r}2;", [a, b], value)
            row(f"not.b{width} {r}0, {r}1;", [a], a ^ mask)
            row(f"cnot.b{width} {r}0, {r}1;", [a], int(a == 0))
            amount = chance.choice([0, 1, width - 1, width, width + 1, 255, 0xFFFFFFFF])
            near = min(amount, width)
            row(f"shl.b{width} {r}0, {r}1, r2;", [a, amount], a << near & mask)
            for kind in "bus":
                row(f"shr.{kind}{width} {r}0, {r}1, r2;", [a, amount], value_of(kind, a, width) >> near & mask)
            which = chance.randrange(2)
            for kind in ("b", "u", "s") + (("f",) if width > 16 else ()):
                name = f"{kind}{width}"
                row(f"selp.{name} {r}0, {r}1, {r}2, p3;", [a, b, which], a if which else b)
                row(f"mov.{name} {r}0, {r}1;", [a], a)
                for c in 0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF:
                    row(f"slct.{name}.s32 {r}0, {r}1, {r}2, r3;", [a, b, c], a if signed(c, 32) >= 0 else b)
                    control = FORMATS["f32"].decode(c)  # NaN, and a negative number, select the second; -0 does not
                    row(f"slct.{name}.f32 {r}0, {r}1, {r}2, r3;", [a, b, c], a if control != NAN and control >= 0 else b)
                row(f"slct.{name}.f32 {r}0, {r}1, {r}2, r3;", [a, b, 0x80000001], b)
                row(f"slct.ftz.{name}.f32 {r}0, {r}1, {r}2, r3;", [a, b, 0x80000001], a)
        if width > 16:
            for kind, a in itertools.product("us", integer_edges(width)):
                value = a ^ mask if kind == "s" and a >> (width - 1) else a
                place = value.bit_length() - 1
                row(f"bfind.{kind}{width} r0, {r}1;", [a], place & 0xFFFFFFFF)
                row(f"bfind.shiftamt.{kind}{width} r0, {r}1;", [a], width - 1 - place if value else 0xFFFFFFFF)
                for start, length in (0, 8), (4, 4), (width - 4, 9), (width + 3, 5), (0, 0), (3, width), (256 + 1, 3):
                    first, count = start & 255, length & 255
                    sign = kind == "s" and count and a >> min(first + count - 1, width - 1) & 1
                    field = sum((a >> (first + i) & 1 if first + i < width else int(sign)) << i
                                for i in range(min(count, width)))  # fmt: skip
                    field |= mask & -(1 << min(count, width)) if sign else 0
                    row(f"bfe.{kind}{width} {r}0, {r}1, r2, r3;", [a, start, length], field)
    for a, b, c in some(integer_edges(32), 3):
        pair = b << 32 | a
        for n in 0, 1, 31, 32, 33, 0xFFFFFFFF:
            for mode, count in ("wrap", n & 31), ("clamp", min(n, 32)):
                row(f"shf.l.{mode}.b32 r0, r1, r2, r3;", [a, b, n], pair << count >> 32 & 0xFFFFFFFF)
                row(f"shf.r.{mode}.b32 r0, r1, r2, r3;", [a, b, n], pair >> count & 0xFFFFFFFF)
                row(f"bmsk.{mode}.b32 r0, r1, r2;", [n, a & 63],
                    ((1 << (a & 31 if mode == "wrap" else min(a & 63, 32))) - 1) << count & 0xFFFFFFFF)  # fmt: skip
                low = value_of("s", a << (32 - count), 32) >> (32 - count) if count else 0
                row(f"szext.{mode}.s32 r0, r1, r2;", [a, n], low & 0xFFFFFFFF)
                row(f"szext.{mode}.u32 r0, r1, r2;", [a, n], a & ((1 << count) - 1))
        table = chance.randrange(256)
        bits = sum((table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1) & 1) << i for i in range(32))
        row(f"lop3.b32 r0, r1, r2, r3, {table};", [a, b, c], bits)
        for q in 0, 1:
            row(f"lop3.or.b32 r0|p9, r1, r2, r3, {table}, p4;", [a, b, c, q], bits)
            row(f"lop3.or.b32 _|p0, r1, r2, r3, {table}, p4;", [a, b, c, q], int(bits != 0) | q)
            row(f"lop3.and.b32 r9|p0, r1, r2, r3, {table}, p4;", [a, b, c, q], int(bits != 0) & q)
            row(f"lop3.and.b32 r9|p0, r1, r2, r3, 0, p4;", [a, b, c, q], 0)


def nan_aware(f, is_maximum, propagates, xorsign, flush, a, b):
    a, b = (f.flush(a), f.flush(b)) if flush else (a, b)
    sign = (a ^ b) & f.sign
    if xorsign:
        a, b = a & ~f.sign, b & ~f.sign
    x, y = f.decode(a), f.decode(b)
    if NAN in (x, y) and (propagates or x == y):
        return f.nan
    if NAN in (x, y):
        result = b if x == NAN else a
    else:
        order = {INF: 1, MINUS_INF: -1}
        key = lambda v, bits: (order.get(v, 0), 0 if v in order else v, 0 if bits & f.sign else 1)  # -0 < +0
        result = (max if is_maximum else min)((key(x, a), a), (key(y, b), b))[1]
    return result | sign if xorsign else result


def float_rows():
    for name, f in (n for n in FORMATS.items() if n[0] in ("f16", "bf16", "f32", "f64")):
        is_half, values = f.width == 16, edges(f)
        flushes = [""] if name in ("bf16", "f64") else ["", ".ftz"]
        saturations = [""] if name in ("bf16", "f64") else ["", ".sat"]
        modes = ["rn"] if is_half else ["rn", "rz", "rm", "rp"]
        for opcode, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("mad", 3), ("div", 2), ("rcp", 1), ("sqrt", 1)):
            if is_half and opcode in ("mad", "div", "rcp", "sqrt"):
                continue
            optional = [] if count == 3 or opcode in ("div", "rcp", "sqrt") else [""]
            for mode, flush, saturate in itertools.product(modes + optional, flushes, saturations):
                if saturate and opcode in ("div", "rcp", "sqrt"):
                    continue
                afters = [saturate] + ([".relu"] if is_half and opcode == "fma" and not saturate else [])
                for after, inputs in itertools.product(afters, some(values, count)):
                    rounding = f".{mode}" if mode else ""
                    result = compute(opcode, f, mode or "rn", flush, after == ".sat", after == ".relu", *inputs)
                    if name == "f64" and f.decode(result) == NAN:
                        continue  # whose bits the ISA leaves open
                    if flush and (result & (f.sign - 1)) == 1 << f.mantissa:
                        continue  # rounded up to the least normal number: tiny before, not after
                    text = call(f"{opcode}{rounding}{flush}{after}.{name}", name, *[name] * count)
                    row(text, inputs, result)
                    if is_half:
                        other = some(values, count)[0]
                        high = compute(opcode, f, mode or "rn", flush, after == ".sat", after == ".relu", *other)
                        if not (flush and (high & (f.sign - 1)) == 1 << f.mantissa):
                            packed = [lo | hi << 16 for lo, hi in zip(inputs, other)]
                            text = call(f"{opcode}{rounding}{flush}{after}.{name}x2", "b32", *["b32"] * count)
                            row(text, packed, result | high << 16)
        sign_rows(name, f, values, flushes)
        both = [""] if name == "f64" else [".xorsign.abs", ""]
        nans = [""] if name == "f64" else [".NaN", ""]
        for opcode, flush, nan, xorsign in itertools.product(("min", "max"), flushes, nans, both):
            for (a, b), (c, d) in zip(some(values, 2), some(values, 2)):
                result = nan_aware(f, opcode == "max", nan, xorsign, flush, a, b)
                if name == "f64" and f.decode(result) == NAN:
                    continue
                row(call(f"{opcode}{flush}{nan}{xorsign}.{name}", name, name, name), [a, b], result)
                if is_half:
                    high = nan_aware(f, opcode == "max", nan, xorsign, flush, c, d)
                    row(f"{opcode}{flush}{nan}{xorsign}.{name}x2 r0, r1, r2;", [a | c << 16, b | d << 16],
                        result | high << 16)  # fmt: skip


def sign_rows(name, f, values, flushes):
    for flush, a in itertools.product(flushes, values):
        value = f.flush(a) if flush else a
        if f.decode(value) == NAN and name == "f32":
            continue  # whose bits the ISA leaves open
        results = {"neg": value ^ f.sign, "abs": value & ~f.sign}
        for opcode, result in results.items():
            row(call(f"{opcode}{flush}.{name}", name, name), [a], result)
            if f.width == 16:
                row(f"{opcode}{flush}.{name}x2 r0, r1;", [a | 0x3C01 << 16], result | (
                    0xBC01 if opcode == "neg" else 0x3C01) << 16)  # fmt: skip
    if f.width > 16:
        for a, b in some(values, 2):
            row(call(f"copysign.{name}", name, name, name), [a, b], a & f.sign | b & ~f.sign)
        for a in values:
            value, magnitude = f.decode(a), a & ~f.sign
            is_finite = magnitude < f.infinity
            tests = {"finite": is_finite, "infinite": magnitude == f.infinity, "number": value != NAN,
                     "notanumber": value == NAN, "normal": is_finite and magnitude >= 1 << f.mantissa,
                     "subnormal": 0 < magnitude < 1 << f.mantissa}  # fmt: skip
            for test, result in tests.items():
                row(f"testp.{test}.{name} p0, {letter(name)}1;", [a], int(result))


# What a comparison is true of: less, equal, greater, unordered.
RELATIONS = {"eq": "e", "ne": "lg", "lt": "l", "le": "le", "gt": "g", "ge": "eg", "equ": "eu", "neu": "lgu", "ltu": "lu",
             "leu": "leu", "gtu": "gu", "geu": "egu", "num": "leg", "nan": "u", "lo": "l", "ls": "le", "hi": "g",
             "hs": "eg"}  # fmt: skip
SOURCES = ["b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64", "f16", "bf16", "f16x2", "bf16x2"]


def order(kind, a, b, flush):
    if kind in FORMATS:
        f = FORMATS[kind]
        a, b = (f.flush(a), f.flush(b)) if flush else (a, b)
        a, b = f.decode(a), f.decode(b)
        if NAN in (a, b):
            return "u"
        keys = {INF: (1, 0), MINUS_INF: (-1, 0)}
        a, b = keys.get(a, (0, a)), keys.get(b, (0, b))
    else:
        a, b = (value_of(kind[0], v, width_of(kind)) for v in (a, b))
    return "l" if a < b else "g" if a > b else "e"


def results_of_set(source):
    if source.endswith("x2"):
        return {"u32": 0xFFFF, "s32": 0xFFFF, source: 0x3C00 if source == "f16x2" else 0x3F80}
    results = {"u32": 0xFFFFFFFF, "s32": 0xFFFFFFFF, "f32": 0x3F800000, "f16": 0x3C00, "bf16": 0x3F80}
    return results | ({"u16": 0xFFFF, "s16": 0xFFFF} if source in ("f16", "bf16") else {})


def compare_rows():
    logic = {"": lambda t, p: t, ".and": lambda t, p: t & p, ".or": lambda t, p: t | p, ".xor": lambda t, p: t ^ p}
    for source, relation in itertools.product(SOURCES, RELATIONS):
        element, is_packed = source.removesuffix("x2"), source.endswith("x2")
        is_float = element in FORMATS
        if not is_float and relation in ("equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"):
            continue
        if (relation in ("lo", "ls", "hi", "hs") and source[0] != "u") or (source[0] == "b" and not is_float and
                                                                             relation not in ("eq", "ne")):  # fmt: skip
            continue
        values = edges(FORMATS[element]) if is_float else integer_edges(width_of(source))
        for flush, (operation, combine) in itertools.product(
            ["", ".ftz"] if element in ("f16", "f32") else [""], logic.items()
        ):
            for a, b, c, d in some(values, 4)[:4] + [[values[1], values[0], values[2], values[2]]]:
                p = chance.randrange(2)
                truths = [int(order(element, x, y, flush) in RELATIONS[relation]) for x, y in ((a, b), (c, d))]
                tail, inputs = (", p3", [p]) if operation else ("", [])
                pairs = [a | c << 16, b | d << 16] if is_packed else [a, b]
                r, name = LETTERS[width_of(source)], f"{relation}{operation}{flush}"
                text = f"{r}1, {r}2{tail};"
                if is_packed:
                    row(f"setp.{name}.{source} p0|p9, {text}", pairs + inputs, combine(truths[0], p))
                    row(f"setp.{name}.{source} p9|p0, {text}", pairs + inputs, combine(truths[1], p))
                else:
                    row(f"setp.{name}.{source} p0, {text}", pairs + inputs, combine(truths[0], p))
                    row(f"setp.{name}.{source} p9|p0, {text}", pairs + inputs, combine(1 - truths[0], p))
                for result, truth in results_of_set(source).items():
                    low, high = (combine(t, p) * truth for t in truths)
                    row(f"set.{name}.{result}.{source} {LETTERS[width_of(result)]}0, {text}", pairs + inputs,
                        low | high << 16 if is_packed else low)  # fmt: skip


def main():
    integer_rows()
    bit_rows()
    float_rows()
    compare_rows()
    from conversions import conversion_rows

    rows.extend(conversion_rows())
    rows.extend(memory_rows())
    rows.extend(product_rows())
    join = lambda v: ",".join(f"{x:x}" for x in v) if isinstance(v, (list, tuple)) else f"{v:x}"
    lines = [f"{text}|{' '.join(map(join, inputs))}|{join(result)}\n" for text, inputs, result in dict.fromkeys(
        (t, tuple(tuple(i) if isinstance(i, list) else i for i in ins), tuple(r) if isinstance(r, list) else r)
        for t, ins, r in rows)]  # fmt: skip
    pathlib.Path(sys.argv[1]).write_text("".join(lines))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
