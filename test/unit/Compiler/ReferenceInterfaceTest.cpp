//===- ReferenceInterfaceTest.cpp - Tests of the evaluator's C interface --===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Compiler/Compiler.h"
#include "Nova/Runtime/Bundle.h"
#include "TempFolder.h"
#include "gtest/gtest.h"

using namespace nova;

namespace {

/// An evaluator on a program given as text.
class Reference {
public:
  explicit Reference(const std::string &program, const std::string &request) {
    std::string file = folder.write("program.mlir", program);
    std::string json = R"({"file": ")" + file + R"(", )" + request + "}";
    code = nova_reference_open(json.c_str(), &handle, keepTables, keepDiagnostic, this);
    if (code != 0)
      return;
    Result<Bundle> parsed = tablesFromJson(text, "tables");
    EXPECT_TRUE(parsed);
    tables = *parsed;
  }
  ~Reference() {
    if (handle)
      nova_reference_close(handle);
  }

  int run(size_t entry, std::vector<const void *> inputs, std::vector<void *> outputs) {
    return nova_reference_run(handle, entry, inputs.data(), outputs.data(), keepDiagnostic, this);
  }
  void write(size_t index, const void *data) {
    EXPECT_EQ(nova_reference_state(handle, index, const_cast<void *>(data), 1, keepDiagnostic, this), 0);
  }
  std::vector<float> read(size_t index) {
    std::vector<float> values(*elementCount(tables.state[index].tensor));
    EXPECT_EQ(nova_reference_state(handle, index, values.data(), 0, keepDiagnostic, this), 0);
    return values;
  }

  int code = 0;
  Bundle tables;
  std::string errors;

private:
  static void keepTables(void *context, const char *bytes, size_t size) {
    static_cast<Reference *>(context)->text.assign(bytes, size);
  }
  static void keepDiagnostic(void *context, const char *bytes, size_t size) {
    static_cast<Reference *>(context)->errors.append(bytes, size);
  }

  TempFolder folder;
  std::string text;
  nova_reference *handle = nullptr;
};

} // namespace

static const char kProgram[] = R"(
nova.parameter @w : tensor<4x2xf32> = #nova.normal<mean = 0.0, std = 0.5>
nova.parameter @b : tensor<2xf32> = #nova.constant<0.25>
func.func @loss(%x: tensor<3x4xf32> {nova.name = "x"}, %y: tensor<3xi32> {nova.name = "y"}) -> tensor<f32> {
  %w = nova.read @w : tensor<4x2xf32>
  %b = nova.read @b : tensor<2xf32>
  %h = nova.matmul %x, %w : tensor<3x4xf32>, tensor<4x2xf32>
  %z = nova.add %h, %b : tensor<3x2xf32>, tensor<2xf32>
  %l = nova.cross_entropy %z, %y : tensor<3x2xf32>, tensor<3xi32>
  return %l : tensor<f32>
}
)";

static const Entry *find(const Bundle &tables, const std::string &name) {
  for (const Entry &entry : tables.entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

TEST(ReferenceInterface, EvaluatesWithTheStateThatWasWritten) {
  Reference reference(kProgram, R"("entry": "loss")");
  ASSERT_EQ(reference.code, 0) << reference.errors;
  ASSERT_EQ(reference.tables.state.size(), 2u);
  EXPECT_EQ(reference.tables.state[0].init.kind, Initializer::Kind::Normal);
  EXPECT_EQ(reference.tables.state[0].init.b, 0.5);
  EXPECT_EQ(reference.tables.state[1].init.a, 0.25);
  ASSERT_EQ(reference.tables.entries.size(), 1u);
  const Entry &entry = reference.tables.entries[0];
  ASSERT_EQ(entry.inputs.size(), 2u);
  EXPECT_EQ(entry.inputs[1].tensor.name, "y");
  EXPECT_EQ(entry.inputs[1].tensor.dtype, DType::I32);

  float bias[] = {0, 1.0986123f}, x[12] = {}, loss = 0;
  int32_t y[] = {0, 0, 0};
  reference.write(1, bias);
  ASSERT_EQ(reference.run(0, {x, y}, {&loss}), 0) << reference.errors;
  EXPECT_NEAR(loss, 1.3862944, 1e-6);
}

TEST(ReferenceInterface, TrainsAndKeepsTheState) {
  Reference reference(kProgram, R"("entry": "loss", "train": true, "optimizer": {"clip": 0, "weight_decay": 0})");
  ASSERT_EQ(reference.code, 0) << reference.errors;
  // Parameters, then first and second moments, each under the parameter's name.
  ASSERT_EQ(reference.tables.state.size(), 6u);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(reference.tables.state[i].tensor.name, i % 2 ? "b" : "w");
    EXPECT_EQ(size_t(reference.tables.state[i].role), i / 2);
  }
  const Entry *step = find(reference.tables, "train_step");
  ASSERT_TRUE(step);
  std::vector<std::string> inputs, outputs;
  for (const Argument &input : step->inputs)
    inputs.push_back(input.role);
  for (const Argument &output : step->outputs)
    outputs.push_back(output.role);
  EXPECT_EQ(inputs, (std::vector<std::string>{"data", "data", "lr", "step", "seed"}));
  EXPECT_EQ(outputs, (std::vector<std::string>{"loss", "grad_norm"}));

  float x[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, lr = 0.1f, loss = 0, first = 0;
  int32_t y[] = {0, 1, 0};
  int64_t seed = 0;
  size_t entry = step - reference.tables.entries.data();
  for (int64_t number = 0; number < 20; ++number) {
    ASSERT_EQ(reference.run(entry, {x, y, &lr, &number, &seed}, {&loss, nullptr}), 0) << reference.errors;
    if (number == 0)
      first = loss;
  }
  EXPECT_NEAR(first, 0.6931472, 1e-6);
  EXPECT_LT(loss, 0.2);
  EXPECT_GT(reference.read(0)[0], 0.5);
  EXPECT_GT(reference.read(4)[0], 0);
}

TEST(ReferenceInterface, AFailedRunNamesThePlaceAndLeavesTheState) {
  Reference reference(kProgram, R"("entry": "loss", "train": true)");
  ASSERT_EQ(reference.code, 0) << reference.errors;
  float x[12] = {}, lr = 1;
  int32_t y[] = {0, 7, 0};
  int64_t step = 0, seed = 0;
  size_t entry = find(reference.tables, "train_step") - reference.tables.entries.data();
  EXPECT_EQ(reference.run(entry, {x, y, &lr, &step, &seed}, {nullptr, nullptr}), 1);
  EXPECT_NE(
      reference.errors.find("program.mlir:9:8: error: 'nova.cross_entropy' op expected a target of at least 0 and "
                            "below 2, found 7 at position [1]"),
      std::string::npos)
      << reference.errors;
  EXPECT_EQ(reference.read(1), (std::vector<float>{0, 0}));
}

TEST(ReferenceInterface, ErrorsOfProgramsAndRequests) {
  Reference broken("func.func @f( {", R"("entry": "f")");
  EXPECT_EQ(broken.code, 1);
  EXPECT_NE(broken.errors.find("program.mlir:1:"), std::string::npos) << broken.errors;
  Reference dynamic("func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n  return %x : tensor<?xf32>\n}",
                    R"("entry": "")");
  EXPECT_EQ(dynamic.code, 1);
  EXPECT_NE(dynamic.errors.find("expected a shape for argument 'arg0' of @f"), std::string::npos) << dynamic.errors;
  Reference unknownKey(kProgram, R"("color": "red")");
  EXPECT_EQ(unknownKey.code, 2);
}
