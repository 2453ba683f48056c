//===- Compare.cpp - Comparing and printing tensors -----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/Compare.h"

#include "Nova/Support/Elements.h"

#include <cmath>
#include <cstdio>

using namespace nova;

static std::string format(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.*g", digits, value);
  return text;
}

static std::string elementText(const TensorRef &tensor, uint64_t position, int digits) {
  if (isFloat(tensor.info.dtype))
    return format(floatAt(tensor.info.dtype, tensor.data, position), digits);
  return std::to_string(integerAt(tensor.info.dtype, tensor.data, position));
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// How far off an element is, in units of what is allowed: good up to 1.
static double excess(double found, double expected, Tolerance tolerance) {
  if (found == expected || (std::isnan(found) && std::isnan(expected)))
    return 0;
  double difference = std::fabs(found - expected);
  // NaN on one side, infinity against anything else.
  if (!std::isfinite(difference))
    return HUGE_VAL;
  double allowed = tolerance.absolute + tolerance.relative * std::fabs(expected);
  return allowed > 0 ? difference / allowed : HUGE_VAL;
}

static double excessAt(const TensorRef &found, const TensorRef &expected, uint64_t i, Tolerance tolerance) {
  if (isFloat(found.info.dtype))
    return excess(floatAt(found.info.dtype, found.data, i), floatAt(expected.info.dtype, expected.data, i), tolerance);
  return integerAt(found.info.dtype, found.data, i) == integerAt(expected.info.dtype, expected.data, i) ? 0 : HUGE_VAL;
}

Result<void> nova::compareTensors(const TensorRef &found, const TensorRef &expected, Tolerance tolerance) {
  if (found.info.shape != expected.info.shape || isFloat(found.info.dtype) != isFloat(expected.info.dtype))
    return inputError("'" + found.info.name + "': expected " + typeToString(expected.info) + ", found " +
                      typeToString(found.info));
  Result<uint64_t> count = elementCount(found.info);
  if (!count)
    return count.error();
  uint64_t bad = 0, worst = 0;
  double worstExcess = 1;
  for (uint64_t i = 0; i < *count; ++i) {
    double now = excessAt(found, expected, i, tolerance);
    bad += now > 1;
    if (now > worstExcess) {
      worstExcess = now;
      worst = i;
    }
  }
  if (bad == 0)
    return {};
  std::string message = "'" + found.info.name + "': expected " + elementText(expected, worst, 9) + ", found " +
                        elementText(found, worst, 9) + " at " + toString(coordinatesOf(worst, found.info.shape));
  if (isFloat(found.info.dtype) && std::isfinite(worstExcess))
    message += ", " + format(worstExcess, 3) + " times the tolerance";
  return Error{ErrorKind::Numerics,
               message + " (" + std::to_string(bad) + " of " + std::to_string(*count) + " elements differ)"};
}

std::string nova::describeDifference(const TensorRef &found, const TensorRef &expected) {
  uint64_t count = isFloat(found.info.dtype) ? *elementCount(found.info) : 0, worst = 0;
  double largest = 0;
  for (uint64_t i = 0; i < count; ++i) {
    double difference =
        std::fabs(floatAt(found.info.dtype, found.data, i) - floatAt(expected.info.dtype, expected.data, i));
    // What is equal without being finite has NaN as difference.
    if (difference > largest) {
      largest = difference;
      worst = i;
    }
  }
  if (largest == 0)
    return "equal";
  return "worst difference " + format(largest, 2) + " at " + toString(coordinatesOf(worst, found.info.shape));
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static constexpr int64_t kShownAtEachEnd = 3;

/// Appends the part of the tensor that begins at `position` and spans the axes from `axis` on.
static void append(std::string &text, const TensorRef &tensor, size_t axis, uint64_t position) {
  const std::vector<int64_t> &shape = tensor.info.shape;
  if (axis == shape.size()) {
    text += elementText(tensor, position, 6);
    return;
  }
  uint64_t stride = 1;
  for (size_t i = axis + 1; i < shape.size(); ++i)
    stride *= static_cast<uint64_t>(shape[i]);
  bool isLong = shape[axis] > 2 * kShownAtEachEnd;
  text += "[";
  for (int64_t i = 0; i < shape[axis]; ++i) {
    if (i > 0)
      text += ", ";
    if (isLong && i == kShownAtEachEnd) {
      text += "..., ";
      i = shape[axis] - kShownAtEachEnd;
    }
    append(text, tensor, axis + 1, position + static_cast<uint64_t>(i) * stride);
  }
  text += "]";
}

std::string nova::toText(const TensorRef &tensor) {
  std::string text = typeToString(tensor.info) + " ";
  append(text, tensor, 0, 0);
  return text;
}
