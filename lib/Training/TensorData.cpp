//===- TensorData.cpp - Rows of named arrays ------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataSources.h"

#include "Nova/Support/Elements.h"
#include "Nova/Support/Random.h"
#include "Nova/Support/Safetensors.h"

#include <algorithm>

using namespace nova;

namespace {

/// An argument and the array that feeds it: shapes [batch, rest] and [samples, rest].
struct Feed {
  TensorRef array;
  TensorInfo row; ///< [rest], in the array's type
  DType to;
  uint64_t rowElements = 0;
};

class TensorData final : public DataSource {
public:
  TensorData(SafetensorsFile file, const DataOptions &options)
      : file(std::move(file)), order(options.order), seed(options.seed), stream(streamOf(kDataStream)) {}

  Result<void> addFeed(const Argument &argument);

  Result<void> fill(uint64_t step, const std::vector<void *> &buffers) override {
    for (size_t i = 0; i < feeds.size(); ++i)
      for (uint64_t row = 0; row < rows; ++row) {
        const Feed &feed = feeds[i];
        const char *from = static_cast<const char *>(feed.array.data) +
                           sampleOf(step, row) * feed.rowElements * sizeOf(feed.row.dtype);
        char *to = static_cast<char *>(buffers[i]) + row * feed.rowElements * sizeOf(feed.to);
        if (Result<void> done = convertElements({feed.row, from}, feed.to, to); !done)
          return inputError(file.path() + ": sample " + std::to_string(sampleOf(step, row)) + ": " +
                            done.error().message);
      }
    return {};
  }

  std::string locate(uint64_t step, size_t argument, uint64_t position) const override {
    uint64_t elements = feeds[argument].rowElements;
    return file.path() + ": '" + feeds[argument].array.info.name + "', sample " +
           std::to_string(sampleOf(step, position / elements)) + ", element " + std::to_string(position % elements);
  }

private:
  uint64_t sampleOf(uint64_t step, uint64_t row) const {
    if (order == DataOrder::Random)
      return randomBelow(samples, seed, stream, step * rows + row);
    return step % (samples / rows) * rows + row;
  }

  SafetensorsFile file;
  DataOrder order;
  uint64_t seed, stream;
  uint64_t rows = 0, samples = 0;
  std::vector<Feed> feeds;
};

} // namespace

Result<void> TensorData::addFeed(const Argument &argument) {
  const TensorInfo &want = argument.tensor;
  const SafetensorsEntry *entry = file.find(want.name);
  if (!entry) {
    std::string names;
    for (const SafetensorsEntry &other : file.entries())
      names += (names.empty() ? "" : ", ") + other.name;
    return inputError(file.path() + ": expected an array '" + want.name + "' for " + typeToString(want) +
                      ", found only " + (names.empty() ? "an empty file" : names));
  }
  Result<TensorRef> array = file.tensor(*entry);
  if (!array)
    return array.error();
  const std::vector<int64_t> &have = array->info.shape;
  bool fits = !want.shape.empty() && have.size() == want.shape.size() &&
              std::equal(have.begin() + 1, have.end(), want.shape.begin() + 1) &&
              isFloat(array->info.dtype) == isFloat(want.dtype);
  if (!fits)
    return inputError(file.path() + ": expected '" + want.name + "' with samples along axis 0 of " +
                      typeToString(want) + ", found " + typeToString(array->info));
  uint64_t batch = static_cast<uint64_t>(want.shape[0]), count = static_cast<uint64_t>(have[0]);
  // Random samples may repeat within a batch; a sequence needs one whole batch.
  uint64_t needed = order == DataOrder::Random ? 1 : batch;
  if (count < needed)
    return inputError(file.path() + ": expected at least " + std::to_string(needed) + " samples in '" + want.name +
                      "', found " + std::to_string(count));
  if (!feeds.empty() && (batch != rows || count != samples))
    return inputError(file.path() + ": expected " + std::to_string(samples) + " samples and batches of " +
                      std::to_string(rows) + " for all arguments, found " + std::to_string(count) + " and " +
                      std::to_string(batch) + " for '" + want.name + "'");
  rows = batch;
  samples = count;
  Feed feed = {*array, {want.name, array->info.dtype, {have.begin() + 1, have.end()}}, want.dtype, 0};
  Result<uint64_t> elements = elementCount(feed.row);
  if (!elements)
    return elements.error();
  feed.rowElements = *elements;
  feeds.push_back(std::move(feed));
  return {};
}

Result<std::unique_ptr<DataSource>> nova::openTensorData(const DataOptions &options,
                                                         const std::vector<Argument> &arguments) {
  Result<SafetensorsFile> file = SafetensorsFile::open(options.path);
  if (!file)
    return file.error();
  auto data = std::make_unique<TensorData>(std::move(*file), options);
  for (const Argument &argument : arguments)
    if (Result<void> added = data->addFeed(argument); !added)
      return added.error();
  return std::unique_ptr<DataSource>(std::move(data));
}
