//===- FileKind.cpp -------------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileKind.h"

#include "Nova/Support/CheckedMath.h"

#include <algorithm>
#include <cstring>

using namespace nova;
using namespace std::string_view_literals;

/// Enough of a file to tell what it is.
static constexpr size_t kLookedAt = 64 << 10;

static constexpr char kUnpack[] = "unpack it first";
static constexpr char kConvert[] = "convert it to .safetensors, or to tokens with --data-format=uint32";
static constexpr char kNoData[] = "give text, tokens or a .safetensors file";

namespace {
struct Signature {
  std::string_view bytes;
  const char *name;
  const char *wayOut;
  size_t offset = 0;
};
} // namespace

static constexpr Signature kSignatures[] = {
    {"\x1f\x8b\x08"sv, "a gzip archive", kUnpack},
    {"BZh"sv, "a bzip2 archive", kUnpack},
    {"\xfd"
     "7zXZ\0"sv,
     "an xz archive", kUnpack},
    {"\x28\xb5\x2f\xfd"sv, "a zstd archive", kUnpack},
    {"\x04\x22\x4d\x18"sv, "an lz4 archive", kUnpack},
    {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive", kUnpack},
    {"ustar"sv, "a tar archive", kUnpack, 257},
    {"PK\x03\x04"sv, "a zip archive, as .npz and PyTorch's files are", kConvert},
    {"PK\x05\x06"sv, "an empty zip archive", kConvert},
    {"\x93NUMPY"sv, "a .npy array", kConvert},
    {"PAR1"sv, "a Parquet table", kConvert},
    {"ARROW1"sv, "an Arrow table", kConvert},
    {"FEA1"sv, "a Feather table", kConvert},
    {"Obj\x01"sv, "an Avro file", kConvert},
    {"ORC"sv, "an ORC table", kConvert},
    {"\x89HDF\r\n\x1a\n"sv, "an HDF5 file", kConvert},
    {"SQLite format 3\0"sv, "an SQLite database", kConvert},
    {"\x89PNG\r\n\x1a\n"sv, "a PNG image", kNoData},
    {"\xff\xd8\xff"sv, "a JPEG image", kNoData},
    {"GIF8"sv, "a GIF image", kNoData},
    {"RIFF"sv, "a RIFF file (WAV, WebP, AVI)", kNoData},
    {"%PDF-"sv, "a PDF document", kNoData},
    {"GGUF"sv, "a GGUF model", kNoData},
    {"\x7f"
     "ELF"sv,
     "a program or library (ELF)", kNoData},
    {"MZ\x90"sv, "a Windows program", kNoData},
    {"\0asm"sv, "a WebAssembly module", kNoData},
    {"BC\xc0\xde"sv, "LLVM bitcode", kNoData},
    {"ML\xefR"sv, "bytecode of MLIR", kNoData},
    {"NOVABNDL"sv, "a bundle", kNoData},
};

template <typename T> static T wordAt(std::string_view bytes, size_t index) {
  T word;
  std::memcpy(&word, bytes.data() + index * sizeof(word), sizeof(word));
  return word;
}

//===----------------------------------------------------------------------===//
// Other formats
//===----------------------------------------------------------------------===//

bool nova::isSafetensorsContent(std::string_view bytes) {
  return bytes.size() > 10 && bytes[8] == '{' && fitsIn(8, wordAt<uint64_t>(bytes, 0), bytes.size());
}

/// Pickles say their protocol, which could be a token too: so the next instruction and the last one are looked at.
static bool isPickle(std::string_view bytes) {
  return bytes.size() > 4 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5 && bytes.back() == '.' &&
         "}](cCXKJMNG)\x8a\x8c\x95"sv.find(bytes[2]) != std::string_view::npos;
}

/// Headers of llm.c's kind have 256 words, of which the last ones are zero; models and states of a run have one, too.
static bool isUnknownHeader(std::string_view bytes) {
  constexpr size_t kWords = 256, kUsed = 16;
  if (bytes.size() < kWords * 4 || wordAt<int32_t>(bytes, 0) == 0)
    return false;
  for (size_t i = kUsed; i < kWords; ++i)
    if (wordAt<int32_t>(bytes, i) != 0)
      return false;
  int32_t magic = wordAt<int32_t>(bytes, 0);
  return magic >= 20200101 && magic <= 20991231;
}

std::string nova::describeOtherFormat(std::string_view bytes) {
  auto found = [](const std::string &name, const std::string &wayOut) { return "found " + name + "; " + wayOut; };
  for (const Signature &signature : kSignatures)
    if (bytes.size() >= signature.offset && bytes.substr(signature.offset, signature.bytes.size()) == signature.bytes)
      return found(signature.name, signature.wayOut);
  if (isSafetensorsContent(bytes))
    return found("a safetensors file", "say so with --data-format=safetensors");
  if (isPickle(bytes))
    return found("a pickle of Python", kConvert);
  return "";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static bool isControl(char c) {
  auto byte = static_cast<unsigned char>(c);
  return byte == 0x7f || (byte < 0x20 && (byte < 0x07 || byte > 0x0d) && byte != 0x1b);
}

/// Whether the bytes are UTF-8; a character may be cut off at their end.
static bool isUtf8(std::string_view bytes) {
  for (size_t i = 0; i < bytes.size();) {
    auto lead = static_cast<unsigned char>(bytes[i]);
    size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length == 0)
      return false;
    for (size_t k = 1; k < length && i + k < bytes.size(); ++k)
      if ((bytes[i + k] & 0xc0) != 0x80)
        return false;
    i += length;
  }
  return true;
}

static bool looksLikeText(std::string_view bytes) {
  return std::none_of(bytes.begin(), bytes.end(), isControl) && isUtf8(bytes);
}

Result<void> nova::checkIsText(std::string_view bytes) {
  std::string_view head = bytes.substr(0, kLookedAt);
  // Text may begin with the letters of a signature; documents are text and more.
  bool isDocument = head.substr(0, 5) == "%PDF-";
  if (looksLikeText(head) && !isDocument)
    return {};
  const std::string expected = "expected text, ";
  if (std::string other = describeOtherFormat(bytes); !other.empty())
    return inputError(expected + other);
  if (head.substr(0, 2) == "\xff\xfe"sv || head.substr(0, 2) == "\xfe\xff"sv)
    return inputError(expected + "found UTF-16 or UTF-32 by its first bytes; convert it to UTF-8 (iconv -t UTF-8)");
  constexpr char kSayWhat[] = "; say what it holds with --data-format (text: train on its bytes as they are)";
  if (size_t zero = head.find('\0'); zero != std::string_view::npos)
    return inputError(expected + "found a zero byte at position " + std::to_string(zero) + kSayWhat);
  // Older encodings of text are no UTF-8, but have no control characters either.
  auto controls = static_cast<size_t>(std::count_if(head.begin(), head.end(), isControl));
  if (!isUtf8(head) && controls * 50 > head.size())
    return inputError(expected + "found binary data: " + std::to_string(controls) + " control characters among " +
                      std::to_string(head.size()) + " bytes" + kSayWhat);
  return {};
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

/// The bytes of a token where those of a file look like wider ones than two: the upper halves of small numbers are
/// zero, or nearly so, all along. 0 where they do not.
static unsigned widerThan2(std::string_view bytes) {
  constexpr uint16_t kSmall = 16; // Vocabularies have less than 2^20 tokens.
  constexpr size_t kLeastPairs = 8;
  size_t pairs = std::min(bytes.size(), kLookedAt) / 4;
  if (bytes.size() % 4 != 0 || pairs < kLeastPairs)
    return 0;
  bool areWide = true, are8 = bytes.size() % 8 == 0, hasLarge = false;
  for (size_t i = 0; i < pairs; ++i) {
    uint16_t lower = wordAt<uint16_t>(bytes, 2 * i), upper = wordAt<uint16_t>(bytes, 2 * i + 1);
    areWide &= upper < kSmall;
    hasLarge |= lower >= kSmall;
    are8 &= i % 2 == 0 || (lower == 0 && upper == 0);
  }
  return !areWide || !hasLarge ? 0 : are8 ? 8 : 4;
}

Result<void> nova::checkIsUint16(std::string_view bytes, uint64_t vocabulary) {
  if (isUnknownHeader(bytes))
    return inputError("expected tokens, or a header of llm.c's token files with magic number 20240520 or 20240801, "
                      "found a header with magic number " +
                      std::to_string(wordAt<int32_t>(bytes, 0)) +
                      "; give a token file of llm.c, or say with --data-format what the file holds");
  if (std::string other = describeOtherFormat(bytes); !other.empty())
    return inputError("expected tokens of 2 bytes, " + other);
  constexpr size_t kLeastText = 64; // Less may be tokens by chance.
  if (std::string_view head = bytes.substr(0, kLookedAt); head.size() >= kLeastText && looksLikeText(head))
    return inputError("expected tokens of 2 bytes, found text; say so with --data-format=text, or nanogpt if they are "
                      "tokens nevertheless");
  if (unsigned width = widerThan2(bytes))
    return inputError("expected tokens of 2 bytes, found what looks like " + std::to_string(width) +
                      " bytes each; say so with --data-format=" + (width == 4 ? "uint32" : "int64") +
                      ", or nanogpt if they have 2 nevertheless");
  if (vocabulary > 65536)
    return inputError("expected tokens of a vocabulary of " + std::to_string(vocabulary) +
                      ", found a file without a header, whose tokens of 2 bytes end at 65535; say with "
                      "--data-format=uint32 that they have 4, or with nanogpt that they have 2 nevertheless");
  return {};
}
