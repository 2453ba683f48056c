//===- TokenFile.cpp - Files of tokens ------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/TokenFile.h"

#include <optional>

using namespace nova;

static constexpr size_t kLlmCHeaderBytes = 256 * sizeof(int32_t);

namespace {
/// The two kinds of file that llm.c's dev/data/data_common.py writes.
struct LlmCKind {
  int32_t magic, version;
  unsigned width;
};
} // namespace

static constexpr LlmCKind kLlmCKinds[] = {{20240520, 1, 2}, {20240801, 7, 4}};

static bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

static int32_t headerWord(std::string_view bytes, size_t index) {
  int32_t word;
  std::memcpy(&word, bytes.data() + index * sizeof(word), sizeof(word));
  return word;
}

/// The kind whose magic number the file begins with.
static const LlmCKind *llmCKindOf(std::string_view bytes) {
  for (const LlmCKind &kind : kLlmCKinds)
    if (bytes.size() >= kLlmCHeaderBytes && headerWord(bytes, 0) == kind.magic)
      return &kind;
  return nullptr;
}

/// Checks the header; the number of tokens.
static Result<uint64_t> readLlmCHeader(std::string_view bytes, const LlmCKind *kind) {
  if (!kind)
    return inputError("no .bin of llm.c: expected a header of 1024 bytes with magic number 20240520 or 20240801");
  if (headerWord(bytes, 1) != kind->version)
    return inputError("expected version " + std::to_string(kind->version) + " of llm.c's format, found " +
                      std::to_string(headerWord(bytes, 1)));
  int64_t count = headerWord(bytes, 2);
  uint64_t found = bytes.size() - kLlmCHeaderBytes;
  if (count < 0 || static_cast<uint64_t>(count) * kind->width != found)
    return inputError("expected " + std::to_string(count) + " tokens of " + std::to_string(kind->width) +
                      " bytes after the header, found " + std::to_string(found) +
                      " bytes; the file is truncated or "
                      "damaged");
  return static_cast<uint64_t>(count);
}

Result<TokenFile> TokenFile::open(const std::string &path, DataFormat format) {
  Result<MappedFile> mapped = MappedFile::open(path);
  if (!mapped)
    return mapped.error();
  TokenFile file(path, std::move(*mapped));
  std::string_view bytes = file.file.bytes();
  file.tokens = bytes.data();
  file.count = bytes.size();

  const LlmCKind *kind = llmCKindOf(bytes);
  if (format == DataFormat::Auto)
    format = !endsWith(path, ".bin") ? DataFormat::Text : kind ? DataFormat::LlmC : DataFormat::NanoGpt;
  if (format == DataFormat::NanoGpt) {
    if (bytes.size() % 2 != 0)
      return inputError(path + ": expected tokens of 2 bytes, found " + std::to_string(bytes.size()) +
                        " bytes; the file is truncated or no .bin of nanoGPT");
    file.width = 2;
    file.count = bytes.size() / 2;
  }
  if (format == DataFormat::LlmC) {
    Result<uint64_t> count = readLlmCHeader(bytes, kind);
    if (!count)
      return inputError(path + ": " + count.error().message);
    file.tokens += kLlmCHeaderBytes;
    file.width = kind->width;
    file.count = *count;
  }
  return file;
}

//===----------------------------------------------------------------------===//
// TokenFiles
//===----------------------------------------------------------------------===//

Result<TokenFiles> TokenFiles::open(const std::vector<std::string> &paths, DataFormat format) {
  TokenFiles sequence;
  uint64_t end = 0;
  for (const std::string &path : paths) {
    Result<TokenFile> file = TokenFile::open(path, format);
    if (!file)
      return file.error();
    end += file->size();
    sequence.files.push_back(std::move(*file));
    sequence.ends.push_back(end);
  }
  return sequence;
}

size_t TokenFiles::fileOf(uint64_t index) const {
  return static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), index) - ends.begin());
}

std::string TokenFiles::locate(uint64_t index) const {
  size_t file = fileOf(index);
  return files[file].path() + ": token " + std::to_string(index - beginOf(file));
}
