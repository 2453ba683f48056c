//===- MovementTest.cpp - Tests of making and moving tensors --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

using namespace nova_test;

static const std::string matrix = constant("x", "[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]", "2x3xf32");

TEST(Movement, Constants) {
  expectNear(evaluate(constant("r", "[[1.0, 2.0]]", "1x2xf16"), "1x2xf16"), {1, 2});
  expectNear(evaluate(constant("r", "7", "2xi8"), "2xi8"), {7, 7});
  expectNear(evaluate(constant("r", "[true, false, true]", "3xi1"), "3xi1"), {1, 0, 1});
  EXPECT_EQ(errorOf("%r = nova.constant dense_resource<absent> : tensor<2xf32>", "2xf32"),
            "'nova.constant' op expected 8 bytes in the resource of its value, found 0\n");
}

TEST(Movement, ConstantOfAResource) {
  Program program(R"(
    func.func @f() -> tensor<2xf32> {
      %r = nova.constant dense_resource<blob> : tensor<2xf32>
      return %r : tensor<2xf32>
    }
    {-# dialect_resources: {builtin: {blob: "0x040000000000803F00000040"}} #-}
  )");
  auto results = program.run("f");
  ASSERT_EQ(results.size(), 1u) << program.errors;
  expectNear(results[0].toDoubles(), {1, 2});
}

TEST(Movement, Iota) {
  expectNear(evaluate("%r = nova.iota 0 : tensor<2x3xi32>", "2x3xi32"), {0, 0, 0, 1, 1, 1});
  expectNear(evaluate("%r = nova.iota 1 : tensor<2x3xf32>", "2x3xf32"), {0, 1, 2, 0, 1, 2});
  expectNear(evaluate("%o = arith.constant 126 : index\n%r = nova.iota 0 at %o : tensor<3xi8>", "3xi8"),
             {126, 127, -128});
}

TEST(Movement, BroadcastInDim) {
  expectNear(evaluate(constant("x", "[[1.0], [2.0]]", "2x1xf32") +
                          "%r = nova.broadcast_in_dim %x dims = [0, 2] : tensor<2x1xf32> -> tensor<2x2x3xf32>",
                      "2x2x3xf32"),
             {1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2});
}

TEST(Movement, ReshapeAndTranspose) {
  expectNear(evaluate(matrix + "%r = nova.reshape %x : tensor<2x3xf32> -> tensor<3x2xf32>", "3x2xf32"),
             {0, 1, 2, 3, 4, 5});
  expectNear(evaluate(matrix + "%r = nova.transpose %x [1, 0] : tensor<2x3xf32>", "3x2xf32"), {0, 3, 1, 4, 2, 5});
  expectNear(evaluate("%i = nova.iota 1 : tensor<1x2x3xi32>\n%j = nova.iota 2 : tensor<1x2x3xi32>\n" +
                          constant("ten", "10", "i32") +
                          "%t = nova.mul %i, %ten : tensor<1x2x3xi32>, tensor<i32>\n"
                          "%x = nova.add %t, %j : tensor<1x2x3xi32>, tensor<1x2x3xi32>\n"
                          "%r = nova.transpose %x [2, 0, 1] : tensor<1x2x3xi32>",
                      "3x1x2xi32"),
             {0, 10, 1, 11, 2, 12});
}

TEST(Movement, Slice) {
  expectNear(evaluate(matrix + "%r = nova.slice %x starts = [1, 0] limits = [2, 3] strides = [1, 2] : tensor<2x3xf32> "
                               "-> tensor<1x2xf32>",
                      "1x2xf32"),
             {3, 5});
  expectNear(evaluate(matrix + "%r = nova.slice %x starts = [2, 0] limits = [2, 3] strides = [1, 1] : tensor<2x3xf32> "
                               "-> tensor<0x3xf32>",
                      "0x3xf32"),
             {});
}

TEST(Movement, Pad) {
  expectNear(evaluate(constant("x", "[[1.0, 2.0], [3.0, 4.0]]", "2x2xf32") + constant("v", "9.0", "f32") +
                          "%r = nova.pad %x, %v low = [1, 0] high = [0, 2] interior = [0, 1] : tensor<2x2xf32>, "
                          "tensor<f32> -> tensor<3x5xf32>",
                      "3x5xf32"),
             {9, 9, 9, 9, 9, 1, 9, 2, 9, 9, 3, 9, 4, 9, 9});
}

TEST(Movement, Concat) {
  expectNear(evaluate(matrix + constant("y", "[[6.0], [7.0]]", "2x1xf32") +
                          "%r = nova.concat %x, %y axis = 1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>",
                      "2x4xf32"),
             {0, 1, 2, 6, 3, 4, 5, 7});
}

TEST(Movement, GatherAlongAnAxis) {
  std::string indices = constant("i", "[[1, 0], [1, 1]]", "2x2xi32");
  expectNear(evaluate(matrix + indices + "%r = nova.gather %x[%i] : tensor<2x3xf32>, tensor<2x2xi32>", "2x2x3xf32"),
             {3, 4, 5, 0, 1, 2, 3, 4, 5, 3, 4, 5});
  expectNear(
      evaluate(matrix + indices + "%r = nova.gather %x[%i] {axis = 1} : tensor<2x3xf32>, tensor<2x2xi32>", "2x2x2xf32"),
      {1, 0, 1, 1, 4, 3, 4, 4});
}

TEST(Movement, GatherNamesAWrongIndex) {
  EXPECT_EQ(errorOf(matrix + constant("i", "[[1, 0], [1, 2]]", "2x2xi64") +
                        "%r = nova.gather %x[%i] : tensor<2x3xf32>, tensor<2x2xi64>",
                    "2x2x3xf32"),
            "'nova.gather' op expected an index of at least 0 and below 2, found 2 at position [1, 1]\n");
  EXPECT_EQ(
      errorOf(matrix + constant("i", "-1", "i32") + "%r = nova.gather %x[%i] : tensor<2x3xf32>, tensor<i32>", "3xf32"),
      "'nova.gather' op expected an index of at least 0 and below 2, found -1 at position []\n");
}

TEST(Movement, ScatterAddSumsRepeatedRows) {
  std::string updates = constant("u", "[[1.0, 2.0, 3.0], [10.0, 20.0, 30.0], [100.0, 200.0, 300.0]]", "3x3xf32");
  std::string op = "%r = nova.scatter_add %x[%i], %u : tensor<2x3xf32>, tensor<3xi32>, tensor<3x3xf32>";
  expectNear(evaluate(matrix + constant("i", "[1, 0, 1]", "3xi32") + updates + op, "2x3xf32"),
             {10, 21, 32, 104, 206, 308});
  EXPECT_EQ(errorOf(matrix + constant("i", "[1, 0, 2]", "3xi32") + updates + op, "2x3xf32"),
            "'nova.scatter_add' op expected an index of at least 0 and below 2, found 2 at position [2]\n");
}
