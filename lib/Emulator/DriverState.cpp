//===- DriverState.cpp - The emulated device and its environment variables -===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Nova/Support/File.h"

#include <cstdio>
#include <cstdlib>

using namespace nova;
using namespace nova::emulator;

DriverState &DriverState::get() {
  // Never destroyed: a program may call the driver while it ends.
  static DriverState &state = *new DriverState;
  return state;
}

static std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

static void warn(const std::string &message) { std::fprintf(stderr, "nova-emulator: %s\n", message.c_str()); }

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

std::string Faults::parse(const std::string &list) {
  size_t position = 0;
  while (position < list.size()) {
    size_t comma = std::min(list.find(',', position), list.size());
    std::string fault = list.substr(position, comma - position);
    position = comma + 1;
    size_t colon = fault.find(':');
    std::string name = fault.substr(0, colon), value = colon == std::string::npos ? "" : fault.substr(colon + 1);
    bool isNumber = !value.empty() && value.size() < 19 && value.find_first_not_of("0123456789") == std::string::npos;
    uint64_t count = isNumber ? std::stoull(value) : 0;
    std::pair<const char *, uint64_t *> counted[] = {{"out-of-memory", &outOfMemory},
                                                     {"out-of-host-memory", &outOfHostMemory},
                                                     {"module", &module},
                                                     {"copy", &copy}};
    bool isKnown = false;
    for (auto &[known, counter] : counted)
      if (name == known && count) {
        *counter = count;
        isKnown = true;
      }
    if (name == "no-device" || name == "old-driver") {
      (name == "no-device" ? noDevice : oldDriver) = true;
    } else if (name == "lost-device" && isNumber) {
      losesDevice = true;
      launchesUntilLost = count;
    } else if ((name == "launch" || name == "refuse-launch") && !value.empty()) {
      (name == "launch" ? failedLaunches : refusedLaunches).insert(value);
    } else if (!isKnown) {
      return fault;
    }
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Start and end
//===----------------------------------------------------------------------===//

/// "512M", "8G" or a number of bytes; 0 when it is neither.
static uint64_t parseBytes(const std::string &text) {
  char *end = nullptr;
  uint64_t value = std::strtoull(text.c_str(), &end, 10);
  std::string unit = end;
  unsigned shift = unit == "G" ? 30 : unit == "M" ? 20 : 0;
  bool isGood = end != text.c_str() && (unit.empty() || shift) && value <= (uint64_t(1) << 40) >> shift;
  return isGood ? value << shift : 0;
}

static void readChecks(Options &options) {
  std::string value = environment("NOVA_EMULATOR_CHECK");
  if (value.empty())
    return;
  if (Result<Checks> checks = Checks::parse(value))
    options.checks = *checks;
  else
    warn("NOVA_EMULATOR_CHECK: " + checks.error().message);
}

static void readOrder(Options &options) {
  std::string value = environment("NOVA_EMULATOR_ORDER");
  if (value.empty())
    return;
  if (Result<WarpOrder> order = parseWarpOrder(value))
    options.order = *order;
  else
    warn("NOVA_EMULATOR_ORDER: " + order.error().message);
}

CUresult DriverState::initialise() {
  if (isInitialised)
    return initResult;
  isInitialised = true;
  readChecks(options);
  readOrder(options);
  options.threads = static_cast<unsigned>(std::strtoul(environment("NOVA_EMULATOR_THREADS").c_str(), nullptr, 10));
  reportPath = environment("NOVA_EMULATOR_REPORT");
  options.countMemory = !reportPath.empty();
  if (!reportPath.empty())
    std::atexit([] { get().writeReport(); });
  std::string chip = environment("NOVA_EMULATOR_CHIP");
  if (chip == "sm_80" || chip == "sm_89" || chip == "sm_90")
    computeCapability = std::stoi(chip.substr(3));
  else if (!chip.empty())
    warn("NOVA_EMULATOR_CHIP: expected sm_80, sm_89 or sm_90, found '" + chip + "'");
  if (std::string unknown = faults.parse(environment("NOVA_EMULATOR_FAULT")); !unknown.empty())
    warn("NOVA_EMULATOR_FAULT: unknown fault '" + unknown + "'; docs/Emulator.md lists them");
  if (faults.noDevice)
    return initResult = CUDA_ERROR_NO_DEVICE;
  std::string wanted = environment("NOVA_EMULATOR_MEMORY");
  uint64_t bytes = wanted.empty() ? uint64_t(8) << 30 : parseBytes(wanted);
  if (!bytes) {
    warn("NOVA_EMULATOR_MEMORY: expected bytes, with M or G, found '" + wanted + "'");
    bytes = uint64_t(8) << 30;
  }
  Result<std::unique_ptr<DeviceMemory>> created = DeviceMemory::create(bytes);
  if (!created) {
    warn(created.error().message);
    return initResult = CUDA_ERROR_OUT_OF_MEMORY;
  }
  memory = std::move(*created);
  return CUDA_SUCCESS;
}

void DriverState::writeReport() {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  bool isJson = reportPath.size() > 5 && reportPath.substr(reportPath.size() - 5) == ".json";
  std::string text = isJson ? countersToJson(counters) : countersToTable(counters);
  if (reportPath == "-")
    std::fputs(text.c_str(), stderr);
  else if (Result<void> written = writeFile(reportPath, text); !written)
    warn(written.error().message);
}

bool DriverState::isPinned(const void *data, size_t bytes) const {
  uint64_t address = reinterpret_cast<uint64_t>(data);
  auto next = pinned.upper_bound(address);
  if (next == pinned.begin())
    return false;
  auto [start, size] = *std::prev(next);
  return address - start <= size && bytes <= size - (address - start);
}
