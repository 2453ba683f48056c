#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes test/Cases/Inputs/ops.json and its tensors: every op that from_torch.py translates, called once or more.

    python3 scripts/make_torch_cases.py [FOLDER]        # default: test/Cases/Inputs

One graph in the form that from_torch.py reads, each op on inputs of its own with what PyTorch computed for it, edges
included: infinities, NaN, ties, zeros, negative numbers and axes, halves, integers that do not divide. Needs torch and
safetensors from PyPI; the test that reads the files needs neither. Fails where an op of the table has no entry here.
"""

import json
import pathlib
import sys

import from_torch
import torch
from from_torch.registry import TRANSLATORS
from safetensors.torch import save_file

generator = torch.Generator().manual_seed(5)
INF, NAN = float("inf"), float("nan")


def normal(*shape, dtype=torch.float32):
    return torch.randn(shape, generator=generator).to(dtype)


def positive(*shape):
    return normal(*shape).abs() + 0.1


def unit(*shape):
    return torch.rand(shape, generator=generator) * 1.8 - 0.9


def whole(low, high, *shape, dtype=torch.int64):
    return torch.randint(low, high, shape, generator=generator).to(dtype)


def truth(*shape):
    return whole(0, 2, *shape).bool()


X, Y, Z = normal(3, 5), normal(3, 5), normal(5)
EDGES = torch.tensor([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, INF, -INF, NAN, 3.0, -3.0, 7.25])
SIMPLE = torch.tensor([0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, 3.0, -3.0, 7.25, -19.0, 25.0])
I, J = whole(-9, 9, 3, 4), torch.tensor([1, -2, 3, 4])
B, C = truth(3, 5), truth(5)
HALF = normal(3, 5, dtype=torch.bfloat16)
CUBE = normal(2, 3, 4)
TOKENS = whole(0, 6, 2, 4)
TABLE = normal(6, 3)
Q, K, V = normal(2, 4, 5, 3), normal(2, 2, 7, 3), normal(2, 2, 7, 3)
Q2, K2, V2 = normal(2, 2, 5, 3), normal(2, 2, 7, 3), normal(2, 2, 7, 3)
KEYS = torch.tensor([[1, 1, 0, 1, 0, 1, 1], [0] * 7, [1] * 7, [0, 0, 0, 0, 0, 0, 1], [1, 0] * 3 + [1]]).bool()
LOGS = torch.log_softmax(normal(4, 6), 1)
CLASSES = torch.tensor([2, -100, 5, 0])

CASES = []
# Results of ops that PyTorch cannot run here.
RESULTS = {}


def case(op, *arguments, **options):
    CASES.append((op, arguments, options))


def elementwise():
    for name in ("exp", "exp2", "expm1", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asinh", "atan", "erf", "sigmoid",
                 "silu", "floor", "ceil", "round", "trunc", "fix", "abs", "neg", "relu", "square", "sign",
                 "isnan", "isinf", "isfinite", "mish", "nan_to_num", "positive", "logical_not"):  # fmt: skip
        case(f"{name}.default", EDGES if name not in ("sin", "cos", "tan", "mish") else SIMPLE)
    for name in ("sqrt", "rsqrt", "reciprocal", "log", "log2", "log10", "log1p", "acosh"):
        case(f"{name}.default", positive(9) + (1 if name == "acosh" else 0))
    for name in ("asin", "acos", "atanh"):
        case(f"{name}.default", unit(9))
    for name in ("frac", "hardsigmoid", "hardswish", "softplus", "log_sigmoid_forward", "sgn", "hardtanh", "elu",
                 "leaky_relu"):  # fmt: skip
        case(f"{name}.default", SIMPLE)
    case("elu.default", SIMPLE, 0.7, 1.5, 0.3)
    case("exp.default", I)
    case("silu.default", HALF)
    case("floor.default", I)
    case("gelu.default", X)
    case("gelu.default", X, approximate="tanh")
    case("bitwise_not.default", B)
    case("bitwise_not.default", I)
    case("add.Tensor", X, Z, alpha=2)
    case("add.Tensor", I, 1.5)
    case("add.Tensor", B, C)
    case("add.Tensor", HALF, X)
    case("add.Tensor", HALF, normal())
    case("add.Scalar", HALF, 0.1)
    case("sub.Tensor", X, I[:, :1])
    case("sub.Scalar", X, 2)
    case("rsub.Scalar", X, 2, 3)
    case("rsub.Tensor", X, Y)
    case("mul.Tensor", B, X)
    case("mul.Tensor", B, C)
    case("mul.Scalar", HALF, 0.3)
    case("div.Tensor", I, J)
    case("div.Scalar", X, 3)
    case("true_divide.Tensor", X, Y)
    for mode in ("floor", "trunc"):
        case("div.Tensor_mode", I, J, rounding_mode=mode)
        case("div.Tensor_mode", SIMPLE, torch.tensor(0.7), rounding_mode=mode)
        case("div.Scalar_mode", SIMPLE, -0.7, rounding_mode=mode)
    case("floor_divide.default", I, J)
    case("floor_divide.Scalar", I, 4)
    for name in ("remainder", "fmod"):
        case(f"{name}.Tensor", I, J)
        case(f"{name}.Scalar", SIMPLE, -0.7)
    case("remainder.Scalar_Tensor", 5, J)
    case("pow.Tensor_Scalar", I, 3)
    case("pow.Tensor_Scalar", SIMPLE, 2)
    case("pow.Tensor_Scalar", positive(5), -0.5)
    case("pow.Tensor_Scalar", X, 3)
    case("pow.Tensor_Tensor", positive(3, 5), Z)
    case("pow.Scalar", 2, X)
    case("maximum.default", EDGES, EDGES.flip(0))
    case("minimum.default", EDGES, EDGES.flip(0))
    case("maximum.default", B, C)
    for name in ("max.other", "min.other"):
        case(name, X, Z)
    case("clamp.default", EDGES, -1, 2.0)
    case("clamp.default", I, None, 2)
    case("clamp.Tensor", X, Y, None)
    case("clip.default", X, 0)
    case("clip.Tensor", X, Y)
    case("clamp_min.default", X, 0)
    case("clamp_min.Tensor", X, Y)
    case("clamp_max.default", X, 0)
    case("clamp_max.Tensor", X, Y)
    case("atan2.default", SIMPLE, SIMPLE.flip(0))
    case("atan2.default", torch.tensor([0.0, -0.0, 0.0, -0.0]), torch.tensor([0.0, 0.0, -0.0, -0.0]))
    case("addcmul.default", X, Y, Z, value=0.5)
    case("addcdiv.default", X, Y, positive(5), value=2)
    case("lerp.Scalar", X, Y, 0.3)
    case("lerp.Tensor", X, Y, unit(5))
    for kind in ("eq", "ne", "lt", "le", "gt", "ge"):
        case(f"{kind}.Tensor", EDGES, EDGES.flip(0))
        case(f"{kind}.Scalar", I, 1.5)
    for kind in ("and", "or", "xor"):
        case(f"logical_{kind}.default", X, B)
        case(f"bitwise_{kind}.Tensor", I, J)
        case(f"bitwise_{kind}.Scalar", I, 6)
        case(f"bitwise_{kind}.Scalar_Tensor", 6, I)
        case(f"__{kind}__.Tensor", B, C)
        case(f"__{kind}__.Scalar", B, True)
    case("where.self", B, X, torch.tensor(2.0))
    case("where.ScalarSelf", B, 1, X)
    case("where.ScalarOther", B, X, 1.5)
    case("where.Scalar", B, 1.5, 2)
    case("masked_fill.Scalar", X, B, -INF)
    case("masked_fill.Tensor", X, C, torch.tensor(3.0))
    case("_to_copy.default", SIMPLE, dtype=torch.int32)
    case("_to_copy.default", I, dtype=torch.bool)
    case("to.dtype", X, torch.bfloat16)
    case("to.dtype_layout", X, dtype=torch.float16)
    case("to.device", X, "cpu", torch.float64)
    case("prims.convert_element_type.default", I, torch.float32)
    case("type_as.default", I, X)


def gradients():
    for name in ("tanh_backward", "sigmoid_backward"):
        case(f"{name}.default", X, torch.sigmoid(Y))
    case("silu_backward.default", X, Y)
    case("silu_backward.default", HALF, HALF)
    case("threshold_backward.default", X, Y, 0)
    case("leaky_relu_backward.default", X, Y, 0.1, False)
    case("hardtanh_backward.default", X, Y, -0.5, 0.5)
    case("hardsigmoid_backward.default", X, 3 * Y)
    case("hardswish_backward.default", X, 3 * Y)
    case("elu_backward.default", X, 0.7, 1.5, 0.3, False, Y)
    case("elu_backward.default", X, 0.7, 1.5, 0.3, True, Y)
    case("softplus_backward.default", X, Y, 2, 1)
    case("log_sigmoid_backward.default", X, Y, torch.exp(-Y.abs()))
    case("mish_backward.default", X, Y)
    case("gelu_backward.default", X, Y)
    case("gelu_backward.default", X, Y, approximate="tanh")


def shapes():
    for name in ("alias", "clone", "detach", "contiguous", "lift_fresh_copy", "lift_fresh", "alias_copy",
                 "detach_copy"):  # fmt: skip
        case(f"{name}.default", Z)
    case("copy.default", X, Z.bfloat16())
    for name in ("view", "_unsafe_view", "reshape", "view_copy"):
        case(f"{name}.default", X, [5, -1])
    case("_reshape_alias.default", X, [5, 3], [3, 1])
    case("unsqueeze.default", X, -1)
    case("unsqueeze_copy.default", X, 0)
    case("squeeze.default", X[:1])
    case("squeeze.dim", X[:1], 0)
    case("squeeze_copy.dim", X[:1], -1)
    case("squeeze.dims", X[:1], [0, 1])
    case("squeeze_copy.dims", X[:1], [0])
    case("flatten.using_ints", CUBE, 1)
    case("unflatten.int", CUBE, 2, [2, -1])
    case("view_as.default", X, X.reshape(5, 3))
    case("reshape_as.default", X, X.reshape(5, 3))
    case("atleast_1d.default", normal())
    case("ravel.default", X)
    case("permute.default", CUBE, [-1, 0, 1])
    case("permute_copy.default", CUBE, [1, 0, 2])
    for name in ("transpose.int", "transpose_copy.int", "swapaxes.default", "swapdims.default"):
        case(name, CUBE, 0, -1)
    case("t.default", X)
    case("t.default", Z)
    case("numpy_T.default", X)
    case("mT.default", CUBE)
    case("adjoint.default", CUBE)
    case("movedim.int", CUBE, 0, -1)
    case("movedim.intlist", CUBE, [0, 1], [2, 0])
    case("expand.default", X[:, :1], [2, -1, 5])
    case("expand_copy.default", X[:, :1], [3, 4])
    case("broadcast_to.default", Z, [2, 5])
    case("expand_as.default", Z, X)
    case("repeat.default", X, [2, 1, 3])
    case("tile.default", CUBE, [2, 1])
    case("repeat_interleave.self_int", X, 2, 1)
    case("repeat_interleave.self_int", X, 2)
    case("slice.Tensor", X, 1, -4, 9223372036854775807, 2)
    case("slice_copy.Tensor", X, 0, 1, -1)
    case("slice.Tensor", X, 1, 4, 2)
    case("narrow.default", X, 1, -3, 2)
    case("narrow_copy.default", X, 0, 1, 2)
    case("select.int", X, 1, -2)
    case("select_copy.int", X, 0, 1)
    case("split.Tensor", X, 2, 1)
    case("split_copy.Tensor", X, 2)
    case("split_with_sizes.default", X, [1, 4], -1)
    case("split_with_sizes_copy.default", X, [2, 1])
    case("split.sizes", X, [2, 1])
    case("chunk.default", X, 2, 1)
    case("tensor_split.sections", X, 2, 1)
    case("unbind.int", X)
    case("unbind_copy.int", X, 1)
    case("slice_backward.default", X, [3, 11], 1, 1, 11, 2)
    case("select_backward.default", Z, [5, 4], 1, -1)
    case("slice_scatter.default", normal(3, 11), X, 1, 1, 11, 2)
    case("slice_scatter.default", normal(3, 9), X, 1, -7, 7)
    case("select_scatter.default", X, Z, 0, -1)
    case("constant_pad_nd.default", X, [1, -2, 0, 1], 1.5)
    case("flip.default", CUBE, [0, -1])
    case("roll.default", X, [1, -2], [0, 1])
    case("roll.default", X, [4])
    case("cat.default", [X, torch.zeros(0), X], 0)
    case("concat.default", [X, I], -1)
    case("stack.default", [X, Y], -1)
    case("triu.default", CUBE, 1)
    case("tril.default", CUBE, -1)


def factories():
    case("arange.default", 5)
    case("arange.start", 1.5, 4)
    case("arange.start_step", 7, -2, -3)
    case("arange.start_step", 0, 1, 0.25, dtype=torch.float64)
    case("linspace.default", -1, 2, 7)
    case("eye.default", 3)
    case("eye.m", 2, 4, dtype=torch.int32)
    case("full.default", [2, 3], -INF)
    case("full.default", [], True)
    case("scalar_tensor.default", NAN)
    case("zeros.default", [2], dtype=torch.int64)
    case("ones.default", [2, 2])
    case("full_like.default", I, 3)
    case("zeros_like.default", X)
    case("ones_like.default", X, dtype=torch.bool)
    case("new_zeros.default", X, [2])
    case("new_ones.default", I, [])
    case("new_full.default", X, [2], 1.5)
    case("fill.Scalar", X, 2)
    case("fill.Tensor", X, torch.tensor(2.0))


def indexing():
    case("embedding.default", TABLE, TOKENS, 1)
    case("embedding_dense_backward.default", normal(2, 4, 3), TOKENS, 6, 2, False)
    case("embedding_dense_backward.default", normal(2, 4, 3), TOKENS, 6, -1, True)
    case("index_select.default", TABLE, 1, torch.tensor([2, 0, 2, 1]))
    case("index.Tensor", TABLE, [torch.tensor([[1, -1], [0, 5]])])
    case("index.Tensor", CUBE, [None, torch.tensor([0, 2]), torch.tensor([-1, 1])])
    case("index.Tensor", CUBE, [torch.tensor([0, 1, 1]), None, torch.tensor([[0], [-1]])])
    case("_unsafe_index.Tensor", X, [None, torch.tensor([4, 0])])
    case("index_put.default", TABLE, [torch.tensor([1, -1])], normal(2, 3), False)
    case("index_put.default", TABLE, [torch.tensor([1, 1, 4])], normal(3, 3), True)
    case("index_put.default", TABLE, [torch.tensor([1, 1, 4])], torch.tensor(7.0), False)
    case("index_put.default", CUBE, [None, torch.tensor([[0], [2]]), torch.tensor([1, 3])], normal(2, 1, 2), True)
    case("index_put.default", X, [B], torch.tensor(0.5))
    case("_unsafe_index_put.default", TABLE, [torch.tensor([0])], normal(1, 3), True)
    index = whole(0, 5, 2, 4)
    case("gather.default", X, 1, index)
    case("gather.default", X, 0, whole(0, 3, 2, 5))
    case("scatter.value", X, 1, torch.tensor([[0, 3], [1, 1]]), 2.5)
    case("scatter.src", X, 1, torch.tensor([[0, 3], [1, 4]]), Y)
    case("scatter.value_reduce", X, 1, index, 2.5, reduce="add")
    case("scatter.reduce", X, 1, index, Y, reduce="add")
    case("scatter_add.default", X, 1, index, Y)
    case("scatter_add.default", I, 0, whole(0, 3, 2, 4), whole(0, 9, 2, 4))
    case("index_add.default", X, 1, torch.tensor([1, 1, 0]), normal(3, 3), alpha=2)


def reductions():
    for x in (X, HALF, I):
        case("sum.default", x)
    case("sum.dim_IntList", B, [1])
    case("sum.dim_IntList", CUBE, [0, -1], True)
    case("sum.dim_IntList", CUBE, None, False, dtype=torch.float64)
    case("mean.default", X)
    case("mean.dim", HALF, [1], True)
    case("mean.dim", I, [0], False, dtype=torch.float32)
    case("prod.default", I)
    case("prod.dim_int", X, 1)
    edges = torch.stack([EDGES, SIMPLE[torch.arange(14) % 12]])
    for name in ("amax", "amin"):
        case(f"{name}.default", edges, [1])
        case(f"{name}.default", CUBE, [0, 2], True)
    for name in ("max", "min"):
        case(f"{name}.default", X)
        case(f"{name}.dim", edges, 1)
        case(f"{name}.dim", whole(0, 3, 4, 6), 0, True)
        case(f"arg{name}.default", whole(0, 3, 4, 6), 1)
        case(f"arg{name}.default", X)
    for name in ("any", "all"):
        case(f"{name}.default", B)
        case(f"{name}.dim", X, 1)
        case(f"{name}.dims", B, [0, 1], True)
    for name in ("var", "std"):
        case(f"{name}.correction", X, [1], correction=0)
        case(f"{name}.dim", CUBE, [0, 2])
        case(f"{name}.default", X)
        case(f"{name}_mean.correction", X, [0], correction=1, keepdim=True)
    for order in (2, 1, INF, -INF, 0, 3):
        case("linalg_vector_norm.default", X, order, [1])
    case("cumsum.default", CUBE, 1)
    case("cumsum.default", B, -1)
    case("logsumexp.default", CUBE, [0, 2], True)
    case("logsumexp.default", torch.tensor([[-INF, -INF], [INF, 1.0]]), [1])
    case("_softmax.default", CUBE, 1, False)
    case("_softmax.default", normal(), 0, False)
    case("softmax.int", HALF, -1, torch.float32)
    case("_safe_softmax.default", torch.tensor([[-INF, -INF], [0.0, 1.0]]), -1)
    case("_log_softmax.default", CUBE, 1, False)
    case("_log_softmax.default", HALF, 1, False)
    case("log_softmax.int", X, 0)
    case("_softmax_backward_data.default", CUBE, torch.softmax(CUBE, 1), 1, torch.float32)
    case("_log_softmax_backward_data.default", X, torch.log_softmax(Y, 0), 0, torch.float32)


def products():
    case("mm.default", X, normal(5, 4))
    case("bmm.default", CUBE, normal(2, 4, 3))
    case("mv.default", X, Z)
    case("dot.default", Z, normal(5))
    case("vdot.default", Z, normal(5))
    case("outer.default", Z, normal(3))
    for a, b in ((Z, Z), (X, Z), (normal(3), X), (CUBE, normal(4)), (normal(3), CUBE), (CUBE, normal(5, 1, 4, 2))):
        case("matmul.default", a, b)
    case("linear.default", CUBE, normal(5, 4), normal(5))
    case("linear.default", X, normal(2, 5))
    case("addmm.default", normal(4), X, normal(5, 4), beta=0.5, alpha=2)
    case("addmm.default", torch.full((4,), NAN), X, normal(5, 4), beta=0)
    case("addmm.default", HALF[0], HALF, normal(5, 5, dtype=torch.bfloat16))
    case("baddbmm.default", normal(2, 3, 3), CUBE, normal(2, 4, 3))
    case("addbmm.default", normal(3, 3), CUBE, normal(2, 4, 3))
    case("addmv.default", normal(3), X, Z, alpha=2)


def convolutions():
    image, weight = normal(2, 4, 7, 6), normal(6, 2, 3, 2)
    for stride, padding, dilation, groups in (([1, 1], [0, 0], [1, 1], 2), ([2, 3], [1, 2], [2, 1], 2)):
        arguments = (image, weight, normal(6), stride, padding, dilation, False, [0, 0], groups)
        case("convolution.default", *arguments)
        dy = torch.ops.aten.convolution.default(*arguments) * 0 + normal()
        dy = dy + torch.arange(dy.numel()).reshape(dy.shape) % 5
        case("convolution_backward.default", dy, image, weight, [6], *arguments[3:], [True, True, True])
    case("convolution.default", normal(2, 6, 3, 3), weight, None, [2, 3], [1, 0], [1, 2], True, [1, 0], 2)
    case("convolution.default", normal(2, 3, 9), normal(4, 3, 3), normal(4), [2], [1], [1], False, [0], 1)
    case("convolution_backward.default", normal(2, 4, 3), normal(2, 3, 8), normal(4, 3, 4), [4], [2], [0], [1], False,
         [0], 1, [False, True, True])  # fmt: skip
    case("conv2d.default", image, normal(3, 4, 3, 3), None, [2, 2])
    case("conv1d.default", normal(2, 3, 9), normal(4, 3, 3))
    case("_convolution.default", image, normal(3, 4, 3, 3), None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1,
         False, False, False, False)  # fmt: skip


def norms():
    w, b = normal(4), normal(4)
    case("native_layer_norm.default", CUBE, [4], w, b, 1e-5)
    case("native_layer_norm.default", CUBE, [3, 4], None, None, 1e-3)
    case("layer_norm.default", CUBE, [4], w)
    _, mean, rstd = torch.native_layer_norm(CUBE, [4], w, b, 1e-5)
    case("native_layer_norm_backward.default", normal(2, 3, 4), CUBE, [4], mean, rstd, w, b, [True, True, True])
    case("native_layer_norm_backward.default", normal(2, 3, 4), CUBE, [4], mean, rstd, None, None, [True, False, False])
    case("rms_norm.default", CUBE, [4], w)
    case("rms_norm.default", CUBE, [3, 4], None, 1e-3)
    case("_fused_rms_norm.default", CUBE, [4], w, 1e-5)
    rstd = torch.rsqrt((CUBE * CUBE).mean(-1, keepdim=True) + 1e-5)
    # PyTorch has it for GPUs alone; autograd knows what it gives.
    dy, x, wx = normal(2, 3, 4), CUBE.clone().requires_grad_(), w.clone().requires_grad_()
    gradients = torch.autograd.grad(torch.nn.functional.rms_norm(x, [4], wx, 1e-5), (x, wx), dy)
    RESULTS["_fused_rms_norm_backward.default"] = gradients
    case("_fused_rms_norm_backward.default", dy, CUBE, [4], rstd, w, [True, True])
    case("native_group_norm.default", normal(2, 4, 3), normal(4), normal(4), 2, 4, 3, 2, 1e-5)


def attention():
    case("scaled_dot_product_attention.default", Q2, K2, V2)
    case("scaled_dot_product_attention.default", Q2, K2, V2, KEYS, 0.0, False, scale=0.3)
    case("scaled_dot_product_attention.default", Q, K, V, normal(5, 7), enable_gqa=True)
    case("scaled_dot_product_attention.default", Q2[0], K2[0], V2[0], None, 0.0, True)
    for mask, causal in ((normal(2, 1, 5, 7), False), (None, True)):
        case("_scaled_dot_product_flash_attention_for_cpu.default", Q2, K2, V2, 0.0, causal, attn_mask=mask, scale=0.4)
        y, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(
            Q2, K2, V2, 0.0, causal, attn_mask=mask, scale=0.4)  # fmt: skip
        case("_scaled_dot_product_flash_attention_for_cpu_backward.default", normal(2, 2, 5, 3), Q2, K2, V2, y, lse,
             0.0, causal, attn_mask=mask, scale=0.4)  # fmt: skip
    case("native_dropout.default", X, 0.5, False)
    case("native_dropout.default", X, 1.0, True)
    case("native_dropout_backward.default", X, B, 1.25)
    case("dropout.default", X, 0.5, False)


def losses():
    weight = positive(6)
    for reduction in (0, 1, 2):
        case("nll_loss_forward.default", LOGS, CLASSES, weight, reduction, -100)
        total = weight[CLASSES[CLASSES >= 0]].sum()
        dy = normal(4) if reduction == 0 else normal()
        case("nll_loss_backward.default", dy, LOGS, CLASSES, weight, reduction, -100, total)
        case("mse_loss.default", X, Y, reduction)
        case("mse_loss_backward.default", normal(3, 5) if reduction == 0 else normal(), X, Y, reduction)
    case("nll_loss_forward.default", LOGS, torch.full((4,), 2), None, 1, 2)
    case("nll_loss2d_forward.default", normal(2, 3, 2, 2), whole(0, 3, 2, 2, 2), None, 1, 1)
    case("nll_loss2d_backward.default", normal(), normal(2, 3, 2, 2), whole(0, 3, 2, 2, 2), None, 1, 1,
         torch.tensor(8.0))  # fmt: skip
    case("nll_loss.default", LOGS[0], torch.tensor(3))
    case("nll_loss2d.default", normal(2, 3, 2, 2), whole(0, 3, 2, 2, 2))
    case("nll_loss_nd.default", LOGS, CLASSES)
    case("cross_entropy_loss.default", normal(4, 6), CLASSES, weight, 1, -100, 0.2)
    case("cross_entropy_loss.default", normal(4, 6), CLASSES, None, 0)
    case("l1_loss.default", X, Y, 2)
    case("smooth_l1_loss.default", X, Y, 1, 0.5)
    case("huber_loss.default", X, Y, 1, 0.5)
    case("binary_cross_entropy_with_logits.default", X, torch.sigmoid(Y), positive(5), positive(5), 1)
    case("binary_cross_entropy.default", torch.sigmoid(X), torch.sigmoid(Y), None, 0)


# Undefined values, random ones, which need a record, and what says nothing by itself: tested elsewhere.
UNTESTED = {"empty.memory_format", "empty_strided.default", "empty_permuted.default", "empty_like.default",
            "new_empty.default", "new_empty_strided.default", "bernoulli.default", "bernoulli.p", "rand.default",
            "rand_like.default", "randn.default", "randn_like.default", "uniform.default", "normal.Tensor_float",
            "normal_functional.default", "_index_put_impl.default"}  # fmt: skip


def resolve(op):
    namespace, name, overload = full_name(op).split(".")
    return getattr(getattr(getattr(torch.ops, namespace), name), overload)


def full_name(op):
    return op if op.count(".") == 2 else f"aten.{op}"


class Graph:
    """Nodes, inputs and results; equal tensors are one input."""

    def __init__(self):
        self.inputs, self.nodes, self.outputs, self.tensors = [], [], [], {}

    def encode(self, value):
        if isinstance(value, torch.Tensor):
            return {"ref": self.input(value)}
        if isinstance(value, (list, tuple)):
            return [self.encode(item) for item in value]
        if isinstance(value, float) and value in (INF, -INF) or value != value:
            return "nan" if value != value else "inf" if value > 0 else "-inf"
        return str(value) if isinstance(value, torch.dtype) else value

    def input(self, value):
        value = value.contiguous()
        for item in self.inputs:
            known = self.tensors[item["tensor"]]
            if known.dtype == value.dtype and known.shape == value.shape and same_bits(known, value):
                return item["name"]
        name = f"x{len(self.inputs)}"
        said = from_torch.exported.described(value)
        self.inputs.append({"name": name, "role": "input", "original_name": name, **said, "tensor": f"input.{name}"})
        self.tensors[f"input.{name}"] = value.clone()
        return name

    def add(self, op, arguments, options):
        result = RESULTS.get(op) or resolve(op)(*arguments, **options)
        results = list(result) if isinstance(result, (list, tuple)) else [result]
        name = f"n{len(self.nodes)}"
        self.nodes.append({"name": name, "op": full_name(op), "args": self.encode(arguments),
                           "kwargs": {key: self.encode(value) for key, value in options.items()},
                           "outputs": [from_torch.exported.described(value) for value in results]})  # fmt: skip
        for i, value in enumerate(results):
            if value is not None and value.numel():
                key = f"expected.{name}.{op}" + (f".{i}" if len(results) > 1 else "")
                self.outputs.append({"value": name, "index": i, "role": "result", "tensor": key})
                self.tensors[key] = value.contiguous().clone()

    def write(self, folder):
        lines = []
        for key in ("inputs", "nodes", "outputs"):
            rows = ",\n".join("  " + json.dumps(row, separators=(",", ":")) for row in getattr(self, key))
            lines.append(f' "{key}": [\n{rows}\n ]')
        (folder / "ops.json").write_text('{\n "kind": "ops",\n' + ",\n".join(lines) + "\n}\n")
        save_file(self.tensors, folder / "ops.safetensors", metadata={"torch": torch.__version__})


def same_bits(a, b):
    return (
        bytes(a.contiguous().view(torch.uint8).flatten().tolist()) == bytes(b.view(torch.uint8).flatten().tolist())
        if (a.dim())
        else bool(a == b)
    )


def main():
    torch.set_num_threads(1)
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "test/Cases/Inputs")
    for group in (
        elementwise,
        gradients,
        shapes,
        factories,
        indexing,
        reductions,
        products,
        convolutions,
        norms,
        attention,
        losses,
    ):
        group()
    graph = Graph()
    for op, arguments, options in CASES:
        graph.add(op, arguments, options)
    graph.write(folder)
    missing = set(TRANSLATORS) - {node["op"] for node in graph.nodes} - {full_name(op) for op in UNTESTED}
    if missing:
        sys.exit(f"expected a case for every op, found none for {', '.join(sorted(missing))}")
    print(f"{len(graph.nodes)} calls of {len({node['op'] for node in graph.nodes})} ops")


if __name__ == "__main__":
    main()
