//===- BuildTrainStep.cpp - From a loss and parameters to a step ----------===//
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
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::nova {
#define GEN_PASS_DEF_BUILDTRAINSTEPPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

static constexpr StringLiteral kStepName = "train_step", kGradientsName = "gradients";
// With accumulation, in place of the step.
static constexpr StringLiteral kGradientStepName = "gradient_step", kUpdateStepName = "update_step";

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

namespace {
/// What an argument or a result of an entry is.
struct Slot {
  Type type;
  StringRef role;
  StringAttr name;
  DictionaryAttr given = {}; ///< Attributes that the author wrote.
  int64_t donated = -1;      ///< The result that takes an argument's memory.
};
} // namespace

static SmallVector<Type> getTypes(ArrayRef<Slot> slots) {
  return llvm::map_to_vector(slots, [](const Slot &slot) { return slot.type; });
}

static DictionaryAttr getAttributes(Builder &builder, const Slot &slot) {
  NamedAttrList attributes(slot.given);
  attributes.set("nova.role", builder.getStringAttr(slot.role));
  attributes.set("nova.name", slot.name);
  if (slot.donated >= 0)
    attributes.set("nova.donated", builder.getI64IntegerAttr(slot.donated));
  return attributes.getDictionary(builder.getContext());
}

static func::FuncOp createEntry(OpBuilder &builder, Location location, StringRef name, ArrayRef<Slot> arguments,
                                ArrayRef<Slot> results) {
  auto type = builder.getFunctionType(getTypes(arguments), getTypes(results));
  auto entry = func::FuncOp::create(builder, location, name, type);
  entry.addEntryBlock();
  // All at once: a list of attributes is made anew, and kept, for every change.
  auto toAttributes = [&](const Slot &slot) { return getAttributes(builder, slot); };
  entry.setAllArgAttrs(llvm::map_to_vector(arguments, toAttributes));
  entry.setAllResultAttrs(llvm::map_to_vector(results, toAttributes));
  // What an argument is called where IR is printed with names of locations: %wte.weight, %m.wte.weight.
  for (auto [argument, slot] : llvm::zip_equal(entry.getArguments(), arguments)) {
    bool isPlain = slot.role == "parameter" || slot.role == "data" || slot.role == slot.name.getValue();
    StringAttr printed = isPlain ? slot.name : builder.getStringAttr(slot.role + "." + slot.name.getValue());
    argument.setLoc(NameLoc::get(printed, location));
  }
  return entry;
}

/// A scalar that is an argument or a result; role and name are one.
static Slot getScalarSlot(Builder &builder, StringRef role) {
  bool isFloat = role == "lr" || role == "loss" || role == "grad_norm";
  Type element = isFloat ? Type(builder.getF32Type()) : builder.getI64Type();
  return {RankedTensorType::get({}, element), role, builder.getStringAttr(role)};
}

static StringRef getRole(func::FuncOp function, unsigned argument) {
  auto role = function.getArgAttrOfType<StringAttr>(argument, "nova.role");
  return role ? role.getValue() : "data";
}

/// The batch feeds the arguments of a loss, but for the seed and the step that its random numbers depend on.
static LogicalResult verifyRoles(func::FuncOp loss) {
  llvm::StringSet<> taken;
  for (auto [number, type] : llvm::enumerate(loss.getArgumentTypes())) {
    StringRef role = getRole(loss, number);
    if (role == "data")
      continue;
    if (role != "seed" && role != "step")
      return loss.emitOpError("expected argument ")
             << number << " to have the nova.role data, seed or step, found " << role;
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() != 0 || !tensor.getElementType().isInteger(64))
      return loss.emitOpError("expected the ") << role << " to be a tensor<i64>, found " << type;
    if (!taken.insert(role).second)
      return loss.emitOpError("expected one argument of the nova.role ") << role << ", found several";
  }
  return success();
}

/// The argument of a role that occurs once.
static Value findArgument(func::FuncOp entry, StringRef role) {
  for (BlockArgument argument : entry.getArguments())
    if (getRole(entry, argument.getArgNumber()) == role)
      return argument;
  llvm_unreachable("entries are made with the scalars that their bodies use");
}

/// The number of a micro-batch among all of the run: each has random numbers of its own.
static Value buildBatchNumber(ImplicitLocOpBuilder &builder, Value step, Value micro, int64_t microBatches) {
  auto type = tensorType(step);
  Value count = ConstantOp::create(builder, builder.getLoc(), DenseElementsAttr::get(type, microBatches));
  return AddOp::create(builder, builder.getLoc(), MulOp::create(builder, builder.getLoc(), step, count), micro);
}

/// What an entry calls the loss with: of each role, its own arguments in their order.
static SmallVector<Value> getCallArguments(func::FuncOp loss, func::FuncOp entry) {
  SmallVector<Value> arguments;
  llvm::StringMap<unsigned> next;
  for (unsigned number = 0; number < loss.getNumArguments(); ++number) {
    StringRef role = getRole(loss, number);
    unsigned &from = next[role];
    while (getRole(entry, from) != role)
      ++from;
    arguments.push_back(entry.getArgument(from++));
  }
  return arguments;
}

/// Each argument of the state gets the result of its role and name, which replaces it.
static void donateState(MutableArrayRef<Slot> arguments, ArrayRef<Slot> results) {
  DenseMap<std::pair<StringRef, StringAttr>, int64_t> places;
  for (auto [number, result] : llvm::enumerate(results))
    places[{result.role, result.name}] = number;
  for (Slot &argument : arguments)
    if (auto place = places.find({argument.role, argument.name}); place != places.end())
      argument.donated = place->second;
}

static Value buildScalar(ImplicitLocOpBuilder &builder, double number) {
  auto type = RankedTensorType::get({}, builder.getF32Type());
  return ConstantOp::create(builder, builder.getLoc(), DenseElementsAttr::get(type, float(number)));
}

static Value buildZero(ImplicitLocOpBuilder &builder, Type type) {
  return ConstantOp::create(builder, builder.getLoc(), cast<DenseElementsAttr>(builder.getZeroAttr(type)));
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct BuildTrainStepPass : nova::impl::BuildTrainStepPassBase<BuildTrainStepPass> {
  using BuildTrainStepPassBase::BuildTrainStepPassBase;
  void runOnOperation() override;

private:
  LogicalResult verifyOptions();
  LogicalResult verifyLoss(func::FuncOp loss);
  LogicalResult verifyFree(const SymbolTable &symbols, StringRef name);
  FailureOr<func::FuncOp> takeParametersAsArguments(func::FuncOp loss);
  void buildStep(func::FuncOp loss);
  void buildGradientStep(func::FuncOp loss);
  void buildUpdateStep(func::FuncOp loss);
  void buildGradients(func::FuncOp loss);
  func::FuncOp splitTraining(func::FuncOp loss);
  ValueAndGradOp buildValueAndGrad(ImplicitLocOpBuilder &builder, func::FuncOp loss, ValueRange arguments,
                                   ArrayRef<ParameterOp> of);
  Value buildGradientScale(ImplicitLocOpBuilder &builder, Value norm);
  Value buildLearningRate(ImplicitLocOpBuilder &builder, ParameterOp parameter, Value lr);
  Operation *buildUpdate(ImplicitLocOpBuilder &builder, ParameterOp parameter, ValueRange tensors, Value lr, Value step,
                         Value scale);
  void buildUpdates(ImplicitLocOpBuilder &builder, func::FuncOp entry, ValueRange gradients,
                    SmallVectorImpl<Value> &returned);

  /// Roles of the state that the optimizer keeps for each parameter, in the order of its op's operands.
  SmallVector<StringRef> getMomentRoles();
  /// A slot of that role for each of the parameters.
  SmallVector<Slot> getSlots(StringRef role, ArrayRef<ParameterOp> of);

  /// The arguments of the loss that follow its parameters, once it takes them as arguments; of all roles, or data
  /// alone.
  SmallVector<Slot> getBatch(func::FuncOp loss);
  SmallVector<Slot> getData(func::FuncOp loss);

  SmallVector<ParameterOp> parameters;
  SmallVector<ParameterOp> trained; ///< Those that are not frozen.
};
} // namespace

LogicalResult BuildTrainStepPass::verifyOptions() {
  auto reject = [&](StringRef option, StringRef expected, auto found) {
    return emitError(getOperation().getLoc(), "nova-build-train-step: expected ")
           << option << " to be " << expected << ", found " << found;
  };
  if (optimizer != "adamw" && optimizer != "adam" && optimizer != "sgd")
    return reject("optimizer", "adamw, adam or sgd", "'" + optimizer + "'");
  if (accumulate < 1)
    return reject("accumulate", "at least 1", accumulate.getValue());
  // Written so that NaN is refused too.
  if (!(beta1 >= 0 && beta1 < 1))
    return reject("beta1", "at least 0 and below 1", beta1.getValue());
  if (!(beta2 >= 0 && beta2 < 1))
    return reject("beta2", "at least 0 and below 1", beta2.getValue());
  if (!(momentum >= 0 && momentum < 1))
    return reject("momentum", "at least 0 and below 1", momentum.getValue());
  if (nesterov && optimizer != "sgd")
    return reject("optimizer", "sgd, which has nesterov", "'" + optimizer + "'");
  if (nesterov && momentum == 0)
    return reject("momentum", "positive for nesterov", momentum.getValue());
  if (!(eps >= 0))
    return reject("eps", "at least 0", eps.getValue());
  if (!(weightDecay >= 0))
    return reject("weight-decay", "at least 0", weightDecay.getValue());
  if (!(clip >= 0))
    return reject("clip", "at least 0", clip.getValue());
  return success();
}

LogicalResult BuildTrainStepPass::verifyLoss(func::FuncOp loss) {
  if (loss.getNumResults() != 1)
    return loss.emitOpError("expected the loss function to have one result, the loss, found ") << loss.getNumResults();
  auto type = dyn_cast<RankedTensorType>(loss.getResultTypes()[0]);
  if (!type || type.getRank() != 0 || !isa<FloatType>(type.getElementType()))
    return loss.emitOpError("expected the loss to be a scalar float such as tensor<f32>, found ")
           << loss.getResultTypes()[0] << "; reduce it, for example with nova.reduce mean";
  std::optional<SymbolTable::UseRange> uses = SymbolTable::getSymbolUses(loss, getOperation());
  if (!uses || uses->empty())
    return success();
  InFlightDiagnostic diagnostic = loss.emitOpError(
      "is used elsewhere, but takes its parameters as arguments from here on; give the other user a copy of it");
  diagnostic.attachNote(uses->begin()->getUser()->getLoc()) << "used here";
  return diagnostic;
}

LogicalResult BuildTrainStepPass::verifyFree(const SymbolTable &symbols, StringRef name) {
  if (Operation *existing = symbols.lookup(name))
    return existing->emitError("expected no @") << name << " yet: it is the name of a function to be made";
  return success();
}

// The loss function anew, with the parameters as its first arguments.
FailureOr<func::FuncOp> BuildTrainStepPass::takeParametersAsArguments(func::FuncOp loss) {
  OpBuilder builder(loss);
  SmallVector<Slot> arguments;
  for (ParameterOp parameter : parameters)
    arguments.push_back({parameter.getTensorType(), "parameter", parameter.getSymNameAttr()});
  for (BlockArgument argument : loss.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto name = loss.getArgAttrOfType<StringAttr>(number, "nova.name");
    StringRef role = getRole(loss, number);
    if (!name)
      name = builder.getStringAttr(role == "data" ? "arg" + Twine(number) : Twine(role));
    arguments.push_back({argument.getType(), role, name, loss.getArgAttrDict(number)});
  }
  // Reports read f32, whatever the loss is computed in.
  Slot result = {RankedTensorType::get({}, builder.getF32Type()), "loss", builder.getStringAttr("loss"),
                 loss.getResultAttrDict(0)};
  func::FuncOp entry = createEntry(builder, loss.getLoc(), loss.getSymName(), arguments, result);

  SymbolTableCollection symbols;
  builder.setInsertionPointToStart(&entry.front());
  ValueRange batch = ValueRange(entry.getArguments()).drop_front(parameters.size());
  FailureOr<SmallVector<Value>> returned = cloneInlined(builder, loss, batch, symbols);
  if (failed(returned))
    return entry.erase(), failure();
  Location end = loss.front().getTerminator()->getLoc();
  Value value = returned->front();
  if (value.getType() != result.type)
    value = CastOp::create(builder, end, result.type, value);
  func::ReturnOp::create(builder, end, value);

  DenseMap<StringAttr, Value> values;
  for (auto [parameter, argument] : llvm::zip(parameters, entry.getArguments()))
    values[parameter.getSymNameAttr()] = argument;
  entry.walk([&](ReadOp read) { // In regions too, which capture the argument then.
    read.replaceAllUsesWith(values.lookup(read.getParameterAttr().getAttr()));
    read.erase();
  });
  loss.erase();
  return entry;
}

SmallVector<Slot> BuildTrainStepPass::getBatch(func::FuncOp loss) {
  SmallVector<Slot> batch;
  for (unsigned number = parameters.size(); number < loss.getNumArguments(); ++number)
    batch.push_back({loss.getArgumentTypes()[number], getRole(loss, number),
                     loss.getArgAttrOfType<StringAttr>(number, "nova.name"), loss.getArgAttrDict(number)});
  return batch;
}

SmallVector<Slot> BuildTrainStepPass::getData(func::FuncOp loss) {
  return llvm::filter_to_vector(getBatch(loss), [](const Slot &slot) { return slot.role == "data"; });
}

/// The function to differentiate. Dropout is for training alone: where the loss has some, training gets a function of
/// its own, and the loss that evaluation calls loses it.
func::FuncOp BuildTrainStepPass::splitTraining(func::FuncOp loss) {
  SmallVector<DropoutOp> dropouts;
  loss.walk([&](DropoutOp dropout) { dropouts.push_back(dropout); });
  if (dropouts.empty())
    return loss;
  func::FuncOp training = loss.clone();
  training.setName((loss.getName() + "_with_dropout").str());
  training.setPrivate();
  SymbolTable(getOperation()).insert(training, std::next(loss->getIterator()));
  for (DropoutOp dropout : dropouts) {
    dropout.replaceAllUsesWith(dropout.getX());
    dropout.erase();
  }
  return training;
}

// The loss and its gradients for all parameters, which come first among the arguments.
ValueAndGradOp BuildTrainStepPass::buildValueAndGrad(ImplicitLocOpBuilder &builder, func::FuncOp loss,
                                                     ValueRange arguments, ArrayRef<ParameterOp> of) {
  SmallVector<Type> types(loss.getResultTypes());
  SmallVector<int64_t> wrt;
  DenseSet<Operation *> wanted(llvm::from_range, of);
  for (auto [number, parameter] : llvm::enumerate(parameters)) {
    if (!wanted.contains(parameter))
      continue;
    types.push_back(parameter.getTensorType());
    wrt.push_back(number);
  }
  return ValueAndGradOp::create(builder, builder.getLoc(), types, FlatSymbolRefAttr::get(loss.getSymNameAttr()),
                                arguments, builder.getDenseI64ArrayAttr(wrt));
}

// min(1, clip / (norm + 1e-6)), as PyTorch's clip_grad_norm_. Accumulated gradients are sums: their mean has a norm and
// a scale that are smaller.
Value BuildTrainStepPass::buildGradientScale(ImplicitLocOpBuilder &builder, Value norm) {
  Value scale = buildScalar(builder, 1.0);
  if (clip != 0)
    scale = MinOp::create(builder, builder.getLoc(), scale,
                          DivOp::create(builder, builder.getLoc(), buildScalar(builder, clip),
                                        AddOp::create(builder, builder.getLoc(), norm, buildScalar(builder, 1e-6))));
  if (accumulate != 1)
    scale = MulOp::create(builder, builder.getLoc(), scale, buildScalar(builder, 1.0 / accumulate));
  return scale;
}

Value BuildTrainStepPass::buildLearningRate(ImplicitLocOpBuilder &builder, ParameterOp parameter, Value lr) {
  double factor = parameter.getLrFactorOrOne();
  return factor == 1 ? lr : MulOp::create(builder, builder.getLoc(), lr, buildScalar(builder, factor)).getResult();
}

Operation *BuildTrainStepPass::buildUpdate(ImplicitLocOpBuilder &builder, ParameterOp parameter, ValueRange tensors,
                                           Value lr, Value step, Value scale) {
  APFloat decay(weightDecay * parameter.getDecayFactor());
  lr = buildLearningRate(builder, parameter, lr);
  if (optimizer == "sgd")
    return SgdOp::create(builder, parameter.getLoc(), tensors[0], tensors[1], tensors[2], lr, scale, APFloat(momentum),
                         decay, nesterov);
  auto build = [&](auto *null) -> Operation * {
    using OpT = std::remove_pointer_t<decltype(null)>;
    return OpT::create(builder, parameter.getLoc(), tensors[0], tensors[1], tensors[2], tensors[3], lr, step, scale,
                       APFloat(beta1), APFloat(beta2), APFloat(eps), decay);
  };
  return optimizer == "adam" ? build(static_cast<AdamOp *>(nullptr)) : build(static_cast<AdamWOp *>(nullptr));
}

/// Builds clipping and the optimizer into an entry whose arguments start with the parameters and their moments and have
/// the learning rate and the step. Appends the new parameters and moments, then the norm.
void BuildTrainStepPass::buildUpdates(ImplicitLocOpBuilder &builder, func::FuncOp entry, ValueRange gradients,
                                      SmallVectorImpl<Value> &returned) {
  auto scalarF32 = RankedTensorType::get({}, builder.getF32Type());
  Value norm = GlobalNormOp::create(builder, builder.getLoc(), scalarF32, gradients);
  if (accumulate != 1)
    norm = MulOp::create(builder, builder.getLoc(), norm, buildScalar(builder, 1.0 / accumulate));
  Value scale = buildGradientScale(builder, norm);

  size_t roles = getMomentRoles().size(), count = trained.size();
  ValueRange moments = ValueRange(entry.getArguments()).drop_front(parameters.size());
  Value lr = findArgument(entry, "lr"), step = findArgument(entry, "step");
  SmallVector<Value> results((1 + roles) * count);
  DenseMap<Operation *, Value> values;
  for (auto [parameter, argument] : llvm::zip(parameters, entry.getArguments()))
    values[parameter] = argument;
  for (auto [number, parameter] : llvm::enumerate(trained)) {
    Value value = values.lookup(parameter);
    SmallVector<Value> tensors = {value, gradients[number]};
    for (size_t role = 0; role < roles; ++role)
      tensors.push_back(moments[role * count + number]);
    Operation *update = buildUpdate(builder, parameter, tensors, lr, step, scale);
    for (auto [place, result] : llvm::enumerate(update->getResults()))
      results[place * count + number] = result;
  }
  llvm::append_range(returned, results);
  returned.push_back(norm);
}

SmallVector<StringRef> BuildTrainStepPass::getMomentRoles() {
  return optimizer == "sgd" ? SmallVector<StringRef>{"m"} : SmallVector<StringRef>{"m", "v"};
}

SmallVector<Slot> BuildTrainStepPass::getSlots(StringRef role, ArrayRef<ParameterOp> of) {
  return llvm::map_to_vector(
      of, [&](ParameterOp parameter) { return Slot{parameter.getTensorType(), role, parameter.getSymNameAttr()}; });
}

void BuildTrainStepPass::buildStep(func::FuncOp loss) {
  ImplicitLocOpBuilder builder(loss.getLoc(), loss->getBlock(), std::next(loss->getIterator()));
  SmallVector<Slot> arguments = getSlots("parameter", parameters), results = getSlots("parameter", trained);
  for (StringRef role : getMomentRoles()) {
    llvm::append_range(arguments, getSlots(role, trained));
    llvm::append_range(results, getSlots(role, trained));
  }
  llvm::append_range(arguments, getData(loss));
  for (StringRef role : {"lr", "step", "seed"})
    arguments.push_back(getScalarSlot(builder, role));
  for (StringRef role : {"loss", "grad_norm"})
    results.push_back(getScalarSlot(builder, role));
  donateState(arguments, results);
  func::FuncOp step = createEntry(builder, loss.getLoc(), kStepName, arguments, results);

  builder.setInsertionPointToStart(&step.front());
  ValueAndGradOp valueAndGrad = buildValueAndGrad(builder, loss, getCallArguments(loss, step), trained);
  SmallVector<Value> returned;
  buildUpdates(builder, step, valueAndGrad.getResults().drop_front(), returned);
  returned.insert(std::prev(returned.end()), valueAndGrad.getResults().front());
  func::ReturnOp::create(builder, builder.getLoc(), returned);
}

/// One of the micro-batches of a step: its gradients are added to those of the others.
void BuildTrainStepPass::buildGradientStep(func::FuncOp loss) {
  ImplicitLocOpBuilder builder(loss.getLoc(), loss->getBlock(), std::next(loss->getIterator()));
  SmallVector<Slot> arguments = getSlots("parameter", parameters), results = getSlots("accumulator", trained);
  llvm::append_range(arguments, results);
  llvm::append_range(arguments, getData(loss));
  for (StringRef role : {"micro", "step", "seed"})
    arguments.push_back(getScalarSlot(builder, role));
  results.push_back(getScalarSlot(builder, "loss"));
  donateState(arguments, results);
  func::FuncOp step = createEntry(builder, loss.getLoc(), kGradientStepName, arguments, results);
  step->setAttr("nova.micro_batches", builder.getI64IntegerAttr(accumulate));

  builder.setInsertionPointToStart(&step.front());
  SmallVector<Value> callArguments = getCallArguments(loss, step);
  Value micro = findArgument(step, "micro"), number = findArgument(step, "step");
  for (Value &argument : callArguments)
    if (argument == number)
      argument = buildBatchNumber(builder, number, micro, accumulate);
  ValueAndGradOp valueAndGrad = buildValueAndGrad(builder, loss, callArguments, trained);
  // The first micro-batch does not look at what is there, which may be infinite.
  Value isLater =
      CompareOp::create(builder, builder.getLoc(), CompareKind::GT, micro, buildZero(builder, micro.getType()));
  ValueRange sums = ValueRange(step.getArguments()).slice(parameters.size(), trained.size());
  SmallVector<Value> returned;
  for (auto [sum, gradient] : llvm::zip_equal(sums, valueAndGrad.getResults().drop_front())) {
    auto type = RankedTensorType::get({}, getElementTypeOrSelf(sum));
    Value before = SelectOp::create(builder, builder.getLoc(), isLater, sum, buildZero(builder, type));
    returned.push_back(AddOp::create(builder, builder.getLoc(), gradient, before));
  }
  returned.push_back(valueAndGrad.getResults().front());
  func::ReturnOp::create(builder, builder.getLoc(), returned);
}

/// What follows the micro-batches of a step.
void BuildTrainStepPass::buildUpdateStep(func::FuncOp loss) {
  ImplicitLocOpBuilder builder(loss.getLoc(), loss->getBlock(), std::next(loss->getIterator()));
  SmallVector<Slot> arguments = getSlots("parameter", parameters), results = getSlots("parameter", trained);
  for (StringRef role : getMomentRoles()) {
    llvm::append_range(arguments, getSlots(role, trained));
    llvm::append_range(results, getSlots(role, trained));
  }
  llvm::append_range(arguments, getSlots("accumulator", trained));
  for (StringRef role : {"lr", "step"})
    arguments.push_back(getScalarSlot(builder, role));
  results.push_back(getScalarSlot(builder, "grad_norm"));
  donateState(arguments, results);
  func::FuncOp step = createEntry(builder, loss.getLoc(), kUpdateStepName, arguments, results);

  builder.setInsertionPointToStart(&step.front());
  ValueRange gradients = ValueRange(step.getArguments()).drop_back(2).take_back(trained.size());
  SmallVector<Value> returned;
  buildUpdates(builder, step, gradients, returned);
  func::ReturnOp::create(builder, builder.getLoc(), returned);
}

void BuildTrainStepPass::buildGradients(func::FuncOp loss) {
  ImplicitLocOpBuilder builder(loss.getLoc(), loss->getBlock(), std::next(loss->getIterator()));
  SmallVector<Slot> arguments = getSlots("parameter", parameters);
  SmallVector<Slot> results = {{loss.getResultTypes()[0], "loss", builder.getStringAttr("loss")}};
  for (ParameterOp parameter : trained)
    results.push_back(
        {parameter.getTensorType(), "gradient", builder.getStringAttr("gradient." + parameter.getSymName())});
  llvm::append_range(arguments, getBatch(loss));
  func::FuncOp entry = createEntry(builder, loss.getLoc(), kGradientsName, arguments, results);
  builder.setInsertionPointToStart(&entry.front());
  ValueAndGradOp valueAndGrad = buildValueAndGrad(builder, loss, getCallArguments(loss, entry), trained);
  func::ReturnOp::create(builder, builder.getLoc(), valueAndGrad.getResults());
}

void BuildTrainStepPass::runOnOperation() {
  ModuleOp module = getOperation();
  SymbolTable symbols(module);
  if (failed(verifyOptions()) || failed(verifyOneProgram(module)))
    return signalPassFailure();
  auto loss = symbols.lookup<func::FuncOp>(function);
  if (!loss) {
    module.emitError("expected a function @")
        << function << " that returns the loss; name another one by function=NAME";
    return signalPassFailure();
  }
  for (auto [name, isMade] : {std::pair(kStepName, accumulate == 1), std::pair(kGradientStepName, accumulate != 1),
                              std::pair(kUpdateStepName, accumulate != 1), std::pair(kGradientsName, bool(gradients))})
    if (isMade && failed(verifyFree(symbols, name)))
      return signalPassFailure();
  parameters = llvm::to_vector(module.getOps<ParameterOp>());
  trained = llvm::filter_to_vector(parameters, [](ParameterOp parameter) { return !parameter.getFrozen(); });
  if (trained.empty()) {
    loss.emitOpError("expected the module to have a nova.parameter that can be trained, found ")
        << (parameters.empty() ? "none" : "only frozen ones");
    return signalPassFailure();
  }
  if (failed(verifyLoss(loss)) || failed(verifyRoles(loss)))
    return signalPassFailure();
  FailureOr<func::FuncOp> entry = takeParametersAsArguments(loss);
  if (failed(entry))
    return signalPassFailure();
  func::FuncOp training = splitTraining(*entry);
  if (gradients)
    buildGradients(training);
  if (accumulate == 1)
    return buildStep(training);
  // Each comes to stand right after the loss.
  buildUpdateStep(training);
  buildGradientStep(training);
}
