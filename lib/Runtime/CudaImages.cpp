//===- CudaImages.cpp - Which code runs on a GPU --------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/Cuda.h"

#include <algorithm>
#include <cctype>

using namespace nova;

/// 89 for "sm_89"; 0 for what is no GPU.
static int capabilityOf(const Image &image) {
  constexpr char kPrefix[] = "sm_";
  if (image.target.rfind(kPrefix, 0) != 0 || image.target.size() > 6)
    return 0;
  int number = 0;
  for (char c : image.target.substr(sizeof(kPrefix) - 1)) {
    if (!std::isdigit(static_cast<unsigned char>(c)))
      return 0;
    number = 10 * number + (c - '0');
  }
  return number;
}

static bool canRun(const Image &image, int capability) {
  int target = capabilityOf(image);
  if (target == 0 || target > capability)
    return false;
  return image.format == "ptx" || (image.format == "cubin" && target / 10 == capability / 10);
}

/// Whether `a` is the better of two images that run.
static bool isBetter(const Image *a, const Image *b) {
  int left = capabilityOf(*a), right = capabilityOf(*b);
  return left != right ? left > right : a->format == "cubin" && b->format == "ptx";
}

std::vector<const Image *> nova::rankCudaImages(const std::vector<Image> &images, int capability) {
  std::vector<const Image *> ranked;
  for (const Image &image : images)
    if (canRun(image, capability))
      ranked.push_back(&image);
  std::sort(ranked.begin(), ranked.end(), isBetter);
  return ranked;
}

Result<size_t> nova::selectCudaBundle(const std::vector<Bundle> &bundles, int capability, const std::string &source) {
  const Image *best = nullptr;
  size_t selected = 0;
  std::string found;
  for (size_t i = 0; i < bundles.size(); ++i) {
    for (const Image &image : bundles[i].images)
      found += (found.empty() ? "" : ", ") + image.target + " (" + image.format + ")";
    std::vector<const Image *> ranked = rankCudaImages(bundles[i].images, capability);
    if (!ranked.empty() && (!best || isBetter(ranked.front(), best))) {
      best = ranked.front();
      selected = i;
    }
  }
  if (best)
    return selected;
  return deviceError(source + ": expected code for sm_" + std::to_string(capability) + ", found " +
                     (found.empty() ? "none" : found) + "; make the bundle with --targets=sm_" +
                     std::to_string(capability) + ", or an older GPU's, whose PTX runs on newer ones");
}
