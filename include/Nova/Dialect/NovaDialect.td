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
    the tile along the loops on which the op's meaning depends.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
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

def Nova_Tensor : RankedTensorOf<[Nova_Element]>;
def Nova_NumberTensor : RankedTensorOf<[Nova_Number]>;
def Nova_FloatTensor : RankedTensorOf<[Nova_Float]>;
def Nova_BoolTensor : RankedTensorOf<[Nova_Bool]>;
def Nova_IntOrBoolTensor : RankedTensorOf<[Nova_IntOrBool]>;
def Nova_IndexTensor : RankedTensorOf<[Nova_Index]>;
def Nova_ScalarF32 : 0DTensorOf<[F32]>,
                     BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getF32Type())">;
def Nova_ScalarI64 : 0DTensorOf<[I64]>,
                     BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getI64Type())">;

#endif // NOVA_DIALECT_TD
