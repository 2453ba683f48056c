//===- Driver.h - The emulator as a CUDA driver: what its parts share -*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the handles of Nova/Support/Cuda.h stand for here. A stream is a queue of work that is done when something waits
// for it or asks about it.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_DRIVER_H
#define NOVA_LIB_EMULATOR_DRIVER_H

#include "Nova/Emulator/Launch.h"
#include "Nova/Support/Cuda.h"

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>

/// What is exported.
#define NOVA_CUDA extern "C" __attribute__((visibility("default")))

namespace nova::emulator {

/// Work of a stream: does it and says how it went.
using Task = std::function<CUresult()>;

/// Faults to inject, from NOVA_EMULATOR_FAULT. Counts are of calls left until the fault, 0 without one.
struct Faults {
  bool noDevice = false, oldDriver = false;
  uint64_t outOfMemory = 0, outOfHostMemory = 0, module = 0, copy = 0;
  bool losesDevice = false;
  uint64_t launchesUntilLost = 0;
  std::set<std::string> failedLaunches, refusedLaunches;

  /// The first unknown fault, or nothing.
  std::string parse(const std::string &list);
};

/// The one device and everything that belongs to it. Guarded by one mutex: every entry point holds it.
struct DriverState {
  static DriverState &get();

  std::recursive_mutex mutex;
  bool isInitialised = false;
  CUresult initResult = CUDA_SUCCESS;
  Options options;
  Faults faults;
  int computeCapability = 89;
  std::string reportPath;
  std::unique_ptr<DeviceMemory> memory;
  CountersByKernel counters;
  CUresult sticky = CUDA_SUCCESS; ///< after a failed kernel
  uint64_t launches = 0;
  unsigned contextUses = 0;
  std::map<uint64_t, uint64_t> pinned; ///< host memory: bytes by address

  std::set<CUmodule> modules;
  std::set<CUfunction> functions;
  std::set<CUstream> streams;
  std::set<CUevent> events;
  std::set<CUgraph> graphs;
  std::set<CUgraphExec> executables;

  CUresult initialise();
  void writeReport();
  bool isPinned(const void *data, size_t bytes) const;
};

/// Holds the mutex, and says why a call cannot be served.
class Call {
public:
  Call() : state(DriverState::get()), lock(state.mutex) {}
  /// An error that every call returns, or success.
  CUresult problem() const {
    return !state.isInitialised               ? CUDA_ERROR_NOT_INITIALIZED
           : state.initResult != CUDA_SUCCESS ? state.initResult
                                              : state.sticky;
  }
  DriverState *operator->() { return &state; }

private:
  DriverState &state;
  std::lock_guard<std::recursive_mutex> lock;
};

/// Adds work to a stream, to the graph that it captures, or (the null stream) does it after everything before.
CUresult enqueue(CUstream stream, Task task);
/// Does the work of a stream, of all of them for null.
CUresult drain(CUstream stream);
bool isCapturing(CUstream stream);
/// Runs a kernel now.
CUresult runKernel(CUfunction function, Dim3 grid, Dim3 block, uint32_t shared, const std::vector<uint8_t> &parameters);

} // namespace nova::emulator

struct CUevent_st {
  bool isRecorded = false; ///< ever
  bool isDone = true;      ///< the last record has been executed
  CUstream stream = nullptr;
  uint64_t position = 0; ///< in the stream, of the last record
  std::chrono::steady_clock::time_point time;
  CUgraph capture = nullptr; ///< that the record was part of
};

struct CUgraph_st {
  std::vector<nova::emulator::Task> tasks;
};

struct CUgraphExec_st {
  std::vector<nova::emulator::Task> tasks;
};

struct CUstream_st {
  std::deque<nova::emulator::Task> queue;
  uint64_t done = 0;         ///< tasks executed so far
  CUgraph capture = nullptr; ///< being captured into
  bool isCaptureOrigin = false;
};

struct CUmod_st {
  std::unique_ptr<nova::emulator::Module> module;
  std::map<std::string, CUfunction> functions;
};

struct CUfunc_st {
  const nova::emulator::Program *program = nullptr;
  CUmodule module = nullptr;
  uint32_t maxDynamicShared = 48 << 10;
};

#endif // NOVA_LIB_EMULATOR_DRIVER_H
