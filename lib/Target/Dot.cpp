//===- Dot.cpp - Programs and kernels as graphs ---------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Target/Dot.h"
#include "Nova/Dialect/Nova.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/GraphWriter.h"

namespace mlir::nova {

namespace {
class DotPrinter {
public:
  explicit DotPrinter(raw_ostream &os) : os(os) {}
  void print(ModuleOp module);

private:
  /// Opens a cluster for the op's regions and prints what is in them.
  void printCluster(Operation &op, const Twine &label);
  void printBlock(Block &block, FunctionOpInterface function);
  void printOp(Operation &op);
  /// Prints a node and remembers it as the source of `values`.
  unsigned printNode(ValueRange values, const Twine &label, StringRef style);
  void printEdges(Operation &op, unsigned to);

  raw_ostream &os;
  DenseMap<Value, unsigned> nodes;
  unsigned nodeCount = 0, clusterCount = 0;
  unsigned indent = 2;
};
} // namespace

static constexpr StringLiteral kParameterStyle = "shape=cylinder, style=filled, fillcolor=lightblue";
static constexpr StringLiteral kArgumentStyle = "shape=ellipse, style=filled, fillcolor=lightyellow";
static constexpr StringLiteral kLaunchStyle = "shape=component, style=filled, fillcolor=lightgrey";
static constexpr StringLiteral kConstantStyle = "shape=plaintext";
static constexpr StringLiteral kOpStyle = "shape=box";

/// `64x10xf32` for a tensor, else the type as it is spelled.
static std::string toText(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto shaped = dyn_cast<RankedTensorType>(type);
  if (!shaped) {
    os << type;
    return text;
  }
  for (int64_t size : shaped.getShape())
    (ShapedType::isDynamic(size) ? os << '?' : os << size) << 'x';
  os << shaped.getElementType();
  return text;
}

static std::string toText(TypeRange types) {
  return llvm::join(llvm::map_range(types, [](Type type) { return "\n" + toText(type); }), "");
}

static std::string toText(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto elements = dyn_cast<DenseElementsAttr>(attribute);
  if (elements && !elements.isSplat())
    return "...";
  if (elements)
    elements.getSplatValue<Attribute>().print(os, /*elideType=*/true);
  else
    attribute.print(os, /*elideType=*/true);
  return text;
}

unsigned DotPrinter::printNode(ValueRange values, const Twine &label, StringRef style) {
  unsigned node = nodeCount++;
  for (Value value : values)
    nodes[value] = node;
  os.indent(indent) << "n" << node << " [label=\"" << llvm::DOT::EscapeString(label.str()) << "\", " << style << "];\n";
  return node;
}

void DotPrinter::printEdges(Operation &op, unsigned to) {
  for (Value operand : op.getOperands())
    if (auto from = nodes.find(operand); from != nodes.end())
      os.indent(indent) << "n" << from->second << " -> n" << to << ";\n";
}

void DotPrinter::printOp(Operation &op) {
  std::string types = toText(op.getResultTypes());
  std::string name = op.getName().getStringRef().str();
  StringRef style = kOpStyle;
  TypeSwitch<Operation *>(&op)
      .Case([&](ReadOp read) {
        name = ("@" + read.getParameter()).str();
        style = kParameterStyle;
      })
      .Case([&](LaunchOp launch) {
        name = ("launch @" + launch.getKernel()).str();
        style = kLaunchStyle;
      })
      .Case([&](func::CallOp call) {
        name = ("call @" + call.getCallee()).str();
        style = kLaunchStyle;
      })
      .Case([&](ConstantOp constant) {
        name = toText(constant.getValue());
        style = kConstantStyle;
      })
      .Default([&](Operation *other) {
        if (isa<NovaDialect>(other->getDialect()))
          name = other->getName().stripDialect().str();
      });
  unsigned node = printNode(op.getResults(), name + types, style);
  printEdges(op, node);
  if (op.getNumRegions())
    printCluster(op, name);
}

/// What an argument is called that has no name: by its place, which in a grid is a block's number or an output.
static std::string defaultName(BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  auto grid = dyn_cast<scf::ForallOp>(argument.getOwner()->getParentOp());
  if (!grid)
    return "arg" + std::to_string(number);
  unsigned rank = grid.getRank();
  return number < rank ? "block " + std::to_string(number) : "out " + std::to_string(number - rank);
}

void DotPrinter::printBlock(Block &block, FunctionOpInterface function) {
  for (BlockArgument argument : block.getArguments()) {
    StringRef name = "", role = "";
    if (function) {
      auto text = [&](StringRef key) {
        auto attribute = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), key);
        return attribute ? attribute.getValue() : StringRef();
      };
      name = text("nova.name");
      role = text("nova.role");
    }
    std::string label = name.empty() ? defaultName(argument) : name.str();
    bool isState = isStateRole(role);
    if (isState && role != "parameter")
      label = (role + " of ").str() + label;
    printNode(argument, label + "\n" + toText(argument.getType()), isState ? kParameterStyle : kArgumentStyle);
  }
  for (Operation &op : block)
    printOp(op);
}

void DotPrinter::printCluster(Operation &op, const Twine &label) {
  os.indent(indent) << "subgraph cluster_" << clusterCount++ << " {\n";
  indent += 2;
  os.indent(indent) << "label=\"" << llvm::DOT::EscapeString(label.str()) << "\";\n";
  for (Region &region : op.getRegions())
    for (Block &block : region)
      printBlock(block, dyn_cast<FunctionOpInterface>(op));
  indent -= 2;
  os.indent(indent) << "}\n";
}

void DotPrinter::print(ModuleOp module) {
  os << "digraph \"" << llvm::DOT::EscapeString(module.getName().value_or("program").str()) << "\" {\n";
  os << "  node [fontname=\"sans-serif\"];\n";
  for (Operation &op : module.getOps()) {
    if (auto kernel = dyn_cast<KernelOp>(op))
      printCluster(op, "kernel @" + kernel.getSymName() + " (" + stringifyFamily(kernel.getFamily()) + ")");
    else if (auto function = dyn_cast<FunctionOpInterface>(op); function && !function.isExternal())
      printCluster(op, "@" + function.getName());
  }
  os << "}\n";
}

void printDot(ModuleOp module, raw_ostream &os) { DotPrinter(os).print(module); }

} // namespace mlir::nova
