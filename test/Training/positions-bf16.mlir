// Angles of positions and frozen or constant frequencies stay f32 in mixed precision: cosines and sines are PyTorch's, which
// computes them in f32 too (scripts/make_position_goldens.py), whether the angles are a product of vectors or a matmul.

// RUN: nova-run %s --entry angles --dtype=bf16 --params %S/Inputs/positions-frequencies.safetensors --expect %S/Inputs/positions-values.safetensors --rtol 0 --atol 1e-6
// RUN: nova-run %s --entry angles --dtype=bf16 --mode=eager --params %S/Inputs/positions-frequencies.safetensors --expect %S/Inputs/positions-values.safetensors --rtol 0 --atol 1e-6
// RUN: nova-run %s --entry angles --dtype=bf16 --device=reference --params %S/Inputs/positions-frequencies.safetensors --expect %S/Inputs/positions-values.safetensors --rtol 0 --atol 1e-6
// RUN: nova-run %s --entry angles --dtype=bf16 --device=emulator --params %S/Inputs/positions-frequencies.safetensors --expect %S/Inputs/positions-values.safetensors --rtol 0 --atol 1e-6

// In a train step as well: the loss is the largest distance from PyTorch's.
// RUN: nova-run %s --steps 1 --dtype=bf16 --init %S/Inputs/positions-frequencies.safetensors --data %S/Inputs/positions-data.safetensors --data-order=sequential --lr 0 --log %t.csv --quiet
// RUN: FileCheck %s --input-file %t.csv
// CHECK: {{^}}0,{{(0|0.0|[1-9][.0-9]*e-0[789])}},

nova.parameter @inv_freq : tensor<1x4xf32> = #nova.constant<1.0> {frozen}

func.func @angles() -> (tensor<32x4xf32> {nova.name = "cos.direct"}, tensor<32x4xf32> {nova.name = "sin.direct"},
                        tensor<32x4xf32> {nova.name = "cos.matmul"}, tensor<32x4xf32> {nova.name = "sin.matmul"},
                        tensor<32x4xf32> {nova.name = "cos.constant"}, tensor<32x4xf32> {nova.name = "sin.constant"}) {
  %frozen = nova.read @inv_freq : tensor<1x4xf32>
  %constant = nova.constant dense<[[1.0, 0.100000001, 0.00999999978, 0.00100000005]]> : tensor<1x4xf32>
  %positions = nova.iota 0 : tensor<2048x1xf32>
  %direct = nova.mul %positions, %frozen : tensor<2048x1xf32>, tensor<1x4xf32>
  %matmul = nova.matmul %positions, %frozen : tensor<2048x1xf32>, tensor<1x4xf32>
  %stored = nova.matmul %positions, %constant : tensor<2048x1xf32>, tensor<1x4xf32>
  %a = nova.slice %direct starts = [2016, 0] limits = [2048, 4] strides = [1, 1] : tensor<2048x4xf32> -> tensor<32x4xf32>
  %b = nova.slice %matmul starts = [2016, 0] limits = [2048, 4] strides = [1, 1] : tensor<2048x4xf32> -> tensor<32x4xf32>
  %c = nova.slice %stored starts = [2016, 0] limits = [2048, 4] strides = [1, 1] : tensor<2048x4xf32> -> tensor<32x4xf32>
  %cos_a = nova.cos %a : tensor<32x4xf32>
  %sin_a = nova.sin %a : tensor<32x4xf32>
  %cos_b = nova.cos %b : tensor<32x4xf32>
  %sin_b = nova.sin %b : tensor<32x4xf32>
  %cos_c = nova.cos %c : tensor<32x4xf32>
  %sin_c = nova.sin %c : tensor<32x4xf32>
  return %cos_a, %sin_a, %cos_b, %sin_b, %cos_c, %sin_c
      : tensor<32x4xf32>, tensor<32x4xf32>, tensor<32x4xf32>, tensor<32x4xf32>, tensor<32x4xf32>, tensor<32x4xf32>
}

nova.parameter @w : tensor<f32> = #nova.constant<1.0>
func.func @loss(%cosines: tensor<32x4xf32> {nova.name = "cosines"}, %sines: tensor<32x4xf32> {nova.name = "sines"})
    -> tensor<f32> {
  %frozen = nova.read @inv_freq : tensor<1x4xf32>
  %w = nova.read @w : tensor<f32>
  %positions = nova.iota 0 : tensor<2048x1xf32>
  %matmul = nova.matmul %positions, %frozen : tensor<2048x1xf32>, tensor<1x4xf32>
  %angles = nova.slice %matmul starts = [2016, 0] limits = [2048, 4] strides = [1, 1] : tensor<2048x4xf32> -> tensor<32x4xf32>
  %cos = nova.cos %angles : tensor<32x4xf32>
  %sin = nova.sin %angles : tensor<32x4xf32>
  %both = nova.concat %cos, %sin axis = 1 : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x8xf32>
  %right = nova.concat %cosines, %sines axis = 1 : (tensor<32x4xf32>, tensor<32x4xf32>) -> tensor<32x8xf32>
  %difference = nova.sub %both, %right : tensor<32x8xf32>, tensor<32x8xf32>
  %distance = nova.abs %difference : tensor<32x8xf32>
  %largest = nova.reduce max %distance over [0, 1] : tensor<32x8xf32>
  %loss = nova.mul %largest, %w : tensor<f32>, tensor<f32>
  return %loss : tensor<f32>
}
