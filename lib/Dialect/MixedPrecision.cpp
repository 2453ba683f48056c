//===- MixedPrecision.cpp - What products multiply ------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Nova.h"

using namespace mlir;
using namespace mlir::nova;

bool MatmulOp::isFactor(unsigned) { return true; }

bool Conv2DOp::isFactor(unsigned) { return true; }

/// Queries, keys and values. A mask is added to scores.
bool AttentionOp::isFactor(unsigned operand) { return operand < 3; }

/// All up to the forward result, of which a product with its gradient is summed up; then come statistics and the mask.
bool AttentionGradOp::isFactor(unsigned operand) { return operand < 5; }
bool AttentionGradOp::isRoundable(unsigned) { return true; }

/// The gradient, queries, keys and values.
bool AttentionGradQueryOp::isFactor(unsigned operand) { return operand < 4; }
bool AttentionGradQueryOp::isRoundable(unsigned) { return true; }
bool AttentionGradKeyValueOp::isFactor(unsigned operand) { return operand < 4; }
bool AttentionGradKeyValueOp::isRoundable(unsigned) { return true; }
