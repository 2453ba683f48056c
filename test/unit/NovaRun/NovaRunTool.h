//===- NovaRunTool.h - nova-run as users start it ---------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TEST_UNIT_NOVARUN_NOVARUNTOOL_H
#define NOVA_TEST_UNIT_NOVARUN_NOVARUNTOOL_H

#include "FakeCuda/FakeCuda.h"
#include "Nova/Support/Safetensors.h"
#include "TempFolder.h"
#include "TestProgram/TestProgram.h"

#include <csignal>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nova {

struct Outcome {
  int code;
  std::string out, err;
};

/// Runs nova-run in a folder of its own, with a cache of its own; with or without a compiler library beside it.
class NovaRun : public testing::Test {
protected:
  NovaRun() {
    environment = "XDG_CACHE_HOME=" + folder.path("cache") + " NOVA_TEST_REQUESTS=" + folder.path("requests") + " ";
    folder.write("train.nova", serialize(testProgram()));
    folder.write("gpu.nova", serialize(fakeCudaProgram()));
    folder.write("affine.nova", serialize(affineProgram()));
    folder.write("train.mlir", "module {}");
    std::string text;
    for (int i = 0; i < 4000; ++i)
      text += static_cast<char>('a' + i * i % 23);
    folder.write("text.txt", text);
  }

  Outcome runTool(const std::string &tool, const std::string &arguments) const {
    std::string command = "cd " + folder.root + " && " + environment + tool + " " + arguments + " >out 2>err";
    int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.read("out"), folder.read("err")};
  }
  Outcome run(const std::string &arguments) const { return runTool(NOVA_TEST_RUN_ALONE, arguments); }
  Outcome runWithCompiler(const std::string &arguments) const {
    return runTool(NOVA_TEST_RUN_WITH_COMPILER, arguments);
  }

  /// Requests that the compiler library got.
  std::vector<nlohmann::json> requests() const {
    std::vector<nlohmann::json> list;
    std::istringstream lines(folder.read("requests"));
    for (std::string line; std::getline(lines, line);)
      list.push_back(nlohmann::json::parse(line));
    return list;
  }

  std::vector<double> losses(const std::string &log) const {
    std::vector<double> list;
    std::istringstream lines(folder.read(log));
    for (std::string line; std::getline(lines, line);)
      list.push_back(nlohmann::json::parse(line)["loss"]);
    return list;
  }

  void writeInputs(const std::string &name, const std::vector<float> &a) const {
    ASSERT_TRUE(writeSafetensors(folder.path(name), {{{"a", DType::F32, {2, 3}}, a.data()}}));
  }
  void writeExpected(const std::string &name, const std::string &key, const std::vector<float> &values) const {
    ASSERT_TRUE(writeSafetensors(folder.path(name), {{{key, DType::F32, {2, 3}}, values.data()}}));
  }

  TempFolder folder;
  std::string environment;
};

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << text

/// Starts nova-run in the folder; it ends by itself when the test does.
inline pid_t startIn(const std::string &folder, std::vector<const char *> arguments) {
  pid_t child = fork();
  if (child != 0)
    return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  arguments.insert(arguments.begin(), "nova-run");
  arguments.push_back(nullptr);
  if (chdir(folder.c_str()) == 0)
    execv(NOVA_TEST_RUN_ALONE, const_cast<char *const *>(arguments.data()));
  _exit(99);
}

} // namespace nova

#endif // NOVA_TEST_UNIT_NOVARUN_NOVARUNTOOL_H
