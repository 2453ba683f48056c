//===- Safetensors.h - Reading and writing safetensors files ----*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format of https://github.com/huggingface/safetensors: the length of the header, the header as JSON, then the
// tensors without gaps. A file is verified in full when it is opened; its tensors then point into the mapping.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_SUPPORT_SAFETENSORS_H
#define NOVA_SUPPORT_SAFETENSORS_H

#include "Nova/Support/File.h"
#include "Nova/Support/Tensor.h"

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace nova {

struct SafetensorsEntry {
  std::string name;
  std::string dtype; ///< the file's spelling: "F32", "U8", ...
  std::vector<int64_t> shape;
  uint64_t offset = 0; ///< from the start of the file; not always aligned
  uint64_t bytes = 0;
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries; ///< in the order of the file
  std::map<std::string, std::string> metadata;
};

/// Verifies a whole file in memory; `source` names it in messages.
Result<SafetensorsHeader> parseSafetensors(std::string_view file, const std::string &source);

class SafetensorsFile {
public:
  static Result<SafetensorsFile> open(const std::string &path);

  const std::string &path() const { return source; }
  const std::vector<SafetensorsEntry> &entries() const { return header.entries; }
  const std::map<std::string, std::string> &metadata() const { return header.metadata; }
  const SafetensorsEntry *find(const std::string &name) const;

  /// The tensor, or an error when Nova has no element type for it (U8, F8_E4M3, ...).
  Result<TensorRef> tensor(const SafetensorsEntry &entry) const;
  /// The data as it lies in the file, whatever its element type.
  std::string_view bytes(const SafetensorsEntry &entry) const;

private:
  SafetensorsFile(std::string source, MappedFile file, SafetensorsHeader header);

  std::string source;
  MappedFile file;
  SafetensorsHeader header;
  std::unordered_map<std::string, size_t> indexByName;
};

/// The data of tensor `index`, valid until the next call.
using TensorDataFn = std::function<Result<const void *>(size_t index)>;

/// Writes atomically, in the given order but for wider element types first, which keeps all of them aligned. The data
/// is asked for tensor by tensor, so that a large model is never held twice.
/// The entries may have any element type that the format knows; their offsets do not matter.
Result<void> writeSafetensors(const std::string &path, const std::vector<SafetensorsEntry> &tensors,
                              const TensorDataFn &dataOf, const std::map<std::string, std::string> &metadata = {});
Result<void> writeSafetensors(const std::string &path, const std::vector<TensorInfo> &tensors,
                              const TensorDataFn &dataOf, const std::map<std::string, std::string> &metadata = {});
Result<void> writeSafetensors(const std::string &path, const std::vector<TensorRef> &tensors,
                              const std::map<std::string, std::string> &metadata = {});

} // namespace nova

#endif // NOVA_SUPPORT_SAFETENSORS_H
