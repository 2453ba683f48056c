//===- NovaAttributes.td - Enums and attributes ------------*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_ATTRIBUTES_TD
#define NOVA_ATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "Nova/Dialect/NovaDialect.td"

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

class Nova_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::nova";
  let genSpecializedAttr = 0;
}
class Nova_EnumAttr<Nova_Enum info, string mnemonic> : EnumAttr<Nova_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}
// An enum attribute that ops print as a bare word.
class Nova_WordAttr<Nova_Enum info, string mnemonic> : EnumAttr<Nova_Dialect, info, mnemonic>;

def Nova_GeluForm : Nova_Enum<"GeluForm", "form of gelu", [
  I32EnumAttrCase<"Exact", 0, "exact">, I32EnumAttrCase<"Tanh", 1, "tanh">]>;
def Nova_GeluFormAttr : Nova_WordAttr<Nova_GeluForm, "gelu_form">;

def Nova_CompareKind : Nova_Enum<"CompareKind", "kind of comparison", [
  I32EnumAttrCase<"EQ", 0, "eq">, I32EnumAttrCase<"NE", 1, "ne">, I32EnumAttrCase<"LT", 2, "lt">,
  I32EnumAttrCase<"LE", 3, "le">, I32EnumAttrCase<"GT", 4, "gt">, I32EnumAttrCase<"GE", 5, "ge">]>;
def Nova_CompareKindAttr : Nova_WordAttr<Nova_CompareKind, "compare_kind">;

def Nova_ReduceKind : Nova_Enum<"ReduceKind", "kind of reduction", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Mean", 1, "mean">, I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Min", 3, "min">, I32EnumAttrCase<"Product", 4, "product">, I32EnumAttrCase<"Any", 5, "any">,
  I32EnumAttrCase<"All", 6, "all">]>;
def Nova_ReduceKindAttr : Nova_WordAttr<Nova_ReduceKind, "reduce_kind">;

def Nova_LossReduction : Nova_Enum<"LossReduction", "how a loss is reduced over its rows", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Mean", 1, "mean">, I32EnumAttrCase<"Sum", 2, "sum">]>;
def Nova_LossReductionAttr : Nova_EnumAttr<Nova_LossReduction, "reduction">;

def Nova_Family : Nova_Enum<"Family", "family of kernels", [
  I32EnumAttrCase<"Matmul", 0, "matmul">, I32EnumAttrCase<"Attention", 1, "attention">,
  I32EnumAttrCase<"Row", 2, "row">, I32EnumAttrCase<"Column", 3, "column">,
  I32EnumAttrCase<"Elementwise", 4, "elementwise">, I32EnumAttrCase<"Index", 5, "index">,
  I32EnumAttrCase<"Generic", 6, "generic">]>;
def Nova_FamilyAttr : Nova_WordAttr<Nova_Family, "family">;

//===----------------------------------------------------------------------===//
// Initial values
//===----------------------------------------------------------------------===//

// A double, as an APFloat for the sake of exact comparison and hashing.
def Nova_Double : APFloatParameter<"a float"> {
  let parser = "::mlir::nova::detail::parseDouble($_parser)";
  let printer = "::mlir::nova::detail::printDouble($_printer, $_self)";
}

class Nova_Attr<string name, string mnem> : AttrDef<Nova_Dialect, name> { let mnemonic = mnem; }

def Nova_NormalAttr : Nova_Attr<"Normal", "normal"> {
  let summary = "initial value: independent normal numbers";
  let description = [{
    Element i of parameter p is drawn by a counter-based generator from (seed, name of p, i): the same on every device.

    Example: `#nova.normal<mean = 0.0, std = 0.02>`
  }];
  let parameters = (ins Nova_Double:$mean, Nova_Double:$std);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}
def Nova_UniformAttr : Nova_Attr<"Uniform", "uniform"> {
  let summary = "initial value: independent uniform numbers in [low, high)";
  let description = "Drawn as for `#nova.normal`. Example: `#nova.uniform<low = -0.1, high = 0.1>`";
  let parameters = (ins Nova_Double:$low, Nova_Double:$high);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}
def Nova_ConstantInitAttr : Nova_Attr<"ConstantInit", "constant"> {
  let summary = "initial value: one number";
  let description = "Example: `#nova.constant<1.0>`";
  let parameters = (ins Nova_Double:$value);
  let assemblyFormat = "`<` $value `>`";
}
def Nova_InitialValue : AnyAttrOf<[Nova_NormalAttr, Nova_UniformAttr, Nova_ConstantInitAttr],
                                  "#nova.normal, #nova.uniform or #nova.constant">;

//===----------------------------------------------------------------------===//
// Kernel configuration
//===----------------------------------------------------------------------===//

def Nova_KernelConfigAttr : Nova_Attr<"KernelConfig", "kernel_config"> {
  let summary = "how a kernel is cut into blocks and vectors";
  let description = [{
    Chosen by `--nova-select-kernel-config` from the target table, or written by hand; verified either way.

    - `tile`: elements of one block along each axis of the kernel's first result; 0 takes the whole axis.
    - `lanes`: elements of a CPU vector; 1 on a GPU, where threads take the place of lanes.
    - `micro`: rows and vectors of the register tile (matmul and attention); on a GPU rows and columns of a thread, or
      on tensor cores of a warp.
    - `threads`: threads of a GPU block; 0 on the CPU.
    - `pairs`: a matmul of widened bf16 multiplies pairs along K by one instruction (CPU; VNNI packing). With 16 or 32 rows
      of the register tile that is a matrix instruction (AMX).
    - `tf32`: a matmul of f32 rounds its factors to tf32 (10 bits of mantissa) and multiplies them on tensor cores, with
      sums in f32 (GPU).
    - `strategy`: how `--nova-schedule` builds the inside of a block (GPU); empty: the family's emitter does.
    - `intrinsic`, `depth`, `stages`: of a strategy with matrix instructions: which one, elements along K of a step, and
      steps whose operands are in shared memory at once. `micro` is the tile of a warp then.

    Example: `#nova.kernel_config<tile = [128, 256], lanes = 16, micro = [6, 4], threads = 0>`
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$tile, "int64_t":$lanes,
                        OptionalArrayRefParameter<"int64_t">:$micro, DefaultValuedParameter<"int64_t", "0">:$threads,
                        DefaultValuedParameter<"bool", "false">:$pairs,
                        DefaultValuedParameter<"bool", "false">:$tf32, StringRefParameter<"", "\"\"">:$strategy,
                        StringRefParameter<"", "\"\"">:$intrinsic, DefaultValuedParameter<"int64_t", "0">:$depth,
                        DefaultValuedParameter<"int64_t", "0">:$stages);
  let extraClassDeclaration = [{
    /// Whether the warps of a GPU multiply matrices.
    bool usesTensorCores() const { return getTf32() || !getIntrinsic().empty(); }
    bool usesTf32() const { return getTf32() || getIntrinsic().ends_with("tf32"); }
    /// Whether a CPU multiplies pairs as matrices.
    bool usesMatrices() const { return getPairs() && !getMicro().empty() && getMicro()[0] % 16 == 0; }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Memory plan
//===----------------------------------------------------------------------===//

def Nova_MemoryRegion : Nova_Enum<"MemoryRegion", "memory of a program, one allocation each", [
  I32EnumAttrCase<"State", 0, "state">, I32EnumAttrCase<"Arena", 1, "arena">,
  I32EnumAttrCase<"Constants", 2, "constants">, I32EnumAttrCase<"Io", 3, "io">]>;

def Nova_AddressAttr : Nova_Attr<"Address", "address"> {
  let summary = "where a tensor lies: bytes from the start of a region";
  let description = [{
    Written by `--nova-plan-memory`: `nova.address` on parameters, constants, arguments and results of functions,
    `nova.addresses` (operands, then results) on launches. The regions' sizes are `nova.region_bytes` of the module, in the
    order state, arena, constants, io.

    Example: `#nova.address<arena + 4096>`
  }];
  let parameters = (ins EnumParameter<Nova_MemoryRegion>:$region, "int64_t":$offset);
  let assemblyFormat = "`<` $region `+` $offset `>`";
  let genVerifyDecl = 1;
}

#endif // NOVA_ATTRIBUTES_TD
