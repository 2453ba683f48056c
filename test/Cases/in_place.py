#!/usr/bin/env python3
"""Ops that write to their operand, in traced graphs: the program is that of the ops that make a new tensor."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[1])))
import from_torch  # noqa: E402


def graph(nodes, output):
    """Nodes as (name, op, arguments), a string for a name; everything is a float32 [3, 4]."""
    said = {"shape": [3, 4], "dtype": "float32"}
    args = [[{"ref": a} if isinstance(a, str) else a for a in arguments] for _, _, arguments in nodes]
    return {"inputs": [{"name": "x", "tensor": "input.x", "role": "input", **said},
                       {"name": "w", "tensor": "w", "role": "parameter", "original_name": "w", **said}],
            "nodes": [{"name": name, "op": f"aten.{op}", "args": arguments, "kwargs": {},
                       "outputs": [{**said, "shape": []} if op.startswith("sum") else said]}
                      for (name, op, _), arguments in zip(nodes, args)],
            "outputs": [{"value": output, "tensor": "y"}]}  # fmt: skip


def text(nodes, output="loss"):
    try:
        return re.sub(" *//.*\n", "", from_torch.convert(graph(nodes, output), train=True))
    except from_torch.Unsupported as error:
        return str(error)


BEGIN, END = [("y", "mul.Tensor", ["x", "w"])], ("loss", "sum.default", ["y"])
SAME = {
    "what names the operand means the result": ([("a", "relu_.default", ["y"]), END],
                                                [("a", "relu.default", ["y"]), ("loss", "sum.default", ["a"])]),
    "twice, read by each of its names": (
        [("a", "relu_.default", ["y"]), ("b", "add_.Tensor", ["a", "x"]), ("c", "mul_.Tensor", ["y", "a"]), END],
        [("a", "relu.default", ["y"]), ("b", "add.Tensor", ["a", "x"]), ("c", "mul.Tensor", ["b", "b"]),
         ("loss", "sum.default", ["c"])]),
    "read before it is written": (
        [("v", "exp.default", ["y"]), ("a", "zero_.default", ["y"]), ("b", "add.Tensor", ["y", "v"]),
         ("loss", "sum.default", ["b"])],
        [("v", "exp.default", ["y"]), ("a", "zero.default", ["y"]), ("b", "add.Tensor", ["a", "v"]),
         ("loss", "sum.default", ["b"])]),
    "a view of it that is read before": (
        [("v", "view.default", ["y", [3, 4]]), ("e", "exp.default", ["v"]), ("a", "sin_.default", ["y"]),
         ("b", "add.Tensor", ["e", "y"]), ("loss", "sum.default", ["b"])],
        [("v", "view.default", ["y", [3, 4]]), ("e", "exp.default", ["v"]), ("a", "sin.default", ["y"]),
         ("b", "add.Tensor", ["e", "a"]), ("loss", "sum.default", ["b"])]),
}  # fmt: skip
REFUSED = {
    "a detached operand": ([("a", "detach_.default", ["y"]), END], "found detached values: a;"),
    "a view that is read after": ([("v", "view.default", ["y", [3, 4]]), ("a", "sin_.default", ["y"]),
                                   ("loss", "sum.default", ["v"])], "no other name of the memory"),
    "the base of a view": ([("v", "select.int", ["y", 0, 0]), ("a", "zero_.default", ["v"]), END],
                           "no other name of the memory that it writes to, found y;"),
    "a parameter": ([("a", "zero_.default", ["w"]), END], "expected no op to write to a parameter of the model"),
    "no twin": ([("a", "resize_.default", ["y", [3, 4]]), END], "found aten.resize_.default"),
}  # fmt: skip

wrong = 0
for name, (written, new) in SAME.items():
    if text(BEGIN + written) != text(BEGIN + new) or "func.func" not in text(BEGIN + new):
        wrong += 1
        print(f"{name}: differs\n{text(BEGIN + written)}\n{text(BEGIN + new)}")
for name, (nodes, expected) in REFUSED.items():
    if expected not in (found := text(BEGIN + nodes)):
        wrong += 1
        print(f"{name}: expected {expected}, found {found}")
print(f"{len(SAME) + len(REFUSED)} graphs, {wrong} wrong")
