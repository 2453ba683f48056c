//===- BundleVerifier.cpp - What makes a bundle safe to run ---------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/Bundle.h"
#include "Nova/Support/CheckedMath.h"

#include <algorithm>
#include <set>

using namespace nova;

/// Larger than any machine's memory; keeps sums of sizes far from wrapping around.
static constexpr uint64_t kMaxRegionBytes = uint64_t(1) << 46;

namespace {

class Verifier {
public:
  explicit Verifier(const Bundle &bundle) : bundle(bundle) {}

  /// The first problem, or an empty string.
  std::string run() {
    verifyRegions();
    verifyKernels();
    verifyState();
    verifyImages();
    unique("entry", bundle.entries, [](const Entry &entry) { return entry.name; });
    for (const Entry &entry : bundle.entries)
      verifyEntry(entry);
    return problem;
  }

private:
  bool expect(bool holds, const std::string &message) {
    if (!holds && problem.empty())
      problem = message;
    return holds;
  }

  template <typename T, typename NameFn>
  void unique(const std::string &what, const std::vector<T> &items, NameFn nameOf) {
    std::set<std::string> names;
    for (const T &item : items)
      expect(names.insert(nameOf(item)).second, what + " '" + nameOf(item) + "' occurs twice");
  }

  void verifyRegions() {
    for (uint64_t bytes : bundle.regionBytes)
      expect(bytes <= kMaxRegionBytes, "expected regions of at most 2^46 bytes, found " + std::to_string(bytes));
    uint64_t constants = bundle.regionBytes[static_cast<size_t>(Region::Constants)];
    expect(constants == bundle.constants.size(), "expected " + std::to_string(constants) +
                                                     " bytes of constants, found " +
                                                     std::to_string(bundle.constants.size()));
  }

  void verifyKernels() {
    unique("kernel", bundle.kernels, [](const Kernel &kernel) { return kernel.name; });
    for (const Kernel &kernel : bundle.kernels) {
      const std::string prefix = "kernel '" + kernel.name + "': ";
      expect(!kernel.name.empty(), prefix + "expected a name, found none");
      expect(kernel.blocks >= 0, prefix + "expected 0 or more blocks, found " + std::to_string(kernel.blocks));
      expect(kernel.scratchBytes <= kMaxRegionBytes,
             prefix + "expected at most 2^46 bytes of scratch, found " + std::to_string(kernel.scratchBytes));
      size_t arguments = kernel.argumentBytes.size();
      expect(kernel.argumentTypes.size() == arguments && kernel.operands <= arguments,
             prefix + "expected types for " + std::to_string(arguments) + " arguments and at most as many operands, " +
                 "found " + std::to_string(kernel.argumentTypes.size()) + " and " + std::to_string(kernel.operands));
    }
  }

  bool liesInRegion(Address address, uint64_t bytes) const {
    return fitsIn(address.offset, bytes, bundle.regionBytes[static_cast<size_t>(address.region)]);
  }

  void verifyPlace(const std::string &what, Address address, uint64_t bytes) {
    uint64_t size = bundle.regionBytes[static_cast<size_t>(address.region)];
    expect(liesInRegion(address, bytes), what + ": " + std::to_string(bytes) + " bytes at offset " +
                                             std::to_string(address.offset) + " reach beyond a region of " +
                                             std::to_string(size));
  }

  void verifyTensor(const std::string &what, const TensorInfo &tensor, Address address) {
    expect(!tensor.name.empty(), what + ": expected a name, found none");
    Result<uint64_t> bytes = byteCount(tensor);
    if (!expect(static_cast<bool>(bytes), bytes ? "" : what + ": " + bytes.error().message))
      return;
    verifyPlace(what, address, *bytes);
    expect(address.offset % sizeOf(tensor.dtype) == 0,
           what + ": offset " + std::to_string(address.offset) + " is not aligned for " + typeToString(tensor));
  }

  void verifyState() {
    struct Range {
      uint64_t begin, end;
    };
    std::vector<Range> ranges;
    std::set<std::pair<StateTensor::Role, std::string>> names;
    for (const StateTensor &state : bundle.state) {
      const std::string what = "state '" + state.tensor.name + "'";
      verifyTensor(what, state.tensor, state.address);
      expect(state.address.region == Region::State, what + ": expected an address in the region state");
      expect(names.insert({state.role, state.tensor.name}).second, what + " occurs twice");
      expect(state.aliases.empty() || state.role == StateTensor::Role::Parameter,
             what + ": expected aliases of parameters alone");
      for (const std::string &alias : state.aliases)
        expect(names.insert({state.role, alias}).second, "state '" + alias + "' occurs twice");
      expect(state.init.kind == Initializer::Kind::Zero || isFloat(state.tensor.dtype),
             what + ": expected a float type to initialize, found " + typeToString(state.tensor));
      if (problem.empty())
        ranges.push_back({state.address.offset, state.address.offset + *byteCount(state.tensor)});
    }
    std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) { return a.begin < b.begin; });
    for (size_t i = 1; i < ranges.size(); ++i)
      expect(ranges[i].begin >= ranges[i - 1].end,
             "state tensors overlap at offset " + std::to_string(ranges[i].begin));
  }

  void verifyImages() {
    for (const Image &image : bundle.images)
      expect(!image.target.empty() && (image.format == "elf" || image.format == "ptx" || image.format == "cubin"),
             "image for '" + image.target + "': expected format elf, ptx or cubin, found '" + image.format + "'");
  }

  /// The type that a role asks for; null when the role is not known.
  static const char *scalarTypeOf(const std::string &role, bool isInput) {
    if (isInput)
      return role == "lr"                                          ? "tensor<f32>"
             : role == "step" || role == "seed" || role == "micro" ? "tensor<i64>"
                                                                   : nullptr;
    return role == "loss" || role == "grad_norm" ? "tensor<f32>" : nullptr;
  }

  void verifyArguments(const std::string &entry, const std::vector<Argument> &arguments, bool isInput) {
    const std::string kind = "entry '" + entry + "': " + (isInput ? "input" : "output");
    unique(kind, arguments, [](const Argument &argument) { return argument.tensor.name; });
    std::set<std::string> roles;
    for (const Argument &argument : arguments) {
      const std::string what = kind + " '" + argument.tensor.name + "'";
      verifyTensor(what, argument.tensor, argument.address);
      expect(!isInput || argument.address.region == Region::Io, what + ": expected an address in the region io");
      expect(argument.bound >= 0, what + ": expected a bound of 0 or more, found " + std::to_string(argument.bound));
      if (argument.role == "data")
        continue;
      const char *type = scalarTypeOf(argument.role, isInput);
      expect(type != nullptr, what + ": role '" + argument.role + "' is not known");
      expect(!type || typeToString(argument.tensor) == type,
             what + ": expected " + (type ? type : "") + ", found " + typeToString(argument.tensor));
      expect(roles.insert(argument.role).second, kind + ": role '" + argument.role + "' occurs twice");
    }
  }

  void verifyEntry(const Entry &entry) {
    verifyArguments(entry.name, entry.inputs, /*isInput=*/true);
    verifyArguments(entry.name, entry.outputs, /*isInput=*/false);
    for (size_t i = 0; i < entry.launches.size() && problem.empty(); ++i) {
      const Launch &launch = entry.launches[i];
      const std::string what = "entry '" + entry.name + "': launch " + std::to_string(i);
      if (!expect(launch.kernel < bundle.kernels.size(), what + ": expected one of " +
                                                             std::to_string(bundle.kernels.size()) +
                                                             " kernels, found number " + std::to_string(launch.kernel)))
        return;
      const Kernel &kernel = bundle.kernels[launch.kernel];
      if (!expect(launch.arguments.size() == kernel.argumentBytes.size(),
                  what + ": expected " + std::to_string(kernel.argumentBytes.size()) + " arguments for kernel '" +
                      kernel.name + "', found " + std::to_string(launch.arguments.size())))
        return;
      for (size_t a = 0; a < launch.arguments.size(); ++a)
        if (!liesInRegion(launch.arguments[a], kernel.argumentBytes[a]))
          verifyPlace(what + ", argument " + std::to_string(a), launch.arguments[a], kernel.argumentBytes[a]);
    }
  }

  const Bundle &bundle;
  std::string problem;
};

} // namespace

Result<void> nova::verifyBundle(const Bundle &bundle, const std::string &source) {
  if (std::string problem = Verifier(bundle).run(); !problem.empty())
    return inputError(source + ": tables: " + problem);
  return {};
}
