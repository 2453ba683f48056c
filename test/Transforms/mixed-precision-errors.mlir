// RUN: nova-opt %s --nova-mixed-precision=dtype=f8 --verify-diagnostics
// expected-error @+1 {{nova-mixed-precision: expected dtype to be bf16, found 'f8'}}
func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %x : tensor<4x4xf32>
}
