//===- Options.h - The flags of nova-run ------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TOOLS_NOVA_RUN_OPTIONS_H
#define NOVA_TOOLS_NOVA_RUN_OPTIONS_H

#include "Nova/Support/Compare.h"
#include "Nova/Training/Data.h"
#include "Nova/Training/Schedule.h"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace nova {

struct Options {
  std::string file;
  int64_t steps = 0; ///< 0: evaluate
  std::string device = "cpu";
  int64_t threads = 0;
  int64_t seed = 0;
  bool isQuiet = false;

  // Evaluate.
  std::string entry, inputs, outputs, expect, params;
  Tolerance tolerance;
  std::optional<int64_t> randomInputs;

  // Train.
  std::string loss = "loss";
  DataOptions data;
  Schedule schedule;
  std::string init, save;
  std::string evalData;
  int64_t evalEvery = 100, evalSteps = 20;
  std::string checkpoint, resume;
  int64_t checkpointEvery = 0, keep = 3;
  std::string log, tensorboard, trace, plot, summary;
  int64_t logEvery = 10;
  bool profile = false, checkFinite = false;

  // Compile. Every one of these is part of the program: a bundle has them built in.
  std::string mode = "fused", dtype = "f32", matmulPrecision = "exact", optimizer = "adamw";
  double momentum = 0.9, beta1 = 0.9, beta2 = 0.95, eps = 1e-8, weightDecay = 0.1, clip = 1.0;
  bool nesterov = false;
  int64_t accumulate = 1;
  std::vector<std::string> shapes; ///< of arguments whose types leave sizes open: x=8x64
  std::string cacheDir, dumpIr;
  bool noCache = false, kernelReport = false;

  /// The flags of the group above that were given, by their names in Bundle::options, with their values as given.
  std::map<std::string, std::string> givenCompiledIn;

  bool isTraining() const { return steps > 0; }
};

/// The options, or the exit code where --help, --version or an error has already been answered.
std::variant<Options, int> parseOptions(int argc, char **argv);

} // namespace nova

#endif // NOVA_TOOLS_NOVA_RUN_OPTIONS_H
