# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a torch.export program to a graph in JSON's form."""

import base64
import math
import operator

from .types import Unsupported


def dtype_name(dtype):
    return str(dtype).removeprefix("torch.")


def described(value):
    if value is None:
        return None
    if not hasattr(value, "shape"):
        raise Unsupported(f"expected tensors, found {value!r}: numbers and truth values are attributes of the module")
    if not all(isinstance(size, int) for size in value.shape):
        raise Unsupported(f"expected static shapes, found {list(value.shape)}: export without dynamic_shapes")
    return {"shape": list(value.shape), "dtype": dtype_name(value.dtype)}


def encoded(value):
    import torch

    if isinstance(value, torch.fx.Node):
        if value.target is operator.getitem:
            return {"ref": value.args[0].name, "index": value.args[1]}
        return {"ref": value.name}
    if isinstance(value, (list, tuple)):
        return [encoded(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, torch.device):
        return value.type
    return str(value)


def has_no_grad(node):
    """Whether the node is a region without gradients, or comes from one."""
    return "wrap_with_set_grad_enabled" in str(node.meta.get("torch_fn", ""))


def inline_regions(module):
    """Puts the bodies of regions that only set autograd's or autocast's state in their places."""
    import torch

    while True:
        calls = [node for node in module.graph.nodes if node.op == "call_function"]
        regions = [node for node in calls if isinstance(node.target, torch._ops.HigherOrderOperator)]
        if not regions:
            return
        region = regions[0]
        at = next((i for i, a in enumerate(region.args) if isinstance(a, torch.fx.Node) and a.op == "get_attr"), None)
        if at is None or not str(region.target).startswith("wrap_with_"):
            raise Unsupported(f"expected a graph without control flow, found {region.target}")
        body = operator.attrgetter(region.args[at].target)(module)
        holes = [node for node in body.graph.nodes if node.op == "placeholder"]
        copies = dict(zip(holes, region.args[at + 1 :]))
        with module.graph.inserting_before(region):
            result = module.graph.graph_copy(body.graph, copies)
        for node in body.graph.nodes:
            if node in copies and node not in holes and has_no_grad(region):
                copies[node].meta["torch_fn"] = region.meta.get("torch_fn")
        for user in list(region.users):
            if user.target is operator.getitem and isinstance(result, (list, tuple)):
                user.replace_all_uses_with(result[user.args[1]])
                module.graph.erase_node(user)
        if region.users:
            region.replace_all_uses_with(result)
        module.graph.erase_node(region)


def computes(node):
    """Whether a node has a value of its own. Those that assert something about their operands have none."""
    silent = node.op in ("placeholder", "output", "get_attr") or node.target is operator.getitem
    return not silent and (node.op != "call_function" or node.meta.get("val") is not None)


def node_of(node):
    import torch

    if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload):
        raise Unsupported(f"expected operators, found {node.op} {node.target}")
    value = node.meta["val"]
    results = value if isinstance(value, (list, tuple)) else [value]
    # Decomposition makes a detach one of many kinds of alias.
    is_detach = "aten.detach" in str(node.meta.get("original_aten", ""))
    return {"name": node.name, "op": "aten.detach.default" if is_detach else str(node.target),
            "args": encoded(node.args), "kwargs": {key: encoded(item) for key, item in node.kwargs.items()},
            "outputs": [described(result) for result in results],
            **({"no_grad": True} if has_no_grad(node) else {})}  # fmt: skip


def source_of(program, spec):
    """Role, name and value of an input that the program holds itself."""
    from torch.export.graph_signature import InputKind

    role = "parameter" if spec.kind is InputKind.PARAMETER else "buffer"
    state = program.state_dict if spec.target in program.state_dict else program.constants
    return role, spec.target, state[spec.target]


def stored(value):
    """A copy of a tensor, row major: what shares memory can't be saved to one file."""
    import torch

    return value.detach().clone(memory_format=torch.contiguous_format)


def data_of(value):
    """The bytes of a tensor in base64, or None where there are none, as of a fake tensor."""
    import torch

    if value.device.type == "meta" or isinstance(value, torch._subclasses.FakeTensor):
        return None
    flat = stored(value).cpu().reshape(-1)
    return base64.b64encode(flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b"").decode("ascii")


def extent_of(value):
    """The storage of a tensor, and where in it the elements begin and end, in bytes."""
    reach = sum((size - 1) * stride for size, stride in zip(value.shape, value.stride())) + 1
    begin = value.storage_offset() * value.element_size()
    return value.untyped_storage()._cdata, begin, begin + reach * value.element_size()


def tied_names(program):
    """For each parameter that is another one too, tied weights, the name of the first. What else shares memory is
    refused: trained apart, the two would differ."""
    seen, tied = [], {}
    for spec in program.graph_signature.input_specs:
        if spec.target is None or spec.arg.name in tied:
            continue
        role, name, value = source_of(program, spec)
        if not hasattr(value, "shape") or value.numel() == 0:
            continue
        storage, begin, end = extent_of(value)
        layout = (value.shape, value.stride(), value.dtype, value.requires_grad)
        for other_role, other, other_extent, other_layout in seen:
            if role == other_role == "buffer" or other_extent[0] != storage:
                continue
            if end <= other_extent[1] or other_extent[2] <= begin:
                continue
            if role != other_role or (begin, layout) != (other_extent[1], other_layout):
                raise Unsupported(f"expected parameters that share all of their memory or none, found {other_role} {other} "
                                  f"and {role} {name}, which share some; clone one of them")  # fmt: skip
            tied[name] = other
            break
        else:
            seen.append((role, name, (storage, begin, end), layout))
    return tied


def graph_of(program, arguments=(), names=()):
    """The graph of a torch.export program, with its tensors by key: parameter.NAME, buffer.NAME, input.NAME.

    `arguments` are the user's inputs in order, flat; their values are stored with the parameters. Results are named
    expected.NAME by `names`, else expected.result0, expected.result1, ...
    """
    from torch.export.graph_signature import InputKind, OutputKind

    module = program.graph_module
    inline_regions(module)
    module.graph.eliminate_dead_code()
    inputs, tensors, given = [], {}, iter(arguments)
    placeholders = {node.name: node for node in module.graph.nodes if node.op == "placeholder"}
    outputs_of = program.graph_signature.output_specs
    changed = {spec.target for spec in outputs_of if spec.kind is OutputKind.BUFFER_MUTATION}
    tied, entries = tied_names(program), {}
    for spec in program.graph_signature.input_specs:
        name = spec.arg.name
        if spec.kind is InputKind.USER_INPUT:
            role, original, value = "input", name, next(given, None)
            said = value if value is not None else placeholders[name].meta["val"]
        else:
            role, original, value = source_of(program, spec)
            said = value
        if role == "parameter" and original in tied:
            first = entries[tied[original]]
            first.setdefault("aliases", []).append(original)
            placeholders[name].replace_all_uses_with(placeholders[first["name"]])
            continue
        key = f"{role}.{original}"
        inputs.append({"name": name, "role": role, "original_name": original, **described(said), "tensor": key})
        if role == "parameter" and not value.requires_grad:
            inputs[-1]["frozen"] = True
        if role == "buffer" and original not in changed:
            inputs[-1]["data"] = data_of(value)
        entries[original] = inputs[-1]
        if value is not None:
            tensors[key] = stored(value)
    for node in module.graph.nodes:
        if node.op == "get_attr":
            value = operator.attrgetter(node.target)(module)
            key = f"buffer.{node.target}"
            inputs.append({"name": node.name, "role": "buffer", "original_name": str(node.target), **described(value),
                           "tensor": key, "data": data_of(value)})  # fmt: skip
            tensors[key] = stored(value)
    nodes = [node_of(node) for node in module.graph.nodes if computes(node)]
    outputs = []
    # What the module writes to its buffers and arguments comes first, and is no result of it.
    written = (OutputKind.BUFFER_MUTATION, OutputKind.USER_INPUT_MUTATION)
    specs = zip(outputs_of, module.graph.output_node().args[0])
    for i, result in enumerate(result for spec, result in specs if spec.kind not in written):
        reference = encoded(result)
        if not isinstance(reference, dict):
            raise Unsupported(f"expected results that are tensors, found {result!r}")
        outputs.append({"value": reference["ref"], "index": reference.get("index", 0), "role": "result",
                        "tensor": f"expected.{names[i] if i < len(names) else f'result{i}'}"})  # fmt: skip
    return {"name": "program", "kind": "forward", "inputs": inputs, "nodes": nodes, "outputs": outputs}, tensors
