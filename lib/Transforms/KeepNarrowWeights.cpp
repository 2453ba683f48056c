//===- KeepNarrowWeights.cpp - --nova-keep-narrow-weights -----------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelShapes.h"
#include "Nova/Transforms/Passes.h"
#include "VerifyLevel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::nova {
#define GEN_PASS_DEF_KEEPNARROWWEIGHTSPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

static bool isParameter(DictionaryAttr attributes) {
  auto role = attributes ? attributes.getAs<StringAttr>("nova.role") : nullptr;
  return role && role == "parameter" && attributes.getAs<StringAttr>("nova.name");
}

/// The casts of an argument to fewer bits.
static SmallVector<CastOp> getCopies(BlockArgument argument) {
  SmallVector<CastOp> casts;
  for (Operation *user : argument.getUsers())
    if (isNarrowing(user))
      casts.push_back(cast<CastOp>(user));
  return casts;
}

namespace {
struct KeepNarrowWeightsPass : nova::impl::KeepNarrowWeightsPassBase<KeepNarrowWeightsPass> {
  using KeepNarrowWeightsPassBase::KeepNarrowWeightsPassBase;
  void runOnOperation() override;

private:
  void findCopies(func::FuncOp function, const DenseSet<StringAttr> &updated);
  LogicalResult keepCopies(func::FuncOp function);

  llvm::MapVector<StringAttr, RankedTensorType> copies; ///< The copies' types by the parameter's name.
};
} // namespace

void KeepNarrowWeightsPass::findCopies(func::FuncOp function, const DenseSet<StringAttr> &updated) {
  for (BlockArgument argument : function.getArguments()) {
    DictionaryAttr attributes = function.getArgAttrDict(argument.getArgNumber());
    if (!isParameter(attributes) || !updated.contains(attributes.getAs<StringAttr>("nova.name")))
      continue;
    for (CastOp cast : getCopies(argument))
      copies.try_emplace(attributes.getAs<StringAttr>("nova.name"), cast.getType());
  }
}

/// The function takes the copies that it reads, and those of parameters that it updates, which it makes anew.
LogicalResult KeepNarrowWeightsPass::keepCopies(func::FuncOp function) {
  Operation *terminator = function.getBody().front().getTerminator();
  OpBuilder b(terminator);
  DenseMap<StringAttr, unsigned> resultOf;
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (DictionaryAttr attributes = function.getResultAttrDict(i); isParameter(attributes))
      resultOf[attributes.getAs<StringAttr>("nova.name")] = i;

  // All at once: a function's type and lists of attributes are made anew, and kept, for every change.
  SmallVector<Type> argumentTypes, resultTypes;
  SmallVector<DictionaryAttr> argumentAttributes, allResultAttributes;
  SmallVector<Location> locations;
  SmallVector<SmallVector<CastOp>> replaced;
  SmallVector<Value> returned;
  for (unsigned i = 0, end = function.getNumArguments(); i < end; ++i) {
    DictionaryAttr given = function.getArgAttrDict(i);
    auto name = isParameter(given) ? given.getAs<StringAttr>("nova.name") : nullptr;
    auto copy = name ? copies.find(name) : copies.end();
    if (copy == copies.end())
      continue;
    RankedTensorType type = copy->second;
    SmallVector<CastOp> casts = getCopies(function.getArgument(i));
    llvm::erase_if(casts, [&](CastOp cast) { return cast.getType() != type; });
    auto updated = resultOf.find(name);
    if (casts.empty() && updated == resultOf.end())
      continue;

    NamedAttrList attributes;
    attributes.set("nova.role", b.getStringAttr("narrow"));
    attributes.set("nova.name", name);
    DictionaryAttr resultAttributes = attributes.getDictionary(&getContext());
    Location loc = NameLoc::get(b.getStringAttr("narrow." + name.getValue()), function.getLoc());
    if (updated != resultOf.end()) {
      Value parameter = terminator->getOperand(updated->second);
      Value made = CastOp::create(b, parameter.getLoc(), type, parameter);
      attributes.set("nova.donated", b.getI64IntegerAttr(function.getNumResults() + resultTypes.size()));
      returned.push_back(made);
      resultTypes.push_back(type);
      allResultAttributes.push_back(resultAttributes);
    }
    argumentTypes.push_back(type);
    argumentAttributes.push_back(attributes.getDictionary(&getContext()));
    locations.push_back(loc);
    replaced.push_back(std::move(casts));
  }
  unsigned first = function.getNumArguments();
  terminator->insertOperands(terminator->getNumOperands(), returned);
  SmallVector<unsigned> results(resultTypes.size(), function.getNumResults()), arguments(argumentTypes.size(), first);
  if (failed(function.insertResults(results, resultTypes, allResultAttributes)) ||
      failed(function.insertArguments(arguments, argumentTypes, argumentAttributes, locations)))
    return failure();
  for (auto [number, casts] : llvm::enumerate(replaced))
    for (CastOp cast : casts) {
      cast.replaceAllUsesWith(function.getArgument(first + number));
      cast.erase();
    }
  return success();
}

void KeepNarrowWeightsPass::runOnOperation() {
  if (failed(verifyOneProgram(getOperation())))
    return signalPassFailure();
  SmallVector<func::FuncOp> functions;
  DenseSet<StringAttr> updated;
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (!function.getBody().hasOneBlock())
      continue;
    functions.push_back(function);
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      if (DictionaryAttr attributes = function.getResultAttrDict(i); isParameter(attributes))
        updated.insert(attributes.getAs<StringAttr>("nova.name"));
  }
  for (func::FuncOp function : functions)
    findCopies(function, updated);
  for (func::FuncOp function : functions)
    if (failed(keepCopies(function)))
      return signalPassFailure();
}
