# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles kernels.cu, groups.cu and features.cu with nvcc and writes a case per kernel: PTX, launches, inputs, and expected values by numpy in
double precision. Its output is stored in ../cases; run it again after a change of kernels.cu.

usage: make-cases.py FOLDER; needs nvcc and numpy.
"""

import json
import math
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np

DTYPES = {"float64": "F64", "float32": "F32", "float16": "F16", "int64": "I64", "int32": "I32", "uint32": "U32", "uint8": "U8",
          "uint16": "BF16", "int16": "I16"}


def save(path, tensors):
    header, data = {}, b""
    for name, tensor in sorted(tensors.items(), key=lambda item: -item[1].dtype.itemsize):
        tensor = np.ascontiguousarray(tensor)
        header[name] = {"dtype": DTYPES[str(tensor.dtype)], "shape": list(tensor.shape),
                        "data_offsets": [len(data), len(data) + tensor.nbytes]}
        data += tensor.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + data)


def bf16(values):
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def f64(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def launch(kernel, grid, block, args):
    return {"kernel": kernel, "grid": grid, "block": block, "shared": 0, "args": args}


def reduce(rng):
    x = rng.standard_normal((7, 1000)).astype(np.float32)
    return ([launch("reduce_rows", [7], [128], ["x", "zeros:out:f32:7", "i32:1000"])],
            {"x": x, "expected.out": x.astype(np.float64).sum(1).astype(np.float32)}, 1e-5, 1e-4)


def matmul(rng):
    a, b = (rng.standard_normal(shape).astype(np.float32) for shape in ((37, 45), (45, 29)))
    return ([launch("matmul_tiled", [2, 3], [16, 16], ["a", "b", "zeros:c:f32:1073", "i32:37", "i32:29", "i32:45"])],
            {"a": a, "b": b, "expected.c": (a.astype(np.float64) @ b).astype(np.float32).ravel()}, 1e-5, 1e-5)


def scan(rng):
    x = rng.integers(-1000, 1000, 700).astype(np.int32)
    return ([launch("scan_blocks", [6], [128], ["x", "zeros:out:i32:700", "zeros:totals:i32:6", "i32:700"]),
             launch("scan_add", [6], [128], ["out", "totals", "i32:700"])],
            {"x": x, "expected.out": x.cumsum().astype(np.int32)}, 0, 0)


def histogram(rng):
    x = rng.integers(0, 251, 3000).astype(np.uint8)
    return ([launch("histogram_bytes", [3], [256],
                    ["x", "zeros:counts:u32:256", "zeros:sum:f32:1", "zeros:greatest:u32:1", "i32:3000"])],
            {"x": x, "expected.counts": np.bincount(x, minlength=256).astype(np.uint32),
             "expected.sum": np.array([x.sum()], np.float32), "expected.greatest": np.array([x.max()], np.uint32)}, 0, 0)


def transpose(rng):
    x = rng.standard_normal((45, 70))
    return ([launch("transpose_tile", [3, 2], [32, 8], ["x", "zeros:out:f64:3150", "i32:45", "i32:70"])],
            {"x": x, "expected.out": x.T.ravel()}, 0, 0)


def mma(rng):
    a, b = (bf16(rng.standard_normal(shape)) for shape in ((16, 64), (8, 64)))
    return ([launch("mma_bf16", [1], [32], ["a", "b", "zeros:c:f32:128", "i32:64"])],
            {"a": a, "b": b, "expected.c": (f64(a) @ f64(b).T).astype(np.float32).ravel()}, 1e-5, 1e-5)


def norm(rng):
    x, scale, shift = (rng.standard_normal(shape).astype(np.float16) for shape in ((8, 96), (96,), (96,)))
    v = x.astype(np.float64)
    y = (v - v.mean(1, keepdims=True)) / np.sqrt(v.var(1, keepdims=True) + 1e-5)
    return ([launch("layer_norm", [2], [128], ["x", "scale", "shift", "zeros:out:f16:768", "i32:48", "f32:1e-5"])],
            {"x": x, "scale": scale, "shift": shift,
             "expected.out": (y * scale + shift).astype(np.float16).ravel()}, 2e-3, 2e-3)


def branch(v):
    if v < 0:
        return -1
    kind = v % 7
    if kind == 0:
        n, steps = v + 1, 0
        while n != 1 and steps < 200:
            n, steps = (3 * n + 1 if n % 2 else n // 2), steps + 1
        return steps
    if kind == 1:
        return sum(k * v for k in range(v % 13))
    if kind == 2:
        return (~(v // 3) if v % 5 == 0 else v // 3) if v % 2 else v << 3
    if kind == 3:
        return bin(v).count("1") * 100 + (32 - v.bit_length())
    if kind == 4:
        return sum(map(int, str(v)))
    if kind == 5:
        return int(f"{v:032b}"[::-1], 2) >> 5
    return v * v % 1013


def branches(rng):
    x = rng.integers(-2000, 20000, 333).astype(np.int32)
    return ([launch("branches_nested", [3], [128], ["x", "zeros:out:i32:333", "i32:333"])],
            {"x": x, "expected.out": np.array([branch(int(v)) for v in x], np.int64).astype(np.int32)}, 0, 0)


def special(rng):
    n = 96
    x, y = rng.standard_normal(n) * 4, (rng.standard_normal(n) * 3).astype(np.float32)
    z = rng.integers(-(1 << 62), 1 << 62, (n, 2))
    z[:, 1] >>= rng.integers(0, 60, n)
    z[z[:, 1] == 0, 1] = 3
    functions = lambda v, last: np.stack([np.exp(v), np.log(np.abs(v)), np.sin(v), last, np.tanh(v),
                                          np.array([math.erf(e) for e in v])], 1).ravel()
    w = y.astype(np.float64)
    wide = [(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1), math.fmod, a, b) for a, b in z.tolist()]
    quotients = [(q, a - q * b, (a * b) >> 64) for q, _, a, b in wide]
    return ([launch("special_functions", [1], [96], ["x", f"zeros:out:f64:{6 * n}", "y", f"zeros:single:f32:{6 * n}", "z",
                                                     f"zeros:wide:i64:{3 * n}", f"i32:{n}"])],
            {"x": x, "y": y, "z": z, "expected.out": functions(x, np.sqrt(np.abs(x)) / (1 + x * x)),
             "expected.single": functions(w, np.abs(w) ** np.float64(np.float32(1.7))).astype(np.float32),
             "expected.wide": np.array(quotients, np.int64).ravel()}, 2e-6, 2e-6)


def features(rng):
    n = 64
    a, b = (rng.integers(-3, 4, (n, 2)).astype(np.float16) for _ in range(2))
    c, d = (bf16(rng.integers(-3, 4, 2 * n).astype(np.float32)) for _ in range(2))
    less = (a < b) * np.array([0xFFFF, 0xFFFF << 16])
    masks = less.sum(1) ^ (a >= b).all(1)
    kinds, i = rng.integers(-1, 9, n).astype(np.int32), np.arange(n)
    results = np.select([kinds == k for k in range(8)], [5 + 0 * i, 7 * i, i << 3, -i, i * i, 11 + 0 * i, i ^ 3, 100 + 0 * i], -1)
    words = [int(w) for w in rng.integers(1, 1 << 32, n)]

    def bits(v, t):
        byte = lambda k: (t << 32 | v) >> 8 * k & 255
        permuted = sum(byte(k) << 8 * place for place, k in enumerate((3, 4, 1, 2)))
        halves = sum(((v >> s) + (t >> s) & 0xFFFF) << s for s in (0, 16))
        first = (v & -v).bit_length()
        return (bin(v).count("1") + 32 - v.bit_length() + first + int(f"{v:032b}"[::-1], 2) + permuted +
                (t << 32 | v) * 32 // (1 << 32) + sum((v >> s & 255) ** 2 for s in (0, 8, 16, 24)) + t + halves +
                abs(v - t) + 2 + (v * v >> 32)) % (1 << 32)

    floats, shorts, bytes = rng.standard_normal((n, 4)).astype(np.float32), rng.integers(-99, 99, (n, 4)), rng.integers(0, 255, (n, 4))
    factors = np.array([1.5, 2.5, 3.5])
    launches = [launch("by_value", [1], [n], [f"zeros:value:f32:{n}"]),
                launch("halves", [1], [n], ["a", "b", f"zeros:sums:f16:{2 * n}", f"zeros:masks:i32:{n}"]),
                launch("brains", [1], [n], ["c", "d", f"zeros:brain:bf16:{2 * n}"]),
                launch("switches", [1], [n], ["kinds", f"zeros:results:i32:{n}"]),
                launch("bits", [1], [n], ["words", f"zeros:counted:u32:{n}"]),
                launch("vectors", [1], [n], ["floats", f"zeros:turned:f32:{4 * n}", "shorts", f"zeros:stepped:i16:{4 * n}", "bytes",
                                             f"zeros:swapped:u8:{4 * n}"]),
                launch("reversed", [1], [n], [f"zeros:back:f32:{n}", f"i32:{n}"]) | {"shared": 4 * n},
                launch("provided", [1], [n], [f"zeros:heap:i32:{n}", f"i32:{n}"])]
    wide = [f64(v) for v in (c, d)]
    return (launches,
            {"a": a, "b": b, "c": c, "d": d, "kinds": kinds, "words": np.array(words, np.uint32), "floats": floats,
             "shorts": shorts.astype(np.int16), "bytes": bytes.astype(np.uint8),
             "expected.value": (factors[i % 3] * 2 + 0.25 + i % 8 + 1).astype(np.float32),
             "expected.sums": (np.maximum(a, b) + (a == b)).astype(np.float16).ravel(),
             "expected.masks": masks.astype(np.uint32).view(np.int32),
             "expected.brain": bf16(np.maximum(*wide) + (wide[0] <= wide[1])),
             "expected.results": results.astype(np.int32),
             "expected.counted": np.array([bits(v, t) for t, v in enumerate(words)], np.uint32),
             "expected.turned": floats[:, ::-1].ravel(),
             "expected.stepped": (shorts + [1, 0, 0, -1]).astype(np.int16).ravel(),
             "expected.swapped": bytes[:, [1, 0, 3, 2]].astype(np.uint8).ravel(),
             "expected.back": i[::-1].astype(np.float32),
             "expected.heap": np.array([sum(k + t for k in range(t % 4 + 1)) for t in i], np.int32)}, 0, 0)


def groups():
    n, warp = 192, lambda i: range(i - i % 32, i - i % 32 + 32)
    i = np.arange(n)
    t = i % 96

    def labeled(x):
        group = [y for y in warp(x) if (y * 7 - x * 7) % 5 == 0]
        return sum(group) * 101 + group.index(x) + (50 if any(y % 32 == 9 for y in group) else 0)

    def matched(x):
        group = [y for y in warp(x) if y % 3 == x % 3]
        return (group[0] + sum(y & 1 for y in group) + sum(group) + group[-1] + 1 + (5 in group) + len(group) +
                sum(y % 2 == x % 2 for y in group) + 1)

    def halves(v):
        sums = np.repeat([v[:16].sum(), -v[16:].sum()], 16)
        lane = np.arange(32)
        for d in (8, 4, 2, 1):
            sums = sums ^ sums[np.where(lane % 16 + d < 16, (lane + d) % 32, lane)]
        return sums + sums[np.where(lane % 4 < 3, (lane + 1) % 32, lane)]

    def rounds(v):
        lane = np.arange(32)
        for k in range(4):
            leader = [min(m for m in range(32) if m % 8 == l % 8 and k <= m % 4) if k <= l % 4 else l for l in lane]
            v = np.where(k <= lane % 4, v + v[leader], v)
        return v

    def member_sum(a, b, c, d, e):
        return a + 2 * b + 3 * c + d + e

    by_warp = lambda f: np.concatenate([f(w) for w in i.reshape(6, 32)])
    given = struct.pack("<b3xib7xdh6x", -1, 2, 3, 4.0, 5)
    u = np.arange(64)
    kept = member_sum(u, u + 1 + u % 2, u + 2, u + 3, u + 4)
    expected = {"labeled": [labeled(x) for x in i], "matched": [matched(x) for x in i], "halves_of_warps": by_warp(halves),
                "rounds": by_warp(rounds), "early": np.where(t < 64, (95 - t) * 3, 0),
                "voted": np.where(t >= 32, (95 - t) * 3 + 33, 0),
                "partly": np.where((t >= 32) & (t % 3 != 0), 95 - t, 0), "aggregated": [128, 0],
                "padded": 2 * kept + member_sum(-1, 2, 3, 4, 5)}
    launches = [launch(name, [2], [96], [f"zeros:{name}:i32:{len(values)}"]) for name, values in expected.items() if name != "padded"]
    launches.append(launch("padded", [1], [64], ["zeros:padded:i32:64", "zeros:all:f64:256", f"hex:{given.hex()}"]))
    return launches, {f"expected.{name}": np.array(values, np.int32) for name, values in expected.items()}, 0, 0


def main():
    here, folder = Path(__file__).parent, Path(sys.argv[1])
    for make in (reduce, matmul, scan, histogram, transpose, mma, norm, branches, special):
        name = make.__name__
        launches, tensors, rtol, atol = make(np.random.default_rng(len(name)))
        base = folder / f"cuda_{name}"
        subprocess.run(["nvcc", "-ptx", "-arch=sm_89", "-O3", f"-DCASE_{name}", here / "kernels.cu", "-o", f"{base}.ptx"], check=True)
        write(base, launches, tensors, rtol, atol)
    base = folder / "cuda_groups"
    subprocess.run(["nvcc", "-ptx", "-arch=sm_89", "-O3", here / "groups.cu", "-o", f"{base}.ptx"], check=True)
    write(base, *groups())
    # Debug sections name the folder of the source: it is the same everywhere.
    sources = Path("/tmp/nova-cases")
    sources.mkdir(exist_ok=True)
    shutil.copy(here / "features.cu", sources)
    for flag in ("lineinfo", "G"):
        base = folder / f"cuda_features_{flag.lower()}"
        subprocess.run(["nvcc", "-ptx", "-arch=sm_89", f"-{flag}", "features.cu", "-o", f"{base.resolve()}.ptx"], check=True, cwd=sources)
        write(base, *features(np.random.default_rng(1)))


def write(base, launches, tensors, rtol, atol):
    Path(f"{base}.json").write_text(json.dumps(launches, indent=1) + "\n")
    save(f"{base}.safetensors", tensors)
    Path(f"{base}.meta.json").write_text(json.dumps({"check": "all", "rtol": rtol, "atol": atol}) + "\n")


if __name__ == "__main__":
    main()
