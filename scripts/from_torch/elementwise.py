# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops on elements: arithmetic, comparisons, choices, casts, and their gradients."""

import math

from .registry import expect, op
from .types import LARGEST, REDUCED, Value, element_type, is_float, promoted, wide

# ===----------------------------------------------------------------------=== #
# One operand
# ===----------------------------------------------------------------------=== #

# PyTorch's name and Nova's. Integers and truth values become f32 first.
FLOAT_FUNCTIONS = {
    "rsqrt": "rsqrt", "reciprocal": "reciprocal", "exp": "exp", "exp2": "exp2", "expm1": "expm1",
    "log": "log", "log2": "log2", "log10": "log10", "sin": "sin", "cos": "cos", "tan": "tan",
    "asin": "asin", "acos": "acos", "atan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asinh": "asinh",
    "acosh": "acosh", "atanh": "atanh", "erf": "erf", "sigmoid": "sigmoid", "silu": "silu",
}  # fmt: skip
# Functions that keep the element type; on integers those of rounding do nothing.
SAME_TYPE_FUNCTIONS = {"abs": "abs", "neg": "neg", "sign": "sign", "sgn": "sign", "relu": "relu", "square": "square"}
ROUNDINGS = {"floor": "floor", "ceil": "ceil", "round": "round"}


def float_of(b, x):
    """The operand of a function on floats."""
    return x if is_float(x.dtype) else b.cast(x, "f32")


def in_wide(b, x, compute):
    """A formula of several ops, computed in f32 where elements are narrower, rounded once."""
    x = float_of(b, x)
    return b.cast(compute(b.cast(x, wide(x.dtype))), x.dtype)


def is_sum_of_powers(b, x):
    """Whether a value is a variance, or a sum of squares or of powers of magnitudes: what norms are roots of."""
    text = b.definition(x)
    while text.startswith(("nova.cast ", "nova.reshape ", "nova.div ")):
        x = b.operands_of(x)[0]
        text = b.definition(x)
    if not text.startswith("nova.reduce sum "):
        return False
    (x,) = b.operands_of(x)
    # Zeros are taken out of the terms of a power below 1.
    term = b.definition(b.operands_of(x)[2] if b.definition(x).startswith("nova.select ") else x)
    return term.startswith(("nova.square ", "nova.pow "))


def root_of(b, x):
    """A square root with a slope of 0 at 0, which norms and deviations have in PyTorch."""
    return b.apart_from(b.compare("eq", x, 0), x, 0.0, lambda x: b.unary("sqrt", x))


@op("sqrt.default")
def sqrt(b, x):
    # Decomposed, a deviation is a root of its own.
    return root_of(b, x) if b.train and is_sum_of_powers(b, x) else b.unary("sqrt", float_of(b, x))


@op("log1p.default")
def log1p(b, x):
    if b.train and b.definition(x).startswith("nova.exp "):  # a decomposed softplus
        return log1p_exp(b, b.operands_of(x)[0])
    return b.unary("log1p", float_of(b, x))


def functions():
    for name, nova in FLOAT_FUNCTIONS.items():
        op(f"{name}.default")(lambda b, x, nova=nova: b.unary(nova, float_of(b, x)))
    for name, nova in SAME_TYPE_FUNCTIONS.items():
        op(f"{name}.default")(lambda b, x, nova=nova: b.unary(nova, x))
    for name, nova in ROUNDINGS.items():
        op(f"{name}.default")(lambda b, x, nova=nova: b.unary(nova, x) if is_float(x.dtype) else x)


functions()


def truncate(b, x):
    return b.select(b.compare("lt", x, 0), b.unary("ceil", x), b.unary("floor", x))


@op("trunc.default", "fix.default")
def trunc(b, x):
    return truncate(b, x) if is_float(x.dtype) else x


@op("frac.default")
def frac(b, x):
    return b.sub(x, truncate(b, x))


@op("gelu.default")
def gelu(b, x, *, approximate="none"):
    expect(approximate in ("none", "tanh"), "approximate = none or tanh", approximate)
    return b.unary(f"gelu {'tanh' if approximate == 'tanh' else 'exact'}", x)


@op("bitwise_not.default")
def bitwise_not(b, x):
    return b.unary("not", x)


@op("logical_not.default")
def logical_not(b, x):
    return b.logical_not(x)


@op("isnan.default")
def isnan(b, x):
    return b.compare("ne", x, x) if is_float(x.dtype) else b.constant(False, "i1", x.shape)


@op("isinf.default")
def isinf(b, x):
    return b.compare("eq", b.unary("abs", x), math.inf) if is_float(x.dtype) else b.constant(False, "i1", x.shape)


@op("isfinite.default")
def isfinite(b, x):
    return b.compare("lt", b.unary("abs", x), math.inf) if is_float(x.dtype) else b.constant(True, "i1", x.shape)


@op("softplus.default")
def softplus(b, x, beta=1, threshold=20):
    def formula(x):
        scaled = b.mul(x, beta)
        smooth = b.div(log1p_exp(b, scaled), beta)
        return b.select(b.compare("gt", scaled, threshold), x, smooth)

    return in_wide(b, x, formula)


def log1p_exp(b, x):
    """log(1 + exp(x)) without overflow."""
    return b.add(b.binary("max", x, 0), b.unary("log1p", b.unary("exp", b.unary("neg", b.unary("abs", x)))))


@op("log_sigmoid_forward.default")
def log_sigmoid(b, x):
    """With the buffer that PyTorch's backward reads on the CPU; it is empty elsewhere."""
    result = in_wide(b, x, lambda x: b.unary("neg", log1p_exp(b, b.unary("neg", x))))
    small = in_wide(b, x, lambda x: b.unary("exp", b.unary("neg", b.unary("abs", x))))
    return [result, small if b.declared[1][0] == x.shape else b.constant(0, x.dtype, (0,))]


@op("mish.default")
def mish(b, x):
    return in_wide(b, x, lambda x: b.mul(x, b.unary("tanh", log1p_exp(b, x))))


@op("leaky_relu.default")
def leaky_relu(b, x, negative_slope=0.01):
    return b.select(b.compare("gt", x, 0), x, b.scaled("mul", x, negative_slope))


@op("elu.default")
def elu(b, x, alpha=1, scale=1, input_scale=1):
    def formula(x):
        above = b.compare("gt", x, 0)
        # Without the exponential of what is not taken: its slope may be infinite.
        negative = b.mul(b.unary("expm1", b.mul(b.select(above, 0.0, x), input_scale)), alpha * scale)
        return b.select(above, b.mul(x, scale), negative)

    return in_wide(b, x, formula)


@op("hardtanh.default")
def hardtanh(b, x, min_val=-1, max_val=1):
    """A clamp without a gradient at its bounds."""
    low = b.select(b.compare("le", x, min_val), min_val, x, x.dtype)
    return b.select(b.compare("ge", low, max_val), max_val, low, x.dtype)


@op("hardsigmoid.default")
def hardsigmoid(b, x):
    return in_wide(b, x, lambda x: b.div(hardtanh(b, b.add(x, 3), 0, 6), 6))


@op("hardswish.default")
def hardswish(b, x):
    def formula(x):
        if not b.train:
            return b.div(b.mul(x, clamp(b, b.add(x, 3), 0, 6)), 6)
        high, low = b.compare("ge", x, 3), b.compare("le", x, -3)
        inner = b.select(b.logical("or", high, low), 0.0, x)
        middle = b.div(b.mul(inner, b.add(inner, 3)), 6)
        return b.select(high, x, b.select(low, 0.0, middle))

    return in_wide(b, x, formula)


@op("nan_to_num.default")
def nan_to_num(b, x, nan=None, posinf=None, neginf=None):
    if not is_float(x.dtype):
        return x
    high = LARGEST[x.dtype] if posinf is None else posinf
    low = -LARGEST[x.dtype] if neginf is None else neginf
    x1 = b.select(b.compare("ne", x, x), nan or 0.0, x, x.dtype)
    x2 = b.select(b.compare("eq", x1, math.inf), high, x1, x.dtype)
    return b.select(b.compare("eq", x2, -math.inf), low, x2, x.dtype)


# ===----------------------------------------------------------------------=== #
# Arithmetic on two operands
# ===----------------------------------------------------------------------=== #


def sum_of(b, x, other, alpha, sign):
    dtype = promoted(x, other)
    if dtype == "i1":
        expect(sign > 0 and alpha == 1, "numbers to subtract", "truth values")
        return b.logical("or", x, other)
    if alpha != 1:
        other = b.scaled("mul", b.operand(other, dtype), alpha, dtype)
    return b.scaled("add" if sign > 0 else "sub", x, other, dtype)


@op("add.Tensor", "add.Scalar")
def add(b, x, other, alpha=1):
    return sum_of(b, x, other, alpha, 1)


@op("sub.Tensor", "sub.Scalar")
def sub(b, x, other, alpha=1):
    return sum_of(b, x, other, alpha, -1)


@op("rsub.Tensor", "rsub.Scalar")
def rsub(b, x, other, alpha=1):
    return sum_of(b, other, x, alpha, -1)


@op("mul.Tensor", "mul.Scalar")
def mul(b, x, other):
    dtype = promoted(x, other)
    return b.logical("and", x, other) if dtype == "i1" else b.scaled("mul", x, other, dtype)


def floor_of_division(b, x, other, dtype):
    if is_float(dtype):
        if b.train:  # a step
            x, other = (b.without_gradient(b.operand(value, dtype)) for value in (x, other))
        # As PyTorch: from the remainder, so that a quotient that rounds up to a whole number is still the floor.
        x, other = b.operand(x, dtype), b.operand(other, dtype)
        exact = b.div(b.sub(x, b.binary("mod", x, other)), other)
        below = b.unary("floor", exact)
        nearest = b.select(b.compare("gt", b.sub(exact, below), 0.5), b.add(below, 1), below)
        return b.select(b.compare("eq", other, 0), b.div(x, other), nearest)
    x, other = b.operand(x, dtype), b.operand(other, dtype)
    quotient = b.div(x, other)
    rest = b.sub(x, b.mul(quotient, other))
    wrong_side = b.logical("xor", b.compare("lt", rest, 0), b.compare("lt", other, 0))
    low = b.logical("and", b.compare("ne", rest, 0), wrong_side)
    return b.sub(quotient, b.cast(low, dtype))


@op("div.Tensor", "div.Scalar", "div.Tensor_mode", "div.Scalar_mode", "true_divide.Tensor")
def div(b, x, other, rounding_mode=None):
    expect(rounding_mode in (None, "floor", "trunc"), "rounding_mode = None, floor or trunc", rounding_mode)
    dtype = promoted(x, other)
    if rounding_mode == "floor":
        return floor_of_division(b, x, other, dtype)
    if rounding_mode == "trunc":
        return truncate(b, b.scaled("div", x, other, dtype)) if is_float(dtype) else b.binary("div", x, other, dtype)
    return b.scaled("div", x, other, dtype if is_float(dtype) else "f32")


@op("floor_divide.default", "floor_divide.Scalar")
def floor_divide(b, x, other):
    return floor_of_division(b, x, other, promoted(x, other))


@op("remainder.Tensor", "remainder.Scalar", "remainder.Scalar_Tensor")
def remainder(b, x, other):
    """The sign of the divisor."""
    return b.binary("mod", x, other)


@op("fmod.Tensor", "fmod.Scalar")
def fmod(b, x, other):
    """The sign of the dividend."""
    dtype = promoted(x, other)
    x, other = b.operand(x, dtype), b.operand(other, dtype)
    if not is_float(dtype):  # The smallest integer has no absolute value.
        return b.sub(x, b.mul(b.binary("div", x, other, dtype), other))
    # Of -x or x, not of |x|, which has no gradient at 0.
    size = b.binary("mod", b.select(b.compare("lt", x, 0), b.unary("neg", x), x), b.unary("abs", other))
    return b.select(b.compare("lt", x, 0), b.unary("neg", size), size)


def whole_power(b, x, exponent):
    """By repeated squaring."""
    result = None
    while exponent:
        if exponent & 1:
            result = x if result is None else b.mul(result, x)
        exponent >>= 1
        x = b.unary("square", x) if exponent else x
    return result


@op("pow.Tensor_Scalar", "pow.Tensor_Tensor", "pow.Scalar")
def power(b, x, exponent):
    dtype = promoted(x, exponent)
    if not is_float(dtype):
        expect(isinstance(exponent, int) and exponent >= 0, "a power of integers that is a whole number from 0 on",
               exponent if not isinstance(exponent, Value) else "a tensor")  # fmt: skip
        x = b.operand(x, dtype)
        return whole_power(b, x, int(exponent)) if exponent else b.constant(1, dtype, x.shape)
    if not isinstance(exponent, Value):
        x = b.operand(x, dtype)
        if exponent in (0, 1, 2):
            return b.constant(1.0, dtype, x.shape) if exponent == 0 else x if exponent == 1 else b.unary("square", x)
        if exponent == 3 and dtype in REDUCED:  # two roundings, as in PyTorch
            return whole_power(b, x, 3)
        if b.train and exponent < 1 and (is_sum_of_powers(b, x) or b.definition(x).startswith("nova.abs ")):
            # Decomposed, a norm is powers and their root; at 0 it has a slope of 0, and they an infinite one.
            at_zero = 0.0 if exponent > 0 else math.inf
            return b.apart_from(b.compare("eq", x, 0), x, at_zero, lambda x: b.scaled("pow", x, exponent, dtype))
    return b.scaled("pow", x, exponent, dtype)


@op("maximum.default")
def maximum(b, x, other):
    dtype = promoted(x, other)
    if b.train and (argument := logarithm_of(b, x)) and b.definition(other).startswith("nova.constant dense<-100.0>"):
        return held_logarithm(b, b.binary("max", x, other, dtype), argument)
    return extreme(b, "max", x, other, dtype)


def logarithm_of(b, x):
    """What a value is the natural logarithm of."""
    name = b.definition(x).partition(" ")[0]
    if name not in ("nova.log", "nova.log1p"):
        return None
    (argument,) = b.operands_of(x)
    return argument if name == "nova.log" else b.add(argument, 1.0)


def held_logarithm(b, found, argument):
    """A logarithm that is held at -100, as of a decomposed binary cross entropy: PyTorch's slope is 1 / max(x, 1e-12)."""
    slope = b.unary("reciprocal", b.without_gradient(b.binary("max", argument, 1e-12)))
    change = b.mul(b.sub(argument, b.without_gradient(argument)), slope)
    return b.add(b.without_gradient(found), change)


@op("minimum.default")
def minimum(b, x, other):
    return extreme(b, "min", x, other, promoted(x, other))


def extreme(b, kind, x, other, dtype):
    if dtype == "i1":
        return b.logical("or" if kind == "max" else "and", x, other)
    return b.binary(kind, x, other, dtype)


@op("clamp.default", "clamp.Tensor", "clip.default", "clip.Tensor")
def clamp(b, x, min=None, max=None):
    dtype = promoted(*(value for value in (x, min, max) if value is not None))
    low = x if min is None else b.binary("max", x, min, dtype)
    found = low if max is None else b.binary("min", low, max, dtype)
    if not b.train or not is_float(dtype) or isinstance(min, Value) or isinstance(max, Value):
        return found
    # Between two numbers the gradient passes; at them it doesn't, where that of a maximum is shared.
    inside = [b.compare(kind, x, bound) for kind, bound in (("gt", min), ("lt", max)) if bound is not None]
    inside = inside[0] if len(inside) == 1 else b.logical("and", *inside)
    return b.select(inside, x, b.without_gradient(found), dtype)


@op("clamp_min.default", "clamp_min.Tensor")
def clamp_min(b, x, min):
    return clamp(b, x, min=min)


@op("clamp_max.default", "clamp_max.Tensor")
def clamp_max(b, x, max):
    return clamp(b, x, max=max)


@op("atan2.default")
def atan2(b, y, x):
    dtype = promoted(y, x)
    dtype = dtype if is_float(dtype) else "f32"
    y, x = b.cast(y, wide(dtype)), b.cast(x, wide(dtype))
    if b.train:
        return b.cast(atan2_with_gradient(b, y, x), dtype)
    return b.cast(atan2_of(b, y, x), dtype)


def atan2_with_gradient(b, given_y, given_x):
    """The quotient's slope is that of 0 / 0 on an axis; x / (x^2 + y^2) and -y / (x^2 + y^2) are not."""
    y, x = b.without_gradient(given_y), b.without_gradient(given_x)
    square = b.add(b.unary("square", x), b.unary("square", y))
    square = b.select(b.compare("eq", square, 0), 1.0, square)
    found = atan2_of(b, y, x)
    for slope, value, constant in ((x, given_y, y), (b.unary("neg", y), given_x, x)):
        term = b.mul(b.div(slope, square), b.sub(value, constant))
        # What has no finite slope has none at all, and must not change the value.
        found = b.select(b.compare("eq", term, 0), b.add(found, term), found)
    return found


def atan2_of(b, y, x):
    angle = b.unary("atan", b.div(y, x))
    minus = b.logical("or", b.compare("lt", y, 0), b.compare("lt", b.unary("reciprocal", y), 0))
    turn = b.select(minus, b.constant(-math.pi, angle.dtype), b.constant(math.pi, angle.dtype))
    found = b.select(b.compare("lt", x, 0), b.add(angle, turn), angle)
    both_zero = b.logical("and", b.compare("eq", x, 0), b.compare("eq", y, 0))
    x_minus = b.logical("or", b.compare("lt", x, 0), b.compare("lt", b.unary("reciprocal", x), 0))
    return b.select(both_zero, b.select(x_minus, turn, b.mul(y, 1.0)), found)


@op("addcmul.default")
def addcmul(b, x, a, c, value=1):
    return in_wide(b, x, lambda x: b.add(x, b.mul(b.mul(b.cast(a, x.dtype), b.cast(c, x.dtype)), value)))


@op("addcdiv.default")
def addcdiv(b, x, a, c, value=1):
    return in_wide(b, x, lambda x: b.add(x, b.mul(b.div(b.cast(a, x.dtype), b.cast(c, x.dtype)), value)))


@op("lerp.Scalar", "lerp.Tensor")
def lerp(b, start, end, weight):
    def formula(start):
        return b.add(start, b.mul(b.sub(b.cast(end, start.dtype), start), b.operand(weight, start.dtype)))

    return in_wide(b, start, formula)


# ===----------------------------------------------------------------------=== #
# Truth values and bits
# ===----------------------------------------------------------------------=== #


def comparisons():
    for kind in ("eq", "ne", "lt", "le", "gt", "ge"):
        op(f"{kind}.Tensor", f"{kind}.Scalar")(lambda b, x, other, kind=kind: b.compare(kind, x, other))
    for kind in ("and", "or", "xor"):
        op(f"logical_{kind}.default")(lambda b, x, other, kind=kind: b.logical(kind, x, other))
        op(f"bitwise_{kind}.Tensor", f"bitwise_{kind}.Scalar", f"bitwise_{kind}.Scalar_Tensor", f"__{kind}__.Tensor",
           f"__{kind}__.Scalar")(lambda b, x, other, kind=kind: b.binary(kind, x, other))  # fmt: skip


comparisons()


@op("where.self", "where.ScalarSelf", "where.ScalarOther", "where.Scalar")
def where(b, condition, x, other):
    if b.train:
        x, other = without_infinite_slopes(b, condition, x, other)
    return b.select(condition, x, other)


def without_infinite_slopes(b, condition, x, other):
    """The choices of a decomposed op, at an operand of their own where they are not taken: an infinite slope there
    is one that no gradient of 0 makes 0."""
    name, operands = definition_of(b, other)
    if name == "nova.mul":  # celu: a factor times an exponential
        name, operands = definition_of(b, operands[0])
    if name == "nova.expm1":
        (argument,) = operands
        other = b.rebuilt(other, argument, b.select(condition, 0.0, argument, argument.dtype))
    if name == "nova.div" and definition_of(b, operands[0]) == ("nova.sin", [operands[1]]):  # sinc
        other = b.rebuilt(other, operands[1], b.select(condition, 1.0, operands[1], operands[1].dtype))
    name, operands = definition_of(b, condition)
    if name == "nova.compare" and definition_of(b, operands[0])[0] == "nova.abs":  # huber and smooth_l1
        if b.definition(condition).startswith("nova.compare lt ") and isinstance(x, Value):
            size = operands[0]
            x = b.rebuilt(x, size, b.select(b.compare("eq", size, math.inf), 0.0, size, size.dtype))
    return x, other


def definition_of(b, value):
    """The name of the op that a value is the only result of, and its operands."""
    text, operands = b.defined.get(str(value), ("", []))
    return text.partition(" ")[0], operands


@op("masked_fill.Scalar", "masked_fill.Tensor")
def masked_fill(b, x, mask, value):
    return b.select(mask, value, x, x.dtype)


def as_type(b, x, dtype):
    return x if dtype is None else b.cast(x, element_type(dtype))


@op("_to_copy.default", "to.dtype_layout")
def to_copy(b, x, *, dtype=None, layout=None, device=None, pin_memory=None, non_blocking=False, copy=False,
            memory_format=None):  # fmt: skip
    return as_type(b, x, dtype)


@op("to.dtype", "prims.convert_element_type.default")
def to_dtype(b, x, dtype, non_blocking=False, copy=False, *, memory_format=None):
    return as_type(b, x, dtype)


@op("to.device")
def to_device(b, x, device, dtype, non_blocking=False, copy=False, *, memory_format=None):
    return as_type(b, x, dtype)


@op("type_as.default")
def type_as(b, x, other):
    return b.cast(x, other.dtype)
