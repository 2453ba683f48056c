# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Nova programs, with bounds on how large their values and how wrong a correct evaluation of them may be.

Every value knows the largest magnitude that it may have and the largest error that rounding may have left in it, both
estimated by forward analysis with unit roundoffs of the type's functions. Ops that jump (compare, sign, a cast to
integers) take only exact values: those that every correct evaluation computes to the bit.
"""

import dataclasses
import math

EPSILON = {"f64": 1e-14, "f32": 4e-6, "f16": 2e-3, "bf16": 1.6e-2}
FLOATS, INTEGERS = ("f64", "f32", "f16", "bf16"), ("i8", "i32", "i64")
BITS = {"i8": 8, "i32": 32, "i64": 64}
SIZES = (1, 1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 64, 70)
MOST_ELEMENTS, LARGEST = 6000, 1e4


@dataclasses.dataclass(eq=False)
class Value:
    name: str
    shape: tuple
    dtype: str
    magnitude: float = 5.0
    error: float = 0.0
    bound: int = 0  # of an integer argument
    has_gradient: bool = True
    grain: float = 0.0  # all elements are multiples of this power of two; 0: not known
    is_kept: bool = False  # its error rests on how it is made: no argument can stand for it
    is_masked: bool = False
    shows_every_row: bool = True  # no mask hides all that is normalised together

    @property
    def type(self):
        return f"tensor<{''.join(f'{size}x' for size in self.shape)}{self.dtype}>"

    @property
    def rank(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)

    def __str__(self):
        return self.name


@dataclasses.dataclass(eq=False)
class Op:
    """One line: {0}, {1}, ... stand for the operands."""

    results: list
    text: str
    operands: list

    def __str__(self):
        return f"{', '.join(map(str, self.results))} = {self.text.format(*self.operands)}"


class Program:
    """Arguments, ops in order, and which values are results. A training program's only result is a scalar loss, and
    what it computes are the loss and its gradients."""

    def __init__(self, arguments, ops, results, is_training=False):
        self.arguments, self.ops, self.results, self.is_training = arguments, ops, results, is_training

    def pruned(self):
        """Without what no result needs."""
        needed, ops = set(self.results), []
        for op in reversed(self.ops):
            if needed & set(op.results):
                needed.update(op.operands)
                ops.append(op)
        return Program([a for a in self.arguments if a in needed], ops[::-1], self.results, self.is_training)

    def differentiated(self):
        return [a for a in self.arguments if a.dtype in ("f32", "f64")]

    def outputs(self):
        """(type, error allowed as a part of the largest element, or absolute) of what the program computes."""
        if not self.is_training:
            return [(value.type, 0.0, value.error) for value in self.results]
        part = 2e-3 if any(v.dtype == "f32" for op in self.ops for v in op.results) else 1e-8
        return [(v.type, part, 1e-5 if part > 1e-6 else 1e-12) for v in self.results + self.differentiated()]


def spell(programs):
    """A module that computes what each of some programs does, one after another."""
    arguments, lines, results, functions = [], [], [], []
    for number, program in enumerate(programs):
        names = {}
        for i, argument in enumerate(program.arguments):
            names[argument] = f"%p{number}a{i}"
        arguments += [f"{names[a]}: {a.type}" + (f" {{nova.bound = {a.bound} : i64}}" if a.bound else "")
                      for a in program.arguments]  # fmt: skip
        if program.is_training:
            types = [argument.type for argument in program.arguments]
            wanted = program.differentiated()
            found = [f"%p{number}g{i}" for i in range(len(wanted) + 1)]
            loss = program.results[0]
            lines.append(f"{', '.join(found)} = nova.value_and_grad @loss{number}({', '.join(names.values())}) wrt "
                         f"{[program.arguments.index(a) for a in wanted]} : ({', '.join(types)}) -> "
                         f"({', '.join([loss.type] + [a.type for a in wanted])})")  # fmt: skip
            results += zip(found, [loss.type] + [a.type for a in wanted])
            signature = ", ".join(f"{a}: {a.type}" for a in program.arguments)
            body = "".join(f"  {op}\n" for op in program.ops)
            functions.append(f"func.func private @loss{number}({signature}) -> {loss.type} {{\n{body}  return {loss} : "
                             f"{loss.type}\n}}\n")  # fmt: skip
            continue
        for op in program.ops:
            for value in op.results:
                names[value] = f"%p{number}v{len(names)}"
            operands = [names[value] for value in op.operands]
            lines.append(f"{', '.join(names[v] for v in op.results)} = {op.text.format(*operands)}")
        results += [(names[value], value.type) for value in program.results]
    types = ", ".join(type for _, type in results)
    body = "".join(f"  {line}\n" for line in lines)
    return (f"{''.join(functions)}func.func @main({', '.join(arguments)}) -> ({types}) {{\n{body}"
            f"  return {', '.join(name for name, _ in results)} : {types}\n}}\n")  # fmt: skip


class Generator:
    """Makes one program. The ops are in ops.py, each a function of the generator."""

    def __init__(self, rng, ops, is_training=False):
        self.rng, self.is_training = rng, is_training
        self.arguments, self.ops, self.pool, self.count = [], [], [], 0
        self.floats = ("f32", "f32", "f64") if is_training else ("f32", "f32", "f32", "f64", "f16", "bf16")
        # Few sizes, so that tensors fit each other.
        self.sizes = (1, *rng.sample(SIZES, 3))
        self.table = [op for op in ops if not is_training or op.is_smooth]

    # Values to work on

    def shape(self, low=0, high=4, most=MOST_ELEMENTS):
        while True:
            rank = self.rng.choice([r for r in (0, 1, 1, 2, 2, 2, 3, 3, 4) if low <= r <= high])
            shape = tuple(self.rng.choice(self.sizes) for _ in range(rank))
            if rank and not self.is_training and self.rng.random() < 0.02:
                at = self.rng.randrange(rank)
                shape = shape[:at] + (0,) + shape[at + 1 :]
            if math.prod(shape) <= most:
                return shape

    def argument(self, shape, dtype, bound=0):
        magnitude = 6.0 if dtype in FLOATS else max(bound - 1, 1) if dtype != "i1" else 1
        value = Value(f"%a{len(self.arguments)}", tuple(shape), dtype, magnitude, 0.0, bound if dtype != "i1" else 0)
        self.arguments.append(value)
        return value

    def known(self, accept, fresh=0.12):
        """A value of the pool that fits; none at times, so that arguments come in late too."""
        fitting = [v for v in self.pool if accept(v) and (v.has_gradient or not self.is_training)]
        return self.rng.choice(fitting[-6:]) if fitting and self.rng.random() > fresh else None

    def float(self, low=0, high=4, accept=lambda v: True, exact=False, most=LARGEST):
        """A float tensor with that many axes, tame enough to go on with."""

        def fits(v):
            return (v.dtype in FLOATS and v.has_gradient and low <= v.rank <= high and v.magnitude <= most and accept(v)
                    and (v.error == 0 if exact else v.error <= 0.05 * max(1, v.magnitude)))  # fmt: skip

        found = self.known(fits)
        for _ in range(20):
            found = found or self.argument_if(fits, self.shape(low, high), self.rng.choice(self.floats))
        return found

    def argument_if(self, fits, shape, dtype):
        return self.argument(shape, dtype) if fits(Value("", shape, dtype, 6.0)) else None

    def like(self, shape, dtype, most=LARGEST):
        """A tensor of a shape and type."""
        fits = lambda v: v.shape == tuple(shape) and v.dtype == dtype and v.magnitude <= most  # noqa: E731
        return self.known(lambda v: fits(v) and v.error <= 0.05 * max(1, v.magnitude)) or self.argument(
            shape, dtype, 100 if dtype in INTEGERS else 0)  # fmt: skip

    def integer(self, low=0, high=4, dtypes=INTEGERS, most=math.inf):
        fits = lambda v: v.dtype in dtypes and low <= v.rank <= high and v.magnitude <= most  # noqa: E731
        return self.known(fits) or self.argument(self.shape(low, high), self.rng.choice(dtypes), 100)

    def any(self, low=0, high=4, exact=False):
        """A tensor of any type."""
        kind = self.rng.random()
        if kind < 0.7 or self.is_training:
            return self.float(low, high, exact=exact)
        return self.integer(low, high) if kind < 0.85 else self.integer(low, high, ("i1",))

    def broadcastable(self, x):
        """A tensor of x's type whose shape broadcasts with that of x."""
        shape = list(x.shape)
        for axis in range(len(shape)):
            if self.rng.random() < 0.2:
                shape[axis] = 1
        shape = shape[self.rng.randrange(len(shape) + 1) :] if self.rng.random() < 0.4 else shape
        return self.like(shape, x.dtype)

    def indices(self, shape, bound):
        return self.argument(shape, self.rng.choice(("i32", "i64")), bound)

    # Ops

    def emit(self, text, operands, *results):
        """An op with results given as (shape, dtype, magnitude, error)."""
        values = []
        for shape, dtype, magnitude, error in results:
            if dtype in INTEGERS:
                magnitude, error = min(magnitude, 2.0 ** (BITS[dtype] - 1)), 0.0
            values.append(Value(f"%v{self.count}", tuple(shape), dtype, magnitude, error))
            self.count += 1
        self.ops.append(Op(values, text, operands))
        self.pool += [value for value in values if value.size <= MOST_ELEMENTS]
        return values[0]

    def program(self):
        for _ in range(self.rng.randrange(2, 14)):
            self.rng.choice(self.table)(self)
        produced = [value for op in self.ops for value in op.results]
        if self.is_training:
            return self.training_program(produced)
        used = {operand for op in self.ops for operand in op.operands}
        results = [value for value in produced if value not in used or self.rng.random() < 0.15]
        return Program(self.arguments, self.ops, results or produced[-1:]).pruned()

    def training_program(self, produced):
        """The sum of the means of what no op uses."""
        used = {operand for op in self.ops for operand in op.operands}
        terms = [value for value in produced if value not in used and value.dtype in FLOATS and value.size
                 and value.has_gradient and value.error <= 1e-3 * max(1, value.magnitude)]  # fmt: skip
        if not terms:
            return None
        loss = None
        for term in terms:
            mean = self.emit(f"nova.reduce mean {{0}} over {list(range(term.rank))} : {term.type}", [term],
                             ((), term.dtype, term.magnitude, term.error))  # fmt: skip
            if term.dtype == "f64":
                mean = self.emit(
                    "nova.cast {0} : tensor<f64> -> tensor<f32>", [mean], ((), "f32", mean.magnitude, 1e-6)
                )
            loss = mean if loss is None else self.emit("nova.add {0}, {1} : tensor<f32>, tensor<f32>", [loss, mean],
                                                       ((), "f32", loss.magnitude + mean.magnitude, 1e-5))  # fmt: skip
        program = Program(self.arguments, self.ops, [loss], True).pruned()
        return program if program.differentiated() else None
