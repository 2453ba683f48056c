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

// Upstream's sin and cos lose everything near multiples of pi: in f64 they don't. So do all other functions of f32, of
// vectors and scalars alike.
// CHECK-LABEL: func.func @by_way_of_doubles
// CHECK: arith.extf {{.*}} : vector<16xf32> to vector<16xf64>
// CHECK-NOT: math.{{sin|cos|tan|atan|asinh|exp2|log10}}
// CHECK: arith.truncf {{.*}} : vector<16xf64> to vector<16xf32>
// CHECK: return
func.func @by_way_of_doubles(%x: vector<16xf32>, %y: f32) -> (vector<16xf32>, vector<16xf32>, f32, f32, f32, f32, f32) {
  %sin = math.sin %x : vector<16xf32>
  %cos = math.cos %x : vector<16xf32>
  %tan = math.tan %y : f32
  %atan = math.atan %y : f32
  %asinh = math.asinh %y : f32
  %exp2 = math.exp2 %y : f32
  %log10 = math.log10 %y : f32
  return %sin, %cos, %tan, %atan, %asinh, %exp2, %log10 : vector<16xf32>, vector<16xf32>, f32, f32, f32, f32, f32
}

// Functions of f64 are worth a library's accuracy, but LLVM would take expm1 for a difference from 1.
// CHECK-LABEL: func.func @doubles
// CHECK-NOT: math.{{expm1|log1p}}
// CHECK: math.exp
// CHECK-NOT: math.{{expm1|log1p}}
// CHECK: return
func.func @doubles(%x: f64) -> (f64, f64, f64) {
  %exp = math.exp %x : f64
  %expm1 = math.expm1 %x : f64
  %log1p = math.log1p %x : f64
  return %exp, %expm1, %log1p : f64, f64, f64
}
