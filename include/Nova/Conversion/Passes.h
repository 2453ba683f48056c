//===- Passes.h - Passes of the Conversion room -----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_CONVERSION_PASSES_H
#define NOVA_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::nova {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Nova/Conversion/Passes.h.inc"
} // namespace mlir::nova

#endif // NOVA_CONVERSION_PASSES_H
