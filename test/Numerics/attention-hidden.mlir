// What is hidden takes no part, whatever it holds: NaN, infinity and 0 there give the same results and gradients, on every
// device.
// RUN: sed s/0x7FC00000/0.0/ %s > %t-zero.mlir
// RUN: sed s/0x7FC00000/0x7F800000/ %s > %t-infinite.mlir
// RUN: nova-run %t-zero.mlir --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=reference --expect %t.safetensors --quiet
// RUN: nova-run %t-infinite.mlir --random-inputs=1 --device=reference --expect %t.safetensors --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %t-infinite.mlir --random-inputs=1 --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %t-infinite.mlir --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --dtype=bf16 --expect %t.safetensors --rtol 5e-2 --atol 5e-2 --quiet
// RUN: sed 's/f32/f64/g; s/0x7FC00000/0x7FF8000000000000/; s/0xFF800000/0xFFF0000000000000/' %s > %t-f64.mlir
// RUN: sed 's/f32/f64/g; s/0x7FC00000/0.0/; s/0xFF800000/0xFFF0000000000000/' %s > %t-zero-f64.mlir
// RUN: nova-run %t-zero-f64.mlir --random-inputs=1 --device=reference --outputs %t-f64.safetensors
// RUN: nova-run %t-f64.mlir --random-inputs=1 --expect %t-f64.safetensors --rtol 1e-12 --atol 1e-12 --quiet
// RUN: nova-run %t-f64.mlir --random-inputs=1 --device=emulator --expect %t-f64.safetensors --rtol 1e-12 --atol 1e-12 --quiet

// The last of 71 keys is seen by the last query alone, whose row is left out of the results and has no gradient.
func.func @hidden(%q: tensor<1x2x71x9xf32>, %k: tensor<1x2x71x9xf32>, %v: tensor<1x2x71x9xf32>, %dy: tensor<1x2x71x9xf32>,
                  %bias: tensor<71x71xf32>)
    -> (tensor<1x2x70x9xf32>, tensor<1x2x70x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>,
        tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>) {
  %bad = nova.constant dense<0x7FC00000> : tensor<f32>
  %zero = nova.constant dense<0.0> : tensor<f32>
  %position = nova.iota 2 : tensor<1x1x71x1xi32>
  %last = nova.constant dense<70> : tensor<i32>
  %is_last = nova.compare eq %position, %last : tensor<1x1x71x1xi32>, tensor<i32>
  %k_bad = nova.select %is_last, %bad, %k : tensor<1x1x71x1xi1>, tensor<f32>, tensor<1x2x71x9xf32>
  %v_bad = nova.select %is_last, %bad, %v : tensor<1x1x71x1xi1>, tensor<f32>, tensor<1x2x71x9xf32>

  // Causality hides.
  %o, %lse = nova.attention %q, %k_bad, %v_bad {causal}
    : tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>
  %seen = nova.slice %o starts = [0, 0, 0, 0] limits = [1, 2, 70, 9] strides = [1, 1, 1, 1] : tensor<1x2x71x9xf32> -> tensor<1x2x70x9xf32>
  // Keys and queries exchanged: the first of 71 queries sees the first key alone.
  %first = nova.constant dense<0> : tensor<i32>
  %is_first = nova.compare eq %position, %first : tensor<1x1x71x1xi32>, tensor<i32>
  %q_bad = nova.select %is_first, %bad, %q : tensor<1x1x71x1xi1>, tensor<f32>, tensor<1x2x71x9xf32>
  %dy_bad = nova.select %is_first, %bad, %dy : tensor<1x1x71x1xi1>, tensor<f32>, tensor<1x2x71x9xf32>
  %o1, %lse1 = nova.attention %q, %k, %v {causal} : tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>
  %dq1, %dk1, %dv1 = nova.attention_grad %dy_bad, %q_bad, %k, %v, %o1, %lse1 {causal}
    : tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>,
      tensor<1x2x71xf32>
  %dk1_rest = nova.slice %dk1 starts = [0, 0, 1, 0] limits = [1, 2, 71, 9] strides = [1, 1, 1, 1] : tensor<1x2x71x9xf32> -> tensor<1x2x70x9xf32>

  // A mask of booleans hides the last key from everyone; a mask of numbers does so by minus infinity.
  %everyone = nova.not %is_last : tensor<1x1x71x1xi1>
  %visible = nova.reshape %everyone : tensor<1x1x71x1xi1> -> tensor<1x1x1x71xi1>
  %o2, %lse2 = nova.attention %q, %k_bad, %v_bad mask %visible
    : tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x1x1x71xi1>
  %dq2, %dk2, %dv2 = nova.attention_grad %dy, %q, %k_bad, %v_bad, %o2, %lse2, %visible
    : tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>,
      tensor<1x2x71xf32>, tensor<1x1x1x71xi1>
  %infinity = nova.constant dense<0xFF800000> : tensor<f32>
  %added = nova.select %visible, %bias, %infinity : tensor<1x1x1x71xi1>, tensor<71x71xf32>, tensor<f32>
  %o3, %lse3 = nova.attention %q, %k_bad, %v_bad mask %added
    : tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x1x71x71xf32>
  %dq3, %dk3, %dv3 = nova.attention_grad %dy, %q, %k_bad, %v_bad, %o3, %lse3, %added
    : tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>,
      tensor<1x2x71xf32>, tensor<1x1x71x71xf32>
  return %seen, %dk1_rest, %o2, %dq2, %dk2, %dv2, %o3, %dq3
    : tensor<1x2x70x9xf32>, tensor<1x2x70x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>,
      tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>, tensor<1x2x71x9xf32>
}
