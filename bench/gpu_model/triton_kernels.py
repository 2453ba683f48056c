# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Triton that Nova's are compared with, after the methods of its public tutorials: blocked products with a
pipelined loop, flash attention with a running maximum, one row of a softmax or norm in a program's registers."""
import triton
import triton.language as tl

LOG2_E = tl.constexpr(1.4426950408889634)


@triton.jit
def matmul(a, b, c, M, N, K, a_m, a_k, b_k, b_n, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
           GROUP: tl.constexpr):
    """c[M, N] = a[M, K] b[K, N] by strides. Sizes are multiples of the block's. Programs next to each other share rows
    of a and columns of b, for the L2."""
    row, column = tl.swizzle2d(tl.program_id(0), tl.program_id(1), tl.num_programs(0), tl.num_programs(1), GROUP)
    rows, columns, depth = row * BM + tl.arange(0, BM), column * BN + tl.arange(0, BN), tl.arange(0, BK)
    a += rows[:, None] * a_m + depth[None, :] * a_k
    b += depth[:, None] * b_k + columns[None, :] * b_n
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        total = tl.dot(tl.load(a), tl.load(b), total)
        a += BK * a_k
        b += BK * b_k
    tl.store(c + rows[:, None] * N + columns[None, :], total.to(c.dtype.element_ty))


@triton.jit
def attend(q, k, v, first, last, rows, scale, maximum, total, output, D: tl.constexpr, BN: tl.constexpr,
           MASKED: tl.constexpr):
    """Takes keys from first to last into the output of some rows. Scores are powers of 2."""
    for start in range(first, last, BN):
        keys, width = start + tl.arange(0, BN), tl.arange(0, D)
        scores = tl.dot(q, tl.load(k + keys[None, :] * D + width[:, None])) * scale
        if MASKED:
            scores = tl.where(rows[:, None] >= keys[None, :], scores, -1e30)
        higher = tl.maximum(maximum, tl.max(scores, 1))
        weights = tl.exp2(scores - higher[:, None])
        shrink = tl.exp2(maximum - higher)
        total = total * shrink + tl.sum(weights, 1)
        values = tl.load(v + keys[:, None] * D + width[None, :])
        output = tl.dot(weights.to(tl.bfloat16), values, output * shrink[:, None])
        maximum = higher
    return maximum, total, output


@triton.jit
def attention(q, k, v, out, lse, scale, T, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """Causal attention of one block of rows of one head; [heads, T, D]."""
    block, head = tl.program_id(0), tl.program_id(1)
    q += head * T * D
    k += head * T * D
    v += head * T * D
    rows, width = block * BM + tl.arange(0, BM), tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + width[None, :])
    maximum, total = tl.full((BM,), -1e30, tl.float32), tl.zeros((BM,), tl.float32)
    output = tl.zeros((BM, D), tl.float32)
    # Keys before the block's rows need no mask.
    maximum, total, output = attend(query, k, v, 0, block * BM, rows, scale * LOG2_E, maximum, total, output, D, BN,
                                    False)
    maximum, total, output = attend(query, k, v, block * BM, (block + 1) * BM, rows, scale * LOG2_E, maximum, total,
                                    output, D, BN, True)
    tl.store(lse + head * T + rows, (maximum + tl.log2(total)) / LOG2_E)
    tl.store(out + head * T * D + rows[:, None] * D + width[None, :], (output / total[:, None]).to(tl.bfloat16))


@triton.jit
def attention_delta(out, dout, delta, T, D: tl.constexpr, BM: tl.constexpr):
    """The sums over a row of output times gradient, which both gradients below need."""
    rows = tl.program_id(1) * T + tl.program_id(0) * BM + tl.arange(0, BM)
    at = rows[:, None] * D + tl.arange(0, D)[None, :]
    tl.store(delta + rows, tl.sum(tl.load(out + at).to(tl.float32) * tl.load(dout + at).to(tl.float32), 1))


@triton.jit
def into_keys(q, dout, lse, delta, keys, key, value, dk, dv, first, last, scale, D: tl.constexpr, BM: tl.constexpr,
              MASKED: tl.constexpr):
    for start in range(first, last, BM):
        rows, width = start + tl.arange(0, BM), tl.arange(0, D)
        query = tl.load(q + rows[None, :] * D + width[:, None])
        weights = tl.exp2(tl.dot(key, query) * scale - (tl.load(lse + rows) * LOG2_E)[None, :])
        if MASKED:
            weights = tl.where(rows[None, :] >= keys[:, None], weights, 0.0)
        gradient = tl.load(dout + rows[:, None] * D + width[None, :])
        dv = tl.dot(weights.to(tl.bfloat16), gradient, dv)
        inner = weights * (tl.dot(value, tl.trans(gradient)) - tl.load(delta + rows)[None, :])
        dk = tl.dot(inner.to(tl.bfloat16), tl.trans(query), dk)
    return dk, dv


@triton.jit
def attention_grad_keys(q, k, v, dout, lse, delta, dk, dv, scale, T, D: tl.constexpr, BM: tl.constexpr,
                        BN: tl.constexpr):
    """Gradients of one block of keys and values, over all rows that see them."""
    block, head = tl.program_id(0), tl.program_id(1)
    q += head * T * D
    dout += head * T * D
    lse += head * T
    delta += head * T
    keys, width = block * BN + tl.arange(0, BN), tl.arange(0, D)
    at = head * T * D + keys[:, None] * D + width[None, :]
    key, value = tl.load(k + at), tl.load(v + at)
    dkey, dvalue = tl.zeros((BN, D), tl.float32), tl.zeros((BN, D), tl.float32)
    dkey, dvalue = into_keys(q, dout, lse, delta, keys, key, value, dkey, dvalue, block * BN, (block + 1) * BN,
                             scale * LOG2_E, D, BM, True)
    dkey, dvalue = into_keys(q, dout, lse, delta, keys, key, value, dkey, dvalue, (block + 1) * BN, T, scale * LOG2_E,
                             D, BM, False)
    tl.store(dk + at, (dkey * scale).to(tl.bfloat16))
    tl.store(dv + at, dvalue.to(tl.bfloat16))


@triton.jit
def into_rows(k, v, rows, query, gradient, lse, delta, dq, first, last, scale, D: tl.constexpr, BN: tl.constexpr,
              MASKED: tl.constexpr):
    for start in range(first, last, BN):
        keys, width = start + tl.arange(0, BN), tl.arange(0, D)
        key = tl.load(k + keys[None, :] * D + width[:, None])
        weights = tl.exp2(tl.dot(query, key) * scale - lse[:, None])
        if MASKED:
            weights = tl.where(rows[:, None] >= keys[None, :], weights, 0.0)
        inner = tl.dot(gradient, tl.load(v + keys[None, :] * D + width[:, None])) - delta[:, None]
        dq = tl.dot((weights * inner).to(tl.bfloat16), tl.trans(key), dq)
    return dq


@triton.jit
def attention_grad_rows(q, k, v, dout, lse, delta, dq, scale, T, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """The gradient of one block of queries, over all keys that they see."""
    block, head = tl.program_id(0), tl.program_id(1)
    k += head * T * D
    v += head * T * D
    rows, width = block * BM + tl.arange(0, BM), tl.arange(0, D)
    at = head * T * D + rows[:, None] * D + width[None, :]
    query, gradient = tl.load(q + at), tl.load(dout + at)
    sums, delta_rows = tl.load(lse + head * T + rows) * LOG2_E, tl.load(delta + head * T + rows)
    dquery = tl.zeros((BM, D), tl.float32)
    dquery = into_rows(k, v, rows, query, gradient, sums, delta_rows, dquery, 0, block * BM, scale * LOG2_E, D, BN,
                       False)
    dquery = into_rows(k, v, rows, query, gradient, sums, delta_rows, dquery, block * BM, (block + 1) * BM,
                       scale * LOG2_E, D, BN, True)
    tl.store(dq + at, (dquery * scale).to(tl.bfloat16))


@triton.jit
def softmax(x, y, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.load(x + tl.program_id(0) * columns + at, mask=at < columns, other=-float("inf")).to(tl.float32)
    weights = tl.exp(row - tl.max(row, 0))
    tl.store(y + tl.program_id(0) * columns + at, (weights / tl.sum(weights, 0)).to(tl.bfloat16), mask=at < columns)


@triton.jit
def softmax_grad(dy, y, dx, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    place, inside = tl.program_id(0) * columns + at, at < columns
    gradient = tl.load(dy + place, mask=inside, other=0.0).to(tl.float32)
    weights = tl.load(y + place, mask=inside, other=0.0).to(tl.float32)
    result = weights * (gradient - tl.sum(gradient * weights, 0))
    tl.store(dx + place, result.to(tl.bfloat16), mask=inside)


@triton.jit
def layer_norm(x, w, b, y, columns, eps, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    place, inside = tl.program_id(0) * columns + at, at < columns
    row = tl.load(x + place, mask=inside, other=0.0).to(tl.float32)
    centred = tl.where(inside, row - tl.sum(row, 0) / columns, 0.0)
    factor = tl.rsqrt(tl.sum(centred * centred, 0) / columns + eps)
    result = centred * factor * tl.load(w + at, mask=inside) + tl.load(b + at, mask=inside)
    tl.store(y + place, result.to(tl.bfloat16), mask=inside)


@triton.jit
def layer_norm_grad(dy, x, w, dx, dw, db, columns, eps, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """Some rows of dx, and their part of the sums for weight and bias, which sum_rows adds up. Statistics are computed
    again, as Nova does."""
    at = tl.arange(0, BLOCK)
    inside = at < columns
    weight = tl.load(w + at, mask=inside, other=0.0)
    for_weight, for_bias = tl.zeros((BLOCK,), tl.float32), tl.zeros((BLOCK,), tl.float32)
    for row in range(ROWS):
        place = (tl.program_id(0) * ROWS + row) * columns + at
        value = tl.load(x + place, mask=inside, other=0.0).to(tl.float32)
        gradient = tl.load(dy + place, mask=inside, other=0.0).to(tl.float32)
        centred = tl.where(inside, value - tl.sum(value, 0) / columns, 0.0)
        factor = tl.rsqrt(tl.sum(centred * centred, 0) / columns + eps)
        normed, weighted = centred * factor, gradient * weight
        mean, slope = tl.sum(weighted, 0) / columns, tl.sum(weighted * normed, 0) / columns
        result = (weighted - mean - normed * slope) * factor
        tl.store(dx + place, result.to(tl.bfloat16), mask=inside)
        for_weight += gradient * normed
        for_bias += gradient
    place = tl.program_id(0) * columns + at
    tl.store(dw + place, for_weight, mask=inside)
    tl.store(db + place, for_bias, mask=inside)


@triton.jit
def sum_rows(parts_w, parts_b, dw, db, count, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """Sums over the rows of two matrices [count, columns], for a block of columns."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total_w, total_b = tl.zeros((ROWS, BLOCK), tl.float32), tl.zeros((ROWS, BLOCK), tl.float32)
    for start in range(0, count, ROWS):
        rows = start + tl.arange(0, ROWS)
        place = rows[:, None] * columns + at[None, :]
        inside = (rows < count)[:, None] & (at < columns)[None, :]
        total_w += tl.load(parts_w + place, mask=inside, other=0.0)
        total_b += tl.load(parts_b + place, mask=inside, other=0.0)
    tl.store(dw + at, tl.sum(total_w, 0), mask=at < columns)
    tl.store(db + at, tl.sum(total_b, 0), mask=at < columns)
