# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the ops of a Nova program: one method an op, with shapes and element types worked out."""

import math
import re

from .types import BYTES, Unsupported, Value, broadcast, is_exact, is_float, literal, promoted, tensor_type, wide


class Builder:
    """A function's body. Operands are values or, where a method says so, numbers; none is ever written into."""

    def __init__(self, train=False):
        # Whether gradients will be asked for: what an op says about its own is obeyed then.
        self.train = train
        self.statements = []  # (results, text, operands, note)
        self.defined = {}  # name to text and operands, of ops with one result
        self.constants = {}
        self.count = 0
        self.note = None
        # What the graph says of the node at hand: its op, shapes and element types of its results (None for one that is
        # not computed), and the argument that holds what a random op drew.
        self.op = ""
        self.declared = []
        self.recorded = None
        # The epsilon of the layer norm that a value of 1 / standard deviation comes from, with what was normalized.
        self.layer_norms = {}

    # The program

    def emit(self, text, operands, *types):
        """Adds an op, given as it stands behind the equals sign; its results."""
        results = []
        for shape, dtype in types:
            results.append(Value(f"%{self.count}", tuple(shape), dtype))
            self.count += 1
        self.statements.append((results, text, list(operands), self.note))
        if len(results) == 1:
            self.defined[results[0].name] = (text, list(operands))
        return results[0] if len(results) == 1 else results

    def definition(self, value):
        """The text of the op that a value, or the one of that name, is the only result of."""
        return self.defined.get(str(value), ("", []))[0]

    def operands_of(self, value):
        return self.defined[str(value)][1]

    def body(self, outputs):
        """The lines of what the outputs need, a comment before what each node of the graph became."""
        needed, kept = {value.name for value in outputs}, []
        for results, text, operands, note in reversed(self.statements):
            if any(result.name in needed for result in results):
                needed.update(operand.name for operand in operands)
                kept.append((results, text, note))
        lines, last = [], None
        for results, text, note in reversed(kept):
            if note != last and note is not None:
                lines.append(f"// {note}")
            last = note
            lines.append(f"{', '.join(map(str, results))} = {text}")
        return lines

    def drawn(self, dtype):
        """What a random op drew when the graph was recorded."""
        if self.recorded is None:
            raise Unsupported("expected recorded numbers for a random op, found none")
        return self.cast(self.recorded, dtype)

    # Making

    def constant(self, number, dtype, shape=()):
        text = f"nova.constant dense<{literal(number, dtype)}> : {tensor_type(shape, dtype)}"
        if text not in self.constants:
            note, self.note = self.note, None
            self.constants[text] = self.emit(text, [], (shape, dtype))
            self.note = note
        return self.constants[text]

    def stored(self, content, shape, dtype):
        """A constant from its bytes, row major and little endian."""
        size = BYTES[dtype]
        if len(content) != size * math.prod(shape):
            raise Unsupported(f"expected {size * math.prod(shape)} bytes for {tensor_type(shape, dtype)}, found "
                              f"{len(content)}")  # fmt: skip
        # MLIR packs the bits of i1.
        kept = "i8" if dtype == "i1" else dtype
        first = content[:size]
        content = first if content == first * math.prod(shape) else content
        literal = f'"0x{content.hex().upper()}"' if content else ""
        text = f"nova.constant dense<{literal}> : {tensor_type(shape, kept)}"
        return self.cast(self.emit(text, [], (shape, kept)), dtype)

    def iota(self, shape, axis, dtype="i64"):
        return self.emit(f"nova.iota {axis} : {tensor_type(shape, dtype)}", [], (shape, dtype))

    def positions(self, shape, axis, dtype="i64"):
        """The index along one axis of a shape, as a tensor that broadcasts to it."""
        return self.iota((shape[axis],) + (1,) * (len(shape) - axis - 1), 0, dtype)

    # One operand

    def unary(self, op, x):
        name, _, form = op.partition(" ")
        return self.emit(f"nova.{name}{form and ' ' + form} {x} : {x.type}", [x], (x.shape, x.dtype))

    def without_gradient(self, x):
        """The value, as a constant for the gradients of the rest."""
        return self.unary("stop_gradient", x) if is_float(x.dtype) else x

    def apart_from(self, where, x, number, compute):
        """compute(x), but a number where a condition holds. There x is 1 for the formula, so that no infinite slope
        meets the zero that a choice hands back: 0 * infinity is NaN."""
        safe = self.select(where, 1.0, x, x.dtype)
        return self.select(where, number, compute(safe), x.dtype)

    def rebuilt(self, value, old, new, depth=4):
        """The arithmetic that a value was computed by, with one operand put in another's place."""
        text, operands = self.defined.get(value.name, ("", []))
        if value.name == old.name:
            return new
        arithmetic = ("nova.mul", "nova.div", "nova.square", "nova.expm1", "nova.sin")
        if depth == 0 or text.partition(" ")[0] not in arithmetic:
            return value
        changed = [self.rebuilt(operand, old, new, depth - 1) for operand in operands]
        names = dict(zip(map(str, operands), map(str, changed)))
        if all(old == new for old, new in names.items()):
            return value
        text = re.sub(r"%\w+", lambda found: names[found[0]], text)
        return self.emit(text, changed, (value.shape, value.dtype))

    def cast(self, x, dtype):
        if x.dtype == dtype:
            return x
        return self.emit(f"nova.cast {x} : {x.type} -> {tensor_type(x.shape, dtype)}", [x], (x.shape, dtype))

    def is_true(self, x):
        """As i1: whether elements are not zero."""
        return self.cast(x, "i1")

    def logical_not(self, x):
        return self.unary("not", self.is_true(x))

    # More operands, broadcast

    def operand(self, x, dtype):
        """A value or number as a value of a type."""
        return self.cast(x, dtype) if isinstance(x, Value) else self.constant(x, dtype)

    def binary(self, op, a, b, dtype=None):
        """On values or numbers, in the type that they promote to, or in `dtype`."""
        dtype = dtype or promoted(a, b)
        a, b = self.operand(a, dtype), self.operand(b, dtype)
        shape = broadcast(a.shape, b.shape)
        return self.emit(f"nova.{op} {a}, {b} : {a.type}, {b.type}", [a, b], (shape, dtype))

    def scaled(self, op, a, b, dtype=None):
        """binary, computed in f32 where a narrower type does not hold a number among the operands."""
        dtype = dtype or promoted(a, b)
        exact = all(isinstance(x, Value) or is_exact(x, dtype) for x in (a, b))
        return self.cast(self.binary(op, a, b, dtype if exact else wide(dtype)), dtype)

    def add(self, a, b):
        return self.binary("add", a, b)

    def sub(self, a, b):
        return self.binary("sub", a, b)

    def mul(self, a, b):
        return self.binary("mul", a, b)

    def div(self, a, b):
        return self.binary("div", a, b)

    def logical(self, op, a, b):
        a, b = self.is_true(a), self.is_true(b)
        return self.binary(op, a, b, "i1")

    def compare(self, kind, a, b):
        dtype = promoted(a, b)
        a, b = self.operand(a, dtype), self.operand(b, dtype)
        shape = broadcast(a.shape, b.shape)
        return self.emit(f"nova.compare {kind} {a}, {b} : {a.type}, {b.type}", [a, b], (shape, "i1"))

    def select(self, condition, on_true, on_false, dtype=None):
        dtype = dtype or promoted(on_true, on_false)
        c, a, b = self.is_true(condition), self.operand(on_true, dtype), self.operand(on_false, dtype)
        shape = broadcast(c.shape, a.shape, b.shape)
        return self.emit(f"nova.select {c}, {a}, {b} : {c.type}, {a.type}, {b.type}", [c, a, b], (shape, dtype))

    # Moving

    def reshape(self, x, shape):
        shape = tuple(shape)
        if x.shape == shape:
            return x
        return self.emit(f"nova.reshape {x} : {x.type} -> {tensor_type(shape, x.dtype)}", [x], (shape, x.dtype))

    def expand(self, x, shape):
        """NumPy's broadcasting to a shape."""
        shape = tuple(shape)
        if x.shape == shape:
            return x
        dims = list(range(len(shape) - x.rank, len(shape)))
        return self.emit(f"nova.broadcast_in_dim {x} dims = {dims} : {x.type} -> {tensor_type(shape, x.dtype)}", [x],
                         (shape, x.dtype))  # fmt: skip

    def transpose(self, x, permutation):
        permutation = list(permutation)
        if permutation == list(range(x.rank)):
            return x
        return self.emit(f"nova.transpose {x} {permutation} : {x.type}", [x],
                         ([x.shape[axis] for axis in permutation], x.dtype))  # fmt: skip

    def slice(self, x, axis, start, limit, stride=1):
        """Elements start, start + stride, ... below the limit along one axis."""
        starts, limits, strides = [0] * x.rank, list(x.shape), [1] * x.rank
        starts[axis], limits[axis], strides[axis] = start, limit, stride
        shape = [-(-(l - s) // by) for s, l, by in zip(starts, limits, strides)]
        if tuple(shape) == x.shape:
            return x
        return self.emit(f"nova.slice {x} starts = {starts} limits = {limits} strides = {strides} : {x.type} -> "
                         f"{tensor_type(shape, x.dtype)}", [x], (shape, x.dtype))  # fmt: skip

    def pad(self, x, number, low, high, interior=None):
        low, high, interior = list(low), list(high), list(interior or [0] * x.rank)
        if not any(low + high + interior):
            return x
        shape = [a + size + max(size - 1, 0) * between + b for a, size, between, b in zip(low, x.shape, interior, high)]
        value = self.constant(number, x.dtype)
        types = f"{x.type}, {value.type} -> {tensor_type(shape, x.dtype)}"
        return self.emit(f"nova.pad {x}, {value} low = {low} high = {high} interior = {interior} : {types}", [x, value],
                         (shape, x.dtype))  # fmt: skip

    def concat(self, values, axis):
        values = [value for value in values if value.shape[axis] > 0] or values[:1]
        if len(values) == 1:
            return values[0]
        shape = list(values[0].shape)
        shape[axis] = sum(value.shape[axis] for value in values)
        return self.emit(f"nova.concat {', '.join(map(str, values))} axis = {axis} : "
                         f"({', '.join(v.type for v in values)}) -> {tensor_type(shape, values[0].dtype)}", values,
                         (shape, values[0].dtype))  # fmt: skip

    def gather(self, table, indices, axis=0):
        shape = table.shape[:axis] + indices.shape + table.shape[axis + 1 :]
        flag = f" {{axis = {axis} : i64}}" if axis else ""
        return self.emit(f"nova.gather {table}[{indices}]{flag} : {table.type}, {indices.type}", [table, indices],
                         (shape, table.dtype))  # fmt: skip

    def scatter_add(self, into, indices, updates):
        return self.emit(f"nova.scatter_add {into}[{indices}], {updates} : {into.type}, {indices.type}, {updates.type}",
                         [into, indices, updates], (into.shape, into.dtype))  # fmt: skip

    # Reductions and contractions

    def reduce(self, kind, x, axes, keep=False):
        axes = sorted(axes)
        if not axes:
            return x
        kept = [1 if i in axes else size for i, size in enumerate(x.shape) if keep or i not in axes]
        flag = " {keep_dims}" if keep else ""
        return self.emit(f"nova.reduce {kind} {x} over {axes}{flag} : {x.type}", [x], (kept, x.dtype))

    def softmax(self, x, axis):
        flag = "" if axis == x.rank - 1 else f" {{axis = {axis} : i64}}"
        return self.emit(f"nova.softmax {x}{flag} : {x.type}", [x], (x.shape, x.dtype))

    def matmul(self, a, b, transpose_a=False, transpose_b=False):
        if not is_float(a.dtype) or a.dtype != b.dtype:
            raise Unsupported(f"expected two matrices of one float type, found {a.dtype} and {b.dtype}")
        m, n = a.shape[-1 if transpose_a else -2], b.shape[-2 if transpose_b else -1]
        flags = [f"transpose_{side}" for side, on in (("lhs", transpose_a), ("rhs", transpose_b)) if on]
        shape = (*broadcast(a.shape[:-2], b.shape[:-2]), m, n)
        dictionary = f" {{{', '.join(flags)}}}" if flags else ""
        return self.emit(f"nova.matmul {a}, {b}{dictionary} : {a.type}, {b.type}", [a, b], (shape, a.dtype))
