// RUN: nova-opt %s --nova-tile | FileCheck %s

// The origin of a causal tile says where its first query lies among the keys: with 10 queries and 16 keys, 6 later.

// CHECK: #[[LATER:.*]] = affine_map<(d0) -> (d0 + 6)>
// CHECK: #[[EARLIER:.*]] = affine_map<(d0) -> (d0 - 6)>

// CHECK-LABEL: nova.kernel @forward
// CHECK: scf.forall (%[[I:.*]]) =
// CHECK: %[[ORIGIN:.*]] = affine.apply #[[LATER]](%[[I]])
// CHECK: nova.attention {{.*}} at %[[ORIGIN]] {causal}
nova.kernel @forward(%q: tensor<1x1x10x4xf32>, %k: tensor<1x1x16x4xf32>) -> (tensor<1x1x10x4xf32>, tensor<1x1x10xf32>)
    family attention config #nova.kernel_config<tile = [1, 1, 4, 0], lanes = 4> {
  %o, %lse = nova.attention %q, %k, %k {causal} : tensor<1x1x10x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>
  nova.return %o, %lse : tensor<1x1x10x4xf32>, tensor<1x1x10xf32>
}

// CHECK-LABEL: nova.kernel @backward
// CHECK: scf.forall (%[[I:.*]]) =
// CHECK: %[[ORIGIN:.*]] = affine.apply #[[EARLIER]](%[[I]])
// CHECK: nova.attention_grad_key_value {{.*}} at %[[ORIGIN]] {causal}
nova.kernel @backward(%q: tensor<1x1x10x4xf32>, %k: tensor<1x1x16x4xf32>, %lse: tensor<1x1x10xf32>,
                      %delta: tensor<1x1x10xf32>) -> (tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>)
    family attention config #nova.kernel_config<tile = [1, 1, 4, 0], lanes = 4> {
  %dk, %dv = nova.attention_grad_key_value %q, %q, %k, %k, %lse, %delta {causal}
    : tensor<1x1x10x4xf32>, tensor<1x1x10x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x10xf32>,
      tensor<1x1x10xf32>
  nova.return %dk, %dv : tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>
}

// Without a mask position is of no account.
// CHECK-LABEL: nova.kernel @whole
// CHECK: scf.forall (%[[I:.*]]) =
// CHECK-NOT: affine.apply
// CHECK: nova.attention {{.*}} at %[[I]]
nova.kernel @whole(%q: tensor<1x1x8x4xf32>, %k: tensor<1x1x16x4xf32>) -> (tensor<1x1x8x4xf32>, tensor<1x1x8xf32>)
    family attention config #nova.kernel_config<tile = [1, 1, 4, 0], lanes = 4> {
  %o, %lse = nova.attention %q, %k, %k : tensor<1x1x8x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>
  nova.return %o, %lse : tensor<1x1x8x4xf32>, tensor<1x1x8xf32>
}
