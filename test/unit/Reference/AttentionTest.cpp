//===- AttentionTest.cpp - Tests of attention and its gradients -----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

using namespace nova_test;

/// Attention over 2 x 1 heads of 3 queries and 5 keys with depths 2 and 4, its gradients, and attention by other ops.
static std::string attentionProgram(const std::string &attributes, const std::string &mask) {
  return R"(
    func.func @attention(%q: tensor<2x1x3x2xf64>, %k: tensor<2x1x5x2xf64>, %v: tensor<2x1x5x4xf64>)
        -> (tensor<2x1x3x4xf64>, tensor<2x1x3xf64>) {
      %o, %lse = nova.attention %q, %k, %v )" +
         attributes + R"(
        : tensor<2x1x3x2xf64>, tensor<2x1x5x2xf64>, tensor<2x1x5x4xf64>
      return %o, %lse : tensor<2x1x3x4xf64>, tensor<2x1x3xf64>
    }
    func.func @primitives(%q: tensor<2x1x3x2xf64>, %k: tensor<2x1x5x2xf64>, %v: tensor<2x1x5x4xf64>)
        -> tensor<2x1x3x4xf64> {
      %s = nova.matmul %q, %k {transpose_rhs} : tensor<2x1x3x2xf64>, tensor<2x1x5x2xf64>
      %half = nova.constant dense<0.5> : tensor<f64>
      %scaled = nova.mul %s, %half : tensor<2x1x3x5xf64>, tensor<f64>
      %mask = nova.constant dense<)" +
         mask + R"(> : tensor<3x5xi1>
      %low = nova.constant dense<0xFFF0000000000000> : tensor<f64>
      %masked = nova.select %mask, %scaled, %low : tensor<3x5xi1>, tensor<2x1x3x5xf64>, tensor<f64>
      %p = nova.softmax %masked : tensor<2x1x3x5xf64>
      %o = nova.matmul %p, %v : tensor<2x1x3x5xf64>, tensor<2x1x5x4xf64>
      return %o : tensor<2x1x3x4xf64>
    }
    func.func @gradients(%dy: tensor<2x1x3x4xf64>, %q: tensor<2x1x3x2xf64>, %k: tensor<2x1x5x2xf64>,
                         %v: tensor<2x1x5x4xf64>)
        -> (tensor<2x1x3x2xf64>, tensor<2x1x5x2xf64>, tensor<2x1x5x4xf64>) {
      %o, %lse = nova.attention %q, %k, %v )" +
         attributes + R"(
        : tensor<2x1x3x2xf64>, tensor<2x1x5x2xf64>, tensor<2x1x5x4xf64>
      %dq, %dk, %dv = nova.attention_grad %dy, %q, %k, %v, %o, %lse )" +
         attributes + R"(
        : tensor<2x1x3x4xf64>, tensor<2x1x3x2xf64>, tensor<2x1x5x2xf64>, tensor<2x1x5x4xf64>, tensor<2x1x3x4xf64>,
          tensor<2x1x3xf64>
      return %dq, %dk, %dv : tensor<2x1x3x2xf64>, tensor<2x1x5x2xf64>, tensor<2x1x5x4xf64>
    }
    func.func @parts(%dy: tensor<2x1x3x4xf64>, %q: tensor<2x1x3x2xf64>, %k: tensor<2x1x5x2xf64>,
                     %v: tensor<2x1x5x4xf64>)
        -> (tensor<2x1x3x2xf64>, tensor<2x1x5x2xf64>, tensor<2x1x5x4xf64>) {
      %o, %lse = nova.attention %q, %k, %v )" +
         attributes + R"(
        : tensor<2x1x3x2xf64>, tensor<2x1x5x2xf64>, tensor<2x1x5x4xf64>
      %product = nova.mul %dy, %o : tensor<2x1x3x4xf64>, tensor<2x1x3x4xf64>
      %delta = nova.reduce sum %product over [3] : tensor<2x1x3x4xf64>
      %dq = nova.attention_grad_query %dy, %q, %k, %v, %lse, %delta )" +
         attributes + R"(
        : tensor<2x1x3x4xf64>, tensor<2x1x3x2xf64>, tensor<2x1x5x2xf64>, tensor<2x1x5x4xf64>, tensor<2x1x3xf64>,
          tensor<2x1x3xf64>
      %dk, %dv = nova.attention_grad_key_value %dy, %q, %k, %v, %lse, %delta )" +
         attributes + R"(
        : tensor<2x1x3x4xf64>, tensor<2x1x3x2xf64>, tensor<2x1x5x2xf64>, tensor<2x1x5x4xf64>, tensor<2x1x3xf64>,
          tensor<2x1x3xf64>
      return %dq, %dk, %dv : tensor<2x1x3x2xf64>, tensor<2x1x5x2xf64>, tensor<2x1x5x4xf64>
    }
  )";
}

static const std::string everything = "true";
/// Three queries that see the first three of five keys as a triangle.
static const std::string triangle = "[[true, false, false, false, false], [true, true, false, false, false], "
                                    "[true, true, true, false, false]]";

static std::vector<Tensor> operands() {
  return {randomTensor({2, 1, 3, 2}, 1, DType::F64), randomTensor({2, 1, 5, 2}, 2, DType::F64),
          randomTensor({2, 1, 5, 4}, 3, DType::F64)};
}

static void expectAsByPrimitives(const std::string &attributes, const std::string &mask) {
  Program program(attentionProgram(attributes, mask));
  auto found = program.run("attention", operands()), expected = program.run("primitives", operands());
  ASSERT_EQ(program.errors, "");
  expectNear(found[0].toDoubles(), expected[0].toDoubles(), 1e-12);
}

TEST(Attention, IsSoftmaxBetweenTwoProducts) { expectAsByPrimitives("{scale = 0.5}", everything); }

TEST(Attention, CausalSeesKeysUpToTheQuerysPosition) { expectAsByPrimitives("{causal, scale = 0.5}", triangle); }

TEST(Attention, ScalesBySquareRootOfDepth) {
  Program given(attentionProgram("{scale = 0.7071067811865475}", everything)),
      standard(attentionProgram("", everything));
  expectNear(standard.run("attention", operands())[0].toDoubles(), given.run("attention", operands())[0].toDoubles(),
             1e-12);
}

TEST(Attention, LogSumExpOfTheScores) {
  Program program(attentionProgram("{scale = 0.5}", everything));
  auto zeros = operands();
  zeros[0] = Tensor(DType::F64, {2, 1, 3, 2});
  expectNear(program.run("attention", zeros)[1].toDoubles(), Numbers(6, std::log(5.0)));
}

/// Central differences of sum(dy * attention(q, k, v)) for one operand.
static Numbers differences(Program &program, const Tensor &dy, unsigned operand) {
  std::vector<Tensor> arguments = operands();
  Numbers at = arguments[operand].toDoubles(), weights = dy.toDoubles(), slopes;
  Tensor original = arguments[operand];
  auto weightedSum = [&](size_t i, double step) {
    Numbers moved = at;
    moved[i] += step;
    arguments[operand] = Tensor::fromDoubles(DType::F64, original.getShape(), moved);
    Numbers results = program.run("attention", arguments)[0].toDoubles();
    double sum = 0;
    for (size_t j = 0; j < results.size(); ++j)
      sum += weights[j] * results[j];
    return sum;
  };
  for (size_t i = 0; i < at.size(); ++i)
    slopes.push_back((weightedSum(i, 1e-5) - weightedSum(i, -1e-5)) / 2e-5);
  return slopes;
}

TEST(Attention, GradientsAreFiniteDifferences) {
  for (std::string attributes : {"", "{causal}", "{causal, scale = 2.0}"}) {
    Program program(attentionProgram(attributes, everything));
    Tensor dy = randomTensor({2, 1, 3, 4}, 4, DType::F64);
    std::vector<Tensor> arguments = operands();
    arguments.insert(arguments.begin(), dy);
    auto whole = program.run("gradients", arguments), parts = program.run("parts", arguments);
    ASSERT_EQ(program.errors, "");
    for (unsigned i = 0; i < 3; ++i) {
      expectNear(whole[i].toDoubles(), differences(program, dy, i), 1e-8);
      expectNear(parts[i].toDoubles(), whole[i].toDoubles(), 1e-12);
    }
  }
}

TEST(Attention, ARowThatSeesNoKeyGivesZerosAndNoGradient) {
  Program program(R"(
    func.func @f(%q: tensor<1x1x3x2xf32>, %k: tensor<1x1x0x2xf32>)
        -> (tensor<1x1x3x2xf32>, tensor<1x1x3xf32>, tensor<1x1x3x2xf32>, tensor<1x1x0x2xf32>, tensor<1x1x0x2xf32>) {
      %o, %lse = nova.attention %q, %k, %k {causal} : tensor<1x1x3x2xf32>, tensor<1x1x0x2xf32>, tensor<1x1x0x2xf32>
      %dq, %dk, %dv = nova.attention_grad %q, %q, %k, %k, %o, %lse {causal}
        : tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x0x2xf32>, tensor<1x1x0x2xf32>, tensor<1x1x3x2xf32>,
          tensor<1x1x3xf32>
      return %o, %lse, %dq, %dk, %dv
        : tensor<1x1x3x2xf32>, tensor<1x1x3xf32>, tensor<1x1x3x2xf32>, tensor<1x1x0x2xf32>, tensor<1x1x0x2xf32>
    }
  )");
  Tensor q = Tensor::fromDoubles(DType::F32, {1, 1, 3, 2}, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}),
         k = Tensor::fromDoubles(DType::F32, {1, 1, 0, 2}, {});
  auto results = program.run("f", {q, k});
  ASSERT_EQ(results.size(), 5u) << program.errors;
  expectNear(results[0].toDoubles(), Numbers(6, 0));
  expectNear(results[1].toDoubles(), Numbers(3, -infinity));
  expectNear(results[2].toDoubles(), Numbers(6, 0));
}
