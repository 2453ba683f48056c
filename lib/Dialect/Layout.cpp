//===- Layout.cpp - Where the elements of a tile are ----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Dialect/Layout.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nova;

bool nova::isLayout(Attribute attribute) {
  return isa_and_nonnull<SharedAttr, ThreadsAttr, FragmentAttr, PartAttr>(attribute);
}
static Attribute encodingOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getEncoding() : Attribute();
}
bool nova::isInSharedMemory(Type type) { return isa_and_nonnull<SharedAttr>(encodingOf(type)); }
bool nova::isInRegisters(Type type) { return isLayout(encodingOf(type)) && !isInSharedMemory(type); }

//===----------------------------------------------------------------------===//
// Maps over bits
//===----------------------------------------------------------------------===//

uint32_t BitMap::operator()(uint32_t number) const {
  uint32_t value = 0;
  for (auto [bit, basis] : llvm::enumerate(bases))
    if (number >> bit & 1)
      value ^= basis;
  return value;
}

uint32_t BitMap::idle() const {
  uint32_t all = 0;
  for (auto [bit, basis] : llvm::enumerate(bases))
    all |= basis ? 0 : uint32_t(1) << bit;
  return all;
}

uint32_t BitMap::reach() const {
  uint32_t all = 0;
  for (uint32_t basis : bases)
    all |= basis;
  return all;
}

BitMap BitMap::then(const BitMap &next) const {
  BitMap both;
  for (uint32_t basis : bases)
    both.push_back(next(basis));
  return both;
}

unsigned BitMap::rank() const {
  SmallVector<uint32_t> reduced; // with different highest bits
  for (uint32_t basis : bases) {
    for (uint32_t other : reduced)
      basis = std::min(basis, basis ^ other);
    if (basis)
      reduced.push_back(basis);
  }
  return reduced.size();
}

SmallVector<int64_t> nova::coordinatesOf(ArrayRef<int64_t> shape, uint32_t element) {
  SmallVector<int64_t> at(shape.size());
  for (int64_t axis = int64_t(shape.size()) - 1; axis >= 0; --axis) {
    at[axis] = element % shape[axis];
    element /= shape[axis];
  }
  return at;
}

/// The number of the element `distance` further along an axis than the first; 0 beyond the end.
static uint32_t stepAlong(ArrayRef<int64_t> shape, unsigned axis, int64_t distance) {
  return distance < shape[axis] ? distance * ShapedType::getNumElements(shape.drop_front(axis + 1)) : 0;
}

/// Bases for `count` (a power of two) places along an axis, `stride` apart.
static void addBases(BitMap &map, ArrayRef<int64_t> shape, unsigned axis, int64_t stride, int64_t count) {
  for (int64_t i = 1; i < count; i *= 2)
    map.push_back(stepAlong(shape, axis, i * stride));
}

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

// A lane's group is lane / 4, its place in it lane % 4. Rows first; the tables are those of the PTX manual, bit by bit.
static MatrixIntrinsic intrinsicOfHalves(StringRef name, MatrixIntrinsic::Factor factor) {
  return {name,
          factor,
          16,
          8,
          16,
          {{16, 16}, {{0, 1}, {8, 0}, {0, 8}}, {{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}}},
          {{16, 8}, {{1, 0}, {8, 0}}, {{{2, 0}, {4, 0}, {0, 1}, {0, 2}, {0, 4}}}},
          {{16, 8}, {{0, 1}, {8, 0}}, {{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}}}};
}

ArrayRef<MatrixIntrinsic> nova::matrixIntrinsics() {
  using Factor = MatrixIntrinsic::Factor;
  static const MatrixIntrinsic table[] = {
      intrinsicOfHalves("mma.m16n8k16.bf16", Factor::BF16),
      intrinsicOfHalves("mma.m16n8k16.f16", Factor::F16),
      {"mma.m16n8k8.tf32",
       Factor::TF32,
       16,
       8,
       8,
       {{16, 8}, {{8, 0}, {0, 4}}, {{{0, 1}, {0, 2}, {1, 0}, {2, 0}, {4, 0}}}},
       {{8, 8}, {{4, 0}}, {{{1, 0}, {2, 0}, {0, 1}, {0, 2}, {0, 4}}}},
       {{16, 8}, {{0, 1}, {8, 0}}, {{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}}}},
  };
  return table;
}

const MatrixIntrinsic *nova::lookupIntrinsic(StringRef name) {
  for (const MatrixIntrinsic &intrinsic : matrixIntrinsics())
    if (intrinsic.name == name)
      return &intrinsic;
  return nullptr;
}

Type MatrixIntrinsic::factorType(MLIRContext *context) const {
  if (factor == Factor::BF16)
    return BFloat16Type::get(context);
  return factor == Factor::F16 ? Type(Float16Type::get(context)) : Float32Type::get(context);
}

//===----------------------------------------------------------------------===//
// Layouts of registers
//===----------------------------------------------------------------------===//

static LogicalResult fails(EmitError error, const Twine &message) {
  if (error)
    error() << message;
  return failure();
}

static LogicalResult verifyShape(RankedTensorType tile, EmitError error) {
  bool fits = llvm::all_of(tile.getShape(), [](int64_t size) { return size > 0 && llvm::isPowerOf2_64(size); });
  if (!fits || tile.getNumElements() > (int64_t(1) << 24))
    return fails(error, "expected a tile whose sizes are powers of two, at most 2^24 elements in all");
  return success();
}

static FailureOr<RegisterLayout> layoutOf(ThreadsAttr threads, RankedTensorType tile, EmitError error) {
  ArrayRef<int64_t> shape = tile.getShape();
  if (threads.getElements().size() != shape.size())
    return fails(error,
                 "expected a layout of rank " + Twine(shape.size()) + ", found " + Twine(threads.getElements().size()));
  RegisterLayout layout;
  BitMap repeats, ofThreads;
  for (int64_t axis = int64_t(shape.size()) - 1; axis >= 0; --axis) {
    int64_t own = std::min(threads.getElements()[axis], shape[axis]), count = threads.getThreads()[axis];
    addBases(layout.map, shape, axis, 1, own);
    addBases(ofThreads, shape, axis, own, count);
    addBases(repeats, shape, axis, own * count, std::max<int64_t>(shape[axis] / (own * count), 1));
  }
  for (unsigned i = 0; i < repeats.size(); ++i)
    layout.map.push_back(repeats[i]);
  layout.registerBits = layout.map.size();
  for (unsigned i = 0; i < ofThreads.size(); ++i)
    layout.map.push_back(ofThreads[i]);
  return layout;
}

static FailureOr<RegisterLayout> layoutOf(FragmentAttr fragment, RankedTensorType tile, EmitError error) {
  const MatrixIntrinsic *intrinsic = lookupIntrinsic(fragment.getIntrinsic());
  MatrixOperand which = fragment.getOperand();
  const MatrixIntrinsic::Operand &operand = intrinsic->operand(which);
  ArrayRef<int64_t> shape = tile.getShape();
  Type expected =
      which == MatrixOperand::Sums ? Float32Type::get(tile.getContext()) : intrinsic->factorType(tile.getContext());
  // An epilogue's tiles have the sums' layout whatever their elements are.
  if (which != MatrixOperand::Sums && tile.getElementType() != expected)
    return fails(error, "expected factors of the type that " + fragment.getIntrinsic() + " multiplies");
  // Warps cut M, which the right factor lacks, and N, which the left one lacks.
  std::array<int64_t, 2> parts = {which == MatrixOperand::Rhs ? 1 : fragment.getWarps()[0],
                                  which == MatrixOperand::Lhs ? 1 : fragment.getWarps()[1]};
  for (unsigned axis : {0, 1})
    if (shape.size() != 2 || shape[axis] < operand.shape[axis] * parts[axis])
      return fails(error, "expected a tile of at least " + Twine(operand.shape[0] * parts[0]) + "x" +
                              Twine(operand.shape[1] * parts[1]) + " elements for " + fragment.getIntrinsic());
  RegisterLayout layout;
  auto number = [&](std::array<int64_t, 2> at) { return uint32_t(at[0] * shape[1] + at[1]); };
  for (auto at : operand.registers)
    layout.map.push_back(number(at));
  // Along K first, then N, then M.
  unsigned first = which == MatrixOperand::Rhs ? 0 : 1;
  for (unsigned axis : {first, 1 - first})
    addBases(layout.map, shape, axis, operand.shape[axis], shape[axis] / parts[axis] / operand.shape[axis]);
  layout.registerBits = layout.map.size();
  for (auto at : operand.lanes)
    layout.map.push_back(number(at));
  auto ofWarps = [&](unsigned axis, bool exists) {
    for (int64_t i = 1; i < fragment.getWarps()[axis]; i *= 2)
      layout.map.push_back(exists ? stepAlong(shape, axis, shape[axis] / parts[axis] * i) : 0);
  };
  ofWarps(1, which != MatrixOperand::Lhs);
  ofWarps(0, which != MatrixOperand::Rhs);
  return layout;
}

static FailureOr<RegisterLayout> layoutOf(PartAttr part, RankedTensorType tile, EmitError error) {
  ArrayRef<int64_t> shape = tile.getShape();
  auto whole = getRegisterLayout(RankedTensorType::get(part.getShape(), tile.getElementType(), part.getWhole()), error);
  if (failed(whole))
    return failure();
  bool fits = shape.size() == part.getAxes().size();
  for (auto [size, axis] : llvm::zip(shape, part.getAxes()))
    fits &= size == (axis < 0 ? 1 : part.getShape()[axis]);
  if (!fits)
    return fails(error, "expected a tile of the sizes of the axes that its layout names");
  RegisterLayout layout{{}, whole->registerBits};
  for (unsigned i = 0; i < whole->map.size(); ++i) {
    SmallVector<int64_t> at = coordinatesOf(part.getShape(), whole->map[i]);
    uint32_t element = 0;
    for (auto [own, axis] : llvm::enumerate(part.getAxes()))
      element += axis < 0 ? 0 : stepAlong(shape, own, at[axis]);
    layout.map.push_back(element);
  }
  return layout;
}

FailureOr<RegisterLayout> nova::getRegisterLayout(RankedTensorType tile, EmitError error) {
  if (failed(verifyShape(tile, error)))
    return failure();
  using Result = FailureOr<RegisterLayout>;
  return llvm::TypeSwitch<Attribute, Result>(tile.getEncoding())
      .Case<ThreadsAttr, FragmentAttr, PartAttr>([&](auto layout) { return layoutOf(layout, tile, error); })
      .Default([&](Attribute) { return Result(fails(error, "expected a layout of registers")); });
}

//===----------------------------------------------------------------------===//
// Layouts of shared memory
//===----------------------------------------------------------------------===//

FailureOr<SharedLayout> nova::getSharedLayout(RankedTensorType tile, EmitError error) {
  if (failed(verifyShape(tile, error)))
    return failure();
  auto shared = dyn_cast_or_null<SharedAttr>(tile.getEncoding());
  if (!shared)
    return fails(error, "expected a layout of shared memory");
  ArrayRef<int64_t> shape = tile.getShape(), swizzle = shared.getSwizzle(), padding = shared.getPadding();
  if (shared.getOrder().size() != shape.size())
    return fails(error,
                 "expected a layout of rank " + Twine(shape.size()) + ", found " + Twine(shared.getOrder().size()));
  SmallVector<int64_t> strides(shape.size());
  int64_t next = 1;
  for (int64_t axis : llvm::reverse(shared.getOrder())) {
    strides[axis] = next;
    next *= shape[axis];
  }
  SharedLayout layout;
  for (int64_t axis = int64_t(shape.size()) - 1; axis >= 0; --axis)
    for (int64_t i = 1; i < shape[axis]; i *= 2)
      layout.map.push_back(i * strides[axis]);
  if (!swizzle.empty()) {
    BitMap mixed;
    for (unsigned bit = 0; bit < layout.map.size(); ++bit) {
      int64_t from = bit - swizzle[2];
      bool isMixed = from >= swizzle[1] && from < swizzle[1] + swizzle[0];
      mixed.push_back(uint32_t(1) << bit | (isMixed ? uint32_t(1) << from : 0));
    }
    layout.map = layout.map.then(mixed);
  }
  if (!padding.empty())
    layout.every = padding[0], layout.extra = padding[1];
  return layout;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

unsigned nova::neighbourBits(const RegisterLayout &layout, const BitMap &places) {
  BitMap to = layout.map.then(places);
  unsigned bits = 0;
  while (bits < layout.registerBits && to[bits] == uint32_t(1) << bits)
    ++bits;
  // All else that chooses an element must leave their order alone: a swizzle may exchange parts of a run.
  uint32_t rest = to.slice(bits, to.size() - bits).reach();
  while (rest % (uint32_t(1) << bits))
    --bits;
  return bits;
}

int64_t nova::countWavefronts(ArrayRef<int64_t> addresses, int64_t bytes) {
  constexpr int64_t kBank = 4, kBanks = 32;
  int64_t together = std::min<int64_t>(addresses.size(), kBank * kBanks / std::max(bytes, kBank)), total = 0;
  for (size_t first = 0; first < addresses.size(); first += together) {
    llvm::SmallDenseSet<int64_t> words;
    std::array<int64_t, kBanks> perBank = {};
    int64_t most = 0;
    for (int64_t address : addresses.slice(first, together))
      for (int64_t word = address / kBank; word * kBank < address + bytes; ++word)
        if (words.insert(word).second)
          most = std::max(most, ++perBank[word % kBanks]);
    total += most;
  }
  return total;
}

Conversion nova::conversionBetween(const RegisterLayout &from, const RegisterLayout &to) {
  if (from.registerBits == to.registerBits && from.map == to.map)
    return Conversion::None;
  if (from.threadBits() != to.threadBits())
    return Conversion::Shared;
  // Whether the registers (and lanes) of `from` reach what `to` wants beyond what the rest of the number already gives.
  auto reaches = [&](unsigned given) { // the low bits of hardware numbers that may differ
    BitMap span = from.map.slice(0, given);
    unsigned rank = span.rank();
    auto isReached = [&](uint32_t element) {
      BitMap with = span;
      with.push_back(element);
      return with.rank() == rank;
    };
    unsigned fixed = given - from.registerBits; // thread bits that may differ too
    for (unsigned bit = 0; bit < to.map.size(); ++bit) {
      bool isThread = bit >= to.registerBits + fixed;
      uint32_t own = isThread ? from.map[bit - to.registerBits + from.registerBits] : 0;
      if (!isReached(to.map[bit] ^ own))
        return false;
    }
    return true;
  };
  if (reaches(from.registerBits))
    return Conversion::Registers;
  return reaches(from.registerBits + RegisterLayout::kLaneBits) ? Conversion::Shuffle : Conversion::Shared;
}

std::optional<MatrixLoad> nova::matchMatrixLoad(const SharedLayout &from, const RegisterLayout &to, unsigned bits) {
  if ((bits != 16 && bits != 32) || to.threadBits() < RegisterLayout::kLaneBits)
    return std::nullopt;
  unsigned pack = bits == 16 ? 1 : 0, run = 3 - (1 - pack); // bits of a word's elements, and of 16 bytes'
  if (to.registerBits < pack || (from.every && (from.every % (1 << run) || from.extra % (1 << run))))
    return std::nullopt;
  BitMap places = to.map.then(from.map), registers = places.slice(0, to.registerBits),
         threads = places.slice(to.registerBits, to.threadBits());
  MatrixLoad load{false, std::min(2u, to.registerBits - pack), pack, {}};
  // Along a row lie a word's elements and the words of four lanes; the other three bits of a lane number rows.
  // Transposed, for halves, it is the other way around.
  SmallVector<uint32_t> row, along;
  for (unsigned i = 0; i < pack; ++i)
    along.push_back(registers[i]);
  along.append({threads[0], threads[1]});
  row.assign({threads[2], threads[3], threads[4]});
  auto isRun = [&](ArrayRef<uint32_t> bases) {
    for (auto [i, basis] : llvm::enumerate(bases))
      if (basis != uint32_t(1) << i)
        return false;
    return true;
  };
  if (!isRun(along)) {
    std::swap(row, along);
    load.transposed = true;
    if (bits != 16 || !isRun(along))
      return std::nullopt;
  }
  for (uint32_t basis : row)
    load.rows.push_back(basis);
  for (unsigned i = 0; i < 2; ++i) // lanes beyond the instruction's matrices repeat addresses
    load.rows.push_back(i < load.matrixBits ? registers[pack + i] : 0);
  for (unsigned i = RegisterLayout::kLaneBits; i < threads.size(); ++i)
    load.rows.push_back(threads[i]);
  uint32_t reach = load.rows.reach() | registers.slice(pack, to.registerBits - pack).reach();
  return reach % (1 << run) ? std::nullopt : std::optional(load);
}

//===----------------------------------------------------------------------===//
// Verifiers and syntax
//===----------------------------------------------------------------------===//

void SharedAttr::print(AsmPrinter &printer) const {
  printer << "<order = [" << getOrder() << "]";
  if (!getSwizzle().empty())
    printer << ", swizzle = [" << getSwizzle() << "]";
  if (!getPadding().empty())
    printer << ", padding = [" << getPadding() << "]";
  printer << ">";
}

Attribute SharedAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> order, swizzle, padding;
  auto field = [&]() -> ParseResult {
    StringRef name;
    SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    auto *values = name == "order" ? &order : name == "swizzle" ? &swizzle : name == "padding" ? &padding : nullptr;
    if (!values)
      return parser.emitError(at) << "expected order, swizzle or padding, found " << name;
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                          [&] { return parser.parseInteger(values->emplace_back()); });
  };
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, field))
    return {};
  return SharedAttr::getChecked([&] { return parser.emitError(start); }, parser.getContext(), ArrayRef<int64_t>(order),
                                ArrayRef<int64_t>(swizzle), ArrayRef<int64_t>(padding));
}

static bool arePowers(ArrayRef<int64_t> sizes) {
  return llvm::all_of(sizes, [](int64_t size) { return size > 0 && size <= 1024 && llvm::isPowerOf2_64(size); });
}

LogicalResult ThreadsAttr::verify(function_ref<InFlightDiagnostic()> error, ArrayRef<int64_t> elements,
                                  ArrayRef<int64_t> threads) {
  int64_t count = arePowers(threads) ? ShapedType::getNumElements(threads) : 0;
  if (elements.empty() || elements.size() != threads.size() || !arePowers(elements) || count < 32 || count > 1024)
    return error()
           << "expected elements and threads for each axis, powers of two, and 32 to 1024 threads in all, found ["
           << elements << "] and [" << threads << "]";
  return success();
}

LogicalResult FragmentAttr::verify(function_ref<InFlightDiagnostic()> error, StringRef intrinsic, MatrixOperand,
                                   ArrayRef<int64_t> warps) {
  if (!lookupIntrinsic(intrinsic)) {
    auto names = llvm::map_range(matrixIntrinsics(), [](const MatrixIntrinsic &i) { return i.name; });
    return error() << "unknown intrinsic '" << intrinsic << "'; expected one of " << llvm::join(names, ", ");
  }
  if (warps.size() != 2 || !arePowers(warps) || warps[0] * warps[1] > 32)
    return error() << "expected warps along M and N, powers of two, at most 32 in all, found [" << warps << "]";
  return success();
}

LogicalResult PartAttr::verify(function_ref<InFlightDiagnostic()> error, Attribute whole, ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> axes) {
  if (!isLayout(whole) || isa<SharedAttr>(whole))
    return error() << "expected a layout of registers, found " << whole;
  int64_t last = -1;
  for (int64_t axis : axes) {
    if (axis >= 0 && (axis <= last || axis >= int64_t(shape.size())))
      return error() << "expected rising axes of the whole tile, or -1, found [" << axes << "]";
    last = std::max(last, axis);
  }
  return success();
}

LogicalResult SharedAttr::verify(function_ref<InFlightDiagnostic()> error, ArrayRef<int64_t> order,
                                 ArrayRef<int64_t> swizzle, ArrayRef<int64_t> padding) {
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  for (auto [i, axis] : llvm::enumerate(sorted))
    if (axis != int64_t(i))
      return error() << "expected each axis once in the order, found [" << order << "]";
  if (!swizzle.empty() && (swizzle.size() != 3 || swizzle[0] < 1 || swizzle[1] < 0 || swizzle[2] < swizzle[0] ||
                           swizzle[0] + swizzle[1] + swizzle[2] > 24))
    return error() << "expected a swizzle of some bits, from a bit on, and a shift of at least as many, found ["
                   << swizzle << "]";
  if (!padding.empty() && (padding.size() != 2 || padding[0] < 1 || padding[1] < 1 || !llvm::isPowerOf2_64(padding[0])))
    return error() << "expected padding of some elements after each so many, a power of two, found [" << padding << "]";
  return success();
}
