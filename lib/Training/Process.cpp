//===- Process.cpp - Facts about this process -----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Process.h"

#include <csignal>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

using namespace nova;

uint64_t nova::peakMemoryBytes() {
  // Not getrusage: its figure is inherited from the process that started this one.
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0)
      return std::stoull(line.substr(6)) * 1024;
  return 0;
}

double nova::processAge() {
  std::ostringstream text;
  text << std::ifstream("/proc/self/stat").rdbuf();
  std::string stat = text.str();
  // The second field, the name, may hold blanks and brackets; the start time is field 22, in clock ticks after boot.
  std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 2)));
  std::string field;
  for (int i = 3; i <= 22; ++i)
    fields >> field;
  timespec now = {};
  clock_gettime(CLOCK_BOOTTIME, &now);
  double sinceBoot = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  return fields ? sinceBoot - std::stod(field) / static_cast<double>(sysconf(_SC_CLK_TCK)) : 0;
}

static volatile std::sig_atomic_t receivedSignal = 0;

static void noteSignal(int signal) { receivedSignal = signal; }

StopSignals::StopSignals() {
  receivedSignal = 0;
  struct sigaction action = {};
  action.sa_handler = noteSignal;
  // The second signal of a kind finds the default action: a way out of a step that does not end.
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

StopSignals::~StopSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

int StopSignals::received() const { return receivedSignal; }
