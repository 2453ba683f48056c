//===- TestProgram.cpp - A bundle without a compiler ----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include "Nova/Support/CheckedMath.h"
#include "Nova/Support/File.h"

using namespace nova;

namespace {

/// Gives out addresses, as the memory plan does.
class Builder {
public:
  Address place(Region region, uint64_t bytes) {
    uint64_t &size = bundle.regionBytes[static_cast<size_t>(region)];
    Address address = {region, alignTo(size, 64)};
    size = address.offset + bytes;
    return address;
  }

  Address state(const std::string &name, std::vector<int64_t> shape, StateTensor::Role role, Initializer init) {
    TensorInfo tensor = {name, DType::F32, std::move(shape)};
    Address address = place(Region::State, *byteCount(tensor));
    bundle.state.push_back({tensor, role, address, init});
    return address;
  }

  Argument argument(const std::string &name, DType type, std::vector<int64_t> shape, const std::string &role = "data",
                    Region region = Region::Io) {
    Argument argument;
    argument.tensor = {name, type, std::move(shape)};
    argument.role = role;
    argument.address = place(region, *byteCount(argument.tensor));
    return argument;
  }

  /// The last `results` arguments are results; all are taken for f32.
  uint32_t kernel(const std::string &name, int64_t blocks, std::vector<uint64_t> argumentBytes,
                  uint64_t scratchBytes = 0, uint64_t results = 1) {
    Kernel kernel;
    kernel.name = name;
    kernel.family = "generic";
    kernel.location = "test.mlir:" + std::to_string(bundle.kernels.size() + 1) + ":3";
    kernel.blocks = blocks;
    kernel.scratchBytes = scratchBytes;
    kernel.operands = argumentBytes.size() - results;
    kernel.argumentTypes.assign(argumentBytes.size(), DType::F32);
    kernel.argumentBytes = std::move(argumentBytes);
    bundle.kernels.push_back(kernel);
    return static_cast<uint32_t>(bundle.kernels.size() - 1);
  }

  void affine();
  void bigram();
  Bundle finish();

  Bundle bundle;
};

} // namespace

void Builder::affine() {
  const float constants[] = {2, 1};
  Address constant = place(Region::Constants, sizeof(constants));
  bundle.constants.assign(reinterpret_cast<const char *>(constants), sizeof(constants));
  Entry entry;
  entry.name = "affine";
  entry.inputs = {argument("a", DType::F32, {2, 3})};
  entry.outputs = {argument("result0", DType::F32, {2, 3})};
  entry.launches = {{kernel("affine", 6, {24, 8, 24}), {entry.inputs[0].address, constant, entry.outputs[0].address}}};
  bundle.entries.push_back(entry);
}

void Builder::bigram() {
  constexpr uint64_t kTableBytes = 4 * kVocabulary, kTokenBytes = 4 * kBatch * kLength;
  Address w = state("transformer.wte.weight", {kVocabulary}, StateTensor::Role::Parameter,
                    {Initializer::Kind::Normal, 0, 0.02});
  Address b = state("transformer.b", {1}, StateTensor::Role::Parameter, {Initializer::Kind::Constant, 0.5, 0});
  Address momentum = state("transformer.wte.weight", {kVocabulary}, StateTensor::Role::Moment1, {});
  Address error = place(Region::Arena, kTokenBytes), partial = place(Region::Arena, 4 * kBatch);
  Address gradient = place(Region::Arena, kTableBytes), gradientB = place(Region::Arena, 4);

  Entry loss;
  loss.name = "loss";
  loss.inputs = {argument("x", DType::I32, {kBatch, kLength}), argument("y", DType::I32, {kBatch, kLength})};
  loss.inputs[0].bound = loss.inputs[1].bound = kVocabulary;
  loss.outputs = {argument("loss", DType::F32, {}, "loss", Region::Arena)};
  Address x = loss.inputs[0].address, y = loss.inputs[1].address, lossAt = loss.outputs[0].address;
  loss.launches = {{kernel("predict", kBatch, {kTableBytes, 4, kTokenBytes, kTokenBytes, kTokenBytes, 4 * kBatch}),
                    {w, b, x, y, error, partial}},
                   {kernel("mean", 1, {4 * kBatch, 4}), {partial, lossAt}}};
  bundle.entries.push_back(loss);

  Entry step = loss;
  step.name = "train_step";
  step.inputs.push_back(argument("lr", DType::F32, {}, "lr"));
  step.inputs.push_back(argument("step", DType::I64, {}, "step"));
  step.inputs.push_back(argument("seed", DType::I64, {}, "seed"));
  step.outputs.push_back(argument("grad_norm", DType::F32, {}, "grad_norm", Region::Arena));
  Address lr = step.inputs[2].address, norm = step.outputs[1].address;
  const std::vector<Launch> backward = {
      {kernel("gradient", kVocabulary / 16, {kTokenBytes, kTokenBytes, kTableBytes}, 64), {x, error, gradient}},
      {kernel("norm", 1, {kTokenBytes, kTableBytes, 4, 4}), {error, gradient, gradientB, norm}},
      {kernel("update", kVocabulary / 16, {kTableBytes, kTableBytes, kTableBytes, 4}), {w, momentum, gradient, lr}},
      {kernel("update_bias", 1, {4, 4, 4}), {b, gradientB, lr}}};
  step.launches.insert(step.launches.end(), backward.begin(), backward.end());
  bundle.entries.push_back(step);
}

Bundle Builder::finish() {
  bundle.producer = "test";
  bundle.options = {{"entry", "loss"},      {"mode", "fused"},       {"dtype", "f32"},
                    {"optimizer", "adamw"}, {"beta1", "0.9"},        {"beta2", "0.95"},
                    {"eps", "1e-8"},        {"weight_decay", "0.1"}, {"clip", "1"}};
  Result<MappedFile> image = MappedFile::open(NOVA_TEST_KERNELS);
  bundle.images.push_back({"cpu", "elf", {"sse2"}, image ? std::string(image->bytes()) : ""});
  return std::move(bundle);
}

Bundle affineProgram() {
  Builder builder;
  builder.affine();
  return builder.finish();
}

Bundle testProgram() {
  Builder builder;
  builder.affine();
  builder.bigram();
  return builder.finish();
}
