//===- KernelOutliner.cpp - Groups of ops become kernels ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelOutliner.h"
#include "Views.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::nova;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The op's name, or a better known one.
static std::string wordFor(Operation *op, const KernelGroup &group) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return stringifyReduceKind(reduce.getKind()).str();
  auto isColumn = [](Value value) { return tensorType(value).getRank() == 1; };
  if (isa<AddOp>(op) && isa<MatmulOp>(group.anchor) && llvm::any_of(op->getOperands(), isColumn))
    return "bias";
  std::string name = op->getName().stripDialect().str();
  auto matmul = dyn_cast<MatmulOp>(op);
  if (matmul && (matmul.getTransposeLhs() || matmul.getTransposeRhs()))
    name += std::string("_") + (matmul.getTransposeLhs() ? 't' : 'n') + (matmul.getTransposeRhs() ? 't' : 'n');
  return name;
}

/// The ops' names and the extents of the anchor's loops: matmul_bias_gelu_512x256x64.
static std::string describe(const KernelGroup &group, Block &body) {
  constexpr size_t kMaxWords = 6; // Enough to tell kernels apart by eye.
  SmallVector<std::string> words;
  Operation *anchor = nullptr;
  for (Operation &op : body.without_terminator()) {
    bool isAside = isa<CastOp>(op) || op.hasTrait<NovaMovement>();
    if (isa<ConstantOp>(op) || (isAside && op.getName() != group.anchor->getName()))
      continue;
    if (words.size() < kMaxWords)
      words.push_back(wordFor(&op, group));
    if (op.getName() == group.anchor->getName())
      anchor = &op;
  }
  std::string name = llvm::join(words, "_") + "_";
  llvm::raw_string_ostream os(name);
  // The loops of an op that moves elements say less than the shape that it makes.
  llvm::interleave(group.family == Family::Index ? SmallVector<int64_t>(shapeOf(anchor->getResult(0)))
                                                 : cast<IndexedOp>(anchor).getLoopExtents(),
                   os, "x");
  return name;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The scalar or tensor of `shape` that a splat constant is to a kernel; null for other values.
static DenseElementsAttr getSplat(Value value, ArrayRef<int64_t> shape) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return {};
  return elements.resizeSplat(tensorType(value).clone(shape));
}

static Operation *cloneWithShapes(OpBuilder &b, const KernelMember &member, ValueRange operands) {
  SmallVector<Type> types;
  for (auto [result, shape] : llvm::zip_equal(member.op->getResults(), member.shape.results))
    types.push_back(tensorType(result).clone(shape));
  Operation *clone = mlir::clone(b, member.op, types, operands);
  removeUnalignedMark(clone);
  for (auto [name, attribute] : member.shape.attributes) {
    if (attribute)
      clone->setAttr(name, attribute);
    else
      clone->removeAttr(name);
  }
  return clone;
}

KernelOutliner::Outlined KernelOutliner::buildKernel(const KernelGroup &group, OpBuilder &b) {
  Outlined outlined;
  Location loc = group.anchor->getLoc();
  auto kernel = outlined.kernel = KernelOp::create(b, loc, "kernel", b.getFunctionType({}, {}), group.family,
                                                   /*config=*/nullptr, /*sym_visibility=*/nullptr,
                                                   /*arg_attrs=*/nullptr, /*res_attrs=*/nullptr);
  Block &body = kernel.getBody().emplaceBlock();
  b.setInsertionPointToEnd(&body);

  DenseMap<Value, Value> inside; // Members' results in the kernel.
  auto take = [&](Value operand, ArrayRef<int64_t> shape) -> Value {
    Value source = skipReshapes(operand);
    if (Value own = inside.lookup(source))
      return own;
    if (DenseElementsAttr splat = getSplat(source, shape))
      return ConstantOp::create(b, source.getLoc(), splat);
    for (auto [argument, known] : llvm::zip_equal(body.getArguments(), outlined.arguments))
      if (known.value == source && ArrayRef(known.shape) == shape)
        return argument;
    outlined.arguments.push_back({source, Shape(shape)});
    return body.addArgument(tensorType(source).clone(shape), source.getLoc());
  };
  for (const KernelMember &member : group.members) {
    SmallVector<Value> operands;
    for (auto [operand, shape] : llvm::zip_equal(member.op->getOperands(), member.shape.operands))
      operands.push_back(take(operand, shape));
    Operation *clone = cloneWithShapes(b, member, operands);
    for (auto [result, own] : llvm::zip_equal(member.op->getResults(), clone->getResults())) {
      inside[result] = own;
      if (allConsumers(result, [&](Operation *user) { return group.contains(user); }))
        continue;
      outlined.results.push_back(result);
    }
  }
  // Blocks are cut from the first result: what has the shape of the anchor's, or moves it, comes before statistics.
  auto *member = llvm::find_if(group.members, [&](const KernelMember &m) { return m.op == group.anchor; });
  const Shape &lead = member->shape.results.front();
  SmallVector<Value> statistics;
  llvm::erase_if(outlined.results, [&](Value result) {
    bool isStatistic = result.getDefiningOp() == group.anchor && shapeOf(inside.lookup(result)) != ArrayRef(lead);
    if (isStatistic)
      statistics.push_back(result);
    return isStatistic;
  });
  outlined.results.append(statistics);
  SmallVector<Value> returned =
      llvm::map_to_vector(outlined.results, [&](Value result) { return inside.lookup(result); });
  ReturnOp::create(b, loc, returned);
  kernel.setFunctionType(b.getFunctionType(body.getArgumentTypes(), ValueRange(returned).getTypes()));
  return outlined;
}

/// Equal for equal kernels. How results become operands is left to the comparison.
static size_t hashOf(KernelOp kernel) {
  llvm::hash_code hash = llvm::hash_combine(kernel.getFamily(), kernel.getFunctionType());
  for (Operation &op : kernel.getBody().front())
    hash = llvm::hash_combine(hash, OperationEquivalence::computeHash(&op, OperationEquivalence::ignoreHashValue,
                                                                      OperationEquivalence::ignoreHashValue,
                                                                      OperationEquivalence::IgnoreLocations));
  return hash;
}

/// The kernel of the module that equals this one, which is then erased, or this one under a name of its own.
KernelOp KernelOutliner::findOrInsert(KernelOp kernel, const KernelGroup &group) {
  SmallVector<KernelOp, 1> &alike = kernels[hashOf(kernel)];
  for (KernelOp known : alike) {
    if (known.getFamily() != kernel.getFamily() || known.getFunctionType() != kernel.getFunctionType() ||
        !OperationEquivalence::isRegionEquivalentTo(&known.getBody(), &kernel.getBody(),
                                                    OperationEquivalence::IgnoreLocations))
      continue;
    kernel.erase();
    return known;
  }
  std::string name = describe(group, kernel.getBody().front()), unique = name;
  unsigned &number = lastNumbers[name];
  while (symbols.lookup(unique))
    unique = name + "_" + std::to_string(++number);
  kernel.setSymName(unique);
  symbols.insert(kernel);
  alike.push_back(kernel);
  return kernel;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// A slice or a concat, of rank 1.
Value KernelOutliner::materializeView(OpBuilder &b, Operation *view) {
  if (auto slice = dyn_cast<SliceOp>(view)) {
    int64_t start = *getContiguousStart(slice), size = slice.getType().getNumElements();
    Value whole = materialize(b, slice.getX(), {slice.getX().getType().getNumElements()});
    return b.createOrFold<SliceOp>(view->getLoc(), whole, ArrayRef(start), ArrayRef(start + size));
  }
  auto concat = cast<ConcatOp>(view);
  SmallVector<Value> parts;
  for (Value input : concat.getInputs())
    parts.push_back(materialize(b, input, {tensorType(input).getNumElements()}));
  return ConcatOp::create(b, view->getLoc(), concat.getType().clone({concat.getType().getNumElements()}), parts,
                          /*axis=*/0, /*origin=*/ValueRange());
}

/// What became of a value, in a shape.
Value KernelOutliner::materialize(OpBuilder &b, Value value, ArrayRef<int64_t> shape) {
  Value source = skipReshapes(value);
  Value now = made.lookup(source);
  if (!now) {
    // Views are made where they are first needed, which is before any other place that needs them.
    Operation *op = source.getDefiningOp();
    now = op && isView(op) ? materializeView(b, op) : source;
    made[source] = now;
  }
  RankedTensorType type = tensorType(source).clone(shape);
  if (now.getType() == type)
    return now;
  Value &reshaped = reshapes[{now, type}];
  if (!reshaped)
    reshaped = ReshapeOp::create(b, value.getLoc(), type, now);
  return reshaped;
}

void KernelOutliner::buildLaunch(const KernelGroup &group, FunctionOpInterface function) {
  OpBuilder b(function);
  Outlined outlined = buildKernel(group, b);
  KernelOp kernel = findOrInsert(outlined.kernel, group);
  b.setInsertionPoint(group.getLast());
  SmallVector<Value> operands;
  for (auto &[value, shape] : outlined.arguments)
    operands.push_back(materialize(b, value, shape));
  auto launch = LaunchOp::create(b, group.anchor->getLoc(), kernel.getResultTypes(), kernel.getName(), operands);
  for (auto [result, now] : llvm::zip_equal(outlined.results, launch.getOutputs()))
    made[result] = now;
}

void KernelOutliner::outline(FunctionOpInterface function, ArrayRef<KernelGroup *> groups) {
  Block &block = function.getFunctionBody().front();
  SmallVector<Operation *> before;
  for (Operation &op : block.without_terminator())
    before.push_back(&op);
  for (const KernelGroup *group : groups)
    buildLaunch(*group, function);

  OpBuilder b(block.getTerminator());
  for (OpOperand &operand : block.getTerminator()->getOpOperands())
    operand.set(materialize(b, operand.get(), tensorType(operand.get()).getShape()));
  for (Operation *op : llvm::reverse(before))
    if (op->use_empty())
      op->erase();
  made.clear();
  reshapes.clear();
}
