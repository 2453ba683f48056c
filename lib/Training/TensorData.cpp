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

/// One argument's array in one file.
struct Feed {
  TensorRef array;
  TensorInfo row; ///< [rest], in the array's type
  DType to;
  uint64_t rowElements = 0;
};

/// A file and its arrays, one per argument.
struct Part {
  SafetensorsFile file;
  std::vector<Feed> feeds;
  uint64_t end = 0; ///< of its samples in the sequence of all files
};

class TensorData final : public DataSource {
public:
  explicit TensorData(const DataOptions &options)
      : order(options.order), seed(options.seed), stream(streamOf(kDataStream)) {}

  Result<void> addFile(const std::string &path, const std::vector<Argument> &arguments);

  /// To be called when all files are there.
  Result<void> verifyCount(const std::string &path) const;

  Result<void> fill(uint64_t batch, const std::vector<void *> &buffers) override {
    for (uint64_t row = 0; row < rows; ++row) {
      Sample sample = sampleOf(batch, row);
      for (size_t i = 0; i < buffers.size(); ++i) {
        const Feed &feed = sample.part->feeds[i];
        const char *from =
            static_cast<const char *>(feed.array.data) + sample.index * feed.rowElements * sizeOf(feed.row.dtype);
        char *to = static_cast<char *>(buffers[i]) + row * feed.rowElements * sizeOf(feed.to);
        if (Result<void> done = convertElements({feed.row, from}, feed.to, to); !done)
          return inputError(sample.part->file.path() + ": sample " + std::to_string(sample.index) + ": " +
                            done.error().message);
      }
    }
    return {};
  }

  std::string locate(uint64_t batch, size_t argument, uint64_t position) const override {
    uint64_t elements = parts.front().feeds[argument].rowElements;
    Sample sample = sampleOf(batch, position / elements);
    return sample.part->file.path() + ": '" + sample.part->feeds[argument].array.info.name + "', sample " +
           std::to_string(sample.index) + ", element " + std::to_string(position % elements);
  }

  uint64_t batchesInSequence() const override { return samples() / rows; }

  std::string extent() const override { return std::to_string(samples()) + " samples"; }

private:
  struct Sample {
    const Part *part;
    uint64_t index; ///< in the file
  };

  uint64_t samples() const { return parts.back().end; }

  Sample sampleOf(uint64_t batch, uint64_t row) const {
    uint64_t index = order == DataOrder::Random ? randomBelow(samples(), seed, stream, batch * rows + row)
                                                : batch % batchesInSequence() * rows + row;
    auto part = std::upper_bound(parts.begin(), parts.end(), index,
                                 [](uint64_t index, const Part &part) { return index < part.end; });
    return {&*part, part == parts.begin() ? index : index - std::prev(part)->end};
  }

  DataOrder order;
  uint64_t seed, stream;
  uint64_t rows = 0; ///< of a batch
  std::vector<Part> parts;
};

} // namespace

static Result<Feed> makeFeed(const SafetensorsFile &file, const Argument &argument) {
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
  Feed feed = {*array, {want.name, array->info.dtype, {have.begin() + 1, have.end()}}, want.dtype, 0};
  Result<uint64_t> elements = elementCount(feed.row);
  if (!elements)
    return elements.error();
  feed.rowElements = *elements;
  return feed;
}

Result<void> TensorData::addFile(const std::string &path, const std::vector<Argument> &arguments) {
  Result<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return file.error();
  Part part = {std::move(*file), {}, 0};
  uint64_t count = 0;
  for (const Argument &argument : arguments) {
    Result<Feed> feed = makeFeed(part.file, argument);
    if (!feed)
      return feed.error();
    uint64_t batch = static_cast<uint64_t>(argument.tensor.shape[0]);
    uint64_t found = static_cast<uint64_t>(feed->array.info.shape[0]);
    if (part.feeds.empty())
      count = found;
    if (rows == 0)
      rows = batch;
    if (batch != rows || found != count)
      return inputError(path + ": expected " + std::to_string(count) + " samples and batches of " +
                        std::to_string(rows) + " for all arguments, found " + std::to_string(found) + " and " +
                        std::to_string(batch) + " for '" + argument.tensor.name + "'");
    part.feeds.push_back(std::move(*feed));
  }
  part.end = (parts.empty() ? 0 : samples()) + count;
  parts.push_back(std::move(part));
  return {};
}

Result<void> TensorData::verifyCount(const std::string &path) const {
  // Random samples may repeat within a batch; a sequence needs one whole batch.
  uint64_t needed = order == DataOrder::Random ? 1 : rows;
  if (samples() < needed)
    return inputError(path + ": expected at least " + std::to_string(needed) + " samples in '" +
                      parts.front().feeds.front().row.name + "', found " + std::to_string(samples()));
  return {};
}

Result<std::unique_ptr<DataSource>> nova::openTensorData(const DataOptions &options,
                                                         const std::vector<std::string> &files,
                                                         const std::vector<Argument> &arguments) {
  if (arguments.empty())
    return usageError(options.path + ": expected a program with a batch to feed, found one without arguments");
  auto data = std::make_unique<TensorData>(options);
  for (const std::string &file : files)
    if (Result<void> added = data->addFile(file, arguments); !added)
      return added.error();
  if (Result<void> verified = data->verifyCount(options.path); !verified)
    return verified.error();
  return std::unique_ptr<DataSource>(std::move(data));
}
