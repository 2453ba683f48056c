//===- Safetensors.cpp - Reading and writing safetensors files ------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Safetensors.h"

#include "Nova/Support/CheckedMath.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

using namespace nova;
using nlohmann::ordered_json;

/// The file's names of Nova's element types, in the order of the enum.
static constexpr std::string_view kFileNames[] = {"F64", "F32", "F16", "BF16", "BOOL", "I8", "I32", "I64"};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

SafetensorsFile::SafetensorsFile(std::string source, MappedFile file, SafetensorsHeader header)
    : source(std::move(source)), file(std::move(file)), header(std::move(header)) {
  for (size_t i = 0; i < this->header.entries.size(); ++i)
    indexByName.emplace(this->header.entries[i].name, i);
}

Result<SafetensorsFile> SafetensorsFile::open(const std::string &path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.error();
  Result<SafetensorsHeader> header = parseSafetensors(file->bytes(), path);
  if (!header)
    return header.error();
  return SafetensorsFile(path, std::move(*file), std::move(*header));
}

const SafetensorsEntry *SafetensorsFile::find(const std::string &name) const {
  auto found = indexByName.find(name);
  return found == indexByName.end() ? nullptr : &header.entries[found->second];
}

Result<TensorRef> SafetensorsFile::tensor(const SafetensorsEntry &entry) const {
  const auto *found = std::find(std::begin(kFileNames), std::end(kFileNames), entry.dtype);
  if (found == std::end(kFileNames))
    return inputError(source + ": tensor '" + entry.name +
                      "': expected F64, F32, F16, BF16, BOOL, I8, I32 or I64, found " + entry.dtype);
  TensorRef tensor;
  tensor.info = {entry.name, static_cast<DType>(found - kFileNames), entry.shape};
  tensor.data = file.bytes().data() + entry.offset;
  return tensor;
}

std::string_view SafetensorsFile::bytes(const SafetensorsEntry &entry) const {
  return file.bytes().substr(entry.offset, entry.bytes);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Bytes of an element by its type's name: "BF16", "U8", "F8_E4M3", "BOOL".
static uint64_t elementBytes(const std::string &dtype) {
  size_t digit = dtype.find_first_of("123456789");
  uint64_t bits = digit == std::string::npos ? 8 : std::strtoul(dtype.c_str() + digit, nullptr, 10);
  return std::max<uint64_t>(bits / 8, 1);
}

Result<void> nova::writeSafetensors(const std::string &path, const std::vector<SafetensorsEntry> &tensors,
                                    const TensorDataFn &dataOf, const std::map<std::string, std::string> &metadata) {
  std::vector<size_t> order(tensors.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    uint64_t first = elementBytes(tensors[a].dtype), second = elementBytes(tensors[b].dtype);
    return first != second ? first > second : a < b;
  });

  ordered_json header = ordered_json::object();
  if (!metadata.empty())
    header["__metadata__"] = metadata;
  uint64_t end = 0;
  for (size_t i : order) {
    const SafetensorsEntry &tensor = tensors[i];
    if (header.contains(tensor.name))
      return inputError(path + ": cannot write two tensors named '" + tensor.name + "'");
    header[tensor.name] = {
        {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {end, end + tensor.bytes}}};
    end += tensor.bytes;
  }
  std::string text = header.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  text.resize(alignTo(text.size(), 8), ' ');

  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file)
    return file.error();
  uint64_t length = text.size();
  if (Result<void> written = file->write({reinterpret_cast<const char *>(&length), sizeof(length)}); !written)
    return written;
  if (Result<void> written = file->write(text); !written)
    return written;
  for (size_t i : order) {
    Result<const void *> data = dataOf(i);
    if (!data)
      return data.error();
    if (Result<void> written = file->write({static_cast<const char *>(*data), tensors[i].bytes}); !written)
      return written;
  }
  return file->commit();
}

Result<void> nova::writeSafetensors(const std::string &path, const std::vector<TensorInfo> &tensors,
                                    const TensorDataFn &dataOf, const std::map<std::string, std::string> &metadata) {
  std::vector<SafetensorsEntry> entries;
  for (const TensorInfo &tensor : tensors) {
    Result<uint64_t> bytes = byteCount(tensor);
    if (!bytes)
      return bytes.error();
    entries.push_back(
        {tensor.name, std::string(kFileNames[static_cast<size_t>(tensor.dtype)]), tensor.shape, 0, *bytes});
  }
  return writeSafetensors(path, entries, dataOf, metadata);
}

Result<void> nova::writeSafetensors(const std::string &path, const std::vector<TensorRef> &tensors,
                                    const std::map<std::string, std::string> &metadata) {
  std::vector<TensorInfo> infos;
  for (const TensorRef &tensor : tensors)
    infos.push_back(tensor.info);
  return writeSafetensors(
      path, infos, [&](size_t index) -> Result<const void *> { return tensors[index].data; }, metadata);
}
