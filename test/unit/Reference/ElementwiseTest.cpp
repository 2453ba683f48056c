//===- ElementwiseTest.cpp - Tests of elementwise evaluation --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

using namespace nova_test;

/// `op` on a vector of the elements.
static Numbers unary(const std::string &op, const std::string &elements, const std::string &type) {
  return evaluate(constant("x", elements, type) + "%r = nova." + op + " %x : tensor<" + type + ">", type);
}

static Numbers binary(const std::string &op, const std::string &lhs, const std::string &rhs, const std::string &type) {
  return evaluate(constant("x", lhs, type) + constant("y", rhs, type) + "%r = nova." + op + " %x, %y : tensor<" + type +
                      ">, tensor<" + type + ">",
                  type);
}

static Numbers cast(const std::string &elements, const std::string &from, const std::string &to) {
  return evaluate(constant("x", elements, from) + "%r = nova.cast %x : tensor<" + from + "> -> tensor<" + to + ">", to);
}

// Infinities and NaN, as bits of an f32.
static const std::string inf = "0x7F800000", minusInf = "0xFF800000", nanBits = "0x7FC00000";

TEST(Elementwise, SimpleFunctionsOfFloats) {
  expectNear(unary("abs", "[-1.5, 2.0]", "2xf32"), {1.5, 2});
  expectNear(unary("neg", "[-1.5, 2.0]", "2xf32"), {1.5, -2});
  expectNear(unary("square", "[-1.5, 2.0]", "2xf32"), {2.25, 4});
  expectNear(unary("sqrt", "[4.0, 0.0, -1.0]", "3xf32"), {2, 0, notANumber});
  expectNear(unary("rsqrt", "[4.0, 0.0, -1.0]", "3xf32"), {0.5, infinity, notANumber});
  expectNear(unary("reciprocal", "[4.0, 0.0, -0.0]", "3xf32"), {0.25, infinity, -infinity});
  expectNear(unary("exp", "[0.0, 1.0, 1000.0, -1000.0]", "4xf32"), {1, 2.718281828, infinity, 0});
  expectNear(unary("log", "[1.0, 2.718281828, 0.0, -1.0]", "4xf32"), {0, 1, -infinity, notANumber});
  expectNear(unary("tanh", "[0.0, 1.0, 100.0]", "3xf32"), {0, 0.761594156, 1});
  expectNear(unary("erf", "[0.0, 1.0, -100.0]", "3xf32"), {0, 0.842700793, -1});
  expectNear(unary("relu", "[-1.0, 2.0, " + nanBits + "]", "3xf32"), {0, 2, notANumber});
  expectNear(unary("sigmoid", "[0.0, 2.0, -1000.0, 1000.0]", "4xf32"), {0.5, 0.880797078, 0, 1});
  expectNear(unary("silu", "[0.0, 2.0, -1000.0]", "3xf32"), {0, 1.761594156, 0});
}

TEST(Elementwise, StopGradientIsItsOperand) {
  expectNear(unary("stop_gradient", "[-3.0, 0.0, " + nanBits + "]", "3xf32"), {-3, 0, notANumber});
}

TEST(Elementwise, SignOfZerosAndNaNIsZero) {
  Numbers signs = unary("sign", "[-3.0, 0.0, -0.0, 5.0, " + nanBits + "]", "5xf32");
  expectNear(signs, {-1, 0, 0, 1, 0});
  EXPECT_FALSE(std::signbit(signs[2]));
}

TEST(Elementwise, GeluInBothForms) {
  // torch.nn.functional.gelu.
  expectNear(unary("gelu exact", "[-3.0, -1.0, 0.0, 0.5, 2.0]", "5xf64"),
             {-0.004049694, -0.158655254, 0, 0.345731230, 1.954499736}, 1e-8);
  expectNear(unary("gelu tanh", "[-3.0, -1.0, 0.0, 0.5, 2.0]", "5xf64"),
             {-0.003637392, -0.158808009, 0, 0.345714010, 1.954597694}, 1e-8);
}

TEST(Elementwise, GeluGradIsTheSlopeOfGelu) {
  for (std::string form : {"exact", "tanh"})
    for (double x : {-4.0, -1.0, 0.0, 0.3, 2.0}) {
      auto gelu = [&](double at) { return unary("gelu " + form, "[" + std::to_string(at) + "]", "1xf64")[0]; };
      double slope = (gelu(x + 1e-4) - gelu(x - 1e-4)) / 2e-4;
      expectNear(binary("gelu_grad " + form, "[3.0]", "[" + std::to_string(x) + "]", "1xf64"), {3 * slope}, 1e-6);
    }
}

TEST(Elementwise, IntegersWrap) {
  expectNear(unary("abs", "[-128, 127, -1]", "3xi8"), {-128, 127, 1});
  expectNear(unary("neg", "[-128, 5]", "2xi8"), {-128, -5});
  expectNear(unary("square", "[16, 3]", "2xi8"), {0, 9});
  expectNear(unary("sign", "[-7, 0, 7]", "3xi32"), {-1, 0, 1});
  expectNear(unary("relu", "[-7, 0, 7]", "3xi32"), {0, 0, 7});
  expectNear(binary("add", "[127, 1]", "[1, 2]", "2xi8"), {-128, 3});
  expectNear(binary("sub", "[-128, 1]", "[1, 2]", "2xi8"), {127, -1});
  expectNear(binary("mul", "[2147483647]", "[2]", "1xi32"), {-2});
  expectNear(binary("add", "[9223372036854775807]", "[1]", "1xi64"), {-0x1p63});
}

TEST(Elementwise, IntegerDivisionHasAnAnswerForEverything) {
  expectNear(binary("div", "[7, -7, 7, 0]", "[2, 2, -2, 5]", "4xi32"), {3, -3, -3, 0});
  expectNear(binary("div", "[7, 0, -128]", "[0, 0, -1]", "3xi8"), {0, 0, -128});
  expectNear(binary("div", "[-9223372036854775808]", "[-1]", "1xi64"), {-0x1p63});
}

TEST(Elementwise, FunctionsOfTwoFloats) {
  expectNear(binary("add", "[1.0, 2.0]", "[0.5, -2.0]", "2xf32"), {1.5, 0});
  expectNear(binary("sub", "[1.0, 2.0]", "[0.5, -2.0]", "2xf32"), {0.5, 4});
  expectNear(binary("mul", "[1.0, 2.0]", "[0.5, -2.0]", "2xf32"), {0.5, -4});
  expectNear(binary("div", "[1.0, 0.0, -1.0]", "[4.0, 0.0, 0.0]", "3xf32"), {0.25, notANumber, -infinity});
  expectNear(binary("pow", "[2.0, -2.0, -2.0, 0.0, " + nanBits + "]", "[3.0, 3.0, 0.5, -1.0, 0.0]", "5xf32"),
             {8, -8, notANumber, infinity, 1});
}

TEST(Elementwise, MaxAndMinGiveNaNForNaN) {
  std::string x = "[1.0, " + nanBits + ", 3.0, " + minusInf + "]", y = "[2.0, 2.0, " + nanBits + ", 0.0]";
  expectNear(binary("max", x, y, "4xf32"), {2, notANumber, notANumber, 0});
  expectNear(binary("min", x, y, "4xf32"), {1, notANumber, notANumber, -infinity});
  expectNear(binary("max", "[1, -5]", "[2, -6]", "2xi64"), {2, -5});
  expectNear(binary("min", "[1, -5]", "[2, -6]", "2xi64"), {1, -6});
}

TEST(Elementwise, BitsAndTruthValues) {
  expectNear(unary("not", "[true, false]", "2xi1"), {0, 1});
  expectNear(unary("not", "[0, 5]", "2xi8"), {-1, -6});
  expectNear(binary("and", "[true, true, false]", "[true, false, false]", "3xi1"), {1, 0, 0});
  expectNear(binary("or", "[true, true, false]", "[true, false, false]", "3xi1"), {1, 1, 0});
  expectNear(binary("xor", "[true, true, false]", "[true, false, false]", "3xi1"), {0, 1, 0});
  expectNear(binary("xor", "[6]", "[3]", "1xi32"), {5});
}

TEST(Elementwise, ComparisonsWithNaNAreFalseButNotEqual) {
  auto compare = [&](const std::string &kind) {
    return evaluate(constant("x", "[1.0, 2.0, 3.0, " + nanBits + "]", "4xf32") +
                        constant("y", "[2.0, 2.0, 2.0, " + nanBits + "]", "4xf32") + "%r = nova.compare " + kind +
                        " %x, %y : tensor<4xf32>, tensor<4xf32>",
                    "4xi1");
  };
  expectNear(compare("eq"), {0, 1, 0, 0});
  expectNear(compare("ne"), {1, 0, 1, 1});
  expectNear(compare("lt"), {1, 0, 0, 0});
  expectNear(compare("le"), {1, 1, 0, 0});
  expectNear(compare("gt"), {0, 0, 1, 0});
  expectNear(compare("ge"), {0, 1, 1, 0});
}

TEST(Elementwise, ComparesLargeIntegersExactly) {
  expectNear(evaluate(constant("x", "[9007199254740993]", "1xi64") + constant("y", "[9007199254740992]", "1xi64") +
                          "%r = nova.compare gt %x, %y : tensor<1xi64>, tensor<1xi64>",
                      "1xi1"),
             {1});
}

TEST(Elementwise, OperandsBroadcast) {
  expectNear(evaluate(constant("x", "[[1.0], [2.0]]", "2x1xf32") + constant("y", "[10.0, 20.0, 30.0]", "3xf32") +
                          "%r = nova.add %x, %y : tensor<2x1xf32>, tensor<3xf32>",
                      "2x3xf32"),
             {11, 21, 31, 12, 22, 32});
  expectNear(evaluate(constant("x", "5.0", "f32") + constant("y", "2.0", "f32") +
                          "%r = nova.div %x, %y : tensor<f32>, tensor<f32>",
                      "f32"),
             {2.5});
  expectNear(evaluate("%x = nova.constant dense<> : tensor<0xf32>\n" + constant("y", "2.0", "f32") +
                          "%r = nova.add %x, %y : tensor<0xf32>, tensor<f32>",
                      "0xf32"),
             {});
}

TEST(Elementwise, SelectTakesNothingFromTheOtherSide) {
  expectNear(evaluate(constant("c", "[[true], [false]]", "2x1xi1") + constant("x", "[1.0, 2.0]", "2xf32") +
                          constant("y", nanBits, "f32") +
                          "%r = nova.select %c, %x, %y : tensor<2x1xi1>, tensor<2xf32>, tensor<f32>",
                      "2x2xf32"),
             {1, 2, notANumber, notANumber});
}

TEST(Elementwise, Casts) {
  expectNear(cast("[1.7, -1.7, 1.0e10, " + nanBits + ", " + minusInf + "]", "5xf32", "5xi32"),
             {1, -1, 2147483647, 0, -2147483648});
  expectNear(cast("[1.00390625, 1.01171875]", "2xf32", "2xbf16"), {1, 1.015625});
  expectNear(cast("[70000.0, " + inf + "]", "2xf32", "2xf16"), {infinity, infinity});
  expectNear(cast("[300, -1]", "2xi32", "2xi8"), {44, -1});
  expectNear(cast("[0.0, -0.0, 0.5, " + nanBits + "]", "4xf32", "4xi1"), {0, 0, 1, 1});
  expectNear(cast("[true, false]", "2xi1", "2xf32"), {1, 0});
  expectNear(cast("[16777217]", "1xi64", "1xf32"), {16777216});
}

TEST(Elementwise, ResultsAreRoundedToTheirType) {
  expectNear(binary("add", "[1.0, 256.0]", "[0.001953125, 1.0]", "2xbf16"), {1, 256}, 0);
  expectNear(binary("add", "[16777216.0]", "[1.0]", "1xf32"), {16777216}, 0);
}
