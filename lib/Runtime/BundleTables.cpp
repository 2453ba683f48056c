//===- BundleTables.cpp - The tables of a bundle as JSON ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/Bundle.h"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace nova;
using nlohmann::ordered_json;

/// Tables of the largest models take a few MB; more is refused before memory is spent on it.
static constexpr size_t kMaxTableBytes = 32 << 20;
/// Nesting of well-formed tables stays below.
static constexpr int kMaxDepth = 16;

/// Spellings, in the order of the enums.
static constexpr const char *kRegions[] = {"state", "arena", "constants", "io"};
static constexpr const char *kUnits[] = {"vectors", "pairs", "matrices", "tensor_cores", "tensor_cores_tf32"};
static constexpr const char *kInitializers[] = {"zero", "constant", "normal", "uniform"};
static constexpr const char *kStateRoles[] = {"parameter", "moment1", "moment2", "accumulator", "narrow"};

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// JSON has no infinities and no NaN.
static ordered_json toJson(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

static ordered_json toJson(Address address) { return {kRegions[static_cast<size_t>(address.region)], address.offset}; }

static ordered_json toJson(const TensorInfo &tensor) {
  return {{"name", tensor.name}, {"dtype", nameOf(tensor.dtype)}, {"shape", tensor.shape}};
}

static ordered_json toJson(const Argument &argument) {
  ordered_json object = toJson(argument.tensor);
  object["role"] = argument.role;
  object["address"] = toJson(argument.address);
  object["bound"] = argument.bound;
  return object;
}

static ordered_json toJson(const StateTensor &state) {
  ordered_json object = toJson(state.tensor);
  object["role"] = kStateRoles[static_cast<size_t>(state.role)];
  object["address"] = toJson(state.address);
  object["init"] = {kInitializers[static_cast<size_t>(state.init.kind)], toJson(state.init.a), toJson(state.init.b)};
  if (!state.aliases.empty())
    object["aliases"] = state.aliases;
  return object;
}

static ordered_json toJson(const Kernel &kernel) {
  ordered_json types = ordered_json::array();
  for (DType type : kernel.argumentTypes)
    types.push_back(nameOf(type));
  return {{"name", kernel.name},
          {"family", kernel.family},
          {"location", kernel.location},
          {"blocks", kernel.blocks},
          {"scratch_bytes", kernel.scratchBytes},
          {"unit", kUnits[static_cast<size_t>(kernel.unit)]},
          {"gpu_threads", kernel.gpuThreads},
          {"gpu_shared_bytes", kernel.gpuSharedBytes},
          {"flops", toJson(kernel.flops)},
          {"bytes", toJson(kernel.bytes)},
          {"operands", kernel.operands},
          {"argument_bytes", kernel.argumentBytes},
          {"argument_types", types}};
}

static ordered_json toJson(const Launch &launch);
static ordered_json toJson(const Entry &entry);
static ordered_json toJson(const Image &image);

template <typename T> static ordered_json toJson(const std::vector<T> &values) {
  ordered_json array = ordered_json::array();
  for (const T &value : values)
    array.push_back(toJson(value));
  return array;
}

static ordered_json toJson(const Launch &launch) {
  return {{"kernel", launch.kernel}, {"arguments", toJson(launch.arguments)}};
}

static ordered_json toJson(const Entry &entry) {
  return {{"name", entry.name},
          {"inputs", toJson(entry.inputs)},
          {"outputs", toJson(entry.outputs)},
          {"launches", toJson(entry.launches)}};
}

static ordered_json toJson(const Image &image) {
  return {{"target", image.target}, {"format", image.format}, {"features", image.features}};
}

std::string nova::tablesToJson(const Bundle &bundle) {
  ordered_json regions;
  for (unsigned i = 0; i < kRegionCount; ++i)
    regions[kRegions[i]] = bundle.regionBytes[i];
  ordered_json tables = {
      {"producer", bundle.producer},    {"options", bundle.options},         {"regions", regions},
      {"state", toJson(bundle.state)},  {"kernels", toJson(bundle.kernels)}, {"entries", toJson(bundle.entries)},
      {"images", toJson(bundle.images)}};
  // Names come from users' files: bytes that are no UTF-8 must not stop the compiler.
  return tables.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {

/// A value of the document with its path. The first problem is kept, and after it everything reads as empty: callers
/// need to look once, at the end.
class Node {
public:
  Node(const ordered_json &value, std::string path, std::string &problem)
      : value(&value), path(std::move(path)), problem(&problem) {}

  Node operator[](const char *key) const {
    static const ordered_json missing;
    Node child(missing, path.empty() ? key : path + "." + key, *problem);
    if (!expect(value->is_object(), "an object"))
      return child;
    auto found = value->find(key);
    if (found != value->end())
      child.value = &*found;
    else
      *problem = child.path + ": expected a value, found none";
    return child;
  }

  bool has(const char *key) const { return value->is_object() && value->contains(key); }

  std::vector<Node> elements() const {
    std::vector<Node> nodes;
    if (!expect(value->is_array(), "a list"))
      return nodes;
    nodes.reserve(value->size());
    for (size_t i = 0; i < value->size(); ++i)
      nodes.emplace_back((*value)[i], path + "[" + std::to_string(i) + "]", *problem);
    return nodes;
  }

  /// As above for a list of `count`; of another size, it is a problem and the elements must not matter.
  std::vector<Node> elements(size_t count) const {
    std::vector<Node> nodes = elements();
    if (!expect(nodes.size() == count, "a list of " + std::to_string(count)))
      nodes.assign(count, *this);
    return nodes;
  }

  void read(std::string &out) const {
    if (expect(value->is_string(), "a string"))
      out = value->get<std::string>();
  }
  void read(uint64_t &out) const {
    if (expect(value->is_number_unsigned(), "a whole number of 0 or more"))
      out = value->get<uint64_t>();
  }
  void read(uint32_t &out) const {
    if (expect(value->is_number_unsigned() && value->get<uint64_t>() <= UINT32_MAX, "a whole number below 2^32"))
      out = static_cast<uint32_t>(value->get<uint64_t>());
  }
  void read(int64_t &out) const {
    bool tooLarge = value->is_number_unsigned() && value->get<uint64_t>() > INT64_MAX;
    if (expect(value->is_number_integer() && !tooLarge, "a whole number"))
      out = value->get<int64_t>();
  }
  void read(double &out) const {
    if (*value == "inf" || *value == "-inf")
      out = *value == "inf" ? INFINITY : -INFINITY;
    else if (*value == "nan")
      out = NAN;
    else if (expect(value->is_number(), "a number"))
      out = value->get<double>();
  }
  template <typename T> void read(std::vector<T> &out) const {
    for (const Node &element : elements()) {
      out.emplace_back();
      element.read(out.back());
    }
  }
  void read(std::map<std::string, std::string> &out) const {
    if (!expect(value->is_object(), "an object"))
      return;
    for (const auto &[key, unused] : value->items())
      (*this)[key.c_str()].read(out[key]);
  }
  template <typename EnumT, size_t N> void read(EnumT &out, const char *const (&names)[N]) const {
    const std::string *text = value->get_ptr<const std::string *>();
    std::string all;
    for (size_t i = 0; i < N; ++i) {
      if (text && *text == names[i]) {
        out = static_cast<EnumT>(i);
        return;
      }
      all += std::string(i ? ", " : "one of ") + names[i];
    }
    expect(false, all);
  }
  void read(DType &out) const {
    std::string name;
    read(name);
    std::optional<DType> type = dtypeFromName(name);
    if (expect(type.has_value(), "an element type"))
      out = *type;
  }
  void read(Address &out) const {
    std::vector<Node> parts = elements(2);
    parts[0].read(out.region, kRegions);
    parts[1].read(out.offset);
  }
  void read(TensorInfo &out) const {
    (*this)["name"].read(out.name);
    (*this)["dtype"].read(out.dtype);
    (*this)["shape"].read(out.shape);
  }
  void read(Argument &out) const {
    read(out.tensor);
    (*this)["role"].read(out.role);
    (*this)["address"].read(out.address);
    (*this)["bound"].read(out.bound);
  }
  void read(StateTensor &out) const {
    read(out.tensor);
    (*this)["role"].read(out.role, kStateRoles);
    (*this)["address"].read(out.address);
    std::vector<Node> init = (*this)["init"].elements(3);
    init[0].read(out.init.kind, kInitializers);
    init[1].read(out.init.a);
    init[2].read(out.init.b);
    if (has("aliases"))
      (*this)["aliases"].read(out.aliases);
  }
  void read(Kernel &out) const {
    (*this)["name"].read(out.name);
    (*this)["family"].read(out.family);
    (*this)["location"].read(out.location);
    (*this)["blocks"].read(out.blocks);
    (*this)["scratch_bytes"].read(out.scratchBytes);
    (*this)["unit"].read(out.unit, kUnits);
    (*this)["gpu_threads"].read(out.gpuThreads);
    (*this)["gpu_shared_bytes"].read(out.gpuSharedBytes);
    (*this)["flops"].read(out.flops);
    (*this)["bytes"].read(out.bytes);
    (*this)["operands"].read(out.operands);
    (*this)["argument_bytes"].read(out.argumentBytes);
    (*this)["argument_types"].read(out.argumentTypes);
  }
  void read(Launch &out) const {
    (*this)["kernel"].read(out.kernel);
    (*this)["arguments"].read(out.arguments);
  }
  void read(Entry &out) const {
    (*this)["name"].read(out.name);
    (*this)["inputs"].read(out.inputs);
    (*this)["outputs"].read(out.outputs);
    (*this)["launches"].read(out.launches);
  }
  void read(Image &out) const {
    (*this)["target"].read(out.target);
    (*this)["format"].read(out.format);
    (*this)["features"].read(out.features);
  }

private:
  bool expect(bool holds, const std::string &expected) const {
    if (problem->empty() && !holds)
      *problem = (path.empty() ? "the top" : path) + ": expected " + expected + ", found " + describe();
    return problem->empty();
  }

  std::string describe() const {
    if (value->is_array())
      return "a list of " + std::to_string(value->size());
    if (value->is_object())
      return "an object";
    std::string text = value->dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    return text.size() <= 40 ? text : text.substr(0, 40) + "...";
  }

  const ordered_json *value;
  std::string path;
  std::string *problem;
};

} // namespace

Result<Bundle> nova::tablesFromJson(std::string_view json, const std::string &source) {
  if (json.size() > kMaxTableBytes)
    return inputError(source + ": expected tables of at most " + std::to_string(kMaxTableBytes) + " bytes, found " +
                      std::to_string(json.size()));
  // What lies deeper than any table is dropped while parsing, so that it costs no memory.
  auto keep = [](int depth, ordered_json::parse_event_t, ordered_json &) { return depth < kMaxDepth; };
  ordered_json document = ordered_json::parse(json.begin(), json.end(), keep, /*allow_exceptions=*/false);
  if (document.is_discarded())
    return inputError(source + ": the tables are no valid JSON");

  Bundle bundle;
  std::string problem;
  Node top(document, "", problem);
  top["producer"].read(bundle.producer);
  top["options"].read(bundle.options);
  for (unsigned i = 0; i < kRegionCount; ++i)
    top["regions"][kRegions[i]].read(bundle.regionBytes[i]);
  top["state"].read(bundle.state);
  top["kernels"].read(bundle.kernels);
  top["entries"].read(bundle.entries);
  top["images"].read(bundle.images);
  if (!problem.empty())
    return inputError(source + ": tables: " + problem);
  return bundle;
}
