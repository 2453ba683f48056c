# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of functions on elements."""

import functools

from .elementwise import in_wide, log1p_exp
from .registry import expect, op
from .types import join, wide


def gradient(name):
    """Registers a formula of the result's gradient and one more tensor, computed in f32 where they are narrower."""

    def register(formula):
        @functools.wraps(formula)
        def translate(b, dy, x, *arguments, **options):
            dtype = join(dy.dtype, x.dtype)
            high = wide(dtype)
            return b.cast(formula(b, b.cast(dy, high), b.cast(x, high), *arguments, **options), dtype)

        op(f"{name}.default")(translate)
        return translate

    return register


@gradient("tanh_backward")
def tanh_backward(b, dy, y):
    return b.mul(dy, b.sub(1, b.unary("square", y)))


@gradient("sigmoid_backward")
def sigmoid_backward(b, dy, y):
    return b.mul(dy, b.mul(b.sub(1, y), y))


@gradient("silu_backward")
def silu_backward(b, dy, x):
    s = b.unary("sigmoid", x)
    return b.mul(dy, b.mul(s, b.add(1, b.mul(x, b.sub(1, s)))))


@gradient("threshold_backward")
def threshold_backward(b, dy, x, threshold):
    return b.select(b.compare("le", x, threshold), 0, dy)


@gradient("leaky_relu_backward")
def leaky_relu_backward(b, dy, x, negative_slope, self_is_result):
    # The result has the operand's sign, but with a negative slope.
    expect(not self_is_result or negative_slope >= 0, "negative_slope from 0 on where self_is_result is true",
           f"{negative_slope}; give the operand")  # fmt: skip
    return b.select(b.compare("gt", x, 0), dy, b.mul(dy, negative_slope))


@gradient("hardtanh_backward")
def hardtanh_backward(b, dy, x, min_val, max_val):
    outside = b.logical("or", b.compare("le", x, min_val), b.compare("ge", x, max_val))
    return b.select(outside, 0, dy)


@gradient("hardsigmoid_backward")
def hardsigmoid_backward(b, dy, x):
    inside = b.logical("and", b.compare("gt", x, -3), b.compare("lt", x, 3))
    return b.select(inside, b.div(dy, 6), 0)


@gradient("hardswish_backward")
def hardswish_backward(b, dy, x):
    middle = b.mul(dy, b.add(b.div(x, 3), 0.5))
    return b.select(b.compare("lt", x, -3), 0, b.select(b.compare("le", x, 3), middle, dy))


@op("elu_backward.default")
def elu_backward(b, dy, alpha, scale, input_scale, is_result, x):
    def formula(x):
        negative = alpha * scale
        slope = b.add(x, negative) if is_result else b.mul(b.unary("exp", b.mul(x, input_scale)), negative)
        choice = b.select(b.compare("le", x, 0), b.mul(slope, input_scale), b.constant(scale, x.dtype))
        return b.mul(b.cast(dy, x.dtype), choice)

    return in_wide(b, x, formula)


@gradient("softplus_backward")
def softplus_backward(b, dy, x, beta, threshold):
    scaled = b.mul(x, beta)
    return b.select(b.compare("gt", scaled, threshold), dy, b.mul(dy, b.unary("sigmoid", scaled)))


@gradient("log_sigmoid_backward")
def log_sigmoid_backward(b, dy, x, buffer=None):
    return b.mul(dy, b.unary("sigmoid", b.unary("neg", x)))


@gradient("mish_backward")
def mish_backward(b, dy, x):
    t, s = b.unary("tanh", log1p_exp(b, x)), b.unary("sigmoid", x)
    return b.mul(dy, b.add(t, b.mul(b.mul(x, s), b.sub(1, b.unary("square", t)))))


@op("gelu_backward.default")
def gelu_backward(b, dy, x, *, approximate="none"):
    form = "tanh" if approximate == "tanh" else "exact"
    return b.binary(f"gelu_grad {form}", dy, x)
