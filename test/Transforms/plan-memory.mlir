// RUN: nova-opt %s --split-input-file --pass-pipeline="builtin.module(nova.kernel(nova-select-kernel-config,nova-tile,cse),nova-plan-memory)" | FileCheck %s

nova.kernel @exp_16(%x: tensor<16xf32>) -> tensor<16xf32> family elementwise {
  %0 = nova.exp %x : tensor<16xf32>
  nova.return %0 : tensor<16xf32>
}

// The example of the pass description.
// CHECK: module attributes {nova.region_bytes = array<i64: 0, 64, 0, 128>}
// CHECK-LABEL: func.func @f
// CHECK-SAME: nova.address = #nova.address<io + 0>}) -> (tensor<16xf32> {nova.address = #nova.address<io + 64>})
// CHECK-NEXT: nova.addresses = [#nova.address<io + 0>, #nova.address<arena + 0>]
// CHECK-NEXT: nova.addresses = [#nova.address<arena + 0>, #nova.address<arena + 0>]
// CHECK-NEXT: nova.addresses = [#nova.address<arena + 0>, #nova.address<io + 64>]
func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = nova.launch @exp_16(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = nova.launch @exp_16(%0) : (tensor<16xf32>) -> tensor<16xf32>
  %2 = nova.launch @exp_16(%1) : (tensor<16xf32>) -> tensor<16xf32>
  return %2 : tensor<16xf32>
}

// -----

!t = tensor<4x4xf32>
nova.kernel @matmul(%x: !t, %y: !t) -> !t family matmul {
  %0 = nova.matmul %x, %y : !t, !t
  nova.return %0 : !t
}
nova.kernel @residual(%x: !t, %y: !t, %r: !t) -> !t family matmul {
  %0 = nova.matmul %x, %y : !t, !t
  %1 = nova.add %0, %r : !t, !t
  nova.return %1 : !t
}
nova.kernel @softmax(%x: !t) -> !t family row {
  %0 = nova.softmax %x : !t
  nova.return %0 : !t
}
nova.kernel @transpose(%x: !t) -> !t family index {
  %0 = nova.transpose %x [1, 0] : !t
  nova.return %0 : !t
}
nova.kernel @symmetric(%x: !t, %y: !t) -> !t family generic {
  %0 = nova.transpose %y [1, 0] : !t
  %1 = nova.add %x, %0 : !t, !t
  nova.return %1 : !t
}

// A product is not written over what it multiplies, but over what is added to it; a row over itself; a transpose never,
// nor what reads an operand twice, once elsewhere. What is dead leaves its memory.
// CHECK: module attributes {nova.region_bytes = array<i64: 0, 128, 0, 128>}
// CHECK-LABEL: func.func @f
// CHECK-NEXT: @matmul{{.*}}[#nova.address<io + 0>, #nova.address<io + 0>, #nova.address<arena + [[A:[0-9]+]]>]
// CHECK-NEXT: @matmul{{.*}}[#nova.address<arena + [[A]]>, #nova.address<io + 0>, #nova.address<arena + [[B:[0-9]+]]>]
// CHECK-NEXT: @residual{{.*}}[#nova.address<arena + [[A]]>, #nova.address<io + 0>, #nova.address<arena + [[B]]>, #nova.address<arena + [[B]]>]
// CHECK-NEXT: @softmax{{.*}}[#nova.address<arena + [[B]]>, #nova.address<arena + [[B]]>]
// CHECK-NEXT: @transpose{{.*}}[#nova.address<arena + [[B]]>, #nova.address<arena + [[A]]>]
// CHECK-NEXT: @symmetric{{.*}}[#nova.address<arena + [[A]]>, #nova.address<arena + [[A]]>, #nova.address<arena + [[B]]>]
// CHECK-NEXT: @matmul{{.*}}[#nova.address<arena + [[B]]>, #nova.address<arena + [[B]]>, #nova.address<io + 64>]
func.func @f(%x: !t) -> !t {
  %0 = nova.launch @matmul(%x, %x) : (!t, !t) -> !t
  %1 = nova.launch @matmul(%0, %x) : (!t, !t) -> !t
  %2 = nova.launch @residual(%0, %x, %1) : (!t, !t, !t) -> !t
  %3 = nova.launch @softmax(%2) : (!t) -> !t
  %4 = nova.launch @transpose(%3) : (!t) -> !t
  %5 = nova.launch @symmetric(%4, %4) : (!t, !t) -> !t
  %6 = nova.launch @matmul(%5, %5) : (!t, !t) -> !t
  return %6 : !t
}

// -----

// The state: parameters of one class side by side, then first moments, then second ones; each entry finds a parameter at
// the same place; new values come where the old ones are; gradients lie side by side in the arena.
!s = tensor<f32>
nova.parameter @unused : tensor<4xf32> = #nova.constant<0.0>
nova.parameter @b : tensor<4xf32> = #nova.constant<0.0>
nova.parameter @a : tensor<2x8xf32> = #nova.constant<0.0>
nova.kernel @adamw(%p: tensor<20xf32>, %g: tensor<20xf32>, %m: tensor<20xf32>, %v: tensor<20xf32>, %lr: !s,
                   %t: tensor<i64>) -> (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) family elementwise {
  %s = nova.constant dense<1.0> : tensor<f32>
  %0, %1, %2 = nova.adamw %p, %g, %m, %v, lr %lr, step %t, scale %s
    {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : tensor<20xf32>, tensor<20xf32>
  nova.return %0, %1, %2 : tensor<20xf32>, tensor<20xf32>, tensor<20xf32>
}
nova.kernel @exp_16(%x: tensor<16xf32>) -> tensor<16xf32> family elementwise {
  %0 = nova.exp %x : tensor<16xf32>
  nova.return %0 : tensor<16xf32>
}
nova.kernel @exp_4(%x: tensor<4xf32>) -> tensor<4xf32> family elementwise {
  %0 = nova.exp %x : tensor<4xf32>
  nova.return %0 : tensor<4xf32>
}
// CHECK: module attributes {nova.region_bytes = array<i64: 448, 128, 64, 128>}
// CHECK: nova.parameter @unused {{.*}}nova.address = #nova.address<state + 0>
// CHECK: nova.parameter @b {{.*}}nova.address = #nova.address<state + 128>
// CHECK: nova.parameter @a {{.*}}nova.address = #nova.address<state + 64>
// CHECK-LABEL: func.func @loss
// CHECK-SAME: {nova.address = #nova.address<state + 64>
// CHECK: @exp_16{{.*}}[#nova.address<state + 64>, #nova.address<io + 0>]
// CHECK: nova.constant {{.*}}nova.address = #nova.address<constants + 0>
// CHECK: @exp_4{{.*}}[#nova.address<constants + 0>, #nova.address<io + 64>]
func.func @loss(%a: tensor<2x8xf32> {nova.role = "parameter", nova.name = "a"}) -> (tensor<16xf32>, tensor<4xf32>) {
  %flat = nova.reshape %a : tensor<2x8xf32> -> tensor<16xf32>
  %0 = nova.launch @exp_16(%flat) : (tensor<16xf32>) -> tensor<16xf32>
  %c = nova.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = nova.launch @exp_4(%c) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<16xf32>, tensor<4xf32>
}
// CHECK-LABEL: func.func @train_step
// CHECK: @exp_16{{.*}}[#nova.address<state + 64>, #nova.address<arena + 0>]
// CHECK: @exp_4{{.*}}[#nova.address<state + 128>, #nova.address<arena + 64>]
// CHECK: @adamw{{.*}}[#nova.address<state + 64>, #nova.address<arena + 0>, #nova.address<state + 192>, #nova.address<state + 320>, #nova.address<io + 0>, #nova.address<io + 64>, #nova.address<state + 64>, #nova.address<state + 192>, #nova.address<state + 320>]
func.func @train_step(%a: tensor<2x8xf32> {nova.role = "parameter", nova.name = "a", nova.donated = 0 : i64},
                      %b: tensor<4xf32> {nova.role = "parameter", nova.name = "b", nova.donated = 1 : i64},
                      %ma: tensor<2x8xf32> {nova.role = "m", nova.name = "a", nova.donated = 2 : i64},
                      %mb: tensor<4xf32> {nova.role = "m", nova.name = "b", nova.donated = 3 : i64},
                      %va: tensor<2x8xf32> {nova.role = "v", nova.name = "a", nova.donated = 4 : i64},
                      %vb: tensor<4xf32> {nova.role = "v", nova.name = "b", nova.donated = 5 : i64},
                      %lr: !s {nova.role = "lr"}, %t: tensor<i64> {nova.role = "step"})
    -> (tensor<2x8xf32>, tensor<4xf32>, tensor<2x8xf32>, tensor<4xf32>, tensor<2x8xf32>, tensor<4xf32>) {
  %fa = nova.reshape %a : tensor<2x8xf32> -> tensor<16xf32>
  %fma = nova.reshape %ma : tensor<2x8xf32> -> tensor<16xf32>
  %fva = nova.reshape %va : tensor<2x8xf32> -> tensor<16xf32>
  %ga = nova.launch @exp_16(%fa) : (tensor<16xf32>) -> tensor<16xf32>
  %gb = nova.launch @exp_4(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %p = nova.concat %fa, %b axis = 0 : (tensor<16xf32>, tensor<4xf32>) -> tensor<20xf32>
  %g = nova.concat %ga, %gb axis = 0 : (tensor<16xf32>, tensor<4xf32>) -> tensor<20xf32>
  %m = nova.concat %fma, %mb axis = 0 : (tensor<16xf32>, tensor<4xf32>) -> tensor<20xf32>
  %v = nova.concat %fva, %vb axis = 0 : (tensor<16xf32>, tensor<4xf32>) -> tensor<20xf32>
  %p1, %m1, %v1 = nova.launch @adamw(%p, %g, %m, %v, %lr, %t)
    : (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>, tensor<20xf32>, !s, tensor<i64>)
    -> (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>)
  %pa = nova.slice %p1 starts = [0] limits = [16] strides = [1] : tensor<20xf32> -> tensor<16xf32>
  %pb = nova.slice %p1 starts = [16] limits = [20] strides = [1] : tensor<20xf32> -> tensor<4xf32>
  %ra = nova.reshape %pa : tensor<16xf32> -> tensor<2x8xf32>
  %ma1 = nova.slice %m1 starts = [0] limits = [16] strides = [1] : tensor<20xf32> -> tensor<16xf32>
  %mb1 = nova.slice %m1 starts = [16] limits = [20] strides = [1] : tensor<20xf32> -> tensor<4xf32>
  %rma = nova.reshape %ma1 : tensor<16xf32> -> tensor<2x8xf32>
  %va1 = nova.slice %v1 starts = [0] limits = [16] strides = [1] : tensor<20xf32> -> tensor<16xf32>
  %vb1 = nova.slice %v1 starts = [16] limits = [20] strides = [1] : tensor<20xf32> -> tensor<4xf32>
  %rva = nova.reshape %va1 : tensor<16xf32> -> tensor<2x8xf32>
  return %ra, %pb, %rma, %mb1, %rva, %vb1
    : tensor<2x8xf32>, tensor<4xf32>, tensor<2x8xf32>, tensor<4xf32>, tensor<2x8xf32>, tensor<4xf32>
}

// -----

// Parameters that are read where no argument is one.
nova.parameter @w : tensor<4xf32> = #nova.constant<0.0>
nova.kernel @exp_4(%x: tensor<4xf32>) -> tensor<4xf32> family elementwise {
  %0 = nova.exp %x : tensor<4xf32>
  nova.return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @read
// CHECK: nova.launch {{.*}}[#nova.address<state + 0>, #nova.address<io + 0>]
func.func @read() -> tensor<4xf32> {
  %w = nova.read @w : tensor<4xf32>
  %0 = nova.launch @exp_4(%w) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Gradients that lie side by side: until one is written, others lie in its place, and it is written over an operand that
// it takes in; the operand lies there before.
nova.kernel @exp_64(%x: tensor<64xf32>) -> tensor<64xf32> family elementwise {
  %0 = nova.exp %x : tensor<64xf32>
  nova.return %0 : tensor<64xf32>
}
nova.kernel @gather(%x: tensor<64xf32>, %i: tensor<64xi32>) -> tensor<64xf32> family index {
  %0 = nova.gather %x[%i] : tensor<64xf32>, tensor<64xi32>
  nova.return %0 : tensor<64xf32>
}
nova.kernel @scatter_add(%t: tensor<64xf32>, %i: tensor<64xi32>, %u: tensor<64xf32>) -> tensor<64xf32> family index {
  %0 = nova.scatter_add %t[%i], %u : tensor<64xf32>, tensor<64xi32>, tensor<64xf32>
  nova.return %0 : tensor<64xf32>
}
nova.kernel @sum(%x: tensor<1x128xf32>) -> tensor<1xf32> family row {
  %0 = nova.reduce sum %x over [1] : tensor<1x128xf32>
  nova.return %0 : tensor<1xf32>
}
// CHECK: module attributes {nova.region_bytes = array<i64: 0, 512, 0, 576>}
// CHECK-LABEL: func.func @gradients
// CHECK-NEXT: @exp_64{{.*}}[#nova.address<io + 0>, #nova.address<arena + 0>]
// CHECK-NEXT: @gather{{.*}}[#nova.address<arena + 0>, #nova.address<io + 256>, #nova.address<arena + 256>]
// CHECK-NEXT: @scatter_add{{.*}}[#nova.address<arena + 0>, #nova.address<io + 256>, #nova.address<arena + 256>, #nova.address<arena + 0>]
// CHECK-NEXT: @gather{{.*}}[#nova.address<io + 0>, #nova.address<io + 256>, #nova.address<arena + 256>]
func.func @gradients(%x: tensor<64xf32>, %i: tensor<64xi32>) -> tensor<1xf32> {
  %0 = nova.launch @exp_64(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %1 = nova.launch @gather(%0, %i) : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  %2 = nova.launch @scatter_add(%0, %i, %1) : (tensor<64xf32>, tensor<64xi32>, tensor<64xf32>) -> tensor<64xf32>
  %3 = nova.launch @gather(%x, %i) : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  %4 = nova.concat %2, %3 axis = 0 : (tensor<64xf32>, tensor<64xf32>) -> tensor<128xf32>
  %5 = nova.reshape %4 : tensor<128xf32> -> tensor<1x128xf32>
  %6 = nova.launch @sum(%5) : (tensor<1x128xf32>) -> tensor<1xf32>
  return %6 : tensor<1xf32>
}
