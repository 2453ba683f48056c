//===- Buffers.cpp - Buffers from and to safetensors ----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"

#include <algorithm>
#include <cstring>

using namespace nova;

namespace {
struct ElementType {
  const char *name;     ///< on the command line
  const char *fileName; ///< in a safetensors file
  uint64_t bytes;
};
} // namespace

static constexpr ElementType kElementTypes[] = {
    {"f64", "F64", 8}, {"f32", "F32", 4}, {"f16", "F16", 2},  {"bf16", "BF16", 2}, {"i64", "I64", 8},
    {"u64", "U64", 8}, {"i32", "I32", 4}, {"u32", "U32", 4},  {"i16", "I16", 2},   {"u16", "U16", 2},
    {"i8", "I8", 1},   {"u8", "U8", 1},   {"bool", "BOOL", 1}};

Result<void> Buffers::openInputs(const std::string &path) {
  Result<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return file.error();
  inputs = std::move(*file);
  return {};
}

const Buffers::Buffer *Buffers::lookUp(const std::string &name) const {
  auto found = std::find_if(buffers.begin(), buffers.end(), [&](const Buffer &b) { return b.entry.name == name; });
  return found == buffers.end() ? nullptr : &*found;
}

Result<Buffers::Buffer *> Buffers::add(SafetensorsEntry entry) {
  uint64_t address = memory.allocate(std::max<uint64_t>(entry.bytes, 1));
  if (!address)
    return deviceError("no room on the device for buffer '" + entry.name + "' of " + std::to_string(entry.bytes) +
                       " bytes");
  buffers.push_back({std::move(entry), address});
  return &buffers.back();
}

Result<uint64_t> Buffers::find(const std::string &name) {
  if (const Buffer *buffer = lookUp(name))
    return buffer->address;
  const SafetensorsEntry *entry = inputs ? inputs->find(name) : nullptr;
  if (!entry)
    return usageError("argument '" + name + "': expected a tensor of --inputs or a buffer made before" +
                      (inputs ? ", " + inputs->path() + " has none of this name" : ", found no --inputs"));
  Result<Buffer *> buffer = add(*entry);
  if (!buffer)
    return buffer.error();
  memory.write((*buffer)->address, inputs->bytes(*entry).data(), entry->bytes);
  return (*buffer)->address;
}

Result<uint64_t> Buffers::addZeros(const std::string &description) {
  auto fail = [&](const std::string &what) {
    return usageError("argument 'zeros:" + description + "': expected " + what);
  };
  size_t last = description.rfind(':'),
         first = last == std::string::npos || !last ? last : description.rfind(':', last - 1);
  if (last == std::string::npos || first == std::string::npos || first == 0)
    return fail("zeros:NAME:DTYPE:COUNT");
  std::string name = description.substr(0, first), dtype = description.substr(first + 1, last - first - 1);
  std::string count = description.substr(last + 1);
  const auto *type = std::find_if(std::begin(kElementTypes), std::end(kElementTypes),
                                  [&](const ElementType &type) { return dtype == type.name; });
  if (type == std::end(kElementTypes))
    return fail("an element type such as f32, bf16 or i32, found '" + dtype + "'");
  bool isNumber = !count.empty() && count.size() < 13 && count.find_first_not_of("0123456789") == std::string::npos;
  if (!isNumber)
    return fail("a number of elements, found '" + count + "'");
  uint64_t elements = std::stoull(count);
  if (lookUp(name)) // a fresh one takes its place
    buffers.erase(std::find_if(buffers.begin(), buffers.end(), [&](const Buffer &b) { return b.entry.name == name; }));
  Result<Buffer *> buffer = add({name, type->fileName, {static_cast<int64_t>(elements)}, 0, elements * type->bytes});
  if (!buffer)
    return buffer.error();
  memory.fill((*buffer)->address, 0, 1, elements * type->bytes);
  return (*buffer)->address;
}

std::string Buffers::bytesOf(const Buffer &buffer) const {
  std::string bytes(buffer.entry.bytes, '\0');
  memory.read(buffer.address, bytes.data(), bytes.size());
  return bytes;
}

Result<void> Buffers::write(const std::string &path) const {
  std::vector<SafetensorsEntry> entries;
  for (const Buffer &buffer : buffers)
    entries.push_back(buffer.entry);
  return writeSafetensors(path, entries, [&](size_t index) -> Result<const void *> {
    return reinterpret_cast<const void *>(buffers[index].address);
  });
}

/// An element type that tensors are compared in; integers without a counterpart of their width have none.
static std::optional<DType> comparableType(const std::string &fileName) {
  constexpr std::pair<const char *, DType> types[] = {{"F64", DType::F64},   {"F32", DType::F32}, {"F16", DType::F16},
                                                      {"BF16", DType::BF16}, {"I64", DType::I64}, {"U64", DType::I64},
                                                      {"I32", DType::I32},   {"U32", DType::I32}, {"I8", DType::I8},
                                                      {"U8", DType::I8},     {"BOOL", DType::I8}};
  for (const auto &[name, type] : types)
    if (fileName == name)
      return type;
  return std::nullopt;
}

static Result<void> compareOne(const SafetensorsEntry &found, const void *foundData, const SafetensorsEntry &expected,
                               const void *expectedData, Tolerance tolerance) {
  std::optional<DType> foundType = comparableType(found.dtype), expectedType = comparableType(expected.dtype);
  auto elements = [](const SafetensorsEntry &entry) {
    int64_t count = 1;
    for (int64_t extent : entry.shape)
      count *= extent;
    return count;
  };
  if (elements(found) != elements(expected))
    return inputError("'" + found.name + "': expected " + std::to_string(elements(expected)) + " elements, found " +
                      std::to_string(elements(found)));
  if (foundType && expectedType) // buffers are flat; the expected tensor says what shape is meant
    return compareTensors({{found.name, *foundType, expected.shape}, foundData},
                          {{expected.name, *expectedType, expected.shape}, expectedData}, tolerance);
  if (found.bytes == expected.bytes && std::memcmp(foundData, expectedData, found.bytes) == 0)
    return {};
  return Error{ErrorKind::Numerics, "'" + found.name + "': differs from what is expected, in type " + found.dtype};
}

Result<void> Buffers::compare(const std::string &path, Tolerance tolerance) const {
  Result<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file)
    return file.error();
  size_t compared = 0;
  std::optional<Error> failure;
  for (const Buffer &buffer : buffers) {
    const SafetensorsEntry *expected = file->find("expected." + buffer.entry.name);
    if (!expected)
      expected = file->find(buffer.entry.name);
    if (!expected)
      continue;
    ++compared;
    std::string bytes = bytesOf(buffer);
    Result<void> same = compareOne(buffer.entry, bytes.data(), *expected, file->bytes(*expected).data(), tolerance);
    if (same)
      continue;
    failure = failure ? Error{failure->kind, failure->message + "\n" + same.error().message} : same.error();
  }
  if (failure)
    return *failure;
  if (!compared)
    return inputError(path + ": expected a tensor with the name of a buffer, found none");
  return {};
}
