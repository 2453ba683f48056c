// RUN: nova-opt %s --pass-pipeline="builtin.module(func.func(nova-infer-bounds))" | FileCheck %s

// CHECK-LABEL: @indices_of_a_gather
// CHECK-SAME: tensor<8xi32> {nova.bound = 256 : i64}
func.func @indices_of_a_gather(%table: tensor<256x64xf32>, %tokens: tensor<8xi32>) -> tensor<8x64xf32> {
  %x = nova.gather %table[%tokens] : tensor<256x64xf32>, tensor<8xi32>
  return %x : tensor<8x64xf32>
}

// CHECK-LABEL: @indices_along_an_axis
// CHECK-SAME: tensor<8xi64> {nova.bound = 64 : i64}
func.func @indices_along_an_axis(%table: tensor<256x64xf32>, %tokens: tensor<8xi64>) -> tensor<256x8xf32> {
  %x = nova.gather %table[%tokens] {axis = 1} : tensor<256x64xf32>, tensor<8xi64>
  return %x : tensor<256x8xf32>
}

// CHECK-LABEL: @moved_targets
// CHECK-SAME: tensor<2x4xi32> {nova.bound = 10 : i64}
func.func @moved_targets(%logits: tensor<8x10xf32>, %targets: tensor<2x4xi32>) -> tensor<f32> {
  %flat = nova.reshape %targets : tensor<2x4xi32> -> tensor<8xi32>
  %l = nova.cross_entropy %logits, %flat : tensor<8x10xf32>, tensor<8xi32>
  return %l : tensor<f32>
}

// CHECK-LABEL: @least_of_several
// CHECK-SAME: tensor<8xi32> {nova.bound = 10 : i64}
func.func @least_of_several(%table: tensor<256x64xf32>, %logits: tensor<8x10xf32>, %ids: tensor<8xi32>)
    -> (tensor<8x64xf32>, tensor<f32>) {
  %x = nova.gather %table[%ids] : tensor<256x64xf32>, tensor<8xi32>
  %l = nova.cross_entropy %logits, %ids : tensor<8x10xf32>, tensor<8xi32>
  return %x, %l : tensor<8x64xf32>, tensor<f32>
}

// An integer that is computed with, or a table that is gathered from, has no bound.
// CHECK-LABEL: @not_an_index
// CHECK-NOT: nova.bound
func.func @not_an_index(%x: tensor<8xi32>, %indices: tensor<8xi32>) -> tensor<8xi32> {
  %one = nova.constant dense<1> : tensor<8xi32>
  %sum = nova.add %x, %one : tensor<8xi32>, tensor<8xi32>
  return %sum : tensor<8xi32>
}
