//===- ConstantData.cpp - Constants as bytes ------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantData.h"

#include "mlir/IR/DialectResourceBlobManager.h"

namespace mlir::nova {

static std::string toBytes(DenseElementsAttr elements) {
  // MLIR stores i1 packed, and a splat once.
  if (elements.getElementType().isInteger(1)) {
    auto values = elements.getValues<bool>();
    return std::string(values.begin(), values.end());
  }
  ArrayRef<char> raw = elements.getRawData();
  if (!elements.isSplat())
    return std::string(raw.begin(), raw.end());
  std::string bytes;
  bytes.reserve(raw.size() * elements.getNumElements());
  for (int64_t i = 0; i != elements.getNumElements(); ++i)
    bytes.append(raw.begin(), raw.end());
  return bytes;
}

FailureOr<std::string> constantBytes(ConstantOp constant) {
  if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue()))
    return toBytes(elements);
  // The elements of a resource come from the file: nobody has compared their size with the type yet.
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue())) {
    auto type = cast<RankedTensorType>(resource.getType());
    size_t expected = type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (blob && blob->getData().size() == expected)
      return std::string(blob->getData().begin(), blob->getData().end());
  }
  return constant.emitOpError("expected elements that are stored in the program, found ") << constant.getValue();
}

} // namespace mlir::nova
