//===- SafetensorsTest.cpp ------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Safetensors.h"
#include "Damage.h"
#include "TempFolder.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace nova;

static std::string fileOf(const std::string &header, const std::string &data) {
  uint64_t length = header.size();
  return std::string(reinterpret_cast<const char *>(&length), sizeof(length)) + header + data;
}

static std::string messageOf(const std::string &header, const std::string &data = "") {
  auto parsed = parseSafetensors(fileOf(header, data), "f");
  return parsed ? "" : parsed.error().message;
}

/// Two tensors and metadata.
static std::string goodFile() {
  return fileOf(R"({"__metadata__":{"format":"pt"},"b":{"dtype":"I8","shape":[2],"data_offsets":[8,10]},)"
                R"("a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}})",
                std::string("\0\0\x80\x3f\0\0\0\x40\x05\x06", 10));
}

TEST(Safetensors, ReadsWhatItWrote) {
  TempFolder folder;
  const float weights[] = {1, 2, 3, 4, 5, 6};
  const int64_t ids[] = {-1, 7};
  ASSERT_TRUE(writeSafetensors(
      folder.path("f"), {{{"w", DType::F32, {2, 3}}, weights}, {{"ids", DType::I64, {2}}, ids}}, {{"format", "pt"}}));
  auto file = SafetensorsFile::open(folder.path("f"));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->metadata().at("format"), "pt");
  auto tensor = file->tensor(*file->find("w"));
  ASSERT_TRUE(tensor);
  EXPECT_EQ(typeToString(tensor->info), "tensor<2x3xf32>");
  EXPECT_EQ(std::memcmp(tensor->data, weights, sizeof(weights)), 0);
  EXPECT_EQ(std::memcmp(file->tensor(*file->find("ids"))->data, ids, sizeof(ids)), 0);
  EXPECT_EQ(file->find("other"), nullptr);
}

TEST(Safetensors, KeepsTheOrderOfTheFile) {
  auto parsed = parseSafetensors(goodFile(), "f");
  ASSERT_TRUE(parsed) << parsed.error().message;
  ASSERT_EQ(parsed->entries.size(), 2u);
  EXPECT_EQ(parsed->entries[0].name, "b");
  EXPECT_EQ(parsed->entries[1].shape, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(parsed->metadata.at("format"), "pt");
}

TEST(Safetensors, AnUnknownTypeMattersOnlyWhenItIsRead) {
  TempFolder folder;
  folder.write("f", fileOf(R"({"mask":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "x"));
  auto file = SafetensorsFile::open(folder.path("f"));
  ASSERT_TRUE(file);
  auto tensor = file->tensor(file->entries()[0]);
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().message, folder.path("f") + ": tensor 'mask': expected F64, F32, F16, BF16, BOOL, I8, I32 "
                                                       "or I64, found U8");
}

TEST(Safetensors, RefusesWhatIsNoHeader) {
  EXPECT_NE(parseSafetensors("", "f").error().message.find("expected a header length of 8 bytes"), std::string::npos);
  std::string huge = fileOf("{}", "");
  huge[7] = '\x7f';
  EXPECT_NE(parseSafetensors(huge, "f").error().message.find("does not fit"), std::string::npos);
  EXPECT_EQ(messageOf("[]"), "f: no valid safetensors file: unexpected a list at the top");
  EXPECT_EQ(messageOf(""), "f: no valid safetensors file: the header is no valid JSON at byte 9");
  EXPECT_EQ(messageOf("{}{}"), "f: no valid safetensors file: the header is no valid JSON at byte 11");
  EXPECT_EQ(messageOf(R"({"a":1})"), "f: no valid safetensors file: unexpected the number 1 as 'a'");
}

TEST(Safetensors, RefusesHostileTensors) {
  auto tensor = [](const std::string &fields, const std::string &data = "12345678") {
    std::string message = messageOf(R"({"a":{)" + fields + "}}", data);
    return message.substr(message.find("file: ") + 6);
  };
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[2])"), "tensor 'a': expected dtype, shape and two data_offsets");
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[2],"data_offsets":[8,0])"),
            "tensor 'a': data_offsets end before they begin");
  EXPECT_EQ(tensor(R"("dtype":"F31","shape":[2],"data_offsets":[0,8])"), "tensor 'a': dtype 'F31' is not known");
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[3],"data_offsets":[0,8])"),
            "tensor 'a': expected 12 bytes for F32 [3], found data_offsets for 8");
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[4],"data_offsets":[0,16])"),
            "tensor 'a': data_offsets [0, 16] reach beyond the 8 bytes of data");
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[1],"data_offsets":[4,8])"),
            "tensor 'a': expected data to begin at 0, found 4 (bytes that belong to no tensor)");
  EXPECT_EQ(tensor(R"("dtype":"F32","shape":[1],"data_offsets":[0,4])"), "expected 4 bytes of data, found 8");
  EXPECT_NE(tensor(R"("dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8])").find("64-bit addresses"),
            std::string::npos);
  EXPECT_NE(tensor(R"("dtype":"F32","shape":[0,18446744073709551615],"data_offsets":[0,0])").find("the number"),
            std::string::npos);
  EXPECT_NE(tensor(R"("dtype":"F32","shape":[-1],"data_offsets":[0,8])").find("the number -1"), std::string::npos);
  EXPECT_NE(tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,8,9])").find("the number 9"), std::string::npos);
  EXPECT_NE(tensor(R"("dtype":"F32","shape":[[2]],"data_offsets":[0,8])").find("unexpected a list"), std::string::npos);
}

TEST(Safetensors, RefusesDuplicatesAndOverlaps) {
  const std::string tensor = R"({"dtype":"I8","shape":[2],"data_offsets":[0,2]})";
  EXPECT_NE(messageOf(R"({"a":)" + tensor + R"(,"a":)" + tensor + "}", "12").find("'a' occurs twice"),
            std::string::npos);
  EXPECT_NE(messageOf(R"({"a":)" + tensor + R"(,"b":)" + tensor + "}", "12").find("tensors overlap"),
            std::string::npos);
  EXPECT_NE(messageOf(R"({"__metadata__":{"k":"1","k":"2"}})").find("metadata 'k' occurs twice"), std::string::npos);
}

TEST(Safetensors, DeepNestingIsNoStackOverflow) {
  EXPECT_FALSE(messageOf(std::string(1000000, '[')).empty());
  EXPECT_FALSE(messageOf(R"({"a":{"shape":)" + std::string(1000000, '[')).empty());
}

TEST(Safetensors, NoDamageCrashes) {
  std::string good = goodFile();
  forEachDamage(good, good.size(), [](const std::string &bad) {
    if (auto parsed = parseSafetensors(bad, "f"))
      for (const SafetensorsEntry &entry : parsed->entries)
        ASSERT_LE(entry.offset + entry.bytes, bad.size());
  });
}

TEST(Safetensors, CannotWriteTwoTensorsOfOneName) {
  TempFolder folder;
  const float value = 0;
  TensorRef tensor = {{"a", DType::F32, {}}, &value};
  EXPECT_FALSE(writeSafetensors(folder.path("f"), {tensor, tensor}));
  EXPECT_TRUE(folder.names().empty());
}
