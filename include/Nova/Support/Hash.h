//===- Hash.h - A 64-bit hash for checksums and cache keys ------*- C++ -*-===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NOVA_SUPPORT_HASH_H
#define NOVA_SUPPORT_HASH_H

#include <cstdint>
#include <string>
#include <string_view>

namespace nova {

/// XXH64, as specified in https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md. It finds damage, not
/// forgery: whoever can write a file can also write its checksum.
uint64_t hash64(std::string_view bytes, uint64_t seed = 0);

/// The same hash of bytes that come in pieces.
class Hash64 {
public:
  explicit Hash64(uint64_t seed = 0);

  void update(std::string_view bytes);
  /// The hash of all pieces so far.
  uint64_t digest() const;

private:
  void mixStripe(const char *stripe);

  uint64_t seed;
  uint64_t lanes[4];
  uint64_t length = 0;
  char rest[32]; ///< the last length % 32 bytes, not mixed yet
};

/// 16 lower-case hexadecimal digits.
std::string toHex(uint64_t value);

} // namespace nova

#endif // NOVA_SUPPORT_HASH_H
