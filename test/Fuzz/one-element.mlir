// Constants of one element, more than once in a concat, and returned. Found by random program 1629 of seed 7.
// RUN: nova-run %s --device=reference --outputs %t.safetensors
// RUN: nova-run %s --device=cpu --expect %t.safetensors --rtol 0 --atol 0 --quiet
// RUN: nova-run %s --device=cpu --mode=eager --expect %t.safetensors --rtol 0 --atol 0 --quiet
// RUN: nova-run %s --device=emulator --expect %t.safetensors --rtol 0 --atol 0 --quiet

func.func @twice() -> (tensor<2xf32>, tensor<2x1x1xi1>, tensor<1xf32>, tensor<f32>, tensor<4xf32>) {
  %one = nova.constant dense<1.5> : tensor<1xf32>
  %truth = nova.constant dense<true> : tensor<1x1x1xi1>
  %both = nova.concat %one, %one axis = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %truths = nova.concat %truth, %truth axis = 0 : (tensor<1x1x1xi1>, tensor<1x1x1xi1>) -> tensor<2x1x1xi1>
  %scalar = nova.reshape %one : tensor<1xf32> -> tensor<f32>
  %four = nova.concat %both, %one, %one axis = 0 : (tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %both, %truths, %one, %scalar, %four : tensor<2xf32>, tensor<2x1x1xi1>, tensor<1xf32>, tensor<f32>, tensor<4xf32>
}
