//===- Toolchain.h - Programs that Target runs ------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two programs finish what LLVM begins: lld links the kernels of a CPU, NVIDIA's ptxas assembles PTX. Both are looked
// for where their packages put them; a search that fails says where it looked.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TARGET_TOOLCHAIN_H
#define NOVA_TARGET_TOOLCHAIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::nova {

/// Path of LLVM's linker.
llvm::Expected<std::string> findLinker();

/// Path of NVIDIA's assembler: PATH, CUDA_HOME, CUDA_ROOT, CUDA_PATH, the usual folders, PyPI's nvidia-cuda-nvcc.
llvm::Expected<std::string> findPtxas();

/// A file name in the system's temporary folder that is removed at the end of its life.
class TemporaryFile {
public:
  /// Creates an empty file whose name ends in `.suffix`.
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix);
  TemporaryFile(TemporaryFile &&other) : name(std::move(other.name)) { other.name.clear(); }
  TemporaryFile &operator=(TemporaryFile &&) = delete;
  ~TemporaryFile();

  const std::string &path() const { return name; }
  llvm::Error write(llvm::StringRef bytes) const;
  llvm::Expected<std::string> read() const;

private:
  explicit TemporaryFile(std::string name) : name(std::move(name)) {}
  std::string name;
};

/// Runs `program` and returns what it printed on both streams; the text is part of the error when it fails.
llvm::Expected<std::string> runProgram(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> arguments);

/// What `--version` prints: Nova, LLVM, the targets, and whether programs they need were found.
void printVersion(llvm::raw_ostream &os);

} // namespace mlir::nova

#endif // NOVA_TARGET_TOOLCHAIN_H
