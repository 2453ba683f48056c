//===- MatmulTensorCores.cpp - Matmul for tensor cores --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mma.sync multiplies 16 x 8 elements by 8 x 8 of them, spread over the lanes of a warp. With g = lane / 4 and t = lane
// % 4 a lane holds of the left factor the rows g and g + 8 at t and t + 4 along K, of the right one column g at the
// same places, of the sums the rows g and g + 8 at the columns 2 t and 2 t + 1. Factors are rounded to tf32 on their
// way into shared memory, once for all warps that read them.
//
//===----------------------------------------------------------------------===//

#include "MatmulPanels.h"

using namespace mlir;
using namespace mlir::nova;

namespace {
/// A warp stores a line of an operand that has K last.
constexpr int64_t kStep = TileEmitter::kWarp;
constexpr int64_t kRows = 16, kColumns = 8, kUnits = 8; // of an instruction
/// Between the lines of a panel, which has its operand's layout. The 8 x 4 units that a warp loads at once lie in
/// different banks: four lines go up by 8, or eight lines by 4, banks.
constexpr int64_t kPaddingOfK = 8, kPaddingOfExtent = 4;

class TensorCoreSums : public MatmulPanels {
public:
  TensorCoreSums(TileEmitter &e, MatmulOp op) : MatmulPanels(e, op, kStep, e.b.getI32Type()) {
    ArrayRef<int64_t> micro = e.kernel.getConfigAttr().getMicro();
    tall = micro[0] / kRows, wide = micro[1] / kColumns;
    for (Panel *panel : {&rows, &columns}) {
      // Lines of a multiple of 32 units: what is left of the banks is the padding.
      int64_t line =
          panel->kIsLast ? kStep + kPaddingOfExtent : llvm::alignTo(panel->extent, TileEmitter::kWarp) + kPaddingOfK;
      panel->strideOfK = panel->kIsLast ? 1 : line;
      panel->along = panel->kIsLast ? line : 1;
      allocate(*panel, line * (panel->kIsLast ? panel->extent : kStep));
    }
    Value warp = e.warpIndex(), lane = e.laneIndex(), across = e.cst(columns.extent / micro[1]);
    Value group = b.createOrFold<arith::DivUIOp>(lane, e.cst(4));
    inGroup = b.createOrFold<arith::RemUIOp>(lane, e.cst(4));
    firstRow = e.add(e.mul(b.createOrFold<arith::DivUIOp>(warp, across), micro[0]), group);
    firstColumn = e.mul(b.createOrFold<arith::RemUIOp>(warp, across), micro[1]);
    left = slot(rows, inGroup, firstRow);
    right = slot(columns, inGroup, e.add(firstColumn, group));
  }

private:
  SmallVector<Value> initial() override { return SmallVector<Value>(tall * wide * 4, e.constant(element, 0)); }

  Value toStored(Value element) override {
    return NVVM::ConvertFloatToTF32Op::create(b, b.getI32Type(), element, NVVM::FPRoundingMode::RNA);
  }

  SmallVector<Value> multiply(ValueRange sums) override {
    return e.carry(e.cst(0), e.cst(kStep), kUnits, sums, [&](Value k, ValueRange carried) {
      SmallVector<Value> x, y, next;
      for (int64_t r = 0; r < tall; ++r)
        for (int64_t kk : {0, 4})
          for (int64_t row : {0, 8})
            x.push_back(factor(rows, left, k, kk, r * kRows + row));
      for (int64_t c = 0; c < wide; ++c)
        for (int64_t kk : {0, 4})
          y.push_back(factor(columns, right, k, kk, c * kColumns));
      for (int64_t r = 0; r < tall; ++r)
        for (int64_t c = 0; c < wide; ++c)
          llvm::append_range(next, product(ValueRange(x).slice(4 * r, 4), ValueRange(y).slice(2 * c, 2),
                                           carried.slice(4 * (r * wide + c), 4)));
      return next;
    });
  }

  /// The element `kk` along K and `along` beyond the lane's first one of a step of the instruction.
  Value factor(const Panel &panel, Value first, Value k, int64_t kk, int64_t along) {
    Value offset = e.add(e.mul(k, panel.strideOfK), kk * panel.strideOfK + along * panel.along);
    return e.loadScalar(e.pointer(first, offset, b.getI32Type()), b.getI32Type());
  }

  SmallVector<Value> product(ValueRange x, ValueRange y, ValueRange sums) {
    Type four = LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(4, b.getF32Type()));
    auto type = NVVM::MMATypes::tf32;
    auto result = NVVM::MmaOp::create(b, four, x, y, sums, {kRows, kColumns, kUnits}, std::nullopt, std::nullopt,
                                      std::array{type, type}, std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
    SmallVector<Value> next;
    for (int64_t i = 0; i < 4; ++i)
      next.push_back(LLVM::ExtractValueOp::create(b, result, i));
    return next;
  }

  std::pair<Value, Value> positionOf(size_t sum) override {
    int64_t tile = sum / 4, r = tile / wide, c = tile % wide;
    int64_t row = r * kRows + (sum % 4 / 2) * 8, column = c * kColumns + sum % 2;
    return {e.add(firstRow, row), e.add(e.add(firstColumn, e.mul(inGroup, 2)), column)};
  }

  int64_t tall, wide; // products of a warp's tile
  Value inGroup, firstRow, firstColumn;
  Value left, right; // the lane's first elements in the panels
};
} // namespace

std::unique_ptr<MatmulPanels> nova::createTensorCoreSums(TileEmitter &e, MatmulOp op) {
  return std::make_unique<TensorCoreSums>(e, op);
}
