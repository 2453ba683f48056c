// Random numbers are the same bits on every device, in every mode, with any number of threads, and as tiles.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --threads=2 --expect %t.safetensors --rtol 0 --atol 0 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --threads=1 --expect %t.safetensors --rtol 0 --atol 0 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 0 --atol 0 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --mode=eager --expect %t.safetensors --rtol 0 --atol 0 --quiet

// Several blocks of a kernel, the last of them smaller, and dropout beside the product that its mask comes with.
func.func @random(%seed: tensor<i64>, %step: tensor<i64>, %x: tensor<131x257xf32>)
    -> (tensor<131x257xf32>, tensor<131x257xf32>, tensor<7xbf16>, tensor<f64>, tensor<0x3xf32>, tensor<131x257xf32>) {
  %0 = nova.random_uniform %seed, %step {stream = 1} : tensor<131x257xf32>
  %1 = nova.random_normal %seed, %step {stream = 2} : tensor<131x257xf32>
  %2 = nova.random_normal %seed, %step {stream = 3} : tensor<7xbf16>
  %3 = nova.random_uniform %seed, %step {stream = 4} : tensor<f64>
  %4 = nova.random_uniform %seed, %step {stream = 5} : tensor<0x3xf32>
  // A power of two, so that the division rounds nothing.
  %5 = nova.dropout %x, %seed, %step {p = 0.5, stream = 6} : tensor<131x257xf32>
  return %0, %1, %2, %3, %4, %5
    : tensor<131x257xf32>, tensor<131x257xf32>, tensor<7xbf16>, tensor<f64>, tensor<0x3xf32>, tensor<131x257xf32>
}
