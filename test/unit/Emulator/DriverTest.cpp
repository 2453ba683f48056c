//===- DriverTest.cpp - The emulator as a CUDA driver ---------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Through dlopen, as Runtime uses it. The library keeps one device for the process, so the tests follow each other.
//
//===----------------------------------------------------------------------===//

#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>

namespace {

using Pointer = unsigned long long;

class Driver : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    library = dlopen(NOVA_EMULATOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library) << dlerror();
    ASSERT_EQ(call("cuInit", 0u), 0);
  }
  /// Calls an entry point with arguments of its parameters' sizes. Handles are plain pointers here, which the function
  /// sanitizer would take for another type.
  template <typename... Args>
  __attribute__((no_sanitize("undefined"))) static int call(const char *name, Args... args) {
    void *function = dlsym(library, name);
    EXPECT_TRUE(function) << name;
    return function ? reinterpret_cast<int (*)(Args...)>(function)(args...) : -1;
  }
  static void *load(const char *text, const char *kernel) {
    void *module = nullptr, *function = nullptr;
    EXPECT_EQ(call("cuModuleLoadData", &module, static_cast<const void *>(text)), 0);
    EXPECT_EQ(call("cuModuleGetFunction", &function, module, kernel), 0);
    return function;
  }
  static int launch(void *function, void *stream, void **parameters) {
    return call("cuLaunchKernel", function, 1u, 1u, 1u, 32u, 1u, 1u, 0u, stream, parameters,
                static_cast<void **>(nullptr));
  }
  static void *library;
};
void *Driver::library = nullptr;

constexpr char kIncrement[] =
    ".version 8.0\n.target sm_89\n.address_size 64\n.visible .entry increment(.param .u64 p)\n{\n"
    ".reg .b64 %d<3>;\n.reg .b32 %r<3>;\nld.param.u64 %d0, [p];\nmov.u32 %r0, %tid.x;\n"
    "mul.wide.u32 %d1, %r0, 4;\nadd.s64 %d1, %d0, %d1;\nld.global.u32 %r1, [%d1];\n"
    "add.u32 %r1, %r1, 1;\nst.global.u32 [%d1], %r1;\nret;\n}\n";

TEST_F(Driver, WorkIsDoneWhenItIsWaitedFor) {
  void *function = load(kIncrement, "increment"), *stream = nullptr, *pinned = nullptr;
  Pointer memory = 0;
  ASSERT_EQ(call("cuStreamCreate", &stream, 1u), 0);
  ASSERT_EQ(call("cuMemAllocHost_v2", &pinned, size_t(128)), 0);
  ASSERT_EQ(call("cuMemAlloc_v2", &memory, size_t(128)), 0);
  ASSERT_EQ(call("cuMemsetD32Async", memory, 5u, size_t(32), stream), 0);
  void *parameters[] = {&memory};
  ASSERT_EQ(launch(function, stream, parameters), 0);
  std::memset(pinned, 0xff, 128);
  ASSERT_EQ(call("cuMemcpyDtoHAsync_v2", pinned, memory, size_t(128), stream), 0);
  EXPECT_EQ(static_cast<unsigned *>(pinned)[3], 0xffffffffu); // not yet
  EXPECT_EQ(call("cuStreamQuery", stream), 600);
  EXPECT_EQ(call("cuStreamQuery", stream), 0);
  EXPECT_EQ(static_cast<unsigned *>(pinned)[3], 6u);
  EXPECT_EQ(call("cuMemFree_v2", memory), 0);
  EXPECT_EQ(call("cuMemFree_v2", memory), 1);
  EXPECT_EQ(call("cuMemFreeHost", pinned), 0);
  EXPECT_EQ(call("cuStreamDestroy_v2", stream), 0);
}

TEST_F(Driver, EventsOrderStreamsAndTellTime) {
  void *function = load(kIncrement, "increment"), *first = nullptr, *second = nullptr, *event = nullptr,
       *start = nullptr;
  Pointer memory = 0;
  unsigned values[32] = {};
  ASSERT_EQ(call("cuMemAlloc_v2", &memory, sizeof(values)), 0);
  ASSERT_EQ(call("cuStreamCreate", &first, 1u) + call("cuStreamCreate", &second, 1u), 0);
  ASSERT_EQ(call("cuEventCreate", &event, 0u) + call("cuEventCreate", &start, 0u), 0);
  ASSERT_EQ(call("cuEventRecord", start, first), 0);
  ASSERT_EQ(call("cuMemcpyHtoDAsync_v2", memory, static_cast<const void *>(values), sizeof(values), first), 0);
  values[0] = 100; // was read when the call returned: not pinned
  ASSERT_EQ(call("cuEventRecord", event, first), 0);
  ASSERT_EQ(call("cuStreamWaitEvent", second, event, 0u), 0);
  void *parameters[] = {&memory};
  ASSERT_EQ(launch(function, second, parameters), 0);
  float milliseconds = -1;
  EXPECT_EQ(call("cuEventElapsedTime", &milliseconds, start, event), 600);
  ASSERT_EQ(call("cuStreamSynchronize", second), 0);
  EXPECT_EQ(call("cuEventQuery", event), 0);
  EXPECT_EQ(call("cuEventElapsedTime", &milliseconds, start, event), 0);
  EXPECT_GE(milliseconds, 0);
  ASSERT_EQ(call("cuMemcpyDtoH_v2", static_cast<void *>(values), memory, sizeof(values)), 0);
  EXPECT_EQ(values[0], 1u);
  for (void *each : {event, start})
    EXPECT_EQ(call("cuEventDestroy_v2", each), 0);
  for (void *each : {first, second})
    EXPECT_EQ(call("cuStreamDestroy_v2", each), 0);
}

TEST_F(Driver, GraphsRepeatWhatWasCaptured) {
  void *function = load(kIncrement, "increment"), *stream = nullptr, *graph = nullptr, *executable = nullptr;
  Pointer memory = 0;
  unsigned values[32] = {};
  ASSERT_EQ(call("cuMemAlloc_v2", &memory, sizeof(values)), 0);
  ASSERT_EQ(
      call("cuMemsetD8Async", memory, static_cast<unsigned char>(0), sizeof(values), static_cast<void *>(nullptr)), 0);
  ASSERT_EQ(call("cuStreamCreate", &stream, 1u), 0);
  ASSERT_EQ(call("cuStreamBeginCapture_v2", stream, 0), 0);
  void *parameters[] = {&memory};
  ASSERT_EQ(launch(function, stream, parameters) + launch(function, stream, parameters), 0);
  EXPECT_EQ(call("cuStreamSynchronize", stream), 900);
  ASSERT_EQ(call("cuStreamEndCapture", stream, &graph), 0);
  ASSERT_EQ(call("cuGraphInstantiateWithFlags", &executable, graph, 0ull), 0);
  EXPECT_EQ(call("cuGraphDestroy", graph), 0);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(call("cuGraphLaunch", executable, stream), 0);
  ASSERT_EQ(call("cuStreamSynchronize", stream), 0);
  ASSERT_EQ(call("cuMemcpyDtoH_v2", static_cast<void *>(values), memory, sizeof(values)), 0);
  EXPECT_EQ(values[31], 6u);
  EXPECT_EQ(call("cuGraphExecDestroy", executable), 0);
}

TEST_F(Driver, MistakesHaveTheDriversErrors) {
  void *module = nullptr, *function = nullptr;
  Pointer memory = 0;
  char log[200] = {};
  int options[] = {5, 6};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  EXPECT_EQ(call("cuModuleLoadDataEx", &module, static_cast<const void *>(".version 8.0\n.target sm_89\nbogus"), 2u,
                 options, values),
            218);
  EXPECT_NE(std::string(log).find("PTX:3: expected a directive"), std::string::npos) << log;
  EXPECT_EQ(call("cuModuleLoadDataEx", &module,
                 static_cast<const void *>("\x7f"
                                           "ELF"),
                 2u, options, values),
            209);
  EXPECT_NE(std::string(log).find("hand the emulator the PTX"), std::string::npos) << log;
  EXPECT_EQ(call("cuModuleLoadData", &module, static_cast<const void *>(kIncrement)), 0);
  EXPECT_EQ(call("cuModuleGetFunction", &function, module, static_cast<const char *>("absent")), 500);
  EXPECT_EQ(call("cuModuleUnload", module), 0);
  EXPECT_EQ(call("cuMemAlloc_v2", &memory, size_t(1) << 45), 2);
  EXPECT_EQ(call("cuMemcpyHtoD_v2", Pointer(64), static_cast<const void *>(log), size_t(4)), 1);
  EXPECT_EQ(call("cuStreamSynchronize", reinterpret_cast<void *>(8)), 400);
  const char *name = nullptr;
  EXPECT_EQ(call("cuGetErrorName", 700, &name), 0);
  EXPECT_STREQ(name, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(call("cuGetProcAddress_v2", static_cast<const char *>("cuMemAlloc"), &function, 12000, 0ull,
                 static_cast<int *>(nullptr)),
            0);
  EXPECT_EQ(function, dlsym(library, "cuMemAlloc_v2"));
  int value = 0;
  EXPECT_EQ(call("cuDeviceGetAttribute", &value, 75, 0), 0);
  EXPECT_EQ(value, 8);
}

/// A tile of 16 x 4 words of a tensor, to a buffer: thread by thread two words.
constexpr char kTile[] =
    ".version 8.0\n.target sm_90a\n.address_size 64\n.shared .align 128 .b8 s[256];\n.shared .align 8 .b64 b;\n"
    ".visible .entry tile(.param .align 64 .b8 map[128], .param .u64 out)\n{\n.reg .b64 %d<4>;\n.reg .b32 %r<6>;\n"
    ".reg .pred %p<3>;\nmov.b64 %d0, map;\ncvta.param.u64 %d1, %d0;\nld.param.u64 %d2, [out];\nmov.u32 %r0, s;\n"
    "mov.u32 %r1, b;\nmov.u32 %r2, %tid.x;\nsetp.ne.u32 %p0, %r2, 0;\n@%p0 bra made;\nmbarrier.init.shared.b64 [%r1], "
    "1;\n"
    "mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 256;\n"
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d1, {8, 1}], [%r1];\n"
    "made: bar.sync 0;\nwait: mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0;\n@!%p1 bra wait;\n"
    "shl.b32 %r3, %r2, 3;\nadd.u32 %r4, %r0, %r3;\nmul.wide.u32 %d3, %r2, 8;\nadd.u64 %d3, %d3, %d2;\n"
    "ld.shared.b32 %r5, [%r4+4];\nst.global.b32 [%d3], %r5;\nret;\n}\n";

TEST_F(Driver, TensorMapsAreMadeForHopper) {
  int major = 0;
  ASSERT_EQ(call("cuDeviceGetAttribute", &major, 75, 0), 0);
  alignas(64) unsigned char map[128];
  Pointer tensor = 0, out = 0;
  ASSERT_EQ(call("cuMemAlloc_v2", &tensor, size_t(32 * 8 * 4)), 0);
  ASSERT_EQ(call("cuMemAlloc_v2", &out, size_t(256)), 0);
  unsigned values[256], box[] = {16, 4}, steps[] = {1, 1}, wide[] = {257, 4}, far[] = {1, 9};
  unsigned long long dims[] = {32, 8}, strides[] = {128}, odd[] = {120};
  auto encode = [&](Pointer address, const unsigned long long *rowStrides, const unsigned *boxDims,
                    const unsigned *elementSteps, int type, unsigned rank, int swizzle, int fill, int interleave) {
    return call("cuTensorMapEncodeTiled", static_cast<void *>(map), type, rank, reinterpret_cast<void *>(address),
                static_cast<const unsigned long long *>(dims), rowStrides, boxDims, elementSteps, interleave, swizzle,
                0, fill);
  };
  int made = encode(tensor, strides, box, steps, 2, 2, 0, 0, 0);
  if (major < 9) {
    EXPECT_EQ(made, 801);
    return;
  }
  EXPECT_EQ(encode(tensor + 4, strides, box, steps, 2, 2, 0, 0, 0), 1);
  EXPECT_EQ(encode(tensor, odd, box, steps, 2, 2, 0, 0, 0), 1);
  EXPECT_EQ(encode(tensor, strides, wide, steps, 2, 2, 0, 0, 0), 1);
  EXPECT_EQ(encode(tensor, strides, box, far, 2, 2, 0, 0, 0), 1);
  EXPECT_EQ(encode(tensor, strides, box, steps, 13, 2, 0, 0, 0), 1);
  EXPECT_EQ(encode(tensor, strides, box, steps, 2, 6, 0, 0, 0), 1);
  EXPECT_EQ(encode(tensor, strides, box, steps, 2, 2, 1, 0, 0), 1); // 64 bytes a row and a swizzle of 32
  EXPECT_EQ(encode(tensor, strides, box, steps, 2, 2, 0, 1, 0), 1); // NaN among integers
  EXPECT_EQ(encode(tensor, strides, box, steps, 2, 2, 0, 0, 1), 801);
  ASSERT_EQ(encode(tensor, strides, box, steps, 2, 2, 0, 0, 0), 0);
  for (unsigned i = 0; i < 256; ++i)
    values[i] = i;
  ASSERT_EQ(call("cuMemcpyHtoD_v2", tensor, static_cast<const void *>(values), sizeof(values)), 0);
  ASSERT_EQ(call("cuMemsetD32Async", out, 0u, size_t(64), static_cast<void *>(nullptr)), 0);
  void *parameters[] = {map, &out};
  ASSERT_EQ(launch(load(kTile, "tile"), nullptr, parameters), 0);
  ASSERT_EQ(call("cuCtxSynchronize"), 0);
  ASSERT_EQ(call("cuMemcpyDtoH_v2", static_cast<void *>(values), out, size_t(256)), 0);
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(values[2 * i], 32 * (1 + i / 8) + 8 + 2 * (i % 8) + 1);
}

// The last one: a failed kernel is an error of every call from then on.
TEST_F(Driver, ZAFailedKernelIsTheErrorOfAllThatFollows) {
  void *function = load(kIncrement, "increment"), *stream = nullptr;
  ASSERT_EQ(call("cuStreamCreate", &stream, 1u), 0);
  Pointer nowhere = 4096;
  void *parameters[] = {&nowhere};
  EXPECT_EQ(launch(function, stream, parameters), 0);
  EXPECT_EQ(call("cuStreamSynchronize", stream), 700);
  Pointer memory = 0;
  EXPECT_EQ(call("cuMemAlloc_v2", &memory, size_t(4)), 700);
}

} // namespace
