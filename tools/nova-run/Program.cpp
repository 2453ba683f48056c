//===- Program.cpp - From FILE to something that runs ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "CompilerLibrary.h"
#include "Device.h"
#include "Nova/Runtime/BundleCache.h"
#include "Nova/Support/File.h"
#include "Nova/Support/Safetensors.h"
#include "ReferenceDevice.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <malloc.h>

using namespace nova;
using nlohmann::ordered_json;

//===----------------------------------------------------------------------===//
// Bundles
//===----------------------------------------------------------------------===//

/// Equal as text, or as numbers: "1" and "1.0".
static bool isSameValue(const std::string &a, const std::string &b) {
  char *endA = nullptr, *endB = nullptr;
  double valueA = std::strtod(a.c_str(), &endA), valueB = std::strtod(b.c_str(), &endB);
  bool areNumbers = !a.empty() && !b.empty() && !*endA && !*endB;
  return areNumbers ? valueA == valueB : a == b;
}

/// The flag that is compiled in under that name.
static std::string flagOf(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + (name == "entry" ? "loss" : name);
}

/// Flags that were given must be those that the bundle was made with.
static Result<void> checkCompiledIn(const Options &options, const Bundle &bundle) {
  for (const auto &[name, value] : options.givenCompiledIn) {
    std::string flag = flagOf(name);
    auto found = bundle.options.find(name);
    if (found == bundle.options.end())
      return usageError(flag + " is compiled in, and " + options.file + " was made without it; leave the flag out");
    if (!isSameValue(found->second, value))
      return usageError(flag + "=" + value + " contradicts " + options.file + ", which was compiled with " +
                        found->second + "; leave the flag out or compile the program again");
  }
  return {};
}

/// Flags that a program leaves no choice about: one that comes as a train step has its optimizer.
static Result<void> checkUsed(const Options &options, const Bundle &bundle) {
  for (const auto &[name, value] : options.givenCompiledIn) {
    auto found = bundle.options.find(name);
    if (name != "entry" && (found == bundle.options.end() || !isSameValue(found->second, value)))
      return usageError(flagOf(name) + "=" + value + " has no effect: " + options.file +
                        " is a train step already; leave the flag out, or give the program that it was "
                        "made from");
  }
  return {};
}

static Result<Bundle> openBundle(const Options &options, const Device &device, std::string_view bytes) {
  if (options.device == "reference")
    return usageError("--device=reference evaluates programs, and " + options.file +
                      " is a bundle; give the .mlir that it was made from");
  if (!options.dumpIr.empty() || options.kernelReport || !options.shapes.empty())
    return usageError("--dump-ir, --kernel-report and --shape are about compiling, and " + options.file +
                      " is compiled already");
  Result<Bundle> bundle = device.parse(bytes, options.file);
  if (!bundle)
    return bundle;
  if (Result<void> checked = checkCompiledIn(options, *bundle); !checked)
    return checked.error();
  return bundle;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// The shapes of the arrays that --inputs has.
static Result<std::vector<std::string>> inputShapes(const Options &options) {
  std::vector<std::string> shapes;
  if (options.inputs.empty())
    return shapes;
  Result<SafetensorsFile> file = SafetensorsFile::open(options.inputs);
  if (!file)
    return file.error();
  for (const SafetensorsEntry &entry : file->entries()) {
    std::string sizes;
    for (int64_t size : entry.shape)
      sizes += (sizes.empty() ? "" : "x") + std::to_string(size);
    if (!sizes.empty())
      shapes.push_back(entry.name + "=" + sizes);
  }
  return shapes;
}

/// The request to the compiler without what only changes its reports.
static Result<ordered_json> requestOf(const Options &options, const Device &device) {
  Result<std::vector<std::string>> inputs = inputShapes(options);
  if (!inputs)
    return inputs.error();
  ordered_json request = {{"file", options.file},
                          {"entry", options.isTraining() ? options.loss : options.entry},
                          {"train", options.isTraining()},
                          {"targets", {device.target()}},
                          {"assemble", device.takesMachineCode()},
                          {"mode", options.mode},
                          {"dtype", options.dtype},
                          {"matmul_precision", options.matmulPrecision},
                          {"shapes", options.shapes},
                          {"input_shapes", *inputs},
                          {"cpu", "native"}};
  if (options.isTraining())
    request["optimizer"] = {{"kind", options.optimizer},
                            {"momentum", options.momentum},
                            {"nesterov", options.nesterov},
                            {"beta1", options.beta1},
                            {"beta2", options.beta2},
                            {"eps", options.eps},
                            {"weight_decay", options.weightDecay},
                            {"clip", options.clip},
                            {"accumulate", options.accumulate}};
  return request;
}

static std::string textOf(const ordered_json &request) {
  return request.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// The cache, unless it is switched off. A default folder that cannot be used costs a warning, no more.
static Result<std::optional<BundleCache>> openCache(const Options &options) {
  if (options.noCache)
    return std::optional<BundleCache>();
  std::string folder = options.cacheDir.empty() ? BundleCache::defaultFolder() : options.cacheDir;
  if (folder.empty())
    return std::optional<BundleCache>();
  Result<BundleCache> cache = BundleCache::open(folder);
  if (cache)
    return std::optional<BundleCache>(std::move(*cache));
  if (!options.cacheDir.empty())
    return cache.error();
  std::fprintf(stderr, "nova-run: warning: no cache: %s\n", cache.error().message.c_str());
  return std::optional<BundleCache>();
}

/// Compiles, and keeps the result in the cache where there is one. A cache that takes nothing more is used no further.
static Result<Bundle> compile(const Options &options, ordered_json request, const std::string &libraryPath,
                              const BundleCache *&cache, const std::string &key) {
  Result<CompilerLibrary> library = CompilerLibrary::open(libraryPath);
  if (!library)
    return library.error();
  request["kernel_report"] = options.kernelReport;
  if (!options.dumpIr.empty())
    request["dump_ir"] = options.dumpIr;
  Result<std::string> bytes = library->compile(textOf(request));
  if (!bytes)
    return bytes.error();
  malloc_trim(0); // What the compiler used is not needed while the program runs.
  if (cache)
    if (Result<void> stored = cache->store(key, *bytes); !stored) {
      std::fprintf(stderr, "nova-run: warning: not cached: %s\n", stored.error().message.c_str());
      cache = nullptr;
    }
  return parseBundle(*bytes, options.file);
}

static std::string imageFolderOf(const BundleCache *cache) { return cache ? cache->folder() : ""; }

/// Takes the bundle from the cache, or else has the compiler make it.
static Result<Program> makeProgram(const Options &options, const Device &device, std::string_view source,
                                   const BundleCache *cache) {
  Result<std::string> library = CompilerLibrary::find();
  if (!library)
    return inputError(options.file + ": " + library.error().message);
  Result<std::string> buildId = buildIdOf(*library);
  if (!buildId)
    return buildId.error();
  Result<ordered_json> request = requestOf(options, device);
  if (!request)
    return request.error();
  std::string key = cacheKey(source, textOf(*request), *buildId, hostCpu());

  Program program;
  std::optional<Bundle> bundle;
  bool wantsReports = !options.dumpIr.empty() || options.kernelReport;
  if (cache) {
    if (!wantsReports)
      bundle = cache->load(key);
    program.isCacheHit = bundle.has_value();
  }
  if (!bundle) {
    auto start = std::chrono::steady_clock::now();
    Result<Bundle> compiled = compile(options, *request, *library, cache, key);
    if (!compiled)
      return compiled.error();
    program.compileSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    bundle = std::move(*compiled);
  }
  if (Result<void> used = checkUsed(options, *bundle); !used)
    return used.error();
  auto executable = device.load(std::move(*bundle), imageFolderOf(cache));
  if (!executable)
    return executable.error();
  program.executable = std::move(*executable);
  return program;
}

static Result<Program> openOnReference(const Options &options, const Device &device) {
  Result<std::string> path = CompilerLibrary::find();
  if (!path)
    return inputError(options.file + ": " + path.error().message);
  Result<CompilerLibrary> library = CompilerLibrary::open(*path);
  if (!library)
    return library.error();
  Result<ordered_json> request = requestOf(options, device);
  if (!request)
    return request.error();
  auto executable = openReference(*library, textOf(*request));
  if (!executable)
    return executable.error();
  if (Result<void> used = checkUsed(options, (*executable)->tables()); !used)
    return used.error();
  Program program;
  program.executable = std::move(*executable);
  return program;
}

/// Requests to the compiler are JSON, whose text is UTF-8; file names are any bytes.
static Result<void> checkFileName(const std::string &file) {
  try {
    (void)nlohmann::json(file).dump();
    return {};
  } catch (const nlohmann::json::type_error &) {
    return inputError(file + ": expected a program with a name in UTF-8, found other bytes in it; rename it, or give a "
                             "link to it");
  }
}

Result<Program> nova::loadProgram(const Options &options) {
  Result<MappedFile> file = MappedFile::open(options.file);
  if (!file)
    return file.error();
  std::string_view bytes = file->bytes();
  Result<Device> device = Device::open(options);
  if (!device)
    return device.error();
  bool isBundle = bytes.substr(0, sizeof(kBundleMagic)) == std::string_view(kBundleMagic, sizeof(kBundleMagic));
  if (Result<void> checked = isBundle ? Result<void>() : checkFileName(options.file); !checked)
    return checked.error();
  if (!isBundle && options.device == "reference")
    return openOnReference(options, *device);
  auto cache = openCache(options);
  if (!cache)
    return cache.error();
  const BundleCache *cachePointer = *cache ? &**cache : nullptr;
  if (!isBundle)
    return makeProgram(options, *device, bytes, cachePointer);

  Result<Bundle> bundle = openBundle(options, *device, bytes);
  if (!bundle)
    return bundle.error();
  auto executable = device->load(std::move(*bundle), imageFolderOf(cachePointer));
  if (!executable)
    return executable.error();
  Program program;
  program.executable = std::move(*executable);
  return program;
}
