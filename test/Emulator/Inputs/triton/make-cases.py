# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels below with Triton for sm_90a, which needs no GPU, and writes a case per kernel: PTX, launches, inputs,
and expected values by numpy in double precision. Its output is stored in ../cases; run it again after a change here.

usage: TRITON_DISABLE_LINE_INFO=1 make-cases.py FOLDER; needs triton and numpy.
"""

import importlib.util
import json
import re
import sys
from pathlib import Path

import numpy as np
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

SPEC = importlib.util.spec_from_file_location("cases", Path(__file__).parent.parent / "cuda/make-cases.py")
CASES = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(CASES)
bf16, f64 = CASES.bf16, CASES.f64


@triton.jit
def product(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """a is m x k, b is n x k and read transposed; edges are masked."""
    rows, columns = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        left = tl.load(a + rows[:, None] * k + (start + depth)[None, :], mask=(rows < m)[:, None], other=0.0)
        right = tl.load(b + columns[None, :] * k + (start + depth)[:, None], mask=(columns < n)[None, :], other=0.0)
        total = tl.dot(left, right, total)
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=(rows < m)[:, None] & (columns < n)[None, :])


@triton.jit
def product_of_maps(a, b, c, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Tensor maps from the host."""
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        total = tl.dot(a.load([row, start]), b.load([start, column]), total)
    c.store([row, column], total.to(tl.bfloat16))


@triton.jit
def product_with_maps(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Tensor maps that the kernel makes."""
    of_a = tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK])
    of_b = tl.make_tensor_descriptor(b, [k, n], [n, 1], [BK, BN])
    of_c = tl.make_tensor_descriptor(c, [m, n], [n, 1], [BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        total = tl.dot(of_a.load([row, start]), of_b.load([start, column]), total)
    of_c.store([row, column], total.to(tl.bfloat16))


@triton.jit
def attention(q, k, v, out, length, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """Causal attention of one head: weights are the left operand of the second product, from registers."""
    rows, depth = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D)
    queries = tl.load(q + rows[:, None] * D + depth[None, :])
    top = tl.full((BM,), float("-inf"), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    result = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, (tl.program_id(0) + 1) * BM, BN):
        columns = start + tl.arange(0, BN)
        keys = tl.load(k + columns[None, :] * D + depth[:, None])
        scores = tl.dot(queries, keys) * scale
        scores = tl.where(rows[:, None] >= columns[None, :], scores, float("-inf"))
        above = tl.maximum(top, tl.max(scores, 1))
        weights, shrink = tl.math.exp2(scores - above[:, None]), tl.math.exp2(top - above)
        total = total * shrink + tl.sum(weights, 1)
        values = tl.load(v + columns[:, None] * D + depth[None, :])
        result = tl.dot(weights.to(tl.bfloat16), values, result * shrink[:, None])
        top = above
    tl.store(out + rows[:, None] * D + depth[None, :], (result / total[:, None]).to(tl.bfloat16))


def compile_kernel(function, types, constants, stages):
    signature = {name: "constexpr" if name in constants else types[name] for name in function.arg_names}
    aligned = {(i,): [["tt.divisibility", 16]] for i, name in enumerate(function.arg_names)
               if name not in constants and (types[name][0] == "*" or types[name] == "i32")}
    places = {(function.arg_names.index(name),): value for name, value in constants.items()}
    source = ASTSource(fn=function, signature=signature, constexprs=places, attrs=aligned)
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 4, "num_stages": stages})


def write(folder, name, kernel, grid, args, tensors, tolerance):
    text = kernel.asm["ptx"]
    parameters = len(re.findall(r"\.param ", text[: text.index("\n)")]))
    args = args + ["null"] * (parameters - len(args))  # memory for what these kernels do not do
    base = folder / f"hopper_{name}"
    launch = {"grid": grid, "block": [128], "shared": kernel.metadata.shared, "args": args}
    Path(f"{base}.ptx").write_text(text)
    Path(f"{base}.json").write_text(json.dumps([launch], indent=1) + "\n")
    CASES.save(f"{base}.safetensors", tensors)
    Path(f"{base}.meta.json").write_text(json.dumps({"check": "all", "rtol": tolerance, "atol": tolerance}) + "\n")


def main():
    folder, rng = Path(sys.argv[1]), np.random.default_rng(5)
    blocks = dict(BM=64, BN=64, BK=64)
    numbers = dict(m="i32", n="i32", k="i32")

    a, b = bf16(rng.uniform(-1, 1, (80, 128))), bf16(rng.uniform(-1, 1, (96, 128)))
    kernel = compile_kernel(product, dict(a="*bf16", b="*bf16", c="*fp32", **numbers), blocks, 3)
    write(folder, "matmul", kernel, [2, 2], ["a", "b", "zeros:c:f32:7680", "i32:80", "i32:96", "i32:128"],
          {"a": a, "b": b, "expected.c": (f64(a) @ f64(b).T).astype(np.float32).ravel()}, 1e-4)

    # Tensors of 100 rows: boxes reach over their ends.
    a, b, zeros = bf16(rng.uniform(-1, 1, (100, 128))), bf16(rng.uniform(-1, 1, (128, 96))), np.zeros(9600, np.uint16)
    tensors = {"a": a, "b": b, "c": zeros, "expected.c": bf16(f64(a) @ f64(b)).ravel()}
    maps = {x: "tensordesc<bf16[64, 64]>" for x in "abc"}
    kernel = compile_kernel(product_of_maps, dict(k="i32", **maps), blocks, 3)
    rest = lambda m, n: [f"i32:{m}", f"i32:{n}", f"i64:{n}", "i64:1"]  # what a descriptor brings beside the map
    args = (["tensormap:a:128x100:64x64:128B"] + rest(100, 128) + ["tensormap:b:96x128:64x64:128B"] + rest(128, 96)
            + ["tensormap:c:96x100:64x64:128B"] + rest(100, 96) + ["i32:128"])
    write(folder, "matmul_maps", kernel, [2, 2], args, tensors, 1e-2)
    kernel = compile_kernel(product_with_maps, dict(a="*bf16", b="*bf16", c="*bf16", **numbers), blocks, 3)
    args = ["a", "b", "c", "i32:100", "i32:96", "i32:128", "zeros:scratch:u8:4096"]
    write(folder, "matmul_own_maps", kernel, [2, 2], args, tensors, 1e-2)

    q, k, v = (bf16(rng.uniform(-2, 2, (128, 64))) for _ in range(3))
    scores = f64(q) @ f64(k).T / 8
    scores[np.triu_indices(128, 1)] = -np.inf
    weights = np.exp(scores - scores.max(1, keepdims=True))
    out = weights / weights.sum(1, keepdims=True) @ f64(v)
    kernel = compile_kernel(attention, dict(q="*bf16", k="*bf16", v="*bf16", out="*bf16", length="i32", scale="fp32"),
                            dict(D=64, BM=64, BN=64), 2)
    args = ["q", "k", "v", "zeros:out:bf16:8192", "i32:128", f"f32:{1 / 8 / np.log(2)}"]
    write(folder, "attention", kernel, [2], args, {"q": q, "k": k, "v": v, "expected.out": bf16(out).ravel()}, 2e-2)


if __name__ == "__main__":
    main()
