//===- Toolchain.cpp - Programs that Target runs --------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Target/Toolchain.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;

namespace mlir::nova {

//===----------------------------------------------------------------------===//
// Temporary files and programs
//===----------------------------------------------------------------------===//

Expected<TemporaryFile> TemporaryFile::create(StringRef suffix) {
  SmallString<128> path;
  if (std::error_code code = sys::fs::createTemporaryFile("nova", suffix, path))
    return createStringError(code, "can't create a temporary file in the folder that TMPDIR names (default /tmp): " +
                                       code.message());
  sys::RemoveFileOnSignal(path);
  return TemporaryFile(std::string(path));
}

TemporaryFile::~TemporaryFile() {
  if (name.empty())
    return;
  sys::fs::remove(name);
  sys::DontRemoveFileOnSignal(name);
}

Error TemporaryFile::write(StringRef bytes) const {
  std::error_code code;
  raw_fd_ostream os(name, code);
  if (!code) {
    os << bytes;
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    return createStringError(code, "can't write " + name + ": " + code.message());
  return Error::success();
}

Expected<std::string> TemporaryFile::read() const {
  auto buffer = MemoryBuffer::getFile(name, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError(buffer.getError(), "can't read " + name + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

Expected<std::string> runProgram(StringRef program, ArrayRef<StringRef> arguments) {
  Expected<TemporaryFile> log = TemporaryFile::create("log");
  if (!log)
    return log.takeError();
  SmallVector<StringRef> command{program};
  command.append(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log->path()), StringRef(log->path())};
  std::string message;
  int code = sys::ExecuteAndWait(program, command, /*Env=*/std::nullopt, redirects, /*SecondsToWait=*/0,
                                 /*MemoryLimit=*/0, &message);
  Expected<std::string> output = log->read();
  if (!output)
    return output.takeError();
  if (code == 0)
    return output;
  if (message.empty())
    message = "exit code " + std::to_string(code);
  return createStringError(program + " failed (" + message + ")\n" + *output);
}

//===----------------------------------------------------------------------===//
// Searches
//===----------------------------------------------------------------------===//

/// `<folder>/<program>` when it can be run; else the folder is added to the places that an error lists.
static std::optional<std::string> findIn(const Twine &folder, StringRef program, SmallVectorImpl<std::string> &looked) {
  SmallString<128> path;
  folder.toVector(path);
  std::string place(path);
  sys::path::append(path, program);
  if (sys::fs::can_execute(path))
    return std::string(path);
  looked.push_back(std::move(place));
  return std::nullopt;
}

Expected<std::string> findLinker() {
  const std::string major = std::to_string(LLVM_VERSION_MAJOR);
  for (const std::string &name : {"ld.lld-" + major, std::string("ld.lld")})
    if (ErrorOr<std::string> path = sys::findProgramByName(name))
      return *path;
  SmallVector<std::string> looked;
  if (auto path = findIn("/usr/lib/llvm-" + major + "/bin", "ld.lld", looked))
    return *path;
  return createStringError("ld.lld not found in PATH or " + looked.front() + "; Debian's package lld-" + major +
                           " has it");
}

/// Folders in which PATH's python3 looks for packages.
static SmallVector<std::string> pythonFolders() {
  SmallVector<std::string> folders;
  ErrorOr<std::string> python = sys::findProgramByName("python3");
  if (!python)
    return folders;
  Expected<std::string> output = runProgram(*python, {"-c", "import sys; print('\\n'.join(sys.path))"});
  if (!output) {
    consumeError(output.takeError());
    return folders;
  }
  SmallVector<StringRef> lines;
  StringRef(*output).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    if (sys::fs::is_directory(line))
      folders.push_back(line.str());
  return folders;
}

/// Folders of installed toolkits, the newest first: /usr/local/cuda before /usr/local/cuda-*.
static SmallVector<std::string> toolkitFolders() {
  SmallVector<std::string> folders;
  std::error_code code;
  for (sys::fs::directory_iterator it("/usr/local", code), end; it != end && !code; it.increment(code))
    if (sys::path::filename(it->path()).starts_with("cuda-"))
      folders.push_back(it->path());
  llvm::sort(folders, [](StringRef a, StringRef b) { return a.compare_numeric(b) > 0; });
  folders.insert(folders.begin(), "/usr/local/cuda");
  folders.push_back("/opt/cuda");
  return folders;
}

Expected<std::string> findPtxas() {
  constexpr StringLiteral program = "ptxas";
  if (ErrorOr<std::string> path = sys::findProgramByName(program))
    return *path;
  SmallVector<std::string> looked{"PATH"};
  for (StringRef variable : {"CUDA_HOME", "CUDA_ROOT", "CUDA_PATH"}) {
    std::optional<std::string> value = sys::Process::GetEnv(variable);
    if (!value || value->empty()) {
      looked.push_back(variable.str() + " (not set)");
      continue;
    }
    if (auto path = findIn(*value + "/bin", program, looked))
      return *path;
  }
  for (const std::string &folder : toolkitFolders())
    if (auto path = findIn(folder + "/bin", program, looked))
      return *path;
  for (const std::string &folder : pythonFolders())
    for (StringRef package : {"nvidia/cu13", "nvidia/cu12", "nvidia/cuda_nvcc"})
      if (auto path = findIn(folder + "/" + package + "/bin", program, looked))
        return *path;
  return createStringError("ptxas not found; looked in " + join(looked, ", ") +
                           "; install NVIDIA's CUDA toolkit or PyPI's nvidia-cuda-nvcc, or ask for PTX, which needs "
                           "nothing");
}

//===----------------------------------------------------------------------===//
// Version
//===----------------------------------------------------------------------===//

static void printFound(raw_ostream &os, Expected<std::string> path) {
  if (path) {
    os << *path << "\n";
    return;
  }
  consumeError(path.takeError());
  os << "not found\n";
}

void printVersion(raw_ostream &os) {
  os << "Nova " NOVA_VERSION "\n"
     << "  LLVM:    " LLVM_VERSION_STRING "\n"
     << "  targets: cpu (" << LLVM_DEFAULT_TARGET_TRIPLE << "), sm_80, sm_89, sm_90\n";
  printFound(os << "  linker:  ", findLinker());
  printFound(os << "  CUDA:    ", findPtxas());
}

} // namespace mlir::nova
