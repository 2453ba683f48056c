// RUN: nova-opt %s --nova-fuse-activation | FileCheck %s

// x * x * x.
// CHECK-LABEL: func @gelu_cube_by_products(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x64xf32>
// CHECK-NEXT:    %[[Y:.*]] = nova.gelu tanh %[[X]] :
// CHECK-NEXT:    return %[[Y]]
func.func @gelu_cube_by_products(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
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
  %y = nova.mul %h, %g : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// pow(x, 3), the half last as a quotient, everything exchanged.
// CHECK-LABEL: func @gelu_cube_by_power(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x64xf32>
// CHECK-NEXT:    %[[Y:.*]] = nova.gelu tanh %[[X]] :
// CHECK-NEXT:    return %[[Y]]
func.func @gelu_cube_by_power(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %two = nova.constant dense<2.0> : tensor<f32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %three = nova.constant dense<3.0> : tensor<f32>
  %a = nova.constant dense<0.044715> : tensor<f32>
  %root = nova.constant dense<0.797884561> : tensor<f32>

  %x3 = nova.pow %x, %three : tensor<8x64xf32>, tensor<f32>
  %s = nova.mul %a, %x3 : tensor<f32>, tensor<8x64xf32>
  %p = nova.add %s, %x : tensor<8x64xf32>, tensor<8x64xf32>
  %u = nova.mul %root, %p : tensor<f32>, tensor<8x64xf32>
  %t = nova.tanh %u : tensor<8x64xf32>
  %g = nova.add %one, %t : tensor<f32>, tensor<8x64xf32>
  %h = nova.mul %g, %x : tensor<8x64xf32>, tensor<8x64xf32>
  %y = nova.div %h, %two : tensor<8x64xf32>, tensor<f32>
  return %y : tensor<8x64xf32>
}

// sqrt(2 / pi) x (1 + a x^2), and (0.5 + 0.5 tanh).
// CHECK-LABEL: func @gelu_factored(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x64xf32>
// CHECK-NEXT:    %[[Y:.*]] = nova.gelu tanh %[[X]] :
// CHECK-NEXT:    return %[[Y]]
func.func @gelu_factored(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %half = nova.constant dense<0.5> : tensor<f32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %a = nova.constant dense<0.044715> : tensor<f32>
  %root = nova.constant dense<0.797884561> : tensor<f32>

  %x2 = nova.square %x : tensor<8x64xf32>
  %s = nova.mul %x2, %a : tensor<8x64xf32>, tensor<f32>
  %b = nova.add %s, %one : tensor<8x64xf32>, tensor<f32>
  %l = nova.mul %x, %root : tensor<8x64xf32>, tensor<f32>
  %u = nova.mul %l, %b : tensor<8x64xf32>, tensor<8x64xf32>
  %t = nova.tanh %u : tensor<8x64xf32>
  %ht = nova.mul %t, %half : tensor<8x64xf32>, tensor<f32>
  %g = nova.add %ht, %half : tensor<8x64xf32>, tensor<f32>
  %y = nova.mul %g, %x : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// Two terms with their own constants.
// CHECK-LABEL: func @gelu_distributed(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x64xf32>
// CHECK-NEXT:    %[[Y:.*]] = nova.gelu tanh %[[X]] :
// CHECK-NEXT:    return %[[Y]]
func.func @gelu_distributed(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %half = nova.constant dense<0.5> : tensor<f32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %ra = nova.constant dense<0.0356774069> : tensor<f32>
  %root = nova.constant dense<0.797884561> : tensor<f32>

  %x2 = nova.mul %x, %x : tensor<8x64xf32>, tensor<8x64xf32>
  %x3 = nova.mul %x, %x2 : tensor<8x64xf32>, tensor<8x64xf32>
  %c = nova.mul %x3, %ra : tensor<8x64xf32>, tensor<f32>
  %l = nova.mul %x, %root : tensor<8x64xf32>, tensor<f32>
  %u = nova.add %c, %l : tensor<8x64xf32>, tensor<8x64xf32>
  %t = nova.tanh %u : tensor<8x64xf32>
  %g = nova.add %t, %one : tensor<8x64xf32>, tensor<f32>
  %xg = nova.mul %x, %g : tensor<8x64xf32>, tensor<8x64xf32>
  %y = nova.mul %half, %xg : tensor<f32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// x is a product itself.
// CHECK-LABEL: func @gelu_of_a_product(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x64xf32>
// CHECK-NEXT:    %[[Z:.*]] = nova.mul %[[X]]
// CHECK-NEXT:    %[[Y:.*]] = nova.gelu tanh %[[Z]] :
// CHECK-NEXT:    return %[[Y]]
func.func @gelu_of_a_product(%x: tensor<8x64xf32>, %w: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %half = nova.constant dense<0.5> : tensor<f32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %a = nova.constant dense<0.044715> : tensor<f32>
  %root = nova.constant dense<0.797884561> : tensor<f32>

  %z = nova.mul %x, %w : tensor<8x64xf32>, tensor<8x64xf32>
  %x2 = nova.mul %z, %z : tensor<8x64xf32>, tensor<8x64xf32>
  %x3 = nova.mul %x2, %z : tensor<8x64xf32>, tensor<8x64xf32>
  %s = nova.mul %x3, %a : tensor<8x64xf32>, tensor<f32>
  %p = nova.add %z, %s : tensor<8x64xf32>, tensor<8x64xf32>
  %u = nova.mul %p, %root : tensor<8x64xf32>, tensor<f32>
  %t = nova.tanh %u : tensor<8x64xf32>
  %g = nova.add %t, %one : tensor<8x64xf32>, tensor<f32>
  %h = nova.mul %z, %half : tensor<8x64xf32>, tensor<f32>
  %y = nova.mul %h, %g : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// x is a product with a number, 2 z: the factor belongs to x.
// CHECK-LABEL: func @gelu_of_twice(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x64xf32>
// CHECK:         %[[Z:.*]] = nova.mul %[[X]]
// CHECK-NEXT:    %[[Y:.*]] = nova.gelu tanh %[[Z]] :
// CHECK-NEXT:    return %[[Y]]
func.func @gelu_of_twice(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %half = nova.constant dense<0.5> : tensor<f32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %two = nova.constant dense<2.0> : tensor<f32>
  %a = nova.constant dense<0.044715> : tensor<f32>
  %root = nova.constant dense<0.797884561> : tensor<f32>

  %z = nova.mul %x, %two : tensor<8x64xf32>, tensor<f32>
  %th = nova.constant dense<3.0> : tensor<f32>
  %x3 = nova.pow %z, %th : tensor<8x64xf32>, tensor<f32>
  %s = nova.mul %x3, %a : tensor<8x64xf32>, tensor<f32>
  %p = nova.add %z, %s : tensor<8x64xf32>, tensor<8x64xf32>
  %u = nova.mul %p, %root : tensor<8x64xf32>, tensor<f32>
  %t = nova.tanh %u : tensor<8x64xf32>
  %g = nova.add %t, %one : tensor<8x64xf32>, tensor<f32>
  %h = nova.mul %z, %half : tensor<8x64xf32>, tensor<f32>
  %y = nova.mul %h, %g : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// erf of a quotient.
// CHECK-LABEL: func @gelu_exact(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x64xf32>
// CHECK-NEXT:    %[[Y:.*]] = nova.gelu exact %[[X]] :
// CHECK-NEXT:    return %[[Y]]
func.func @gelu_exact(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %half = nova.constant dense<0.5> : tensor<f32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %sq2 = nova.constant dense<1.41421354> : tensor<f32>

  %u = nova.div %x, %sq2 : tensor<8x64xf32>, tensor<f32>
  %t = nova.erf %u : tensor<8x64xf32>
  %g = nova.add %t, %one : tensor<8x64xf32>, tensor<f32>
  %h = nova.mul %x, %half : tensor<8x64xf32>, tensor<f32>
  %y = nova.mul %h, %g : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// erf of a product.
// CHECK-LABEL: func @gelu_exact_product(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x64xf32>
// CHECK-NEXT:    %[[Y:.*]] = nova.gelu exact %[[X]] :
// CHECK-NEXT:    return %[[Y]]
func.func @gelu_exact_product(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %half = nova.constant dense<0.5> : tensor<f32>
  %one = nova.constant dense<1.0> : tensor<f32>
  %isq = nova.constant dense<0.707106769> : tensor<f32>

  %u = nova.mul %isq, %x : tensor<f32>, tensor<8x64xf32>
  %t = nova.erf %u : tensor<8x64xf32>
  %g = nova.add %one, %t : tensor<f32>, tensor<8x64xf32>
  %h = nova.mul %x, %g : tensor<8x64xf32>, tensor<8x64xf32>
  %y = nova.mul %h, %half : tensor<8x64xf32>, tensor<f32>
  return %y : tensor<8x64xf32>
}

// Literals in bf16 have 8 digits of two.
// CHECK-LABEL: func @gelu_bf16(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x64xbf16>
// CHECK-NEXT:    %[[Y:.*]] = nova.gelu tanh %[[X]] :
// CHECK-NEXT:    return %[[Y]]
func.func @gelu_bf16(%x: tensor<8x64xbf16>) -> tensor<8x64xbf16> {
  %half = nova.constant dense<0.5> : tensor<bf16>
  %one = nova.constant dense<1.0> : tensor<bf16>
  %a = nova.constant dense<0.044715> : tensor<bf16>
  %root = nova.constant dense<0.797884561> : tensor<bf16>

  %x2 = nova.mul %x, %x : tensor<8x64xbf16>, tensor<8x64xbf16>
  %x3 = nova.mul %x2, %x : tensor<8x64xbf16>, tensor<8x64xbf16>
  %s = nova.mul %x3, %a : tensor<8x64xbf16>, tensor<bf16>
  %p = nova.add %x, %s : tensor<8x64xbf16>, tensor<8x64xbf16>
  %u = nova.mul %p, %root : tensor<8x64xbf16>, tensor<bf16>
  %t = nova.tanh %u : tensor<8x64xbf16>
  %g = nova.add %t, %one : tensor<8x64xbf16>, tensor<bf16>
  %h = nova.mul %x, %half : tensor<8x64xbf16>, tensor<bf16>
  %y = nova.mul %h, %g : tensor<8x64xbf16>, tensor<8x64xbf16>
  return %y : tensor<8x64xbf16>
}

// CHECK-LABEL: func @sigmoid_quotient(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x64xf32>
// CHECK-NEXT:    %[[Y:.*]] = nova.sigmoid %[[X]] :
// CHECK-NEXT:    return %[[Y]]
func.func @sigmoid_quotient(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %one = nova.constant dense<1.0> : tensor<f32>

  %n = nova.neg %x : tensor<8x64xf32>
  %e = nova.exp %n : tensor<8x64xf32>
  %d = nova.add %e, %one : tensor<8x64xf32>, tensor<f32>
  %y = nova.div %one, %d : tensor<f32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// x times a reciprocal.
// CHECK-LABEL: func @silu_reciprocal(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x64xf32>
// CHECK-NEXT:    %[[Y:.*]] = nova.silu %[[X]] :
// CHECK-NEXT:    return %[[Y]]
func.func @silu_reciprocal(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %one = nova.constant dense<1.0> : tensor<f32>

  %n = nova.neg %x : tensor<8x64xf32>
  %e = nova.exp %n : tensor<8x64xf32>
  %d = nova.add %one, %e : tensor<f32>, tensor<8x64xf32>
  %r = nova.reciprocal %d : tensor<8x64xf32>
  %y = nova.mul %r, %x : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// CHECK-LABEL: func @silu_quotient(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x64xf32>
// CHECK-NEXT:    %[[Y:.*]] = nova.silu %[[X]] :
// CHECK-NEXT:    return %[[Y]]
func.func @silu_quotient(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %one = nova.constant dense<1.0> : tensor<f32>

  %n = nova.neg %x : tensor<8x64xf32>
  %e = nova.exp %n : tensor<8x64xf32>
  %d = nova.add %e, %one : tensor<8x64xf32>, tensor<f32>
  %y = nova.div %x, %d : tensor<8x64xf32>, tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// At 0 the gradient of max is one half, that of relu 0.
// CHECK-LABEL: func @maximum_is_no_relu(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<8x64xf32>
// CHECK-NOT:     nova.relu
// CHECK:         nova.max
func.func @maximum_is_no_relu(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %zero = nova.constant dense<0.0> : tensor<f32>
  %y = nova.max %x, %zero : tensor<8x64xf32>, tensor<f32>
  return %y : tensor<8x64xf32>
}
