//===- Nova.h - The nova dialect --------------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_DIALECT_NOVA_H
#define NOVA_DIALECT_NOVA_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::nova {
class IndexedOp;

/// See NovaInterfaces.td.
template <typename ConcreteOp> class NovaElementwise : public OpTrait::TraitBase<ConcreteOp, NovaElementwise> {};
template <typename ConcreteOp> class NovaOptimizer : public OpTrait::TraitBase<ConcreteOp, NovaOptimizer> {};
template <typename ConcreteOp> class NovaMovement : public OpTrait::TraitBase<ConcreteOp, NovaMovement> {};
template <typename ConcreteOp> class NovaStructure : public OpTrait::TraitBase<ConcreteOp, NovaStructure> {};

/// The type of a value that is a tensor, and its shape.
inline RankedTensorType tensorType(Value value) { return cast<RankedTensorType>(value.getType()); }
inline ArrayRef<int64_t> shapeOf(Value value) { return tensorType(value).getShape(); }

/// Whether a `nova.role` is that of a tensor that stays between runs: parameter, m, v, accumulator, narrow.
bool isStateRole(StringRef role);

namespace detail {
/// Indexing maps of NumPy broadcasting from the result's loops, and as many parallel loops.
SmallVector<AffineMap> broadcastMaps(Operation *op);
SmallVector<utils::IteratorType> parallelLoops(Operation *op);
/// The broadcast shape of the operands with the given element type.
LogicalResult inferElementwise(std::optional<Location> location, ValueRange operands, Type element,
                               SmallVectorImpl<Type> &types);
LogicalResult verifyIndexedOp(IndexedOp op);
/// The loop that an axis of a tensor runs along, by the tensor's indexing map; none for a broadcast axis.
std::optional<unsigned> loopOf(AffineMap map, unsigned axis);
/// Keys or values of an attention [B, G, S, D] with each head once for every head of the queries that it serves.
Value repeatHeads(ImplicitLocOpBuilder &builder, Value x, int64_t heads);
/// The mask as numbers of the element type that are added to scores: minus infinity where one of i1 is false.
Value additiveMask(ImplicitLocOpBuilder &builder, Value mask, Type element);
/// Whether a tensor has no encoding, and a size in bytes that fits 64 bits whatever its dynamic sizes are taken for.
bool isPlainTensor(Type type);
FailureOr<APFloat> parseDouble(AsmParser &parser);
/// Prints the shortest text that reads as the same number.
void printDouble(AsmPrinter &printer, const APFloat &value);
} // namespace detail
} // namespace mlir::nova

#include "Nova/Dialect/NovaDialect.h.inc"
#include "Nova/Dialect/NovaEnums.h.inc"

#include "Nova/Dialect/NovaInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Nova/Dialect/NovaAttributes.h.inc"

#define GET_OP_CLASSES
#include "Nova/Dialect/NovaOps.h.inc"

#endif // NOVA_DIALECT_NOVA_H
