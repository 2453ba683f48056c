//===- KernelLibrary.cpp - The CPU image of a bundle, loaded --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/KernelLibrary.h"

#include "Nova/Runtime/PrivateFolder.h"
#include "Nova/Support/File.h"
#include "Nova/Support/Hash.h"

#include <algorithm>
#include <dlfcn.h>

using namespace nova;

Result<const Image *> nova::selectCpuImage(const Bundle &bundle, const HostCpu &cpu) {
  const Image *best = nullptr;
  std::string missing;
  for (const Image &image : bundle.images) {
    if (image.target != "cpu" || image.format != "elf")
      continue;
    std::string lacks;
    for (const std::string &feature : image.features)
      if (!cpu.features.count(feature))
        lacks += (lacks.empty() ? "" : " ") + feature;
    if (lacks.empty() && (!best || image.features.size() > best->features.size()))
      best = &image;
    if (!lacks.empty())
      missing += "; an image needs " + lacks;
  }
  if (best)
    return best;
  if (missing.empty())
    return deviceError("the bundle has no image for the CPU; make it with --targets=cpu");
  return deviceError("the bundle has no image that runs on this CPU (" + cpu.model + ")" + missing +
                     "; make one for it with nova-translate --cpu");
}

void KernelLibrary::Close::operator()(void *handle) const { dlclose(handle); }

/// Whether the file already holds the image.
static bool holds(const std::string &path, const std::string &bytes) {
  Result<MappedFile> file = MappedFile::open(path);
  return file && file->bytes() == bytes;
}

Result<KernelLibrary> KernelLibrary::open(const Image &image, const std::string &folder) {
  if (std::find(image.features.begin(), image.features.end(), "amx_tile") != image.features.end())
    if (Result<void> allowed = allowMatrices(); !allowed)
      return allowed.error();
  KernelLibrary library;
  TemporaryFolder temporary;
  std::string home = folder;
  if (home.empty()) {
    Result<TemporaryFolder> created = TemporaryFolder::create();
    if (!created)
      return created.error();
    temporary = std::move(*created);
    home = temporary.path();
  }
  if (Result<void> ensured = ensurePrivateFolder(home); !ensured)
    return ensured.error();

  // A path with a slash: dlopen would search the system's folders for a bare name.
  library.path = home + "/nova-" + toHex(hash64(image.bytes)) + ".so";
  if (!holds(library.path, image.bytes))
    if (Result<void> written = writeFile(library.path, image.bytes); !written)
      return deviceError(written.error().message);
  library.handle.reset(dlopen(library.path.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library.handle)
    return deviceError(std::string("cannot load the kernels: ") + dlerror() +
                       "; on a file system mounted noexec, name another folder with --cache-dir or TMPDIR");
  return library;
}

Result<KernelFunction> KernelLibrary::kernel(const std::string &name) const {
  void *symbol = dlsym(handle.get(), name.c_str());
  if (!symbol)
    return deviceError(path + ": expected a kernel named '" + name + "', found none; the bundle is broken");
  return reinterpret_cast<KernelFunction>(symbol);
}
