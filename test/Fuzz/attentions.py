# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax and attention spelled out, with masks that hide by minus infinity or by a finite number.

Scores that a finite mask competes with are whole numbers, which every evaluation adds and multiplies to the bit: what
differs is then the meaning, whatever the rounding.
"""

import itertools
import math

from programs import FLOATS
from spelling import (
    along, binary, broadcast, either_order, fits, moved, reshaped, rounding, some_axes, spread, statistic, transposed,
    typed, unary, uniform,
)  # fmt: skip

LEAST = {"f64": -3e300, "f32": -3.4028234663852886e38, "f16": -65504.0, "bf16": -3.3895313892515355e38}
OPPOSITE = {"le": "gt", "lt": "ge", "ge": "lt", "gt": "le"}
EXCHANGED = {"le": "ge", "ge": "le", "lt": "gt", "gt": "lt"}
COMPARED = {"le": lambda a, b: a <= b, "lt": lambda a, b: a < b, "ge": lambda a, b: a >= b}
LARGEST_ERROR = 0.05  # of scores: beyond that a softmax could be anything


# ===----------------------------------------------------------------------=== #
# Masks
# ===----------------------------------------------------------------------=== #


def places(g, shape, axis, dtype):
    """The coordinate along an axis of a shape, in any spelling."""
    if g.chance(0.4):
        return g.emit(f"nova.iota {axis} : {typed(shape, dtype)}", [], (shape, dtype, shape[axis], 0.0))
    line = (shape[axis],)
    return spread(g, g.emit(f"nova.iota 0 : {typed(line, dtype)}", [], (line, dtype, line[0], 0.0)), len(shape), [axis],
                  shape)  # fmt: skip


class Mask:
    """Which positions of a shape are hidden: a tensor of i1, true for `polarity`; `sees` tells each position, None for
    a mask that is an argument."""

    def __init__(self, condition, polarity, sees):
        self.condition, self.polarity, self.sees = condition, polarity, sees

    def shows_every_row(self, shape, axis):
        if not self.sees:
            return False
        rows = itertools.product(*(range(s) for i, s in enumerate(shape) if i != axis))
        return all(any(self.sees((*row[:axis], s, *row[axis:])) for s in range(shape[axis])) for row in rows)


def causal(g, shape):
    """Positions compared, as in j <= i, sometimes those of other axes or off by one."""
    rank = len(shape)
    query, key = (rank - 2, rank - 1) if g.chance(0.85) else g.rng.sample(range(rank), 2)
    kind, offset = g.rng.choice(("le", "le", "le", "le", "lt", "ge")), g.rng.choice((0, 0, 0, 0, 0, 0, 1, -1))
    # Within the last two axes, or within all.
    inner = list(shape[-2:]) if min(query, key) >= rank - 2 and g.chance(0.6) else list(shape)
    skipped, dtype = rank - len(inner), g.rng.choice(("i32", "i64", "f32"))
    i, j = (places(g, inner, axis - skipped, dtype) for axis in (query, key))
    if offset:
        text = f"nova.add {{0}}, {{1}} : {i.type}, "
        number = uniform(g, offset if dtype != "f32" else float(offset), dtype)
        i = g.emit(text + number.type, [i, number], (i.shape, dtype, i.magnitude + 2, 0.0))
    polarity = g.chance(0.5)
    spelled = kind if polarity else OPPOSITE[kind]
    a, b = j, i
    if g.chance(0.5):
        a, b, spelled = i, j, EXCHANGED[spelled]
    condition = g.emit(f"nova.compare {spelled} {{0}}, {{1}} : {a.type}, {b.type}", [a, b],
                       (broadcast(a.shape, b.shape), "i1", 1.0, 0.0))  # fmt: skip
    condition.is_kept = True
    return Mask(condition, polarity, lambda at: COMPARED[kind](at[key], at[query] + offset))


def written_out(g, shape):
    """The lower triangle as a literal."""
    t, s = shape[-2:]
    polarity, offset = g.chance(0.5), g.rng.choice((0, 0, 1))
    rows = [[int((j <= i + offset) == polarity) for j in range(s)] for i in range(t)]
    text = f"nova.constant dense<{rows}> : {typed((t, s), 'i1')}"
    condition = g.emit(text, [], ((t, s), "i1", 1.0, 0.0))
    condition.is_kept = True
    return Mask(condition, polarity, lambda at: at[-1] <= at[-2] + offset)


def given(g, shape):
    """A mask of padding, or any other, that is an argument."""
    axes = some_axes(g, len(shape), [len(shape) - 1])
    return Mask(along(g, shape, axes, "i1"), g.chance(0.5), None)


def some_mask(g, shape):
    kind = g.rng.random()
    if kind < 0.75:
        return causal(g, shape)
    return written_out(g, shape) if kind < 0.87 and all(shape[-2:]) else given(g, shape)


def hidden_value(g, dtype, size):
    if size > 1e4 and g.chance(0.7):
        return -1e4  # among visible scores
    choices = [-math.inf, -math.inf, LEAST[dtype], -1e4, -1e4, -1e4, -30.0, -2.0, 0.0]
    return g.rng.choice(choices if dtype == "f16" else [*choices, -1e9, -1e9])


def masked(g, s, axis):
    """Scores with a mask selected or added."""
    mask, hidden = some_mask(g, s.shape), hidden_value(g, s.dtype, s.magnitude)
    shown_rows = not s.is_masked and mask.shows_every_row(s.shape, axis)
    sure = shown_rows and hidden <= -(2 * s.magnitude + 800)
    if not sure and math.isfinite(hidden) and hidden < -1e10:
        hidden = -1e4  # minima added to minima are infinite
    polarity, condition = mask.polarity, mask.condition
    if g.chance(0.5):
        shown = s
        other = uniform(g, hidden, s.dtype, s.shape)
        magnitude = s.magnitude if sure or math.isinf(hidden) else max(s.magnitude, -hidden)
        error, grain = s.error, s.grain
        text, first, second = "nova.select", *((shown, other) if polarity else (other, shown))
    else:
        bias = mask_bias(g, mask, hidden, s)
        if sure or math.isinf(hidden):
            magnitude, error, grain = s.magnitude, s.error + (0 if s.grain else rounding(s.dtype, s.magnitude)), s.grain
        else:
            magnitude, grain = s.magnitude - hidden, min(s.grain, 1.0)
            grain = grain if fits(s.dtype, magnitude, grain) and float(hidden).is_integer() else 0.0
            exact = grain or (not s.error and s.dtype in ("f32", "f64"))
            error = s.error + (0.0 if exact else rounding(s.dtype, magnitude))
        if error > LARGEST_ERROR:
            return s
        if g.chance(0.2) and math.isfinite(hidden):
            bias = unary(g, "neg", bias, bias.magnitude, 0.0)
            result = binary(g, "sub", s, bias)
        else:
            result = either_order(g, "add", s, bias)
        result.magnitude, result.error, result.grain = magnitude, error, grain
        result.is_kept, result.is_masked, result.shows_every_row = True, True, shown_rows
        return result
    types = f"{condition.type}, {first.type}, {second.type}"
    result = g.emit(f"{text} {{0}}, {{1}}, {{2}} : {types}", [condition, first, second],
                    (broadcast(condition.shape, s.shape), s.dtype, magnitude, error))  # fmt: skip
    result.grain, result.is_kept, result.is_masked, result.shows_every_row = grain, True, True, shown_rows
    return result


def mask_bias(g, mask, hidden, s):
    """0 where a mask shows, `hidden` elsewhere."""
    condition, shape = mask.condition, mask.condition.shape
    if math.isinf(hidden) or g.chance(0.5):
        zero, other = uniform(g, 0.0, s.dtype, shape), uniform(g, hidden, s.dtype, shape)
        first, second = (zero, other) if mask.polarity else (other, zero)
        types = f"{condition.type}, {first.type}, {second.type}"
        return g.emit(f"nova.select {{0}}, {{1}}, {{2}} : {types}", [condition, first, second],
                      (shape, s.dtype, 1.0, 0.0))  # fmt: skip
    ones = g.emit(f"nova.cast {{0}} : {condition.type} -> {typed(shape, s.dtype)}", [condition],
                  (shape, s.dtype, 1.0, 0.0))  # fmt: skip
    if mask.polarity:
        one = uniform(g, 1.0, s.dtype, shape)
        ones = binary(g, "sub", one, ones)
    return either_order(g, "mul", ones, uniform(g, hidden, s.dtype, shape))


# ===----------------------------------------------------------------------=== #
# Softmax
# ===----------------------------------------------------------------------=== #


def normalized_row(g, x, axis):
    """Softmax, as an op or spelled out, with the largest element subtracted or another number."""
    error = 2 * x.error + rounding(x.dtype, 1.0)
    if g.chance(0.5):
        last = axis == x.rank - 1 and g.chance(0.7)
        note = "" if last else f" {{{{axis = {axis} : i64}}}}"
        return g.emit(f"nova.softmax {{0}}{note} : {x.type}", [x], (x.shape, x.dtype, 1.0, error))
    small, limit = x.magnitude <= 3 and x.dtype in ("f32", "f64") and not x.is_masked, 1.0
    inner, shift = x, g.rng.random()
    if shift < 0.3 and x.shows_every_row and x.magnitude <= (5 if x.dtype == "f16" else 30):
        error += rounding(x.dtype, x.magnitude)
    elif shift < 0.5 and small:
        largest, _ = statistic(g, "max", x, g.rng.randrange(x.rank))
        inner = binary(g, "sub", x, largest)
        limit = math.exp(4 * x.magnitude)
    else:
        largest = g.emit(f"nova.reduce max {{0}} over [{axis}] {{{{keep_dims}}}} : {x.type}", [x],
                         ([1 if i == axis else s for i, s in enumerate(x.shape)], x.dtype, x.magnitude, x.error))  # fmt: skip
        largest.is_kept = True
        inner = binary(g, "sub", x, largest)
        error += 2 * (0 if x.grain else rounding(x.dtype, x.magnitude))
    e = unary(g, "exp", inner, limit, 0.0)
    if g.chance(0.4) and small:
        mask = some_mask(g, x.shape)
        if mask.shows_every_row(x.shape, axis):
            e = masked_exponentials(g, e, mask)
    total, is_own = statistic(g, "sum", e, axis) if small else (None, True)
    if total is None:
        shape = [1 if i == axis else s for i, s in enumerate(x.shape)]
        total = g.emit(f"nova.reduce sum {{0}} over [{axis}] {{{{keep_dims}}}} : {e.type}", [e], (shape, x.dtype, 1.0, 0.0))
    limit = limit if is_own else math.exp(4 * x.magnitude) * limit
    text = f"nova.div {{0}}, {{1}} : {e.type}, {total.type}"
    if g.chance(0.3):
        total = unary(g, "reciprocal", total, 1.0, 0.0)
        text = f"nova.mul {{0}}, {{1}} : {e.type}, {total.type}"
    return g.emit(text, [e, total], (x.shape, x.dtype, limit, error * limit))


def masked_exponentials(g, e, mask):
    condition, zero = mask.condition, uniform(g, 0.0, e.dtype)
    if mask.polarity and g.chance(0.5):
        factor = g.emit(f"nova.cast {{0}} : {condition.type} -> {typed(condition.shape, e.dtype)}", [condition],
                        (condition.shape, e.dtype, 1.0, 0.0))  # fmt: skip
        return either_order(g, "mul", e, factor)
    first, second = (e, zero) if mask.polarity else (zero, e)
    types = f"{condition.type}, {first.type}, {second.type}"
    return g.emit(f"nova.select {{0}}, {{1}}, {{2}} : {types}", [condition, first, second],
                  (e.shape, e.dtype, e.magnitude, 0.0))  # fmt: skip


def softmax_alone(g):
    shape, dtype = [g.size() for _ in range(g.rng.choice((2, 2, 3)))], g.rng.choice(g.floats)
    x = g.input(shape, dtype)
    if g.chance(0.7):
        x = unary(g, "tanh", x, 1.0, x.error + rounding(dtype, 1.0))
    axis = g.rng.randrange(len(shape))
    x = masked(g, x, axis) if g.chance(0.4) else x
    g.end(normalized_row(g, x, axis))


# ===----------------------------------------------------------------------=== #
# Attention
# ===----------------------------------------------------------------------=== #


def whole(g, x):
    """Whole numbers near x, few enough for the type."""
    narrow = x.dtype in ("f16", "bf16")
    value = unary(g, "sign" if narrow else "round", x, 1.0 if narrow else 6.0, 0.0)
    value.grain, value.is_kept = 1.0, True
    return value


def heads(g, batch, count, positions, width, dtype, is_whole):
    """[batch, head, position, width], from what lay in another order at times."""
    shape = (batch, count, positions, width)
    kind = g.rng.random()
    if kind < 0.5:
        x = g.input(shape, dtype)
        return whole(g, x) if is_whole else x
    order = [0, 2, 1, 3] if g.chance(0.8) else g.rng.sample(range(4), 4)
    before = [0] * 4
    for to, source in enumerate(order):
        before[source] = shape[to]
    folded = before if kind < 0.7 else (before[0], before[1], before[2] * before[3])
    x = g.input(folded, dtype) if kind < 0.85 else part_of_projection(g, folded, before[3], dtype)
    x = reshaped(g, whole(g, x) if is_whole else x, before)
    return transposed(g, x, order)


def part_of_projection(g, shape, width, dtype):
    """Some columns of three times as many, as queries, keys and values lie side by side; mostly whole heads."""
    columns = shape[-1]
    first = g.rng.randrange(2 * columns + 1) if g.chance(0.2) else g.rng.choice((0, columns, 2 * columns, min(width, columns)))
    stride = 2 if g.chance(0.1) and first <= columns else 1
    x = g.input((*shape[:-1], 3 * columns), dtype)
    starts, limits = [0] * len(shape), [*shape[:-1], first + (columns - 1) * stride + 1 if columns else first]
    starts[-1] = first
    text = f"nova.slice {{0}} starts = {starts} limits = {limits} strides = {[1] * (len(shape) - 1) + [stride]}"
    return moved(g, x, f"{text} : {x.type} -> {typed(shape, dtype)}", shape)


def scaled(g, x, factor):
    if factor == 1.0 and g.chance(0.6):
        return x
    if g.chance(0.5):
        return binary(g, "div", x, uniform(g, 1.0 / factor, x.dtype, x.shape))
    return either_order(g, "mul", x, uniform(g, factor, x.dtype, x.shape))


def product(g, a, b, transpose_b=False):
    """A product, with leading axes folded at times."""
    lead, shape = a.shape[:-2], a.shape[:-1] + (b.shape[-2] if transpose_b else b.shape[-1],)
    fold = len(lead) == 2 and g.chance(0.35)
    if fold:
        inner = g.rng.choice(((math.prod(lead),), lead[::-1], (1, math.prod(lead))))
        a, b = (reshaped(g, x, (*inner, *x.shape[-2:])) for x in (a, b))
    k = a.shape[-1]
    magnitude, grain = k * a.magnitude * b.magnitude, a.grain * b.grain
    exact = not a.error and not b.error and fits(a.dtype, magnitude, grain)
    error = k * (a.error * b.magnitude + b.error * a.magnitude) + (0.0 if exact else rounding(a.dtype, magnitude))
    note = " {{transpose_rhs}}" if transpose_b else ""
    result = (*a.shape[:-1], shape[-1])
    value = g.emit(f"nova.matmul {{0}}, {{1}}{note} : {a.type}, {b.type}", [a, b], (result, a.dtype, magnitude, error))
    value.grain, value.is_kept = grain if exact else 0.0, bool(exact)
    return reshaped(g, value, shape)


def scores(g, q, k):
    """q k^T, the transpose a flag or an op, which exchanges other axes at times."""
    if g.chance(0.5):
        return product(g, q, k, transpose_b=True)
    order = list(range(k.rank))
    order[-2:] = order[:-3:-1]
    wrong = g.rng.sample(range(k.rank), k.rank)
    if g.chance(0.15) and tuple(k.shape[i] for i in wrong) == tuple(k.shape[i] for i in order):
        order = wrong
    return product(g, q, transposed(g, k, order))


def biased(g, s):
    """Something else is added to scores: one number, a line of positions, an argument."""
    kind = g.rng.random()
    if kind < 0.5:
        large = s.grain and s.dtype in ("f32", "f64") and not g.is_training
        number = g.rng.choice((-2e4, 1e8, 2.0**24, -3.0) if large else (-3.0, 0.5))
        bias = uniform(g, number, s.dtype, s.shape)
    elif kind < 0.75:
        bias = places(g, s.shape, g.rng.randrange(s.rank), s.dtype)
        bias.grain = 1.0
    else:
        bias = along(g, s.shape, some_axes(g, s.rank, [s.rank - 1]), s.dtype)
        bias = whole(g, bias) if s.grain else bias
    before = len(g.ops)
    result = binary(g, "sub", s, bias) if g.chance(0.2) else either_order(g, "add", s, bias)
    result.is_kept, result.is_masked, result.shows_every_row = True, s.is_masked, s.shows_every_row
    if result.error > LARGEST_ERROR:
        del g.ops[before:]
        return s
    return result


def attention(g):
    batch, count, t, s, d, e = (g.size() for _ in range(6))
    count = g.rng.choice((count, count, 1))
    d = 0 if not g.is_training and g.chance(0.02) else d
    dtype = g.rng.choice(g.floats)
    is_whole = not g.is_training and g.chance(0.75 if dtype in ("f32", "f64") else 0.9)
    q = heads(g, batch, count, t, d, dtype, is_whole)
    k = q if t == s and g.chance(0.2) else heads(g, batch, count, s, d, dtype, is_whole)
    v = k if d == e and g.chance(0.2) else heads(g, batch, count, s, e, dtype, False)
    rank = 4
    if g.chance(0.15) or (batch == 1 and g.chance(0.5)):
        lead = g.rng.choice(((), (batch * count,))) if batch * count == 1 else (batch * count,)
        q, k, v = (reshaped(g, x, (*lead, *x.shape[-2:])) for x in (q, k, v))
        rank = len(lead) + 2
    # Scores of the size of -1e4, or small ones.
    factor = g.rng.choice((4096.0, 64.0)) if is_whole and dtype in ("f32", "f64") and g.chance(0.4) else 1.0
    factor = factor if factor > 1 else g.rng.choice((1 / 64, 1 / 8, 0.25, 0.5)) if g.is_training or d > 4 else 1.0
    if not is_whole and d and g.chance(0.5):
        factor = 1 / math.sqrt(d) / (4 if g.is_training else 1)
    where = g.rng.randrange(3)
    x = scores(g, scaled(g, q, factor) if where == 0 else q, scaled(g, k, factor) if where == 1 else k)
    x = g.share(x)
    x = scaled(g, x, factor) if where == 2 else x
    if g.chance(0.06):
        x = binary(g, "mul", x, along(g, x.shape, some_axes(g, rank, [0]), dtype))
    if x.error > LARGEST_ERROR:
        return
    axis = rank - 1 if g.chance(0.9) else g.rng.randrange(rank)
    for _ in range(g.rng.choice((0, 1, 1, 1, 2, 2))):
        x = biased(g, x) if g.chance(0.3) else masked(g, x, axis)
    if g.chance(0.1):
        before = x
        x = scaled(g, x, g.rng.choice((0.5, 2.0, 0.25)))
        x.is_masked, x.shows_every_row = before.is_masked, before.shows_every_row
    if x.error > LARGEST_ERROR:
        return
    p = g.share(normalized_row(g, x, axis))
    if t == s and g.chance(0.05):
        p = transposed(g, p, [*range(rank - 2), rank - 1, rank - 2])
    # The rows of p add up to 1 where softmax runs over the keys.
    if g.chance(0.15):
        v = transposed(g, v, [*range(rank - 2), rank - 1, rank - 2])
        y = product(g, p, v, transpose_b=True)
    else:
        y = product(g, p, v)
    if g.chance(0.5) and rank == 4:
        y = in_other_order(g, y)
    g.end(y)


def in_other_order(g, y):
    """What attention makes, as the next product reads it, mostly."""
    if g.chance(0.2):
        return transposed(g, y, g.rng.sample(range(4), 4))
    y = transposed(g, y, [0, 2, 1, 3])
    return reshaped(g, y, (*y.shape[:2], y.shape[2] * y.shape[3]))


def attention_op(g):
    """The op itself, with masks that broadcast along any axes."""
    batch, count, t, s, d, e = (g.size() for _ in range(6))
    dtype = g.rng.choice(g.floats)
    q, k = (heads(g, batch, count, size, d, dtype, False) for size in (t, s))
    v = heads(g, batch, count, s, e, dtype, False)
    shape = (batch, count, t, s)
    kind, operands = g.rng.choice(("none", "i1", "float")), [q, k, v]
    spelled = ""
    if kind == "i1":
        operands.append(some_mask(g, shape).condition)
    elif kind == "float":
        operands.append(along(g, shape, some_axes(g, 4, [3]), dtype))
    if kind != "none":
        spelled = " mask {3}"
    note = " {{causal, scale = 0.125 : f64}}" if g.chance(0.5) else " {{scale = 0.125 : f64}}"
    size = 0.125 * d * q.magnitude * k.magnitude + 6
    error = 0.125 * d * (q.error * k.magnitude + k.error * q.magnitude) + rounding(dtype, size)
    lse = "f64" if dtype == "f64" else "f32"
    y = g.emit(f"nova.attention {{0}}, {{1}}, {{2}}{spelled}{note} : {', '.join(x.type for x in operands)}", operands,
               ((batch, count, t, e), dtype, v.magnitude, v.error + 2 * error * v.magnitude + 2 * rounding(dtype, v.magnitude)),
               ((batch, count, t), lse, size, error))  # fmt: skip
    g.end(in_other_order(g, y) if g.chance(0.5) else y)
