//===- Compiler.h - The compiler as a shared library ------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C interface of libNovaCompiler.so, which nova-run opens only when it has to compile or to use the reference
// evaluator. Requests are JSON:
//
//   {"file": "train.mlir",        program, text or bytecode
//    "entry": "loss",             function to run or to train; "" for the only function
//    "train": true,               build the train step of "entry"
//    "targets": ["cpu", "sm_89"], images to make; ignored by the reference
//    "mode": "fused",             or "eager"
//    "shapes": ["x=8x64"],        of arguments of the entry whose types leave sizes open
//    "input_shapes": ["x=8x64"],  the same for arguments that "shapes" has not; others are ignored
//    "dtype": "f32",              or "bf16": mixed precision
//    "matmul_precision": "exact", or "tf32": products of f32 on tensor cores; "targets" then has a GPU, and a CPU's
//                                 part of the bundle stays exact
//    "optimizer": {"kind": "adamw", "momentum": 0.9, "beta1": 0.9, "beta2": 0.95, "eps": 1e-8, "weight_decay": 0.1,
//                  "clip": 1.0, "accumulate": 1, "nesterov": false},
//    "cpu": "native",             or an LLVM CPU name
//    "assemble": true,            machine code for GPUs beside PTX, where NVIDIA's assembler is found
//    "dump_ir": "DIR",            optional: IR after each level
//    "kernel_report": false}      optional: a table of kernels on the diagnostic stream
//
// Functions return 0, or the exit code of the error (1 diagnostic, 2 usage, 3 device) after at least one call of
// `diagnostic`.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_COMPILER_COMPILER_H
#define NOVA_COMPILER_COMPILER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NOVA_COMPILER_ABI 1

/// Receives bytes (not zero terminated); valid during the call only.
typedef void (*nova_sink)(void *context, const char *bytes, size_t size);

typedef struct nova_reference nova_reference;

/// NOVA_COMPILER_ABI of the library.
int nova_compiler_abi(void);
/// One line for --version: LLVM's version and the targets that it makes code for.
const char *nova_compiler_version(void);

/// Compiles; on success `bundle` is called once with the whole file.
int nova_compile(const char *request, nova_sink bundle, nova_sink diagnostic, void *context);

/// Opens the reference evaluator on a program; `tables` is called once with the tables as JSON (no kernels).
int nova_reference_open(const char *request, nova_reference **out, nova_sink tables, nova_sink diagnostic,
                        void *context);
/// Copies state tensor `index` into `data` or, with `write`, from it. State is zero until it is written.
int nova_reference_state(nova_reference *reference, size_t index, void *data, int write, nova_sink diagnostic,
                         void *context);
/// Runs an entry; inputs and outputs as for Executable::run.
int nova_reference_run(nova_reference *reference, size_t entry, const void *const *inputs, void *const *outputs,
                       nova_sink diagnostic, void *context);
void nova_reference_close(nova_reference *reference);

#ifdef __cplusplus
}
#endif

#endif // NOVA_COMPILER_COMPILER_H
