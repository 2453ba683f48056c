//===- Cuda.h - GPUs behind a CUDA driver -----------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A CUDA driver is a shared library that is opened when it is asked for: the vendor's, or the emulator that executes
// PTX on the CPU. To Nova there is no difference. Every error is one of ErrorKind::Device and says which call failed,
// why, and what to do.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_RUNTIME_CUDA_H
#define NOVA_RUNTIME_CUDA_H

#include "Nova/Runtime/Executable.h"

namespace nova {

struct CudaOptions {
  std::string name = "cuda"; ///< what DeviceInfo calls it
  std::string driver;        ///< path of the driver's library; empty: the vendor's, libcuda.so.1
  int ordinal = 0;           ///< which of the driver's devices
  /// Launch one kernel after the other and wait for each, so that an error names its kernel. Slow.
  bool isSynchronous = false;
};

/// A device whose driver is open and whose primary context is held.
class CudaDevice {
public:
  virtual ~CudaDevice() = default;
  static Result<std::shared_ptr<CudaDevice>> open(const CudaOptions &options);

  virtual const std::string &name() const = 0; ///< "NVIDIA RTX 6000 Ada Generation"
  /// 10 * major + minor: 89 for sm_89.
  virtual int capability() const = 0;

  /// Puts a bundle's program on the device: loads its kernels, allocates its memory, and zeroes its state.
  virtual Result<std::unique_ptr<Executable>> load(std::shared_ptr<const Bundle> bundle) = 0;
};

/// The best of `images` for a device, best first: by target, newest first, and machine code before PTX. Machine code
/// runs on its own major version from its minor version on, PTX on everything from its target on.
std::vector<const Image *> rankCudaImages(const std::vector<Image> &images, int capability);

/// The bundle with the best image for a device, or an error that lists what there is; `source` names the file.
Result<size_t> selectCudaBundle(const std::vector<Bundle> &bundles, int capability, const std::string &source);

} // namespace nova

#endif // NOVA_RUNTIME_CUDA_H
