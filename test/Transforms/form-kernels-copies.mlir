// RUN: nova-opt %s --nova-form-kernels --split-input-file | FileCheck %s

// Tensors that need memory of their own.

// Results that are arguments or constants.
// CHECK: nova.kernel @broadcast_in_dim_4({{%.+}}: tensor<4xf32>)
// CHECK-NEXT: nova.broadcast_in_dim {{%.+}} dims = [0] : tensor<4xf32> -> tensor<4xf32>
// CHECK: nova.kernel @broadcast_in_dim_6()
// CHECK: nova.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: nova.broadcast_in_dim {{%.+}} dims = [] : tensor<f32> -> tensor<6xf32>
// CHECK-LABEL: func.func @returned
// CHECK: [[C:%[^ :,]+]] = nova.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
// CHECK: nova.launch @broadcast_in_dim_4([[C]])
func.func @returned(%x: tensor<2x2xf32>) -> (tensor<4xf32>, tensor<2x3xf32>, tensor<4xf32>) {
  %0 = nova.reshape %x : tensor<2x2xf32> -> tensor<4xf32>
  %1 = nova.constant dense<1.0> : tensor<2x3xf32>
  %2 = nova.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<2x3xf32>, tensor<4xf32>
}

// -----

// A concat lies where its operands do, if each can lie there: once each, and none that lies elsewhere.
// CHECK-LABEL: func.func @concat
// CHECK: [[E:%[^ :,]+]] = nova.launch @exp_4
// CHECK: [[N:%[^ :,]+]] = nova.launch @neg_4
// CHECK: [[AGAIN:%[^ :,]+]] = nova.launch @broadcast_in_dim_4([[E]])
// CHECK: [[X:%[^ :,]+]] = nova.launch @broadcast_in_dim_4(%arg0)
// CHECK: nova.concat [[E]], [[N]], [[AGAIN]], [[X]] axis = 0
// CHECK: nova.launch @sum_1x16
func.func @concat(%x: tensor<4xf32>) -> tensor<f32> {
  %0 = nova.exp %x : tensor<4xf32>
  %1 = nova.neg %x : tensor<4xf32>
  %2 = nova.concat %0, %1, %0, %x axis = 0
    : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<16xf32>
  %3 = nova.reduce sum %2 over [0] : tensor<16xf32>
  return %3 : tensor<f32>
}

// -----

// One element too: the broadcast of a scalar to it would be a view of the scalar.
// CHECK-LABEL: func.func @one_element
// CHECK: [[C:%[^ :,]+]] = nova.launch @broadcast_in_dim_1
// CHECK: [[A:%[^ :,]+]] = nova.launch @broadcast_in_dim_1
// CHECK: [[B:%[^ :,]+]] = nova.launch @broadcast_in_dim_1
// CHECK: [[BOTH:%[^ :,]+]] = nova.concat [[A]], [[B]] axis = 0
// CHECK: return [[BOTH]], [[C]]
func.func @one_element() -> (tensor<2xf32>, tensor<1xf32>) {
  %0 = nova.constant dense<1.0> : tensor<1xf32>
  %1 = nova.concat %0, %0 axis = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %1, %0 : tensor<2xf32>, tensor<1xf32>
}

// -----

// A result that replaces its argument is written there directly when nothing reads the argument any more.
// CHECK-LABEL: func.func @in_place
// CHECK-NEXT: nova.launch @square_4
// CHECK-NEXT: [[P:%[^ :,]+]] = nova.launch @sub_4
// CHECK-NEXT: return [[P]]
func.func @in_place(%p: tensor<4xf32> {nova.role = "parameter", nova.name = "p", nova.donated = 0 : i64}) -> tensor<4xf32> {
  %0 = nova.square %p : tensor<4xf32>
  %1 = nova.sub %p, %0 : tensor<4xf32>, tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Otherwise it is copied at the end: the argument is read later, or not where the result is written.
// CHECK-LABEL: func.func @late
// CHECK: [[P:%[^ :,]+]] = nova.launch @exp_4
// CHECK: [[Q:%[^ :,]+]] = nova.launch @matmul_2x2x2
// CHECK: nova.launch @neg_4
// CHECK: [[P1:%[^ :,]+]] = nova.launch @broadcast_in_dim_4([[P]])
// CHECK: [[Q1:%[^ :,]+]] = nova.launch @broadcast_in_dim_4
func.func @late(%p: tensor<4xf32> {nova.role = "parameter", nova.name = "p", nova.donated = 0 : i64},
                %q: tensor<2x2xf32> {nova.role = "parameter", nova.name = "q", nova.donated = 1 : i64})
    -> (tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>) {
  %0 = nova.exp %p : tensor<4xf32>
  %1 = nova.matmul %q, %q : tensor<2x2xf32>, tensor<2x2xf32>
  %2 = nova.neg %p : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>
}

// -----

// Two that change places.
// CHECK-LABEL: func.func @swap
// CHECK: [[Q1:%[^ :,]+]] = nova.launch @broadcast_in_dim_4(%arg0)
// CHECK: [[P1:%[^ :,]+]] = nova.launch @broadcast_in_dim_4(%arg1)
// CHECK: [[Q2:%[^ :,]+]] = nova.launch @broadcast_in_dim_4([[Q1]])
// CHECK: return [[P1]], [[Q2]]
func.func @swap(%p: tensor<4xf32> {nova.role = "parameter", nova.name = "p", nova.donated = 0 : i64},
                %q: tensor<4xf32> {nova.role = "parameter", nova.name = "q", nova.donated = 1 : i64})
    -> (tensor<4xf32>, tensor<4xf32>) {
  return %q, %p : tensor<4xf32>, tensor<4xf32>
}

// -----

// One that stays as it is.
// CHECK-LABEL: func.func @frozen
// CHECK-NEXT: return
func.func @frozen(%p: tensor<4xf32> {nova.role = "parameter", nova.name = "p", nova.donated = 0 : i64}) -> tensor<4xf32> {
  return %p : tensor<4xf32>
}

// -----

// The optimizer's packs say how the state lies: another concat of it copies.
// CHECK-LABEL: func.func @packed_state
// CHECK: [[A:%[^ :,]+]] = nova.launch @broadcast_in_dim_4(%arg0)
// CHECK: [[B:%[^ :,]+]] = nova.launch @broadcast_in_dim_4(%arg1)
// CHECK: nova.concat [[A]], [[B]] axis = 0
// CHECK: nova.concat %arg1, %arg0 axis = 0
// CHECK: nova.launch @adamw_8
func.func @packed_state(%a: tensor<4xf32> {nova.role = "parameter", nova.name = "a"},
                        %b: tensor<4xf32> {nova.role = "parameter", nova.name = "b"}, %lr: tensor<f32>,
                        %t: tensor<i64>) -> tensor<8xf32> {
  %both = nova.concat %a, %b axis = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %g = nova.exp %both : tensor<8xf32>
  %p = nova.concat %b, %a axis = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %p1, %m, %v = nova.adamw %p, %g, %g, %g, lr %lr, step %t, scale %lr
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : tensor<8xf32>, tensor<8xf32>
  return %p1 : tensor<8xf32>
}
