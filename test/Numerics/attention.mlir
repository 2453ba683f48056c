// Attention forward and backward: odd head widths, more queries than keys and fewer, values of another width.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --threads=1 --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --device=reference --outputs %t-bf16.safetensors
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --expect %t-bf16.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --device=emulator --expect %t-bf16.safetensors --rtol 2e-5 --atol 1e-5 --quiet

func.func @attention(%q: tensor<2x3x33x20xf32>, %k: tensor<2x3x33x20xf32>, %v: tensor<2x3x33x20xf32>,
                     %q2: tensor<1x2x70x36xf32>, %k2: tensor<1x2x100x36xf32>, %v2: tensor<1x2x100x9xf32>,
                     %q3: tensor<1x1x1x1xf32>, %k3: tensor<1x1x130x1xf32>, %dy: tensor<2x3x33x20xf32>,
                     %dy2: tensor<1x2x70x9xf32>, %q4: tensor<1x1x150x80xf32>, %k4: tensor<1x1x7x80xf32>)
    -> (tensor<2x3x33x20xf32>, tensor<2x3x33xf32>, tensor<1x2x70x9xf32>, tensor<1x1x1x1xf32>, tensor<2x3x33x20xf32>,
        tensor<2x3x33x20xf32>, tensor<2x3x33x20xf32>, tensor<1x2x70x36xf32>, tensor<1x2x100x36xf32>,
        tensor<1x2x100x9xf32>, tensor<1x1x150x80xf32>, tensor<1x2x70x9xf32>) {
  %o, %lse = nova.attention %q, %k, %v {causal}
    : tensor<2x3x33x20xf32>, tensor<2x3x33x20xf32>, tensor<2x3x33x20xf32>
  %o2, %lse2 = nova.attention %q2, %k2, %v2 {scale = 0.3}
    : tensor<1x2x70x36xf32>, tensor<1x2x100x36xf32>, tensor<1x2x100x9xf32>
  %o3, %lse3 = nova.attention %q3, %k3, %k3 : tensor<1x1x1x1xf32>, tensor<1x1x130x1xf32>, tensor<1x1x130x1xf32>
  %dq, %dk, %dv = nova.attention_grad %dy, %q, %k, %v, %o, %lse {causal}
    : tensor<2x3x33x20xf32>, tensor<2x3x33x20xf32>, tensor<2x3x33x20xf32>, tensor<2x3x33x20xf32>,
      tensor<2x3x33x20xf32>, tensor<2x3x33xf32>
  %dq2, %dk2, %dv2 = nova.attention_grad %dy2, %q2, %k2, %v2, %o2, %lse2 {scale = 0.3}
    : tensor<1x2x70x9xf32>, tensor<1x2x70x36xf32>, tensor<1x2x100x36xf32>, tensor<1x2x100x9xf32>,
      tensor<1x2x70x9xf32>, tensor<1x2x70xf32>
  %o4, %lse4 = nova.attention %q4, %k4, %k4 {causal}
    : tensor<1x1x150x80xf32>, tensor<1x1x7x80xf32>, tensor<1x1x7x80xf32>
  %o5, %lse5 = nova.attention %q2, %k2, %v2 {causal}
    : tensor<1x2x70x36xf32>, tensor<1x2x100x36xf32>, tensor<1x2x100x9xf32>
  return %o, %lse, %o2, %o3, %dq, %dk, %dv, %dq2, %dk2, %dv2, %o4, %o5
    : tensor<2x3x33x20xf32>, tensor<2x3x33xf32>, tensor<1x2x70x9xf32>, tensor<1x1x1x1xf32>, tensor<2x3x33x20xf32>,
      tensor<2x3x33x20xf32>, tensor<2x3x33x20xf32>, tensor<1x2x70x36xf32>, tensor<1x2x100x36xf32>,
      tensor<1x2x100x9xf32>, tensor<1x1x150x80xf32>, tensor<1x2x70x9xf32>
}
