//===- Passes.h - Passes from nova to nova ----------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares, for every pass of Passes.td, `createXPass()` and the struct of its options, and
// `registerNovaTransformsPasses()`.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRANSFORMS_PASSES_H
#define NOVA_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::nova {

/// The levels of the IR whose contract `--nova-verify-level` knows.
enum class Level { Program, TrainStep, Kernels, Tiled, Scheduled };

/// The attribute of a function whose types `--nova-mixed-precision` has chosen: the narrow type as a string.
constexpr StringLiteral kDtypeAttribute = "nova.dtype";

/// How GPUs multiply matrices of f32: as they are, or rounded to tf32 on tensor cores.
enum class MatmulPrecision { Exact, Tf32 };

#define GEN_PASS_DECL
#include "Nova/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Nova/Transforms/Passes.h.inc"

} // namespace mlir::nova

#endif // NOVA_TRANSFORMS_PASSES_H
