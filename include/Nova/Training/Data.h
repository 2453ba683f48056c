//===- Data.h - Batches for training ----------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A source is a pure function of the step: resuming a run needs no state but the step's number. Files are mapped, never
// read whole.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_DATA_H
#define NOVA_TRAINING_DATA_H

#include "Nova/Runtime/Bundle.h"

#include <memory>
#include <string>
#include <vector>

namespace nova {

enum class DataFormat { Auto, Text, NanoGpt, LlmC, Safetensors };
enum class DataOrder { Random, Sequential };

struct DataOptions {
  std::string path; ///< empty: random tokens
  DataFormat format = DataFormat::Auto;
  DataOrder order = DataOrder::Random;
  uint64_t seed = 0;
};

class DataSource {
public:
  virtual ~DataSource() = default;

  /// Fills one buffer per argument with the batch of a step.
  virtual Result<void> fill(uint64_t step, const std::vector<void *> &buffers) = 0;

  /// Where an element of the step's batch comes from, such as "data.bin: token 1234"; empty for no place.
  virtual std::string locate(uint64_t step, size_t argument, uint64_t position) const = 0;

  /// What the user should know about the source, in a line; may be empty.
  virtual std::string notice() const { return ""; }
};

/// `arguments` are the program's batch: the inputs of role "data", all static. Two integer arguments of one shape
/// [..., T] are tokens and targets; any other list is fed by names.
Result<std::unique_ptr<DataSource>> openData(const DataOptions &options, const std::vector<Argument> &arguments);

/// Elements of the batch that count as tokens: those of the tokens argument, or the rows of axis 0.
uint64_t tokensPerBatch(const std::vector<Argument> &arguments);

} // namespace nova

#endif // NOVA_TRAINING_DATA_H
