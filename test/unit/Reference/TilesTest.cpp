//===- TilesTest.cpp - Kernels on tiles mean what they mean as a whole ----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each test holds a kernel twice, as formed (@whole) and cut into blocks (@tiled), with extents that blocks don't
// divide.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

using namespace nova_test;

/// Both kernels give the same bits.
static void expectSame(const std::string &kernels, const std::vector<Tensor> &arguments) {
  Program program(kernels);
  auto whole = program.run("whole", arguments), tiled = program.run("tiled", arguments);
  ASSERT_EQ(program.errors, "");
  ASSERT_EQ(whole.size(), tiled.size());
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(whole[i].getShape(), tiled[i].getShape());
    expectNear(tiled[i].toDoubles(), whole[i].toDoubles(), 0);
  }
}

TEST(Tiles, Elementwise) {
  expectSame(R"(
    #rows = affine_map<(d0) -> (-d0 + 10, 4)>
    #columns = affine_map<(d0) -> (-d0 + 7, 4)>
    nova.kernel @whole(%x: tensor<10x7xf32>, %b: tensor<7xf32>) -> (tensor<10x7xf32>, tensor<10x7xf32>)
        family elementwise {
      %y = nova.add %x, %b : tensor<10x7xf32>, tensor<7xf32>
      %z = nova.gelu tanh %y : tensor<10x7xf32>
      nova.return %z, %y : tensor<10x7xf32>, tensor<10x7xf32>
    }
    nova.kernel @tiled(%x: tensor<10x7xf32>, %b: tensor<7xf32>) -> (tensor<10x7xf32>, tensor<10x7xf32>)
        family elementwise {
      %e0 = tensor.empty() : tensor<10x7xf32>
      %e1 = tensor.empty() : tensor<10x7xf32>
      %r:2 = scf.forall (%i, %j) = (0, 0) to (10, 7) step (4, 4) shared_outs(%o0 = %e0, %o1 = %e1)
          -> (tensor<10x7xf32>, tensor<10x7xf32>) {
        %m = affine.min #rows(%i)
        %n = affine.min #columns(%j)
        %xs = tensor.extract_slice %x[%i, %j] [%m, %n] [1, 1] : tensor<10x7xf32> to tensor<?x?xf32>
        %bs = tensor.extract_slice %b[%j] [%n] [1] : tensor<7xf32> to tensor<?xf32>
        %y = nova.add %xs, %bs : tensor<?x?xf32>, tensor<?xf32>
        %z = nova.gelu tanh %y : tensor<?x?xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %z into %o0[%i, %j] [%m, %n] [1, 1] : tensor<?x?xf32> into tensor<10x7xf32>
          tensor.parallel_insert_slice %y into %o1[%i, %j] [%m, %n] [1, 1] : tensor<?x?xf32> into tensor<10x7xf32>
        }
      }
      nova.return %r#0, %r#1 : tensor<10x7xf32>, tensor<10x7xf32>
    }
  )",
             {randomTensor({10, 7}, 1), randomTensor({7}, 2)});
}

TEST(Tiles, MatmulWithEpilogue) {
  expectSame(R"(
    #rows = affine_map<(d0) -> (-d0 + 10, 4)>
    #columns = affine_map<(d0) -> (-d0 + 6, 4)>
    nova.kernel @whole(%x: tensor<10x5xf32>, %w: tensor<6x5xf32>, %b: tensor<6xf32>) -> tensor<10x6xf32> family matmul {
      %y = nova.matmul %x, %w {transpose_rhs} : tensor<10x5xf32>, tensor<6x5xf32>
      %z = nova.add %y, %b : tensor<10x6xf32>, tensor<6xf32>
      nova.return %z : tensor<10x6xf32>
    }
    nova.kernel @tiled(%x: tensor<10x5xf32>, %w: tensor<6x5xf32>, %b: tensor<6xf32>) -> tensor<10x6xf32> family matmul {
      %e = tensor.empty() : tensor<10x6xf32>
      %r = scf.forall (%i, %j) = (0, 0) to (10, 6) step (4, 4) shared_outs(%o = %e) -> (tensor<10x6xf32>) {
        %m = affine.min #rows(%i)
        %n = affine.min #columns(%j)
        %xs = tensor.extract_slice %x[%i, 0] [%m, 5] [1, 1] : tensor<10x5xf32> to tensor<?x5xf32>
        %ws = tensor.extract_slice %w[%j, 0] [%n, 5] [1, 1] : tensor<6x5xf32> to tensor<?x5xf32>
        %bs = tensor.extract_slice %b[%j] [%n] [1] : tensor<6xf32> to tensor<?xf32>
        %y = nova.matmul %xs, %ws {transpose_rhs} : tensor<?x5xf32>, tensor<?x5xf32>
        %z = nova.add %y, %bs : tensor<?x?xf32>, tensor<?xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %z into %o[%i, %j] [%m, %n] [1, 1] : tensor<?x?xf32> into tensor<10x6xf32>
        }
      }
      nova.return %r : tensor<10x6xf32>
    }
  )",
             {randomTensor({10, 5}, 1), randomTensor({6, 5}, 2), randomTensor({6}, 3)});
}

TEST(Tiles, RowsAndColumns) {
  expectSame(R"(
    #rows = affine_map<(d0) -> (-d0 + 7, 3)>
    nova.kernel @whole(%x: tensor<7x5xf32>, %w: tensor<5xf32>, %b: tensor<5xf32>, %t: tensor<7xi32>)
        -> (tensor<7x5xf32>, tensor<7xf32>, tensor<7xf32>) family row {
      %y = nova.layer_norm %x, %w, %b : tensor<7x5xf32>, tensor<5xf32>, tensor<5xf32>
      %p = nova.softmax %y : tensor<7x5xf32>
      %l = nova.cross_entropy %y, %t {reduction = #nova.reduction<none>} : tensor<7x5xf32>, tensor<7xi32>
      %s = nova.reduce max %y over [1] : tensor<7x5xf32>
      nova.return %p, %l, %s : tensor<7x5xf32>, tensor<7xf32>, tensor<7xf32>
    }
    nova.kernel @tiled(%x: tensor<7x5xf32>, %w: tensor<5xf32>, %b: tensor<5xf32>, %t: tensor<7xi32>)
        -> (tensor<7x5xf32>, tensor<7xf32>, tensor<7xf32>) family row {
      %e0 = tensor.empty() : tensor<7x5xf32>
      %e1 = tensor.empty() : tensor<7xf32>
      %r:3 = scf.forall (%i) = (0) to (7) step (3) shared_outs(%o0 = %e0, %o1 = %e1, %o2 = %e1)
          -> (tensor<7x5xf32>, tensor<7xf32>, tensor<7xf32>) {
        %m = affine.min #rows(%i)
        %xs = tensor.extract_slice %x[%i, 0] [%m, 5] [1, 1] : tensor<7x5xf32> to tensor<?x5xf32>
        %ts = tensor.extract_slice %t[%i] [%m] [1] : tensor<7xi32> to tensor<?xi32>
        %y = nova.layer_norm %xs, %w, %b : tensor<?x5xf32>, tensor<5xf32>, tensor<5xf32>
        %p = nova.softmax %y : tensor<?x5xf32>
        %l = nova.cross_entropy %y, %ts {reduction = #nova.reduction<none>} : tensor<?x5xf32>, tensor<?xi32>
        %s = nova.reduce max %y over [1] : tensor<?x5xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %p into %o0[%i, 0] [%m, 5] [1, 1] : tensor<?x5xf32> into tensor<7x5xf32>
          tensor.parallel_insert_slice %l into %o1[%i] [%m] [1] : tensor<?xf32> into tensor<7xf32>
          tensor.parallel_insert_slice %s into %o2[%i] [%m] [1] : tensor<?xf32> into tensor<7xf32>
        }
      }
      nova.return %r#0, %r#1, %r#2 : tensor<7x5xf32>, tensor<7xf32>, tensor<7xf32>
    }
  )",
             {randomTensor({7, 5}, 1), randomTensor({5}, 2), randomTensor({5}, 3),
              Tensor::fromInts(DType::I32, {7}, {0, 4, 2, -100, 1, 3, 0})});
}

/// Attention of 6 x 1 heads over 7 keys, and its gradients.
static std::string attentionKernels(const std::string &queries) {
  return "!q = tensor<6x1x" + queries + "x4xf32>\n!rows = tensor<6x1x" + queries + "xf32>\n" +
         "#queries = affine_map<(d0) -> (-d0 + " + queries + ", 2)>\n#count = affine_map<() -> (" + queries + ")>" + R"(
    !k = tensor<6x1x7x4xf32>
    #keys = affine_map<(d0) -> (-d0 + 7, 2)>
    nova.kernel @whole(%q: !q, %k: !k, %delta: !rows) -> (!q, !rows, !q, !k, !k) family attention {
      %o, %lse = nova.attention %q, %k, %k {causal} : !q, !k, !k
      %dq = nova.attention_grad_query %q, %q, %k, %k, %lse, %delta {causal} : !q, !q, !k, !k, !rows, !rows
      %dk, %dv = nova.attention_grad_key_value %q, %q, %k, %k, %lse, %delta {causal} : !q, !q, !k, !k, !rows, !rows
      nova.return %o, %lse, %dq, %dk, %dv : !q, !rows, !q, !k, !k
    }

    !qTile = tensor<1x1x?x4xf32>
    !kHead = tensor<1x1x7x4xf32>
    !rowsTile = tensor<1x1x?xf32>
    !kTile = tensor<6x1x?x4xf32>
    nova.kernel @tiled(%q: !q, %k: !k, %delta: !rows) -> (!q, !rows, !q, !k, !k) family attention {
      %n = affine.apply #count()
      %e0 = tensor.empty() : !q
      %e1 = tensor.empty() : !rows
      %r:3 = scf.forall (%b, %i) = (0, 0) to (6, %n) step (1, 2) shared_outs(%o0 = %e0, %o1 = %e1, %o2 = %e0)
          -> (!q, !rows, !q) {
        %m = affine.min #queries(%i)
        %qs = tensor.extract_slice %q[%b, 0, %i, 0] [1, 1, %m, 4] [1, 1, 1, 1] : !q to !qTile
        %ks = tensor.extract_slice %k[%b, 0, 0, 0] [1, 1, 7, 4] [1, 1, 1, 1] : !k to !kHead
        %ds = tensor.extract_slice %delta[%b, 0, %i] [1, 1, %m] [1, 1, 1] : !rows to !rowsTile
        %o, %lse = nova.attention %qs, %ks, %ks at %i {causal} : !qTile, !kHead, !kHead
        %dq = nova.attention_grad_query %qs, %qs, %ks, %ks, %lse, %ds at %i {causal}
          : !qTile, !qTile, !kHead, !kHead, !rowsTile, !rowsTile
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %o into %o0[%b, 0, %i, 0] [1, 1, %m, 4] [1, 1, 1, 1] : !qTile into !q
          tensor.parallel_insert_slice %lse into %o1[%b, 0, %i] [1, 1, %m] [1, 1, 1] : !rowsTile into !rows
          tensor.parallel_insert_slice %dq into %o2[%b, 0, %i, 0] [1, 1, %m, 4] [1, 1, 1, 1] : !qTile into !q
        }
      }
      %e2 = tensor.empty() : !k
      %g:2 = scf.forall (%i) = (0) to (7) step (2) shared_outs(%o0 = %e2, %o1 = %e2) -> (!k, !k) {
        %m = affine.min #keys(%i)
        %ks = tensor.extract_slice %k[0, 0, %i, 0] [6, 1, %m, 4] [1, 1, 1, 1] : !k to !kTile
        %dk, %dv = nova.attention_grad_key_value %q, %q, %ks, %ks, %r#1, %delta at %i {causal}
          : !q, !q, !kTile, !kTile, !rows, !rows
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %dk into %o0[0, 0, %i, 0] [6, 1, %m, 4] [1, 1, 1, 1] : !kTile into !k
          tensor.parallel_insert_slice %dv into %o1[0, 0, %i, 0] [6, 1, %m, 4] [1, 1, 1, 1] : !kTile into !k
        }
      }
      nova.return %r#0, %r#1, %r#2, %g#0, %g#1 : !q, !rows, !q, !k, !k
    }
  )";
}

TEST(Tiles, CausalAttentionAndItsGradients) {
  expectSame(attentionKernels("7"),
             {randomTensor({6, 1, 7, 4}, 1), randomTensor({6, 1, 7, 4}, 2), randomTensor({6, 1, 7}, 3)});
}

TEST(Tiles, CausalAttentionWithFewerQueriesThanKeys) {
  expectSame(attentionKernels("5"),
             {randomTensor({6, 1, 5, 4}, 1), randomTensor({6, 1, 7, 4}, 2), randomTensor({6, 1, 5}, 3)});
}

TEST(Tiles, OpsThatDependOnTheirPosition) {
  expectSame(R"(
    #rows = affine_map<(d0) -> (-d0 + 8, 3)>
    #columns = affine_map<(d0) -> (-d0 + 9, 4)>
    nova.kernel @whole(%x: tensor<4x5xf32>, %y: tensor<8x5xf32>, %z: tensor<8x4xf32>, %v: tensor<f32>)
        -> tensor<8x9xf32> family index {
      %p = nova.pad %x, %v low = [1, 2] high = [0, 2] interior = [1, 0]
        : tensor<4x5xf32>, tensor<f32> -> tensor<8x9xf32>
      %c = nova.concat %y, %z axis = 1 : (tensor<8x5xf32>, tensor<8x4xf32>) -> tensor<8x9xf32>
      %wide = nova.concat %c, %c, %c axis = 1
        : (tensor<8x9xf32>, tensor<8x9xf32>, tensor<8x9xf32>) -> tensor<8x27xf32>
      %s = nova.slice %wide starts = [0, 3] limits = [8, 20] strides = [1, 2] : tensor<8x27xf32> -> tensor<8x9xf32>
      %i = nova.iota 1 : tensor<8x9xf32>
      %r = nova.broadcast_in_dim %v dims = [] : tensor<f32> -> tensor<8x9xf32>
      %t0 = nova.add %p, %c : tensor<8x9xf32>, tensor<8x9xf32>
      %t1 = nova.mul %t0, %s : tensor<8x9xf32>, tensor<8x9xf32>
      %t2 = nova.add %t1, %i : tensor<8x9xf32>, tensor<8x9xf32>
      %t3 = nova.add %t2, %r : tensor<8x9xf32>, tensor<8x9xf32>
      nova.return %t3 : tensor<8x9xf32>
    }
    nova.kernel @tiled(%x: tensor<4x5xf32>, %y: tensor<8x5xf32>, %z: tensor<8x4xf32>, %v: tensor<f32>)
        -> tensor<8x9xf32> family index {
      %e = tensor.empty() : tensor<8x9xf32>
      %f = scf.forall (%i0, %j) = (0, 0) to (8, 9) step (3, 4) shared_outs(%o = %e) -> (tensor<8x9xf32>) {
        %m = affine.min #rows(%i0)
        %n = affine.min #columns(%j)
        // The iota's extents come from the op that takes it, and those of the others likewise.
        %i = nova.iota 1 at %j : tensor<?x?xf32>
        %r = nova.broadcast_in_dim %v dims = [] : tensor<f32> -> tensor<?x?xf32>
        %p = nova.pad %x, %v low = [1, 2] high = [0, 2] interior = [1, 0] at %i0, %j
          : tensor<4x5xf32>, tensor<f32> -> tensor<?x?xf32>
        %ys = tensor.extract_slice %y[%i0, 0] [%m, 5] [1, 1] : tensor<8x5xf32> to tensor<?x5xf32>
        %zs = tensor.extract_slice %z[%i0, 0] [%m, 4] [1, 1] : tensor<8x4xf32> to tensor<?x4xf32>
        %c = nova.concat %ys, %zs axis = 1 at %j : (tensor<?x5xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
        %c0 = arith.constant 0 : index
        %whole = nova.concat %y, %z axis = 1 at %c0 : (tensor<8x5xf32>, tensor<8x4xf32>) -> tensor<8x9xf32>
        %wide = nova.concat %whole, %whole, %whole axis = 1
          : (tensor<8x9xf32>, tensor<8x9xf32>, tensor<8x9xf32>) -> tensor<8x27xf32>
        %s = nova.slice %wide starts = [0, 3] limits = [8, 20] strides = [1, 2] at %i0, %j
          : tensor<8x27xf32> -> tensor<?x?xf32>
        %t0 = nova.add %p, %c : tensor<?x?xf32>, tensor<?x?xf32>
        %t1 = nova.mul %t0, %s : tensor<?x?xf32>, tensor<?x?xf32>
        %t2 = nova.add %t1, %i : tensor<?x?xf32>, tensor<?x?xf32>
        %t3 = nova.add %t2, %r : tensor<?x?xf32>, tensor<?x?xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %t3 into %o[%i0, %j] [%m, %n] [1, 1] : tensor<?x?xf32> into tensor<8x9xf32>
        }
      }
      nova.return %f : tensor<8x9xf32>
    }
  )",
             {randomTensor({4, 5}, 1), randomTensor({8, 5}, 2), randomTensor({8, 4}, 3), scalar(DType::F32, 0.5)});
}

TEST(Tiles, GatherAndScatterAdd) {
  expectSame(R"(
    #rows = affine_map<(d0) -> (-d0 + 5, 2)>
    nova.kernel @whole(%table: tensor<5x3xf32>, %i: tensor<4xi64>, %u: tensor<4x3xf32>)
        -> (tensor<4x3xf32>, tensor<5x3xf32>) family index {
      %g = nova.gather %table[%i] : tensor<5x3xf32>, tensor<4xi64>
      %s = nova.scatter_add %table[%i], %u : tensor<5x3xf32>, tensor<4xi64>, tensor<4x3xf32>
      nova.return %g, %s : tensor<4x3xf32>, tensor<5x3xf32>
    }
    nova.kernel @tiled(%table: tensor<5x3xf32>, %i: tensor<4xi64>, %u: tensor<4x3xf32>)
        -> (tensor<4x3xf32>, tensor<5x3xf32>) family index {
      %e0 = tensor.empty() : tensor<4x3xf32>
      %g = scf.forall (%b) = (0) to (4) step (2) shared_outs(%o = %e0) -> (tensor<4x3xf32>) {
        %is = tensor.extract_slice %i[%b] [2] [1] : tensor<4xi64> to tensor<2xi64>
        %gs = nova.gather %table[%is] : tensor<5x3xf32>, tensor<2xi64>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %gs into %o[%b, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<4x3xf32>
        }
      }
      %e1 = tensor.empty() : tensor<5x3xf32>
      %s = scf.forall (%b) = (0) to (5) step (2) shared_outs(%o = %e1) -> (tensor<5x3xf32>) {
        %m = affine.min #rows(%b)
        %ts = tensor.extract_slice %table[%b, 0] [%m, 3] [1, 1] : tensor<5x3xf32> to tensor<?x3xf32>
        %ss = nova.scatter_add %ts[%i], %u at %b : tensor<?x3xf32>, tensor<4xi64>, tensor<4x3xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %ss into %o[%b, 0] [%m, 3] [1, 1] : tensor<?x3xf32> into tensor<5x3xf32>
        }
      }
      nova.return %g, %s : tensor<4x3xf32>, tensor<5x3xf32>
    }
  )",
             {randomTensor({5, 3}, 1), Tensor::fromInts(DType::I64, {4}, {4, 1, 4, 0}), randomTensor({4, 3}, 2)});
}

TEST(Tiles, WhatNoBlockWritesIsPoison) {
  Program program(R"(
    nova.kernel @half(%x: tensor<4xf32>) -> tensor<4xf32> family elementwise {
      %e = tensor.empty() : tensor<4xf32>
      %r = scf.forall (%i) = (0) to (2) step (1) shared_outs(%o = %e) -> (tensor<4xf32>) {
        %xs = tensor.extract_slice %x[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %xs into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
        }
      }
      nova.return %r : tensor<4xf32>
    }
  )");
  auto results = program.run("half", {Tensor::fromDoubles(DType::F32, {4}, {1.0, 2.0, 3.0, 4.0})});
  ASSERT_EQ(results.size(), 1u) << program.errors;
  expectNear(results[0].toDoubles(), {1, 2, notANumber, notANumber});
}

TEST(Tiles, AnExtentThatNothingGivesIsAnError) {
  Program program(R"(
    func.func @f() -> tensor<?xi32> {
      %i = nova.iota 0 : tensor<?xi32>
      return %i : tensor<?xi32>
    }
  )");
  EXPECT_TRUE(program.run("f").empty());
  EXPECT_EQ(program.errors, "'nova.iota' op expected a static size for axis 0 of 'tensor<?xi32>', found one that no "
                            "operand and no user gives\n");
}
