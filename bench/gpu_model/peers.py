# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of triton_kernels.py, compiled without a GPU, checked against NumPy and counted. What they count is kept
in bench/peers, so that a comparison needs neither Triton nor NumPy."""
import functools
import importlib.util
import json
import math
import pathlib
from dataclasses import dataclass

from . import counts, tools
from .problems import problems

FOLDER = pathlib.Path(__file__).parent.parent / "peers"
TILES = {"128x128x32": (4, 4), "128x128x64": (8, 3), "128x256x64": (8, 3), "64x64x64": (4, 4)}  # warps, stages
PARTS = 256  # programs of the norm's gradient


@dataclass
class Kernel:
    """A kernel of triton_kernels.py with what it is compiled and launched with. A tensor is (name, dtype, elements),
    and stands for a pointer; other arguments are integers, which 16 divides or not, or floats."""
    function: str
    arguments: list
    constants: dict
    grid: tuple
    warps: int
    stages: int
    bytes: float
    heads: int = 0


def of_matmul(problem, tile):
    m, n, k = problem.sizes
    a_m, a_k = (1, m) if problem.kind.endswith("tn") else (k, 1)
    b_k, b_n = (1, k) if problem.kind.endswith("nt") else (n, 1)
    bm, bn, bk = map(int, tile.split("x"))
    warps, stages = TILES[tile]
    arguments = [("a", "bf16", m * k), ("b", "bf16", k * n), ("c", "bf16", m * n), m, n, k, a_m, a_k, b_k, b_n]
    return [Kernel("matmul", arguments, dict(BM=bm, BN=bn, BK=bk, GROUP=8), (m // bm, n // bn, 1), warps, stages,
                   problem.bytes)]


def of_attention(problem):
    heads, length, width = problem.sizes
    size, scale = heads * length * width, width ** -0.5

    def tensor(name):
        return (name, "f32", heads * length) if name in ("lse", "delta") else (name, "bf16", size)

    def kernel(function, names, rest, constants, block, stages):
        arguments = [tensor(name) for name in names.split()]
        moved = sum(elements * (2 if kind == "bf16" else 4) for _, kind, elements in arguments)
        return Kernel(function, arguments + rest, dict(D=width, **constants), (length // block, heads, 1), 4, stages,
                      moved, heads)
    if problem.kind == "attention":
        return [kernel("attention", "q k v o lse", [scale, length], dict(BM=128, BN=64), 128, 3)]
    return [kernel("attention_delta", "o do delta", [length], dict(BM=128), 128, 1),
            kernel("attention_grad_keys", "q k v do lse delta dk dv", [scale, length], dict(BM=32, BN=128), 128, 3),
            kernel("attention_grad_rows", "q k v do lse delta dq", [scale, length], dict(BM=128, BN=32), 128, 3)]


def of_rows(problem):
    rows, columns = problem.sizes
    block = 1 << (columns - 1).bit_length()
    warps = max(4, min(32, block // 256))

    def row(name):
        return (name, "bf16", rows * columns)

    def vector(name):
        return (name, "f32", columns)
    if problem.kind == "softmax":
        arguments = [row("x"), row("y"), columns]
    elif problem.kind == "softmax_grad":
        arguments = [row("dy"), row("y"), row("dx"), columns]
    elif problem.kind == "layer_norm":
        arguments = [row("x"), vector("w"), vector("b"), row("y"), columns, 1e-5]
    else:
        parts = min(PARTS, rows // 4)
        sums = [("parts_w", "f32", parts * columns), ("parts_b", "f32", parts * columns)]
        return [Kernel("layer_norm_grad", [row("dy"), row("x"), vector("w"), row("dx"), *sums, columns, 1e-5],
                       dict(ROWS=rows // parts, BLOCK=block), (parts, 1, 1), warps, 1, problem.bytes),
                Kernel("sum_rows", [*sums, vector("dw"), vector("db"), parts, columns], dict(ROWS=16, BLOCK=64),
                       (math.ceil(columns / 64), 1, 1), 4, 1, 8 * columns * (parts + 1))]
    return [Kernel(problem.kind, arguments, dict(BLOCK=block), (rows, 1, 1), warps, 1, problem.bytes)]


def variants(problem):
    """Name of a variant -> the kernels that solve a problem. Only products come in several tiles."""
    if problem.family == "matmul":
        return {tile: of_matmul(problem, tile) for tile in TILES
                if all(size % int(part) == 0 for size, part in zip(problem.sizes, tile.split("x")))}
    return {"": of_attention(problem) if problem.family == "attention" else of_rows(problem)}


def compile_kernel(kernel, chip, folder):
    """Writes a kernel's PTX; returns its path, name and dynamic shared bytes."""
    import triton
    from triton.backends.compiler import GPUTarget

    from . import triton_kernels
    function = getattr(triton_kernels, kernel.function)
    signature, constants, attributes = {}, {}, {}
    for i, name in enumerate(function.arg_names):
        value = kernel.constants.get(name) if name in kernel.constants else kernel.arguments[i]
        if name in kernel.constants or value == 1:
            signature[name], constants[(i,)] = "constexpr", value
        elif isinstance(value, tuple):
            signature[name] = "*" + {"bf16": "bf16", "f32": "fp32"}[value[1]]
        else:
            signature[name] = "fp32" if isinstance(value, float) else "i32"
        # As the JIT specialises: buffers are aligned, and many sizes are multiples of 16.
        if isinstance(value, tuple) or (isinstance(value, int) and value % 16 == 0 and name not in kernel.constants):
            attributes[(i,)] = [["tt.divisibility", 16]]
    source = triton.compiler.ASTSource(fn=function, signature=signature, constexprs=constants, attrs=attributes)
    compiled = triton.compile(source, target=GPUTarget("cuda", int(chip[3:5]), 32),
                              options={"num_warps": kernel.warps, "num_stages": kernel.stages,
                                       "enable_fp_fusion": True, "ptx_version": 86})
    path = folder / f"{compiled.hash}.ptx"
    path.write_text(compiled.asm["ptx"])
    return path, compiled.metadata.name, compiled.metadata.shared


def argument(value):
    if isinstance(value, tuple):
        name, kind, elements = value
        return f"zeros:{name}:{kind}:{elements}"
    return f"f32:{value}" if isinstance(value, float) else f"i32:{value}"


def count(kernel, emulator, chip, folder, modules):
    """The Counts of a kernel. Kernels with the same PTX share a module."""
    path, name, shared = compile_kernel(kernel, chip, folder)
    if path not in modules:
        modules[path] = counts.Module(emulator, path, chip, folder)
    arguments = [argument(value) for value in kernel.arguments if value != 1]
    launch = counts.Launch(name, kernel.grid, 32 * kernel.warps, shared, arguments, kernel.bytes, kernel.heads)
    family = "matmul" if kernel.function == "matmul" else "attention" if kernel.heads else "row"
    return modules[path].count(launch, counts.most_samples(family))


def path_of(chip):
    return FOLDER / f"triton.{chip}.json"


def update(emulator, chip, folder, report):
    """Checks and counts all kernels, and keeps the counters."""
    missing = [package for package in ("triton", "numpy") if not importlib.util.find_spec(package)]
    if missing:
        raise SystemExit(f"error: the peers need Python's {' and '.join(missing)}: pip install {' '.join(missing)}")
    import triton

    from . import peers_check
    modules = {}
    peers_check.check_all(emulator, chip, folder, report)
    lines = []
    for size in ("tiny", "gpt2"):
        for problem in problems(size):
            for tile, kernels in variants(problem).items():
                found = [count(kernel, emulator, chip, folder, modules).as_json() for kernel in kernels]
                report(f"counted {problem.name} {tile}")
                entry = json.dumps(found, separators=(",", ":"), sort_keys=True)
                lines.append(f"  {json.dumps(f'{problem.name} {tile}'.strip())}: {entry}")
    # One line per problem, so that a difference can be read.
    made_by = f"Triton {triton.__version__} for {chip}, {tools.version('ptxas')}"
    text = "{\n" + f'  "made by": {json.dumps(made_by)},\n' + ",\n".join(lines) + "\n}\n"
    FOLDER.mkdir(exist_ok=True)
    path_of(chip).write_text(text)


@functools.cache
def load(chip):
    """(who made them, {problem: {variant: [Counts]}}) of the kept counters."""
    if not path_of(chip).exists():
        raise SystemExit(f"error: expected {path_of(chip)}, found none: bench/gpu.py --update-peers makes it")
    kept = json.loads(path_of(chip).read_text())
    result = {}
    for key, kernels in kept.items():
        if key != "made by":
            kind, sizes, *tile = key.split()
            result.setdefault(f"{kind} {sizes}", {})["".join(tile)] = [counts.Counts.from_json(k) for k in kernels]
    return kept["made by"], result
