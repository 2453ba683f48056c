//===- Parameters.cpp - Parameters from and to safetensors ----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Parameters.h"

#include "Nova/Support/Elements.h"
#include "Nova/Support/Safetensors.h"

#include <map>

using namespace nova;

static constexpr std::string_view kPrefix = "transformer.";

/// The name that a parameter has with and without the prefix.
static std::string bareName(const std::string &name) {
  return name.compare(0, kPrefix.size(), kPrefix) == 0 ? name.substr(kPrefix.size()) : name;
}

/// Names that checkpoints of Hugging Face's GPT-2 hold beside the parameters: buffers with the causal mask, and the
/// head where it is the token embedding.
static bool isIgnorable(const std::string &name) {
  auto endsWith = [&](std::string_view end) {
    return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
  };
  return name == "lm_head.weight" || endsWith(".attn.bias") || endsWith(".attn.masked_bias");
}

namespace {
/// The parameters of a file, matched with those of the program.
struct Match {
  std::vector<std::pair<size_t, const SafetensorsEntry *>> pairs; ///< index of the state, entry
  std::string problems;                                           ///< one a line

  void complain(const std::string &problem) { problems += "\n  " + problem; }
};
} // namespace

static Match match(const std::vector<StateTensor> &state, const SafetensorsFile &file) {
  Match result;
  std::map<std::string, const SafetensorsEntry *> entries;
  for (const SafetensorsEntry &entry : file.entries())
    if (!entries.emplace(bareName(entry.name), &entry).second)
      result.complain("given twice, with and without the prefix: " + bareName(entry.name));
  for (size_t i = 0; i < state.size(); ++i) {
    if (state[i].role != StateTensor::Role::Parameter)
      continue;
    const TensorInfo &want = state[i].tensor;
    auto found = entries.find(bareName(want.name));
    if (found == entries.end()) {
      result.complain("missing: " + want.name + " " + toString(want.shape));
      continue;
    }
    if (found->second->shape != want.shape)
      result.complain("misshapen: " + want.name + ": expected " + toString(want.shape) + ", found " +
                      toString(found->second->shape));
    result.pairs.emplace_back(i, found->second);
    entries.erase(found);
  }
  for (const auto &[name, entry] : entries)
    if (!isIgnorable(name))
      result.complain("unknown: " + entry->name + " " + toString(entry->shape));
  return result;
}

Result<void> nova::loadParameters(Executable &executable, const std::string &path) {
  Result<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return file.error();
  const std::vector<StateTensor> &state = executable.tables().state;
  Match matched = match(state, *file);
  if (!matched.problems.empty())
    return inputError(path + ": expected the parameters of the program, found a file that differs" + matched.problems);
  for (auto [index, entry] : matched.pairs) {
    const TensorInfo &want = state[index].tensor;
    Result<TensorRef> tensor = file->tensor(*entry);
    if (!tensor)
      return tensor.error();
    std::vector<char> data(*byteCount(want));
    if (Result<void> done = convertElements(*tensor, want.dtype, data.data()); !done)
      return inputError(path + ": " + done.error().message);
    if (Result<void> written = executable.writeState(index, data.data()); !written)
      return written;
  }
  return {};
}

Result<void> nova::saveParameters(Executable &executable, const std::string &path) {
  const std::vector<StateTensor> &state = executable.tables().state;
  std::vector<size_t> indices;
  std::vector<TensorInfo> tensors;
  for (size_t i = 0; i < state.size(); ++i) {
    if (state[i].role != StateTensor::Role::Parameter)
      continue;
    indices.push_back(i);
    tensors.push_back(state[i].tensor);
  }
  std::vector<char> data;
  auto dataOf = [&](size_t index) -> Result<const void *> {
    data.resize(*byteCount(tensors[index]));
    if (Result<void> read = executable.readState(indices[index], data.data()); !read)
      return read.error();
    return static_cast<const void *>(data.data());
  };
  // transformers refuses files that do not say which framework wrote them.
  return writeSafetensors(path, tensors, dataOf, {{"format", "pt"}});
}
