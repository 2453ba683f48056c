//===- SpecializeShapes.cpp - From open sizes to static shapes ------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineCalls.h"
#include "Nova/Dialect/Nova.h"
#include "Nova/Transforms/Passes.h"
#include "VerifyLevel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nova {
#define GEN_PASS_DEF_SPECIALIZESHAPESPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

using Sizes = SmallVector<int64_t>;

static bool isOpen(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

//===----------------------------------------------------------------------===//
// Sizes that follow from operands
//===----------------------------------------------------------------------===//

/// The size of a tensor along a loop, where it has that loop and its type says.
static std::optional<int64_t> sizeAlong(Value tensor, AffineMap map, unsigned loop) {
  for (auto [axis, size] : llvm::enumerate(shapeOf(tensor)))
    if (!ShapedType::isDynamic(size) && nova::detail::loopOf(map, axis) == loop)
      return size;
  return std::nullopt;
}

/// The size of a loop as the operands give it. One that a broadcast would stretch is not told from one that it would
/// not, so the largest counts.
static std::optional<int64_t> sizeFromOperands(IndexedOp op, unsigned loop) {
  std::optional<int64_t> found;
  for (auto [i, operand] : llvm::enumerate(op.getTensorOperands()))
    if (std::optional<int64_t> size = sizeAlong(operand, op.getOperandMap(i), loop))
      found = std::max(found.value_or(0), *size);
  return found;
}

static Sizes inferFromLoops(IndexedOp op, OpResult result) {
  Sizes sizes(shapeOf(result));
  for (auto [axis, size] : llvm::enumerate(sizes))
    if (ShapedType::isDynamic(size))
      if (std::optional<unsigned> loop = nova::detail::loopOf(op.getResultMap(result.getResultNumber()), axis))
        size = sizeFromOperands(op, *loop).value_or(ShapedType::kDynamic);
  return sizes;
}

static Sizes inferPad(PadOp op) {
  Sizes sizes(shapeOf(op.getX()));
  for (auto [size, low, high, interior] : llvm::zip(sizes, op.getLow(), op.getHigh(), op.getInterior()))
    if (!ShapedType::isDynamic(size))
      size += low + high + std::max<int64_t>(size - 1, 0) * interior;
  return sizes;
}

static FailureOr<Sizes> inferReshape(ReshapeOp op) {
  if (isOpen(op.getX().getType()))
    return Sizes(shapeOf(op.getResult()));
  FailureOr<Sizes> sizes = op.resolveShape(shapeOf(op.getX()));
  if (failed(sizes))
    return op.emitOpError("expected as many elements as in ") << op.getType() << ", found " << op.getX().getType();
  return sizes;
}

/// The sizes that a type has by itself; ops of other dialects have results that are no tensors.
static Sizes getKnownSizes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Sizes(tensor.getShape()) : Sizes();
}

/// What the operands say of the results; sizes that stay open are left to later.
static LogicalResult inferResults(Operation *op, SmallVectorImpl<Sizes> &results) {
  if (auto infers = dyn_cast<InferTypeOpInterface>(op)) {
    SmallVector<Type> types;
    if (failed(infers.inferReturnTypes(op->getContext(), op->getLoc(), op->getOperands(), op->getAttrDictionary(),
                                       op->getPropertiesStorage(), op->getRegions(), types)))
      return failure();
    for (Type type : types)
      results.push_back(getKnownSizes(type));
    return success();
  }
  for (OpResult result : op->getResults()) {
    FailureOr<Sizes> sizes =
        TypeSwitch<Operation *, FailureOr<Sizes>>(op)
            .Case([](ReshapeOp reshape) { return inferReshape(reshape); })
            .Case([](PadOp pad) { return FailureOr<Sizes>(inferPad(pad)); })
            .Case([&](IndexedOp indexed) { return FailureOr<Sizes>(inferFromLoops(indexed, result)); })
            .Default([&](Operation *) { return FailureOr<Sizes>(getKnownSizes(result.getType())); });
    if (failed(sizes))
      return failure();
    results.push_back(std::move(*sizes));
  }
  return success();
}

/// Fills in what is open in the value's type; returns whether anything was.
static bool refine(Value value, ArrayRef<int64_t> sizes) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return false;
  Sizes shape(type.getShape());
  for (auto [size, found] : llvm::zip(shape, sizes))
    if (ShapedType::isDynamic(size))
      size = found;
  value.setType(type.clone(shape));
  return value.getType() != type;
}

/// One pass over the ops; returns whether it found anything.
static FailureOr<bool> inferForward(Block &block) {
  bool isChanged = false;
  for (Operation &op : block.without_terminator()) {
    if (llvm::none_of(op.getResultTypes(), isOpen))
      continue;
    SmallVector<Sizes> results;
    if (failed(inferResults(&op, results)))
      return failure();
    for (auto [result, sizes] : llvm::zip_equal(op.getResults(), results))
      isChanged |= refine(result, sizes);
  }
  return isChanged;
}

//===----------------------------------------------------------------------===//
// Sizes that follow from users
//===----------------------------------------------------------------------===//

namespace {
/// Looks for the size of an axis that no operand gives.
class UserSizes {
public:
  std::optional<int64_t> find(Value value, unsigned axis) {
    if (!ShapedType::isDynamic(shapeOf(value)[axis]))
      return shapeOf(value)[axis];
    if (!seen.insert({value, axis}).second)
      return std::nullopt;
    for (OpOperand &use : value.getUses())
      if (auto user = dyn_cast<IndexedOp>(use.getOwner()))
        if (std::optional<unsigned> loop = nova::detail::loopOf(user.getOperandMap(use.getOperandNumber()), axis))
          if (std::optional<int64_t> size = findAlong(user, *loop))
            return size;
    return std::nullopt;
  }

private:
  std::optional<int64_t> findAlong(IndexedOp op, unsigned loop) {
    if (std::optional<int64_t> size = sizeFromOperands(op, loop))
      return size;
    for (OpResult result : op->getResults())
      for (unsigned axis = 0, rank = shapeOf(result).size(); axis < rank; ++axis)
        if (nova::detail::loopOf(op.getResultMap(result.getResultNumber()), axis) == loop)
          if (std::optional<int64_t> size = find(result, axis))
            return size;
    return std::nullopt;
  }

  DenseSet<std::pair<Value, unsigned>> seen;
};
} // namespace

/// Of ops whose operands are all known: sizes that their users need. Returns whether anything was found.
static bool inferFromUsers(Block &block) {
  bool isChanged = false;
  for (Operation &op : block.without_terminator()) {
    if (!isa<IndexedOp>(op) || llvm::any_of(op.getOperandTypes(), isOpen))
      continue;
    for (Value result : op.getResults()) {
      if (!isOpen(result.getType()))
        continue;
      Sizes sizes(shapeOf(result));
      for (auto [axis, size] : llvm::enumerate(sizes))
        size = UserSizes().find(result, axis).value_or(ShapedType::kDynamic);
      isChanged |= refine(result, sizes);
    }
  }
  return isChanged;
}

/// Every size of a body whose arguments are known.
static LogicalResult inferBody(Block &block) {
  FailureOr<bool> isChanged = true;
  while (*isChanged) {
    isChanged = inferForward(block);
    if (failed(isChanged))
      return failure();
    // Only where operands say no more: what an operand says of a size of 1 is not to be overruled.
    *isChanged = *isChanged || inferFromUsers(block);
  }
  for (Operation &op : block)
    for (Type type : op.getResultTypes())
      if (isOpen(type))
        return op.emitOpError("expected sizes that follow from the arguments' shapes, found ")
               << type << "; write the size, or reshape to one that leaves a single size open";
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes that are given
//===----------------------------------------------------------------------===//

static std::string nameOf(func::FuncOp function, unsigned argument) {
  auto name = function.getArgAttrOfType<StringAttr>(argument, "nova.name");
  return name ? name.str() : "arg" + std::to_string(argument);
}

/// x=8x64: what stands before the last '=' is the name.
static FailureOr<std::pair<std::string, Sizes>> parseShape(Location location, StringRef text) {
  auto [name, list] = text.rsplit('=');
  Sizes sizes;
  SmallVector<StringRef> words;
  list.split(words, 'x');
  for (StringRef word : words)
    if (word.getAsInteger(10, sizes.emplace_back()) || sizes.back() < 0)
      return emitError(location, "expected the shape of an argument, such as x=8x64, found '") << text << "'";
  return std::pair(name.str(), sizes);
}

namespace {
struct SpecializeShapesPass : nova::impl::SpecializeShapesPassBase<SpecializeShapesPass> {
  using SpecializeShapesPassBase::SpecializeShapesPassBase;
  void runOnOperation() override;

private:
  LogicalResult readShapes(ArrayRef<func::FuncOp> functions);
  FailureOr<RankedTensorType> specializedType(func::FuncOp function, unsigned argument);
  LogicalResult specialize(func::FuncOp function);

  llvm::StringMap<Sizes> given, inputs;
};
} // namespace

LogicalResult SpecializeShapesPass::readShapes(ArrayRef<func::FuncOp> functions) {
  SmallVector<std::string> names;
  for (func::FuncOp function : functions)
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      names.push_back(nameOf(function, i));
  for (StringRef text : shapes) {
    auto shape = parseShape(getOperation().getLoc(), text);
    if (failed(shape))
      return failure();
    if (!llvm::is_contained(names, shape->first))
      return emitError(getOperation().getLoc(), "expected an argument '")
             << shape->first << "' to give the shape " << text << ", found "
             << (names.empty() ? "none" : llvm::join(names, ", "));
    if (!given.try_emplace(shape->first, shape->second).second)
      return emitError(getOperation().getLoc(), "expected one shape for argument '")
             << shape->first << "', found another one, " << text << "; leave one of them out";
  }
  for (StringRef text : inputShapes) {
    auto shape = parseShape(getOperation().getLoc(), text);
    if (failed(shape))
      return failure();
    inputs.try_emplace(shape->first, shape->second);
  }
  return success();
}

/// The type of an argument with the shape that was given.
FailureOr<RankedTensorType> SpecializeShapesPass::specializedType(func::FuncOp function, unsigned argument) {
  auto type = cast<RankedTensorType>(function.getArgumentTypes()[argument]);
  std::string name = nameOf(function, argument);
  Location location = function.getArgument(argument).getLoc();
  auto asked = given.find(name), input = inputs.find(name);
  if (asked == given.end() && type.hasStaticShape())
    return type;
  if (asked == given.end() && input == inputs.end()) {
    std::string example =
        name + "=" +
        llvm::join(llvm::map_range(type.getShape(),
                                   [](int64_t size) { return std::to_string(ShapedType::isDynamic(size) ? 8 : size); }),
                   "x");
    return emitError(location, "expected a shape for argument '")
           << name << "' of @" << function.getName() << ", whose type " << type << " leaves it open; give one, such as "
           << example;
  }
  RankedTensorType specialized = type.clone((asked == given.end() ? input : asked)->second);
  if (failed(verifyCompatibleShape(type, specialized)))
    return emitError(location, "expected a shape for argument '")
           << name << "' of @" << function.getName() << " that fits its type " << type << ", found " << specialized;
  if (!nova::detail::isPlainTensor(specialized))
    return emitError(location, "expected a shape for argument '")
           << name << "' of @" << function.getName() << " that memory can hold, found " << specialized;
  return specialized;
}

LogicalResult SpecializeShapesPass::specialize(func::FuncOp function) {
  SmallVector<Type> types;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    if (!isa<RankedTensorType>(type)) {
      types.push_back(type);
      continue;
    }
    FailureOr<RankedTensorType> specialized = specializedType(function, i);
    if (failed(specialized))
      return failure();
    types.push_back(*specialized);
  }
  auto findOpen = [](Operation *op) {
    return llvm::any_of(op->getResultTypes(), isOpen) ? WalkResult::interrupt() : WalkResult::advance();
  };
  if (TypeRange(types) == function.getArgumentTypes() && !function.walk(findOpen).wasInterrupted())
    return success();

  // The new body stands beside the old one until it is whole.
  Region body;
  Block &block = body.emplaceBlock();
  for (auto [argument, type] : llvm::zip_equal(function.getArguments(), types))
    block.addArgument(type, argument.getLoc());
  OpBuilder builder(&getContext());
  builder.setInsertionPointToEnd(&block);
  SymbolTableCollection symbols;
  FailureOr<SmallVector<Value>> results = cloneInlined(builder, function, block.getArguments(), symbols);
  if (failed(results))
    return failure();
  func::ReturnOp::create(builder, function.front().getTerminator()->getLoc(), *results);
  if (failed(inferBody(block)))
    return failure();
  function.getBody().takeBody(body);
  function.setFunctionType(builder.getFunctionType(types, ValueRange(*results).getTypes()));
  return success();
}

void SpecializeShapesPass::runOnOperation() {
  if (failed(verifyOneProgram(getOperation())))
    return signalPassFailure();
  given.clear();
  inputs.clear();
  SmallVector<func::FuncOp> functions;
  // A private function with open arguments has the shapes that each call gives it.
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (!function.isExternal() && (function.isPublic() || llvm::none_of(function.getArgumentTypes(), isOpen)))
      functions.push_back(function);
  if (failed(readShapes(functions)))
    return signalPassFailure();
  for (func::FuncOp function : functions)
    if (failed(specialize(function)))
      return signalPassFailure();
  // Whoever was called has been taken in.
  for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
    if (function.isPrivate() && SymbolTable::symbolKnownUseEmpty(function, getOperation()))
      function.erase();
}
