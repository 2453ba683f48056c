# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one launch of a kernel does, by the emulator's counters, its PTX, and where they can be had ptxas and SASS."""
import concurrent.futures
import dataclasses
import math
import os
import pathlib
import re
from dataclasses import dataclass

from . import code, tools

PRODUCT = 4096  # FLOP of mma.m16n8k16, which products of other shapes are counted in
SPECIAL = re.compile(r"(ex2|lg2|rcp|rsqrt|sqrt|sin|cos|tanh|div)\.(?!.*(f64|[su]\d))")


@dataclass
class Launch:
    """A launch of a kernel as the emulator takes it, with what is known of its work."""
    kernel: str
    grid: tuple
    threads: int
    shared: int  # dynamic
    arguments: list
    bytes: float  # that must be read and written
    heads: int = 0  # of attention, whose blocks do unlike work
    inputs: pathlib.Path | None = None


@dataclass
class Counts:
    kernel: str
    blocks: int
    threads: int
    bytes: float
    warp_instructions: float
    products: float  # matrix instructions, in units of PRODUCT
    matrix: dict  # warp instructions by opcode
    shuffles: float
    special: float
    f64: float
    atomics: float
    async_requests: float  # copies into shared memory that no register sees
    async_sectors: float
    requests: float
    sectors: float
    sectors_ideal: float
    sectors_distinct: float
    load_share: float  # of the bytes that all threads ask for
    shared_wavefronts: float
    shared_ideal: float
    shared_bytes: int
    registers: int | None = None
    local_bytes: int | None = None
    ptx_loop: code.Loop | None = None
    sass_loop: code.Loop | None = None

    @property
    def loop(self):
        return self.sass_loop or self.ptx_loop

    @property
    def warps(self):
        return self.blocks * -(-self.threads // 32)

    def as_json(self):
        return {key: round(value, 3) if isinstance(value, float) else value
                for key, value in dataclasses.asdict(self).items() if value is not None}

    @staticmethod
    def from_json(fields):
        loops = {name: code.Loop(**fields[name]) for name in ("ptx_loop", "sass_loop") if fields.get(name)}
        return Counts(**{**fields, **loops})


def flops(opcode):
    """FLOP of a matrix instruction, of one warp's part of it."""
    m, n, k = map(int, re.search(r"\.m(\d+)n(\d+)k(\d+)", opcode).groups())
    return 2 * m * n * k / (4 if opcode.startswith("wgmma") else 1)


def samples(blocks, most, heads=0):
    """Numbers of blocks, spread evenly over a grid. The blocks of one head of causal attention do unlike work: one of
    each kind is taken, whether a head's blocks lie side by side or those of one kind do."""
    if blocks <= most:
        return list(range(blocks))
    if heads and blocks % heads == 0:
        kinds, stride = blocks // heads, heads
        while math.gcd(stride, kinds) > 1:
            stride += 1
        return [kind * stride % blocks for kind in range(kinds)]
    # Not at even distances, which rows whose addresses have a period would be alike at.
    part = blocks // most
    return [i * blocks // most + (5 * i + 3) % part for i in range(most)]


def accessed(mix, kind):
    """Bytes that threads ask for: by loads and copies, or by stores."""
    total = 0
    for opcode, times in mix.items():
        if kind == "ld" and code.COPY.match(opcode):
            total += 16 * times
        elif match := re.match(kind + r"\.global(?:\.\w+(?:::\w+)?)*?(?:\.v(\d))?\.[a-z]+(\d+)$", opcode):
            total += int(match[1] or 1) * code.BYTES[match[2]] * times
    return total


def scaled(launch, counters, sampled):
    """The counters of some blocks as those of the whole grid."""
    blocks = launch.grid[0] * launch.grid[1] * launch.grid[2]
    factor, mix = blocks / sampled, counters["mix"]

    def total(accepts):
        return factor * sum(times for opcode, times in mix.items() if accepts(opcode))
    matrix = {opcode: times * factor for opcode, times in mix.items() if code.MATRIX.match(opcode)}
    loads, stores = accessed(mix, "ld") + counters["bulk_bytes"] / 32, accessed(mix, "st")
    by_wgmma = counters["wgmma_shared_bytes"] / 128  # wavefronts: it reads its operands there
    return Counts(
        kernel=launch.kernel, blocks=blocks, threads=launch.threads, bytes=launch.bytes, matrix=matrix,
        warp_instructions=counters["warp_instructions"] * factor,
        products=2 * counters["matrix_multiply_adds"] * factor / PRODUCT, shuffles=counters["shuffles"] * factor,
        special=total(SPECIAL.match),
        f64=total(lambda opcode: opcode.endswith(".f64") and not opcode.startswith(("mov", "ld", "st", "selp"))),
        atomics=total(lambda opcode: re.match(r"(atom|red)\.(?!.*shared)", opcode)),
        async_requests=total(code.COPY.match) + factor * counters["bulk_copies"],
        # 512 bytes of a warp are 16 sectors.
        async_sectors=16 * total(code.COPY.match) + factor * counters["bulk_bytes"] / 32,
        requests=counters["global_requests"] * factor, sectors=counters["global_sectors"] * factor,
        sectors_ideal=counters["global_sectors_ideal"] * factor,
        sectors_distinct=counters["global_sectors_distinct"] * factor,
        load_share=loads / (loads + stores) if loads + stores else 0,
        shared_wavefronts=(counters["shared_wavefronts"] + by_wgmma) * factor,
        shared_ideal=(counters["shared_wavefronts_ideal"] + by_wgmma) * factor, shared_bytes=launch.shared)


def most_samples(family):
    """Blocks of a kernel that are run: the inner ones of a product are alike, and long."""
    return {"matmul": 4, "attention": 8}.get(family, 16)


class Module:
    """A PTX file, its code for a chip, and the counters of its kernels. A kernel that two chips share is run once."""
    counted = {}

    def __init__(self, emulator, ptx, chip, folder):
        self.emulator, self.ptx, self.folder = emulator, ptx, folder
        self.text = ptx.read_text()
        self.ptx_code = code.ptx_kernels(self.text)
        self.resources, cubin = tools.assemble(ptx, chip, folder)
        sass = tools.disassemble(cubin)
        self.sass_code = code.sass_kernels(sass) if sass else {}

    def count(self, launch, most):
        """The Counts of a launch, from at most so many of its blocks; for attention from those of a head."""
        missing = code.parameters(self.text, launch.kernel) - len(launch.arguments)
        arguments = launch.arguments + ["zeros:rest:i32:64"] + ["rest"] * (missing - 1) if missing else launch.arguments
        blocks = launch.grid[0] * launch.grid[1] * launch.grid[2]
        numbers = samples(blocks, most, launch.heads)
        key = (tuple(self.ptx_code[launch.kernel]), launch.grid, launch.threads, launch.shared, tuple(arguments))
        if key not in self.counted:
            self.counted[key] = tools.emulate(self.emulator, self.ptx, launch.kernel, launch.grid, launch.threads,
                                              launch.shared, arguments, numbers, self.folder, launch.inputs)
        counts = scaled(launch, self.counted[key], len(numbers))
        counts.ptx_loop = code.main_loop(self.ptx_code[launch.kernel])
        if launch.kernel in self.resources:
            counts.registers, static, counts.local_bytes = self.resources[launch.kernel]
            counts.shared_bytes += static
        if launch.kernel in self.sass_code:
            counts.sass_loop = code.main_loop(self.sass_code[launch.kernel])
        return counts


def in_parallel(function, items):
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(function, items))
