//===- InitializeState.cpp - Initial values of parameters -----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/Executable.h"
#include "Nova/Runtime/ThreadPool.h"
#include "Nova/Support/Elements.h"
#include "Nova/Support/Random.h"

#include <algorithm>

using namespace nova;

/// Elements that a thread makes at a time.
static constexpr int64_t kBlock = 1 << 14;

/// Elements [first, first + count) of a parameter, in f32.
static void fill(const Initializer &init, uint64_t seed, uint64_t stream, float *out, int64_t first, int64_t count) {
  float a = static_cast<float>(init.a), b = static_cast<float>(init.b);
  switch (init.kind) {
  case Initializer::Kind::Zero:
    std::fill_n(out, count, 0.0f);
    return;
  case Initializer::Kind::Constant:
    std::fill_n(out, count, a);
    return;
  case Initializer::Kind::Normal:
    fillNormal(out, first, count, seed, stream);
    for (int64_t i = 0; i < count; ++i)
      out[i] = a + b * out[i];
    return;
  case Initializer::Kind::Uniform:
    fillUniform(out, first, count, seed, stream);
    for (int64_t i = 0; i < count; ++i)
      out[i] = a + (b - a) * out[i];
    return;
  }
}

Result<void> nova::initializeState(Executable &executable, uint64_t seed) {
  auto pool = ThreadPool::create(availableCpus());
  if (!pool)
    return pool.error();
  const std::vector<StateTensor> &state = executable.tables().state;
  for (size_t i = 0; i < state.size(); ++i) {
    const TensorInfo &tensor = state[i].tensor;
    // New state is zero: untouched moments cost no memory yet.
    if (state[i].init.kind == Initializer::Kind::Zero)
      continue;
    Result<uint64_t> count = elementCount(tensor);
    if (!count)
      return count.error();
    std::unique_ptr<float[]> values(new float[*count]);
    uint64_t stream = streamOf(tensor.name);
    int64_t blocks = (static_cast<int64_t>(*count) + kBlock - 1) / kBlock;
    (*pool)->parallelFor(blocks, [&](unsigned, int64_t first, int64_t last) {
      int64_t begin = first * kBlock, end = std::min<int64_t>(last * kBlock, *count);
      fill(state[i].init, seed, stream, values.get() + begin, begin, end - begin);
    });
    const void *data = values.get();
    std::vector<char> converted;
    if (tensor.dtype != DType::F32) {
      converted.resize(*count * sizeOf(tensor.dtype));
      if (auto done = convertElements({{tensor.name, DType::F32, tensor.shape}, data}, tensor.dtype, converted.data());
          !done)
        return done;
      data = converted.data();
    }
    if (Result<void> written = executable.writeState(i, data); !written)
      return written;
  }
  return makeNarrowCopies(executable);
}

Result<void> nova::makeNarrowCopies(Executable &executable) {
  const std::vector<StateTensor> &state = executable.tables().state;
  for (size_t i = 0; i < state.size(); ++i) {
    if (state[i].role != StateTensor::Role::Narrow)
      continue;
    auto isItsParameter = [&](const StateTensor &other) {
      return other.role == StateTensor::Role::Parameter && other.tensor.name == state[i].tensor.name;
    };
    auto parameter = std::find_if(state.begin(), state.end(), isItsParameter);
    if (parameter == state.end() || parameter->tensor.shape != state[i].tensor.shape)
      return inputError("expected a parameter for the narrow copy '" + state[i].tensor.name +
                        "', found none of its shape");
    std::unique_ptr<char[]> wide(new char[*byteCount(parameter->tensor)]);
    std::unique_ptr<char[]> narrow(new char[*byteCount(state[i].tensor)]);
    if (auto read = executable.readState(static_cast<size_t>(parameter - state.begin()), wide.get()); !read)
      return read;
    if (auto done = convertElements({parameter->tensor, wide.get()}, state[i].tensor.dtype, narrow.get()); !done)
      return done;
    if (auto written = executable.writeState(i, narrow.get()); !written)
      return written;
  }
  return {};
}
