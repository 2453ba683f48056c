//===- TestProgram.h - A bundle without a compiler --------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TEST_UNIT_TESTPROGRAM_TESTPROGRAM_H
#define NOVA_TEST_UNIT_TESTPROGRAM_TESTPROGRAM_H

#include "Nova/Runtime/Bundle.h"

constexpr int64_t kBatch = 4, kLength = 8, kVocabulary = 128;

/// Parameters "transformer.wte.weight" [128] and "transformer.b" [1], and entries
///   train_step(x, y: tensor<4x8xi32>, lr, step, seed) -> (loss, grad_norm),
///   loss(x, y) -> (loss),
///   affine(a: tensor<2x3xf32>) -> (result0 = 2 a + 1),
/// with the kernels of Kernels.c as image.
nova::Bundle testProgram();

/// The part of it that evaluates affine alone.
nova::Bundle affineProgram();

#endif // NOVA_TEST_UNIT_TESTPROGRAM_TESTPROGRAM_H
