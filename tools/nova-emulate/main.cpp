//===- main.cpp - nova-emulate --------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "Options.h"

#include "Nova/Support/File.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

using namespace nova;
using namespace nova::emulator;

static int report(const Error &error) {
  std::fprintf(stderr, "nova-emulate: error: %s\n", error.message.c_str());
  return static_cast<int>(error.kind);
}

static Result<const Program *> selectKernel(const Module &module, const std::string &file, const std::string &name) {
  std::vector<std::string> names = module.kernelNames();
  if (name.empty() && names.size() == 1)
    return module.kernel(names.front());
  if (const Program *kernel = name.empty() ? nullptr : module.kernel(name))
    return kernel;
  std::string all;
  for (const std::string &known : names)
    all += (all.empty() ? "" : ", ") + known;
  if (names.empty())
    return inputError(file + ": expected a kernel (.entry), found none");
  return usageError(file + ": expected --kernel with one of " + all + (name.empty() ? "" : ", found '" + name + "'"));
}

static Result<void> runLaunch(const ToolOptions &options, const Module &module, const LaunchRequest &request,
                              DeviceMemory &memory, Buffers &buffers, CountersByKernel &counters, bool &hasFindings) {
  Result<const Program *> kernel = selectKernel(module, options.file, request.kernel);
  if (!kernel)
    return kernel.error();
  Result<std::vector<uint8_t>> parameters = packArguments(**kernel, request.arguments, buffers);
  if (!parameters)
    return parameters.error();
  Options emulatorOptions = options.emulator;
  Dim3 grid = request.grid, end{std::max(grid.x, 1u) - 1, std::max(grid.y, 1u) - 1, std::max(grid.z, 1u) - 1};
  if (request.firstBlock || request.lastBlock)
    emulatorOptions.range = BlockRange{request.firstBlock.value_or(Dim3{0, 0, 0}), request.lastBlock.value_or(end)};
  Result<LaunchResult> result =
      launch(**kernel, memory, grid, request.block, request.shared, *parameters, emulatorOptions);
  if (!result)
    return result.error();
  counters[nameOf(**kernel)].add(result->counters);
  for (const Finding &finding : result->findings)
    std::fprintf(stderr, "%s: %s\n", options.file.c_str(), finding.message.c_str());
  hasFindings |= !result->findings.empty();
  return {};
}

static Result<void> writeReport(const ToolOptions &options, const CountersByKernel &counters) {
  if (!options.wantsReport)
    return {};
  if (!options.report.empty())
    return writeFile(options.report, countersToJson(counters));
  std::fputs(countersToTable(counters).c_str(), stdout);
  if (std::fflush(stdout) != 0)
    return inputError(std::string("cannot write to stdout: ") + std::strerror(errno));
  return {};
}

/// Everything in order; whether a check found something.
static Result<bool> run(const ToolOptions &options) {
  std::vector<LaunchRequest> launches = {options.launch};
  if (!options.launchesFile.empty()) {
    Result<std::vector<LaunchRequest>> read = readLaunches(options.launchesFile);
    if (!read)
      return read.error();
    launches = std::move(*read);
  }
  Result<MappedFile> file = MappedFile::open(options.file);
  if (!file)
    return file.error();
  Result<std::unique_ptr<DeviceMemory>> memory = DeviceMemory::create(uint64_t(8) << 30);
  if (!memory)
    return memory.error();
  Result<std::unique_ptr<Module>> module = Module::load(file->bytes(), options.file, **memory);
  if (!module)
    return module.error();
  Buffers buffers(**memory);
  if (!options.inputs.empty())
    if (Result<void> opened = buffers.openInputs(options.inputs); !opened)
      return opened.error();
  CountersByKernel counters;
  bool hasFindings = false;
  for (const LaunchRequest &request : launches)
    if (Result<void> done = runLaunch(options, **module, request, **memory, buffers, counters, hasFindings); !done)
      return done.error();
  if (Result<void> written = writeReport(options, counters); !written)
    return written.error();
  if (!options.outputs.empty())
    if (Result<void> written = buffers.write(options.outputs); !written)
      return written.error();
  if (!options.expect.empty())
    if (Result<void> same = buffers.compare(options.expect, options.tolerance); !same)
      return same.error();
  return hasFindings;
}

int main(int argc, char **argv) {
  // Libraries throw when memory runs out, and on what nobody foresaw: a message all the same.
  try {
    std::variant<ToolOptions, int> options = parseOptions(argc, argv);
    if (int *code = std::get_if<int>(&options))
      return *code;
    Result<bool> hasFindings = run(std::get<ToolOptions>(options));
    if (!hasFindings)
      return report(hasFindings.error());
    return *hasFindings ? static_cast<int>(ErrorKind::Numerics) : 0;
  } catch (const std::exception &exception) {
    return report(deviceError(exception.what()));
  }
}
