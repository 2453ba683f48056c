# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses and their gradients."""

from .reductions import log_softmax_of
from .registry import expect, op
from .types import promoted

NONE, MEAN, SUM = 0, 1, 2


def reduced(b, values, reduction):
    if reduction == NONE:
        return values
    return b.reduce("mean" if reduction == MEAN else "sum", values, list(range(values.rank)))


# ===----------------------------------------------------------------------=== #
# Negative log-likelihood: the classes along axis 1, as the last one
# ===----------------------------------------------------------------------=== #


class Rows:
    """What the losses of all kinds share: rows of classes, targets, and the weight of each row."""

    def __init__(self, b, x, target, weight, ignore_index):
        self.shape = target.shape
        if x.rank > 2:  # [N, C, d...] as [N, d..., C]
            x = b.transpose(x, [0, *range(2, x.rank), 1])
        self.classes = x.shape[-1]
        self.x = b.reshape(x, (target.size, self.classes))
        target = b.reshape(target, (target.size,))
        self.counts = b.compare("ne", target, ignore_index)
        self.target = b.select(self.counts, target, 0)
        given = 1.0 if weight is None else b.gather(weight, self.target)
        self.weight = b.select(self.counts, given, 0.0, x.dtype)

    def picked(self, b):
        """The element of each row that the target names; one out of range is an error of the gather."""
        inside = b.logical("and", b.compare("ge", self.target, 0), b.compare("lt", self.target, self.classes))
        first = b.mul(b.iota(self.target.shape, 0, self.target.dtype), self.classes)
        place = b.select(inside, b.add(first, self.target), -1)
        return b.gather(b.reshape(self.x, (self.x.size,)), place)

    def one_hot(self, b):
        return b.compare(
            "eq", b.iota((self.classes,), 0, self.target.dtype), b.reshape(self.target, (self.x.shape[0], 1))
        )


@op("nll_loss_forward.default", "nll_loss2d_forward.default")
def nll_loss_forward(b, x, target, weight, reduction, ignore_index):
    rows = Rows(b, x, target, weight, ignore_index)
    losses = b.unary("neg", b.mul(rows.picked(b), rows.weight))
    total = b.reduce("sum", rows.weight, [0])
    if reduction == NONE:
        return [b.reshape(losses, rows.shape), b.constant(0, x.dtype)]
    loss = b.reduce("sum", losses, [0])
    return [b.div(loss, total) if reduction == MEAN else loss, total]


@op("nll_loss.default", "nll_loss2d.default", "nll_loss_nd.default")
def nll_loss(b, x, target, weight=None, reduction=MEAN, ignore_index=-100):
    if x.rank == 1:
        x, target = b.reshape(x, (1, x.size)), b.reshape(target, (1,))
        return b.reshape(nll_loss_forward(b, x, target, weight, reduction, ignore_index)[0], ())
    return nll_loss_forward(b, x, target, weight, reduction, ignore_index)[0]


@op("nll_loss_backward.default", "nll_loss2d_backward.default")
def nll_loss_backward(b, dy, x, target, weight, reduction, ignore_index, total_weight):
    single = x.rank == 1
    flat = b.reshape(x, (1, x.size)) if single else x
    rows = Rows(b, flat, b.reshape(target, (1,)) if single else target, weight, ignore_index)
    dy = b.div(dy, total_weight) if reduction == MEAN else dy
    dy = b.reshape(dy, (rows.x.shape[0],)) if reduction == NONE else dy
    row = b.unary("neg", b.mul(dy, rows.weight))
    dx = b.select(rows.one_hot(b), b.reshape(row, (rows.x.shape[0], 1)), 0.0)
    if flat.rank > 2:
        apart = b.reshape(dx, (flat.shape[0], *flat.shape[2:], flat.shape[1]))
        dx = b.transpose(apart, [0, flat.rank - 1, *range(1, flat.rank - 1)])
    return b.reshape(dx, x.shape)


@op("cross_entropy_loss.default")
def cross_entropy(b, x, target, weight=None, reduction=MEAN, ignore_index=-100, label_smoothing=0.0):
    expect(target.dtype in ("i32", "i64"), "targets that are classes", "probabilities")
    if x.rank == 1:
        x, target = b.reshape(x, (1, x.size)), b.reshape(target, (1,))
        single = True
    else:
        single = False
    logs = log_softmax_of(b, x, 1)
    rows = Rows(b, logs, target, weight, ignore_index)
    losses = b.unary("neg", b.mul(rows.picked(b), rows.weight))
    if label_smoothing:
        weighted = rows.x if weight is None else b.mul(rows.x, weight)
        smooth = b.select(rows.counts, b.unary("neg", b.reduce("sum", weighted, [1])), 0.0)
        losses = b.add(b.mul(losses, 1 - label_smoothing), b.mul(smooth, label_smoothing / rows.classes))
    if reduction == NONE:
        return b.reshape(losses, () if single else rows.shape)
    loss = b.reduce("sum", losses, [0])
    return b.div(loss, b.reduce("sum", rows.weight, [0])) if reduction == MEAN else loss


# ===----------------------------------------------------------------------=== #
# Losses of differences
# ===----------------------------------------------------------------------=== #


@op("mse_loss.default")
def mse_loss(b, x, target, reduction=MEAN):
    return reduced(b, b.unary("square", b.sub(x, target)), reduction)


@op("mse_loss_backward.default")
def mse_loss_backward(b, dy, x, target, reduction):
    norm = 2.0 / max(x.size, 1) if reduction == MEAN else 2.0
    return b.mul(b.mul(b.sub(x, target), norm), dy)


@op("l1_loss.default")
def l1_loss(b, x, target, reduction=MEAN):
    return reduced(b, b.unary("abs", b.sub(x, target)), reduction)


def within(b, is_large, size):
    """The difference for the square that is not taken where it is large: the slope at infinity is infinite."""
    return b.select(is_large, 0.0, size, size.dtype)


@op("smooth_l1_loss.default")
def smooth_l1_loss(b, x, target, reduction=MEAN, beta=1.0):
    size = b.unary("abs", b.sub(x, target))
    if not beta:
        return reduced(b, size, reduction)
    is_large = b.compare("ge", size, beta)
    inner = within(b, is_large, size)
    small = b.div(b.mul(b.unary("square", inner), 0.5), beta)
    return reduced(b, b.select(is_large, b.sub(size, 0.5 * beta), small), reduction)


@op("huber_loss.default")
def huber_loss(b, x, target, reduction=MEAN, delta=1.0):
    size = b.unary("abs", b.sub(x, target))
    is_large, large = b.compare("gt", size, delta), b.mul(b.sub(size, 0.5 * delta), delta)
    small = b.mul(b.unary("square", within(b, is_large, size)), 0.5)
    return reduced(b, b.select(is_large, large, small), reduction)


@op("binary_cross_entropy_with_logits.default")
def bce_with_logits(b, x, target, weight=None, pos_weight=None, reduction=MEAN):
    # max(-x, 0) + log(1 + exp(-|x|)) is log(1 + exp(-x)).
    tail = b.unary("log1p", b.unary("exp", b.unary("neg", b.unary("abs", x))))
    negative = b.add(b.binary("max", b.unary("neg", x), 0), tail)
    if pos_weight is not None:
        negative = b.mul(negative, b.add(b.mul(b.sub(pos_weight, 1), target), 1))
    losses = b.add(b.mul(b.sub(1, target), x), negative)
    return reduced(b, losses if weight is None else b.mul(losses, weight), reduction)


@op("binary_cross_entropy.default")
def bce(b, x, target, weight=None, reduction=MEAN):
    # As one op, for its gradient: the logarithms' are infinite at 0 and 1, PyTorch's is not.
    x, target = (b.cast(value, promoted(x, target)) for value in (x, target))
    whole = weight is None and reduction != NONE
    kind = ("none", "mean", "sum")[reduction] if whole else "none"
    losses = b.emit(f"nova.bce {x}, {target} {{reduction = #nova.reduction<{kind}>}} : {x.type}, {target.type}",
                    [x, target], (() if whole else x.shape, x.dtype))  # fmt: skip
    return losses if whole else reduced(b, losses if weight is None else b.mul(losses, weight), reduction)
