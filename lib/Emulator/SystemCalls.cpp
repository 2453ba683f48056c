//===- SystemCalls.cpp - What drivers provide to kernels ------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// vprintf, __assertfail, malloc and free: functions that no PTX defines. Their parameters and results lie in the local
// memory of each thread, as those of every call: operands 1 to 5 are the addresses of parameters, operand 0 that of the
// result.
//
//===----------------------------------------------------------------------===//

#include "SystemCalls.h"

#include "Access.h"

#include <cstdio>

using namespace nova::emulator;

static uint8_t *localOf(Warp &warp, unsigned lane, uint32_t address) {
  Block &block = *warp.block;
  return &block.local[(warp.firstThread + lane) * size_t(block.program.localBytes) + address];
}

static uint64_t parameter(Warp &warp, const Instruction &instruction, unsigned lane, unsigned index) {
  uint64_t value;
  std::memcpy(&value, localOf(warp, lane, instruction.operands[1 + index]), sizeof(value));
  return value;
}

template <typename T> static void giveResult(Warp &warp, const Instruction &instruction, unsigned lane, T value) {
  if (!instruction.count)
    return;
  std::memcpy(localOf(warp, lane, instruction.operands[0]), &value, sizeof(value));
  size_t offset = (warp.firstThread + lane) * size_t(warp.block->program.localBytes) + instruction.operands[0];
  std::memset(&warp.block->localStates[offset], DeviceMemory::Written, sizeof(value));
}

/// Reads as a load of the thread would, with every check.
template <typename T> static T loadFrom(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address) {
  Access access;
  access.address[lane] = address;
  resolve(warp, instruction, Space::Generic, 1u << lane, sizeof(T), AccessKind::Load, access);
  T value;
  std::memcpy(&value, access.host[lane], sizeof(T));
  return value;
}

static std::string textAt(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address) {
  constexpr size_t kMax = 4096;
  std::string text;
  for (char c; text.size() < kMax && (c = loadFrom<char>(warp, instruction, lane, address)); ++address)
    text += c;
  return text;
}

namespace {
/// Arguments one behind the other, each at a multiple of its size.
class Arguments {
public:
  Arguments(Warp &warp, const Instruction &instruction, unsigned lane, uint64_t address)
      : warp(warp), instruction(instruction), lane(lane), address(address) {}
  template <typename T> T next() {
    address = (address + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value = loadFrom<T>(warp, instruction, lane, address);
    address += sizeof(T);
    return value;
  }
  std::string nextText() { return textAt(warp, instruction, lane, next<uint64_t>()); }

private:
  Warp &warp;
  const Instruction &instruction;
  unsigned lane;
  uint64_t address;
};
} // namespace

template <typename... Values> static std::string formatted(const std::string &specification, Values... values) {
  char buffer[512];
  int length = std::snprintf(buffer, sizeof(buffer), specification.c_str(), values...);
  return std::string(buffer, std::min<size_t>(static_cast<size_t>(std::max(length, 0)), sizeof(buffer) - 1));
}

/// One conversion of a format, which begins at `at` with '%', and moves behind it.
static std::string convert(const std::string &format, size_t &at, Arguments &arguments) {
  std::string flags = "%";
  size_t start = at++;
  // Widths of three digits are enough for everyone.
  while (at < format.size() && std::strchr("-+ #0123456789.", format[at]) && flags.size() < 8)
    flags += format[at++];
  bool isWide = false;
  while (at < format.size() && std::strchr("hlLqjzt", format[at]))
    isWide |= format[at++] != 'h';
  char kind = at < format.size() ? format[at++] : 0;
  if (!kind)
    return format.substr(start);
  if (kind == '%')
    return "%";
  if (std::strchr("di", kind))
    return formatted(flags + "lld",
                     static_cast<long long>(isWide ? arguments.next<int64_t>() : arguments.next<int32_t>()));
  if (std::strchr("uoxX", kind))
    return formatted(flags + "ll" + kind,
                     static_cast<unsigned long long>(isWide ? arguments.next<uint64_t>() : arguments.next<uint32_t>()));
  if (std::strchr("aAeEfFgG", kind))
    return formatted(flags + kind, arguments.next<double>());
  if (kind == 'c')
    return formatted(flags + kind, static_cast<char>(arguments.next<int32_t>()));
  if (kind == 'p')
    return formatted(flags + "#llx", static_cast<unsigned long long>(arguments.next<uint64_t>()));
  if (kind == 's')
    return formatted(flags + kind, arguments.nextText().c_str());
  return format.substr(start, at - start);
}

static void executePrint(Warp &warp, const Instruction &instruction, uint32_t active) {
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    std::string format = textAt(warp, instruction, lane, parameter(warp, instruction, lane, 0)), text;
    Arguments arguments(warp, instruction, lane, parameter(warp, instruction, lane, 1));
    int32_t count = 0;
    for (size_t at = 0; at < format.size();)
      if (format[at] == '%')
        text += convert(format, at, arguments), ++count;
      else
        text += format[at++];
    // At once, so that what threads of the host print is not mixed.
    std::fwrite(text.data(), 1, text.size(), stdout);
    giveResult(warp, instruction, lane, count);
  }
  std::fflush(stdout);
}

static void executeAssertFailure(Warp &warp, const Instruction &instruction, uint32_t active) {
  unsigned lane = static_cast<unsigned>(__builtin_ctz(active));
  auto text = [&](unsigned index) {
    return textAt(warp, instruction, lane, parameter(warp, instruction, lane, index));
  };
  uint32_t line = static_cast<uint32_t>(parameter(warp, instruction, lane, 2));
  report(warp, instruction, Finding::Kind::Trap, lane,
         "assertion '" + text(0) + "' failed at " + text(1) + ":" + std::to_string(line) + " in " + text(3));
  throw StopBlock();
}

static void executeAllocate(Warp &warp, const Instruction &instruction, uint32_t active) {
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    giveResult(warp, instruction, lane, warp.block->launch.memory.allocate(parameter(warp, instruction, lane, 0)));
  }
}

static void executeFree(Warp &warp, const Instruction &instruction, uint32_t active) {
  for (uint32_t rest = active; rest; rest &= rest - 1) {
    unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    uint64_t address = parameter(warp, instruction, lane, 0);
    if (address && !warp.block->launch.memory.free(address))
      report(warp, instruction, Finding::Kind::Bounds, lane, "frees what malloc did not give");
  }
}

const SystemCall *nova::emulator::systemCall(std::string_view name) {
  static const SystemCall calls[] = {
      {"vprintf", executePrint, {8, 8}, 4, false},
      {"__assertfail", executeAssertFailure, {8, 8, 4, 8, 8}, 0, false},
      {"malloc", executeAllocate, {8}, 8, true},
      {"free", executeFree, {8}, 0, true},
  };
  for (const SystemCall &call : calls)
    if (call.name == name)
      return &call;
  return nullptr;
}
