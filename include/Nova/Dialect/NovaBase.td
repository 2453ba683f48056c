//===- NovaBase.td - Base classes of ops -------------------*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_BASE_TD
#define NOVA_BASE_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Nova/Dialect/NovaAttributes.td"
include "Nova/Dialect/NovaInterfaces.td"

class Nova_Op<string mnemonic, list<Trait> traits = []> : Op<Nova_Dialect, mnemonic, traits>;

// A computation: pure, with loops.
class Nova_TensorOp<string mnemonic, list<Trait> traits = []>
  : Nova_Op<mnemonic, !listconcat([Pure, DeclareOpInterfaceMethods<Nova_IndexedOp>], traits)>;

// The same where the meaning depends on where a tile lies.
class Nova_PositionalOp<string mnemonic, list<Trait> traits = []>
  : Nova_Op<mnemonic, !listconcat([Pure, DeclareOpInterfaceMethods<Nova_IndexedOp, ["getPositionalLoops"]>], traits)>;

// A computation that stands for several.
class Nova_CompositeTensorOp<string mnemonic, list<Trait> traits = []>
  : Nova_Op<mnemonic, !listconcat([Pure, DeclareOpInterfaceMethods<Nova_CompositeOp>], traits)>;

// Upstream's InferTypeOpAdaptor for ops whose types depend on attributes: while an op is parsed, what stood in its
// attribute dictionary is not in its properties yet, and inference must see both.
def Nova_InferTypes : TraitList<[DeclareOpInterfaceMethods<InferTypeOpInterface>, NativeOpTrait<"InferTypeOpAdaptor", [], [{
    static ::llvm::LogicalResult inferReturnTypes(::mlir::MLIRContext *context,
        ::std::optional<::mlir::Location> location, Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &types);
  }], [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *context,
        ::std::optional<::mlir::Location> location, ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      Properties merged = properties ? *properties.as<Properties *>() : Properties();
      auto emitError = [&] { return ::mlir::emitError(location.value_or(::mlir::UnknownLoc::get(context))); };
      if (attributes && failed(setPropertiesFromAttr(merged, attributes, emitError)))
        return failure();
      return inferReturnTypes(context, location, Adaptor(operands, attributes, merged, regions), types);
    }
  }]>]>;

// What an op says about its gradient: a rule, or why there is none.
defvar Differentiable = DeclareOpInterfaceMethods<Nova_DifferentiableOp>;
class NotDifferentiable<string reason> {
  string declaration = [{
    static ::llvm::StringRef getNotDifferentiableReason() { return "}] # reason # [{"; }
  }];
}

// What an op says about mixed precision: its result may be rounded, or also the operands that are its factors, or it decides
// for each operand and result.
defvar Roundable = DeclareOpInterfaceMethods<Nova_MixedPrecisionOp>;
defvar Product = DeclareOpInterfaceMethods<Nova_MixedPrecisionOp, ["isFactor"]>;
defvar ProductOfMany = DeclareOpInterfaceMethods<Nova_MixedPrecisionOp, ["isFactor", "isRoundable"]>;

#endif // NOVA_BASE_TD
