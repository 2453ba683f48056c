//===- ModelBuilderTest.cpp - Programs built op by op ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Frontend/ModelBuilder.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
class ModelBuilderTest : public testing::Test {
protected:
  ModelBuilderTest()
      : location(FileLineColLoc::get(&context, "model.onnx", 1, 1)), handler(&context, [&](Diagnostic &diagnostic) {
          llvm::raw_string_ostream os(errors);
          os << diagnostic.getLocation() << ": " << diagnostic << "\n";
          return success();
        }) {}

  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os, OpPrintingFlags().printNameLocAsPrefix());
    return text;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  Location location;
  std::string errors;
  ScopedDiagnosticHandler handler;
};
} // namespace

TEST_F(ModelBuilderTest, WritesAProgramThatReadsLikeOneByHand) {
  ModelBuilder b(location, "classifier");
  b.function("loss", {{"x", b.tensor({32, 64})}, {"y", b.tensor({32}, b.i32())}}, [&](ValueRange batch) {
    ModelBuilder::Scope scope(b, "head");
    Value logits = b.linear(batch[0], b.parameter("w", {64, 10}, b.normal(0.02)));
    return b.named("loss", b.crossEntropy(b.named("logits", logits), batch[1]));
  });
  OwningOpRef<ModuleOp> module = b.finish();
  ASSERT_TRUE(module);
  EXPECT_EQ(print(*module), R"(module @classifier {
  nova.parameter @head.w : tensor<64x10xf32> = #nova.normal<mean = 0.0, std = 0.02>
  func.func @loss(%x: tensor<32x64xf32> {nova.name = "x"}, %y: tensor<32xi32> {nova.name = "y"}) -> tensor<f32> {
    %head.w = nova.read @head.w : tensor<64x10xf32>
    %logits = nova.matmul %x, %head.w : tensor<32x64xf32>, tensor<64x10xf32>
    %loss = nova.cross_entropy %logits, %y : tensor<32x10xf32>, tensor<32xi32>
    return %loss : tensor<f32>
  }
}
)");
}

TEST_F(ModelBuilderTest, DeclaresAParameterOnce) {
  ModelBuilder b(location, "tied");
  b.function("f", {}, [&](ValueRange) {
    Value first = b.parameter("w", {4}, b.constant(1.0)), second = b.parameter("w", {4}, b.constant(1.0));
    return b.add(first, second);
  });
  OwningOpRef<ModuleOp> module = b.finish();
  ASSERT_TRUE(module);
  EXPECT_EQ(llvm::range_size(module->getOps<ParameterOp>()), 1u);
}

TEST_F(ModelBuilderTest, ReportsOperandsThatDoNotFitAndGoesOn) {
  ModelBuilder b(location, "wrong");
  b.function("f", {{"x", b.tensor({32, 64})}}, [&](ValueRange batch) {
    Value product = b.matmul(batch[0], b.parameter("w", {63, 10}, b.normal(0.02)));
    EXPECT_FALSE(product);
    return b.reshape(b.slice(product, 1, 0, 5), {160});
  });
  EXPECT_FALSE(b.finish());
  EXPECT_EQ(errors, "loc(\"model.onnx\":1:1): expected the operands to agree on the summed axis, found 64 in "
                    "'tensor<32x64xf32>' and 63 in 'tensor<63x10xf32>'\n");
}

TEST_F(ModelBuilderTest, ReportsAParameterOfTwoTypes) {
  ModelBuilder b(location, "wrong");
  b.function("f", {}, [&](ValueRange) {
    b.parameter("w", {4}, b.constant(1.0));
    return b.parameter("w", {5}, b.constant(1.0));
  });
  EXPECT_FALSE(b.finish());
  EXPECT_NE(errors.find("parameter w is read as 'tensor<4xf32>' and as 'tensor<5xf32>'"), std::string::npos) << errors;
}

TEST_F(ModelBuilderTest, ReportsWhatOnlyTheVerifierSees) {
  ModelBuilder b(location, "wrong");
  b.function("f", {{"x", b.tensor({4})}}, [&](ValueRange batch) { return b.slice(batch[0], 0, 2, 9); });
  EXPECT_FALSE(b.finish());
  EXPECT_NE(errors.find("expected 0 <= start <= limit <= size"), std::string::npos) << errors;
}
