//===- Arguments.cpp - Arguments of a kernel ------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "Options.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

using namespace nova;
using namespace nova::emulator;

/// A number of the given type, as the bytes of a parameter.
static Result<std::vector<uint8_t>> numberBytes(const std::string &argument, const std::string &type,
                                                const std::string &text) {
  char *end = nullptr;
  errno = 0;
  std::vector<uint8_t> bytes(type.substr(1) == "64" ? 8 : 4);
  auto store = [&](auto value) { std::memcpy(bytes.data(), &value, bytes.size()); };
  bool isGood = !text.empty();
  if (type == "f32") {
    store(std::strtof(text.c_str(), &end));
    errno = 0; // overflow gives infinity, underflow the nearest number
  } else if (type == "f64") {
    store(std::strtod(text.c_str(), &end));
    errno = 0;
  } else if (type[0] == 'i') {
    long long value = std::strtoll(text.c_str(), &end, 0);
    isGood &= bytes.size() == 8 || (value >= INT32_MIN && value <= INT32_MAX);
    store(value);
  } else {
    unsigned long long value = std::strtoull(text.c_str(), &end, 0);
    isGood &= text[0] != '-' && (bytes.size() == 8 || value <= UINT32_MAX);
    store(value);
  }
  if (!isGood || *end || errno)
    return usageError("argument '" + argument + "': expected a number of type " + type);
  return bytes;
}

/// Bytes from pairs of hexadecimal digits.
static Result<std::vector<uint8_t>> rawBytes(const std::string &argument, const std::string &digits) {
  bool isGood = !digits.empty() && digits.size() % 2 == 0 &&
                digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (!isGood)
    return usageError("argument '" + argument + "': expected pairs of hexadecimal digits, as in hex:0A0B");
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < digits.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

static Result<std::vector<uint8_t>> argumentBytes(const std::string &argument, Buffers &buffers) {
  std::vector<uint8_t> pointer(8);
  if (argument == "null")
    return pointer;
  std::string type = argument.substr(0, argument.find(':'));
  if (type.size() != argument.size())
    for (const char *name : {"i32", "u32", "i64", "u64", "f32", "f64"})
      if (type == name)
        return numberBytes(argument, type, argument.substr(4));
  if (type == "hex" && type.size() != argument.size())
    return rawBytes(argument, argument.substr(4));
  if (type == "tensormap" && type.size() != argument.size())
    return buffers.tensorMap(argument.substr(10));
  Result<uint64_t> address =
      type == "zeros" && type.size() != argument.size() ? buffers.addZeros(argument.substr(6)) : buffers.find(argument);
  if (!address)
    return address.error();
  std::memcpy(pointer.data(), &*address, pointer.size());
  return pointer;
}

Result<std::vector<uint8_t>> nova::packArguments(const Program &kernel, const std::vector<std::string> &arguments,
                                                 Buffers &buffers) {
  const std::vector<KernelParameter> &parameters = parametersOf(kernel);
  if (arguments.size() != parameters.size())
    return usageError("kernel " + nameOf(kernel) + ": expected " + std::to_string(parameters.size()) +
                      " arguments, found " + std::to_string(arguments.size()));
  std::vector<uint8_t> block;
  for (size_t i = 0; i < arguments.size(); ++i) {
    Result<std::vector<uint8_t>> bytes = argumentBytes(arguments[i], buffers);
    if (!bytes)
      return bytes.error();
    const KernelParameter &parameter = parameters[i];
    if (bytes->size() != parameter.bytes)
      return usageError("argument '" + arguments[i] + "': expected " + std::to_string(parameter.bytes) +
                        " bytes for parameter '" + parameter.name + "', found " + std::to_string(bytes->size()));
    block.resize(parameter.offset + parameter.bytes);
    std::memcpy(block.data() + parameter.offset, bytes->data(), bytes->size());
  }
  return block;
}
