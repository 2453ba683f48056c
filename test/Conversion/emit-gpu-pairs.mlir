// Products of widened bf16 and f16 on tensor cores, by pairs along the depth: nothing is widened, nothing rounded.
// RUN: nova-opt %s --nova-cuda-pipeline="chip=sm_80" | nova-translate --nova-to-ptx --chip=sm_80 \
// RUN:   | FileCheck %s --implicit-check-not=cvt.f32 --implicit-check-not=cvt.rn --implicit-check-not=fma.rn

// CHECK: .entry brain(
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
nova.kernel @brain(%x: tensor<100x71xbf16>, %w: tensor<71x90xbf16>) -> tensor<100x90xf32> family matmul {
  %a = nova.cast %x : tensor<100x71xbf16> -> tensor<100x71xf32>
  %b = nova.cast %w : tensor<71x90xbf16> -> tensor<71x90xf32>
  %y = nova.matmul %a, %b : tensor<100x71xf32>, tensor<71x90xf32>
  nova.return %y : tensor<100x90xf32>
}

// CHECK: .entry halves(
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
nova.kernel @halves(%x: tensor<100x71xf16>, %w: tensor<90x71xf16>) -> tensor<100x90xf32> family matmul {
  %a = nova.cast %x : tensor<100x71xf16> -> tensor<100x71xf32>
  %b = nova.cast %w : tensor<90x71xf16> -> tensor<90x71xf32>
  %y = nova.matmul %a, %b {transpose_rhs} : tensor<100x71xf32>, tensor<90x71xf32>
  nova.return %y : tensor<100x90xf32>
}
