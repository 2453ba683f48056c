//===- Parameters.cpp - Parameters from and to safetensors ----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Parameters.h"

#include "Nova/Support/Elements.h"
#include "Nova/Support/Safetensors.h"
#include "StateFile.h"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

using namespace nova;
using nlohmann::json;

static constexpr std::string_view kPrefix = "transformer.";

/// The name that a parameter has with and without the prefix.
static std::string bareName(const std::string &name) {
  return name.compare(0, kPrefix.size(), kPrefix) == 0 ? name.substr(kPrefix.size()) : name;
}

static bool endsWith(const std::string &text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Names that checkpoints of Hugging Face's GPT-2 hold beside the parameters: buffers with the causal mask.
static bool isIgnorable(const std::string &name) {
  return endsWith(name, ".attn.bias") || endsWith(name, ".attn.masked_bias");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {
/// A tensor of one of the files.
struct Stored {
  const SafetensorsFile *file;
  const SafetensorsEntry *entry;
};
} // namespace

/// The files that an index of shards names, beside it.
static Result<std::vector<std::string>> readIndex(const std::string &path) {
  Result<MappedFile> text = MappedFile::open(path);
  if (!text)
    return text.error();
  std::string_view bytes = text->bytes();
  json index = json::parse(bytes.begin(), bytes.end(), nullptr, /*allow_exceptions=*/false);
  if (!index.is_object() || !index.contains("weight_map") || !index["weight_map"].is_object())
    return inputError(path + ": expected an object with a weight_map from names to files, as transformers writes it");
  std::string folder = path.substr(0, path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
  std::set<std::string> files;
  for (const auto &[name, file] : index["weight_map"].items()) {
    // Shards lie beside their index, wherever it came from.
    if (!file.is_string() || file.get<std::string>().find('/') != std::string::npos)
      return inputError(path + ": expected the name of a file beside it for '" + name + "', found " + file.dump());
    files.insert(folder + file.get<std::string>());
  }
  return std::vector<std::string>(files.begin(), files.end());
}

/// The files behind a name: a .safetensors, an index of shards, or a folder with one of them.
static Result<std::vector<std::string>> findFiles(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    for (const char *name : {"/model.safetensors", "/model.safetensors.index.json"})
      if (access((path + name).c_str(), F_OK) == 0)
        return findFiles(path + name);
    return inputError(path +
                      ": expected model.safetensors or model.safetensors.index.json in the folder, found neither");
  }
  if (endsWith(path, ".json"))
    return readIndex(path);
  return std::vector<std::string>{path};
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {
/// The parameters of files, matched with those of the program.
struct Match {
  std::vector<std::pair<size_t, Stored>> pairs; ///< index of the state, tensor
  std::string problems;                         ///< one a line

  void complain(const std::string &problem) { problems += "\n  " + problem; }
};
} // namespace

/// The names that checkpoints have for a parameter.
static std::vector<std::string> namesOf(const StateTensor &parameter) {
  std::vector<std::string> names = {parameter.tensor.name};
  names.insert(names.end(), parameter.aliases.begin(), parameter.aliases.end());
  return names;
}

/// Whether two tensors of files are the same parameter's values; one that cannot be read is found when it is loaded.
static bool holdSameValues(const Stored &a, const Stored &b, const TensorInfo &want) {
  std::vector<char> values[2];
  for (auto [stored, data] : {std::pair(&a, &values[0]), std::pair(&b, &values[1])}) {
    Result<TensorRef> tensor = stored->file->tensor(*stored->entry);
    data->resize(*byteCount(want));
    if (!tensor || !convertElements(*tensor, want.dtype, data->data()))
      return false;
  }
  return values[0] == values[1];
}

static Match match(const std::vector<StateTensor> &state, const std::vector<SafetensorsFile> &files) {
  Match result;
  std::map<std::string, Stored> entries;
  for (const SafetensorsFile &file : files)
    for (const SafetensorsEntry &entry : file.entries())
      if (!entries.emplace(bareName(entry.name), Stored{&file, &entry}).second)
        result.complain((files.size() == 1 ? "given twice, with and without the prefix: " : "given twice: ") +
                        bareName(entry.name));
  for (size_t i = 0; i < state.size(); ++i) {
    if (state[i].role != StateTensor::Role::Parameter)
      continue;
    const TensorInfo &want = state[i].tensor;
    std::optional<Stored> first;
    for (const std::string &name : namesOf(state[i])) {
      auto found = entries.find(bareName(name));
      if (found == entries.end())
        continue;
      Stored stored = found->second;
      entries.erase(found);
      if (stored.entry->shape != want.shape)
        result.complain("misshapen: " + name + ": expected " + toString(want.shape) + ", found " +
                        toString(stored.entry->shape));
      else if (first && first->entry->shape == want.shape && !holdSameValues(*first, stored, want))
        result.complain("names of one tensor with different values: " + first->entry->name + ", " + stored.entry->name);
      if (!first)
        first = stored;
    }
    if (!first) {
      std::string names = want.name;
      for (const std::string &alias : state[i].aliases)
        names += " or " + alias;
      result.complain("missing: " + names + " " + toString(want.shape));
      continue;
    }
    result.pairs.emplace_back(i, *first);
  }
  for (const auto &[name, stored] : entries)
    if (!isIgnorable(name))
      result.complain("unknown: " + stored.entry->name + " " + toString(stored.entry->shape));
  return result;
}

Result<void> nova::loadParameters(Executable &executable, const std::string &path) {
  Result<std::vector<std::string>> paths = findFiles(path);
  if (!paths)
    return paths.error();
  std::vector<SafetensorsFile> files;
  for (const std::string &name : *paths) {
    Result<SafetensorsFile> file = SafetensorsFile::open(name);
    if (!file)
      return file.error();
    files.push_back(std::move(*file));
  }
  const std::vector<StateTensor> &state = executable.tables().state;
  Match matched = match(state, files);
  if (!matched.problems.empty())
    return inputError(path + ": expected the parameters of the program, found a file that differs" + matched.problems);
  for (auto [index, stored] : matched.pairs) {
    const TensorInfo &want = state[index].tensor;
    Result<TensorRef> tensor = stored.file->tensor(*stored.entry);
    if (!tensor)
      return tensor.error();
    std::vector<char> data(*byteCount(want));
    if (Result<void> done = convertElements(*tensor, want.dtype, data.data()); !done)
      return inputError(stored.file->path() + ": " + done.error().message);
    if (Result<void> written = executable.writeState(index, data.data()); !written)
      return written;
  }
  return makeNarrowCopies(executable);
}

Result<void> nova::saveParameters(Executable &executable, const std::string &path) {
  return writeState(executable, path, [](const StateTensor &tensor) {
    return tensor.role == StateTensor::Role::Parameter ? namesOf(tensor) : std::vector<std::string>();
  });
}
