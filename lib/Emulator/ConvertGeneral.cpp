//===- ConvertGeneral.cpp - Conversions of any types, exactly -------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Convert.h"

#include <cfenv>

using namespace nova::emulator;

void Conversion::store(Instruction &instruction) const {
  static_assert(sizeof(Conversion) <= 16);
  static_assert(std::is_trivially_copyable_v<Conversion>);
  // The last operands of a conversion are free.
  std::memcpy(&instruction.operands[8], this, sizeof(*this));
}

Conversion Conversion::load(const Instruction &instruction) {
  Conversion conversion;
  std::memcpy(&conversion, &instruction.operands[8], sizeof(conversion));
  return conversion;
}

//===----------------------------------------------------------------------===//
// Lanes of any width
//===----------------------------------------------------------------------===//

static uint64_t loadBits(Warp &warp, uint32_t slot, unsigned bytes, unsigned lane) {
  switch (bytes) {
  case 2:
    return lanesOf<uint16_t>(warp, slot)[lane];
  case 4:
    return lanesOf<uint32_t>(warp, slot)[lane];
  default:
    return lanesOf<uint64_t>(warp, slot)[lane];
  }
}

static void storeBits(Warp &warp, uint32_t slot, unsigned bytes, unsigned lane, uint64_t bits) {
  switch (bytes) {
  case 2:
    lanesOf<uint16_t>(warp, slot)[lane] = static_cast<uint16_t>(bits);
    break;
  case 4:
    lanesOf<uint32_t>(warp, slot)[lane] = static_cast<uint32_t>(bits);
    break;
  default:
    lanesOf<uint64_t>(warp, slot)[lane] = bits;
  }
}

/// The lower bits of a register as an integer of the type. Types without a sign are zero-extended.
static __int128 integerOf(Type type, uint64_t bits) {
  unsigned width = 8 * bytesOf(type);
  uint64_t low = width == 64 ? bits : bits & ((uint64_t(1) << width) - 1);
  if (isSigned(type) && width < 64 && (low >> (width - 1) & 1))
    low |= ~uint64_t(0) << width;
  return isSigned(type) ? static_cast<__int128>(static_cast<int64_t>(low)) : static_cast<__int128>(low);
}

static __int128 clampTo(Type type, __int128 value) {
  unsigned width = 8 * bytesOf(type);
  __int128 low = isSigned(type) ? -(__int128(1) << (width - 1)) : 0;
  __int128 high = (__int128(1) << (isSigned(type) ? width - 1 : width)) - 1;
  return value < low ? low : value > high ? high : value;
}

static bool isFloatType(Type type) {
  return type == Type::F16 || type == Type::BF16 || type == Type::F32 || type == Type::F64 || type == Type::TF32;
}

static const FloatFormat &formatOf(Type type) {
  switch (type) {
  case Type::F16:
  case Type::F16x2:
    return kF16;
  case Type::BF16:
  case Type::BF16x2:
    return kBF16;
  case Type::E4M3x2:
    return kE4M3;
  case Type::E5M2x2:
    return kE5M2;
  case Type::TF32:
    return kTF32;
  default:
    return kF32;
  }
}

static double floatOf(Type type, uint64_t bits, bool flush) {
  if (type == Type::F64)
    return bitsAs<double>(bits);
  if (type == Type::F32) {
    float value = bitsAs<float>(static_cast<uint32_t>(bits));
    return flush ? flushed(value) : value;
  }
  return widen(formatOf(type), static_cast<uint32_t>(bits & 0xffff));
}

//===----------------------------------------------------------------------===//
// One value
//===----------------------------------------------------------------------===//

static double roundToInteger(double value, int mode) {
  return mode == 0   ? std::nearbyint(value)
         : mode == 1 ? std::trunc(value)
         : mode == 2 ? std::floor(value)
                     : std::ceil(value);
}

/// NaN becomes 0, or the pattern with only the highest bit where 64 bits are on either side.
static uint64_t floatToInteger(const Conversion &c, double value) {
  if (value != value)
    return c.from == Type::F64 || bytesOf(c.to) == 8 ? uint64_t(1) << (8 * bytesOf(c.to) - 1) : 0;
  double whole = roundToInteger(value, c.integer < 0 ? 1 : c.integer);
  // Beyond 2^65 every type is clamped anyhow.
  whole = std::fmin(std::fmax(whole, -0x1p65), 0x1p65);
  return static_cast<uint64_t>(clampTo(c.to, static_cast<__int128>(whole)));
}

/// An integer as a double, exactly or rounded to odd.
static double oddDouble(__int128 value) {
  bool isNegative = value < 0;
  uint64_t magnitude = static_cast<uint64_t>(isNegative ? -value : value);
  double high = static_cast<double>(magnitude >> 32) * 0x1p32, low = static_cast<double>(magnitude & 0xffffffff);
  double sum = addToOdd(high, low);
  return isNegative ? -sum : sum;
}

static uint64_t integerToDouble(__int128 value, Rounding mode) {
  // The sum of two exact parts, rounded once.
  bool isNegative = value < 0;
  uint64_t magnitude = static_cast<uint64_t>(isNegative ? -value : value);
  double high = static_cast<double>(magnitude >> 32) * 0x1p32, low = static_cast<double>(magnitude & 0xffffffff);
  return bitsAs<uint64_t>(
      computeRounded(Arithmetic::Add, mode, isNegative ? -high : high, isNegative ? -low : low, 0.0));
}

static double restrict(const Conversion &c, double value) {
  if (c.relu && !(value > 0) && value == value)
    value = 0;
  if (c.saturate)
    value = value > 0 ? (value < 1 ? value : 1) : 0; // NaN to 0
  return value;
}

/// Rounds to the type of the result.
static uint64_t narrow(const Conversion &c, double value) {
  value = restrict(c, value);
  if (c.to == Type::TF32)
    return static_cast<uint64_t>(roundTo(kTF32, value, c.rounding, c.finite)) << 13;
  if (c.to == Type::F64)
    return bitsAs<uint64_t>(value);
  uint32_t bits = roundTo(formatOf(c.to), value, c.rounding, c.finite);
  if (c.flush && c.to == Type::F32 && (bits & 0x7f800000) == 0)
    bits &= 0x80000000;
  return bits;
}

static uint64_t convertOne(const Conversion &c, uint64_t bits) {
  bool fromFloat = isFloatType(c.from), toFloat = isFloatType(c.to);
  if (!fromFloat && !toFloat) {
    __int128 value = integerOf(c.from, bits);
    return static_cast<uint64_t>(c.saturate ? clampTo(c.to, value) : integerOf(c.to, static_cast<uint64_t>(value)));
  }
  if (!fromFloat) {
    __int128 value = integerOf(c.from, bits);
    if (c.saturate)
      value = value < 0 ? 0 : value > 1 ? 1 : value;
    return c.to == Type::F64 ? integerToDouble(value, c.rounding) : narrow(c, oddDouble(value));
  }
  double value = floatOf(c.from, bits, c.flush);
  if (!toFloat)
    return floatToInteger(c, value);
  return narrow(c, c.integer >= 0 ? roundToInteger(value, c.integer) : value);
}

//===----------------------------------------------------------------------===//
// All lanes
//===----------------------------------------------------------------------===//

static void executeGeneral(Warp &warp, const Instruction &instruction, uint32_t active) {
  Conversion c = Conversion::load(instruction);
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t result = convertOne(c, loadBits(warp, instruction.operands[1], c.fromBytes, lane));
    // A result in a wider register is extended as its type says.
    if (isInteger(c.to))
      result = static_cast<uint64_t>(integerOf(c.to, result));
    storeBits(warp, instruction.operands[0], c.toBytes, lane, result);
  }
}

/// Two f32 to a packed type, the first to the upper half.
static void executeToPacked(Warp &warp, const Instruction &instruction, uint32_t active) {
  Conversion c = Conversion::load(instruction);
  unsigned width = 4 * bytesOf(c.to);
  c.finite |= c.to == Type::E4M3x2 || c.to == Type::E5M2x2;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t high = narrow(c, floatOf(Type::F32, loadBits(warp, instruction.operands[1], 4, lane), c.flush));
    uint64_t low = narrow(c, floatOf(Type::F32, loadBits(warp, instruction.operands[2], 4, lane), c.flush));
    storeBits(warp, instruction.operands[0], c.toBytes, lane, high << width | low);
  }
}

/// Between f16x2 and pairs of 8-bit floats.
static void executePacked(Warp &warp, const Instruction &instruction, uint32_t active) {
  Conversion c = Conversion::load(instruction);
  unsigned fromWidth = 4 * bytesOf(c.from), toWidth = 4 * bytesOf(c.to);
  c.finite |= c.to == Type::E4M3x2 || c.to == Type::E5M2x2;
  uint32_t mask = (1u << fromWidth) - 1;
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint32_t bits = static_cast<uint32_t>(loadBits(warp, instruction.operands[1], c.fromBytes, lane));
    uint64_t low = narrow(c, widen(formatOf(c.from), bits & mask));
    uint64_t high = narrow(c, widen(formatOf(c.from), bits >> fromWidth & mask));
    storeBits(warp, instruction.operands[0], c.toBytes, lane, high << toWidth | low);
  }
}

ExecuteFn nova::emulator::generalConversion(const Conversion &c) {
  auto isScalar = [](Type type) { return (isFloatType(type) && type != Type::TF32) || isInteger(type); };
  auto isSmall = [](Type type) { return type == Type::E4M3x2 || type == Type::E5M2x2; };
  auto isHalves = [](Type type) { return type == Type::F16x2 || type == Type::BF16x2; };
  if ((isScalar(c.to) && isScalar(c.from)) || (c.to == Type::TF32 && c.from == Type::F32))
    return executeGeneral;
  if (c.from == Type::F32 && (isSmall(c.to) || isHalves(c.to)))
    return executeToPacked;
  if ((isSmall(c.to) && c.from == Type::F16x2) || (c.to == Type::F16x2 && isSmall(c.from)))
    return executePacked;
  return nullptr;
}

void nova::emulator::executePack(Warp &warp, const Instruction &instruction, uint32_t active) {
  Conversion c = Conversion::load(instruction);
  unsigned width = 8 * bytesOf(c.to);
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    auto part = [&](unsigned operand) {
      __int128 value = integerOf(Type::S32, loadBits(warp, instruction.operands[operand], 4, lane));
      return static_cast<uint64_t>(clampTo(c.to, value)) & ((uint64_t(1) << width) - 1);
    };
    uint64_t above = width == 8 ? loadBits(warp, instruction.operands[3], 4, lane) << 16 : 0;
    storeBits(warp, instruction.operands[0], 4, lane, above | part(1) << width | part(2));
  }
}
