//===- CudaExecutable.cpp - Programs on a CUDA device ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two runs can be in flight. The inputs of the next are copied to the device on a stream of their own while the kernels
// of the one before run; a copy inside the device then brings them to their place. Outputs and status come back behind
// the kernels, so that the host, which reads them a step later, holds nothing up.
//
//===----------------------------------------------------------------------===//

#include "CudaProgram.h"
#include "StatusReport.h"

#include <cstring>
#include <deque>

using namespace nova;
using namespace nova::cuda;

namespace {

/// A run that is in flight, and its memory on both sides.
struct Slot {
  Owned<void *> inputs, outputs; ///< page-locked
  uint64_t outputBytes = 0;      ///< size of `outputs`
  CUdeviceptr staging = 0;       ///< where the inputs arrive
  Owned<CUevent> uploaded, done;

  size_t entry = 0;
  std::vector<void *> wanted; ///< where the caller wants the outputs
  std::byte *outputAt(uint64_t offset) const { return static_cast<std::byte *>(outputs.get()) + offset; }
};

constexpr unsigned kSlots = 2;

class CudaExecutable final : public Executable {
public:
  static Result<std::unique_ptr<Executable>> load(std::shared_ptr<const Context> context,
                                                  std::shared_ptr<const Bundle> bundle);
  ~CudaExecutable() override { (void)synchronize(); }

  const Bundle &tables() const override { return *bundle; }
  DeviceInfo device() const override { return context->info(); }
  Result<void> writeState(size_t index, const void *data) override;
  Result<void> readState(size_t index, void *data) override;
  Result<void> run(size_t entry, const std::vector<const void *> &inputs, const std::vector<void *> &outputs) override;
  unsigned maxRunsInFlight() const override { return launchesEach() ? 1 : kSlots; }
  Result<void> begin(size_t entry, const std::vector<const void *> &inputs,
                     const std::vector<void *> &outputs) override;
  Result<void> finish() override;
  bool observe(LaunchObserver *newObserver) override {
    observer = newObserver;
    return true;
  }
  Result<void> readArgument(size_t entry, size_t launch, size_t argument, void *data) override;
  std::optional<DataFault> dataFault() const override { return fault; }

private:
  CudaExecutable(std::shared_ptr<const Context> context, std::shared_ptr<const Bundle> bundle, Program program)
      : context(std::move(context)), bundle(std::move(bundle)), program(std::move(program)) {}
  const Driver &driver() const { return context->driver; }
  bool launchesEach() const { return observer || context->options.isSynchronous; }
  Result<void> createSlots(uint64_t inputBytes);
  Result<void> fillMemory();
  Result<void> synchronize() const;
  Result<void> copyOut(const std::string &what, Address from, void *to, uint64_t bytes);
  Result<void> upload(Slot &slot, const std::vector<const void *> &inputs);
  Result<void> placeInputs(const Slot &slot);
  Result<void> download(Slot &slot);
  Result<void> explain(const Slot &slot);

  std::shared_ptr<const Context> context;
  std::shared_ptr<const Bundle> bundle;
  Program program;
  Owned<CUstream> compute, uploads;
  Slot slots[kSlots];
  std::deque<Slot *> inFlight; ///< oldest first
  unsigned next = 0;
  std::optional<DataFault> fault;
  LaunchObserver *observer = nullptr;
};

} // namespace

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Result<std::unique_ptr<Executable>> Context::load(std::shared_ptr<const Bundle> bundle) {
  return CudaExecutable::load(shared_from_this(), std::move(bundle));
}

Result<std::unique_ptr<Executable>> CudaExecutable::load(std::shared_ptr<const Context> context,
                                                         std::shared_ptr<const Bundle> bundle) {
  uint64_t inputBytes = 0;
  for (const Entry &entry : bundle->entries)
    inputBytes = std::max(inputBytes, Packing(entry.inputs).bytes);
  Result<Program> program = Program::load(context, bundle, kSlots * inputBytes);
  if (!program)
    return program.error();
  std::unique_ptr<CudaExecutable> executable(
      new CudaExecutable(std::move(context), std::move(bundle), std::move(*program)));
  if (Result<void> created = executable->createSlots(inputBytes); !created)
    return created.error();
  if (Result<void> filled = executable->fillMemory(); !filled)
    return filled.error();
  return std::unique_ptr<Executable>(std::move(executable));
}

Result<void> CudaExecutable::createSlots(uint64_t inputBytes) {
  for (Owned<CUstream> *stream : {&compute, &uploads}) {
    auto created = context->createStream();
    if (!created)
      return created.error();
    *stream = std::move(*created);
  }
  for (unsigned i = 0; i < kSlots; ++i) {
    auto inputs = context->allocateHost(inputBytes, "a batch");
    if (!inputs)
      return inputs.error();
    slots[i].inputs = std::move(*inputs);
    slots[i].staging = program.stagingPointer() + i * inputBytes;
    for (Owned<CUevent> *event : {&slots[i].uploaded, &slots[i].done}) {
      auto created = context->createEvent(CU_EVENT_DISABLE_TIMING);
      if (!created)
        return created.error();
      *event = std::move(*created);
    }
  }
  return {};
}

/// State and status are zero at first; constants are the bundle's.
Result<void> CudaExecutable::fillMemory() {
  uint64_t stateBytes = bundle->regionBytes[static_cast<size_t>(Region::State)];
  for (auto [pointer, bytes] :
       {std::pair(program.at({Region::State, 0}), stateBytes), std::pair(program.status(), uint64_t(sizeof(Status)))})
    if (bytes)
      if (Result<void> done = driver().call(driver().cuMemsetD8Async, pointer, static_cast<unsigned char>(0),
                                            size_t(bytes), compute.get());
          !done)
        return done;
  if (!bundle->constants.empty())
    if (Result<void> done = driver().callFor(
            "constants", driver().cuMemcpyHtoDAsync_v2, program.at({Region::Constants, 0}),
            static_cast<const void *>(bundle->constants.data()), bundle->constants.size(), compute.get());
        !done)
      return done;
  return synchronize();
}

Result<void> CudaExecutable::synchronize() const {
  if (!compute.get() || !uploads.get())
    return {};
  if (Result<void> done = driver().call(driver().cuStreamSynchronize, uploads.get()); !done)
    return done;
  return driver().call(driver().cuStreamSynchronize, compute.get());
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

Result<void> CudaExecutable::writeState(size_t index, const void *data) {
  const StateTensor &state = bundle->state[index];
  if (Result<void> done =
          driver().callFor("'" + state.tensor.name + "'", driver().cuMemcpyHtoDAsync_v2, program.at(state.address),
                           data, size_t(*byteCount(state.tensor)), compute.get());
      !done)
    return done;
  return synchronize();
}

Result<void> CudaExecutable::copyOut(const std::string &what, Address from, void *to, uint64_t bytes) {
  if (Result<void> done =
          driver().callFor(what, driver().cuMemcpyDtoHAsync_v2, to, program.at(from), size_t(bytes), compute.get());
      !done)
    return done;
  return synchronize();
}

Result<void> CudaExecutable::readState(size_t index, void *data) {
  const StateTensor &state = bundle->state[index];
  return copyOut("'" + state.tensor.name + "'", state.address, data, *byteCount(state.tensor));
}

Result<void> CudaExecutable::readArgument(size_t entry, size_t number, size_t argument, void *data) {
  const Launch &launch = bundle->entries[entry].launches[number];
  const Kernel &kernel = bundle->kernels[launch.kernel];
  return copyOut("argument " + std::to_string(argument) + " of kernel '" + kernel.name + "'",
                 launch.arguments[argument], data, kernel.argumentBytes[argument]);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Result<void> CudaExecutable::run(size_t entry, const std::vector<const void *> &inputs,
                                 const std::vector<void *> &outputs) {
  if (Result<void> begun = begin(entry, inputs, outputs); !begun)
    return begun;
  return finish();
}

Result<void> CudaExecutable::upload(Slot &slot, const std::vector<const void *> &inputs) {
  const std::vector<Argument> &arguments = bundle->entries[slot.entry].inputs;
  Packing packing(arguments);
  for (size_t i = 0; i < inputs.size(); ++i)
    std::memcpy(static_cast<std::byte *>(slot.inputs.get()) + packing.offsets[i], inputs[i],
                *byteCount(arguments[i].tensor));
  if (packing.bytes)
    if (Result<void> done =
            driver().callFor("the batch", driver().cuMemcpyHtoDAsync_v2, slot.staging,
                             static_cast<const void *>(slot.inputs.get()), size_t(packing.bytes), uploads.get());
        !done)
      return done;
  return driver().call(driver().cuEventRecord, slot.uploaded.get(), uploads.get());
}

/// Queues the copies from the slot's room to where the kernels look.
Result<void> CudaExecutable::placeInputs(const Slot &slot) {
  const std::vector<Argument> &arguments = bundle->entries[slot.entry].inputs;
  Packing packing(arguments);
  for (size_t i = 0; i < arguments.size(); ++i)
    if (uint64_t bytes = *byteCount(arguments[i].tensor))
      if (Result<void> done = driver().callFor("input '" + arguments[i].tensor.name + "'",
                                               driver().cuMemcpyDtoDAsync_v2, program.at(arguments[i].address),
                                               slot.staging + packing.offsets[i], size_t(bytes), compute.get());
          !done)
        return done;
  return {};
}

/// Queues the copies of the status and of the outputs that are wanted.
Result<void> CudaExecutable::download(Slot &slot) {
  const std::vector<Argument> &arguments = bundle->entries[slot.entry].outputs;
  uint64_t end = sizeof(Status);
  std::vector<uint64_t> offsets;
  for (size_t i = 0; i < arguments.size(); ++i) {
    offsets.push_back(end);
    end += slot.wanted[i] ? *byteCount(arguments[i].tensor) : 0;
  }
  if (end > slot.outputBytes) {
    auto outputs = context->allocateHost(end, "outputs");
    if (!outputs)
      return outputs.error();
    slot.outputs = std::move(*outputs);
    slot.outputBytes = end;
  }
  auto copy = [&](const std::string &what, uint64_t offset, CUdeviceptr from, uint64_t bytes) {
    return driver().callFor(what, driver().cuMemcpyDtoHAsync_v2, static_cast<void *>(slot.outputAt(offset)), from,
                            size_t(bytes), compute.get());
  };
  if (Result<void> done = copy("the status", 0, program.status(), sizeof(Status)); !done)
    return done;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (uint64_t bytes = slot.wanted[i] ? *byteCount(arguments[i].tensor) : 0)
      if (Result<void> done =
              copy("output '" + arguments[i].tensor.name + "'", offsets[i], program.at(arguments[i].address), bytes);
          !done)
        return done;
  return {};
}

Result<void> CudaExecutable::begin(size_t entry, const std::vector<const void *> &inputs,
                                   const std::vector<void *> &outputs) {
  Slot &slot = slots[next];
  slot.entry = entry;
  slot.wanted = outputs;
  if (Result<void> done = upload(slot, inputs); !done)
    return done;
  if (Result<void> done = driver().call(driver().cuStreamWaitEvent, compute.get(), slot.uploaded.get(), 0u); !done)
    return done;
  if (Result<void> done = placeInputs(slot); !done)
    return done;
  if (Result<void> done =
          launchesEach() ? program.launchEach(entry, compute.get(), observer) : program.launch(entry, compute.get());
      !done)
    return done;
  if (Result<void> done = download(slot); !done)
    return done;
  if (Result<void> done = driver().call(driver().cuEventRecord, slot.done.get(), compute.get()); !done)
    return done;
  inFlight.push_back(&slot);
  next = (next + 1) % kSlots;
  return {};
}

Result<void> CudaExecutable::finish() {
  fault.reset();
  Slot &slot = *inFlight.front();
  inFlight.pop_front();
  const Entry &entry = bundle->entries[slot.entry];
  if (Result<void> done = driver().callFor("entry '" + entry.name + "'", driver().cuEventSynchronize, slot.done.get());
      !done)
    return done;
  Status status;
  std::memcpy(&status, slot.outputAt(0), sizeof(status));
  if (status.code != Status::Ok)
    return explain(slot);
  uint64_t offset = sizeof(Status);
  for (size_t i = 0; i < entry.outputs.size(); ++i)
    if (slot.wanted[i]) {
      uint64_t bytes = *byteCount(entry.outputs[i].tensor);
      std::memcpy(slot.wanted[i], slot.outputAt(offset), bytes);
      offset += bytes;
    }
  return {};
}

/// A run that noted an error is done again, a launch at a time, to find the kernel. Its inputs still lie in its room.
Result<void> CudaExecutable::explain(const Slot &slot) {
  inFlight.clear(); // What was begun meanwhile is of no use to anybody.
  Status status;
  auto reset = [&]() -> Result<void> {
    return driver().call(driver().cuMemsetD8Async, program.status(), static_cast<unsigned char>(0), sizeof(Status),
                         compute.get());
  };
  if (Result<void> done = reset(); !done)
    return done;
  if (Result<void> done = placeInputs(slot); !done)
    return done;
  const Entry &entry = bundle->entries[slot.entry];
  for (size_t i = 0; i < entry.launches.size(); ++i) {
    if (Result<void> done = program.launchOne(slot.entry, i, compute.get()); !done)
      return done;
    if (Result<void> done = driver().call(driver().cuMemcpyDtoHAsync_v2, static_cast<void *>(slot.outputAt(0)),
                                          program.status(), sizeof(Status), compute.get());
        !done)
      return done;
    if (Result<void> done = synchronize(); !done)
      return done;
    std::memcpy(&status, slot.outputAt(0), sizeof(status));
    if (status.code == Status::Ok)
      continue;
    if (Result<void> done = reset(); !done)
      return done;
    return reportStatus(*bundle, entry, entry.launches[i], status, fault);
  }
  return deviceError("entry '" + entry.name +
                     "': an index was out of range in a run, but not when it was done again; " +
                     "the device computes differently from run to run");
}
