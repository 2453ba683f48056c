# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that make tensors or move elements without computing: shapes, slices, joins, factories."""

from .registry import axis_of, expect, op
from .types import Value, element_type, promoted

# Factories have no operand that says the type.
DEFAULT = "torch.float32"


def declared_shape(b):
    return tuple(b.declared[0][0])


# ===----------------------------------------------------------------------=== #
# The same elements
# ===----------------------------------------------------------------------=== #


@op("alias.default", "clone.default", "detach.default", "contiguous.default", "lift_fresh_copy.default",
    "lift_fresh.default", "positive.default", "alias_copy.default", "detach_copy.default")  # fmt: skip
def same(b, x, *, memory_format=None):
    return x


@op("copy.default")
def copy(b, x, source, non_blocking=False):
    return b.expand(b.cast(source, x.dtype), x.shape)


@op("view.default", "_unsafe_view.default", "reshape.default", "view_copy.default", "_reshape_alias.default",
    "unsqueeze.default", "squeeze.default", "squeeze.dim", "squeeze.dims", "flatten.using_ints", "view_as.default",
    "unflatten.int", "unsqueeze_copy.default", "squeeze_copy.dim", "squeeze_copy.dims", "reshape_as.default",
    "atleast_1d.default", "ravel.default")  # fmt: skip
def reshape(b, x, *sizes, **options):
    # Which of its meanings an op of this kind has shows in the shape that it gave.
    expect(not any(isinstance(size, str) for size in sizes), "a shape", "an element type to take the bits as")
    return b.reshape(x, declared_shape(b))


@op("permute.default", "permute_copy.default")
def permute(b, x, dims):
    return b.transpose(x, [axis_of(dim, x.rank) for dim in dims])


@op("transpose.int", "transpose_copy.int", "swapaxes.default", "swapdims.default")
def transpose(b, x, dim0, dim1):
    order = list(range(x.rank))
    if order:
        i, j = axis_of(dim0, x.rank), axis_of(dim1, x.rank)
        order[i], order[j] = order[j], order[i]
    return b.transpose(x, order)


@op("t.default", "numpy_T.default", "mT.default", "adjoint.default")
def t(b, x):
    return b.transpose(x, [*range(x.rank - 2), x.rank - 1, x.rank - 2]) if x.rank > 1 else x


@op("movedim.int", "movedim.intlist")
def movedim(b, x, source, destination):
    source = [axis_of(d, x.rank) for d in (source if isinstance(source, list) else [source])]
    destination = [axis_of(d, x.rank) for d in (destination if isinstance(destination, list) else [destination])]
    order, rest = [None] * x.rank, iter(axis for axis in range(x.rank) if axis not in source)
    for s, d in zip(source, destination):
        order[d] = s
    return b.transpose(x, [next(rest) if axis is None else axis for axis in order])


@op("expand.default", "expand_copy.default", "broadcast_to.default", "expand_as.default")
def expand(b, x, size, *, implicit=False):
    return b.expand(x, declared_shape(b))


@op("repeat.default", "tile.default")
def repeat(b, x, repeats):
    """Every axis by its number, whole: as an axis before it that is broadcast."""
    sizes = (1,) * (len(repeats) - x.rank) + x.shape
    times = [1] * (len(sizes) - len(repeats)) + list(repeats)
    apart = b.reshape(x, [part for size in sizes for part in (1, size)])
    grown = b.expand(apart, [part for size, by in zip(sizes, times) for part in (by, size)])
    return b.reshape(grown, [size * by for size, by in zip(sizes, times)])


@op("repeat_interleave.self_int")
def repeat_interleave(b, x, repeats, dim=None, *, output_size=None):
    x, dim = (b.reshape(x, (x.size,)), 0) if dim is None else (x, axis_of(dim, x.rank))
    before, size, after = x.shape[:dim], x.shape[dim], x.shape[dim + 1 :]
    grown = b.expand(b.reshape(x, (*before, size, 1, *after)), (*before, size, repeats, *after))
    return b.reshape(grown, (*before, size * repeats, *after))


# ===----------------------------------------------------------------------=== #
# Parts
# ===----------------------------------------------------------------------=== #


def bounds(size, start, end):
    """Start and limit as Python's slices have them."""
    start, end = 0 if start is None else start, size if end is None else end
    start = min(max(start + size if start < 0 else start, 0), size)
    end = min(max(end + size if end < 0 else end, start), size)
    return start, end


@op("slice.Tensor", "slice_copy.Tensor")
def slice_(b, x, dim=0, start=None, end=None, step=1):
    axis = axis_of(dim, x.rank)
    return b.slice(x, axis, *bounds(x.shape[axis], start, end), step)


@op("narrow.default", "narrow_copy.default")
def narrow(b, x, dim, start, length):
    axis = axis_of(dim, x.rank)
    start = start + x.shape[axis] if start < 0 else start
    return b.slice(x, axis, start, start + length)


def part(b, x, axis, index):
    """One element of an axis, without the axis."""
    expect(-x.shape[axis] <= index < x.shape[axis], f"an index into {x.shape[axis]} elements", index)
    index %= x.shape[axis]
    return b.reshape(b.slice(x, axis, index, index + 1), x.shape[:axis] + x.shape[axis + 1 :])


@op("select.int", "select_copy.int")
def select(b, x, dim, index):
    return part(b, x, axis_of(dim, x.rank), index)


@op("split.Tensor", "split_copy.Tensor", "chunk.default", "split_with_sizes.default", "split_with_sizes_copy.default",
    "split.sizes", "tensor_split.sections")  # fmt: skip
def split(b, x, sizes, dim=0):
    # A size, a count or a list of sizes: the shapes of the results say it.
    axis, start, parts = axis_of(dim, x.rank), 0, []
    for shape, _ in b.declared:
        parts.append(b.slice(x, axis, start, start + shape[axis]))
        start += shape[axis]
    return parts


@op("unbind.int", "unbind_copy.int")
def unbind(b, x, dim=0):
    axis = axis_of(dim, x.rank)
    return [part(b, x, axis, index) for index in range(x.shape[axis])]


def spread(size, count, start, step):
    """Low and high padding that puts elements at start, start + step, ... of an axis."""
    used = (count - 1) * step + 1 if count else 0
    return (start, size - start - used) if count else (size, 0)


def placed(b, x, number, shape, axis, start, step):
    """A tensor of one number with x at the places of a slice."""
    low, high, interior = [0] * len(shape), [0] * len(shape), [0] * len(shape)
    low[axis], high[axis] = spread(shape[axis], x.shape[axis], start, step)
    interior[axis] = step - 1
    return b.pad(x, number, low, high, interior)


@op("slice_backward.default")
def slice_backward(b, dy, input_sizes, dim, start, end, step):
    axis = axis_of(dim, len(input_sizes))
    return placed(b, dy, 0, input_sizes, axis, bounds(input_sizes[axis], start, end)[0], step)


@op("select_backward.default")
def select_backward(b, dy, input_sizes, dim, index):
    axis = axis_of(dim, len(input_sizes))
    kept = b.reshape(dy, (*input_sizes[:axis], 1, *input_sizes[axis + 1 :]))
    return placed(b, kept, 0, input_sizes, axis, index % input_sizes[axis], 1)


@op("slice_scatter.default")
def slice_scatter(b, x, source, dim=0, start=None, end=None, step=1):
    axis = axis_of(dim, x.rank)
    start, end = bounds(x.shape[axis], start, end)
    count = -(-(end - start) // step)
    shape = (*x.shape[:axis], count, *x.shape[axis + 1 :])
    source = b.expand(b.cast(source, x.dtype), shape)
    if step == 1:
        return b.concat([b.slice(x, axis, 0, start), source, b.slice(x, axis, end, x.shape[axis])], axis)
    there = b.constant(True, "i1", shape)
    return b.select(placed(b, there, False, x.shape, axis, start, step),
                    placed(b, source, 0, x.shape, axis, start, step), x)  # fmt: skip


@op("select_scatter.default")
def select_scatter(b, x, source, dim, index):
    axis = axis_of(dim, x.rank)
    index %= x.shape[axis]
    kept = b.reshape(source, (*x.shape[:axis], 1, *x.shape[axis + 1 :]))
    return slice_scatter(b, x, kept, axis, index, index + 1)


@op("constant_pad_nd.default")
def constant_pad(b, x, pad, value=0):
    """Pairs from the last axis backward; a negative one takes elements away."""
    low, high = [0] * x.rank, [0] * x.rank
    for i in range(len(pad) // 2):
        low[x.rank - 1 - i], high[x.rank - 1 - i] = pad[2 * i], pad[2 * i + 1]
    for axis in range(x.rank):
        size = x.shape[axis]
        x = b.slice(x, axis, max(-low[axis], 0), size - max(-high[axis], 0))
    return b.pad(x, value, [max(n, 0) for n in low], [max(n, 0) for n in high])


@op("flip.default")
def flip(b, x, dims):
    for axis in (axis_of(dim, x.rank) for dim in dims if x.rank):
        backward = b.sub(x.shape[axis] - 1, b.iota((x.shape[axis],), 0))
        x = b.gather(x, backward, axis)
    return x


@op("roll.default")
def roll(b, x, shifts, dims=()):
    whole = x.shape
    if not dims:
        x, dims = b.reshape(x, (x.size,)), [0]
    for shift, dim in zip(shifts if isinstance(shifts, list) else [shifts], dims):
        axis = axis_of(dim, x.rank)
        at = -shift % max(x.shape[axis], 1)
        x = b.concat([b.slice(x, axis, at, x.shape[axis]), b.slice(x, axis, 0, at)], axis)
    return b.reshape(x, whole)


# ===----------------------------------------------------------------------=== #
# Joins
# ===----------------------------------------------------------------------=== #


@op("cat.default", "concat.default")
def cat(b, tensors, dim=0):
    dtype = promoted(*tensors)
    # By an old rule of PyTorch's, a vector of no elements joins anything.
    kept = [b.cast(x, dtype) for x in tensors if x.shape != (0,)] or [b.cast(tensors[0], dtype)]
    return b.concat(kept, axis_of(dim, kept[0].rank))


@op("stack.default")
def stack(b, tensors, dim=0):
    axis, dtype = axis_of(dim, tensors[0].rank + 1), promoted(*tensors)
    return b.concat([b.reshape(b.cast(x, dtype), (*x.shape[:axis], 1, *x.shape[axis:])) for x in tensors], axis)


# ===----------------------------------------------------------------------=== #
# Triangles
# ===----------------------------------------------------------------------=== #


def triangle(b, x, kind, diagonal):
    rows, columns = b.positions(x.shape, x.rank - 2), b.positions(x.shape, x.rank - 1)
    return b.select(b.compare(kind, b.sub(columns, rows), diagonal), x, b.constant(0, x.dtype))


@op("triu.default")
def triu(b, x, diagonal=0):
    return triangle(b, x, "ge", diagonal)


@op("tril.default")
def tril(b, x, diagonal=0):
    return triangle(b, x, "le", diagonal)


# ===----------------------------------------------------------------------=== #
# Factories
# ===----------------------------------------------------------------------=== #


def arithmetic(b, start, end, step, dtype):
    numbers = (start, end, step)
    whole = all(isinstance(number, int) for number in numbers)
    dtype = dtype or ("torch.int64" if whole else DEFAULT)
    element, (count,) = element_type(dtype), declared_shape(b)
    # In f64 where numbers are not whole, as PyTorch.
    index = b.iota((count,), 0, "i64" if whole else "f64")
    scaled = index if step == 1 else b.mul(index, b.constant(step, index.dtype))
    return b.cast(scaled if start == 0 else b.add(scaled, b.constant(start, index.dtype)), element)


@op("arange.default")
def arange(b, end, *, dtype=None, layout=None, device=None, pin_memory=None):
    return arithmetic(b, 0, end, 1, dtype)


@op("arange.start")
def arange_start(b, start, end, *, dtype=None, layout=None, device=None, pin_memory=None):
    return arithmetic(b, start, end, 1, dtype)


@op("arange.start_step")
def arange_step(b, start, end, step=1, *, dtype=None, layout=None, device=None, pin_memory=None):
    return arithmetic(b, start, end, step, dtype)


@op("linspace.default")
def linspace(b, start, end, steps, *, dtype=None, layout=None, device=None, pin_memory=None):
    step = (end - start) / (steps - 1) if steps > 1 else 0.0
    index = b.iota((steps,), 0, "f64")
    return b.cast(b.add(b.mul(index, float(step)), b.constant(start, "f64")), element_type(dtype or DEFAULT))


@op("eye.default", "eye.m")
def eye(b, n, m=None, *, dtype=None, layout=None, device=None, pin_memory=None):
    shape = declared_shape(b)
    return b.cast(b.compare("eq", b.positions(shape, 0), b.positions(shape, 1)), element_type(dtype or DEFAULT))


def filled(b, number):
    """One number, in the declared shape and type."""
    shape, element = b.declared[0]
    if isinstance(number, Value):
        return b.expand(b.cast(number, element), shape)
    return b.constant(number, element, tuple(shape))


@op("full.default", "full_like.default", "fill.Scalar", "fill.Tensor")
def full(b, like, number, *, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    return filled(b, number)


@op("new_full.default")
def new_full(b, x, size, number, *, dtype=None, layout=None, device=None, pin_memory=None):
    return filled(b, number)


@op("scalar_tensor.default")
def scalar_tensor(b, number, *, dtype=None, layout=None, device=None, pin_memory=None):
    return filled(b, number)


@op("ones.default", "ones_like.default", "new_ones.default")
def ones(b, *like, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    return filled(b, 1)


@op("zeros.default", "zeros_like.default", "zero.default", "new_zeros.default", "empty.memory_format",
    "empty_strided.default", "empty_permuted.default", "empty_like.default", "new_empty.default",
    "new_empty_strided.default")  # fmt: skip
def zeros(b, *like, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    # What PyTorch leaves undefined is 0 too.
    return filled(b, 0)
