//===- Convolution.cpp - Convolution of images ----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpEvaluators.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::reference;

static LogicalResult evaluateConv2D(Conv2DOp op, OpCall &call) {
  const Tensor &images = call.tensor(0), &filters = call.tensor(1);
  std::vector<double> x = images.toDoubles(), weight = filters.toDoubles();
  ArrayRef<int64_t> shape = call.resultShape(), kernel = filters.getShape().drop_front(2);
  Shape xStrides = rowMajorStrides(images.getShape()), weightStrides = rowMajorStrides(filters.getShape());
  int64_t channels = filters.getSize(1), filtersOfGroup = filters.getSize(0) / op.getGroups();
  std::vector<double> result(elementCount(shape));
  Shape strides = rowMajorStrides(shape);
  for (int64_t position = 0; position < int64_t(result.size()); ++position) {
    auto at = [&](unsigned axis) { return position / strides[axis] % shape[axis]; };
    int64_t filter = at(1), group = filter / filtersOfGroup;
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t i = 0; i < kernel[0]; ++i)
        for (int64_t j = 0; j < kernel[1]; ++j) {
          int64_t row = at(2) * op.getStrides()[0] + i * op.getDilation()[0] - op.getPadding()[0];
          int64_t column = at(3) * op.getStrides()[1] + j * op.getDilation()[1] - op.getPadding()[1];
          if (row < 0 || row >= images.getSize(2) || column < 0 || column >= images.getSize(3))
            continue;
          result[position] +=
              x[at(0) * xStrides[0] + (group * channels + c) * xStrides[1] + row * xStrides[2] + column] *
              weight[filter * weightStrides[0] + c * weightStrides[1] + i * weightStrides[2] + j];
        }
  }
  call.yield(0, result);
  return success();
}

void reference::registerConvolution(EvaluatorTable &table) { table.add<Conv2DOp>(evaluateConv2D); }
