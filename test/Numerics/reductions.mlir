// Reductions over any axes, of any kind, in one stage and in two.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 2e-5 --atol 5e-4 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --threads=1 --expect %t.safetensors --rtol 2e-5 --atol 5e-4 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 2e-5 --atol 5e-4 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 5e-4 --quiet

func.func @reductions(%x: tensor<5x70x33xf32>, %tall: tensor<4099x17xf32>, %flat: tensor<10007xf32>,
                      %even: tensor<512x8x64xf32>, %i: tensor<6x5xi32>, %d: tensor<6x5xf64>, %h: tensor<6x5xf16>,
                      %bits: tensor<6x5xi1>, %none: tensor<3x0xf32>)
    -> (tensor<70x33xf32>, tensor<5x33xf32>, tensor<70xf32>, tensor<33xf32>, tensor<f32>, tensor<17xf32>, tensor<f32>,
        tensor<64xf32>, tensor<5xi32>, tensor<6xi32>, tensor<5xf64>, tensor<6xf16>, tensor<6xi1>, tensor<5xi1>,
        tensor<3xf32>, tensor<1x70x1xf32>, tensor<5x33xf32>) {
  %0 = nova.reduce sum %x over [0] : tensor<5x70x33xf32>
  %1 = nova.reduce max %x over [1] : tensor<5x70x33xf32>
  %2 = nova.reduce mean %x over [0, 2] : tensor<5x70x33xf32>
  %3 = nova.reduce min %x over [0, 1] : tensor<5x70x33xf32>
  %4 = nova.reduce sum %x over [0, 1, 2] : tensor<5x70x33xf32>
  %5 = nova.reduce sum %tall over [0] : tensor<4099x17xf32>
  %6 = nova.reduce mean %flat over [0] : tensor<10007xf32>
  %7 = nova.reduce sum %even over [0, 1] : tensor<512x8x64xf32>
  %8 = nova.reduce sum %i over [0] : tensor<6x5xi32>
  %9 = nova.reduce max %i over [1] : tensor<6x5xi32>
  %10 = nova.reduce product %d over [0] : tensor<6x5xf64>
  %11 = nova.reduce sum %h over [1] : tensor<6x5xf16>
  %12 = nova.reduce any %bits over [1] : tensor<6x5xi1>
  %13 = nova.reduce all %bits over [0] : tensor<6x5xi1>
  %14 = nova.reduce sum %none over [1] : tensor<3x0xf32>
  %15 = nova.reduce sum %x over [0, 2] {keep_dims} : tensor<5x70x33xf32>
  %16 = nova.reduce product %x over [1] : tensor<5x70x33xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16
    : tensor<70x33xf32>, tensor<5x33xf32>, tensor<70xf32>, tensor<33xf32>, tensor<f32>, tensor<17xf32>, tensor<f32>,
      tensor<64xf32>, tensor<5xi32>, tensor<6xi32>, tensor<5xf64>, tensor<6xf16>, tensor<6xi1>, tensor<5xi1>,
      tensor<3xf32>, tensor<1x70x1xf32>, tensor<5x33xf32>
}
