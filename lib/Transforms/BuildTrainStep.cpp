//===- BuildTrainStep.cpp - From a loss and parameters to a step ----------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InlineCalls.h"
#include "Nova/Dialect/Nova.h"
#include "Nova/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::nova {
#define GEN_PASS_DEF_BUILDTRAINSTEPPASS
#include "Nova/Transforms/Passes.h.inc"
} // namespace mlir::nova

using namespace mlir;
using namespace mlir::nova;

static constexpr StringLiteral kStepName = "train_step", kGradientsName = "gradients";

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
  int64_t donated = -1;      ///< Of an argument: the result that takes its memory.
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
  void buildGradients(func::FuncOp loss);
  ValueAndGradOp buildValueAndGrad(ImplicitLocOpBuilder &builder, func::FuncOp loss, ValueRange arguments);
  Value buildGradientScale(ImplicitLocOpBuilder &builder, Value norm);

  /// The data arguments of the loss once it takes the parameters as arguments.
  SmallVector<Slot> getData(func::FuncOp loss);

  SmallVector<ParameterOp> parameters;
};
} // namespace

LogicalResult BuildTrainStepPass::verifyOptions() {
  auto reject = [&](StringRef option, StringRef expected, auto found) {
    return emitError(getOperation().getLoc(), "nova-build-train-step: expected ")
           << option << " to be " << expected << ", found " << found;
  };
  if (optimizer != "adamw")
    return reject("optimizer", "adamw", "'" + optimizer + "'");
  // Written so that NaN is refused too.
  if (!(beta1 >= 0 && beta1 < 1))
    return reject("beta1", "at least 0 and below 1", beta1.getValue());
  if (!(beta2 >= 0 && beta2 < 1))
    return reject("beta2", "at least 0 and below 1", beta2.getValue());
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
    arguments.push_back({argument.getType(), "data", name ? name : builder.getStringAttr("arg" + Twine(number)),
                         loss.getArgAttrDict(number)});
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
  for (ReadOp read : llvm::make_early_inc_range(entry.front().getOps<ReadOp>())) {
    read.replaceAllUsesWith(values.lookup(read.getParameterAttr().getAttr()));
    read.erase();
  }
  loss.erase();
  return entry;
}

SmallVector<Slot> BuildTrainStepPass::getData(func::FuncOp loss) {
  SmallVector<Slot> data;
  for (unsigned number = parameters.size(); number < loss.getNumArguments(); ++number)
    data.push_back({loss.getArgumentTypes()[number], "data", loss.getArgAttrOfType<StringAttr>(number, "nova.name"),
                    loss.getArgAttrDict(number)});
  return data;
}

// The loss and its gradients for all parameters, which come first among the arguments.
ValueAndGradOp BuildTrainStepPass::buildValueAndGrad(ImplicitLocOpBuilder &builder, func::FuncOp loss,
                                                     ValueRange arguments) {
  SmallVector<Type> types(loss.getResultTypes());
  llvm::append_range(types, arguments.take_front(parameters.size()).getTypes());
  SmallVector<int64_t> wrt = llvm::to_vector(llvm::seq<int64_t>(parameters.size()));
  return ValueAndGradOp::create(builder, builder.getLoc(), types, FlatSymbolRefAttr::get(loss.getSymNameAttr()),
                                arguments, builder.getDenseI64ArrayAttr(wrt));
}

// min(1, clip / (norm + 1e-6)), as PyTorch's clip_grad_norm_.
Value BuildTrainStepPass::buildGradientScale(ImplicitLocOpBuilder &builder, Value norm) {
  auto scalar = [&](double number) -> Value {
    auto type = RankedTensorType::get({}, builder.getF32Type());
    return ConstantOp::create(builder, builder.getLoc(), DenseElementsAttr::get(type, float(number)));
  };
  if (clip == 0)
    return scalar(1.0);
  Value ratio = DivOp::create(builder, builder.getLoc(), scalar(clip),
                              AddOp::create(builder, builder.getLoc(), norm, scalar(1e-6)));
  return MinOp::create(builder, builder.getLoc(), scalar(1.0), ratio);
}

void BuildTrainStepPass::buildStep(func::FuncOp loss) {
  ImplicitLocOpBuilder builder(loss.getLoc(), loss->getBlock(), std::next(loss->getIterator()));
  auto scalarF32 = RankedTensorType::get({}, builder.getF32Type());
  auto scalarI64 = RankedTensorType::get({}, builder.getI64Type());
  size_t count = parameters.size();

  SmallVector<Slot> arguments;
  for (StringRef role : {"parameter", "m", "v"})
    for (ParameterOp parameter : parameters)
      arguments.push_back({parameter.getTensorType(), role, parameter.getSymNameAttr()});
  SmallVector<Slot> results = arguments;
  for (auto [number, slot] : llvm::enumerate(arguments))
    slot.donated = number;
  llvm::append_range(arguments, getData(loss));
  auto addScalar = [&](SmallVector<Slot> &slots, Type type, StringRef name) {
    slots.push_back({type, name, builder.getStringAttr(name)});
  };
  addScalar(arguments, scalarF32, "lr");
  addScalar(arguments, scalarI64, "step");
  addScalar(arguments, scalarI64, "seed");
  addScalar(results, scalarF32, "loss");
  addScalar(results, scalarF32, "grad_norm");
  func::FuncOp step = createEntry(builder, loss.getLoc(), kStepName, arguments, results);

  builder.setInsertionPointToStart(&step.front());
  ValueRange given = step.getArguments();
  ValueRange values = given.take_front(count), ms = given.slice(count, count), vs = given.slice(2 * count, count);
  SmallVector<Value> callArguments(values);
  llvm::append_range(callArguments, given.drop_front(3 * count).drop_back(3));
  Value lr = given.drop_back(2).back(), stepNumber = given.drop_back(1).back();

  ValueAndGradOp valueAndGrad = buildValueAndGrad(builder, loss, callArguments);
  Value lossValue = valueAndGrad.getResults().front();
  ValueRange parameterGradients = valueAndGrad.getResults().drop_front();
  Value norm = GlobalNormOp::create(builder, builder.getLoc(), scalarF32, parameterGradients);
  Value scale = buildGradientScale(builder, norm);

  SmallVector<Value> returned(3 * count);
  for (auto [number, parameter] : llvm::enumerate(parameters)) {
    double decay = parameter.decays() ? weightDecay : 0.0;
    auto update =
        AdamWOp::create(builder, parameter.getLoc(), values[number], parameterGradients[number], ms[number], vs[number],
                        lr, stepNumber, scale, APFloat(beta1), APFloat(beta2), APFloat(eps), APFloat(decay));
    returned[number] = update.getNewParameter();
    returned[count + number] = update.getNewM();
    returned[2 * count + number] = update.getNewV();
  }
  llvm::append_values(returned, lossValue, norm);
  func::ReturnOp::create(builder, builder.getLoc(), returned);
}

void BuildTrainStepPass::buildGradients(func::FuncOp loss) {
  ImplicitLocOpBuilder builder(loss.getLoc(), loss->getBlock(), std::next(loss->getIterator()));
  SmallVector<Slot> arguments, results = {{loss.getResultTypes()[0], "loss", builder.getStringAttr("loss")}};
  for (ParameterOp parameter : parameters) {
    arguments.push_back({parameter.getTensorType(), "parameter", parameter.getSymNameAttr()});
    results.push_back(
        {parameter.getTensorType(), "gradient", builder.getStringAttr("gradient." + parameter.getSymName())});
  }
  llvm::append_range(arguments, getData(loss));
  func::FuncOp entry = createEntry(builder, loss.getLoc(), kGradientsName, arguments, results);
  builder.setInsertionPointToStart(&entry.front());
  ValueAndGradOp valueAndGrad = buildValueAndGrad(builder, loss, entry.getArguments());
  func::ReturnOp::create(builder, builder.getLoc(), valueAndGrad.getResults());
}

void BuildTrainStepPass::runOnOperation() {
  ModuleOp module = getOperation();
  SymbolTable symbols(module);
  if (failed(verifyOptions()))
    return signalPassFailure();
  auto loss = symbols.lookup<func::FuncOp>(function);
  if (!loss) {
    module.emitError("expected a function @")
        << function << " that returns the loss; name another one by function=NAME";
    return signalPassFailure();
  }
  if (failed(verifyFree(symbols, kStepName)) || (gradients && failed(verifyFree(symbols, kGradientsName))))
    return signalPassFailure();
  parameters = llvm::to_vector(module.getOps<ParameterOp>());
  if (parameters.empty()) {
    loss.emitOpError("expected the module to have a nova.parameter that can be trained, found none");
    return signalPassFailure();
  }
  if (failed(verifyLoss(loss)))
    return signalPassFailure();
  FailureOr<func::FuncOp> entry = takeParametersAsArguments(loss);
  if (failed(entry))
    return signalPassFailure();
  if (gradients)
    buildGradients(*entry);
  buildStep(*entry);
}
