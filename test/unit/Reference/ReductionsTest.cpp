//===- ReductionsTest.cpp - Tests of reductions and products --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

using namespace nova_test;

static const std::string matrix = constant("x", "[[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]]", "2x3xf32");

static Numbers reduce(const std::string &kind, const std::string &axes, const std::string &type) {
  return evaluate(matrix + "%r = nova.reduce " + kind + " %x over " + axes + " : tensor<2x3xf32>", type);
}

TEST(Reductions, EveryKindOverEveryAxis) {
  expectNear(reduce("sum", "[0]", "3xf32"), {-3, 7, 9});
  expectNear(reduce("sum", "[1]", "2xf32"), {6, 7});
  expectNear(reduce("sum", "[0, 1]", "f32"), {13});
  expectNear(reduce("mean", "[1]", "2xf32"), {2, 7.0 / 3});
  expectNear(reduce("max", "[0]", "3xf32"), {1, 5, 6});
  expectNear(reduce("min", "[1]", "2xf32"), {1, -4});
  expectNear(reduce("product", "[1]", "2xf32"), {6, -120});
  expectNear(evaluate(matrix + "%r = nova.reduce sum %x over [0] {keep_dims} : tensor<2x3xf32>", "1x3xf32"),
             {-3, 7, 9});
  expectNear(evaluate(matrix + "%r = nova.reduce sum %x over [1] {keep_dims} : tensor<2x3xf32>", "2x1xf32"), {6, 7});
}

TEST(Reductions, MiddleAxis) {
  expectNear(
      evaluate("%x = nova.iota 1 : tensor<2x3x2xi32>\n%r = nova.reduce sum %x over [1] : tensor<2x3x2xi32>", "2x2xi32"),
      {3, 3, 3, 3});
}

TEST(Reductions, IntegersAndTruthValues) {
  auto ints = [](const std::string &kind) {
    return evaluate(
        constant("x", "[100, 100, -3]", "3xi8") + "%r = nova.reduce " + kind + " %x over [0] : tensor<3xi8>", "i8");
  };
  expectNear(ints("sum"), {-59});
  expectNear(ints("product"), {-48});
  expectNear(ints("max"), {100});
  expectNear(ints("min"), {-3});
  auto bools = [](const std::string &kind) {
    return evaluate(constant("x", "[[true, false], [true, true], [false, false]]", "3x2xi1") + "%r = nova.reduce " +
                        kind + " %x over [1] : tensor<3x2xi1>",
                    "3xi1");
  };
  expectNear(bools("any"), {1, 1, 0});
  expectNear(bools("all"), {0, 1, 0});
}

TEST(Reductions, NaNAndNothing) {
  std::string nans = constant("x", "[[1.0, 0x7FC00000, 2.0], [0xFF800000, 1.0, 0.0]]", "2x3xf32");
  expectNear(evaluate(nans + "%r = nova.reduce max %x over [1] : tensor<2x3xf32>", "2xf32"), {notANumber, 1});
  expectNear(evaluate(nans + "%r = nova.reduce min %x over [1] : tensor<2x3xf32>", "2xf32"), {notANumber, -infinity});
  std::string nothing = "%x = nova.constant dense<> : tensor<2x0xf32>\n";
  expectNear(evaluate(nothing + "%r = nova.reduce sum %x over [1] : tensor<2x0xf32>", "2xf32"), {0, 0});
  expectNear(evaluate(nothing + "%r = nova.reduce mean %x over [1] : tensor<2x0xf32>", "2xf32"),
             {notANumber, notANumber});
  expectNear(evaluate(nothing + "%r = nova.reduce product %x over [1] : tensor<2x0xf32>", "2xf32"), {1, 1});
  expectNear(evaluate(nothing + "%r = nova.reduce max %x over [0] : tensor<2x0xf32>", "0xf32"), {});
}

TEST(Reductions, LongSumsInNarrowTypesAreExact) {
  // 4096 ones: bf16 could not count beyond 256.
  expectNear(
      evaluate(constant("x", "1.0", "4096xbf16") + "%r = nova.reduce sum %x over [0] : tensor<4096xbf16>", "bf16"),
      {4096}, 0);
}

TEST(Reductions, Softmax) {
  std::string x = constant("x", "[[0.0, 0.6931471805599453], [1000.0, 1000.0]]", "2x2xf64");
  expectNear(evaluate(x + "%r = nova.softmax %x : tensor<2x2xf64>", "2x2xf64"), {1.0 / 3, 2.0 / 3, 0.5, 0.5});
  expectNear(evaluate(x + "%r = nova.softmax %x {axis = 0} : tensor<2x2xf64>", "2x2xf64"), {0, 0, 1, 1});
  std::string extremes = constant("x", "[[0xFF800000, 0xFF800000], [0xFF800000, 0.0], [0x7FC00000, 0.0]]", "3x2xf32");
  expectNear(evaluate(extremes + "%r = nova.softmax %x : tensor<3x2xf32>", "3x2xf32"),
             {notANumber, notANumber, 0, 1, notANumber, notANumber});
}

TEST(Reductions, SoftmaxGrad) {
  expectNear(evaluate(constant("dy", "[[1.0, 2.0]]", "1x2xf32") + constant("y", "[[0.25, 0.75]]", "1x2xf32") +
                          "%r = nova.softmax_grad %dy, %y : tensor<1x2xf32>, tensor<1x2xf32>",
                      "1x2xf32"),
             {0.25 * (1 - 1.75), 0.75 * (2 - 1.75)});
}

TEST(Reductions, MatmulInEveryLayout) {
  std::string a = constant("a", "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]", "2x3xf32");
  std::string at = constant("at", "[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]", "3x2xf32");
  std::string b = constant("b", "[[1.0, 0.0], [0.0, 1.0], [2.0, -1.0]]", "3x2xf32");
  std::string bt = constant("bt", "[[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]]", "2x3xf32");
  Numbers expected = {7, -1, 16, -1};
  expectNear(evaluate(a + b + "%r = nova.matmul %a, %b : tensor<2x3xf32>, tensor<3x2xf32>", "2x2xf32"), expected);
  expectNear(
      evaluate(at + b + "%r = nova.matmul %at, %b {transpose_lhs} : tensor<3x2xf32>, tensor<3x2xf32>", "2x2xf32"),
      expected);
  expectNear(
      evaluate(a + bt + "%r = nova.matmul %a, %bt {transpose_rhs} : tensor<2x3xf32>, tensor<2x3xf32>", "2x2xf32"),
      expected);
  expectNear(evaluate(at + bt +
                          "%r = nova.matmul %at, %bt {transpose_lhs, transpose_rhs} : tensor<3x2xf32>, "
                          "tensor<2x3xf32>",
                      "2x2xf32"),
             expected);
}

TEST(Reductions, MatmulBroadcastsLeadingAxes) {
  expectNear(evaluate(constant("a", "[[[1.0, 2.0]], [[3.0, 4.0]]]", "2x1x2xf32") +
                          constant("b", "[[[[1.0], [1.0]]], [[[1.0], [-1.0]]]]", "2x1x2x1xf32") +
                          "%r = nova.matmul %a, %b : tensor<2x1x2xf32>, tensor<2x1x2x1xf32>",
                      "2x2x1x1xf32"),
             {3, 7, -1, -1});
}

TEST(Reductions, MatmulOverNothingIsZero) {
  expectNear(evaluate("%a = nova.constant dense<> : tensor<2x0xf32>\n%b = nova.constant dense<> : tensor<0x1xf32>\n"
                      "%r = nova.matmul %a, %b : tensor<2x0xf32>, tensor<0x1xf32>",
                      "2x1xf32"),
             {0, 0});
}
