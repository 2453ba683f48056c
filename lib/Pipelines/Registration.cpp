//===- Registration.cpp - Pipelines by name -------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Pipelines/Pipelines.h"

#include "mlir/Pass/PassRegistry.h"

namespace mlir::nova {

void registerPipelines() {
  PassPipelineRegistration<TrainPipelineOptions>("nova-train-pipeline", "Program to train step (L0 to L2)",
                                                 buildTrainPipeline);
  PassPipelineRegistration<CpuPipelineOptions>(
      "nova-cpu-pipeline", "Train step or program to code for the CPU (L2 to L5)", buildCpuPipeline);
  PassPipelineRegistration<CudaPipelineOptions>(
      "nova-cuda-pipeline", "Train step or program to code for NVIDIA GPUs (L2 to L5)", buildCudaPipeline);
}

} // namespace mlir::nova
