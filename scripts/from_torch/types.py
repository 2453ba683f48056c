# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types, PyTorch's rules of promotion, and values of a program under construction."""

import dataclasses
import math
import struct


class Unsupported(Exception):
    """A graph, or a variant of an op, that has no counterpart in Nova; the text says what was expected and found."""


ELEMENT_TYPES = {
    "float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16",
    "bool": "i1", "int8": "i8", "int32": "i32", "int64": "i64",
}  # fmt: skip
BYTES = {"f64": 8, "f32": 4, "f16": 2, "bf16": 2, "i1": 1, "i8": 1, "i32": 4, "i64": 8}
# In PyTorch's order of promotion within floats and integers; f16 and bf16 meet in f32.
FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i8", "i32", "i64")
REDUCED = ("f16", "bf16")
LARGEST = {"f16": 65504.0, "bf16": 3.3895313892515355e38, "f32": 3.4028234663852886e38, "f64": 1.7976931348623157e308}
# The bits of infinity and of a quiet NaN, as MLIR spells what has no decimal form.
INFINITY = {"f16": "0x7C00", "bf16": "0x7F80", "f32": "0x7F800000", "f64": "0x7FF0000000000000"}
MINUS_INFINITY = {"f16": "0xFC00", "bf16": "0xFF80", "f32": "0xFF800000", "f64": "0xFFF0000000000000"}
NAN = {"f16": "0x7E00", "bf16": "0x7FC0", "f32": "0x7FC00000", "f64": "0x7FF8000000000000"}


def element_type(text):
    """The element type for PyTorch's name of it, with or without "torch." before."""
    name = text.removeprefix("torch.") if isinstance(text, str) else text
    if not isinstance(name, str) or name not in ELEMENT_TYPES:
        raise Unsupported(f"expected one of the element types {', '.join(ELEMENT_TYPES)}, found {name}")
    return ELEMENT_TYPES[name]


@dataclasses.dataclass(frozen=True)
class Value:
    """A tensor of the program: its name, sizes and element type."""

    name: str
    shape: tuple
    dtype: str

    @property
    def rank(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def type(self):
        return tensor_type(self.shape, self.dtype)

    def __str__(self):
        return self.name


def tensor_type(shape, dtype):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{dtype}>"


def is_float(dtype):
    return dtype in FLOATS


def wide(dtype):
    """The type that PyTorch computes in where it does more than one operation on elements of a type."""
    return "f32" if dtype in REDUCED else dtype


def join(a, b):
    """The smallest type that PyTorch converts both to."""
    if a == b or b == "i1":
        return a
    if a == "i1":
        return b
    if is_float(a) != is_float(b):
        return a if is_float(a) else b
    if a in REDUCED and b in REDUCED:
        return "f32"
    order = FLOATS if is_float(a) else INTEGERS
    return max(a, b, key=order.index)


def promoted(*operands):
    """The type of an operation on tensors and numbers: tensors with axes decide, then those without, then numbers, each
    only where it is of a higher category than what decided before."""
    groups = [None, None, None]
    for operand in operands:
        if isinstance(operand, Value):
            group, dtype = (0 if operand.shape else 1), operand.dtype
        else:
            group, dtype = 2, "i1" if isinstance(operand, bool) else "i64" if isinstance(operand, int) else "f32"
        groups[group] = dtype if groups[group] is None else join(groups[group], dtype)
    found = None
    for dtype in groups:
        if found is None:
            found = dtype
        elif dtype is not None and not is_float(found) and (found == "i1" or is_float(dtype)):
            found = join(found, dtype)
    return found


def broadcast(*shapes):
    """NumPy's broadcasting."""
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    result = []
    for sizes in zip(*padded):
        others = {size for size in sizes if size != 1}
        if len(others) > 1:
            raise Unsupported(f"expected shapes that broadcast, found {' and '.join(map(str, map(list, shapes)))}")
        result.append(others.pop() if others else 1)
    return tuple(result)


def is_exact(number, dtype):
    """Whether a type holds the number as it is."""
    if not is_float(dtype) or math.isinf(number) or math.isnan(number) or dtype == "f64":
        return True
    if abs(number) > LARGEST[dtype]:
        return False
    if dtype == "f16":
        return struct.unpack("<e", struct.pack("<e", number))[0] == number
    bits = struct.pack("<f", number)
    return struct.unpack("<f", bits)[0] == number and (dtype == "f32" or bits[:2] == b"\0\0")


def literal(number, dtype):
    """A number as MLIR spells it; one beyond the type's largest is infinite."""
    if dtype == "i1":
        return "true" if number else "false"
    if not is_float(dtype):
        if isinstance(number, float) and not number.is_integer():
            raise Unsupported(f"expected a whole number for {dtype}, found {number}")
        bits = 8 if dtype == "i8" else int(dtype[1:])
        whole = int(number)
        if not -(1 << (bits - 1)) <= whole < 1 << (bits - 1):
            raise Unsupported(f"expected a number that {dtype} holds, found {whole}")
        return str(whole)
    number = float(number)
    if math.isnan(number):
        return NAN[dtype]
    if abs(number) > LARGEST[dtype]:
        return INFINITY[dtype] if number > 0 else MINUS_INFINITY[dtype]
    mantissa, e, exponent = repr(number).partition("e")
    return mantissa + ("" if "." in mantissa else ".0") + e + exponent
