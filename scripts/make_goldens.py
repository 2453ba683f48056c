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

gpt2-regular-bf16.safetensors is what bf16 does to the first of them, by PyTorch's autocast, from the same parameters on
the same batches:

    losses              of 50 steps, the 10 batches over and over
    distance.NAME       between the first step's gradient and that in f64: norm of the difference, by the latter's norm

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

STEPS, BF16_STEPS = 10, 50
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


def autocast_loss_of(parameters, tokens, targets, shape):
    """The same model as a PyTorch user writes it, under autocast to bf16."""
    heads, width = shape["heads"], shape["width"]
    batch, length = tokens.shape

    def linear(x, name):
        return F.linear(x, parameters[name + ".weight"].T, parameters[name + ".bias"])

    def layer_norm(x, name):
        return F.layer_norm(x, (width,), parameters[name + ".weight"], parameters[name + ".bias"])

    with torch.autocast("cpu", torch.bfloat16):
        x = F.embedding(tokens, parameters["transformer.wte.weight"]) + parameters["transformer.wpe.weight"][:length]
        for layer in range(shape["layers"]):
            prefix = f"transformer.h.{layer}."
            qkv = linear(layer_norm(x, prefix + "ln_1"), prefix + "attn.c_attn").split(width, -1)
            q, k, v = (z.reshape(batch, length, heads, width // heads).transpose(1, 2) for z in qkv)
            attention = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + linear(attention.transpose(1, 2).reshape(batch, length, width), prefix + "attn.c_proj")
            inner = linear(layer_norm(x, prefix + "ln_2"), prefix + "mlp.c_fc")
            x = x + linear(F.gelu(inner, approximate="tanh"), prefix + "mlp.c_proj")
        logits = F.linear(layer_norm(x, "transformer.ln_f"), parameters["transformer.wte.weight"])
        return F.cross_entropy(logits.reshape(batch * length, -1), targets.reshape(-1))


def train(initial, tokens, targets, shape, loss_of, steps):
    """Losses and gradient norms of the steps, and the first step's gradients."""
    parameters = {name: value.clone().requires_grad_() for name, value in initial.items()}
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in parameters.values() if p.dim() >= 2], "weight_decay": ADAMW["weight_decay"]},
            {"params": [p for p in parameters.values() if p.dim() < 2], "weight_decay": 0.0},
        ],
        lr=ADAMW["lr"], betas=(ADAMW["beta1"], ADAMW["beta2"]), eps=ADAMW["eps"],
    )  # fmt: skip
    batches = list(zip(tokens.split(shape["batch"]), targets.split(shape["batch"])))
    losses, norms, gradients = [], [], {}
    for step in range(steps):
        optimizer.zero_grad()
        loss = loss_of(parameters, *batches[step % len(batches)], shape)
        loss.backward()
        gradients = gradients or {name: parameter.grad.clone() for name, parameter in parameters.items()}
        # Scales by min(1, clip / (norm + 1e-6)).
        norms.append(torch.nn.utils.clip_grad_norm_(parameters.values(), ADAMW["clip"]))
        losses.append(loss.detach())
        optimizer.step()
    return torch.stack(losses), torch.stack(norms), gradients


def golden(shape):
    generator = torch.Generator().manual_seed(shape["seed"])
    initial = initial_parameters(shape, generator)
    size = (STEPS * shape["batch"], shape["context"])
    tokens = torch.randint(shape["vocabulary"], size, generator=generator)
    targets = torch.randint(shape["vocabulary"], size, generator=generator)
    values = dict(initial, tokens=tokens.int(), targets=targets.int())

    losses, norms, gradients = train(initial, tokens, targets, shape, loss_of, STEPS)
    values |= {"loss": losses[0], "losses": losses, "grad_norms": norms}
    values |= {"gradient." + name: gradient for name, gradient in gradients.items()}
    return {name: value.float() if value.is_floating_point() else value for name, value in values.items()}


def bf16_golden(values, shape):
    initial = {name: value for name, value in values.items() if name.startswith("transformer.")}
    tokens, targets = values["tokens"].long(), values["targets"].long()
    losses, _, gradients = train(initial, tokens, targets, shape, autocast_loss_of, BF16_STEPS)
    result = {"losses": losses.float()}
    for name, gradient in gradients.items():
        exact = values["gradient." + name].double()
        result["distance." + name] = ((gradient.double() - exact).norm() / exact.norm()).float()
    return result


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
        if name == "gpt2-regular":
            bf16 = bf16_golden(values, shape)
            save(bf16, folder / f"{name}-bf16.safetensors", shape | ADAMW)
            distances = [value.item() for key, value in bf16.items() if key.startswith("distance.")]
            print(f"{name} in bf16: last loss {bf16['losses'][-1]:.4f}; distances of gradients up to {max(distances):.4f}")


if __name__ == "__main__":
    main()
