//===- CompilerLibrary.cpp - The compiler, opened when needed -------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompilerLibrary.h"

#include "Device.h"
#include "Libraries.h"

#include <cstdio>
#include <dlfcn.h>

using namespace nova;

Result<std::string> CompilerLibrary::find() {
  Result<std::string> path = findLibrary("libNovaCompiler.so", "the compiler");
  if (!path)
    path.error().message += ": a program needs it; a bundle (nova-translate --nova-to-bundle) runs without";
  return path;
}

Result<CompilerLibrary> CompilerLibrary::open(const std::string &path) {
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return deviceError(std::string("cannot load the compiler: ") + dlerror());
  CompilerLibrary library;
  decltype(&nova_compiler_abi) abi = nullptr;
  std::string missing;
  auto resolve = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    if (!function)
      missing += std::string(missing.empty() ? "" : ", ") + name;
  };
  resolve(abi, "nova_compiler_abi");
  resolve(library.version, "nova_compiler_version");
  resolve(library.compileFunction, "nova_compile");
  resolve(library.referenceOpen, "nova_reference_open");
  resolve(library.referenceState, "nova_reference_state");
  resolve(library.referenceRun, "nova_reference_run");
  resolve(library.referenceClose, "nova_reference_close");
  if (!missing.empty())
    return deviceError(path + ": expected the functions of Nova's compiler, found it without " + missing);
  if (abi() != NOVA_COMPILER_ABI)
    return deviceError(path + ": expected interface " + std::to_string(NOVA_COMPILER_ABI) + ", found " +
                       std::to_string(abi()) + "; install nova-run and the compiler of one version");
  return library;
}

Result<std::string> CompilerLibrary::compile(const std::string &request) const {
  std::string bundle;
  auto keep = [](void *context, const char *bytes, size_t size) {
    static_cast<std::string *>(context)->assign(bytes, size);
  };
  // The two sinks share one context; diagnostics need none.
  auto print = [](void *, const char *bytes, size_t size) { std::fwrite(bytes, 1, size, stderr); };
  if (int code = compileFunction(request.c_str(), keep, print, &bundle))
    return Error{static_cast<ErrorKind>(code), ""};
  return bundle;
}

std::string nova::versionText() {
  // Laid out as the compiler's tools lay it out.
  std::string text = "Nova " NOVA_VERSION "\n"
                     "  devices:  cpu, cuda, emulator, reference\n"
                     "  CUDA:     " +
                     describeGpu() + "\n  compiler: ";
  Result<std::string> path = CompilerLibrary::find();
  if (!path)
    return text + "none found, only bundles can be run";
  Result<CompilerLibrary> library = CompilerLibrary::open(*path);
  return text + (library ? std::string(library->version()) + " (" + *path + ")" : library.error().message);
}
