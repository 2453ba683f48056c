//===- Damage.h - Every truncation and many changes of a file ---*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_TEST_UNIT_DAMAGE_H
#define NOVA_TEST_UNIT_DAMAGE_H

#include <string>

/// Calls `test` with every prefix of `good`, with every single bit of its first `bytes` bytes flipped, and with
/// numbers and brackets put over each of them: what a reader of files must survive.
template <typename TestFn> void forEachDamage(const std::string &good, size_t bytes, TestFn test) {
  for (size_t size = 0; size < good.size(); ++size)
    test(good.substr(0, size));
  for (size_t at = 0; at < bytes && at < good.size(); ++at) {
    std::string bad = good;
    for (int bit = 0; bit < 8; ++bit) {
      bad[at] = static_cast<char>(good[at] ^ 1 << bit);
      test(bad);
    }
    for (char other : {'9', '-', '[', '{', '"', '\0', '\xff'}) {
      bad[at] = other;
      test(bad);
    }
  }
}

#endif // NOVA_TEST_UNIT_DAMAGE_H
