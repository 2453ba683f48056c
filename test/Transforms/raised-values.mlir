// Programs that raising got wrong once, with their right values, on every device and in both modes.
// RUN: nova-run %s --entry gate | FileCheck %s --check-prefix=GATE
// RUN: nova-run %s --entry gate --mode=eager | FileCheck %s --check-prefix=GATE
// RUN: nova-run %s --entry gate --device=reference | FileCheck %s --check-prefix=GATE
// RUN: nova-run %s --entry gate --device=emulator | FileCheck %s --check-prefix=GATE
// RUN: nova-run %s --entry mask_1e4 | FileCheck %s --check-prefix=MASK
// RUN: nova-run %s --entry mask_1e4 --mode=eager | FileCheck %s --check-prefix=MASK
// RUN: nova-run %s --entry mask_1e4 --device=reference | FileCheck %s --check-prefix=MASK
// RUN: nova-run %s --entry mask_1e4 --device=emulator | FileCheck %s --check-prefix=MASK
// RUN: nova-run %s --entry added_1e4 | FileCheck %s --check-prefix=ADDED
// RUN: nova-run %s --entry added_1e4 --mode=eager | FileCheck %s --check-prefix=ADDED
// RUN: nova-run %s --entry added_1e4 --device=reference | FileCheck %s --check-prefix=ADDED
// RUN: nova-run %s --entry added_1e4 --device=emulator | FileCheck %s --check-prefix=ADDED

// A factor for each row of a norm as wide as it is high.
// GATE: {{\[}}[-0.99998{{[0-9]*}}, 0.99998{{[0-9]*}}], [-9.9998{{[0-9]*}}, 9.9998{{[0-9]*}}]]
func.func @gate() -> tensor<2x2xf32> {
  %x = nova.constant dense<[[0.0, 1.0], [0.0, 1.0]]> : tensor<2x2xf32>
  %g = nova.constant dense<[[1.0], [10.0]]> : tensor<2x1xf32>
  %o = nova.constant dense<1.0> : tensor<2xf32>
  %z = nova.constant dense<0.0> : tensor<2xf32>
  %n = nova.layer_norm %x, %o, %z : tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>
  %y = nova.mul %n, %g : tensor<2x2xf32>, tensor<2x1xf32>
  return %y : tensor<2x2xf32>
}

// Scores of -4e4 and, for the second query, twice -2e4: beside -4e4 a hidden score of -1e4 is all there is.
// MASK: {{\[\[\[}}[2], [1.5]]]]
func.func @mask_1e4() -> tensor<1x1x2x1xf32> {
  %q = nova.constant dense<[[[[200.0], [100.0]]]]> : tensor<1x1x2x1xf32>
  %k = nova.constant dense<[[[[-200.0], [-200.0]]]]> : tensor<1x1x2x1xf32>
  %v = nova.constant dense<[[[[1.0], [2.0]]]]> : tensor<1x1x2x1xf32>
  %h = nova.constant dense<-1.0e+04> : tensor<f32>
  %i = nova.iota 0 : tensor<2x1xi64>
  %j = nova.iota 0 : tensor<2xi64>
  %c = nova.compare le %j, %i : tensor<2xi64>, tensor<2x1xi64>
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>
  %m = nova.select %c, %s, %h : tensor<2x2xi1>, tensor<1x1x2x2xf32>, tensor<f32>
  %p = nova.softmax %m : tensor<1x1x2x2xf32>
  %y = nova.matmul %p, %v : tensor<1x1x2x2xf32>, tensor<1x1x2x1xf32>
  return %y : tensor<1x1x2x1xf32>
}

// The hidden score is 2e4 - 1e4, the seen one 0.
// ADDED: {{\[\[\[}}[2], [2]]]]
func.func @added_1e4() -> tensor<1x1x2x1xf32> {
  %q = nova.constant dense<100.0> : tensor<1x1x2x1xf32>
  %k = nova.constant dense<[[[[0.0], [200.0]]]]> : tensor<1x1x2x1xf32>
  %v = nova.constant dense<[[[[1.0], [2.0]]]]> : tensor<1x1x2x1xf32>
  %b = nova.constant dense<[[0.0, -1.0e+04], [0.0, 0.0]]> : tensor<2x2xf32>
  %s = nova.matmul %q, %k {transpose_rhs} : tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>
  %m = nova.add %s, %b : tensor<1x1x2x2xf32>, tensor<2x2xf32>
  %p = nova.softmax %m : tensor<1x1x2x2xf32>
  %y = nova.matmul %p, %v : tensor<1x1x2x2xf32>, tensor<1x1x2x1xf32>
  return %y : tensor<1x1x2x1xf32>
}
