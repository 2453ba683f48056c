//===- main.cpp - nova-run ------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"
#include "Options.h"
#include "Train.h"

#include <cstdio>
#include <exception>
#include <new>

using namespace nova;

static int report(const Error &error) {
  // The compiler has already said what is wrong with a program.
  if (!error.message.empty())
    std::fprintf(stderr, "nova-run: error: %s\n", error.message.c_str());
  return static_cast<int>(error.kind);
}

static int run(const Options &options) {
  if (options.isTraining()) {
    Result<int> code = trainProgram(options);
    return code ? *code : report(code.error());
  }
  Result<void> done = evaluate(options);
  return done ? 0 : report(done.error());
}

int main(int argc, char **argv) {
  // Libraries throw when memory runs out, and on what nobody foresaw: a message all the same.
  try {
    std::variant<Options, int> options = parseOptions(argc, argv);
    if (int *code = std::get_if<int>(&options))
      return *code;
    return run(std::get<Options>(options));
  } catch (const std::bad_alloc &) {
    return report(deviceError("out of memory: the tensors of this program, its data or its state don't fit; make them "
                              "smaller, or use a machine with more memory"));
  } catch (const std::exception &exception) {
    return report(deviceError(exception.what()));
  }
}
