# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Nova's kernels must reach: ratios to the peers' kernels on the same problem, and limits of their own."""
import re
from dataclasses import dataclass

from . import bound, cards, peers, step

TILES = ("128x128x64", "128x256x64")


@dataclass(frozen=True)
class Gate:
    what: str
    value: float
    limit: float
    at_least: bool = False
    peer: float | None = None

    @property
    def passes(self):
        return self.value >= self.limit if self.at_least else self.value <= self.limit


def ratio_gate(what, value, peer, most):
    return Gate(what, value, most * peer, peer=peer)


def total(kernels, field):
    return sum(getattr(kernel, field) for kernel in kernels)


def better_tile(variants):
    """The one of the peer's two large tiles that is predicted to be the faster for a product."""
    card = cards.CARDS["RTX 6000 Ada"]
    return min(((tile, peer) for tile, [peer] in variants.items() if tile in TILES),
               key=lambda pair: bound.predict(card, pair[1])[0])


def structure(where, counts):
    """What holds for every kernel with matrix instructions, whatever is fused into it."""
    card = cards.CARDS["RTX 6000 Ada"]
    if counts.products:
        yield Gate(f"{where}: narrowest load of the main loop, bytes", counts.loop.narrowest, 16, True)
        yield Gate(f"{where}: warps of a multiprocessor", bound.warps_per_multiprocessor(card, counts), 8, True)
    if counts.shared_ideal:
        yield Gate(f"{where}: shared wavefronts over the ideal", counts.shared_wavefronts / counts.shared_ideal, 1)
    yield Gate(f"{where}: KB of shared memory", counts.shared_bytes / 1024, card.block_shared / 1024)
    if counts.local_bytes is not None:
        yield Gate(f"{where}: bytes of spills and arrays", counts.local_bytes, 0)


def of_matmul(name, kernels, variants):
    tile, peer = better_tile(variants)
    counts = max(kernels, key=lambda counts: counts.products)
    products = sum(counts.products for counts in kernels)
    share = "sass_loop" if counts.sass_loop and peer.sass_loop else "ptx_loop"
    ours, theirs = getattr(counts, share), getattr(peer, share)
    yield Gate(f"{name} ({tile}): share of matrix instructions in the main loop, %", 100 * ours.share,
               90 * theirs.share, True, 100 * theirs.share)
    for field, most in (("warp_instructions", 1.15), ("requests", 1.5), ("sectors", 1.1), ("shared_wavefronts", 1.1)):
        yield ratio_gate(f"{name}: {field.replace('_', ' ')} of a matrix instruction",
                         total(kernels, field) / products if products else float("inf"),
                         getattr(peer, field) / peer.products, most)
    yield Gate(f"{name}: sectors over the ideal", total(kernels, "sectors") / total(kernels, "sectors_ideal"), 1.05)


def of_attention(name, kernels, argument_bytes, problem, variants):
    [peer] = variants.values()
    for field in ("warp_instructions", "requests", "sectors", "shuffles"):
        yield ratio_gate(f"{name}: {field.replace('_', ' ')}", total(kernels, field), total(peer, field), 1.3)
    heads, length, _ = problem.sizes
    yield Gate(f"{name}: elements of the largest buffer over those of the scores",
               max(argument_bytes) / 2 / (heads * length * length), 0.99)
    yield Gate(f"{name}: atomics", total(kernels, "atomics"), 0)


def of_rows(name, kernels, problem, variants):
    [peer] = variants.values()
    yield Gate(f"{name}: sectors over what must move", total(kernels, "sectors") / (problem.rows_bytes / 32), 1.02)
    yield ratio_gate(f"{name}: warp instructions", total(kernels, "warp_instructions"),
                     total(peer, "warp_instructions"), 1.1)


def of_odd_vocabulary(kernels, counted):
    """A vocabulary that 8 doesn't divide costs the step little more than the next multiple of 64 does. Only in a step
    can rows be padded: a problem's arguments lie in memory as they are."""
    even = {problem.name: of for problem, of in counted.items()}
    for kernel in kernels:
        problem = problem_of(kernel.name)
        if problem in even and "50304" in problem:
            for field in ("warp_instructions", "requests", "sectors", "shared_wavefronts"):
                value, other = getattr(kernel.counts, field), total([k.counts for k in even[problem]], field)
                yield Gate(f"step, {kernel.name}: {field.replace('_', ' ')} over those of {problem}",
                           value / max(1, other), 1.15)


def of_problems(counted, kept):
    for problem, kernels in counted.items():
        counts, variants = [kernel.counts for kernel in kernels], kept.get(problem.name)
        if variants and problem.family == "matmul":
            yield from of_matmul(problem.name, counts, variants)
        elif variants and problem.family == "attention":
            sizes = [size for kernel in kernels for size in kernel.argument_bytes]
            yield from of_attention(problem.name, counts, sizes, problem, variants)
        elif variants:
            yield from of_rows(problem.name, counts, problem, variants)
        if problem.family != "row":
            for kernel in kernels:
                yield from structure(f"{problem.name}, {kernel.name}", kernel.counts)


def problem_of(kernel):
    """The name of the problem that a product's kernel solves, with the padded vocabulary, whatever is fused into it."""
    match = re.match(r"matmul(?:_(nt|tn))?.*?_(\d+)x(\d+)x(\d+)", kernel)
    if not match:
        return None
    sizes = [50304 if 50257 <= int(size) < 50304 else int(size) for size in match.groups()[1:]]
    return f"matmul_{match[1] or 'nn'} {'x'.join(map(str, sizes))}"


def of_structure(kernels):
    for kernel in kernels:
        if kernel.family in ("matmul", "attention"):
            yield from structure(f"step, {kernel.name}", kernel.counts)


def of_step(by_chip, counted, model):
    """by_chip: the kernels of the step as compiled for each card's chip; counted: those of the problems."""
    kernels = by_chip[cards.CARDS["RTX 6000 Ada"].chip]
    _, kept = peers.load(cards.CARDS["RTX 6000 Ada"].peers)
    for kernel in kernels:
        if kernel.family == "matmul" and (variants := kept.get(problem_of(kernel.name))):
            _, peer = better_tile(variants)
            ours, theirs = (counts.sass_loop if kernel.counts.sass_loop else counts.ptx_loop
                            for counts in (kernel.counts, peer))
            yield Gate(f"step, {kernel.name}: share of matrix instructions in the main loop, %", 100 * ours.share,
                       90 * theirs.share, True, 100 * theirs.share)
    yield from of_structure(kernels)
    yield from of_odd_vocabulary(kernels, counted)
    limits = {"launches": 300, "launches that only move data": 0, "GB": 24, "launches under 142 blocks": 60}
    for what, value in step.summary(kernels).items():
        yield Gate(f"step: {what}", value, limits[what])
    has_wgmma = any(opcode.startswith("wgmma") for kernel in by_chip[cards.CARDS["H200"].chip]
                    for opcode in kernel.counts.matrix)
    for name, least in (("RTX 6000 Ada", 180e3), ("H200", 450e3 if has_wgmma else 280e3)):
        card = cards.CARDS[name]
        time = sum(row[2] for row in step.of_nova(card, by_chip[card.chip]))
        yield Gate(f"step: predicted tokens/s on {name}", model.tokens / time, least, True)
