// RUN: nova-opt %s --nova-keep-narrow-weights --split-input-file | FileCheck %s
// RUN: nova-opt %s --nova-keep-narrow-weights --nova-pack-parameters --nova-form-kernels --split-input-file \
// RUN:   | FileCheck %s --check-prefix=KERNELS

!w = tensor<8x8xf32>
!n = tensor<8x8xbf16>

// What updates a weight writes its copy; what only reads the weight takes the copy too. A bias has none. The optimizer's
// kernel writes the copies of a class.
// CHECK-LABEL: func.func @train_step(
// CHECK-SAME: [[W:%[^ :,]+]]: tensor<8x8xf32>
// CHECK-SAME: [[COPY:%[^ :,]+]]: tensor<8x8xbf16> {nova.donated = 6 : i64, nova.name = "w", nova.role = "narrow"}
// CHECK-SAME: tensor<8x8xbf16> {nova.name = "w", nova.role = "narrow"})
// CHECK-NOT: nova.cast [[W]]
// CHECK: nova.cast [[COPY]] : tensor<8x8xbf16> -> tensor<8x8xf32>
// CHECK: [[NEW:%.+]], %{{.+}}, %{{.+}} = nova.adamw [[W]],
// CHECK: [[MADE:%.+]] = nova.cast [[NEW]] : tensor<8x8xf32> -> tensor<8x8xbf16>
// CHECK: return {{.*}}, [[MADE]] :
// CHECK-LABEL: func.func @loss(
// CHECK-SAME: [[READ:%[^ :,]+]]: tensor<8x8xbf16> {nova.name = "w", nova.role = "narrow"})
// CHECK-NOT: tensor<8x8xf32> -> tensor<8x8xbf16>
// CHECK: nova.cast [[READ]] : tensor<8x8xbf16> -> tensor<8x8xf32>
// KERNELS: nova.kernel @adamw_{{.*}} -> (tensor<{{.*}}xf32>, tensor<{{.*}}xf32>, tensor<{{.*}}xf32>, tensor<{{.*}}xbf16>)
// KERNELS-LABEL: func.func @train_step
// KERNELS-NOT: @cast
// KERNELS-LABEL: func.func @loss
// KERNELS-NOT: @cast
// KERNELS: return
func.func @train_step(
    %w: !w {nova.role = "parameter", nova.name = "w", nova.donated = 0 : i64},
    %u: !w {nova.role = "parameter", nova.name = "u", nova.donated = 1 : i64},
    %mw: !w {nova.role = "m", nova.name = "w", nova.donated = 2 : i64},
    %mu: !w {nova.role = "m", nova.name = "u", nova.donated = 3 : i64},
    %vw: !w {nova.role = "v", nova.name = "w", nova.donated = 4 : i64},
    %vu: !w {nova.role = "v", nova.name = "u", nova.donated = 5 : i64},
    %x: !w, %lr: tensor<f32> {nova.role = "lr"}, %step: tensor<i64> {nova.role = "step"})
    -> (!w {nova.role = "parameter", nova.name = "w"}, !w {nova.role = "parameter", nova.name = "u"},
        !w {nova.role = "m", nova.name = "w"}, !w {nova.role = "m", nova.name = "u"},
        !w {nova.role = "v", nova.name = "w"}, !w {nova.role = "v", nova.name = "u"}) {
  %one = nova.constant dense<1.0> : tensor<f32>
  %narrow = nova.cast %w : !w -> !n
  %wide = nova.cast %narrow : !n -> !w
  %g = nova.matmul %x, %wide : !w, !w
  %w1, %mw1, %vw1 = nova.adamw %w, %g, %mw, %vw, lr %lr, step %step, scale %one
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : !w, !w
  %u1, %mu1, %vu1 = nova.adamw %u, %g, %mu, %vu, lr %lr, step %step, scale %one
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : !w, !w
  return %w1, %u1, %mw1, %mu1, %vw1, %vu1 : !w, !w, !w, !w, !w, !w
}
func.func @loss(%w: !w {nova.role = "parameter", nova.name = "w"}, %x: !w) -> !w {
  %narrow = nova.cast %w : !w -> !n
  %wide = nova.cast %narrow : !n -> !w
  %y = nova.matmul %x, %wide : !w, !w
  return %y : !w
}

// -----

// A weight that no function updates is cast where it is read.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: [[W:%[^ :,]+]]: tensor<8x8xf32> {{{.*}}}) -> tensor<8x8xbf16> {
// CHECK-NEXT: nova.cast [[W]]
func.func @forward(%w: tensor<8x8xf32> {nova.role = "parameter", nova.name = "w"}) -> tensor<8x8xbf16> {
  %0 = nova.cast %w : tensor<8x8xf32> -> tensor<8x8xbf16>
  return %0 : tensor<8x8xbf16>
}
