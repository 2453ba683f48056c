//===- ScheduledContract.cpp - Products by matrix instructions ------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduledEmitter.h"

using namespace mlir;
using namespace mlir::nova;

using Factor = MatrixIntrinsic::Factor;

/// Factors as `nvvm.mma.sync` takes them, in the order of registers.
static SmallVector<Value> factorsFor(ImplicitLocOpBuilder &b, const MatrixIntrinsic &intrinsic, ArrayRef<Value> words) {
  SmallVector<Value> factors;
  for (Value word : words) {
    if (intrinsic.factor == Factor::TF32)
      word = NVVM::ConvertFloatToTF32Op::create(b, b.getI32Type(), word, NVVM::FPRoundingMode::RNA);
    else if (intrinsic.factor == Factor::F16) // the only ones that the op wants as a vector
      word = LLVM::BitcastOp::create(b, VectorType::get({2}, b.getF16Type()), word);
    factors.push_back(word);
  }
  return factors;
}

LogicalResult ScheduledEmitter::emit(ContractOp contract) {
  const MatrixIntrinsic &intrinsic =
      *lookupIntrinsic(cast<FragmentAttr>(contract.getLhs().getType().getEncoding()).getIntrinsic());
  bool isPacked = intrinsic.factor != Factor::TF32;
  auto form = isPacked ? RegisterTile::Packed : RegisterTile::Computed;
  SmallVector<Value> lhs = factorsFor(b, intrinsic, registersOf(contract.getLhs(), form)),
                     rhs = factorsFor(b, intrinsic, registersOf(contract.getRhs(), form)),
                     sums = registersOf(contract.getSums(), RegisterTile::Computed);
  int64_t pack = isPacked ? 2 : 1;
  int64_t x = (1 << intrinsic.lhs.registers.size()) / pack, y = (1 << intrinsic.rhs.registers.size()) / pack, z = 4;
  // Registers number an instruction's own elements first, then instructions along K, then N, then M.
  int64_t steps = contract.getLhs().getType().getDimSize(1) / intrinsic.k;
  int64_t tall = lhs.size() / x / steps, wide = rhs.size() / y / steps;
  Type four = LLVM::LLVMStructType::getLiteral(b.getContext(), SmallVector<Type>(z, b.getF32Type()));
  auto type = intrinsic.factor == Factor::TF32   ? NVVM::MMATypes::tf32
              : intrinsic.factor == Factor::BF16 ? NVVM::MMATypes::bf16
                                                 : NVVM::MMATypes::f16;
  for (int64_t k = 0; k < steps; ++k)
    for (int64_t m = 0; m < tall; ++m)
      for (int64_t i = 0; i < wide; ++i) {
        int64_t n = m % 2 ? wide - 1 - i : i; // back and forth, so that one factor stays
        auto own = MutableArrayRef(sums).slice((m * wide + n) * z, z);
        auto product = NVVM::MmaOp::create(
            b, four, ArrayRef(lhs).slice((m * steps + k) * x, x), ArrayRef(rhs).slice((n * steps + k) * y, y),
            ValueRange(ArrayRef<Value>(own)), {intrinsic.m, intrinsic.n, intrinsic.k}, std::nullopt, std::nullopt,
            std::array{type, type}, std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
        for (int64_t e = 0; e < z; ++e)
          own[e] = LLVM::ExtractValueOp::create(b, product, e);
      }
  registers[contract.getResult()] = {sums, RegisterTile::Computed};
  return success();
}
