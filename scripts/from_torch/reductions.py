# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions, cumulative sums, softmax."""

import math

from .elementwise import float_of, in_wide, root_of
from .indexing import along
from .registry import axes_of, axis_of, op
from .types import element_type, is_float, wide


def without(shape, axes, keep):
    return [1 if axis in axes else size for axis, size in enumerate(shape) if keep or axis not in axes]


def integers_as_i64(b, x, dtype):
    """What PyTorch sums: the type asked for, else i64 for integers and truth values."""
    if dtype is not None:
        return b.cast(x, element_type(dtype))
    return x if is_float(x.dtype) else b.cast(x, "i64")


@op("sum.default")
def sum_all(b, x, *, dtype=None):
    return sum_(b, x, None, dtype=dtype)


@op("sum.dim_IntList")
def sum_(b, x, dim, keepdim=False, *, dtype=None):
    return b.reduce("sum", integers_as_i64(b, x, dtype), axes_of(dim, x.rank), keepdim)


@op("mean.default")
def mean_all(b, x, *, dtype=None):
    return mean(b, x, None, dtype=dtype)


@op("mean.dim")
def mean(b, x, dim, keepdim=False, *, dtype=None):
    return b.reduce("mean", b.cast(x, element_type(dtype)) if dtype else x, axes_of(dim, x.rank), keepdim)


@op("prod.default")
def prod_all(b, x, *, dtype=None):
    return b.reduce("product", integers_as_i64(b, x, dtype), axes_of(None, x.rank))


@op("prod.dim_int")
def prod(b, x, dim, keepdim=False, *, dtype=None):
    return b.reduce("product", integers_as_i64(b, x, dtype), axes_of(dim, x.rank), keepdim)


def extremes():
    for name, kind in (("amax", "max"), ("amin", "min")):
        op(f"{name}.default")(
            lambda b, x, dim=None, keepdim=False, kind=kind: b.reduce(kind, x, axes_of(dim, x.rank), keepdim)
        )
    for kind in ("max", "min"):
        op(f"{kind}.default")(lambda b, x, kind=kind: b.reduce(kind, x, axes_of(None, x.rank)))
        op(f"{kind}.dim")(lambda b, x, dim, keepdim=False, kind=kind: extreme_and_place(b, kind, x, dim, keepdim))
        op(f"{kind}.other")(lambda b, x, other, kind=kind: b.binary(kind, x, other))
        op(f"arg{kind}.default")(lambda b, x, dim=None, keepdim=False, kind=kind: place_of(b, kind, x, dim, keepdim))
    for kind in ("any", "all"):
        op(f"{kind}.default")(lambda b, x, kind=kind: b.reduce(kind, b.is_true(x), axes_of(None, x.rank)))
        op(f"{kind}.dim", f"{kind}.dims")(
            lambda b, x, dim=None, keepdim=False, kind=kind: b.reduce(kind, b.is_true(x), axes_of(dim, x.rank), keepdim)
        )


def place_of(b, kind, x, dim, keepdim):
    """The first place of the largest or smallest element, of NaN if there is one."""
    whole = dim is None
    flat = b.reshape(x, (x.size,)) if whole or not x.rank else x
    axis = 0 if whole else axis_of(dim, flat.rank)
    best = b.reduce(kind, flat, [axis], keep=True)
    found = b.compare("eq", flat, best)
    if is_float(x.dtype):
        found = b.logical("or", found, b.compare("ne", flat, flat))
    places = b.select(found, b.positions(flat.shape, axis), b.constant(flat.shape[axis], "i64"))
    place = b.reduce("min", b.expand(places, flat.shape), [axis])
    if not keepdim:
        return b.reshape(place, without(x.shape, [axis] if not whole and x.rank else range(x.rank), False))
    return b.reshape(place, [1] * x.rank if whole else without(x.shape, [axis] if x.rank else [], True))


def extreme_and_place(b, kind, x, dim, keepdim):
    place = place_of(b, kind, x, dim, keepdim)
    if not b.train or not x.rank or not is_float(x.dtype):
        return [b.reduce(kind, x, axes_of(dim, x.rank), keepdim), place]
    # Read at its place, which alone gets the gradient; amax's is shared by all that are equal.
    axis = axis_of(dim, x.rank)
    kept = without(x.shape, [axis], True)
    found = b.gather(b.reshape(x, (x.size,)), along(b, x.shape, axis, b.reshape(place, kept)))
    return [b.reshape(found, place.shape), place]


extremes()


def variance(b, x, dim, correction, keepdim, root=False):
    """The variance, or its root, and the mean."""
    correction = 1 if correction is None else correction
    axes = axes_of(dim, x.rank)
    high = b.cast(x, wide(x.dtype))
    mean = b.reduce("mean", high, axes, keep=True)
    count = math.prod(x.shape[axis] for axis in axes)
    squares = b.reduce("sum", b.unary("square", b.sub(high, mean)), axes, keep=True)
    # Over too few elements PyTorch divides by zero.
    found = b.div(squares, float(max(count - correction, 0)))
    found = root_of(b, found) if root else found
    shape = without(x.shape, axes, keepdim)
    return [b.cast(b.reshape(value, shape), x.dtype) for value in (found, mean)]


def variances():
    for name, root in (("var", False), ("std", True)):
        op(f"{name}.correction")(lambda b, x, dim=None, *, correction=None, keepdim=False, root=root: variance(
            b, x, dim, correction, keepdim, root)[0])  # fmt: skip
        op(f"{name}.dim")(lambda b, x, dim, unbiased=True, keepdim=False, root=root: variance(
            b, x, dim, int(unbiased), keepdim, root)[0])  # fmt: skip
        op(f"{name}.default")(lambda b, x, unbiased=True, root=root: variance(
            b, x, None, int(unbiased), False, root)[0])  # fmt: skip
        op(f"{name}_mean.correction")(lambda b, x, dim=None, *, correction=None, keepdim=False, root=root: variance(
            b, x, dim, correction, keepdim, root))  # fmt: skip


variances()


@op("linalg_vector_norm.default")
def vector_norm(b, x, ord=2, dim=None, keepdim=False, *, dtype=None):
    x = b.cast(x, element_type(dtype)) if dtype else x
    axes = axes_of(dim, x.rank)

    def formula(x):
        size = b.unary("abs", x)
        if ord in (math.inf, -math.inf):
            return b.reduce("max" if ord > 0 else "min", size, axes, keepdim)
        if ord == 0:
            return b.reduce("sum", b.cast(b.compare("ne", x, 0), x.dtype), axes, keepdim)
        if ord == 1:
            return b.reduce("sum", size, axes, keepdim)
        if ord == 2:
            return root_of(b, b.reduce("sum", b.unary("square", x), axes, keepdim))
        # Elements and sums of 0 have a slope of 0, where that of their powers is infinite.
        zero = 0.0 if ord > 0 else math.inf
        powers = b.apart_from(b.compare("eq", x, 0), size, zero, lambda x: b.binary("pow", x, ord))
        total = b.reduce("sum", powers, axes, keepdim)
        return b.apart_from(b.compare("eq", total, 0), total, zero, lambda x: b.binary("pow", x, 1.0 / ord))

    return in_wide(b, x, formula)


@op("cumsum.default")
def cumsum(b, x, dim, *, dtype=None):
    x = integers_as_i64(b, x, dtype)
    if not x.rank:
        return x
    axis = axis_of(dim, x.rank)
    flag = "" if axis == x.rank - 1 else f" {{axis = {axis} : i64}}"
    return b.emit(f"nova.cumsum {x}{flag} : {x.type}", [x], (x.shape, x.dtype))


@op("logsumexp.default")
def logsumexp(b, x, dim, keepdim=False):
    x, axes = float_of(b, x), axes_of(dim, x.rank)
    if not axes:
        return x
    flag = " {keep_dims}" if keepdim else ""
    return b.emit(f"nova.logsumexp {x} over {axes}{flag} : {x.type}", [x], (without(x.shape, axes, keepdim), x.dtype))


# ===----------------------------------------------------------------------=== #
# Softmax
# ===----------------------------------------------------------------------=== #


def on_axis(b, x, dim, compute):
    """Over one axis; a scalar is a vector of one element."""
    if not x.rank:
        return b.reshape(compute(b.reshape(x, (1,)), 0), ())
    return compute(x, axis_of(dim, x.rank))


def widened(b, x, half_to_float, dtype=None):
    if dtype is not None:
        return b.cast(x, element_type(dtype))
    return b.cast(x, "f32") if half_to_float else x


@op("_softmax.default")
def softmax(b, x, dim, half_to_float=False):
    return on_axis(b, widened(b, x, half_to_float), dim, b.softmax)


@op("softmax.int")
def softmax_int(b, x, dim, dtype=None):
    return on_axis(b, widened(b, x, False, dtype), dim, b.softmax)


def safe_softmax_of(b, x, axis):
    """Zeros where nothing but minus infinity stands."""
    hidden = b.compare("eq", b.reduce("max", x, [axis], keep=True), -math.inf)
    x = b.select(hidden, 0.0, x, x.dtype) if b.train else x  # no gradient through the softmax of nothing
    return b.select(hidden, 0, b.softmax(x, axis))


@op("_safe_softmax.default")
def safe_softmax(b, x, dim, dtype=None):
    return on_axis(b, widened(b, x, False, dtype), dim, lambda x, axis: safe_softmax_of(b, x, axis))


def log_softmax_of(b, x, axis):
    flag = "" if axis == x.rank - 1 else f" {{axis = {axis} : i64}}"
    return b.emit(f"nova.log_softmax {x}{flag} : {x.type}", [x], (x.shape, x.dtype))


@op("_log_softmax.default")
def log_softmax(b, x, dim, half_to_float=False):
    return on_axis(b, widened(b, x, half_to_float), dim, lambda x, axis: log_softmax_of(b, x, axis))


@op("log_softmax.int")
def log_softmax_int(b, x, dim, dtype=None):
    return on_axis(b, widened(b, x, False, dtype), dim, lambda x, axis: log_softmax_of(b, x, axis))


@op("_softmax_backward_data.default")
def softmax_backward(b, dy, y, dim, input_dtype):
    def gradient(dy, axis):
        flat = b.reshape(y, dy.shape)
        flag = "" if axis == dy.rank - 1 else f" {{axis = {axis} : i64}}"
        return b.emit(
            f"nova.softmax_grad {dy}, {flat}{flag} : {dy.type}, {flat.type}", [dy, flat], (dy.shape, dy.dtype)
        )

    return b.cast(on_axis(b, dy, dim, gradient), element_type(input_dtype))


@op("_log_softmax_backward_data.default")
def log_softmax_backward(b, dy, y, dim, input_dtype):
    def gradient(dy, axis):
        high = b.cast(b.reshape(y, dy.shape), wide(dy.dtype))
        dy = b.cast(dy, high.dtype)
        return b.sub(dy, b.mul(b.unary("exp", high), b.reduce("sum", dy, [axis], keep=True)))

    return b.cast(on_axis(b, dy, dim, gradient), element_type(input_dtype))
