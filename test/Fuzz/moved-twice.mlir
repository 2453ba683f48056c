// What is widened and moved twice, then joined: casts that were made for the concat before all of its parts were narrow have
// no reader in the end. A convolution of bf16 images is made of such moves.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 1e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --expect %t.safetensors --rtol 1e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 1e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --device=cpu --expect %t.safetensors --rtol 2e-2 --atol 2e-2 --quiet

func.func @moved(%x: tensor<4x8xbf16>, %image: tensor<2x3x7x9xbf16>, %filters: tensor<4x3x3x3xf32>)
    -> (tensor<4x8xf32>, tensor<2x4x4x5xf32>) {
  %a = nova.cast %x : tensor<4x8xbf16> -> tensor<4x8xf32>
  %p = nova.slice %a starts = [0, 0] limits = [4, 4] strides = [1, 1] : tensor<4x8xf32> -> tensor<4x4xf32>
  %q = nova.slice %a starts = [0, 4] limits = [4, 8] strides = [1, 1] : tensor<4x8xf32> -> tensor<4x4xf32>
  %pt = nova.transpose %p [1, 0] : tensor<4x4xf32>
  %qt = nova.transpose %q [1, 0] : tensor<4x4xf32>
  %c = nova.concat %pt, %qt axis = 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %d = nova.transpose %c [1, 0] : tensor<8x4xf32>
  %wide = nova.cast %image : tensor<2x3x7x9xbf16> -> tensor<2x3x7x9xf32>
  %y = nova.conv2d %wide, %filters strides = [2, 2] padding = [1, 1] : tensor<2x3x7x9xf32>, tensor<4x3x3x3xf32>
  return %d, %y : tensor<4x8xf32>, tensor<2x4x4x5xf32>
}
