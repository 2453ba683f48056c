//===- SafetensorsHeader.cpp - Verification of safetensors files ----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/CheckedMath.h"
#include "Nova/Support/Safetensors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unordered_set>

using namespace nova;
using nlohmann::json;

/// The limit of the format's own reader.
static constexpr uint64_t kMaxHeaderBytes = 100'000'000;

/// Bytes of an element, 0 for an unknown type. Files may hold types that Nova does not compute with.
static uint64_t elementBytes(const std::string &dtype) {
  static const std::map<std::string, uint64_t> sizes = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"I16", 2}, {"U16", 2}, {"F16", 2},
      {"BF16", 2}, {"I32", 4}, {"U32", 4}, {"F32", 4},     {"I64", 8},     {"U64", 8}, {"F64", 8}};
  auto found = sizes.find(dtype);
  return found == sizes.end() ? 0 : found->second;
}

namespace {

/// Reads the header by events: in order, without building a document first, and seeing keys that occur twice (a
/// document would keep one of them).
class HeaderReader final : public nlohmann::json_sax<json> {
public:
  explicit HeaderReader(SafetensorsHeader &header) : header(header) {}

  const std::string &message() const { return problem; }

  bool start_object(std::size_t) override {
    field.clear();
    switch (place) {
    case Place::Start:
      place = Place::Names;
      return true;
    case Place::Names:
      if (isMetadata) {
        place = Place::Metadata;
        return true;
      }
      place = Place::Tensor;
      header.entries.emplace_back();
      header.entries.back().name = name;
      begin = end = std::nullopt;
      hasShape = false;
      return true;
    default:
      return unexpected("an object");
    }
  }

  bool key(string_t &value) override {
    if (place == Place::Names) {
      name = value;
      isMetadata = name == "__metadata__";
      if (!names.insert(name).second)
        return fail("'" + name + "' occurs twice");
      return true;
    }
    field = value;
    if (place == Place::Metadata && header.metadata.count(field))
      return fail("metadata '" + field + "' occurs twice");
    return true;
  }

  bool end_object() override {
    if (place == Place::Tensor) {
      SafetensorsEntry &entry = header.entries.back();
      if (entry.dtype.empty() || !hasShape || !begin || !end)
        return fail("tensor '" + name + "': expected dtype, shape and two data_offsets");
      if (*end < *begin)
        return fail("tensor '" + name + "': data_offsets end before they begin");
      entry.offset = *begin;
      entry.bytes = *end - *begin;
    }
    place = place == Place::Names ? Place::Start : Place::Names;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place != Place::Tensor)
      return unexpected("a list");
    if (field == "shape" && !hasShape) {
      place = Place::Shape;
      return hasShape = true;
    }
    if (field == "data_offsets" && !begin) {
      place = Place::Offsets;
      return true;
    }
    return unexpected("a list");
  }

  bool end_array() override {
    place = Place::Tensor;
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (place == Place::Shape && value <= INT64_MAX) {
      header.entries.back().shape.push_back(static_cast<int64_t>(value));
      return true;
    }
    if (place == Place::Offsets && !end) {
      (begin ? end : begin) = value;
      return true;
    }
    return unexpected("the number " + std::to_string(value));
  }

  bool string(string_t &value) override {
    if (place == Place::Metadata) {
      header.metadata[field] = value;
      return true;
    }
    if (place == Place::Tensor && field == "dtype" && header.entries.back().dtype.empty()) {
      header.entries.back().dtype = value;
      return true;
    }
    return unexpected("a string");
  }

  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("a boolean"); }
  bool number_integer(number_integer_t value) override { return unexpected("the number " + std::to_string(value)); }
  bool number_float(number_float_t, const string_t &text) override { return unexpected("the number " + text); }
  bool binary(binary_t &) override { return unexpected("binary data"); }
  bool parse_error(std::size_t position, const std::string &, const nlohmann::detail::exception &) override {
    return fail("the header is no valid JSON at byte " + std::to_string(8 + position));
  }

private:
  enum class Place { Start, Names, Metadata, Tensor, Shape, Offsets };

  bool fail(std::string text) {
    problem = std::move(text);
    return false;
  }
  bool unexpected(const std::string &what) {
    std::string where = place == Place::Start   ? "at the top"
                        : place == Place::Names ? "as '" + name + "'"
                        : field.empty()         ? "in '" + name + "'"
                                                : "in '" + name + "', field '" + field + "'";
    return fail("unexpected " + what + " " + where);
  }

  SafetensorsHeader &header;
  Place place = Place::Start;
  std::string name, field, problem;
  std::unordered_set<std::string> names;
  std::optional<uint64_t> begin, end;
  bool isMetadata = false, hasShape = false;
};

} // namespace

static Result<void> verifyEntry(const SafetensorsEntry &entry, uint64_t dataBytes) {
  uint64_t size = elementBytes(entry.dtype);
  if (size == 0)
    return inputError("dtype '" + entry.dtype + "' is not known");
  // Element types only differ by their size here.
  Result<uint64_t> count = elementCount({entry.name, DType::I8, entry.shape});
  if (!count)
    return inputError("shape " + toString(entry.shape) + " has more elements than 64-bit addresses can reach");
  if (*count * size != entry.bytes)
    return inputError("expected " + std::to_string(*count * size) + " bytes for " + entry.dtype + " " +
                      toString(entry.shape) + ", found data_offsets for " + std::to_string(entry.bytes));
  if (!fitsIn(entry.offset, entry.bytes, dataBytes))
    return inputError("data_offsets [" + std::to_string(entry.offset) + ", " +
                      std::to_string(entry.offset + entry.bytes) + "] reach beyond the " + std::to_string(dataBytes) +
                      " bytes of data");
  return {};
}

/// Tensors must cover the data without gap or overlap, as the format asks for.
static Result<void> verifyCover(const std::vector<SafetensorsEntry> &entries, uint64_t dataBytes) {
  std::vector<size_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::make_pair(entries[a].offset, entries[a].bytes) < std::make_pair(entries[b].offset, entries[b].bytes);
  });
  uint64_t covered = 0;
  for (size_t i : order) {
    if (entries[i].offset != covered)
      return inputError("tensor '" + entries[i].name + "': expected data to begin at " + std::to_string(covered) +
                        ", found " + std::to_string(entries[i].offset) +
                        (entries[i].offset < covered ? " (tensors overlap)" : " (bytes that belong to no tensor)"));
    covered += entries[i].bytes;
  }
  if (covered != dataBytes)
    return inputError("expected " + std::to_string(covered) + " bytes of data, found " + std::to_string(dataBytes));
  return {};
}

Result<SafetensorsHeader> nova::parseSafetensors(std::string_view file, const std::string &source) {
  const std::string prefix = source + ": no valid safetensors file: ";
  uint64_t headerBytes = 0;
  if (file.size() < sizeof(headerBytes))
    return inputError(prefix + "expected a header length of 8 bytes, found " + std::to_string(file.size()) + " bytes");
  std::memcpy(&headerBytes, file.data(), sizeof(headerBytes));
  if (headerBytes > kMaxHeaderBytes || headerBytes > file.size() - sizeof(headerBytes))
    return inputError(prefix + "a header of " + std::to_string(headerBytes) + " bytes does not fit in a file of " +
                      std::to_string(file.size()) + " bytes");

  SafetensorsHeader header;
  HeaderReader reader(header);
  const char *text = file.data() + sizeof(headerBytes);
  if (!json::sax_parse(text, text + headerBytes, &reader))
    return inputError(prefix + reader.message());

  uint64_t dataStart = sizeof(headerBytes) + headerBytes;
  uint64_t dataBytes = file.size() - dataStart;
  for (const SafetensorsEntry &entry : header.entries)
    if (Result<void> verified = verifyEntry(entry, dataBytes); !verified)
      return inputError(prefix + "tensor '" + entry.name + "': " + verified.error().message);
  if (Result<void> verified = verifyCover(header.entries, dataBytes); !verified)
    return inputError(prefix + verified.error().message);
  for (SafetensorsEntry &entry : header.entries)
    entry.offset += dataStart;
  return header;
}
