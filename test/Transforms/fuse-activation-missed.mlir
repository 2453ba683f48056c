// RUN: nova-opt %s --nova-fuse-activation --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=nova-fuse-activation --remark-format=emitRemark | FileCheck %s
//
// Everything here is nearly an activation; each function shows one guard, and the remark says why it holds.

// CHECK-NOT: nova.gelu
// CHECK-NOT: nova.silu

// Two millionths off.
func.func @cubic_constant_off(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %half = nova.constant dense<0.5> : tensor<f32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %a = nova.constant dense<0.0447151> : tensor<f32>
  %root = nova.constant dense<0.797884561> : tensor<f32>
  %x2 = nova.mul %x, %x : tensor<8x64xf32>, tensor<8x64xf32>
  %x3 = nova.mul %x2, %x : tensor<8x64xf32>, tensor<8x64xf32>
  %s = nova.mul %x3, %a : tensor<8x64xf32>, tensor<f32>
  %p = nova.add %x, %s : tensor<8x64xf32>, tensor<8x64xf32>
  %u = nova.mul %p, %root : tensor<8x64xf32>, tensor<f32>
  %t = nova.tanh %u : tensor<8x64xf32>
  %g = nova.add %t, %one : tensor<8x64xf32>, tensor<f32>
  %h = nova.mul %x, %half : tensor<8x64xf32>, tensor<f32>
  // expected-remark @below {{the coefficient of x^3 in the argument of tanh is 0.03567749, gelu's is 0.03567741}}
  %y = nova.mul %h, %g : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @linear_constant_off(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %half = nova.constant dense<0.5> : tensor<f32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %a = nova.constant dense<0.044715> : tensor<f32>
  %root = nova.constant dense<0.8> : tensor<f32>
  %x2 = nova.mul %x, %x : tensor<8x64xf32>, tensor<8x64xf32>
  %x3 = nova.mul %x2, %x : tensor<8x64xf32>, tensor<8x64xf32>
  %s = nova.mul %x3, %a : tensor<8x64xf32>, tensor<f32>
  %p = nova.add %x, %s : tensor<8x64xf32>, tensor<8x64xf32>
  %u = nova.mul %p, %root : tensor<8x64xf32>, tensor<f32>
  %t = nova.tanh %u : tensor<8x64xf32>
  %g = nova.add %t, %one : tensor<8x64xf32>, tensor<f32>
  %h = nova.mul %x, %half : tensor<8x64xf32>, tensor<f32>
  // expected-remark @below {{the coefficient of x^1 in the argument of tanh is 0.8, gelu's is 0.7978846}}
  %y = nova.mul %h, %g : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @half_off(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %half = nova.constant dense<0.25> : tensor<f32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %a = nova.constant dense<0.044715> : tensor<f32>
  %root = nova.constant dense<0.797884561> : tensor<f32>
  %x2 = nova.mul %x, %x : tensor<8x64xf32>, tensor<8x64xf32>
  %x3 = nova.mul %x2, %x : tensor<8x64xf32>, tensor<8x64xf32>
  %s = nova.mul %x3, %a : tensor<8x64xf32>, tensor<f32>
  %p = nova.add %x, %s : tensor<8x64xf32>, tensor<8x64xf32>
  %u = nova.mul %p, %root : tensor<8x64xf32>, tensor<f32>
  %t = nova.tanh %u : tensor<8x64xf32>
  %g = nova.add %t, %one : tensor<8x64xf32>, tensor<f32>
  %h = nova.mul %x, %half : tensor<8x64xf32>, tensor<f32>
  // expected-remark @below {{the product is x * (0.25 + 0.25 tanh), gelu is x * (0.5 + 0.5 tanh)}}
  %y = nova.mul %h, %g : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @one_off(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %half = nova.constant dense<0.5> : tensor<f32>
  %one = nova.constant dense<1.5> : tensor<f32>
  %a = nova.constant dense<0.044715> : tensor<f32>
  %root = nova.constant dense<0.797884561> : tensor<f32>
  %x2 = nova.mul %x, %x : tensor<8x64xf32>, tensor<8x64xf32>
  %x3 = nova.mul %x2, %x : tensor<8x64xf32>, tensor<8x64xf32>
  %s = nova.mul %x3, %a : tensor<8x64xf32>, tensor<f32>
  %p = nova.add %x, %s : tensor<8x64xf32>, tensor<8x64xf32>
  %u = nova.mul %p, %root : tensor<8x64xf32>, tensor<f32>
  %t = nova.tanh %u : tensor<8x64xf32>
  %g = nova.add %t, %one : tensor<8x64xf32>, tensor<f32>
  %h = nova.mul %x, %half : tensor<8x64xf32>, tensor<f32>
  // expected-remark @below {{the product is x * (0.75 + 0.5 tanh), gelu is x * (0.5 + 0.5 tanh)}}
  %y = nova.mul %h, %g : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @tanh_used(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %half = nova.constant dense<0.5> : tensor<f32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %a = nova.constant dense<0.044715> : tensor<f32>
  %root = nova.constant dense<0.797884561> : tensor<f32>
  %x2 = nova.mul %x, %x : tensor<8x64xf32>, tensor<8x64xf32>
  %x3 = nova.mul %x2, %x : tensor<8x64xf32>, tensor<8x64xf32>
  %s = nova.mul %x3, %a : tensor<8x64xf32>, tensor<f32>
  %p = nova.add %x, %s : tensor<8x64xf32>, tensor<8x64xf32>
  %u = nova.mul %p, %root : tensor<8x64xf32>, tensor<f32>
  %t = nova.tanh %u : tensor<8x64xf32>
  %g = nova.add %t, %one : tensor<8x64xf32>, tensor<f32>
  %h = nova.mul %x, %half : tensor<8x64xf32>, tensor<f32>
  // expected-remark @below {{the result of nova.tanh is used elsewhere too}}
  %y = nova.mul %h, %g : tensor<8x64xf32>, tensor<8x64xf32>
  return %y, %t : tensor<8x64xf32>, tensor<8x64xf32>
}

// -----

func.func @erf_constant_off(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %half = nova.constant dense<0.5> : tensor<f32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %c = nova.constant dense<0.7> : tensor<f32>
  %u = nova.mul %x, %c : tensor<8x64xf32>, tensor<f32>
  %t = nova.erf %u : tensor<8x64xf32>
  %g = nova.add %t, %one : tensor<8x64xf32>, tensor<f32>
  %h = nova.mul %x, %half : tensor<8x64xf32>, tensor<f32>
  // expected-remark @below {{the coefficient of x^1 in the argument of erf is 0.7, gelu's is 0.7071068}}
  %y = nova.mul %h, %g : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

// The gate is rounded to bf16.
func.func @other_element_type(%x: tensor<8x64xf32>, %z: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  %one = nova.constant dense<1.0> : tensor<f32>
  %t = nova.tanh %x : tensor<8x64xf32>
  %g = nova.add %t, %one : tensor<8x64xf32>, tensor<f32>
  %gb = nova.cast %g : tensor<8x64xf32> -> tensor<8x64xbf16>
  // expected-remark @below {{the element type changes inside the activation}}
  %y = nova.mul %z, %gb : tensor<8x64xbf16>, tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}

// -----

// x * sigmoid(1.702 x).
func.func @quick_gelu(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %c = nova.constant dense<1.702> : tensor<f32>
  %u = nova.mul %x, %c : tensor<8x64xf32>, tensor<f32>
  %t = nova.sigmoid %u : tensor<8x64xf32>
  // expected-remark @below {{the sigmoid is that of x * 1.702, silu's is that of x}}
  %y = nova.mul %x, %t : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

func.func @sigmoid_used(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %t = nova.sigmoid %x : tensor<8x64xf32>
  // expected-remark @below {{the result of nova.sigmoid is used elsewhere too}}
  %y = nova.mul %x, %t : tensor<8x64xf32>, tensor<8x64xf32>
  return %y, %t : tensor<8x64xf32>, tensor<8x64xf32>
}

// -----

// The gate is of another tensor: no near miss.
func.func @gated_tanh(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %one = nova.constant dense<1.0> : tensor<f32>
  %z = nova.exp %x : tensor<8x64xf32>
  %t = nova.tanh %z : tensor<8x64xf32>
  %g = nova.add %t, %one : tensor<8x64xf32>, tensor<f32>
  %y = nova.mul %x, %g : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}
