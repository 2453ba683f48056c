# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products and convolutions."""

from .registry import op
from .types import wide


@op("mm.default", "bmm.default")
def mm(b, x, y):
    return b.matmul(x, y)


@op("mv.default")
def mv(b, x, y):
    return b.reshape(b.matmul(x, b.reshape(y, (*y.shape, 1))), x.shape[:1])


@op("dot.default", "vdot.default")
def dot(b, x, y):
    return b.reshape(b.matmul(b.reshape(x, (1, x.size)), b.reshape(y, (y.size, 1))), ())


@op("outer.default")
def outer(b, x, y):
    return b.mul(b.reshape(x, (x.size, 1)), y)


@op("matmul.default")
def matmul(b, x, y):
    """A vector on the left is a row, one on the right a column, and its axis goes again."""
    left, right = (
        b.reshape(x, x.shape if x.rank > 1 else (1, x.size)),
        b.reshape(y, y.shape if y.rank > 1 else (y.size, 1)),
    )
    product = b.matmul(left, right)
    shape = list(product.shape)
    if y.rank == 1:
        del shape[-1]
    if x.rank == 1:
        del shape[-1 if y.rank == 1 else -2]
    return b.reshape(product, shape)


@op("linear.default")
def linear(b, x, weight, bias=None):
    if weight.rank == 1:
        y = matmul(b, x, weight)
    else:
        y = matmul(b, x, b.transpose(weight, (1, 0)))
    return y if bias is None else b.add(y, bias)


def sum_with(b, x, product, beta, alpha):
    """beta * x + alpha * product; with beta 0, x has no influence, NaN included."""
    product = product if alpha == 1 else b.scaled("mul", product, alpha)
    if beta == 0:
        return product
    return b.add(x if beta == 1 else b.scaled("mul", x, beta), product)


@op("addmm.default", "baddbmm.default", "addbmm.default")
def addmm(b, x, left, right, *, beta=1, alpha=1):
    # Rounded once, as PyTorch does.
    high = wide(left.dtype)
    product = b.matmul(b.cast(left, high), b.cast(right, high))
    if b.op.startswith("aten.addbmm"):
        product = b.reduce("sum", product, [0])
    return b.cast(sum_with(b, b.cast(x, high), product, beta, alpha), x.dtype)


@op("addmv.default")
def addmv(b, x, matrix, vector, *, beta=1, alpha=1):
    return sum_with(b, x, mv(b, matrix, vector), beta, alpha)
