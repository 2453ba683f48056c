#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints between Nova and PyTorch: equal losses from one file, whoever wrote it.

    python3 scripts/check_torch_checkpoint.py BIN FOLDER    # BIN holds nova-run and nova-translate

Nova trains a small GPT-2 and saves it; PyTorch loads the file under Hugging Face's names and computes the loss of a batch,
which Nova must find, too. Then the other way round, with and without the prefix `transformer.`, and with the tied
classifier and the mask buffers that Hugging Face's checkpoints hold, in half precision, and in shards; and by transformers,
where that is installed, whose logits are compared, too. Needs torch and safetensors from PyPI.
"""

import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys

import torch
from safetensors.torch import load_file, save_file

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import make_goldens  # noqa: E402

SHAPE = {"layers": 2, "heads": 3, "width": 60, "vocabulary": 131, "context": 33, "batch": 3, "seed": 7}
TOLERANCE, LOGITS_TOLERANCE = 1e-6, 1e-5


def check_refusal(model, folder, run):
    """A checkpoint that does not fit: everything that is wrong is in one message."""
    state = model.state_dict()
    state["transformer.wpe.weight"] = state["transformer.wpe.weight"][:5].clone()
    state["transformer.h.9.ln_1.bias"] = state.pop("transformer.h.1.ln_1.bias")
    model.save_pretrained(folder / "refused", state_dict=state)
    said = run().stderr
    for part in ("misshapen: transformer.wpe.weight", "missing: transformer.h.1.ln_1.bias",
                 "unknown: transformer.h.9.ln_1.bias"):
        if part not in said:
            sys.exit(f"expected '{part}' in:\n{said}")
    print("one message lists what is missing, unknown and misshapen")


def main():
    tools, folder = map(pathlib.Path, sys.argv[1:3])
    folder.mkdir(parents=True, exist_ok=True)
    config = {"model_type": "gpt2", "n_layer": SHAPE["layers"], "n_head": SHAPE["heads"], "n_embd": SHAPE["width"],
              "vocab_size": SHAPE["vocabulary"], "n_positions": SHAPE["context"], "activation_function": "gelu_new"}
    (folder / "config.json").write_text(json.dumps(config))
    program = folder / "program.mlir"
    subprocess.run([tools / "nova-translate", "--hf-config-to-nova", "--batch=3", "--seq=33", folder / "config.json",
                    "-o", program], check=True)
    generator = torch.Generator().manual_seed(SHAPE["seed"])
    tokens, targets = (torch.randint(SHAPE["vocabulary"], (3, 33), generator=generator) for _ in range(2))
    save_file({"tokens": tokens.int(), "targets": targets.int()}, folder / "batch.safetensors")

    def nova(steps, *flags):
        """The first loss of a run on the one batch."""
        log = folder / "log.jsonl"
        subprocess.run([tools / "nova-run", program, f"--steps={steps}", "--data", folder / "batch.safetensors",
                        "--data-order=sequential", "--log", log, "--quiet", *flags], check=True)
        return json.loads(log.read_text().splitlines()[0])["loss"]

    def compare(what, found, expected):
        if not abs(found - expected) <= TOLERANCE * abs(expected):
            sys.exit(f"{what}: Nova's loss is {found}, PyTorch's {expected}")
        print(f"{what}: {found}")

    def logits(parameters):
        """Nova's logits for the batch: by the program without its end."""
        text, count = re.subn(r"%loss = nova.cross_entropy %logits, %targets : (\S+), .*\n *return .*",
                              r"return %logits : \1", program.read_text())
        shape = re.search(r"return %logits : (\S+)", text)[1]
        headless, out = folder / "logits.mlir", folder / "logits.safetensors"
        headless.write_text(text.replace(") -> tensor<f32>", f') -> ({shape} {{nova.name = "logits"}})'))
        subprocess.run([tools / "nova-run", headless, "--inputs", folder / "batch.safetensors", "--params", parameters,
                        "--outputs", out], check=True)
        return load_file(out)["logits"]

    def compare_logits(what, found, expected):
        worst = (found - expected).abs().max().item()
        if not worst <= LOGITS_TOLERANCE:
            sys.exit(f"{what}: logits differ by {worst}")
        print(f"{what}: logits within {LOGITS_TOLERANCE}")

    def loss_of(parameters):
        return make_goldens.loss_of(parameters, tokens, targets, SHAPE).item()

    saved = folder / "saved.safetensors"
    nova(5, "--lr=3e-3", "--save", saved)
    parameters = {name: value.double() for name, value in load_file(saved).items()}
    if parameters.keys() != make_goldens.parameter_shapes(SHAPE).keys() | {"lm_head.weight"}:
        sys.exit(f"expected Hugging Face's names, found {sorted(parameters)}")
    compare("saved by Nova", nova(1, "--init", saved), loss_of(parameters))

    parameters = make_goldens.initial_parameters(SHAPE, generator)
    single = {name: value.float() for name, value in parameters.items()}
    written = folder / "written.safetensors"
    save_file(single, written)
    compare("written by PyTorch", nova(1, "--init", written), loss_of(parameters))
    hub = {name.removeprefix("transformer."): value for name, value in single.items()}
    hub["lm_head.weight"] = hub["wte.weight"].clone()
    for layer in range(SHAPE["layers"]):
        hub[f"h.{layer}.attn.bias"] = torch.ones(1, 1, 33, 33).tril()
        hub[f"h.{layer}.attn.masked_bias"] = torch.tensor(-1e4)
    save_file(hub, written)
    compare("written as on the hub", nova(1, "--init", written), loss_of(parameters))

    for dtype in (torch.float16, torch.bfloat16):
        half = {name: value.to(dtype) for name, value in single.items()}
        save_file(half, written)
        compare(f"written in {dtype}", nova(1, "--init", written),
                loss_of({name: value.double() for name, value in half.items()}))
    shards = folder / "shards"
    shards.mkdir(exist_ok=True)
    names = sorted(single)
    index = {}
    for shard, part in enumerate((names[::2], names[1::2]), start=1):
        file = f"model-0000{shard}-of-00002.safetensors"
        save_file({name: single[name] for name in part}, shards / file)
        index |= dict.fromkeys(part, file)
    (shards / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": index}))
    compare("written in shards", nova(1, "--init", shards), loss_of(parameters))

    shutil.rmtree(folder / "checkpoints", ignore_errors=True)
    nova(5, "--lr=3e-3", "--checkpoint", folder / "checkpoints")
    model = next((folder / "checkpoints").glob("step-*")) / "model.safetensors"
    parameters = {name: value.double() for name, value in load_file(model).items()}
    compare("a checkpoint of Nova", nova(1, "--init", model.parent), loss_of(parameters))

    if importlib.util.find_spec("transformers"):
        # Both ways through transformers' own reader and writer, which knows the tied classifier.
        from transformers import GPT2LMHeadModel

        (model.parent / "config.json").write_text((folder / "config.json").read_text())
        theirs = GPT2LMHeadModel.from_pretrained(model.parent).double().eval()

        def loss_of_theirs():
            logits = theirs(tokens).logits.flatten(0, 1)
            return torch.nn.functional.cross_entropy(logits, targets.flatten()).item()

        compare("read by transformers", nova(1, "--init", model), loss_of_theirs())
        compare_logits("read by transformers", logits(model), theirs(tokens).logits)
        theirs.float().save_pretrained(folder / "theirs", max_shard_size="100KB")
        theirs.double()
        compare("written by transformers", nova(1, "--init", folder / "theirs"), loss_of_theirs())
        compare_logits("written by transformers", logits(folder / "theirs"), theirs(tokens).logits)
        # Under both names of the tied weight, as --save writes it.
        both = folder / "both"
        both.mkdir(exist_ok=True)
        shutil.copy(saved, both / "model.safetensors")
        shutil.copy(folder / "config.json", both)
        compare_logits("saved by Nova and read by transformers", logits(saved),
                       GPT2LMHeadModel.from_pretrained(both).double().eval()(tokens).logits)
        check_refusal(theirs.float(), folder, lambda: subprocess.run(
            [tools / "nova-run", program, "--steps=1", "--quiet", "--init", folder / "refused"],
            stderr=subprocess.PIPE, text=True))


if __name__ == "__main__":
    main()
