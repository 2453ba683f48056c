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

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Result<void> nova::writeSafetensors(const std::string &path, const std::vector<TensorRef> &tensors,
                                    const std::map<std::string, std::string> &metadata) {
  std::vector<const TensorRef *> order;
  for (uint64_t size : {8, 4, 2, 1})
    for (const TensorRef &tensor : tensors)
      if (sizeOf(tensor.info.dtype) == size)
        order.push_back(&tensor);

  ordered_json header = ordered_json::object();
  if (!metadata.empty())
    header["__metadata__"] = metadata;
  std::vector<uint64_t> sizes;
  uint64_t end = 0;
  for (const TensorRef *tensor : order) {
    Result<uint64_t> bytes = byteCount(tensor->info);
    if (!bytes)
      return bytes.error();
    if (header.contains(tensor->info.name))
      return inputError(path + ": cannot write two tensors named '" + tensor->info.name + "'");
    header[tensor->info.name] = {{"dtype", kFileNames[static_cast<size_t>(tensor->info.dtype)]},
                                 {"shape", tensor->info.shape},
                                 {"data_offsets", {end, end + *bytes}}};
    sizes.push_back(*bytes);
    end += *bytes;
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
  for (size_t i = 0; i < order.size(); ++i)
    if (Result<void> written = file->write({static_cast<const char *>(order[i]->data), sizes[i]}); !written)
      return written;
  return file->commit();
}
