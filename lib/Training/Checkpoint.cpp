//===- Checkpoint.cpp - Reading checkpoints -------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Checkpoint.h"

#include "CheckpointFormat.h"
#include "Nova/Support/File.h"
#include "Nova/Support/Safetensors.h"

#include <unistd.h>

using namespace nova;

static Result<std::string> findCheckpoint(const std::string &path) {
  if (access((path + "/" + kStateFile).c_str(), F_OK) == 0)
    return path;
  std::map<uint64_t, std::string> found = listCheckpoints(path);
  if (found.empty())
    return inputError(path + ": expected a checkpoint, or a folder with some (" + checkpointName(100) +
                      "), found none; start a run with --checkpoint=" + path);
  return found.rbegin()->second;
}

static Result<void> verifyFile(const std::string &path, const FileFacts &expected) {
  Result<FileFacts> facts = factsOf(path);
  if (!facts)
    return facts.error();
  if (facts->bytes != expected.bytes)
    return inputError(path + ": expected " + std::to_string(expected.bytes) + " bytes, found " +
                      std::to_string(facts->bytes) + "; name an older checkpoint");
  if (facts->checksum != expected.checksum)
    return inputError(path + ": expected checksum " + expected.checksum + ", found " + facts->checksum +
                      ": the file is damaged; name an older checkpoint");
  return {};
}

Result<Checkpoint> Checkpoint::open(const std::string &path) {
  Result<std::string> folder = findCheckpoint(path);
  if (!folder)
    return folder.error();
  Checkpoint checkpoint;
  checkpoint.folder = *folder;
  std::string statePath = *folder + "/" + kStateFile;
  Result<MappedFile> text = MappedFile::open(statePath);
  if (!text)
    return text.error();
  std::map<std::string, FileFacts> files;
  Result<RunState> state = stateFromJson(text->bytes(), statePath, files);
  if (!state)
    return state.error();
  for (const char *name : kTensorFiles) {
    if (!files.count(name))
      return inputError(statePath + ": expected the checksum of " + name + ", found none");
    if (Result<void> verified = verifyFile(*folder + "/" + name, files[name]); !verified)
      return verified.error();
  }
  checkpoint.run = std::move(*state);
  return checkpoint;
}

/// One "NAME: A there, B here" a line for what differs.
static std::string differences(const std::map<std::string, std::string> &there,
                               const std::map<std::string, std::string> &here) {
  std::string text;
  auto valueOf = [](const std::map<std::string, std::string> &values, const std::string &name) {
    auto found = values.find(name);
    return found == values.end() ? "nothing" : found->second;
  };
  std::map<std::string, std::string> all = there;
  all.insert(here.begin(), here.end());
  for (const auto &[name, unused] : all)
    if (valueOf(there, name) != valueOf(here, name))
      text += "\n  " + name + ": " + valueOf(there, name) + " there, " + valueOf(here, name) + " here";
  return text;
}

Result<std::string> Checkpoint::compare(const RunState &now) const {
  if (std::string text = differences(run.fixed, now.fixed); !text.empty())
    return inputError(folder + ": expected the run that it was saved from, found one that differs" + text +
                      "\n  give the same, or start a new run from its parameters: --init=" + folder + "/" + kModelFile);
  std::string text = differences(run.settings, now.settings);
  return text.empty() ? text : "warning: the run goes on otherwise than " + folder + " was saved" + text;
}

/// The names of each parameter, that of the program first: a tied weight may have another one in the program that wrote
/// the checkpoint.
static std::map<std::string, std::vector<std::string>> namesOfParameters(const std::vector<StateTensor> &state) {
  std::map<std::string, std::vector<std::string>> names;
  for (const StateTensor &tensor : state)
    if (tensor.role == StateTensor::Role::Parameter) {
      std::vector<std::string> &all = names[tensor.tensor.name] = {tensor.tensor.name};
      all.insert(all.end(), tensor.aliases.begin(), tensor.aliases.end());
    }
  return names;
}

Result<void> Checkpoint::restore(Executable &executable) const {
  std::map<std::string, SafetensorsFile> files;
  for (const char *name : kTensorFiles) {
    Result<SafetensorsFile> file = SafetensorsFile::open(folder + "/" + name);
    if (!file)
      return file.error();
    files.emplace(name, std::move(*file));
  }
  const std::vector<StateTensor> &state = executable.tables().state;
  std::vector<std::pair<size_t, TensorRef>> found;
  std::map<std::string, std::vector<std::string>> names = namesOfParameters(state);
  size_t known = 0;
  std::string problems;
  for (size_t i = 0; i < state.size(); ++i) {
    const std::string &name = state[i].tensor.name;
    std::optional<StoredTensor> stored = storedAs(state[i].role, name);
    if (!stored)
      continue;
    const SafetensorsFile &file = files.at(stored->file);
    const SafetensorsEntry *entry = nullptr;
    for (const std::string &known : names[name])
      entry = entry ? entry : file.find(storedAs(state[i].role, known)->name);
    if (!entry) {
      problems += "\n  missing: " + stored->name;
      continue;
    }
    Result<TensorRef> tensor = file.tensor(*entry);
    if (!tensor)
      return tensor.error();
    ++known;
    const TensorInfo &want = state[i].tensor;
    if (tensor->info.dtype != want.dtype || tensor->info.shape != want.shape)
      problems += "\n  " + stored->name + ": expected " + typeToString(want) + ", found " + typeToString(tensor->info);
    found.emplace_back(i, *tensor);
  }
  size_t there = 0;
  for (const auto &[name, file] : files)
    there += file.entries().size();
  if (problems.empty() && known != there)
    problems = "\n  " + std::to_string(there - known) + " tensors that the program does not have";
  if (!problems.empty())
    return inputError(folder + ": expected the parameters and optimizer state of the program, found a checkpoint of " +
                      "another one" + problems);
  for (const auto &[index, tensor] : found)
    if (Result<void> written = executable.writeState(index, tensor.data); !written)
      return written;
  return makeNarrowCopies(executable);
}
