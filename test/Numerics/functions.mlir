// Elementwise functions that no other program here has, in the types that they are for; outside of their domain too.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=cpu --mode=eager --threads=1 --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --mode=eager --expect %t.safetensors --rtol 2e-5 --atol 1e-5 --quiet

func.func @functions(%x: tensor<5x33xf32>, %y: tensor<33xf32>, %d: tensor<19xf64>, %h: tensor<19xf16>,
                     %i: tensor<21xi32>, %j: tensor<21xi32>, %c: tensor<37xi1>, %e: tensor<37xi1>)
    -> (tensor<5x33xf32>, tensor<5x33xf32>, tensor<5x33xf32>, tensor<5x33xf32>, tensor<5x33xf32>, tensor<5x33xf32>,
        tensor<5x33xf32>, tensor<5x33xf32>, tensor<19xf64>, tensor<19xf64>, tensor<19xf64>, tensor<19xf64>,
        tensor<19xf64>, tensor<19xf64>, tensor<19xf16>, tensor<19xf16>, tensor<21xi32>, tensor<21xi32>, tensor<21xi32>,
        tensor<21xi32>, tensor<21xi32>, tensor<21xi32>,
        tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  %log = nova.log %x : tensor<5x33xf32>
  %sqrt = nova.sqrt %x : tensor<5x33xf32>
  %square = nova.square %x : tensor<5x33xf32>
  %small = nova.log %square : tensor<5x33xf32>
  %rsqrt = nova.rsqrt %square : tensor<5x33xf32>
  %reciprocal = nova.reciprocal %square : tensor<5x33xf32>
  %same = nova.stop_gradient %x : tensor<5x33xf32>
  %relu = nova.relu %same : tensor<5x33xf32>
  %sign = nova.sign %x : tensor<5x33xf32>
  %min = nova.min %x, %y : tensor<5x33xf32>, tensor<33xf32>
  %log64 = nova.log %d : tensor<19xf64>
  %rsqrt64 = nova.rsqrt %d : tensor<19xf64>
  %min64 = nova.min %d, %log64 : tensor<19xf64>, tensor<19xf64>
  // Angles of many turns, for which a GPU needs many bits of pi.
  %turns = nova.constant dense<1.0e30> : tensor<f64>
  %angle64 = nova.mul %d, %turns : tensor<19xf64>, tensor<f64>
  %sin64 = nova.sin %angle64 : tensor<19xf64>
  %cos64 = nova.cos %angle64 : tensor<19xf64>
  %tan64 = nova.tan %d : tensor<19xf64>
  %sqrt16 = nova.sqrt %h : tensor<19xf16>
  %relu16 = nova.relu %h : tensor<19xf16>
  %and = nova.and %i, %j : tensor<21xi32>, tensor<21xi32>
  %or = nova.or %i, %j : tensor<21xi32>, tensor<21xi32>
  %xor = nova.xor %i, %j : tensor<21xi32>, tensor<21xi32>
  %not = nova.not %i : tensor<21xi32>
  %signs = nova.sign %not : tensor<21xi32>
  %least = nova.min %not, %j : tensor<21xi32>, tensor<21xi32>
  %both = nova.and %c, %e : tensor<37xi1>, tensor<37xi1>
  %either = nova.or %c, %e : tensor<37xi1>, tensor<37xi1>
  %differ = nova.xor %c, %e : tensor<37xi1>, tensor<37xi1>
  %neither = nova.not %either : tensor<37xi1>
  return %log, %sqrt, %small, %rsqrt, %reciprocal, %relu, %sign, %min, %log64, %rsqrt64, %min64, %sin64, %cos64, %tan64,
         %sqrt16, %relu16, %and, %or, %xor, %not, %signs, %least, %both, %either, %differ, %neither
    : tensor<5x33xf32>, tensor<5x33xf32>, tensor<5x33xf32>, tensor<5x33xf32>, tensor<5x33xf32>, tensor<5x33xf32>,
      tensor<5x33xf32>, tensor<5x33xf32>, tensor<19xf64>, tensor<19xf64>, tensor<19xf64>, tensor<19xf64>,
      tensor<19xf64>, tensor<19xf64>, tensor<19xf16>, tensor<19xf16>, tensor<21xi32>, tensor<21xi32>, tensor<21xi32>,
      tensor<21xi32>, tensor<21xi32>, tensor<21xi32>,
      tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
}
