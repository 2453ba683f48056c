//===- LogFile.cpp - Records as csv or jsonl ------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/LogFile.h"

#include "Nova/Support/File.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cmath>
#include <fcntl.h>
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
  log.descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (log.descriptor < 0)
    return systemError(path, "write");
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

Result<void> LogFile::writeLine(const std::string &line) {
  std::string bytes = line + "\n";
  for (size_t done = 0; done < bytes.size();) {
    ssize_t written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0) {
      Error error = systemError(path, "write");
      // Half a line would spoil the log for its readers.
      struct stat info;
      if (fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode))
        (void)!ftruncate(descriptor, info.st_size - static_cast<off_t>(done));
      return error;
    }
    done += static_cast<size_t>(written);
  }
  return {};
}
