//===- Bits.cpp - Logic, shifts and bit fields ----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// One lane
//===----------------------------------------------------------------------===//

namespace {

struct And {
  template <typename T> static NOVA_LANES T of(T a, T b) { return static_cast<T>(a & b); }
};
struct Or {
  template <typename T> static NOVA_LANES T of(T a, T b) { return static_cast<T>(a | b); }
};
struct Xor {
  template <typename T> static NOVA_LANES T of(T a, T b) { return static_cast<T>(a ^ b); }
};
struct Not {
  template <typename T> static NOVA_LANES T of(T a) { return static_cast<T>(~a); }
};
struct LogicalNot {
  template <typename T> static NOVA_LANES T of(T a) { return a == 0; }
};

// Amounts beyond the width are clamped to it.
struct ShiftLeft {
  template <typename T> static NOVA_LANES T of(T a, uint32_t amount) {
    return amount >= 8 * sizeof(T) ? T(0) : static_cast<T>(a << amount);
  }
};
struct ShiftRight {
  template <typename T> static NOVA_LANES T of(T a, uint32_t amount) {
    constexpr uint32_t last = 8 * sizeof(T) - 1;
    T rest = std::is_signed_v<T> ? static_cast<T>(a >> last) : T(0);
    return amount > last ? rest : static_cast<T>(a >> amount);
  }
};

struct FunnelLeft { // operands: low word, high word, amount
  static NOVA_LANES uint32_t of(uint32_t a, uint32_t b, uint32_t n) {
    return n >= 32 ? a : static_cast<uint32_t>((static_cast<uint64_t>(b) << 32 | a) << n >> 32);
  }
};
struct FunnelRight {
  static NOVA_LANES uint32_t of(uint32_t a, uint32_t b, uint32_t n) {
    return n >= 32 ? b : static_cast<uint32_t>((static_cast<uint64_t>(b) << 32 | a) >> n);
  }
};
template <typename F> struct Wrapped {
  static NOVA_LANES uint32_t of(uint32_t a, uint32_t b, uint32_t n) { return F::of(a, b, n & 31); }
};

struct PopulationCount {
  template <typename T> static NOVA_LANES uint32_t of(T a) { return static_cast<uint32_t>(__builtin_popcountll(a)); }
};
struct CountLeadingZeros {
  template <typename T> static NOVA_LANES uint32_t of(T a) {
    constexpr uint32_t width = 8 * sizeof(T);
    return a == 0 ? width : static_cast<uint32_t>(__builtin_clzll(a)) - (64 - width);
  }
};
struct ReverseBits {
  template <typename T> static NOVA_LANES T of(T a) {
    uint64_t x = a;
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return static_cast<T>(__builtin_bswap64(x) >> (64 - 8 * sizeof(T)));
  }
};
/// The most significant bit that differs from the sign; all ones when there is none.
template <bool IsShift> struct FindBit {
  template <typename T> static NOVA_LANES uint32_t of(T a) {
    using U = std::make_unsigned_t<T>;
    U bits = static_cast<U>(std::is_signed_v<T> && a < 0 ? ~a : a);
    uint32_t width = 8 * sizeof(T), position = width - 1 - CountLeadingZeros::of(bits);
    return bits == 0 ? 0xffffffff : IsShift ? width - 1 - position : position;
  }
};

// The position and length of a field are 8 bits; a signed field that sticks out is filled with the last bit of the
// value.
struct ExtractField {
  template <typename T> static NOVA_LANES T of(T a, uint32_t position, uint32_t length) {
    using U = std::make_unsigned_t<T>;
    constexpr uint32_t width = 8 * sizeof(T);
    position &= 0xff;
    length &= 0xff;
    if (length == 0)
      return 0;
    uint32_t last = position + length - 1 < width ? position + length - 1 : width - 1;
    U sign = std::is_signed_v<T> ? static_cast<U>(a) >> last & 1 : 0;
    U field = position >= width ? U(0) : static_cast<U>(static_cast<U>(a) >> position);
    if (length >= width && position == 0)
      return a;
    // Bits of the value that the field has; above them the sign.
    uint32_t present = position >= width ? 0 : (length < width - position ? length : width - position);
    U mask = present >= width ? ~U(0) : static_cast<U>((U(1) << present) - 1);
    return static_cast<T>((field & mask) | (sign ? static_cast<U>(~mask) : U(0)));
  }
};
struct InsertField { // operands: what, into, position, length
  template <typename T> static NOVA_LANES T of(T a, T b, uint32_t position, uint32_t length) {
    constexpr uint32_t width = 8 * sizeof(T);
    position &= 0xff;
    length &= 0xff;
    if (position >= width || length == 0)
      return b;
    T mask = static_cast<T>((length >= width ? ~T(0) : static_cast<T>((T(1) << length) - 1)) << position);
    return static_cast<T>((b & ~mask) | (static_cast<T>(a << position) & mask));
  }
};
template <bool Wraps> struct BitMask {
  static NOVA_LANES uint32_t of(uint32_t position, uint32_t length) {
    position = Wraps ? position & 31 : position;
    length = Wraps ? length & 31 : length;
    uint32_t ones = length >= 32 ? 0xffffffff : (1u << length) - 1;
    return position >= 32 ? 0 : ones << position;
  }
};
template <bool Wraps> struct SignExtend {
  template <typename T> static NOVA_LANES T of(T a, T length) {
    uint32_t n = Wraps ? static_cast<uint32_t>(length) & 31 : static_cast<uint32_t>(length);
    if (n == 0)
      return 0;
    if (n >= 32)
      return a;
    uint32_t shifted = static_cast<uint32_t>(a) << (32 - n);
    return std::is_signed_v<T> ? static_cast<T>(static_cast<int32_t>(shifted) >> (32 - n))
                               : static_cast<T>(shifted >> (32 - n));
  }
};
/// The position of the nth set bit from `base` on: upwards, or downwards for a negative n.
struct FindNthSet {
  static NOVA_LANES uint32_t of(uint32_t mask, uint32_t base, int32_t offset) {
    if (offset == 0)
      return mask >> (base & 31) & 1 ? base : 0xffffffff;
    int32_t step = offset > 0 ? 1 : -1;
    int64_t left = offset > 0 ? offset : -int64_t(offset);
    for (int32_t position = static_cast<int32_t>(base); position >= 0 && position < 32; position += step)
      if ((mask >> position & 1) && --left == 0)
        return static_cast<uint32_t>(position);
    return 0xffffffff;
  }
};

/// One byte of the pair by its selector: 3 bits choose, the fourth replicates the sign.
NOVA_LANES uint32_t selectByte(uint64_t pair, uint32_t selector) {
  uint32_t byte = static_cast<uint32_t>(pair >> (8 * (selector & 7))) & 0xff;
  return selector & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}
struct Permute {
  static NOVA_LANES uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    uint64_t pair = static_cast<uint64_t>(b) << 32 | a;
    return selectByte(pair, c) | selectByte(pair, c >> 4) << 8 | selectByte(pair, c >> 8) << 16 |
           selectByte(pair, c >> 12) << 24;
  }
};
/// The modes of prmt, as the selectors of the default one for each value of the lower two bits.
template <unsigned Mode> struct PermuteMode {
  static NOVA_LANES uint32_t of(uint32_t a, uint32_t b, uint32_t c) {
    constexpr uint32_t selectors[6][4] = {
        {0x3210, 0x4321, 0x5432, 0x6543}, // f4e
        {0x5670, 0x6701, 0x7012, 0x0123}, // b4e
        {0x0000, 0x1111, 0x2222, 0x3333}, // rc8
        {0x3210, 0x3211, 0x3222, 0x3333}, // ecl
        {0x0000, 0x1110, 0x2210, 0x3210}, // ecr
        {0x1010, 0x3232, 0x1010, 0x3232}, // rc16
    };
    return Permute::of(a, b, selectors[Mode][c & 3]);
  }
};

struct Lop3 {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    const uint32_t *a = lanesOf<uint32_t>(warp, instruction.operands[1]);
    const uint32_t *b = lanesOf<uint32_t>(warp, instruction.operands[2]);
    const uint32_t *c = lanesOf<uint32_t>(warp, instruction.operands[3]);
    uint32_t table[8], values[kLanes];
    for (unsigned i = 0; i < 8; ++i)
      table[i] = instruction.immediate >> i & 1 ? 0xffffffff : 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      uint32_t x = a[lane], y = b[lane], z = c[lane];
      values[lane] = (table[0] & ~x & ~y & ~z) | (table[1] & ~x & ~y & z) | (table[2] & ~x & y & ~z) |
                     (table[3] & ~x & y & z) | (table[4] & x & ~y & ~z) | (table[5] & x & ~y & z) |
                     (table[6] & x & y & ~z) | (table[7] & x & y & z);
    }
    setLanes(warp, instruction.operands[0], values, active);
    if (!instruction.flags)
      return;
    // The predicate says whether any bit is set, or'ed or and'ed with another.
    uint32_t isSet = 0, other = warp.predicates[instruction.operands[5]];
    for (unsigned lane = 0; lane < kLanes; ++lane)
      isSet |= static_cast<uint32_t>(values[lane] != 0) << lane;
    setPredicate(warp, instruction.operands[4], instruction.flags == 1 ? isSet | other : isSet & other, active);
  }
};

template <typename T> struct InsertLanes {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    const T *a = lanesOf<T>(warp, instruction.operands[1]), *b = lanesOf<T>(warp, instruction.operands[2]);
    const uint32_t *c = lanesOf<uint32_t>(warp, instruction.operands[3]);
    const uint32_t *d = lanesOf<uint32_t>(warp, instruction.operands[4]);
    T values[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane)
      values[lane] = InsertField::of(a[lane], b[lane], c[lane], d[lane]);
    setLanes(warp, instruction.operands[0], values, active);
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static void requireType(Builder &builder, std::initializer_list<Type> types, Type found) {
  for (Type type : types)
    if (type == found)
      return;
  builder.fail("unexpected type ." + std::string(nameOf(found)));
}

static void logicPredicates(Warp &warp, const Instruction &instruction, uint32_t active) {
  uint32_t a = warp.predicates[instruction.operands[1]], b = warp.predicates[instruction.operands[2]];
  uint32_t value = instruction.flags == 0   ? a & b
                   : instruction.flags == 1 ? a | b
                   : instruction.flags == 2 ? a ^ b
                                            : ~a;
  setPredicate(warp, instruction.operands[0], value, active);
}

static void decodeLogic(Builder &builder) {
  std::string_view name = builder.name();
  unsigned which = name == "and" ? 0 : name == "or" ? 1 : name == "xor" ? 2 : 3;
  size_t sources = which == 3 ? 1 : 2;
  Type type = builder.takeType();
  builder.expectOperands(sources + 1);
  bool isPredicate = type == Type::Pred;
  requireType(builder, {Type::Pred, Type::B16, Type::B32, Type::B64}, type);
  for (size_t i = 1; i <= sources; ++i)
    builder.out.operands[i] = isPredicate ? builder.sourcePredicate(i) : builder.source(i, type);
  builder.out.operands[0] = isPredicate ? builder.destinationPredicate(0) : builder.destination(0, type);
  builder.out.flags = static_cast<uint8_t>(which);
  auto pick = [&](auto sample) -> ExecuteFn {
    using T = decltype(sample);
    return which == 0   ? binaryLanes<T, And>()
           : which == 1 ? binaryLanes<T, Or>()
           : which == 2 ? binaryLanes<T, Xor>()
                        : unaryLanes<T, Not>();
  };
  builder.out.execute = isPredicate          ? logicPredicates
                        : bytesOf(type) == 2 ? pick(uint16_t())
                        : bytesOf(type) == 4 ? pick(uint32_t())
                                             : pick(uint64_t());
}

static void decodeLogicalNot(Builder &builder) {
  Type type = builder.takeType();
  requireType(builder, {Type::B16, Type::B32, Type::B64}, type);
  builder.expectOperands(2);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[0] = builder.destination(0, type);
  builder.out.execute = bytesOf(type) == 2   ? unaryLanes<uint16_t, LogicalNot>()
                        : bytesOf(type) == 4 ? unaryLanes<uint32_t, LogicalNot>()
                                             : unaryLanes<uint64_t, LogicalNot>();
}

template <typename T, typename F> static ExecuteFn shiftLanes() { return compiled<BinaryLanes<T, T, uint32_t, F>>(); }

static void decodeShift(Builder &builder) {
  bool isLeft = builder.name() == "shl";
  Type type = builder.takeType();
  uint32_t bytes = bytesOf(type);
  if ((isLeft ? !isBits(type) : !isBits(type) && !isInteger(type)) || bytes < 2 || bytes > 8)
    builder.fail("unexpected type ." + std::string(nameOf(type)) + " of a shift");
  builder.expectOperands(3);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[2] = builder.source(2, Type::U32);
  builder.out.operands[0] = builder.destination(0, type);
  if (isLeft)
    builder.out.execute = bytes == 2   ? shiftLanes<uint16_t, ShiftLeft>()
                          : bytes == 4 ? shiftLanes<uint32_t, ShiftLeft>()
                                       : shiftLanes<uint64_t, ShiftLeft>();
  else if (isSigned(type))
    builder.out.execute = bytes == 2   ? shiftLanes<int16_t, ShiftRight>()
                          : bytes == 4 ? shiftLanes<int32_t, ShiftRight>()
                                       : shiftLanes<int64_t, ShiftRight>();
  else
    builder.out.execute = bytes == 2   ? shiftLanes<uint16_t, ShiftRight>()
                          : bytes == 4 ? shiftLanes<uint32_t, ShiftRight>()
                                       : shiftLanes<uint64_t, ShiftRight>();
}

static void takeOperands32(Builder &builder, size_t sources) {
  builder.expectOperands(sources + 1);
  for (size_t i = 1; i <= sources; ++i)
    builder.out.operands[i] = builder.source(i, Type::B32);
  builder.out.operands[0] = builder.destination(0, Type::B32);
}

static void decodeFunnel(Builder &builder) {
  bool isLeft = builder.expectOneOf({"l", "r"}) == 0, wraps = builder.expectOneOf({"wrap", "clamp"}) == 0;
  requireType(builder, {Type::B32}, builder.takeType());
  takeOperands32(builder, 3);
  using U = uint32_t;
  if (isLeft)
    builder.out.execute = wraps ? ternaryLanes<U, Wrapped<FunnelLeft>>() : ternaryLanes<U, FunnelLeft>();
  else
    builder.out.execute = wraps ? ternaryLanes<U, Wrapped<FunnelRight>>() : ternaryLanes<U, FunnelRight>();
}

/// popc, clz: 32 bits from 32 or 64; brev: the type itself.
static void decodeCount(Builder &builder) {
  std::string_view name = builder.name();
  Type type = builder.takeType();
  requireType(builder, {Type::B32, Type::B64}, type);
  builder.expectOperands(2);
  bool isReverse = name == "brev";
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[0] = builder.destination(0, isReverse ? type : Type::B32);
  bool isWide = type == Type::B64;
  if (isReverse)
    builder.out.execute = isWide ? unaryLanes<uint64_t, ReverseBits>() : unaryLanes<uint32_t, ReverseBits>();
  else if (name == "popc")
    builder.out.execute =
        isWide ? unaryLanes<uint64_t, PopulationCount, uint32_t>() : unaryLanes<uint32_t, PopulationCount>();
  else
    builder.out.execute =
        isWide ? unaryLanes<uint64_t, CountLeadingZeros, uint32_t>() : unaryLanes<uint32_t, CountLeadingZeros>();
}

template <bool IsShift> static ExecuteFn findBit(Type type) {
  using F = FindBit<IsShift>;
  switch (type) {
  case Type::U32:
    return unaryLanes<uint32_t, F>();
  case Type::S32:
    return unaryLanes<int32_t, F, uint32_t>();
  case Type::U64:
    return unaryLanes<uint64_t, F, uint32_t>();
  default:
    return unaryLanes<int64_t, F, uint32_t>();
  }
}

static void decodeFindBit(Builder &builder) {
  bool isShift = builder.take("shiftamt");
  Type type = builder.takeType();
  requireType(builder, {Type::U32, Type::S32, Type::U64, Type::S64}, type);
  builder.expectOperands(2);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[0] = builder.destination(0, Type::U32);
  builder.out.execute = isShift ? findBit<true>(type) : findBit<false>(type);
}

template <typename T> static ExecuteFn extractLanes() {
  return compiled<TernaryLanes<T, T, uint32_t, uint32_t, ExtractField>>();
}

static void decodeExtract(Builder &builder) {
  Type type = builder.takeType();
  requireType(builder, {Type::U32, Type::S32, Type::U64, Type::S64}, type);
  builder.expectOperands(4);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[2] = builder.source(2, Type::U32);
  builder.out.operands[3] = builder.source(3, Type::U32);
  builder.out.operands[0] = builder.destination(0, type);
  builder.out.execute = type == Type::U32   ? extractLanes<uint32_t>()
                        : type == Type::S32 ? extractLanes<int32_t>()
                        : type == Type::U64 ? extractLanes<uint64_t>()
                                            : extractLanes<int64_t>();
}

static void decodeInsert(Builder &builder) {
  Type type = builder.takeType();
  requireType(builder, {Type::B32, Type::B64}, type);
  builder.expectOperands(5);
  builder.out.operands[1] = builder.source(1, type);
  builder.out.operands[2] = builder.source(2, type);
  builder.out.operands[3] = builder.source(3, Type::U32);
  builder.out.operands[4] = builder.source(4, Type::U32);
  builder.out.operands[0] = builder.destination(0, type);
  builder.out.execute = type == Type::B32 ? compiled<InsertLanes<uint32_t>>() : compiled<InsertLanes<uint64_t>>();
}

static void decodeMask(Builder &builder) {
  bool wraps = builder.expectOneOf({"wrap", "clamp"}) == 0;
  bool isMask = builder.name() == "bmsk";
  Type type = builder.takeType();
  if (isMask)
    requireType(builder, {Type::B32}, type);
  else
    requireType(builder, {Type::U32, Type::S32}, type);
  takeOperands32(builder, 2);
  if (isMask)
    builder.out.execute = wraps ? binaryLanes<uint32_t, BitMask<true>>() : binaryLanes<uint32_t, BitMask<false>>();
  else if (type == Type::S32)
    builder.out.execute = wraps ? binaryLanes<int32_t, SignExtend<true>>() : binaryLanes<int32_t, SignExtend<false>>();
  else
    builder.out.execute =
        wraps ? binaryLanes<uint32_t, SignExtend<true>>() : binaryLanes<uint32_t, SignExtend<false>>();
}

static void decodeFindNthSet(Builder &builder) {
  requireType(builder, {Type::B32}, builder.takeType());
  takeOperands32(builder, 3);
  builder.out.execute = compiled<TernaryLanes<uint32_t, uint32_t, uint32_t, int32_t, FindNthSet>>();
}

static void decodePermute(Builder &builder) {
  requireType(builder, {Type::B32}, builder.takeType());
  int mode = builder.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  takeOperands32(builder, 3);
  ExecuteFn modes[] = {ternaryLanes<uint32_t, PermuteMode<0>>(), ternaryLanes<uint32_t, PermuteMode<1>>(),
                       ternaryLanes<uint32_t, PermuteMode<2>>(), ternaryLanes<uint32_t, PermuteMode<3>>(),
                       ternaryLanes<uint32_t, PermuteMode<4>>(), ternaryLanes<uint32_t, PermuteMode<5>>()};
  builder.out.execute = mode < 0 ? ternaryLanes<uint32_t, Permute>() : modes[mode];
}

static void decodeLop3(Builder &builder) {
  requireType(builder, {Type::B32}, builder.takeType());
  builder.out.flags = static_cast<uint8_t>(builder.takeOneOf({"or", "and"}) + 1);
  bool hasPredicate = builder.out.flags != 0;
  builder.expectOperands(hasPredicate ? 6 : 5);
  for (size_t i = 1; i <= 3; ++i)
    builder.out.operands[i] = builder.source(i, Type::B32);
  const Operand &result = builder.operand(0);
  if (hasPredicate != (result.kind == Operand::Kind::Pair))
    builder.fail("expected a register and a predicate, d|p, with .or and .and");
  builder.out.operands[0] = builder.destination(hasPredicate ? result.elements[0] : result, Type::B32);
  if (hasPredicate) {
    builder.out.operands[4] = builder.destinationPredicate(result.elements[1]);
    builder.out.operands[5] = builder.sourcePredicate(5);
  }
  uint64_t table = builder.immediate(builder.operand(4), "table of lop3");
  if (table > 255)
    builder.fail("expected a table of 8 bits, found " + std::to_string(table));
  builder.out.immediate = static_cast<int64_t>(table);
  builder.out.execute = compiled<Lop3>();
}

void nova::emulator::addBitInstructions(InstructionTable &table) {
  table["and"] = table["or"] = table["xor"] = table["not"] = decodeLogic;
  table["cnot"] = decodeLogicalNot;
  table["shl"] = table["shr"] = decodeShift;
  table["shf"] = decodeFunnel;
  table["popc"] = table["clz"] = table["brev"] = decodeCount;
  table["bfind"] = decodeFindBit;
  table["bfe"] = decodeExtract;
  table["bfi"] = decodeInsert;
  table["bmsk"] = table["szext"] = decodeMask;
  table["fns"] = decodeFindNthSet;
  table["prmt"] = decodePermute;
  table["lop3"] = decodeLop3;
}
