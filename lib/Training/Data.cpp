//===- Data.cpp - Choice of the kind of data ------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Data.h"

#include "DataSources.h"
#include "FileKind.h"
#include "Nova/Support/File.h"

#include <glob.h>
#include <unistd.h>

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

const char *nova::unitOfBatch(const std::vector<Argument> &arguments) {
  return areTokensAndTargets(arguments) ? "tokens" : "rows";
}

Result<std::vector<std::string>> nova::findDataFiles(const std::string &path) {
  // A file may have a name that looks like a pattern.
  if (path.find_first_of("*?[") == std::string::npos || access(path.c_str(), F_OK) == 0)
    return std::vector<std::string>{path};
  glob_t found = {};
  int status = glob(path.c_str(), 0, nullptr, &found);
  std::vector<std::string> files(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (status != 0 || files.empty())
    return inputError(path + ": expected files that match this pattern, found none");
  return files;
}

static bool isSafetensors(DataFormat format, const std::string &path) {
  constexpr std::string_view kEnd = ".safetensors";
  if (format != DataFormat::Auto)
    return format == DataFormat::Safetensors;
  return path.size() >= kEnd.size() && path.compare(path.size() - kEnd.size(), kEnd.size(), kEnd) == 0;
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
  Result<std::vector<std::string>> files = findDataFiles(options.path);
  if (!files)
    return files.error();
  if (isSafetensors(options.format, files->front()))
    for (const std::string &name : *files) {
      Result<MappedFile> file = MappedFile::open(name);
      if (!file)
        return file.error();
      std::string other = isSafetensorsContent(file->bytes()) ? "" : describeOtherFormat(file->bytes());
      if (!other.empty())
        return inputError(name + ": expected a safetensors file, " + other);
    }
  if (isSafetensors(options.format, files->front()))
    return openTensorData(options, *files, arguments);
  return openTokenData(options, *files, arguments);
}
