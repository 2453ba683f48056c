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

/// 16 lower-case hexadecimal digits.
std::string toHex(uint64_t value);

} // namespace nova

#endif // NOVA_SUPPORT_HASH_H
