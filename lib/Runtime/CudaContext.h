//===- CudaContext.h - A CUDA device and what is held of it -----*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_RUNTIME_CUDACONTEXT_H
#define NOVA_LIB_RUNTIME_CUDACONTEXT_H

#include "CudaDriver.h"
#include "Nova/Runtime/Cuda.h"

#include <functional>
#include <utility>

namespace nova::cuda {

/// Something of the driver's that is given back at the end. Errors of giving back don't matter: a lost device has
/// nothing left to give back.
template <typename Handle> class Owned {
public:
  Owned() = default;
  Owned(const Function<Handle> &release, Handle handle) : release(&release), handle(handle) {}
  Owned(Owned &&other) noexcept
      : release(std::exchange(other.release, nullptr)), handle(std::exchange(other.handle, Handle())) {}
  Owned &operator=(Owned &&other) noexcept {
    std::swap(release, other.release);
    std::swap(handle, other.handle);
    return *this;
  }
  ~Owned() {
    if (handle)
      (void)(*release)(handle);
  }
  Handle get() const { return handle; }

private:
  const Function<Handle> *release = nullptr;
  Handle handle = Handle();
};

/// The driver and a device's primary context. Outlives everything that is Owned.
class Context final : public CudaDevice, public std::enable_shared_from_this<Context> {
public:
  static Result<std::shared_ptr<Context>> create(const CudaOptions &options);
  ~Context() override;

  const std::string &name() const override { return deviceName; }
  int capability() const override { return deviceCapability; }
  Result<std::unique_ptr<Executable>> load(std::shared_ptr<const Bundle> bundle) override;

  /// Device memory of at least one byte; `what` says in an error what it is for.
  Result<Owned<CUdeviceptr>> allocate(uint64_t bytes, const std::string &what) const;
  /// Memory of the host that the device copies from and to on its own.
  Result<Owned<void *>> allocateHost(uint64_t bytes, const std::string &what) const;
  Result<Owned<CUstream>> createStream() const;
  Result<Owned<CUevent>> createEvent(unsigned flags) const;
  /// The first of the images that the driver takes. One that it has no use for (a cubin of another architecture, any
  /// cubin in the emulator) is passed over.
  Result<Owned<CUmodule>> loadModule(const std::vector<const Image *> &images) const;
  /// What `work` queues on the stream, as a graph that can be launched again and again.
  Result<Owned<CUgraphExec>> capture(CUstream stream, const std::function<Result<void>()> &work) const;

  DeviceInfo info() const;

  const CudaOptions options;
  const Driver driver;

private:
  Context(const CudaOptions &options, Driver driver) : options(options), driver(std::move(driver)) {}
  Result<void> start();

  std::string deviceName;
  int device = 0, deviceCapability = 0;
  CUcontext handle = nullptr;
};

} // namespace nova::cuda

#endif // NOVA_LIB_RUNTIME_CUDACONTEXT_H
