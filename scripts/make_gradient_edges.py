#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes test/Cases/Inputs/gradient-edges.json and its tensors: PyTorch's gradients where formulas have none or several.

    python3 scripts/make_gradient_edges.py [FOLDER]        # default: test/Cases/Inputs

A case is a function of PyTorch's on operands at its edges: zeros of both signs, equal elements, saturation, the bounds
of clamps, ties, infinities, NaN. Its graphs are those of torch.export, before and after decomposition into core ATen
ops; its gradients are those of autograd, of the sum of the result times a weight for each element, in f32 and in f64.
Needs torch and safetensors from PyPI; the test that reads the files needs neither.
"""

import json
import pathlib
import sys
import warnings

import from_torch
import torch
import torch.nn.functional as F
from safetensors.torch import save_file

INF, NAN, TINY = float("inf"), float("nan"), 2.0**-126
LINE = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, 3.0, -3.0, 6.0, 20.0, 20.5, -20.0, 88.0, 100.0, -100.0, 2.0**66, -(2.0**66),
        TINY, INF, -INF, NAN]  # fmt: skip
GRID = [0.0, -0.0, 1.0, -1.0, 2.0, 0.5, INF, -INF, NAN]
ROWS = [[0.0, 0.0, 0.0, 0.0], [-0.0, 0.0, -0.0, -0.0], [1.0, 1.0, 1.0, 1.0], [1.0, 2.0, 2.0, 1.0], [0.0, 1.0, 2.0, 3.0],
        [-1.0, 0.0, 0.0, 1.0], [3.0, 0.0, 1.0, 0.0], [-2.0, -3.0, 2.0, 3.0], [200.0, 0.0, -200.0, 200.0]]  # fmt: skip
BROKEN = [[INF, 1.0, 2.0, 3.0], [-INF] * 4, [-INF, 1.0, -INF, 1.0], [INF, INF, 1.0, 0.0], [NAN, 1.0, 2.0, 3.0]]
UNIT = [0.0, 1.0, 0.5, TINY, 1 - 2.0**-24, 2.0**-24]

CASES = {}  # name to function and operands


def tensor(values):
    return torch.tensor(values, dtype=torch.float64)


def case(name, function, *operands):
    assert name not in CASES, name
    CASES[name] = (function, [x if isinstance(x, torch.Tensor) else tensor(x) for x in operands])


def pairs(first=GRID, second=GRID):
    return [a for a in first for _ in second], [b for _ in first for b in second]


def elementwise():
    for name in ("abs", "sign", "sqrt", "rsqrt", "reciprocal", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p",
                 "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf",
                 "erfc", "sigmoid", "square", "floor", "ceil", "round", "trunc", "frac", "sgn", "sinc", "neg"):  # fmt: skip
        case(name, getattr(torch, name), LINE)
    for name in ("relu", "relu6", "silu", "gelu", "mish", "softplus", "elu", "selu", "celu", "leaky_relu", "hardtanh",
                 "hardsigmoid", "hardswish", "hardshrink", "softshrink", "tanhshrink", "softsign",
                 "logsigmoid"):  # fmt: skip
        case(name, getattr(F, name), LINE)
    case("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), LINE)
    case("softplus_5", lambda x: F.softplus(x, 2, 5), LINE)
    case("elu_half", lambda x: F.elu(x, 0.5), LINE)
    case("elu_minus", lambda x: F.elu(x, -0.5), LINE)
    case("celu_2", lambda x: F.celu(x, 2.0), LINE)
    case("leaky_relu_minus", lambda x: F.leaky_relu(x, -0.5), LINE)
    case("hardtanh_3", lambda x: F.hardtanh(x, -3, 3), LINE)
    case("threshold", lambda x: F.threshold(x, 0.5, 20.0), LINE)
    case("logit", torch.logit, UNIT)
    case("logit_eps", lambda x: torch.logit(x, 0.25), [*UNIT, 0.25, 0.75])
    case("clamp", lambda x: x.clamp(-1, 1), LINE)
    case("clamp_min", lambda x: x.clamp(min=0), LINE)
    case("clamp_max", lambda x: x.clamp(max=3), LINE)
    case("clamp_crossed", lambda x: x.clamp(1, -1), LINE)
    case("nan_to_num", torch.nan_to_num, LINE)
    for exponent in (0, 0.0, 0.5, 1, 1.5, 2, 2.0, 3, -1, -0.5, -2, 4):
        case(f"pow_{exponent}", lambda x, exponent=exponent: x**exponent, LINE)
    for base in (0.0, 2, -2.0, 1):
        case(f"power_of_{base}", lambda x, base=base: torch.pow(base, x), LINE)
    a, b = pairs()
    for name in ("add", "sub", "mul", "div", "maximum", "minimum", "pow", "atan2", "hypot", "xlogy", "remainder", "fmod",
                 "logaddexp", "fmax", "fmin", "copysign"):  # fmt: skip
        case(name, getattr(torch, name), a, b)
    case("div_floor", lambda x, y: torch.div(x, y, rounding_mode="floor"), a, b)
    case("div_trunc", lambda x, y: torch.div(x, y, rounding_mode="trunc"), a, b)
    case("where", lambda x, y: torch.where(x > 0, x, y), a, b)
    case("where_log", lambda x: torch.where(x > 0, torch.log(x), 0), LINE)
    case("masked_fill", lambda x: x.masked_fill(x < 0, 2.0), LINE)
    case("lerp", lambda x, y: torch.lerp(x, y, 0.25), a, b)
    case("addcdiv", lambda x, y: torch.addcdiv(x, x, y, value=0.5), a, b)
    case("addcmul", lambda x, y: torch.addcmul(x, x, y, value=0.5), a, b)
    x = [0.0, 1.0, 1.0, -1.0, 2.0, 0.5, NAN, 1.0, 1.0]
    case("clamp_tensors", torch.clamp, x, [0.0, 0.0, 1.0, 0.0, 0.0, 0.5, 0.0, NAN, 2.0],
         [1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 1.0, 1.0, 0.0])  # fmt: skip
    case("clamp_min_tensor", lambda x, low: torch.clamp(x, min=low), a, b)
    case("clamp_max_tensor", lambda x, high: torch.clamp(x, max=high), a, b)
    case("relu_of_sub", lambda x, y: F.relu(x - y), a, b)
    case("max_of_itself", lambda x: torch.maximum(x, x), LINE)


def reductions():
    rows, broken = tensor(ROWS), tensor(BROKEN)
    every = torch.cat([rows, broken])
    for order in (0, 0.5, 1, 1.5, 2, 3, 4, INF, -INF, -1):
        case(f"norm_{order}", lambda x, order=order: torch.linalg.vector_norm(x, order, -1), rows)
        case(f"norm_{order}_broken", lambda x, order=order: torch.linalg.vector_norm(x, order, -1), broken)
    case("norm_of_zeros", lambda x: x.norm(), torch.zeros(3))
    case("norm_of_scalar", lambda x: torch.linalg.vector_norm(x), torch.tensor(0.0))
    case("norm_scalar_dim", lambda x: x.norm(dim=1, keepdim=True), rows)
    case("frobenius", lambda x: torch.linalg.matrix_norm(x), torch.zeros(2, 3))
    for order in (1, 2, 3, INF):
        case(f"normalize_{order}", lambda x, order=order: F.normalize(x, order, -1), rows)
    case("normalize_whole", lambda x: F.normalize(x, dim=0), torch.zeros(3))
    for correction in (0, 1, 4):
        case(f"var_{correction}", lambda x, c=correction: x.var(-1, correction=c), every)
        case(f"std_{correction}", lambda x, c=correction: x.std(-1, correction=c), every)
    case("std_mean", lambda x: torch.cat(torch.std_mean(x, -1)), rows)
    case("var_mean", lambda x: torch.cat(torch.var_mean(x, -1)), rows)
    case("std_of_one", lambda x: x.std(), [3.0])
    case("std_of_one_biased", lambda x: x.std(unbiased=False), [3.0])
    case("var_of_one", lambda x: x.var(), [3.0])
    case("std_of_equals", lambda x: x.std(), [2.0, 2.0, 2.0])
    # Equal, but their mean is rounded to another number.
    case("std_of_tenths", lambda x: x.std(), torch.full((3,), 0.1, dtype=torch.float32))
    for name in ("amax", "amin", "sum", "mean", "prod", "softmax", "log_softmax", "logsumexp", "cumsum", "cumprod",
                 "logcumsumexp", "softmin"):  # fmt: skip
        function = F.softmin if name == "softmin" else getattr(torch, name)
        case(name, lambda x, function=function: function(x, -1), every)
    for name in ("max", "min", "median", "mode"):
        case(f"{name}_dim", lambda x, name=name: getattr(torch, name)(x, -1)[0], every)
        if name != "mode":
            case(f"{name}_whole", lambda x, name=name: getattr(torch, name)(x), [1.0, 3.0, 0.0, 3.0, 0.0])
    case("max_dim_keep", lambda x: torch.max(x, 0, keepdim=True)[0], rows)
    case("amax_two", lambda x: x.amax((0, 1)), rows)
    case("amax_whole_nan", lambda x: x.amax(), [1.0, NAN, 3.0])
    case("max_whole_nan", lambda x: x.max(), [1.0, NAN, 3.0])
    case("aminmax", lambda x: torch.stack(torch.aminmax(x, dim=-1)), every)
    case("prod_whole", torch.prod, [1.0, 0.0, 2.0, 3.0])
    case("prod_zeros", torch.prod, [1.0, 0.0, 0.0, 3.0])
    case("logsumexp_two", lambda x: x.logsumexp((0, 1)), rows)
    case("logsumexp_none", lambda x: x.logsumexp(0), [-INF, -INF])
    case("log_of_softmax", lambda x: x.softmax(-1).log(), [[1.0, 2.0, 3.0], [50.0, 0.0, 0.0]])
    case("cosine_similarity", lambda x, y: F.cosine_similarity(x, y, -1), rows, rows.flip(0))
    case("pairwise_distance", F.pairwise_distance, rows, rows.flip(0))
    case("pairwise_distance_1", lambda x, y: F.pairwise_distance(x, y, 1.0), rows, rows.flip(0))
    case("pairwise_distance_0", lambda x, y: F.pairwise_distance(x, y, 2.0, 0.0), rows, rows)
    case("dist", torch.dist, [1.0, 2.0], [1.0, 2.0])


def norms():
    rows = tensor(ROWS)
    g, b = [1.0, 0.0, -2.0, 0.5], [0.0, 1.0, -1.0, 0.0]
    case("layer_norm", lambda x, g, b: F.layer_norm(x, (4,), g, b), rows, g, b)
    case("layer_norm_bare", lambda x: F.layer_norm(x, (4,)), rows)
    case("layer_norm_zero_eps", lambda x: F.layer_norm(x, (4,), eps=0.0), rows[3:])
    case("rms_norm", lambda x: F.rms_norm(x, (4,), eps=1e-6), rows)
    case("group_norm", lambda x, g, b: F.group_norm(x, 2, g, b), rows.reshape(1, 4, 9), g, b)
    one = torch.ones(1, 1, 2, 3, dtype=torch.float64)
    mask = torch.tensor([[True, False, True], [False, False, False]])
    case("attention_hidden", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, mask), one, one[:, :, [0, 0, 1]], one[:, :, [0, 1, 1]])
    case("attention_saturated", lambda q, k, v: F.scaled_dot_product_attention(q, k, v), one * 100, tensor([[[[1.0, 2, 3], [-1, -2, -3]]]]), one)


def losses():
    p, t = pairs(UNIT, [0.0, 1.0, 0.25])
    for reduction in ("none", "mean"):
        case(f"bce_{reduction}", lambda x, t, r=reduction: F.binary_cross_entropy(x, t, reduction=r), p, t)
    case("bce_weight", lambda x, t: F.binary_cross_entropy(x, t, torch.full_like(x, 2.0), reduction="sum"), p, t)
    case("bce_of_sigmoid", lambda x: F.binary_cross_entropy(torch.sigmoid(x), torch.ones_like(x), reduction="sum"), LINE[:-1])
    case("bce_of_sigmoid_0", lambda x: F.binary_cross_entropy(torch.sigmoid(x), torch.zeros_like(x), reduction="sum"), LINE[:-1])
    x, t = pairs(LINE, [0.0, 1.0, 0.25])
    case("bce_logits", lambda x, t: F.binary_cross_entropy_with_logits(x, t, reduction="none"), x, t)
    case("bce_logits_weights", lambda x, t: F.binary_cross_entropy_with_logits(x, t, torch.full_like(x, 2.0), pos_weight=torch.full_like(x, 3.0), reduction="sum"), x, t)
    x, y = pairs()
    for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"):
        case(name, lambda x, y, name=name: getattr(F, name)(x, y, reduction="none"), x, y)
        case(f"{name}_mean", lambda x, y, name=name: getattr(F, name)(x, y), [0.0, 1.0, -1.0, 2.0], [0.0, 0.0, 0.0, 0.0])
    case("smooth_l1_0", lambda x, y: F.smooth_l1_loss(x, y, beta=0.0, reduction="none"), x, y)
    case("smooth_l1_2", lambda x, y: F.smooth_l1_loss(x, y, beta=2.0, reduction="sum"), x, y)
    case("huber_2", lambda x, y: F.huber_loss(x, y, delta=2.0, reduction="sum"), x, y)
    case("kl_div", lambda x, t: F.kl_div(x, t, reduction="none"), *pairs([0.0, -1.0, -100.0, -INF], [0.0, 1.0, 0.25, TINY]))
    case("kl_div_log", lambda x, t: F.kl_div(x, t, reduction="sum", log_target=True), *pairs([0.0, -1.0, -100.0], [0.0, -1.0, -100.0]))
    case("poisson_nll", lambda x, t: F.poisson_nll_loss(x, t, reduction="sum"), *pairs([0.0, -1.0, 20.0], [0.0, 1.0, 2.0]))
    case("soft_margin", lambda x, y: F.soft_margin_loss(x, y, reduction="sum"), [0.0, 1.0, 20.0, -20.0, 200.0], torch.tensor([1, -1, 1, -1, -1]))
    case("hinge", lambda x: F.hinge_embedding_loss(x, torch.tensor([1, -1, 1, -1, -1]), reduction="sum"), [0.0, 1.0, 1.0, 0.0, 2.0])
    case("margin_ranking", lambda x, y: F.margin_ranking_loss(x, y, torch.tensor([1, -1, 1]), margin=1.0, reduction="sum"), [0.0, 1.0, 1.0], [0.0, 0.0, 0.0])
    rows = tensor(ROWS)
    case("triplet", lambda a, p, n: F.triplet_margin_loss(a, p, n, reduction="sum"), rows, rows.flip(0), rows)
    case("cosine_embedding", lambda a, b: F.cosine_embedding_loss(a, b, torch.tensor([1, -1, 1, -1, 1, -1, 1, -1, 1]), reduction="sum"), rows, rows.flip(0))
    classes = torch.tensor([0, 1, 2, 3, -100, 1, 2, 2, 0])
    weight = torch.tensor([1, 0, 2, 3])
    case("nll", lambda x: F.nll_loss(x, classes), rows)
    case("nll_weight", lambda x, weight: F.nll_loss(x, classes, weight * torch.ones_like(x[0])), rows, weight)
    case("cross_entropy", lambda x: F.cross_entropy(x, classes), rows)
    case("cross_entropy_weight", lambda x, weight: F.cross_entropy(x, classes, weight * torch.ones_like(x[0]), reduction="sum"), rows, weight)
    case("cross_entropy_smooth", lambda x: F.cross_entropy(x, classes, label_smoothing=0.25), rows)
    case("cross_entropy_smooth_weight", lambda x, weight: F.cross_entropy(x, classes, weight * torch.ones_like(x[0]), label_smoothing=0.25), rows, weight)
    case("cross_entropy_saturated", lambda x: F.cross_entropy(x, torch.tensor([1, 0, 1])), [[2.0**66, 2.0**66], [200.0, -200.0], [-INF, 0.0]])
    case("cross_entropy_soft", lambda x, t: F.cross_entropy(x, t), rows, torch.softmax(rows, -1).float())
    case("cross_entropy_all_ignored", lambda x: F.cross_entropy(x, torch.tensor([-100, -100]), reduction="sum"), [[0.0, 1.0], [1.0, 0.0]])


def tables():
    table, tokens = [[1.0, 2.0], [3.0, 4.0], [INF, -0.0], [5.0, 6.0]], torch.tensor([[0, 1, 1], [3, 1, 0]])
    case("embedding", lambda w: F.embedding(tokens, w), table)
    case("embedding_padding", lambda w: F.embedding(tokens, w, padding_idx=1), table)
    case("embedding_padding_0", lambda w: F.embedding(torch.tensor([0, 1]), w, padding_idx=0), [[1.0], [1.0]])
    case("embedding_padding_last", lambda w: F.embedding(tokens, w, padding_idx=-1), table)
    case("embedding_counts", lambda w: F.embedding(tokens, w, scale_grad_by_freq=True), table)
    case("embedding_both", lambda w: F.embedding(tokens, w, padding_idx=0, scale_grad_by_freq=True), table)
    case("index", lambda x: x[torch.tensor([0, 0, 2])], table)
    case("gather_ties", lambda x: x.gather(0, torch.tensor([[0, 1], [0, 1]])), table)
    case("index_put", lambda x, y: x.index_put((torch.tensor([1, 3]),), y), table, table[:2])
    case("scatter", lambda x, y: x.scatter(0, torch.tensor([[0, 1], [3, 2]]), y), table, table[:2])
    case("scatter_add", lambda x, y: x.scatter_add(0, torch.tensor([[0, 1], [0, 2]]), y), table, table[:2])
    image = tensor([[[[1.0, 1, 2, 2], [1, 1, 2, 0], [0, 0, 3, 1], [0, 0, 1, 3]]]])
    case("max_pool2d", lambda x: F.max_pool2d(x, 2), image)
    case("avg_pool2d", lambda x: F.avg_pool2d(x, 2), image)
    case("adaptive_max_pool1d", lambda x: F.adaptive_max_pool1d(x, 2), image[0])
    case("sort", lambda x: x.sort(-1)[0], image)
    case("topk", lambda x: x.topk(2, -1)[0], image)


class Function(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *operands):
        return self.function(*operands)


def renamed(value, names):
    if isinstance(value, dict):
        return {**value, "ref": names[value["ref"]]}
    return [renamed(item, names) for item in value] if isinstance(value, list) else value


def graphs_of(function, operands):
    """The graph as traced and the decomposed one, once where they are the same; inputs of each come first."""
    found = []
    program = torch.export.export(Function(function), tuple(operands))
    for level in ("aten", "core"):
        program = program if level == "aten" else program.run_decompositions()
        graph, tensors = from_torch.graph_of(program, operands)
        if not found or [node["op"] for node in graph["nodes"]] != [node["op"] for node in found[0][1]["nodes"]]:
            found.append((level, graph, tensors))
    return found


def gradients_of(function, operands, weight, dtype):
    leaves = [x.to(dtype, copy=True).requires_grad_() if x.is_floating_point() else x for x in operands]
    (function(*leaves) * weight.to(dtype)).sum().backward()
    return [torch.zeros_like(x) if x.grad is None else x.grad for x in leaves]


def refusal(graph):
    try:
        from_torch.convert(graph)
    except from_torch.Unsupported as error:
        return str(error)
    return ""


def add(name, rows, tensors):
    """Adds a case: its graphs as rows of the file, its tensors; what has no translation is said and left out."""
    function, operands = CASES[name]
    # The same numbers in both types.
    operands = [x.float().double() if x.is_floating_point() else x for x in operands]
    result = function(*operands)
    weight = torch.arange(1, result.numel() + 1, dtype=torch.float64).reshape(result.shape) % 7 / 4 - 1.125
    added = False
    for level, graph, stored in graphs_of(function, [x.float() if x.is_floating_point() else x for x in operands]):
        if complaint := refusal(graph):
            print(f"{name}, {level}: {complaint}")
            continue
        added = True
        extra = {key: value for key, value in stored.items() if not key.startswith("input.")}
        tensors |= {f"{name}.{level}.{key}": value.clone() for key, value in extra.items()}
        rows.append({"name": name, "level": level, "inputs": graph["inputs"], "nodes": graph["nodes"],
                     "result": graph["outputs"][0]})  # fmt: skip
    if added:
        tensors |= {f"{name}.{i}": x for i, x in enumerate(operands)} | {f"{name}.weight": weight}
        for dtype, short in ((torch.float32, "f32"), (torch.float64, "f64")):
            for i, gradient in enumerate(gradients_of(function, operands, weight, dtype)):
                tensors[f"{name}.{i}.{short}"] = gradient


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "test/Cases/Inputs")
    for group in (elementwise, reductions, norms, losses, tables):
        group()
    rows, tensors = [], {}
    for name in CASES:
        add(name, rows, tensors)
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    (folder / "gradient-edges.json").write_text(f"[\n{lines}\n]\n")
    # A gradient of zeros may have no storage in PyTorch.
    tensors = {key: torch.from_numpy(value.numpy(force=True).copy()) for key, value in tensors.items()}
    save_file(tensors, folder / "gradient-edges.safetensors", metadata={"torch": torch.__version__})
    print(f"{len(CASES)} functions, {len(rows)} graphs")


if __name__ == "__main__":
    main()
