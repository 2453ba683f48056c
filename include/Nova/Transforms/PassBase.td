//===- PassBase.td - What the passes have in common --------*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRANSFORMS_PASSBASE_TD
#define NOVA_TRANSFORMS_PASSBASE_TD

include "mlir/Pass/PassBase.td"

class Nova_Pass<string flag, string operation> : Pass<flag, operation> {
  let dependentDialects = ["::mlir::nova::NovaDialect"];
}

#endif // NOVA_TRANSFORMS_PASSBASE_TD
