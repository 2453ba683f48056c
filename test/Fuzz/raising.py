# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of what raising looks for, and of what is nearly that.

Norms, softmax, attention and activations spelled out, where batch, head, position and width are mostly of one size: what
lies along the wrong axis then has the right shape, and the program means something else. Masks hide by minus infinity
and by finite numbers, among scores of any size.

Scores that a finite mask competes with are whole numbers, which every evaluation adds and multiplies to the bit: what
differs is then the meaning, whatever the rounding.
"""

import itertools
import math

from programs import EPSILON, FLOATS, Generator, Program

PRECISION = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}
LEAST = {"f64": -3e300, "f32": -3.4028234663852886e38, "f16": -65504.0, "bf16": -3.3895313892515355e38}
OPPOSITE = {"le": "gt", "lt": "ge", "ge": "lt", "gt": "le"}
COMPARED = {"le": lambda a, b: a <= b, "lt": lambda a, b: a < b, "ge": lambda a, b: a >= b, "gt": lambda a, b: a > b}
LARGEST_ERROR = 0.05  # of scores: beyond that a softmax could be anything


def literal(value, dtype):
    """A float as MLIR reads it. What is not finite is spelled by its bits."""
    if math.isfinite(value):
        return repr(float(value)) if "e" not in repr(float(value)) else f"{value:.17e}"
    bits = {"f64": (0x7FF, 52, 16), "f32": (0xFF, 23, 8), "f16": (0x1F, 10, 4), "bf16": (0xFF, 7, 4)}
    exponent, fraction, digits = bits[dtype]
    pattern = exponent << fraction
    if math.isnan(value):
        pattern |= 1 << (fraction - 1)
    elif value < 0:
        pattern |= (exponent + 1) << fraction
    return f"0x{pattern:0{digits}X}"


def is_power_of_two(value):
    return value != 0 and math.isfinite(value) and math.frexp(abs(value))[0] == 0.5


class Raising(Generator):
    """Makes one program of a few patterns. Only what a pattern ends in goes on to the next ones."""

    def __init__(self, rng, is_training=False):
        super().__init__(rng, (), is_training)
        self.n, self.other = rng.choice((2, 3, 4, 4, 5, 8)), rng.choice((1, 1, 2, 3, 6))
        self.ends, self.shared = [], []

    def chance(self, probability):
        return self.rng.random() < probability

    def size(self):
        return self.n if self.chance(0.88) else self.other

    def emit(self, text, operands, *results):
        value = super().emit(text, operands, *results)
        del self.pool[-len(results) :]
        value.grain = 0.0
        return value

    def argument(self, shape, dtype, bound=0):
        value = super().argument(shape, dtype, bound)
        value.grain = 1.0 if dtype not in FLOATS else 0.0
        return value

    def end(self, value, goes_on=True):
        self.ends.append(value)
        if goes_on and value.error <= 1e-3 * max(1, value.magnitude) and value.magnitude < 100:
            self.pool.append(value)

    def share(self, value):
        """Some of what lies within a pattern is used elsewhere too: it is a result."""
        if self.chance(0.04):
            self.shared.append(value)
        return value

    def input(self, shape, dtype):
        found = [v for v in self.pool if v.shape == tuple(shape) and v.dtype == dtype]
        return self.rng.choice(found) if found and self.chance(0.5) else self.argument(shape, dtype)

    def program(self):
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            self.rng.choice(PATTERNS)(self)
        if self.is_training:
            # A mean of a norm or softmax alone has no gradient: each is weighted.
            weighted = [binary(self, "mul", end, self.argument(end.shape, end.dtype)) for end in self.ends if end.size]
            return self.training_program(weighted)
        results = list(dict.fromkeys(self.ends + self.shared))
        return Program(self.arguments, self.ops, results).pruned() if results else None


# ===----------------------------------------------------------------------=== #
# Ops, with what they do to magnitude and error
# ===----------------------------------------------------------------------=== #
#
# A value's `grain` is a power of two of which all its elements are multiples, 0 where there is none; with an error of 0
# every correct evaluation computes it to the bit.


def rounding(dtype, magnitude):
    return EPSILON.get(dtype, 0.0) * max(magnitude, 1e-3)


def fits(dtype, magnitude, grain):
    return grain > 0 and magnitude / grain <= 2.0 ** PRECISION.get(dtype, 63)


def typed(shape, dtype):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{dtype}>"


def broadcast(*shapes):
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    return tuple(next((s for s in sizes if s != 1), 1) for sizes in zip(*padded))


def unary(g, name, x, magnitude, error):
    return g.emit(f"nova.{name} {{0}} : {x.type}", [x], (x.shape, x.dtype, magnitude, error))


def binary(g, name, a, b):
    a_size, b_size = a.magnitude, b.magnitude
    if name == "mul":
        magnitude, grain = a_size * b_size, a.grain * b.grain
        error = a.error * (b_size + b.error) + b.error * a_size
    elif name == "div":  # by a known number
        magnitude, grain = a_size / b_size, a.grain / b_size if is_power_of_two(b_size) else 0.0
        error = a.error / b_size
    else:
        magnitude, grain, error = a_size + b_size, min(a.grain, b.grain), a.error + b.error
    if not fits(a.dtype, magnitude, grain):
        grain = 0.0
        # One sum of exact numbers is rounded in one way where all compute in the type itself.
        if name == "mul" or error or a.dtype in ("f16", "bf16"):
            error += rounding(a.dtype, magnitude)
    types = f"{a.type}, {b.type}"
    value = g.emit(f"nova.{name} {{0}}, {{1}} : {types}", [a, b], (broadcast(a.shape, b.shape), a.dtype, magnitude, error))
    value.grain = grain
    return value


def either_order(g, name, a, b):
    return binary(g, name, a, b) if g.chance(0.5) else binary(g, name, b, a)


def uniform(g, number, dtype, shape=()):
    """A number known when the program is compiled, in any spelling."""
    spelled = () if g.chance(0.7) else g.rng.choice((tuple(shape), (1,) * len(shape)))
    text = literal(number, dtype) if dtype in FLOATS else str(number)
    size = abs(number) if math.isfinite(number) else 1.0
    value = g.emit(f"nova.constant dense<{text}> : {typed(spelled, dtype)}", [], (spelled, dtype, size, 0.0))
    value.grain = 2.0 ** (math.frexp(size)[1] - 1) if is_power_of_two(size) else 1.0 if float(size).is_integer() else 0.0
    if spelled == () and shape and g.chance(0.15):
        return moved(g, value, f"nova.broadcast_in_dim {{0}} dims = [] : {value.type} -> {typed(shape, dtype)}", shape)
    return value


def moved(g, x, text, shape):
    value = g.emit(text, [x], (tuple(shape), x.dtype, x.magnitude, x.error))
    value.grain, value.is_kept = x.grain, x.is_kept
    return value


def reshaped(g, x, shape):
    shape = tuple(shape)
    return x if x.shape == shape else moved(g, x, f"nova.reshape {{0}} : {x.type} -> {typed(shape, x.dtype)}", shape)


def transposed(g, x, order):
    return moved(g, x, f"nova.transpose {{0}} {list(order)} : {x.type}", [x.shape[axis] for axis in order])


def spread(g, x, rank, axes, shape):
    """x broadcast against `shape`, its axis i along axes[i], in any spelling."""
    kind = g.rng.choice(("reshape", "reshape", "broadcast", "ones", "none"))
    last = list(range(rank - len(axes), rank))
    if kind == "none" and list(axes) == last:
        return x
    ones = [1] * rank
    for axis, size in zip(axes, x.shape):
        ones[axis] = size
    if kind == "broadcast":
        for axis in range(rank):
            if axis not in axes and g.chance(0.8):
                ones[axis] = shape[axis]
    first = next((i for i, size in enumerate(ones) if size != 1), rank)
    ones = ones[g.rng.randrange(min([first, *axes, rank]) + 1) :] if g.chance(0.4) else ones
    if kind in ("broadcast", "ones"):
        dims = [axis - (rank - len(ones)) for axis in axes]
        return moved(g, x, f"nova.broadcast_in_dim {{0}} dims = {dims} : {x.type} -> {typed(ones, x.dtype)}", ones)
    return reshaped(g, x, ones)


def along(g, shape, axes, dtype):
    """An argument that varies along some axes of a shape."""
    return spread(g, g.argument([shape[axis] for axis in axes], dtype), len(shape), axes, shape)


def some_axes(g, rank, likely):
    if g.chance(0.4):
        return likely
    return sorted(g.rng.sample(range(rank), g.rng.choice((0, 1, 1, 1, 2)) if rank > 1 else 1))


def statistic(g, kind, x, axis, count=None):
    """A reduction whose axis came back, mostly where it was; `count` divides a sum."""
    keep = g.chance(0.5)
    shape = [1 if i == axis else s for i, s in enumerate(x.shape) if keep or i != axis]
    n, name = max(x.shape[axis], 1), "sum" if count else kind
    magnitude = x.magnitude * n if name == "sum" else x.magnitude
    error = x.error * (n if name == "sum" else 1) + (rounding(x.dtype, magnitude) if name in ("sum", "mean") else 0)
    note = " {{keep_dims}}" if keep else ""
    found = g.emit(f"nova.reduce {name} {{0}} over [{axis}]{note} : {x.type}", [x], (shape, x.dtype, magnitude, error))
    if count and g.chance(0.5):
        found = binary(g, "div", found, uniform(g, float(count), x.dtype, found.shape))
    elif count:
        found = binary(g, "mul", found, uniform(g, 1.0 / count, x.dtype, found.shape))
    if keep:
        return found, True
    rank, own = len(x.shape), [i for i in range(len(x.shape)) if i != axis]
    axes = own if g.chance(0.75) else sorted(g.rng.sample(range(rank), rank - 1))
    if any(size not in (1, x.shape[i]) for i, size in zip(axes, found.shape)):
        axes = own
    return spread(g, found, rank, axes, x.shape), axes == own


# ===----------------------------------------------------------------------=== #
# Norms
# ===----------------------------------------------------------------------=== #


def weights(g, y, most):
    """Products and sums with vectors, mostly along the last axis."""
    for _ in range(g.rng.randrange(most + 1)):
        vector = along(g, y.shape, some_axes(g, y.rank, [y.rank - 1]), y.dtype)
        name = g.rng.choice(("mul", "mul", "add", "add", "sub"))
        y = binary(g, name, y, vector) if name == "sub" else either_order(g, name, y, vector)
    return y


def mean_of(g, x, axis):
    n = x.shape[axis]
    count = None if g.chance(0.5) else n if g.chance(0.8) or n == 1 else n - 1
    return statistic(g, "mean", x, axis, count)


def spelled_norm(g):
    shape, dtype = [g.size() for _ in range(g.rng.choice((2, 2, 3)))], g.rng.choice(g.floats)
    x = g.input(shape, dtype)
    axis = len(shape) - 1 if g.chance(0.85) else g.rng.randrange(len(shape))
    mean, _ = mean_of(g, x, axis)
    d = binary(g, "sub", x, mean)
    inner = d if g.chance(0.8) else binary(g, "sub", x, mean_of(g, x, axis)[0])
    size, error = inner.magnitude**2, 2 * inner.magnitude * inner.error + rounding(dtype, inner.magnitude**2)
    spelling = g.rng.choice(("square", "mul", "pow"))
    if spelling == "square":
        squares = unary(g, "square", inner, size, error)
    else:
        other = inner if spelling == "mul" else uniform(g, 2.0, dtype, shape)
        squares = g.emit(f"nova.{spelling} {{0}}, {{1}} : {inner.type}, {other.type}", [inner, other],
                         (inner.shape, dtype, size, error))  # fmt: skip
    variance, _ = mean_of(g, squares, axis if g.chance(0.9) else g.rng.randrange(len(shape)))
    narrow = dtype in ("f16", "bf16")
    eps = g.rng.choice((1e-1, 1.0) if narrow else (1e-2, 0.1) if g.is_training else (1e-5, 1e-3, 0.1, 1.0))
    odd = not g.is_training and g.chance(0.06)
    if odd:  # NaN or zero everywhere, which no op of a norm's may say
        eps = g.rng.choice((math.inf, math.nan, -math.inf, -1e9 if dtype != "f16" else -6e4))
    stable = either_order(g, "add", variance, uniform(g, eps, dtype, variance.shape))
    y = normalized(g, d, stable, 0.01 if odd else math.sqrt(eps), odd)
    y = weights(g, g.share(y), 2)
    if odd:
        y.error = y.grain = 0.0
    g.end(y, goes_on=not odd)


def normalized(g, d, stable, root, odd):
    """d over the root of what is at least root^2."""
    wide = 1.0 if odd else max(1.0, d.magnitude / root)
    shape, dtype = d.shape, d.dtype

    def step(name, x):
        return unary(g, name, x, 1.0, 0.0)

    if g.chance(0.5):
        if g.chance(0.6):
            inverse = step("rsqrt", stable)
        elif g.chance(0.5):
            inverse = step("reciprocal", step("sqrt", stable))
        else:
            one, below = uniform(g, 1.0, dtype, stable.shape), step("sqrt", stable)
            inverse = g.emit(f"nova.div {{0}}, {{1}} : {one.type}, {below.type}", [one, below],
                             (broadcast(one.shape, below.shape), dtype, 1.0, 0.0))  # fmt: skip
        if g.chance(0.3):
            inverse = either_order(g, "mul", inverse, along(g, shape, some_axes(g, len(shape), [len(shape) - 1]), dtype))
            wide *= inverse.magnitude
        y = either_order(g, "mul", d, inverse)
    else:
        below = step("sqrt", stable)
        y = g.emit(f"nova.div {{0}}, {{1}} : {d.type}, {below.type}", [d, below], (shape, dtype, 1.0, 0.0))
    y.magnitude, y.grain = wide, 0.0
    y.error = 0.0 if odd else 4 * wide * EPSILON[dtype] + 4 * d.error * wide / max(d.magnitude, 1e-3)
    return y


def norm_op(g):
    """A norm without weight and bias, and what is written after it."""
    shape, dtype = [g.size() for _ in range(g.rng.choice((2, 2, 3)))], g.rng.choice(g.floats)
    x = g.input(shape, dtype)
    vectors = []
    for value in (1.0, 0.0):
        text = f"nova.constant dense<{value if g.chance(0.9) else 0.5}> : {typed(shape[-1:], dtype)}"
        vectors.append(g.emit(text, [], (shape[-1:], dtype, 1.0, 0.0)))
    w, b = vectors
    size = math.sqrt(shape[-1])
    y = g.emit(f"nova.layer_norm {{0}}, {{1}}, {{2}} {{{{eps = 0.1 : f64}}}} : {x.type}, {w.type}, {b.type}", [x, w, b],
               (shape, dtype, size + 0.5, 20 * x.error + 10 * rounding(dtype, size + x.magnitude)))  # fmt: skip
    g.end(weights(g, g.share(y), 3))


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
    query, key = (rank - 2, rank - 1) if g.chance(0.75) else g.rng.sample(range(rank), 2)
    kind, offset = g.rng.choice(("le", "le", "le", "lt", "ge")), g.rng.choice((0, 0, 0, 0, 1, -1, 2))
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
        a, b, spelled = i, j, {"le": "ge", "ge": "le", "lt": "gt", "gt": "lt"}[spelled]
    condition = g.emit(f"nova.compare {spelled} {{0}}, {{1}} : {a.type}, {b.type}", [a, b],
                       (broadcast(a.shape, b.shape), "i1", 1.0, 0.0))  # fmt: skip
    return Mask(condition, polarity, lambda at: COMPARED[kind](at[key], at[query] + offset))


def written_out(g, shape):
    """The lower triangle as a literal."""
    t, s = shape[-2:]
    polarity, offset = g.chance(0.5), g.rng.choice((0, 0, 1))
    rows = [[int((j <= i + offset) == polarity) for j in range(s)] for i in range(t)]
    text = f"nova.constant dense<{rows}> : {typed((t, s), 'i1')}"
    return Mask(g.emit(text, [], ((t, s), "i1", 1.0, 0.0)), polarity, lambda at: at[-1] <= at[-2] + offset)


def given(g, shape):
    """A mask of padding, or any other, that is an argument."""
    axes = some_axes(g, len(shape), [len(shape) - 1])
    return Mask(along(g, shape, axes, "i1"), g.chance(0.5), None)


def some_mask(g, shape):
    kind = g.rng.random()
    if kind < 0.65:
        return causal(g, shape)
    return written_out(g, shape) if kind < 0.8 and all(shape[-2:]) else given(g, shape)


def hidden_value(g, dtype):
    choices = [-math.inf, -math.inf, LEAST[dtype], -1e4, -1e4, -30.0, -2.0, 0.0]
    return g.rng.choice(choices if dtype == "f16" else [*choices, -1e9, -1e9])


def masked(g, s, axis):
    """Scores with a mask selected or added."""
    mask, hidden = some_mask(g, s.shape), hidden_value(g, s.dtype)
    sure = mask.shows_every_row(s.shape, axis) and hidden <= -(2 * s.magnitude + 800)
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
        result.is_kept = True
        return result
    types = f"{condition.type}, {first.type}, {second.type}"
    result = g.emit(f"{text} {{0}}, {{1}}, {{2}} : {types}", [condition, first, second],
                    (broadcast(condition.shape, s.shape), s.dtype, magnitude, error))  # fmt: skip
    result.grain, result.is_kept = grain, True
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


def normalized_row(g, x, axis, is_masked):
    """Softmax, as an op or spelled out, with the largest element subtracted or another number."""
    error = 2 * x.error + rounding(x.dtype, 1.0)
    if g.chance(0.5):
        last = axis == x.rank - 1 and g.chance(0.7)
        note = "" if last else f" {{{{axis = {axis} : i64}}}}"
        return g.emit(f"nova.softmax {{0}}{note} : {x.type}", [x], (x.shape, x.dtype, 1.0, error))
    small, limit = x.magnitude <= 3 and x.dtype in ("f32", "f64") and not is_masked, 1.0
    inner, shift = x, g.rng.random()
    if shift < 0.3 and x.magnitude <= (5 if x.dtype == "f16" else 30):
        error += rounding(x.dtype, x.magnitude)
    elif shift < 0.5 and small:
        largest, _ = statistic(g, "max", x, g.rng.randrange(x.rank))
        inner = binary(g, "sub", x, largest)
        limit = math.exp(4 * x.magnitude)
    else:
        largest = g.emit(f"nova.reduce max {{0}} over [{axis}] {{{{keep_dims}}}} : {x.type}", [x],
                         ([1 if i == axis else s for i, s in enumerate(x.shape)], x.dtype, x.magnitude, x.error))  # fmt: skip
        inner = binary(g, "sub", x, largest)
        error += 2 * (0 if x.grain else rounding(x.dtype, x.magnitude))
    e = unary(g, "exp", inner, limit, 0.0)
    if not is_masked and g.chance(0.4) and small:
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
    axis, is_masked = g.rng.randrange(len(shape)), g.chance(0.4)
    if is_masked:
        x = masked(g, x, axis)
    g.end(normalized_row(g, x, axis, is_masked))


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
    folded = before if kind < 0.8 else (before[0], before[1], before[2] * before[3])
    x = g.input(folded, dtype)
    x = reshaped(g, whole(g, x) if is_whole else x, before)
    return transposed(g, x, order)


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
    value.grain = grain if exact else 0.0
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
    result.is_kept = True
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
    factor = g.rng.choice((4096.0, 64.0)) if is_whole and dtype in ("f32", "f64") and g.chance(0.2) else 1.0
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
    is_masked = False
    for _ in range(g.rng.choice((0, 1, 1, 1, 2))):
        x, is_masked = (biased(g, x), is_masked) if g.chance(0.25) else (masked(g, x, axis), True)
    if g.chance(0.1):
        x = scaled(g, x, g.rng.choice((0.5, 2.0, 0.25)))
    if x.error > LARGEST_ERROR:
        return
    p = g.share(normalized_row(g, x, axis, is_masked))
    if t == s and g.chance(0.05):
        p = transposed(g, p, [*range(rank - 2), rank - 1, rank - 2])
    # The rows of p add up to 1 where softmax runs over the keys.
    if g.chance(0.15):
        v = transposed(g, v, [*range(rank - 2), rank - 1, rank - 2])
        y = product(g, p, v, transpose_b=True)
    else:
        y = product(g, p, v)
    if g.chance(0.3) and rank == 4:
        y = reshaped(g, transposed(g, y, [0, 2, 1, 3]), (batch, t, count * e))
    g.end(y)


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
    g.end(y)


# ===----------------------------------------------------------------------=== #
# Activations
# ===----------------------------------------------------------------------=== #


def activation(g):
    """Gelu, silu and sigmoid of x, or of what only has its shape."""
    n, dtype = g.size(), g.rng.choice(g.floats)
    x = g.input((n, n), dtype)
    x = unary(g, "tanh", x, 1.0, x.error + rounding(dtype, 1.0))
    other = transposed(g, x, [1, 0]) if g.chance(0.2) else x
    error, kind = 8 * (x.error + rounding(dtype, 1.0)), g.rng.choice(("silu", "logistic", "tanh", "erf"))

    def times(a, number):
        return either_order(g, "mul", a, uniform(g, number, dtype, a.shape))

    def plus_one(a):
        return either_order(g, "add", a, uniform(g, 1.0, dtype, a.shape))

    if kind == "silu":
        y = either_order(g, "mul", x, unary(g, "sigmoid", other, 1.0, error))
    elif kind == "logistic":
        below = plus_one(unary(g, "exp", unary(g, "neg", other, 1.0, other.error), 3.0, error))
        above = x if g.chance(0.5) else uniform(g, 1.0, dtype)
        y = g.emit(f"nova.div {{0}}, {{1}} : {above.type}, {below.type}", [above, below], ((n, n), dtype, 1.0, error))
    else:
        inner = other
        if kind == "tanh":
            cubic = binary(g, "mul", unary(g, "square", other, 1.0, error), other if g.chance(0.8) else x)
            inner = either_order(g, "add", other, times(cubic, g.rng.choice((0.044715, 0.044715, 0.05))))
        inner = times(inner, math.sqrt(2 / math.pi) if kind == "tanh" else math.sqrt(0.5))
        y = either_order(g, "mul", times(x, 0.5), plus_one(unary(g, kind, inner, 1.0, error)))
    y.magnitude, y.error, y.grain = 1.0, error, 0.0
    g.end(y)


PATTERNS = (spelled_norm,) * 4 + (norm_op,) * 2 + (softmax_alone,) * 2 + (attention,) * 7 + (attention_op, activation)
