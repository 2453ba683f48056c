# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of loads, stores and atomics, on memory of each lane's own."""

import itertools
import random

from floats import FORMATS, NAN, compute, edges

SPACES = {"": "%own", ".global": "%own", ".shared": "%shared", ".local": "%local", ".param": "pa"}
TYPES = [kind + str(width) for width in (8, 16, 32, 64) for kind in "bus"] + ["f32", "f64"]
LETTERS = {8: "h", 16: "h", 32: "r", 64: "d"}
FILL = 0xF1E2D3C4B5A69788
chance = random.Random(11)


def sizes():
    for name in TYPES:
        width = int(name[1:])
        for count in (1, 2, 4, 8):
            if width * count <= (256 if count == 8 else 128) and (count < 8 or width >= 32):
                yield name, width, count


def extended(name, bits, width):
    return (bits | -1 << 8) & 0xFFFF if name == "s8" and bits >> 7 else bits


def vector(letter, count, order=None):
    names = [f"{letter}{i}" for i in order or range(1, count + 1)]
    return names[0] if count == 1 else "{" + ", ".join(names) + "}"


def accesses():
    semantics = {"ld": ("", ".volatile", ".relaxed", ".acquire", ".mmio"), "st": ("", ".volatile", ".relaxed", ".release", ".mmio")}
    for (space, where), (name, width, count) in itertools.product(SPACES.items(), sizes()):
        r, suffix = LETTERS[width], ("" if count == 1 else f".v{count}") + f".{name}"
        for order in (semantics["ld"] if space in ("", ".global", ".shared") else ("",)):
            values = [chance.getrandbits(width) | (1 << (width - 1)) * (i % 2 == 0) for i in range(count)]
            # The element that becomes register 0 is another each time; those beside it go to registers nobody reads.
            which = chance.randrange(count)
            targets = [0 if i == which else 10 + i for i in range(count)] if r != "h" else [
                0 if i == which else 9 - i for i in range(count)]  # fmt: skip
            offset = 32 if width * count > 128 else 16
            text = "".join(f"st{space}.b{width} [{where}+{offset + i * width // 8}], {r}{i + 1}; " for i in range(count))
            loads = [f"ld{order}{space}{suffix}"] + ([f"ldu{space}{suffix}"] if space in ("", ".global") and not order else [])
            for load in loads:
                yield f"{text}{load} {vector(r, count, targets)}, [{where}+{offset}];", values, extended(
                    name, values[which], width)  # fmt: skip
        for order in (semantics["st"] if space in ("", ".global", ".shared") else ("",)):
            values = [chance.getrandbits(width) for i in range(count)]
            total = sum(v << i * width for i, v in enumerate(values))
            bytes = width * count // 8
            word = chance.randrange(max(bytes // 8, 1))
            low = (total >> 64 * word) & (1 << 64) - 1
            result = low | (FILL >> width * count << width * count if bytes < 8 else 0)
            fill = "".join(f"st{space}.b64 [{where}+{8 * i}], d9; " for i in range(max(bytes // 8, 1)))
            # What lies behind the bytes stored stays as it was.
            yield (f"mov.b64 d9, {FILL}; {fill}st{order}{space}{suffix} [{where}], {vector(r, count)}; "
                   f"ld{space}.b64 d0, [{where}+{8 * word}];"), values, result  # fmt: skip
    # Registers that are wider than the type: extended by its sign, or cut.
    for name, width in (("s8", 8), ("u8", 8), ("s16", 16), ("u16", 16), ("s32", 32), ("u32", 32), ("b8", 8), ("b16", 16)):
        bits = chance.getrandbits(width) | 1 << (width - 1)
        for r, wide in (("r", 32), ("d", 64)):
            if wide >= width:
                sign = -1 << width if name[0] == "s" else 0
                yield f"st.global.b{width} [%own], {r}1; ld.global.{name} {r}0, [%own];", [bits | 1 << wide - 1], (
                    (bits | sign) % (1 << wide))  # fmt: skip
    # Constant memory: bytes 0, 7, 14, ...
    for name, width, count in sizes():
        r, at = LETTERS[width], 32
        which = chance.randrange(count)
        targets = [0 if i == which else (9 - i if r == "h" else 10 + i) for i in range(count)]
        first = at + which * width // 8
        bits = sum((7 * (first + i) & 255) << 8 * i for i in range(width // 8))
        suffix = ("" if count == 1 else f".v{count}") + f".{name}"
        yield f"ld.const{suffix} {vector(r, count, targets)}, [c+{at}];", [], extended(name, bits, width)


def atomic_results(operation, name, old, b, c):
    kind, width = name[0], int("".join(d for d in name.split("x")[0] if d.isdigit()))
    mask = (1 << width) - 1
    signed = lambda v: v - (1 << width) if kind == "s" and v >> (width - 1) else v
    return {
        "add": lambda: old + b & mask,
        "min": lambda: min(old, b, key=signed),
        "max": lambda: max(old, b, key=signed),
        "and": lambda: old & b,
        "or": lambda: old | b,
        "xor": lambda: old ^ b,
        "exch": lambda: b,
        "cas": lambda: c if old == b else old,
        "inc": lambda: 0 if old >= b else old + 1,
        "dec": lambda: b if old == 0 or old > b else old - 1,
    }[operation]()


OPERATIONS = {
    "add": ["u32", "s32", "u64"],
    "min": ["u32", "s32", "u64", "s64"],
    "max": ["u32", "s32", "u64", "s64"],
    "and": ["b32", "b64"],
    "or": ["b32", "b64"],
    "xor": ["b32", "b64"],
    "exch": ["b32", "b64"],
    "cas": ["b16", "b32", "b64"],
    "inc": ["u32"],
    "dec": ["u32"],
}


def atomics():
    orders = ("", ".relaxed", ".acquire", ".release", ".acq_rel")
    spaces = ("", ".global", ".shared")
    for operation, space, order in itertools.product(OPERATIONS, spaces, orders):
        for name in OPERATIONS[operation]:
            width, where = int(name[1:]), SPACES[space]
            r, top = LETTERS[width], 1 << (width - 1)
            for old, b in ((5, 5), (0, 7), (top, 1), (2 * top - 1, top - 1), (9, 3)):
                c = chance.getrandbits(width)
                new = atomic_results(operation, name, old, b, c)
                tail, inputs = (f", {r}3", [old, b, c]) if operation == "cas" else ("", [old, b])
                put = f"st{space}.b{width} [{where}], {r}1; "
                get = f" ld{space}.b{width} {r}0, [{where}];"
                full = f"{order}{space}.{operation}.{name}"
                yield f"{put}atom{full} {r}0, [{where}], {r}2{tail};", inputs, old
                yield f"{put}atom{full} {r}9, [{where}], {r}2{tail};{get}", inputs, new
                if operation not in ("exch", "cas"):
                    yield f"{put}red{full} [{where}], {r}2;{get}", inputs, new
                elif operation == "cas":
                    yield f"{put}red{full} [{where}], {r}2{tail};{get}", inputs, new
                else:
                    yield f"{put}red{full} [{where}], {r}2;{get}", inputs, new
    for name, space, order in itertools.product(("f32", "f64", "f16", "bf16", "f16x2", "bf16x2"), spaces, orders):
        f = FORMATS[name.removesuffix("x2")]
        width, where = (32 if name.endswith("x2") else f.width), SPACES[space]
        r, hint = LETTERS[width], ".noftz" if f.width == 16 else ""
        for _ in range(6):
            a, b, c, d = (chance.choice(edges(f)) for _ in range(4))
            # Sums of f32 in global memory are flushed, those in shared memory are not.
            flush = name == "f32" and space != ".shared"
            sums = [compute("add", f, "rn", flush, False, False, x, y) for x, y in ((a, b), (c, d))]
            if (name == "f64" and f.decode(sums[0]) == NAN) or (flush and sums[0] & ~f.sign == 1 << f.mantissa):
                continue
            if name.endswith("x2"):
                inputs, result = [a | c << 16, b | d << 16], sums[0] | sums[1] << 16
            else:
                inputs, result = [a, b], sums[0]
            put, get = f"st{space}.b{width} [{where}], {r}1; ", f" ld{space}.b{width} {r}0, [{where}];"
            yield f"{put}atom{order}{space}.add{hint}.{name} {r}0, [{where}], {r}2;", inputs, inputs[0]
            yield f"{put}red{order}{space}.add{hint}.{name} [{where}], {r}2;{get}", inputs, result


def memory_rows():
    return list(accesses()) + list(atomics())
