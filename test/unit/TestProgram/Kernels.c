//===- Kernels.c - Kernels of the program that the tests run --------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By hand what the compiler would make of "predict the next token as w[token] + b, squared error, SGD with momentum".
// The sizes are those of TestProgram.h.
//
//===----------------------------------------------------------------------===//

#include <math.h>
#include <stdint.h>

enum { kBatch = 4, kLength = 8, kTokens = kBatch * kLength, kVocabulary = 128, kValuesPerBlock = 16 };

struct Status {
  int32_t code, operand;
  int64_t position, value, bound;
};

#define KERNEL(name)                                                                                                   \
  __attribute__((visibility("default"))) void name(void *const *args, void *scratch, struct Status *status,            \
                                                   int64_t first, int64_t last)

/// (w, b, x, y) -> (error, partial); a block is a row of the batch.
KERNEL(predict) {
  const float *w = args[0], *b = args[1];
  const int32_t *x = args[2], *y = args[3];
  float *error = args[4], *partial = args[5];
  for (int64_t row = first; row < last; ++row) {
    partial[row] = 0;
    for (int64_t i = row * kLength; i < (row + 1) * kLength; ++i) {
      if (x[i] < 0 || x[i] >= kVocabulary) {
        if (status->code == 0)
          *status = (struct Status){1, 2, i, x[i], kVocabulary};
        continue;
      }
      error[i] = w[x[i]] + b[0] - (float)y[i] / kVocabulary;
      partial[row] += error[i] * error[i];
    }
  }
}

/// (partial) -> (loss); one block.
KERNEL(mean) {
  const float *partial = args[0];
  float *loss = args[1];
  loss[0] = 0;
  for (int row = 0; row < kBatch; ++row)
    loss[0] += partial[row] / kTokens;
}

/// (x, error) -> (gradient of w); a block is 16 entries of the vocabulary, summed up in scratch.
KERNEL(gradient) {
  const int32_t *x = args[0];
  const float *error = args[1];
  float *out = args[2], *sums = scratch;
  for (int64_t block = first; block < last; ++block) {
    int64_t begin = block * kValuesPerBlock;
    for (int j = 0; j < kValuesPerBlock; ++j)
      sums[j] = 0;
    for (int i = 0; i < kTokens; ++i)
      if (x[i] >= begin && x[i] < begin + kValuesPerBlock)
        sums[x[i] - begin] += 2.0f / kTokens * error[i];
    for (int j = 0; j < kValuesPerBlock; ++j)
      out[begin + j] = sums[j];
  }
}

/// (error, gradient of w) -> (gradient of b, norm); one block.
KERNEL(norm) {
  const float *error = args[0], *gradient = args[1];
  float *ofB = args[2], *norm = args[3];
  ofB[0] = 0;
  for (int i = 0; i < kTokens; ++i)
    ofB[0] += 2.0f / kTokens * error[i];
  float squares = ofB[0] * ofB[0];
  for (int v = 0; v < kVocabulary; ++v)
    squares += gradient[v] * gradient[v];
  norm[0] = sqrtf(squares);
}

/// (w, momentum, gradient, lr) -> (); in place; a block is 16 entries.
KERNEL(update) {
  float *w = args[0], *momentum = args[1];
  const float *gradient = args[2], *lr = args[3];
  for (int64_t v = first * kValuesPerBlock; v < last * kValuesPerBlock; ++v) {
    momentum[v] = 0.9f * momentum[v] + gradient[v];
    w[v] -= lr[0] * momentum[v];
  }
}

/// (b, gradient, lr) -> (); in place; one block.
KERNEL(update_bias) {
  float *b = args[0];
  const float *gradient = args[1], *lr = args[2];
  b[0] -= lr[0] * gradient[0];
}

/// (a, constants) -> (a * constants[0] + constants[1]); a block is one of 6 elements.
KERNEL(affine) {
  const float *a = args[0], *constants = args[1];
  float *out = args[2];
  for (int64_t i = first; i < last; ++i)
    out[i] = a[i] * constants[0] + constants[1];
}
