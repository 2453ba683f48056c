// Long rows and sums of many elements: devices beside sums in f64.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 2e-5 --atol 2e-6 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 2e-6 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 2e-5 --atol 2e-6 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 2e-6 --quiet

func.func @large(%x: tensor<2x200000xf32>)
    -> (tensor<2x200000xf32>, tensor<2x200000xf32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<2xi64>) {
  %0 = nova.softmax %x : tensor<2x200000xf32>
  %1 = nova.log_softmax %x : tensor<2x200000xf32>
  %2 = nova.logsumexp %x over [1] : tensor<2x200000xf32>
  // Of positive numbers: nothing cancels.
  %squares = nova.square %x : tensor<2x200000xf32>
  %3 = nova.reduce sum %squares over [1] : tensor<2x200000xf32>
  %4 = nova.reduce mean %squares over [0, 1] : tensor<2x200000xf32>
  %5 = nova.argmax %x : tensor<2x200000xf32>
  return %0, %1, %2, %3, %4, %5
    : tensor<2x200000xf32>, tensor<2x200000xf32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<2xi64>
}
