//===- Convolution.cpp - Convolution as a matrix product ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The patches of an image are the columns of a matrix with a row for each channel and place of the filter: a filter's
// product with it is its convolution. Gradients are the two other products of the three matrices.
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"
#include "Shapes.h"

using namespace mlir;
using namespace mlir::nova;
using namespace mlir::nova::detail;

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

LogicalResult Conv2DOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  RankedTensorType x = tensorType(adaptor.getX()), weight = tensorType(adaptor.getWeight());
  if (x.getRank() != 4 || weight.getRank() != 4)
    return emitOptionalError(location, "expected images [N, C, H, W] and filters [O, C / groups, KH, KW], found ", x,
                             " and ", weight);
  ArrayRef<int64_t> strides = adaptor.getStrides(), padding = adaptor.getPadding(), dilation = adaptor.getDilation();
  auto isEach = [](ArrayRef<int64_t> numbers, int64_t least) {
    // Far below where sizes could overflow.
    return numbers.size() == 2 && llvm::all_of(numbers, [&](int64_t n) { return n >= least && n <= (1 << 30); });
  };
  if (!isEach(strides, 1) || !isEach(dilation, 1) || !isEach(padding, 0))
    return emitOptionalError(location,
                             "expected two positive strides and dilations and two paddings of at least 0, "
                             "found [",
                             strides, "], [", dilation, "] and [", padding, "]");
  if (!weight.hasStaticShape() || x.isDynamicDim(1))
    return emitOptionalError(location, "expected static sizes of filters and channels, found ", x, " and ", weight);
  int64_t groups = adaptor.getGroups(), filters = weight.getDimSize(0);
  if (x.getDimSize(1) % groups || x.getDimSize(1) / groups != weight.getDimSize(1) || filters % groups)
    return emitOptionalError(location, "expected ", groups, " groups to divide ", x.getDimSize(1), " channels and ",
                             filters, " filters, and filters of as many channels as a group has, found ", weight);
  SmallVector<int64_t> shape = {x.getDimSize(0), filters};
  for (unsigned i : {0, 1}) {
    int64_t size = x.getDimSize(2 + i), kernel = weight.getDimSize(2 + i);
    if (ShapedType::isDynamic(size)) {
      shape.push_back(size);
      continue;
    }
    int64_t span = size + 2 * padding[i] - dilation[i] * (kernel - 1) - 1;
    if (kernel < 1 || span < 0)
      return emitOptionalError(location, "expected filters of a size of at least 1 that fit the padded image, found ",
                               kernel, " for ", size, " along axis ", 2 + i);
    shape.push_back(span / strides[i] + 1);
  }
  types.push_back(x.clone(shape));
  return success();
}

//===----------------------------------------------------------------------===//
// Patches
//===----------------------------------------------------------------------===//

namespace {
/// The matrices of a convolution of static shape, for each image and group.
class Patches {
public:
  Patches(Conv2DOp op, ImplicitLocOpBuilder &b)
      : op(op), b(b), image(op.getX().getType()), weight(op.getWeight().getType()), result(op.getType()),
        groups(op.getGroups()), channels(weight.getDimSize(1)), places(weight.getDimSize(2) * weight.getDimSize(3)),
        positions(result.getDimSize(2) * result.getDimSize(3)) {}

  /// The patches [N, groups, channels * places, positions] of an image.
  Value gather(Value x) {
    if (llvm::any_of(op.getPadding(), [](int64_t p) { return p != 0; }))
      x = PadOp::create(b, b.getLoc(), image.clone(paddedShape()), x, zero(), both(0, op.getPadding()),
                        both(0, op.getPadding()), both(0, {0, 0}), /*origin=*/ValueRange());
    SmallVector<Value> parts;
    forEachPlace([&](ArrayRef<int64_t> starts, ArrayRef<int64_t> limits) {
      auto type = image.clone({image.getDimSize(0), image.getDimSize(1), result.getDimSize(2), result.getDimSize(3)});
      Value part = SliceOp::create(b, b.getLoc(), type, x, starts, limits, both(1, op.getStrides()),
                                   /*origin=*/ValueRange());
      parts.push_back(reshape(part, {image.getDimSize(0), groups, channels, 1, positions}));
    });
    auto all = image.clone({image.getDimSize(0), groups, channels, places, positions});
    Value joined = ConcatOp::create(b, b.getLoc(), all, parts, /*axis=*/3, /*origin=*/ValueRange());
    return reshape(joined, {image.getDimSize(0), groups, channels * places, positions});
  }

  /// The gradient of an image from that of its patches: each element's, added up over the patches that it is in.
  Value scatter(Value patches) {
    patches = reshape(patches, {image.getDimSize(0), groups, channels, places, positions});
    SmallVector<int64_t> padded = paddedShape();
    Value sum;
    int64_t place = 0;
    forEachPlace([&](ArrayRef<int64_t> starts, ArrayRef<int64_t> limits) {
      SmallVector<int64_t> from(5, 0), to(shapeOf(patches));
      from[3] = place++;
      to[3] = place;
      Value part = reshape(SliceOp::create(b, b.getLoc(), patches, from, to),
                           {image.getDimSize(0), image.getDimSize(1), result.getDimSize(2), result.getDimSize(3)});
      SmallVector<int64_t> high, interior = {0, 0, op.getStrides()[0] - 1, op.getStrides()[1] - 1};
      for (auto [size, limit] : llvm::zip_equal(padded, limits))
        high.push_back(size - limit);
      part = PadOp::create(b, b.getLoc(), image.clone(padded), part, zero(), starts, high, interior,
                           /*origin=*/ValueRange());
      sum = sum ? AddOp::create(b, b.getLoc(), sum, part).getResult() : part;
    });
    SmallVector<int64_t> from = both(0, op.getPadding()), to(image.getShape());
    for (unsigned axis : {2, 3})
      to[axis] += from[axis];
    return tensorType(sum) == image ? sum : SliceOp::create(b, b.getLoc(), sum, from, to).getResult();
  }

  /// Filters [groups, O / groups, channels * places].
  Value filters() { return reshape(op.getWeight(), {groups, weight.getDimSize(0) / groups, channels * places}); }
  /// A tensor of the result's shape as [N, groups, O / groups, positions].
  Value asProduct(Value y) {
    return reshape(y, {image.getDimSize(0), groups, weight.getDimSize(0) / groups, positions});
  }
  Value reshape(Value x, ArrayRef<int64_t> shape) { return reshapeTo(b, x, tensorType(x).clone(shape)); }

private:
  /// Where the first and one behind the last element lie that a place of the filter sees, in the padded image.
  void forEachPlace(function_ref<void(ArrayRef<int64_t>, ArrayRef<int64_t>)> body) {
    for (int64_t row = 0; row < weight.getDimSize(2); ++row)
      for (int64_t column = 0; column < weight.getDimSize(3); ++column) {
        SmallVector<int64_t> starts = {0, 0, row * op.getDilation()[0], column * op.getDilation()[1]};
        SmallVector<int64_t> limits = {image.getDimSize(0), image.getDimSize(1)};
        for (unsigned i : {0, 1})
          limits.push_back(starts[2 + i] + (result.getDimSize(2 + i) - 1) * op.getStrides()[i] + 1);
        body(starts, limits);
      }
  }
  SmallVector<int64_t> paddedShape() {
    SmallVector<int64_t> shape(image.getShape());
    for (unsigned i : {0, 1})
      shape[2 + i] += 2 * op.getPadding()[i];
    return shape;
  }
  /// A number for each axis of an image.
  static SmallVector<int64_t> both(int64_t outer, ArrayRef<int64_t> inner) {
    return {outer, outer, inner[0], inner[1]};
  }
  Value zero() {
    auto type = RankedTensorType::get({}, image.getElementType());
    return ConstantOp::create(b, b.getLoc(), DenseElementsAttr::get(type, b.getZeroAttr(image.getElementType())));
  }

  Conv2DOp op;
  ImplicitLocOpBuilder &b;
  RankedTensorType image, weight, result;
  int64_t groups, channels, places, positions;
};
} // namespace

static Value matmul(ImplicitLocOpBuilder &b, Value lhs, bool transposeLhs, Value rhs, bool transposeRhs) {
  return MatmulOp::create(b, b.getLoc(), lhs, rhs, transposeLhs, transposeRhs, /*accumulate=*/TypeAttr());
}

void Conv2DOp::decompose(ImplicitLocOpBuilder &b, SmallVectorImpl<Value> &results) {
  Patches patches(*this, b);
  Value product = matmul(b, patches.filters(), false, patches.gather(getX()), false);
  results.push_back(patches.reshape(product, getType().getShape()));
}

LogicalResult Conv2DOp::buildGradient(ImplicitLocOpBuilder &b, ValueRange dys, MutableArrayRef<Value> dxs) {
  if (failed(requireStaticShapes(*this)))
    return failure();
  Patches patches(*this, b);
  Value dy = patches.asProduct(dys[0]);
  dxs[0] = patches.scatter(matmul(b, patches.filters(), true, dy, false));
  Value dFilters = matmul(b, dy, false, patches.gather(getX()), true);
  dxs[1] = sumOver(b, dFilters, {0}, getWeight().getType());
  return success();
}
