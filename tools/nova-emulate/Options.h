//===- Options.h - The flags of nova-emulate --------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_EMULATE_OPTIONS_H
#define NOVA_TOOLS_NOVA_EMULATE_OPTIONS_H

#include "Nova/Emulator/Launch.h"
#include "Nova/Support/Compare.h"

#include <optional>
#include <variant>

namespace nova {

/// A launch as it was asked for.
struct LaunchRequest {
  std::string kernel; ///< empty: the only one
  emulator::Dim3 grid, block;
  std::optional<emulator::Dim3> firstBlock, lastBlock; ///< of the part of the grid to run
  uint32_t shared = 0;
  std::vector<std::string> arguments;
};

struct ToolOptions {
  std::string file, inputs, outputs, expect;
  std::string launchesFile;
  LaunchRequest launch; ///< without launchesFile
  Tolerance tolerance;
  emulator::Options emulator;
  bool wantsReport = false;
  std::string report; ///< a file for JSON; empty: a table on stdout
};

/// The parts of a text between separators: one more than there are of those.
std::vector<std::string> split(const std::string &text, char separator);

/// The options, or the exit code where --help, --version or an error has already been answered.
std::variant<ToolOptions, int> parseOptions(int argc, char **argv);
/// The launches of a JSON file.
Result<std::vector<LaunchRequest>> readLaunches(const std::string &path);

} // namespace nova

#endif // NOVA_TOOLS_NOVA_EMULATE_OPTIONS_H
