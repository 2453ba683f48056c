// Hidden scores that are a number: one that counts everywhere, one that counts in some rows, one that never does; results
// and gradients, on every device.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 3e-4 --atol 3e-4 --quiet
// RUN: nova-run %s --random-inputs=1 --mode=eager --threads=1 --expect %t.safetensors --rtol 3e-4 --atol 3e-4 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 3e-4 --atol 3e-4 --quiet
// RUN: sed s/xf32/xf64/g %s > %t-f64.mlir
// RUN: nova-run %t-f64.mlir --random-inputs=1 --device=reference --outputs %t-f64.safetensors
// RUN: nova-run %t-f64.mlir --random-inputs=1 --expect %t-f64.safetensors --rtol 1e-11 --atol 1e-11 --quiet
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --device=reference --outputs %t-bf16.safetensors
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --expect %t-bf16.safetensors --rtol 3e-4 --atol 3e-4 --quiet

func.func @masked(%q: tensor<1x2x150x9xf32>, %k: tensor<1x2x150x9xf32>, %v: tensor<1x2x150x5xf32>,
                  %dy: tensor<1x2x150x5xf32>, %long: tensor<1x2x200x9xf32>, %wide: tensor<1x2x200x5xf32>)
    -> (tensor<1x2x150x5xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x5xf32>,
        tensor<1x2x150x5xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x5xf32>,
        tensor<1x2x150x5xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x5xf32>,
        tensor<1x2x150x5xf32>, tensor<1x2x200x5xf32>) {
  %o1, %lse1 = nova.attention %q, %k, %v {causal, masked_value = 0.5}
    : tensor<1x2x150x9xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x5xf32>
  %dq1, %dk1, %dv1 = nova.attention_grad %dy, %q, %k, %v, %o1, %lse1 {causal, masked_value = 0.5}
    : tensor<1x2x150x5xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x5xf32>, tensor<1x2x150x5xf32>,
      tensor<1x2x150xf32>
  // The first rows have few scores, some of which are below -40.
  %o2, %lse2 = nova.attention %q, %k, %v {causal, scale = 20.0, masked_value = -40.0}
    : tensor<1x2x150x9xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x5xf32>
  %dq2, %dk2, %dv2 = nova.attention_grad %dy, %q, %k, %v, %o2, %lse2 {causal, scale = 20.0, masked_value = -40.0}
    : tensor<1x2x150x5xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x5xf32>, tensor<1x2x150x5xf32>,
      tensor<1x2x150xf32>
  %o3, %lse3 = nova.attention %q, %k, %v {causal, masked_value = -1.0e4}
    : tensor<1x2x150x9xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x5xf32>
  %dq3, %dk3, %dv3 = nova.attention_grad %dy, %q, %k, %v, %o3, %lse3 {causal, masked_value = -1.0e4}
    : tensor<1x2x150x5xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x5xf32>, tensor<1x2x150x5xf32>,
      tensor<1x2x150xf32>
  // More keys than queries, and fewer.
  %o4, %lse4 = nova.attention %q, %long, %wide {causal, masked_value = 0.0}
    : tensor<1x2x150x9xf32>, tensor<1x2x200x9xf32>, tensor<1x2x200x5xf32>
  %o5, %lse5 = nova.attention %long, %k, %v {causal, masked_value = 1.0}
    : tensor<1x2x200x9xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x5xf32>
  return %o1, %dq1, %dk1, %dv1, %o2, %dq2, %dk2, %dv2, %o3, %dq3, %dk3, %dv3, %o4, %o5
    : tensor<1x2x150x5xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x5xf32>,
      tensor<1x2x150x5xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x5xf32>,
      tensor<1x2x150x5xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x9xf32>, tensor<1x2x150x5xf32>,
      tensor<1x2x150x5xf32>, tensor<1x2x200x5xf32>
}
