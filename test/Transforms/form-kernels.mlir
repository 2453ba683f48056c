// RUN: nova-opt %s --nova-form-kernels --split-input-file | FileCheck %s

// The example of the pass description.
// CHECK-LABEL: nova.kernel @matmul_bias_gelu_512x16x32
// CHECK-SAME: ([[X:%[^ :,]+]]: tensor<512x32xf32>, [[W:%[^ :,]+]]: tensor<32x16xf32>, [[B:%[^ :,]+]]: tensor<16xf32>)
// CHECK-SAME: -> tensor<512x16xf32> family matmul {
// CHECK-NEXT: [[P:%[^ :,]+]] = nova.matmul [[X]], [[W]] : tensor<512x32xf32>, tensor<32x16xf32>
// CHECK-NEXT: [[S:%[^ :,]+]] = nova.add [[P]], [[B]] : tensor<512x16xf32>, tensor<16xf32>
// CHECK-NEXT: [[Y:%[^ :,]+]] = nova.gelu tanh [[S]] : tensor<512x16xf32>
// CHECK-NEXT: nova.return [[Y]]
// CHECK-LABEL: func.func @mlp
// CHECK-SAME: ([[X:%[^ :,]+]]: tensor<8x64x32xf32>, [[W:%[^ :,]+]]: tensor<32x16xf32>, [[B:%[^ :,]+]]: tensor<16xf32>)
// CHECK-NEXT: [[ROWS:%[^ :,]+]] = nova.reshape [[X]] : tensor<8x64x32xf32> -> tensor<512x32xf32>
// CHECK-NEXT: [[Y:%[^ :,]+]] = nova.launch @matmul_bias_gelu_512x16x32([[ROWS]], [[W]], [[B]])
// CHECK-NEXT: [[RESULT:%[^ :,]+]] = nova.reshape [[Y]] : tensor<512x16xf32> -> tensor<8x64x16xf32>
// CHECK-NEXT: return [[RESULT]]
func.func @mlp(%x: tensor<8x64x32xf32>, %w: tensor<32x16xf32>, %b: tensor<16xf32>) -> tensor<8x64x16xf32> {
  %0 = nova.matmul %x, %w : tensor<8x64x32xf32>, tensor<32x16xf32>
  %1 = nova.add %0, %b : tensor<8x64x16xf32>, tensor<16xf32>
  %2 = nova.gelu tanh %1 : tensor<8x64x16xf32>
  return %2 : tensor<8x64x16xf32>
}

// -----

!x = tensor<4x8xf32>
!w = tensor<8x8xf32>
// Equal kernels are one; what is needed elsewhere is returned too; a splat constant is a scalar in the kernel.
// CHECK: nova.kernel @matmul_mul_4x8x8({{.*}}) -> tensor<4x8xf32>
// CHECK: nova.constant dense<2.000000e+00> : tensor<f32>
// CHECK: nova.kernel @matmul_mul_4x8x8_1({{.*}}) -> (tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK: nova.return [[A:%[^ :,]+]], [[B:%[^ :,]+]] :
// CHECK-NOT: nova.kernel
// CHECK-LABEL: func.func @equal
// CHECK: [[A:%[^ :,]+]] = nova.launch @matmul_mul_4x8x8(
// CHECK: [[B:%[^ :,]+]] = nova.launch @matmul_mul_4x8x8([[A]], {{%.+}})
// CHECK: [[C:%[^ :,]+]]:2 = nova.launch @matmul_mul_4x8x8_1([[B]], {{%.+}})
// CHECK: return [[C]]#0, [[C]]#1
func.func @equal(%x: !x, %u: !w, %v: !w, %w: !w) -> (!x, !x) {
  %two = nova.constant dense<2.0> : !x
  %0 = nova.matmul %x, %u : !x, !w
  %1 = nova.mul %0, %two : !x, !x
  %2 = nova.matmul %1, %v : !x, !w
  %3 = nova.mul %2, %two : !x, !x
  %4 = nova.matmul %3, %w : !x, !w
  %5 = nova.mul %4, %two : !x, !x
  return %4, %5 : !x, !x
}

// -----

!x = tensor<2x4x8xf32>
// A residual and a transposed weight join; a position, which repeats along one of the folded axes only, does not.
// CHECK: nova.kernel @matmul_nt_add_8x8x8
// CHECK: nova.kernel @add_2x32
// CHECK: nova.add {{%.+}}, {{%.+}} : tensor<2x32xf32>, tensor<32xf32>
// CHECK-LABEL: func.func @positions
func.func @positions(%x: !x, %w: tensor<8x8xf32>, %p: tensor<4x8xf32>) -> !x {
  %0 = nova.matmul %x, %w {transpose_rhs} : !x, tensor<8x8xf32>
  %1 = nova.add %x, %0 : !x, !x
  %2 = nova.add %1, %p : !x, tensor<4x8xf32>
  return %2 : !x
}

// -----

// What is needed before the next elementwise op ends the epilogue.
// CHECK: nova.kernel @matmul_4x4x4
// CHECK: nova.kernel @add_16
// CHECK-LABEL: func.func @needed_before
func.func @needed_before(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = nova.matmul %x, %x : tensor<4x4xf32>, tensor<4x4xf32>
  %1 = nova.softmax %0 : tensor<4x4xf32>
  %2 = nova.add %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

// A product that repeats in what follows, and one that is read in part.
// CHECK: nova.kernel @matmul_4x1x4({{.*}}) -> tensor<4x1xf32>
// CHECK: nova.kernel @add_4x4
// CHECK: nova.kernel @matmul_4x4x4({{.*}}) -> tensor<4x4xf32>
// CHECK: nova.kernel @mul_4x4
// CHECK-LABEL: func.func @repeated
func.func @repeated(%x: tensor<4x4xf32>, %v: tensor<4x1xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = nova.matmul %x, %v : tensor<4x4xf32>, tensor<4x1xf32>
  %1 = nova.add %x, %0 : tensor<4x4xf32>, tensor<4x1xf32>
  %2 = nova.matmul %x, %1 : tensor<4x4xf32>, tensor<4x4xf32>
  %3 = nova.slice %2 starts = [1, 0] limits = [2, 4] strides = [1, 1] : tensor<4x4xf32> -> tensor<1x4xf32>
  %4 = nova.mul %2, %3 : tensor<4x4xf32>, tensor<1x4xf32>
  return %1, %4 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Batches fold to one axis; a matrix that all of them share stays one.
// CHECK: nova.kernel @matmul_6x4x5x8(%{{.*}}: tensor<6x4x8xf32>, %{{.*}}: tensor<6x8x5xf32>)
// CHECK: nova.kernel @matmul_tn_6x8x5x4(%{{.*}}: tensor<6x4x8xf32>, %{{.*}}: tensor<4x5xf32>)
// CHECK: nova.kernel @matmul_2x3x4x5x8({{.*}}: tensor<2x1x4x8xf32>, %{{.*}}: tensor<3x8x5xf32>) -> tensor<2x3x4x5xf32> family generic
// CHECK-LABEL: func.func @batches
func.func @batches(%x: tensor<2x3x4x8xf32>, %y: tensor<2x3x8x5xf32>, %z: tensor<4x5xf32>, %u: tensor<2x1x4x8xf32>,
                   %v: tensor<1x3x8x5xf32>) -> (tensor<2x3x4x5xf32>, tensor<2x3x8x5xf32>, tensor<2x3x4x5xf32>) {
  %0 = nova.matmul %x, %y : tensor<2x3x4x8xf32>, tensor<2x3x8x5xf32>
  %1 = nova.matmul %x, %z {transpose_lhs} : tensor<2x3x4x8xf32>, tensor<4x5xf32>
  %2 = nova.matmul %u, %v : tensor<2x1x4x8xf32>, tensor<1x3x8x5xf32>
  return %0, %1, %2 : tensor<2x3x4x5xf32>, tensor<2x3x8x5xf32>, tensor<2x3x4x5xf32>
}

// -----

// A reduction takes the elementwise ops before it, unless something else needs them.
// CHECK: nova.kernel @square_sum_4x8(%{{.*}}: tensor<4x8xf32>) -> tensor<4xf32> family row
// CHECK: nova.kernel @exp_32
// CHECK: nova.kernel @max_4x8({{.*}}) -> tensor<4xf32> family row
// CHECK: nova.kernel @sub_mean_1x4x8({{.*}}) -> tensor<1x8xf32> family column
// CHECK-LABEL: func.func @prologues
func.func @prologues(%x: tensor<4x8xf32>, %h: tensor<4x8xbf16>) -> (tensor<4xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>) {
  %0 = nova.square %x : tensor<4x8xf32>
  %1 = nova.reduce sum %0 over [1] : tensor<4x8xf32>
  %2 = nova.exp %x : tensor<4x8xf32>
  %3 = nova.reduce max %2 over [1] : tensor<4x8xf32>
  %4 = nova.cast %h : tensor<4x8xbf16> -> tensor<4x8xf32>
  %5 = nova.sub %4, %x : tensor<4x8xf32>, tensor<4x8xf32>
  %6 = nova.reduce mean %5 over [0] : tensor<4x8xf32>
  return %1, %2, %3, %6 : tensor<4xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<8xf32>
}

// -----

// Rows, indices and scalars have their forms; results that nothing needs are not returned.
// CHECK: nova.kernel @layer_norm_6x8
// CHECK: nova.kernel @gather_6x8(%{{.*}}: tensor<5x8xf32>, %{{.*}}: tensor<6xi32>) -> tensor<6x8xf32> family index
// CHECK: nova.kernel @gather_3x6x2(%{{.*}}: tensor<3x5x2xf32>, %{{.*}}: tensor<6xi32>)
// CHECK: nova.gather {{.*}} {axis = 1 : i64}
// CHECK: nova.kernel @scatter_add_5x8(%{{.*}}: tensor<5x8xf32>, %{{.*}}: tensor<6xi32>, %{{.*}}: tensor<6x8xf32>)
// CHECK: nova.kernel @layer_norm_grad_1x6x8({{.*}}) -> (tensor<1x8xf32>, tensor<1x8xf32>)
// CHECK: nova.layer_norm_grad {{.*}} {partials = 1 : i64}
// CHECK: nova.kernel @neg_1({{%.+}}: tensor<1xf32>) -> tensor<1xf32>
// CHECK-LABEL: func.func @forms
func.func @forms(%x: tensor<2x3x8xf32>, %c: tensor<8xf32>, %t: tensor<5x2x4xf32>, %u: tensor<3x5x2xf32>,
                 %i: tensor<2x3xi32>, %s: tensor<f32>)
    -> (tensor<2x3x8xf32>, tensor<2x3x2x4xf32>, tensor<3x2x3x2xf32>, tensor<5x2x4xf32>, tensor<8xf32>, tensor<8xf32>,
        tensor<f32>) {
  %0 = nova.layer_norm %x, %c, %c : tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>
  %1 = nova.gather %t[%i] : tensor<5x2x4xf32>, tensor<2x3xi32>
  %2 = nova.gather %u[%i] {axis = 1 : i64} : tensor<3x5x2xf32>, tensor<2x3xi32>
  %3 = nova.scatter_add %t[%i], %1 : tensor<5x2x4xf32>, tensor<2x3xi32>, tensor<2x3x2x4xf32>
  %4, %5, %6 = nova.layer_norm_grad %x, %x, %c : tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<8xf32>
  %7 = nova.neg %s : tensor<f32>
  %dead = nova.exp %x : tensor<2x3x8xf32>
  return %0, %1, %2, %3, %5, %6, %7 : tensor<2x3x8xf32>, tensor<2x3x2x4xf32>, tensor<3x2x3x2xf32>, tensor<5x2x4xf32>,
    tensor<8xf32>, tensor<8xf32>, tensor<f32>
}

// -----

// A slice of whole rows is a view, as is a transpose that moves axes of size 1; other slices are kernels.
// CHECK: nova.kernel @slice_4x2
// CHECK-LABEL: func.func @views
// CHECK: [[PART:%[^ :,]+]] = nova.slice {{%.+}} starts = [8] limits = [24] strides = [1] : tensor<64xf32> -> tensor<16xf32>
// CHECK: nova.launch @exp_16([[PART]])
// CHECK: nova.launch @slice_4x2
func.func @views(%x: tensor<8x8xf32>) -> (tensor<8x1x2xf32>, tensor<4x2xf32>) {
  %0 = nova.slice %x starts = [1, 0] limits = [3, 8] strides = [1, 1] : tensor<8x8xf32> -> tensor<2x8xf32>
  %1 = nova.reshape %0 : tensor<2x8xf32> -> tensor<1x8x2xf32>
  %2 = nova.transpose %1 [1, 0, 2] : tensor<1x8x2xf32>
  %3 = nova.exp %2 : tensor<8x1x2xf32>
  %4 = nova.slice %x starts = [0, 0] limits = [8, 2] strides = [2, 1] : tensor<8x8xf32> -> tensor<4x2xf32>
  return %3, %4 : tensor<8x1x2xf32>, tensor<4x2xf32>
}

// -----

// Calls are inlined, and functions that are only called are gone.
// CHECK-NOT: @callee
// CHECK: func.func @caller
// CHECK: nova.launch @exp_4
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nova.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Axes that are moved together are one.
// CHECK: nova.kernel @slice_24x4(%{{.*}}: tensor<24x8xf32>)
// CHECK-NEXT: nova.slice %{{.*}} starts = [0, 2] limits = [24, 6] strides = [1, 1]
// CHECK: nova.kernel @slice_2x64(%{{.*}}: tensor<2x96xf32>)
// CHECK-NEXT: nova.slice %{{.*}} starts = [0, 32] limits = [2, 96] strides = [1, 1]
// CHECK: nova.kernel @transpose_2x32x3(%{{.*}}: tensor<2x3x32xf32>)
// CHECK-NEXT: nova.transpose %{{.*}} [0, 2, 1]
// CHECK: nova.kernel @concat_6x64(%{{.*}}: tensor<6x32xf32>) -> tensor<6x64xf32>
// CHECK-NEXT: axis = 1
// CHECK: nova.kernel @pad_2x128(%{{.*}}: tensor<2x96xf32>)
// CHECK: nova.pad %{{.*}} low = [0, 32] high = [0, 0] interior = [0, 0]
// CHECK: nova.kernel @broadcast_in_dim_2x12(%{{.*}}: tensor<2xf32>)
// CHECK-NEXT: dims = [0]
// CHECK: nova.kernel @broadcast_in_dim_2x3x4(%{{.*}}: tensor<3xf32>)
// CHECK-NEXT: dims = [1]
// CHECK: nova.kernel @iota_2x12()
// CHECK-NEXT: nova.iota 0 : tensor<2x12xi32>
// CHECK-LABEL: func.func @movement
func.func @movement(%x: tensor<2x3x4x8xf32>, %u: tensor<2x1x1xf32>, %v: tensor<3xf32>)
    -> (tensor<2x3x4x4xf32>, tensor<2x2x4x8xf32>, tensor<2x4x8x3xf32>, tensor<2x3x8x8xf32>, tensor<2x4x4x8xf32>,
        tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xi32>) {
  %0 = nova.slice %x starts = [0, 0, 0, 2] limits = [2, 3, 4, 6] strides = [1, 1, 1, 1]
    : tensor<2x3x4x8xf32> -> tensor<2x3x4x4xf32>
  %1 = nova.slice %x starts = [0, 1, 0, 0] limits = [2, 3, 4, 8] strides = [1, 1, 1, 1]
    : tensor<2x3x4x8xf32> -> tensor<2x2x4x8xf32>
  %2 = nova.transpose %x [0, 2, 3, 1] : tensor<2x3x4x8xf32>
  %3 = nova.concat %x, %x axis = 2 : (tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>) -> tensor<2x3x8x8xf32>
  %zero = nova.constant dense<0.0> : tensor<f32>
  %4 = nova.pad %x, %zero low = [0, 1, 0, 0] high = [0, 0, 0, 0] interior = [0, 0, 0, 0]
    : tensor<2x3x4x8xf32>, tensor<f32> -> tensor<2x4x4x8xf32>
  %5 = nova.broadcast_in_dim %u dims = [0, 1, 2] : tensor<2x1x1xf32> -> tensor<2x3x4xf32>
  %6 = nova.broadcast_in_dim %v dims = [1] : tensor<3xf32> -> tensor<2x3x4xf32>
  %7 = nova.iota 0 : tensor<2x3x4xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2x3x4x4xf32>, tensor<2x2x4x8xf32>, tensor<2x4x8x3xf32>,
    tensor<2x3x8x8xf32>, tensor<2x4x4x8xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xi32>
}
