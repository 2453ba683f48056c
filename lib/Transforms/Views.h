//===- Views.h - Ops that compute nothing -----------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between launches a function holds views: the same memory under another shape, a part of it that lies side by side, or
// tensors that lie one after another because the memory plan puts them there.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_TRANSFORMS_VIEWS_H
#define NOVA_LIB_TRANSFORMS_VIEWS_H

#include "Nova/Dialect/Nova.h"

namespace mlir::nova {

/// The operand of an op whose result has the same elements in the same order: a reshape, or a transpose or broadcast
/// that moves or adds only axes of size 1. Null for other ops.
Value getReshapeSource(Operation *op);

/// `value` before any reshape.
Value skipReshapes(Value value);

/// Where the elements of a slice begin in its operand, if they lie side by side in it.
std::optional<int64_t> getContiguousStart(SliceOp slice);

/// Whether the operands lie one after another in the result, where kernels may read them.
bool isContiguous(ConcatOp concat);

/// Marks the concats that would put an operand at less than its alignment, which are no views: once for all, as a concat
/// of thousands is asked about by each of its operands. The op in a kernel that makes such a concat has no mark.
void markUnalignedConcats(Block &block);
void removeUnalignedMark(Operation *op);

/// Whether the op is a view: a reshape, a contiguous slice or a contiguous concat. Whether the memory plan can put a
/// concat's operands side by side is another question.
bool isView(Operation *op);

/// The ops that compute with a value or, through views, with a part of it; among them the function's return.
SmallVector<Operation *> getConsumers(Value value);
/// Whether it holds for all of them. The first for which it does not ends the search: a value may have thousands.
bool allConsumers(Value value, function_ref<bool(Operation *)> holds);

/// Whether it holds for the ops that use a value under any shape, views of a part of it included.
bool allUsersThroughReshapes(Value value, function_ref<bool(Operation *)> holds);

} // namespace mlir::nova

#endif // NOVA_LIB_TRANSFORMS_VIEWS_H
