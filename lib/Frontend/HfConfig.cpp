//===- HfConfig.cpp - Programs from Hugging Face's configurations ---------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Frontend/HfConfig.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mlir;
using namespace mlir::nova;
namespace json = llvm::json;

/// Sizes beyond these are mistakes, and would take minutes to build or overflow element counts.
static constexpr int64_t kMaxSize = int64_t(1) << 24;
static constexpr int64_t kMaxLayers = 1024;
/// LLVM's JSON parser recurses without a limit.
static constexpr int kMaxNesting = 64;

namespace {
/// Reads fields of a configuration. The first use of a field that is wrong reports it; `ok` tells at the end.
class Reader {
public:
  Reader(StringRef text, StringRef fileName, MLIRContext *context) : text(text), fileName(fileName), context(context) {}

  LogicalResult parse();

  bool has(StringRef name) {
    return root.find(name) != root.end() && root.find(name)->second.kind() != json::Value::Null;
  }
  /// A positive size, `fallback` where the field is absent or null; without a fallback it must be there.
  int64_t size(StringRef name, std::optional<int64_t> fallback = std::nullopt, int64_t limit = kMaxSize);
  double number(StringRef name, double fallback, bool mayBeZero);
  bool boolean(StringRef name, bool fallback);
  StringRef string(StringRef name, StringRef fallback);

  /// Reports an error at a field, or at the start of the file if it is not there.
  InFlightDiagnostic error(StringRef name);
  InFlightDiagnostic warning(StringRef name) { return emitWarning(locate(name)); }
  bool ok() const { return !failed; }

private:
  LogicalResult checkNesting();
  const json::Value *get(StringRef name) { return has(name) ? &root.find(name)->second : nullptr; }
  Location at(unsigned line, unsigned column) { return FileLineColLoc::get(context, fileName, line, column); }
  Location locate(StringRef name);

  StringRef text, fileName;
  MLIRContext *context;
  json::Object root;
  bool failed = false;
};
} // namespace

static std::string print(const json::Value &value) { return llvm::formatv("{0}", value).str(); }

LogicalResult Reader::checkNesting() {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '{' || c == '['))
      ++depth;
    else if (!quoted && (c == '}' || c == ']'))
      --depth;
    if (depth > kMaxNesting)
      return emitError(at(1, 1)) << "expected a configuration, found JSON nested deeper than " << kMaxNesting
                                 << " levels";
  }
  return success();
}

LogicalResult Reader::parse() {
  if (mlir::failed(checkNesting()))
    return failure();
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    // The error's position is only in its text: "[line:column, byte=offset]: message".
    std::string message = llvm::toString(value.takeError());
    StringRef rest = message;
    unsigned line = 1, column = 1;
    if (rest.consume_front("[") && !rest.consumeInteger(10, line) && rest.consume_front(":") &&
        !rest.consumeInteger(10, column))
      rest = rest.split("]: ").second;
    return emitError(at(line, column)) << "malformed JSON: " << rest;
  }
  if (json::Object *object = value->getAsObject()) {
    root = std::move(*object);
    return success();
  }
  return emitError(at(1, 1)) << "expected a JSON object, found another value";
}

Location Reader::locate(StringRef name) {
  size_t position = text.find(("\"" + name + "\"").str());
  if (position == StringRef::npos)
    return at(1, 1);
  StringRef before = text.take_front(position);
  size_t lineStart = before.rfind('\n') + 1;
  return at(before.count('\n') + 1, position - lineStart + 1);
}

InFlightDiagnostic Reader::error(StringRef name) {
  failed = true;
  return emitError(locate(name));
}

int64_t Reader::size(StringRef name, std::optional<int64_t> fallback, int64_t limit) {
  const json::Value *value = get(name);
  if (!value) {
    if (!fallback)
      error(name) << "expected a field " << name << ", found none";
    return fallback.value_or(1);
  }
  std::optional<int64_t> number = value->getAsInteger();
  if (!number || *number < 1 || *number > limit) {
    error(name) << "expected " << name << " to be an integer from 1 to " << limit << ", found " << print(*value);
    return 1;
  }
  return *number;
}

double Reader::number(StringRef name, double fallback, bool mayBeZero) {
  const json::Value *value = get(name);
  if (!value)
    return fallback;
  std::optional<double> number = value->getAsNumber();
  if (!number || !std::isfinite(*number) || *number < 0 || (*number == 0 && !mayBeZero)) {
    error(name) << "expected " << name << " to be a finite number " << (mayBeZero ? "of at least" : "above")
                << " 0, found " << print(*value);
    return fallback;
  }
  return *number;
}

bool Reader::boolean(StringRef name, bool fallback) {
  const json::Value *value = get(name);
  if (value && !value->getAsBoolean())
    error(name) << "expected " << name << " to be true or false, found " << print(*value);
  return value ? value->getAsBoolean().value_or(fallback) : fallback;
}

StringRef Reader::string(StringRef name, StringRef fallback) {
  const json::Value *value = get(name);
  if (value && !value->getAsString())
    error(name) << "expected " << name << " to be a string, found " << print(*value);
  return value ? value->getAsString().value_or(fallback) : fallback;
}

//===----------------------------------------------------------------------===//
// GPT-2
//===----------------------------------------------------------------------===//

static Activation readActivation(Reader &reader) {
  StringRef name = reader.string("activation_function", "gelu_new");
  auto known = llvm::StringSwitch<std::optional<Activation>>(name)
                   .Cases({"gelu_new", "gelu_pytorch_tanh"}, Activation::GeluTanh)
                   .Case("gelu", Activation::GeluExact)
                   .Case("relu", Activation::Relu)
                   .Cases({"silu", "swish"}, Activation::Silu)
                   .Default(std::nullopt);
  if (!known)
    reader.error("activation_function") << "expected activation_function to be gelu_new, gelu_pytorch_tanh, gelu, relu "
                                           "or silu, found "
                                        << name;
  return known.value_or(Activation::GeluTanh);
}

/// The number of positions, which older configurations call `n_ctx`.
static int64_t readPositions(Reader &reader) {
  if (!reader.has("n_ctx"))
    return reader.size("n_positions");
  int64_t context = reader.size("n_ctx"), positions = reader.size("n_positions", context);
  if (positions != context)
    reader.error("n_ctx") << "expected n_ctx to be n_positions, " << positions << ", found " << context
                          << "; remove one of the two";
  return positions;
}

/// Fields that change what the model computes in a way that the program would not have.
static void checkUnsupported(Reader &reader) {
  if (reader.boolean("add_cross_attention", false))
    reader.error("add_cross_attention") << "expected add_cross_attention to be false: only decoders are supported";
  std::string dropouts;
  StringRef first;
  for (StringRef name : {"resid_pdrop", "embd_pdrop", "attn_pdrop"}) {
    if (reader.number(name, 0.0, /*mayBeZero=*/true) == 0.0)
      continue;
    first = first.empty() ? name : first;
    dropouts += (dropouts.empty() ? "" : ", ") + name.str();
  }
  if (!first.empty())
    reader.warning(first) << "dropout is left out, the program trains without it; set " << dropouts
                          << " to 0 to silence this warning";
}

FailureOr<Gpt2Config> nova::parseHfConfig(StringRef json, StringRef fileName, MLIRContext *context) {
  Reader reader(json, fileName, context);
  if (failed(reader.parse()))
    return failure();
  if (!reader.has("model_type") || reader.string("model_type", "gpt2") != "gpt2")
    return reader.error("model_type") << "expected model_type to be gpt2, found "
                                      << (reader.has("model_type") ? reader.string("model_type", "") : "none");

  Gpt2Config config;
  config.vocab_size = reader.size("vocab_size");
  config.n_positions = readPositions(reader);
  config.n_embd = reader.size("n_embd");
  config.n_layer = reader.size("n_layer", std::nullopt, kMaxLayers);
  config.n_head = reader.size("n_head");
  config.n_inner = reader.size("n_inner", 4 * config.n_embd, 4 * kMaxSize);
  config.activation_function = readActivation(reader);
  config.layer_norm_epsilon = reader.number("layer_norm_epsilon", 1e-5, /*mayBeZero=*/false);
  config.initializer_range = reader.number("initializer_range", 0.02, /*mayBeZero=*/true);
  config.tie_word_embeddings = reader.boolean("tie_word_embeddings", true);
  config.scale_attn_weights = reader.boolean("scale_attn_weights", true);
  config.scale_attn_by_inverse_layer_idx = reader.boolean("scale_attn_by_inverse_layer_idx", false);
  checkUnsupported(reader);
  if (reader.ok() && config.n_embd % config.n_head != 0)
    reader.error("n_head") << "expected n_embd to be a multiple of n_head, found " << config.n_embd << " and "
                           << config.n_head;
  if (!reader.ok())
    return failure();
  return config;
}

OwningOpRef<ModuleOp> nova::importHfConfig(StringRef json, StringRef fileName, MLIRContext *context, int64_t batch,
                                           int64_t seq) {
  FailureOr<Gpt2Config> config = parseHfConfig(json, fileName, context);
  if (failed(config))
    return {};
  Location location = FileLineColLoc::get(context, fileName, 1, 1);
  if (batch < 1 || batch > kMaxSize) {
    emitError(location) << "expected a batch from 1 to " << kMaxSize << ", found " << batch;
    return {};
  }
  if (seq == 0)
    seq = config->n_positions;
  if (seq < 1 || seq > config->n_positions) {
    emitError(location) << "expected a sequence length from 1 to n_positions, " << config->n_positions << ", found "
                        << seq;
    return {};
  }
  return buildGpt2(location, *config, batch, seq);
}
