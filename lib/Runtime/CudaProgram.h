//===- CudaProgram.h - A bundle on a CUDA device ----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One allocation holds the bundle's regions as the memory plan lays them out, the kernels' status, and room for the
// inputs of the runs that are in flight. An entry's launches are captured into a graph once.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_RUNTIME_CUDAPROGRAM_H
#define NOVA_LIB_RUNTIME_CUDAPROGRAM_H

#include "CudaContext.h"

namespace nova::cuda {

/// Offsets at which the values of some arguments lie side by side.
struct Packing {
  explicit Packing(const std::vector<Argument> &arguments);
  std::vector<uint64_t> offsets;
  uint64_t bytes = 0;
};

class Program {
public:
  /// `stagingBytes` is the bytes, outside the regions, that the caller wants for inputs.
  static Result<Program> load(std::shared_ptr<const Context> context, std::shared_ptr<const Bundle> bundle,
                              uint64_t stagingBytes);

  CUdeviceptr at(Address address) const { return regions[static_cast<size_t>(address.region)] + address.offset; }
  CUdeviceptr status() const { return statusPointer; }
  CUdeviceptr stagingPointer() const { return stagingAddress; }

  /// Queues all launches of an entry as one graph.
  Result<void> launch(size_t entry, CUstream stream);
  /// Launches one kernel after the other and waits for each; tells the observer, where there is one.
  Result<void> launchEach(size_t entry, CUstream stream, LaunchObserver *observer) const;
  /// Queues one of an entry's launches.
  Result<void> launchOne(size_t entry, size_t launch, CUstream stream) const;

private:
  Program(std::shared_ptr<const Context> context, std::shared_ptr<const Bundle> bundle)
      : context(std::move(context)), bundle(std::move(bundle)) {}
  Result<void> allocate(uint64_t stagingBytes);
  Result<void> loadKernels();
  std::string describe(const Kernel &kernel) const;

  std::shared_ptr<const Context> context;
  std::shared_ptr<const Bundle> bundle;
  Owned<CUmodule> module;
  std::vector<CUfunction> functions; ///< per kernel
  Owned<CUdeviceptr> memory;
  CUdeviceptr regions[kRegionCount] = {}, statusPointer = 0, stagingAddress = 0;
  std::vector<Owned<CUgraphExec>> graphs; ///< per entry, once it has run
};

} // namespace nova::cuda

#endif // NOVA_LIB_RUNTIME_CUDAPROGRAM_H
