//===- BundleTables.h - The plan of a program as a bundle's tables -*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TARGET_BUNDLETABLES_H
#define NOVA_TARGET_BUNDLETABLES_H

#include "Nova/Runtime/Bundle.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::nova {

class ParameterOp;

/// How a parameter's state begins.
::nova::Initializer toInitializer(Attribute init);

/// The role of state by its `nova.role`, see isStateRole.
::nova::StateTensor::Role toStateRole(StringRef role);

/// The further names of a parameter in checkpoints.
std::vector<std::string> aliasesOf(ParameterOp parameter);

/// State, kernels, entries, constants and the sizes of the regions, from a module whose memory is planned and whose
/// kernels are tiled; scratch and threads come from their code. Images and options stay empty.
FailureOr<::nova::Bundle> buildBundleTables(ModuleOp module);

} // namespace mlir::nova

#endif // NOVA_TARGET_BUNDLETABLES_H
