//===- Data.h - Batches for training ----------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A source is a pure function of the batch's number: resuming a run needs no state but the step. Files are mapped,
// never read whole, and may be larger than memory.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_DATA_H
#define NOVA_TRAINING_DATA_H

#include "Nova/Runtime/Bundle.h"

#include <memory>
#include <string>
#include <vector>

namespace nova {

enum class DataFormat { Auto, Text, NanoGpt, LlmC, Safetensors, Uint32, Int64 };
enum class DataOrder { Random, Sequential };

struct DataOptions {
  std::string path; ///< a file, or a pattern such as "train_*.bin" for several; empty: random tokens
  DataFormat format = DataFormat::Auto;
  DataOrder order = DataOrder::Random;
  uint64_t seed = 0;
};

class DataSource {
public:
  virtual ~DataSource() = default;

  /// Fills one buffer per argument with a batch; not from two threads at a time.
  virtual Result<void> fill(uint64_t batch, const std::vector<void *> &buffers) = 0;

  /// Where an element of a batch comes from, such as "data.bin: token 1234"; empty for no place.
  virtual std::string locate(uint64_t batch, size_t argument, uint64_t position) const = 0;

  /// Batches until sequential data starts again.
  virtual uint64_t batchesInSequence() const = 0;

  /// What the batches are drawn from, for the comparison with an earlier run: "40,000 tokens".
  virtual std::string extent() const = 0;

  /// Whether tokens are the bytes of a text: a vocabulary that no other tokens share.
  virtual bool isText() const { return false; }

  /// What the user should know about the source, in a line; may be empty.
  virtual std::string notice() const { return ""; }
};

/// The files that a path or pattern names: the file of that name, or what matches it, sorted by name; an error when
/// there is none. Together they are one sequence.
Result<std::vector<std::string>> findDataFiles(const std::string &path);

/// `arguments` are the program's batch: the inputs of role "data", all static. Two integer arguments of one shape
/// [..., T] are tokens and targets; any other list is fed by names.
Result<std::unique_ptr<DataSource>> openData(const DataOptions &options, const std::vector<Argument> &arguments);

/// Elements of the batch that count as tokens: those of the tokens argument, or the rows of axis 0.
uint64_t tokensPerBatch(const std::vector<Argument> &arguments);
/// What tokensPerBatch counts: "tokens", or "rows".
const char *unitOfBatch(const std::vector<Argument> &arguments);

} // namespace nova

#endif // NOVA_TRAINING_DATA_H
