//===- Evaluate.cpp - Running a function once -----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include "Nova/Support/Elements.h"
#include "Nova/Support/Random.h"
#include "Nova/Support/Safetensors.h"
#include "Nova/Training/Parameters.h"
#include "Nova/Training/Trainer.h"
#include "Program.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace nova;

static Result<size_t> selectEntry(const Options &options, const Bundle &tables) {
  if (!options.entry.empty())
    if (std::optional<size_t> found = findEntry(tables, options.entry))
      return *found;
  if (options.entry.empty() && tables.entries.size() == 1)
    return size_t(0);
  std::string names;
  for (const Entry &entry : tables.entries)
    names += (names.empty() ? "" : ", ") + entry.name;
  return usageError(options.file + ": expected --entry with one of " + names +
                    (options.entry.empty() ? "" : ", found '" + options.entry + "'"));
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

using Buffer = std::vector<char>;

/// Integers made up stay below this: the program's bound for them, as far as the type goes, or 2 where it has none.
static uint64_t limitOf(const Argument &input) {
  DType dtype = input.tensor.dtype;
  uint64_t capacity = dtype == DType::I1 ? 2 : uint64_t(1) << (8 * sizeOf(dtype) - 1);
  return input.bound > 0 ? std::min(static_cast<uint64_t>(input.bound), capacity) : 2;
}

/// Normal numbers; integers below their bound, or 0 and 1 where the compiler does not know it.
static void makeUp(const Argument &input, uint64_t seed, Buffer &out) {
  const TensorInfo &tensor = input.tensor;
  uint64_t stream = streamOf(tensor.name), count = *elementCount(tensor);
  std::vector<int64_t> integers;
  for (uint64_t i = 0; i < count; ++i)
    if (isFloat(tensor.dtype))
      storeFloat(tensor.dtype, out.data(), i, randomNormal(seed, stream, i));
    else
      integers.push_back(static_cast<int64_t>(randomBelow(limitOf(input), seed, stream, i)));
  if (!isFloat(tensor.dtype))
    (void)convertElements({{tensor.name, DType::I64, tensor.shape}, integers.data()}, tensor.dtype, out.data());
}

static Result<void> readInput(const SafetensorsFile &file, const SafetensorsEntry &entry, const TensorInfo &want,
                              Buffer &out) {
  Result<TensorRef> tensor = file.tensor(entry);
  if (!tensor)
    return tensor.error();
  if (tensor->info.shape != want.shape)
    return inputError(file.path() + ": '" + want.name + "': expected " + typeToString(want) + ", found " +
                      typeToString(tensor->info));
  if (Result<void> done = convertElements(*tensor, want.dtype, out.data()); !done)
    return inputError(file.path() + ": " + done.error().message);
  return {};
}

/// The names of a file's arrays, the first few of many.
static std::string namesIn(const SafetensorsFile &file) {
  constexpr size_t most = 8;
  std::string names;
  for (size_t i = 0; i < file.entries().size() && i <= most; ++i)
    names += (i == 0 ? "" : ", ") + (i < most ? file.entries()[i].name : std::string("..."));
  return names.empty() ? "none" : names;
}

static Result<std::vector<Buffer>> gatherInputs(const Options &options, const Entry &entry) {
  std::optional<SafetensorsFile> file;
  if (!options.inputs.empty()) {
    Result<SafetensorsFile> opened = SafetensorsFile::open(options.inputs);
    if (!opened)
      return opened.error();
    file = std::move(*opened);
  }
  std::vector<Buffer> buffers;
  std::string missing;
  for (const Argument &input : entry.inputs) {
    buffers.emplace_back(*byteCount(input.tensor));
    const SafetensorsEntry *found = file ? file->find(input.tensor.name) : nullptr;
    if (found) {
      if (Result<void> read = readInput(*file, *found, input.tensor, buffers.back()); !read)
        return read.error();
    } else if (options.randomInputs) {
      makeUp(input, static_cast<uint64_t>(*options.randomInputs), buffers.back());
    } else {
      missing += (missing.empty() ? "" : ", ") + input.tensor.name + ": " + typeToString(input.tensor);
    }
  }
  if (!missing.empty())
    return inputError((file ? options.inputs : options.file) + ": expected inputs " + missing + ", found " +
                      (file ? namesIn(*file) : "none") + "; give them with --inputs, or --random-inputs=SEED");
  return buffers;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static Result<void> print(const std::vector<TensorRef> &results) {
  for (const TensorRef &result : results)
    std::printf("%s: %s\n", result.info.name.c_str(), toText(result).c_str());
  if (std::fflush(stdout) != 0)
    return inputError(std::string("cannot write to stdout: ") + std::strerror(errno));
  return {};
}

/// Compares the results that the file has, and says so of those that are good; the errors of all others in one.
static Result<void> compare(const Options &options, const std::vector<TensorRef> &results) {
  Result<SafetensorsFile> file = SafetensorsFile::open(options.expect);
  if (!file)
    return file.error();
  size_t compared = 0;
  std::optional<Error> failure;
  std::string names;
  for (const TensorRef &result : results) {
    names += (names.empty() ? "" : ", ") + result.info.name;
    const SafetensorsEntry *entry = file->find(result.info.name);
    if (!entry)
      continue;
    ++compared;
    Result<TensorRef> expected = file->tensor(*entry);
    if (!expected)
      return expected.error();
    Result<void> equal = compareTensors(result, *expected, options.tolerance);
    if (equal) {
      if (!options.isQuiet)
        std::fprintf(stderr, "nova-run: %s: within the tolerance, %s\n", result.info.name.c_str(),
                     describeDifference(result, *expected).c_str());
      continue;
    }
    if (!failure)
      failure = Error{equal.error().kind, options.expect + ": " + equal.error().message};
    else
      failure->message += "\n" + options.expect + ": " + equal.error().message;
  }
  if (compared == 0)
    return inputError(options.expect + ": expected a tensor named as a result (" + names + "), found none");
  if (failure)
    return *failure;
  return {};
}

Result<void> nova::evaluate(const Options &options) {
  if (!options.outputs.empty())
    if (Result<void> checked = checkWritable(options.outputs); !checked)
      return checked;
  Result<Program> program = loadProgram(options);
  if (!program)
    return program.error();
  Executable &executable = *program->executable;
  Result<size_t> entryIndex = selectEntry(options, executable.tables());
  if (!entryIndex)
    return entryIndex.error();
  const Entry &entry = executable.tables().entries[*entryIndex];

  Result<void> initialized = options.params.empty() ? initializeState(executable, static_cast<uint64_t>(options.seed))
                                                    : loadParameters(executable, options.params);
  if (!initialized)
    return initialized;
  Result<std::vector<Buffer>> inputs = gatherInputs(options, entry);
  if (!inputs)
    return inputs.error();
  std::vector<const void *> inputPointers;
  for (const Buffer &input : *inputs)
    inputPointers.push_back(input.data());
  std::vector<Buffer> outputs;
  std::vector<void *> outputPointers;
  std::vector<TensorRef> results;
  outputs.reserve(entry.outputs.size());
  for (const Argument &output : entry.outputs) {
    outputs.emplace_back(*byteCount(output.tensor));
    outputPointers.push_back(outputs.back().data());
    results.push_back({output.tensor, outputs.back().data()});
  }
  if (Result<void> done = executable.run(*entryIndex, inputPointers, outputPointers); !done)
    return done;

  if (!options.outputs.empty()) {
    if (Result<void> written = writeSafetensors(options.outputs, results); !written)
      return written;
  } else if (!options.isQuiet) {
    if (Result<void> printed = print(results); !printed)
      return printed;
  }
  return options.expect.empty() ? Result<void>() : compare(options, results);
}
