# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a card can do at most: every prediction stands on this table. docs/GpuModel.md names the sources."""
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Card:
    chip: str  # what Nova's kernels are compiled for
    peers: str  # and the peers'
    multiprocessors: int
    clock: float  # Hz, under load
    matrix: dict  # FLOP/s of products of bf16 summed in f32, by instruction
    dram: float  # bytes/s
    l2: float  # bytes/s
    latency: float  # seconds from a load of what lies in DRAM to its value
    threads: int  # the most of a multiprocessor, as the three below
    blocks: int
    shared: int
    block_shared: int  # the most of one block
    f64_lanes: int  # results a clock of a multiprocessor
    registers: int = 65536
    schedulers: int = 4  # warp instructions a clock
    special_lanes: int = 16


CARDS = {
    "RTX 6000 Ada": Card(chip="sm_89", peers="sm_89", multiprocessors=142, clock=2.5e9, matrix={"mma": 364e12},
                         dram=960e9, l2=5.0e12, latency=600e-9, threads=1536, blocks=24, shared=100 << 10,
                         block_shared=99 << 10, f64_lanes=2),
    "H200": Card(chip="sm_90", peers="sm_90a", multiprocessors=132, clock=1.75e9,
                 matrix={"mma": 591e12, "wgmma": 946e12}, dram=4.8e12, l2=6.5e12, latency=700e-9, threads=2048,
                 blocks=32, shared=228 << 10, block_shared=227 << 10, f64_lanes=64),
}

# Cards that tokens/s of torch.compile are known for, with which predictions for the peers' kernels are compared.
# GeForce cards sum in f32 at half the rate.
MEASURED = {
    "RTX 4090": (replace(CARDS["RTX 6000 Ada"], multiprocessors=128, clock=2.52e9, matrix={"mma": 165e12}, dram=1008e9),
                 106e3),
    "H100": (replace(CARDS["H200"], dram=3.35e12), 380e3),
}

# What good kernels reach of the figures above. DRAM and the H200's matrix units as measured there (a copy: 4.3 of 4.8
# TB/s; a product of 8192 x 8192 x 8192 by cuBLAS: 788 TFLOP/s); the L2's figures are measured ones already; the others
# are assumed to be like the matrix units.
ATTAINED = {"issue": 0.83, "matrix": 0.83, "shared": 0.83, "special": 0.83, "L2": 1.0, "DRAM": 0.9, "latency": 1.0}

# Seconds from the end of a kernel to the start of the next one of a graph, as its blocks start and end unevenly.
LAUNCH = 2e-6
