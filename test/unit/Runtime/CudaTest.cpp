//===- CudaTest.cpp -------------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/Cuda.h"

#include "FakeCuda/FakeCuda.h"
#include "Nova/Support/Random.h"
#include "TestProgram/TestProgram.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace nova;

namespace {

class CudaTest : public testing::Test {
protected:
  std::shared_ptr<CudaDevice> open(bool isSynchronous = false) {
    auto device = CudaDevice::open({"cuda", kFakeCudaPath, 0, isSynchronous});
    EXPECT_TRUE(device) << device.error().message;
    return *device;
  }
  std::unique_ptr<Executable> load(Bundle bundle, bool isSynchronous = false) {
    auto executable = open(isSynchronous)->load(std::make_shared<Bundle>(std::move(bundle)));
    EXPECT_TRUE(executable) << executable.error().message;
    return std::move(*executable);
  }
  std::string openError() {
    auto device = CudaDevice::open({"cuda", kFakeCudaPath, 0, false});
    EXPECT_FALSE(device);
    return device ? "" : device.error().message;
  }
  std::string loadError(Bundle bundle) {
    auto executable = open()->load(std::make_shared<Bundle>(std::move(bundle)));
    EXPECT_FALSE(executable);
    EXPECT_TRUE(executable || executable.error().kind == ErrorKind::Device);
    return executable ? "" : executable.error().message;
  }
  size_t callsOf(const std::string &prefix) const {
    return std::count_if(fake.calls.begin(), fake.calls.end(),
                         [&](const std::string &call) { return call.rfind(prefix, 0) == 0; });
  }
  FakeCuda &fake = resetFakeCuda();
};

struct Batch {
  explicit Batch(int64_t step) : step(step) {
    for (size_t i = 0; i < kBatch * kLength; ++i) {
      x.push_back(static_cast<int32_t>(randomBelow(kVocabulary, 1, step, i)));
      y.push_back((x[i] * 3 + 1) % kVocabulary);
    }
  }
  std::vector<const void *> inputs() const { return {x.data(), y.data(), &lr, &step, &seed}; }
  std::vector<void *> outputs() { return {&loss, &norm}; }
  std::vector<int32_t> x, y;
  float lr = 0.1f, loss = 0, norm = 0;
  int64_t step, seed = 7;
};

} // namespace

static size_t trainStep(const Executable &executable) {
  const std::vector<Entry> &entries = executable.tables().entries;
  return std::find_if(entries.begin(), entries.end(), [](const Entry &e) { return e.name == "train_step"; }) -
         entries.begin();
}

/// Everything that 20 steps leave behind.
static std::vector<float> train(Executable &executable) {
  EXPECT_TRUE(initializeState(executable, 7));
  std::vector<Batch> batches;
  for (int64_t step = 0; step < 20; ++step)
    batches.emplace_back(step);
  size_t finished = 0;
  for (size_t begun = 0; begun < batches.size(); ++begun) {
    if (begun - finished == executable.maxRunsInFlight()) {
      EXPECT_TRUE(executable.finish());
      ++finished;
    }
    EXPECT_TRUE(executable.begin(trainStep(executable), batches[begun].inputs(), batches[begun].outputs()));
  }
  for (; finished < batches.size(); ++finished)
    EXPECT_TRUE(executable.finish());
  std::vector<float> trace(kVocabulary);
  EXPECT_TRUE(executable.readState(0, trace.data()));
  for (const Batch &batch : batches)
    trace.insert(trace.end(), {batch.loss, batch.norm});
  return trace;
}

TEST_F(CudaTest, TrainsAsTheCpuDoesWithRunsUnderWay) {
  auto cpu = loadOnCpu(std::make_shared<Bundle>(testProgram()), {2, ""});
  ASSERT_TRUE(cpu);
  auto cuda = load(fakeCudaProgram());
  EXPECT_EQ(cuda->maxRunsInFlight(), 2u);
  EXPECT_EQ(train(**cpu), train(*cuda));
}

TEST_F(CudaTest, SynchronousLaunchesGiveTheSame) {
  auto cuda = load(fakeCudaProgram());
  std::vector<float> trace = train(*cuda);
  EXPECT_EQ(callsOf("cuStreamBeginCapture_v2"), 1u);
  EXPECT_EQ(callsOf("cuGraphLaunch"), 20u);
  EXPECT_EQ(callsOf("cuLaunchKernel"), 6u);

  auto synchronous = load(fakeCudaProgram(), /*isSynchronous=*/true);
  EXPECT_EQ(synchronous->maxRunsInFlight(), 1u);
  EXPECT_EQ(train(*synchronous), trace);
  EXPECT_EQ(callsOf("cuGraphLaunch"), 20u);
}

TEST_F(CudaTest, TheNextBatchIsOnItsWayBeforeTheLossIsWaitedFor) {
  auto cuda = load(fakeCudaProgram());
  Batch first(0), second(1);
  ASSERT_TRUE(cuda->begin(trainStep(*cuda), first.inputs(), first.outputs()));
  fake.calls.clear();
  ASSERT_TRUE(cuda->begin(trainStep(*cuda), second.inputs(), second.outputs()));
  EXPECT_EQ(fake.calls.front(), "cuMemcpyHtoDAsync_v2");
  EXPECT_EQ(callsOf("cuGraphLaunch"), 1u);
  EXPECT_EQ(callsOf("cuEventSynchronize") + callsOf("cuStreamSynchronize"), 0u);
  ASSERT_TRUE(cuda->finish());
  EXPECT_EQ(fake.calls.back(), "cuEventSynchronize");
  ASSERT_TRUE(cuda->finish());
}

namespace {
/// Notes the kernels, and the loss as the kernel that computes it leaves it.
struct Recorder final : LaunchObserver {
  explicit Recorder(Executable &executable) : executable(executable) {}
  Result<void> launched(const LaunchEvent &event) override {
    const Bundle &tables = executable.tables();
    const std::string &kernel = tables.kernels[tables.entries[event.entry].launches[event.launch].kernel].name;
    kernels.push_back(kernel);
    milliseconds += std::chrono::duration<double, std::milli>(event.span.end - event.span.begin).count();
    if (kernel == failing)
      return deviceError("enough");
    return kernel == "mean" ? executable.readArgument(event.entry, event.launch, 1, &loss) : Result<void>();
  }
  Executable &executable;
  std::vector<std::string> kernels;
  std::string failing;
  double milliseconds = 0;
  float loss = 0;
};
} // namespace

TEST_F(CudaTest, LaunchesCanBeWatched) {
  auto cuda = load(fakeCudaProgram());
  Recorder recorder(*cuda);
  ASSERT_TRUE(cuda->observe(&recorder));
  EXPECT_EQ(cuda->maxRunsInFlight(), 1u);
  Batch batch(0);
  ASSERT_TRUE(cuda->run(trainStep(*cuda), batch.inputs(), batch.outputs()));
  EXPECT_EQ(recorder.kernels,
            (std::vector<std::string>{"predict", "mean", "gradient", "norm", "update", "update_bias"}));
  EXPECT_NEAR(recorder.milliseconds, 6 * 0.5, 1e-3);
  EXPECT_EQ(recorder.loss, batch.loss);

  recorder.failing = "norm";
  auto done = cuda->run(trainStep(*cuda), batch.inputs(), batch.outputs());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "enough");
  EXPECT_EQ(recorder.kernels.back(), "norm");
  ASSERT_TRUE(cuda->observe(nullptr));
  EXPECT_EQ(cuda->maxRunsInFlight(), 2u);
}

TEST_F(CudaTest, LimitsOfADeviceFollowFromItsClocks) {
  DeviceInfo info = load(fakeCudaProgram())->device();
  EXPECT_EQ(info.chip, "Fake (sm_89)");
  EXPECT_DOUBLE_EQ(info.flopsPerSecond[size_t(Unit::Vectors)], 10 * 128 * 2 * 1e9);
  EXPECT_DOUBLE_EQ(info.flopsPerSecond[size_t(Unit::TensorCores)], 10 * 1024 * 1e9);
  EXPECT_DOUBLE_EQ(info.flopsPerSecond[size_t(Unit::TensorCoresTf32)], 10 * 512 * 1e9);
  EXPECT_DOUBLE_EQ(info.bytesPerSecond, 2 * 2e9 * 8);
  fake.capability = 80;
  EXPECT_DOUBLE_EQ(load(fakeCudaProgram())->device().flopsPerSecond[0], 10 * 64 * 2 * 1e9);
}

TEST_F(CudaTest, StateStartsAtZero) {
  auto cuda = load(fakeCudaProgram());
  std::vector<float> table(kVocabulary, 1.0f);
  for (size_t i = 0; i < cuda->tables().state.size(); ++i) {
    ASSERT_TRUE(cuda->readState(i, table.data()));
    EXPECT_EQ(table[0], 0.0f);
  }
}

TEST_F(CudaTest, GivesEverythingBack) {
  {
    auto cuda = load(fakeCudaProgram());
    train(*cuda);
    EXPECT_GT(fake.live["memory"], 0);
  }
  for (const auto &[kind, count] : fake.live)
    EXPECT_EQ(count, 0) << kind;
}

TEST_F(CudaTest, GivesEverythingBackWhenLoadingFails) {
  for (const char *function : {"cuInit", "cuDeviceGetName", "cuDevicePrimaryCtxRetain", "cuModuleLoadDataEx",
                               "cuModuleGetFunction", "cuMemAlloc_v2", "cuMemAllocHost_v2", "cuStreamCreate",
                               "cuEventCreate", "cuMemsetD8Async", "cuMemcpyHtoDAsync_v2", "cuStreamSynchronize"}) {
    resetFakeCuda();
    fake.faults[function] = {0, 999};
    auto device = CudaDevice::open({"cuda", kFakeCudaPath, 0, false});
    if (device) {
      auto executable = (*device)->load(std::make_shared<Bundle>(fakeCudaProgram()));
      ASSERT_FALSE(executable) << function;
      EXPECT_NE(executable.error().message.find(std::string(function) + " failed with CUDA_ERROR_OF_THE_TEST (999)"),
                std::string::npos)
          << executable.error().message;
      *device = nullptr;
    }
    for (const auto &[kind, count] : fake.live)
      EXPECT_EQ(count, 0) << function << " " << kind;
  }
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static bool contains(const std::string &text, const std::string &part) {
  bool does = text.find(part) != std::string::npos;
  EXPECT_TRUE(does) << text;
  return does;
}

TEST_F(CudaTest, NoDriverIsSaidWithWhatWasLookedFor) {
  auto device = CudaDevice::open({"cuda", "/nowhere/libcuda.so.1", 0, false});
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().kind, ErrorKind::Device);
  contains(device.error().message, "expected a CUDA driver, /nowhere/libcuda.so.1, found none");
}

TEST_F(CudaTest, ALibraryWithoutTheFunctionsIsNoDriver) {
  auto device = CudaDevice::open({"cuda", "libm.so.6", 0, false});
  ASSERT_FALSE(device);
  contains(device.error().message,
           "libm.so.6: expected a CUDA driver for CUDA 11.8 or newer, found one without cuInit, ");
}

TEST_F(CudaTest, AnOldDriverIsTooOld) {
  fake.version = 11040;
  contains(openError(), "expected a driver for CUDA 11.8 or newer, found one for 11.4; install a newer driver");
}

TEST_F(CudaTest, NoDevice) {
  fake.devices = 0;
  contains(openError(), "expected a GPU with number 0, found 0 of them; nvidia-smi lists them");
  fake.faults["cuInit"] = {0, 100};
  contains(openError(), "cuInit failed with CUDA_ERROR_OF_THE_TEST (100), a text of the driver; nvidia-smi lists");
}

TEST_F(CudaTest, CodesWithoutNames) {
  fake.knowsErrors = false;
  fake.faults["cuInit"] = {0, 12345};
  contains(openError(), "cuInit failed with an error that the driver has no name for (12345), no description; ");
}

TEST_F(CudaTest, OutOfMemorySaysHowMuchWasNeededForWhat) {
  fake.faults["cuMemAlloc_v2"] = {0, 2};
  std::string message = loadError(fakeCudaProgram());
  const Bundle program = fakeCudaProgram();
  contains(message, "bytes for the program (" +
                        std::to_string(program.regionBytes[static_cast<size_t>(Region::State)]) +
                        " of parameters and optimizer state, ");
  contains(message, "of activations, 8 of constants, ");
  contains(message, " on Fake, which has 1000 of its 2000 bytes free: cuMemAlloc_v2 failed with "
                    "CUDA_ERROR_OUT_OF_MEMORY (2), a text of the driver; use a smaller batch or model");
  fake.faults = {{"cuMemAllocHost_v2", {0, 2}}};
  contains(loadError(fakeCudaProgram()), "in page-locked memory: cuMemAllocHost_v2 failed");
}

TEST_F(CudaTest, MachineCodeThatDoesNotFitIsPassedOver) {
  Bundle bundle = fakeCudaProgram();
  bundle.images.push_back(bundle.images[0]);
  bundle.images.back().format = "cubin";
  bundle.images.back().bytes.replace(0, 3, "cubin");
  train(*load(bundle));
  EXPECT_EQ(callsOf("cuModuleLoadDataEx"), 2u);
  bundle.images.erase(bundle.images.begin());
  contains(loadError(bundle), "the cubin for sm_80: cuModuleLoadDataEx failed");
}

TEST_F(CudaTest, PtxThatTheDriverRefusesIsShownWithItsLog) {
  fake.faults["cuModuleLoadDataEx"] = {0, 218};
  std::string message = loadError(fakeCudaProgram());
  contains(message, "the ptx for sm_80: cuModuleLoadDataEx failed with CUDA_ERROR_OF_THE_TEST (218)");
  contains(message, "\nline 7: nonsense");
}

TEST_F(CudaTest, AMissingKernelIsNamed) {
  Bundle bundle = fakeCudaProgram();
  bundle.kernels[1].name = "other";
  contains(loadError(bundle), "test.mlir:2:3: kernel 'other' with 4 blocks of 32 threads: cuModuleGetFunction failed");
}

TEST_F(CudaTest, ABundleForTheCpuIsRefused) {
  Bundle bundle = fakeCudaProgram();
  bundle.kernels[0].gpuThreads = 0;
  contains(loadError(bundle), "expected 1 to 1024 threads");
}

TEST_F(CudaTest, MuchSharedMemoryIsAskedFor) {
  Bundle bundle = fakeCudaProgram();
  bundle.kernels[0].gpuSharedBytes = 100 << 10;
  load(bundle);
  EXPECT_EQ(callsOf("cuFuncSetAttribute affine 8 102400"), 1u);
}

TEST_F(CudaTest, AFailedLaunchNamesItsKernel) {
  auto cuda = load(fakeCudaProgram());
  fake.faults["cuLaunchKernel"] = {2, 701};
  Batch batch(0);
  auto done = cuda->run(trainStep(*cuda), batch.inputs(), batch.outputs());
  ASSERT_FALSE(done);
  contains(done.error().message, "kernel 'gradient' with 8 blocks of 32 threads: cuLaunchKernel failed with "
                                 "CUDA_ERROR_OF_THE_TEST (701), a text of the driver; a smaller tile");
}

TEST_F(CudaTest, ALostDeviceIsAnErrorOfTheRunAndOfTheState) {
  auto cuda = load(fakeCudaProgram());
  for (const char *function : {"cuMemcpyHtoDAsync_v2", "cuEventSynchronize", "cuStreamSynchronize"})
    fake.faults[function] = {0, 46};
  Batch batch(0);
  auto done = cuda->run(trainStep(*cuda), batch.inputs(), batch.outputs());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::Device);
  contains(done.error().message, "the device is lost for this process; start again");
  std::vector<float> table(kVocabulary);
  EXPECT_FALSE(cuda->readState(0, table.data()));
}

TEST_F(CudaTest, AKernelThatFailsIsNamedWhenLaunchesAreSynchronous) {
  Batch batch(0);
  auto cuda = load(fakeCudaProgram());
  fake.faults["cuEventSynchronize"] = {0, 700};
  auto done = cuda->run(trainStep(*cuda), batch.inputs(), batch.outputs());
  ASSERT_FALSE(done);
  contains(done.error().message, "entry 'train_step': cuEventSynchronize failed");
  contains(done.error().message, "NOVA_CUDA_SYNC=1 names the kernel");

  resetFakeCuda();
  auto synchronous = load(fakeCudaProgram(), /*isSynchronous=*/true);
  fake.faults["cuEventSynchronize"] = {3, 700};
  done = synchronous->run(trainStep(*synchronous), batch.inputs(), batch.outputs());
  ASSERT_FALSE(done);
  contains(done.error().message, "kernel 'norm' with 1 blocks of 32 threads: cuEventSynchronize failed");
}

TEST_F(CudaTest, AnIndexOutOfRangeIsFoundWithItsInput) {
  auto cuda = load(fakeCudaProgram());
  Batch bad(0), later(1);
  bad.x[5] = kVocabulary;
  ASSERT_TRUE(cuda->begin(trainStep(*cuda), bad.inputs(), bad.outputs()));
  ASSERT_TRUE(cuda->begin(trainStep(*cuda), later.inputs(), later.outputs()));
  auto done = cuda->finish();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::Input);
  EXPECT_EQ(done.error().message, "test.mlir:2:3: kernel 'predict': expected 0 <= value < 128 in input 'x', found 128 "
                                  "at position 5");
  ASSERT_TRUE(cuda->dataFault());
  EXPECT_EQ(cuda->dataFault()->input, 0u);
  EXPECT_EQ(cuda->dataFault()->position, 5);
  EXPECT_TRUE(cuda->run(trainStep(*cuda), later.inputs(), later.outputs()));
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

static std::string ranking(const std::vector<Image> &images, int capability) {
  std::string text;
  for (const Image *image : rankCudaImages(images, capability))
    text += image->target + "/" + image->format + " ";
  return text;
}

TEST(CudaImages, MachineCodeRunsOnItsMajorVersionAndPtxOnAllLater) {
  std::vector<Image> images;
  for (const char *target : {"cpu", "sm_80", "sm_89", "sm_90", "sm_90a", "sm_", "sm_1234567"})
    for (const char *format : {"ptx", "cubin"})
      images.push_back({target, format, {}, ""});
  EXPECT_EQ(ranking(images, 75), "");
  EXPECT_EQ(ranking(images, 80), "sm_80/cubin sm_80/ptx ");
  EXPECT_EQ(ranking(images, 86), "sm_80/cubin sm_80/ptx ");
  EXPECT_EQ(ranking(images, 89), "sm_89/cubin sm_89/ptx sm_80/cubin sm_80/ptx ");
  EXPECT_EQ(ranking(images, 90), "sm_90/cubin sm_90/ptx sm_89/ptx sm_80/ptx ");
  EXPECT_EQ(ranking(images, 120), "sm_90/ptx sm_89/ptx sm_80/ptx ");
}

TEST(CudaImages, TheBestBundleOfAFile) {
  std::vector<Bundle> bundles = {testProgram(), fakeCudaProgram("sm_80"), fakeCudaProgram("sm_89")};
  EXPECT_EQ(*selectCudaBundle(bundles, 86, "f"), 1u);
  EXPECT_EQ(*selectCudaBundle(bundles, 100, "f"), 2u);
  auto none = selectCudaBundle(bundles, 75, "f.nova");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message.find("f.nova: expected code for sm_75, found cpu (elf), sm_80 (ptx), sm_89 (ptx); "),
            0u);
}
