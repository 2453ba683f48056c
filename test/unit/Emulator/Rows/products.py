# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of what the lanes of a warp do together: mma, shuffles, votes, matches, reductions. Inputs and results are lists
of 32. Fragments are laid out as the figures of the PTX ISA show them."""

import itertools
import random
from fractions import Fraction

from floats import BF16, E4M3, E5M2, F16, F32, F64, TF32

chance = random.Random(13)
FLOATS = {"f16": F16, "bf16": BF16, "tf32": TF32, "f64": F64, "e4m3": E4M3, "e5m2": E5M2, "f32": F32}
LANES = range(32)


def elements_per_register(name):
    return {"f64": 1, "tf32": 1, "f16": 2, "bf16": 2}.get(name, 4)


def encode(name, value):
    if name in FLOATS:
        bits = FLOATS[name].encode(Fraction(value), "rn", False, True)
        return bits << 13 if name == "tf32" else bits
    return value & (0xFF if name in ("u8", "s8") else 0xFFFFFFFF)


def choose(name):
    """Values whose products and sums are exact in every type."""
    if name in ("s8", "u8"):
        return chance.randrange(-128, 128) if name == "s8" else chance.randrange(256)
    return Fraction(chance.randrange(-6, 7), 4)


def register(name, values):
    width = {1: 64 if name == "f64" else 32, 2: 16, 4: 8}[elements_per_register(name)]
    return sum(encode(name, v) << width * i for i, v in enumerate(values))


def product(m, k, d, a, b, saturates):
    big = 0x7FFFFFF0 if saturates else 0
    matrix_a = [[choose(a) for _ in range(k)] for _ in range(m)]
    matrix_b = [[choose(b) for _ in range(8)] for _ in range(k)]
    matrix_c = [[(chance.choice([big, -big, 3]) if d == "s32" else choose("f16")) for _ in range(8)] for _ in range(m)]
    e, rows = elements_per_register(a), m // 8
    inputs = []
    for r in range(rows * k // (4 * e)):
        inputs.append([register(a, [matrix_a[lane // 4 + 8 * (r % rows)][e * (lane % 4) + 4 * e * (r // rows) + i]
                                    for i in range(e)]) for lane in LANES])  # fmt: skip
    for r in range(k // (4 * e)):
        inputs.append([register(b, [matrix_b[e * (lane % 4) + 4 * e * r + i][lane // 4] for i in range(e)])
                       for lane in LANES])  # fmt: skip
    total = [[c + sum(x * matrix_b[i][n] for i, x in enumerate(row)) for n, c in enumerate(line)]
             for row, line in zip(matrix_a, matrix_c)]  # fmt: skip
    if d == "s32" and saturates:
        total = [[min(max(v, -(2**31)), 2**31 - 1) for v in line] for line in total]

    def accumulators(matrix):
        if d == "f16":
            return [[register("f16", matrix[lane // 4 + 8 * r][2 * (lane % 4) : 2 * (lane % 4) + 2]) for lane in LANES]
                    for r in range(rows)]  # fmt: skip
        return [[encode(d, matrix[lane // 4 + 8 * (r // 2)][2 * (lane % 4) + r % 2]) for lane in LANES]
                for r in range(2 * rows)]  # fmt: skip

    return inputs, accumulators(matrix_c), accumulators(total)


def mma(shape, m, k, d, a, b, saturate=""):
    inputs, c, results = product(m, k, d, a, b, saturate)
    letter = "d" if a == "f64" else "r"
    count_a, count_b = m // 8 * k // (4 * elements_per_register(a)), k // (4 * elements_per_register(a))
    names = [f"{letter}{i + 1}" for i in range(len(inputs) + len(c))]
    vector = lambda part: "{" + ", ".join(part) + "}"
    sources = [names[:count_a], names[count_a : count_a + count_b], names[count_a + count_b :]]
    for which, result in enumerate(results):
        targets = [f"{letter}0" if i == which else f"{letter}{15 + i}" for i in range(len(results))]
        yield (f"mma.sync.aligned.{shape}.row.col{saturate}.{d}.{a}.{b}.{d} " +
               ", ".join(vector(p) for p in [targets, *sources]) + ";"), inputs + c, result  # fmt: skip


def all_mma():
    for a in ("f16", "bf16"):
        for d, k in itertools.product(("f32", "f16") if a == "f16" else ("f32",), (8, 16)):
            yield from mma(f"m16n8k{k}", 16, k, d, a, a)
    for k in 4, 8:
        yield from mma(f"m16n8k{k}", 16, k, "f32", "tf32", "tf32")
        yield from mma(f"m16n8k{k}", 16, k, "f64", "f64", "f64")
    yield from mma("m8n8k4", 8, 4, "f64", "f64", "f64")
    for d, a, b in itertools.product(("f32", "f16"), ("e4m3", "e5m2"), ("e4m3", "e5m2")):
        yield from mma("m16n8k32", 16, 32, d, a, b)
    for (shape, m, k), a, b, saturate in itertools.product(
        (("m16n8k16", 16, 16), ("m16n8k32", 16, 32), ("m8n8k16", 8, 16)), ("s8", "u8"), ("s8", "u8"), ("", ".satfinite")
    ):
        yield from mma(shape, m, k, "s32", a, b, saturate)


def shuffles():
    values = [chance.getrandbits(32) for _ in LANES]
    # The lane or distance, and what it is held to: the last lane in bits 0 to 4, segments in bits 8 to 12.
    for mode, b, c in itertools.product(("up", "down", "bfly", "idx"), (0, 1, 5, 31), (0, 0x1F, 0x181F, 0x1800, 0x0F)):
        results, inside = [], []
        for lane in LANES:
            segments, clamp = c >> 8 & 31, c & 31
            last = (lane & segments) | (clamp & ~segments & 31)
            source = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": (lane & segments) | (b & ~segments & 31)}[mode]
            good = source >= last if mode == "up" else source <= last
            results.append(values[source] if good else values[lane])
            inside.append(int(good))
        for sync, mask in (".sync", ", -1"), ("", ""):
            yield f"shfl{sync}.{mode}.b32 r0, r1, {b}, {c}{mask};", [values], results
            yield f"shfl{sync}.{mode}.b32 r9|p0, r1, {b}, {c}{mask};", [values], inside


def votes():
    patterns = [[0] * 32, [1] * 32, [lane % 3 == 0 for lane in LANES], [lane < 31 for lane in LANES]]
    for pattern in patterns:
        p = [int(v) for v in pattern]
        results = {"all.pred p0": int(all(p)), "any.pred p0": int(any(p)), "uni.pred p0": int(len(set(p)) == 1),
                   "ballot.b32 r0": sum(v << i for i, v in enumerate(p))}  # fmt: skip
        for text, result in results.items():
            yield f"vote.sync.{text}, p1, -1;", [p], [result] * 32
            yield f"vote.{text}, p1;", [p], [result] * 32
        count = sum(p)
        for name in ("bar", "barrier", "barrier.cta"):
            for aligned in ("",) if name == "bar" else ("", ".aligned"):
                yield f"{name}.red.popc{aligned}.u32 r0, 0, p1;", [p], [count] * 32
                yield f"{name}.red.and{aligned}.pred p0, 0, 32, p1;", [p], [int(count == 32)] * 32
                yield f"{name}.red.or{aligned}.pred p0, 0, !p1;", [p], [int(count < 32)] * 32
    for values in ([7] * 32, [lane // 8 for lane in LANES], [lane % 2 << 31 for lane in LANES]):
        for r, width in ("r", 32), ("d", 64):
            wide = [v << (width - 32) for v in values]
            equal = [sum((w == v) << i for i, w in enumerate(wide)) for v in wide]
            same = len(set(wide)) == 1
            yield f"match.any.sync.b{width} r0, {r}1, -1;", [wide], equal
            yield f"match.all.sync.b{width} r0|p9, {r}1, -1;", [wide], [0xFFFFFFFF if same else 0] * 32
            yield f"match.all.sync.b{width} r9|p0, {r}1, -1;", [wide], [int(same)] * 32
    for _ in range(4):
        values = [chance.choice([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, chance.getrandbits(32)]) for _ in LANES]
        signed = lambda v: v - (1 << 32) if v >> 31 else v
        logic = {"and": 0xFFFFFFFF, "or": 0, "xor": 0}
        for v in values:
            logic = {"and": logic["and"] & v, "or": logic["or"] | v, "xor": logic["xor"] ^ v}
        for name, result in logic.items():
            yield f"redux.sync.{name}.b32 r0, r1, -1;", [values], [result] * 32
        for kind, key in ("u32", lambda v: v), ("s32", signed):
            for name, result in ("add", sum(values) & 0xFFFFFFFF), ("min", min(values, key=key)), ("max", max(values, key=key)):
                yield f"redux.sync.{name}.{kind} r0, r1, -1;", [values], [result] * 32
    yield "elect.sync r0|p9, -1;", [], [0] * 32
    yield "elect.sync r9|p0, -1;", [], [1] + [0] * 31
    yield "activemask.b32 r0;", [], [0xFFFFFFFF] * 32


def matrices():
    """ldmatrix, stmatrix and movmatrix of four matrices of eight rows of eight halves: row r of matrix m is 16 bytes."""
    words = [[chance.getrandbits(32) for _ in LANES] for _ in range(4)]
    half = lambda m, row, column: words[m][4 * row + column // 2] >> 16 * (column % 2) & 0xFFFF
    plain = [[half(m, lane // 4, 2 * (lane % 4)) | half(m, lane // 4, 2 * (lane % 4) + 1) << 16 for lane in LANES]
             for m in range(4)]  # fmt: skip
    turned = [[half(m, 2 * (lane % 4), lane // 4) | half(m, 2 * (lane % 4) + 1, lane // 4) << 16 for lane in LANES]
              for m in range(4)]  # fmt: skip
    # Words of the matrices lie behind each other from the beginning of `shared`; a lane addresses row (lane % 32).
    base = "mov.u32 r19, shared; shl.b32 r18, %tid, 4; add.u32 r17, r19, r18; shl.b32 r16, %tid, 2; add.u32 r16, r16, r19; "
    put = "".join(f"st.shared.b32 [r16+{128 * m}], r{m + 1}; " for m in range(4))
    for count, space in itertools.product((1, 2, 4), ("", ".shared")):
        for trans, result in ("", plain), (".trans", turned):
            address = "d9" if not space else "r17"
            generic = "cvt.u64.u32 d9, r17; cvta.shared.u64 d9, d9; " if not space else ""
            for which in range(count):
                targets = ", ".join("r0" if i == which else f"r{10 + i}" for i in range(count))
                name = f"sync.aligned.m8n8.x{count}{trans}{space}.b16"
                yield f"{base}{put}bar.sync 0; {generic}ldmatrix.{name} {{{targets}}}, [{address}]; bar.sync 0;", words, result[which]
                sources = ", ".join(f"r{i + 1}" for i in range(count))
                # What stmatrix lays down transposed, a plain read finds transposed.
                yield (f"{base}{generic}stmatrix.{name} [{address}], {{{sources}}}; bar.sync 0; "
                       f"ld.shared.b32 r0, [r16+{128 * which}]; bar.sync 0;"), words[:count], result[which]  # fmt: skip
    yield "movmatrix.sync.aligned.m8n8.trans.b16 r0, r1;", words[:1], turned[0]


def product_rows():
    return [*all_mma(), *shuffles(), *votes(), *matrices()]
