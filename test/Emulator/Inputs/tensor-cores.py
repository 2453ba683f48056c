# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes inputs and expected values (numpy, double precision) of the tensor-core kernels in cases/: a matmul with bias and
gelu, flash attention, and its gradients of keys and values. Their PTX was made by LLVM 22 from generated MLIR with
cp.async stages, swizzled shared memory, ldmatrix and mma.sync.

usage: tensor-cores.py FOLDER; needs numpy.
"""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np

SPEC = importlib.util.spec_from_file_location("cases", Path(__file__).parent / "cuda/make-cases.py")
CASES = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(CASES)
bf16, f64 = CASES.bf16, CASES.f64


def gemm(rng):
    a, b, bias = (bf16(rng.uniform(-1, 1, shape)) for shape in ((128, 96), (96, 64), (64,)))
    x = f64(a) @ f64(b) + f64(bias)
    y = 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))
    return ("gemm", [1, 2], 24576, ["a", "b", "bias", "zeros:c:bf16:8192"],
            {"a": a, "b": b, "bias": bias, "expected.c": bf16(y).ravel()}, 2e-2, 2e-2)


def heads(qkv, count):
    """(query, key, value) of each head, from rows of 3 x heads x 64."""
    rows = f64(qkv).reshape(len(qkv), 3, count, 64)
    return [rows[:, :, h].transpose(1, 0, 2) for h in range(count)]


def attend(q, k):
    scores = q @ k.T / 8
    scores[np.triu_indices(len(q), 1)] = -np.inf
    top = scores.max(1, keepdims=True)
    weights = np.exp(scores - top)
    total = weights.sum(1, keepdims=True)
    return weights / total, (top + np.log(total)).ravel()


def flash(rng):
    qkv = bf16(rng.uniform(-2, 2, (128, 384)))
    out, lse = np.zeros((128, 2, 64)), []
    for h, (q, k, v) in enumerate(heads(qkv, 2)):
        weights, logs = attend(q, k)
        out[:, h] = weights @ v
        lse.append(logs)
    return ("flash", [2, 2], 40960, ["qkv", "zeros:out:bf16:16384", "zeros:lse:f32:256"],
            {"qkv": qkv, "expected.out": bf16(out).ravel(), "expected.lse": np.concatenate(lse).astype(np.float32)}, 2e-2, 2e-2)


def flash_grad(rng):
    qkv, dout = bf16(rng.uniform(-1.5, 1.5, (128, 384))), bf16(rng.uniform(-1, 1, (128, 128)))
    dy = f64(dout).reshape(128, 2, 64)
    grad, lse, delta = np.zeros((128, 3, 2, 64)), [], []
    for h, (q, k, v) in enumerate(heads(qkv, 2)):
        weights, logs = attend(q, k)
        inner = (dy[:, h] * (weights @ v)).sum(1)
        scores = weights * (dy[:, h] @ v.T - inner[:, None]) / 8
        grad[:, 1, h], grad[:, 2, h] = scores.T @ q, weights.T @ dy[:, h]
        lse.append(logs)
        delta.append(inner)
    tensors = {"qkv": qkv, "dout": dout, "lse": np.concatenate(lse).astype(np.float32),
               "delta": np.concatenate(delta).astype(np.float32), "expected.grad": bf16(grad).ravel()}
    return "flash_grad", [2, 2], 49152, ["qkv", "dout", "lse", "delta", "zeros:grad:bf16:49152"], tensors, 3e-2, 3e-2


def main():
    folder = Path(sys.argv[1])
    for make in (gemm, flash, flash_grad):
        name, grid, shared, args, tensors, rtol, atol = make(np.random.default_rng(3))
        base = folder / f"mma_{name}"
        Path(f"{base}.json").write_text(json.dumps([{"grid": grid, "block": [128], "shared": shared, "args": args}], indent=1) + "\n")
        CASES.save(f"{base}.safetensors", tensors)
        Path(f"{base}.meta.json").write_text(json.dumps({"check": "all", "rtol": rtol, "atol": atol}) + "\n")


if __name__ == "__main__":
    main()
