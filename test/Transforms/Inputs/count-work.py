#!/usr/bin/env python3
"""Judges the work that --nova-count-work notes of kernels, in the generic form, by formulas of its own; and that each op of
the dialect which can be in a kernel was among them: count-work.py KERNELS.mlir... """
import collections
import math
import pathlib
import re
import struct
import sys

# Moves elements, or is there to be computed from.
NO_WORK = set("reshape transpose slice dynamic_slice dynamic_update_slice concat pad gather broadcast_in_dim iota cast "
              "constant".split())  # fmt: skip
# A step for each element of the first operand.
OF_OPERAND = {"reduce"}
# Why an op is in no kernel.
NEVER = {
    "kernel": "structure", "launch": "structure", "return": "structure", "parameter": "structure", "read": "structure",
    "value_and_grad": "structure", "constant": "no work of its own", "reshape": "a view",
    "attention_grad": "split in two", "global_norm": "split", "stop_gradient": "gone with differentiation",
    **dict.fromkeys("allocate copy_async load convert_layout contract commit wait barrier".split(), "scheduled later"),
    **dict.fromkeys("argmax argmin bce cce mae mse conv2d dropout logsumexp rotary_embedding".split(), "a name for others"),
}  # fmt: skip
BYTES = {"f64": 8, "i64": 8, "f32": 4, "i32": 4, "f16": 2, "bf16": 2, "i8": 1, "i1": 1}


def parsed(types):
    """Shape and element type of each tensor in a list of types."""
    return [([int(size) for size in words.split("x")[:-1]], words.split("x")[-1])
            for words in re.findall(r"tensor<([^>]*)>", types)]  # fmt: skip


def elements(tensor):
    return math.prod(tensor[0])


def noted(kernel, name):
    text = re.search(rf"nova\.{name} = (\S+) : f64", kernel)[1]
    # Large whole numbers are printed as their bits.
    return struct.unpack(">d", bytes.fromhex(text[2:]))[0] if text.startswith("0x") else float(text)


class Op:
    def __init__(self, line):
        found = re.match(r'(?:(%\S+(?:, %\S+)*)(?::\d+)? = )?"nova\.(\w+)"\(([^)]*)\)(.*) : \((.*)\) -> (.*)$', line)
        self.results = re.findall(r"%[\w.$-]+", found[1] or "")
        self.name, self.operands, self.text = found[2], re.findall(r"%[\w.$#-]+", found[3]), found[4]
        self.types, self.made = parsed(found[5]), parsed(found[6])

    def flops(self):
        if self.name in NO_WORK or self.name == "return":
            return 0
        if self.name == "matmul":
            lhs = self.types[0][0]
            return 2 * elements(self.made[0]) * (lhs[-2] if "transpose_lhs" in self.text else lhs[-1])
        if self.name in ("attention", "attention_grad_query", "attention_grad_key_value"):
            first = 0 if self.name == "attention" else 1  # of the queries; a gradient is before them
            (batch, heads, queries, width), keys, values = (self.types[first + i][0] for i in range(3))
            scores, sums = {"attention": (1, 1), "attention_grad_query": (2, 1)}.get(self.name, (2, 2))
            half = 0.5 if re.search(r"\bcausal\b", self.text) else 1
            return half * 2 * batch * heads * queries * keys[2] * (scores * width + sums * values[3])
        if self.name == "scatter_add":
            return elements(self.types[2])
        if self.name in OF_OPERAND:
            return elements(self.types[0])
        if self.name.startswith("cross_entropy"):
            return max(map(elements, self.types))
        return elements(self.made[0])


def read(name, whole, ops):
    """The elements of a value that its users have to read."""
    total = 0
    for op in ops:
        for number, operand in enumerate(op.operands):
            if operand != name:
                continue
            if op.name in ("gather", "slice", "dynamic_slice") and number == 0:
                total += elements(op.made[0])
            elif op.name == "cast":
                total += read(op.results[0], whole, ops)
            else:
                total += whole
    return min(total, whole)


wrong, kernels, seen = 0, 0, collections.Counter()
for path in sys.argv[1:]:
    text = pathlib.Path(path).read_text()
    for kernel in re.findall(r'^  "nova\.kernel"\(\) .*?^  \}\) [^\n]*$', text, re.S | re.M):
        lines = kernel.splitlines()
        name = re.search(r'sym_name = "([^"]*)"', lines[0])[1]
        arguments = re.findall(r"(%[\w.$-]+): (tensor<[^>]*>)", lines[1]) if lines[1].strip().startswith("^bb0") else []
        ops = [Op(line.strip()) for line in lines if re.match(r'\s+(%.* = )?"nova\.', line) and "nova.kernel" not in line]
        seen.update({op.name: 1 for op in ops})
        flops = sum(op.flops() for op in ops)
        size = 0
        for argument, kind in arguments:
            tensor = parsed(kind)[0]
            size += read(argument, elements(tensor), ops) * BYTES[tensor[1]]
        size += sum(elements(tensor) * BYTES[tensor[1]] for tensor in ops[-1].types)
        kernels += 1
        if (noted(lines[-1], "flops"), noted(lines[-1], "bytes")) != (flops, size):
            wrong += 1
            print(f"{path}: {name}: expected {flops} operations and {size} bytes, found {lines[-1]}")

dialect = pathlib.Path(__file__).resolve().parents[3] / "docs" / "dialect"
for page in sorted(dialect.glob("*.md")):
    for op in re.findall(r"^### `nova\.(\w+)`", page.read_text(), re.M):
        if op not in seen and op not in NEVER:
            wrong += 1
            print(f"nova.{op} is in no kernel")
print(f"{kernels} kernels of {len(seen)} ops, {wrong} wrong")
