//===- TokenFile.h - Files of tokens ----------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_TOKENFILE_H
#define NOVA_TRAINING_TOKENFILE_H

#include "Nova/Support/File.h"
#include "Nova/Training/Data.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace nova {

/// Tokens in a mapped file: the bytes of a text, nanoGPT's bare uint16, bare uint32 or int64, or llm.c's header (magic,
/// version, count in 256 int32) followed by uint16 (GPT-2) or uint32 (Llama 3).
class TokenFile {
public:
  /// With DataFormat::Auto a name that ends in ".bin" is one of nanoGPT and llm.c, told apart by the header, and other
  /// names are text; a file that cannot be what its name says is refused. `vocabulary` is the program's, or 0.
  static Result<TokenFile> open(const std::string &path, DataFormat format, uint64_t vocabulary = 0);

  const std::string &path() const { return source; }
  /// How its tokens are stored, such as "text" or "tokens of 2 bytes": files of one sequence have the same.
  std::string encoding() const;
  /// The place of the first of `length` tokens that is not below `limit`. The file is read without its mapping, whose
  /// pages would count as memory of the run.
  Result<std::optional<uint64_t>> findBeyond(uint64_t limit, uint64_t length) const;
  uint64_t size() const { return count; }
  uint64_t operator[](uint64_t index) const {
    uint64_t token;
    copy(index, 1, &token);
    return token;
  }
  /// Copies tokens [first, first + length).
  template <typename T> void copy(uint64_t first, uint64_t length, T *out) const {
    if (width == 1)
      copyAs<uint8_t>(first, length, out);
    else if (width == 2)
      copyAs<uint16_t>(first, length, out);
    else if (width == 4)
      copyAs<uint32_t>(first, length, out);
    else
      copyAs<uint64_t>(first, length, out);
  }

private:
  /// With the width known: loops of vector instructions.
  template <typename StoredT, typename T> void copyAs(uint64_t first, uint64_t length, T *out) const {
    const char *from = tokens + first * sizeof(StoredT);
    for (uint64_t i = 0; i < length; ++i) {
      StoredT token;
      std::memcpy(&token, from + i * sizeof(token), sizeof(token));
      out[i] = static_cast<T>(token);
    }
  }

  explicit TokenFile(std::string source, MappedFile file) : source(std::move(source)), file(std::move(file)) {}

  std::string source;
  MappedFile file;
  const char *tokens = nullptr;
  unsigned width = 1;  ///< bytes of a token
  bool isText = false; ///< tokens are bytes
  uint64_t count = 0;
};

/// Several files as one sequence of tokens.
class TokenFiles {
public:
  static Result<TokenFiles> open(const std::vector<std::string> &paths, DataFormat format, uint64_t vocabulary);

  /// Fails where a token is not below `limit`. What lies far back in a long sequence is left to the run, which finds it
  /// when it comes to it.
  Result<void> checkTokens(uint64_t limit) const;

  /// As TokenFile::encoding.
  std::string encoding() const { return files.front().encoding(); }

  uint64_t size() const { return ends.back(); }

  /// Copies tokens [start, start + length), which may lie in several files.
  template <typename T> void copy(uint64_t start, uint64_t length, T *out) const {
    for (size_t file = fileOf(start); length > 0; ++file) {
      uint64_t count = std::min(length, ends[file] - start);
      files[file].copy(start - beginOf(file), count, out);
      start += count;
      out += count;
      length -= count;
    }
  }

  /// "data.bin: token 1234", counted from the start of that file.
  std::string locate(uint64_t index) const;

private:
  size_t fileOf(uint64_t index) const;
  uint64_t beginOf(size_t file) const { return file == 0 ? 0 : ends[file - 1]; }

  std::vector<TokenFile> files;
  std::vector<uint64_t> ends; ///< of each file in the sequence
};

} // namespace nova

#endif // NOVA_TRAINING_TOKENFILE_H
