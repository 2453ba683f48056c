#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges gradients at singular points, ties, bounds and saturation against PyTorch's. Uses the standard library alone.

edges.py CASES.json FOLDER TYPE MODE...     TYPE: f32 or f64; modes: those of run.py
edges.py --values FOUND.safetensors         prints gradients

Every graph of the file is translated as for training, all of them in one program whose loss is the sum over their
results times weights. An element agrees where it is NaN or infinite as PyTorch's is, or within a tolerance of it.
"""

import array
import json
import math
import pathlib
import subprocess
import sys

import compare
from run import FLAGS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Goldens"))
import from_torch  # noqa: E402
import golden  # noqa: E402

DTYPES = {"f32": "float32", "f64": "float64"}
TOLERANCES = {"f32": (2e-4, 1e-5), "f64": (1e-7, 1e-12)}  # relative and absolute; some of PyTorch's constants are f32
# Where a gradient is not PyTorch's, and why, as docs/FromTorch.md says: points of one operand of a case, each named.
OF_NAN = "the operand is NaN, and so is the result"
OF_INFINITY = "the operand is infinite, a row holds infinities, or it is -0 under a power"
DECOMPOSED = "decomposition into core ATen ops has lost which op it was"


def points_of(table):
    """From `case.level.operand:first-last,one` words to the operand's set of points."""
    found = {}
    for words in table.values():
        for word in words.split():
            name, _, ranges = word.rpartition(":")
            ends = [[int(end) for end in part.split("-")] for part in ranges.split(",")]
            found[name] = {point for end in ends for point in range(end[0], end[-1] + 1)}
    return found


DIFFERENCES = points_of({
    DECOMPOSED: (
        "attention_hidden.core.0:3-5 attention_hidden.core.1:0-8 bce_mean.core.0:0,4,9 bce_mean.core.1:0-5 "
        "bce_none.core.0:0,4,9 bce_none.core.1:0-5 bce_weight.core.0:0,4,9 bce_weight.core.1:0-5 logit.core.0:0-1 "
        "soft_margin.core.0:4 xlogy.core.0:0-1,3-7,9-10,12-16"
    ),
    OF_INFINITY: (
        "gelu_tanh.aten.0:16-17 logsumexp.aten.0:40-43 logsumexp_none.aten.0:0-1 norm_-1_broken.aten.0:4-7 "
        "norm_-1_broken.core.0:4-7 norm_0.5_broken.aten.0:15 norm_0.5_broken.core.0:15 pow_0.5.aten.0:1,20 "
        "pow_1.5.aten.0:20 prod.aten.0:36,40-44,46,48-50,52 remainder.aten.1:25,33,43,52,56-59,65-68"
    ),
    OF_NAN: (
        "celu.core.0:21 celu_2.core.0:21 elu.aten.0:21 elu_half.aten.0:21 elu_minus.aten.0:21 "
        "hardsigmoid.aten.0:21 hardswish.aten.0:21 hardswish.core.0:21 max_whole_nan.aten.0:0-2 "
        "norm_-inf_broken.aten.0:16-19 norm_-inf_broken.core.0:16-19 norm_inf_broken.aten.0:16-19 "
        "norm_inf_broken.core.0:16-19 selu.core.0:21 softshrink.core.0:21"
    ),
    "at a bound that is a tensor, or between crossed ones, operands share it in another way": (
        "clamp_tensors.aten.0:2,5 clamp_tensors.aten.1:2,5-7 clamp_tensors.aten.2:2,5-7"
    ),
    "of infinite elements, or of too few, it is NaN": (
        "var_0.aten.0:37-39,45,47,50-51 var_1.aten.0:37-39,45,47,50-51 "
        "var_4.aten.0:12-20,23-25,27-35,37-39,45,47,50-51"
    ),
    "of the divisor 0 it is NaN": (
        "fmod.aten.1:18-19,27-28,36-37,45-46,54-55,63-64"
    ),
})  # fmt: skip


def renamed(value, prefix):
    if isinstance(value, dict):
        return {**value, "ref": prefix + value["ref"]}
    return [renamed(item, prefix) for item in value] if isinstance(value, list) else value


class Walk:
    """The graphs of all cases as one, in one type of floating point."""

    def __init__(self, cases, tensors, dtype):
        self.cases, self.tensors, self.dtype = cases, tensors, dtype
        self.values = {}  # key to tensor
        self.inputs, self.nodes, self.losses = [], [], []

    def tensor(self, key, source):
        """Takes a tensor of the file, in this walk's type if it is one of floats, as an argument of the program."""
        kind, shape, content = self.tensors[source]
        if kind == "F64" and self.dtype == "f32":
            kind, content = "F32", array.array("f", array.array("d", content)).tobytes()
        self.values[key] = (kind, shape, content)
        dtype = {"F32": "float32", "F64": "float64", "I64": "int64", "BOOL": "bool"}[kind]
        return {"name": key, "role": "input", "original_name": key, "shape": shape, "dtype": dtype, "tensor": key}

    def node(self, name, op, *args, shape=()):
        said = {"shape": list(shape), "dtype": DTYPES[self.dtype]}
        self.nodes.append({"name": name, "op": f"aten.{op}", "args": list(args), "kwargs": {}, "outputs": [said]})
        return {"ref": name}

    def add(self, case):
        name = f"{case['name']}.{case['level']}"
        operands = 0
        for item in case["inputs"]:
            if item["tensor"].startswith("input."):
                made = self.tensor(f"{name}.{operands}", f"{case['name']}.{operands}")
                operands += 1
            else:
                made = self.tensor(f"{name}.{item['tensor']}", f"{name}.{item['tensor']}")
            self.inputs.append({**made, "name": f"{name}.{item['name']}"})
        for node in case["nodes"]:
            self.nodes.append({**node, "name": f"{name}.{node['name']}", "args": renamed(node["args"], f"{name}."),
                               "kwargs": {k: renamed(v, f"{name}.") for k, v in node["kwargs"].items()}})  # fmt: skip
        weight = self.tensor(f"{name}.weight", f"{case['name']}.weight")
        self.inputs.append(weight)
        result = {"ref": f"{name}.{case['result']['value']}", "index": case["result"]["index"]}
        product = self.node(f"{name}.product", "mul.Tensor", result, {"ref": weight["name"]}, shape=weight["shape"])
        self.losses.append(self.node(f"{name}.loss", "sum.default", product))

    def program(self):
        for case in self.cases:
            self.add(case)
        total = self.losses[0]
        for i, loss in enumerate(self.losses[1:]):
            total = self.node(f"total{i}", "add.Tensor", total, loss)
        graph = {"inputs": self.inputs, "nodes": self.nodes, "outputs": [{"value": total["ref"], "tensor": "loss"}]}
        text = json.dumps(graph)
        if self.dtype == "f64":
            text = text.replace("float32", "float64")
        return with_gradients(from_torch.convert(json.loads(text), train=True), list(self.values))


def with_gradients(text, keys):
    """The program with a function of the gradients of all arguments of floats."""
    head, _, body = text.partition("func.func @loss(\n")
    signature, _, rest = body.partition("\n) -> ")
    arguments = [line.strip().rstrip(",") for line in signature.splitlines()]
    names = [argument.partition(":")[0] for argument in arguments]
    types = [argument.partition(": ")[2].partition(" {")[0] for argument in arguments]
    wanted = [i for i, kind in enumerate(types) if kind.endswith(("f32>", "f64>")) and not is_weight(arguments[i])]
    loss = rest.partition(" {")[0]
    gradients = [f'{types[i]} {{nova.name = "{key_of(arguments[i])}"}}' for i in wanted]
    results = [f"%g#{n}" for n in range(len(wanted))] if len(wanted) > 1 else ["%g"]
    return "\n".join([
        f"{head}func.func private @loss(\n{signature}\n) -> {rest}", f"func.func @gradients({', '.join(arguments)})",
        f"    -> ({', '.join(gradients)}) {{",
        f"  %loss, %g{f':{len(wanted)}' if len(wanted) > 1 else ''} = nova.value_and_grad @loss({', '.join(names)})"
        f" wrt {wanted} : ({', '.join(types)}) -> ({', '.join([loss, *(types[i] for i in wanted)])})",
        f"  return {', '.join(results)} : {', '.join(types[i] for i in wanted)}", "}", ""])  # fmt: skip


def key_of(argument):
    return argument.partition('nova.name = "')[2].partition('"')[0]


def is_weight(argument):
    return key_of(argument).endswith(".weight")


def agrees(found, wanted, dtype):
    if math.isnan(wanted) or math.isnan(found):
        return math.isnan(wanted) == math.isnan(found)
    if math.isinf(wanted) or math.isinf(found):
        return wanted == found
    relative, absolute = TOLERANCES[dtype]
    return abs(found - wanted) <= relative * abs(wanted) + absolute


def judge(found, tensors, dtype, mode):
    """Prints where gradients differ, and how many points were compared; the exit status."""
    points, wrong, known = 0, 0, 0
    for key, (_, values) in found.items():
        name, level, operand = key.rsplit(".", 2)
        wanted = golden.elements(tensors[f"{name}.{operand}.{dtype}"])
        operands = golden.elements(tensors[f"{name}.{operand}"])
        points += len(values)
        far = [i for i, (a, b) in enumerate(zip(values, wanted)) if not agrees(a, b, dtype)]
        unknown = [i for i in far if i not in DIFFERENCES.get(key, ())]
        known += len(far) - len(unknown)
        wrong += len(unknown)
        for i in unknown[:4]:
            print(f"{key}[{i}], at {operands[i]}: expected {wanted[i]}, found {values[i]}")
    print(f"{dtype} {mode}: {points} points of {len(found)} operands, {wrong} wrong, {known} documented differences")
    return 1 if wrong or not points else 0


def print_values(path):
    for key, (_, values) in compare.read(path).items():
        print(f"{key}: {[value + 0.0 for value in values]}")


def main():
    if sys.argv[1] == "--values":
        return print_values(sys.argv[2])
    cases, folder, dtype, modes = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4:]
    folder.mkdir(parents=True, exist_ok=True)
    tensors = golden.read(cases.with_suffix(".safetensors"))
    walk = Walk(json.loads(cases.read_text()), tensors, dtype)
    program, differentiated, inputs = (folder / f"{dtype}{end}" for end in (".mlir", ".gradients.mlir", ".safetensors"))
    program.write_text(walk.program())
    golden.write(inputs, walk.values)
    subprocess.run(["nova-opt", program, "--nova-autodiff", "-o", differentiated], check=True)
    status = 0
    for mode in modes:
        outputs = folder / f"{dtype}.{mode}.safetensors"
        subprocess.run(["nova-run", differentiated, "--entry=gradients", "--inputs", inputs, "--outputs", outputs,
                        *FLAGS[mode]], check=True, stdout=subprocess.DEVNULL)  # fmt: skip
        status |= judge(compare.read(outputs), tensors, dtype, mode)
    return status


if __name__ == "__main__":
    wrong = len(sys.argv) < 5 or sys.argv[3] not in DTYPES or set(sys.argv[4:]) - set(FLAGS)
    if sys.argv[1:2] != ["--values"] and wrong:
        sys.exit(__doc__)
    sys.exit(main())
