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

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace nova {

struct DeviceInfo {
  std::string name;     ///< "cpu", "cuda", "emulator", "reference"
  std::string chip;     ///< the processor, in the vendor's words
  unsigned threads = 1; ///< of the host that compute; 0 on a GPU
  /// What the device can do at most in a second: arithmetic by the unit that does it, and bytes to and from its memory,
  /// where no more than `cacheBytes` of them may come from a cache. 0: it doesn't say.
  double flopsPerSecond[kUnitCount] = {}, bytesPerSecond = 0, cacheBytes = 0;
};

/// A value of an entry's input that made a run fail.
struct DataFault {
  size_t input = 0;
  int64_t position = 0; ///< linear
  int64_t value = 0;
  int64_t bound = 0; ///< valid values are 0 <= value < bound
};

/// One launch, as it happened.
struct LaunchEvent {
  using Clock = std::chrono::steady_clock;
  struct Span {
    Clock::time_point begin, end;
  };

  size_t entry = 0;
  size_t launch = 0; ///< in the entry's launches
  Span span;
  std::vector<Span> workers; ///< what each thread did, where the device knows; an empty span for nothing
};

/// Told of every launch, on the thread that runs the entry.
class LaunchObserver {
public:
  virtual ~LaunchObserver() = default;

  /// After a launch, before the next one; an error ends the run of the entry.
  virtual Result<void> launched(const LaunchEvent &event) = 0;
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

  /// How many runs may be in flight at once: more than one on a device that works while the host does something else.
  virtual unsigned maxRunsInFlight() const { return 1; }
  /// Begins a run as `run` does it, and may return before it is done. The inputs are copied first; the outputs are
  /// written by the `finish` that waits for it. State is read and written behind everything that was begun. Not to be
  /// mixed with `run` while runs are in flight.
  virtual Result<void> begin(size_t entry, const std::vector<const void *> &inputs,
                             const std::vector<void *> &outputs) {
    return run(entry, inputs, outputs);
  }
  /// Waits for the oldest of the runs in flight. After an error there are none, and the state is of no use.
  virtual Result<void> finish() { return {}; }

  /// Has `observer` told of the launches of later runs; null for nobody. False where the device cannot: it runs an
  /// entry as a whole. Watching costs time.
  virtual bool observe(LaunchObserver *observer) { return !observer; }

  /// Copies an argument of a launch as it is now; for observers. `data` holds the kernel's argumentBytes.
  virtual Result<void> readArgument(size_t entry, size_t launch, size_t argument, void *data) {
    (void)entry, (void)launch, (void)argument, (void)data;
    return deviceError("this device shows no arguments of launches");
  }

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

/// Rounds every parameter to its narrow copy, for those who have written parameters.
Result<void> makeNarrowCopies(Executable &executable);

} // namespace nova

#endif // NOVA_RUNTIME_EXECUTABLE_H
