//===- Lanes.h - Instructions over the lanes of a warp ----------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction is a structure with a static `of` for one lane; the loops here apply it to all 32, into a copy, of
// which the active lanes are stored. Every such loop is compiled for the portable instruction set and for newer ones of
// the host, and the decoder takes the best that the machine has.
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_LANES_H
#define NOVA_LIB_EMULATOR_LANES_H

#include "Program.h"
#include "Warp.h"

#include <cstring>
#include <type_traits>

#define NOVA_LANES inline __attribute__((always_inline))

namespace nova::emulator {

/// Sets of x86's instructions, as far as they matter here.
enum class HostLevel : uint8_t { Portable, Avx2, Avx512 };
HostLevel hostLevel();

/// F::run(warp, instruction, active) for the host at hand.
template <typename F> struct Compiled {
  static void portable(Warp &warp, const Instruction &instruction, uint32_t active) {
    F::run(warp, instruction, active);
  }
#if defined(__x86_64__) && !defined(NOVA_EMULATOR_PORTABLE)
  __attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt"))) static void
  avx2(Warp &warp, const Instruction &instruction, uint32_t active) {
    F::run(warp, instruction, active);
  }
  __attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"))) static void
  avx512(Warp &warp, const Instruction &instruction, uint32_t active) {
    F::run(warp, instruction, active);
  }
#endif
};

template <typename F> ExecuteFn compiled() {
#if defined(__x86_64__) && !defined(NOVA_EMULATOR_PORTABLE)
  switch (hostLevel()) {
  case HostLevel::Avx512:
    return Compiled<F>::avx512;
  case HostLevel::Avx2:
    return Compiled<F>::avx2;
  case HostLevel::Portable:
    break;
  }
#endif
  return Compiled<F>::portable;
}

template <typename T> NOVA_LANES T *lanesOf(Warp &warp, uint32_t slot) {
  return reinterpret_cast<T *>(warp.registers + slot);
}

/// Stores the values of the active lanes.
template <typename T> NOVA_LANES void setLanes(Warp &warp, uint32_t slot, const T *values, uint32_t active) {
  T *out = lanesOf<T>(warp, slot);
  if (active == kAllLanes) {
    std::memcpy(out, values, sizeof(T) * kLanes);
    return;
  }
  for (unsigned lane = 0; lane < kLanes; ++lane)
    out[lane] = (active >> lane & 1) ? values[lane] : out[lane];
}

NOVA_LANES void setPredicate(Warp &warp, uint32_t index, uint32_t value, uint32_t active) {
  uint32_t &out = warp.predicates[index];
  out = (out & ~active) | (value & active);
}

/// operand 0 = F::of(operand 1): lanes hold S, the result D.
template <typename D, typename S, typename F> struct UnaryLanes {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    const S *a = lanesOf<S>(warp, instruction.operands[1]);
    D values[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane)
      values[lane] = F::of(a[lane]);
    setLanes(warp, instruction.operands[0], values, active);
  }
};

template <typename D, typename A, typename B, typename F> struct BinaryLanes {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    const A *a = lanesOf<A>(warp, instruction.operands[1]);
    const B *b = lanesOf<B>(warp, instruction.operands[2]);
    D values[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane)
      values[lane] = F::of(a[lane], b[lane]);
    setLanes(warp, instruction.operands[0], values, active);
  }
};

template <typename D, typename A, typename B, typename C, typename F> struct TernaryLanes {
  static NOVA_LANES void run(Warp &warp, const Instruction &instruction, uint32_t active) {
    const A *a = lanesOf<A>(warp, instruction.operands[1]);
    const B *b = lanesOf<B>(warp, instruction.operands[2]);
    const C *c = lanesOf<C>(warp, instruction.operands[3]);
    D values[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane)
      values[lane] = F::of(a[lane], b[lane], c[lane]);
    setLanes(warp, instruction.operands[0], values, active);
  }
};

template <typename T, typename F, typename D = T> ExecuteFn unaryLanes() { return compiled<UnaryLanes<D, T, F>>(); }
template <typename T, typename F, typename D = T> ExecuteFn binaryLanes() {
  return compiled<BinaryLanes<D, T, T, F>>();
}
template <typename T, typename F, typename D = T> ExecuteFn ternaryLanes() {
  return compiled<TernaryLanes<D, T, T, T, F>>();
}

/// The bits of a value as another type of the same size.
template <typename To, typename From> NOVA_LANES To bitsAs(From value) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<From>);
  To result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_LANES_H
