//===- TensorBoard.cpp - Event files for TensorBoard ----------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/TensorBoard.h"

#include "AppendedFile.h"
#include "Nova/Support/File.h"

#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

using namespace nova;

//===----------------------------------------------------------------------===//
// Protobuf's wire format, as far as events need it
//===----------------------------------------------------------------------===//

namespace {

class Message {
public:
  void number(unsigned field, uint64_t value) {
    varint(field << 3);
    varint(value);
  }
  void real64(unsigned field, double value) {
    varint(field << 3 | 1);
    raw(value);
  }
  void real32(unsigned field, float value) {
    varint(field << 3 | 5);
    raw(value);
  }
  void text(unsigned field, std::string_view value) {
    varint(field << 3 | 2);
    varint(value.size());
    bytes += value;
  }

  std::string bytes;

private:
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      bytes += static_cast<char>(value | 0x80);
    bytes += static_cast<char>(value);
  }
  template <typename T> void raw(T value) {
    char data[sizeof(value)]; // Little endian, as this machine.
    std::memcpy(data, &value, sizeof(value));
    bytes.append(data, sizeof(value));
  }
};

} // namespace

/// tensorflow.Event, without what it holds.
static Message eventAt(uint64_t step) {
  Message event;
  auto now = std::chrono::system_clock::now().time_since_epoch();
  event.real64(1, std::chrono::duration<double>(now).count());
  event.number(2, step);
  return event;
}

uint32_t nova::crc32c(std::string_view bytes) {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> entries;
    for (uint32_t i = 0; i < 256; ++i) {
      entries[i] = i;
      for (int bit = 0; bit < 8; ++bit)
        entries[i] = entries[i] >> 1 ^ (entries[i] & 1 ? 0x82f63b78 : 0);
    }
    return entries;
  }();
  uint32_t crc = ~0u;
  for (char byte : bytes)
    crc = crc >> 8 ^ table[(crc ^ static_cast<uint8_t>(byte)) & 0xff];
  return ~crc;
}

static std::string maskedChecksum(std::string_view bytes) {
  uint32_t crc = crc32c(bytes);
  uint32_t masked = (crc >> 15 | crc << 17) + 0xa282ead8;
  return {reinterpret_cast<const char *>(&masked), sizeof(masked)};
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

Result<TensorBoard> TensorBoard::create(const std::string &folder, uint64_t step) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  TensorBoard board;
  char host[256] = "localhost";
  gethostname(host, sizeof(host) - 1);
  // The time comes first, by which TensorBoard orders files; microseconds keep two runs of a second apart.
  auto now = std::chrono::system_clock::now().time_since_epoch();
  long long micro = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  board.path = folder + "/events.out.tfevents." + std::to_string(micro / 1000000) + "." + host + "." +
               std::to_string(getpid()) + "." + std::to_string(micro % 1000000);
  board.descriptor = open(board.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (board.descriptor < 0)
    return systemError(board.path, "write");

  Message version = eventAt(0);
  version.text(3, "brain.Event:2");
  if (Result<void> written = board.writeEvent(version.bytes); !written)
    return written.error();
  Message start;
  start.number(1, 1); // SessionLog.START
  Message event = eventAt(step);
  event.text(7, start.bytes);
  if (Result<void> written = board.writeEvent(event.bytes); !written)
    return written.error();
  return board;
}

TensorBoard::TensorBoard(TensorBoard &&other) noexcept
    : path(std::move(other.path)), descriptor(std::exchange(other.descriptor, -1)) {}

TensorBoard::~TensorBoard() {
  if (descriptor >= 0)
    close(descriptor);
}

Result<void> TensorBoard::write(const Record &record) {
  Message summary;
  auto scalar = [&](const std::string &tag, std::optional<double> value) {
    if (!value)
      return;
    Message entry;
    entry.text(1, tag);
    entry.real32(2, static_cast<float>(*value));
    summary.text(1, entry.bytes);
  };
  scalar("train/loss", record.loss);
  scalar("train/lr", record.lr);
  scalar("train/grad_norm", record.gradNorm);
  scalar("eval/loss", record.evalLoss);
  if (record.evalLoss)
    scalar("eval/perplexity", std::exp(*record.evalLoss));
  scalar("speed/" + std::string(record.unit) + "_per_s", record.tokensPerSecond);
  scalar("speed/step_ms", record.stepMs);
  scalar("memory/peak_bytes", static_cast<double>(record.peakMemoryBytes));
  Message event = eventAt(record.step);
  event.text(5, summary.bytes);
  return writeEvent(event.bytes);
}

Result<void> TensorBoard::writeEvent(const std::string &event) {
  uint64_t length = event.size();
  std::string prefix(reinterpret_cast<const char *>(&length), sizeof(length));
  return appendWhole(descriptor, path, prefix + maskedChecksum(prefix) + event + maskedChecksum(event));
}
