//===- Progress.cpp - What the user sees of a run -------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Progress.h"

#include <algorithm>
#include <cmath>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace nova;

/// Often enough to look alive; drawing costs the terminal more than us.
static constexpr std::chrono::milliseconds kRedraw{100};

static unsigned widthOf(FILE *terminal) {
  winsize size = {};
  if (ioctl(fileno(terminal), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return 80;
}

std::string nova::formatDuration(double seconds) {
  auto total = static_cast<uint64_t>(std::llround(std::max(0.0, seconds)));
  char text[40];
  if (total >= 3600)
    std::snprintf(text, sizeof(text), "%llu:%02u:%02u", static_cast<unsigned long long>(total / 3600),
                  static_cast<unsigned>(total / 60 % 60), static_cast<unsigned>(total % 60));
  else
    std::snprintf(text, sizeof(text), "%u:%02u", static_cast<unsigned>(total / 60), static_cast<unsigned>(total % 60));
  return text;
}

std::string nova::formatCount(double value) {
  std::string digits = std::to_string(std::llround(std::max(0.0, value)));
  for (size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits;
}

Progress::Progress(const Options &options) : options(options), isTerminal(isatty(fileno(options.out))) {}

std::string Progress::lineOf(const Record &record) const {
  char text[200];
  std::snprintf(text, sizeof(text), "  loss %.4f  lr %.2e", record.loss, record.lr);
  std::string line = "step " + std::to_string(record.step + 1) + "/" + std::to_string(options.steps) + text;
  if (record.gradNorm) {
    std::snprintf(text, sizeof(text), "  norm %.3f", *record.gradNorm);
    line += text;
  }
  double left = static_cast<double>(options.steps - record.step - 1) * smoothedStepMs / 1000;
  double tokensPerStep = record.tokensPerSecond * record.stepMs / 1000;
  return line + "  " + formatCount(tokensPerStep * 1000 / smoothedStepMs) + " tokens/s  " + formatDuration(left) +
         " left";
}

void Progress::show(const Record &record) {
  // The first step still warms caches up: it is soon forgotten.
  smoothedStepMs = record.step <= 1 || smoothedStepMs == 0 ? record.stepMs : 0.9 * smoothedStepMs + 0.1 * record.stepMs;
  if (options.isQuiet)
    return;
  bool isLast = record.step + 1 == options.steps;
  if (!isTerminal) {
    if (isLast || record.step % options.logEvery == 0)
      std::fprintf(options.out, "%s\n", lineOf(record).c_str());
    return;
  }
  auto now = std::chrono::steady_clock::now();
  if (isDrawn && !isLast && now - lastDrawn < kRedraw)
    return;
  // Never wider than the terminal: a wrapped line could not be drawn over.
  std::string line = lineOf(record).substr(0, widthOf(options.out) - 1);
  std::fprintf(options.out, "\r%s\x1b[K", line.c_str());
  std::fflush(options.out);
  lastDrawn = now;
  isDrawn = true;
}

void Progress::note(const std::string &line) {
  std::fprintf(options.out, "%s%s\n", isDrawn ? "\r\x1b[K" : "", line.c_str());
  isDrawn = false;
}

void Progress::finish() {
  if (isDrawn)
    std::fprintf(options.out, "\n");
  isDrawn = false;
}
