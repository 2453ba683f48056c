//===- Compare.cpp - Comparisons and selections ---------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Rounding.h"

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// One lane
//===----------------------------------------------------------------------===//

namespace {

struct Equal {
  template <typename T> static NOVA_LANES bool of(T a, T b) { return a == b; }
};
struct NotEqual { // false for NaN
  template <typename T> static NOVA_LANES bool of(T a, T b) { return a < b || a > b; }
};
struct Less {
  template <typename T> static NOVA_LANES bool of(T a, T b) { return a < b; }
};
struct LessOrEqual {
  template <typename T> static NOVA_LANES bool of(T a, T b) { return a <= b; }
};
struct Greater {
  template <typename T> static NOVA_LANES bool of(T a, T b) { return a > b; }
};
struct GreaterOrEqual {
  template <typename T> static NOVA_LANES bool of(T a, T b) { return a >= b; }
};
struct IsNumber {
  template <typename T> static NOVA_LANES bool of(T a, T b) { return a == a && b == b; }
};
/// equ, neu, ltu, ..., nan: true where an operand is NaN.
template <typename Opposite> struct Unless {
  template <typename T> static NOVA_LANES bool of(T a, T b) { return !Opposite::of(a, b); }
};

// How the lanes of a register become what is compared.
template <typename T> struct AsIs {
  using Lane = T;
  static NOVA_LANES T load(T value) { return value; }
};
struct Flushed32 {
  using Lane = float;
  static NOVA_LANES float load(float value) { return flushed(value); }
};
/// One half of a packed register, or a 16-bit register.
enum class Part : uint8_t { Whole, Low, High };
template <Part Part> struct HalfLane {
  using Lane = std::conditional_t<Part == Part::Whole, uint16_t, uint32_t>;
  static NOVA_LANES uint16_t bits(Lane value) {
    return static_cast<uint16_t>(Part == Part::High ? static_cast<uint32_t>(value) >> 16 : value);
  }
};
template <Part Part, bool Ftz> struct LoadF16 : HalfLane<Part> {
  static NOVA_LANES float load(typename HalfLane<Part>::Lane value) {
    uint16_t half = HalfLane<Part>::bits(value);
    return f16ToF32(static_cast<uint16_t>(Ftz && (half & 0x7c00) == 0 ? half & 0x8000 : half));
  }
};
template <Part Part, bool> struct LoadBF16 : HalfLane<Part> {
  static NOVA_LANES float load(typename HalfLane<Part>::Lane value) { return bf16ToF32(HalfLane<Part>::bits(value)); }
};

/// A bit per lane from bytes that are 0 or 1.
NOVA_LANES uint32_t packBits(const uint8_t *bytes) {
  uint32_t mask = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint64_t eight;
    std::memcpy(&eight, bytes + 8 * i, 8);
    mask |= static_cast<uint32_t>(eight * 0x0102040810204080 >> 56) << (8 * i);
  }
  return mask;
}

template <typename Load, typename F> NOVA_LANES uint32_t compareLanes(Warp &warp, const Instruction &instruction) {
  using T = typename Load::Lane;
  const T *a = lanesOf<T>(warp, instruction.operands[1]), *b = lanesOf<T>(warp, instruction.operands[2]);
  uint8_t results[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    results[lane] = F::of(Load::load(a[lane]), Load::load(b[lane]));
  return packBits(results);
}

// Flags of setp and set. The immediate of set is what it gives for true, `bytes` its width.
enum SetFlags : uint8_t { NoCombine, CombineAnd, CombineOr, CombineXor, HasSecond = 8 };

NOVA_LANES uint32_t combine(Warp &warp, const Instruction &instruction, uint32_t value) {
  switch (instruction.flags & 3) {
  case CombineAnd:
    return value & warp.predicates[instruction.operands[3]];
  case CombineOr:
    return value | warp.predicates[instruction.operands[3]];
  case CombineXor:
    return value ^ warp.predicates[instruction.operands[3]];
  default:
    return value;
  }
}

template <typename Load, typename F> struct SetPredicate {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    uint32_t value = compareLanes<Load, F>(warp, instruction);
    uint32_t first = combine(warp, instruction, value), second = combine(warp, instruction, ~value);
    setPredicate(warp, instruction.operands[0], first, active);
    if (instruction.flags & HasSecond)
      setPredicate(warp, instruction.operands[4], second, active);
  }
};

/// setp of packed halves: a predicate for each half.
template <typename Low, typename High, typename F> struct SetPackedPredicates {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    uint32_t low = compareLanes<Low, F>(warp, instruction), high = compareLanes<High, F>(warp, instruction);
    uint32_t first = combine(warp, instruction, low), second = combine(warp, instruction, high);
    setPredicate(warp, instruction.operands[0], first, active);
    setPredicate(warp, instruction.operands[4], second, active);
  }
};

template <typename T>
NOVA_LANES void storeTruth(Warp &warp, const Instruction &instruction, uint32_t low, uint32_t high, uint32_t active) {
  T whenLow = static_cast<T>(instruction.immediate), whenHigh = static_cast<T>(instruction.immediate << 16);
  T values[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    values[lane] = static_cast<T>((low >> lane & 1 ? whenLow : T(0)) | (high >> lane & 1 ? whenHigh : T(0)));
  setLanes(warp, instruction.operands[0], values, active);
}

template <typename Load, typename F> struct SetRegister {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    uint32_t value = combine(warp, instruction, compareLanes<Load, F>(warp, instruction));
    if (instruction.bytes == 2)
      storeTruth<uint16_t>(warp, instruction, value, 0, active);
    else
      storeTruth<uint32_t>(warp, instruction, value, 0, active);
  }
};

/// set of packed halves: 16 bits for each.
template <typename Low, typename High, typename F> struct SetPackedRegister {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    uint32_t low = compareLanes<Low, F>(warp, instruction), high = compareLanes<High, F>(warp, instruction);
    storeTruth<uint32_t>(warp, instruction, combine(warp, instruction, low), combine(warp, instruction, high), active);
  }
};

template <typename T> struct Select {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    const T *a = lanesOf<T>(warp, instruction.operands[1]), *b = lanesOf<T>(warp, instruction.operands[2]);
    uint32_t predicate = warp.predicates[instruction.operands[3]];
    T values[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane)
      values[lane] = predicate >> lane & 1 ? a[lane] : b[lane];
    setLanes(warp, instruction.operands[0], values, active);
  }
};

struct SelectBySign { // NaN selects the second
  template <typename T, typename C> static NOVA_LANES T of(T a, T b, C c) { return c >= 0 ? a : b; }
};
struct SelectBySignFlushed {
  template <typename T> static NOVA_LANES T of(T a, T b, float c) { return flushed(c) >= 0 ? a : b; }
};

template <typename T, typename U> struct TestProperty {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    const U *a = lanesOf<U>(warp, instruction.operands[1]);
    constexpr unsigned fraction = sizeof(U) == 4 ? 23 : 52;
    constexpr U ones = (U(1) << (sizeof(U) == 4 ? 8 : 11)) - 1, mask = (U(1) << fraction) - 1;
    uint8_t results[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      U exponent = a[lane] >> fraction & ones, rest = a[lane] & mask;
      bool isFinite = exponent != ones, isNan = !isFinite && rest != 0, isSubnormal = exponent == 0 && rest != 0;
      bool tests[] = {isFinite, !isFinite && !isNan, !isNan, isNan, isFinite && exponent != 0, isSubnormal};
      results[lane] = tests[instruction.flags];
    }
    setPredicate(warp, instruction.operands[0], packBits(results), active);
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

enum class Relation : uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan, Lo, Ls, Hi, Hs };

static bool isFloatOrHalf(Type type) { return type == Type::F32 || type == Type::F64 || isHalf(type); }
static bool isPackedHalf(Type type) { return type == Type::F16x2 || type == Type::BF16x2; }

/// Bits are equal or not; only floats have comparisons that are true of NaN, only unsigned integers lo, ls, hi, hs.
static void requireRelation(Builder &builder, Relation relation, Type type) {
  bool isFloat = isFloatOrHalf(type), fits = relation <= Relation::Ge    ? relation <= Relation::Ne || !isBits(type)
                                             : relation <= Relation::Nan ? isFloat
                                                                         : isUnsigned(type);
  if (!isFloat && (bytesOf(type) < 2 || bytesOf(type) > 8 || (!isInteger(type) && !isBits(type))))
    builder.fail("unexpected type ." + std::string(nameOf(type)) + " of a comparison");
  if (!fits)
    builder.fail("unexpected comparison of ." + std::string(nameOf(type)));
}

/// Calls `make` with the structure for a relation.
template <typename MakeFn> static ExecuteFn forRelation(Relation relation, MakeFn make) {
  switch (relation) {
  case Relation::Eq:
    return make(Equal());
  case Relation::Ne:
    return make(NotEqual());
  case Relation::Lt:
  case Relation::Lo:
    return make(Less());
  case Relation::Le:
  case Relation::Ls:
    return make(LessOrEqual());
  case Relation::Gt:
  case Relation::Hi:
    return make(Greater());
  case Relation::Ge:
  case Relation::Hs:
    return make(GreaterOrEqual());
  case Relation::Equ:
    return make(Unless<NotEqual>());
  case Relation::Neu:
    return make(Unless<Equal>());
  case Relation::Ltu:
    return make(Unless<GreaterOrEqual>());
  case Relation::Leu:
    return make(Unless<Greater>());
  case Relation::Gtu:
    return make(Unless<LessOrEqual>());
  case Relation::Geu:
    return make(Unless<Less>());
  case Relation::Num:
    return make(IsNumber());
  case Relation::Nan:
    return make(Unless<IsNumber>());
  }
  return nullptr;
}

template <typename Load> static ExecuteFn setLanesFor(Relation relation, bool toPredicate) {
  return forRelation(relation, [&](auto f) {
    using F = decltype(f);
    return toPredicate ? compiled<SetPredicate<Load, F>>() : compiled<SetRegister<Load, F>>();
  });
}

template <template <Part, bool> class Load, bool Ftz>
static ExecuteFn setHalfFor(Relation relation, bool toPredicate, bool isPacked) {
  using Low = Load<Part::Low, Ftz>;
  using High = Load<Part::High, Ftz>;
  if (!isPacked)
    return setLanesFor<Load<Part::Whole, Ftz>>(relation, toPredicate);
  return forRelation(relation, [&](auto f) {
    using F = decltype(f);
    return toPredicate ? compiled<SetPackedPredicates<Low, High, F>>() : compiled<SetPackedRegister<Low, High, F>>();
  });
}

static ExecuteFn setFor(Type type, Relation relation, bool toPredicate, bool flush) {
  switch (type) {
  case Type::U16:
  case Type::B16:
    return setLanesFor<AsIs<uint16_t>>(relation, toPredicate);
  case Type::S16:
    return setLanesFor<AsIs<int16_t>>(relation, toPredicate);
  case Type::U32:
  case Type::B32:
    return setLanesFor<AsIs<uint32_t>>(relation, toPredicate);
  case Type::S32:
    return setLanesFor<AsIs<int32_t>>(relation, toPredicate);
  case Type::U64:
  case Type::B64:
    return setLanesFor<AsIs<uint64_t>>(relation, toPredicate);
  case Type::S64:
    return setLanesFor<AsIs<int64_t>>(relation, toPredicate);
  case Type::F32:
    return flush ? setLanesFor<Flushed32>(relation, toPredicate) : setLanesFor<AsIs<float>>(relation, toPredicate);
  case Type::F64:
    return setLanesFor<AsIs<double>>(relation, toPredicate);
  case Type::F16:
  case Type::F16x2:
    return flush ? setHalfFor<LoadF16, true>(relation, toPredicate, type == Type::F16x2)
                 : setHalfFor<LoadF16, false>(relation, toPredicate, type == Type::F16x2);
  default:
    return setHalfFor<LoadBF16, false>(relation, toPredicate, type == Type::BF16x2);
  }
}

static Relation takeRelation(Builder &builder) {
  auto relation =
      static_cast<Relation>(builder.expectOneOf({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu",
                                                 "geu", "num", "nan", "lo", "ls", "hi", "hs"}));
  builder.out.flags = static_cast<uint8_t>(builder.takeOneOf({"and", "or", "xor"}) + 1);
  return relation;
}

static bool takeFlush(Builder &builder, Type type) {
  return (type == Type::F32 || type == Type::F16 || type == Type::F16x2) && builder.take("ftz");
}

static void takeSetSources(Builder &builder, Type type) {
  bool combines = builder.out.flags & 3;
  builder.expectOperands(combines ? 4 : 3);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[2] = builder.source(2, type);
  if (combines)
    builder.out.operands[3] = builder.sourcePredicate(3);
}

static void decodeSetPredicate(Builder &builder) {
  Relation relation = takeRelation(builder);
  Type type = builder.takeType();
  requireRelation(builder, relation, type);
  bool flush = takeFlush(builder, type);
  takeSetSources(builder, type);
  const Operand &result = builder.operand(0);
  bool isPair = result.kind == Operand::Kind::Pair;
  if (isPackedHalf(type) && !isPair)
    builder.fail("expected two predicates for packed halves");
  builder.out.operands[0] = builder.destinationPredicate(isPair ? result.elements[0] : result);
  if (isPair) {
    builder.out.operands[4] = builder.destinationPredicate(result.elements[1]);
    builder.out.flags |= HasSecond;
  }
  builder.out.execute = setFor(type, relation, /*toPredicate=*/true, flush);
}

/// What set gives for true: all ones, or 1.0. 0 for a type that it does not give.
static uint32_t truthOf(Type result, Type type) {
  bool isWord = result == Type::U32 || result == Type::S32;
  if (isPackedHalf(type))
    return isWord ? 0xffff : result != type ? 0 : type == Type::F16x2 ? 0x3c00 : 0x3f80;
  if (isWord || ((result == Type::U16 || result == Type::S16) && isHalf(type)))
    return isWord ? 0xffffffff : 0xffff;
  return result == Type::F32 ? 0x3f800000 : result == Type::F16 ? 0x3c00 : result == Type::BF16 ? 0x3f80 : 0;
}

static void decodeSet(Builder &builder) {
  Relation relation = takeRelation(builder);
  Type result = builder.takeType(), type = builder.takeType();
  requireRelation(builder, relation, type);
  bool flush = takeFlush(builder, type);
  builder.out.immediate = truthOf(result, type);
  if (!builder.out.immediate)
    builder.fail("unexpected result ." + std::string(nameOf(result)) + " of a comparison of ." +
                 std::string(nameOf(type)));
  takeSetSources(builder, type);
  builder.out.operands[0] = builder.destination(0, result);
  builder.out.bytes = static_cast<uint8_t>(bytesOf(result));
  builder.out.execute = setFor(type, relation, /*toPredicate=*/false, flush);
}

static void requireSelectable(Builder &builder, Type type) {
  if (!isPlain(type) || bytesOf(type) < 2 || bytesOf(type) > 8)
    builder.fail("expected a type of 16, 32 or 64 bits, found ." + std::string(nameOf(type)));
}

static void decodeSelect(Builder &builder) {
  Type type = builder.takeType();
  requireSelectable(builder, type);
  builder.expectOperands(4);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[2] = builder.source(2, type);
  builder.out.operands[3] = builder.sourcePredicate(3);
  builder.out.operands[0] = builder.destination(0, type);
  builder.out.execute = bytesOf(type) == 2   ? compiled<Select<uint16_t>>()
                        : bytesOf(type) == 4 ? compiled<Select<uint32_t>>()
                                             : compiled<Select<uint64_t>>();
}

template <typename C, typename F> static ExecuteFn selectBySign(Type type) {
  return bytesOf(type) == 2   ? compiled<TernaryLanes<uint16_t, uint16_t, uint16_t, C, F>>()
         : bytesOf(type) == 4 ? compiled<TernaryLanes<uint32_t, uint32_t, uint32_t, C, F>>()
                              : compiled<TernaryLanes<uint64_t, uint64_t, uint64_t, C, F>>();
}

static void decodeSelectBySign(Builder &builder) {
  Type type = builder.takeType(), control = builder.takeType();
  requireSelectable(builder, type);
  if (control != Type::S32 && control != Type::F32)
    builder.fail("expected .s32 or .f32 as the deciding type");
  bool flush = control == Type::F32 && builder.take("ftz");
  builder.expectOperands(4);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[2] = builder.source(2, type);
  builder.out.operands[3] = builder.source(3, control);
  builder.out.operands[0] = builder.destination(0, type);
  builder.out.execute = control == Type::S32 ? selectBySign<int32_t, SelectBySign>(type)
                        : flush              ? selectBySign<float, SelectBySignFlushed>(type)
                                             : selectBySign<float, SelectBySign>(type);
}

static void decodeTestProperty(Builder &builder) {
  int test = builder.expectOneOf({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  Type type = builder.takeType();
  if (type != Type::F32 && type != Type::F64)
    builder.fail("expected .f32 or .f64, found ." + std::string(nameOf(type)));
  builder.expectOperands(2);
  builder.out.flags = static_cast<uint8_t>(test);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[0] = builder.destinationPredicate(0);
  builder.out.execute =
      type == Type::F32 ? compiled<TestProperty<float, uint32_t>>() : compiled<TestProperty<double, uint64_t>>();
}

void nova::emulator::addCompareInstructions(InstructionTable &table) {
  table["setp"] = decodeSetPredicate;
  table["set"] = decodeSet;
  table["selp"] = decodeSelect;
  table["slct"] = decodeSelectBySign;
  table["testp"] = decodeTestProperty;
}
