// Every family, element type and odd shape as code for a GPU, with no local memory; see nova-translate's warnings.
// REQUIRES: ptxas
// RUN: nova-opt %s --nova-cuda-pipeline="chip=sm_80" -o %t.mlir
// RUN: nova-translate %t.mlir --nova-to-cubin --chip=sm_80 -o %t.cubin 2>&1 | FileCheck %s --allow-empty
// RUN: nova-translate %t.mlir --nova-to-cubin --chip=sm_89 -o %t.cubin 2>&1 | FileCheck %s --allow-empty
// RUN: nova-translate %t.mlir --nova-to-cubin --chip=sm_90 -o %t.cubin 2>&1 | FileCheck %s --allow-empty
// RUN: nova-opt %s --nova-cuda-pipeline="chip=sm_80 matmul-precision=tf32" -o %t.tf32.mlir
// RUN: nova-translate %t.tf32.mlir --nova-to-cubin --chip=sm_80 -o %t.cubin 2>&1 | FileCheck %s --allow-empty
// RUN: nova-translate %t.tf32.mlir --nova-to-cubin --chip=sm_89 -o %t.cubin 2>&1 | FileCheck %s --allow-empty
// RUN: nova-translate %t.tf32.mlir --nova-to-cubin --chip=sm_90 -o %t.cubin 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: uses local memory
// CHECK-NOT: error

nova.kernel @attention_d20(%q: tensor<1x2x33x20xf32>, %k: tensor<1x2x33x20xf32>, %v: tensor<1x2x33x20xf32>)
    -> (tensor<1x2x33x20xf32>, tensor<1x2x33xf32>) family attention {
  %y, %lse = nova.attention %q, %k, %v {causal} : tensor<1x2x33x20xf32>, tensor<1x2x33x20xf32>, tensor<1x2x33x20xf32>
  nova.return %y, %lse : tensor<1x2x33x20xf32>, tensor<1x2x33xf32>
}
nova.kernel @attention_grad_query_d20(%dy: tensor<1x2x33x20xf32>, %q: tensor<1x2x33x20xf32>,
    %k: tensor<1x2x33x20xf32>, %v: tensor<1x2x33x20xf32>, %lse: tensor<1x2x33xf32>, %delta: tensor<1x2x33xf32>)
    -> tensor<1x2x33x20xf32> family attention {
  %dq = nova.attention_grad_query %dy, %q, %k, %v, %lse, %delta {causal} : tensor<1x2x33x20xf32>,
    tensor<1x2x33x20xf32>, tensor<1x2x33x20xf32>, tensor<1x2x33x20xf32>, tensor<1x2x33xf32>, tensor<1x2x33xf32>
  nova.return %dq : tensor<1x2x33x20xf32>
}
nova.kernel @attention_grad_key_value_d20(%dy: tensor<1x2x33x20xf32>, %q: tensor<1x2x33x20xf32>,
    %k: tensor<1x2x33x20xf32>, %v: tensor<1x2x33x20xf32>, %lse: tensor<1x2x33xf32>, %delta: tensor<1x2x33xf32>)
    -> (tensor<1x2x33x20xf32>, tensor<1x2x33x20xf32>) family attention {
  %dk, %dv = nova.attention_grad_key_value %dy, %q, %k, %v, %lse, %delta {causal} : tensor<1x2x33x20xf32>,
    tensor<1x2x33x20xf32>, tensor<1x2x33x20xf32>, tensor<1x2x33x20xf32>, tensor<1x2x33xf32>, tensor<1x2x33xf32>
  nova.return %dk, %dv : tensor<1x2x33x20xf32>, tensor<1x2x33x20xf32>
}
nova.kernel @attention_d64(%q: tensor<1x2x70x64xf32>, %k: tensor<1x2x70x64xf32>, %v: tensor<1x2x70x64xf32>)
    -> (tensor<1x2x70x64xf32>, tensor<1x2x70xf32>) family attention {
  %y, %lse = nova.attention %q, %k, %v {causal} : tensor<1x2x70x64xf32>, tensor<1x2x70x64xf32>, tensor<1x2x70x64xf32>
  nova.return %y, %lse : tensor<1x2x70x64xf32>, tensor<1x2x70xf32>
}
nova.kernel @attention_grad_query_d64(%dy: tensor<1x2x70x64xf32>, %q: tensor<1x2x70x64xf32>,
    %k: tensor<1x2x70x64xf32>, %v: tensor<1x2x70x64xf32>, %lse: tensor<1x2x70xf32>, %delta: tensor<1x2x70xf32>)
    -> tensor<1x2x70x64xf32> family attention {
  %dq = nova.attention_grad_query %dy, %q, %k, %v, %lse, %delta {causal} : tensor<1x2x70x64xf32>,
    tensor<1x2x70x64xf32>, tensor<1x2x70x64xf32>, tensor<1x2x70x64xf32>, tensor<1x2x70xf32>, tensor<1x2x70xf32>
  nova.return %dq : tensor<1x2x70x64xf32>
}
nova.kernel @attention_grad_key_value_d64(%dy: tensor<1x2x70x64xf32>, %q: tensor<1x2x70x64xf32>,
    %k: tensor<1x2x70x64xf32>, %v: tensor<1x2x70x64xf32>, %lse: tensor<1x2x70xf32>, %delta: tensor<1x2x70xf32>)
    -> (tensor<1x2x70x64xf32>, tensor<1x2x70x64xf32>) family attention {
  %dk, %dv = nova.attention_grad_key_value %dy, %q, %k, %v, %lse, %delta {causal} : tensor<1x2x70x64xf32>,
    tensor<1x2x70x64xf32>, tensor<1x2x70x64xf32>, tensor<1x2x70x64xf32>, tensor<1x2x70xf32>, tensor<1x2x70xf32>
  nova.return %dk, %dv : tensor<1x2x70x64xf32>, tensor<1x2x70x64xf32>
}
nova.kernel @attention_d256(%q: tensor<1x2x17x256xf32>, %k: tensor<1x2x45x256xf32>, %v: tensor<1x2x45x256xf32>)
    -> (tensor<1x2x17x256xf32>, tensor<1x2x17xf32>) family attention {
  %y, %lse = nova.attention %q, %k, %v : tensor<1x2x17x256xf32>, tensor<1x2x45x256xf32>, tensor<1x2x45x256xf32>
  nova.return %y, %lse : tensor<1x2x17x256xf32>, tensor<1x2x17xf32>
}
nova.kernel @attention_grad_query_d256(%dy: tensor<1x2x17x256xf32>, %q: tensor<1x2x17x256xf32>,
    %k: tensor<1x2x45x256xf32>, %v: tensor<1x2x45x256xf32>, %lse: tensor<1x2x17xf32>, %delta: tensor<1x2x17xf32>)
    -> tensor<1x2x17x256xf32> family attention {
  %dq = nova.attention_grad_query %dy, %q, %k, %v, %lse, %delta : tensor<1x2x17x256xf32>,
    tensor<1x2x17x256xf32>, tensor<1x2x45x256xf32>, tensor<1x2x45x256xf32>, tensor<1x2x17xf32>, tensor<1x2x17xf32>
  nova.return %dq : tensor<1x2x17x256xf32>
}
nova.kernel @attention_grad_key_value_d256(%dy: tensor<1x2x17x256xf32>, %q: tensor<1x2x17x256xf32>,
    %k: tensor<1x2x45x256xf32>, %v: tensor<1x2x45x256xf32>, %lse: tensor<1x2x17xf32>, %delta: tensor<1x2x17xf32>)
    -> (tensor<1x2x45x256xf32>, tensor<1x2x45x256xf32>) family attention {
  %dk, %dv = nova.attention_grad_key_value %dy, %q, %k, %v, %lse, %delta : tensor<1x2x17x256xf32>,
    tensor<1x2x17x256xf32>, tensor<1x2x45x256xf32>, tensor<1x2x45x256xf32>, tensor<1x2x17xf32>, tensor<1x2x17xf32>
  nova.return %dk, %dv : tensor<1x2x45x256xf32>, tensor<1x2x45x256xf32>
}
nova.kernel @attention_bf16(%q: tensor<1x2x33x65xbf16>, %k: tensor<1x2x45x65xbf16>, %v: tensor<1x2x45x40xbf16>)
    -> (tensor<1x2x33x40xbf16>, tensor<1x2x33xf32>) family attention {
  %y, %lse = nova.attention %q, %k, %v {causal} : tensor<1x2x33x65xbf16>, tensor<1x2x45x65xbf16>,
    tensor<1x2x45x40xbf16>
  nova.return %y, %lse : tensor<1x2x33x40xbf16>, tensor<1x2x33xf32>
}
nova.kernel @attention_grad_query_bf16(%dy: tensor<1x2x33x40xbf16>, %q: tensor<1x2x33x65xbf16>,
    %k: tensor<1x2x45x65xbf16>, %v: tensor<1x2x45x40xbf16>, %lse: tensor<1x2x33xf32>, %delta: tensor<1x2x33xf32>)
    -> tensor<1x2x33x65xbf16> family attention {
  %dq = nova.attention_grad_query %dy, %q, %k, %v, %lse, %delta {causal} : tensor<1x2x33x40xbf16>,
    tensor<1x2x33x65xbf16>, tensor<1x2x45x65xbf16>, tensor<1x2x45x40xbf16>, tensor<1x2x33xf32>, tensor<1x2x33xf32>
  nova.return %dq : tensor<1x2x33x65xbf16>
}
nova.kernel @attention_grad_key_value_bf16(%dy: tensor<1x2x33x40xbf16>, %q: tensor<1x2x33x65xbf16>,
    %k: tensor<1x2x45x65xbf16>, %v: tensor<1x2x45x40xbf16>, %lse: tensor<1x2x33xf32>, %delta: tensor<1x2x33xf32>)
    -> (tensor<1x2x45x65xbf16>, tensor<1x2x45x40xbf16>) family attention {
  %dk, %dv = nova.attention_grad_key_value %dy, %q, %k, %v, %lse, %delta {causal} : tensor<1x2x33x40xbf16>,
    tensor<1x2x33x65xbf16>, tensor<1x2x45x65xbf16>, tensor<1x2x45x40xbf16>, tensor<1x2x33xf32>, tensor<1x2x33xf32>
  nova.return %dk, %dv : tensor<1x2x45x65xbf16>, tensor<1x2x45x40xbf16>
}
nova.kernel @attention_f64(%q: tensor<1x2x19x128xf64>, %k: tensor<1x2x21x128xf64>, %v: tensor<1x2x21x24xf64>)
    -> (tensor<1x2x19x24xf64>, tensor<1x2x19xf64>) family attention {
  %y, %lse = nova.attention %q, %k, %v {causal} : tensor<1x2x19x128xf64>, tensor<1x2x21x128xf64>,
    tensor<1x2x21x24xf64>
  nova.return %y, %lse : tensor<1x2x19x24xf64>, tensor<1x2x19xf64>
}
nova.kernel @attention_grad_query_f64(%dy: tensor<1x2x19x24xf64>, %q: tensor<1x2x19x128xf64>,
    %k: tensor<1x2x21x128xf64>, %v: tensor<1x2x21x24xf64>, %lse: tensor<1x2x19xf64>, %delta: tensor<1x2x19xf64>)
    -> tensor<1x2x19x128xf64> family attention {
  %dq = nova.attention_grad_query %dy, %q, %k, %v, %lse, %delta {causal} : tensor<1x2x19x24xf64>,
    tensor<1x2x19x128xf64>, tensor<1x2x21x128xf64>, tensor<1x2x21x24xf64>, tensor<1x2x19xf64>, tensor<1x2x19xf64>
  nova.return %dq : tensor<1x2x19x128xf64>
}
nova.kernel @attention_grad_key_value_f64(%dy: tensor<1x2x19x24xf64>, %q: tensor<1x2x19x128xf64>,
    %k: tensor<1x2x21x128xf64>, %v: tensor<1x2x21x24xf64>, %lse: tensor<1x2x19xf64>, %delta: tensor<1x2x19xf64>)
    -> (tensor<1x2x21x128xf64>, tensor<1x2x21x24xf64>) family attention {
  %dk, %dv = nova.attention_grad_key_value %dy, %q, %k, %v, %lse, %delta {causal} : tensor<1x2x19x24xf64>,
    tensor<1x2x19x128xf64>, tensor<1x2x21x128xf64>, tensor<1x2x21x24xf64>, tensor<1x2x19xf64>, tensor<1x2x19xf64>
  nova.return %dk, %dv : tensor<1x2x21x128xf64>, tensor<1x2x21x24xf64>
}
nova.kernel @matmul_nn(%x: tensor<99x60xf32>, %w: tensor<60x131xf32>, %b: tensor<131xf32>, %r: tensor<99x131xf32>)
    -> tensor<99x131xf32> family matmul {
  %0 = nova.matmul %x, %w : tensor<99x60xf32>, tensor<60x131xf32>
  %1 = nova.add %0, %b : tensor<99x131xf32>, tensor<131xf32>
  %2 = nova.gelu tanh %1 : tensor<99x131xf32>
  %3 = nova.add %2, %r : tensor<99x131xf32>, tensor<99x131xf32>
  nova.return %3 : tensor<99x131xf32>
}
nova.kernel @matmul_nt(%x: tensor<99x60xf32>, %w: tensor<131x60xf32>, %b: tensor<131xf32>, %r: tensor<99x131xf32>)
    -> tensor<99x131xf32> family matmul {
  %0 = nova.matmul %x, %w {transpose_rhs} : tensor<99x60xf32>, tensor<131x60xf32>
  %1 = nova.add %0, %b : tensor<99x131xf32>, tensor<131xf32>
  %2 = nova.gelu tanh %1 : tensor<99x131xf32>
  %3 = nova.add %2, %r : tensor<99x131xf32>, tensor<99x131xf32>
  nova.return %3 : tensor<99x131xf32>
}
nova.kernel @matmul_tn(%x: tensor<60x99xf32>, %w: tensor<60x131xf32>, %b: tensor<131xf32>, %r: tensor<99x131xf32>)
    -> tensor<99x131xf32> family matmul {
  %0 = nova.matmul %x, %w {transpose_lhs} : tensor<60x99xf32>, tensor<60x131xf32>
  %1 = nova.add %0, %b : tensor<99x131xf32>, tensor<131xf32>
  %2 = nova.gelu tanh %1 : tensor<99x131xf32>
  %3 = nova.add %2, %r : tensor<99x131xf32>, tensor<99x131xf32>
  nova.return %3 : tensor<99x131xf32>
}
nova.kernel @matmul_tt(%x: tensor<60x99xf32>, %w: tensor<131x60xf32>, %b: tensor<131xf32>, %r: tensor<99x131xf32>)
    -> tensor<99x131xf32> family matmul {
  %0 = nova.matmul %x, %w {transpose_lhs, transpose_rhs} : tensor<60x99xf32>, tensor<131x60xf32>
  %1 = nova.add %0, %b : tensor<99x131xf32>, tensor<131xf32>
  %2 = nova.gelu tanh %1 : tensor<99x131xf32>
  %3 = nova.add %2, %r : tensor<99x131xf32>, tensor<99x131xf32>
  nova.return %3 : tensor<99x131xf32>
}
nova.kernel @matmul_large(%x: tensor<4096x768xf32>, %w: tensor<768x3072xf32>) -> tensor<4096x3072xf32> family matmul {
  %0 = nova.matmul %x, %w : tensor<4096x768xf32>, tensor<768x3072xf32>
  nova.return %0 : tensor<4096x3072xf32>
}
nova.kernel @matmul_batched(%x: tensor<3x33x20xf32>, %w: tensor<1x20x65xf32>) -> tensor<3x33x65xf32> family matmul {
  %0 = nova.matmul %x, %w : tensor<3x33x20xf32>, tensor<1x20x65xf32>
  nova.return %0 : tensor<3x33x65xf32>
}
nova.kernel @matmul_pairs(%x: tensor<99x61xbf16>, %w: tensor<131x61xbf16>, %b: tensor<131xf32>,
    %r: tensor<99x131xf32>) -> tensor<99x131xf32> family matmul {
  %c = nova.cast %x : tensor<99x61xbf16> -> tensor<99x61xf32>
  %d = nova.cast %w : tensor<131x61xbf16> -> tensor<131x61xf32>
  %0 = nova.matmul %c, %d {transpose_rhs} : tensor<99x61xf32>, tensor<131x61xf32>
  %1 = nova.add %0, %b : tensor<99x131xf32>, tensor<131xf32>
  %2 = nova.gelu tanh %1 : tensor<99x131xf32>
  %3 = nova.add %2, %r : tensor<99x131xf32>, tensor<99x131xf32>
  nova.return %3 : tensor<99x131xf32>
}
nova.kernel @matmul_pairs_large(%x: tensor<768x4096xf16>, %w: tensor<768x3072xf16>) -> tensor<4096x3072xf32>
    family matmul {
  %a = nova.cast %x : tensor<768x4096xf16> -> tensor<768x4096xf32>
  %b = nova.cast %w : tensor<768x3072xf16> -> tensor<768x3072xf32>
  %0 = nova.matmul %a, %b {transpose_lhs} : tensor<768x4096xf32>, tensor<768x3072xf32>
  nova.return %0 : tensor<4096x3072xf32>
}
nova.kernel @matmul_bf16(%x: tensor<9x20xbf16>, %w: tensor<20x7xbf16>) -> tensor<9x7xbf16> family matmul {
  %0 = nova.matmul %x, %w : tensor<9x20xbf16>, tensor<20x7xbf16>
  nova.return %0 : tensor<9x7xbf16>
}
nova.kernel @layer_norm_60_f32(%x: tensor<99x60xf32>, %w: tensor<60xf32>, %b: tensor<60xf32>)
    -> tensor<99x60xf32> family row {
  %y = nova.layer_norm %x, %w, %b : tensor<99x60xf32>, tensor<60xf32>, tensor<60xf32>
  nova.return %y : tensor<99x60xf32>
}
nova.kernel @layer_norm_grad_60_f32(%dy: tensor<99x2x60xf32>, %x: tensor<99x2x60xf32>, %w: tensor<60xf32>)
    -> (tensor<99x2x60xf32>, tensor<99x60xf32>, tensor<99x60xf32>) family row {
  %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w {partials = 1 : i64} : tensor<99x2x60xf32>,
    tensor<99x2x60xf32>, tensor<60xf32>
  nova.return %dx, %dw, %db : tensor<99x2x60xf32>, tensor<99x60xf32>, tensor<99x60xf32>
}
nova.kernel @softmax_60_f32(%x: tensor<99x60xf32>) -> tensor<99x60xf32> family row {
  %y = nova.softmax %x : tensor<99x60xf32>
  nova.return %y : tensor<99x60xf32>
}
nova.kernel @softmax_grad_60_f32(%dy: tensor<99x60xf32>, %y: tensor<99x60xf32>) -> tensor<99x60xf32> family row {
  %dx = nova.softmax_grad %dy, %y : tensor<99x60xf32>, tensor<99x60xf32>
  nova.return %dx : tensor<99x60xf32>
}
nova.kernel @layer_norm_768_f32(%x: tensor<99x768xf32>, %w: tensor<768xf32>, %b: tensor<768xf32>)
    -> tensor<99x768xf32> family row {
  %y = nova.layer_norm %x, %w, %b : tensor<99x768xf32>, tensor<768xf32>, tensor<768xf32>
  nova.return %y : tensor<99x768xf32>
}
nova.kernel @layer_norm_grad_768_f32(%dy: tensor<99x2x768xf32>, %x: tensor<99x2x768xf32>, %w: tensor<768xf32>)
    -> (tensor<99x2x768xf32>, tensor<99x768xf32>, tensor<99x768xf32>) family row {
  %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w {partials = 1 : i64} : tensor<99x2x768xf32>,
    tensor<99x2x768xf32>, tensor<768xf32>
  nova.return %dx, %dw, %db : tensor<99x2x768xf32>, tensor<99x768xf32>, tensor<99x768xf32>
}
nova.kernel @softmax_768_f32(%x: tensor<99x768xf32>) -> tensor<99x768xf32> family row {
  %y = nova.softmax %x : tensor<99x768xf32>
  nova.return %y : tensor<99x768xf32>
}
nova.kernel @softmax_grad_768_f32(%dy: tensor<99x768xf32>, %y: tensor<99x768xf32>) -> tensor<99x768xf32> family row {
  %dx = nova.softmax_grad %dy, %y : tensor<99x768xf32>, tensor<99x768xf32>
  nova.return %dx : tensor<99x768xf32>
}
nova.kernel @layer_norm_5003_f32(%x: tensor<5x5003xf32>, %w: tensor<5003xf32>, %b: tensor<5003xf32>)
    -> tensor<5x5003xf32> family row {
  %y = nova.layer_norm %x, %w, %b : tensor<5x5003xf32>, tensor<5003xf32>, tensor<5003xf32>
  nova.return %y : tensor<5x5003xf32>
}
nova.kernel @layer_norm_grad_5003_f32(%dy: tensor<5x2x5003xf32>, %x: tensor<5x2x5003xf32>, %w: tensor<5003xf32>)
    -> (tensor<5x2x5003xf32>, tensor<5x5003xf32>, tensor<5x5003xf32>) family row {
  %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w {partials = 1 : i64} : tensor<5x2x5003xf32>,
    tensor<5x2x5003xf32>, tensor<5003xf32>
  nova.return %dx, %dw, %db : tensor<5x2x5003xf32>, tensor<5x5003xf32>, tensor<5x5003xf32>
}
nova.kernel @softmax_5003_f32(%x: tensor<5x5003xf32>) -> tensor<5x5003xf32> family row {
  %y = nova.softmax %x : tensor<5x5003xf32>
  nova.return %y : tensor<5x5003xf32>
}
nova.kernel @softmax_grad_5003_f32(%dy: tensor<5x5003xf32>, %y: tensor<5x5003xf32>) -> tensor<5x5003xf32> family row {
  %dx = nova.softmax_grad %dy, %y : tensor<5x5003xf32>, tensor<5x5003xf32>
  nova.return %dx : tensor<5x5003xf32>
}
nova.kernel @layer_norm_33_f64(%x: tensor<9x33xf64>, %w: tensor<33xf64>, %b: tensor<33xf64>)
    -> tensor<9x33xf64> family row {
  %y = nova.layer_norm %x, %w, %b : tensor<9x33xf64>, tensor<33xf64>, tensor<33xf64>
  nova.return %y : tensor<9x33xf64>
}
nova.kernel @layer_norm_grad_33_f64(%dy: tensor<9x2x33xf64>, %x: tensor<9x2x33xf64>, %w: tensor<33xf64>)
    -> (tensor<9x2x33xf64>, tensor<9x33xf64>, tensor<9x33xf64>) family row {
  %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w {partials = 1 : i64} : tensor<9x2x33xf64>,
    tensor<9x2x33xf64>, tensor<33xf64>
  nova.return %dx, %dw, %db : tensor<9x2x33xf64>, tensor<9x33xf64>, tensor<9x33xf64>
}
nova.kernel @softmax_33_f64(%x: tensor<9x33xf64>) -> tensor<9x33xf64> family row {
  %y = nova.softmax %x : tensor<9x33xf64>
  nova.return %y : tensor<9x33xf64>
}
nova.kernel @softmax_grad_33_f64(%dy: tensor<9x33xf64>, %y: tensor<9x33xf64>) -> tensor<9x33xf64> family row {
  %dx = nova.softmax_grad %dy, %y : tensor<9x33xf64>, tensor<9x33xf64>
  nova.return %dx : tensor<9x33xf64>
}
nova.kernel @layer_norm_33_bf16(%x: tensor<9x33xbf16>, %w: tensor<33xbf16>, %b: tensor<33xbf16>)
    -> tensor<9x33xbf16> family row {
  %y = nova.layer_norm %x, %w, %b : tensor<9x33xbf16>, tensor<33xbf16>, tensor<33xbf16>
  nova.return %y : tensor<9x33xbf16>
}
nova.kernel @layer_norm_grad_33_bf16(%dy: tensor<9x2x33xbf16>, %x: tensor<9x2x33xbf16>, %w: tensor<33xbf16>)
    -> (tensor<9x2x33xbf16>, tensor<9x33xbf16>, tensor<9x33xbf16>) family row {
  %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w {partials = 1 : i64} : tensor<9x2x33xbf16>,
    tensor<9x2x33xbf16>, tensor<33xbf16>
  nova.return %dx, %dw, %db : tensor<9x2x33xbf16>, tensor<9x33xbf16>, tensor<9x33xbf16>
}
nova.kernel @softmax_33_bf16(%x: tensor<9x33xbf16>) -> tensor<9x33xbf16> family row {
  %y = nova.softmax %x : tensor<9x33xbf16>
  nova.return %y : tensor<9x33xbf16>
}
nova.kernel @softmax_grad_33_bf16(%dy: tensor<9x33xbf16>, %y: tensor<9x33xbf16>) -> tensor<9x33xbf16> family row {
  %dx = nova.softmax_grad %dy, %y : tensor<9x33xbf16>, tensor<9x33xbf16>
  nova.return %dx : tensor<9x33xbf16>
}
nova.kernel @layer_norm_1500_f16(%x: tensor<9x1500xf16>, %w: tensor<1500xf16>, %b: tensor<1500xf16>)
    -> tensor<9x1500xf16> family row {
  %y = nova.layer_norm %x, %w, %b : tensor<9x1500xf16>, tensor<1500xf16>, tensor<1500xf16>
  nova.return %y : tensor<9x1500xf16>
}
nova.kernel @layer_norm_grad_1500_f16(%dy: tensor<9x2x1500xf16>, %x: tensor<9x2x1500xf16>, %w: tensor<1500xf16>)
    -> (tensor<9x2x1500xf16>, tensor<9x1500xf16>, tensor<9x1500xf16>) family row {
  %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w {partials = 1 : i64} : tensor<9x2x1500xf16>,
    tensor<9x2x1500xf16>, tensor<1500xf16>
  nova.return %dx, %dw, %db : tensor<9x2x1500xf16>, tensor<9x1500xf16>, tensor<9x1500xf16>
}
nova.kernel @softmax_1500_f16(%x: tensor<9x1500xf16>) -> tensor<9x1500xf16> family row {
  %y = nova.softmax %x : tensor<9x1500xf16>
  nova.return %y : tensor<9x1500xf16>
}
nova.kernel @softmax_grad_1500_f16(%dy: tensor<9x1500xf16>, %y: tensor<9x1500xf16>) -> tensor<9x1500xf16> family row {
  %dx = nova.softmax_grad %dy, %y : tensor<9x1500xf16>, tensor<9x1500xf16>
  nova.return %dx : tensor<9x1500xf16>
}
nova.kernel @cross_entropy_131_f32(%x: tensor<99x131xf32>, %t: tensor<99xi32>) -> tensor<99xf32> family row {
  %y = nova.cross_entropy %x, %t {reduction = #nova.reduction<none>} : tensor<99x131xf32>, tensor<99xi32>
  nova.return %y : tensor<99xf32>
}
nova.kernel @cross_entropy_grad_131_f32(%dy: tensor<99xf32>, %x: tensor<99x131xf32>, %t: tensor<99xi32>)
    -> tensor<99x131xf32> family row {
  %dx = nova.cross_entropy_grad %dy, %x, %t {reduction = #nova.reduction<none>} : tensor<99xf32>,
    tensor<99x131xf32>, tensor<99xi32>
  nova.return %dx : tensor<99x131xf32>
}
nova.kernel @cross_entropy_50257_f32(%x: tensor<9x50257xf32>, %t: tensor<9xi64>) -> tensor<9xf32> family row {
  %y = nova.cross_entropy %x, %t {reduction = #nova.reduction<none>} : tensor<9x50257xf32>, tensor<9xi64>
  nova.return %y : tensor<9xf32>
}
nova.kernel @cross_entropy_grad_50257_f32(%dy: tensor<9xf32>, %x: tensor<9x50257xf32>, %t: tensor<9xi64>)
    -> tensor<9x50257xf32> family row {
  %dx = nova.cross_entropy_grad %dy, %x, %t {reduction = #nova.reduction<none>} : tensor<9xf32>,
    tensor<9x50257xf32>, tensor<9xi64>
  nova.return %dx : tensor<9x50257xf32>
}
nova.kernel @cross_entropy_131_bf16(%x: tensor<9x131xbf16>, %t: tensor<9xi32>) -> tensor<9xf32> family row {
  %y = nova.cross_entropy %x, %t {reduction = #nova.reduction<none>} : tensor<9x131xbf16>, tensor<9xi32>
  nova.return %y : tensor<9xf32>
}
nova.kernel @cross_entropy_grad_131_bf16(%dy: tensor<9xf32>, %x: tensor<9x131xbf16>, %t: tensor<9xi32>)
    -> tensor<9x131xbf16> family row {
  %dx = nova.cross_entropy_grad %dy, %x, %t {reduction = #nova.reduction<none>} : tensor<9xf32>,
    tensor<9x131xbf16>, tensor<9xi32>
  nova.return %dx : tensor<9x131xbf16>
}
nova.kernel @cross_entropy_131_f64(%x: tensor<9x131xf64>, %t: tensor<9xi32>) -> tensor<9xf64> family row {
  %y = nova.cross_entropy %x, %t {reduction = #nova.reduction<none>} : tensor<9x131xf64>, tensor<9xi32>
  nova.return %y : tensor<9xf64>
}
nova.kernel @cross_entropy_grad_131_f64(%dy: tensor<9xf64>, %x: tensor<9x131xf64>, %t: tensor<9xi32>)
    -> tensor<9x131xf64> family row {
  %dx = nova.cross_entropy_grad %dy, %x, %t {reduction = #nova.reduction<none>} : tensor<9xf64>,
    tensor<9x131xf64>, tensor<9xi32>
  nova.return %dx : tensor<9x131xf64>
}
nova.kernel @reduce_sum_f32(%x: tensor<5x1500xf32>) -> tensor<5xf32> family row {
  %y = nova.reduce sum %x over [1] : tensor<5x1500xf32>
  nova.return %y : tensor<5xf32>
}
nova.kernel @reduce_max_f64(%x: tensor<5x1500xf64>) -> tensor<5xf64> family row {
  %y = nova.reduce max %x over [1] : tensor<5x1500xf64>
  nova.return %y : tensor<5xf64>
}
nova.kernel @reduce_min_i64(%x: tensor<5x1500xi64>) -> tensor<5xi64> family row {
  %y = nova.reduce min %x over [1] : tensor<5x1500xi64>
  nova.return %y : tensor<5xi64>
}
nova.kernel @reduce_product_i32(%x: tensor<5x1500xi32>) -> tensor<5xi32> family row {
  %y = nova.reduce product %x over [1] : tensor<5x1500xi32>
  nova.return %y : tensor<5xi32>
}
nova.kernel @reduce_mean_bf16(%x: tensor<5x1500xbf16>) -> tensor<5xbf16> family row {
  %y = nova.reduce mean %x over [1] : tensor<5x1500xbf16>
  nova.return %y : tensor<5xbf16>
}
nova.kernel @reduce_sum_i8(%x: tensor<5x1500xi8>) -> tensor<5xi8> family row {
  %y = nova.reduce sum %x over [1] : tensor<5x1500xi8>
  nova.return %y : tensor<5xi8>
}
nova.kernel @reduce_any_i1(%x: tensor<5x1500xi1>) -> tensor<5xi1> family row {
  %y = nova.reduce any %x over [1] : tensor<5x1500xi1>
  nova.return %y : tensor<5xi1>
}
nova.kernel @reduce_all_i1(%x: tensor<5x1500xi1>) -> tensor<5xi1> family row {
  %y = nova.reduce all %x over [1] : tensor<5x1500xi1>
  nova.return %y : tensor<5xi1>
}
nova.kernel @column_sums(%x: tensor<3x50x768xf32>) -> tensor<3x768xf32> family column {
  %y = nova.reduce sum %x over [1] : tensor<3x50x768xf32>
  nova.return %y : tensor<3x768xf32>
}
nova.kernel @gather(%t: tensor<131x60xf32>, %i: tensor<99xi32>) -> tensor<99x60xf32> family index {
  %y = nova.gather %t[%i] : tensor<131x60xf32>, tensor<99xi32>
  nova.return %y : tensor<99x60xf32>
}
nova.kernel @scatter_add(%t: tensor<50257x768xf32>, %i: tensor<99xi64>, %u: tensor<99x768xf32>)
    -> tensor<50257x768xf32> family index {
  %y = nova.scatter_add %t[%i], %u : tensor<50257x768xf32>, tensor<99xi64>, tensor<99x768xf32>
  nova.return %y : tensor<50257x768xf32>
}
nova.kernel @scatter_add_vector(%t: tensor<300xf64>, %i: tensor<99xi32>, %u: tensor<99xf64>) -> tensor<300xf64>
    family index {
  %y = nova.scatter_add %t[%i], %u : tensor<300xf64>, tensor<99xi32>, tensor<99xf64>
  nova.return %y : tensor<300xf64>
}
nova.kernel @transpose(%x: tensor<7x5x33xf32>) -> tensor<33x7x5xf32> family index {
  %y = nova.transpose %x [2, 0, 1] : tensor<7x5x33xf32>
  nova.return %y : tensor<33x7x5xf32>
}
nova.kernel @pad(%x: tensor<7x5x33xf32>) -> tensor<9x9x33xf32> family index {
  %v = nova.constant dense<2.0> : tensor<f32>
  %y = nova.pad %x, %v low = [1, 0, 0] high = [1, 0, 0] interior = [0, 1, 0] : tensor<7x5x33xf32>, tensor<f32>
    -> tensor<9x9x33xf32>
  nova.return %y : tensor<9x9x33xf32>
}
nova.kernel @concat(%x: tensor<7x5x33xi8>, %y: tensor<7x9x33xi8>) -> tensor<7x14x33xi8> family index {
  %z = nova.concat %x, %y axis = 1 : (tensor<7x5x33xi8>, tensor<7x9x33xi8>) -> tensor<7x14x33xi8>
  nova.return %z : tensor<7x14x33xi8>
}
nova.kernel @generic_reduce(%x: tensor<4x5x6xf32>) -> tensor<5xf32> family generic {
  %y = nova.reduce sum %x over [0, 2] : tensor<4x5x6xf32>
  nova.return %y : tensor<5xf32>
}
nova.kernel @functions_f32(%x: tensor<999xf32>) -> (tensor<999xf32>, tensor<999xf32>, tensor<999xf32>,
    tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>,
    tensor<999xf32>, tensor<999xf32>) family elementwise {
  %0 = nova.exp %x : tensor<999xf32>
  %1 = nova.log %x : tensor<999xf32>
  %2 = nova.tanh %x : tensor<999xf32>
  %3 = nova.erf %x : tensor<999xf32>
  %4 = nova.sqrt %x : tensor<999xf32>
  %5 = nova.rsqrt %x : tensor<999xf32>
  %6 = nova.sigmoid %x : tensor<999xf32>
  %7 = nova.silu %x : tensor<999xf32>
  %8 = nova.gelu exact %x : tensor<999xf32>
  %9 = nova.gelu tanh %x : tensor<999xf32>
  %10 = nova.pow %x, %0 : tensor<999xf32>, tensor<999xf32>
  nova.return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<999xf32>, tensor<999xf32>, tensor<999xf32>,
    tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>, tensor<999xf32>,
    tensor<999xf32>, tensor<999xf32>
}
nova.kernel @functions_f64(%x: tensor<999xf64>) -> (tensor<999xf64>, tensor<999xf64>, tensor<999xf64>,
    tensor<999xf64>, tensor<999xf64>, tensor<999xf64>, tensor<999xf64>, tensor<999xf64>, tensor<999xf64>,
    tensor<999xf64>, tensor<999xf64>) family elementwise {
  %0 = nova.exp %x : tensor<999xf64>
  %1 = nova.log %x : tensor<999xf64>
  %2 = nova.tanh %x : tensor<999xf64>
  %3 = nova.erf %x : tensor<999xf64>
  %4 = nova.sqrt %x : tensor<999xf64>
  %5 = nova.rsqrt %x : tensor<999xf64>
  %6 = nova.sigmoid %x : tensor<999xf64>
  %7 = nova.silu %x : tensor<999xf64>
  %8 = nova.gelu exact %x : tensor<999xf64>
  %9 = nova.gelu tanh %x : tensor<999xf64>
  %10 = nova.pow %x, %0 : tensor<999xf64>, tensor<999xf64>
  nova.return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<999xf64>, tensor<999xf64>, tensor<999xf64>,
    tensor<999xf64>, tensor<999xf64>, tensor<999xf64>, tensor<999xf64>, tensor<999xf64>, tensor<999xf64>,
    tensor<999xf64>, tensor<999xf64>
}
nova.kernel @functions_bf16(%x: tensor<999xbf16>) -> (tensor<999xbf16>, tensor<999xbf16>, tensor<999xbf16>,
    tensor<999xbf16>, tensor<999xbf16>, tensor<999xbf16>, tensor<999xbf16>, tensor<999xbf16>, tensor<999xbf16>,
    tensor<999xbf16>, tensor<999xbf16>) family elementwise {
  %0 = nova.exp %x : tensor<999xbf16>
  %1 = nova.log %x : tensor<999xbf16>
  %2 = nova.tanh %x : tensor<999xbf16>
  %3 = nova.erf %x : tensor<999xbf16>
  %4 = nova.sqrt %x : tensor<999xbf16>
  %5 = nova.rsqrt %x : tensor<999xbf16>
  %6 = nova.sigmoid %x : tensor<999xbf16>
  %7 = nova.silu %x : tensor<999xbf16>
  %8 = nova.gelu exact %x : tensor<999xbf16>
  %9 = nova.gelu tanh %x : tensor<999xbf16>
  %10 = nova.pow %x, %0 : tensor<999xbf16>, tensor<999xbf16>
  nova.return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<999xbf16>, tensor<999xbf16>,
    tensor<999xbf16>, tensor<999xbf16>, tensor<999xbf16>, tensor<999xbf16>, tensor<999xbf16>, tensor<999xbf16>,
    tensor<999xbf16>, tensor<999xbf16>, tensor<999xbf16>
}
nova.kernel @cast_f32_i32(%x: tensor<77xf32>) -> tensor<77xi32> family elementwise {
  %y = nova.cast %x : tensor<77xf32> -> tensor<77xi32>
  nova.return %y : tensor<77xi32>
}
nova.kernel @cast_f64_i8(%x: tensor<77xf64>) -> tensor<77xi8> family elementwise {
  %y = nova.cast %x : tensor<77xf64> -> tensor<77xi8>
  nova.return %y : tensor<77xi8>
}
nova.kernel @cast_bf16_i64(%x: tensor<77xbf16>) -> tensor<77xi64> family elementwise {
  %y = nova.cast %x : tensor<77xbf16> -> tensor<77xi64>
  nova.return %y : tensor<77xi64>
}
nova.kernel @cast_i64_f16(%x: tensor<77xi64>) -> tensor<77xf16> family elementwise {
  %y = nova.cast %x : tensor<77xi64> -> tensor<77xf16>
  nova.return %y : tensor<77xf16>
}
nova.kernel @cast_i1_f32(%x: tensor<77xi1>) -> tensor<77xf32> family elementwise {
  %y = nova.cast %x : tensor<77xi1> -> tensor<77xf32>
  nova.return %y : tensor<77xf32>
}
nova.kernel @cast_f32_i1(%x: tensor<77xf32>) -> tensor<77xi1> family elementwise {
  %y = nova.cast %x : tensor<77xf32> -> tensor<77xi1>
  nova.return %y : tensor<77xi1>
}
nova.kernel @cast_f16_bf16(%x: tensor<77xf16>) -> tensor<77xbf16> family elementwise {
  %y = nova.cast %x : tensor<77xf16> -> tensor<77xbf16>
  nova.return %y : tensor<77xbf16>
}
nova.kernel @cast_i8_i64(%x: tensor<77xi8>) -> tensor<77xi64> family elementwise {
  %y = nova.cast %x : tensor<77xi8> -> tensor<77xi64>
  nova.return %y : tensor<77xi64>
}
