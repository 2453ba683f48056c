#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes test/Training/Inputs/positions-*.safetensors: rotary frequencies, and PyTorch's cosines and sines of the angles.

    python3 scripts/make_position_goldens.py

As transformers computes them, in f32 whatever the precision of the model: positions x frequencies, then cos and sin. The
last 32 of 2,048 positions are kept, whose angles bf16 would be off by up to 4.
"""

import pathlib

import torch
from make_goldens import save

inputs = pathlib.Path(__file__).resolve().parent.parent / "test/Training/Inputs"
frequencies = 1.0 / 10000 ** (torch.arange(0, 8, 2).float() / 8)
angles = (torch.arange(2048).float()[:, None] @ frequencies[None, :])[-32:]
save({"inv_freq": frequencies[None, :], "w": torch.ones(())}, inputs / "positions-frequencies.safetensors", {})
names = ("direct", "matmul", "constant")
save({f"{kind}.{name}": getattr(torch, kind)(angles) for kind in ("cos", "sin") for name in names},
     inputs / "positions-values.safetensors", {})  # fmt: skip
save({"cosines": angles.cos(), "sines": angles.sin()}, inputs / "positions-data.safetensors", {})
print("dense<[" + ", ".join(f"{value:.9g}" for value in frequencies.tolist()) + "]>")
