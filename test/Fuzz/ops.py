# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ops that random programs are made of: how they are spelled, what they take, what becomes of magnitude and error."""

import math

from programs import EPSILON, FLOATS, INTEGERS, LARGEST, MOST_ELEMENTS

OPS = []


def op(weight=1, is_smooth=False):
    def register(function):
        function.is_smooth = is_smooth
        OPS.extend([function] * weight)
        return function

    return register


def rounding(x, magnitude):
    return EPSILON.get(x.dtype, 0) * max(magnitude, 1e-3)


def flags(*texts):
    given = [text for text in texts if text]
    return f" {{{{{', '.join(given)}}}}}" if given else ""


# ===----------------------------------------------------------------------=== #
# Elementwise
# ===----------------------------------------------------------------------=== #

# Name, the largest operand, magnitude and slope for a magnitude of the operand.
SMOOTH = (
    ("neg", LARGEST, lambda m: m, lambda m: 1),
    ("square", 60, lambda m: m * m, lambda m: 2 * m),
    ("exp", 6, math.exp, math.exp),
    ("tanh", LARGEST, lambda m: 1, lambda m: 1),
    ("erf", LARGEST, lambda m: 1, lambda m: 1.2),
    ("sigmoid", LARGEST, lambda m: 1, lambda m: 0.3),
    ("silu", LARGEST, lambda m: m, lambda m: 1.1),
    ("gelu exact", LARGEST, lambda m: m, lambda m: 1.2),
    ("gelu tanh", 60, lambda m: m, lambda m: 1.2),
    ("sin", 1000, lambda m: 1, lambda m: 1),
    ("cos", 1000, lambda m: 1, lambda m: 1),
    ("atan", LARGEST, lambda m: 1.6, lambda m: 1),
    ("asinh", LARGEST, lambda m: m, lambda m: 1),
    ("expm1", 6, math.exp, math.exp),
    ("sinh", 6, math.exp, math.exp),
    ("cosh", 6, math.exp, math.exp),
    ("exp2", 8, lambda m: 2.0**m, lambda m: 2.0**m),
)
# Functions of x^2 + 1, which keep clear of the edge of their domain.
GUARDED = ("log", "sqrt", "rsqrt", "reciprocal", "log2", "log10", "log1p")


@op(4, is_smooth=True)
def smooth_function(g):
    name, most, magnitude, slope = g.rng.choice(SMOOTH)
    x = g.float(most=most)
    m = magnitude(x.magnitude)
    g.emit(f"nova.{name} {{0}} : {x.type}", [x], (x.shape, x.dtype, m, x.error * slope(x.magnitude) + rounding(x, m)))


@op(is_smooth=True)
def guarded_function(g):
    x = g.float(most=60)
    square = g.emit(f"nova.square {{0}} : {x.type}", [x], (x.shape, x.dtype, x.magnitude**2, 2 * x.magnitude * x.error))
    one = g.emit(f"nova.constant dense<1.0> : tensor<{x.dtype}>", [], ((), x.dtype, 1, 0))
    m = x.magnitude**2 + 1
    error = 2 * x.magnitude * x.error + 2 * rounding(x, m)
    inside = g.emit(f"nova.add {{0}}, {{1}} : {x.type}, {one.type}", [square, one], (x.shape, x.dtype, m, error))
    name = g.rng.choice(GUARDED)
    m = max(4.0, math.sqrt(m))
    g.emit(f"nova.{name} {{0}} : {x.type}", [inside], (x.shape, x.dtype, m, 2 * error + rounding(x, m)))


@op(2, is_smooth=True)
def kinked_function(g):
    x = g.float()
    name = g.rng.choice(("abs", "relu"))
    g.emit(f"nova.{name} {{0}} : {x.type}", [x], (x.shape, x.dtype, x.magnitude, x.error))


@op()
def jump(g):
    x = g.float(exact=True)
    name = g.rng.choice(("sign", "floor", "ceil", "round"))
    g.emit(f"nova.{name} {{0}} : {x.type}", [x], (x.shape, x.dtype, x.magnitude + 1, 0))


@op()
def integer_function(g):
    x = g.integer()
    name = g.rng.choice(("abs", "neg", "sign", "square", "relu", "not"))
    g.emit(f"nova.{name} {{0}} : {x.type}", [x], (x.shape, x.dtype, x.magnitude**2 + 1, 0))


def broadcast(a, b):
    rank = max(a.rank, b.rank)
    pairs = zip((1,) * (rank - a.rank) + a.shape, (1,) * (rank - b.rank) + b.shape)
    return tuple(y if x == 1 else x for x, y in pairs)


@op(6, is_smooth=True)
def arithmetic(g):
    a = g.float(most=1000)
    b = g.broadcastable(a)
    a, b = (a, b) if g.rng.random() < 0.5 else (b, a)
    name = g.rng.choice(("add", "sub", "mul", "max", "min"))
    m = a.magnitude * b.magnitude if name == "mul" else a.magnitude + b.magnitude
    error = a.error * b.magnitude + b.error * a.magnitude if name == "mul" else a.error + b.error
    error += rounding(a, m) if name in ("add", "sub", "mul") else 0
    g.emit(f"nova.{name} {{0}}, {{1}} : {a.type}, {b.type}", [a, b], (broadcast(a, b), a.dtype, m, error))


@op(is_smooth=True)
def division(g):
    a = g.float(most=1000)
    b = g.broadcastable(a)
    size = g.emit(f"nova.sigmoid {{0}} : {b.type}", [b], (b.shape, b.dtype, 1, 0.3 * b.error + rounding(b, 1)))
    one = g.emit(f"nova.constant dense<1.0> : tensor<{a.dtype}>", [], ((), a.dtype, 1, 0))
    below = g.emit(
        f"nova.add {{0}}, {{1}} : {b.type}, {one.type}", [size, one], (b.shape, b.dtype, 2, size.error + rounding(b, 2))
    )
    error = a.error + below.error * a.magnitude + rounding(a, a.magnitude)
    g.emit(
        f"nova.div {{0}}, {{1}} : {a.type}, {below.type}", [a, below], (broadcast(a, b), a.dtype, a.magnitude, error)
    )


@op(2)
def integer_arithmetic(g):
    a = g.integer()
    b = g.broadcastable(a)
    name = g.rng.choice(("add", "sub", "mul", "div", "max", "min", "and", "or", "xor", "mod"))
    m = a.magnitude * b.magnitude + a.magnitude + b.magnitude
    g.emit(f"nova.{name} {{0}}, {{1}} : {a.type}, {b.type}", [a, b], (broadcast(a, b), a.dtype, m, 0))


@op()
def truth(g):
    a = g.integer(dtypes=("i1",))
    b = g.broadcastable(a)
    name = g.rng.choice(("and", "or", "xor"))
    g.emit(f"nova.{name} {{0}}, {{1}} : {a.type}, {b.type}", [a, b], (broadcast(a, b), "i1", 1, 0))


@op(2)
def compare(g):
    a = g.any(exact=True)
    b = g.broadcastable(a)
    if a.error or b.error:
        return
    kind = g.rng.choice(("eq", "ne", "lt", "le", "gt", "ge"))
    g.emit(f"nova.compare {kind} {{0}}, {{1}} : {a.type}, {b.type}", [a, b], (broadcast(a, b), "i1", 1, 0))


@op(2, is_smooth=True)
def select(g):
    a = g.any()
    b = g.broadcastable(a)
    c = g.like(broadcast(a, b), "i1")
    g.emit(f"nova.select {{0}}, {{1}}, {{2}} : {c.type}, {a.type}, {b.type}", [c, a, b],
           (c.shape, a.dtype, max(a.magnitude, b.magnitude), max(a.error, b.error)))  # fmt: skip


@op(2)
def cast(g):
    x = g.any()
    if x.dtype in FLOATS:
        to = FLOATS if x.error else (*FLOATS, "i32", "i64", "i1", "i8")
    else:
        to = (*FLOATS, *INTEGERS, "i1") if x.magnitude <= LARGEST else INTEGERS
    dtype = g.rng.choice([d for d in to if d != x.dtype])
    exact = dtype in INTEGERS or dtype == "i1"
    error = 0 if exact else x.error + EPSILON[dtype] * x.magnitude
    m = 1 if dtype == "i1" else x.magnitude
    g.emit(
        f"nova.cast {{0}} : {x.type} -> tensor<{''.join(f'{s}x' for s in x.shape)}{dtype}>",
        [x],
        (x.shape, dtype, m, error),
    )


@op(is_smooth=True)
def precision(g):
    """Between floats, as mixed precision does."""
    x = g.float()
    dtype = g.rng.choice([d for d in dict.fromkeys(g.floats) if d != x.dtype])
    g.emit(f"nova.cast {{0}} : {x.type} -> tensor<{''.join(f'{s}x' for s in x.shape)}{dtype}>", [x],
           (x.shape, dtype, x.magnitude, x.error + EPSILON[dtype] * x.magnitude))  # fmt: skip


# ===----------------------------------------------------------------------=== #
# Movement
# ===----------------------------------------------------------------------=== #


def moved(g, x, text, shape, extra=()):
    sources = [x, *(value for value in extra if value.dtype == x.dtype)]
    magnitude, error = max(value.magnitude for value in sources), max(value.error for value in sources)
    return g.emit(text, [x, *extra], (shape, x.dtype, magnitude, error))


def typed(shape, x):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{x.dtype}>"


@op(2, is_smooth=True)
def broadcast_in_dim(g):
    x = g.any(high=3)
    shape, dims = [], []
    for size in x.shape:
        while g.rng.random() < 0.3:
            shape.append(g.rng.choice((1, 2, 3, 5)))
        dims.append(len(shape))
        shape.append(g.rng.choice((2, 3, 17)) if size == 1 and g.rng.random() < 0.6 else size)
    while g.rng.random() < 0.3:
        shape.append(g.rng.choice((1, 2, 3, 5)))
    if math.prod(shape) <= MOST_ELEMENTS and len(shape) <= 5:
        moved(g, x, f"nova.broadcast_in_dim {{0}} dims = {dims} : {x.type} -> {typed(shape, x)}", shape)


@op(2, is_smooth=True)
def reshape(g):
    x = g.any(low=1)
    factors = [f for size in x.shape for f in factors_of(size)]
    shape = []
    for factor in factors:
        if shape and g.rng.random() < 0.5:
            shape[-1] *= factor
        else:
            shape.append(factor)
    shape = shape[:4] + ([math.prod(shape[4:])] if len(shape) > 4 else [])
    moved(g, x, f"nova.reshape {{0}} : {x.type} -> {typed(shape, x)}", shape)


def factors_of(size):
    found = []
    for prime in (2, 3, 5, 7):
        while size > 1 and size % prime == 0:
            found.append(prime)
            size //= prime
    return [*found, size] if size != 1 else found


@op(3, is_smooth=True)
def transpose(g):
    x = g.any(low=2)
    order = g.rng.sample(range(x.rank), x.rank)
    moved(g, x, f"nova.transpose {{0}} {order} : {x.type}", [x.shape[axis] for axis in order])


@op(3, is_smooth=True)
def slice_(g):
    x = g.any(low=1)
    starts, limits, strides, shape = [], [], [], []
    for size in x.shape:
        start = g.rng.randrange(size) if size and g.rng.random() < 0.5 else 0
        limit = g.rng.randrange(start, size + 1) if g.rng.random() < 0.3 else size
        limit = max(limit, min(start + 1, size))
        stride = g.rng.choice((1, 1, 1, 2, 3))
        starts.append(start), limits.append(limit), strides.append(stride)
        shape.append(-(-(limit - start) // stride))
    moved(
        g,
        x,
        f"nova.slice {{0}} starts = {starts} limits = {limits} strides = {strides} : {x.type} -> {typed(shape, x)}",
        shape,
    )


@op(2, is_smooth=True)
def pad(g):
    x = g.any(low=1)
    value = g.like((), x.dtype)
    low, high, interior = ([g.rng.choice((0, 0, 1, 3)) for _ in x.shape] for _ in range(3))
    shape = [a + n + max(n - 1, 0) * i + b for a, n, i, b in zip(low, x.shape, interior, high)]
    if math.prod(shape) <= MOST_ELEMENTS:
        types = f"{x.type}, {value.type} -> {typed(shape, x)}"
        moved(g, x, f"nova.pad {{0}}, {{1}} low = {low} high = {high} interior = {interior} : {types}", shape, [value])


@op(2, is_smooth=True)
def concat(g):
    x = g.any(low=1)
    axis = g.rng.randrange(x.rank)
    parts, total = [x], x.shape[axis]
    for _ in range(g.rng.randrange(1, 3)):
        size = g.rng.choice((x.shape[axis], 1, 2, 5))
        parts.append(g.like((*x.shape[:axis], size, *x.shape[axis + 1 :]), x.dtype))
        total += size
    shape = (*x.shape[:axis], total, *x.shape[axis + 1 :])
    places = ", ".join(f"{{{i}}}" for i in range(len(parts)))
    moved(
        g,
        x,
        f"nova.concat {places} axis = {axis} : ({', '.join(p.type for p in parts)}) -> {typed(shape, x)}",
        shape,
        parts[1:],
    )


@op(2, is_smooth=True)
def gather(g):
    x = g.any(low=1, high=3)
    axis = g.rng.randrange(x.rank)
    if not x.shape[axis]:
        return
    indices = g.indices(g.shape(0, 2, 40), x.shape[axis])
    shape = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])
    if math.prod(shape) <= MOST_ELEMENTS:
        note = flags(f"axis = {axis} : i64" if axis else "")
        moved(g, x, f"nova.gather {{0}}[{{1}}]{note} : {x.type}, {indices.type}", shape, [indices])


@op(2, is_smooth=True)
def scatter_add(g):
    x = g.float(low=1, high=3, most=1000)
    if not x.shape[0]:
        return
    indices = g.indices(g.shape(0, 2, 40), x.shape[0])
    shape = (*indices.shape, *x.shape[1:])
    if math.prod(shape) > MOST_ELEMENTS:
        return
    updates = g.like(shape, x.dtype, most=1000)
    n = indices.size
    m = x.magnitude + n * updates.magnitude
    error = x.error + n * updates.error + (n + 1) * rounding(x, m)
    g.emit(f"nova.scatter_add {{0}}[{{1}}], {{2}} : {x.type}, {indices.type}, {updates.type}", [x, indices, updates],
           (x.shape, x.dtype, m, error))  # fmt: skip


@op(is_smooth=True)
def iota(g):
    shape = g.shape(1)
    axis = g.rng.randrange(len(shape))
    dtype = g.rng.choice(g.floats if g.is_training else (*FLOATS, *INTEGERS))
    if dtype != "i8":
        g.emit(
            f"nova.iota {axis} : tensor<{''.join(f'{s}x' for s in shape)}{dtype}>",
            [],
            (shape, dtype, max(shape[axis], 1), 0),
        )


@op(is_smooth=True)
def constant(g):
    shape, dtype = g.shape(0, 2, 30), g.rng.choice(g.floats)
    if g.rng.random() < 0.5 or not shape or 0 in shape:
        text = repr(round(g.rng.uniform(-3, 3), 2))
    else:
        text = f"[{', '.join(repr(round(g.rng.uniform(-3, 3), 2)) for _ in range(shape[-1]))}]"
        if len(shape) > 1:
            text = f"[{', '.join([text] * shape[0])}]"
    g.emit(f"nova.constant dense<{text}> : tensor<{''.join(f'{s}x' for s in shape)}{dtype}>", [], (shape, dtype, 3, 0))


# ===----------------------------------------------------------------------=== #
# Reductions, contractions
# ===----------------------------------------------------------------------=== #


def some_axes(g, x):
    return sorted(g.rng.sample(range(x.rank), g.rng.randrange(1, x.rank + 1)))


def without(g, x, axes):
    keep = g.rng.random() < 0.3
    shape = [1 if axis in axes else size for axis, size in enumerate(x.shape) if keep or axis not in axes]
    return keep, shape


@op(4, is_smooth=True)
def reduce(g):
    x = g.float(low=1, most=100)
    axes = some_axes(g, x)
    n = math.prod(x.shape[axis] for axis in axes)
    kind = g.rng.choice(("sum", "mean", "max", "min"))
    if not n and kind != "sum":
        return
    keep, shape = without(g, x, axes)
    m = n * x.magnitude if kind == "sum" else x.magnitude
    error = x.error * (max(n, 1) if kind == "sum" else 1) + (rounding(x, m) if kind in ("sum", "mean") else 0)
    g.emit(
        f"nova.reduce {kind} {{0}} over {axes}{flags('keep_dims' if keep else '')} : {x.type}",
        [x],
        (shape, x.dtype, m, error),
    )


@op(2)
def exact_reduce(g):
    x = g.integer(low=1, dtypes=(*INTEGERS, "i1", "i1"))
    axes = some_axes(g, x)
    n = math.prod(x.shape[axis] for axis in axes)
    kind = g.rng.choice(("any", "all") if x.dtype == "i1" else ("sum", "max", "min", "product"))
    if not n and kind in ("max", "min"):
        return
    keep, shape = without(g, x, axes)
    m = {"sum": n * x.magnitude, "product": math.inf}.get(kind, x.magnitude)
    g.emit(
        f"nova.reduce {kind} {{0}} over {axes}{flags('keep_dims' if keep else '')} : {x.type}",
        [x],
        (shape, x.dtype, m, 0),
    )


def axis_flag(g, x):
    axis = g.rng.randrange(x.rank)
    return (
        axis,
        "" if axis == x.rank - 1 and g.rng.random() < 0.8 else f"axis = {axis - g.rng.choice((0, x.rank))} : i64",
    )


@op(2, is_smooth=True)
def softmax(g):
    x = g.float(low=1)
    _, flag = axis_flag(g, x)
    g.emit(
        f"nova.softmax {{0}}{flags(flag)} : {x.type}",
        [x],
        (x.shape, x.dtype, 1, 2 * x.error + rounding(x, 1 + x.magnitude)),
    )


@op(2, is_smooth=True)
def cumsum(g):
    x = g.float(low=1, most=100)
    axis, flag = axis_flag(g, x)
    n = max(x.shape[axis], 1)
    m = n * x.magnitude
    note = flags(flag, g.rng.choice(("reverse", "")))
    g.emit(f"nova.cumsum {{0}}{note} : {x.type}", [x], (x.shape, x.dtype, m, n * (x.error + rounding(x, x.magnitude))))


@op(is_smooth=True)
def logarithm_of_rows(g):
    """log_softmax and logsumexp."""
    x = g.float(low=1, accept=lambda v: v.size)
    m = 2 * x.magnitude + math.log(max(x.size, 2))
    error = 2 * x.error + rounding(x, m)
    if g.rng.random() < 0.5:
        _, flag = axis_flag(g, x)
        g.emit(f"nova.log_softmax {{0}}{flags(flag)} : {x.type}", [x], (x.shape, x.dtype, m, error))
    else:
        axes = some_axes(g, x)
        keep, shape = without(g, x, axes)
        note = flags("keep_dims" if keep else "")
        g.emit(f"nova.logsumexp {{0}} over {axes}{note} : {x.type}", [x], (shape, x.dtype, m, error))


@op()
def place(g):
    x = g.any(low=1, exact=True)
    if x.dtype == "i1" or x.error or not x.size:
        return
    axis, flag = axis_flag(g, x)
    keep, shape = without(g, x, [axis])
    name, note = g.rng.choice(("argmax", "argmin")), flags(flag, "keep_dims" if keep else "")
    g.emit(f"nova.{name} {{0}}{note} : {x.type}", [x], (shape, "i64", max(x.shape[axis], 1), 0))


@op(5, is_smooth=True)
def matmul(g):
    a = g.float(low=2, most=40)
    transpose_a, transpose_b = g.rng.random() < 0.3, g.rng.random() < 0.3
    m, k = (a.shape[-1], a.shape[-2]) if transpose_a else a.shape[-2:]
    n = g.rng.choice((1, 3, 8, 17, 33))
    batch = a.shape[:-2] if g.rng.random() < 0.5 else ()
    if batch and g.rng.random() < 0.3:
        batch = (1, *batch[1:])
    b = g.like((*batch, n, k) if transpose_b else (*batch, k, n), a.dtype, most=40)
    if math.prod((*a.shape[:-2], m, n)) > MOST_ELEMENTS:
        return
    size = k * a.magnitude * b.magnitude
    error = k * (a.error * b.magnitude + b.error * a.magnitude) + rounding(a, size) * (
        1 if a.dtype in ("f16", "bf16") else 2
    )
    wide = g.rng.random() < 0.1
    note = flags(
        "accumulate = f64" if wide else "",
        "transpose_lhs" if transpose_a else "",
        "transpose_rhs" if transpose_b else "",
    )
    g.emit(
        f"nova.matmul {{0}}, {{1}}{note} : {a.type}, {b.type}", [a, b], ((*a.shape[:-2], m, n), a.dtype, size, error)
    )


# ===----------------------------------------------------------------------=== #
# Transformers
# ===----------------------------------------------------------------------=== #


@op(2, is_smooth=True)
def layer_norm(g):
    x = g.float(low=1, most=100)
    if not x.shape[-1]:
        return
    w, b = g.like(x.shape[-1:], x.dtype, 100), g.like(x.shape[-1:], x.dtype, 100)
    m = math.sqrt(x.shape[-1]) * w.magnitude + b.magnitude
    error = 20 * x.error * w.magnitude + w.error * math.sqrt(x.shape[-1]) + b.error + 10 * rounding(x, m + x.magnitude)
    g.emit(f"nova.layer_norm {{0}}, {{1}}, {{2}} {{{{eps = 0.1 : f64}}}} : {x.type}, {w.type}, {b.type}", [x, w, b],
           (x.shape, x.dtype, m, error))  # fmt: skip


@op(is_smooth=True)
def rms_norm(g):
    x = g.float(low=1, most=100, accept=lambda v: v.shape[-1])
    w = g.like(x.shape[-1:], x.dtype, 100)
    m = math.sqrt(x.shape[-1]) * w.magnitude
    error = 20 * x.error * w.magnitude + w.error * math.sqrt(x.shape[-1]) + 10 * rounding(x, m + x.magnitude)
    g.emit(
        f"nova.rms_norm {{0}}, {{1}} {{{{eps = 0.1 : f64}}}} : {x.type}, {w.type}", [x, w], (x.shape, x.dtype, m, error)
    )


@op(2, is_smooth=True)
def attention(g):
    q = g.float(low=4, accept=lambda v: all(v.shape), most=20)
    keys, width = g.rng.choice((1, 4, 17, 33)), g.rng.choice((1, 8, 16))
    if q.size * keys > 40 * MOST_ELEMENTS:
        return
    k = g.like((*q.shape[:2], keys, q.shape[3]), q.dtype, 20)
    v = g.like((*q.shape[:2], keys, width), q.dtype, 20)
    scale = 1 / math.sqrt(q.shape[3])
    scores = q.shape[3] * scale * (q.error * k.magnitude + k.error * q.magnitude) + rounding(
        q, q.shape[3] * scale * q.magnitude * k.magnitude
    )
    error = v.error + 2 * scores * v.magnitude + 2 * rounding(q, v.magnitude)
    lse = "f64" if q.dtype == "f64" else "f32"
    m = q.shape[3] * scale * q.magnitude * k.magnitude + 5
    flag = flags(g.rng.choice(("causal", "")))
    g.emit(f"nova.attention {{0}}, {{1}}, {{2}}{flag} : {q.type}, {k.type}, {v.type}", [q, k, v],
           ((*q.shape[:3], width), q.dtype, v.magnitude, error), (q.shape[:3], lse, m, scores + 1e-5 * m))  # fmt: skip
    g.pool[-1].has_gradient = False  # the log-sum-exp is for the gradient op alone


@op(is_smooth=True)
def cross_entropy(g):
    x = g.float(low=1, high=3, accept=lambda v: v.size, most=1000)
    targets = g.indices(x.shape[:-1], x.shape[-1])
    reduction = g.rng.choice(("mean", "sum", "none"))
    rows = math.prod(x.shape[:-1])
    n = rows if reduction == "sum" else 1
    m = n * (2 * x.magnitude + math.log(x.shape[-1]) + 1)
    dtype = "f64" if x.dtype == "f64" else "f32"
    error = n * 3 * x.error + EPSILON[dtype] * m
    note = flags(
        f"reduction = #nova.reduction<{reduction}>" if reduction != "mean" else "",
        g.rng.choice(("ignore_index = 1 : i64", "")),
    )
    # A mean over no row is NaN: only where there are enough of them that one counts.
    if reduction == "mean" and "ignore" in note and rows < 8:
        note = ""
    g.emit(f"nova.cross_entropy {{0}}, {{1}}{note} : {x.type}, {targets.type}", [x, targets],
           (x.shape[:-1] if reduction == "none" else (), dtype, m, error))  # fmt: skip


@op()
def gradient_op(g):
    """Gradient ops as they stand, with any operands."""
    x = g.float(low=1, accept=lambda v: v.shape[-1], most=10)
    dy = g.like(x.shape, x.dtype, 10)
    n = x.shape[-1]
    kind = g.rng.choice(("softmax", "gelu", "layer_norm"))
    if kind == "softmax":
        _, flag = axis_flag(g, x)
        m = x.magnitude * dy.magnitude * (1 + max(x.shape) * x.magnitude)
        error = (x.error + dy.error) * (1 + 2 * max(x.shape) * x.magnitude * dy.magnitude) + rounding(x, m)
        g.emit(
            f"nova.softmax_grad {{0}}, {{1}}{flags(flag)} : {dy.type}, {x.type}", [dy, x], (x.shape, x.dtype, m, error)
        )
    elif kind == "gelu":
        form = g.rng.choice(("tanh", "exact"))
        error = dy.error * 1.2 + x.error * 2 * dy.magnitude + rounding(x, dy.magnitude)
        g.emit(
            f"nova.gelu_grad {form} {{0}}, {{1}} : {dy.type}, {x.type}",
            [dy, x],
            (x.shape, x.dtype, 1.2 * dy.magnitude, error),
        )
    else:
        w = g.like((n,), x.dtype, 10)
        rows = max(x.size // n, 1)
        m = 10 * dy.magnitude * w.magnitude * n
        error = 40 * (dy.error + x.error + w.error) * (dy.magnitude + w.magnitude + 1) * n + 10 * rounding(x, m)
        sums = ((n,), x.dtype, rows * m, rows * error)
        types = f"{dy.type}, {x.type}, {w.type}"
        g.emit(f"nova.layer_norm_grad {{0}}, {{1}}, {{2}} {{{{eps = 0.1 : f64}}}} : {types}", [dy, x, w],
               (x.shape, x.dtype, m, error), sums, sums)  # fmt: skip
