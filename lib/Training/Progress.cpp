//===- Progress.cpp - What the user sees of a run -------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Progress.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

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

std::string Progress::lineOf(const Record &record, size_t width) const {
  uint64_t stepsLeft = std::max(options.steps, record.step + 1) - record.step - 1;
  double left = static_cast<double>(stepsLeft) * smoothedStepMs / 1000;
  double tokensPerStep = record.tokensPerSecond * record.stepMs / 1000;
  auto number = [](const char *format, double value) {
    char text[60];
    std::snprintf(text, sizeof(text), format, value);
    return std::string(text);
  };
  struct Part {
    std::string text;
    int rank; ///< the highest goes first where there is no room
  };
  std::vector<Part> parts = {{"step " + std::to_string(record.step + 1) + "/" + std::to_string(options.steps), 0},
                             {number("  loss %.4f", record.loss), 1},
                             {number("  lr %.2e", record.lr), 4}};
  if (record.gradNorm)
    parts.push_back({number("  norm %.3f", *record.gradNorm), 5});
  parts.push_back({"  " + formatCount(tokensPerStep * 1000 / smoothedStepMs) + " " + record.unit + "/s", 3});
  parts.push_back({"  " + formatDuration(left) + " left", 2});

  auto join = [&] {
    std::string line;
    for (const Part &part : parts)
      line += part.text;
    return line;
  };
  while (parts.size() > 1 && join().size() > width)
    parts.erase(
        std::max_element(parts.begin(), parts.end(), [](const Part &a, const Part &b) { return a.rank < b.rank; }));
  return join().substr(0, width);
}

void Progress::showEvaluation(const Record &record) {
  if (options.isQuiet)
    return;
  char text[120];
  std::snprintf(text, sizeof(text), "step %llu: evaluation loss %.4f, perplexity %.4g",
                static_cast<unsigned long long>(record.step + 1), *record.evalLoss, std::exp(*record.evalLoss));
  note(text);
}

void Progress::show(const Record &record) {
  // The first step still warms caches up: it is soon forgotten.
  smoothedStepMs = record.step <= 1 || smoothedStepMs == 0 ? record.stepMs : 0.9 * smoothedStepMs + 0.1 * record.stepMs;
  if (options.isQuiet)
    return;
  bool isLast = record.step + 1 == options.steps;
  if (!isTerminal) {
    if (isLast || record.step % options.logEvery == 0)
      std::fprintf(options.out, "%s\n", lineOf(record, SIZE_MAX).c_str());
    return;
  }
  auto now = std::chrono::steady_clock::now();
  if (isDrawn && !isLast && now - lastDrawn < kRedraw)
    return;
  // Never wider than the terminal: a wrapped line could not be drawn over.
  std::string line = lineOf(record, widthOf(options.out) - 1);
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
