# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions of images and sequences, their transposes and gradients, all by nova.conv2d."""

from .movement import constant_pad, flip
from .registry import expect, op


class Geometry:
    """The numbers of a convolution in two dimensions; a sequence is an image of one row."""

    def __init__(self, rank, stride, padding, dilation):
        expect(rank in (3, 4), "a convolution in one or two dimensions", f"operands of rank {rank}")
        self.is_sequence = rank == 3
        self.stride, self.padding, self.dilation = (
            self.pair(numbers, neutral) for numbers, neutral in ((stride, 1), (padding, 0), (dilation, 1)))  # fmt: skip

    def pair(self, numbers, neutral):
        if self.is_sequence:
            return [neutral, numbers[0]]
        return list(numbers) if len(numbers) == 2 else list(numbers) * 2

    def image(self, b, x):
        return b.reshape(x, (*x.shape[:2], 1, x.shape[2])) if self.is_sequence else x


def convolve(b, x, w, stride, padding, dilation, groups):
    shape = [x.shape[0], w.shape[0]]
    for size, kernel, by, pad, gap in zip(x.shape[2:], w.shape[2:], stride, padding, dilation):
        shape.append((size + 2 * pad - gap * (kernel - 1) - 1) // by + 1)
    flags = [f"dilation = array<i64: {dilation[0]}, {dilation[1]}>"] if dilation != [1, 1] else []
    flags += [f"groups = {groups} : i64"] if groups != 1 else []
    flags = f" {{{', '.join(flags)}}}" if flags else ""
    return b.emit(f"nova.conv2d {x}, {w} strides = {stride} padding = {padding}{flags} : {x.type}, {w.type}", [x, w],
                  (shape, x.dtype))  # fmt: skip


def transposed(b, dy, w, geometry, sizes, groups):
    """What convolve does to its image, backward: each element of dy spreads over a kernel of the result."""
    pads = []
    for size, count, kernel, by, pad, gap in zip(sizes, dy.shape[2:], w.shape[2:], geometry.stride, geometry.padding,
                                                 geometry.dilation):  # fmt: skip
        low = gap * (kernel - 1) - pad
        pads.append((low, size - low - (count - 1) * by - 1 + gap * (kernel - 1)))
    apart = b.pad(dy, 0, [0] * 4, [0] * 4, [0, 0, *(by - 1 for by in geometry.stride)])
    apart = constant_pad(b, apart, [*pads[1], *pads[0]])
    outputs, inputs, *kernel = w.shape
    grouped = b.transpose(b.reshape(w, (groups, outputs // groups, inputs, *kernel)), [0, 2, 1, 3, 4])
    turned = flip(b, b.reshape(grouped, (groups * inputs, outputs // groups, *kernel)), [2, 3])
    return convolve(b, apart, turned, [1, 1], [0, 0], geometry.dilation, groups)


def weight_gradient(b, dy, x, kernel, geometry, groups):
    """A convolution of the images with the gradients: batches take the place of channels, strides that of gaps."""
    parts = []
    for group in range(groups):
        images, gradients = (
            b.transpose(b.slice(value, 1, group * (n := value.shape[1] // groups), (group + 1) * n), [1, 0, 2, 3])
            for value in (x, dy)
        )
        found = convolve(b, images, gradients, geometry.dilation, geometry.padding, geometry.stride, 1)
        for axis, size in zip((2, 3), kernel):
            found = b.slice(found, axis, 0, size)
        parts.append(b.transpose(found, [1, 0, 2, 3]))
    return b.concat(parts, 0)


@op("convolution.default", "_convolution.default")
def convolution(b, x, weight, bias, stride, padding, dilation, is_transposed, output_padding, groups, benchmark=False,
                deterministic=False, cudnn_enabled=True, allow_tf32=True):  # fmt: skip
    geometry = Geometry(x.rank, stride, padding, dilation)
    image, w = geometry.image(b, x), geometry.image(b, weight)
    if is_transposed:
        shape = b.declared[0][0]
        y = transposed(b, image, w, geometry, shape[2:] if len(shape) == 4 else (1, shape[2]), groups)
    else:
        y = convolve(b, image, w, geometry.stride, geometry.padding, geometry.dilation, groups)
    if bias is not None:
        y = b.add(y, b.reshape(bias, (bias.size, 1, 1)))
    return b.reshape(y, b.declared[0][0])


@op("conv2d.default", "conv1d.default")
def plain_convolution(b, x, weight, bias=None, stride=(1,), padding=(0,), dilation=(1,), groups=1):
    return convolution(b, x, weight, bias, stride, padding, dilation, False, [0], groups)


@op("convolution_backward.default")
def convolution_backward(b, dy, x, weight, bias_sizes, stride, padding, dilation, is_transposed, output_padding, groups,
                         output_mask):  # fmt: skip
    expect(not is_transposed, "the gradient of a plain convolution", "that of a transposed one")
    geometry = Geometry(x.rank, stride, padding, dilation)
    dy4, x4, w4 = (geometry.image(b, value) for value in (dy, x, weight))
    dx = dw = db = None
    if output_mask[0]:
        dx = b.reshape(transposed(b, dy4, w4, geometry, x4.shape[2:], groups), x.shape)
    if output_mask[1]:
        dw = b.reshape(weight_gradient(b, dy4, x4, w4.shape[2:], geometry, groups), weight.shape)
    if output_mask[2]:
        db = b.reduce("sum", dy4, [0, 2, 3])
    return [dx, dw, db]
