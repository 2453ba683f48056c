// RUN: nova-opt %s --nova-approximate-math | FileCheck %s

// exp, log, tanh and erf of f32 become arithmetic.
// CHECK-LABEL: func.func @vectors
// CHECK-NOT: math.{{exp|log|tanh|erf}}
// CHECK: return
func.func @vectors(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %exp = math.exp %x : vector<16xf32>
  %log = math.log %x : vector<16xf32>
  %tanh = math.tanh %x : vector<16xf32>
  %erf = math.erf %x : vector<16xf32>
  return %exp, %log, %tanh, %erf : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// CHECK-LABEL: func.func @scalar
// CHECK-NOT: math.exp
// CHECK: return
func.func @scalar(%x: f32) -> f32 {
  %exp = math.exp %x : f32
  return %exp : f32
}

// Upstream's sin and cos lose everything near multiples of pi, and f64 is worth a library's accuracy.
// CHECK-LABEL: func.func @left_alone
// CHECK: math.sin
// CHECK: math.cos
// CHECK: math.exp
func.func @left_alone(%x: vector<16xf32>, %y: f64) -> (vector<16xf32>, vector<16xf32>, f64) {
  %sin = math.sin %x : vector<16xf32>
  %cos = math.cos %x : vector<16xf32>
  %exp = math.exp %y : f64
  return %sin, %cos, %exp : vector<16xf32>, vector<16xf32>, f64
}
