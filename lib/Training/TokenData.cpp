//===- TokenData.cpp - Windows of tokens ----------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataSources.h"

#include "Nova/Support/Random.h"
#include "Nova/Training/TokenFile.h"

#include <algorithm>

using namespace nova;

namespace {

class TokenData final : public DataSource {
public:
  TokenData(TokenFiles files, const DataOptions &options, const std::vector<Argument> &arguments)
      : files(std::move(files)), order(options.order), seed(options.seed), stream(streamOf(kDataStream)),
        shape(tokenShapeOf(arguments[0])), types{arguments[0].tensor.dtype, arguments[1].tensor.dtype} {}

  Result<void> fill(uint64_t batch, const std::vector<void *> &buffers) override {
    for (uint64_t row = 0; row < shape.rows; ++row)
      for (unsigned shift = 0; shift < 2; ++shift) // Tokens, then targets.
        copy(startOf(batch, row) + shift, buffers[shift], types[shift], row);
    return {};
  }

  std::string locate(uint64_t batch, size_t argument, uint64_t position) const override {
    return files.locate(startOf(batch, position / shape.length) + argument + position % shape.length);
  }

  uint64_t batchesInSequence() const override { return (files.size() - 1) / (shape.rows * shape.length); }

  std::string extent() const override { return std::to_string(files.size()) + " tokens"; }

  bool isText() const override { return files.encoding() == "text"; }

private:
  /// The first token of a row's window.
  uint64_t startOf(uint64_t batch, uint64_t row) const {
    // A window needs one token more, the last target.
    if (order == DataOrder::Random)
      return randomBelow(files.size() - shape.length, seed, stream, batch * shape.rows + row);
    return (batch % batchesInSequence() * shape.rows + row) * shape.length;
  }

  void copy(uint64_t start, void *buffer, DType type, uint64_t row) const {
    uint64_t first = row * shape.length;
    if (type == DType::I32)
      files.copy(start, shape.length, static_cast<int32_t *>(buffer) + first);
    else
      files.copy(start, shape.length, static_cast<int64_t *>(buffer) + first);
  }

  TokenFiles files;
  DataOrder order;
  uint64_t seed, stream;
  TokenShape shape;
  DType types[2];
};

} // namespace

/// What the program has places for: the rows of the table that tokens select, and the classes that targets name. Both
/// are tokens of one sequence. 0 where the program does not say.
static uint64_t vocabularyOf(const std::vector<Argument> &arguments) {
  uint64_t vocabulary = 0;
  for (const Argument &argument : arguments)
    if (auto bound = static_cast<uint64_t>(std::max<int64_t>(argument.bound, 0)))
      vocabulary = vocabulary == 0 ? bound : std::min(vocabulary, bound);
  return vocabulary;
}

/// Tokens are below the vocabulary, and below what their type holds.
static uint64_t tokenLimit(const std::vector<Argument> &arguments) {
  uint64_t limit = vocabularyOf(arguments) != 0 ? vocabularyOf(arguments) : uint64_t(1) << 63;
  for (const Argument &argument : arguments)
    limit = std::min(limit, uint64_t(1) << (8 * sizeOf(argument.tensor.dtype) - 1));
  return limit;
}

Result<std::unique_ptr<DataSource>> nova::openTokenData(const DataOptions &options,
                                                        const std::vector<std::string> &paths,
                                                        const std::vector<Argument> &arguments) {
  if (!areTokensAndTargets(arguments)) {
    std::string list;
    for (const Argument &argument : arguments)
      list += (list.empty() ? "" : ", ") + argument.tensor.name + ": " + typeToString(argument.tensor);
    return usageError(options.path +
                      ": text and tokens feed programs with two integer arguments of one shape (tokens, " +
                      "then targets), found (" + list + "); give a .safetensors file with arrays of these names");
  }
  Result<TokenFiles> files = TokenFiles::open(paths, options.format, vocabularyOf(arguments));
  if (!files)
    return files.error();
  if (Result<void> checked = files->checkTokens(tokenLimit(arguments)); !checked)
    return checked.error();
  TokenShape shape = tokenShapeOf(arguments[0]);
  uint64_t windows = options.order == DataOrder::Random ? 1 : shape.rows;
  uint64_t needed = windows * shape.length + 1;
  if (files->size() < needed)
    return inputError(options.path + ": expected at least " + std::to_string(needed) + " tokens (" +
                      (windows == 1 ? "a window" : std::to_string(windows) + " windows") + " of " +
                      std::to_string(shape.length) + " and a target), found " + std::to_string(files->size()) +
                      "; give more data or a shorter context");
  return std::unique_ptr<DataSource>(new TokenData(std::move(*files), options, arguments));
}
