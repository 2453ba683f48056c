//===- EntryCall.cpp - An entry with its arguments bound ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryCall.h"

#include <algorithm>

using namespace nova;

EntryCall::EntryCall(Executable &executable, size_t entry, StepScalars &scalars)
    : executable(executable), entry(entry) {
  const Entry &table = executable.tables().entries[entry];
  for (const Argument &input : table.inputs) {
    const void *scalar = input.role == "lr"      ? static_cast<const void *>(&scalars.lr)
                         : input.role == "step"  ? static_cast<const void *>(&scalars.step)
                         : input.role == "micro" ? static_cast<const void *>(&scalars.micro)
                                                 : static_cast<const void *>(&scalars.seed);
    if (input.role == "data")
      data.push_back(inputs.size());
    inputs.push_back(input.role == "data" ? nullptr : scalar);
  }
  for (const Argument &output : table.outputs) {
    givesGradNorm |= output.role == "grad_norm";
    outputs.push_back(output.role == "loss" ? &scalars.loss : output.role == "grad_norm" ? &scalars.gradNorm : nullptr);
  }
}

Result<void> EntryCall::run(const DataSource &source, uint64_t batch, const std::vector<void *> &buffers) {
  if (Result<void> begun = begin(buffers); !begun)
    return explain(begun.error(), source, batch);
  return finish(source, batch);
}

Result<void> EntryCall::begin(const std::vector<void *> &buffers) {
  for (size_t i = 0; i < data.size(); ++i)
    inputs[data[i]] = buffers[i];
  return executable.begin(entry, inputs, outputs);
}

Result<void> EntryCall::finish(const DataSource &source, uint64_t batch) {
  if (Result<void> done = executable.finish(); !done)
    return explain(done.error(), source, batch);
  return {};
}

/// Says where an offending value comes from.
Error EntryCall::explain(Error error, const DataSource &source, uint64_t batch) const {
  std::optional<DataFault> fault = executable.dataFault();
  if (!fault)
    return error;
  auto argument = std::find(data.begin(), data.end(), fault->input);
  if (argument != data.end())
    error.message =
        source.locate(batch, static_cast<size_t>(argument - data.begin()), static_cast<uint64_t>(fault->position)) +
        ": " + error.message + "; use data for this vocabulary, or a model with a larger one";
  return error;
}
