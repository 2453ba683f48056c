//===- VerifyLevel.h - What a program may hold ------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_VERIFYLEVEL_H
#define NOVA_LIB_TRANSFORMS_VERIFYLEVEL_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::nova {

/// A module is one program. What is in a module inside of it would stay as it is, which is an error that says so: the
/// rule of every pass that runs on a module.
LogicalResult verifyOneProgram(ModuleOp module);

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_VERIFYLEVEL_H
