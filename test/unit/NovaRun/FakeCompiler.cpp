//===- FakeCompiler.cpp - A compiler library for the tests of nova-run ----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "Compiles" every program to the test program, and evaluates it with the CPU device, so that nova-run's side of the
// interface is tested without LLVM. A program that contains "bad" does not compile. Each request is appended to the
// file that NOVA_TEST_REQUESTS names.
//
//===----------------------------------------------------------------------===//

#include "Nova/Compiler/Compiler.h"
#include "Nova/Runtime/Executable.h"
#include "Nova/Support/File.h"
#include "TestProgram/TestProgram.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>

using namespace nova;

#define EXPORT extern "C" __attribute__((visibility("default")))

struct nova_reference {
  std::unique_ptr<Executable> executable;
};

static Bundle programOf(const std::string &request) {
  nlohmann::json parsed = nlohmann::json::parse(request);
  Bundle bundle = parsed.value("train", false) ? testProgram() : affineProgram();
  nlohmann::json compiledIn = parsed.value("optimizer", nlohmann::json::object());
  for (const char *name : {"mode", "dtype", "matmul_precision"})
    compiledIn[name] = parsed[name];
  for (const auto &[name, value] : compiledIn.items())
    bundle.options[name == "kind" ? "optimizer" : name] = value.is_string() ? value.get<std::string>() : value.dump();
  return bundle;
}

/// Notes the request; whether the program is good, with a diagnostic where not.
static bool accept(const std::string &request, nova_sink diagnostic, void *context) {
  if (const char *log = std::getenv("NOVA_TEST_REQUESTS"))
    std::ofstream(log, std::ios::app) << request << "\n";
  size_t begin = request.find("\"file\":\"") + 8;
  std::string path = request.substr(begin, request.find('"', begin) - begin);
  Result<MappedFile> file = MappedFile::open(path);
  if (file && file->bytes().find("bad") == std::string_view::npos)
    return true;
  std::string message = path + ":1:1: error: bad program\n";
  diagnostic(context, message.data(), message.size());
  return false;
}

static int fail(const Error &error, nova_sink diagnostic, void *context) {
  std::string message = error.message + "\n";
  diagnostic(context, message.data(), message.size());
  return static_cast<int>(error.kind);
}

EXPORT int nova_compiler_abi() { return NOVA_COMPILER_ABI; }
EXPORT const char *nova_compiler_version() { return "fake"; }

EXPORT int nova_compile(const char *request, nova_sink bundle, nova_sink diagnostic, void *context) {
  if (!accept(request, diagnostic, context))
    return 1;
  std::string bytes = serialize(programOf(request));
  bundle(context, bytes.data(), bytes.size());
  return 0;
}

EXPORT int nova_reference_open(const char *request, nova_reference **out, nova_sink tables, nova_sink diagnostic,
                               void *context) {
  if (!accept(request, diagnostic, context))
    return 1;
  auto executable = loadOnCpu(std::make_shared<Bundle>(programOf(request)), {1, ""});
  if (!executable)
    return fail(executable.error(), diagnostic, context);
  Bundle without = (*executable)->tables();
  without.kernels.clear();
  for (Entry &entry : without.entries)
    entry.launches.clear();
  std::string json = tablesToJson(without);
  tables(context, json.data(), json.size());
  *out = new nova_reference{std::move(*executable)};
  return 0;
}

EXPORT int nova_reference_state(nova_reference *reference, size_t index, void *data, int write, nova_sink, void *) {
  (void)(write ? reference->executable->writeState(index, data) : reference->executable->readState(index, data));
  return 0;
}

EXPORT int nova_reference_run(nova_reference *reference, size_t entry, const void *const *inputs, void *const *outputs,
                              nova_sink diagnostic, void *context) {
  const Entry &table = reference->executable->tables().entries[entry];
  std::vector<const void *> from(inputs, inputs + table.inputs.size());
  std::vector<void *> to(outputs, outputs + table.outputs.size());
  Result<void> done = reference->executable->run(entry, from, to);
  return done ? 0 : fail(done.error(), diagnostic, context);
}

EXPORT void nova_reference_close(nova_reference *reference) { delete reference; }
