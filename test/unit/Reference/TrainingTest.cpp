//===- TrainingTest.cpp - Tests of parameters and optimizers --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

using namespace nova_test;

TEST(Training, AdamWFollowsItsFormula) {
  Program program(R"(
    func.func @f(%p: tensor<2xf64>, %g: tensor<2xf64>, %m: tensor<2xf64>, %v: tensor<2xf64>, %lr: tensor<f32>,
                 %step: tensor<i64>, %scale: tensor<f32>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
      %p1, %m1, %v1 = nova.adamw %p, %g, %m, %v, lr %lr, step %step, scale %scale
        {beta1 = 0.9, beta2 = 0.99, eps = 0.125, weight_decay = 0.1} : tensor<2xf64>, tensor<2xf64>
      return %p1, %m1, %v1 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
    }
  )");
  Tensor p = Tensor::fromDoubles(DType::F64, {2}, {1.0, -2.0}), g = Tensor::fromDoubles(DType::F64, {2}, {4.0, 0.0}),
         m = Tensor::fromDoubles(DType::F64, {2}, {0.5, 1.0}), v = Tensor::fromDoubles(DType::F64, {2}, {0.25, 0.0});
  // The third step: t = 3.
  auto results = program.run(
      "f", {p, g, m, v, scalar(DType::F32, 0.5), Tensor::fromInts(DType::I64, {}, {2}), scalar(DType::F32, 0.25)});
  ASSERT_EQ(results.size(), 3u) << program.errors;
  Numbers m1 = {0.9 * 0.5 + 0.1 * 1, 0.9}, v1 = {0.99 * 0.25 + 0.01 * 1, 0};
  double bias1 = 1 - 0.729, bias2 = 1 - 0.99 * 0.99 * 0.99;
  expectNear(results[1].toDoubles(), m1, 1e-12);
  expectNear(results[2].toDoubles(), v1, 1e-12);
  expectNear(results[0].toDoubles(),
             {1 * (1 - 0.05) - 0.5 * (m1[0] / bias1) / (std::sqrt(v1[0] / bias2) + 0.125),
              -2 * (1 - 0.05) - 0.5 * (m1[1] / bias1) / 0.125},
             1e-12);
}

TEST(Training, AdamDecaysThroughTheGradient) {
  Program program(R"(
    func.func @f(%p: tensor<2xf64>, %g: tensor<2xf64>, %m: tensor<2xf64>, %v: tensor<2xf64>, %lr: tensor<f32>,
                 %step: tensor<i64>, %scale: tensor<f32>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
      %p1, %m1, %v1 = nova.adam %p, %g, %m, %v, lr %lr, step %step, scale %scale
        {beta1 = 0.9, beta2 = 0.99, eps = 0.125, weight_decay = 0.5} : tensor<2xf64>, tensor<2xf64>
      return %p1, %m1, %v1 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
    }
  )");
  Tensor p = Tensor::fromDoubles(DType::F64, {2}, {1.0, -2.0}), g = Tensor::fromDoubles(DType::F64, {2}, {4.0, 0.0}),
         zero = Tensor::fromDoubles(DType::F64, {2}, {0.0, 0.0});
  // The first step: t = 1.
  auto results = program.run("f", {p, g, zero, zero, scalar(DType::F32, 0.5), Tensor::fromInts(DType::I64, {}, {0}),
                                   scalar(DType::F32, 0.25)});
  ASSERT_EQ(results.size(), 3u) << program.errors;
  Numbers decayed = {1 + 0.5, -1};
  expectNear(results[1].toDoubles(), {0.1 * decayed[0], 0.1 * decayed[1]}, 1e-12);
  expectNear(results[2].toDoubles(), {0.01 * decayed[0] * decayed[0], 0.01}, 1e-12);
  expectNear(results[0].toDoubles(), {1 - 0.5 * 1.5 / (1.5 + 0.125), -2 + 0.5 * 1 / (1 + 0.125)}, 1e-12);
}

TEST(Training, SgdFollowsItsFormula) {
  Program program(R"(
    func.func @f(%p: tensor<2xf64>, %g: tensor<2xf64>, %m: tensor<2xf64>, %lr: tensor<f32>, %scale: tensor<f32>)
        -> (tensor<2xf64>, tensor<2xf64>) {
      %p1, %m1 = nova.sgd %p, %g, %m, lr %lr, scale %scale {momentum = 0.75, weight_decay = 0.5}
        : tensor<2xf64>, tensor<2xf64>
      return %p1, %m1 : tensor<2xf64>, tensor<2xf64>
    }
  )");
  Tensor p = Tensor::fromDoubles(DType::F64, {2}, {1.0, -2.0}), g = Tensor::fromDoubles(DType::F64, {2}, {4.0, 0.0}),
         m = Tensor::fromDoubles(DType::F64, {2}, {0.5, 1.0});
  auto results = program.run("f", {p, g, m, scalar(DType::F32, 0.5), scalar(DType::F32, 0.25)});
  ASSERT_EQ(results.size(), 2u) << program.errors;
  expectNear(results[1].toDoubles(), {0.375 + 1 + 0.5, 0.75 - 1}, 1e-12);
  expectNear(results[0].toDoubles(), {1 - 0.5 * 1.875, -2 + 0.5 * 0.25}, 1e-12);
}

TEST(Training, GlobalNormOverAllTensors) {
  expectNear(evaluate(constant("x", "[[2.0, 4.0]]", "1x2xf32") + constant("y", "[4.0, 8.0]", "2xbf16") +
                          "%r = nova.global_norm %x, %y : tensor<1x2xf32>, tensor<2xbf16>",
                      "f32"),
             {10});
}

TEST(Training, ReadsTheValuesOfParameters) {
  Program program(R"(
    nova.parameter @w : tensor<2xf32> = #nova.constant<0.0>
    func.func @f() -> tensor<2xf32> {
      %w = nova.read @w : tensor<2xf32>
      %r = nova.add %w, %w : tensor<2xf32>, tensor<2xf32>
      return %r : tensor<2xf32>
    }
  )");
  EXPECT_TRUE(program.run("f").empty());
  EXPECT_EQ(program.errors, "'nova.read' op expected a value of parameter @w, found none: set it first\n");
  program.errors.clear();
  program.evaluator().getParameters()["w"] = Tensor::fromDoubles(DType::F32, {2}, {1.0, 2.0});
  auto results = program.run("f");
  ASSERT_EQ(results.size(), 1u) << program.errors;
  expectNear(results[0].toDoubles(), {2, 4});

  program.evaluator().getParameters()["w"] = Tensor(DType::F32, {3});
  EXPECT_TRUE(program.run("f").empty());
  EXPECT_EQ(program.errors, "expected result #0 to be 'tensor<2xf32>', found tensor<3xf32>\n");
}

TEST(Training, ValueAndGradNamesTheWayOut) {
  Program program(R"(
    func.func @loss(%x: tensor<f32>) -> tensor<f32> {
      return %x : tensor<f32>
    }
    func.func @f(%x: tensor<f32>) -> tensor<f32> {
      %l, %dx = nova.value_and_grad @loss(%x) wrt [0] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
      return %dx : tensor<f32>
    }
  )");
  EXPECT_TRUE(program.run("f", {scalar(DType::F32, 1)}).empty());
  EXPECT_EQ(program.errors, "'nova.value_and_grad' op has no reference evaluation: run --nova-autodiff first\n");
}
