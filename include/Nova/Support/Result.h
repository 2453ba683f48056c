//===- Result.h - A value, or why there is none -----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the rooms without LLVM report errors. The kind of an error is the exit code of the tool that meets it.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_SUPPORT_RESULT_H
#define NOVA_SUPPORT_RESULT_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace nova {

/// What went wrong, in the terms of docs/CommandLine.md: the numbers are exit codes.
enum class ErrorKind { Input = 1, Usage = 2, Device = 3, Numerics = 4 };

/// An error. The message says where, what was expected, what was found and what to do; lower case, no full stop.
struct Error {
  ErrorKind kind = ErrorKind::Input;
  std::string message;
};

inline Error inputError(std::string message) { return {ErrorKind::Input, std::move(message)}; }
inline Error usageError(std::string message) { return {ErrorKind::Usage, std::move(message)}; }
inline Error deviceError(std::string message) { return {ErrorKind::Device, std::move(message)}; }

/// A value of type T, or an Error.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : storage(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : storage(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return storage.index() == 0; }
  T &operator*() { return std::get<0>(storage); }
  const T &operator*() const { return std::get<0>(storage); }
  T *operator->() { return &std::get<0>(storage); }
  const T *operator->() const { return &std::get<0>(storage); }
  Error &error() { return std::get<1>(storage); }
  const Error &error() const { return std::get<1>(storage); }

private:
  std::variant<T, Error> storage;
};

/// Success, or an Error.
template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : failure(std::move(error)) {}

  explicit operator bool() const { return !failure; }
  Error &error() { return *failure; }
  const Error &error() const { return *failure; }

private:
  std::optional<Error> failure;
};

} // namespace nova

#endif // NOVA_SUPPORT_RESULT_H
