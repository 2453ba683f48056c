//===- Passes.td - Passes from nova to nova ----------------*- tablegen -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the order in which a pipeline runs them; those that come after the train step are in LaunchPasses.td
// and KernelPasses.td, mixed precision is in PrecisionPasses.td. The IR before and after that a description shows is run by a test.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRANSFORMS_PASSES_TD
#define NOVA_TRANSFORMS_PASSES_TD

include "Nova/Transforms/LaunchPasses.td"
include "Nova/Transforms/KernelPasses.td"
include "Nova/Transforms/SchedulePasses.td"
include "Nova/Transforms/PrecisionPasses.td"
include "Nova/Transforms/ReportPasses.td"

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

def SpecializeShapesPass : Nova_Pass<"nova-specialize-shapes", "::mlir::ModuleOp"> {
  let summary = "Gives functions with open sizes the shapes of their arguments";
  let description = [{
    Public functions whose arguments have sizes that are not known take those that `shapes` names, and every op after
    them gets the sizes that follow. Calls are replaced by the bodies of their functions, which each caller may want in
    another shape. A size that no operand gives, such as that of an `iota`, is the one that its users need.

    Raising and differentiation need to know which axes have size 1, so this comes before them. What doesn't fit the
    shapes that were given is an error where it doesn't.

    Before:

    ```mlir
    func.func @scores(%x: tensor<?x64xf32> {nova.name = "x"}) -> tensor<?x?xf32> {
      %y = nova.matmul %x, %x {transpose_rhs} : tensor<?x64xf32>, tensor<?x64xf32>
      return %y : tensor<?x?xf32>
    }
    ```

    After, with `shapes=x=8x64`:

    ```mlir
    func.func @scores(%x: tensor<8x64xf32> {nova.name = "x"}) -> tensor<8x8xf32> {
      %y = nova.matmul %x, %x {transpose_rhs} : tensor<8x64xf32>, tensor<8x64xf32>
      return %y : tensor<8x8xf32>
    }
    ```
  }];
  let options = [
    ListOption<"shapes", "shapes", "std::string",
               "Shapes of arguments by their nova.name, or argN without one: x=8x64">,
    ListOption<"inputShapes", "input-shapes", "std::string",
               "The same for arguments that have none by then; names that no argument has are ignored">,
  ];
}

//===----------------------------------------------------------------------===//
// Raising: what the author or an importer spelled out becomes single ops
//===----------------------------------------------------------------------===//
//
// These run on whatever they are given, a module or a function. What is found is a `passed` remark, what is nearly that
// a `missed` one with the reason: --remarks-filter='nova-fuse.*' --remark-format=emitRemark.

def FuseAttentionPass : Nova_Pass<"nova-fuse-attention", ""> {
  let summary = "Recognises attention spelled out in smaller ops";
  let description = [{
    Finds softmax(scale * q k^T + mask) v. The scale is a product or quotient with a known number, before or after the
    first product, on q, on k or on the scores. The mask is known when the program is compiled, by literals, iota and
    compare with any offset, select or arithmetic on them, and is selected or added. Softmax is one op or spelled out,
    with or without the largest element subtracted, with a mask before or after exp. Leading axes may be folded by
    reshapes, and k and v be transposed.

    Minus infinity hides keys. A finite number keeps its meaning: selected, it is the op's `masked_value`; added, it stays
    an added mask, but for numbers of at most -1e30, which leave nothing of a score below 1e20. Who knows that scores
    are far above -1e4 says so by `hidden-below=-1e4`: finite numbers up to it are then taken for minus infinity, and the
    remark of each attention tells.

    What is hidden takes no part in `nova.attention`. A program that spells it out multiplies hidden values by 0, so that
    NaN and infinity in what nobody sees reach its result; after raising they don't.

    A spelled out softmax becomes `nova.softmax` even where no attention is around it.

    Not raised, with a `missed` remark: a mask that is not causal in the sense of `nova.attention` or not known, a scale
    that is not known, softmax along another axis, an intermediate result that is used elsewhere, queries, keys and
    values with different leading axes, a change of the element type on the way, dynamic shapes.

    Before:

    ```mlir
    func.func @attention(%q: tensor<2x4x64x32xf32>, %k: tensor<2x4x64x32xf32>,
                         %v: tensor<2x4x64x32xf32>) -> tensor<2x4x64x32xf32> {
      %scores = nova.matmul %q, %k {transpose_rhs} : tensor<2x4x64x32xf32>, tensor<2x4x64x32xf32>
      %scale = nova.constant dense<0.17677669> : tensor<f32>
      %scaled = nova.mul %scores, %scale : tensor<2x4x64x64xf32>, tensor<f32>
      %query = nova.iota 0 : tensor<64x64xi32>
      %key = nova.iota 1 : tensor<64x64xi32>
      %visible = nova.compare ge %query, %key : tensor<64x64xi32>, tensor<64x64xi32>
      %hidden = nova.constant dense<0xFF800000> : tensor<f32>
      %masked = nova.select %visible, %scaled, %hidden : tensor<64x64xi1>, tensor<2x4x64x64xf32>, tensor<f32>
      %p = nova.softmax %masked : tensor<2x4x64x64xf32>
      %y = nova.matmul %p, %v : tensor<2x4x64x64xf32>, tensor<2x4x64x32xf32>
      return %y : tensor<2x4x64x32xf32>
    }
    ```

    After:

    ```mlir
    func.func @attention(%q: tensor<2x4x64x32xf32>, %k: tensor<2x4x64x32xf32>,
                         %v: tensor<2x4x64x32xf32>) -> tensor<2x4x64x32xf32> {
      %y, %lse = nova.attention %q, %k, %v {causal}
        : tensor<2x4x64x32xf32>, tensor<2x4x64x32xf32>, tensor<2x4x64x32xf32>
      return %y : tensor<2x4x64x32xf32>
    }
    ```
  }];
  let options = [
    Option<"hiddenBelow", "hidden-below", "double", "-std::numeric_limits<double>::infinity()",
           "Finite mask values of at most this count as minus infinity (none)">,
  ];
}

def FuseNormPass : Nova_Pass<"nova-fuse-norm", ""> {
  let summary = "Recognises layer norm spelled out in smaller ops";
  let description = [{
    Finds (x - mean) / sqrt(variance + eps) over the last axis, the variance from the differences to the mean; then the
    weight and the bias, if there are any. Means are reductions of kind mean, or sums over the number of elements; the
    root is rsqrt, or sqrt with a quotient or reciprocal.

    Not raised, with a `missed` remark: a mean over other axes, an eps that is not known when the program is compiled, a
    variance over another tensor or with another divisor (the unbiased one), a change of the element type on the way.

    Before:

    ```mlir
    func.func @norm(%x: tensor<8x64xf32>, %w: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<8x64xf32> {
      %mean = nova.reduce mean %x over [1] {keep_dims} : tensor<8x64xf32>
      %d = nova.sub %x, %mean : tensor<8x64xf32>, tensor<8x1xf32>
      %squares = nova.square %d : tensor<8x64xf32>
      %variance = nova.reduce mean %squares over [1] {keep_dims} : tensor<8x64xf32>
      %eps = nova.constant dense<1.0e-05> : tensor<f32>
      %stable = nova.add %variance, %eps : tensor<8x1xf32>, tensor<f32>
      %inverse = nova.rsqrt %stable : tensor<8x1xf32>
      %normal = nova.mul %d, %inverse : tensor<8x64xf32>, tensor<8x1xf32>
      %scaled = nova.mul %normal, %w : tensor<8x64xf32>, tensor<64xf32>
      %y = nova.add %scaled, %b : tensor<8x64xf32>, tensor<64xf32>
      return %y : tensor<8x64xf32>
    }
    ```

    After:

    ```mlir
    func.func @norm(%x: tensor<8x64xf32>, %w: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<8x64xf32> {
      %y = nova.layer_norm %x, %w, %b : tensor<8x64xf32>, tensor<64xf32>, tensor<64xf32>
      return %y : tensor<8x64xf32>
    }
    ```
  }];
}

def FuseActivationPass : Nova_Pass<"nova-fuse-activation", ""> {
  let summary = "Recognises gelu, silu and sigmoid spelled out in smaller ops";
  let description = [{
    Finds gelu in both forms as a product in any order, its polynomial in any spelling; sigmoid as 1 / (1 + exp(-x));
    silu as x * sigmoid(x). `max(x, 0)` is not raised to relu: at 0 its gradient is another.

    Not raised, with a `missed` remark: gelu with other constants (more than 1e-6 off, relatively, for f32), a tanh, erf
    or sigmoid that is used elsewhere, a change of the element type on the way.

    Before:

    ```mlir
    func.func @gelu(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
      %half = nova.constant dense<0.5> : tensor<f32>
      %one = nova.constant dense<1.0> : tensor<f32>
      %a = nova.constant dense<0.044715> : tensor<f32>
      %root = nova.constant dense<0.79788456> : tensor<f32>
      %x2 = nova.mul %x, %x : tensor<8x64xf32>, tensor<8x64xf32>
      %x3 = nova.mul %x2, %x : tensor<8x64xf32>, tensor<8x64xf32>
      %cubic = nova.mul %x3, %a : tensor<8x64xf32>, tensor<f32>
      %sum = nova.add %x, %cubic : tensor<8x64xf32>, tensor<8x64xf32>
      %inner = nova.mul %sum, %root : tensor<8x64xf32>, tensor<f32>
      %tanh = nova.tanh %inner : tensor<8x64xf32>
      %gate = nova.add %tanh, %one : tensor<8x64xf32>, tensor<f32>
      %scaled = nova.mul %x, %half : tensor<8x64xf32>, tensor<f32>
      %y = nova.mul %scaled, %gate : tensor<8x64xf32>, tensor<8x64xf32>
      return %y : tensor<8x64xf32>
    }
    ```

    After:

    ```mlir
    func.func @gelu(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
      %y = nova.gelu tanh %x : tensor<8x64xf32>
      return %y : tensor<8x64xf32>
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Program to train step
//===----------------------------------------------------------------------===//

def BuildTrainStepPass : Nova_Pass<"nova-build-train-step", "::mlir::ModuleOp"> {
  let summary = "Makes the function of one training step from a loss and parameters";
  let description = [{
    The loss function takes the parameters as arguments instead of reading them, and `@train_step` joins it: the loss and
    its gradients, their global norm, clipping, and one optimizer op per parameter. Arguments and results say what they
    are by `nova.role` and `nova.name`; `nova.donated` is the number of the result that replaces an argument of the state.
    Frozen parameters have neither gradient nor moments. With `accumulate` above 1 two functions take the place of
    `@train_step`: `@gradient_step` adds the gradients of a micro-batch to accumulators, which the first one of a step
    (`micro` is 0) overwrites, and `@update_step` clips their mean and updates the parameters.
    The `nova.parameter` ops stay: they are the table of initial values. Calls inside the loss function are inlined, as the
    functions that they call may read parameters too. Arguments of the loss with the role "seed" or "step" get those of the
    step. Where the loss has a `nova.dropout`, a private copy with it is differentiated, and `@loss` itself loses it.

    Before:

    ```mlir
    nova.parameter @w : tensor<4xf32> = #nova.normal<mean = 0.0, std = 0.02>
    func.func @loss(%x: tensor<4xf32> {nova.name = "x"}) -> tensor<f32> {
      %w = nova.read @w : tensor<4xf32>
      %y = nova.mul %w, %x : tensor<4xf32>, tensor<4xf32>
      %l = nova.reduce sum %y over [0] : tensor<4xf32>
      return %l : tensor<f32>
    }
    ```

    After, with `clip=0` (the scale is then the constant 1), and with most attributes of arguments left out:

    ```mlir
    nova.parameter @w : tensor<4xf32> = #nova.normal<mean = 0.0, std = 0.02>
    func.func @loss(%w: tensor<4xf32> {nova.name = "w", nova.role = "parameter"}, %x: tensor<4xf32>) -> tensor<f32> {
      %y = nova.mul %w, %x : tensor<4xf32>, tensor<4xf32>
      %l = nova.reduce sum %y over [0] : tensor<4xf32>
      return %l : tensor<f32>
    }
    func.func @train_step(%w: tensor<4xf32> {nova.donated = 0 : i64}, %m: tensor<4xf32> {nova.donated = 1 : i64},
                          %v: tensor<4xf32> {nova.donated = 2 : i64}, %x: tensor<4xf32>, %lr: tensor<f32>,
                          %step: tensor<i64>, %seed: tensor<i64>)
        -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) {
      %l, %g = nova.value_and_grad @loss(%w, %x) wrt [0]
        : (tensor<4xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
      %norm = nova.global_norm %g : tensor<4xf32>
      %scale = nova.constant dense<1.0> : tensor<f32>
      %w1, %m1, %v1 = nova.adamw %w, %g, %m, %v, lr %lr, step %step, scale %scale
        {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, weight_decay = 0.0} : tensor<4xf32>, tensor<4xf32>
      return %w1, %m1, %v1, %l, %norm
        : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>
    }
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", "\"loss\"", "Name of the loss function">,
    Option<"optimizer", "optimizer", "std::string", "\"adamw\"", "Optimizer: adamw, adam or sgd">,
    Option<"momentum", "momentum", "double", "0.9", "Momentum of sgd">,
    Option<"nesterov", "nesterov", "bool", "false", "Nesterov's momentum for sgd">,
    Option<"beta1", "beta1", "double", "0.9", "Decay of the first moment">,
    Option<"beta2", "beta2", "double", "0.95", "Decay of the second moment">,
    Option<"eps", "eps", "double", "1e-8", "Added to the root of the second moment">,
    Option<"weightDecay", "weight-decay", "double", "0.1", "Weight decay of the parameters that decay; decoupled for adamw">,
    Option<"clip", "clip", "double", "1.0", "Largest global norm of the gradients; 0: no clipping">,
    Option<"accumulate", "accumulate", "int64_t", "1", "Micro-batches of a step">,
    Option<"gradients", "gradients", "bool", "false",
           "Make @gradients too: the loss and the gradient of every parameter, named gradient.NAME">,
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::nova::NovaDialect"];
}

def AutodiffPass : Nova_Pass<"nova-autodiff", "::mlir::ModuleOp"> {
  let summary = "Replaces nova.value_and_grad by the function's body and its backward";
  let description = [{
    Reverse mode over the function's straight line of ops, by `DifferentiableOp`: a value that is used several times adds
    up its gradients, an argument without influence on the loss gets zeros, and forward ops that nothing needs any more are
    removed. Calls inside the function are inlined; a private function that was only differentiated is gone afterwards. It
    is an error when an op through which the loss depends on an argument has no gradient.

    Before:

    ```mlir
    func.func @loss(%w: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<f32> {
      %y = nova.mul %w, %x : tensor<4xf32>, tensor<4xf32>
      %l = nova.reduce sum %y over [0] : tensor<4xf32>
      return %l : tensor<f32>
    }
    func.func @step(%w: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
      %l, %g = nova.value_and_grad @loss(%w, %x) wrt [0]
        : (tensor<4xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
      return %l, %g : tensor<f32>, tensor<4xf32>
    }
    ```

    After (`@loss` stays as it is):

    ```mlir
    func.func @step(%w: tensor<4xf32>, %x: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
      %y = nova.mul %w, %x : tensor<4xf32>, tensor<4xf32>
      %l = nova.reduce sum %y over [0] : tensor<4xf32>
      %one = nova.constant dense<1.0> : tensor<f32>
      %dy = nova.broadcast_in_dim %one dims = [] : tensor<f32> -> tensor<4xf32>
      %dw = nova.mul %dy, %x : tensor<4xf32>, tensor<4xf32>
      return %l, %dw : tensor<f32>, tensor<4xf32>
    }
    ```
  }];
}

def InferBoundsPass : Nova_Pass<"nova-infer-bounds", "::mlir::func::FuncOp"> {
  let summary = "Notes which values an integer argument may have";
  let description = [{
    An argument whose elements index a table, or are classes of a cross entropy, gets `nova.bound`: its values are at least
    0 and below it, the least where there are several. Random data is drawn from that range.

    Before:

    ```mlir
    func.func @f(%table: tensor<256x64xf32>, %tokens: tensor<8xi32>) -> tensor<8x64xf32> {
      %x = nova.gather %table[%tokens] : tensor<256x64xf32>, tensor<8xi32>
      return %x : tensor<8x64xf32>
    }
    ```

    After:

    ```mlir
    func.func @f(%table: tensor<256x64xf32>, %tokens: tensor<8xi32> {nova.bound = 256 : i64}) -> tensor<8x64xf32> {
      %x = nova.gather %table[%tokens] : tensor<256x64xf32>, tensor<8xi32>
      return %x : tensor<8x64xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::nova::NovaDialect"];
}

#endif // NOVA_TRANSFORMS_PASSES_TD
