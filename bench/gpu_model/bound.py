# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The time that counted work takes at least on a card, and what it is bound by. A prediction, never a measurement."""
import math

from . import cards, counts as counting


def resident(card, counts):
    """Blocks of a kernel that a multiprocessor holds at the same time."""
    warps = -(-counts.threads // 32)
    limits = [card.blocks, card.threads // (32 * warps)]
    if counts.registers:
        limits.append(card.registers // (-(-counts.registers // 8) * 8 * 32 * warps))
    if counts.shared_bytes:
        limits.append(card.shared // (counts.shared_bytes + 1024))  # CUDA takes 1 KB for itself
    return max(0, min(limits))


def warps_per_multiprocessor(card, counts):
    return resident(card, counts) * -(-counts.threads // 32)


def issued(counts):
    """Warp instructions of SASS: in the main loop of a product as many as SASS has for each matrix instruction,
    elsewhere as many as PTX has."""
    ptx, sass = counts.ptx_loop, counts.sass_loop
    instructions = sum(counts.matrix.values())
    if not instructions or not sass or not ptx or not ptx.is_loop or not sass.matrix:
        return counts.warp_instructions
    outside = max(0, counts.warp_instructions - instructions * ptx.instructions / ptx.matrix)
    return instructions * sass.instructions / sass.matrix + outside


def matrix_seconds(card, counts):
    total = 0
    for opcode, times in counts.matrix.items():
        # tf32 has half and 8-bit types have twice the rate of bf16.
        rate = 0.5 if ".tf32" in opcode else 2 if ".s8" in opcode or ".e4m3" in opcode or ".e5m2" in opcode else 1
        if ".f64" in opcode:
            rate = card.f64_lanes / 1024
        kind = "wgmma" if opcode.startswith("wgmma") else "mma"
        total += times * counting.flops(opcode) / (rate * card.matrix[kind])
    return total


def waiting_seconds(card, counts):
    """What is left of the latency of loads when all resident warps wait at the same time. A main loop of products that
    loads into registers waits once an iteration; other kernels have at most a loop's loads of each thread in flight."""
    loop, blocks = counts.loop, max(1, resident(card, counts))
    if not loop or not loop.load_bytes:
        return 0
    if loop.matrix:
        iterations = sum(counts.matrix.values()) / loop.matrix / counts.warps
        return math.ceil(counts.blocks / (card.multiprocessors * blocks)) * iterations * card.latency
    busiest = math.ceil(counts.blocks / card.multiprocessors)
    loaded = counts.sectors_distinct * 32 * counts.load_share * busiest / counts.blocks
    return loaded * card.latency / (min(blocks, busiest) * counts.threads * loop.load_bytes)


def seconds(card, counts):
    """Seconds that each resource of the card is busy with one launch, as far as good kernels keep it busy."""
    clocks = card.clock * card.multiprocessors
    # The multiprocessor with most blocks is the last to end.
    uneven = math.ceil(counts.blocks / card.multiprocessors) * card.multiprocessors / counts.blocks
    # Asynchronous copies are among the wavefronts of shared memory already.
    through_l1 = max(counts.requests - counts.async_requests, (counts.sectors - counts.async_sectors) / 4, 0)
    busy = {
        "issue": issued(counts) / card.schedulers / clocks * uneven,
        "matrix": matrix_seconds(card, counts) * uneven,
        "shared": (counts.shared_wavefronts + counts.shuffles + through_l1) / clocks * uneven,
        "special": 32 * (counts.special / card.special_lanes + counts.f64 / card.f64_lanes) / clocks * uneven,
        "L2": counts.sectors_distinct * 32 / card.l2,
        "DRAM": counts.bytes / card.dram,
        "latency": waiting_seconds(card, counts),
    }
    return {name: time / cards.ATTAINED[name] for name, time in busy.items()}


def predict(card, counts):
    """(predicted seconds of a launch, what bounds it)."""
    busy = seconds(card, counts)
    by = max(busy, key=busy.get)
    return busy[by] + cards.LAUNCH, by


def stream(card, size):
    """Predicted seconds of a kernel that does nothing but move so many bytes."""
    return size / card.dram / cards.ATTAINED["DRAM"] + cards.LAUNCH
