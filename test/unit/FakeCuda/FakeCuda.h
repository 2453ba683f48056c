//===- FakeCuda.h - A CUDA driver for tests ---------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shared library with the driver's entry points that Runtime uses. Its device memory is the host's, its kernels are
// those of Kernels.c, and work on a stream is done at once. It keeps a list of the calls, and every function can be made
// to fail; in a process of its own by NOVA_FAKE_CUDA_FAULTS=function:calls that succeed:code,...
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TEST_UNIT_FAKECUDA_FAKECUDA_H
#define NOVA_TEST_UNIT_FAKECUDA_FAKECUDA_H

#include "Nova/Runtime/Bundle.h"

#include <map>
#include <string>
#include <vector>

struct FakeCuda {
  int version = 12040;
  int devices = 1;
  int capability = 89;
  bool knowsErrors = true; ///< whether codes have names

  /// By function: how many more calls succeed, and the code of those after.
  struct Fault {
    int after = 0, code = 0;
  };
  std::map<std::string, Fault> faults;

  /// Names of the functions called, with what they are about: "cuLaunchKernel predict".
  std::vector<std::string> calls;
  /// What was allocated and not given back: a live count per kind.
  std::map<std::string, int> live;
};

/// The driver's library, for CudaOptions::driver.
extern const char *const kFakeCudaPath;

/// The state of the driver, new for each test.
FakeCuda &resetFakeCuda();

/// testProgram() for the fake driver: one image of that target and format.
nova::Bundle fakeCudaProgram(const std::string &target = "sm_80", const std::string &format = "ptx");

#endif // NOVA_TEST_UNIT_FAKECUDA_FAKECUDA_H
