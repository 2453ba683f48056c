//===- BuildId.cpp - Which build a shared library is ----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/BundleCache.h"
#include "Nova/Support/CheckedMath.h"
#include "Nova/Support/File.h"
#include "Nova/Support/Hash.h"

#include <cstring>
#include <elf.h>

using namespace nova;

/// A T at an offset; nothing when it lies beyond the end.
template <typename T> static std::optional<T> readAt(std::string_view bytes, uint64_t offset) {
  if (!fitsIn(offset, sizeof(T), bytes.size()))
    return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// The build id among the notes of a PT_NOTE segment; empty when there is none.
static std::string_view buildIdAmong(std::string_view notes) {
  constexpr std::string_view kOwner("GNU\0", 4);
  for (uint64_t offset = 0; auto note = readAt<Elf64_Nhdr>(notes, offset);) {
    uint64_t owner = offset + sizeof(*note);
    uint64_t value = owner + alignTo(note->n_namesz, 4);
    if (!fitsIn(value, note->n_descsz, notes.size()))
      return {};
    if (note->n_type == NT_GNU_BUILD_ID && notes.substr(owner, note->n_namesz) == kOwner)
      return notes.substr(value, note->n_descsz);
    offset = value + alignTo(note->n_descsz, 4);
  }
  return {};
}

static std::string_view findBuildId(std::string_view file) {
  auto header = readAt<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_phentsize != sizeof(Elf64_Phdr))
    return {};
  for (uint64_t i = 0; i < header->e_phnum; ++i) {
    auto segment = readAt<Elf64_Phdr>(file, header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment)
      return {};
    if (segment->p_type != PT_NOTE || !fitsIn(segment->p_offset, segment->p_filesz, file.size()))
      continue;
    if (auto id = buildIdAmong(file.substr(segment->p_offset, segment->p_filesz)); !id.empty())
      return id;
  }
  return {};
}

Result<std::string> nova::buildIdOf(const std::string &path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.error();
  std::string_view id = findBuildId(file->bytes());
  if (id.empty())
    return "hash:" + toHex(hash64(file->bytes()));
  std::string text = "id:";
  for (char byte : id)
    text += toHex(static_cast<uint8_t>(byte)).substr(14);
  return text;
}
