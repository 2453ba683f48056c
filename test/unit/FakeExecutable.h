//===- FakeExecutable.h - A device that does what a test says ---*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TEST_UNIT_FAKEEXECUTABLE_H
#define NOVA_TEST_UNIT_FAKEEXECUTABLE_H

#include "Nova/Runtime/Executable.h"

#include <cstring>
#include <functional>

/// State in vectors; `onRun` stands for the kernels.
class FakeExecutable final : public nova::Executable {
public:
  explicit FakeExecutable(nova::Bundle bundle) : bundle(std::move(bundle)) {
    for (const nova::StateTensor &state : this->bundle.state)
      storage.emplace_back(*byteCount(state.tensor));
  }

  const nova::Bundle &tables() const override { return bundle; }
  nova::DeviceInfo device() const override { return {"fake", "none", 1}; }
  nova::Result<void> writeState(size_t index, const void *data) override {
    std::memcpy(storage[index].data(), data, storage[index].size());
    return {};
  }
  nova::Result<void> readState(size_t index, void *data) override {
    std::memcpy(data, storage[index].data(), storage[index].size());
    return {};
  }
  nova::Result<void> run(size_t entry, const std::vector<const void *> &inputs,
                         const std::vector<void *> &outputs) override {
    lastEntry = entry;
    return onRun(inputs, outputs);
  }
  std::optional<nova::DataFault> dataFault() const override { return fault; }

  nova::Bundle bundle;
  std::vector<std::vector<char>> storage;
  std::function<nova::Result<void>(const std::vector<const void *> &, const std::vector<void *> &)> onRun;
  std::optional<nova::DataFault> fault;
  size_t lastEntry = 0; ///< that ran
};

#endif // NOVA_TEST_UNIT_FAKEEXECUTABLE_H
