#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains examples/gpt2-tiny.mlir by Nova and by PyTorch: same text, order, initial parameters, schedule and optimizer.

    python3 scripts/compare_with_torch.py BIN FOLDER [--steps 300] [--data '/usr/share/common-licenses/*']

BIN holds nova-run. Nova's curves are drawn as FOLDER/run.svg; the mean of the last 20 losses of each is printed, and where
they differ by more than 1e-2 the exit code is 1. Needs torch and safetensors from PyPI.
"""

import argparse
import glob
import json
import math
import pathlib
import subprocess
import sys

import torch
from safetensors.torch import load_file

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "scripts"))
import make_goldens  # noqa: E402

SHAPE = {"layers": 2, "heads": 2, "width": 64, "vocabulary": 256, "context": 64, "batch": 8}
LR, WARMUP, MIN_LR, DECAY, CLIP = 1e-3, 20, 1e-4, 0.1, 1.0


def rate(step, steps):
    if step < WARMUP:
        return LR * (step + 1) / WARMUP
    return MIN_LR + (LR - MIN_LR) * (1 + math.cos(math.pi * (step - WARMUP) / (steps - 1 - WARMUP))) / 2


def train(parameters, text, steps):
    """PyTorch's losses, in f64."""
    parameters = {name: value.double().requires_grad_() for name, value in parameters.items()}
    groups = [{"params": [value], "weight_decay": DECAY if value.dim() >= 2 else 0.0} for value in parameters.values()]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.95), eps=1e-8)
    tokens_per_batch = SHAPE["batch"] * SHAPE["context"]
    batches = (len(text) - 1) // tokens_per_batch
    losses = []
    for step in range(steps):
        first = step % batches * tokens_per_batch
        window = torch.tensor(list(text[first:first + tokens_per_batch + 1]))
        tokens, targets = (part.view(SHAPE["batch"], SHAPE["context"]) for part in (window[:-1], window[1:]))
        loss = make_goldens.loss_of(parameters, tokens, targets, SHAPE)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters.values(), CLIP)
        for group in optimizer.param_groups:
            group["lr"] = rate(step, steps)
        optimizer.step()
    return losses


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--data", default="/usr/share/common-licenses/*")
    options = parser.parse_args()
    folder, nova_run = options.folder.resolve(), options.bin.resolve() / "nova-run"
    folder.mkdir(parents=True, exist_ok=True)
    text = b"".join(pathlib.Path(name).read_bytes() for name in sorted(glob.glob(options.data)))
    (folder / "text.txt").write_bytes(text)
    init, log = folder / "init.safetensors", folder / "log.jsonl"
    # A plot has the program's name as it was given.
    command = [nova_run, "examples/gpt2-tiny.mlir", "--quiet", "--data", folder / "text.txt", "--data-order=sequential"]
    subprocess.run([*command, "--steps=1", "--lr=0", "--save", init], check=True, cwd=SOURCE)
    subprocess.run([*command, f"--steps={options.steps}", f"--lr={LR}", "--lr-schedule=cosine", f"--warmup={WARMUP}",
                    f"--min-lr={MIN_LR}", "--init", init, "--log", log, "--plot", folder / "run.svg"], check=True,
                   cwd=SOURCE)
    nova = [json.loads(line)["loss"] for line in log.read_text().splitlines()]
    torch_losses = train(load_file(init), text, options.steps)
    means = [sum(losses[-20:]) / 20 for losses in (nova, torch_losses)]
    print(f"mean of the last 20 of {options.steps} losses: Nova {means[0]:.4f}, PyTorch {means[1]:.4f}, "
          f"largest difference of a step {max(abs(a - b) for a, b in zip(nova, torch_losses)):.4f}")
    return abs(means[0] - means[1]) > 1e-2


if __name__ == "__main__":
    sys.exit(main())
