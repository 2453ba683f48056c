// RMS norms and their gradients, whose sums over rows come in parts.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 2e-5 --atol 2e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 2e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 2e-5 --atol 2e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 2e-5 --quiet

func.func @norms(%x: tensor<96x7x65xf32>, %dy: tensor<96x7x65xf32>, %w: tensor<65xf32>)
    -> (tensor<96x7x65xf32>, tensor<96x7x65xf32>, tensor<65xf32>) {
  %y = nova.rms_norm %x, %w : tensor<96x7x65xf32>, tensor<65xf32>
  %dx, %dw = nova.rms_norm_grad %dy, %x, %w : tensor<96x7x65xf32>, tensor<96x7x65xf32>, tensor<65xf32>
  return %y, %dx, %dw : tensor<96x7x65xf32>, tensor<96x7x65xf32>, tensor<65xf32>
}
