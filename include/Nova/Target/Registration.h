//===- Registration.h - Dialects that Target reads --------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TARGET_REGISTRATION_H
#define NOVA_TARGET_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::nova {

/// The dialects of code that is ready for LLVM (llvm, nvvm, gpu) and their translations to LLVM IR.
void registerTargetDialects(DialectRegistry &registry);

} // namespace mlir::nova

#endif // NOVA_TARGET_REGISTRATION_H
