// A program written in bf16: what one kernel computes is rounded once, where it is stored, as if it were computed in f32.
// Op by op every result is stored and rounded, as the evaluator does.
// RUN: nova-run %s --entry=wide --random-inputs=1 --outputs %t.wide.safetensors
// RUN: nova-run %s --entry=narrow --random-inputs=1 --expect %t.wide.safetensors --rtol 0 --atol 0 --quiet
// RUN: nova-run %s --entry=narrow --random-inputs=1 --device=reference --outputs %t.each.safetensors
// RUN: nova-run %s --entry=narrow --random-inputs=1 --mode=eager --expect %t.each.safetensors --rtol 8e-3 --atol 1e-3 --quiet
// RUN: not nova-run %s --entry=narrow --random-inputs=1 --mode=eager --expect %t.wide.safetensors --rtol 0 --atol 0 --quiet

func.func @narrow(%x: tensor<40x65xbf16>, %y: tensor<40x65xbf16>, %b: tensor<65xbf16>) -> tensor<40xbf16> {
  %0 = nova.mul %x, %y : tensor<40x65xbf16>, tensor<40x65xbf16>
  %1 = nova.add %0, %b : tensor<40x65xbf16>, tensor<65xbf16>
  %2 = nova.tanh %1 : tensor<40x65xbf16>
  %3 = nova.reduce sum %2 over [1] : tensor<40x65xbf16>
  return %3 : tensor<40xbf16>
}

func.func @wide(%x: tensor<40x65xbf16>, %y: tensor<40x65xbf16>, %b: tensor<65xbf16>) -> tensor<40xbf16> {
  %xw = nova.cast %x : tensor<40x65xbf16> -> tensor<40x65xf32>
  %yw = nova.cast %y : tensor<40x65xbf16> -> tensor<40x65xf32>
  %bw = nova.cast %b : tensor<65xbf16> -> tensor<65xf32>
  %0 = nova.mul %xw, %yw : tensor<40x65xf32>, tensor<40x65xf32>
  %1 = nova.add %0, %bw : tensor<40x65xf32>, tensor<65xf32>
  %2 = nova.tanh %1 : tensor<40x65xf32>
  %3 = nova.reduce sum %2 over [1] : tensor<40x65xf32>
  %4 = nova.cast %3 : tensor<40xf32> -> tensor<40xbf16>
  return %4 : tensor<40xbf16>
}
