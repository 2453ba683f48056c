//===- Plot.cpp - Curves of a run as SVG ----------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Plot.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

using namespace nova;

/// More than a picture has pixels for.
static constexpr size_t kMaxPoints = 1024;

void Curve::add(double x, double y) {
  if (!std::isfinite(y))
    return;
  if (list.empty() || list.back().count >= perPoint) {
    if (list.size() == kMaxPoints) {
      for (size_t i = 0; i < kMaxPoints / 2; ++i) {
        Point merged = list[2 * i];
        const Point &next = list[2 * i + 1];
        merged.last = next.last;
        merged.sum += next.sum;
        merged.count += next.count;
        merged.low = std::min(merged.low, next.low);
        merged.high = std::max(merged.high, next.high);
        list[i] = merged;
      }
      list.resize(kMaxPoints / 2);
      perPoint *= 2;
    }
    list.push_back({x, x, 0, y, y, 0});
  }
  Point &point = list.back();
  point.last = x;
  point.sum += y;
  point.low = std::min(point.low, y);
  point.high = std::max(point.high, y);
  ++point.count;
}

Result<void> Plot::write(const Record &record) {
  double step = static_cast<double>(record.step + 1);
  loss.add(step, record.loss);
  if (record.evalLoss)
    evalLoss.add(step, *record.evalLoss);
  lr.add(step, record.lr);
  tokensPerSecond.add(step, record.tokensPerSecond);
  unit = record.unit;
  return {};
}

//===----------------------------------------------------------------------===//
// SVG
//===----------------------------------------------------------------------===//

namespace {

struct Line {
  const Curve *curve;
  const char *name;
  const char *color;
  bool hasMarks; ///< few points: each is shown
};

struct Range {
  double low = HUGE_VAL, high = -HUGE_VAL;

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool isEmpty() const { return low > high; }
};

constexpr double kWidth = 860, kLeft = 80, kRight = 20, kTop = 46, kPanel = 190, kGap = 40;

/// Draws panels below each other over one axis of steps.
class Painter {
public:
  Painter(const std::string &title, Range steps, int panels) : steps(steps) {
    if (steps.high == steps.low)
      this->steps.high += 1; // One step still has a place.
    double height = kTop + panels * (kPanel + kGap) + 10;
    put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        kWidth, height, kWidth, height);
    put("<text x=\"%g\" y=\"20\" font-size=\"15\">", kLeft);
    svg += escape(title) + "</text>\n";
  }

  void panel(const std::string &name, const std::vector<Line> &lines, bool fromZero);

  std::string finish() { return svg + "</svg>\n"; }

private:
  __attribute__((format(printf, 2, 3))) void put(const char *format, ...) {
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    svg += text;
  }

  static std::string escape(const std::string &text) {
    std::string result;
    for (char c : text)
      result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return result;
  }

  double placeOf(double step) const {
    return kLeft + (step - steps.low) / (steps.high - steps.low) * (kWidth - kLeft - kRight);
  }
  double heightOf(double value) const {
    return top + kPanel - (value - values.low) / (values.high - values.low) * kPanel;
  }
  void axes();
  void draw(const Line &line);

  std::string svg;
  Range steps, values;
  double top = kTop;
};

} // namespace

/// 1, 2 or 5 times a power of ten, for about five intervals.
static double tickDistance(Range range) {
  double rough = (range.high - range.low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0})
    if (rough <= factor * power)
      return factor * power;
  return 10 * power;
}

void Painter::axes() {
  put("<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"#888\"/>\n", kLeft, top,
      kWidth - kLeft - kRight, kPanel);
  double distance = tickDistance(values);
  for (double tick = std::ceil(values.low / distance) * distance; tick <= values.high; tick += distance)
    put("<line x1=\"%g\" y1=\"%.2f\" x2=\"%g\" y2=\"%.2f\" stroke=\"#ddd\"/>"
        "<text x=\"%g\" y=\"%.2f\" text-anchor=\"end\">%.6g</text>\n",
        kLeft, heightOf(tick), kWidth - kRight, heightOf(tick), kLeft - 6, heightOf(tick) + 4,
        std::abs(tick) < distance * 1e-6 ? 0.0 : tick);
  distance = std::max(1.0, tickDistance(steps));
  for (double tick = std::ceil(steps.low / distance) * distance; tick <= steps.high; tick += distance)
    put("<text x=\"%.2f\" y=\"%g\" text-anchor=\"middle\">%.10g</text>\n", placeOf(tick), top + kPanel + 16, tick);
}

void Painter::draw(const Line &line) {
  const std::vector<Curve::Point> &points = line.curve->points();
  bool isMerged = std::any_of(points.begin(), points.end(), [](const auto &point) { return point.count > 1; });
  if (isMerged) {
    svg += "<polygon fill=\"" + std::string(line.color) + "\" fill-opacity=\"0.2\" points=\"";
    for (const Curve::Point &point : points)
      put("%.2f,%.2f ", placeOf(point.x()), heightOf(point.high));
    for (auto point = points.rbegin(); point != points.rend(); ++point)
      put("%.2f,%.2f ", placeOf(point->x()), heightOf(point->low));
    svg += "\"/>\n";
  }
  svg += "<polyline fill=\"none\" stroke=\"" + std::string(line.color) + "\" stroke-width=\"1.5\" points=\"";
  for (const Curve::Point &point : points)
    put("%.2f,%.2f ", placeOf(point.x()), heightOf(point.mean()));
  svg += "\"/>\n";
  if (line.hasMarks)
    for (const Curve::Point &point : points)
      put("<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.5\" fill=\"%s\"/>\n", placeOf(point.x()), heightOf(point.mean()),
          line.color);
}

void Painter::panel(const std::string &name, const std::vector<Line> &lines, bool fromZero) {
  values = Range();
  for (const Line &line : lines)
    for (const Curve::Point &point : line.curve->points()) {
      values.include(point.low);
      values.include(point.high);
    }
  if (values.isEmpty())
    values = {0, 1};
  if (fromZero)
    values.include(0);
  double margin = values.high > values.low ? 0.05 * (values.high - values.low) : std::max(1e-12, std::abs(values.low));
  values.high += margin;
  if (!fromZero)
    values.low -= margin;
  axes();
  double x = kLeft;
  put("<text x=\"%g\" y=\"%g\">%s</text>\n", x, top - 6, lines.size() == 1 ? name.c_str() : "");
  if (lines.size() > 1)
    for (const Line &line : lines) {
      put("<text x=\"%g\" y=\"%g\" fill=\"%s\">%s</text>\n", x, top - 6, line.color, line.name);
      x += 110;
    }
  for (const Line &line : lines)
    draw(line);
  top += kPanel + kGap;
}

std::string Plot::toSvg(const std::string &title) const {
  Range steps;
  for (const Curve::Point &point : lr.points()) {
    steps.include(point.first);
    steps.include(point.last);
  }
  if (steps.isEmpty())
    steps = {0, 1};
  Painter painter(title, steps, 3);
  std::vector<Line> losses = {{&loss, "loss", "#1f77b4", false}};
  if (!evalLoss.points().empty())
    losses.push_back({&evalLoss, "evaluation loss", "#d62728", true});
  painter.panel("loss", losses, false);
  painter.panel("learning rate", {{&lr, "learning rate", "#2ca02c", false}}, true);
  std::string speed = std::string(unit) + "/s";
  painter.panel(speed, {{&tokensPerSecond, speed.c_str(), "#9467bd", false}}, true);
  return painter.finish();
}
