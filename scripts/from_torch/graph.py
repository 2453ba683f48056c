# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a graph in JSON to the text of a program."""

import base64
import collections

from . import (  # noqa: F401 (they register their translators)
    contractions,
    convolutions,
    elementwise,
    elementwise_gradients,
    indexing,
    losses,
    movement,
    reductions,
    transformer,
)
from .builder import Builder
from .in_place import functional
from .registry import TRANSLATORS
from .types import Unsupported, Value, element_type, is_float, tensor_type

# Ops that say something about a program and compute nothing.
SILENT = ("aten._assert_tensor_metadata.default", "aten._assert_async.msg", "aten._assert_scalar.default",
          "aten.sym_constrain_range_for_size.default")  # fmt: skip
NUMBERS = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}


# What lets no gradient through. aten.alias is an identity: where it was a detach, graph_of says so.
DETACHING = ("aten.detach.default", "aten.detach_copy.default")

# What parameters begin with where --init doesn't say.
NORMAL, ZERO = "#nova.normal<mean = 0.0, std = 0.02>", "#nova.constant<0.0>"


def quoted(text):
    """A string attribute."""
    return '"' + "".join(chr(c) if 32 <= c < 127 and c not in (34, 92) else f"\\{c:02X}" for c in text.encode()) + '"'


def references(argument):
    """The inputs and nodes that an argument names."""
    if isinstance(argument, dict):
        return {argument["ref"]}
    parts = argument if isinstance(argument, list) else []
    return set().union(*map(references, parts))


def operands_of(node):
    return references(node["args"] + list(node["kwargs"].values()))


def needed_for(graph, loss):
    """The inputs and nodes that the loss is computed from."""
    needed = {loss}
    for node in reversed(graph["nodes"]):
        if node["name"] in needed:
            needed |= operands_of(node)
    return needed


def cut_off(graph, needed):
    """Nodes through which trained parameters reach what is needed, but no gradient comes back."""
    trained = {item["name"] for item in graph["inputs"] if item.get("role") == "parameter" and not item.get("frozen")}
    found = []
    for node in graph["nodes"]:
        if operands_of(node) & trained:
            trained.add(node["name"])
            if (node["op"] in DETACHING or node.get("no_grad")) and node["name"] in needed:
                found.append(node["name"])
    return found


def flags_of(parameter):
    """The attributes of a parameter: whether it is frozen, and the other names of a tied weight."""
    flags = ["frozen"] if parameter.get("frozen") else []
    if aliases := parameter.get("aliases"):
        flags.append(f"aliases = [{', '.join(map(quoted, aliases))}]")
    return f" {{{', '.join(flags)}}}" if flags else ""


class Translation:
    """One graph on its way to a program. What cannot be translated is collected, so that one run names all of it."""

    def __init__(self, graph, train=False):
        self.graph = functional(graph, references)
        self.train = train
        self.builder = Builder(train)
        self.arguments = {}  # key in the file of tensors to value
        self.values = {}  # name of an input or node to its results
        self.unknown = collections.Counter()
        self.refused = []

    def argument(self, key, shape, dtype):
        """The argument that holds a tensor; one for each key."""
        if key not in self.arguments:
            self.arguments[key] = Value(f"%arg{len(self.arguments)}", tuple(shape), dtype)
        found = self.arguments[key]
        if (found.shape, found.dtype) != (tuple(shape), dtype):
            raise Unsupported(f"expected one shape and type for the tensor {key}, found two")
        return found

    def resolve(self, argument):
        if isinstance(argument, dict):
            results = self.values[argument["ref"]]
            found = results[argument.get("index", 0)]
            if found is None:
                raise Unsupported(f"expected a result of {argument['ref']}, found one that the op does not compute")
            return found
        if isinstance(argument, list):
            return [self.resolve(item) for item in argument]
        return NUMBERS.get(argument, argument) if isinstance(argument, str) else argument

    def node(self, node):
        b, op = self.builder, node["op"]
        b.note, b.op = f"{node['name']}: {op}", op
        declared = [said and (tuple(said["shape"]), element_type(said["dtype"])) for said in node["outputs"]]
        if op in SILENT:
            return []
        if op not in TRANSLATORS:
            self.unknown[op] += 1
            return self.stand_ins(declared)
        b.declared = declared
        b.recorded = None
        if "recorded" in node:
            # Of ops with several results, the last is what was drawn.
            b.recorded = self.argument(node["recorded"], *declared[-1])
        arguments = [self.resolve(argument) for argument in node["args"]]
        options = {key: self.resolve(argument) for key, argument in node["kwargs"].items()}
        if (layout := options.get("layout")) not in (None, "torch.strided"):
            raise Unsupported(f"expected layout = torch.strided, found layout = {layout}; make the tensor dense")
        try:
            found = TRANSLATORS[op](b, *arguments, **options)
        except TypeError as error:
            if "argument" not in str(error):
                raise
            raise Unsupported(f"expected arguments as in PyTorch's schema, found other ones ({error})") from error
        found = found if isinstance(found, list) else [found]
        if node.get("in_place"):  # What is written has the element type of the memory.
            found = [b.cast(value, said[1]) for value, said in zip(found, declared)]
        self.check(declared, found)
        return found

    @staticmethod
    def check(declared, found):
        if len(found) != len(declared):
            raise Unsupported(f"expected {len(declared)} results, translated to {len(found)}")
        for said, value in zip(declared, found):
            if said and value and (value.shape, value.dtype) != said:
                raise Unsupported(f"expected a result of type {tensor_type(*said)}, translated to {value.type}")

    @staticmethod
    def stand_ins(declared):
        """What keeps translation going behind an op that has none."""
        return [said and Value("%none", *said) for said in declared]

    def run(self):
        for item in self.graph["inputs"]:
            shape, dtype = tuple(item["shape"]), element_type(item["dtype"])
            # Evaluated, a program takes what the model stores from the file of tensors; trained, it holds it.
            if self.train and item.get("role") == "buffer" and item.get("data") is not None:
                self.values[item["name"]] = [self.builder.stored(base64.b64decode(item["data"]), shape, dtype)]
            else:
                self.values[item["name"]] = [self.argument(item["tensor"], shape, dtype)]
        for node in self.graph["nodes"]:
            try:
                self.values[node["name"]] = self.node(node)
            except Unsupported as error:
                self.refused.append(f"{node['op']} ({node['name']}): {error}")
                declared = [said and (tuple(said["shape"]), "f32") for said in node["outputs"]]
                self.values[node["name"]] = self.stand_ins(declared)
        if self.unknown or self.refused:
            raise Unsupported(self.complaint())
        return self.training_text() if self.train else self.text()

    def complaint(self):
        lines = []
        if self.unknown:
            names = (f"{op} ({count} of them)" if count > 1 else op for op, count in sorted(self.unknown.items()))
            lines.append(f"expected ops that Nova has a translation for, found {', '.join(names)}")
        return "\n".join(lines + self.refused)

    def text(self):
        outputs = self.graph["outputs"]
        results = [self.values[output["value"]][output.get("index") or 0] for output in outputs]
        kind = self.graph.get("kind", "")
        name = kind if kind.isidentifier() and kind.isascii() else "main"
        arguments = [
            f"    {value}: {value.type} {{nova.name = {quoted(key)}}}" for key, value in self.arguments.items()
        ]
        types = [
            f"    {value.type} {{nova.name = {quoted(output['tensor'])}}}" for value, output in zip(results, outputs)
        ]
        lines = [f"func.func @{name}(", ",\n".join(arguments), ") -> (", ",\n".join(types), ") {"]
        lines += [f"  {line}" for line in self.builder.body(results)]
        lines += [f"  return {', '.join(map(str, results))} : {', '.join(value.type for value in results)}", "}", ""]
        return "\n".join(lines)

    def training_text(self):
        """Parameters, and a function of the batch that gives the loss."""
        results = [self.values[output["value"]][output.get("index") or 0] for output in self.graph["outputs"]]
        named = {output["value"]: value for output, value in zip(self.graph["outputs"], results)}
        losses = {name: value for name, value in named.items() if value.shape == () and is_float(value.dtype)}
        if len(losses) != 1:
            raise Unsupported(f"expected one result that is a single float, the loss, found {len(losses)}")
        needed = needed_for(self.graph, next(iter(losses)))
        if stops := cut_off(self.graph, needed):
            raise Unsupported(f"expected gradients to go back all ways from the loss to the parameters, found detached "
                              f"values: {', '.join(stops)}; Nova differentiates everything, so compute them from inputs "
                              "and frozen parameters alone")  # fmt: skip
        losses = list(losses.values())
        inputs = {item["tensor"]: item for item in self.graph["inputs"]}
        parameters, reads, batch, others = [], [], [], []
        for key, value in self.arguments.items():
            role = inputs.get(key, {}).get("role")
            if role == "parameter":
                symbol = f"@{quoted(inputs[key]['original_name'])}"
                first = NORMAL if len(value.shape) > 1 else ZERO
                parameters.append(f"nova.parameter {symbol} : {value.type} = {first}{flags_of(inputs[key])}")
                reads.append(f"  {value} = nova.read {symbol} : {value.type}")
            elif role == "input":
                batch.append(f"    {value}: {value.type} {{nova.name = {quoted(key)}}}")
            elif key not in inputs or inputs[key]["name"] in needed:
                others.append(key)
        if others:
            raise Unsupported(f"expected parameters, inputs, and buffers with data that nothing writes to, to train with, "
                              f"found {', '.join(others)}; make what the model stores a parameter with "
                              "requires_grad=False, which is frozen")  # fmt: skip
        lines = [*parameters, "func.func @loss(", ",\n".join(batch), f") -> {losses[0].type} {{", *reads]
        lines += [f"  {line}" for line in self.builder.body(losses)]
        return "\n".join([*lines, f"  return {losses[0]} : {losses[0].type}", "}", ""])


def convert(graph, train=False):
    """The text of the program for a graph; Unsupported, naming everything in its way, if there is none. With `train` it
    has the graph's parameters as its own, and a function @loss of the inputs."""
    try:
        return Translation(graph, train).run()
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        # Translators trust the graph: one that PyTorch did not write fails anywhere.
        raise Unsupported(f"expected a graph as PyTorch traces it, found a fault in it: {error!r}") from error
