//===- DataTest.cpp -------------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Data.h"
#include "Damage.h"
#include "Nova/Support/Safetensors.h"
#include "Nova/Training/TokenFile.h"
#include "TempFolder.h"

#include <gtest/gtest.h>
#include <set>

using namespace nova;

static Argument argument(const std::string &name, DType type, std::vector<int64_t> shape, int64_t bound = 0) {
  Argument result;
  result.tensor = {name, type, std::move(shape)};
  result.bound = bound;
  return result;
}

/// Tokens and targets of `rows` windows of `length`.
static std::vector<Argument> tokenArguments(int64_t rows, int64_t length, DType type = DType::I32) {
  return {argument("x", type, {rows, length}), argument("y", type, {rows, length})};
}

/// The batch of a step, tokens then targets.
static std::vector<std::vector<int32_t>> batchOf(DataSource &data, uint64_t step, size_t elements) {
  std::vector<std::vector<int32_t>> batch(2, std::vector<int32_t>(elements));
  EXPECT_TRUE(data.fill(step, {batch[0].data(), batch[1].data()}));
  return batch;
}

static std::unique_ptr<DataSource> open(const DataOptions &options, const std::vector<Argument> &arguments) {
  auto data = openData(options, arguments);
  EXPECT_TRUE(data) << data.error().message;
  return std::move(*data);
}

static std::string errorOf(const DataOptions &options, const std::vector<Argument> &arguments) {
  auto data = openData(options, arguments);
  EXPECT_FALSE(data);
  return data ? "" : data.error().message;
}

template <typename T> static std::string bytesOf(const std::vector<T> &values) {
  return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)};
}

static std::string llmCFile(int32_t magic, int32_t version, int32_t count, const std::string &tokens) {
  std::vector<int32_t> header(256);
  header[0] = magic;
  header[1] = version;
  header[2] = count;
  return bytesOf(header) + tokens;
}

TEST(Data, SequentialRowsFollowEachOtherAndStartAgain) {
  TempFolder folder;
  // 14 tokens, 2 rows of 3: two batches of 6 and their last target fit (13 tokens), a third does not.
  DataOptions options = {folder.write("t", "abcdefghijklmn"), DataFormat::Auto, DataOrder::Sequential, 0};
  auto data = open(options, tokenArguments(2, 3));
  EXPECT_EQ(batchOf(*data, 0, 6)[0], (std::vector<int32_t>{'a', 'b', 'c', 'd', 'e', 'f'}));
  EXPECT_EQ(batchOf(*data, 0, 6)[1], (std::vector<int32_t>{'b', 'c', 'd', 'e', 'f', 'g'}));
  EXPECT_EQ(batchOf(*data, 1, 6)[0], (std::vector<int32_t>{'g', 'h', 'i', 'j', 'k', 'l'}));
  EXPECT_EQ(batchOf(*data, 1, 6)[1], (std::vector<int32_t>{'h', 'i', 'j', 'k', 'l', 'm'}));
  EXPECT_EQ(batchOf(*data, 2, 6), batchOf(*data, 0, 6));
  EXPECT_EQ(data->locate(1, 1, 4), options.path + ": token 11");
}

TEST(Data, SequentialUsesAFileThatFitsExactly) {
  TempFolder folder;
  DataOptions options = {folder.write("t", "abcdefg"), DataFormat::Auto, DataOrder::Sequential, 0};
  auto data = open(options, tokenArguments(2, 3));
  EXPECT_EQ(batchOf(*data, 5, 6)[1].back(), 'g');
  options.path = folder.write("t", "abcdef");
  EXPECT_EQ(errorOf(options, tokenArguments(2, 3)),
            options.path + ": expected at least 7 tokens (2 windows of 3 and a target), found 6; give more data or a "
                           "shorter context");
}

TEST(Data, RandomWindowsReachTheWholeFileAndDependOnTheStepOnly) {
  TempFolder folder;
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += static_cast<char>(i);
  DataOptions options = {folder.write("t", text), DataFormat::Text, DataOrder::Random, 3};
  auto data = open(options, tokenArguments(4, 8));
  std::set<int32_t> starts;
  for (uint64_t step = 0; step < 500; ++step) {
    auto batch = batchOf(*data, step, 32);
    for (size_t i = 0; i < 32; ++i)
      ASSERT_EQ(batch[1][i], batch[0][i] + 1);
    for (size_t row = 0; row < 4; ++row)
      starts.insert(batch[0][row * 8]);
    EXPECT_EQ(data->locate(step, 0, 9), options.path + ": token " + std::to_string(batch[0][9]));
  }
  EXPECT_EQ(*starts.begin(), 0);
  EXPECT_EQ(*starts.rbegin(), 91); // The last target is the last token, 99.
  EXPECT_EQ(starts.size(), 92u);
  EXPECT_EQ(batchOf(*open(options, tokenArguments(4, 8)), 7, 32), batchOf(*data, 7, 32));
  options.seed = 4;
  EXPECT_NE(batchOf(*open(options, tokenArguments(4, 8)), 7, 32), batchOf(*data, 7, 32));
}

TEST(Data, SeveralFilesAreOneSequence) {
  TempFolder folder;
  folder.write("part_2.txt", "fghij");
  folder.write("part_1.txt", "abcde");
  folder.write("part_3.txt", "k");
  DataOptions options = {folder.path("part_*.txt"), DataFormat::Auto, DataOrder::Sequential, 0};
  auto data = open(options, tokenArguments(1, 4));
  EXPECT_EQ(data->batchesInSequence(), 2u);
  EXPECT_EQ(data->extent(), "11 tokens");
  auto batch = batchOf(*data, 1, 4);
  EXPECT_EQ(batch[0], (std::vector<int32_t>{'e', 'f', 'g', 'h'}));
  EXPECT_EQ(batch[1], (std::vector<int32_t>{'f', 'g', 'h', 'i'}));
  EXPECT_EQ(data->locate(1, 0, 0), folder.path("part_1.txt") + ": token 4");
  EXPECT_EQ(data->locate(1, 0, 1), folder.path("part_2.txt") + ": token 0");
  // Windows over all of three files.
  batch = batchOf(*open(options, tokenArguments(1, 10)), 0, 10);
  EXPECT_EQ(batch[1][9], 'k');
  // What looks like a pattern may be a name.
  std::string odd = folder.write("odd[1].txt", "0123456789");
  EXPECT_EQ(open({odd, DataFormat::Auto, DataOrder::Sequential, 0}, tokenArguments(1, 4))->extent(), "10 tokens");
  options.path = folder.path("none_*.txt");
  EXPECT_EQ(errorOf(options, tokenArguments(1, 4)),
            options.path + ": expected files that match this pattern, found none");
}

TEST(Data, AFileMayBeLargerThanMemory) {
  TempFolder folder;
  std::string path = folder.write("huge.bin", "");
  const uint64_t bytes = uint64_t(1) << 40;
  std::error_code error;
  std::filesystem::resize_file(path, bytes, error);
  if (error)
    GTEST_SKIP() << "no sparse files of this size here: " << error.message();
  auto data = open({path, DataFormat::Auto, DataOrder::Random, 0}, tokenArguments(4, 256));
  for (uint64_t step = 0; step < 2; ++step)
    EXPECT_EQ(batchOf(*data, step, 1024)[0][0], 0);
}

TEST(Data, AWindowNeedsOneTokenMore) {
  TempFolder folder;
  DataOptions options = {folder.write("t", "abcd"), DataFormat::Auto, DataOrder::Random, 0};
  EXPECT_EQ(batchOf(*open(options, tokenArguments(2, 3)), 0, 6)[1],
            (std::vector<int32_t>{'b', 'c', 'd', 'b', 'c', 'd'}));
  EXPECT_EQ(errorOf(options, tokenArguments(2, 4)),
            options.path + ": expected at least 5 tokens (a window of 4 and a target), found 4; give more data or a "
                           "shorter context");
  options.path = folder.write("empty", "");
  EXPECT_NE(errorOf(options, tokenArguments(1, 1)).find("found 0"), std::string::npos);
}

TEST(Data, ReadsNanoGptsFiles) {
  TempFolder folder;
  DataOptions options = {folder.write("t.bin", bytesOf(std::vector<uint16_t>{50256, 1, 65535, 7})), DataFormat::Auto,
                         DataOrder::Sequential, 0};
  auto batch = batchOf(*open(options, tokenArguments(1, 3)), 0, 3);
  EXPECT_EQ(batch[0], (std::vector<int32_t>{50256, 1, 65535}));
  EXPECT_EQ(batch[1], (std::vector<int32_t>{1, 65535, 7}));
  options.path = folder.write("odd.bin", "abc");
  EXPECT_EQ(errorOf(options, tokenArguments(1, 1)), options.path + ": expected tokens of 2 bytes, found 3 bytes; the "
                                                                   "file is truncated, or --data-format says what it "
                                                                   "is");
}

TEST(Data, OtherFormatsAreKnownByTheirFirstBytes) {
  TempFolder folder;
  using namespace std::string_literals;
  const std::pair<std::string, const char *> formats[] = {
      {"\x1f\x8b\x08\0\0\0\0\0"s, "gzip"},
      {"BZh91AY&SY\0\1"s, "bzip2"},
      {"\xfd\x37zXZ\0\0\1"s, "xz"},
      {"\x28\xb5\x2f\xfd\1\0"s, "zstd"},
      {"\x04\x22\x4d\x18\1\0"s, "lz4"},
      {"7z\xbc\xaf\x27\x1c\0\4"s, "7z"},
      {std::string(257, '\1') + "ustar\0\0"s, "tar"},
      {"PK\3\4\x14\0\0\0"s, ".npz"},
      {"\x93NUMPY\1\0"s, ".npy"},
      {"PAR1\x15\4\x15\x10"s, "Parquet"},
      {"ARROW1\0\0"s, "Arrow"},
      {"\x89HDF\r\n\x1a\n"s, "HDF5"},
      {"SQLite format 3\0"s, "SQLite"},
      {"\x89PNG\r\n\x1a\n"s, "PNG"},
      {"\xff\xd8\xff\xe0\0\x10"s, "JPEG"},
      {"GIF89a\1\0"s, "GIF"},
      {"RIFF\1\0\0\0WAVE"s, "RIFF"},
      {"%PDF-1.7\n%"s, "PDF"},
      {"GGUF\3\0\0\0"s, "GGUF"},
      {"\x7f\x45LF\2\1\1\0"s, "ELF"},
      {"BC\xc0\xde\x35\x14\0\0"s, "LLVM bitcode"},
      {"ML\xefR\1\0"s, "bytecode of MLIR"},
      {"NOVABNDL\3\0\0\0"s, "a bundle"},
      {"\x80\4\x95\x0a\0\0\0\0\0\0\0]."s + "."s, "pickle"},
      {"\x80\2]q\0K\1a"s + "."s, "pickle"},
      {"\2\0\0\0\0\0\0\0{}\0\0"s, "a safetensors file; say so with --data-format=safetensors"},
  };
  for (const auto &[bytes, name] : formats)
    for (const char *file : {"d.txt", "d", "d.bin"}) {
      std::string padded = bytes.size() % 2 && std::string(file) == "d.bin" ? bytes + bytes : bytes;
      if (padded.size() != bytes.size() && std::string(name) == "pickle")
        padded.erase(bytes.size() - 1, 1); // Still an instruction at its end.
      std::string path = folder.write(file, padded);
      auto found = TokenFile::open(path, DataFormat::Auto);
      if (padded.size() % 2 && std::string(file) == "d.bin")
        continue;
      ASSERT_FALSE(found) << name << " as " << file;
      EXPECT_NE(found.error().message.find(name), std::string::npos) << found.error().message;
      EXPECT_NE(found.error().message.find("; "), std::string::npos) << found.error().message;
      // Whoever says what it is has it so.
      EXPECT_TRUE(TokenFile::open(path, DataFormat::Text));
    }
  // By the name of a .safetensors, too.
  DataOptions options = {folder.write("d.safetensors", formats[0].first), DataFormat::Auto, DataOrder::Random, 0};
  EXPECT_EQ(errorOf(options, tokenArguments(1, 1)),
            options.path + ": expected a safetensors file, found a gzip archive; unpack it first");
}

TEST(Data, TextIsText) {
  TempFolder folder;
  using namespace std::string_literals;
  auto message = [&](const std::string &bytes) {
    std::string path = folder.write("t.txt", bytes);
    auto file = TokenFile::open(path, DataFormat::Auto);
    return file ? "" : file.error().message.substr(path.size() + 2);
  };
  std::string latin = "stra\xdf"
                      "e und caf\xe9";
  for (const std::string &good :
       {"plain\ttext\r\n"s,
        "Gr\xc3\xbc\xc3\x9f"
        "e"s,
        latin, "GIF8 and ORC are words"s, "\x1b[1mbold\x1b[0m"s, ""s, "cut off \xe2\x82"s, "\xef\xbb\xbfwith a mark"s})
    EXPECT_EQ(message(good), "") << good;
  EXPECT_EQ(message("\xff\xfe"
                    "a\0b\0"s),
            "expected text, found UTF-16 or UTF-32 by its first bytes; convert it to UTF-8 "
            "(iconv -t UTF-8)");
  EXPECT_EQ(message("a\0b\0c\0"s), "expected text, found a zero byte at position 1; say what it holds with "
                                   "--data-format (text: train on its bytes as they are)");
  std::string noise;
  for (int i = 0; i < 400; ++i)
    noise += static_cast<char>(i * 37 % 255 + 1);
  EXPECT_NE(message(noise).find("found binary data"), std::string::npos) << message(noise);
}

TEST(Data, TokensOfTwoBytesAreRefusedWhereTheyCannotBe) {
  TempFolder folder;
  std::vector<uint32_t> wide, small;
  std::vector<int64_t> widest;
  std::vector<uint16_t> narrow;
  for (uint32_t i = 0; i < 60; ++i) {
    wide.push_back(i * 1171 % 70000);
    small.push_back(i * 171 % 256);
    widest.push_back(i * 1171 % 70000);
    narrow.push_back(static_cast<uint16_t>(i * 1171 % 50257));
  }
  auto open = [&](const std::string &bytes, DataFormat format, int64_t vocabulary) {
    auto arguments = tokenArguments(1, 4);
    arguments[0].bound = arguments[1].bound = vocabulary;
    auto data = openData({folder.write("t.bin", bytes), format, DataOrder::Sequential, 0}, arguments);
    return data ? (*data)->extent() : data.error().message.substr(folder.path("t.bin").size() + 2);
  };
  const std::string is4 = "expected tokens of 2 bytes, found what looks like 4 bytes each; say so with "
                          "--data-format=uint32, or nanogpt if they have 2 nevertheless";
  for (int64_t vocabulary : {0, 256, 50257, 70000}) {
    EXPECT_EQ(open(bytesOf(small), DataFormat::Auto, vocabulary), is4);
    if (vocabulary == 0 || vocabulary == 70000) {
      EXPECT_EQ(open(bytesOf(wide), DataFormat::Auto, vocabulary), is4);
      EXPECT_EQ(open(bytesOf(wide), DataFormat::Uint32, vocabulary), "60 tokens");
      EXPECT_EQ(open(bytesOf(widest), DataFormat::Int64, vocabulary), "60 tokens");
    }
    EXPECT_NE(open(bytesOf(widest), DataFormat::Auto, vocabulary).find("8 bytes each; say so with --data-format=int64"),
              std::string::npos);
  }
  EXPECT_EQ(open(bytesOf(narrow), DataFormat::Auto, 50257), "60 tokens");
  EXPECT_EQ(open(bytesOf(narrow), DataFormat::Auto, 65536), "60 tokens");
  EXPECT_EQ(open(bytesOf(narrow), DataFormat::Auto, 70000),
            "expected tokens of a vocabulary of 70000, found a file without a header, whose tokens of 2 bytes end at "
            "65535; say with --data-format=uint32 that they have 4, or with nanogpt that they have 2 nevertheless");
  EXPECT_EQ(open(bytesOf(narrow), DataFormat::NanoGpt, 70000), "60 tokens");
  // Before anything is trained, with its place.
  EXPECT_EQ(
      open(bytesOf(narrow), DataFormat::Auto, 49178),
      "token 42: expected a token below 49178, found 49182; use data for this vocabulary, or a model with a larger "
      "one");
  EXPECT_EQ(open(bytesOf(std::vector<int64_t>{1, 2, -100, 4, 5}), DataFormat::Int64, 70000),
            "token 2: expected a token below 70000, found -100; use data for this vocabulary, or a model "
            "with a larger one");
  EXPECT_EQ(
      open(bytesOf(std::vector<uint32_t>{1, 2, 3u << 30, 4, 5}), DataFormat::Uint32, 0),
      "token 2: expected a token below 2147483648, found 3221225472; use data for this vocabulary, or a model with "
      "a larger one");
  EXPECT_EQ(open("123456", DataFormat::Uint32, 0),
            "expected tokens of 4 bytes, found 6 bytes; the file is truncated, or --data-format says what it is");
  EXPECT_EQ(open("1234", DataFormat::Int64, 0),
            "expected tokens of 8 bytes, found 4 bytes; the file is truncated, or --data-format says what it is");
  std::string text;
  for (int i = 0; i < 20; ++i)
    text += "some words, ";
  EXPECT_NE(open(text, DataFormat::Auto, 50257).find("found text; say so with --data-format=text"), std::string::npos);
  EXPECT_NE(open(llmCFile(20240326, 3, 1024, std::string(2000, '\5')), DataFormat::Auto, 50257)
                .find("found a header with magic number 20240326"),
            std::string::npos);
  EXPECT_NE(open(llmCFile(20240520, 1, 3, "").substr(0, 40), DataFormat::Auto, 50257).find("no .bin of llm.c"),
            std::string::npos);
}

TEST(Data, FilesOfOneSequenceAreOfOneKind) {
  TempFolder folder;
  folder.write("p_1.txt", "some text");
  folder.write("p_2.bin", bytesOf(std::vector<uint16_t>{50256, 1, 65535, 7}));
  DataOptions options = {folder.path("p_*"), DataFormat::Auto, DataOrder::Random, 0};
  EXPECT_EQ(errorOf(options, tokenArguments(1, 2)),
            folder.path("p_2.bin") + ": expected text, as in " + folder.path("p_1.txt") +
                ", found tokens of 2 bytes; name files of one kind, or say with --data-format what all of them are");
}

TEST(Data, ReadsLlmCsFilesByTheirHeader) {
  TempFolder folder;
  std::string gpt2 = llmCFile(20240520, 1, 3, bytesOf(std::vector<uint16_t>{5, 50256, 6}));
  auto file = TokenFile::open(folder.write("a.bin", gpt2), DataFormat::Auto);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->size(), 3u);
  EXPECT_EQ((*file)[1], 50256u);
  std::string llama = llmCFile(20240801, 7, 2, bytesOf(std::vector<uint32_t>{128000, 1}));
  file = TokenFile::open(folder.write("b.bin", llama), DataFormat::Auto);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->size(), 2u);
  EXPECT_EQ((*file)[0], 128000u);
}

TEST(Data, LlmCsHeadersAreVerified) {
  TempFolder folder;
  auto message = [&](const std::string &bytes, DataFormat format = DataFormat::Auto) {
    auto file = TokenFile::open(folder.write("a.bin", bytes), format);
    return file ? "" : file.error().message.substr(folder.path("a.bin").size() + 2);
  };
  EXPECT_EQ(message(llmCFile(20240520, 1, 3, "1234")),
            "expected 3 tokens of 2 bytes after the header, found 4 bytes; the file is truncated or damaged");
  EXPECT_EQ(message(llmCFile(20240520, 1, -1, "")),
            "expected -1 tokens of 2 bytes after the header, found 0 bytes; the file is truncated or damaged");
  EXPECT_EQ(message(llmCFile(20240520, 2, 1, "12")), "expected version 1 of llm.c's format, found 2");
  EXPECT_EQ(message("abcd", DataFormat::LlmC),
            "no .bin of llm.c: expected a header of 1024 bytes with magic number 20240520 or 20240801");
  std::string good = llmCFile(20240520, 1, 3, bytesOf(std::vector<uint16_t>{5, 50256, 6}));
  forEachDamage(good, 12, [&](const std::string &bad) { message(bad); });
}

TEST(Data, TheFormatCanBeForced) {
  TempFolder folder;
  auto file = TokenFile::open(folder.write("a.bin", "abcd"), DataFormat::Text);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->size(), 4u);
  file = TokenFile::open(folder.write("a.txt", "abcd"), DataFormat::NanoGpt);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->size(), 2u);
}

TEST(Data, TokensFeedI64AndAnyLeadingAxes) {
  TempFolder folder;
  DataOptions options = {folder.write("t", "abcdefghijklmnopq"), DataFormat::Auto, DataOrder::Sequential, 0};
  std::vector<Argument> arguments = {argument("x", DType::I64, {2, 2, 4}), argument("y", DType::I32, {2, 2, 4})};
  EXPECT_EQ(tokensPerBatch(arguments), 16u);
  EXPECT_STREQ(unitOfBatch(arguments), "tokens");
  std::vector<int64_t> tokens(16);
  std::vector<int32_t> targets(16);
  ASSERT_TRUE(open(options, arguments)->fill(0, {tokens.data(), targets.data()}));
  EXPECT_EQ(tokens[15], 'p');
  EXPECT_EQ(targets[15], 'q');
}

TEST(Data, TextNeedsTokensAndTargets) {
  TempFolder folder;
  DataOptions options = {folder.write("t", "abc"), DataFormat::Auto, DataOrder::Random, 0};
  EXPECT_EQ(errorOf(options, {argument("x", DType::F32, {2, 3}), argument("y", DType::I32, {2})}),
            options.path + ": text and tokens feed programs with two integer arguments of one shape (tokens, then "
                           "targets), found (x: tensor<2x3xf32>, y: tensor<2xi32>); give a .safetensors file with "
                           "arrays of these names");
}

/// x: samples of two floats, y: of one integer; sample i is (i, i + 0.5), 10 i.
static std::string writeSamples(const TempFolder &folder, int64_t samples) {
  std::vector<float> x;
  std::vector<int64_t> y;
  for (int64_t i = 0; i < samples; ++i) {
    x.insert(x.end(), {static_cast<float>(i), static_cast<float>(i) + 0.5f});
    y.push_back(10 * i);
  }
  EXPECT_TRUE(writeSafetensors(folder.path("d.safetensors"), {{{"x", DType::F32, {samples, 2}}, x.data()},
                                                              {{"y", DType::I64, {samples}}, y.data()}}));
  return folder.path("d.safetensors");
}

TEST(Data, SafetensorsAreSampledAlongAxis0) {
  TempFolder folder;
  DataOptions options = {writeSamples(folder, 5), DataFormat::Auto, DataOrder::Sequential, 0};
  std::vector<Argument> arguments = {argument("x", DType::F32, {2, 2}), argument("y", DType::I32, {2})};
  EXPECT_EQ(tokensPerBatch(arguments), 2u);
  EXPECT_STREQ(unitOfBatch(arguments), "rows");
  auto data = open(options, arguments);
  std::vector<float> x(4);
  std::vector<int32_t> y(2);
  ASSERT_TRUE(data->fill(1, {x.data(), y.data()}));
  EXPECT_EQ(x, (std::vector<float>{2, 2.5, 3, 3.5}));
  EXPECT_EQ(y, (std::vector<int32_t>{20, 30}));
  ASSERT_TRUE(data->fill(2, {x.data(), y.data()})); // One sample is left over: from the start again.
  EXPECT_EQ(y, (std::vector<int32_t>{0, 10}));

  options.order = DataOrder::Random;
  data = open(options, arguments);
  std::set<int32_t> seen;
  for (uint64_t step = 0; step < 50; ++step) {
    ASSERT_TRUE(data->fill(step, {x.data(), y.data()}));
    for (int row = 0; row < 2; ++row) {
      EXPECT_EQ(x[2 * row] * 10, y[row]); // Arguments stay together.
      seen.insert(y[row]);
    }
    EXPECT_EQ(data->locate(step, 1, 1), options.path + ": 'y', sample " + std::to_string(y[1] / 10) + ", element 0");
  }
  EXPECT_EQ(seen.size(), 5u);
}

TEST(Data, SamplesMayLieInSeveralFiles) {
  TempFolder folder;
  for (auto [name, first, count] : {std::tuple("a.safetensors", 0, 2), std::tuple("b.safetensors", 2, 3)}) {
    std::vector<int64_t> y;
    for (int i = 0; i < count; ++i)
      y.push_back(first + i);
    ASSERT_TRUE(writeSafetensors(folder.path(name), {{{"y", DType::I64, {count}}, y.data()}}));
  }
  DataOptions options = {folder.path("*.safetensors"), DataFormat::Auto, DataOrder::Sequential, 0};
  auto data = open(options, {argument("y", DType::I32, {5})});
  std::vector<int32_t> y(5);
  ASSERT_TRUE(data->fill(0, {y.data()}));
  EXPECT_EQ(y, (std::vector<int32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(data->locate(0, 0, 3), folder.path("b.safetensors") + ": 'y', sample 1, element 0");
}

TEST(Data, SafetensorsMustFitTheArguments) {
  TempFolder folder;
  DataOptions options = {writeSamples(folder, 3), DataFormat::Auto, DataOrder::Sequential, 0};
  EXPECT_EQ(errorOf(options, {argument("z", DType::F32, {2, 2})}),
            options.path + ": expected an array 'z' for tensor<2x2xf32>, found only y, x");
  EXPECT_EQ(errorOf(options, {argument("x", DType::F32, {2, 3})}),
            options.path + ": expected 'x' with samples along axis 0 of tensor<2x3xf32>, found tensor<3x2xf32>");
  EXPECT_EQ(errorOf(options, {argument("x", DType::I32, {2, 2})}),
            options.path + ": expected 'x' with samples along axis 0 of tensor<2x2xi32>, found tensor<3x2xf32>");
  EXPECT_EQ(errorOf(options, {argument("y", DType::I32, {})}),
            options.path + ": expected 'y' with samples along axis 0 of tensor<i32>, found tensor<3xi64>");
  EXPECT_EQ(errorOf(options, {argument("y", DType::I32, {4})}),
            options.path + ": expected at least 4 samples in 'y', found 3");
  EXPECT_EQ(errorOf(options, {argument("x", DType::F32, {2, 2}), argument("y", DType::I32, {3})}),
            options.path + ": expected 3 samples and batches of 2 for all arguments, found 3 and 3 for 'y'");
}

TEST(Data, AValueThatDoesNotFitIsNamed) {
  TempFolder folder;
  const int64_t big = int64_t(1) << 40;
  DataOptions options = {folder.path("d.safetensors"), DataFormat::Auto, DataOrder::Sequential, 0};
  ASSERT_TRUE(writeSafetensors(options.path, {{{"y", DType::I64, {1}}, &big}}));
  int32_t out;
  auto filled = open(options, {argument("y", DType::I32, {1})})->fill(0, {&out});
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().message,
            options.path + ": sample 0: tensor 'y': expected values that i32 can hold, found 1099511627776 at []");
}

TEST(Data, RandomTokensStayBelowTheBound) {
  std::vector<Argument> arguments = tokenArguments(2, 8);
  arguments[0].bound = arguments[1].bound = 5;
  auto data = open({}, arguments);
  EXPECT_EQ(data->notice(), "no --data: training on random tokens below 5, which only shows the speed");
  std::set<int32_t> seen;
  for (uint64_t step = 0; step < 20; ++step) {
    auto batch = batchOf(*data, step, 16);
    seen.insert(batch[0].begin(), batch[0].end());
    for (int row = 0; row < 2; ++row)
      for (int t = 0; t + 1 < 8; ++t)
        ASSERT_EQ(batch[1][row * 8 + t], batch[0][row * 8 + t + 1]); // Targets are the tokens shifted.
  }
  EXPECT_EQ(seen, (std::set<int32_t>{0, 1, 2, 3, 4}));
}

TEST(Data, AProgramWithoutDataNeedsNoNotice) { EXPECT_EQ(open({}, {})->notice(), ""); }

TEST(Data, FloatsAreNotMadeUp) {
  EXPECT_EQ(errorOf({}, {argument("x", DType::F32, {2, 3})}),
            "expected --data with an array 'x' for tensor<2x3xf32>: without it only integer inputs are made up");
}

TEST(Data, EmptyBatchesAreRefused) {
  EXPECT_EQ(errorOf({}, tokenArguments(0, 8)),
            "expected a batch with elements, found input 'x' of type tensor<0x8xi32>");
}
