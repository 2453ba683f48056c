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
#include <optional>
#include <string>
#include <vector>

namespace nova {

struct DeviceInfo {
  std::string name;     ///< "cpu", "cuda", "emulator", "reference"
  std::string chip;     ///< the processor, in the vendor's words
  unsigned threads = 1; ///< of the host that compute; 0 on a GPU
};

/// A value of an entry's input that made a run fail.
struct DataFault {
  size_t input = 0;
  int64_t position = 0; ///< linear
  int64_t value = 0;
  int64_t bound = 0; ///< valid values are 0 <= value < bound
};

class Executable {
public:
  virtual ~Executable() = default;

  /// The tables: state, entries, kernels, options.
  virtual const Bundle &tables() const = 0;
  virtual DeviceInfo device() const = 0;

  /// Copies one state tensor in or out; `data` holds byteCount(tables().state[index].tensor) bytes. The state of a new
  /// executable is zero.
  virtual Result<void> writeState(size_t index, const void *data) = 0;
  virtual Result<void> readState(size_t index, void *data) = 0;

  /// Runs an entry: one pointer to host memory per input and per output; a null output is not copied back.
  virtual Result<void> run(size_t entry, const std::vector<const void *> &inputs,
                           const std::vector<void *> &outputs) = 0;

  /// How many runs may be under way at once: more than one on a device that works while the host does something else.
  virtual unsigned mostRuns() const { return 1; }
  /// Begins a run as `run` does it, and may return before it is done. The inputs are copied first; the outputs are
  /// written by the `finish` that waits for it. State is read and written behind everything that was begun. Not to be
  /// mixed with `run` while runs are under way.
  virtual Result<void> begin(size_t entry, const std::vector<const void *> &inputs,
                             const std::vector<void *> &outputs) {
    return run(entry, inputs, outputs);
  }
  /// Waits for the oldest of the runs under way. After an error there are none, and the state is of no use.
  virtual Result<void> finish() { return {}; }

  /// After a run that failed: the value of an input that is to blame, where the device knows it.
  virtual std::optional<DataFault> dataFault() const { return std::nullopt; }
};

struct CpuOptions {
  unsigned threads = 0;    ///< 0: all cores of the process
  std::string imageFolder; ///< where the shared object is kept, see KernelLibrary; empty: a temporary folder
};

Result<std::unique_ptr<Executable>> loadOnCpu(std::shared_ptr<const Bundle> bundle, const CpuOptions &options);

/// Gives every parameter its initial value: a function of the seed, the parameter's name and the element's index.
Result<void> initializeState(Executable &executable, uint64_t seed);

} // namespace nova

#endif // NOVA_RUNTIME_EXECUTABLE_H
