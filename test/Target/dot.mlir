// RUN: nova-translate %s --nova-to-dot | FileCheck %s

// CHECK: digraph "tiny"
module @tiny {
  nova.parameter @w : tensor<4x4xf32> = #nova.normal<mean = 0.0, std = 0.02>
  // CHECK: subgraph cluster_0 {
  // CHECK: label="@f";
  // CHECK: n[[X:[0-9]+]] [label="x\n2x4xf32", shape=ellipse
  // CHECK: n[[W:[0-9]+]] [label="@w\n4x4xf32", shape=cylinder
  // CHECK: n[[ONE:[0-9]+]] [label="1.000000e+00\n4xf32", shape=plaintext
  // CHECK: n[[Y:[0-9]+]] [label="matmul\n2x4xf32", shape=box];
  // CHECK: n[[X]] -> n[[Y]];
  // CHECK: n[[W]] -> n[[Y]];
  // CHECK: n[[Z:[0-9]+]] [label="launch @bias\n2x4xf32", shape=component
  // CHECK: n[[Y]] -> n[[Z]];
  // CHECK: n[[ONE]] -> n[[Z]];
  func.func @f(%x: tensor<2x4xf32> {nova.name = "x"}) -> tensor<2x4xf32> {
    %w = nova.read @w : tensor<4x4xf32>
    %one = nova.constant dense<1.0> : tensor<4xf32>
    %y = nova.matmul %x, %w : tensor<2x4xf32>, tensor<4x4xf32>
    %z = nova.launch @bias(%y, %one) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    return %z : tensor<2x4xf32>
  }
  // CHECK: label="@g";
  // CHECK: [label="call @f\n2x4xf32", shape=component
  func.func @g(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %y = call @f(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    return %y : tensor<2x4xf32>
  }
  // CHECK: label="kernel @bias (elementwise)";
  // CHECK: [label="add\n2x4xf32", shape=box];
  nova.kernel @bias(%x: tensor<2x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> family elementwise {
    %y = nova.add %x, %b : tensor<2x4xf32>, tensor<4xf32>
    nova.return %y : tensor<2x4xf32>
  }
  // CHECK: label="kernel @tiled (elementwise)";
  // CHECK: label="arg0\n4xf32"
  // CHECK: label="block 0\nindex"
  // CHECK: label="out 0\n4xf32"
  nova.kernel @tiled(%x: tensor<4xf32>) -> tensor<4xf32> family elementwise {
    %init = tensor.empty() : tensor<4xf32>
    %r = scf.forall (%i) = (0) to (4) step (2) shared_outs(%out = %init) -> (tensor<4xf32>) {
      %t = tensor.extract_slice %x[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
      %y = nova.exp %t : tensor<2xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %y into %out[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>
      }
    }
    nova.return %r : tensor<4xf32>
  }
}
