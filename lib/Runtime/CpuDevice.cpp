//===- CpuDevice.cpp - Bundles on the CPU ---------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/Executable.h"
#include "Nova/Runtime/KernelLibrary.h"
#include "Nova/Runtime/Memory.h"
#include "Nova/Runtime/ThreadPool.h"
#include "Nova/Support/CheckedMath.h"
#include "StatusReport.h"

#include <algorithm>
#include <cstring>

using namespace nova;

namespace {

/// A launch with its kernel and addresses resolved.
struct ReadyLaunch {
  KernelFunction function;
  int64_t blocks;
  std::vector<void *> arguments;
};

/// A Status of its own per worker, a cache line apart: kernels write without asking each other.
struct alignas(64) WorkerStatus {
  Status status;
};

class CpuDevice final : public Executable {
public:
  static Result<std::unique_ptr<Executable>> load(std::shared_ptr<const Bundle> bundle, const CpuOptions &options);

  const Bundle &tables() const override { return *bundle; }
  DeviceInfo device() const override { return {"cpu", hostCpu().model, pool->threads()}; }
  Result<void> writeState(size_t index, const void *data) override;
  Result<void> readState(size_t index, void *data) override;
  Result<void> run(size_t entry, const std::vector<const void *> &inputs, const std::vector<void *> &outputs) override;
  std::optional<DataFault> dataFault() const override { return fault; }
  bool observe(LaunchObserver *newObserver) override {
    observer = newObserver;
    return true;
  }
  Result<void> readArgument(size_t entry, size_t launch, size_t argument, void *data) override;

private:
  Result<void> allocate();
  Result<void> resolveLaunches();
  void *at(Address address) const { return regions[static_cast<size_t>(address.region)].data() + address.offset; }
  void runLaunch(const ReadyLaunch &launch);
  LaunchEvent runObserved(size_t entry, size_t index);
  void *scratchOf(unsigned worker) const { return scratch.data() + worker * scratchStride; }
  Result<void> checkStatus(const Entry &entry, const Launch &launch);

  std::shared_ptr<const Bundle> bundle;
  std::unique_ptr<ThreadPool> pool;
  KernelLibrary library;
  Memory regions[kRegionCount];
  Memory scratch;
  uint64_t scratchStride = 0;
  std::vector<WorkerStatus> statuses;
  std::vector<std::vector<ReadyLaunch>> launches; ///< per entry
  std::optional<DataFault> fault;
  LaunchObserver *observer = nullptr;
};

} // namespace

Result<std::unique_ptr<Executable>> CpuDevice::load(std::shared_ptr<const Bundle> bundle, const CpuOptions &options) {
  auto device = std::make_unique<CpuDevice>();
  device->bundle = std::move(bundle);
  Result<const Image *> image = selectCpuImage(*device->bundle, hostCpu());
  if (!image)
    return image.error();
  Result<KernelLibrary> library = KernelLibrary::open(**image, options.imageFolder);
  if (!library)
    return library.error();
  device->library = std::move(*library);
  auto pool = ThreadPool::create(options.threads ? options.threads : availableCpus());
  if (!pool)
    return pool.error();
  device->pool = std::move(*pool);
  device->statuses.resize(device->pool->threads());
  if (Result<void> allocated = device->allocate(); !allocated)
    return allocated.error();
  if (Result<void> resolved = device->resolveLaunches(); !resolved)
    return resolved.error();
  return std::unique_ptr<Executable>(std::move(device));
}

Result<void> CpuDevice::allocate() {
  static constexpr const char *kNames[] = {"parameters and optimizer state", "activations", "constants",
                                           "inputs and outputs"};
  for (unsigned i = 0; i < kRegionCount; ++i) {
    Result<Memory> memory = Memory::allocate(bundle->regionBytes[i], kNames[i]);
    if (!memory)
      return memory.error();
    regions[i] = std::move(*memory);
  }
  if (!bundle->constants.empty())
    std::memcpy(at({Region::Constants, 0}), bundle->constants.data(), bundle->constants.size());
  for (const Kernel &kernel : bundle->kernels)
    scratchStride = std::max(scratchStride, alignTo(kernel.scratchBytes, 64));
  std::optional<uint64_t> bytes = checkedMul(scratchStride, pool->threads());
  Result<Memory> memory = Memory::allocate(bytes.value_or(UINT64_MAX / 2), "the scratch of kernels");
  if (!memory)
    return memory.error();
  scratch = std::move(*memory);
  return {};
}

Result<void> CpuDevice::resolveLaunches() {
  std::vector<KernelFunction> functions;
  for (const Kernel &kernel : bundle->kernels) {
    Result<KernelFunction> function = library.kernel(kernel.name);
    if (!function)
      return function.error();
    functions.push_back(*function);
  }
  for (const Entry &entry : bundle->entries) {
    launches.emplace_back();
    for (const Launch &launch : entry.launches) {
      ReadyLaunch ready = {functions[launch.kernel], bundle->kernels[launch.kernel].blocks, {}};
      for (Address argument : launch.arguments)
        ready.arguments.push_back(at(argument));
      launches.back().push_back(std::move(ready));
    }
  }
  return {};
}

/// Size of a tensor of a verified bundle.
static uint64_t sizeOfTensor(const TensorInfo &tensor) { return *byteCount(tensor); }

Result<void> CpuDevice::writeState(size_t index, const void *data) {
  const StateTensor &state = bundle->state[index];
  std::memcpy(at(state.address), data, sizeOfTensor(state.tensor));
  return {};
}

Result<void> CpuDevice::readState(size_t index, void *data) {
  const StateTensor &state = bundle->state[index];
  std::memcpy(data, at(state.address), sizeOfTensor(state.tensor));
  return {};
}

Result<void> CpuDevice::readArgument(size_t entry, size_t launch, size_t argument, void *data) {
  const Kernel &kernel = bundle->kernels[bundle->entries[entry].launches[launch].kernel];
  std::memcpy(data, launches[entry][launch].arguments[argument], kernel.argumentBytes[argument]);
  return {};
}

void CpuDevice::runLaunch(const ReadyLaunch &launch) {
  pool->parallelFor(launch.blocks, [&](unsigned worker, int64_t first, int64_t last) {
    launch.function(launch.arguments.data(), scratchOf(worker), &statuses[worker].status, first, last);
  });
}

LaunchEvent CpuDevice::runObserved(size_t entry, size_t index) {
  using Clock = LaunchEvent::Clock;
  const ReadyLaunch &launch = launches[entry][index];
  LaunchEvent event = {entry, index, {}, {}};
  event.workers.resize(pool->threads());
  event.span.begin = Clock::now();
  pool->parallelFor(launch.blocks, [&](unsigned worker, int64_t first, int64_t last) {
    LaunchEvent::Span &span = event.workers[worker];
    if (span.begin == Clock::time_point())
      span.begin = Clock::now();
    launch.function(launch.arguments.data(), scratchOf(worker), &statuses[worker].status, first, last);
    span.end = Clock::now();
  });
  event.span.end = Clock::now();
  return event;
}

Result<void> CpuDevice::run(size_t entryIndex, const std::vector<const void *> &inputs,
                            const std::vector<void *> &outputs) {
  const Entry &entry = bundle->entries[entryIndex];
  fault.reset();
  for (size_t i = 0; i < inputs.size(); ++i)
    std::memcpy(at(entry.inputs[i].address), inputs[i], sizeOfTensor(entry.inputs[i].tensor));

  for (size_t i = 0; i < entry.launches.size(); ++i) {
    LaunchEvent event;
    if (observer)
      event = runObserved(entryIndex, i);
    else
      runLaunch(launches[entryIndex][i]);
    bool isOk = std::all_of(statuses.begin(), statuses.end(),
                            [](const WorkerStatus &worker) { return worker.status.code == Status::Ok; });
    if (!isOk)
      return checkStatus(entry, entry.launches[i]);
    if (observer)
      if (Result<void> seen = observer->launched(event); !seen)
        return seen;
  }

  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i])
      std::memcpy(outputs[i], at(entry.outputs[i].address), sizeOfTensor(entry.outputs[i].tensor));
  return {};
}

/// Turns the statuses of a failed launch into an error and clears them.
Result<void> CpuDevice::checkStatus(const Entry &entry, const Launch &launch) {
  // Every worker keeps its first error and works in ascending order: the first error of all is one of them, whatever
  // the number of workers.
  Status first;
  for (WorkerStatus &worker : statuses) {
    if (worker.status.code != Status::Ok && (first.code == Status::Ok || worker.status.position < first.position))
      first = worker.status;
    worker.status = Status();
  }
  return reportStatus(*bundle, entry, launch, first, fault);
}

Result<std::unique_ptr<Executable>> nova::loadOnCpu(std::shared_ptr<const Bundle> bundle, const CpuOptions &options) {
  return CpuDevice::load(std::move(bundle), options);
}
