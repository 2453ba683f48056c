// RUN: nova-opt %s --nova-expand-bf16 | FileCheck %s
// CHECK-LABEL: func.func @round
// CHECK-NOT: arith.truncf
// CHECK: [[BITS:%.+]] = arith.bitcast %{{.+}} : vector<16xf32> to vector<16xi32>
// CHECK: arith.cmpf uno
// CHECK: [[HALF:%.+]] = arith.trunci %{{.+}} : vector<16xi32> to vector<16xi16>
// CHECK: arith.bitcast [[HALF]] : vector<16xi16> to vector<16xbf16>
func.func @round(%x: vector<16xf32>) -> vector<16xbf16> {
  %y = arith.truncf %x : vector<16xf32> to vector<16xbf16>
  return %y : vector<16xbf16>
}

// CHECK-LABEL: func.func @scalar
// CHECK: arith.trunci %{{.+}} : i32 to i16
func.func @scalar(%x: f32) -> bf16 {
  %y = arith.truncf %x : f32 to bf16
  return %y : bf16
}

// Other types are left alone.
// CHECK-LABEL: func.func @others
// CHECK-NEXT: arith.truncf
// CHECK-NEXT: arith.truncf
func.func @others(%x: f32, %y: f64) -> (f16, bf16) {
  %0 = arith.truncf %x : f32 to f16
  %1 = arith.truncf %y : f64 to bf16
  return %0, %1 : f16, bf16
}
