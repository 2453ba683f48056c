//===- Bundle.cpp - The file layout of a bundle ---------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/Bundle.h"

#include "Nova/Support/CheckedMath.h"
#include "Nova/Support/Hash.h"

#include <cstring>

using namespace nova;

static_assert(sizeof(FileHeader) == 32 && sizeof(SectionHeader) == 64, "the layout of the file is fixed");

static constexpr uint64_t kSectionAlignment = 64;

static uint64_t checksumOf(FileHeader header, std::string_view rest) {
  header.checksum = 0;
  return hash64(rest, hash64({reinterpret_cast<const char *>(&header), sizeof(header)}));
}

/// The sections of bundle number 1 are "1/tables", "1/constants", "1/image/0", ...
static std::string sectionName(size_t bundle, const std::string &name) { return std::to_string(bundle) + "/" + name; }

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

std::string nova::serialize(const Bundle &bundle) { return serialize(std::vector<const Bundle *>{&bundle}); }

std::string nova::serialize(const std::vector<const Bundle *> &bundles) {
  std::vector<std::string> tables;
  for (const Bundle *bundle : bundles)
    tables.push_back(tablesToJson(*bundle));
  std::vector<std::pair<std::string, std::string_view>> sections;
  for (size_t b = 0; b < bundles.size(); ++b) {
    sections.emplace_back(sectionName(b, "tables"), tables[b]);
    sections.emplace_back(sectionName(b, "constants"), bundles[b]->constants);
    for (size_t i = 0; i < bundles[b]->images.size(); ++i)
      sections.emplace_back(sectionName(b, "image/" + std::to_string(i)), bundles[b]->images[i].bytes);
  }

  std::string file(sizeof(FileHeader) + sections.size() * sizeof(SectionHeader), '\0');
  for (size_t i = 0; i < sections.size(); ++i) {
    const auto &[name, bytes] = sections[i];
    file.resize(alignTo(file.size(), kSectionAlignment), '\0');
    SectionHeader section = {};
    std::memcpy(section.name, name.data(), name.size());
    section.offset = file.size();
    section.bytes = bytes.size();
    std::memcpy(&file[sizeof(FileHeader) + i * sizeof(section)], &section, sizeof(section));
    file += bytes;
  }

  FileHeader header = {};
  std::memcpy(header.magic, kBundleMagic, sizeof(header.magic));
  header.version = kBundleVersion;
  header.sectionCount = static_cast<uint32_t>(sections.size());
  header.fileBytes = file.size();
  header.checksum = checksumOf(header, std::string_view(file).substr(sizeof(header)));
  std::memcpy(file.data(), &header, sizeof(header));
  return file;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Result<FileHeader> readHeader(std::string_view file) {
  FileHeader header;
  if (file.size() < sizeof(header) || std::memcmp(file.data(), kBundleMagic, sizeof(kBundleMagic)) != 0)
    return inputError("not a bundle: expected the magic bytes NOVABNDL");
  std::memcpy(&header, file.data(), sizeof(header));
  if (header.version != kBundleVersion)
    return inputError("expected bundle version " + std::to_string(kBundleVersion) + ", found " +
                      std::to_string(header.version) + "; make it again with this version of nova-translate");
  if (header.fileBytes != file.size())
    return inputError("expected " + std::to_string(header.fileBytes) + " bytes, found " + std::to_string(file.size()) +
                      ": the file is truncated or damaged");
  if (header.checksum != checksumOf(header, file.substr(sizeof(header))))
    return inputError("the checksum does not match: the file is damaged");
  return header;
}

using Sections = std::map<std::string, std::string_view>;

/// The sections by name.
static Result<Sections> readSections(std::string_view file, const FileHeader &header) {
  uint64_t end = sizeof(FileHeader) + header.sectionCount * sizeof(SectionHeader);
  if (end > file.size())
    return inputError(std::to_string(header.sectionCount) + " sections do not fit in the file");
  Sections sections;
  for (uint32_t i = 0; i < header.sectionCount; ++i) {
    SectionHeader section;
    std::memcpy(&section, file.data() + sizeof(FileHeader) + i * sizeof(section), sizeof(section));
    std::string name(section.name, strnlen(section.name, sizeof(section.name)));
    // In order and without overlap, so that the total cannot exceed the file.
    if (section.offset % kSectionAlignment != 0 || section.offset < end ||
        !fitsIn(section.offset, section.bytes, file.size()))
      return inputError("section '" + name + "' is misplaced");
    end = section.offset + section.bytes;
    if (!sections.emplace(name, file.substr(section.offset, section.bytes)).second)
      return inputError("section '" + name + "' occurs twice");
  }
  return sections;
}

/// Takes the sections of one bundle out of the file's.
static Result<Bundle> takeBundle(Sections &sections, size_t number, const std::string &source) {
  auto take = [&](const std::string &name) -> Result<std::string_view> {
    auto found = sections.find(sectionName(number, name));
    if (found == sections.end())
      return inputError(source + ": expected a section " + sectionName(number, name) + ", found none");
    std::string_view bytes = found->second;
    sections.erase(found);
    return bytes;
  };
  Result<std::string_view> tables = take("tables"), constants = take("constants");
  if (!tables || !constants)
    return tables ? constants.error() : tables.error();
  Result<Bundle> bundle = tablesFromJson(*tables, source);
  if (!bundle)
    return bundle;
  bundle->constants = *constants;
  for (size_t i = 0; i < bundle->images.size(); ++i) {
    Result<std::string_view> image = take("image/" + std::to_string(i));
    if (!image)
      return image.error();
    bundle->images[i].bytes = *image;
  }
  if (Result<void> verified = verifyBundle(*bundle, source); !verified)
    return verified.error();
  return bundle;
}

Result<std::vector<Bundle>> nova::parseBundles(std::string_view file, const std::string &source) {
  Result<FileHeader> header = readHeader(file);
  if (!header)
    return inputError(source + ": " + header.error().message);
  Result<Sections> sections = readSections(file, *header);
  if (!sections)
    return inputError(source + ": " + sections.error().message);
  std::vector<Bundle> bundles;
  do {
    Result<Bundle> bundle = takeBundle(*sections, bundles.size(), source);
    if (!bundle)
      return bundle.error();
    bundles.push_back(std::move(*bundle));
  } while (!sections->empty());
  return bundles;
}

Result<Bundle> nova::parseBundle(std::string_view file, const std::string &source) {
  Result<std::vector<Bundle>> bundles = parseBundles(file, source);
  if (!bundles)
    return bundles.error();
  for (Bundle &bundle : *bundles)
    for (const Image &image : bundle.images)
      if (image.target == "cpu")
        return std::move(bundle);
  return std::move(bundles->front());
}
