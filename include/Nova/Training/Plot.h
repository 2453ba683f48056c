//===- Plot.h - Curves of a run as SVG --------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_PLOT_H
#define NOVA_TRAINING_PLOT_H

#include "Nova/Training/Record.h"

#include <string>
#include <vector>

namespace nova {

/// A curve in constant memory: neighbouring points are merged when there are too many of them.
class Curve {
public:
  struct Point {
    double first = 0, last = 0; ///< the places that it stands for
    double sum = 0, low = 0, high = 0;
    uint64_t count = 0;

    double x() const { return (first + last) / 2; }
    double mean() const { return sum / static_cast<double>(count); }
  };

  /// Places come in ascending order; what is no finite number is left out.
  void add(double x, double y);
  const std::vector<Point> &points() const { return list; }

private:
  std::vector<Point> list;
  uint64_t perPoint = 1;
};

/// Loss, evaluation loss, learning rate and tokens/s over the steps.
class Plot final : public RecordSink {
public:
  Result<void> write(const Record &record) override;

  /// The whole picture, with `title` above it.
  std::string toSvg(const std::string &title) const;

private:
  Curve loss, evalLoss, lr, tokensPerSecond;
  const char *unit = "tokens"; ///< of that speed
};

} // namespace nova

#endif // NOVA_TRAINING_PLOT_H
