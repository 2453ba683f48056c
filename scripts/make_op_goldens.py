#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes test/Goldens/op-gradients.mlir and its values: the gradient of every differentiable op, from PyTorch in f64.

    python3 scripts/make_op_goldens.py

A case is an op on some operands beside the same in PyTorch. The loss is the sum over all cases and elements of the
result times a random tensor, so that one function and one call of value_and_grad cover all of them. Operands include
the places where rules are easily wrong: ties, zeros, broadcasting, repeated indices, more or fewer keys than queries.
"""

import pathlib

import torch
import torch.nn.functional as F
from make_goldens import save

generator = torch.Generator().manual_seed(3)


def normal(*shape):
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def positive(*shape):
    return normal(*shape).abs() + 0.1


def some(*shape):
    """Small whole numbers: many ties and zeros."""
    return torch.randint(-1, 2, shape, generator=generator).double()


def integers(limit, *shape):
    return torch.randint(limit, shape, generator=generator).int()


def pick(table, indices, axis):
    shape = table.shape[:axis] + indices.shape + table.shape[axis + 1 :]
    return table.index_select(axis, indices.reshape(-1)).reshape(shape)


def padded(x, value):
    result = value.expand(4, 9).clone()
    result[1:, :7:2] = x
    return result


def within(*shape):
    """Between -0.9 and 0.9."""
    return normal(*shape).clamp(-0.9, 0.9)


def above_one(*shape):
    return positive(*shape) + 1


def updated(x, i, u):
    result = x.clone()
    result[1:3, 5:10] = u
    return result


def rotated(x, c, s, interleaved=False):
    pairs = c.shape[-1]
    turned, rest = x[..., : 2 * pairs], x[..., 2 * pairs :]
    a, b = (turned[..., ::2], turned[..., 1::2]) if interleaved else (turned[..., :pairs], turned[..., pairs:])
    first, second = a * c - b * s, b * c + a * s
    joined = torch.stack([first, second], -1).flatten(-2) if interleaved else torch.cat([first, second], -1)
    return torch.cat([joined, rest], -1)


def gelu_grad(form):
    """The gradient that PyTorch has for gelu, which it differentiates once more."""

    def function(d, x):
        return torch.autograd.grad(F.gelu(x, approximate=form), x, d, create_graph=True)[0]

    return function


def pair_loss(name, op, function, x, reduction="mean"):
    flag = f"{{{{reduction = #nova.reduction<{reduction}>}}}}"
    return (name, {"x": x, "t": positive(4, 5) / 4}, f"nova.{op} %x, %t {flag} : {{x}}, {{t}}",
            lambda x, t: function(x, t, reduction=reduction))  # fmt: skip


def masked_attention(name, heads, groups, mask, causal=False):
    """As the definition says it; a row without keys gives zeros."""

    def function(q, k, v, m):
        k, v = (x.repeat_interleave(heads // groups, 1) for x in (k, v))
        added = torch.where(m, 0.0, -torch.inf).double() if m.dtype == torch.bool else m
        scores = q @ k.mT / 3**0.5 + added
        if causal:
            scores = scores.masked_fill(~torch.ones(scores.shape[-2:]).tril().bool(), -torch.inf)
        empty = (scores == -torch.inf).all(-1, keepdim=True)
        return scores.masked_fill(empty, 0.0).softmax(-1).masked_fill(empty, 0.0) @ v

    operands = {"q": normal(2, heads, 4, 3), "k": normal(2, groups, 5, 3), "v": normal(2, groups, 5, 2), "m": mask}
    flags = " {{causal}}" if causal else ""
    return (name, operands, f"nova.attention %q, %k, %v mask %m{flags} : {{q}}, {{k}}, {{v}}, {{m}}", function)


def some_keys():
    """Which keys queries see; one sees none."""
    mask = torch.randint(2, (2, 1, 4, 5), generator=generator).bool()
    mask[1, 0, 2] = False
    return mask


def unary(op, function, make=normal):
    return (op, {"x": make(3, 5)}, f"nova.{op} %x : {{x}}", function)


def binary(name, op, function, a, b):
    return (name, {"a": a, "b": b}, f"nova.{op} %a, %b : {{a}}, {{b}}", function)


def reduction(name, kind, axes, function, x, flags=""):
    return (name, {"x": x}, f"nova.reduce {kind} %x over {axes}{flags} : {{x}}", function)


def matmul(name, a, b, flags, function=torch.matmul):
    return (name, {"a": normal(*a), "b": normal(*b)}, f"nova.matmul %a, %b{flags} : {{a}}, {{b}}", function)


def attention(name, q, k, v, flags, scale, causal):
    operands = {"q": normal(*q), "k": normal(*k), "v": normal(*v)}
    return (name, operands, f"nova.attention %q, %k, %v{flags} : {{q}}, {{k}}, {{v}}",
            lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=causal, scale=scale))  # fmt: skip


def loss(name, flags, function):
    targets = torch.tensor([3, 0, 6, 3, 2]).int()
    return (name, {"x": normal(5, 7), "t": targets}, f"nova.cross_entropy %x, %t{flags} : {{x}}, {{t}}",
            lambda x, t: function(x, t.long()))  # fmt: skip


# Name, operands, the op with {operand} for a type and {result} for the result's, and the same in PyTorch.
CASES = [
    unary("abs", torch.abs, some),
    unary("neg", torch.neg),
    unary("sign", torch.sign),
    unary("square", torch.square),
    unary("sqrt", torch.sqrt, positive),
    unary("rsqrt", torch.rsqrt, positive),
    unary("reciprocal", torch.reciprocal, positive),
    unary("exp", torch.exp),
    unary("exp2", torch.exp2), unary("expm1", torch.expm1),
    unary("log", torch.log, positive),
    unary("log2", torch.log2, positive), unary("log10", torch.log10, positive), unary("log1p", torch.log1p, positive),
    unary("sin", torch.sin), unary("cos", torch.cos), unary("tan", torch.tan, within),
    unary("asin", torch.asin, within), unary("acos", torch.acos, within), unary("atan", torch.atan),
    unary("sinh", torch.sinh), unary("cosh", torch.cosh), unary("asinh", torch.asinh),
    unary("acosh", torch.acosh, above_one), unary("atanh", torch.atanh, within),
    unary("floor", torch.floor), unary("ceil", torch.ceil), unary("round", torch.round),
    unary("tanh", torch.tanh),
    unary("erf", torch.erf),
    unary("relu", torch.relu, some),
    unary("sigmoid", torch.sigmoid),
    unary("silu", F.silu),
    ("gelu_tanh", {"x": normal(3, 5)}, "nova.gelu tanh %x : {x}", lambda x: F.gelu(x, approximate="tanh")),
    ("gelu_exact", {"x": normal(3, 5)}, "nova.gelu exact %x : {x}", F.gelu),
    binary("add", "add", torch.add, normal(3, 5), normal(3, 5)),
    binary("add_row", "add", torch.add, normal(3, 5), normal(5)),
    binary("sub_column", "sub", torch.sub, normal(3, 1), normal(3, 5)),
    binary("mul_outer", "mul", torch.mul, normal(3, 1), normal(2, 1, 5)),
    binary("div", "div", torch.div, normal(3, 5), positive(3, 5)),
    binary("div_scalar", "div", torch.div, normal(3, 5), positive()),
    binary("pow", "pow", torch.pow, positive(3, 5), normal(3, 5)),
    binary("pow_zeros", "pow", torch.pow, torch.tensor([0.0, 0.0, 2.0]).double(),
           torch.tensor([0.0, 3.0, 0.0]).double()),
    binary("mod_column", "mod", torch.remainder, normal(3, 5) * 5, positive(3, 1)),
    # Away from the bounds: at one of them PyTorch shares the gradient with it.
    ("clamp", {"x": normal(4, 6), "low": torch.tensor([-0.5, 0.0]).double().repeat(3),
               "high": torch.tensor(0.75).double()},
     "nova.clamp %x, %low, %high : {x}, {low}, {high}", torch.clamp),
    binary("max", "max", torch.maximum, some(3, 5), some(3, 5)),
    binary("min_row", "min", torch.minimum, some(3, 5), some(5)),
    ("select", {"c": integers(2, 3, 5).bool(), "a": normal(3, 5), "b": normal(5)},
     "nova.select %c, %a, %b : {c}, {a}, {b}", torch.where),
    ("broadcast_in_dim", {"x": normal(4, 1)}, "nova.broadcast_in_dim %x dims = [0, 2] : {x} -> {result}",
     lambda x: x.reshape(4, 1, 1).expand(4, 3, 5)),
    ("reshape", {"x": normal(4, 6)}, "nova.reshape %x : {x} -> {result}", lambda x: x.reshape(3, 8)),
    ("transpose", {"x": normal(2, 3, 4)}, "nova.transpose %x [2, 0, 1] : {x}", lambda x: x.permute(2, 0, 1)),
    ("slice", {"x": normal(4, 10)},
     "nova.slice %x starts = [1, 1] limits = [3, 9] strides = [1, 3] : {x} -> {result}", lambda x: x[1:3, 1:9:3]),
    ("pad", {"x": normal(3, 4), "v": normal()},
     "nova.pad %x, %v low = [1, 0] high = [0, 2] interior = [0, 1] : {x}, {v} -> {result}", padded),
    ("concat", {"a": normal(2, 3), "b": normal(2, 4)}, "nova.concat %a, %b axis = 1 : ({a}, {b}) -> {result}",
     lambda a, b: torch.cat([a, b], 1)),
    ("gather", {"t": normal(6, 3), "i": integers(6, 2, 4)}, "nova.gather %t[%i] : {t}, {i}",
     lambda t, i: pick(t, i, 0)),
    ("gather_axis_1", {"t": normal(2, 6, 3), "i": integers(6, 2, 4)}, "nova.gather %t[%i] {{axis = 1}} : {t}, {i}",
     lambda t, i: pick(t, i, 1)),
    ("scatter_add", {"x": normal(6, 3), "i": integers(6, 5), "u": normal(5, 3)},
     "nova.scatter_add %x[%i], %u : {x}, {i}, {u}", lambda x, i, u: x.index_add(0, i, u)),
    ("dynamic_slice", {"x": normal(4, 10), "i": torch.tensor([1, 7]).int()},
     "nova.dynamic_slice %x[%i] sizes = [2, 5] : {x}, {i} -> {result}", lambda x, i: x[1:3, 5:10]),
    ("dynamic_update_slice", {"x": normal(4, 10), "i": torch.tensor([1, 7]).int(), "u": normal(2, 5)},
     "nova.dynamic_update_slice %x[%i], %u : {x}, {i}, {u} -> {result}", updated),
    ("cumsum", {"x": normal(3, 5)}, "nova.cumsum %x {{axis = 0}} : {x}", lambda x: x.cumsum(0)),
    ("cumsum_reverse", {"x": normal(3, 5)}, "nova.cumsum %x {{reverse}} : {x}", lambda x: x.flip(1).cumsum(1).flip(1)),
    ("log_softmax", {"x": normal(3, 5)}, "nova.log_softmax %x {{axis = 0}} : {x}", lambda x: x.log_softmax(0)),
    ("logsumexp", {"x": normal(3, 5, 2)}, "nova.logsumexp %x over [0, 2] : {x}", lambda x: x.logsumexp((0, 2))),
    ("logsumexp_none", {"x": torch.tensor([[-torch.inf, 1.0, 2.0], [0.0, -torch.inf, 1.0]]).double()},
     "nova.logsumexp %x over [1] {{keep_dims}} : {x}", lambda x: x.logsumexp(1, keepdim=True)),
    ("conv2d", {"x": normal(2, 4, 7, 6), "f": normal(6, 2, 3, 2)},
     "nova.conv2d %x, %f strides = [2, 1] padding = [1, 2] {{dilation = array<i64: 1, 2>, groups = 2}} : {x}, {f}",
     lambda x, f: F.conv2d(x, f, None, (2, 1), (1, 2), (1, 2), 2)),
    reduction("sum", "sum", "[0, 2]", lambda x: x.sum((0, 2)), normal(2, 3, 4)),
    reduction("mean", "mean", "[1]", lambda x: x.mean(1, keepdim=True), normal(2, 3, 4), " {{keep_dims}}"),
    reduction("amax", "max", "[0, 2]", lambda x: x.amax((0, 2)), some(2, 3, 4)),
    reduction("amin", "min", "[2]", lambda x: x.amin(2), some(2, 3, 4)),
    reduction("product", "product", "[1]", lambda x: x.prod(1), normal(5, 4) * torch.tensor(
        [[1, 1, 1, 1], [0, 1, 1, 1], [1, 0, 0, 1], [1, 1, 1, 1], [0, 0, 0, 0]])),
    ("softmax", {"x": normal(3, 5)}, "nova.softmax %x {{axis = 0}} : {x}", lambda x: torch.softmax(x, 0)),
    matmul("matmul", (3, 4), (4, 5), ""),
    matmul("matmul_nt", (3, 4), (5, 4), " {{transpose_rhs}}", lambda a, b: a @ b.mT),
    matmul("matmul_tn", (4, 3), (4, 5), " {{transpose_lhs}}", lambda a, b: a.mT @ b),
    matmul("matmul_tt", (4, 3), (5, 4), " {{transpose_lhs, transpose_rhs}}", lambda a, b: a.mT @ b.mT),
    matmul("matmul_weight", (2, 3, 4), (4, 5), ""),
    matmul("matmul_weight_nt", (2, 3, 4), (1, 5, 4), " {{transpose_rhs}}", lambda a, b: a @ b.mT),
    matmul("matmul_shared_lhs", (3, 4), (2, 4, 5), ""),
    matmul("matmul_batches", (3, 1, 2, 4), (2, 5, 4), " {{transpose_rhs}}", lambda a, b: a @ b.mT),
    attention("attention", (2, 2, 4, 3), (2, 2, 5, 3), (2, 2, 5, 2), "", None, False),
    attention("attention_causal", (1, 2, 4, 3), (1, 2, 6, 3), (1, 2, 6, 3), " {{causal, scale = 0.5}}", 0.5, True),
    attention("attention_long", (1, 1, 5, 3), (1, 1, 3, 3), (1, 1, 3, 3), " {{causal, scale = 0.5}}", 0.5, True),
    ("layer_norm", {"x": normal(2, 3, 8), "g": normal(8), "b": normal(8)},
     "nova.layer_norm %x, %g, %b {{eps = 1.0e-3}} : {x}, {g}, {b}", lambda x, g, b: F.layer_norm(x, (8,), g, b, 1e-3)),
    masked_attention("attention_keys", 2, 2, some_keys()),
    masked_attention("attention_bias", 2, 2, normal(2, 4, 5), causal=True),
    masked_attention("attention_groups", 4, 2, normal(1, 5)),
    masked_attention("attention_one_group", 3, 1, some_keys(), causal=True),
    ("rms_norm", {"x": normal(2, 3, 8), "g": normal(8)}, "nova.rms_norm %x, %g {{eps = 1.0e-3}} : {x}, {g}",
     lambda x, g: F.rms_norm(x, (8,), g, 1e-3)),
    ("rotary", {"x": normal(2, 3, 10), "c": normal(3, 4), "s": normal(3, 4)},
     "nova.rotary_embedding %x, %c, %s : {x}, {c}, {s}", rotated),
    ("rotary_interleaved", {"x": normal(2, 2, 3, 8), "c": normal(2, 1, 3, 4), "s": normal(2, 1, 3, 4)},
     "nova.rotary_embedding %x, %c, %s {{interleaved}} : {x}, {c}, {s}", lambda x, c, s: rotated(x, c, s, True)),
    pair_loss("mse", "mse", F.mse_loss, normal(4, 5)),
    pair_loss("mae", "mae", F.l1_loss, normal(4, 5), "sum"),
    pair_loss("bce", "bce", F.binary_cross_entropy, torch.rand(4, 5, generator=generator).double()),
    pair_loss("bce_each", "bce", F.binary_cross_entropy, torch.rand(4, 5, generator=generator).double(), "none"),
    pair_loss("cce", "cce", F.cross_entropy, normal(4, 5)),
    pair_loss("cce_each", "cce", F.cross_entropy, normal(4, 5), "none"),
    loss("cross_entropy_smooth", " {{label_smoothing = 0.25, ignore_index = 3}}",
         lambda x, t: F.cross_entropy(x, t, ignore_index=3, label_smoothing=0.25)),
    loss("cross_entropy", "", F.cross_entropy),
    loss("cross_entropy_ignore", " {{ignore_index = 3}}", lambda x, t: F.cross_entropy(x, t, ignore_index=3)),
    loss("cross_entropy_sum", " {{reduction = #nova.reduction<sum>}}",
         lambda x, t: F.cross_entropy(x, t, reduction="sum")),
    loss("cross_entropy_rows", " {{reduction = #nova.reduction<none>, ignore_index = 3}}",
         lambda x, t: F.cross_entropy(x, t, reduction="none", ignore_index=3)),
    ("gelu_grad_tanh", {"d": normal(3, 5), "x": normal(3, 5)}, "nova.gelu_grad tanh %d, %x : {d}, {x}", gelu_grad("tanh")),
    ("gelu_grad_exact", {"d": normal(3, 5), "x": normal(3, 5)}, "nova.gelu_grad exact %d, %x : {d}, {x}",
     gelu_grad("none")),
    ("softmax_grad", {"d": normal(3, 5), "y": normal(3, 5).softmax(0)}, "nova.softmax_grad %d, %y {{axis = 0}} : {d}, {y}",
     lambda d, y: y * (d - (d * y).sum(0, keepdim=True))),
    unary("stop_gradient", lambda x: x.detach() + 0 * x),
]  # fmt: skip


def type_of(tensor):
    element = {torch.float64: "f64", torch.int32: "i32", torch.bool: "i1"}[tensor.dtype]
    return f"tensor<{''.join(f'{size}x' for size in tensor.shape)}{element}>"


def run(name, operands, function):
    """The operands with the random tensor, the result, and the gradients of the operands that have one."""
    leaves = {key: x.clone().requires_grad_(x.is_floating_point()) for key, x in operands.items()}
    result = function(*leaves.values())
    weight = normal(*result.shape)
    (result * weight).sum().backward()
    values = {f"{name}.{key}": x for key, x in (operands | {"w": weight}).items()}
    gradients = {f"{name}.{key}": x.grad for key, x in leaves.items() if x.requires_grad}
    assert all(gradient.isfinite().all() for gradient in gradients.values()), name
    return values, result.detach(), gradients


def case_text(name, operands, text, result):
    """The lines of one case: its op, and its share of the loss."""
    types = {key: type_of(x) for key, x in operands.items()} | {"result": type_of(result)}
    op = text.format(**types)
    for key in operands:
        op = op.replace(f"%{key}", f"%{name}.{key}")
    results = f"%{name}, %{name}.lse" if "nova.attention" in op else f"%{name}"
    lines = [f"{results} = {op}", f"%{name}.z = nova.mul %{name}, %{name}.w : {types['result']}, {types['result']}"]
    axes = list(range(result.dim()))
    lines.append(f"%{name}.l = nova.reduce sum %{name}.z over {axes} : {types['result']}")
    return lines


HEADER = """\
// RUN: nova-opt %s --nova-autodiff -o %t.mlir
// RUN: nova-run %t.mlir --entry=gradients --device=reference \\
// RUN:   --inputs %S/Inputs/op-gradients.safetensors --expect %S/Inputs/op-gradients.safetensors \\
// RUN:   --rtol 1e-9 --atol 1e-12 --quiet
// RUN: nova-run %t.mlir --entry=gradients --device=cpu \\
// RUN:   --inputs %S/Inputs/op-gradients.safetensors --expect %S/Inputs/op-gradients.safetensors \\
// RUN:   --rtol 1e-9 --atol 1e-11 --quiet
// RUN: nova-run %t.mlir --entry=gradients --device=cpu --mode=eager \\
// RUN:   --inputs %S/Inputs/op-gradients.safetensors --expect %S/Inputs/op-gradients.safetensors \\
// RUN:   --rtol 1e-9 --atol 1e-11 --quiet
// RUN: nova-run %t.mlir --entry=gradients --device=emulator \\
// RUN:   --inputs %S/Inputs/op-gradients.safetensors --expect %S/Inputs/op-gradients.safetensors \\
// RUN:   --rtol 1e-9 --atol 1e-11 --quiet
// RUN: nova-run %t.mlir --entry=gradients --device=emulator --mode=eager \\
// RUN:   --inputs %S/Inputs/op-gradients.safetensors --expect %S/Inputs/op-gradients.safetensors \\
// RUN:   --rtol 1e-9 --atol 1e-11 --quiet

// Made by scripts/make_op_goldens.py: gradients of every differentiable op, as PyTorch computes them.
"""


def main():
    arguments, wrt, body, values, gradients = {}, [], [], {}, {}
    for name, operands, text, function in CASES:
        inputs, result, found = run(name, operands, function)
        wrt += [len(arguments) + number for number, key in enumerate(inputs) if key in found]
        arguments |= {key: type_of(x) for key, x in inputs.items()}
        body += case_text(name, operands, text, result)
        values |= inputs
        gradients |= found
    previous = "0"
    for name, *_ in CASES:
        body.append(f"%{name}.sum = nova.add %{previous}, %{name}.l : tensor<f64>, tensor<f64>")
        previous = f"{name}.sum"

    signature = ",\n    ".join(f"%{key}: {type}" for key, type in arguments.items())
    named = ",\n    ".join(f'%{key}: {type} {{nova.name = "{key}"}}' for key, type in arguments.items())
    results = ",\n        ".join(f'{type_of(x)} {{nova.name = "gradient.{key}"}}' for key, x in gradients.items())
    types = ", ".join(type_of(x) for x in gradients.values())
    lines = [HEADER, f"func.func private @loss(\n    {signature}) -> tensor<f64> {{"]
    lines += ["  " + line for line in ["%0 = nova.constant dense<0.0> : tensor<f64>", *body]]
    lines += [f"  return %{previous} : tensor<f64>", "}", ""]
    lines += [f"func.func @gradients(\n    {named})\n    -> ({results}) {{"]
    lines += [f"  %loss, %g:{len(gradients)} = nova.value_and_grad @loss({', '.join('%' + key for key in arguments)})"]
    lines += [f"    wrt {wrt} : ({', '.join(arguments.values())}) -> (tensor<f64>, {types})"]
    lines += [f"  return {', '.join(f'%g#{number}' for number in range(len(gradients)))} : {types}", "}", ""]

    folder = pathlib.Path(__file__).resolve().parent.parent / "test" / "Goldens"
    (folder / "op-gradients.mlir").write_text("\n".join(lines))
    values |= {"gradient." + key: gradient for key, gradient in gradients.items()}
    save(values, folder / "Inputs" / "op-gradients.safetensors", {"seed": 3})
    print(f"{len(CASES)} cases, {len(gradients)} gradients")


if __name__ == "__main__":
    main()
