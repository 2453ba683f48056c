//===- BundleTables.cpp - The plan of a program as a bundle's tables ------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Target/BundleTables.h"
#include "ConstantData.h"
#include "Nova/Dialect/Nova.h"
#include "Nova/Target/KernelCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::nova {

//===----------------------------------------------------------------------===//
// Types, addresses, names
//===----------------------------------------------------------------------===//

static ::nova::DType toDType(Type type) {
  return TypeSwitch<Type, ::nova::DType>(type)
      .Case([](Float64Type) { return ::nova::DType::F64; })
      .Case([](Float32Type) { return ::nova::DType::F32; })
      .Case([](Float16Type) { return ::nova::DType::F16; })
      .Case([](BFloat16Type) { return ::nova::DType::BF16; })
      .Case([](IntegerType integer) {
        switch (integer.getWidth()) {
        case 1:
          return ::nova::DType::I1;
        case 8:
          return ::nova::DType::I8;
        case 32:
          return ::nova::DType::I32;
        }
        return ::nova::DType::I64;
      });
}

static ::nova::TensorInfo toTensorInfo(StringRef name, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return {name.str(), toDType(tensor.getElementType()), tensor.getShape().vec()};
}

static uint64_t bytesOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getNumElements() * ::nova::sizeOf(toDType(tensor.getElementType()));
}

static ::nova::Address toAddress(AddressAttr address) {
  static_assert(unsigned(MemoryRegion::State) == unsigned(::nova::Region::State) &&
                    unsigned(MemoryRegion::Arena) == unsigned(::nova::Region::Arena) &&
                    unsigned(MemoryRegion::Constants) == unsigned(::nova::Region::Constants) &&
                    unsigned(MemoryRegion::Io) == unsigned(::nova::Region::Io),
                "one numbering of regions");
  return {::nova::Region(address.getRegion()), uint64_t(address.getOffset())};
}

/// `file:line:column` of the op's first location in a file; a fused op has several.
static std::string toText(Location location) {
  std::string text;
  location->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    text = llvm::formatv("{0}:{1}:{2}", file.getFilename().getValue(), file.getLine(), file.getColumn()).str();
    return WalkResult::interrupt();
  });
  return text;
}

//===----------------------------------------------------------------------===//
// Builder
//===----------------------------------------------------------------------===//

namespace {
class TablesBuilder {
public:
  explicit TablesBuilder(ModuleOp module) : module(module) {}
  FailureOr<::nova::Bundle> build();

private:
  /// The op's `nova.address`, or an error.
  FailureOr<::nova::Address> addressOf(Operation *op, AddressAttr address, const Twine &what);

  LogicalResult addRegions();
  LogicalResult addParameters();
  LogicalResult addEntry(func::FuncOp function);
  LogicalResult addInput(func::FuncOp function, unsigned number, ::nova::Entry &entry);
  LogicalResult addOutput(func::FuncOp function, unsigned number, ::nova::Entry &entry);
  LogicalResult addLaunch(LaunchOp launch, ::nova::Entry &entry);
  LogicalResult addConstant(ConstantOp constant);
  FailureOr<uint32_t> kernelOf(LaunchOp launch);

  ModuleOp module;
  ::nova::Bundle bundle;
  DenseMap<Operation *, uint32_t> kernels;
};
} // namespace

FailureOr<::nova::Address> TablesBuilder::addressOf(Operation *op, AddressAttr address, const Twine &what) {
  if (!address)
    return op->emitOpError("expected an address of ") << what << ", found none; run --nova-plan-memory first";
  return toAddress(address);
}

LogicalResult TablesBuilder::addRegions() {
  auto bytes = module->getAttrOfType<DenseI64ArrayAttr>("nova.region_bytes");
  if (!bytes || bytes.size() != ::nova::kRegionCount)
    return emitError(module.getLoc(), "expected nova.region_bytes of ")
           << ::nova::kRegionCount << " regions, found none; run --nova-plan-memory first";
  llvm::copy(bytes.asArrayRef(), bundle.regionBytes);
  bundle.constants.assign(bundle.regionBytes[size_t(::nova::Region::Constants)], '\0');
  return success();
}

::nova::Initializer toInitializer(Attribute init) {
  using Kind = ::nova::Initializer::Kind;
  return TypeSwitch<Attribute, ::nova::Initializer>(init)
      .Case([](ConstantInitAttr constant) {
        return ::nova::Initializer{Kind::Constant, constant.getValue().convertToDouble(), 0};
      })
      .Case([](NormalAttr normal) {
        return ::nova::Initializer{Kind::Normal, normal.getMean().convertToDouble(), normal.getStd().convertToDouble()};
      })
      .Case([](UniformAttr uniform) {
        return ::nova::Initializer{Kind::Uniform, uniform.getLow().convertToDouble(),
                                   uniform.getHigh().convertToDouble()};
      });
}

std::vector<std::string> aliasesOf(ParameterOp parameter) {
  std::vector<std::string> aliases;
  if (parameter.getAliases())
    for (StringRef alias : parameter.getAliases()->getAsValueRange<StringAttr>())
      aliases.push_back(alias.str());
  return aliases;
}

::nova::StateTensor::Role toStateRole(StringRef role) {
  return llvm::StringSwitch<::nova::StateTensor::Role>(role)
      .Case("parameter", ::nova::StateTensor::Role::Parameter)
      .Case("m", ::nova::StateTensor::Role::Moment1)
      .Case("v", ::nova::StateTensor::Role::Moment2)
      .Case("accumulator", ::nova::StateTensor::Role::Accumulator)
      .Case("narrow", ::nova::StateTensor::Role::Narrow);
}

LogicalResult TablesBuilder::addParameters() {
  for (auto parameter : module.getOps<ParameterOp>()) {
    auto address = addressOf(parameter, parameter->getAttrOfType<AddressAttr>("nova.address"), "the parameter");
    if (failed(address))
      return failure();
    bundle.state.push_back({toTensorInfo(parameter.getSymName(), parameter.getTensorType()),
                            ::nova::StateTensor::Role::Parameter, *address, toInitializer(parameter.getInit()),
                            aliasesOf(parameter)});
  }
  return success();
}

LogicalResult TablesBuilder::addInput(func::FuncOp function, unsigned number, ::nova::Entry &entry) {
  auto address =
      addressOf(function, function.getArgAttrOfType<AddressAttr>(number, "nova.address"), "argument " + Twine(number));
  if (failed(address))
    return failure();
  auto role = function.getArgAttrOfType<StringAttr>(number, "nova.role");
  auto name = function.getArgAttrOfType<StringAttr>(number, "nova.name");
  auto tensor = toTensorInfo(name ? name.getValue() : StringRef("arg" + std::to_string(number)),
                             function.getArgumentTypes()[number]);
  // Parameters have their row already, whoever reads them; other state belongs to the entries that take it.
  if (role && role == "parameter")
    return success();
  if (role && isStateRole(role)) {
    ::nova::StateTensor state = {std::move(tensor), toStateRole(role), *address, {}};
    // Several entries may take it.
    if (llvm::none_of(bundle.state, [&](const ::nova::StateTensor &other) {
          return other.role == state.role && other.tensor.name == state.tensor.name;
        }))
      bundle.state.push_back(std::move(state));
    return success();
  }
  auto bound = function.getArgAttrOfType<IntegerAttr>(number, "nova.bound");
  entry.inputs.push_back(
      {std::move(tensor), role ? role.str() : "data", *address, bound ? bound.getInt() : int64_t(0)});
  return success();
}

LogicalResult TablesBuilder::addOutput(func::FuncOp function, unsigned number, ::nova::Entry &entry) {
  auto role = function.getResultAttrOfType<StringAttr>(number, "nova.role");
  if (role && isStateRole(role))
    return success();
  auto address =
      addressOf(function, function.getResultAttrOfType<AddressAttr>(number, "nova.address"), "result " + Twine(number));
  if (failed(address))
    return failure();
  auto name = function.getResultAttrOfType<StringAttr>(number, "nova.name");
  entry.outputs.push_back({toTensorInfo(name ? name.getValue() : StringRef("result" + std::to_string(number)),
                                        function.getResultTypes()[number]),
                           role && role != "gradient" ? role.str() : "data", *address, 0});
  return success();
}

/// Blocks of the kernel's grid; nothing when it is not tiled.
static std::optional<int64_t> blocksOf(KernelOp kernel) {
  auto grids = kernel.getBody().getOps<scf::ForallOp>();
  if (!llvm::hasSingleElement(grids))
    return std::nullopt;
  scf::ForallOp grid = *grids.begin();
  int64_t blocks = 1;
  for (auto [lower, upper, step] :
       llvm::zip_equal(grid.getStaticLowerBound(), grid.getStaticUpperBound(), grid.getStaticStep())) {
    if (ShapedType::isDynamic(lower) || ShapedType::isDynamic(upper) || ShapedType::isDynamic(step))
      return std::nullopt;
    blocks *= llvm::divideCeil(upper - lower, step);
  }
  return blocks;
}

/// What multiplies in a kernel of this configuration.
static ::nova::Unit unitOf(KernelConfigAttr config) {
  if (config.usesTensorCores())
    return config.usesTf32() ? ::nova::Unit::TensorCoresTf32 : ::nova::Unit::TensorCores;
  if (config.usesMatrices())
    return ::nova::Unit::Matrices;
  return config.getPairs() ? ::nova::Unit::Pairs : ::nova::Unit::Vectors;
}

FailureOr<uint32_t> TablesBuilder::kernelOf(LaunchOp launch) {
  auto op = module.lookupSymbol<KernelOp>(launch.getKernel());
  if (auto known = kernels.find(op); known != kernels.end())
    return known->second;
  std::optional<int64_t> blocks = blocksOf(op);
  if (!blocks)
    return op.emitOpError("expected one scf.forall with a static grid; run --nova-tile first");

  ::nova::Kernel kernel;
  kernel.name = op.getName().str();
  kernel.family = stringifyFamily(op.getFamily()).str();
  kernel.location = toText(op.getLoc());
  kernel.blocks = *blocks;
  for (Type type : llvm::concat<const Type>(op.getArgumentTypes(), op.getResultTypes())) {
    kernel.argumentBytes.push_back(bytesOf(type));
    kernel.argumentTypes.push_back(toDType(cast<RankedTensorType>(type).getElementType()));
  }
  kernel.operands = op.getNumArguments();
  kernel.bytes = std::accumulate(kernel.argumentBytes.begin(), kernel.argumentBytes.end(), 0.0);
  if (auto bytes = op->getAttrOfType<FloatAttr>("nova.bytes"))
    kernel.bytes = bytes.getValueAsDouble();
  if (auto flops = op->getAttrOfType<FloatAttr>("nova.flops"))
    kernel.flops = flops.getValueAsDouble();
  if (auto config = op.getConfig()) {
    kernel.gpuThreads = config->getThreads();
    kernel.unit = unitOf(*config);
  }
  Operation *code = findKernelCode(module);
  Operation *function = code ? SymbolTable::lookupSymbolIn(code, op.getName()) : nullptr;
  if (!function)
    return op.emitOpError("expected the kernel's code, found none; run --nova-emit-cpu or --nova-emit-gpu first");
  auto number = [&](StringRef name) {
    auto attribute = function->getAttrOfType<IntegerAttr>(name);
    return attribute ? attribute.getInt() : 0;
  };
  kernel.scratchBytes = number("nova.scratch_bytes");
  kernel.gpuSharedBytes = number("nova.shared_bytes");

  uint32_t index = bundle.kernels.size();
  bundle.kernels.push_back(std::move(kernel));
  kernels[op] = index;
  return index;
}

LogicalResult TablesBuilder::addLaunch(LaunchOp launch, ::nova::Entry &entry) {
  FailureOr<uint32_t> kernel = kernelOf(launch);
  if (failed(kernel))
    return failure();
  auto addresses = launch->getAttrOfType<ArrayAttr>("nova.addresses");
  size_t count = launch.getNumOperands() + launch.getNumResults();
  if (!addresses || addresses.size() != count || !llvm::all_of(addresses, llvm::IsaPred<AddressAttr>))
    return launch.emitOpError("expected nova.addresses of ")
           << count << " operands and results; run --nova-plan-memory first";
  ::nova::Launch row{*kernel, {}};
  for (auto address : addresses.getAsRange<AddressAttr>())
    row.arguments.push_back(toAddress(address));
  entry.launches.push_back(std::move(row));
  return success();
}

LogicalResult TablesBuilder::addConstant(ConstantOp constant) {
  auto address = addressOf(constant, constant->getAttrOfType<AddressAttr>("nova.address"), "the constant");
  if (failed(address))
    return failure();
  FailureOr<std::string> data = constantBytes(constant);
  if (failed(data))
    return failure();
  if (address->region != ::nova::Region::Constants || address->offset + data->size() > bundle.constants.size())
    return constant.emitOpError("expected an address in the ")
           << bundle.constants.size() << " bytes of constants, found "
           << constant->getAttrOfType<AddressAttr>("nova.address");
  bundle.constants.replace(address->offset, data->size(), *data);
  return success();
}

LogicalResult TablesBuilder::addEntry(func::FuncOp function) {
  ::nova::Entry entry;
  entry.name = function.getName().str();
  for (unsigned number = 0; number != function.getNumArguments(); ++number)
    if (failed(addInput(function, number, entry)))
      return failure();
  for (unsigned number = 0; number != function.getNumResults(); ++number)
    if (failed(addOutput(function, number, entry)))
      return failure();
  for (Operation &op : function.getBody().front()) {
    LogicalResult added = TypeSwitch<Operation *, LogicalResult>(&op)
                              .Case([&](LaunchOp launch) { return addLaunch(launch, entry); })
                              .Case([&](ConstantOp constant) { return addConstant(constant); })
                              .Default(success()); // Views and reads are addresses by now.
    if (failed(added))
      return failure();
  }
  bundle.entries.push_back(std::move(entry));
  return success();
}

FailureOr<::nova::Bundle> TablesBuilder::build() {
  if (failed(addRegions()) || failed(addParameters()))
    return failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(addEntry(function)))
      return failure();
  return std::move(bundle);
}

FailureOr<::nova::Bundle> buildBundleTables(ModuleOp module) { return TablesBuilder(module).build(); }

} // namespace mlir::nova
