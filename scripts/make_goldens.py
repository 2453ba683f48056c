#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the values of test/Goldens that PyTorch vouches for.

    python3 scripts/make_goldens.py [FOLDER]        # default: test/Goldens/Inputs

Needs torch, numpy and safetensors from PyPI; the tests that read the files need none of them. Versions, seeds and
hyperparameters stand in the files' metadata.

gpt2-*.safetensors is a GPT-2 with a tied classifier, computed in f64 from parameters that f32 holds exactly, then
stored as f32:

    NAME                the parameters, as Hugging Face's checkpoints name them
    tokens, targets     10 batches, one after another along axis 0
    loss                of the first batch
    gradient.NAME       of that loss
    losses              of the 10 batches, each before its AdamW step
    grad_norms          of the 10 batches, before clipping

gpt2-*.json is the Hugging Face configuration that --hf-config-to-nova makes its program from.
"""

import argparse
import json
import math
import pathlib

import numpy
import torch
import torch.nn.functional as F
from safetensors.torch import save_file

STEPS = 10
ADAMW = {"lr": 1e-3, "beta1": 0.9, "beta2": 0.95, "eps": 1e-8, "weight_decay": 0.1, "clip": 1.0}

# Regular sizes, and sizes that no tile divides.
SHAPES = {
    "gpt2-regular": {"layers": 2, "heads": 2, "width": 64, "vocabulary": 256, "context": 64, "batch": 2, "seed": 1},
    "gpt2-odd": {"layers": 2, "heads": 3, "width": 60, "vocabulary": 131, "context": 33, "batch": 3, "seed": 2},
}


def parameter_shapes(shape):
    width = shape["width"]
    shapes = {
        "transformer.wte.weight": (shape["vocabulary"], width),
        "transformer.wpe.weight": (shape["context"], width),
    }
    for layer in range(shape["layers"]):
        prefix = f"transformer.h.{layer}."
        shapes |= {
            prefix + "ln_1.weight": (width,),
            prefix + "ln_1.bias": (width,),
            prefix + "attn.c_attn.weight": (width, 3 * width),
            prefix + "attn.c_attn.bias": (3 * width,),
            prefix + "attn.c_proj.weight": (width, width),
            prefix + "attn.c_proj.bias": (width,),
            prefix + "ln_2.weight": (width,),
            prefix + "ln_2.bias": (width,),
            prefix + "mlp.c_fc.weight": (width, 4 * width),
            prefix + "mlp.c_fc.bias": (4 * width,),
            prefix + "mlp.c_proj.weight": (4 * width, width),
            prefix + "mlp.c_proj.bias": (width,),
        }
    return shapes | {"transformer.ln_f.weight": (width,), "transformer.ln_f.bias": (width,)}


def initial_parameters(shape, generator):
    # Larger than GPT-2's, and random where GPT-2 starts with 0 and 1: every term of every gradient should matter.
    parameters = {}
    for name, size in parameter_shapes(shape).items():
        value = torch.randn(size, generator=generator, dtype=torch.float64)
        value = 1 + 0.1 * value if ".ln_" in name and name.endswith("weight") else 0.1 * value
        parameters[name] = value.float().double()
    return parameters


def loss_of(parameters, tokens, targets, shape):
    """GPT-2 in primitive operations: nothing of PyTorch's attention or norms is trusted."""
    heads, width = shape["heads"], shape["width"]
    batch, length = tokens.shape

    def linear(x, name):
        return x @ parameters[name + ".weight"] + parameters[name + ".bias"]

    def layer_norm(x, name):
        centered = x - x.mean(-1, keepdim=True)
        variance = (centered * centered).mean(-1, keepdim=True)
        return centered / torch.sqrt(variance + 1e-5) * parameters[name + ".weight"] + parameters[name + ".bias"]

    def split_heads(x):
        return x.reshape(batch, length, heads, width // heads).transpose(1, 2)

    hidden = torch.full((length, length), -math.inf, dtype=torch.float64).triu(1)
    x = parameters["transformer.wte.weight"][tokens] + parameters["transformer.wpe.weight"][:length]
    for layer in range(shape["layers"]):
        prefix = f"transformer.h.{layer}."
        q, k, v = map(split_heads, linear(layer_norm(x, prefix + "ln_1"), prefix + "attn.c_attn").split(width, -1))
        scores = q @ k.transpose(2, 3) / math.sqrt(width // heads) + hidden
        attention = (torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(batch, length, width)
        x = x + linear(attention, prefix + "attn.c_proj")
        inner = linear(layer_norm(x, prefix + "ln_2"), prefix + "mlp.c_fc")
        gelu = 0.5 * inner * (1 + torch.tanh(math.sqrt(2 / math.pi) * (inner + 0.044715 * inner**3)))
        x = x + linear(gelu, prefix + "mlp.c_proj")
    logits = layer_norm(x, "transformer.ln_f") @ parameters["transformer.wte.weight"].T
    return F.cross_entropy(logits.reshape(batch * length, -1), targets.reshape(-1))


def golden(shape):
    generator = torch.Generator().manual_seed(shape["seed"])
    initial = initial_parameters(shape, generator)
    size = (STEPS * shape["batch"], shape["context"])
    tokens = torch.randint(shape["vocabulary"], size, generator=generator)
    targets = torch.randint(shape["vocabulary"], size, generator=generator)
    values = dict(initial, tokens=tokens.int(), targets=targets.int())

    parameters = {name: value.clone().requires_grad_() for name, value in initial.items()}
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in parameters.values() if p.dim() >= 2], "weight_decay": ADAMW["weight_decay"]},
            {"params": [p for p in parameters.values() if p.dim() < 2], "weight_decay": 0.0},
        ],
        lr=ADAMW["lr"], betas=(ADAMW["beta1"], ADAMW["beta2"]), eps=ADAMW["eps"],
    )  # fmt: skip
    losses, norms = [], []
    for batch_tokens, batch_targets in zip(tokens.split(shape["batch"]), targets.split(shape["batch"])):
        optimizer.zero_grad()
        loss = loss_of(parameters, batch_tokens, batch_targets, shape)
        loss.backward()
        if not losses:
            values["loss"] = loss.detach()
            values |= {"gradient." + name: parameter.grad.clone() for name, parameter in parameters.items()}
        # Scales by min(1, clip / (norm + 1e-6)).
        norms.append(torch.nn.utils.clip_grad_norm_(parameters.values(), ADAMW["clip"]))
        losses.append(loss.detach())
        optimizer.step()
    values |= {"losses": torch.stack(losses), "grad_norms": torch.stack(norms)}
    return {name: value.float() if value.is_floating_point() else value for name, value in values.items()}


def save(values, path, settings):
    versions = {"torch": torch.__version__, "numpy": numpy.__version__}
    # One key: safetensors writes several in random order, and a run should give the same bytes.
    save_file(values, path, {"made_by_make_goldens": json.dumps(versions | settings)})
    path.chmod(0o644)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    arguments = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    arguments.add_argument("folder", nargs="?", type=pathlib.Path, default=root / "test" / "Goldens" / "Inputs")
    folder = arguments.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, shape in SHAPES.items():
        values = golden(shape)
        save(values, folder / f"{name}.safetensors", shape | ADAMW)
        config = {
            "model_type": "gpt2", "vocab_size": shape["vocabulary"], "n_positions": shape["context"],
            "n_embd": shape["width"], "n_layer": shape["layers"], "n_head": shape["heads"],
        }  # fmt: skip
        (folder / f"{name}.json").write_text(json.dumps(config, indent=2) + "\n")
        losses = ", ".join(f"{loss:.4f}" for loss in values["losses"].tolist())
        norms = ", ".join(f"{norm:.3f}" for norm in values["grad_norms"].tolist())
        print(f"{name}: losses {losses}; gradient norms {norms}")


if __name__ == "__main__":
    main()
