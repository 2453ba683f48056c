//===- NovaDialect.td - The nova dialect and its types -----*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_DIALECT_TD
#define NOVA_DIALECT_TD

include "mlir/IR/OpBase.td"

def Nova_Dialect : Dialect {
  let name = "nova";
  let cppNamespace = "::mlir::nova";
  let summary = "Tensor programs that train and run Transformers";
  let description = [{
    Value-semantic operations on ranked tensors: forward, backward and optimizer of a model in one dialect, and the
    structure (kernels, launches) that they are compiled through. No op has a side effect, aliases an operand or depends
    on anything but its operands and attributes; `nova.read` reads a parameter, which is constant during a step.

    Element types are f64, f32, f16, bf16, i1, i8, i32 and i64. Elementwise ops with several operands broadcast as NumPy
    does. Semantics follow PyTorch where PyTorch has the op; an op says where it differs.

    An op that is a *tile* of a larger one (see `IndexedOp`) may carry index operands, printed after `at`: the origin of
    the tile along the loops on which the op's meaning depends. Inside a block of a scheduled GPU kernel tiles have a
    layout as encoding, and ops order copies and threads.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Registers the ops of NovaScheduleOps.td.
    void addScheduleOps();
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def Nova_Float : AnyTypeOf<[F64, F32, F16, BF16], "f64, f32, f16 or bf16">;
def Nova_Bool : AnyTypeOf<[I1], "i1">;
def Nova_Int : AnyTypeOf<[I8, I32, I64], "i8, i32 or i64">;
def Nova_IntOrBool : AnyTypeOf<[I1, I8, I32, I64], "i1, i8, i32 or i64">;
def Nova_Number : AnyTypeOf<[F64, F32, F16, BF16, I8, I32, I64], "f64, f32, f16, bf16, i8, i32 or i64">;
def Nova_Element : AnyTypeOf<[F64, F32, F16, BF16, I1, I8, I32, I64],
                             "f64, f32, f16, bf16, i1, i8, i32 or i64">;
def Nova_Index : AnyTypeOf<[I32, I64], "i32 or i64">;

// An encoding is a layout (NovaLayouts.td), and no count of elements or bytes may overflow 64 bits.
class Nova_TensorOf<Type element, list<Pred> predicates = [], string kind = "ranked tensor">
  : RankedTensorOf<[element], !listconcat([CPred<"::mlir::nova::detail::isPlainTensor($_self)">], predicates),
                   kind # " (no encoding but a layout, below 2^63 bytes)">;
def Nova_Tensor : Nova_TensorOf<Nova_Element>;
def Nova_NumberTensor : Nova_TensorOf<Nova_Number>;
def Nova_FloatTensor : Nova_TensorOf<Nova_Float>;
def Nova_BoolTensor : Nova_TensorOf<Nova_Bool>;
def Nova_IntOrBoolTensor : Nova_TensorOf<Nova_IntOrBool>;
def Nova_IndexTensor : Nova_TensorOf<Nova_Index>;

class Nova_ScalarOf<Type element> : Nova_TensorOf<element, [HasAnyRankOfPred<[0]>], "scalar tensor">;
def Nova_ScalarF32 : Nova_ScalarOf<F32>, BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getF32Type())">;
def Nova_ScalarI64 : Nova_ScalarOf<I64>, BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getI64Type())">;

#endif // NOVA_DIALECT_TD
