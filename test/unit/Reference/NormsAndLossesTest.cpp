//===- NormsAndLossesTest.cpp - Tests of layer norm and cross entropy -----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

using namespace nova_test;

//===----------------------------------------------------------------------===//
// Layer norm
//===----------------------------------------------------------------------===//

TEST(LayerNorm, NormalisesScalesAndShifts) {
  // Mean 2, variance 2/3.
  double unit = 1 / std::sqrt(2.0 / 3 + 0.5);
  expectNear(evaluate(constant("x", "[[1.0, 2.0, 3.0]]", "1x3xf32") + constant("w", "[2.0, 1.0, 1.0]", "3xf32") +
                          constant("b", "[0.0, 0.5, 1.0]", "3xf32") +
                          "%r = nova.layer_norm %x, %w, %b {eps = 0.5} : tensor<1x3xf32>, tensor<3xf32>, tensor<3xf32>",
                      "1x3xf32"),
             {-2 * unit, 0.5, unit + 1});
}

TEST(LayerNorm, VarianceSurvivesALargeMean) {
  expectNear(evaluate(constant("x", "[16777216.0, 16777218.0]", "2xf32") + constant("w", "1.0", "2xf32") +
                          constant("b", "0.0", "2xf32") +
                          "%r = nova.layer_norm %x, %w, %b : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>",
                      "2xf32"),
             {-1, 1}, 1e-5);
}

TEST(LayerNorm, GradientsAreFiniteDifferences) {
  Program program(R"(
    func.func @norm(%x: tensor<4x3xf64>, %w: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<4x3xf64> {
      %y = nova.layer_norm %x, %w, %b : tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>
      return %y : tensor<4x3xf64>
    }
    func.func @gradients(%dy: tensor<4x3xf64>, %x: tensor<4x3xf64>, %w: tensor<3xf64>)
        -> (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>) {
      %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w : tensor<4x3xf64>, tensor<4x3xf64>, tensor<3xf64>
      return %dx, %dw, %db : tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>
    }
  )");
  Tensor dy = randomTensor({4, 3}, 1, DType::F64);
  std::vector<Tensor> operands = {randomTensor({4, 3}, 2, DType::F64), randomTensor({3}, 3, DType::F64),
                                  randomTensor({3}, 4, DType::F64)};
  auto gradients = program.run("gradients", {dy, operands[0], operands[1]});
  ASSERT_EQ(gradients.size(), 3u) << program.errors;
  for (unsigned n = 0; n < 3; ++n) {
    Numbers at = operands[n].toDoubles(), slopes;
    for (size_t i = 0; i < at.size(); ++i) {
      double slope = 0;
      for (double sign : {1.0, -1.0}) {
        Numbers moved = at;
        moved[i] += sign * 1e-5;
        std::vector<Tensor> arguments = operands;
        arguments[n] = Tensor::fromDoubles(DType::F64, operands[n].getShape(), moved);
        Numbers y = program.run("norm", arguments)[0].toDoubles();
        for (size_t j = 0; j < y.size(); ++j)
          slope += sign * y[j] * dy.getDouble(j) / 2e-5;
      }
      slopes.push_back(slope);
    }
    expectNear(gradients[n].toDoubles(), slopes, 1e-7);
  }
}

TEST(LayerNorm, PartialGradientsAddUpToTheWhole) {
  Program program(R"(
    func.func @f(%dy: tensor<2x3x4xf64>, %x: tensor<2x3x4xf64>, %w: tensor<4xf64>)
        -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
      %dx, %dw, %db = nova.layer_norm_grad %dy, %x, %w : tensor<2x3x4xf64>, tensor<2x3x4xf64>, tensor<4xf64>
      %px, %pw, %pb = nova.layer_norm_grad %dy, %x, %w {partials = 1}
        : tensor<2x3x4xf64>, tensor<2x3x4xf64>, tensor<4xf64>
      %sw = nova.reduce sum %pw over [0] : tensor<2x4xf64>
      %sb = nova.reduce sum %pb over [0] : tensor<2x4xf64>
      return %dw, %sw, %db, %sb : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
    }
  )");
  auto results = program.run("f", {randomTensor({2, 3, 4}, 1, DType::F64), randomTensor({2, 3, 4}, 2, DType::F64),
                                   randomTensor({4}, 3, DType::F64)});
  ASSERT_EQ(results.size(), 4u) << program.errors;
  expectNear(results[1].toDoubles(), results[0].toDoubles(), 1e-12);
  expectNear(results[3].toDoubles(), results[2].toDoubles(), 1e-12);
}

//===----------------------------------------------------------------------===//
// Cross entropy
//===----------------------------------------------------------------------===//

static std::string lossOf(const std::string &targets, const std::string &attributes) {
  return constant("z", "[[0.0, 0.0], [0.0, 1.0986122886681098], [5.0, 5.0]]", "3x2xf64") +
         constant("t", targets, "3xi32") + "%r = nova.cross_entropy %z, %t " + attributes +
         " : tensor<3x2xf64>, tensor<3xi32>";
}
static const double ln2 = std::log(2.0), ln4 = std::log(4.0);

TEST(CrossEntropy, EveryReduction) {
  expectNear(evaluate(lossOf("[0, 0, 1]", "{reduction = #nova.reduction<none>}"), "3xf64"), {ln2, ln4, ln2});
  expectNear(evaluate(lossOf("[0, 0, 1]", "{reduction = #nova.reduction<sum>}"), "f64"), {2 * ln2 + ln4});
  expectNear(evaluate(lossOf("[0, 0, 1]", ""), "f64"), {(2 * ln2 + ln4) / 3});
}

TEST(CrossEntropy, IgnoredRowsCountForNothing) {
  expectNear(evaluate(lossOf("[0, -100, 1]", "{reduction = #nova.reduction<none>}"), "3xf64"), {ln2, 0, ln2});
  expectNear(evaluate(lossOf("[-100, 0, -100]", ""), "f64"), {ln4});
  expectNear(evaluate(lossOf("[1, 0, 1]", "{ignore_index = 1 : i64}"), "f64"), {ln4});
  expectNear(evaluate(lossOf("-100", ""), "f64"), {notANumber});
  expectNear(evaluate(lossOf("-100", "{reduction = #nova.reduction<sum>}"), "f64"), {0});
}

TEST(CrossEntropy, NamesAWrongTarget) {
  EXPECT_EQ(errorOf(lossOf("[0, 2, 1]", ""), "f64"),
            "'nova.cross_entropy' op expected a target of at least 0 and below 2, found 2 at position [1]\n");
  EXPECT_EQ(errorOf(lossOf("[0, 1, -1]", ""), "f64"),
            "'nova.cross_entropy' op expected a target of at least 0 and below 2, found -1 at position [2]\n");
}

TEST(CrossEntropy, IsStableForLargeLogits) {
  expectNear(evaluate(constant("z", "[[1000.0, 0.0], [-1000.0, -1000.0]]", "2x2xf32") +
                          constant("t", "[1, 0]", "2xi64") +
                          "%r = nova.cross_entropy %z, %t {reduction = #nova.reduction<none>} : tensor<2x2xf32>, "
                          "tensor<2xi64>",
                      "2xf32"),
             {1000, ln2});
}

static Numbers gradientOf(const std::string &targets, const std::string &attributes, const std::string &gradient,
                          const std::string &gradientType) {
  return evaluate(constant("z", "[[0.0, 0.0], [0.0, 1.0986122886681098]]", "2x2xf64") +
                      constant("t", targets, "2xi32") + constant("d", gradient, gradientType) +
                      "%r = nova.cross_entropy_grad %d, %z, %t " + attributes + " : tensor<" + gradientType +
                      ">, tensor<2x2xf64>, tensor<2xi32>",
                  "2x2xf64");
}

TEST(CrossEntropy, Gradient) {
  expectNear(gradientOf("[0, 1]", "{reduction = #nova.reduction<sum>}", "2.0", "f64"), {-1, 1, 0.5, -0.5});
  expectNear(gradientOf("[0, 1]", "", "2.0", "f64"), {-0.5, 0.5, 0.25, -0.25});
  expectNear(gradientOf("[0, -100]", "", "2.0", "f64"), {-1, 1, 0, 0});
  expectNear(gradientOf("[0, 1]", "{reduction = #nova.reduction<none>}", "[1.0, 4.0]", "2xf64"), {-0.5, 0.5, 1, -1});
  expectNear(gradientOf("[-100, -100]", "", "2.0", "f64"), {0, 0, 0, 0});
}
