// RUN: nova-opt %s --nova-specialize-shapes="shapes=x=2x3x16,n=5 input-shapes=y=7x4,n=9,other=1" | FileCheck %s

// Calls are taken in: each may want another shape. Of two open sizes of a reshape the first is the operand's.
// CHECK-NOT: @heads
func.func private @heads(%x: tensor<?x?x16xf32>) -> tensor<?x?x4x4xf32> {
  %y = nova.reshape %x : tensor<?x?x16xf32> -> tensor<?x?x4x4xf32>
  return %y : tensor<?x?x4x4xf32>
}

// CHECK-LABEL: func.func @attention(%{{.*}}: tensor<2x3x16xf32> {nova.name = "x"}) -> (tensor<2x3x16xf32> {nova.name = "z"})
func.func @attention(%x: tensor<?x?x16xf32> {nova.name = "x"}) -> (tensor<?x?x16xf32> {nova.name = "z"}) {
  // CHECK: nova.reshape %{{.*}} : tensor<2x3x16xf32> -> tensor<2x3x4x4xf32>
  %h = call @heads(%x) : (tensor<?x?x16xf32>) -> tensor<?x?x4x4xf32>
  // CHECK: nova.transpose %{{.*}} [0, 2, 1, 3] : tensor<2x3x4x4xf32>
  %t = nova.transpose %h [0, 2, 1, 3] : tensor<?x?x4x4xf32>
  // CHECK: nova.attention {{.*}} : tensor<2x4x3x4xf32>, tensor<2x4x3x4xf32>, tensor<2x4x3x4xf32>
  %y, %lse = nova.attention %t, %t, %t {causal} : tensor<?x4x?x4xf32>, tensor<?x4x?x4xf32>, tensor<?x4x?x4xf32>
  %b = nova.transpose %y [0, 2, 1, 3] : tensor<?x4x?x4xf32>
  // CHECK: nova.reshape %{{.*}} : tensor<2x3x4x4xf32> -> tensor<2x3x16xf32>
  %o = nova.reshape %b : tensor<?x?x4x4xf32> -> tensor<?x?x16xf32>
  // What no operand gives is what the users need.
  // CHECK: nova.iota 0 : tensor<3xi32>
  %position = nova.iota 0 : tensor<?xi32>
  // CHECK: nova.cast %{{.*}} : tensor<3xi32> -> tensor<3xf32>
  %cast = nova.cast %position : tensor<?xi32> -> tensor<?xf32>
  // CHECK: nova.broadcast_in_dim %{{.*}} dims = [1] : tensor<3xf32> -> tensor<1x3x16xf32>
  %wide = nova.broadcast_in_dim %cast dims = [1] : tensor<?xf32> -> tensor<1x?x16xf32>
  // CHECK: nova.add %{{.*}} : tensor<2x3x16xf32>, tensor<1x3x16xf32>
  %z = nova.add %o, %wide : tensor<?x?x16xf32>, tensor<1x?x16xf32>
  return %z : tensor<?x?x16xf32>
}

// Shapes that were asked for come before those of files; without a name an argument is argN.
// CHECK-LABEL: func.func @files(%{{.*}}: tensor<7x4xf32> {nova.name = "y"}, %{{.*}}: tensor<5xf32> {nova.name = "n"}) -> (tensor<7x8xf32>, tensor<11xf32>, tensor<5x5xf32>)
func.func @files(%y: tensor<?x4xf32> {nova.name = "y"}, %n: tensor<?xf32> {nova.name = "n"}) -> (tensor<?x8xf32>, tensor<?xf32>, tensor<?x?xf32>) {
  // CHECK: nova.concat %{{.*}} axis = 1 : (tensor<7x4xf32>, tensor<7x4xf32>) -> tensor<7x8xf32>
  %c = nova.concat %y, %y axis = 1 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  %zero = nova.constant dense<0.0> : tensor<f32>
  // CHECK: nova.pad {{.*}} -> tensor<11xf32>
  %p = nova.pad %n, %zero low = [1] high = [1] interior = [1] : tensor<?xf32>, tensor<f32> -> tensor<?xf32>
  %column = nova.reshape %n : tensor<?xf32> -> tensor<?x1xf32>
  // CHECK: nova.mul %{{.*}} : tensor<5x1xf32>, tensor<5xf32>
  %o = nova.mul %column, %n : tensor<?x1xf32>, tensor<?xf32>
  return %c, %p, %o : tensor<?x8xf32>, tensor<?xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func.func @closed(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
// CHECK: call @closed_part
func.func @closed(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @closed_part(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @closed_part(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
