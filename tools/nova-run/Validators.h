//===- Validators.h - Values that flags take --------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_RUN_VALIDATORS_H
#define NOVA_TOOLS_NOVA_RUN_VALIDATORS_H

#include "Nova/Training/LogFile.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <regex>

namespace nova {

/// A finite number in [low, high]; `what` says so.
inline CLI::Validator number(double low, double high, const std::string &what) {
  auto check = [=](const std::string &text) -> std::string {
    char *end = nullptr;
    double value = std::strtod(text.c_str(), &end);
    bool isGood = !text.empty() && !*end && std::isfinite(value) && value >= low && value <= high;
    return isGood ? "" : "expected " + what + ", found '" + text + "'";
  };
  return CLI::Validator(check, "");
}

inline CLI::Validator nonNegative() { return number(0, HUGE_VAL, "a number of 0 or more"); }
inline CLI::Validator belowOne() { return number(0, std::nextafter(1, 0), "a number from 0 to below 1"); }

inline CLI::Validator wholeFrom(int64_t low, int64_t high = INT64_MAX) {
  auto check = [=](const std::string &text) -> std::string {
    errno = 0;
    char *end = nullptr;
    long long value = std::strtoll(text.c_str(), &end, 10);
    if (!text.empty() && !*end && errno == 0 && value >= low && value <= high)
      return "";
    return "expected a whole number from " + std::to_string(low) +
           (high == INT64_MAX ? " on" : " to " + std::to_string(high)) + ", found '" + text + "'";
  };
  return CLI::Validator(check, "");
}

/// One of the names; with `asIndex`, for an enum in the same order, the value becomes its place (use with `transform`).
inline CLI::Validator oneOf(const std::vector<std::string> &names, bool asIndex = false) {
  auto check = [=](std::string &text) -> std::string {
    auto found = std::find(names.begin(), names.end(), text);
    if (found != names.end()) {
      if (asIndex)
        text = std::to_string(found - names.begin());
      return "";
    }
    std::string all;
    for (const std::string &name : names)
      all += (all.empty() ? "" : ", ") + name;
    return "expected " + all + ", found '" + text + "'";
  };
  return CLI::Validator(check, "");
}

/// A name, and sizes with x between them.
inline CLI::Validator shapeOfArgument() {
  auto check = [](const std::string &text) -> std::string {
    static const std::regex shape(".+=[0-9]{1,18}(x[0-9]{1,18})*");
    return std::regex_match(text, shape) ? ""
                                         : "expected an argument and its shape, such as x=8x64, found '" + text + "'";
  };
  return CLI::Validator(check, "");
}

inline CLI::Validator logName() {
  auto check = [](const std::string &text) -> std::string {
    return LogFile::isLogName(text) ? "" : "expected a name that ends in .csv or .jsonl, found '" + text + "'";
  };
  return CLI::Validator(check, "");
}

} // namespace nova

#endif // NOVA_TOOLS_NOVA_RUN_VALIDATORS_H
