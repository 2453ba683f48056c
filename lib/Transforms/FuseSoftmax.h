//===- FuseSoftmax.h - Softmax spelled out ----------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_FUSESOFTMAX_H
#define NOVA_LIB_TRANSFORMS_FUSESOFTMAX_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::nova {

/// Adds the patterns that make nova.softmax of its spellings, the first part of `--nova-fuse-attention`.
void populateFuseSoftmaxPatterns(RewritePatternSet &patterns);

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_FUSESOFTMAX_H
