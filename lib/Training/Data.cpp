//===- Data.cpp - Choice of the kind of data ------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Data.h"

#include "DataSources.h"

using namespace nova;

bool nova::areTokensAndTargets(const std::vector<Argument> &arguments) {
  auto isToken = [](const Argument &argument) {
    return argument.tensor.dtype == DType::I32 || argument.tensor.dtype == DType::I64;
  };
  return arguments.size() == 2 && isToken(arguments[0]) && isToken(arguments[1]) &&
         !arguments[0].tensor.shape.empty() && arguments[0].tensor.shape == arguments[1].tensor.shape;
}

TokenShape nova::tokenShapeOf(const Argument &tokens) {
  TokenShape shape;
  shape.length = static_cast<uint64_t>(tokens.tensor.shape.back());
  for (size_t i = 0; i + 1 < tokens.tensor.shape.size(); ++i)
    shape.rows *= static_cast<uint64_t>(tokens.tensor.shape[i]);
  return shape;
}

uint64_t nova::tokensPerBatch(const std::vector<Argument> &arguments) {
  if (arguments.empty() || arguments[0].tensor.shape.empty())
    return 1;
  if (areTokensAndTargets(arguments))
    return tokenShapeOf(arguments[0]).rows * tokenShapeOf(arguments[0]).length;
  return static_cast<uint64_t>(arguments[0].tensor.shape[0]);
}

static bool isSafetensors(const DataOptions &options) {
  constexpr std::string_view kEnd = ".safetensors";
  if (options.format != DataFormat::Auto)
    return options.format == DataFormat::Safetensors;
  return options.path.size() >= kEnd.size() &&
         options.path.compare(options.path.size() - kEnd.size(), kEnd.size(), kEnd) == 0;
}

Result<std::unique_ptr<DataSource>> nova::openData(const DataOptions &options, const std::vector<Argument> &arguments) {
  for (const Argument &argument : arguments) {
    Result<uint64_t> count = elementCount(argument.tensor);
    if (!count || *count == 0)
      return inputError("expected a batch with elements, found input '" + argument.tensor.name + "' of type " +
                        typeToString(argument.tensor));
  }
  if (options.path.empty())
    return makeRandomData(options, arguments);
  if (isSafetensors(options))
    return openTensorData(options, arguments);
  return openTokenData(options, arguments);
}
