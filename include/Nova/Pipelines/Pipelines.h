//===- Pipelines.h - The order of passes ------------------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pipeline takes a module from one level of IR to another (docs/Architecture.md). The options are those of the
// textual form: --nova-train-pipeline="function=loss clip=1.0".
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_PIPELINES_PIPELINES_H
#define NOVA_PIPELINES_PIPELINES_H

#include "Nova/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::nova {

/// Fused: the program is raised, and kernels hold as much as fits. Eager: the program as given, one kernel per op.
enum class Mode { Fused, Eager };

struct ModeOptions : virtual ::mlir::detail::PassOptions {
  Option<Mode> mode{
      *this, "mode", llvm::cl::desc("How much of the program a kernel holds"), llvm::cl::init(Mode::Fused),
      llvm::cl::values(clEnumValN(Mode::Fused, "fused", "Raise the program, and fuse what fits one kernel"),
                       clEnumValN(Mode::Eager, "eager", "The program as given, one kernel per op"))};
};

struct TrainPipelineOptions : PassPipelineOptions<TrainPipelineOptions>, ModeOptions {
  using PassPipelineOptions::Option;
  Option<std::string> dtype{*this, "dtype", llvm::cl::desc("f32, or bf16: --nova-mixed-precision"),
                            llvm::cl::init("f32")};
  Option<std::string> function{*this, "function", llvm::cl::desc("Name of the loss function"), llvm::cl::init("loss")};
  Option<std::string> optimizer{*this, "optimizer", llvm::cl::desc("Optimizer: adamw, adam or sgd"),
                                llvm::cl::init("adamw")};
  Option<double> momentum{*this, "momentum", llvm::cl::desc("Momentum of sgd"), llvm::cl::init(0.9)};
  Option<bool> nesterov{*this, "nesterov", llvm::cl::desc("Nesterov's momentum for sgd"), llvm::cl::init(false)};
  Option<double> beta1{*this, "beta1", llvm::cl::desc("Decay of the first moment"), llvm::cl::init(0.9)};
  Option<double> beta2{*this, "beta2", llvm::cl::desc("Decay of the second moment"), llvm::cl::init(0.95)};
  Option<double> eps{*this, "eps", llvm::cl::desc("Added to the root of the second moment"), llvm::cl::init(1e-8)};
  Option<double> weightDecay{*this, "weight-decay", llvm::cl::desc("Weight decay"), llvm::cl::init(0.1)};
  Option<double> clip{*this, "clip", llvm::cl::desc("Largest global norm of the gradients; 0: no clipping"),
                      llvm::cl::init(1.0)};
  Option<int64_t> accumulate{*this, "accumulate", llvm::cl::desc("Micro-batches of a step"), llvm::cl::init(1)};
};

/// L0 to L2: a loss and parameters to a train step.
void buildTrainPipeline(OpPassManager &manager, const TrainPipelineOptions &options);

/// L0 to L1: ops written in primitives become single ops. The eager mode keeps the program as it is.
void buildRaisePipeline(OpPassManager &manager, Mode mode);

/// Rounds what is kept between kernels to `dtype`; nothing for "f32".
void buildPrecisionPipeline(OpPassManager &manager, StringRef dtype);

struct CpuPipelineOptions : PassPipelineOptions<CpuPipelineOptions>, ModeOptions {
  using PassPipelineOptions::Option;
  Option<std::string> target{*this, "target", llvm::cl::desc("avx512, avx512_bf16, amx_bf16 or avx2"), llvm::cl::init("avx512")};
};

struct CudaPipelineOptions : PassPipelineOptions<CudaPipelineOptions>, ModeOptions {
  using PassPipelineOptions::Option;
  Option<std::string> chip{*this, "chip", llvm::cl::desc("sm_80, sm_86, sm_89 or sm_90"), llvm::cl::init("sm_89")};
  Option<MatmulPrecision> precision{
      *this, "matmul-precision", llvm::cl::desc("Products of f32"), llvm::cl::init(MatmulPrecision::Exact),
      llvm::cl::values(clEnumValN(MatmulPrecision::Exact, "exact", "In f32"),
                       clEnumValN(MatmulPrecision::Tf32, "tf32", "Of factors rounded to tf32"))};
};

/// L2 to L3, for any target: launches of kernels.
void buildKernelPipeline(OpPassManager &manager, StringRef target, Mode mode);
/// L3 to L4: configured, tiled kernels with addresses for everything that is launched on.
void buildTilePipeline(OpPassManager &manager, StringRef target,
                       MatmulPrecision precision = MatmulPrecision::Exact);
/// L4 to the level scheduled: the inside of a GPU's blocks, of kernels whose configuration names a strategy.
void buildSchedulePipeline(OpPassManager &manager);
/// L4 to L5: tiled kernels to functions of the LLVM dialect.
void buildCpuCodePipeline(OpPassManager &manager);
/// L4 or scheduled to L5: kernels to a `gpu.module` of the LLVM and NVVM dialects, the same for every architecture.
void buildCudaCodePipeline(OpPassManager &manager);
/// All of them in a row.
void buildCpuPipeline(OpPassManager &manager, const CpuPipelineOptions &options);
void buildCudaPipeline(OpPassManager &manager, const CudaPipelineOptions &options);

/// Registers the pipelines for tools that read pass pipelines: --nova-train-pipeline, --nova-cpu-pipeline,
/// --nova-cuda-pipeline.
void registerPipelines();

} // namespace mlir::nova

#endif // NOVA_PIPELINES_PIPELINES_H
