# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of what raising looks for, and of what is nearly that.

Norms, softmax, attention and activations spelled out, where batch, head, position and width are mostly of one size: what
lies along the wrong axis then has the right shape, and the program means something else.
"""

import math

from attentions import attention, attention_op, softmax_alone
from programs import EPSILON, FLOATS, Generator, Program
from spelling import (
    along, binary, broadcast, either_order, rounding, some_axes, statistic, transposed, typed, unary, uniform,
)  # fmt: skip


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
