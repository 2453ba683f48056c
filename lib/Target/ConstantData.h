//===- ConstantData.h - Constants as bytes ----------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TARGET_CONSTANTDATA_H
#define NOVA_LIB_TARGET_CONSTANTDATA_H

#include "Nova/Dialect/Nova.h"

#include <string>

namespace mlir::nova {

/// The constant as a tensor in memory: row major, little endian, a byte for an i1.
FailureOr<std::string> constantBytes(ConstantOp constant);

} // namespace mlir::nova

#endif // NOVA_LIB_TARGET_CONSTANTDATA_H
