//===- NovaOps.td - All ops of the dialect -----------------*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_OPS_TD
#define NOVA_OPS_TD

include "Nova/Dialect/NovaLayouts.td"
include "Nova/Dialect/NovaElementwiseOps.td"
include "Nova/Dialect/NovaMovementOps.td"
include "Nova/Dialect/NovaReductionOps.td"
include "Nova/Dialect/NovaRandomOps.td"
include "Nova/Dialect/NovaTransformerOps.td"
include "Nova/Dialect/NovaLossOps.td"
include "Nova/Dialect/NovaTrainingOps.td"
include "Nova/Dialect/NovaStructureOps.td"

#endif // NOVA_OPS_TD
