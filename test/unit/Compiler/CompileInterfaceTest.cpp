//===- CompileInterfaceTest.cpp - Tests of the compiler's C interface -----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Compiler/Compiler.h"
#include "Nova/Runtime/Bundle.h"
#include "TempFolder.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace nova;

namespace {

struct Outcome {
  int code = 0;
  std::string bytes;
  std::string messages;
};

Outcome compile(const std::string &request) {
  Outcome outcome;
  auto keepBytes = [](void *context, const char *bytes, size_t size) {
    static_cast<Outcome *>(context)->bytes.assign(bytes, size);
  };
  auto keepMessages = [](void *context, const char *bytes, size_t size) {
    static_cast<Outcome *>(context)->messages.append(bytes, size);
  };
  outcome.code = nova_compile(request.c_str(), keepBytes, keepMessages, &outcome);
  return outcome;
}

/// Compiles a program given as text; `fields` are what the request has beside the file.
Outcome compileText(const std::string &program, const std::string &fields = "") {
  TempFolder folder;
  std::string file = folder.write("program.mlir", program);
  return compile(R"({"file": ")" + file + "\"" + (fields.empty() ? "" : ", " + fields) + "}");
}

bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

} // namespace

static const char kProgram[] = R"(
nova.parameter @w : tensor<4x2xf32> = #nova.normal<mean = 0.0, std = 0.5>
func.func @loss(%x: tensor<3x4xf32> {nova.name = "x"}, %y: tensor<3xi32> {nova.name = "y"}) -> tensor<f32> {
  %w = nova.read @w : tensor<4x2xf32>
  %z = nova.matmul %x, %w : tensor<3x4xf32>, tensor<4x2xf32>
  %l = nova.cross_entropy %z, %y : tensor<3x2xf32>, tensor<3xi32>
  return %l : tensor<f32>
}
)";

TEST(Compile, AnEntryIsEvaluated) {
  Outcome outcome = compileText(kProgram);
  ASSERT_EQ(outcome.code, 0) << outcome.messages;
  auto bundle = parseBundle(outcome.bytes, "bundle");
  ASSERT_TRUE(bundle) << bundle.error().message;
  ASSERT_EQ(bundle->entries.size(), 1u);
  EXPECT_EQ(bundle->entries[0].name, "loss");
  ASSERT_EQ(bundle->entries[0].inputs.size(), 2u);
  EXPECT_EQ(bundle->entries[0].inputs[0].tensor.name, "x");
  EXPECT_EQ(bundle->entries[0].inputs[1].bound, 2);
  EXPECT_EQ(bundle->options.at("entry"), "loss");
  EXPECT_EQ(bundle->options.count("optimizer"), 0u);
  ASSERT_EQ(bundle->images.size(), 1u);
  EXPECT_EQ(bundle->images[0].target, "cpu");
}

TEST(Compile, ATrainStepHasStateAndOptions) {
  Outcome outcome = compileText(kProgram, R"("train": true, "optimizer": {"beta1": 0.8, "clip": 0})");
  ASSERT_EQ(outcome.code, 0) << outcome.messages;
  auto bundle = parseBundle(outcome.bytes, "bundle");
  ASSERT_TRUE(bundle) << bundle.error().message;
  std::vector<std::string> entries;
  for (const Entry &entry : bundle->entries)
    entries.push_back(entry.name);
  EXPECT_EQ(std::count(entries.begin(), entries.end(), "train_step"), 1);
  EXPECT_EQ(std::count(entries.begin(), entries.end(), "loss"), 1);
  EXPECT_EQ(bundle->state.size(), 3u);
  EXPECT_EQ(std::stod(bundle->options.at("beta1")), 0.8);
  EXPECT_EQ(std::stod(bundle->options.at("clip")), 0);
  EXPECT_EQ(std::stod(bundle->options.at("weight_decay")), 0.1);
  EXPECT_EQ(bundle->options.at("optimizer"), "adamw");
}

TEST(Compile, TheSameRequestGivesTheSameBytes) {
  EXPECT_EQ(compileText(kProgram, R"("train": true, "cpu": "x86-64-v3")").messages, "");
  TempFolder folder;
  std::string file = folder.write("program.mlir", kProgram);
  std::string request = R"({"file": ")" + file + R"(", "train": true, "cpu": "x86-64-v3"})";
  EXPECT_EQ(compile(request).bytes, compile(request).bytes);
}

TEST(Compile, LevelsAreDumped) {
  TempFolder folder;
  Outcome outcome = compileText(kProgram, R"("train": true, "dump_ir": ")" + folder.path("ir") + "\"");
  ASSERT_EQ(outcome.code, 0) << outcome.messages;
  EXPECT_TRUE(contains(folder.read("ir/0-program.mlir"), "nova.read @w"));
  EXPECT_TRUE(contains(folder.read("ir/2-train-step.mlir"), "nova.adamw"));
  EXPECT_TRUE(contains(folder.read("ir/3-kernels.mlir"), "nova.launch"));
  EXPECT_TRUE(contains(folder.read("ir/4-tiled.mlir"), "scf.forall"));
  EXPECT_TRUE(contains(folder.read("ir/5-llvm.mlir"), "llvm.func"));
}

TEST(Compile, KernelsAreReported) {
  Outcome outcome = compileText(kProgram, R"("kernel_report": true)");
  ASSERT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.messages, "one run of @loss on cpu\n")) << outcome.messages;
  EXPECT_TRUE(contains(outcome.messages, "program.mlir:5:8")) << outcome.messages;
}

TEST(Compile, ErrorsOfTheProgramHaveItsLocation) {
  Outcome outcome = compileText("func.func @f(");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.messages, "program.mlir:1:13: error:")) << outcome.messages;
  EXPECT_EQ(outcome.bytes, "");
}

TEST(Compile, TheEntryMustBeClear) {
  Outcome none = compileText("module {}");
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(contains(none.messages, "expected a program with a function to run, found none")) << none.messages;

  const char *two = R"(
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
)";
  Outcome several = compileText(two);
  EXPECT_EQ(several.code, 1);
  EXPECT_TRUE(contains(several.messages, "found 2 (f, g); name one of them with --entry")) << several.messages;
  Outcome absent = compileText(two, R"("entry": "h")");
  EXPECT_EQ(absent.code, 1);
  EXPECT_TRUE(contains(absent.messages, "expected a function @h to run, found only f, g")) << absent.messages;
  Outcome loss = compileText(two, R"("train": true)");
  EXPECT_EQ(loss.code, 1);
  EXPECT_TRUE(contains(loss.messages, "expected a function @loss")) << loss.messages;
}

TEST(Compile, AFileThatIsNotThere) {
  Outcome outcome = compile(R"({"file": "/absent/program.mlir"})");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.messages, "/absent/program.mlir")) << outcome.messages;
  EXPECT_TRUE(contains(outcome.messages, "No such file or directory")) << outcome.messages;
}

TEST(Compile, WrongRequestsAreWrongUsage) {
  auto expectUsage = [](const std::string &request, const std::string &message) {
    Outcome outcome = compile(request);
    EXPECT_EQ(outcome.code, 2) << request;
    EXPECT_TRUE(contains(outcome.messages, message)) << outcome.messages;
  };
  expectUsage("{", "Expected object key");
  expectUsage("{}", "missing value at request.file");
  expectUsage(R"({"file": "f", "speed": 3})", "unknown key at request.speed");
  expectUsage(R"({"file": "f", "mode": "slow"})", "expected fused or eager at request.mode");
  expectUsage(R"({"file": "f", "dtype": "f8"})", "expected f32 or bf16 at request.dtype");
  expectUsage(R"({"file": "f", "matmul_precision": "bf16"})", "expected exact or tf32 at request.matmul_precision");
  expectUsage(R"({"file": "f", "matmul_precision": "tf32"})", "expected a GPU such as sm_89 as target with matmul");
  expectUsage(R"({"file": "f", "optimizer": {"beta3": 0}})", "unknown key at request.optimizer.beta3");
  expectUsage(R"({"file": "f", "targets": []})", "expected a target to compile for, found none");
  expectUsage(R"({"file": "f", "targets": ["tpu"]})", "unknown target 'tpu'");
  expectUsage(R"({"file": "f", "targets": ["sm_20"]})", "unknown GPU 'sm_20'");
  expectUsage(R"({"file": "f", "cpu": "z80"})", "unknown CPU 'z80'");
}
