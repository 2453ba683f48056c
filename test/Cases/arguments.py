#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every argument of every overload that from_torch.py translates is read. Uses the standard library alone.

arguments.py SCHEMAS.json [--broken]     --broken: with two translators that are wrong, which it finds

An argument is read where the parameter that it binds to is loaded in the translator's code, and where that has the
schema's default. Others are findings, but for those of UNREAD, which cannot change what Nova computes.
"""

import dis
import fnmatch
import inspect
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from from_torch.graph import TRANSLATORS  # noqa: E402

STORAGE = "where and how elements are stored; a layout that is not strided is refused for all ops"
DECLARED = "the shapes and types that the graph gives the results say it; a translation to others is refused"
SETTINGS = "which of PyTorch's kernels computes it, and in which order"
# Patterns of overloads and arguments, and why translators need not read them.
UNREAD = {
    ("*", "layout"): STORAGE,
    ("*", "device"): STORAGE,
    ("*", "pin_memory"): STORAGE,
    ("*", "memory_format"): STORAGE,
    ("*", "non_blocking"): "when a copy ends, not what it holds",
    ("to.*", "copy"): "a value is never written into, so that a copy is the value",
    **{(f"{op}.*", "*"): DECLARED for op in (
        "*view", "view_*", "*reshape*", "flatten", "unflatten", "*squeeze*", "expand*", "broadcast_to")},
    **{(f"{op}.*", "*"): DECLARED for op in (
        "ones", "ones_like", "new_ones", "zeros", "zeros_like", "zero", "new_zeros", "empty*", "new_empty*", "eye")},
    ("*full.*", "size"): DECLARED,
    **{(f"{op}.*", "self"): DECLARED for op in ("full_like", "new_full", "fill")},
    ("full_like.*", "dtype"): DECLARED,
    ("*full.*", "dtype"): DECLARED,
    ("scalar_tensor.*", "dtype"): DECLARED,
    ("*split*.*", "*split_size*"): DECLARED,
    ("tensor_split.*", "sections"): DECLARED,
    ("chunk.*", "chunks"): DECLARED,
    ("repeat_interleave.*", "output_size"): DECLARED,
    ("*convolution*.*", "output_padding"): DECLARED,
    ("convolution_backward.*", "bias_sizes"): DECLARED,
    **{(f"{op}.*", "*"): "what was drawn is recorded in the graph" for op in (
        "bernoulli", "rand", "rand_like", "randn", "randn_like", "uniform", "normal", "normal_functional")},
    **{("_convolution.*", name): SETTINGS for name in ("benchmark", "deterministic", "cudnn_enabled", "allow_tf32")},
    ("layer_norm.*", "cudnn_enable"): SETTINGS,
    ("_index_put_impl.*", "unsafe"): "whether indices are checked: Nova's always are",
    ("embedding.*", "sparse"): "how the gradient is stored, not its numbers",
    ("gather.*", "sparse_grad"): "how the gradient is stored, not its numbers",
    ("log_sigmoid_backward.*", "buffer"): "exp(-|x|), kept from the forward pass and computed again",
    ("native_layer_norm_backward.*", "bias"): "its shape is the weight's, its gradient does not depend on it",
}


def loaded(code):
    """The names of variables that a function's code reads, as closures of inner ones too."""
    names = set(code.co_cellvars)
    for instruction in dis.get_instructions(code):
        if instruction.opname.startswith("LOAD_"):
            found = instruction.argval
            names.update(found if isinstance(found, tuple) else [found])
    return names


class Binding:
    """A translator's parameters behind the builder, and which of them it reads."""

    def __init__(self, function):
        function = inspect.unwrap(function)
        parameters = list(inspect.signature(function).parameters.values())[1:]
        self.positional = [p for p in parameters if p.kind == p.POSITIONAL_OR_KEYWORD]
        self.rest = next((p for p in parameters if p.kind == p.VAR_POSITIONAL), None)
        self.named = {p.name: p for p in parameters if p.kind in (p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)}
        self.read = loaded(function.__code__)

    def complaint(self, place, name, default, by_name, has_default):
        """What is wrong with an argument; None where it is read."""
        if by_name:
            parameter = self.named.get(name)
        else:
            parameter = self.positional[place] if place < len(self.positional) else self.rest
        if parameter is None:
            return "has no parameter"
        if parameter.kind == parameter.VAR_POSITIONAL:
            return "is one of a list of any arguments"
        if parameter.name not in self.read:
            return f"binds to {parameter.name}, which is not read"
        if not has_default:
            return None
        if parameter.default is parameter.empty:
            return f"has the default {default}, and {parameter.name} has none"
        if not same(parameter.default, default):
            return f"has the default {default}, and {parameter.name} has {parameter.default}"
        return None


def same(found, wanted):
    if wanted == []:  # all axes
        return found is None or found == ()
    if isinstance(wanted, list):
        return set(found if isinstance(found, (list, tuple)) else [found]) == set(wanted)
    return found == wanted


def reason(overload, argument):
    for (pattern, name), why in UNREAD.items():
        if fnmatch.fnmatchcase(overload.removeprefix("aten."), pattern) and fnmatch.fnmatchcase(argument, name):
            return (pattern, name)
    return None


def broken_softplus(b, x, beta=1, threshold=30):
    return x, threshold


def broken_sum(b, x, dim, *rest):
    return x, dim


def main():
    if sys.argv[2:] == ["--broken"]:
        TRANSLATORS.update({"aten.softplus.default": broken_softplus, "aten.sum.dim_IntList": broken_sum})
    schemas = json.loads(pathlib.Path(sys.argv[1]).read_text())
    wrong, points, used = 0, 0, set()
    for overload in sorted(set(TRANSLATORS) ^ set(schemas)):
        wrong += 1
        print(f"{overload}: in the table of schemas or of translators alone; run scripts/make_torch_schemas.py")
    for overload in sorted(set(TRANSLATORS) & set(schemas)):
        binding = Binding(TRANSLATORS[overload])
        for place, (name, _, default, by_name, has_default) in enumerate(schemas[overload]):
            points += 1
            complaint = binding.complaint(place, name, default, by_name, has_default)
            if complaint and (known := reason(overload, name)):
                used.add(known)
            elif complaint:
                wrong += 1
                print(f"{overload}: {name} {complaint}")
    for pattern in sorted(set(UNREAD) - used):
        wrong += 1
        print(f"{pattern}: excuses no argument")
    print(f"{points} arguments of {len(schemas)} overloads, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
