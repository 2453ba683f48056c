# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that write to their operand (`relu_`, `detach_`), which a traced graph has until it is decomposed.

Each becomes its twin that makes a new tensor, and what names the operand afterwards names the twin's result. That is the
same program as long as the memory is known by no other name that is read afterwards.
"""

from .registry import TRANSLATORS
from .types import Unsupported

# Ops whose results are, or may be, their first operand's memory.
VIEWS = {
    "alias", "as_strided", "atleast_1d", "chunk", "contiguous", "detach", "diagonal", "dropout", "expand", "expand_as",
    "feature_dropout", "flatten", "float", "double", "half", "bfloat16", "lift_fresh", "movedim", "moveaxis", "narrow",
    "numpy_T", "mT", "adjoint", "permute", "positive", "ravel", "real", "reshape", "reshape_as", "resolve_conj",
    "resolve_neg", "select", "slice", "split", "split_with_sizes", "squeeze", "swapaxes", "swapdims", "t", "tensor_split",
    "to", "transpose", "type_as", "unbind", "unflatten", "unfold", "unsafe_chunk", "unsafe_split", "unsqueeze", "view",
    "view_as", "_reshape_alias", "_to_copy", "_unsafe_view", "alpha_dropout",
}  # fmt: skip


def twin_of(op):
    """The op that computes what `op` writes, or None where it writes to nothing or has no translation."""
    namespace, name, overload = (op.split(".") + ["", ""])[:3]
    if not name.endswith("_") or name.startswith("__"):
        return None
    twin = "aten.transpose.int" if op == "aten.transpose_.default" else f"{namespace}.{name[:-1]}.{overload}"
    return twin if twin in TRANSLATORS else None


def renamed(argument, names):
    if isinstance(argument, dict) and "ref" in argument:
        return {**argument, "ref": names.get(argument["ref"], argument["ref"])}
    if isinstance(argument, list):
        return [renamed(item, names) for item in argument]
    return argument


def functional(graph, references):
    """The graph without ops that write to their operand. `references` are the names in an argument."""
    if not any(twin_of(node["op"]) for node in graph["nodes"]):
        return graph
    stored = {item["name"]: item.get("role") for item in graph["inputs"] if item.get("role") in ("parameter", "buffer")}
    memory = {}  # the first name of what a node's results lie in
    names = {}  # what a name means now
    nodes = []
    for number, node in enumerate(graph["nodes"]):
        args, options = renamed(node["args"], names), {key: renamed(item, names) for key, item in node["kwargs"].items()}
        new = {**node, "args": args, "kwargs": options}
        target = node["args"][0].get("ref") if node["args"] and isinstance(node["args"][0], dict) else None
        twin = twin_of(node["op"])
        if target is not None and (twin or node["op"].split(".")[1] in VIEWS):
            memory[node["name"]] = memory.get(target, target)
        if twin:
            # What the written tensor is called: the operand, what wrote to it before, and the result.
            now = names.get(target, target)
            called = {target, now, *(old for old, new_name in names.items() if new_name == now)}
            check(graph, number, node, target, memory, called | {node["name"]}, stored, references)
            names.update(dict.fromkeys(called, node["name"]))
            new.update(op=twin, in_place=True)
        nodes.append(new)
    outputs = [{**output, "value": names.get(output["value"], output["value"])} for output in graph["outputs"]]
    return {**graph, "nodes": nodes, "outputs": outputs}


def check(graph, number, node, target, memory, called, stored, references):
    """That what the node writes is seen by nothing but what names its operand or its result."""
    written = memory.get(target, target)
    if target is None or "index" in node["args"][0]:
        raise Unsupported(f"{node['op']} ({node['name']}): expected to write to a tensor, found another argument")
    if written in stored:
        raise Unsupported(f"{node['op']} ({node['name']}): expected no op to write to a {stored[written]} of the model, "
                          f"found {written}; compute with a copy of it, as x.clone() makes")  # fmt: skip
    later = set().union(*(references(after["args"] + list(after["kwargs"].values()))
                          for after in graph["nodes"][number + 1 :]))  # fmt: skip
    later |= {output["value"] for output in graph["outputs"]}
    same = {name for name, first in memory.items() if first == written} | {written}
    if others := sorted(later & same - called):
        raise Unsupported(f"{node['op']} ({node['name']}): expected no other name of the memory that it writes to, found "
                          f"{', '.join(others)}; use the op that makes a new tensor, or decompose the graph with "
                          "run_decompositions({})")  # fmt: skip

