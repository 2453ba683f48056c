//===- DataSources.h - The kinds of DataSource ------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRAINING_DATASOURCES_H
#define NOVA_LIB_TRAINING_DATASOURCES_H

#include "Nova/Training/Data.h"

namespace nova {

/// Whether the arguments are tokens and targets.
bool areTokensAndTargets(const std::vector<Argument> &arguments);

/// Rows of the batch and tokens in each: [rows..., length].
struct TokenShape {
  uint64_t rows = 1, length = 1;
};
TokenShape tokenShapeOf(const Argument &tokens);

/// The generator's stream for the places of random data.
constexpr char kDataStream[] = "nova.data";

Result<std::unique_ptr<DataSource>> openTokenData(const DataOptions &options, const std::vector<std::string> &files,
                                                  const std::vector<Argument> &arguments);
Result<std::unique_ptr<DataSource>> openTensorData(const DataOptions &options, const std::vector<std::string> &files,
                                                   const std::vector<Argument> &arguments);
Result<std::unique_ptr<DataSource>> makeRandomData(const DataOptions &options, const std::vector<Argument> &arguments);

} // namespace nova

#endif // NOVA_LIB_TRAINING_DATASOURCES_H
