//===- BytecodeCheck.h - Bytecode that may be damaged -----------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TARGET_BYTECODECHECK_H
#define NOVA_TARGET_BYTECODECHECK_H

#include "mlir/IR/DialectRegistry.h"

#include "llvm/Support/MemoryBufferRef.h"

#include <optional>
#include <string>

namespace mlir::nova {

/// What keeps bytecode from being read, or nothing; text is left to its parser. A child process reads first: on damaged
/// bytecode MLIR's reader may write where it must not, after which nothing in its process could be relied on.
std::optional<std::string> findDamage(llvm::MemoryBufferRef program, const DialectRegistry &registry);

} // namespace mlir::nova

#endif // NOVA_TARGET_BYTECODECHECK_H
