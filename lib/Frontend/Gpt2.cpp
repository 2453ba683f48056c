//===- Gpt2.cpp - GPT-2 of any size as a training program -----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Frontend/Gpt2.h"
#include "Nova/Frontend/ModelBuilder.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nova;

namespace {
class Gpt2Builder {
public:
  Gpt2Builder(Location location, const Gpt2Config &config, int64_t batch, int64_t seq)
      : config(config), batch(batch), seq(seq), b(location, "gpt2") {}

  OwningOpRef<ModuleOp> build();

private:
  Value logits(Value tokens);
  Value embedding(Value tokens, Value table);
  Value attention(Value x, int64_t layer);
  Value mlp(Value x);

  Value layerNorm(Value x, StringRef name);
  Value linear(Value x, StringRef name, int64_t in, int64_t out, double std);
  /// Columns `part` of q, k and v side by side, as [batch, head, position, depth].
  Value heads(Value qkv, int64_t part, StringRef name);
  Value activation(Value x);

  const Gpt2Config &config;
  const int64_t batch, seq;
  ModelBuilder b;
};
} // namespace

OwningOpRef<ModuleOp> Gpt2Builder::build() {
  RankedTensorType ids = b.tensor({batch, seq}, b.i32());
  b.function("loss", {{"tokens", ids}, {"targets", ids}},
             [&](ValueRange arguments) { return b.named("loss", b.crossEntropy(logits(arguments[0]), arguments[1])); });
  return b.finish();
}

Value Gpt2Builder::logits(Value tokens) {
  Attribute initial = b.normal(config.initializer_range);
  Value wte, x;
  {
    ModelBuilder::Scope transformer(b, "transformer");
    // A tied head is the token embedding under another name, which checkpoints may have beside it or instead.
    SmallVector<StringRef> aliases;
    if (config.tie_word_embeddings)
      aliases.push_back("lm_head.weight");
    wte = b.parameter("wte.weight", {config.vocab_size, config.n_embd}, initial, aliases);
    x = embedding(tokens, wte);
    for (int64_t layer = 0; layer < config.n_layer; ++layer) {
      ModelBuilder::Scope block(b, "h." + Twine(layer));
      x = b.named("x", b.add(x, attention(layerNorm(x, "ln_1"), layer)));
      x = b.named("x", b.add(x, mlp(layerNorm(x, "ln_2"))));
    }
    x = layerNorm(x, "ln_f");
  }
  Value head = wte;
  if (!config.tie_word_embeddings)
    head = b.parameter("lm_head.weight", {config.vocab_size, config.n_embd}, initial);
  return b.named("logits", b.matmul(x, head, /*transposeRhs=*/true));
}

Value Gpt2Builder::embedding(Value tokens, Value table) {
  Value positions = b.parameter("wpe.weight", {config.n_positions, config.n_embd}, b.normal(config.initializer_range));
  if (seq < config.n_positions)
    positions = b.named("positions", b.slice(positions, 0, 0, seq));
  return b.named("x", b.add(b.named("embedded", b.gather(table, tokens)), positions));
}

Value Gpt2Builder::attention(Value x, int64_t layer) {
  ModelBuilder::Scope scope(b, "attn");
  const int64_t width = config.n_embd, depth = width / config.n_head;
  Value qkv = linear(x, "c_attn", width, 3 * width, config.initializer_range);
  Value q = heads(qkv, 0, "q"), k = heads(qkv, 1, "k"), v = heads(qkv, 2, "v");

  std::optional<double> scale;
  if (!config.scale_attn_weights)
    scale = 1.0;
  if (config.scale_attn_by_inverse_layer_idx)
    scale = scale.value_or(1.0 / std::sqrt(double(depth))) / double(layer + 1);
  Value y = b.named("attention", b.attention(q, k, v, /*causal=*/true, scale));
  y = b.reshape(b.transpose(y, {0, 2, 1, 3}), {batch, seq, width});
  // Projections into the residual stream begin smaller, so that its variance does not grow with the depth.
  return linear(y, "c_proj", width, width, config.initializer_range / std::sqrt(2.0 * double(config.n_layer)));
}

Value Gpt2Builder::mlp(Value x) {
  ModelBuilder::Scope scope(b, "mlp");
  Value h = b.named("h", activation(linear(x, "c_fc", config.n_embd, config.n_inner, config.initializer_range)));
  return linear(h, "c_proj", config.n_inner, config.n_embd,
                config.initializer_range / std::sqrt(2.0 * double(config.n_layer)));
}

Value Gpt2Builder::layerNorm(Value x, StringRef name) {
  ModelBuilder::Scope scope(b, name);
  Value weight = b.parameter("weight", {config.n_embd}, b.constant(1.0));
  Value bias = b.parameter("bias", {config.n_embd}, b.constant(0.0));
  return b.named(name, b.layerNorm(x, weight, bias, config.layer_norm_epsilon));
}

Value Gpt2Builder::linear(Value x, StringRef name, int64_t in, int64_t out, double std) {
  ModelBuilder::Scope scope(b, name);
  Value weight = b.parameter("weight", {in, out}, b.normal(std));
  Value bias = b.parameter("bias", {out}, b.constant(0.0));
  return b.named(name, b.linear(x, weight, bias));
}

Value Gpt2Builder::heads(Value qkv, int64_t part, StringRef name) {
  const int64_t width = config.n_embd;
  Value x = b.slice(qkv, 2, part * width, (part + 1) * width);
  x = b.reshape(x, {batch, seq, config.n_head, width / config.n_head});
  return b.named(name, b.transpose(x, {0, 2, 1, 3}));
}

Value Gpt2Builder::activation(Value x) {
  switch (config.activation_function) {
  case Activation::GeluTanh:
    return b.gelu(x, GeluForm::Tanh);
  case Activation::GeluExact:
    return b.gelu(x, GeluForm::Exact);
  case Activation::Relu:
    return b.op<ReluOp>(x);
  case Activation::Silu:
    return b.op<SiluOp>(x);
  }
  llvm_unreachable("every activation is handled");
}

OwningOpRef<ModuleOp> nova::buildGpt2(Location location, const Gpt2Config &config, int64_t batch, int64_t seq) {
  return Gpt2Builder(location, config, batch, seq).build();
}
