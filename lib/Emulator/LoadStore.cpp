//===- LoadStore.cpp - Loads and stores -----------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"

#include <algorithm>

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

namespace {

/// Elements of type T in memory, extended into lanes of type R.
template <typename T, typename R> struct Load {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    Access access;
    addressesOf(warp, instruction, access.address);
    unsigned count = instruction.count;
    resolve(warp, instruction, instruction.space, active, sizeof(T) * count, AccessKind::Load, access);
    for (unsigned element = 0; element < count; ++element) {
      R values[kLanes];
      uint32_t missing = ~access.lanes;
      for (unsigned lane = 0; missing && lane < kLanes; ++lane)
        if (missing >> lane & 1)
          access.host[lane] = access.host[__builtin_ctz(access.lanes)]; // read, and not stored
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        T value;
        std::memcpy(&value, access.host[lane] + element * sizeof(T), sizeof(T));
        values[lane] = static_cast<R>(value);
      }
      setLanes(warp, instruction.operands[1 + element], values, active);
    }
  }
};

/// The lower bits of lanes of type R as elements of type T.
template <typename T, typename R> struct Store {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    Access access;
    addressesOf(warp, instruction, access.address);
    unsigned count = instruction.count, bytes = sizeof(T) * count;
    resolve(warp, instruction, instruction.space, active, bytes, AccessKind::Store, access);
    uint8_t values[kLanes * 32];
    for (unsigned element = 0; element < count; ++element) {
      const R *lanes = lanesOf<R>(warp, instruction.operands[1 + element]);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        T value = static_cast<T>(lanes[lane]);
        std::memcpy(values + lane * bytes + element * sizeof(T), &value, sizeof(T));
      }
    }
    noteStore(warp, instruction, access, bytes, values, bytes);
    for (uint32_t rest = access.lanes; rest; rest &= rest - 1) {
      unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
      std::memcpy(access.host[lane], values + lane * bytes, bytes);
    }
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

Space nova::emulator::takeSpace(Builder &builder) {
  constexpr Space spaces[] = {Space::Global, Space::Shared, Space::Shared, Space::Shared, Space::Local,
                              Space::Param,  Space::Param,  Space::Param,  Space::Const};
  int found = builder.takeOneOf(
      {"global", "shared", "shared::cta", "shared::cluster", "local", "param", "param::entry", "param::func", "const"});
  return found < 0 ? Space::Generic : spaces[found];
}

void nova::emulator::setAddress(Builder &builder, const Operand &operand, Space space) {
  AddressOperand address = builder.address(operand, space);
  builder.out.space = address.space;
  builder.out.operands[0] = address.slot;
  builder.out.immediate = address.offset;
  builder.out.flags |= address.bytes == 4 ? Address32 : 0;
}

void nova::emulator::noteGranule(Builder &builder, Space space, uint32_t bytes, bool isStore) {
  unsigned shift = bytes >= 4 ? 2 : bytes >> 1;
  Program &program = builder.program();
  if (space == Space::Shared || space == Space::Generic)
    program.sharedGranule = std::min(program.sharedGranule, shift);
  if (isStore && (space == Space::Global || space == Space::Generic))
    program.globalGranule = std::min(program.globalGranule, shift);
}

template <typename T> static ExecuteFn loadInto(uint32_t registerBytes) {
  switch (registerBytes) {
  case 2:
    if constexpr (sizeof(T) <= 2)
      return compiled<Load<T, uint16_t>>();
    return nullptr;
  case 4:
    if constexpr (sizeof(T) <= 4)
      return compiled<Load<T, uint32_t>>();
    return nullptr;
  default:
    return compiled<Load<T, uint64_t>>();
  }
}

static ExecuteFn loadHandler(Type type, uint32_t registerBytes) {
  bool hasSign = isSigned(type);
  switch (bytesOf(type)) {
  case 1:
    return hasSign ? loadInto<int8_t>(registerBytes) : loadInto<uint8_t>(registerBytes);
  case 2:
    return hasSign ? loadInto<int16_t>(registerBytes) : loadInto<uint16_t>(registerBytes);
  case 4:
    return hasSign ? loadInto<int32_t>(registerBytes) : loadInto<uint32_t>(registerBytes);
  default:
    return loadInto<uint64_t>(registerBytes);
  }
}

template <typename R> static ExecuteFn storeFrom(uint32_t bytes) {
  switch (bytes) {
  case 1:
    return compiled<Store<uint8_t, R>>();
  case 2:
    return compiled<Store<uint16_t, R>>();
  case 4:
    return compiled<Store<uint32_t, R>>();
  default:
    return compiled<Store<uint64_t, R>>();
  }
}

static ExecuteFn storeHandler(uint32_t bytes, uint32_t registerBytes) {
  return registerBytes == 2   ? storeFrom<uint16_t>(bytes)
         : registerBytes == 4 ? storeFrom<uint32_t>(bytes)
                              : storeFrom<uint64_t>(bytes);
}

static uint32_t takeVector(Builder &builder) {
  constexpr uint32_t counts[] = {2, 4, 8};
  int found = builder.takeOneOf({"v2", "v4", "v8"});
  return found < 0 ? 1 : counts[found];
}

/// ld, ldu and st: the order of modifiers does not matter.
static void decodeLoadOrStore(Builder &builder) {
  bool isStore = builder.name() == "st";
  bool isUniform = builder.name() == "ldu";
  if (isStore && builder.take("async"))
    builder.fail("unknown instruction: st.async, where the emulator has st.shared and mbarrier.complete_tx");
  int semantics = isUniform ? -1
                  : isStore ? builder.takeOneOf({"volatile", "relaxed", "release", "mmio", "weak"})
                            : builder.takeOneOf({"volatile", "relaxed", "acquire", "mmio", "weak"});
  bool isSynchronising = semantics >= 0 && semantics < 4;
  builder.takeScope();
  builder.takeCacheHints();
  Space space = takeSpace(builder);
  if (isStore && space == Space::Const)
    builder.fail("expected a load, found a store to .const");
  if (!isStore && space == Space::Global)
    builder.take("nc");
  if (isUniform && space != Space::Generic && space != Space::Global)
    builder.fail("expected .global, found ." + std::string(nameOf(space)));
  if (isSynchronising && space != Space::Generic && space != Space::Global && space != Space::Shared)
    builder.fail("expected an access to ." + std::string(nameOf(space)) + " memory that orders nothing");
  uint32_t count = takeVector(builder);
  Type type = builder.takeType();
  if (!isPlain(type) || bytesOf(type) > 8 || bytesOf(type) * count > (count == 8 ? 32 : 16) ||
      (count == 8 && bytesOf(type) < 4))
    builder.fail("expected at most 16 bytes, or eight times 32 bits, found " + std::to_string(count) + " of ." +
                 std::string(nameOf(type)));
  builder.expectOperands(2, 3); // the third is a hint for caches
  std::vector<Operand> values = Builder::elementsOf(builder.operand(isStore ? 1 : 0));
  if (values.size() != count)
    builder.fail("expected " + std::to_string(count) + " values, found " + std::to_string(values.size()));
  builder.out.count = static_cast<uint8_t>(count);
  builder.out.bytes = static_cast<uint8_t>(bytesOf(type));
  builder.out.flags = isSynchronising ? Synchronising : 0;
  uint32_t registerBytes = 0;
  for (uint32_t i = 0; i < count; ++i) {
    Register found = isStore ? builder.anySource(values[i], type) : builder.anyDestination(values[i], type);
    uint32_t bytes = std::max(bytesOf(found.type), 2u);
    // `_` takes the width of the others.
    if (values[i].name == "_" && registerBytes)
      found.slot = builder.newSlot(registerBytes), bytes = registerBytes;
    if (i && bytes != registerBytes && values[0].name == "_")
      builder.out.operands[1] = builder.newSlot(bytes), registerBytes = bytes;
    if ((i && bytes != registerBytes) || bytes < std::max(bytesOf(type), 2u))
      builder.fail("expected registers of one width, as wide as the type or wider");
    registerBytes = bytes;
    builder.out.operands[1 + i] = found.slot;
  }
  setAddress(builder, builder.operand(isStore ? 0 : 1), space);
  noteGranule(builder, builder.out.space, bytesOf(type) * count, isStore);
  builder.out.execute = isStore ? storeHandler(bytesOf(type), registerBytes) : loadHandler(type, registerBytes);
}

static void nothing(Warp &, const Instruction &, uint32_t) {}

/// prefetch, prefetchu, applypriority: hints that change no value.
static void decodeHint(Builder &builder) {
  bool isPriority = builder.name() == "applypriority";
  if (builder.name() == "prefetch" && builder.take("tensormap"))
    return decodeTensorMapPrefetch(builder);
  if (!builder.take("global") && !isPriority)
    builder.take("local");
  if (builder.name() == "prefetchu")
    builder.expectOneOf({"L1"});
  else if (!isPriority)
    builder.takeOneOf({"L1", "L2"});
  builder.takeLevelHints();
  builder.expectOperands(isPriority ? 2 : 1);
  builder.address(builder.operand(0), Space::Generic);
  builder.out.execute = nothing;
}

static void givePolicy(Warp &warp, const Instruction &instruction, uint32_t active) {
  constexpr uint64_t policies[kLanes] = {};
  setLanes(warp, instruction.operands[0], policies, active);
}

/// createpolicy: what caches are to do, for accesses with .L2::cache_hint. A number that nothing looks into.
static void decodePolicy(Builder &builder) {
  int kind = builder.expectOneOf({"fractional", "range", "cvt"});
  builder.takeLevelHints();
  if (kind == 1)
    builder.expectOneOf({"global"});
  if (kind == 2)
    builder.expectOneOf({"L2"});
  if (builder.takeType() != Type::B64)
    builder.fail("expected .b64");
  size_t least = kind == 0 ? 1 : kind == 1 ? 4 : 2;
  builder.expectOperands(least, kind == 0 ? 2 : least);
  if (kind == 1)
    builder.address(builder.operand(1), Space::Generic);
  else if (builder.operandCount() > 1)
    builder.source(1, kind == 0 ? Type::F32 : Type::B64);
  for (size_t size = 2; size < builder.operandCount(); ++size)
    builder.source(size, Type::U32);
  builder.out.operands[0] = builder.destination(0, Type::B64);
  builder.out.execute = givePolicy;
}

void nova::emulator::addMemoryInstructions(InstructionTable &table) {
  table["ld"] = table["ldu"] = table["st"] = decodeLoadOrStore;
  table["createpolicy"] = decodePolicy;
  table["prefetch"] = table["prefetchu"] = table["applypriority"] = decodeHint;
}
