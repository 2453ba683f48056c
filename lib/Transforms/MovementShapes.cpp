//===- MovementShapes.cpp - The shapes in which kernels move elements -----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelShapes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nova;

static int64_t product(ArrayRef<int64_t> shape) { return ShapedType::getNumElements(shape); }

static Attribute axesAttribute(Operation *op, ArrayRef<int64_t> axes) {
  return DenseI64ArrayAttr::get(op->getContext(), axes);
}
static Attribute axisAttribute(Operation *op, int64_t axis) {
  return IntegerAttr::get(IntegerType::get(op->getContext(), 64), axis);
}

//===----------------------------------------------------------------------===//
// Ops along axes
//===----------------------------------------------------------------------===//

namespace {
/// What happens along one axis, or several that are one: from a size to a size, and three numbers of the op.
struct Axis {
  int64_t from, to;
  int64_t a, b, c;
};
} // namespace

/// Folds the axes that an op leaves whole into the axis before them, if that one can take them. If none is left, a
/// kernel's tensors still have one: `single`.
static SmallVector<Axis> foldWholeAxes(ArrayRef<Axis> axes, const Axis &single,
                                       function_ref<bool(const Axis &)> isWhole,
                                       function_ref<bool(const Axis &)> canScale) {
  SmallVector<Axis> folded;
  for (const Axis &axis : axes) {
    if (isWhole(axis) && axis.from == 1)
      continue;
    if (folded.empty() || !isWhole(axis) || !canScale(folded.back())) {
      folded.push_back(axis);
      continue;
    }
    Axis &last = folded.back();
    for (int64_t *number : {&last.from, &last.to, &last.a, &last.b})
      *number *= axis.from;
  }
  if (folded.empty())
    folded.push_back(single);
  return folded;
}

static SmallVector<int64_t> field(ArrayRef<Axis> axes, int64_t Axis::*member) {
  return llvm::map_to_vector(axes, [&](const Axis &axis) { return axis.*member; });
}

static KernelShape sliceShape(SliceOp op) {
  SmallVector<Axis> axes;
  for (auto [from, to, start, limit, stride] :
       llvm::zip_equal(shapeOf(op.getX()), op.getType().getShape(), op.getStarts(), op.getLimits(), op.getStrides()))
    axes.push_back({from, to, start, limit, stride});
  axes = foldWholeAxes(
      axes, {1, 1, 0, 1, 1}, [](const Axis &axis) { return axis.from == axis.to; },
      [](const Axis &axis) { return axis.c == 1; });
  return {Family::Index,
          {field(axes, &Axis::from)},
          {field(axes, &Axis::to)},
          {{op.getStartsAttrName(), axesAttribute(op, field(axes, &Axis::a))},
           {op.getLimitsAttrName(), axesAttribute(op, field(axes, &Axis::b))},
           {op.getStridesAttrName(), axesAttribute(op, field(axes, &Axis::c))}}};
}

static KernelShape padShape(PadOp op) {
  SmallVector<Axis> axes;
  for (auto [from, to, low, high, interior] :
       llvm::zip_equal(shapeOf(op.getX()), op.getType().getShape(), op.getLow(), op.getHigh(), op.getInterior()))
    axes.push_back({from, to, low, high, interior});
  auto isWhole = [](const Axis &axis) { return axis.a == 0 && axis.b == 0 && axis.c == 0; };
  axes = foldWholeAxes(axes, {1, 1, 0, 0, 0}, isWhole, [](const Axis &axis) { return axis.c == 0; });
  return {Family::Index,
          {field(axes, &Axis::from), {}},
          {field(axes, &Axis::to)},
          {{op.getLowAttrName(), axesAttribute(op, field(axes, &Axis::a))},
           {op.getHighAttrName(), axesAttribute(op, field(axes, &Axis::b))},
           {op.getInteriorAttrName(), axesAttribute(op, field(axes, &Axis::c))}}};
}

/// [P, N] along axis 1: what lies behind the axis moves with it.
static KernelShape concatShape(ConcatOp op) {
  auto fold = [&](Value value) -> Shape {
    ArrayRef<int64_t> shape = shapeOf(value);
    return {product(shape.take_front(op.getAxis())), product(shape.drop_front(op.getAxis()))};
  };
  KernelShape shape;
  shape.family = Family::Index;
  for (Value input : op.getInputs())
    shape.operands.push_back(fold(input));
  shape.results.push_back(fold(op.getResult()));
  shape.attributes.emplace_back(op.getAxisAttrName(), axisAttribute(op, 1));
  return shape;
}

/// Axes that stay neighbours are one; those of size 1 are none.
static KernelShape transposeShape(TransposeOp op) {
  ArrayRef<int64_t> from = shapeOf(op.getX());
  SmallVector<SmallVector<int64_t>> groups; // The operand's axes, in the result's order.
  for (int64_t axis : op.getPermutation()) {
    if (from[axis] == 1)
      continue;
    auto follows = [&](int64_t last) { return last < axis && product(from.slice(last + 1, axis - last - 1)) == 1; };
    if (!groups.empty() && follows(groups.back().back()))
      groups.back().push_back(axis);
    else
      groups.push_back({axis});
  }
  if (groups.empty())
    groups.push_back({0});
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, groups.size())), permutation(groups.size());
  llvm::sort(order, [&](int64_t a, int64_t b) { return groups[a].front() < groups[b].front(); });
  auto sizeOf = [&](ArrayRef<int64_t> group) {
    int64_t size = 1;
    for (int64_t axis : group)
      size *= from[axis];
    return size;
  };
  KernelShape shape;
  shape.family = Family::Index;
  shape.operands.emplace_back();
  shape.results.emplace_back();
  for (auto [place, group] : llvm::enumerate(order)) {
    permutation[group] = place;
    shape.operands.front().push_back(sizeOf(groups[group]));
  }
  for (const auto &group : groups)
    shape.results.front().push_back(sizeOf(group));
  shape.attributes.emplace_back(op.getPermutationAttrName(), axesAttribute(op, permutation));
  return shape;
}

/// Neighbouring axes along which the operand repeats are one, and so are those along which it doesn't.
static KernelShape broadcastShape(BroadcastInDimOp op) {
  ArrayRef<int64_t> from = shapeOf(op.getX()), to = op.getType().getShape();
  Shape operand, result;
  SmallVector<int64_t> dims;
  std::optional<bool> last;
  for (auto [axis, size] : llvm::enumerate(to)) {
    if (size == 1)
      continue;
    auto *dim = llvm::find(op.getDims(), int64_t(axis));
    bool repeats = dim == op.getDims().end() || from[dim - op.getDims().begin()] == 1;
    if (last != repeats) {
      result.push_back(1);
      if (!repeats) {
        operand.push_back(1);
        dims.push_back(result.size() - 1);
      }
    }
    last = repeats;
    result.back() *= size;
    if (!repeats)
      operand.back() *= size;
  }
  if (result.empty())
    result.push_back(1);
  return {Family::Index, {operand}, {result}, {{op.getDimsAttrName(), axesAttribute(op, dims)}}};
}

/// The axis, and what lies before and behind it.
static KernelShape iotaShape(IotaOp op) {
  ArrayRef<int64_t> shape = op.getType().getShape();
  int64_t axis = op.getAxis(), outer = product(shape.take_front(axis)), inner = product(shape.drop_front(axis + 1));
  Shape result = {shape[axis]};
  if (outer != 1)
    result.insert(result.begin(), outer);
  if (inner != 1)
    result.push_back(inner);
  return {Family::Index, {}, {result}, {{op.getAxisAttrName(), axisAttribute(op, outer != 1)}}};
}

//===----------------------------------------------------------------------===//
// Ops by index
//===----------------------------------------------------------------------===//

/// Rows of a table [V, C], or [P, V, C] along axis 1, by a list of indices.
static KernelShape gatherShape(GatherOp op) {
  ArrayRef<int64_t> table = shapeOf(op.getTable());
  size_t axis = op.getAxis();
  int64_t outer = product(table.take_front(axis)), inner = product(table.drop_front(axis + 1));
  int64_t indices = op.getIndices().getType().getNumElements();
  Shape from = {table[axis], inner}, to = {indices, inner};
  if (axis != 0) {
    from.insert(from.begin(), outer);
    to.insert(to.begin(), outer);
  }
  Attribute newAxis = axis == 0 ? Attribute() : IntegerAttr::get(IntegerType::get(op.getContext(), 64), 1);
  return {Family::Index, {from, {indices}}, {to}, {{op.getAxisAttrName(), newAxis}}};
}

static KernelShape scatterAddShape(ScatterAddOp op) {
  ArrayRef<int64_t> into = shapeOf(op.getInto());
  int64_t inner = product(into.drop_front()), indices = op.getIndices().getType().getNumElements();
  Shape table = {into.front(), inner};
  return {Family::Index, {table, {indices}, {indices, inner}}, {table}, {}};
}

/// The shapes as they are.
static KernelShape dynamicPartShape(IndexedOp op) {
  KernelShape shape;
  shape.family = Family::Index;
  for (Value operand : op.getTensorOperands())
    shape.operands.emplace_back(shapeOf(operand));
  shape.results.emplace_back(shapeOf(op->getResult(0)));
  return shape;
}

/// Elements in row-major order along one axis, by which they are numbered.
static KernelShape randomShape(Operation *op) {
  return {Family::Index, {{}, {}}, {{product(shapeOf(op->getResult(0)))}}, {}};
}

std::optional<KernelShape> nova::getMovementShape(Operation *op) {
  using Result = std::optional<KernelShape>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([](SliceOp slice) { return Result(sliceShape(slice)); })
      .Case([](PadOp pad) { return Result(padShape(pad)); })
      .Case([](ConcatOp concat) { return Result(concatShape(concat)); })
      .Case([](TransposeOp transpose) { return Result(transposeShape(transpose)); })
      .Case([](BroadcastInDimOp broadcast) { return Result(broadcastShape(broadcast)); })
      .Case([](IotaOp iota) { return Result(iotaShape(iota)); })
      .Case([](GatherOp gather) { return Result(gatherShape(gather)); })
      .Case([](ScatterAddOp scatter) { return Result(scatterAddShape(scatter)); })
      .Case<DynamicSliceOp, DynamicUpdateSliceOp>([](auto part) { return Result(dynamicPartShape(part)); })
      .Case<RandomUniformOp, RandomNormalOp>([](auto random) { return Result(randomShape(random)); })
      .Default([](Operation *) { return std::nullopt; });
}
