// RUN: nova-opt %s --canonicalize | FileCheck %s

// The sum of neighbours that are padded with zeros to one whole is their concatenation.

!part = tensor<2x3xf32>
!whole = tensor<2x9xf32>

// Three parts in any order; what no part covers stays padded.
// CHECK-LABEL: func.func @three_parts
// CHECK-SAME: ([[X:%.+]]: tensor<2x3xf32>, [[Y:%.+]]: tensor<2x3xf32>, [[Z:%.+]]: tensor<2x3xf32>)
// CHECK-NEXT: [[C:%.+]] = nova.concat [[X]], [[Y]], [[Z]] axis = 1
// CHECK-NEXT: return [[C]]
func.func @three_parts(%x: !part, %y: !part, %z: !part) -> !whole {
  %zero = nova.constant dense<0.0> : tensor<f32>
  %px = nova.pad %x, %zero low = [0, 0] high = [0, 6] interior = [0, 0] : !part, tensor<f32> -> !whole
  %py = nova.pad %y, %zero low = [0, 3] high = [0, 3] interior = [0, 0] : !part, tensor<f32> -> !whole
  %pz = nova.pad %z, %zero low = [0, 6] high = [0, 0] interior = [0, 0] : !part, tensor<f32> -> !whole
  %a = nova.add %pz, %py : !whole, !whole
  %b = nova.add %a, %px : !whole, !whole
  return %b : !whole
}

// CHECK-LABEL: func.func @two_of_three_parts
// CHECK-SAME: ([[X:%.+]]: tensor<2x3xf32>, [[Y:%.+]]: tensor<2x3xf32>)
// CHECK-NEXT: [[ZERO:%.+]] = nova.constant
// CHECK-NEXT: [[C:%.+]] = nova.concat [[X]], [[Y]] axis = 1
// CHECK-NEXT: [[P:%.+]] = nova.pad [[C]], [[ZERO]] low = [0, 3] high = [0, 0] interior = [0, 0]
// CHECK-NEXT: return [[P]]
func.func @two_of_three_parts(%x: !part, %y: !part) -> !whole {
  %zero = nova.constant dense<0.0> : tensor<f32>
  %px = nova.pad %x, %zero low = [0, 3] high = [0, 3] interior = [0, 0] : !part, tensor<f32> -> !whole
  %py = nova.pad %y, %zero low = [0, 6] high = [0, 0] interior = [0, 0] : !part, tensor<f32> -> !whole
  %a = nova.add %px, %py : !whole, !whole
  return %a : !whole
}

// Near misses.

// CHECK-LABEL: func.func @gap
// CHECK: nova.add
func.func @gap(%x: !part, %y: !part) -> !whole {
  %zero = nova.constant dense<0.0> : tensor<f32>
  %px = nova.pad %x, %zero low = [0, 0] high = [0, 6] interior = [0, 0] : !part, tensor<f32> -> !whole
  %py = nova.pad %y, %zero low = [0, 6] high = [0, 0] interior = [0, 0] : !part, tensor<f32> -> !whole
  %a = nova.add %px, %py : !whole, !whole
  return %a : !whole
}

// CHECK-LABEL: func.func @overlap
// CHECK: nova.add
func.func @overlap(%x: !part, %y: !part) -> !whole {
  %zero = nova.constant dense<0.0> : tensor<f32>
  %px = nova.pad %x, %zero low = [0, 2] high = [0, 4] interior = [0, 0] : !part, tensor<f32> -> !whole
  %py = nova.pad %y, %zero low = [0, 4] high = [0, 2] interior = [0, 0] : !part, tensor<f32> -> !whole
  %a = nova.add %px, %py : !whole, !whole
  return %a : !whole
}

// CHECK-LABEL: func.func @padded_with_ones
// CHECK: nova.add
func.func @padded_with_ones(%x: !part, %y: !part) -> tensor<2x6xf32> {
  %one = nova.constant dense<1.0> : tensor<f32>
  %px = nova.pad %x, %one low = [0, 0] high = [0, 3] interior = [0, 0] : !part, tensor<f32> -> tensor<2x6xf32>
  %py = nova.pad %y, %one low = [0, 3] high = [0, 0] interior = [0, 0] : !part, tensor<f32> -> tensor<2x6xf32>
  %a = nova.add %px, %py : tensor<2x6xf32>, tensor<2x6xf32>
  return %a : tensor<2x6xf32>
}

// CHECK-LABEL: func.func @padded_between
// CHECK: nova.add
func.func @padded_between(%x: !part, %y: tensor<2x1xf32>) -> tensor<2x6xf32> {
  %zero = nova.constant dense<0.0> : tensor<f32>
  %px = nova.pad %x, %zero low = [0, 0] high = [0, 1] interior = [0, 1] : !part, tensor<f32> -> tensor<2x6xf32>
  %py = nova.pad %y, %zero low = [0, 3] high = [0, 2] interior = [0, 0] : tensor<2x1xf32>, tensor<f32> -> tensor<2x6xf32>
  %a = nova.add %px, %py : tensor<2x6xf32>, tensor<2x6xf32>
  return %a : tensor<2x6xf32>
}

// CHECK-LABEL: func.func @padded_along_both_axes
// CHECK: nova.add
func.func @padded_along_both_axes(%x: !part, %y: !part) -> tensor<4x6xf32> {
  %zero = nova.constant dense<0.0> : tensor<f32>
  %px = nova.pad %x, %zero low = [0, 0] high = [2, 3] interior = [0, 0] : !part, tensor<f32> -> tensor<4x6xf32>
  %py = nova.pad %y, %zero low = [2, 3] high = [0, 0] interior = [0, 0] : !part, tensor<f32> -> tensor<4x6xf32>
  %a = nova.add %px, %py : tensor<4x6xf32>, tensor<4x6xf32>
  return %a : tensor<4x6xf32>
}

// The padded tensor is needed anyway.
// CHECK-LABEL: func.func @used_twice
// CHECK: nova.add
func.func @used_twice(%x: !part, %y: !part) -> (tensor<2x6xf32>, tensor<2x6xf32>) {
  %zero = nova.constant dense<0.0> : tensor<f32>
  %px = nova.pad %x, %zero low = [0, 0] high = [0, 3] interior = [0, 0] : !part, tensor<f32> -> tensor<2x6xf32>
  %py = nova.pad %y, %zero low = [0, 3] high = [0, 0] interior = [0, 0] : !part, tensor<f32> -> tensor<2x6xf32>
  %a = nova.add %px, %py : tensor<2x6xf32>, tensor<2x6xf32>
  return %a, %px : tensor<2x6xf32>, tensor<2x6xf32>
}
