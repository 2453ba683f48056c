#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses of PyTorch's optimizers and schedules, which Nova's are compared with.

    python3 scripts/make_optimizer_goldens.py test/Training/Inputs    # writes optimizers*

Trains the classifier of test/Training/Inputs/classifier.mlir.in in f64 from the same f32 parameters and data: every
optimizer, with clipping, weight decay and its factors, a learning-rate factor, a frozen parameter, and schedules with
warmup. Needs torch and safetensors from PyPI; written with torch 2.15, seed 5.
"""

import json
import pathlib
import sys

import torch
from safetensors.torch import save_file
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR

STEPS, BATCH, SAMPLES = 14, 8, 40
LR_FACTOR = {"w2": 0.5}
DECAY_FACTOR = {"w1": 1.0, "b1": 0.0, "w2": 2.0, "b2": 1.0}

# Name, PyTorch's optimizer, its arguments, flags of nova-run, and what both share.
CASES = [
    ("adamw", torch.optim.AdamW, {"betas": (0.9, 0.95), "eps": 1e-8}, {}, {"lr": 0.05, "decay": 0.1, "clip": 1.0}),
    ("adamw-betas", torch.optim.AdamW, {"betas": (0.8, 0.7), "eps": 1e-3}, {"beta1": 0.8, "beta2": 0.7, "eps": 1e-3},
     {"lr": 0.05, "decay": 0.3, "clip": 0}),
    ("adam", torch.optim.Adam, {"betas": (0.9, 0.95), "eps": 1e-8}, {"optimizer": "adam"},
     {"lr": 0.05, "decay": 0.1, "clip": 0.3}),
    ("sgd", torch.optim.SGD, {"momentum": 0.9}, {"optimizer": "sgd"}, {"lr": 0.1, "decay": 0.05, "clip": 0.5}),
    ("sgd-plain", torch.optim.SGD, {"momentum": 0.0}, {"optimizer": "sgd", "momentum": 0.0},
     {"lr": 0.5, "decay": 0.0, "clip": 0}),
    ("nesterov", torch.optim.SGD, {"momentum": 0.8, "nesterov": True},
     {"optimizer": "sgd", "momentum": 0.8, "nesterov": "true"}, {"lr": 0.1, "decay": 0.05, "clip": 0.5}),
    ("linear", torch.optim.SGD, {"momentum": 0.5}, {"optimizer": "sgd", "momentum": 0.5},
     {"lr": 0.2, "decay": 0.01, "clip": 1.0, "schedule": "linear", "warmup": 4, "min": 0.02}),
    ("cosine", torch.optim.AdamW, {"betas": (0.9, 0.95), "eps": 1e-8}, {},
     {"lr": 0.05, "decay": 0.1, "clip": 1.0, "schedule": "cosine", "warmup": 3, "min": 0.005}),
]


def make_schedule(optimizer, shared):
    rest = STEPS - 1 - shared["warmup"]
    warmup = LinearLR(optimizer, 1 / shared["warmup"], 1.0, shared["warmup"] - 1)
    if shared["schedule"] == "linear":
        after = LinearLR(optimizer, 1.0, shared["min"] / shared["lr"], rest)
    else:
        # The floor of the schedule is that of the group whose factor is 1.
        after = CosineAnnealingLR(optimizer, rest, shared["min"])
    return SequentialLR(optimizer, [warmup, after], [shared["warmup"]])


def train(tensors, maker, arguments, shared):
    parameters = {name: tensors[name].double().requires_grad_() for name in ("w1", "b1", "w2", "b2")}
    # A schedule's factor is one for all groups only where it multiplies: cosine has a floor, so no factor there.
    factors = {} if shared.get("schedule") == "cosine" else LR_FACTOR
    groups = [{"params": [value], "lr": shared["lr"] * factors.get(name, 1),
               "weight_decay": shared["decay"] * DECAY_FACTOR[name]} for name, value in parameters.items()]
    optimizer = maker(groups, **arguments)
    schedule = make_schedule(optimizer, shared) if "schedule" in shared else None
    losses = []
    for step in range(STEPS):
        rows = torch.arange(step * BATCH, (step + 1) * BATCH) % SAMPLES
        hidden = torch.tanh(tensors["x"].double()[rows] @ parameters["w1"] + parameters["b1"]) * tensors["gain"].double()
        logits = hidden @ parameters["w2"] + parameters["b2"]
        loss = torch.nn.functional.cross_entropy(logits, tensors["y"][rows].long())
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        if shared["clip"]:
            torch.nn.utils.clip_grad_norm_(parameters.values(), shared["clip"])
        optimizer.step()
        if schedule:
            schedule.step()
    return losses


def main():
    folder = pathlib.Path(sys.argv[1])
    generator = torch.Generator().manual_seed(5)
    normal = lambda *shape: torch.randn(shape, generator=generator)  # noqa: E731
    tensors = {"x": normal(SAMPLES, 5), "w1": normal(5, 7) / 2, "b1": normal(7) / 4, "gain": 1 + normal(7) / 4,
               "w2": normal(7, 3) / 2, "b2": normal(3) / 4}
    tensors["y"] = torch.randint(3, (SAMPLES,), generator=generator).int()
    cases = []
    for name, maker, arguments, flags, shared in CASES:
        flags = {"lr": shared["lr"], "weight-decay": shared["decay"], "clip": shared["clip"], **flags}
        if "schedule" in shared:
            flags |= {"lr-schedule": shared["schedule"], "warmup": shared["warmup"], "min-lr": shared["min"]}
        cases.append({"name": name, "flags": [f"--{flag}={value}" for flag, value in flags.items()],
                      "lr_factor": shared.get("schedule") != "cosine",
                      "losses": train(tensors, maker, arguments, shared)})
    save_file({name: tensors[name] for name in ("x", "y")}, folder / "optimizers-data.safetensors")
    save_file({name: tensors[name] for name in ("w1", "b1", "gain", "w2", "b2")}, folder / "optimizers-init.safetensors")
    (folder / "optimizers.json").write_text(json.dumps({"torch": torch.__version__, "steps": STEPS, "batch": BATCH,
                                                        "cases": cases}, indent=1) + "\n")


if __name__ == "__main__":
    main()
