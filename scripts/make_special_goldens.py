#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes test/Goldens/special-*.mlir and their values: elementwise ops and formulas at special numbers, from PyTorch.

    python3 scripts/make_special_goldens.py

A program per element type. Elementwise ops take every number of a grid, or every pair of it; formulas take rows of large,
tiny and equal numbers. PyTorch computes in f64 from what the element type holds, and the result is rounded once. Where
PyTorch's own result in the element type (f32 for narrower ones) is another one, because a sum or a square leaves its
range, it stands beside as `own.NAME`: kernels may give either. test/Goldens/special.py compares.
"""

import math
import pathlib
import re

import numpy
import torch
import torch.nn.functional as F
from make_goldens import save
from make_value_goldens import NAMES, divided, optimized, remainder, type_of

NAN, INF = math.nan, math.inf
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "test" / "Goldens"


def narrowed(x, dtype):
    """Rounded once: PyTorch goes from f64 to f16 and bf16 by way of f32."""
    if not x.is_floating_point() or dtype not in (torch.float16, torch.bfloat16) or x.dtype != torch.float64:
        return x.to(dtype)
    with numpy.errstate(over="ignore", under="ignore"):
        if dtype == torch.float16:
            return torch.from_numpy(x.numpy().astype(numpy.float16))
        single = x.numpy().astype(numpy.float32)
        # To odd: towards zero, with the last bit set where that was inexact.
        above = numpy.abs(single.astype(numpy.float64)) > numpy.abs(x.numpy())
        inexact = single.astype(numpy.float64) != x.numpy()
    bits = single.view(numpy.uint32) - above.astype(numpy.uint32)
    bits |= (inexact & ~numpy.isnan(x.numpy())).astype(numpy.uint32)
    return torch.from_numpy(bits.view(numpy.float32)).to(dtype)


def grid(dtype):
    if dtype == torch.bool:
        return torch.tensor([False, True])
    if not dtype.is_floating_point:
        limits = torch.iinfo(dtype)
        return torch.tensor([limits.min, limits.min + 1, limits.max, limits.max - 1, 0, 1, -1, 2, -2, 3, -3, 7, 64, -100],
                            dtype=dtype)  # fmt: skip
    limits = torch.finfo(dtype)
    values = [NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -7.0, 127.5, limits.tiny, -limits.tiny,
              limits.smallest_normal * limits.eps, limits.max, limits.min, math.sqrt(limits.max), limits.eps, 1 - limits.eps,
              1 + limits.eps, math.log(limits.max), -math.log(limits.max), math.log2(limits.max), 9.0, -9.0, math.pi,
              -math.pi / 2, 1000 * math.pi, 1e4]  # fmt: skip
    return torch.tensor(values, dtype=torch.float64).to(dtype)


def ieee(pick):
    """-0.0 is below 0.0, which PyTorch leaves open."""
    sign = torch.maximum if pick is torch.maximum else torch.minimum

    def function(x, y):
        if not x.is_floating_point():
            return pick(x, y)
        result = pick(x, y)
        zero = (x == 0) & (y == 0)
        return torch.where(zero, sign(torch.copysign(torch.ones_like(x), x), torch.copysign(torch.ones_like(y), y)) * 0.0, result)

    return function


def whole_division(x, y):
    """The smallest integer over -1 is itself, x / 0 is 0: PyTorch has an error for both."""
    return torch.where(y == -1, -x, divided(x, torch.where(y == -1, 1, y)))


def float_remainder(x, y):
    """By the exact remainder: PyTorch's is NaN for a divisor that is no normal number."""
    with numpy.errstate(invalid="ignore"):
        rest = torch.from_numpy(numpy.fmod(x.numpy(), y.numpy()))
    return torch.where((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)


def whole_remainder(x, y):
    return torch.where(y == -1, 0, remainder(x, torch.where(y == -1, 1, y)))


def unless_wrong(name, found, right):
    """PyTorch's value; by a formula, in f64 too, where PyTorch's has lost it."""
    def is_lost(x, y):
        return ~torch.isclose(x, y, rtol=1e-9, atol=0.0, equal_nan=True)

    lost = [is_lost(x, y) for x, y in zip(found, right)]
    print(f"{name}: {sum(int(part.sum()) for part in lost)} of {sum(part.numel() for part in lost)} by a formula")
    return tuple(torch.where(part, y, x) for part, x, y in zip(lost, found, right))


def softmax_grad(dy, y):
    return torch.ops.aten._softmax_backward_data(dy, y, -1, y.dtype)


def gelu_grad(form):
    """PyTorch's loses the tail, to 0 or NaN, as may kernels where f32 ends."""

    def function(dy, x):
        operand = x.expand(dy.shape[0], -1).clone().requires_grad_()
        F.gelu(operand, approximate="tanh" if form == "tanh" else "none").backward(dy.expand_as(operand))
        if x.dtype == torch.float32:
            return operand.grad
        if form == "exact":
            slope = torch.special.erfc(-x * math.sqrt(0.5)) / 2 + x * torch.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        else:
            bounded, c = x.clamp(-1e100, 1e100), 2 * math.sqrt(2 / math.pi)
            u = c * bounded * (1 + 0.044715 * bounded * bounded)
            slope = u.sigmoid() + x * (u.sigmoid() * (-u).sigmoid()) * (c * (1 + 3 * 0.044715 * bounded * bounded))
        return unless_wrong(f"gelu_grad {form}", [operand.grad], [dy * slope])

    return function


def layer_norm_grad(dy, operand, w):
    """PyTorch's sum for the weight cancels for large equal elements. In f32, where kernels may give what f32 gives, all of it
    is by the formula, which kernels follow."""
    pytorch = gradient_of(lambda x, w, b: F.layer_norm(x, (4,), w, b, 1e-5), 0, 1, 2)(dy, operand, w, torch.zeros_like(w))

    def mean(v):
        return v.mean(-1, keepdim=True)

    x = operand - mean(operand / operand.shape[-1]) * operand.shape[-1]
    x = x - mean(x)
    scale = 1 / (mean(x * x) + 1e-5).sqrt()
    y = x * scale
    dx = scale * (dy * w - mean(dy * w) - y * mean(dy * w * y))
    formula = (dx, (dy * y).sum(0), dy.sum(0))
    return formula if operand.dtype == torch.float32 else unless_wrong("layer_norm_grad", pytorch, formula)


def layer_norm(x, w, b):
    """In f32 a row whose squares are infinite gives the bias."""
    result = F.layer_norm(x, (4,), w, b, 1e-5)
    if x.dtype == torch.float32:
        overflows = (x - x.mean(-1, keepdim=True)).square().mean(-1, keepdim=True).isinf()
        result = torch.where(overflows, b, result)
    return result


MATH = "sqrt rsqrt reciprocal exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf sigmoid floor ceil round"
COMPARE = ("eq", "ne", "lt", "le", "gt", "ge")


def signed_zero(x):
    return torch.where(x == 0, 0.0, torch.sign(x)) if x.is_floating_point() else torch.sign(x)


def elementwise(dtype):
    """Name, text with x (a row) and a (a column), function."""
    is_float, is_bool = dtype.is_floating_point, dtype == torch.bool
    one, two = "{x}", "{a}, {x}"
    unary, binary = {}, {}
    if not is_bool:
        relu = lambda x: ieee(torch.maximum)(x, torch.zeros_like(x))  # noqa: E731
        unary |= {"abs": torch.abs, "neg": torch.neg, "sign": signed_zero, "square": lambda x: x * x, "relu": relu}
        binary |= {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "max": ieee(torch.maximum), "min": ieee(torch.minimum),
                   "div": torch.div if is_float else whole_division, "mod": float_remainder if is_float else whole_remainder}  # fmt: skip
    if is_float:
        unary |= {name: getattr(torch, name) for name in MATH.split()}
        unary["sqrt"] = lambda x: torch.from_numpy(numpy.sqrt(x.numpy(), where=~(x.numpy() < 0), out=numpy.full(x.shape, NAN)))  # PyTorch's is off by a bit at 0.5.
        unary |= {"silu": F.silu, "gelu tanh": lambda x: F.gelu(x, approximate="tanh"), "gelu exact": F.gelu}
        binary |= {"pow": torch.pow, "gelu_grad tanh": gelu_grad("tanh"), "gelu_grad exact": gelu_grad("exact")}
    else:
        unary |= {"not": torch.bitwise_not}
        binary |= {"and": torch.bitwise_and, "or": torch.bitwise_or, "xor": torch.bitwise_xor}
    for name, function in unary.items():
        yield name, f"nova.{name} %x : {one}", function, dtype
    for name, function in binary.items():
        yield name, f"nova.{name} %a, %x : {two}", function, dtype
    for kind in COMPARE:
        yield f"compare {kind}", f"nova.compare {kind} %a, %x : {two}", lambda a, x, k=kind: getattr(torch, k)(a, x), torch.bool
    yield "select", f"nova.select %c, %a, %x : {{c}}, {two}", lambda c, a, x: torch.where(c, a, x), dtype
    if not is_bool:
        yield ("clamp", f"nova.clamp %x, %l, %h : {{x}}, {{l}}, {{h}}",
               lambda x, l, h: ieee(torch.minimum)(*torch.broadcast_tensors(ieee(torch.maximum)(*torch.broadcast_tensors(x, l)), h)), dtype)  # fmt: skip
    for target in NAMES:
        if target != dtype:
            yield f"cast {NAMES[target]}", "nova.cast %x : {x} -> {result}", lambda x, t=target: cast(x, t), target


def cast(x, target):
    if x.is_floating_point() and not target.is_floating_point and target != torch.bool:
        limits = torch.iinfo(target)  # Python's integers: f64 does not hold the largest of 64 bits.
        whole = [0 if math.isnan(v) else limits.max if v >= limits.max else limits.min if v <= limits.min else int(v) for v in x.tolist()]
        return torch.tensor(whole, dtype=target)
    return x != 0 if target == torch.bool else x


def rows(dtype):
    limits = torch.finfo(dtype)
    # Squares and products stay in the range of f64: PyTorch has no wider type to judge by.
    top = min(limits.max, 1e100)
    large, tiny = {torch.float64: 1e17, torch.float16: 3e4}.get(dtype, 1e20), limits.tiny
    return torch.tensor([[large] * 4, [-large] * 4, [tiny] * 4, [0.0] * 4, [0.1] * 4, [large, -large, large, 1.0],
                         [tiny, -tiny, 0.0, 2 * tiny], [1000.0, 1001.0, 1002.0, 1000.0], [top / 2] * 4,
                         [top / 4, top / 8, -top / 4, 0.0], [math.sqrt(top)] * 3 + [0.0],
                         [30.0, -30.0, 0.0, 1.0], [-1e-3, 1e-3, 2e-3, 0.0]], dtype=torch.float64).to(dtype)  # fmt: skip


def gradient_of(function, *wanted):
    """The gradients of operands after the first, which is the gradient of the result."""

    def gradient(dy, *operands):
        operands = [x.clone().requires_grad_() if x.is_floating_point() else x for x in operands]
        function(*operands).backward(dy)
        return tuple(operands[i].grad for i in wanted)

    return gradient


def formulas(dtype):
    stat = torch.float64 if dtype == torch.float64 else torch.float32
    none = "reduction = #nova.reduction<none>"
    ce = lambda x, t, s=0.0: F.cross_entropy(x, t.long(), reduction="none", label_smoothing=s)  # noqa: E731
    rms = lambda x, w: F.rms_norm(x, (4,), w, 1e-5)  # noqa: E731
    yield "softmax", "nova.softmax %r : {r}", lambda r: r.softmax(-1), dtype
    yield "softmax_grad", "nova.softmax_grad %dy, %u : {dy}, {u}", softmax_grad, dtype
    yield "log_softmax", "nova.log_softmax %r : {r}", lambda r: r.log_softmax(-1), dtype
    yield "logsumexp", "nova.logsumexp %r over [1] : {r}", lambda r: r.logsumexp(-1), dtype
    for s in (0.0, 0.25):
        flags = f"{{{{label_smoothing = {s}, {none}}}}}"
        yield f"cross_entropy {s}", f"nova.cross_entropy %r, %t {flags} : {{r}}, {{t}}", lambda r, t, s=s: ce(r, t, s), stat
        yield (f"cross_entropy_grad {s}", f"nova.cross_entropy_grad %g, %r, %t {flags} : {{g}}, {{r}}, {{t}}",
               lambda g, r, t, s=s: gradient_of(lambda r: ce(r, t, s), 0)(g.to(r.dtype), r), dtype)  # fmt: skip
    yield "cce", f"nova.cce %r, %u {{{{{none}}}}} : {{r}}, {{u}}", lambda r, u: F.cross_entropy(r, u, reduction="none"), stat
    yield "mse", f"nova.mse %r, %u {{{{{none}}}}} : {{r}}, {{u}}", lambda r, u: F.mse_loss(r, u, reduction="none"), stat
    yield "mae", f"nova.mae %r, %u {{{{{none}}}}} : {{r}}, {{u}}", lambda r, u: F.l1_loss(r, u, reduction="none"), stat
    yield "bce", f"nova.bce %u, %u {{{{{none}}}}} : {{u}}, {{u}}", lambda u: F.binary_cross_entropy(u, u, reduction="none"), stat
    yield "layer_norm", "nova.layer_norm %r, %w, %b : {r}, {w}, {b}", layer_norm, dtype
    yield "rms_norm", "nova.rms_norm %r, %w : {r}, {w}", rms, dtype
    yield ("layer_norm_grad", "nova.layer_norm_grad %dy, %r, %w : {dy}, {r}, {w}",
           layer_norm_grad, dtype)  # fmt: skip
    yield "rms_norm_grad", "nova.rms_norm_grad %dy, %r, %w : {dy}, {r}, {w}", gradient_of(rms, 0, 1), dtype
    for kind, function in (("sum", torch.sum), ("mean", torch.mean), ("product", torch.prod), ("max", torch.amax), ("min", torch.amin)):
        yield f"reduce {kind}", f"nova.reduce {kind} %r over [1] : {{r}}", lambda r, f=function: f(r, 1), dtype
    yield "cumsum", "nova.cumsum %r : {r}", lambda r: r.cumsum(-1), dtype
    yield "rotary", "nova.rotary_embedding %r, %co, %si : {r}, {co}, {si}", rotated, dtype
    yield "global_norm", "nova.global_norm %r : {r}", lambda r: r.norm(), torch.float32
    yield "global_norm tiny", "nova.global_norm %b : {b}", lambda b: b.norm(), torch.float32
    if dtype in (torch.float64, torch.float32):
        for op, kind in (("adam", torch.optim.Adam), ("adamw", torch.optim.AdamW)):
            betas = {"betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0.0}
            flags = "beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, weight_decay = 0.0"
            yield (op, f"nova.{op} %dy, %r, %zero, %zero, lr %lr, step %n, scale %one {{{{{flags}}}}} : {{dy}}, {{r}}",
                   lambda dy, r, zero, lr, n, one, k=kind: optimized(k, betas, ["exp_avg", "exp_avg_sq"])(dy, r, zero, zero.clone(), lr, n, one), dtype)  # fmt: skip
        yield ("sgd", "nova.sgd %dy, %r, %zero, lr %lr, scale %one {{momentum = 0.9, weight_decay = 0.0}} : {dy}, {r}",
               lambda dy, r, zero, lr, one: optimized(torch.optim.SGD, {"momentum": 0.9}, ["momentum_buffer"])(dy, r, zero, lr, one), dtype)  # fmt: skip


def rotated(r, co, si):
    a, b = r[:, :2], r[:, 2:]
    return torch.cat([a * co - b * si, b * co + a * si], -1)


def operands(dtype):
    x = grid(dtype)
    values = {"x": x, "a": x.reshape(-1, 1), "c": (torch.arange(len(x)) % 3 == 0)}
    if dtype != torch.bool:
        picks = x[[0, 3, 4, 5, 7, 8]] if dtype.is_floating_point else x[[0, 2, 4, 6, 7]]
        values |= {"l": picks.reshape(-1, 1), "h": picks.flip(0).reshape(-1, 1, 1)}
    if dtype.is_floating_point:
        r, single = rows(dtype), torch.float64 if dtype == torch.float64 else torch.float32
        unit = torch.tensor([0.0, 1.0, 0.5, 0.25], dtype=dtype).expand_as(r)
        values |= {
            "r": r, "t": (torch.arange(len(r)) % 4).int(), "u": unit.contiguous(), "g": torch.linspace(-1, 2, len(r)).to(single),
            "dy": torch.linspace(-1, 1, r.numel()).reshape(r.shape).to(dtype), "w": torch.tensor([1.0, 0.5, -2.0, 0.0], dtype=dtype),
            "b": torch.tensor([0.0, 1e-7, 1e-6, 0.0], dtype=dtype), "co": torch.tensor([[0.5, 0.0]], dtype=dtype).expand(len(r), 2).contiguous(),
            "si": torch.tensor([[-0.5, 1.0]], dtype=dtype).expand(len(r), 2).contiguous(), "zero": torch.zeros_like(r),
            "lr": torch.tensor(0.5), "n": torch.tensor(0), "one": torch.tensor(1.0),
        }  # fmt: skip
    return values


def used(text, values):
    """The operands of an op in order, each once."""
    return list(dict.fromkeys(name for name in re.findall(r"%(\w+)", text) if name in values))


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def agrees(x, y, dtype):
    return torch.allclose(x.double(), y.double(), rtol=1e-2 if dtype in (torch.float16, torch.bfloat16) else 1e-5,
                          atol=1e-2 if dtype != torch.float64 else 1e-12, equal_nan=True)  # fmt: skip


HEADER = """\
// What PyTorch gives at special numbers (scripts/make_special_goldens.py), and what is documented where it gives nothing.
// RUN: nova-run %s --device=reference --inputs %S/Inputs/NAME.safetensors --outputs %t.reference.safetensors --quiet
// RUN: nova-run %s --device=cpu --inputs %S/Inputs/NAME.safetensors --outputs %t.cpu.safetensors --quiet
// RUN: nova-run %s --device=cpu --mode=eager --inputs %S/Inputs/NAME.safetensors --outputs %t.eager.safetensors --quiet
// RUN: nova-run %s --device=emulator --inputs %S/Inputs/NAME.safetensors --outputs %t.gpu.safetensors --quiet
// RUN: nova-run %s --device=emulator --mode=eager --inputs %S/Inputs/NAME.safetensors --outputs %t.gpu-eager.safetensors --quiet
// RUN: %python %S/special.py check %S/Inputs/NAME.safetensors %t.reference.safetensors \\
// RUN:   %t.cpu.safetensors %t.eager.safetensors %t.gpu.safetensors %t.gpu-eager.safetensors
// Constants in place of inputs fold to the same values.
// RUN: %python %S/special.py fold %S/Inputs/NAME.safetensors > %t.fold.mlir
// RUN: nova-opt %t.fold.mlir --canonicalize -o %t.folded.mlir
// RUN: nova-run %t.folded.mlir --device=reference --outputs %t.folded.safetensors --quiet
// RUN: %python %S/special.py check-fold %t.reference.safetensors %t.folded.safetensors
"""


def write(dtype):
    name, values, stored, body, results = f"special-{NAMES[dtype]}", operands(dtype), {}, [], []
    cases = list(elementwise(dtype))
    first_formula = len(cases)
    cases += formulas(dtype) if dtype.is_floating_point else []
    for number, (key, text, function, out) in enumerate(cases):
        names = used(text, values)
        exact = [values[n].double() if values[n].is_floating_point() else values[n] for n in names]
        found, own = as_tuple(function(*exact)), [None] * 3
        if (number >= first_formula or "gelu_grad" in key) and dtype != torch.float64:
            own = as_tuple(function(*(values[n].float() if values[n].is_floating_point() else values[n] for n in names)))
        id = key.replace(" ", "_") + ".y"
        for part, (right, kernel) in enumerate(zip(found, own)):
            right = narrowed(right, out).contiguous().clone()
            label = f"{key} {part}" if len(found) > 1 else key
            if kernel is not None and not agrees(kernel.to(out), right, dtype):
                stored[f"own.{label}"] = kernel.to(out).contiguous().clone()
            results.append((f"{id}#{part}" if len(found) > 1 else id, label, type_of(right)))
            stored[f"result.{label}"] = right
        several = f":{len(found)}" if len(found) > 1 else ""
        body.append(f"  %{id}{several} = " + text.format(result=results[-1][2], **{n: type_of(values[n]) for n in names}))
    stored |= {n: x.contiguous().clone() for n, x in values.items()}
    named = ", ".join(f'%{n}: {type_of(x)} {{nova.name = "{n}"}}' for n, x in values.items())
    outs = ",\n        ".join(f'{kind} {{nova.name = "result.{key}"}}' for _, key, kind in results)
    lines = [HEADER.replace("NAME", name), f"func.func @special({named})\n    -> ({outs}) {{", *body,
             f"  return {', '.join(f'%{id}' for id, _, _ in results)}", f"    : {', '.join(kind for *_, kind in results)}", "}", ""]  # fmt: skip
    (FOLDER / f"{name}.mlir").write_text("\n".join(lines))
    save(stored, FOLDER / "Inputs" / f"{name}.safetensors", {})
    print(f"{name}: {len(results)} results, {sum(x.numel() for k, x in stored.items() if k.startswith('result'))} points, "
          f"own: {[k for k in stored if k.startswith('own')]}")  # fmt: skip


if __name__ == "__main__":
    for dtype in NAMES:
        write(dtype)
