//===- Request.cpp - What is asked of the compiler ------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Compiler/Compile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>

namespace json = llvm::json;

namespace mlir::nova {

/// A key that nobody reads is a flag that has no effect: an error.
static bool checkKeys(const json::Value &value, ArrayRef<StringRef> known, json::Path path) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return true;
  for (const auto &entry : *object)
    if (!llvm::is_contained(known, StringRef(entry.first))) {
      path.field(entry.first).report("unknown key");
      return false;
    }
  return true;
}

static bool readOptimizer(const json::Value &value, TrainPipelineOptions &step, json::Path path) {
  std::string kind = step.optimizer;
  double beta1 = step.beta1, beta2 = step.beta2, eps = step.eps, weightDecay = step.weightDecay, clip = step.clip;
  double momentum = step.momentum;
  bool nesterov = step.nesterov;
  int64_t accumulate = step.accumulate;
  json::ObjectMapper map(value, path);
  constexpr StringRef keys[] = {"kind", "momentum",     "nesterov", "beta1",     "beta2",
                                "eps",  "weight_decay", "clip",     "accumulate"};
  if (!map || !checkKeys(value, keys, path) || !map.mapOptional("kind", kind) ||
      !map.mapOptional("momentum", momentum) || !map.mapOptional("nesterov", nesterov) ||
      !map.mapOptional("beta1", beta1) || !map.mapOptional("beta2", beta2) || !map.mapOptional("eps", eps) ||
      !map.mapOptional("weight_decay", weightDecay) || !map.mapOptional("clip", clip) ||
      !map.mapOptional("accumulate", accumulate))
    return false;
  step.optimizer = kind;
  step.beta1 = beta1;
  step.beta2 = beta2;
  step.eps = eps;
  step.weightDecay = weightDecay;
  step.clip = clip;
  step.momentum = momentum;
  step.nesterov = nesterov;
  step.accumulate = accumulate;
  return true;
}

static bool readRequest(const json::Value &value, CompileRequest &request, json::Path path) {
  constexpr StringRef keys[] = {"file",         "entry",           "train", "targets", "mode",     "dtype",
                                "shapes",       "optimizer",       "cpu",   "dump_ir", "assemble", "kernel_report",
                                "input_shapes", "matmul_precision"};
  std::string mode = "fused", dtype = request.step.dtype, precision = "exact";
  json::ObjectMapper map(value, path);
  if (!map || !checkKeys(value, keys, path) || !map.map("file", request.file) ||
      !map.mapOptional("entry", request.entry) || !map.mapOptional("train", request.train) ||
      !map.mapOptional("targets", request.targets) || !map.mapOptional("shapes", request.shapes) ||
      !map.mapOptional("input_shapes", request.inputShapes) || !map.mapOptional("mode", mode) ||
      !map.mapOptional("dtype", dtype) || !map.mapOptional("matmul_precision", precision) ||
      !map.mapOptional("cpu", request.cpu) || !map.mapOptional("dump_ir", request.dumpFolder) ||
      !map.mapOptional("kernel_report", request.kernelReport) || !map.mapOptional("assemble", request.assemble))
    return false;
  if (mode != "fused" && mode != "eager") {
    path.field("mode").report("expected fused or eager");
    return false;
  }
  request.step.mode = mode == "eager" ? Mode::Eager : Mode::Fused;
  if (dtype != "f32" && dtype != "bf16") {
    path.field("dtype").report("expected f32 or bf16");
    return false;
  }
  request.step.dtype = dtype;
  if (precision != "exact" && precision != "tf32") {
    path.field("matmul_precision").report("expected exact or tf32");
    return false;
  }
  request.matmulPrecision = precision == "tf32" ? MatmulPrecision::Tf32 : MatmulPrecision::Exact;
  const json::Value *optimizer = value.getAsObject()->get("optimizer");
  return !optimizer || readOptimizer(*optimizer, request.step, path.field("optimizer"));
}

llvm::Error parseRequest(StringRef text, CompileRequest &request) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  json::Path::Root root("request");
  if (readRequest(*value, request, root))
    return llvm::Error::success();
  return root.getError();
}

llvm::Expected<BundleTargets> lookUpTargets(const CompileRequest &request) {
  BundleTargets targets;
  for (StringRef name : request.targets) {
    if (name == "cpu") {
      llvm::Expected<CpuTarget> cpu = lookUpCpu(request.cpu);
      if (!cpu)
        return cpu.takeError();
      targets.cpu = std::move(*cpu);
      continue;
    }
    if (!name.starts_with("sm_"))
      return llvm::createStringError("unknown target '" + name + "'; expected cpu or a GPU such as sm_89");
    llvm::Expected<GpuTarget> gpu = lookUpGpu(name);
    if (!gpu)
      return gpu.takeError();
    if (llvm::none_of(targets.gpus, [&](const GpuTarget &other) { return other.name == gpu->name; }))
      targets.gpus.push_back(*gpu);
  }
  if (!targets.cpu && targets.gpus.empty())
    return llvm::createStringError("expected a target to compile for, found none; name cpu or a GPU such as sm_89");
  if (request.matmulPrecision == MatmulPrecision::Tf32 && targets.gpus.empty())
    return llvm::createStringError("expected a GPU such as sm_89 as target with matmul precision tf32, found only cpu, "
                                   "whose products are exact; name one, or leave the precision out");
  return targets;
}

std::map<std::string, std::string> describeOptions(const CompileRequest &request, bool isForGpu) {
  bool isTf32 = isForGpu && request.matmulPrecision == MatmulPrecision::Tf32;
  std::map<std::string, std::string> options = {{"mode", request.step.mode == Mode::Eager ? "eager" : "fused"},
                                                {"dtype", request.step.dtype},
                                                {"matmul_precision", isTf32 ? "tf32" : "exact"}};
  if (!request.programHash.empty())
    options["program"] = request.programHash;
  if (!request.entry.empty())
    options["entry"] = request.entry;
  if (!request.train)
    return options;
  options["accumulate"] = std::to_string(request.step.accumulate);
  if (request.isBuiltStep)
    return options;
  // The shortest text that reads back as the same number.
  auto number = [](double value) {
    char text[32];
    return std::string(text, std::to_chars(text, text + sizeof(text), value).ptr);
  };
  options["optimizer"] = request.step.optimizer;
  options["beta1"] = number(request.step.beta1);
  options["beta2"] = number(request.step.beta2);
  options["eps"] = number(request.step.eps);
  options["weight_decay"] = number(request.step.weightDecay);
  options["clip"] = number(request.step.clip);
  options["momentum"] = number(request.step.momentum);
  options["nesterov"] = request.step.nesterov ? "true" : "false";
  return options;
}

} // namespace mlir::nova
