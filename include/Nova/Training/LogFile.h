//===- LogFile.h - Records as csv or jsonl ----------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_LOGFILE_H
#define NOVA_TRAINING_LOGFILE_H

#include "Nova/Training/Record.h"

#include <string>

namespace nova {

/// A record a line, written at once, so that the log can be followed; the file only ever holds whole lines.
class LogFile final : public RecordSink {
public:
  /// The format follows from the name, which ends in .csv or .jsonl.
  static bool isLogName(const std::string &path);
  static Result<LogFile> create(const std::string &path);
  /// Goes on with the log of an earlier run: records of `step` and later ones, which are about to come again, are taken
  /// out of it.
  static Result<LogFile> resume(const std::string &path, uint64_t step);

  LogFile(LogFile &&other) noexcept;
  LogFile &operator=(LogFile &&) = delete;
  ~LogFile() override;

  Result<void> write(const Record &record) override;

private:
  LogFile() = default;
  Result<void> open(int flags);
  Result<void> writeLine(const std::string &line);

  std::string path;
  bool isCsv = false;
  int descriptor = -1;
};

} // namespace nova

#endif // NOVA_TRAINING_LOGFILE_H
