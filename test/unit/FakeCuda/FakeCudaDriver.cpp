//===- FakeCudaDriver.cpp - A CUDA driver for tests -----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <sstream>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using Work = std::function<void()>;
using Pointer = unsigned long long;

struct Stream {
  bool isCapturing = false;
  std::vector<Work> captured;
};
struct Function {
  std::string name;
  size_t tensors = 0;
  void (*code)(void *const *, void *, void *, int64_t, int64_t) = nullptr;
};
struct Module {
  std::map<std::string, Function> functions;
};
struct Graph {
  std::vector<Work> work;
};
struct Event {};

/// Faults for a process of its own: "cuMemAlloc_v2:0:2,...".
FakeCuda initialState() {
  FakeCuda state;
  const char *faults = std::getenv("NOVA_FAKE_CUDA_FAULTS");
  std::istringstream text(faults ? faults : "");
  for (std::string name, after, code;
       std::getline(text, name, ':') && std::getline(text, after, ':') && std::getline(text, code, ',');)
    state.faults[name] = {std::stoi(after), std::stoi(code)};
  return state;
}

FakeCuda state = initialState();

/// Notes a call; the code that it is to return.
int enter(const char *name, const std::string &subject = "") {
  state.calls.push_back(name + (subject.empty() ? "" : " " + subject));
  auto found = state.faults.find(name);
  if (found == state.faults.end() || found->second.after-- > 0)
    return 0;
  found->second.after = 0;
  return found->second.code;
}

template <typename T, typename... Arguments> int make(const char *name, const char *kind, T **out, Arguments... given) {
  if (int code = enter(name))
    return code;
  ++state.live[kind];
  *out = new T{given...};
  return 0;
}
template <typename T> int drop(const char *name, const char *kind, T *object) {
  --state.live[kind];
  delete object;
  return enter(name);
}

int perform(Stream *stream, Work work) {
  if (stream->isCapturing)
    stream->captured.push_back(std::move(work));
  else
    work();
  return 0;
}

template <typename T> T *at(Pointer pointer) { return reinterpret_cast<T *>(pointer); }

} // namespace

EXPORT FakeCuda *fakeCudaState() { return &state; }

EXPORT int cuInit(unsigned) { return enter("cuInit"); }
EXPORT int cuDriverGetVersion(int *version) {
  *version = state.version;
  return enter("cuDriverGetVersion");
}
EXPORT int cuGetErrorName(int code, const char **name) {
  *name = code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_OF_THE_TEST";
  return state.knowsErrors ? 0 : 1;
}
EXPORT int cuGetErrorString(int, const char **text) {
  *text = "a text of the driver";
  return state.knowsErrors ? 0 : 1;
}
EXPORT int cuDeviceGetCount(int *count) {
  *count = state.devices;
  return enter("cuDeviceGetCount");
}
EXPORT int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return enter("cuDeviceGet");
}
EXPORT int cuDeviceGetName(char *name, int bytes, int) {
  std::strncpy(name, "Fake", static_cast<size_t>(bytes));
  return enter("cuDeviceGetName");
}
EXPORT int cuDeviceGetAttribute(int *value, int attribute, int) {
  // 1 GHz, 10 multiprocessors, memory of 2 GHz and 64 bits.
  const std::map<int, int> values = {
      {13, 1000000}, {16, 10}, {36, 2000000}, {37, 64}, {75, state.capability / 10}, {76, state.capability % 10}};
  auto known = values.find(attribute);
  if (known == values.end())
    return 1; // CUDA_ERROR_INVALID_VALUE
  *value = known->second;
  return enter("cuDeviceGetAttribute");
}
EXPORT int cuDevicePrimaryCtxRetain(void **context, int) {
  if (int code = enter("cuDevicePrimaryCtxRetain"))
    return code;
  *context = &state;
  ++state.live["context"];
  return 0;
}
EXPORT int cuDevicePrimaryCtxRelease_v2(int) {
  --state.live["context"];
  return enter("cuDevicePrimaryCtxRelease_v2");
}
EXPORT int cuCtxSetCurrent(void *) { return enter("cuCtxSetCurrent"); }

EXPORT int cuModuleLoadDataEx(Module **module, const void *image, unsigned, int *, void **values) {
  std::istringstream text(static_cast<const char *>(image));
  std::string format, path, name;
  size_t tensors = 0;
  text >> format >> path;
  if (format == "cubin")
    return enter("cuModuleLoadDataEx", "refused") ? 1 : 209;
  if (int code = enter("cuModuleLoadDataEx")) {
    std::strcpy(static_cast<char *>(values[0]), "line 7: nonsense");
    return code;
  }
  ++state.live["module"];
  *module = new Module;
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  while (library && text >> name >> tensors)
    (*module)->functions[name] = {
        name, tensors,
        reinterpret_cast<void (*)(void *const *, void *, void *, int64_t, int64_t)>(dlsym(library, name.c_str()))};
  return 0;
}
EXPORT int cuModuleUnload(Module *module) { return drop("cuModuleUnload", "module", module); }
EXPORT int cuModuleGetFunction(Function **function, Module *module, const char *name) {
  auto found = module->functions.find(name);
  *function = found == module->functions.end() ? nullptr : &found->second;
  return *function ? enter("cuModuleGetFunction", name) : 500;
}
EXPORT int cuFuncSetAttribute(Function *function, int attribute, int value) {
  return enter("cuFuncSetAttribute", function->name + " " + std::to_string(attribute) + " " + std::to_string(value));
}

EXPORT int cuMemGetInfo_v2(size_t *free, size_t *total) {
  *free = 1000;
  *total = 2000;
  return enter("cuMemGetInfo_v2");
}
EXPORT int cuMemAlloc_v2(Pointer *pointer, size_t bytes) {
  if (int code = enter("cuMemAlloc_v2"))
    return code;
  ++state.live["memory"];
  *pointer = reinterpret_cast<Pointer>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  std::memset(at<char>(*pointer), 0xcd, bytes);
  return 0;
}
EXPORT int cuMemFree_v2(Pointer pointer) {
  --state.live["memory"];
  std::free(at<void>(pointer));
  return enter("cuMemFree_v2");
}
EXPORT int cuMemAllocHost_v2(void **pointer, size_t bytes) {
  if (int code = enter("cuMemAllocHost_v2"))
    return code;
  ++state.live["host memory"];
  *pointer = std::malloc(bytes);
  return 0;
}
EXPORT int cuMemFreeHost(void *pointer) {
  --state.live["host memory"];
  std::free(pointer);
  return enter("cuMemFreeHost");
}
EXPORT int cuMemcpyHtoDAsync_v2(Pointer to, const void *from, size_t bytes, Stream *stream) {
  if (int code = enter("cuMemcpyHtoDAsync_v2"))
    return code;
  return perform(stream, [=] { std::memcpy(at<void>(to), from, bytes); });
}
EXPORT int cuMemcpyDtoHAsync_v2(void *to, Pointer from, size_t bytes, Stream *stream) {
  if (int code = enter("cuMemcpyDtoHAsync_v2"))
    return code;
  return perform(stream, [=] { std::memcpy(to, at<void>(from), bytes); });
}
EXPORT int cuMemcpyDtoDAsync_v2(Pointer to, Pointer from, size_t bytes, Stream *stream) {
  if (int code = enter("cuMemcpyDtoDAsync_v2"))
    return code;
  return perform(stream, [=] { std::memcpy(at<void>(to), at<void>(from), bytes); });
}
EXPORT int cuMemsetD8Async(Pointer to, unsigned char value, size_t bytes, Stream *stream) {
  if (int code = enter("cuMemsetD8Async"))
    return code;
  return perform(stream, [=] { std::memset(at<void>(to), value, bytes); });
}

EXPORT int cuStreamCreate(Stream **stream, unsigned) { return make("cuStreamCreate", "stream", stream); }
EXPORT int cuStreamDestroy_v2(Stream *stream) { return drop("cuStreamDestroy_v2", "stream", stream); }
EXPORT int cuStreamSynchronize(Stream *) { return enter("cuStreamSynchronize"); }
EXPORT int cuStreamWaitEvent(Stream *, Event *, unsigned) { return enter("cuStreamWaitEvent"); }
EXPORT int cuStreamBeginCapture_v2(Stream *stream, int) {
  if (int code = enter("cuStreamBeginCapture_v2"))
    return code;
  stream->isCapturing = true;
  return 0;
}
EXPORT int cuStreamEndCapture(Stream *stream, Graph **graph) {
  stream->isCapturing = false;
  return make("cuStreamEndCapture", "graph", graph, std::exchange(stream->captured, {}));
}

EXPORT int cuEventCreate(Event **event, unsigned) { return make("cuEventCreate", "event", event); }
EXPORT int cuEventDestroy_v2(Event *event) { return drop("cuEventDestroy_v2", "event", event); }
EXPORT int cuEventRecord(Event *, Stream *) { return enter("cuEventRecord"); }
EXPORT int cuEventSynchronize(Event *) { return enter("cuEventSynchronize"); }
EXPORT int cuEventElapsedTime(float *milliseconds, Event *, Event *) {
  *milliseconds = 0.5f;
  return enter("cuEventElapsedTime");
}

EXPORT int cuLaunchKernel(Function *function, unsigned blocks, unsigned, unsigned, unsigned, unsigned, unsigned,
                          unsigned, Stream *stream, void **parameters, void **) {
  if (int code = enter("cuLaunchKernel", function->name))
    return code;
  std::vector<void *> arguments;
  for (size_t i = 0; i <= function->tensors; ++i)
    arguments.push_back(at<void>(*static_cast<Pointer *>(parameters[i])));
  return perform(stream, [=] {
    char scratch[4096];
    for (unsigned block = 0; block < blocks; ++block)
      function->code(arguments.data(), scratch, arguments.back(), block, block + 1);
  });
}

EXPORT int cuGraphInstantiateWithFlags(Graph **executable, Graph *graph, unsigned long long) {
  return make("cuGraphInstantiateWithFlags", "graph", executable, graph->work);
}
EXPORT int cuGraphLaunch(Graph *graph, Stream *stream) {
  if (int code = enter("cuGraphLaunch"))
    return code;
  for (const Work &work : graph->work)
    perform(stream, work);
  return 0;
}
EXPORT int cuGraphExecDestroy(Graph *graph) { return drop("cuGraphExecDestroy", "graph", graph); }
EXPORT int cuGraphDestroy(Graph *graph) { return drop("cuGraphDestroy", "graph", graph); }
