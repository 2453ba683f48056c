# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A GPT-2 train step in bf16: of Nova's kernels, as counted, and of the peers', as one would put it together."""
import dataclasses
from dataclasses import dataclass

from . import bound, peers
from .problems import Problem


@dataclass(frozen=True)
class Model:
    layers: int
    heads: int
    width: int
    vocabulary: int
    batch: int
    context: int

    @property
    def tokens(self):
        return self.batch * self.context


GPT2 = Model(12, 12, 768, 50257, 8, 1024)
TINY = Model(2, 2, 64, 256, 8, 64)


def scaled(counts, factor):
    """The counts of so many heads, from those of one."""
    fields = {field.name: getattr(counts, field.name) * factor for field in dataclasses.fields(counts)
              if field.name not in ("threads", "load_share", "shared_bytes", "registers", "local_bytes")
              and isinstance(getattr(counts, field.name), (int, float))}
    return dataclasses.replace(counts, matrix={name: times * factor for name, times in counts.matrix.items()}, **fields)


def peers_launches(model):
    """(name, launches, problem or None, bytes of a launch that only streams, factor) of a step whose products and
    attention are the peers' and whose other kernels only stream: what torch.compile makes of it, as fused as it can be.
    Activations are bf16, the residual stream and gradients of weights f32; the vocabulary is a multiple of 64."""
    d, m, vocabulary = model.width, model.tokens, -(-model.vocabulary // 64) * 64
    unit = m * d
    parameters = d * (model.vocabulary + model.context + model.layers * 12 * d)
    for n, k in ((3 * d, d), (d, d), (4 * d, d), (d, 4 * d)):
        yield f"product {n}x{k}", model.layers, Problem("matmul_nn", (m, n, k)), 0, 1
        yield f"product {n}x{k}, to its input", model.layers, Problem("matmul_nt", (m, k, n)), 0, 1
        yield f"product {n}x{k}, to its weight", model.layers, Problem("matmul_tn", (k, n, m)), 0, 1
        yield f"sum of {n} columns", model.layers, None, 2 * m * n, 1
    one, all_heads = (1, model.context, d // model.heads), model.batch * model.heads
    yield "attention", model.layers, Problem("attention", one), 0, all_heads
    yield "attention, backward", model.layers, Problem("attention_grad", one), 0, all_heads
    # Each norm reads and writes the residual stream with what was added to it, and so do their gradients.
    yield "residual and norm", 2 * model.layers + 1, None, 12 * unit, 1
    yield "norm and residual, backward", 2 * model.layers + 1, None, 16 * unit, 1
    yield "gelu", model.layers, None, 16 * unit, 1
    yield "gelu, backward", model.layers, None, 24 * unit, 1
    yield "head", 1, Problem("matmul_nt", (m, vocabulary, d)), 0, 1
    yield "head, to its input", 1, Problem("matmul_nn", (m, d, vocabulary)), 0, 1
    yield "head, to its weight", 1, Problem("matmul_tn", (vocabulary, d, m)), 0, 1
    yield "cross entropy", 1, None, 2 * m * vocabulary, 1
    yield "cross entropy, backward", 1, None, 4 * m * vocabulary, 1
    yield "embedding", 1, None, 8 * unit, 1
    yield "embedding, backward", 1, None, 4 * unit + 8 * d * model.vocabulary, 1
    yield "norm of the gradient", 1, None, 4 * parameters, 1
    yield "adamw", 1, None, 30 * parameters, 1


def best(card, variants, factor):
    """(seconds, bound, kernels) of the variant that is predicted to be the fastest."""
    choices = []
    for kernels in variants.values():
        times = [bound.predict(card, scaled(kernel, factor)) for kernel in kernels]
        choices.append((sum(time for time, _ in times), max(times)[1], len(kernels)))
    return min(choices)


def of_peers(card, model):
    """Rows (name, launches, seconds of all, bound) of the peers' step."""
    _, kept = peers.load(card.peers)
    for name, launches, problem, size, factor in peers_launches(model):
        if problem is None:
            yield name, launches, launches * bound.stream(card, size), "DRAM"
            continue
        if problem.name not in kept:
            raise SystemExit(f"error: bench/peers has no {problem.name}: bench/gpu.py --update-peers counts it")
        time, by, kernels = best(card, kept[problem.name], factor)
        yield name, launches * kernels, launches * time, by


def of_nova(card, kernels):
    for kernel in kernels:
        time, by = bound.predict(card, kernel.counts)
        yield kernel.name, kernel.launches, kernel.launches * time, by


def summary(kernels):
    """What a step launches and moves."""
    return {
        "launches": sum(kernel.launches for kernel in kernels),
        "launches that only move data": sum(kernel.launches for kernel in kernels if kernel.only_moves),
        "GB": sum(kernel.launches * kernel.bytes for kernel in kernels) / 1e9,
        "launches under 142 blocks": sum(kernel.launches for kernel in kernels if kernel.blocks < 142),
    }
