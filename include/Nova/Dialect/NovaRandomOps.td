//===- NovaRandomOps.td - Counter-based random numbers ---------- -*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_RANDOM_OPS_TD
#define NOVA_RANDOM_OPS_TD

include "Nova/Dialect/NovaBase.td"

// The numbers of every op come from a stream of its own: `stream` is told apart from the streams of parameters' initial
// values by the op, and `step` makes a new one of it.
class Nova_RandomOp<string mnemonic, string distribution, string note> : Nova_PositionalOp<mnemonic,
    [Nova_NotDifferentiableTrait]> {
  let summary = distribution;
  let description = "    " # note # [{ Element i, in row-major order, depends on the seed, `stream`, the step and i alone:
    it is the same, bit for bit, on every device, in every mode, with any number of threads and after fusion or
    recomputation. Philox4x32-10 is the generator. f32, rounded for narrower types. A tile of it has rank 1. In training,
    arguments of the loss with the `nova.role` "seed" and "step" are the run's seed and the number of the step.

    ```mlir
    %r = nova.}] # mnemonic # [{ %seed, %step {stream = 3} : tensor<8x64xf32>
    ```
  }];
  let arguments = (ins Nova_ScalarI64:$seed, Nova_ScalarI64:$step,
                       ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<16777215>]>:$stream,
                       Variadic<Index>:$origin);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$seed `,` $step (`at` $origin^)? attr-dict `:` type($result)";
  let extraClassDeclaration = NotDifferentiable<"it has no operand of floating point">.declaration;
  let hasVerifier = 1;
}

def Nova_RandomUniformOp : Nova_RandomOp<"random_uniform", "independent uniform numbers in [0, 1)",
  "Multiples of 2^-24; rounded to f16 or bf16 they may be 1.">;
def Nova_RandomNormalOp : Nova_RandomOp<"random_normal", "independent standard normal numbers",
  "By the method of Box and Muller.">;

def Nova_DropoutOp : Nova_CompositeTensorOp<"dropout", [Differentiable, Roundable, Nova_InferTypes]> {
  let summary = "elements set to 0 with probability p, the others divided by 1 - p";
  let description = [{
    Element i stays where `random_uniform` of the same seed, step and stream gives at least p; a dropout with p = 1 gives
    zeros. The gradient has the same mask. It is for training: `--nova-build-train-step` leaves it out of the loss that is
    evaluated.

    ```mlir
    %y = nova.dropout %x, %seed, %step {p = 0.1, stream = 3} : tensor<8x64xf32>
    ```
  }];
  let arguments = (ins Nova_FloatTensor:$x, Nova_ScalarI64:$seed, Nova_ScalarI64:$step, F64Attr:$p,
                       ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<16777215>]>:$stream);
  let results = (outs Nova_FloatTensor:$result);
  let assemblyFormat = "$x `,` $seed `,` $step attr-dict `:` type($x)";
  let hasVerifier = 1;
}

#endif // NOVA_RANDOM_OPS_TD
