#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes test/Cases/Inputs/models: model families of Hugging Face transformers, as the library has them.

    python3 scripts/make_model_cases.py [FAMILY...] [--into FOLDER]     # default: all, test/Cases/Inputs/models

Each model is built from a small configuration with random weights. FAMILY.eager.json.gz and FAMILY.sdpa.json.gz are the
graphs of its loss with either attention that the class has, as torch.export and from_torch.graph_of give them; FAMILY.safetensors has the
parameters, the inputs, and the loss and all gradients that PyTorch computes in f64, rounded to f32. Needs torch,
transformers and safetensors from PyPI; the test that reads the files needs none of them.
"""

import argparse
import gzip
import json
import pathlib

import from_torch
import torch
import transformers
from safetensors.torch import save_file

SMALL = dict(hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2, vocab_size=40,
             max_position_embeddings=16, pad_token_id=0, bos_token_id=1, eos_token_id=2)  # fmt: skip
GROUPED = SMALL | dict(num_attention_heads=4, num_key_value_heads=2, head_dim=6)
STILL = dict(attention_dropout=0.0, hidden_dropout=0.0)
# Family to class, configuration, and what it is.
FAMILIES = {
    "gpt2": ("GPT2LMHeadModel", dict(n_embd=16, n_layer=2, n_head=2, vocab_size=40, n_positions=16, resid_pdrop=0.0,
                                     embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=1, eos_token_id=2), "decoder"),
    "llama": ("LlamaForCausalLM", GROUPED, "decoder"),
    "mistral": ("MistralForCausalLM", GROUPED | dict(sliding_window=4), "decoder"),
    "gemma2": ("Gemma2ForCausalLM", GROUPED | dict(sliding_window=4, query_pre_attn_scalar=6), "decoder"),
    "qwen3": ("Qwen3ForCausalLM", GROUPED, "decoder"),
    "phi3": ("Phi3ForCausalLM", SMALL | dict(num_key_value_heads=1, resid_pdrop=0.0, embd_pdrop=0.0), "decoder"),
    "gpt_neox": ("GPTNeoXForCausalLM", SMALL | STILL, "decoder"),
    "opt": ("OPTForCausalLM", SMALL | dict(ffn_dim=24, word_embed_proj_dim=16, dropout=0.0), "decoder"),
    "bloom": ("BloomForCausalLM", dict(hidden_size=16, n_layer=2, n_head=2, vocab_size=40, pad_token_id=0,
                                       bos_token_id=1, eos_token_id=2) | STILL, "decoder"),
    "bert": ("BertForMaskedLM", SMALL | dict(hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0), "encoder"),
    "t5": ("T5ForConditionalGeneration", dict(d_model=16, d_kv=6, d_ff=24, num_layers=2, num_heads=2, vocab_size=40,
                                              dropout_rate=0.0, decoder_start_token_id=0), "translator"),
    "vit": ("ViTForImageClassification", dict(hidden_size=16, intermediate_size=24, num_hidden_layers=2,
                                              num_attention_heads=2, image_size=8, patch_size=4, num_labels=5,
                                              hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0), "images"),
}  # fmt: skip


def inputs_of(kind, generator):
    """The arguments of a model by name, the labels among them."""

    def tokens(low=3, high=40, length=7):
        return torch.randint(low, high, (2, length), generator=generator)

    if kind == "decoder":
        ids = tokens()
        return {"input_ids": ids, "labels": ids.clone()}
    mask = torch.tensor([[1] * 7, [1] * 5 + [0] * 2])
    if kind == "encoder":
        return {"input_ids": tokens() * mask, "attention_mask": mask, "labels": torch.where(mask == 1, tokens(), -100)}
    if kind == "translator":
        return {"input_ids": tokens() * mask, "attention_mask": mask, "labels": tokens(length=6)}
    images = torch.randn((3, 3, 8, 8), generator=generator)
    return {"pixel_values": images, "labels": torch.tensor([1, 4, 0])}


class Loss(torch.nn.Module):
    """The model's loss; its parameters keep their names."""

    def __init__(self, model, names):
        super().__init__()
        self.model, self.names = model, names

    def forward(self, *arguments):
        return self.model(**dict(zip(self.names, arguments)), return_dict=True).loss


def built(name, settings, attention):
    kind = getattr(transformers, name)
    torch.manual_seed(3)
    model = kind(kind.config_class(**settings, attn_implementation=attention)).eval()
    if hasattr(model.config, "use_cache"):
        model.config.use_cache = False
    # Zeros and ones, as biases and gains begin, would hide what is computed with them.
    generator = torch.Generator().manual_seed(4)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator) * 0.1)
    return model


def exact(model, inputs):
    """The loss and the gradients in f64."""
    wide = {key: value.double() if value.is_floating_point() else value for key, value in inputs.items()}
    model = model.double()
    loss = model(**wide).loss
    loss.backward()
    found = {f"expected.grad.model.{name}": p.grad.float() for name, p in model.named_parameters() if p.grad is not None}
    return found | {"expected.loss": loss.detach().float()}


def make(family, folder):
    name, settings, kind = FAMILIES[family]
    inputs = inputs_of(kind, torch.Generator().manual_seed(5))
    for attention in ("eager", "sdpa") if getattr(transformers, name)._supports_sdpa else ("eager",):
        model = built(name, settings, attention)
        arguments = tuple(inputs.values())
        # Attention stays whole: PyTorch's decomposition of it fails on GPT-2, whose views it leaves without a meaning.
        table = torch.export.default_decompositions()
        table.pop(torch.ops.aten.scaled_dot_product_attention.default, None)
        program = torch.export.export(Loss(model, list(inputs)), arguments).run_decompositions(table)
        graph, tensors = from_torch.graph_of(program, arguments, ["loss"])
        content = json.dumps(graph, separators=(",", ":")).encode()
        (folder / f"{family}.{attention}.json.gz").write_bytes(gzip.compress(content, mtime=0))
        kept = {key: value for key, value in tensors.items() if not key.startswith("buffer.")}
        values = exact(model, inputs)
        save_file(kept | values, folder / f"{family}.safetensors")
        print(f"{family} {attention}: {len(graph['nodes'])} nodes, loss {values['expected.loss']:.6f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES))
    folder = pathlib.Path(__file__).resolve().parents[1] / "test/Cases/Inputs/models"
    parser.add_argument("--into", type=pathlib.Path, default=folder, metavar="FOLDER")
    options = parser.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    for family in options.families or FAMILIES:
        make(family, options.into)


if __name__ == "__main__":
    main()
