//===- ScheduleOps.cpp - Ops inside a block of a scheduled kernel ---------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Schedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <numeric>

using namespace mlir;
using namespace mlir::nova;

#define GET_OP_CLASSES
#include "Nova/Dialect/NovaScheduleOps.cpp.inc"

void NovaDialect::addScheduleOps() {
  addOperations<
#define GET_OP_LIST
#include "Nova/Dialect/NovaScheduleOps.cpp.inc"
      >();
}

bool nova::isScheduled(KernelOp kernel) {
  WalkResult walk = kernel.walk([](Operation *op) {
    return llvm::any_of(op->getResultTypes(), [](Type t) { return isInSharedMemory(t) || isInRegisters(t); })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

int64_t nova::knownDivisor(OpFoldResult offset) {
  constexpr int64_t kMost = 1024;
  if (auto constant = getConstantIntValue(offset))
    return std::gcd(*constant, kMost);
  Value index = cast<Value>(offset);
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent); loop && argument == loop.getInductionVar())
      return std::gcd(knownDivisor(loop.getLowerBound()), knownDivisor(loop.getStep()));
    if (auto grid = dyn_cast<scf::ForallOp>(parent)) {
      unsigned axis = argument.getArgNumber();
      if (axis < grid.getRank())
        return std::gcd(std::gcd(getConstantIntValue(grid.getMixedLowerBound()[axis]).value_or(1),
                                 getConstantIntValue(grid.getMixedStep()[axis]).value_or(1)),
                        kMost);
    }
    return 1;
  }
  Operation *op = index.getDefiningOp();
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return std::gcd(knownDivisor(op->getOperand(0)), knownDivisor(op->getOperand(1)));
  if (isa<arith::MulIOp>(op))
    return std::gcd(knownDivisor(op->getOperand(0)) * knownDivisor(op->getOperand(1)), kMost);
  return 1;
}

static int64_t bytesOf(RankedTensorType type) { return std::max<int64_t>(type.getElementTypeBitWidth() / 8, 1); }

int64_t nova::startAlignment(RankedTensorType type) {
  constexpr int64_t kAccess = 16;
  return std::gcd(kAccess / bytesOf(type), type.getNumElements());
}

int64_t nova::knownAlignment(RankedTensorType source, ArrayRef<OpFoldResult> offsets, int64_t elements) {
  int64_t aligned = std::gcd(elements, startAlignment(source)), stride = 1;
  for (int64_t axis = source.getRank() - 1; axis >= 0; --axis) {
    // Rows of a tile may begin at any row of the argument.
    aligned = std::gcd(aligned, stride * (axis == source.getRank() - 1 ? knownDivisor(offsets[axis]) : 1));
    stride *= source.getDimSize(axis);
  }
  return aligned * bytesOf(source);
}

//===----------------------------------------------------------------------===//
// Layouts of computations
//===----------------------------------------------------------------------===//

BitMap nova::projectLayout(const RegisterLayout &result, ArrayRef<int64_t> resultShape, AffineMap operandMap,
                           ArrayRef<int64_t> operandShape) {
  BitMap projected;
  for (unsigned i = 0; i < result.map.size(); ++i) {
    SmallVector<int64_t> at = coordinatesOf(resultShape, result.map[i]);
    uint32_t element = 0;
    for (auto [axis, expression] : llvm::enumerate(operandMap.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expression);
      element = element * operandShape[axis] + (loop ? at[loop.getPosition()] : 0);
    }
    projected.push_back(element);
  }
  return projected;
}

LogicalResult nova::verifyTileLayouts(IndexedOp op) {
  auto hasLayout = [](Value value) { return bool(tensorType(value).getEncoding()); };
  SmallVector<Value> operands(op.getTensorOperands());
  if (llvm::none_of(operands, hasLayout) && llvm::none_of(op->getResults(), hasLayout))
    return success();
  if (!op->getParentOfType<KernelOp>())
    return op->emitOpError("takes tiles with layouts only in a kernel");
  if (isa<TransposeOp>(op) && isInSharedMemory(op->getOperand(0).getType()))
    return success();
  if (!op->hasTrait<NovaElementwise>())
    return op->emitOpError(
        "takes no tiles with layouts; only elementwise ops, and transposes of tiles in shared memory, "
        "do");
  auto error = [&] { return op->emitOpError(); };
  for (auto [r, value] : llvm::enumerate(op->getResults())) {
    auto type = tensorType(value);
    FailureOr<RegisterLayout> layout = getRegisterLayout(type, error);
    if (failed(layout))
      return failure();
    for (auto [i, operand] : llvm::enumerate(operands)) {
      if (shapeOf(operand).empty() && !hasLayout(operand)) // a scalar is in every thread
        continue;
      FailureOr<RegisterLayout> own = getRegisterLayout(tensorType(operand), error);
      if (failed(own))
        return failure();
      if (own->registerBits != layout->registerBits ||
          !(own->map == projectLayout(*layout, type.getShape(), op.getOperandMap(i), shapeOf(operand))))
        return op->emitOpError("expected operand ")
               << i << " in the layout that its elements meet those of result " << r
               << " in; nova.convert_layout gives it another, #nova.part is that of "
                  "a broadcast one";
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Copies and loads
//===----------------------------------------------------------------------===//

/// A tile has the last axes of its argument, whose offsets and bounds are given.
template <typename Op> static LogicalResult verifySource(Op op) {
  RankedTensorType source = op.getSource().getType(), tile = op.getTile().getType();
  if (source.getEncoding() || !source.hasStaticShape())
    return op.emitOpError("expected a tensor of static shape without a layout as source, found ") << source;
  if (int64_t(op.getOffsets().size()) != source.getRank())
    return op.emitOpError("expected an offset for each of the source's ")
           << source.getRank() << " axes, found " << op.getOffsets().size();
  if (tile.getRank() > source.getRank() || tile.getElementType() != source.getElementType())
    return op.emitOpError("expected a tile of the source's last axes and element type, found ") << tile;
  if (int64_t(op.getInBounds().size()) != tile.getRank())
    return op.emitOpError("expected in_bounds for each of the tile's ")
           << tile.getRank() << " axes, found " << op.getInBounds().size();
  return success();
}

LogicalResult CopyAsyncOp::verify() {
  if (failed(verifySource(*this)))
    return failure();
  RankedTensorType tile = getTile().getType();
  auto error = [&] { return emitOpError(); };
  auto shared = getSharedLayout(tile, error);
  auto copied = getRegisterLayout(RankedTensorType::get(tile.getShape(), tile.getElementType(), getBy()), error);
  if (failed(shared) || failed(copied))
    return failure();
  // Neighbours in the argument, whose last axis is the tile's, must be neighbours in shared memory.
  int64_t width = int64_t(1) << std::min(
                      neighbourBits(*copied, shared->map), neighbourBits(*copied, [&] {
                        BitMap rowMajor;
                        for (unsigned i = 0; i < copied->map.size() && (int64_t(1) << i) < tile.getNumElements(); ++i)
                          rowMajor.push_back(uint32_t(1) << i);
                        return rowMajor;
                      }()));
  int64_t bytes = getBy().getElements().back() * tile.getElementTypeBitWidth() / 8;
  if (width != getBy().getElements().back() || ShapedType::getNumElements(getBy().getElements()) != width ||
      (bytes != 4 && bytes != 8 && bytes != 16))
    return emitOpError("expected threads to copy 4, 8 or 16 bytes that are neighbours on both sides, found ")
           << getBy() << " with " << width << " such elements";
  if (shared->every && (shared->every % width || shared->extra % width))
    return emitOpError("expected padding that keeps ") << bytes << " bytes aligned, found " << tile.getEncoding();
  int64_t alignment = knownAlignment(getSource().getType(), getAsOpFoldResult(getOffsets()), width);
  if (alignment < bytes)
    return emitOpError("expected the source's rows and offsets to be aligned to ")
           << bytes << " bytes, found " << alignment << "; fewer elements for each thread, or nova.load, need less";
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifySource(*this)))
    return failure();
  return failure(failed(getRegisterLayout(getTile().getType(), [&] { return emitOpError(); })));
}

//===----------------------------------------------------------------------===//
// Conversions and contractions
//===----------------------------------------------------------------------===//

ParseResult ConvertLayoutOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand x, room;
  Type from, to;
  if (parser.parseOperand(x))
    return failure();
  bool hasRoom = succeeded(parser.parseOptionalKeyword("into"));
  if ((hasRoom && parser.parseOperand(room)) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(from) || parser.parseArrow() || parser.parseType(to) ||
      parser.resolveOperand(x, from, result.operands) || (hasRoom && parser.resolveOperand(room, to, result.operands)))
    return failure();
  result.addTypes(to);
  return success();
}

void ConvertLayoutOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getX();
  if (getRoom())
    printer << " into " << getRoom();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getX().getType() << " -> " << getResult().getType();
}

void ConvertLayoutOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (isInSharedMemory(getX().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), SharedMemory::get());
  if (getRoom())
    effects.emplace_back(MemoryEffects::Write::get(), SharedMemory::get());
}

LogicalResult ConvertLayoutOp::verify() {
  RankedTensorType from = getX().getType(), to = getResult().getType();
  if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType())
    return emitOpError("expected another layout of the same tile, found ") << from << " and " << to;
  bool fromShared = isInSharedMemory(from), toShared = isInSharedMemory(to);
  if (fromShared && toShared)
    return emitOpError("expected registers on one side; what is in shared memory goes through them");
  if (toShared != bool(getRoom()) || (getRoom() && getRoom().getType() != to))
    return emitOpError("expected a room of the result's type exactly where the result is in shared memory");
  auto error = [&] { return emitOpError(); };
  auto layout = [&](RankedTensorType type, bool isShared) {
    return failure(isShared ? failed(getSharedLayout(type, error)) : failed(getRegisterLayout(type, error)));
  };
  if (failed(layout(from, fromShared)) || failed(layout(to, toShared)))
    return failure();
  if (fromShared || toShared)
    return success();
  Conversion how = conversionBetween(*getRegisterLayout(from), *getRegisterLayout(to));
  if (how == Conversion::None || how == Conversion::Registers)
    return success();
  return emitOpError("expected each thread to have its elements already, found ")
         << from.getEncoding() << " and " << to.getEncoding() << "; convert into shared memory, and from there";
}

LogicalResult ContractOp::verify() {
  RankedTensorType types[] = {getLhs().getType(), getRhs().getType(), getSums().getType()};
  FragmentAttr fragments[3];
  for (unsigned i = 0; i < 3; ++i) {
    fragments[i] = dyn_cast<FragmentAttr>(types[i].getEncoding());
    if (!fragments[i] || fragments[i].getOperand() != MatrixOperand(i) ||
        fragments[i].getIntrinsic() != fragments[0].getIntrinsic() ||
        fragments[i].getWarps() != fragments[0].getWarps())
      return emitOpError("expected fragments lhs, rhs and sums of one intrinsic and the same warps, found ")
             << types[i] << " as operand " << i;
    if (failed(getRegisterLayout(types[i], [&] { return emitOpError(); })))
      return failure();
  }
  if (!types[2].getElementType().isF32())
    return emitOpError("expected sums of f32, found ") << types[2];
  ArrayRef<int64_t> x = types[0].getShape(), y = types[1].getShape(), z = types[2].getShape();
  if (x[1] != y[0] || x[0] != z[0] || y[1] != z[1])
    return emitOpError("expected [M, K], [K, N] and [M, N], found ")
           << types[0] << ", " << types[1] << ", " << types[2];
  return success();
}
