//===- Launches.cpp - Launches from a JSON file ---------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "Nova/Support/File.h"

#include <nlohmann/json.hpp>

using namespace nova;
using nlohmann::json;

namespace {

/// Reads the members of one launch; every message says which launch it is.
class LaunchReader {
public:
  LaunchReader(const json &object, std::string where) : object(object), where(std::move(where)) {}

  Result<LaunchRequest> read() {
    if (!object.is_object())
      return fail("expected an object");
    for (const auto &[key, value] : object.items()) {
      std::string problem = readMember(key, value);
      if (!problem.empty())
        return fail("'" + key + "': " + problem);
    }
    return request;
  }

private:
  Error fail(const std::string &message) const { return inputError(where + ": " + message); }

  static bool readNumber(const json &value, uint32_t &out) {
    if (!value.is_number_unsigned() || value.get<uint64_t>() > UINT32_MAX)
      return false;
    out = value.get<uint32_t>();
    return true;
  }

  /// One to three numbers; those that are left out are `rest`.
  static std::string readDim3(const json &value, uint32_t rest, emulator::Dim3 &out) {
    uint32_t numbers[3] = {rest, rest, rest};
    json list = value.is_array() ? value : json::array({value});
    bool isGood = !list.empty() && list.size() <= 3;
    for (size_t i = 0; isGood && i < list.size(); ++i)
      isGood = readNumber(list[i], numbers[i]);
    out = {numbers[0], numbers[1], numbers[2]};
    return isGood ? "" : "expected one to three numbers of 0 or more";
  }

  /// What is wrong, or nothing.
  std::string readMember(const std::string &key, const json &value) {
    if (key == "grid")
      return readDim3(value, 1, request.grid);
    if (key == "block")
      return readDim3(value, 1, request.block);
    if (key == "first-block")
      return readDim3(value, 0, request.firstBlock.emplace());
    if (key == "last-block")
      return readDim3(value, 0, request.lastBlock.emplace());
    if (key == "shared")
      return readNumber(value, request.shared) ? "" : "expected a number of bytes";
    if (key == "kernel") {
      if (!value.is_string())
        return "expected a name";
      request.kernel = value.get<std::string>();
      return "";
    }
    if (key != "args")
      return "expected kernel, grid, block, first-block, last-block, shared or args";
    if (!value.is_array())
      return "expected a list of strings";
    for (const json &argument : value) {
      if (!argument.is_string())
        return "expected a list of strings";
      request.arguments.push_back(argument.get<std::string>());
    }
    return "";
  }

  const json &object;
  std::string where;
  LaunchRequest request;
};

} // namespace

Result<std::vector<LaunchRequest>> nova::readLaunches(const std::string &path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.error();
  json document = json::parse(file->bytes(), nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded() || !document.is_array() || document.empty())
    return inputError(path + ": expected a JSON list of launches");
  std::vector<LaunchRequest> launches;
  for (size_t i = 0; i < document.size(); ++i) {
    Result<LaunchRequest> launch = LaunchReader(document[i], path + ": launch " + std::to_string(i)).read();
    if (!launch)
      return launch.error();
    launches.push_back(std::move(*launch));
  }
  return launches;
}
