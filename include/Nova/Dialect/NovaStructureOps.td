//===- NovaStructureOps.td - Kernels and launches ----------*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_STRUCTURE_OPS_TD
#define NOVA_STRUCTURE_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "Nova/Dialect/NovaBase.td"

def Nova_KernelOp : Nova_Op<"kernel", [Nova_StructureTrait, IsolatedFromAbove, FunctionOpInterface, AffineScope,
    HasParent<"::mlir::ModuleOp">]> {
  let summary = "one launch: tensors in, tensors out";
  let description = [{
    The arguments, then the results, are the kernel's ABI. As formed (L3) the body is the computation on whole tensors;
    tiled (L4) it is one `scf.forall` over blocks: slices of the arguments, nova ops on tiles, and
    `tensor.parallel_insert_slice`. Scheduled, a GPU's block says where its tiles live and when they move: tiles with
    layouts, copies, waits, `nova.contract`. All three mean the same, and the evaluator runs all three.

    ```mlir
    nova.kernel @bias(%x: tensor<64x10xf32>, %b: tensor<10xf32>) -> tensor<64x10xf32> family elementwise {
      %y = nova.add %x, %b : tensor<64x10xf32>, tensor<10xf32>
      nova.return %y : tensor<64x10xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type, Nova_FamilyAttr:$family,
                       OptionalAttr<Nova_KernelConfigAttr>:$config, OptionalAttr<StrAttr>:$sym_visibility,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// The values that the kernel returns.
    ::mlir::OperandRange getReturned();
  }];
}

def Nova_ReturnOp : Nova_Op<"return", [Nova_StructureTrait, Pure, Terminator, ReturnLike, HasParent<"KernelOp">]> {
  let summary = "results of a kernel";
  let description = [{
    ```mlir
    nova.return %y : tensor<64x10xf32>
    ```
  }];
  let arguments = (ins Variadic<Nova_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let hasVerifier = 1;
}

def Nova_LaunchOp : Nova_Op<"launch", [Nova_StructureTrait, Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a kernel run on tensors";
  let description = [{
    ```mlir
    %y = nova.launch @bias(%x, %b) : (tensor<64x10xf32>, tensor<10xf32>) -> tensor<64x10xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Nova_Tensor>:$inputs);
  let results = (outs Variadic<Nova_Tensor>:$outputs);
  let assemblyFormat = "$kernel `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs)";
}

#endif // NOVA_STRUCTURE_OPS_TD
