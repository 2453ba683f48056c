// RUN: nova-opt %s --nova-fuse-attention | FileCheck %s
// RUN: nova-opt %s --nova-fuse-attention=hidden-below=-1e4 | FileCheck %s --check-prefix=HIDE
// RUN: nova-opt %s --nova-fuse-attention=hidden-below=-1e4 -o /dev/null --remarks-filter-passed=nova-fuse-attention \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
//
// A finite number that a mask gives hidden scores keeps its meaning; `hidden-below` says from where on it is minus
// infinity, and the remark of each attention tells.

// REMARK: its mask of -10000 taken for minus infinity, as hidden-below allows

// Selected.
// CHECK-LABEL: func @selected_1e4(
// CHECK:         nova.attention {{.*}} {causal, masked_value = -1.000000e+04 : f64, scale = 1.000000e+00 : f64}
// HIDE-LABEL:  func @selected_1e4(
// HIDE:          nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
func.func @selected_1e4(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<-1.0e4> : tensor<f32>
  %x = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// Hidden keys count a little.
// CHECK-LABEL: func @selected_100(
// CHECK:         nova.attention {{.*}} {causal, masked_value = -1.000000e+02 : f64, scale = 1.000000e+00 : f64}
// HIDE-LABEL:  func @selected_100(
// HIDE:          nova.attention {{.*}} {causal, masked_value = -1.000000e+02 : f64, scale = 1.000000e+00 : f64}
func.func @selected_100(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<-100.0> : tensor<f32>
  %x = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// What many write.
// CHECK-LABEL: func @selected_1e9(
// CHECK:         nova.attention {{.*}} {causal, masked_value = -1.000000e+09 : f64, scale = 1.000000e+00 : f64}
// HIDE-LABEL:  func @selected_1e9(
// HIDE:          nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
func.func @selected_1e9(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<-1.0e9> : tensor<f32>
  %x = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// Nothing says that it has to be small.
// CHECK-LABEL: func @selected_zero(
// CHECK:         nova.attention {{.*}} {causal, masked_value = 0.000000e+00 : f64, scale = 1.000000e+00 : f64}
// HIDE-LABEL:  func @selected_zero(
// HIDE:          nova.attention {{.*}} {causal, masked_value = 0.000000e+00 : f64, scale = 1.000000e+00 : f64}
func.func @selected_zero(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<0.0> : tensor<f32>
  %x = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// The scale applies to the mask too.
// CHECK-LABEL: func @scaled_afterwards(
// CHECK:         nova.attention {{.*}} {causal, masked_value = -5.000000e+03 : f64}
// HIDE-LABEL:  func @scaled_afterwards(
// HIDE:          nova.attention {{.*}} {causal, masked_value = -5.000000e+03 : f64}
func.func @scaled_afterwards(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<-1.0e4> : tensor<f32>
  %c = nova.constant dense<0.5> : tensor<f32>
  %t = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %x = nova.mul %t, %c : tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// A small number that is added to all of them changes nothing.
// CHECK-LABEL: func @shifted_together(
// CHECK:         nova.attention {{.*}} {causal, masked_value = -1.000000e+04 : f64, scale = 1.000000e+00 : f64}
// HIDE-LABEL:  func @shifted_together(
// HIDE:          nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
func.func @shifted_together(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<-1.0e4> : tensor<f32>
  %c = nova.constant dense<3.0> : tensor<f32>
  %t = nova.select %m, %s, %h : tensor<8x8xi1>, tensor<1x2x8x8xf32>, tensor<f32>
  %x = nova.add %t, %c : tensor<1x2x8x8xf32>, tensor<f32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// Added.
// CHECK-LABEL: func @added_1e4(
// CHECK:         nova.attention {{.*}} mask %{{.*}} {scale = 1.000000e+00 : f64}
// HIDE-LABEL:  func @added_1e4(
// HIDE:          nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
func.func @added_1e4(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<-1.0e4> : tensor<f32>
  %z = nova.constant dense<0.0> : tensor<f32>
  %b = nova.select %m, %z, %h : tensor<8x8xi1>, tensor<f32>, tensor<f32>
  %x = nova.add %s, %b : tensor<1x2x8x8xf32>, tensor<8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// A bias.
// CHECK-LABEL: func @added_1(
// CHECK:         nova.attention {{.*}} mask %{{.*}} {scale = 1.000000e+00 : f64}
// HIDE-LABEL:  func @added_1(
// HIDE:          nova.attention {{.*}} mask %{{.*}} {scale = 1.000000e+00 : f64}
func.func @added_1(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<-1.0> : tensor<f32>
  %z = nova.constant dense<0.0> : tensor<f32>
  %b = nova.select %m, %z, %h : tensor<8x8xi1>, tensor<f32>, tensor<f32>
  %x = nova.add %s, %b : tensor<1x2x8x8xf32>, tensor<8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// Nothing is left of a score.
// CHECK-LABEL: func @added_least(
// CHECK:         nova.attention {{.*}} {causal, masked_value = -3.4028234663852886E+38 : f64, scale = 1.000000e+00 : f64}
// HIDE-LABEL:  func @added_least(
// HIDE:          nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
func.func @added_least(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<-3.4028234663852886e+38> : tensor<f32>
  %z = nova.constant dense<0.0> : tensor<f32>
  %b = nova.select %m, %z, %h : tensor<8x8xi1>, tensor<f32>, tensor<f32>
  %x = nova.add %s, %b : tensor<1x2x8x8xf32>, tensor<8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}

// Minus infinity hides.
// CHECK-LABEL: func @added_infinity(
// CHECK:         nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
// HIDE-LABEL:  func @added_infinity(
// HIDE:          nova.attention {{.*}} {causal, scale = 1.000000e+00 : f64}
func.func @added_infinity(%q: tensor<1x2x8x4xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>
  %i = nova.iota 0 : tensor<8x8xi32>
  %j = nova.iota 1 : tensor<8x8xi32>
  %m = nova.compare le %j, %i : tensor<8x8xi32>, tensor<8x8xi32>
  %h = nova.constant dense<0xFF800000> : tensor<f32>
  %z = nova.constant dense<0.0> : tensor<f32>
  %b = nova.select %m, %z, %h : tensor<8x8xi1>, tensor<f32>, tensor<f32>
  %x = nova.add %s, %b : tensor<1x2x8x8xf32>, tensor<8x8xf32>
  %p = nova.softmax %x : tensor<1x2x8x8xf32>
  %y = nova.matmul %p, %v : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>
  return %y : tensor<1x2x8x4xf32>
}
