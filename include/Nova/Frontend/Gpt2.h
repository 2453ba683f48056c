//===- Gpt2.h - GPT-2 of any size as a training program ---------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_FRONTEND_GPT2_H
#define NOVA_FRONTEND_GPT2_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::nova {

enum class Activation { GeluTanh, GeluExact, Relu, Silu };

/// What distinguishes one GPT-2 from another, named as in Hugging Face's configurations.
struct Gpt2Config {
  int64_t vocab_size = 0;
  int64_t n_positions = 0;
  int64_t n_embd = 0;
  int64_t n_layer = 0;
  int64_t n_head = 0;
  int64_t n_inner = 0;
  Activation activation_function = Activation::GeluTanh;
  double layer_norm_epsilon = 1e-5;
  double initializer_range = 0.02;
  bool tie_word_embeddings = true;
  bool scale_attn_weights = true;
  bool scale_attn_by_inverse_layer_idx = false;
};

/// The program `@loss(tokens, targets)` for batches of `batch` rows of `seq` tokens. Parameters carry the names and
/// layouts of Hugging Face's checkpoints and begin as there. Dimensions must be positive and fit together.
OwningOpRef<ModuleOp> buildGpt2(Location location, const Gpt2Config &config, int64_t batch, int64_t seq);

} // namespace mlir::nova

#endif // NOVA_FRONTEND_GPT2_H
