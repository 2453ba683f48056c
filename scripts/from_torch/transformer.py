# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Norms, attention, dropout, and their gradients."""

import math

from .reductions import safe_softmax_of
from .registry import expect, op
from .types import literal, wide

# ===----------------------------------------------------------------------=== #
# Layer norm: over the last axes together, as rows
# ===----------------------------------------------------------------------=== #


def as_rows(b, x, normalized_shape):
    size = math.prod(normalized_shape)
    return b.reshape(x, (x.size // max(size, 1), size))


def affine(b, weight, size, dtype, number):
    """A weight or bias as a vector; where there is none, what changes nothing."""
    return b.constant(number, dtype, (size,)) if weight is None else b.cast(b.reshape(weight, (size,)), dtype)


def normalized(b, x, normalized_shape, weight, bias, eps):
    rows = as_rows(b, x, normalized_shape)
    w, z = affine(b, weight, rows.shape[1], x.dtype, 1.0), affine(b, bias, rows.shape[1], x.dtype, 0.0)
    flag = f"{{eps = {literal(eps, 'f64')} : f64}}"
    y = b.emit(f"nova.layer_norm {rows}, {w}, {z} {flag} : {rows.type}, {w.type}, {z.type}", [rows, w, z],
               (rows.shape, x.dtype))  # fmt: skip
    return b.reshape(y, x.shape)


def statistics(b, x, axes, eps):
    """Mean, and one over the standard deviation."""
    high = b.cast(x, wide(x.dtype))
    mean = b.reduce("mean", high, axes, keep=True)
    variance = b.reduce("mean", b.unary("square", b.sub(high, mean)), axes, keep=True)
    return mean, b.unary("rsqrt", b.add(variance, eps))


@op("native_layer_norm.default")
def layer_norm_with_statistics(b, x, normalized_shape, weight, bias, eps):
    axes = range(x.rank - len(normalized_shape), x.rank)
    mean, rstd = statistics(b, x, list(axes), eps)
    y = normalized(b, x, normalized_shape, weight, bias, eps)
    mean, rstd = b.cast(mean, b.declared[1][1]), b.cast(rstd, b.declared[2][1])
    b.layer_norms[rstd] = (x, eps)
    return [y, mean, rstd]


@op("layer_norm.default")
def layer_norm(b, x, normalized_shape, weight=None, bias=None, eps=1e-5, cudnn_enable=True):
    return normalized(b, x, normalized_shape, weight, bias, eps)


def gradients_from_statistics(b, dy, rows, mean, rstd, w):
    high = wide(rows.dtype)
    dy, rows, w = (b.cast(value, high) for value in (dy, rows, w))
    mean, rstd = (b.cast(b.reshape(value, (rows.shape[0], 1)), high) for value in (mean, rstd))
    xhat, g = b.mul(b.sub(rows, mean), rstd), b.mul(dy, w)
    inner = b.mul(xhat, b.reduce("mean", b.mul(g, xhat), [1], keep=True))
    dx = b.mul(b.sub(b.sub(g, b.reduce("mean", g, [1], keep=True)), inner), rstd)
    return dx, b.reduce("sum", b.mul(dy, xhat), [0]), b.reduce("sum", dy, [0])


@op("native_layer_norm_backward.default")
def layer_norm_backward(b, dy, x, normalized_shape, mean, rstd, weight, bias, output_mask):
    rows = as_rows(b, x, normalized_shape)
    dy, w = b.reshape(dy, rows.shape), affine(b, weight, rows.shape[1], x.dtype, 1.0)
    normalized_value, eps = b.layer_norms.get(rstd, (None, None))
    if normalized_value == x:  # the statistics are those of x, and the op computes them again
        flag, results = f"{{eps = {literal(eps, 'f64')} : f64}}", ((value.shape, x.dtype) for value in (rows, w, w))
        found = b.emit(f"nova.layer_norm_grad {dy}, {rows}, {w} {flag} : {dy.type}, {rows.type}, {w.type}",
                       [dy, rows, w], *results)  # fmt: skip
    else:
        found = gradients_from_statistics(b, dy, rows, mean, rstd, w)
    shapes = (x.shape, normalized_shape, normalized_shape)
    return [b.cast(b.reshape(value, shape), x.dtype) if wanted else None
            for value, shape, wanted in zip(found, shapes, output_mask)]  # fmt: skip


# ===----------------------------------------------------------------------=== #
# Other norms
# ===----------------------------------------------------------------------=== #


def rms(b, x, normalized_shape, weight, eps):
    high = b.cast(x, wide(x.dtype))
    axes = list(range(x.rank - len(normalized_shape), x.rank))
    eps = {"f64": 2.220446049250313e-16}.get(x.dtype, 1.1920928955078125e-07) if eps is None else eps
    rstd = b.unary("rsqrt", b.add(b.reduce("mean", b.unary("square", high), axes, keep=True), eps))
    y = b.mul(high, rstd)
    y = y if weight is None else b.mul(y, b.cast(weight, y.dtype))
    return b.cast(y, x.dtype), rstd


@op("rms_norm.default")
def rms_norm(b, x, normalized_shape, weight=None, eps=None):
    return rms(b, x, normalized_shape, weight, eps)[0]


@op("_fused_rms_norm.default")
def fused_rms_norm(b, x, normalized_shape, weight=None, eps=None):
    return list(rms(b, x, normalized_shape, weight, eps))


@op("_fused_rms_norm_backward.default")
def rms_norm_backward(b, dy, x, normalized_shape, rstd, weight, output_mask):
    rows, high = as_rows(b, x, normalized_shape), wide(x.dtype)
    dy, rows = (b.cast(b.reshape(value, rows.shape), high) for value in (dy, rows))
    rstd = b.cast(b.reshape(rstd, (rows.shape[0], 1)), high)
    xhat = b.mul(rows, rstd)
    g = dy if weight is None else b.mul(dy, affine(b, weight, rows.shape[1], high, 1.0))
    dx = b.mul(b.sub(g, b.mul(xhat, b.reduce("mean", b.mul(g, xhat), [1], keep=True))), rstd)
    dw = b.reduce("sum", b.mul(dy, xhat), [0])
    found = zip((dx, dw), (x.shape, normalized_shape), output_mask)
    return [b.cast(b.reshape(value, shape), x.dtype) if wanted else None for value, shape, wanted in found]


@op("native_group_norm.default")
def group_norm(b, x, weight, bias, n, c, hxw, groups, eps):
    apart = b.reshape(x, (n, groups, c // groups * hxw))
    mean, rstd = statistics(b, apart, [2], eps)
    y = b.mul(b.sub(b.cast(apart, mean.dtype), mean), rstd)
    y = b.reshape(y, (n, c, hxw))
    for operation, vector in (("mul", weight), ("add", bias)):
        if vector is not None:
            y = b.binary(operation, y, b.cast(b.reshape(vector, (c, 1)), y.dtype))
    y = b.cast(b.reshape(y, x.shape), x.dtype)
    return [y, *(b.cast(b.reshape(value, (n, groups)), said[1]) for value, said in zip((mean, rstd), b.declared[1:]))]


# ===----------------------------------------------------------------------=== #
# Attention
# ===----------------------------------------------------------------------=== #


class Scores:
    """The scores of every query and key, in f32 where elements are narrower: scaled, masked by minus infinity."""

    def __init__(self, b, q, k, mask, is_causal, scale):
        self.dtype = wide(q.dtype)
        self.scale = 1 / math.sqrt(max(q.shape[-1], 1)) if scale is None else scale
        scores = b.matmul(b.cast(q, self.dtype), b.cast(k, self.dtype), transpose_b=True)
        scores = b.mul(scores, self.scale)
        if is_causal:
            rows, columns = (b.positions(scores.shape, scores.rank - i) for i in (2, 1))
            scores = b.select(b.compare("le", columns, rows), scores, -math.inf)
        if mask is not None and mask.dtype == "i1":
            scores = b.select(mask, scores, -math.inf)
        elif mask is not None:
            scores = b.add(scores, b.cast(mask, self.dtype))
        self.value = scores


def heads_shared(b, q, kv):
    """Keys or values repeated for the query heads that share them."""
    if q.shape[-3] == kv.shape[-3]:
        return kv
    expect(kv.shape[-3] and q.shape[-3] % kv.shape[-3] == 0, "key heads that divide the query heads",
           f"{kv.shape[-3]} for {q.shape[-3]}")  # fmt: skip
    before, (heads, keys, width) = kv.shape[:-3], kv.shape[-3:]
    times = q.shape[-3] // heads
    grown = b.expand(b.reshape(kv, (*before, heads, 1, keys, width)), (*before, heads, times, keys, width))
    return b.reshape(grown, (*before, heads * times, keys, width))


def is_one_op(q, k, v, mask):
    """Whether nova.attention takes the operands as they are."""
    batches, heads = {x.shape[0] for x in (q, k, v)}, (k.shape[1], v.shape[1]) if k.rank == v.rank == 4 else ()
    if q.rank != 4 or len(heads) != 2 or len(batches) != 1 or heads[0] != heads[1] or 0 in k.shape:
        return False
    return q.shape[1] % heads[0] == 0 and (mask is None or mask.rank <= 4)


def attention_flags(is_causal, scale):
    flags = ["causal"] if is_causal else []
    flags += [f"scale = {literal(scale, 'f64')} : f64"] if scale is not None else []
    return f" {{{', '.join(flags)}}}" if flags else ""


def with_rank_4(b, mask):
    return [] if mask is None else [b.reshape(mask, (1,) * (4 - mask.rank) + mask.shape)]


def attend(b, q, k, v, mask, dropout_p, is_causal, scale):
    """The result and the log-sum-exp of its rows."""
    expect(dropout_p == 0, "attention without dropout", f"dropout_p = {dropout_p}")
    if is_one_op(q, k, v, mask):
        masks = with_rank_4(b, mask)
        operands = ", ".join(map(str, (q, k, v))) + "".join(f" mask {x}" for x in masks)
        types = ", ".join(x.type for x in (q, k, v, *masks))
        statistic = "f64" if q.dtype == "f64" else "f32"
        return b.emit(f"nova.attention {operands}{attention_flags(is_causal, scale)} : {types}", [q, k, v, *masks],
                      ((*q.shape[:3], v.shape[3]), q.dtype), (q.shape[:3], statistic))  # fmt: skip
    scores = Scores(b, q, k, mask, is_causal, scale).value
    result = b.matmul(safe_softmax_of(b, scores, scores.rank - 1), b.cast(v, scores.dtype))
    largest = b.reduce("max", scores, [scores.rank - 1], keep=True)
    shift = b.select(b.compare("eq", largest, -math.inf), 0, largest)
    total = b.reduce("sum", b.unary("exp", b.sub(scores, shift)), [scores.rank - 1])
    lse = b.add(b.unary("log", total), b.reshape(shift, scores.shape[:-1]))
    return b.cast(result, q.dtype), lse


@op("scaled_dot_product_attention.default")
def attention(b, q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None, enable_gqa=False):
    if enable_gqa and not is_one_op(q, k, v, attn_mask):
        k, v = heads_shared(b, q, k), heads_shared(b, q, v)
    return attend(b, q, k, v, attn_mask, dropout_p, is_causal, scale)[0]


@op("_scaled_dot_product_flash_attention_for_cpu.default")
def flash_attention(b, q, k, v, dropout_p=0.0, is_causal=False, *, attn_mask=None, scale=None):
    result, lse = attend(b, q, k, v, attn_mask, dropout_p, is_causal, scale)
    return [result, b.cast(lse, b.declared[1][1])]


@op("_scaled_dot_product_flash_attention_for_cpu_backward.default")
def flash_attention_backward(b, dy, q, k, v, y, lse, dropout_p, is_causal, *, attn_mask=None, scale=None):
    expect(dropout_p == 0, "attention without dropout", f"dropout_p = {dropout_p}")
    if is_one_op(q, k, v, attn_mask):
        operands = [dy, q, k, v, y, b.cast(lse, "f64" if q.dtype == "f64" else "f32"), *with_rank_4(b, attn_mask)]
        names, types = ", ".join(map(str, operands)), ", ".join(x.type for x in operands)
        return b.emit(f"nova.attention_grad {names}{attention_flags(is_causal, scale)} : {types}", operands,
                      *((x.shape, x.dtype) for x in (q, k, v)))  # fmt: skip
    scores = Scores(b, q, k, attn_mask, is_causal, scale)
    dy, y, qw, kw, vw = (b.cast(value, scores.dtype) for value in (dy, y, q, k, v))
    lse = b.reshape(b.cast(lse, scores.dtype), (*lse.shape, 1))
    # A row that sees no key has a log-sum-exp of minus infinity, and no gradient.
    p = b.select(b.compare("eq", lse, -math.inf), 0, b.unary("exp", b.sub(scores.value, lse)))
    delta = b.reduce("sum", b.mul(dy, y), [y.rank - 1], keep=True)
    ds = b.mul(p, b.sub(b.matmul(dy, vw, transpose_b=True), delta))
    found = (b.mul(b.matmul(ds, kw), scores.scale), b.mul(b.matmul(ds, qw, transpose_a=True), scores.scale),
             b.matmul(p, dy, transpose_a=True))  # fmt: skip
    return [b.cast(value, q.dtype) for value in found]


# ===----------------------------------------------------------------------=== #
# Dropout
# ===----------------------------------------------------------------------=== #


@op("native_dropout.default")
def dropout(b, x, p, train):
    if train is False or p == 0:
        return [x, b.constant(True, "i1", x.shape)]
    if p == 1:
        return [b.constant(0, x.dtype, x.shape), b.constant(False, "i1", x.shape)]
    mask = b.drawn("i1")
    return [b.scaled("mul", b.mul(x, b.cast(mask, x.dtype)), 1.0 / (1.0 - p)), mask]


@op("native_dropout_backward.default")
def dropout_backward(b, dy, mask, scale):
    return b.scaled("mul", b.mul(dy, b.cast(mask, dy.dtype)), scale)


@op("dropout.default")
def plain_dropout(b, x, p, train):
    return dropout(b, x, p, train)[0]


@op("bernoulli.default", "bernoulli.p", "rand.default", "rand_like.default", "randn.default", "randn_like.default",
    "uniform.default", "normal.Tensor_float", "normal_functional.default")  # fmt: skip
def random(b, *arguments, **options):
    return b.drawn(b.declared[0][1])
