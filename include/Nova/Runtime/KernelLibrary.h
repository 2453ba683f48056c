//===- KernelLibrary.h - The CPU image of a bundle, loaded ------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_RUNTIME_KERNELLIBRARY_H
#define NOVA_RUNTIME_KERNELLIBRARY_H

#include "Nova/Runtime/Bundle.h"
#include "Nova/Runtime/HostCpu.h"

#include <memory>

namespace nova {

using KernelFunction = void (*)(void *const *arguments, void *scratch, Status *status, int64_t first, int64_t last);

/// The image for `cpu` that uses most of its features; an error that names what is missing when there is none.
Result<const Image *> selectCpuImage(const Bundle &bundle, const HostCpu &cpu);

/// An image as an ordinary shared object in a file, so that perf and gdb see it like any other.
class KernelLibrary {
public:
  /// Opens the image's file in `folder`, which must be private (ensurePrivateFolder), and writes it first where it is
  /// missing or differs. With an empty `folder` the file lies in a temporary one until it is
  /// open: a process that is killed leaves nothing behind.
  static Result<KernelLibrary> open(const Image &image, const std::string &folder);

  /// The kernel of that name, or an error.
  Result<KernelFunction> kernel(const std::string &name) const;

private:
  struct Close {
    void operator()(void *handle) const;
  };

  std::string path;
  std::unique_ptr<void, Close> handle;
};

} // namespace nova

#endif // NOVA_RUNTIME_KERNELLIBRARY_H
