//===- CheckpointFormat.cpp - Names and text of checkpoints ---------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckpointFormat.h"

#include "Nova/Support/File.h"
#include "Nova/Support/Hash.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <vector>

using namespace nova;
using nlohmann::ordered_json;

/// The version of state.json's layout.
static constexpr int kFormat = 1;

std::optional<StoredTensor> nova::storedAs(StateTensor::Role role, const std::string &name) {
  switch (role) {
  case StateTensor::Role::Parameter:
    return StoredTensor{kModelFile, name};
  case StateTensor::Role::Moment1:
    return StoredTensor{kOptimizerFile, "m." + name};
  case StateTensor::Role::Moment2:
    return StoredTensor{kOptimizerFile, "v." + name};
  case StateTensor::Role::Accumulator:
    break; // The first micro-batch of the next step starts it anew.
  case StateTensor::Role::Narrow:
    break; // It is made from the parameter.
  }
  return std::nullopt;
}

Result<FileFacts> nova::factsOf(const std::string &path) {
  // Not mapped: a mapping would count as memory of the run.
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return systemError(path, "open");
  std::vector<char> piece(1 << 20);
  Hash64 hash;
  FileFacts facts;
  do {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hash.update({piece.data(), static_cast<size_t>(file.gcount())});
    facts.bytes += static_cast<uint64_t>(file.gcount());
  } while (file);
  if (file.bad())
    return systemError(path, "read");
  facts.checksum = toHex(hash.digest());
  return facts;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static constexpr std::string_view kPrefix = "step-";

std::string nova::checkpointName(uint64_t step) {
  std::string digits = std::to_string(step);
  // So that listings sort; longer numbers still are numbers.
  return std::string(kPrefix) + std::string(digits.size() < 8 ? 8 - digits.size() : 0, '0') + digits;
}

std::map<uint64_t, std::string> nova::listCheckpoints(const std::string &folder) {
  std::map<uint64_t, std::string> found;
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    bool isNumbered = name.size() > kPrefix.size() && name.size() <= kPrefix.size() + 18 &&
                      name.compare(0, kPrefix.size(), kPrefix) == 0 &&
                      name.find_first_not_of("0123456789", kPrefix.size()) == std::string::npos;
    if (isNumbered)
      found[std::stoull(name.substr(kPrefix.size()))] = entry.path().string();
  }
  return found;
}

//===----------------------------------------------------------------------===//
// state.json
//===----------------------------------------------------------------------===//

std::string nova::stateToJson(const RunState &state, const std::map<std::string, FileFacts> &files) {
  ordered_json object = {{"format", kFormat}, {"step", state.step}, {"batch", state.batch}};
  object["best"] = nullptr;
  if (state.best)
    object["best"] = {{"step", state.best->step}, {"eval_loss", state.best->evalLoss}};
  object["fixed"] = state.fixed;
  object["settings"] = state.settings;
  object["files"] = ordered_json::object();
  for (const auto &[name, facts] : files)
    object["files"][name] = {{"bytes", facts.bytes}, {"xxh64", facts.checksum}};
  return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<RunState> nova::stateFromJson(std::string_view text, const std::string &source,
                                     std::map<std::string, FileFacts> &files) {
  const std::string prefix = source + ": no state of a checkpoint: ";
  ordered_json object = ordered_json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (object.is_discarded())
    return inputError(prefix + "expected JSON");
  RunState state;
  try {
    if (int format = object.at("format").get<int>(); format != kFormat)
      return inputError(prefix + "expected format " + std::to_string(kFormat) + ", found " + std::to_string(format));
    object.at("step").get_to(state.step);
    object.at("batch").get_to(state.batch);
    // Earlier versions took an evaluation that was NaN for the best, and wrote null for it.
    if (const ordered_json &best = object.at("best"); !best.is_null() && !best.at("eval_loss").is_null())
      state.best = RunState::Best{best.at("step").get<uint64_t>(), best.at("eval_loss").get<double>()};
    object.at("fixed").get_to(state.fixed);
    object.at("settings").get_to(state.settings);
    for (const auto &[name, facts] : object.at("files").items())
      files[name] = {facts.at("bytes").get<uint64_t>(), facts.at("xxh64").get<std::string>()};
  } catch (const ordered_json::exception &exception) {
    return inputError(prefix + exception.what());
  }
  return state;
}
