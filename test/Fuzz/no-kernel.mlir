// A program that hands on constants and arguments has no kernel, and a bundle nevertheless. Found by random program 6 of
// seed 1.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 0 --atol 0 --quiet

func.func @nothing(%x: tensor<3xf32>) -> (tensor<f64>, tensor<3xf32>) {
  %c = nova.constant dense<1.5> : tensor<f64>
  return %c, %x : tensor<f64>, tensor<3xf32>
}
