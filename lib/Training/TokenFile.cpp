//===- TokenFile.cpp - Files of tokens ------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/TokenFile.h"

#include "FileKind.h"

#include <fstream>

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

/// The bytes of a token in files without a header.
static unsigned widthOf(DataFormat format) {
  return format == DataFormat::NanoGpt ? 2 : format == DataFormat::Uint32 ? 4 : format == DataFormat::Int64 ? 8 : 1;
}

/// What a file is by its name and header, once its bytes do not contradict that.
static Result<DataFormat> guessFormat(const std::string &path, std::string_view bytes, uint64_t vocabulary) {
  if (!endsWith(path, ".bin")) {
    if (Result<void> checked = checkIsText(bytes); !checked)
      return checked.error();
    return DataFormat::Text;
  }
  if (bytes.size() >= sizeof(int32_t))
    for (const LlmCKind &kind : kLlmCKinds)
      if (headerWord(bytes, 0) == kind.magic)
        return DataFormat::LlmC;
  if (Result<void> checked = bytes.size() % 2 ? Result<void>() : checkIsUint16(bytes, vocabulary); !checked)
    return checked.error();
  return DataFormat::NanoGpt;
}

Result<TokenFile> TokenFile::open(const std::string &path, DataFormat format, uint64_t vocabulary) {
  Result<MappedFile> mapped = MappedFile::open(path);
  if (!mapped)
    return mapped.error();
  TokenFile file(path, std::move(*mapped));
  std::string_view bytes = file.file.bytes();
  file.tokens = bytes.data();

  const LlmCKind *kind = llmCKindOf(bytes);
  if (format == DataFormat::Auto) {
    Result<DataFormat> guessed = guessFormat(path, bytes, vocabulary);
    if (!guessed)
      return inputError(path + ": " + guessed.error().message);
    format = *guessed;
  }
  file.isText = format == DataFormat::Text;
  file.width = widthOf(format);
  file.count = bytes.size() / file.width;
  if (format != DataFormat::LlmC && bytes.size() % file.width != 0)
    return inputError(path + ": expected tokens of " + std::to_string(file.width) + " bytes, found " +
                      std::to_string(bytes.size()) + " bytes; the file is truncated, or --data-format says what it is");
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

std::string TokenFile::encoding() const {
  return isText ? "text" : "tokens of " + std::to_string(width) + (width == 1 ? " byte" : " bytes");
}

/// The first of the tokens that is not below the limit, or their number.
template <typename StoredT> static uint64_t findBeyond(const char *bytes, uint64_t length, uint64_t limit) {
  auto isBeyond = [&](uint64_t i) {
    StoredT token;
    std::memcpy(&token, bytes + i * sizeof(token), sizeof(token));
    return token >= limit;
  };
  // All of them first, which takes vector instructions: usually there is none.
  bool isAny = false;
  for (uint64_t i = 0; i < length; ++i)
    isAny |= isBeyond(i);
  if (!isAny)
    return length;
  uint64_t first = 0;
  while (!isBeyond(first))
    ++first;
  return first;
}

Result<std::optional<uint64_t>> TokenFile::findBeyond(uint64_t limit, uint64_t length) const {
  if (width < 8 && limit >> (8 * width) != 0)
    return std::optional<uint64_t>();
  std::ifstream stream(source, std::ios::binary);
  if (!stream)
    return systemError(source, "open");
  stream.seekg(tokens - file.bytes().data());
  std::vector<char> piece(1 << 20);
  for (uint64_t done = 0; done < length;) {
    uint64_t here = std::min<uint64_t>(length - done, piece.size() / width);
    if (!stream.read(piece.data(), static_cast<std::streamsize>(here * width)))
      return systemError(source, "read");
    uint64_t found = width == 1   ? ::findBeyond<uint8_t>(piece.data(), here, limit)
                     : width == 2 ? ::findBeyond<uint16_t>(piece.data(), here, limit)
                     : width == 4 ? ::findBeyond<uint32_t>(piece.data(), here, limit)
                                  : ::findBeyond<uint64_t>(piece.data(), here, limit);
    if (found < here)
      return std::optional<uint64_t>(done + found);
    done += here;
  }
  return std::optional<uint64_t>();
}

//===----------------------------------------------------------------------===//
// TokenFiles
//===----------------------------------------------------------------------===//

Result<TokenFiles> TokenFiles::open(const std::vector<std::string> &paths, DataFormat format, uint64_t vocabulary) {
  TokenFiles sequence;
  uint64_t end = 0;
  for (const std::string &path : paths) {
    Result<TokenFile> file = TokenFile::open(path, format, vocabulary);
    if (!file)
      return file.error();
    if (!sequence.files.empty() && file->encoding() != sequence.encoding())
      return inputError(path + ": expected " + sequence.encoding() + ", as in " + sequence.files.front().path() +
                        ", found " + file->encoding() + "; name files of one kind, or say with --data-format what " +
                        "all of them are");
    end += file->size();
    sequence.files.push_back(std::move(*file));
    sequence.ends.push_back(end);
  }
  return sequence;
}

Result<void> TokenFiles::checkTokens(uint64_t limit) const {
  // Half a second or less; a whole corpus would take as long as reading it from the disk.
  uint64_t left = uint64_t(1) << 28;
  for (const TokenFile &file : files) {
    uint64_t length = std::min(left, file.size());
    Result<std::optional<uint64_t>> found = file.findBeyond(limit, length);
    if (!found)
      return found.error();
    if (*found)
      return inputError(file.path() + ": token " + std::to_string(**found) + ": expected a token below " +
                        std::to_string(limit) + ", found " + std::to_string(static_cast<int64_t>(file[**found])) +
                        "; use data for this vocabulary, or a model with a larger one");
    left -= length;
  }
  return {};
}

size_t TokenFiles::fileOf(uint64_t index) const {
  return static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), index) - ends.begin());
}

std::string TokenFiles::locate(uint64_t index) const {
  size_t file = fileOf(index);
  return files[file].path() + ": token " + std::to_string(index - beginOf(file));
}
