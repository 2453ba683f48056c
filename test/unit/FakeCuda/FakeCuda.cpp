//===- FakeCuda.cpp - A CUDA driver for tests -----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include "TestProgram/TestProgram.h"

#include <dlfcn.h>

using namespace nova;

const char *const kFakeCudaPath = NOVA_FAKE_CUDA;

FakeCuda &resetFakeCuda() {
  // The same library as Runtime opens, hence the same state.
  void *library = dlopen(kFakeCudaPath, RTLD_NOW | RTLD_LOCAL);
  auto state = library ? reinterpret_cast<FakeCuda *(*)()>(dlsym(library, "fakeCudaState")) : nullptr;
  if (!state)
    std::abort();
  *state() = FakeCuda();
  return *state();
}

Bundle fakeCudaProgram(const std::string &target, const std::string &format) {
  Bundle bundle = testProgram();
  // What the driver reads instead of PTX: the library with the kernels, then their names and numbers of tensors.
  std::string text = format + " " NOVA_TEST_KERNELS "\n";
  for (Kernel &kernel : bundle.kernels) {
    kernel.gpuThreads = 32;
    text += kernel.name + " " + std::to_string(kernel.argumentBytes.size()) + "\n";
  }
  bundle.images = {{target, format, {}, text}};
  return bundle;
}
