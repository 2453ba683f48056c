# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that read or write elements by index.

Whatever the op, indices become positions in the row-major order of the axes that they select from, and the op a gather
or a scatter_add of rows. An index out of range becomes -1, for which Nova's ops report the position, as PyTorch does.
"""

import math

from .registry import axis_of, expect, op
from .types import Unsupported, Value, broadcast


def wrapped(b, indices, size):
    """Negative indices count from the end."""
    return b.select(b.compare("lt", indices, 0), b.add(indices, size), indices)


def position(b, indices, sizes):
    """Row-major positions from one tensor of indices for each axis."""
    found, inside = None, None
    for i, (index, size) in enumerate(zip(indices, sizes)):
        stride = math.prod(sizes[i + 1 :])
        offset = index if stride == 1 else b.mul(index, stride)
        found = offset if found is None else b.add(found, offset)
        if i > 0:  # out of range along the first axis is out of range as a position too
            here = b.logical("and", b.compare("ge", index, 0), b.compare("lt", index, size))
            inside = here if inside is None else b.logical("and", inside, here)
    return found if inside is None else b.select(inside, found, -1)


def put(b, rows, positions, values, accumulate):
    """Rows with values added or stored at positions. Which of several values for one place is stored PyTorch leaves open;
    here it is their mean, which is right where they are equal."""
    dtype = rows.dtype
    if accumulate and dtype != "i1":
        return b.scatter_add(rows, positions, b.expand(values, positions.shape + rows.shape[1:]))
    counts = b.scatter_add(b.constant(0, "i32", rows.shape[:1]), positions, b.constant(1, "i32", positions.shape))
    there = b.reshape(b.compare("gt", counts, 0), rows.shape[:1] + (1,) * (rows.rank - 1))
    if values.size == 1:
        return b.select(there, b.reshape(values, ()), rows)
    high = dtype if dtype in ("f32", "f64", "i32", "i64") else "f32"
    spread = b.expand(b.cast(values, high), positions.shape + rows.shape[1:])
    sums = b.scatter_add(b.constant(0, high, rows.shape), positions, spread)
    several = b.cast(b.binary("max", counts, 1), high)
    mean = b.div(sums, b.reshape(several, there.shape))
    return b.select(there, b.cast(mean, dtype), rows)


# ===----------------------------------------------------------------------=== #
# Rows of a table
# ===----------------------------------------------------------------------=== #


@op("embedding.default")
def embedding(b, weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    rows = b.gather(weight, indices)
    if not b.train:
        return rows
    column = (*indices.shape, 1)
    if scale_grad_by_freq:
        ones = b.constant(1.0, "f32", indices.shape)
        counts = b.gather(b.scatter_add(b.constant(0.0, "f32", weight.shape[:1]), indices, ones), indices)
        # The value, with a part of its gradient; infinity less infinity would be no zero.
        constant = b.without_gradient(rows)
        part = b.mul(b.sub(rows, constant), b.unary("reciprocal", b.cast(b.reshape(counts, column), rows.dtype)))
        rows = b.select(b.compare("lt", b.unary("abs", rows), math.inf), b.add(constant, part), rows)
    if padding_idx >= 0:
        hidden = b.reshape(b.compare("eq", indices, padding_idx), column)
        rows = b.select(hidden, b.without_gradient(rows), rows)
    return rows


@op("embedding_dense_backward.default")
def embedding_backward(b, dy, indices, num_weights, padding_idx, scale_grad_by_freq):
    rows = (*indices.shape, 1)
    if padding_idx is not None and padding_idx >= 0:
        dy = b.select(b.reshape(b.compare("eq", indices, padding_idx), rows), 0, dy)
    if scale_grad_by_freq:
        ones = b.constant(1.0, dy.dtype, indices.shape)
        counts = b.scatter_add(b.constant(0.0, dy.dtype, (num_weights,)), indices, ones)
        dy = b.div(dy, b.reshape(b.gather(counts, indices), rows))
    return b.scatter_add(b.constant(0.0, dy.dtype, (num_weights, dy.shape[-1])), indices, dy)


@op("index_select.default")
def index_select(b, x, dim, index):
    if not x.rank:
        return x
    return b.gather(x, index, axis_of(dim, x.rank))


# ===----------------------------------------------------------------------=== #
# Tensors of indices, one for each of some axes
# ===----------------------------------------------------------------------=== #


class Selection:
    """x[indices] as rows: the selected axes first and flattened, the rest behind."""

    def __init__(self, b, x, indices):
        indices = list(indices) + [None] * (x.rank - len(indices))
        expect(len(indices) == x.rank, f"indices for at most {x.rank} axes", f"{len(indices)} indices")
        self.axes = [axis for axis, index in enumerate(indices) if index is not None]
        self.rest = [axis for axis in range(x.rank) if axis not in self.axes]
        given = [indices[axis] for axis in self.axes]
        expect(given, "an index", "none")
        if any(index.dtype in ("i1",) for index in given):
            raise Unsupported("expected indices that are numbers, found a mask, whose result has no static shape")
        self.shape = broadcast(*(index.shape for index in given))
        sizes = [x.shape[axis] for axis in self.axes]
        inside = [wrapped(b, b.cast(index, "i64"), size) for index, size in zip(given, sizes)]
        self.positions = b.expand(position(b, inside, sizes), self.shape)
        self.order = self.axes + self.rest
        self.outer = [x.shape[axis] for axis in self.order]
        self.inner = tuple(x.shape[axis] for axis in self.rest)
        self.count = math.prod(sizes)
        # Side by side, the indices' axes stand where the first of them stood; else they come first.
        adjacent = self.axes == list(range(self.axes[0], self.axes[-1] + 1))
        before, rank = (self.axes[0] if adjacent else 0), len(self.shape)
        self.result_order = [*range(rank, rank + before), *range(rank), *range(rank + before, rank + len(self.rest))]

    def rows(self, b, x):
        return b.reshape(b.transpose(x, self.order), (self.count, *self.inner))

    def whole(self, b, rows):
        return b.transpose(b.reshape(rows, self.outer), [self.order.index(axis) for axis in range(len(self.order))])


def mask_of(x, indices):
    """The mask of x[mask], where that is what indices are."""
    if len(indices) == 1 and isinstance(indices[0], Value) and indices[0].dtype == "i1":
        return indices[0]
    return None


@op("index.Tensor", "_unsafe_index.Tensor")
def index(b, x, indices):
    selection = Selection(b, x, indices)
    return b.transpose(b.gather(selection.rows(b, x), selection.positions), selection.result_order)


@op("index_put.default", "_unsafe_index_put.default", "_index_put_impl.default")
def index_put(b, x, indices, values, accumulate=False, unsafe=False):
    values = b.cast(values, x.dtype)
    mask = mask_of(x, indices)
    if mask is not None:
        expect(values.size == 1, "one value to store under a mask", f"a tensor of shape {list(values.shape)}")
        mask = b.reshape(mask, mask.shape + (1,) * (x.rank - mask.rank))
        value = b.reshape(values, ())
        return b.select(mask, b.add(x, value) if accumulate else value, x)
    selection = Selection(b, x, indices)
    # Values broadcast to the shape that reading would have.
    order = selection.result_order
    shape = selection.shape + selection.inner
    spread = values if values.size == 1 and not accumulate else b.transpose(
        b.expand(values, [shape[axis] for axis in order]), [order.index(i) for i in range(len(order))])  # fmt: skip
    return selection.whole(b, put(b, selection.rows(b, x), selection.positions, spread, accumulate))


# ===----------------------------------------------------------------------=== #
# An index for every element, along one axis
# ===----------------------------------------------------------------------=== #


def along(b, shape, dim, index):
    """Positions in a tensor of that shape: where the index' element stands, but for one axis, which the index names."""
    index = b.cast(index, "i64")
    indices = [index if axis == dim else b.positions(index.shape, axis) for axis in range(len(shape))]
    inside = b.logical("and", b.compare("ge", index, 0), b.compare("lt", index, shape[dim]))
    found = None
    for axis, i in enumerate(indices):
        stride = math.prod(shape[axis + 1 :])
        offset = i if stride == 1 else b.mul(i, stride)
        found = offset if found is None else b.add(found, offset)
    return b.select(inside, found, -1)


@op("gather.default")
def gather(b, x, dim, index, *, sparse_grad=False):
    if not x.rank:
        return b.reshape(b.gather(b.reshape(x, (1,)), index), index.shape)
    return b.gather(b.reshape(x, (x.size,)), along(b, x.shape, axis_of(dim, x.rank), index))


def scattered(b, x, dim, index, source, accumulate):
    shape = x.shape or (1,)
    index = b.reshape(index, index.shape or (1,))
    positions = along(b, shape, axis_of(dim, len(shape)), index)
    if source.size != 1 or source.rank:
        source = b.reshape(source, source.shape or (1,))
        for axis, size in enumerate(index.shape):
            source = b.slice(source, axis, 0, size)
    elif accumulate:
        source = b.expand(source, index.shape)
    return b.reshape(put(b, b.reshape(x, (x.size,)), positions, b.cast(source, x.dtype), accumulate), x.shape)


@op("scatter.value", "scatter.src", "scatter.value_reduce", "scatter.reduce")
def scatter(b, x, dim, index, source, *, reduce=None):
    expect(reduce in (None, "add"), "values to store or to add", reduce)
    return scattered(b, x, dim, index, b.operand(source, x.dtype), reduce == "add")


@op("scatter_add.default")
def scatter_add(b, x, dim, index, source):
    return scattered(b, x, dim, index, source, True)


@op("index_add.default")
def index_add(b, x, dim, index, source, *, alpha=1):
    axis = axis_of(dim, x.rank)
    order = [axis, *(i for i in range(x.rank) if i != axis)]
    updates = b.scaled("mul", b.transpose(source, order), alpha) if alpha != 1 else b.transpose(source, order)
    return b.transpose(b.scatter_add(b.transpose(x, order), index, updates), [order.index(i) for i in range(x.rank)])
