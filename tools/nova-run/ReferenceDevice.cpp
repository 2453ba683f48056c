//===- ReferenceDevice.cpp - The evaluator as a device --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceDevice.h"

#include "Nova/Runtime/HostCpu.h"

using namespace nova;

/// A sink that appends to the std::string in `context`.
static void append(void *context, const char *bytes, size_t size) {
  static_cast<std::string *>(context)->append(bytes, size);
}

/// The error of a function that returned `code` with a diagnostic.
static Error errorOf(int code, std::string diagnostic) {
  while (!diagnostic.empty() && diagnostic.back() == '\n')
    diagnostic.pop_back();
  return {static_cast<ErrorKind>(code), diagnostic};
}

namespace {

class ReferenceDevice final : public Executable {
public:
  ReferenceDevice(const CompilerLibrary &library, nova_reference *reference, Bundle bundle)
      : library(library), reference(reference), bundle(std::move(bundle)) {}
  ~ReferenceDevice() override { library.referenceClose(reference); }

  const Bundle &tables() const override { return bundle; }
  DeviceInfo device() const override { return {"reference", hostCpu().model, 1}; }

  Result<void> writeState(size_t index, const void *data) override {
    // The interface has one function for both directions: with `write` set it only reads `data`.
    return state(index, const_cast<void *>(data), 1);
  }
  Result<void> readState(size_t index, void *data) override { return state(index, data, 0); }

  Result<void> run(size_t entry, const std::vector<const void *> &inputs, const std::vector<void *> &outputs) override {
    std::string diagnostic;
    if (int code = library.referenceRun(reference, entry, inputs.data(), outputs.data(), append, &diagnostic))
      return errorOf(code, diagnostic);
    return {};
  }

private:
  Result<void> state(size_t index, void *data, int write) {
    std::string diagnostic;
    if (int code = library.referenceState(reference, index, data, write, append, &diagnostic))
      return errorOf(code, diagnostic);
    return {};
  }

  CompilerLibrary library;
  nova_reference *reference;
  Bundle bundle;
};

} // namespace

Result<std::unique_ptr<Executable>> nova::openReference(const CompilerLibrary &library, const std::string &request) {
  // Both sinks share one context.
  struct Texts {
    std::string tables, diagnostic;
  } texts;
  auto keepTables = [](void *context, const char *bytes, size_t size) {
    append(&static_cast<Texts *>(context)->tables, bytes, size);
  };
  auto keepDiagnostic = [](void *context, const char *bytes, size_t size) {
    append(&static_cast<Texts *>(context)->diagnostic, bytes, size);
  };
  nova_reference *reference = nullptr;
  if (int code = library.referenceOpen(request.c_str(), &reference, keepTables, keepDiagnostic, &texts))
    return errorOf(code, texts.diagnostic);
  Result<Bundle> tables = tablesFromJson(texts.tables, "the reference evaluator");
  if (!tables) {
    library.referenceClose(reference);
    return tables.error();
  }
  return std::unique_ptr<Executable>(new ReferenceDevice(library, reference, std::move(*tables)));
}
