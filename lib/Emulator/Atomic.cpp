//===- Atomic.cpp - Atomics -----------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "Rounding.h"

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// One update
//===----------------------------------------------------------------------===//

namespace {

struct Add {
  template <typename T> static T of(T old, T b, T) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
  }
};
struct Minimum {
  template <typename T> static T of(T old, T b, T) { return b < old ? b : old; }
};
struct Maximum {
  template <typename T> static T of(T old, T b, T) { return old < b ? b : old; }
};
struct And {
  template <typename T> static T of(T old, T b, T) { return old & b; }
};
struct Or {
  template <typename T> static T of(T old, T b, T) { return old | b; }
};
struct Xor {
  template <typename T> static T of(T old, T b, T) { return old ^ b; }
};
struct Exchange {
  template <typename T> static T of(T, T b, T) { return b; }
};
struct CompareAndSwap {
  template <typename T> static T of(T old, T b, T c) { return old == b ? c : old; }
};
struct Increment {
  template <typename T> static T of(T old, T b, T) { return old >= b ? 0 : old + 1; }
};
struct Decrement {
  template <typename T> static T of(T old, T b, T) { return old == 0 || old > b ? b : old - 1; }
};
/// On global memory f32 sums are flushed, on shared memory not.
template <bool Ftz> struct AddSingle {
  static uint32_t of(uint32_t old, uint32_t b, uint32_t) {
    float x = bitsAs<float>(old), y = bitsAs<float>(b);
    float sum = Ftz ? flushed(flushed(x) + flushed(y)) : x + y;
    return bitsAs<uint32_t>(canonical(sum));
  }
};
struct AddDouble {
  static uint64_t of(uint64_t old, uint64_t b, uint64_t) {
    return bitsAs<uint64_t>(bitsAs<double>(old) + bitsAs<double>(b));
  }
};
struct AddF16 {
  static uint16_t of(uint16_t old, uint16_t b, uint16_t) { return f32ToF16(f16ToF32(old) + f16ToF32(b)); }
};
struct AddBF16 {
  static uint16_t of(uint16_t old, uint16_t b, uint16_t) {
    return f32ToBf16(narrowToOdd(addToOdd(bf16ToF32(old), bf16ToF32(b))));
  }
};
template <typename F> struct Both {
  static uint32_t of(uint32_t old, uint32_t b, uint32_t) {
    uint16_t low = F::of(static_cast<uint16_t>(old), static_cast<uint16_t>(b), 0);
    uint16_t high = F::of(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(b >> 16), 0);
    return low | static_cast<uint32_t>(high) << 16;
  }
};

enum AtomicFlags : uint8_t { HasResult = 16, IsRelease = 32 };

/// Lane after lane. Operand 1 is the result, 2 and 3 are b and c.
template <typename T, typename F> void executeAtomic(Warp &warp, const Instruction &instruction, uint32_t active) {
  Block &block = *warp.block;
  Access access;
  addressesOf(warp, instruction, access.address);
  resolve(warp, instruction, instruction.space, active, sizeof(T), AccessKind::Atomic, access);
  ++block.activity;
  if (access.shared && block.checks.races)
    block.races.update(warp, instruction, access.shared, access.address, sizeof(T));
  std::unique_lock<std::mutex> lock(block.launch.atomics, std::defer_lock);
  if (access.global && block.launch.isParallel)
    lock.lock();
  const T *b = lanesOf<T>(warp, instruction.operands[2]), *c = lanesOf<T>(warp, instruction.operands[3]);
  T before[kLanes] = {};
  for (uint32_t rest = access.lanes; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    std::memcpy(&before[lane], access.host[lane], sizeof(T));
    T after = F::of(before[lane], b[lane], c[lane]);
    std::memcpy(access.host[lane], &after, sizeof(T));
  }
  if (access.global) {
    if (instruction.flags & IsRelease)
      block.launch.fences[block.number].fetch_add(1, std::memory_order_relaxed);
    block.hasFenced = true;
  }
  if (instruction.flags & HasResult)
    setLanes(warp, instruction.operands[1], before, active);
}

} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

template <typename F> static ExecuteFn unsignedOnly(Type type) {
  return bytesOf(type) == 8 ? executeAtomic<uint64_t, F> : executeAtomic<uint32_t, F>;
}
template <typename F> static ExecuteFn withSign(Type type) {
  if (isSigned(type))
    return bytesOf(type) == 8 ? executeAtomic<int64_t, F> : executeAtomic<int32_t, F>;
  return unsignedOnly<F>(type);
}

static bool isFloatSum(Type type) { return type == Type::F32 || type == Type::F64 || isHalf(type); }

static ExecuteFn addHandler(Type type, Space space) {
  switch (type) {
  case Type::F32:
    return space == Space::Shared ? executeAtomic<uint32_t, AddSingle<false>>
                                  : executeAtomic<uint32_t, AddSingle<true>>;
  case Type::F64:
    return executeAtomic<uint64_t, AddDouble>;
  case Type::F16:
    return executeAtomic<uint16_t, AddF16>;
  case Type::BF16:
    return executeAtomic<uint16_t, AddBF16>;
  case Type::F16x2:
    return executeAtomic<uint32_t, Both<AddF16>>;
  case Type::BF16x2:
    return executeAtomic<uint32_t, Both<AddBF16>>;
  default:
    return unsignedOnly<Add>(type);
  }
}

static ExecuteFn atomicHandler(int operation, Type type, Space space) {
  switch (operation) {
  case 0:
    return addHandler(type, space);
  case 1:
    return withSign<Minimum>(type);
  case 2:
    return withSign<Maximum>(type);
  case 3:
    return unsignedOnly<And>(type);
  case 4:
    return unsignedOnly<Or>(type);
  case 5:
    return unsignedOnly<Xor>(type);
  case 6:
    return unsignedOnly<Exchange>(type);
  case 7:
    return bytesOf(type) == 2 ? executeAtomic<uint16_t, CompareAndSwap> : unsignedOnly<CompareAndSwap>(type);
  case 8:
    return executeAtomic<uint32_t, Increment>;
  default:
    return executeAtomic<uint32_t, Decrement>;
  }
}

static void requireAtomic(Builder &builder, int operation, Type type) {
  uint32_t bytes = bytesOf(type);
  bool isWord = bytes == 4 || bytes == 8, isOrder = operation == 1 || operation == 2;
  bool isCount = operation == 8 || operation == 9, isSwap = operation == 7;
  bool fits = operation == 0 ? (isWord && isInteger(type) && type != Type::S64) || isFloatSum(type)
              : isOrder      ? isWord && isInteger(type)
              : isCount      ? type == Type::U32
                             : (isWord || (isSwap && bytes == 2)) && isBits(type);
  if (!fits)
    builder.fail("unexpected type ." + std::string(nameOf(type)) + " of an atomic");
}

static void decodeAtomic(Builder &builder) {
  bool hasResult = builder.name() == "atom";
  if (!hasResult && builder.take("async"))
    builder.fail("unknown instruction: red.async, where the emulator has red and mbarrier.complete_tx");
  bool isRelease = builder.takeOneOf({"relaxed", "acquire", "release", "acq_rel"}) >= 2;
  builder.takeScope();
  builder.takeLevelHints();
  Space space = takeSpace(builder);
  if (space != Space::Generic && space != Space::Global && space != Space::Shared)
    builder.fail("expected .global or .shared, found ." + std::string(nameOf(space)));
  int operation = builder.expectOneOf({"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"});
  Type type = builder.takeType();
  requireAtomic(builder, operation, type);
  if (isHalf(type))
    builder.expectOneOf({"noftz"});
  size_t sources = operation == 7 ? 2 : 1, first = hasResult ? 1 : 0;
  builder.expectOperands(first + 1 + sources, first + 2 + sources); // a hint for caches may follow
  setAddress(builder, builder.operand(first), space);
  builder.out.flags |= static_cast<uint8_t>((hasResult ? HasResult : 0) | (isRelease ? IsRelease : 0));
  if (hasResult)
    builder.out.operands[1] = builder.destination(0, type);
  builder.out.operands[2] = builder.source(first + 1, type);
  builder.out.operands[3] = operation == 7 ? builder.source(first + 2, type) : builder.out.operands[2];
  builder.out.execute = atomicHandler(operation, type, builder.out.space);
  noteGranule(builder, builder.out.space, bytesOf(type), /*isStore=*/false);
  bool isFloat = operation == 0 && !isInteger(type);
  if (builder.out.space != Space::Shared && (isFloat || operation == 6 || operation == 7))
    builder.program().needsOrderedBlocks = true;
}

void nova::emulator::addAtomicInstructions(InstructionTable &table) { table["atom"] = table["red"] = decodeAtomic; }
