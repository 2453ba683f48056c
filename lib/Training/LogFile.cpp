//===- LogFile.cpp - Records as csv or jsonl ------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/LogFile.h"

#include "AppendedFile.h"
#include "Nova/Support/File.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <fcntl.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace nova;
using nlohmann::ordered_json;

static bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The fields in the order of docs/CommandLine.md; null for what is absent or no number.
static ordered_json toJson(const Record &record) {
  auto number = [](std::optional<double> value) -> ordered_json {
    if (!value || !std::isfinite(*value))
      return nullptr;
    return *value;
  };
  return {{"step", record.step},
          {"loss", number(record.loss)},
          {"lr", record.lr},
          {"grad_norm", number(record.gradNorm)},
          {"tokens_per_s", record.tokensPerSecond},
          {"step_ms", record.stepMs},
          {"eval_loss", number(record.evalLoss)},
          {"peak_memory_bytes", record.peakMemoryBytes}};
}

bool LogFile::isLogName(const std::string &path) { return endsWith(path, ".csv") || endsWith(path, ".jsonl"); }

Result<LogFile> LogFile::create(const std::string &path) {
  if (!isLogName(path))
    return usageError("expected a log whose name ends in .csv or .jsonl, found " + path);
  LogFile log;
  log.path = path;
  log.isCsv = endsWith(path, ".csv");
  if (Result<void> opened = log.open(O_TRUNC); !opened)
    return opened.error();
  if (log.isCsv) {
    const ordered_json fields = toJson(Record());
    std::string header;
    for (const auto &[name, unused] : fields.items())
      header += (header.empty() ? "" : ",") + name;
    if (Result<void> written = log.writeLine(header); !written)
      return written.error();
  }
  return log;
}

Result<void> LogFile::open(int flags) {
  descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | flags, 0666);
  if (descriptor < 0)
    return systemError(path, "write");
  return {};
}

/// The step of a record's line; nothing for the header, and for what is no record.
static std::optional<uint64_t> stepOf(const std::string &line, bool isCsv) {
  if (isCsv) {
    char *end = nullptr;
    unsigned long long step = std::strtoull(line.c_str(), &end, 10);
    return end != line.c_str() && *end == ',' ? std::optional<uint64_t>(step) : std::nullopt;
  }
  ordered_json record = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!record.is_object() || !record.contains("step") || !record["step"].is_number_unsigned())
    return std::nullopt;
  return record["step"].get<uint64_t>();
}

Result<LogFile> LogFile::resume(const std::string &path, uint64_t step) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
    return create(path);
  Result<MappedFile> before = MappedFile::open(path);
  if (!before)
    return before.error();
  LogFile log;
  log.path = path;
  log.isCsv = endsWith(path, ".csv");
  std::string kept;
  std::istringstream lines{std::string(before->bytes())};
  for (std::string line; std::getline(lines, line);) {
    std::optional<uint64_t> found = stepOf(line, log.isCsv);
    bool isHeader = log.isCsv && kept.empty();
    if (isHeader || (found && *found < step))
      kept += line + "\n";
  }
  if (Result<void> written = writeFile(path, kept); !written)
    return written.error();
  if (Result<void> opened = log.open(0); !opened)
    return opened.error();
  return log;
}

LogFile::LogFile(LogFile &&other) noexcept
    : path(std::move(other.path)), isCsv(other.isCsv), descriptor(std::exchange(other.descriptor, -1)) {}

LogFile::~LogFile() {
  if (descriptor >= 0)
    close(descriptor);
}

Result<void> LogFile::write(const Record &record) {
  ordered_json object = toJson(record);
  if (!isCsv)
    return writeLine(object.dump());
  std::string line;
  bool isFirst = true;
  for (const auto &[name, value] : object.items()) {
    line += (isFirst ? "" : ",") + (value.is_null() ? "" : value.dump());
    isFirst = false;
  }
  return writeLine(line);
}

Result<void> LogFile::writeLine(const std::string &line) { return appendWhole(descriptor, path, line + "\n"); }
