//===- RandomData.cpp - Random tokens, for want of data -------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataSources.h"

#include "Nova/Support/Random.h"

#include <algorithm>

using namespace nova;

namespace {

class RandomData final : public DataSource {
public:
  RandomData(uint64_t seed, const std::vector<Argument> &arguments) : seed(seed), arguments(arguments) {}

  Result<void> fill(uint64_t batch, const std::vector<void *> &buffers) override {
    // Targets are the tokens shifted by one, as in real data.
    bool areShifted = areTokensAndTargets(arguments);
    for (size_t i = 0; i < arguments.size(); ++i) {
      const TensorInfo &tensor = arguments[i].tensor;
      TokenShape shape = tensor.shape.empty() ? TokenShape() : tokenShapeOf(arguments[i]);
      uint64_t bound = areShifted ? std::min(boundOf(0), boundOf(1)) : boundOf(i);
      uint64_t stream = streamOf(areShifted ? kDataStream : tensor.name);
      for (uint64_t row = 0; row < shape.rows; ++row)
        for (uint64_t t = 0; t < shape.length; ++t) {
          uint64_t index = (batch * shape.rows + row) * (shape.length + 1) + t + (areShifted ? i : 0);
          store(tensor.dtype, buffers[i], row * shape.length + t, randomBelow(bound, seed, stream, index));
        }
    }
    return {};
  }

  std::string locate(uint64_t, size_t, uint64_t) const override { return "random tokens"; }

  uint64_t batchesInSequence() const override { return UINT64_MAX; }

  std::string extent() const override { return "random tokens"; }

  std::string notice() const override {
    if (arguments.empty())
      return ""; // The program needs none.
    return "no --data: training on random tokens below " + std::to_string(boundOf(0)) + ", which only shows the speed";
  }

private:
  /// Where the compiler knows no bound, bytes: they fit every vocabulary of text.
  uint64_t boundOf(size_t argument) const {
    uint64_t bound = arguments[argument].bound > 0 ? static_cast<uint64_t>(arguments[argument].bound) : 256;
    switch (arguments[argument].tensor.dtype) {
    case DType::I1:
      return std::min<uint64_t>(bound, 2);
    case DType::I8:
      return std::min<uint64_t>(bound, 128);
    default:
      return bound;
    }
  }

  static void store(DType type, void *buffer, uint64_t index, uint64_t value) {
    switch (sizeOf(type)) {
    case 1:
      static_cast<int8_t *>(buffer)[index] = static_cast<int8_t>(value);
      return;
    case 4:
      static_cast<int32_t *>(buffer)[index] = static_cast<int32_t>(value);
      return;
    default:
      static_cast<int64_t *>(buffer)[index] = static_cast<int64_t>(value);
      return;
    }
  }

  uint64_t seed;
  std::vector<Argument> arguments;
};

} // namespace

Result<std::unique_ptr<DataSource>> nova::makeRandomData(const DataOptions &options,
                                                         const std::vector<Argument> &arguments) {
  for (const Argument &argument : arguments)
    if (isFloat(argument.tensor.dtype))
      return usageError("expected --data with an array '" + argument.tensor.name + "' for " +
                        typeToString(argument.tensor) + ": without it only integer inputs are made up");
  return std::unique_ptr<DataSource>(new RandomData(options.seed, arguments));
}
