//===- FormKernels.cpp - Every computation in a kernel --------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineCalls.h"
#include "KernelOutliner.h"
#include "Nova/Transforms/Passes.h"
#include "PlaceCasts.h"
#include "VerifyLevel.h"
#include "Views.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>

namespace mlir::nova {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

static LogicalResult verifyFunction(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("expected a function without branches");
  auto verifyTypes = [&](Operation *op, TypeRange types) -> LogicalResult {
    for (Type type : types) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor)
        return op->emitOpError("expected tensors, found ")
               << type << "; a kernel takes a number as a tensor of rank 0, such as tensor<f32>";
      if (!tensor.hasStaticShape())
        return op->emitOpError("expected tensors of static shape, found ")
               << type << "; nova-specialize-shapes gives arguments static ones";
    }
    return success();
  };
  if (failed(verifyTypes(function, function.getArgumentTypes())))
    return failure();
  for (Operation &op : function.getBody().front()) {
    if (isa<LaunchOp>(op))
      return op.emitOpError("launches a kernel already; expected --nova-form-kernels to run once, on a program without "
                            "kernels");
    if (failed(verifyTypes(&op, op.getResultTypes())))
      return failure();
  }
  return success();
}

static void eraseDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

//===----------------------------------------------------------------------===//
// Copies: tensors that must have memory of their own
//===----------------------------------------------------------------------===//

/// A computation that copies a tensor: the broadcast of itself, or of a constant's element.
static Value buildCopy(OpBuilder &b, Value value) {
  RankedTensorType type = tensorType(value), flat = type.clone({type.getNumElements()});
  Location loc = value.getLoc();
  DenseElementsAttr elements;
  Value copy;
  // The broadcast of a scalar to one element would be a view.
  if (type.getNumElements() != 1 && matchPattern(value, m_Constant(&elements)) && elements.isSplat()) {
    auto scalar = RankedTensorType::get({}, type.getElementType());
    Value element = ConstantOp::create(b, loc, elements.resizeSplat(scalar));
    copy = BroadcastInDimOp::create(b, loc, flat, element, ArrayRef<int64_t>());
  } else {
    Value source = type == flat ? value : ReshapeOp::create(b, loc, flat, value).getResult();
    copy = BroadcastInDimOp::create(b, loc, flat, source, ArrayRef<int64_t>({0}));
  }
  return type == flat ? copy : ReshapeOp::create(b, loc, type, copy).getResult();
}

namespace {
/// Whose memory a tensor is in.
enum class Owner { Launch, State, Io, Other };
} // namespace

/// Where all of a tensor comes from: a launch, the state, another argument. Constants and parts of tensors are `Other`.
static Owner getOwner(Value value) {
  Value source = skipReshapes(value);
  if (auto argument = dyn_cast<BlockArgument>(source)) {
    auto function = cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    auto role = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "nova.role");
    return role && isStateRole(role) ? Owner::State : Owner::Io;
  }
  Operation *op = source.getDefiningOp();
  return isa<ConstantOp, ReadOp>(op) || isView(op) ? Owner::Other : Owner::Launch;
}

/// Whether the concat packs what an optimizer updates.
static bool isUpdated(ConcatOp concat) {
  return !allConsumers(concat, [](Operation *user) { return !user->hasTrait<NovaOptimizer>(); });
}

/// Whether all operands are arguments that can lie side by side. The optimizer's packs say how the state lies in all
/// functions; other concats of it are copies.
static bool canPackArguments(ConcatOp concat, const DenseSet<Value> &placed) {
  DenseSet<Value> sources;
  Owner owner = getOwner(concat.getInputs().front());
  return (owner == Owner::Io || (owner == Owner::State && isUpdated(concat))) &&
         llvm::all_of(concat.getInputs(), [&](Value input) {
           Value source = skipReshapes(input);
           return getOwner(source) == owner && !placed.contains(source) && sources.insert(source).second;
         });
}

/// The memory plan lays the operands of a contiguous concat side by side. It can do so for arguments of one owner, or
/// for what launches make, if they lie nowhere else and the function doesn't return them; others are copied.
static void copyUnplaceable(ConcatOp concat, const DenseSet<Value> &returned, DenseSet<Value> &placed) {
  if (canPackArguments(concat, placed)) {
    for (Value input : concat.getInputs())
      placed.insert(skipReshapes(input));
    return;
  }
  OpBuilder b(concat);
  for (OpOperand &operand : concat.getInputsMutable()) {
    Value source = skipReshapes(operand.get());
    if (getOwner(source) != Owner::Launch || returned.contains(source) || !placed.insert(source).second)
      operand.set(buildCopy(b, operand.get()));
  }
}

/// The values that a value shows: itself, or what a view is of.
static SmallVector<Value> getSources(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isView(op))
    return {value};
  SmallVector<Value> sources;
  for (Value operand : op->getOperands())
    llvm::append_range(sources, getSources(operand));
  return sources;
}

static bool isEmpty(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() == 0;
}

/// What has no element needs no kernel.
static void replaceEmptyTensors(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (auto concat = dyn_cast<ConcatOp>(op); concat && !isEmpty(concat.getResult()))
      for (int64_t i = concat.getInputs().size() - 1; i >= 0; --i)
        if (isEmpty(concat.getInputs()[i]))
          concat.getInputsMutable().erase(i);
    if (isa<ConstantOp>(op) || op.getNumResults() == 0 || !llvm::all_of(op.getResults(), isEmpty))
      continue;
    OpBuilder b(&op);
    for (Value result : op.getResults()) {
      auto none = DenseElementsAttr::get(cast<ShapedType>(result.getType()), ArrayRef<Attribute>());
      result.replaceAllUsesWith(ConstantOp::create(b, op.getLoc(), none));
    }
    op.erase();
  }
}

/// What has no element stays what it was: the state's results are its arguments.
static void returnEmptyState(func::FuncOp function) {
  Operation *terminator = function.getBody().front().getTerminator();
  for (BlockArgument argument : function.getArguments())
    if (auto donated = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "nova.donated");
        donated && isEmpty(argument))
      terminator->setOperand(donated.getInt(), argument);
}

/// A result has memory of its own, unless it is the argument whose memory it takes.
static void copyReturnedArguments(func::FuncOp function) {
  OpBuilder b(function.getContext());
  auto isDonatedTo = [&](Value value, OpOperand &result) {
    auto argument = dyn_cast<BlockArgument>(skipReshapes(value));
    auto donated = argument ? function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "nova.donated") : nullptr;
    return donated && donated.getInt() == result.getOperandNumber();
  };
  for (OpOperand &operand : function.getBody().front().getTerminator()->getOpOperands()) {
    if (isEmpty(operand.get()) || isDonatedTo(operand.get(), operand) ||
        llvm::none_of(getSources(operand.get()), [](Value source) {
          return isa<BlockArgument>(source) || isa<ConstantOp, ReadOp>(source.getDefiningOp());
        }))
      continue;
    // Early, so that nothing has taken the argument's memory yet.
    b.setInsertionPointAfterValue(operand.get());
    operand.set(buildCopy(b, operand.get()));
  }
}

//===----------------------------------------------------------------------===//
// Donated arguments
//===----------------------------------------------------------------------===//

namespace {
/// Where values begin in the memory of others that they are parts of, in elements.
class PartOffsets {
public:
  std::optional<int64_t> lookup(Value whole, Value part) {
    whole = skipReshapes(whole);
    if (whole == part)
      return 0;
    if (auto slice = whole.getDefiningOp<SliceOp>(); slice && isView(slice)) {
      std::optional<int64_t> offset = lookup(slice.getX(), part);
      return offset ? std::optional(*offset - *getContiguousStart(slice)) : std::nullopt;
    }
    auto concat = whole.getDefiningOp<ConcatOp>();
    if (!concat || !isView(concat))
      return std::nullopt;
    // A concat packs thousands of parameters, each of which is asked for: they are collected once.
    auto [known, isNew] = packed.try_emplace(concat);
    if (isNew)
      collect(concat, 0, known->second);
    auto found = known->second.find(part);
    return found == known->second.end() ? std::nullopt : std::optional(found->second);
  }

private:
  using Offsets = DenseMap<Value, int64_t>;

  static void collect(ConcatOp concat, int64_t start, Offsets &offsets) {
    for (Value input : concat.getInputs()) {
      int64_t begin = start;
      Value source = skipReshapes(input);
      offsets.try_emplace(source, begin);
      while (auto slice = source.getDefiningOp<SliceOp>()) {
        if (!isView(slice))
          break;
        begin -= *getContiguousStart(slice);
        source = skipReshapes(slice.getX());
        offsets.try_emplace(source, begin);
      }
      if (auto inner = source.getDefiningOp<ConcatOp>(); inner && isView(inner))
        collect(inner, begin, offsets);
      start += tensorType(input).getNumElements();
    }
  }

  std::map<Operation *, Offsets> packed;
};
} // namespace

namespace {
/// A result that replaces an argument: elements of what a launch makes, from an offset on.
struct Replacement {
  BlockArgument argument;
  OpOperand *result;
  Value whole;
  int64_t offset;
};
} // namespace

static SmallVector<Replacement> getReplacements(func::FuncOp function) {
  Operation *terminator = function.getBody().front().getTerminator();
  SmallVector<Replacement> replacements;
  for (BlockArgument argument : function.getArguments()) {
    auto donated = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "nova.donated");
    if (!donated || isEmpty(argument))
      continue;
    OpOperand &result = terminator->getOpOperand(donated.getInt());
    Value whole = skipReshapes(result.get());
    int64_t offset = 0;
    while (auto slice = whole.getDefiningOp<SliceOp>()) {
      if (!isView(slice))
        break;
      offset += *getContiguousStart(slice);
      whole = skipReshapes(slice.getX());
    }
    if (whole != argument)
      replacements.push_back({argument, &result, whole, offset});
  }
  return replacements;
}

/// Whether what the group makes can take the argument's memory although the group reads it: element by element, each
/// where it is written.
static bool readsInPlace(const KernelGroup &group, const Replacement &replacement, PartOffsets &offsets) {
  const Shape &written = group.members.back().shape.results.front();
  for (const KernelMember &member : group.members) {
    for (auto [operand, shape] : llvm::zip_equal(member.op->getOperands(), member.shape.operands)) {
      std::optional<int64_t> offset = offsets.lookup(operand, replacement.argument);
      if (offset && (*offset != replacement.offset || shape != written || !member.op->hasTrait<NovaElementwise>()))
        return false;
    }
  }
  return true;
}

/// Whether the memory of the argument is free when the result is written.
static bool canReplace(const Replacement &replacement, const KernelGroups &groups,
                       const DenseMap<KernelGroup *, size_t> &order, PartOffsets &offsets) {
  KernelGroup *writer = groups.lookup(replacement.whole.getDefiningOp());
  if (!writer)
    return false;
  return allConsumers(replacement.argument, [&](Operation *consumer) {
    KernelGroup *reader = groups.lookup(consumer);
    if (!reader) // The function's return: a copy was returned instead, or nothing replaces the argument.
      return true;
    return reader == writer ? readsInPlace(*writer, replacement, offsets) : order.at(reader) < order.at(writer);
  });
}

/// Results that cannot be written where the argument lies are copied there at the end.
static LogicalResult copyLateResults(func::FuncOp function, KernelGroups &groups) {
  DenseMap<KernelGroup *, size_t> order;
  for (KernelGroup *group : groups.inOrder())
    order[group] = order.size();
  SmallVector<Replacement> replacements = getReplacements(function);
  // The parts of one tensor lie together or not at all.
  DenseSet<Value> late;
  PartOffsets offsets;
  DenseSet<std::pair<Value, int64_t>> taken;
  for (const Replacement &replacement : replacements)
    if (!taken.insert({replacement.whole, replacement.offset}).second ||
        !canReplace(replacement, groups, order, offsets))
      late.insert(replacement.whole);
  OpBuilder b(function.getBody().front().getTerminator());
  for (const Replacement &replacement : replacements) {
    if (!late.contains(replacement.whole))
      continue;
    Value copy = buildCopy(b, replacement.result->get());
    replacement.result->set(copy);
    if (failed(groups.add(skipReshapes(copy).getDefiningOp())))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct FormKernelsPass : nova::impl::FormKernelsPassBase<FormKernelsPass> {
  using FormKernelsPassBase::FormKernelsPassBase;
  LogicalResult inlineCalls();
  LogicalResult formKernels(func::FuncOp function, KernelOutliner &outliner);
  void runOnOperation() override {
    if (failed(verifyOneProgram(getOperation())) || failed(inlineCalls()))
      return signalPassFailure();
    KernelOutliner outliner(getOperation());
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (!function.isDeclaration() && failed(formKernels(function, outliner)))
        return signalPassFailure();
  }
};
} // namespace

/// Entries launch kernels and call nothing; functions that were only called are gone.
LogicalResult FormKernelsPass::inlineCalls() {
  SymbolTableCollection symbols;
  SmallVector<func::CallOp> calls;
  getOperation().walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    OpBuilder builder(call);
    FailureOr<SmallVector<Value>> results = cloneInlined(builder, callee, call.getOperands(), symbols);
    if (failed(results))
      return failure();
    call.replaceAllUsesWith(*results);
    call.erase();
  }
  for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
    if (function.isPrivate() && SymbolTable::symbolKnownUseEmpty(function, getOperation()))
      function.erase();
  return success();
}

LogicalResult FormKernelsPass::formKernels(func::FuncOp function, KernelOutliner &outliner) {
  if (failed(verifyFunction(function)))
    return failure();
  Block &block = function.getBody().front();
  replaceEmptyTensors(block);
  returnEmptyState(function);
  eraseDeadOps(block);
  placeCasts(block);
  markUnalignedConcats(block);
  DenseSet<Value> placed, returned;
  for (Value result : block.getTerminator()->getOperands())
    returned.insert(skipReshapes(result));
  for (auto concat : llvm::to_vector(block.getOps<ConcatOp>()))
    if (isView(concat))
      copyUnplaceable(concat, returned, placed);
  copyReturnedArguments(function);

  FailureOr<KernelGroups> groups = KernelGroups::create(block);
  if (failed(groups))
    return failure();
  if (fuse)
    groups->fuse();
  groups->joinCasts();
  if (fuse)
    groups->joinMovement();
  if (failed(copyLateResults(function, *groups)))
    return failure();
  outliner.outline(function, groups->inOrder());
  return success();
}
