//===- Executable.h - A program made ready on a device ----------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Training and nova-run see of a device. The CPU and CUDA devices load bundles; the reference evaluator of the
// compiler library implements the same interface, so that there is one training loop.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_RUNTIME_EXECUTABLE_H
#define NOVA_RUNTIME_EXECUTABLE_H

#include "Nova/Runtime/Bundle.h"

#include <memory>
#include <string>
#include <vector>

namespace nova {

class Executable {
public:
  virtual ~Executable() = default;

  /// The tables: state, entries, kernels, options.
  virtual const Bundle &tables() const = 0;

  /// Copies one state tensor in or out; `data` holds byteCount(tables().state[index].tensor) bytes.
  virtual Result<void> writeState(size_t index, const void *data) = 0;
  virtual Result<void> readState(size_t index, void *data) = 0;

  /// Runs an entry: one pointer to host memory per input and per output; a null output is not copied back.
  virtual Result<void> run(size_t entry, const std::vector<const void *> &inputs,
                           const std::vector<void *> &outputs) = 0;
};

struct CpuOptions {
  unsigned threads = 0;    ///< 0: all cores of the process
  std::string imageFolder; ///< folder for the shared object; must belong to the user and nobody else may write it
};

Result<std::unique_ptr<Executable>> loadOnCpu(std::shared_ptr<const Bundle> bundle, const CpuOptions &options);

} // namespace nova

#endif // NOVA_RUNTIME_EXECUTABLE_H
