// What is computed before a norm is its row and its weight: shapes differ, so it is a kernel of its own. Found by random
// program 434 of seed 7.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 1e-5 --atol 1e-6 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --expect %t.safetensors --rtol 1e-5 --atol 1e-6 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 1e-5 --atol 1e-6 --quiet

func.func @twice(%x: tensor<5xbf16>, %z: tensor<5xf32>, %b: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %wide = nova.cast %x : tensor<5xbf16> -> tensor<5xf32>
  %y = nova.layer_norm %wide, %wide, %b {eps = 0.1 : f64} : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
  %e = nova.exp %z : tensor<5xf32>
  %v = nova.layer_norm %e, %e, %b {eps = 0.1 : f64} : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
  return %y, %v : tensor<5xf32>, tensor<5xf32>
}
