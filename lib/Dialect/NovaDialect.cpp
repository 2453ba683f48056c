//===- NovaDialect.cpp - The dialect's registration and attributes ----===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Layout.h"
#include "Nova/Dialect/Nova.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::nova;

#include "Nova/Dialect/NovaDialect.cpp.inc"
#include "Nova/Dialect/NovaEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "Nova/Dialect/NovaAttributes.cpp.inc"

namespace {
/// Types of tiles are long; a module names their layouts on top.
struct LayoutAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (!isLayout(attribute))
      return AliasResult::NoAlias;
    if (auto fragment = dyn_cast<FragmentAttr>(attribute))
      os << stringifyMatrixOperand(fragment.getOperand());
    else
      os << (isa<SharedAttr>(attribute) ? "shared" : isa<ThreadsAttr>(attribute) ? "threads" : "part");
    return AliasResult::FinalAlias;
  }
};
} // namespace

void NovaDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Nova/Dialect/NovaOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Nova/Dialect/NovaAttributes.cpp.inc"
      >();
  addScheduleOps();
  addInterfaces<LayoutAliases>();
}

Operation *NovaDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location location) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, location, elements);
}

bool nova::detail::isPlainTensor(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  // An axis of size 0 counts as 1: strides are products of the other sizes.
  std::optional<int64_t> bytes = sizeof(double);
  for (int64_t size : tensor.getShape())
    if (bytes && !ShapedType::isDynamic(size))
      bytes = llvm::checkedMul<int64_t>(*bytes, std::max<int64_t>(size, 1));
  return bytes && (!tensor.getEncoding() || isLayout(tensor.getEncoding()));
}

//===----------------------------------------------------------------------===//
// Discardable attributes: names and roles of arguments and results
//===----------------------------------------------------------------------===//

bool nova::isStateRole(StringRef role) {
  return llvm::StringSwitch<bool>(role).Cases({"parameter", "m", "v", "accumulator", "narrow"}, true).Default(false);
}

static LogicalResult verifyOperandAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == "nova.name") {
    if (!isa<StringAttr>(attribute.getValue()))
      return op->emitOpError("expected nova.name to be a string, found ") << attribute.getValue();
    return success();
  }
  if (name == "nova.role") {
    auto role = dyn_cast<StringAttr>(attribute.getValue());
    bool known = role && (isStateRole(role) ||
                          llvm::StringSwitch<bool>(role)
                              .Cases({"data", "lr", "step", "seed", "micro", "loss", "grad_norm", "gradient"}, true)
                              .Default(false));
    if (!known)
      return op->emitOpError(
                 "expected nova.role to be one of parameter, m, v, accumulator, narrow, data, lr, step, seed, micro, "
                 "loss, grad_norm and gradient, found ")
             << attribute.getValue();
    return success();
  }
  if (name == "nova.bound") {
    auto bound = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!bound || !bound.getType().isSignlessInteger(64) || bound.getInt() <= 0)
      return op->emitOpError("expected nova.bound to be a positive i64, found ") << attribute.getValue();
    return success();
  }
  if (name == "nova.address") {
    if (!isa<AddressAttr>(attribute.getValue()))
      return op->emitOpError("expected nova.address to be a #nova.address, found ") << attribute.getValue();
    return success();
  }
  if (name == "nova.donated") {
    auto result = dyn_cast<IntegerAttr>(attribute.getValue());
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function || !result || !result.getType().isSignlessInteger(64) || result.getInt() < 0 ||
        result.getInt() >= function.getNumResults())
      return op->emitOpError("expected nova.donated to be the number of a result, an i64, found ")
             << attribute.getValue();
    return success();
  }
  return op->emitOpError("unknown attribute ") << name << "; arguments and results take nova.name, nova.role, "
                                               << "nova.bound, nova.donated and nova.address";
}

LogicalResult NovaDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  return verifyOperandAttribute(op, attribute);
}
LogicalResult NovaDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  return verifyOperandAttribute(op, attribute);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

FailureOr<APFloat> nova::detail::parseDouble(AsmParser &parser) {
  double value;
  if (parser.parseFloat(value))
    return failure();
  return APFloat(value);
}

void nova::detail::printDouble(AsmPrinter &printer, const APFloat &value) {
  if (!value.isFinite()) {
    printer << value;
    return;
  }
  SmallString<32> text;
  double read = 0;
  for (unsigned digits = 1; text.empty() || read != value.convertToDouble(); ++digits) {
    text.clear();
    llvm::raw_svector_ostream(text) << llvm::format("%.*g", digits, value.convertToDouble());
    (void)text.str().getAsDouble(read);
  }
  // MLIR reads a float by its point.
  if (text.find('.') == StringRef::npos)
    text.insert(text.begin() + std::min(text.find('e'), text.size()), {'.', '0'});
  printer << text;
}

LogicalResult NormalAttr::verify(function_ref<InFlightDiagnostic()> emitError, APFloat mean, APFloat std) {
  if (!mean.isFinite() || !std.isFinite() || std.convertToDouble() < 0)
    return emitError() << "expected a finite mean and a finite standard deviation of at least 0, found "
                       << mean.convertToDouble() << " and " << std.convertToDouble();
  return success();
}

LogicalResult UniformAttr::verify(function_ref<InFlightDiagnostic()> emitError, APFloat low, APFloat high) {
  if (!low.isFinite() || !high.isFinite() || low.convertToDouble() > high.convertToDouble())
    return emitError() << "expected finite bounds with low <= high, found " << low.convertToDouble() << " and "
                       << high.convertToDouble();
  return success();
}

LogicalResult AddressAttr::verify(function_ref<InFlightDiagnostic()> emitError, MemoryRegion, int64_t offset) {
  if (offset < 0)
    return emitError() << "expected an offset of at least 0, found " << offset;
  return success();
}

LogicalResult KernelConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> tile,
                                       int64_t lanes, ArrayRef<int64_t> micro, int64_t threads, bool pairs, bool tf32,
                                       StringRef strategy, StringRef intrinsic, int64_t depth, int64_t stages) {
  if (llvm::any_of(tile, [](int64_t t) { return t < 0; }))
    return emitError() << "expected tile sizes of at least 0, found " << tile;
  if (lanes < 1 || lanes > 64 || (lanes & (lanes - 1)))
    return emitError() << "expected lanes to be a power of two up to 64, found " << lanes;
  if (!micro.empty() && (micro.size() != 2 || llvm::any_of(micro, [](int64_t m) { return m < 1 || m > 2048; })))
    return emitError() << "expected micro to hold rows and vectors, from 1 to 2048 each, found " << micro;
  if (threads < 0 || threads > 1024 || threads % 32)
    return emitError() << "expected threads to be a multiple of 32 up to 1024, found " << threads;
  if (pairs && threads)
    return emitError() << "expected pairs only on a CPU, found " << threads
                       << " threads; on a GPU the strategy tensor_cores multiplies them";
  if (pairs && lanes != 16)
    return emitError() << "expected 16 lanes with pairs, found " << lanes;
  if (tf32 && !threads)
    return emitError() << "expected threads with tf32, which is for GPUs, found none";
  if (!strategy.empty() && !threads)
    return emitError() << "expected threads with a strategy, which is for GPUs, found none";
  if (strategy.empty() && (!intrinsic.empty() || depth || stages))
    return emitError() << "expected intrinsic, depth and stages only with a strategy, found none";
  if (depth < 0 || depth > 1024 || stages < 0 || stages > 16)
    return emitError() << "expected a depth up to 1024 and up to 16 stages, found " << depth << " and " << stages;
  return success();
}

void KernelConfigAttr::print(AsmPrinter &printer) const {
  printer << "<tile = [" << getTile() << "], lanes = " << getLanes();
  if (!getMicro().empty())
    printer << ", micro = [" << getMicro() << "]";
  if (getThreads())
    printer << ", threads = " << getThreads();
  if (getPairs())
    printer << ", pairs";
  if (getTf32())
    printer << ", tf32";
  if (!getStrategy().empty())
    printer << ", strategy = " << getStrategy();
  if (!getIntrinsic().empty())
    printer << ", intrinsic = \"" << getIntrinsic() << "\"";
  if (getDepth())
    printer << ", depth = " << getDepth();
  if (getStages())
    printer << ", stages = " << getStages();
  printer << ">";
}

Attribute KernelConfigAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> tile, micro;
  int64_t lanes = 1, threads = 0, depth = 0, stages = 0;
  bool pairs = false, tf32 = false;
  StringRef strategy;
  std::string intrinsic;
  auto list = [&](SmallVector<int64_t> &values) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                          [&] { return parser.parseInteger(values.emplace_back()); });
  };
  auto field = [&]() -> ParseResult {
    StringRef name;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
    if (name == "pairs" || name == "tf32") {
      (name == "pairs" ? pairs : tf32) = true;
      return success();
    }
    if (parser.parseEqual())
      return failure();
    if (name == "tile")
      return list(tile);
    if (name == "micro")
      return list(micro);
    if (name == "lanes")
      return parser.parseInteger(lanes);
    if (name == "threads")
      return parser.parseInteger(threads);
    if (name == "strategy")
      return parser.parseKeyword(&strategy);
    if (name == "intrinsic")
      return parser.parseString(&intrinsic);
    if (name == "depth")
      return parser.parseInteger(depth);
    if (name == "stages")
      return parser.parseInteger(stages);
    return parser.emitError(at) << "expected tile, lanes, micro, threads, pairs, tf32, strategy, intrinsic, depth or "
                                   "stages, found "
                                << name;
  };
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, field))
    return {};
  return parser.getChecked<KernelConfigAttr>(start, parser.getContext(), tile, lanes, micro, threads, pairs, tf32,
                                             strategy, intrinsic, depth, stages);
}
