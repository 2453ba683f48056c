//===- File.cpp - Reading and writing files safely ------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/File.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace nova;

Error nova::systemError(const std::string &path, const std::string &action) {
  return inputError(path + ": cannot " + action + ": " + std::strerror(errno));
}

//===----------------------------------------------------------------------===//
// MappedFile
//===----------------------------------------------------------------------===//

Result<MappedFile> MappedFile::open(const std::string &path) {
  // O_NONBLOCK: opening a pipe that nobody writes must not wait for ever.
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return systemError(path, "open");
  struct stat info;
  if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(descriptor);
    return inputError(path + ": expected a regular file, found " +
                      (S_ISDIR(info.st_mode) ? "a folder" : "a pipe or device"));
  }
  MappedFile file;
  file.size = static_cast<size_t>(info.st_size);
  if (file.size > 0) {
    void *memory = mmap(nullptr, file.size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (memory == MAP_FAILED) {
      Error error = systemError(path, "map");
      ::close(descriptor);
      return error;
    }
    file.data = static_cast<const char *>(memory);
  }
  ::close(descriptor);
  return file;
}

MappedFile::MappedFile(MappedFile &&other) noexcept
    : data(std::exchange(other.data, nullptr)), size(std::exchange(other.size, 0)) {}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
  std::swap(data, other.data);
  std::swap(size, other.size);
  return *this;
}

MappedFile::~MappedFile() {
  if (data)
    munmap(const_cast<char *>(data), size);
}

//===----------------------------------------------------------------------===//
// AtomicFile
//===----------------------------------------------------------------------===//

/// `path` with symbolic links followed, so that a rename replaces the file and not the link to it.
static std::string resolve(const std::string &path) {
  char *resolved = realpath(path.c_str(), nullptr);
  if (!resolved)
    return path;
  std::string result = resolved;
  free(resolved);
  return result;
}

static std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

Result<AtomicFile> AtomicFile::create(const std::string &path) {
  AtomicFile file;
  file.path = resolve(path);
  struct stat info;
  if (stat(file.path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    file.descriptor = ::open(file.path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file.descriptor < 0)
      return systemError(path, "open for writing");
    return file;
  }
  static std::atomic<unsigned> counter{0};
  file.temporary = file.path + ".tmp." + std::to_string(getpid()) + "." + std::to_string(counter++);
  file.descriptor = ::open(file.temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file.descriptor < 0) {
    Error error = systemError(path, "write");
    file.temporary.clear();
    return error;
  }
  return file;
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : path(std::move(other.path)), temporary(std::exchange(other.temporary, std::string())),
      descriptor(std::exchange(other.descriptor, -1)) {}

AtomicFile::~AtomicFile() {
  if (descriptor >= 0)
    close(descriptor);
  if (!temporary.empty())
    unlink(temporary.c_str());
}

Result<void> AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return systemError(path, "write");
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Result<void> AtomicFile::commit() {
  // Pipes and terminals cannot be synced; they are done once written.
  if (temporary.empty())
    return {};
  if (fsync(descriptor) != 0)
    return systemError(path, "sync");
  if (close(std::exchange(descriptor, -1)) != 0)
    return systemError(path, "write");
  if (rename(temporary.c_str(), path.c_str()) != 0)
    return systemError(path, "rename the temporary file to it");
  temporary.clear();
  // The new name itself is on the disk only when the folder is.
  int folder = ::open(folderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    fsync(folder);
    close(folder);
  }
  return {};
}

Result<void> nova::writeFile(const std::string &path, std::string_view bytes) {
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file)
    return file.error();
  if (Result<void> written = file->write(bytes); !written)
    return written;
  return file->commit();
}

Result<void> nova::checkWritable(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    // Opening a pipe would wait for its reader.
    if (S_ISDIR(info.st_mode))
      errno = EISDIR;
    else if (access(path.c_str(), W_OK) == 0)
      return {};
    return systemError(path, "write");
  }
  // Creating the temporary file and dropping it is the very thing that has to work.
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file)
    return file.error();
  return {};
}
