// Products of tf32: what the evaluator gives for factors that are rounded by hand. Layouts, batches, edges, one row,
// one column, no depth at all, what follows them, infinities and NaN.
// RUN: %python %S/Inputs/tf32-inputs.py %s %t.in.safetensors %t.rounded.safetensors
// RUN: nova-run %s --inputs %t.rounded.safetensors --device=reference --outputs %t.safetensors
// RUN: nova-run %s --inputs %t.in.safetensors --device=emulator --matmul-precision=tf32 --expect %t.safetensors \
// RUN:   --rtol 1e-6 --atol 3e-5 --quiet
// RUN: nova-run %s --inputs %t.in.safetensors --device=emulator --matmul-precision=tf32 --mode=eager \
// RUN:   --expect %t.safetensors --rtol 1e-6 --atol 3e-5 --quiet

// The rounding shows in what is compared, and is what one expects of it.
// RUN: nova-run %s --random-inputs=1 --device=reference --outputs %t.random.safetensors
// RUN: nova-run %s --random-inputs=1 --device=cpu --expect %t.random.safetensors --rtol 1e-5 --atol 1e-4 --quiet
// RUN: nova-run %s --random-inputs=1 --device=emulator --matmul-precision=tf32 --expect %t.random.safetensors --rtol 1e-3 --atol 5e-2 --quiet
// RUN: sh -c 'nova-run %s --random-inputs=1 --device=emulator --matmul-precision=tf32 --quiet --expect %t.random.safetensors; test $? = 4' 2>&1 \
// RUN:   | FileCheck %s
// CHECK: result0

func.func @matmuls(%a: tensor<37x53xf32>, %b: tensor<53x130xf32>, %at: tensor<53x37xf32>, %bt: tensor<130x53xf32>,
                   %bias: tensor<130xbf16>, %residual: tensor<37x130xbf16>, %row: tensor<1x53xf32>,
                   %column: tensor<53x1xf32>, %batch: tensor<3x20x53xf32>, %heads: tensor<2x3x53x7xf32>,
                   %deep: tensor<70x300xf32>, %deeper: tensor<300x75xf32>,
                   %special: tensor<7x13xf32> {nova.name = "special"}, %mask: tensor<13x5xf32>,
                   %h: tensor<9x21xbf16>, %i: tensor<21x11xbf16>, %one: tensor<1x1xf32>)
    -> (tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>,
        tensor<1x130xf32>, tensor<37x1xf32>, tensor<3x20x130xf32>, tensor<2x3x37x7xf32>, tensor<70x75xf32>,
        tensor<7x5xf32>, tensor<7x13xf32>, tensor<9x11xf32>, tensor<1x1xf32>, tensor<5x6xf32>) {
  %nn = nova.matmul %a, %b : tensor<37x53xf32>, tensor<53x130xf32>
  %nt = nova.matmul %a, %bt {transpose_rhs} : tensor<37x53xf32>, tensor<130x53xf32>
  %tn = nova.matmul %at, %b {transpose_lhs} : tensor<53x37xf32>, tensor<53x130xf32>
  %tt = nova.matmul %at, %bt {transpose_lhs, transpose_rhs} : tensor<53x37xf32>, tensor<130x53xf32>

  // Bias, activation and residual follow.
  %b0 = nova.cast %bias : tensor<130xbf16> -> tensor<130xf32>
  %r0 = nova.cast %residual : tensor<37x130xbf16> -> tensor<37x130xf32>
  %m0 = nova.matmul %a, %b : tensor<37x53xf32>, tensor<53x130xf32>
  %biased = nova.add %m0, %b0 : tensor<37x130xf32>, tensor<130xf32>
  %active = nova.relu %biased : tensor<37x130xf32>
  %added = nova.add %r0, %active : tensor<37x130xf32>, tensor<37x130xf32>

  %one_row = nova.matmul %row, %b : tensor<1x53xf32>, tensor<53x130xf32>
  %one_column = nova.matmul %a, %column : tensor<37x53xf32>, tensor<53x1xf32>
  %batched = nova.matmul %batch, %b : tensor<3x20x53xf32>, tensor<53x130xf32>
  %broadcast = nova.matmul %a, %heads : tensor<37x53xf32>, tensor<2x3x53x7xf32>
  %steps = nova.matmul %deep, %deeper : tensor<70x300xf32>, tensor<300x75xf32>

  // Infinity and NaN stay in their rows, numbers near the largest one become infinity, ties go away from zero.
  %infinite = nova.matmul %special, %mask : tensor<7x13xf32>, tensor<13x5xf32>
  %diagonal = nova.iota 0 : tensor<13x13xi32>
  %across = nova.iota 1 : tensor<13x13xi32>
  %same = nova.compare eq %diagonal, %across : tensor<13x13xi32>, tensor<13x13xi32>
  %identity = nova.cast %same : tensor<13x13xi1> -> tensor<13x13xf32>
  %copied = nova.matmul %special, %identity {transpose_rhs} : tensor<7x13xf32>, tensor<13x13xf32>

  // Factors of bf16 are tf32 as they are.
  %h0 = nova.cast %h : tensor<9x21xbf16> -> tensor<9x21xf32>
  %i0 = nova.cast %i : tensor<21x11xbf16> -> tensor<21x11xf32>
  %widened = nova.matmul %h0, %i0 : tensor<9x21xf32>, tensor<21x11xf32>
  %scalar = nova.matmul %one, %one : tensor<1x1xf32>, tensor<1x1xf32>

  %left = nova.constant dense<1.0> : tensor<5x0xf32>
  %right = nova.constant dense<1.0> : tensor<0x6xf32>
  %nothing = nova.matmul %left, %right : tensor<5x0xf32>, tensor<0x6xf32>

  return %nn, %nt, %tn, %tt, %added, %one_row, %one_column, %batched, %broadcast, %steps, %infinite, %copied, %widened,
    %scalar, %nothing
    : tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>, tensor<37x130xf32>,
      tensor<1x130xf32>, tensor<37x1xf32>, tensor<3x20x130xf32>, tensor<2x3x37x7xf32>, tensor<70x75xf32>,
      tensor<7x5xf32>, tensor<7x13xf32>, tensor<9x11xf32>, tensor<1x1xf32>, tensor<5x6xf32>
}
