//===- StructureTest.cpp - Tests of calls, loops and index arithmetic -----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

using namespace nova_test;

TEST(Structure, CallsAndLaunches) {
  Program program(R"(
    nova.kernel @double(%x: tensor<2xf32>) -> tensor<2xf32> family elementwise {
      %y = nova.add %x, %x : tensor<2xf32>, tensor<2xf32>
      nova.return %y : tensor<2xf32>
    }
    func.func @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = nova.launch @double(%x) : (tensor<2xf32>) -> tensor<2xf32>
      %z = nova.launch @double(%y) : (tensor<2xf32>) -> tensor<2xf32>
      return %z : tensor<2xf32>
    }
    func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %y = call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return %x, %y : tensor<2xf32>, tensor<2xf32>
    }
  )");
  auto results = program.run("f", {Tensor::fromDoubles(DType::F32, {2}, {1.0, -2.0})});
  ASSERT_EQ(results.size(), 2u) << program.errors;
  expectNear(results[0].toDoubles(), {1, -2});
  expectNear(results[1].toDoubles(), {4, -8});
}

TEST(Structure, LoopsCarryValues) {
  Program program(R"(
    func.func @sums(%x: tensor<5xf32>) -> tensor<5xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %zero = nova.constant dense<0.0> : tensor<1xf32>
      %e = tensor.empty() : tensor<5xf32>
      %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%out = %e, %sum = %zero) -> (tensor<5xf32>, tensor<1xf32>) {
        %xs = tensor.extract_slice %x[%i] [1] [1] : tensor<5xf32> to tensor<1xf32>
        %next = nova.add %sum, %xs : tensor<1xf32>, tensor<1xf32>
        %written = tensor.insert_slice %next into %out[%i] [1] [1] : tensor<1xf32> into tensor<5xf32>
        scf.yield %written, %next : tensor<5xf32>, tensor<1xf32>
      }
      return %r#0 : tensor<5xf32>
    }
  )");
  auto results = program.run("sums", {Tensor::fromDoubles(DType::F32, {5}, {1.0, 2.0, 3.0, 4.0, 5.0})});
  ASSERT_EQ(results.size(), 1u) << program.errors;
  expectNear(results[0].toDoubles(), {1, 3, 6, 10, 15});
}

TEST(Structure, InsertingLeavesTheOriginalAsItWas) {
  Program program(R"(
    func.func @f(%x: tensor<2x2xf32>, %y: tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
      %r = tensor.insert_slice %y into %x[0, 1] [2, 1] [1, 1] : tensor<2xf32> into tensor<2x2xf32>
      return %x, %r : tensor<2x2xf32>, tensor<2x2xf32>
    }
  )");
  Tensor x = Tensor::fromDoubles(DType::F32, {2, 2}, {1.0, 2.0, 3.0, 4.0});
  auto results = program.run("f", {x, Tensor::fromDoubles(DType::F32, {2}, {8.0, 9.0})});
  ASSERT_EQ(results.size(), 2u) << program.errors;
  expectNear(results[0].toDoubles(), {1, 2, 3, 4});
  expectNear(results[1].toDoubles(), {1, 8, 3, 9});
  expectNear(x.toDoubles(), {1, 2, 3, 4});
}

TEST(Structure, BranchesAndIndexArithmetic) {
  Program program(R"(
    func.func @f(%x: tensor<6xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
      %c2 = arith.constant 2 : index
      %c7 = arith.constant 7 : index
      %minus = arith.constant -7 : index
      %quotient = arith.floordivsi %minus, %c2 : index
      %ceiling = arith.ceildivsi %minus, %c2 : index
      %product = arith.muli %quotient, %ceiling : index
      %rest = arith.remsi %product, %c7 : index
      %less = arith.cmpi slt, %quotient, %ceiling : index
      %applied = affine.apply affine_map<(d0)[s0] -> (d0 mod 4 + s0 floordiv 3)>(%c7)[%c7]
      %chosen = scf.if %less -> index {
        %sum = arith.addi %rest, %applied : index
        %least = affine.min affine_map<(d0) -> (d0, 100)>(%sum)
        scf.yield %least : index
      } else {
        scf.yield %c7 : index
      }
      %smaller = arith.minsi %chosen, %c2 : index
      %selected = arith.select %less, %smaller, %chosen : index
      %a = tensor.extract_slice %x[%chosen] [1] [1] : tensor<6xf32> to tensor<1xf32>
      %b = tensor.extract_slice %x[%selected] [1] [1] : tensor<6xf32> to tensor<1xf32>
      return %a, %b : tensor<1xf32>, tensor<1xf32>
    }
  )");
  // floor(-3.5) = -4, ceil(-3.5) = -3, 12 rem 7 = 5, 7 mod 4 + 7 floordiv 3 = 5; 10 is beyond the end.
  EXPECT_TRUE(program.run("f", {randomTensor({6}, 1)}).empty());
  EXPECT_EQ(program.errors, "'tensor.extract_slice' op expected a slice within size 6 along axis 0, found offset 10, "
                            "size 1 and stride 1\n");
}

TEST(Structure, TensorsMadeFromSizes) {
  Program program(R"(
    func.func @f() -> (tensor<?x2xbf16>, tensor<2xi1>, tensor<2xi8>) {
      %n = arith.constant 3 : index
      %half = arith.constant 0.5 : bf16
      %true = arith.constant true
      %a = tensor.splat %half[%n] : tensor<?x2xbf16>
      %b = tensor.splat %true : tensor<2xi1>
      %c = tensor.empty() : tensor<2xi8>
      return %a, %b, %c : tensor<?x2xbf16>, tensor<2xi1>, tensor<2xi8>
    }
    func.func @negative() -> tensor<?xf32> {
      %n = arith.constant -1 : index
      %a = tensor.empty(%n) : tensor<?xf32>
      return %a : tensor<?xf32>
    }
  )");
  auto results = program.run("f");
  ASSERT_EQ(results.size(), 3u) << program.errors;
  expectNear(results[0].toDoubles(), Numbers(6, 0.5));
  expectNear(results[1].toDoubles(), {1, 1});
  EXPECT_TRUE(program.run("negative").empty());
  EXPECT_EQ(program.errors,
            "'tensor.empty' op expected a type of the nova dialect and sizes that memory can hold, found "
            "'tensor<?xf32>' and [-1]\n");
}

TEST(Structure, UnknownOpsAreNamedBeforeAnythingRuns) {
  Program program(R"(
    func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %zero = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %n = tensor.generate {
      ^bb0(%i: index):
        %c = arith.constant 1.0 : f32
        tensor.yield %c : f32
      } : tensor<2xf32>
      %m = tensor.insert %one into %n[%zero] : tensor<2xf32>
      return %m : tensor<2xf32>
    }
  )");
  EXPECT_TRUE(program.run("f", {randomTensor({2}, 1)}).empty());
  std::string message = " op has no reference evaluation: expected an op of the nova dialect, or of arith, affine, scf "
                        "and tensor as they stand in kernels\n";
  EXPECT_EQ(program.errors, "'tensor.generate'" + message + "'tensor.insert'" + message);
}

TEST(Structure, ArgumentsAreVerified) {
  Program program(R"(
    func.func @f(%x: tensor<2x?xf32>) -> tensor<2x?xf32> {
      return %x : tensor<2x?xf32>
    }
  )");
  EXPECT_EQ(program.run("f", {randomTensor({2, 5}, 1)}).size(), 1u);
  EXPECT_TRUE(program.run("f", {randomTensor({3, 5}, 1)}).empty());
  EXPECT_EQ(program.errors, "expected argument #0 to be 'tensor<2x?xf32>', found tensor<3x5xf32>\n");
  program.errors.clear();
  EXPECT_TRUE(program.run("f", {randomTensor({2, 5}, 1, DType::F64)}).empty());
  EXPECT_EQ(program.errors, "expected argument #0 to be 'tensor<2x?xf32>', found tensor<2x5xf64>\n");
  program.errors.clear();
  EXPECT_TRUE(program.run("f", {}).empty());
  EXPECT_EQ(program.errors, "expected 1 arguments, found 0\n");
}

TEST(Structure, DynamicShapesComeFromTheOperands) {
  Program program(R"(
    func.func @f(%x: tensor<?x?xf32>, %w: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?xf32>) {
      %y = nova.matmul %x, %w : tensor<?x?xf32>, tensor<?x3xf32>
      %flat = nova.reshape %y : tensor<?x3xf32> -> tensor<?xf32>
      return %y, %flat : tensor<?x3xf32>, tensor<?xf32>
    }
  )");
  auto results = program.run("f", {randomTensor({4, 2}, 1), randomTensor({2, 3}, 2)});
  ASSERT_EQ(results.size(), 2u) << program.errors;
  EXPECT_EQ(results[0].getShape(), llvm::ArrayRef<int64_t>({4, 3}));
  EXPECT_EQ(results[1].getShape(), llvm::ArrayRef<int64_t>({12}));
  EXPECT_TRUE(program.run("f", {randomTensor({4, 2}, 1), randomTensor({5, 3}, 2)}).empty());
  EXPECT_EQ(program.errors,
            "'nova.matmul' op expected size 2 along axis 0 of operand #1, as elsewhere in the op, found 5\n");
}

TEST(Structure, DynamicOperandsThatDoNotFitAreErrors) {
  Program program(R"(
    func.func @concat(%x: tensor<?x1xf32>) -> tensor<2x2xf32> {
      %r = nova.concat %x, %x axis = 1 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<2x2xf32>
      return %r : tensor<2x2xf32>
    }
    func.func @slice(%x: tensor<?x1xf32>) -> tensor<4x1xf32> {
      %r = nova.slice %x starts = [2, 0] limits = [6, 1] strides = [1, 1] : tensor<?x1xf32> -> tensor<4x1xf32>
      return %r : tensor<4x1xf32>
    }
    func.func @reshape(%x: tensor<?x1xf32>) -> tensor<2x?xf32> {
      %r = nova.reshape %x : tensor<?x1xf32> -> tensor<2x?xf32>
      return %r : tensor<2x?xf32>
    }
    func.func @cast(%x: tensor<?x1xf32>) -> tensor<4x1xf16> {
      %r = nova.cast %x : tensor<?x1xf32> -> tensor<4x1xf16>
      return %r : tensor<4x1xf16>
    }
  )");
  for (std::string function : {"concat", "slice", "reshape", "cast"}) {
    program.errors.clear();
    EXPECT_TRUE(program.run(function, {randomTensor({5, 1}, 1)}).empty());
    EXPECT_NE(program.errors.find("expected"), std::string::npos) << function;
  }
  EXPECT_EQ(program.run("reshape", {randomTensor({6, 1}, 1)}).size(), 1u) << program.errors;
}

TEST(Structure, RecursionAndHugeTensorsEndInAnError) {
  Program recursion(R"(
    func.func @f(%x: tensor<f32>) -> tensor<f32> {
      %y = call @f(%x) : (tensor<f32>) -> tensor<f32>
      return %y : tensor<f32>
    }
  )");
  EXPECT_TRUE(recursion.run("f", {scalar(DType::F32, 1)}).empty());
  EXPECT_EQ(recursion.errors, "expected calls nested at most 256 deep, found a recursion\n");
  EXPECT_EQ(errorOf("%r = nova.iota 0 : tensor<1000000000x1000000000xi64>", "1000000000x1000000000xi64"),
            "'nova.iota' op expected a result that this machine's memory can hold, found "
            "'tensor<1000000000x1000000000xi64>'\n");
}

TEST(Structure, NothingAndNoRankEvaluate) {
  Program program(R"(
    func.func @f(%x: tensor<0x4xf32>, %w: tensor<4xf32>, %t: tensor<0xi32>)
        -> (tensor<0x4xf32>, tensor<4xf32>, tensor<f32>, tensor<0x4xf32>, tensor<0x4xf32>) {
      %y = nova.layer_norm %x, %w, %w : tensor<0x4xf32>, tensor<4xf32>, tensor<4xf32>
      %dx, %dw, %db = nova.layer_norm_grad %x, %x, %w : tensor<0x4xf32>, tensor<0x4xf32>, tensor<4xf32>
      %l = nova.cross_entropy %x, %t : tensor<0x4xf32>, tensor<0xi32>
      %s = nova.softmax %x : tensor<0x4xf32>
      %g = nova.gather %x[%t] : tensor<0x4xf32>, tensor<0xi32>
      return %y, %dw, %l, %s, %g : tensor<0x4xf32>, tensor<4xf32>, tensor<f32>, tensor<0x4xf32>, tensor<0x4xf32>
    }
  )");
  auto results = program.run("f", {Tensor(DType::F32, {0, 4}), randomTensor({4}, 1), Tensor(DType::I32, {0})});
  ASSERT_EQ(results.size(), 5u) << program.errors;
  expectNear(results[1].toDoubles(), {0, 0, 0, 0});
  expectNear(results[2].toDoubles(), {notANumber});
}
