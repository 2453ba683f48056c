//===- Findings.h - Collecting what checks find -----------------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_LIB_EMULATOR_FINDINGS_H
#define NOVA_LIB_EMULATOR_FINDINGS_H

#include "Nova/Emulator/Launch.h"

#include <mutex>

namespace nova::emulator {

/// Findings of all blocks of a launch. Of those that one instruction causes, the one of the first block and thread is
/// kept, so that reports are the same however blocks were spread over threads.
class Findings {
public:
  /// Whether `add` would keep it; to be asked before a message is made.
  bool isNew(Finding::Kind kind, uint32_t line, uint64_t block, uint32_t thread);
  void add(Finding finding);
  std::vector<Finding> take();

private:
  std::mutex mutex;
  std::map<std::pair<Finding::Kind, uint32_t>, Finding> byLine;
};

} // namespace nova::emulator

#endif // NOVA_LIB_EMULATOR_FINDINGS_H
