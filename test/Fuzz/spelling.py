# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that patterns are spelled in, with what they do to magnitude and error, and the many ways to spell one thing.

A value's `grain` is a power of two of which all its elements are multiples, 0 where none is known. With an error of 0
every correct evaluation computes a value to the bit.
"""

import math

from programs import EPSILON, FLOATS

PRECISION = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}


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
    value.grain, value.is_kept = grain, grain > 0
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
    value.is_masked, value.shows_every_row = x.is_masked, x.shows_every_row
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
