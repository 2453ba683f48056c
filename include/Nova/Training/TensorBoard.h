//===- TensorBoard.h - Event files for TensorBoard --------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TRAINING_TENSORBOARD_H
#define NOVA_TRAINING_TENSORBOARD_H

#include "Nova/Training/Record.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nova {

/// Records as TensorBoard's scalars: a file of length-prefixed, checksummed protobuf messages. Each record is written
/// at once, so that the run can be followed.
class TensorBoard final : public RecordSink {
public:
  /// A new event file in the folder, which is made if it is not there. Scalars that earlier files of the folder have
  /// for `step` and later ones are dropped by TensorBoard: they are about to come again.
  static Result<TensorBoard> create(const std::string &folder, uint64_t step);

  TensorBoard(TensorBoard &&other) noexcept;
  TensorBoard &operator=(TensorBoard &&) = delete;
  ~TensorBoard() override;

  Result<void> write(const Record &record) override;

private:
  TensorBoard() = default;
  Result<void> writeEvent(const std::string &event);

  std::string path;
  int descriptor = -1;
};

/// CRC-32C (Castagnoli), by which the records of an event file are checked.
uint32_t crc32c(std::string_view bytes);

} // namespace nova

#endif // NOVA_TRAINING_TENSORBOARD_H
