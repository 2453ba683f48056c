// RUN: nova-opt %s --nova-split-launches --cse | FileCheck %s

// The example of the pass description.
// CHECK-LABEL: func.func @sum_of_losses
// CHECK-SAME: ([[LOGITS:%[^ :,]+]]: tensor<8x64x256xf32>, [[TARGETS:%[^ :,]+]]: tensor<8x64xi32>)
// CHECK-NEXT: [[ROWS:%[^ :,]+]] = nova.cross_entropy [[LOGITS]], [[TARGETS]] {reduction = #nova.reduction<none>}
// CHECK-NEXT: [[FLAT:%[^ :,]+]] = nova.reshape [[ROWS]] : tensor<8x64xf32> -> tensor<1x512xf32>
// CHECK-NEXT: [[SUM:%[^ :,]+]] = nova.reduce sum [[FLAT]] over [1] : tensor<1x512xf32>
// CHECK-NEXT: [[LOSS:%[^ :,]+]] = nova.reshape [[SUM]] : tensor<1xf32> -> tensor<f32>
// CHECK-NEXT: return [[LOSS]]
func.func @sum_of_losses(%logits: tensor<8x64x256xf32>, %targets: tensor<8x64xi32>) -> tensor<f32> {
  %loss = nova.cross_entropy %logits, %targets {reduction = #nova.reduction<sum>}
    : tensor<8x64x256xf32>, tensor<8x64xi32>
  return %loss : tensor<f32>
}

// The loss and its gradient count the rows once.
// CHECK-LABEL: func.func @mean_of_losses
// CHECK-SAME: ([[DY:%[^ :,]+]]: tensor<f32>, [[LOGITS:%[^ :,]+]]: tensor<6x8xf32>, [[TARGETS:%[^ :,]+]]: tensor<6xi64>)
// CHECK: [[ROWS:%[^ :,]+]] = nova.cross_entropy {{.*}} {ignore_index = 7 : i64, reduction = #nova.reduction<none>}
// CHECK: nova.reduce sum
// CHECK: [[COUNTS:%[^ :,]+]] = nova.compare ne [[TARGETS]], {{%.+}} : tensor<6xi64>, tensor<i64>
// CHECK: nova.cast [[COUNTS]] : tensor<6xi1> -> tensor<6xf32>
// CHECK: nova.reduce sum
// CHECK: [[COUNT:%[^ :,]+]] = nova.reshape {{%.+}} : tensor<1xf32> -> tensor<f32>
// CHECK: nova.div {{%.+}}, [[COUNT]] : tensor<f32>, tensor<f32>
// CHECK: [[WHOLE:%[^ :,]+]] = nova.broadcast_in_dim [[DY]] dims = [] : tensor<f32> -> tensor<6xf32>
// CHECK-NOT: nova.compare
// CHECK: [[ROW:%[^ :,]+]] = nova.div [[WHOLE]], [[COUNT]] : tensor<6xf32>, tensor<f32>
// CHECK: nova.cross_entropy_grad [[ROW]], [[LOGITS]], [[TARGETS]] {ignore_index = 7 : i64, reduction = #nova.reduction<none>}
func.func @mean_of_losses(%dy: tensor<f32>, %logits: tensor<6x8xf32>, %targets: tensor<6xi64>)
    -> (tensor<f32>, tensor<6x8xf32>) {
  %loss = nova.cross_entropy %logits, %targets {ignore_index = 7 : i64} : tensor<6x8xf32>, tensor<6xi64>
  %d = nova.cross_entropy_grad %dy, %logits, %targets {ignore_index = 7 : i64}
    : tensor<f32>, tensor<6x8xf32>, tensor<6xi64>
  return %loss, %d : tensor<f32>, tensor<6x8xf32>
}

// No i32 is 2^40: all rows count.
// CHECK-LABEL: func.func @ignores_nothing
// CHECK: [[COUNT:%[^ :,]+]] = nova.constant dense<6.000000e+00> : tensor<f32>
// CHECK: nova.div {{%.+}}, [[COUNT]]
func.func @ignores_nothing(%logits: tensor<6x8xf32>, %targets: tensor<6xi32>) -> tensor<f32> {
  %loss = nova.cross_entropy %logits, %targets {ignore_index = 1099511627776 : i64} : tensor<6x8xf32>, tensor<6xi32>
  return %loss : tensor<f32>
}

// CHECK-LABEL: func.func @layer_norm_grad
// CHECK: [[DX:%[^ :,]+]], [[DW:%[^ :,]+]], [[DB:%[^ :,]+]] = nova.layer_norm_grad {{.*}} {partials = 1 : i64} : tensor<8x64x64xf32>, tensor<8x64x64xf32>, tensor<64xf32>
// CHECK: nova.reshape [[DX]] : tensor<8x64x64xf32> -> tensor<512x64xf32>
// CHECK: [[PARTS:%[^ :,]+]] = nova.reshape [[DW]] : tensor<8x64xf32> -> tensor<1x8x64xf32>
// CHECK: nova.reduce sum [[PARTS]] over [1] : tensor<1x8x64xf32>
// CHECK: nova.reshape [[DB]]
// CHECK: nova.reduce sum
func.func @layer_norm_grad(%dy: tensor<512x64xf32>, %x: tensor<512x64xf32>, %w: tensor<64xf32>)
    -> (tensor<64xf32>, tensor<64xf32>, tensor<512x64xf32>) {
  %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w : tensor<512x64xf32>, tensor<512x64xf32>, tensor<64xf32>
  return %dw, %db, %dx : tensor<64xf32>, tensor<64xf32>, tensor<512x64xf32>
}

!q = tensor<1x2x8x4xf32>
// CHECK-LABEL: func.func @attention_grad
// CHECK-SAME: ([[DY:%[^ :,]+]]: tensor<1x2x8x4xf32>, [[Q:%[^ :,]+]]: tensor<1x2x8x4xf32>, [[Y:%[^ :,]+]]: tensor<1x2x8x4xf32>, [[LSE:%[^ :,]+]]: tensor<1x2x8xf32>)
// CHECK: [[PRODUCT:%[^ :,]+]] = nova.mul [[DY]], [[Y]]
// CHECK: [[ROWS:%[^ :,]+]] = nova.reshape [[PRODUCT]] : tensor<1x2x8x4xf32> -> tensor<16x4xf32>
// CHECK: [[SUMS:%[^ :,]+]] = nova.reduce sum [[ROWS]] over [1]
// CHECK: [[DELTA:%[^ :,]+]] = nova.reshape [[SUMS]] : tensor<16xf32> -> tensor<1x2x8xf32>
// CHECK: nova.attention_grad_query [[DY]], [[Q]], [[Q]], [[Q]], [[LSE]], [[DELTA]] {causal, scale = 5.000000e-01 : f64}
// CHECK: nova.attention_grad_key_value [[DY]], [[Q]], [[Q]], [[Q]], [[LSE]], [[DELTA]] {causal, scale = 5.000000e-01 : f64}
func.func @attention_grad(%dy: !q, %q: !q, %y: !q, %lse: tensor<1x2x8xf32>) -> (!q, !q, !q) {
  %dq, %dk, %dv = nova.attention_grad %dy, %q, %q, %q, %y, %lse {causal, scale = 0.5}
    : !q, !q, !q, !q, !q, tensor<1x2x8xf32>
  return %dq, %dk, %dv : !q, !q, !q
}

// CHECK-LABEL: func.func @global_norm
// CHECK: [[A:%[^ :,]+]] = nova.square
// CHECK: nova.reduce sum
// CHECK: nova.square
// CHECK: nova.reduce sum
// CHECK: [[SUMS:%[^ :,]+]] = nova.concat {{%.+}}, {{%.+}} axis = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
// CHECK: nova.reduce sum
// CHECK: nova.sqrt
func.func @global_norm(%a: tensor<4x3xf32>, %b: tensor<5xf32>) -> tensor<f32> {
  %norm = nova.global_norm %a, %b : tensor<4x3xf32>, tensor<5xf32>
  return %norm : tensor<f32>
}

// A row of many elements: partial sums first.
// CHECK-LABEL: func.func @sum_in_two_stages
// CHECK: nova.reshape {{%.+}} : tensor<1048576xf32> -> tensor<256x4096xf32>
// CHECK-NEXT: nova.reduce sum {{%.+}} over [1] : tensor<256x4096xf32>
// CHECK-NEXT: nova.reshape {{%.+}} : tensor<256xf32> -> tensor<1x256xf32>
// CHECK-NEXT: nova.reduce sum {{%.+}} over [1] : tensor<1x256xf32>
func.func @sum_in_two_stages(%x: tensor<1048576xf32>) -> tensor<f32> {
  %s = nova.reduce sum %x over [0] : tensor<1048576xf32>
  return %s : tensor<f32>
}

// A prime number of elements has no equal parts.
// CHECK-LABEL: func.func @prime
// CHECK: nova.reshape {{%.+}} : tensor<1048573xf32> -> tensor<1x1048573xf32>
// CHECK-NEXT: nova.reduce max
// CHECK-NOT: nova.reduce
func.func @prime(%x: tensor<1048573xf32>) -> tensor<f32> {
  %s = nova.reduce max %x over [0] : tensor<1048573xf32>
  return %s : tensor<f32>
}

// Columns; partial sums of bf16 are f32.
// CHECK-LABEL: func.func @columns
// CHECK: nova.cast {{%.+}} : tensor<512x64xbf16> -> tensor<512x64xf32>
// CHECK: nova.reshape {{%.+}} : tensor<512x64xf32> -> tensor<8x64x64xf32>
// CHECK: nova.reduce sum {{%.+}} over [1] : tensor<8x64x64xf32>
// CHECK: nova.reduce sum {{%.+}} over [1] : tensor<1x8x64xf32>
// CHECK: nova.cast {{%.+}} : tensor<64xf32> -> tensor<64xbf16>
func.func @columns(%x: tensor<512x64xbf16>) -> tensor<64xbf16> {
  %s = nova.reduce sum %x over [0] : tensor<512x64xbf16>
  return %s : tensor<64xbf16>
}

// Axes that don't lie side by side are reduced one after another; axes of size 1 lie everywhere.
// CHECK-LABEL: func.func @scattered
// CHECK: nova.reshape {{%.+}} : tensor<2x3x1x4x5xf32> -> tensor<6x20xf32>
// CHECK-NEXT: nova.reduce mean {{%.+}} over [1] : tensor<6x20xf32>
// CHECK-NEXT: nova.reshape {{%.+}} : tensor<6xf32> -> tensor<1x2x3xf32>
// CHECK-NEXT: nova.reduce mean {{%.+}} over [1] : tensor<1x2x3xf32>
// CHECK-NEXT: nova.reshape {{%.+}} : tensor<1x3xf32> -> tensor<1x3x1x1x1xf32>
func.func @scattered(%x: tensor<2x3x1x4x5xf32>) -> tensor<1x3x1x1x1xf32> {
  %s = nova.reduce mean %x over [0, 3, 4] {keep_dims} : tensor<2x3x1x4x5xf32>
  return %s : tensor<1x3x1x1x1xf32>
}

// CHECK-LABEL: func.func @over_one_element
// CHECK-NEXT: nova.reshape {{%.+}} : tensor<3x1xf32> -> tensor<3xf32>
// CHECK-NEXT: return
func.func @over_one_element(%x: tensor<3x1xf32>) -> tensor<3xf32> {
  %s = nova.reduce min %x over [1] : tensor<3x1xf32>
  return %s : tensor<3xf32>
}

// CHECK-LABEL: func.func @softmax
// CHECK: [[T:%[^ :,]+]] = nova.transpose {{%.+}} [2, 1, 0] : tensor<2x3x4xf32>
// CHECK: [[Y:%[^ :,]+]] = nova.softmax [[T]] : tensor<4x3x2xf32>
// CHECK: nova.transpose [[Y]] [2, 1, 0]
// CHECK: nova.softmax_grad {{%.+}}, {{%.+}} : tensor<4x3x2xf32>, tensor<4x3x2xf32>
func.func @softmax(%x: tensor<2x3x4xf32>, %dy: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %y = nova.softmax %x {axis = 0 : i64} : tensor<2x3x4xf32>
  %dx = nova.softmax_grad %dy, %y {axis = -3 : i64} : tensor<2x3x4xf32>, tensor<2x3x4xf32>
  return %y, %dx : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

// What takes one launch stays as it is.
// CHECK-LABEL: func.func @nothing_to_do
// CHECK-NEXT: nova.reduce sum {{%.+}} over [1] : tensor<4x8xf32>
// CHECK-NEXT: return
func.func @nothing_to_do(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %s = nova.reduce sum %x over [1] : tensor<4x8xf32>
  return %s : tensor<4xf32>
}

// Sums in f64 are those of wider matrices; the sums that a type has anyway change nothing.
// CHECK-LABEL: func.func @wide_sums
// CHECK-SAME: ([[X:%[^ :,]+]]: tensor<4x8xbf16>, [[W:%[^ :,]+]]: tensor<6x8xbf16>)
// CHECK-DAG: [[WIDE_X:%[^ :,]+]] = nova.cast [[X]] : tensor<4x8xbf16> -> tensor<4x8xf64>
// CHECK-DAG: [[WIDE_W:%[^ :,]+]] = nova.cast [[W]] : tensor<6x8xbf16> -> tensor<6x8xf64>
// CHECK: [[WIDE:%[^ :,]+]] = nova.matmul [[WIDE_X]], [[WIDE_W]] {transpose_rhs} : tensor<4x8xf64>, tensor<6x8xf64>
// CHECK: nova.cast [[WIDE]] : tensor<4x6xf64> -> tensor<4x6xbf16>
// CHECK: nova.matmul [[X]], [[W]] {accumulate = f32, transpose_rhs}
func.func @wide_sums(%x: tensor<4x8xbf16>, %w: tensor<6x8xbf16>) -> (tensor<4x6xbf16>, tensor<4x6xbf16>) {
  %y = nova.matmul %x, %w {accumulate = f64, transpose_rhs} : tensor<4x8xbf16>, tensor<6x8xbf16>
  %z = nova.matmul %x, %w {accumulate = f32, transpose_rhs} : tensor<4x8xbf16>, tensor<6x8xbf16>
  return %y, %z : tensor<4x6xbf16>, tensor<4x6xbf16>
}
