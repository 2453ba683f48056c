//===- Device.h - The device that --device names ----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_RUN_DEVICE_H
#define NOVA_TOOLS_NOVA_RUN_DEVICE_H

#include "Nova/Runtime/Cuda.h"
#include "Options.h"

namespace nova {

/// Where bundles run. A GPU's driver is open: what is wrong with it is said before anything is compiled.
class Device {
public:
  static Result<Device> open(const Options &options);

  /// The target that a program is compiled for: "cpu", or "sm_89" for a GPU that runs its code.
  std::string target() const;
  /// Whether machine code is of use: the emulator takes PTX.
  bool takesMachineCode() const { return !isEmulator; }

  /// The bundle of a file that is for this device.
  Result<Bundle> parse(std::string_view bytes, const std::string &file) const;
  /// `imageFolder` is for the CPU's images, see CpuOptions.
  Result<std::unique_ptr<Executable>> load(Bundle bundle, const std::string &imageFolder) const;

private:
  std::shared_ptr<CudaDevice> gpu; ///< null: the CPU
  bool isEmulator = false;
  unsigned threads = 0;
};

/// The GPU that --device=cuda would use, or why there is none, for --version.
std::string describeGpu();

} // namespace nova

#endif // NOVA_TOOLS_NOVA_RUN_DEVICE_H
