#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes test/Goldens/op-values-*.mlir and their values: what every op gives, for every element type, from PyTorch.

    python3 scripts/make_value_goldens.py

A program per element type; a case is an op on some operands beside the same in PyTorch. Floats are computed by PyTorch in
f64 from operands that the element type holds, and rounded once. Operands include NaN, infinities, zeros of both signs,
ties, empty tensors, and whatever else an op's page has a sentence about.
"""

import math
import pathlib
import re

import torch
import torch.nn.functional as F
from make_goldens import save
from make_op_goldens import rotated

generator = torch.Generator().manual_seed(4)
NAN, INF = math.nan, math.inf
EDGES = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -7.25, 0.1, -0.3, 1e-3, -2e-5, 20.0, -30.0, 88.0]
NAMES = {torch.float64: "f64", torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.bool: "i1",
         torch.int8: "i8", torch.int32: "i32", torch.int64: "i64"}  # fmt: skip
# rtol and atol: the results of f64 are those of libraries and sums in another order, others round once or twice.
TOLERANCES = {"f64": ("1e-12", "1e-13"), "f32": ("3e-6", "1e-6"), "f16": ("3e-3", "2e-3"), "bf16": ("2e-2", "2e-2"),
              "integers": ("0", "0")}  # fmt: skip


def normal(*shape):
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def some(*shape):
    """Small whole numbers: many ties and zeros."""
    return torch.randint(-1, 2, shape, generator=generator).double()


def indices(limit, *shape):
    return torch.randint(limit, shape, generator=generator).int()


def edges(*more):
    """A tensor of odd shape: 3 x 7, or longer with more elements."""
    values = EDGES + list(more)
    while len(values) % 3:
        values.append(0.25)
    return torch.tensor(values, dtype=torch.float64).reshape(3, -1)


def pairs():
    """All pairs of some numbers, NaN and infinities among them, as a column and a row."""
    values = torch.tensor([NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, 7.0], dtype=torch.float64)
    return values.reshape(-1, 1), values


class Case:
    """An op with {operand} for a type and {result} for the result's; the same in PyTorch on f64; the result's type.

    A function that gives a tuple has as many results.
    """

    def __init__(self, name, operands, text, function, out=None):
        self.name, self.operands, self.text, self.function, self.out = name, operands, text, function, out


def unary(op, function, x=None):
    return Case(op, {"x": edges() if x is None else x}, f"nova.{op} %x : {{x}}", function)


def binary(op, function):
    a, b = pairs()
    return Case(op, {"a": a, "b": b}, f"nova.{op} %a, %b : {{a}}, {{b}}", function)


def smoothed(x, t, s, reduction, ignore=-100):
    return F.cross_entropy(x, t.long(), label_smoothing=s, reduction=reduction, ignore_index=ignore)


def padded(x, value):
    result = value.expand(4, 9).clone()
    result[1:, :7:2] = x
    return result


def updated(x, i, u):
    first = [min(max(int(start), 0), size - part) for start, size, part in zip(i, x.shape, u.shape)]
    result = x.clone()
    result[tuple(slice(a, a + part) for a, part in zip(first, u.shape))] = u
    return result


PHILOX_MASK = (1 << 32) - 1


def random_words(seed, stream, count):
    """The first numbers of a stream, by Philox4x32-10 (Salmon et al., SC 2011)."""
    words = []
    for block in range((count + 3) // 4):
        c = [block & PHILOX_MASK, block >> 32, stream & PHILOX_MASK, stream >> 32]
        k = [seed & PHILOX_MASK, seed >> 32]
        for _ in range(10):
            a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [(b >> 32) ^ c[1] ^ k[0], b & PHILOX_MASK, (a >> 32) ^ c[3] ^ k[1], a & PHILOX_MASK]
            k = [(k[0] + 0x9E3779B9) & PHILOX_MASK, (k[1] + 0xBB67AE85) & PHILOX_MASK]
        words += c
    return words[:count]


def uniform(seed, step, stream, *shape):
    words = random_words(int(seed), (stream << 40) + int(step), math.prod(shape))
    return torch.tensor([(word >> 8) / 2**24 for word in words], dtype=torch.float64).reshape(shape)


def random_cases():
    scalars = {"s": torch.tensor((5 << 32) + 77), "t": torch.tensor(12)}
    return [
        Case("random_uniform", scalars, "nova.random_uniform %s, %t {{stream = 3}} : {result}",
             lambda s, t: uniform(s, t, 3, 7, 11)),
        Case("random_scalar", scalars, "nova.random_uniform %s, %t {{stream = 4}} : {result}",
             lambda s, t: uniform(s, t, 4)),
        Case("dropout", {"x": normal(5, 13)} | scalars, "nova.dropout %x, %s, %t {{p = 0.25, stream = 9}} : {x}",
             lambda x, s, t: torch.where(uniform(s, t, 9, 5, 13) < 0.25, 0, x / 0.75)),
        Case("dropout_all", {"x": edges()} | scalars, "nova.dropout %x, %s, %t {{p = 1.0, stream = 9}} : {x}",
             lambda x, s, t: torch.zeros_like(x)),
        Case("dropout_none", {"x": edges()} | scalars, "nova.dropout %x, %s, %t {{p = 0.0, stream = 9}} : {x}",
             lambda x, s, t: x),
    ]  # fmt: skip


def attended(q, k, v, mask=None, causal=False, scale=None):
    """Grouped heads and masks; a row without keys gives zeros."""
    k, v = (x.repeat_interleave(q.shape[1] // k.shape[1], 1) for x in (k, v))
    scores = q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    if mask is not None:
        scores = scores + (torch.where(mask, 0.0, -INF).double() if mask.dtype == torch.bool else mask)
    if causal:
        scores = scores.masked_fill(~torch.ones(scores.shape[-2:]).tril().bool(), -INF)
    empty = (scores == -INF).all(-1, keepdim=True)
    result = scores.masked_fill(empty, 0.0).softmax(-1).masked_fill(empty, 0.0) @ v
    return result, scores.logsumexp(-1)


def attention_cases():
    cases = []
    keys = torch.randint(2, (2, 1, 9, 70), generator=generator).bool()
    keys[0, 0, 3], keys[1, 0, 0, 1:] = False, False
    padding = torch.ones(2, 1, 1, 70).bool()
    padding[1, ..., 50:] = False
    added = normal(4, 9, 70)
    added[1, 2], added[2, :, :65] = -INF, -INF
    masks = {"none": None, "keys": keys, "padding": padding, "added": added}
    for name, mask in masks.items():
        for groups in (4, 2, 1):
            for causal in (False, True):
                operands = {"q": normal(2, 4, 9, 8), "k": normal(2, groups, 70, 8), "v": normal(2, groups, 70, 5)}
                text = "nova.attention %q, %k, %v"
                if mask is not None:
                    operands["m"], text = mask, text + " mask %m"
                text += f" {{{{{'causal, ' if causal else ''}scale = 0.3}}}} : {{q}}, {{k}}, {{v}}" + (", {m}" if mask is not None else "")
                cases.append(Case(f"attention_{name}_{groups}{'_causal' if causal else ''}", operands, text,
                                  lambda q, k, v, m=None, c=causal: attended(q, k, v, m, c, 0.3)))  # fmt: skip
    for depth in (1, 37):
        shapes = {"q": normal(1, 1, 3, depth), "k": normal(1, 1, 2, depth), "v": normal(1, 1, 2, depth)}
        cases.append(Case(f"attention_depth_{depth}", shapes, "nova.attention %q, %k, %v : {q}, {k}, {v}", attended))
    cases.append(Case("attention_no_keys", {"q": normal(1, 2, 3, 4), "k": normal(1, 2, 0, 4), "v": normal(1, 2, 0, 5)},
                      "nova.attention %q, %k, %v : {q}, {k}, {v}", lambda q, k, v: (torch.zeros(1, 2, 3, 5).double(), torch.full((1, 2, 3), -INF).double())))  # fmt: skip
    return cases


def optimized(kind, options, state):
    """What one step of PyTorch's optimizer makes of a parameter, given the state before it."""

    def function(p, g, *rest):
        # Operands end with the learning rate, the step if there is one, and the scale of the gradient.
        moments, numbers = rest[: len(state)], rest[len(state) :]
        parameter = torch.nn.Parameter(p.clone())
        parameter.grad = g * numbers[-1]
        optimizer = kind([parameter], lr=numbers[0].item(), **options)
        before = dict(zip(state, (m.clone() for m in moments)))
        if len(numbers) == 3:
            before["step"] = torch.tensor(float(numbers[1]))
        optimizer.state[parameter] = before
        optimizer.step()
        return parameter.detach(), *(before[name] for name in state)

    return function


def optimizer_cases():
    tensors = {"p": normal(4, 7), "g": normal(4, 7), "m": normal(4, 7)}
    lr, scale = torch.tensor(0.01), torch.tensor(0.5)
    adam = tensors | {"v": normal(4, 7).square(), "lr": lr, "t": torch.tensor(6), "s": scale}
    betas = {"betas": (0.9, 0.95), "eps": 1e-6, "weight_decay": 0.1}
    flags = "{{beta1 = 0.9, beta2 = 0.95, eps = 1.0e-6, weight_decay = 0.1}} : {p}, {g}"
    sgd = tensors | {"lr": lr, "s": scale}
    return [
        *(Case(op, adam, f"nova.{op} %p, %g, %m, %v, lr %lr, step %t, scale %s {flags}",
               optimized(kind, betas, ["exp_avg", "exp_avg_sq"]))
          for op, kind in (("adam", torch.optim.Adam), ("adamw", torch.optim.AdamW))),
        *(Case(f"sgd_{name}", sgd, "nova.sgd %p, %g, %m, lr %lr, scale %s {{momentum = 0.9, weight_decay = 0.1" + flag +
               "}} : {p}, {g}", optimized(torch.optim.SGD, options, ["momentum_buffer"]))
          for name, flag, options in (
              ("plain", "", {"momentum": 0.9, "weight_decay": 0.1}),
              ("nesterov", ", nesterov", {"momentum": 0.9, "weight_decay": 0.1, "nesterov": True}))),
        Case("global_norm", {"a": normal(4, 7), "b": normal(3)}, "nova.global_norm %a, %b : {a}, {b}",
             lambda a, b: (a.square().sum() + b.square().sum()).sqrt(), torch.float32),
    ]  # fmt: skip


def compare_cases():
    a, b = pairs()
    functions = {"eq": torch.eq, "ne": torch.ne, "lt": torch.lt, "le": torch.le, "gt": torch.gt, "ge": torch.ge}
    return [Case(f"compare_{kind}", {"a": a, "b": b}, f"nova.compare {kind} %a, %b : {{a}}, {{b}}", function, torch.bool)
            for kind, function in functions.items()]  # fmt: skip


def loss_cases(stat):
    x, t, p = normal(4, 5), torch.rand(4, 5, generator=generator).double(), torch.rand(4, 5, generator=generator).double()
    p[0, :3], t[0, :2] = torch.tensor([0.0, 1.0, 1.0]), torch.tensor([0.0, 0.0])
    targets = torch.tensor([3, 0, -100, 4]).int()
    cases = []
    for reduction in ("mean", "sum", "none"):
        flag = f"reduction = #nova.reduction<{reduction}>"
        for op, function, a in (("mse", F.mse_loss, x), ("mae", F.l1_loss, x), ("bce", F.binary_cross_entropy, p)):
            cases.append(Case(f"{op}_{reduction}", {"x": a, "t": t}, f"nova.{op} %x, %t {{{{{flag}}}}} : {{x}}, {{t}}",
                              lambda x, t, f=function, r=reduction: f(x, t, reduction=r), stat))  # fmt: skip
        cases.append(Case(f"cce_{reduction}", {"x": x, "t": t}, f"nova.cce %x, %t {{{{{flag}}}}} : {{x}}, {{t}}",
                          lambda x, t, r=reduction: F.cross_entropy(x, t, reduction=r), stat))  # fmt: skip
        cases.append(Case(f"cross_entropy_{reduction}", {"x": x, "t": targets},
                          f"nova.cross_entropy %x, %t {{{{label_smoothing = 0.25, {flag}}}}} : {{x}}, {{t}}",
                          lambda x, t, r=reduction: smoothed(x, t, 0.25, r), stat))  # fmt: skip
    cases.append(Case("cross_entropy_none_counts", {"x": x, "t": torch.full((4,), 2).int()},
                      "nova.cross_entropy %x, %t {{ignore_index = 2}} : {x}, {t}",
                      lambda x, t: smoothed(x, t, 0.0, "mean", 2), stat))  # fmt: skip
    cases.append(Case("mse_empty", {"x": normal(0, 3), "t": normal(0, 3)}, "nova.mse %x, %t : {x}, {t}", F.mse_loss, stat))
    return cases


def reduction_cases():
    cases = []
    x, ties = normal(3, 5, 4), some(3, 5, 4)
    kinds = {"sum": torch.sum, "mean": torch.mean, "max": torch.amax, "min": torch.amin}
    for kind, function in kinds.items():
        for axes in ((0,), (1,), (2,), (0, 2), (0, 1, 2)):
            cases.append(Case(f"{kind}_{''.join(map(str, axes))}", {"x": x},
                              f"nova.reduce {kind} %x over {list(axes)} : {{x}}", lambda x, f=function, a=axes: f(x, a)))  # fmt: skip
        cases.append(Case(f"{kind}_edges", {"x": edges()}, f"nova.reduce {kind} %x over [1] {{{{keep_dims}}}} : {{x}}",
                          lambda x, f=function: f(x, 1, keepdim=True)))  # fmt: skip
    cases.append(Case("product", {"x": x}, "nova.reduce product %x over [1] : {x}", lambda x: x.prod(1)))
    cases.append(Case("sum_of_none", {"x": normal(3, 0)}, "nova.reduce sum %x over [1] : {x}", lambda x: x.sum(1)))
    cases.append(Case("product_of_none", {"x": normal(3, 0)}, "nova.reduce product %x over [1] : {x}", lambda x: x.prod(1)))
    for op, function in (("argmax", torch.argmax), ("argmin", torch.argmin)):
        for axis in (0, 1, -1):
            cases.append(Case(f"{op}_{axis % 3}", {"x": ties}, f"nova.{op} %x {{{{axis = {axis}}}}} : {{x}}",
                              lambda x, f=function, a=axis: f(x, a), torch.int64))  # fmt: skip
        cases.append(Case(f"{op}_edges", {"x": edges()}, f"nova.{op} %x {{{{keep_dims}}}} : {{x}}",
                          lambda x, f=function: f(x, -1, keepdim=True), torch.int64))  # fmt: skip
    for axis in (0, 1, 2):
        cases.append(Case(f"cumsum_{axis}", {"x": x}, f"nova.cumsum %x {{{{axis = {axis}}}}} : {{x}}",
                          lambda x, a=axis: x.cumsum(a)))  # fmt: skip
        cases.append(Case(f"softmax_{axis}", {"x": x}, f"nova.softmax %x {{{{axis = {axis}}}}} : {{x}}",
                          lambda x, a=axis: x.softmax(a)))  # fmt: skip
        cases.append(Case(f"log_softmax_{axis}", {"x": x * 50}, f"nova.log_softmax %x {{{{axis = {axis}}}}} : {{x}}",
                          lambda x, a=axis: x.log_softmax(a)))  # fmt: skip
        cases.append(Case(f"logsumexp_{axis}", {"x": x * 50}, f"nova.logsumexp %x over [{axis}] : {{x}}",
                          lambda x, a=axis: x.logsumexp(a)))  # fmt: skip
    rows = torch.tensor([[-INF, -INF, -INF], [INF, 1.0, -INF], [NAN, 1.0, 2.0], [-INF, 0.0, 1.0]], dtype=torch.float64)
    cases.append(Case("softmax_edges", {"x": rows}, "nova.softmax %x : {x}", lambda x: x.softmax(-1)))
    cases.append(Case("log_softmax_edges", {"x": rows}, "nova.log_softmax %x : {x}", lambda x: x.log_softmax(-1)))
    cases.append(Case("logsumexp_edges", {"x": rows}, "nova.logsumexp %x over [1] {{keep_dims}} : {x}",
                      lambda x: x.logsumexp(1, keepdim=True)))  # fmt: skip
    cases.append(Case("logsumexp_all", {"x": x}, "nova.logsumexp %x over [0, 2] : {x}", lambda x: x.logsumexp((0, 2))))
    cases.append(Case("logsumexp_of_none", {"x": normal(3, 0)}, "nova.logsumexp %x over [1] : {x}", lambda x: x.logsumexp(1)))
    cases.append(Case("softmax_one", {"x": normal(5, 1)}, "nova.softmax %x : {x}", lambda x: x.softmax(-1)))
    cases.append(Case("cumsum_reverse", {"x": x}, "nova.cumsum %x {{reverse}} : {x}", lambda x: x.flip(-1).cumsum(-1).flip(-1)))
    return cases


def movement_cases():
    x, table = normal(4, 10), normal(6, 3)
    starts = {"inside": [1, 3], "before": [-5, 0], "behind": [3, 9]}
    cases = [
        Case("broadcast_in_dim", {"x": normal(4, 1)}, "nova.broadcast_in_dim %x dims = [0, 2] : {x} -> {result}",
             lambda x: x.reshape(4, 1, 1).expand(4, 3, 5)),
        Case("reshape", {"x": normal(4, 6)}, "nova.reshape %x : {x} -> {result}", lambda x: x.reshape(3, 8)),
        Case("transpose", {"x": normal(2, 3, 4, 2, 1, 3)}, "nova.transpose %x [2, 0, 5, 1, 4, 3] : {x}",
             lambda x: x.permute(2, 0, 5, 1, 4, 3)),
        Case("slice", {"x": x}, "nova.slice %x starts = [1, 1] limits = [3, 9] strides = [1, 3] : {x} -> {result}",
             lambda x: x[1:3, 1:9:3]),
        Case("pad", {"x": normal(3, 4), "v": normal()},
             "nova.pad %x, %v low = [1, 0] high = [0, 2] interior = [0, 1] : {x}, {v} -> {result}", padded),
        Case("concat", {"a": normal(2, 3), "b": normal(2, 0), "c": normal(2, 4)},
             "nova.concat %a, %b, %c axis = 1 : ({a}, {b}, {c}) -> {result}", lambda a, b, c: torch.cat([a, b, c], 1)),
        Case("gather", {"t": table, "i": indices(6, 2, 4)}, "nova.gather %t[%i] : {t}, {i}", lambda t, i: t[i.long()]),
        Case("scatter_add", {"x": table, "i": indices(3, 5), "u": normal(5, 3)},
             "nova.scatter_add %x[%i], %u : {x}, {i}, {u}", lambda x, i, u: x.index_add(0, i, u)),
        Case("select", {"c": indices(2, 3, 5).bool(), "a": edges()[:, :5], "b": normal(5)},
             "nova.select %c, %a, %b : {c}, {a}, {b}", torch.where),
    ]  # fmt: skip
    for name, start in starts.items():
        i = torch.tensor(start)
        first = [min(max(s, 0), size - part) for s, size, part in zip(start, (4, 10), (2, 5))]
        cases.append(Case(f"dynamic_slice_{name}", {"x": x, "i": i},
                          "nova.dynamic_slice %x[%i] sizes = [2, 5] : {x}, {i} -> {result}",
                          lambda x, i, f=first: x[f[0] : f[0] + 2, f[1] : f[1] + 5]))  # fmt: skip
        cases.append(Case(f"dynamic_update_slice_{name}", {"x": x, "i": i.int(), "u": normal(2, 5)},
                          "nova.dynamic_update_slice %x[%i], %u : {x}, {i}, {u} -> {result}", updated))  # fmt: skip
    return cases


def transformer_cases():
    x, w, b = normal(2, 3, 12), normal(12), normal(12)
    angle = normal(3, 4)
    return [
        Case("layer_norm", {"x": x, "w": w, "b": b}, "nova.layer_norm %x, %w, %b {{eps = 1.0e-3}} : {x}, {w}, {b}",
             lambda x, w, b: F.layer_norm(x, (12,), w, b, 1e-3)),
        Case("rms_norm", {"x": x, "w": w}, "nova.rms_norm %x, %w {{eps = 1.0e-3}} : {x}, {w}",
             lambda x, w: F.rms_norm(x, (12,), w, 1e-3)),
        Case("rotary", {"x": x, "c": angle.cos(), "s": angle.sin()}, "nova.rotary_embedding %x, %c, %s : {x}, {c}, {s}",
             rotated),
        Case("rotary_interleaved", {"x": x, "c": normal(2, 1, 6).cos(), "s": normal(2, 1, 6).sin()},
             "nova.rotary_embedding %x, %c, %s {{interleaved}} : {x}, {c}, {s}",
             lambda x, c, s: rotated(x, c, s, True)),
        Case("conv2d", {"x": normal(2, 4, 7, 6), "w": normal(6, 2, 3, 2)},
             "nova.conv2d %x, %w strides = [2, 1] padding = [1, 2] {{dilation = array<i64: 1, 2>, groups = 2}} : {x}, {w}",
             lambda x, w: F.conv2d(x, w, None, (2, 1), (1, 2), (1, 2), 2)),
        Case("conv2d_plain", {"x": normal(1, 3, 5, 5), "w": normal(2, 3, 3, 3)},
             "nova.conv2d %x, %w strides = [1, 1] padding = [0, 0] : {x}, {w}", F.conv2d),
        Case("matmul", {"a": normal(3, 1, 2, 4), "b": normal(2, 5, 4)}, "nova.matmul %a, %b {{transpose_rhs}} : {a}, {b}",
             lambda a, b: a @ b.mT),
    ]  # fmt: skip


def float_cases(dtype):
    stat = torch.float64 if dtype == torch.float64 else torch.float32
    small = 1e-310 if dtype == torch.float64 else 1e-40
    large = {torch.float64: 1e15, torch.float16: 6e4}.get(dtype, 3e38)
    angles = edges(1e4, -3e3, large, -large / 7, 710.0, 1.5707963)
    logs = edges(small, 3.4e38 if dtype != torch.float16 else 6e4, 1.0000001, 0.99999)
    unit = torch.tensor([NAN, INF, -INF, 1.0, -1.0, 0.0, -0.0, 0.5, -0.25, 1e-3, 0.999, -0.9999, 1.5, -2.0], dtype=torch.float64)
    a, b = pairs()
    cases = [
        unary("abs", torch.abs), unary("neg", torch.neg), unary("sign", torch.sign), unary("square", torch.square),
        unary("sqrt", torch.sqrt), unary("rsqrt", torch.rsqrt), unary("reciprocal", torch.reciprocal),
        unary("exp", torch.exp), unary("exp2", torch.exp2), unary("expm1", torch.expm1), unary("log", torch.log, logs),
        unary("log2", torch.log2, logs), unary("log10", torch.log10, logs), unary("log1p", torch.log1p, logs),
        unary("sin", torch.sin, angles), unary("cos", torch.cos, angles), unary("tan", torch.tan),
        unary("asin", torch.asin, unit), unary("acos", torch.acos, unit), unary("atan", torch.atan, angles),
        unary("sinh", torch.sinh), unary("cosh", torch.cosh), unary("tanh", torch.tanh), unary("asinh", torch.asinh, angles),
        unary("acosh", torch.acosh, angles), unary("atanh", torch.atanh, unit), unary("erf", torch.erf),
        unary("relu", torch.relu), unary("sigmoid", torch.sigmoid), unary("silu", F.silu, edges()[1:]),
        unary("floor", torch.floor), unary("ceil", torch.ceil), unary("round", torch.round),
        Case("gelu_tanh", {"x": normal(3, 7) * 3}, "nova.gelu tanh %x : {x}", lambda x: F.gelu(x, approximate="tanh")),
        Case("gelu_exact", {"x": normal(3, 7) * 3}, "nova.gelu exact %x : {x}", F.gelu),
        binary("add", torch.add), binary("sub", torch.sub), binary("mul", torch.mul), binary("div", torch.div),
        binary("mod", torch.remainder), binary("pow", torch.pow), binary("max", torch.maximum), binary("min", torch.minimum),
        Case("clamp", {"x": a, "l": b.reshape(1, -1, 1).transpose(1, 2), "h": some(11, 1, 1)},
             "nova.clamp %x, %l, %h : {x}, {l}, {h}", torch.clamp),
        Case("scalar", {"x": normal()}, "nova.exp %x : {x}", torch.exp),
        Case("empty", {"x": normal(3, 0)}, "nova.exp %x : {x}", torch.exp),
        Case("rank_6", {"a": normal(2, 1, 3, 1, 2, 2), "b": normal(3, 1, 4, 1, 2)}, "nova.add %a, %b : {a}, {b}", torch.add),
        Case("to_i32", {"x": edges()[:, 3:]}, "nova.cast %x : {x} -> {result}", lambda x: x.trunc(), torch.int32),
        Case("to_i1", {"x": edges()}, "nova.cast %x : {x} -> {result}", lambda x: x != 0, torch.bool),
    ]  # fmt: skip
    for target in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        if target != dtype:
            cases.append(Case(f"to_{NAMES[target]}", {"x": edges(1e-9, 65519.0, 3e38 if dtype != torch.float16 else 6e4)},
                              "nova.cast %x : {x} -> {result}", lambda x: x, target))  # fmt: skip
    return cases + compare_cases() + reduction_cases() + movement_cases() + transformer_cases() + loss_cases(stat) + random_cases() + optimizer_cases()


def divided(a, b):
    return torch.where(b == 0, 0, torch.div(a, torch.where(b == 0, 1, b), rounding_mode="trunc"))


def remainder(a, b):
    return torch.where(b == 0, a, torch.remainder(a, torch.where(b == 0, 1, b)))


def integer_cases(dtype):
    limits = torch.iinfo(dtype)
    values = torch.tensor([limits.min, limits.max, 0, 1, -1, 2, -2, 7, -7, 100], dtype=dtype)
    a, b, bits = values.reshape(-1, 1), values, dtype
    name = NAMES[dtype]
    # The smallest number divided by -1 traps in PyTorch.
    safe_a, safe_b = a[1:], b

    def one(op, function):
        return Case(f"{op}_{name}", {"x": values}, f"nova.{op} %x : {{x}}", function, bits)

    def two(op, function, a=a, b=b):
        return Case(f"{op}_{name}", {"a": a, "b": b}, f"nova.{op} %a, %b : {{a}}, {{b}}", function, bits)

    x = torch.randint(-9, 9, (3, 5, 4), generator=generator).to(dtype)
    return [
        one("abs", torch.abs), one("neg", torch.neg), one("sign", torch.sign), one("square", torch.square),
        one("relu", torch.relu), one("not", torch.bitwise_not), two("add", torch.add), two("sub", torch.sub),
        two("mul", torch.mul), two("div", divided, safe_a, safe_b), two("mod", remainder, safe_a, safe_b),
        two("max", torch.maximum), two("min", torch.minimum), two("and", torch.bitwise_and), two("or", torch.bitwise_or),
        two("xor", torch.bitwise_xor),
        Case(f"clamp_{name}", {"x": values, "l": x[0, 0, :1], "h": x[0, 1, :1]}, "nova.clamp %x, %l, %h : {x}, {l}, {h}",
             torch.clamp, bits),
        Case(f"compare_{name}", {"a": a, "b": b}, "nova.compare lt %a, %b : {a}, {b}", torch.lt, torch.bool),
        Case(f"select_{name}", {"c": x[0] > 0, "a": x, "b": x[:, :1]}, "nova.select %c, %a, %b : {c}, {a}, {b}", torch.where,
             bits),
        Case(f"to_f32_{name}", {"x": values}, "nova.cast %x : {x} -> {result}", lambda x: x, torch.float32),
        Case(f"to_i8_{name}", {"x": values}, "nova.cast %x : {x} -> {result}", lambda x: x, torch.int8)
        if dtype != torch.int8 else one("neg", torch.neg),
        Case(f"sum_{name}", {"x": x}, "nova.reduce sum %x over [1] : {x}", lambda x: x.sum(1), bits),
        Case(f"product_{name}", {"x": x}, "nova.reduce product %x over [2] : {x}", lambda x: x.prod(2), bits),
        Case(f"max_{name}", {"x": x}, "nova.reduce max %x over [0, 1] : {x}", lambda x: x.amax((0, 1)), bits),
        Case(f"min_{name}", {"x": x}, "nova.reduce min %x over [2] : {x}", lambda x: x.amin(2), bits),
        Case(f"argmax_{name}", {"x": x}, "nova.argmax %x {{axis = 1}} : {x}", lambda x: x.argmax(1), torch.int64),
        Case(f"argmin_{name}", {"x": x}, "nova.argmin %x : {x}", lambda x: x.argmin(-1), torch.int64),
        Case(f"cumsum_{name}", {"x": x}, "nova.cumsum %x {{axis = 0}} : {x}", lambda x: x.cumsum(0), bits),
        Case(f"gather_{name}", {"t": x, "i": indices(3, 4)}, "nova.gather %t[%i] : {t}, {i}", lambda t, i: t[i.long()], bits),
        Case(f"scatter_add_{name}", {"x": x[0], "i": indices(5, 6), "u": x[0, :1].expand(6, 4).contiguous()},
             "nova.scatter_add %x[%i], %u : {x}, {i}, {u}", lambda x, i, u: x.index_add(0, i, u), bits),
        Case(f"iota_{name}", {}, "nova.iota 1 : {result}", lambda: torch.arange(5).expand(3, 5), bits),
        Case(f"transpose_{name}", {"x": x}, "nova.transpose %x [2, 0, 1] : {x}", lambda x: x.permute(2, 0, 1), bits),
        Case(f"concat_{name}", {"a": x, "b": x}, "nova.concat %a, %b axis = 0 : ({a}, {b}) -> {result}",
             lambda a, b: torch.cat([a, b]), bits),
        Case(f"dynamic_slice_{name}", {"x": x, "i": torch.tensor([1, 9, -1])},
             "nova.dynamic_slice %x[%i] sizes = [2, 2, 3] : {x}, {i} -> {result}", lambda x, i: x[1:3, 3:5, 0:3], bits),
    ]  # fmt: skip


def truth_cases():
    p, q = torch.tensor([[True], [False]]), torch.tensor([True, False, True])
    rows = torch.tensor([[True, True], [True, False], [False, False]])
    one = {"p": p, "q": q}
    return [
        Case("not_i1", {"q": q}, "nova.not %q : {q}", torch.logical_not, torch.bool),
        *(Case(f"{op}_i1", one, f"nova.{op} %p, %q : {{p}}, {{q}}", function, torch.bool)
          for op, function in (("and", torch.logical_and), ("or", torch.logical_or), ("xor", torch.logical_xor))),
        Case("compare_i1", one, "nova.compare gt %p, %q : {p}, {q}", torch.gt, torch.bool),
        Case("any", {"x": rows}, "nova.reduce any %x over [1] : {x}", lambda x: x.any(1), torch.bool),
        Case("all", {"x": rows}, "nova.reduce all %x over [1] : {x}", lambda x: x.all(1), torch.bool),
        Case("any_columns", {"x": rows}, "nova.reduce any %x over [0] : {x}", lambda x: x.any(0), torch.bool),
        Case("all_everything", {"x": rows}, "nova.reduce all %x over [0, 1] : {x}", lambda x: x.all(), torch.bool),
        Case("any_of_none", {"x": rows[:, :0]}, "nova.reduce any %x over [1] : {x}", lambda x: x.any(1), torch.bool),
        Case("all_of_none", {"x": rows[:, :0]}, "nova.reduce all %x over [1] : {x}", lambda x: x.all(1), torch.bool),
        Case("i1_to_i8", {"q": q}, "nova.cast %q : {q} -> {result}", lambda q: q, torch.int8),
        Case("i1_to_f32", {"q": q}, "nova.cast %q : {q} -> {result}", lambda q: q, torch.float32),
        Case("reshape_i1", {"x": rows}, "nova.reshape %x : {x} -> {result}", lambda x: x.reshape(2, 3), torch.bool),
    ]  # fmt: skip


def type_of(tensor):
    return f"tensor<{''.join(f'{size}x' for size in tensor.shape)}{NAMES[tensor.dtype]}>"


HEADER = """\
// RUN: nova-run %s --device=reference --inputs %S/Inputs/NAME.safetensors --expect %S/Inputs/NAME.safetensors FLAGS
// RUN: nova-run %s --device=cpu --inputs %S/Inputs/NAME.safetensors --expect %S/Inputs/NAME.safetensors FLAGS
// RUN: nova-run %s --device=cpu --mode=eager --inputs %S/Inputs/NAME.safetensors \\
// RUN:   --expect %S/Inputs/NAME.safetensors FLAGS
// RUN: nova-run %s --device=emulator --inputs %S/Inputs/NAME.safetensors \\
// RUN:   --expect %S/Inputs/NAME.safetensors FLAGS
// RUN: nova-run %s --device=emulator --mode=eager --inputs %S/Inputs/NAME.safetensors \\
// RUN:   --expect %S/Inputs/NAME.safetensors FLAGS

// Made by scripts/make_value_goldens.py: what PyTorch gives for every op.
"""


def header_of(name):
    rtol, atol = TOLERANCES[name.split("-")[-1]]
    return HEADER.replace("NAME", f"op-values-{name}").replace("FLAGS", f"--rtol {rtol} --atol {atol} --quiet")


def write(name, cases, dtype=None):
    """The program of the cases, floats of which have the type, and its values."""
    folder = pathlib.Path(__file__).resolve().parent.parent / "test" / "Goldens"
    values, arguments, body, results = {}, [], [], []
    for case in cases:
        key = case.name.replace("-", "_")
        if f"result.{key}" in values:
            continue
        stored = {k: x.to(dtype) if x.dtype == torch.float64 and dtype else x for k, x in case.operands.items()}
        exact = [x.double() if x.is_floating_point() else x for x in stored.values()]
        found = case.function(*exact)
        found = list(found) if isinstance(found, tuple) else [found]
        kinds = [case.out or dtype] * len(found)
        if "nova.attention" in case.text and dtype != torch.float64:
            kinds[1] = torch.float32  # statistics
        found = [x.to(kind).contiguous() for x, kind in zip(found, kinds)]
        types = {k: type_of(x) for k, x in stored.items()} | {"result": type_of(found[0])}
        text = case.text.format(**types)
        for k, x in stored.items():
            text = re.sub(rf"%{k}\b", f"%{key}.{k}", text)
            arguments.append((f"{key}.{k}", type_of(x)))
            values[f"{key}.{k}"] = x.contiguous().clone()
        keys = [key] + [f"{key}.result{number}" for number in range(1, len(found))]
        body.append(f"  {', '.join('%' + name for name in keys)} = {text}")
        for result_key, result in zip(keys, found):
            values[f"result.{result_key}"] = result.clone()
            results.append((result_key, type_of(result)))
    header = header_of(name)
    named = ",\n    ".join(f'%{key}: {type} {{nova.name = "{key}"}}' for key, type in arguments)
    outs = ",\n        ".join(f'{type} {{nova.name = "result.{key}"}}' for key, type in results)
    lines = [header, f"func.func @values(\n    {named})\n    -> ({outs}) {{", *body]
    lines += [f"  return {', '.join(f'%{key}' for key, _ in results)}", f"    : {', '.join(t for _, t in results)}", "}", ""]
    (folder / f"op-values-{name}.mlir").write_text("\n".join(lines))
    save(values, folder / "Inputs" / f"op-values-{name}.safetensors", {"seed": 4})
    print(f"{name}: {len(results)} cases")


def main():
    for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        write(NAMES[dtype], float_cases(dtype), dtype)
        write(f"attention-{NAMES[dtype]}", attention_cases(), dtype)
    integers = [case for dtype in (torch.int8, torch.int32, torch.int64) for case in integer_cases(dtype)]
    write("integers", integers + truth_cases())


if __name__ == "__main__":
    main()
