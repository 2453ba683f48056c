// A scheduled product is lowered op by op: copies of 16 bytes that arrive later, fragments by ldmatrix, products, and stores of
// whole sectors; nothing is loaded by less in the loop, and nothing is widened.
// RUN: nova-opt %s --nova-cuda-pipeline="chip=sm_89" | nova-translate --nova-to-ptx --chip=sm_89 \
// RUN:   | FileCheck %s --implicit-check-not=cvt.f32 --implicit-check-not=ld.global --implicit-check-not=ld.shared.b32

// CHECK: .entry product(
// CHECK-COUNT-16: cp.async.cg.shared.global [%{{.*}}], [%{{.*}}], 16;
// CHECK: cp.async.commit_group;
// CHECK-COUNT-8: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-COUNT-8: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// CHECK-COUNT-64: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK-NOT: mma.sync
// The loop's head, and the copies for the iteration after next.
// CHECK: .pragma "nounroll";
// CHECK: cp.async.wait_group 1;
// CHECK: bar.sync
// CHECK-COUNT-8: cp.async.cg.shared.global
// CHECK-NOT: cp.async.cg
// CHECK-COUNT-16: st.global.v4.b32
nova.kernel @product(%x: tensor<2048x768xbf16>, %w: tensor<768x2048xbf16>) -> tensor<2048x2048xbf16> family matmul {
  %a = nova.cast %x : tensor<2048x768xbf16> -> tensor<2048x768xf32>
  %b = nova.cast %w : tensor<768x2048xbf16> -> tensor<768x2048xf32>
  %p = nova.matmul %a, %b : tensor<2048x768xf32>, tensor<768x2048xf32>
  %y = nova.cast %p : tensor<2048x2048xf32> -> tensor<2048x2048xbf16>
  nova.return %y : tensor<2048x2048xbf16>
}
