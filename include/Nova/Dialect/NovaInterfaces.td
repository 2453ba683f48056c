//===- NovaInterfaces.td - What passes ask ops -------------*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_INTERFACES_TD
#define NOVA_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Nova_IndexedOp : OpInterface<"IndexedOp"> {
  let cppNamespace = "::mlir::nova";
  let description = [{
    Says how an op's loops reach its operands and results. Broadcasting, fusion legality, tiling and the addresses in
    generated code follow from this.

    A map result is a loop (`dN`) or the constant 0 (a broadcast axis of size 1). Index operands at the end (the tile's
    origin) have no map. A loop of kind `reduction` is needed whole by every element that a tile computes; it may appear
    in a result map, as the last axis of a norm does.
  }];
  let methods = [
    InterfaceMethod<"One map from the loops to each tensor operand, then to each result.",
      "::llvm::SmallVector<::mlir::AffineMap>", "getIndexingMaps">,
    InterfaceMethod<"The kind of each loop.",
      "::llvm::SmallVector<::mlir::utils::IteratorType>", "getLoopKinds">,
    InterfaceMethod<[{
        The loops whose absolute index matters to the meaning (a causal mask, iota, the axis of a concat). A tile of the
        op carries one index operand for each: the tile's origin. An op without them starts at 0.
      }],
      "::llvm::SmallVector<unsigned>", "getPositionalLoops", (ins), "", "return {};">,
  ];
  let extraClassDeclaration = [{
    /// The operands that have maps: all but the origin.
    ::mlir::OperandRange getTensorOperands();
    /// The tile's origin: empty, or one index per positional loop.
    ::mlir::OperandRange getTileOrigin();
    ::mlir::AffineMap getOperandMap(unsigned operand) { return this->getIndexingMaps()[operand]; }
    ::mlir::AffineMap getResultMap(unsigned result) {
      return this->getIndexingMaps()[getTensorOperands().size() + result];
    }
    /// The extent of each loop as the types of operands and results say: 1 for a loop that no tensor runs along.
    ::llvm::SmallVector<int64_t> getLoopExtents();
    /// What `loops` has for the loop that each axis of a map's tensor runs along; `broadcast` for an axis without one.
    template <typename T>
    static ::llvm::SmallVector<T> project(::mlir::AffineMap map, ::llvm::ArrayRef<T> loops, const T &broadcast) {
      return ::llvm::map_to_vector(map.getResults(), [&](::mlir::AffineExpr axis) {
        auto loop = ::mlir::dyn_cast<::mlir::AffineDimExpr>(axis);
        return loop ? loops[loop.getPosition()] : broadcast;
      });
    }
  }];
  let verify = "return ::mlir::nova::detail::verifyIndexedOp(::mlir::cast<::mlir::nova::IndexedOp>($_op));";
}

def Nova_DifferentiableOp : OpInterface<"DifferentiableOp"> {
  let cppNamespace = "::mlir::nova";
  let description = [{
    Reverse-mode differentiation of one op. Every op of the dialect implements this interface or
    `NotDifferentiableOp`, or is structure.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the gradients of the operands from those of the results. `resultGradients` has one value per result, null
        where the loss does not depend on that result; `operandGradients` has one null value per operand, to be set for
        operands that have a gradient. A gradient has its operand's type. Emits an error and fails when a gradient does
        not exist for these attributes or types.
      }],
      "::llvm::LogicalResult", "buildGradient",
      (ins "::mlir::ImplicitLocOpBuilder &":$builder, "::mlir::ValueRange":$resultGradients,
           "::llvm::MutableArrayRef<::mlir::Value>":$operandGradients)>,
  ];
}

def Nova_CompositeOp : OpInterface<"CompositeOp"> {
  let cppNamespace = "::mlir::nova";
  let description = [{
    The op is a name for a composition of others: it is differentiated and evaluated as a whole, and has no kernel of its
    own. `--nova-split-launches` puts the others in its place.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the ops that compute the results, and appends a value for each result to `results`. All shapes are static.
      }],
      "void", "decompose",
      (ins "::mlir::ImplicitLocOpBuilder &":$builder, "::llvm::SmallVectorImpl<::mlir::Value> &":$results)>,
  ];
}

// The op's meaning is one scalar function of its operands' elements, see emitElementwise in Conversion. Its indexing maps
// are those of NumPy broadcasting.
def Nova_ElementwiseTrait : NativeOpTrait<"NovaElementwise"> { let cppNamespace = "::mlir::nova"; }

// An update of parameters, see Nova_OptimizerOp.
def Nova_OptimizerTrait : NativeOpTrait<"NovaOptimizer"> { let cppNamespace = "::mlir::nova"; }

// The elements of the result are elements of those operands that have its element type: only where they lie changes. One
// result.
def Nova_MovementTrait : NativeOpTrait<"NovaMovement"> { let cppNamespace = "::mlir::nova"; }

def Nova_MixedPrecisionOp : OpInterface<"MixedPrecisionOp"> {
  let cppNamespace = "::mlir::nova";
  let description = [{
    What `--nova-mixed-precision` may round for an op that is neither elementwise nor moves elements. An op without this
    interface is computed and kept as it is: reductions, losses, positions, random numbers.
  }];
  let methods = [
    InterfaceMethod<[{
        Whether the op multiplies the operand's elements and adds up the products, which hardware does faster with narrow
        ones.
      }],
      "bool", "isFactor", (ins "unsigned":$operand), "", "return false;">,
    InterfaceMethod<"Whether the result may be kept narrow: it is no statistic and no gradient of a parameter.",
      "bool", "isRoundable", (ins "unsigned":$result), "", "return result == 0;">,
  ];
}

def Nova_NotDifferentiableTrait : OpInterface<"NotDifferentiableOp"> {
  let cppNamespace = "::mlir::nova";
  let description = "The op has no gradient.";
  let methods = [
    StaticInterfaceMethod<"Why there is none, for a diagnostic.", "::llvm::StringRef", "getNotDifferentiableReason">,
  ];
}

// The op organises a program (parameters, kernels) or the inside of a scheduled kernel, and has no loops of its own.
def Nova_StructureTrait : NativeOpTrait<"NovaStructure"> { let cppNamespace = "::mlir::nova"; }

#endif // NOVA_INTERFACES_TD
