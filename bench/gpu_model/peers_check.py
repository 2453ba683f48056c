# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The peers' kernels against NumPy, on small problems in the emulator with all its checks: a wrong peer is no peer."""
import json
import subprocess

import numpy

from . import code
from .peers import argument, compile_kernel, variants
from .problems import Problem


def rounded(x):
    """f32 values of bf16, to nearest even."""
    bits = numpy.ascontiguousarray(x, numpy.float32).view(numpy.uint32)
    return ((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000).astype(numpy.uint32).view(numpy.float32)


def save(path, tensors, kinds):
    header, data = {}, b""
    for name, value in tensors.items():
        value = numpy.ascontiguousarray(value, numpy.float32)
        raw = (rounded(value).view(numpy.uint32) >> 16).astype(numpy.uint16) if kinds[name] == "bf16" else value
        header[name] = {"dtype": kinds[name].upper(), "shape": [value.size],
                        "data_offsets": [len(data), len(data) + raw.nbytes]}
        data += raw.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def of_matmul(problem, draw):
    m, n, k = problem.sizes
    a, b = draw(*((k, m) if problem.kind.endswith("tn") else (m, k))), \
        draw(*((n, k) if problem.kind.endswith("nt") else (k, n)))
    return {"a": a, "b": b}, {"c": (a.T if problem.kind.endswith("tn") else a) @
                              (b.T if problem.kind.endswith("nt") else b)}


def of_attention(problem, draw):
    heads, length, width = problem.sizes
    q, k, v, do = (draw(heads, length, width) for _ in range(4))
    scores = q @ k.transpose(0, 2, 1) * width ** -0.5
    scores = numpy.where(numpy.tril(numpy.ones((length, length), bool)), scores, -numpy.inf)
    highest = scores.max(-1, keepdims=True)
    weights = numpy.exp(scores - highest)
    total = weights.sum(-1, keepdims=True)
    lse, weights = (highest + numpy.log(total))[..., 0], weights / total
    o = weights @ v
    inputs = {"q": q, "k": k, "v": v}
    if problem.kind == "attention":
        return inputs, {"o": o, "lse": lse}
    o = rounded(o)
    delta = (o * do).sum(-1)
    inner = weights * (do @ v.transpose(0, 2, 1) - delta[..., None]) * width ** -0.5
    return {**inputs, "o": o, "do": do, "lse": lse}, \
        {"delta": delta, "dv": weights.transpose(0, 2, 1) @ do, "dk": inner.transpose(0, 2, 1) @ q, "dq": inner @ k}


def of_rows(problem, draw):
    rows, columns = problem.sizes
    if problem.kind.startswith("softmax"):
        x, dy = draw(rows, columns), draw(rows, columns)
        y = numpy.exp(x - x.max(-1, keepdims=True))
        y /= y.sum(-1, keepdims=True)
        if problem.kind == "softmax":
            return {"x": x}, {"y": y}
        y = rounded(y)
        return {"dy": dy, "y": y}, {"dx": y * (dy - (dy * y).sum(-1, keepdims=True))}
    x, w, b, dy = draw(rows, columns), draw(columns), draw(columns), draw(rows, columns)
    centred = x - x.mean(-1, keepdims=True)
    factor = 1 / numpy.sqrt((centred ** 2).mean(-1, keepdims=True) + 1e-5)
    normed, weighted = centred * factor, dy * w
    if problem.kind == "layer_norm":
        return {"x": x, "w": w, "b": b}, {"y": normed * w + b}
    dx = factor * (weighted - weighted.mean(-1, keepdims=True) - normed * (weighted * normed).mean(-1, keepdims=True))
    return {"dy": dy, "x": x, "w": w}, {"dx": dx, "dw": (dy * normed).sum(0), "db": dy.sum(0)}


def read(path):
    """Raw tensors of a safetensors file: (dtype, elements, bytes) by name."""
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    return {name: (entry["dtype"], data[8 + size + entry["data_offsets"][0]:8 + size + entry["data_offsets"][1]])
            for name, entry in header.items() if name != "__metadata__"}


def values_of(kind, raw):
    if kind == "BF16":
        return (numpy.frombuffer(raw, numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32)
    return numpy.frombuffer(raw, numpy.float32)


def check(problem, tile, kernels, emulator, chip, folder):
    """Runs the kernels one after the other: what one wrote is what the next reads."""
    generator = numpy.random.default_rng(1)

    def draw(*shape):
        return rounded(generator.standard_normal(shape))
    inputs, expected = {"matmul": of_matmul, "attention": of_attention, "row": of_rows}[problem.family](problem, draw)
    kinds = {value[0]: value[1] for kernel in kernels for value in kernel.arguments if isinstance(value, tuple)}
    state, after, found = folder / "state.safetensors", folder / "after.safetensors", {}
    for kernel in kernels:
        save(state, {**inputs, **{name: values_of(*raw) for name, raw in found.items()}}, kinds)
        path, name, shared = compile_kernel(kernel, chip, folder)
        arguments = [value[0] if isinstance(value, tuple) and value[0] in {**inputs, **found} else argument(value)
                     for value in kernel.arguments if value != 1]
        arguments += ["null"] * (code.parameters(path.read_text(), name) - len(arguments))
        subprocess.run([emulator, path, "--kernel", name, "--grid", ",".join(map(str, kernel.grid)), "--block",
                        str(32 * kernel.warps), "--shared", str(shared), "--args", ",".join(arguments), "--inputs",
                        state, "--outputs", after], check=True)
        found.update(read(after))
    for name, value in expected.items():
        apart = numpy.abs(values_of(*found[name]) - value.ravel())
        if not (apart <= 0.02 + 0.02 * numpy.abs(value.ravel())).all():
            raise SystemExit(f"error: the peer's {problem.name} {tile} is wrong: {name} is {apart.max()} apart")


def check_all(emulator, chip, folder, report):
    cases = [Problem(f"matmul_{layout}", (256, 256, 128)) for layout in ("nn", "nt", "tn")]
    cases += [Problem(kind, (2, 256, 64)) for kind in ("attention", "attention_grad")]
    cases += [Problem(kind, (8, columns)) for columns in (768, 1000) for kind in
              ("softmax", "softmax_grad", "layer_norm", "layer_norm_grad")]
    for problem in cases:
        for tile, kernels in variants(problem).items():
            check(problem, tile, kernels, emulator, chip, folder)
            report(f"right: {problem.name} {tile}")
