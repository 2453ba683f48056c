//===- WgmmaTest.cpp - Products of warpgroups -----------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every type and shape on small integers, whose sums are exact, against sums made here. Where an element lies in shared
// memory follows the PTX ISA's figures of core matrices and of the three swizzles, whose pieces of 16 bytes change
// places within eight rows.
//
//===----------------------------------------------------------------------===//

#include "InstructionTest.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace nova::emulator;

namespace {

struct Types {
  const char *d, *a, *b;
  unsigned k;
};
constexpr Types kTypes[] = {
    {"f32", "f16", "f16", 16},   {"f16", "f16", "f16", 16},   {"f32", "bf16", "bf16", 16}, {"f32", "tf32", "tf32", 8},
    {"f32", "e4m3", "e4m3", 32}, {"f32", "e4m3", "e5m2", 32}, {"f32", "e5m2", "e4m3", 32}, {"f32", "e5m2", "e5m2", 32},
    {"f16", "e4m3", "e4m3", 32}, {"f16", "e4m3", "e5m2", 32}, {"f16", "e5m2", "e4m3", 32}, {"f16", "e5m2", "e5m2", 32},
    {"s32", "s8", "s8", 32},     {"s32", "s8", "u8", 32},     {"s32", "u8", "s8", 32},     {"s32", "u8", "u8", 32}};

struct Problem {
  Types types;
  unsigned n = 8;
  bool inRegisters = false, isScaled = true, saturates = false;
  bool negatesA = false, negatesB = false, transposesA = false, transposesB = false;
  unsigned swizzle = 0; ///< bytes
};

unsigned bytesOfType(const std::string &type) { return type == "tf32" ? 4 : type == "f16" || type == "bf16" ? 2 : 1; }

/// The bits of an integer from -3 to 3 in a floating type, or of any in an integer type.
uint32_t encode(int value, const std::string &type) {
  if (type == "s8" || type == "u8")
    return static_cast<uint8_t>(value);
  // Sign, exponent and mantissa of 1, 2 or 3 (1.5 times 2).
  unsigned exponentBits = type == "f16" || type == "e5m2" ? 5 : type == "e4m3" ? 4 : 8;
  unsigned mantissaBits = type == "f16" ? 10 : type == "bf16" ? 7 : type == "e4m3" ? 3 : type == "e5m2" ? 2 : 23;
  if (value == 0)
    return 0;
  unsigned size = static_cast<unsigned>(std::abs(value)), exponent = (1u << (exponentBits - 1)) - 1 + (size > 1);
  uint32_t bits = exponent << mantissaBits | (size == 3 ? 1u << (mantissaBits - 1) : 0);
  return bits | (value < 0 ? 1u << (exponentBits + mantissaBits) : 0);
}

/// Where the element of a row (of M or N) and a place along K lies in shared memory, from the start of the matrix.
unsigned placeOf(unsigned row, unsigned k, unsigned elementBytes, unsigned swizzle, bool transposes, unsigned leading,
                 unsigned stride) {
  if (!swizzle) { // core matrices of 8 rows of 16 bytes
    unsigned along = transposes ? row : k * elementBytes / 2, across = transposes ? k : row;
    along = transposes ? row * elementBytes : k * elementBytes;
    unsigned far = transposes ? stride : leading, near = transposes ? leading : stride;
    return across / 8 * near + across % 8 * 16 + along / 16 * far + along % 16;
  }
  unsigned along = (transposes ? row : k) * elementBytes, across = transposes ? k : row;
  unsigned block = along / swizzle * leading, piece = along % swizzle / 16;
  unsigned line = across % 8; // of the swizzle's bytes each; rows of 128 bytes hold one, two or four of them
  unsigned turn = swizzle == 128 ? line : swizzle == 64 ? line / 2 : line / 4;
  return block + across / 8 * stride + line * swizzle + (piece ^ turn) * 16 + along % 16;
}

class Runner {
public:
  explicit Runner(const Problem &problem) : p(problem) {
    elementA = bytesOfType(p.types.a);
    elementB = bytesOfType(p.types.b);
    for (auto &row : a)
      for (int &value : row)
        value = next(p.types.a);
    for (auto &row : b)
      for (int &value : row)
        value = next(p.types.b);
  }

  void run() {
    std::vector<uint8_t> image(kImageBytes);
    put(image, 0, 64, p.types.a, elementA, p.transposesA, a);
    put(image, kStartB, p.n, p.types.b, elementB, p.transposesB, b);
    unsigned count = p.types.d == std::string("f16") ? p.n / 4 : p.n / 2;
    Ran ran = runPtx(text(count), {}, {128}, kImageBytes / 4 + 128 * 4 + 128 * count, {}, 0,
                     [&](uint64_t, std::vector<uint32_t> &words) {
                       std::memcpy(words.data(), image.data(), image.size());
                       for (unsigned thread = 0; thread < 128; ++thread)
                         for (unsigned r = 0; r < 4; ++r)
                           words[kImageBytes / 4 + thread * 4 + r] = fragment(thread, r);
                     });
    ASSERT_EQ(ran.error, "") << form();
    for (const Finding &finding : ran.findings)
      ADD_FAILURE() << form() << ": " << finding.message;
    for (unsigned thread = 0; thread < 128; ++thread)
      for (unsigned r = 0; r < count; ++r)
        ASSERT_EQ(ran.out[kImageBytes / 4 + 128 * 4 + thread * count + r], expected(thread, r))
            << form() << ", thread " << thread << ", register " << r;
    EXPECT_EQ(ran.counters.matrixInstructions, 4u);
    EXPECT_EQ(ran.counters.matrixMultiplyAdds, 64u * p.n * p.types.k);
  }

private:
  static constexpr unsigned kStartB = 8192, kImageBytes = 40960;

  int next(const std::string &type) {
    state = state * 1664525 + 1013904223;
    int value = static_cast<int>(state >> 20) % 7 - 3;
    return type == "u8" ? std::abs(value) + 200 : value;
  }

  // The strides of the layouts: matrices as one lays them out, a block of the swizzle's bytes after the other.
  unsigned leading(unsigned rows, unsigned elementBytes, bool transposes) const {
    if (!p.swizzle)
      return transposes ? rows * 2 * 8 : rows / 8 * 128; // from one 16 bytes along K, or 8 places of K, to the next
    return transposes ? p.types.k * p.swizzle : 16;
  }
  unsigned stride(bool transposes) const { return !p.swizzle ? 128 : 8 * p.swizzle; }
  void put(std::vector<uint8_t> &image, unsigned start, unsigned rows, const char *type, unsigned elementBytes,
           bool transposes, const int (*values)[32]) const {
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned k = 0; k < p.types.k; ++k) {
        uint32_t bits = encode(values[row][k], type);
        unsigned place = placeOf(row, k, elementBytes, p.swizzle, transposes, leading(rows, elementBytes, transposes),
                                 stride(transposes));
        std::memcpy(&image[start + place], &bits, elementBytes);
      }
  }
  uint64_t descriptor(unsigned start, unsigned rows, unsigned elementBytes, bool transposes) const {
    uint64_t mode = p.swizzle == 128 ? 1 : p.swizzle == 64 ? 2 : p.swizzle == 32 ? 3 : 0;
    return start >> 4 | uint64_t(leading(rows, elementBytes, transposes) >> 4) << 16 |
           uint64_t(stride(transposes) >> 4) << 32 | mode << 62;
  }
  uint32_t fragment(unsigned thread, unsigned r) const {
    unsigned perRegister = 4 / elementA, g = thread % 32 / 4, t = thread % 4;
    uint32_t bits = 0;
    for (unsigned i = 0; i < perRegister; ++i)
      bits |= encode(a[thread / 32 * 16 + g + 8 * (r % 2)][perRegister * t + 4 * perRegister * (r / 2) + i], p.types.a)
              << (8 * elementA * i);
    return bits;
  }

  /// Rounds of 2048 bytes that hold both matrices.
  unsigned copies() const {
    unsigned width = p.swizzle ? p.swizzle : 32, alongB = p.transposesB ? p.n * elementB : p.types.k * elementB;
    unsigned across = p.transposesB ? p.types.k : p.n;
    return (kStartB + (alongB + width - 1) / width * width * across + 2047) / 2048;
  }

  static int initial(unsigned row, unsigned column) { return static_cast<int>((row * 7 + column * 3) % 11) - 5; }
  static constexpr int kFar = 2147483000; ///< where saturation and wrapping differ

  int64_t element(unsigned row, unsigned column) const {
    int64_t sum = p.isScaled ? initial(row, column) + (isInteger() ? kFar : 0) : 0;
    for (unsigned k = 0; k < p.types.k; ++k)
      sum += int64_t(p.negatesA ? -a[row][k] : a[row][k]) * (p.negatesB ? -b[column][k] : b[column][k]);
    return sum;
  }
  bool isInteger() const { return p.types.d == std::string("s32"); }
  static uint32_t halfBits(int64_t value) { // integers below 2048 are exact
    if (value == 0)
      return 0;
    uint64_t size = static_cast<uint64_t>(std::llabs(value));
    unsigned exponent = 63 - static_cast<unsigned>(__builtin_clzll(size));
    uint32_t mantissa = static_cast<uint32_t>(size << 10 >> exponent) & 0x3ff;
    return (value < 0 ? 0x8000 : 0) | (exponent + 15) << 10 | mantissa;
  }
  uint32_t expected(unsigned thread, unsigned r) const {
    bool isHalf = p.types.d == std::string("f16");
    unsigned full = isHalf ? 2 * r : r, g = thread % 32 / 4, t = thread % 4;
    unsigned row = thread / 32 * 16 + g + 8 * (full / 2 % 2), column = 8 * (full / 4) + 2 * t + full % 2;
    int64_t value = element(row, column);
    if (isHalf)
      return halfBits(value) | halfBits(element(row, column + 1)) << 16;
    if (isInteger())
      return static_cast<uint32_t>(p.saturates ? std::min<int64_t>(std::max<int64_t>(value, INT32_MIN), INT32_MAX)
                                               : value);
    return static_cast<uint32_t>(bits(static_cast<float>(value)));
  }

  std::string form() const {
    return "wgmma.mma_async.sync.aligned.m64n" + std::to_string(p.n) + "k" + std::to_string(p.types.k) + "." +
           p.types.d + "." + p.types.a + "." + p.types.b + (p.saturates ? ".satfinite" : "");
  }

  std::string text(unsigned count) const {
    std::string registers, load, store;
    bool isHalf = p.types.d == std::string("f16");
    for (unsigned r = 0; r < count; ++r) {
      registers += (r ? ", x" : "x") + std::to_string(r);
      store += "st.global.b32 [%d4+" + std::to_string(4 * r) + "], x" + std::to_string(r) + ";\n";
      // The initial value from its row and column.
      for (unsigned i = 0; i < (isHalf ? 2u : 1u); ++i) {
        unsigned full = isHalf ? 2 * r + i : r;
        load += "add.u32 %r5, %r4, " + std::to_string(8 * (full / 2 % 2)) +
                "; mul.lo.u32 %r5, %r5, 7; add.u32 %r6, %r3, " + std::to_string(8 * (full / 4) + full % 2) +
                ";\nmad.lo.u32 %r5, %r6, 3, %r5; rem.u32 %r5, %r5, 11; sub.s32 %r5, %r5, 5;\n";
        if (isHalf)
          load += "cvt.rn.f16.s32 %h" + std::to_string(i) + ", %r5;\n";
      }
      std::string x = "x" + std::to_string(r);
      load += isHalf        ? "mov.b32 " + x + ", {%h0, %h1};\n"
              : isInteger() ? "add.s32 " + x + ", %r5, " + std::to_string(kFar) + ";\n"
                            : "cvt.rn.f32.s32 " + x + ", %r5;\n";
    }
    std::string left = p.inRegisters ? "{%r10, %r11, %r12, %r13}" : "%d5";
    std::string operands = "{" + registers + "}, " + left + ", %d6, p1";
    if (!isInteger())
      operands += std::string(p.negatesA ? ", -1" : ", 1") + (p.negatesB ? ", -1" : ", 1");
    if (p.types.k == 16)
      operands += (p.inRegisters ? "" : p.transposesA ? ", 1" : ", 0") + std::string(p.transposesB ? ", 1" : ", 0");
    std::string multiply = form() + " " + operands + ";\n", shape;
    for (unsigned r = 0; r < count; ++r)
      shape += r ? ", r1" : "r1";
    noteTested(form() + " {" + shape + "}, " + (p.inRegisters ? "{r1, r1, r1, r1}" : "d1") + ", d1, p1" +
               operands.substr(operands.find("p1") + 2) +
               "; wgmma.fence.sync.aligned; wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
    return kernelText(
        std::string(isInteger() || isHalf ? ".reg .b32 x<" : ".reg .f32 x<") + std::to_string(count) +
            ">;\n"
            // The matrices to shared memory, 16 bytes a thread.
            "shl.b32 %r0, %tid, 4; mov.u32 %r1, s; add.u32 %r1, %r1, %r0; cvt.u64.u32 %d0, %r0; add.u64 %d1, %out, "
            "%d0;\n"
            "mov.u32 %r2, 0;\ncopy: ld.global.v4.b32 {%r5, %r6, %r7, %r8}, [%d1]; st.shared.v4.b32 [%r1], {%r5, %r6, "
            "%r7, %r8};\nadd.u32 %r1, %r1, 2048; add.u64 %d1, %d1, 2048; add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, " +
            std::to_string(copies()) +
            ";\n"
            "@%p0 bra copy;\nfence.proxy.async; bar.sync 0;\n"
            // This lane's row and column of accumulators, its fragment, its results.
            "and.b32 %r3, %tid, 3; shl.b32 %r3, %r3, 1; shr.u32 %r4, %tid, 5; shl.b32 %r4, %r4, 4; shr.u32 %r5, %tid, "
            "2;\nand.b32 %r5, %r5, 7; add.u32 %r4, %r4, %r5;\n" +
            load + "add.u64 %d2, %d0, %out; add.u64 %d2, %d2, " + std::to_string(kImageBytes) +
            "; ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%d2];\n"
            "mul.wide.u32 %d3, %tid, " +
            std::to_string(4 * count) + "; add.u64 %d4, %d3, %out; add.u64 %d4, %d4, " +
            std::to_string(kImageBytes + 2048) + ";\nmov.u64 %d5, " +
            std::to_string(descriptor(0, 64, elementA, p.transposesA)) + "; mov.u64 %d6, " +
            std::to_string(descriptor(kStartB, p.n, elementB, p.transposesB)) + ";\nsetp.eq.u32 p1, 1, " +
            (p.isScaled ? "1" : "0") + ";\nwgmma.fence.sync.aligned;\n" + multiply +
            "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" + store,
        ".shared .align 1024 .b8 s[40960];");
  }

  Problem p;
  unsigned elementA, elementB;
  uint32_t state = 12345;
  int a[64][32], b[256][32];
};

void runProblem(const Problem &problem) { Runner(problem).run(); }

} // namespace

// Every shape where CTest asks whether every instruction has a test, elsewhere some.
TEST(WgmmaInstructions, EveryTypeAndShape) {
  bool isEvery = std::getenv("NOVA_EVERY_INSTRUCTION");
  for (const Types &types : kTypes)
    for (unsigned n = 8; n <= 256; n += 8) {
      bool isInteger = types.d == std::string("s32");
      if ((isInteger && n > 24 && n % 16) || (!isEvery && n > 16 && n % 80 && n != 256))
        continue;
      Problem problem;
      problem.types = types;
      problem.n = n;
      // Every layout in turn, and A from registers or from shared memory.
      problem.swizzle = n / 8 % 4 == 0 ? 0 : 16u << (n / 8 % 4);
      problem.inRegisters = n / 32 % 2;
      runProblem(problem);
      if (isInteger) {
        problem.saturates = true;
        runProblem(problem);
      }
    }
}

TEST(WgmmaInstructions, LayoutsSignsAndTranspositions) {
  for (const Types &types : {kTypes[0], kTypes[1], kTypes[2]})
    for (unsigned swizzle : {0u, 32u, 64u, 128u})
      for (unsigned n : {64u, 192u})
        for (unsigned bits = 0; bits < 8; ++bits) {
          Problem problem;
          problem.types = types;
          problem.n = n;
          problem.swizzle = swizzle;
          problem.inRegisters = bits & 4;
          problem.transposesA = (bits & 1) && !problem.inRegisters;
          problem.transposesB = bits & 2;
          problem.negatesA = bits & 1;
          problem.negatesB = !(bits & 2);
          problem.isScaled = bits != 3;
          runProblem(problem);
        }
  for (const Types &types : kTypes)
    for (bool inRegisters : {false, true}) {
      Problem problem;
      problem.types = types;
      problem.n = 16;
      problem.inRegisters = inRegisters;
      problem.isScaled = false;
      runProblem(problem);
    }
}

//===----------------------------------------------------------------------===//
// Misuse
//===----------------------------------------------------------------------===//

/// A block of four warps around products of zeros; `%p8` is the first warp's.
static std::string products(const std::string &body) {
  return kernelText(".reg .f32 x<8>;\nshl.b32 %r0, %tid, 4; mov.u32 %r1, s; add.u32 %r1, %r1, %r0;\n"
                    "mov.u32 %r2, 0; setp.lt.u32 %p8, %tid, 32; setp.eq.u32 %p7, %tid, 0; setp.eq.u32 p1, 0, 0;\n"
                    "mov.u64 %d0, " +
                        std::to_string(uint64_t(8) << 16 | uint64_t(16) << 32) +
                        ";\nmov.f32 x0, 0f00000000; mov.f32 x1, x0; mov.f32 x2, x0; mov.f32 x3, x0;\n"
                        "mov.f32 x4, x0; mov.f32 x5, x0; mov.f32 x6, x0; mov.f32 x7, x0; mov.u32 %r3, 0;\n" +
                        body,
                    ".shared .align 1024 .b8 s[8192];");
}
static const char kStore[] =
    "st.shared.v4.b32 [%r1], {%r2, %r2, %r2, %r2}; st.shared.v4.b32 [%r1+2048], {%r2, %r2, %r2, "
    "%r2};\n";
static const char kFence[] = "fence.proxy.async; bar.sync 0;\n";
static const char kEnter[] = "wgmma.fence.sync.aligned;\n";
static const char kMultiply[] =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {x0, x1, x2, x3}, %d0, %d0, p1, 1, "
    "1, 0, 0;\n";
static const char kCommit[] = "wgmma.commit_group.sync.aligned;\n";
static const char kWait[] = "wgmma.wait_group.sync.aligned 0;\n";
static const char kUse[] = "st.global.f32 [%out], x0;\n";

static Ran runProducts(const std::string &body, unsigned threads = 128) {
  return runPtx(products(body), {}, {threads}, 512);
}

template <typename... Parts> static std::string join(Parts... parts) {
  std::string text;
  for (const char *part : {parts...})
    text += part;
  return text;
}

TEST(Wgmma, WhatIsInOrderIsClean) {
  for (const std::string &body :
       {join(kStore, kFence, kEnter, kMultiply, kCommit, kWait, kUse),
        join(kStore, "bar.sync 0; fence.proxy.async;\n", kEnter, kMultiply, kMultiply, kCommit, kMultiply, kCommit,
             "wgmma.wait_group.sync.aligned 1;\n", kWait, kUse)}) {
    Ran ran = runProducts(body);
    EXPECT_EQ(ran.error, "");
    EXPECT_TRUE(ran.findings.empty()) << ran.findings.front().message;
  }
}

TEST(Wgmma, RegistersInFlight) {
  EXPECT_TRUE(found(runProducts(join(kStore, kFence, kEnter, kMultiply, kCommit, kUse, kWait)), Finding::Kind::Wgmma,
                    "reads register x0, which line"));
  EXPECT_TRUE(found(runProducts(join(kStore, kFence, kEnter, kMultiply, kCommit, "mov.f32 x1, 0f3F800000;\n", kWait)),
                    Finding::Kind::Wgmma, "writes register x1, which line"));
  EXPECT_TRUE(found(runProducts(join(kStore, kFence, kEnter, kMultiply, kCommit, kMultiply, kCommit,
                                     "wgmma.wait_group.sync.aligned 1;\n", kUse, kWait)),
                    Finding::Kind::Wgmma, "expected wgmma.wait_group for its group before"));
  const char *fromRegisters = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {x0, x1, x2, x3}, {%r2, %r2, %r3, "
                              "%r3}, %d0, p1, 1, 1, 0;\n";
  EXPECT_TRUE(found(runProducts(join(kStore, kFence, kEnter, fromRegisters, kCommit, "mov.u32 %r3, 1;\n", kWait)),
                    Finding::Kind::Wgmma, "writes register %r3"));
  EXPECT_TRUE(found(runProducts(join(kStore, kFence, kMultiply, kCommit, kWait)), Finding::Kind::Wgmma,
                    "no wgmma.fence between"));
  EXPECT_TRUE(found(runProducts(join(kStore, kFence, kEnter, kMultiply, kCommit, kWait, "mov.f32 x2, 0f00000000;\n",
                                     kMultiply, kCommit, kWait)),
                    Finding::Kind::Wgmma, "no wgmma.fence between"));
  EXPECT_TRUE(
      found(runProducts(join(kStore, kFence, kEnter, kMultiply,
                             "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {x0, x1, x2, x3, x4, x5, x6, "
                             "x7}, %d0, %d0, p1, 1, 1, 0, 0;\n",
                             kCommit, kWait)),
            Finding::Kind::Wgmma, "writes in another shape"));
}

TEST(Wgmma, SharedMemoryInFlight) {
  EXPECT_TRUE(found(runProducts(join(kStore, "bar.sync 0;\n", kEnter, kMultiply, kCommit, kWait)),
                    Finding::Kind::ProxyFence, "expected fence.proxy.async"));
  EXPECT_TRUE(found(runProducts(join(kStore, "fence.proxy.async;\n", kEnter, kMultiply, kCommit, kWait)),
                    Finding::Kind::SharedRace, "with no barrier between"));
  EXPECT_TRUE(found(runProducts(join(kStore, kFence, kEnter, kMultiply, kCommit, kStore, kWait)),
                    Finding::Kind::SharedRace, "reads with no wait for it between"));
  // The first warp has waited, and with it the other three have read; nothing orders their stores after a second one.
  Ran ran = runProducts(join(kStore, kFence, kEnter, kMultiply, kCommit, kWait, kStore));
  EXPECT_TRUE(ran.findings.empty()) << ran.findings.front().message;
  EXPECT_TRUE(found(runProducts(join("mov.u64 %d0, 0x3fff;\n", kEnter, kMultiply, kCommit, kWait)),
                    Finding::Kind::Bounds, "reads 16 bytes at address 0x3fff0"));
  EXPECT_TRUE(
      found(runProducts(join(kEnter, kMultiply, kCommit, kWait)), Finding::Kind::Uninitialised, "was never written"));
}

TEST(Wgmma, WarpsThatDoNotAgree) {
  EXPECT_TRUE(found(runProducts(join(kStore, kFence, kEnter, kMultiply, kCommit, kWait), 64), Finding::Kind::Wgmma,
                    "expected a warpgroup of four warps, found a block of 2"));
  EXPECT_TRUE(found(runProducts(join(kStore, kFence, kEnter, "@%p8 bra end;\n", kMultiply, kCommit, "end:\n")),
                    Finding::Kind::Wgmma, "exits without a product that other warps of its warpgroup execute"));
  EXPECT_TRUE(found(runProducts(join(kStore, kFence, kEnter, "@%p8 bra end;\n", kMultiply, kCommit, kWait, "end:\n")),
                    Finding::Kind::Deadlock, "waits for a product that not all four warps"));
  EXPECT_TRUE(found(runProducts(join(kStore, kFence, kEnter, "@%p8 bra other;\n", kMultiply,
                                     "bra.uni end;\nother:", kMultiply, "end:\n", kCommit, kWait)),
                    Finding::Kind::Wgmma, "to execute the same product, found another at line"));
  EXPECT_TRUE(
      found(runProducts(join(kStore, kFence, kEnter, "@%p8 mov.u64 %d0, 0x1000080010;\n", kMultiply, kCommit, kWait)),
            Finding::Kind::Wgmma, "expected the same descriptors"));
  EXPECT_TRUE(
      found(runProducts(join(kStore, kFence, kEnter, "@%p7 mov.u64 %d0, 0x1000080010;\n", kMultiply, kCommit, kWait)),
            Finding::Kind::Wgmma, "expected the same matrix descriptor in every lane"));
  EXPECT_TRUE(found(runProducts(join(kStore, kFence, kEnter, "setp.eq.u32 p1, %tid, 5;\n", kMultiply, kCommit, kWait)),
                    Finding::Kind::Wgmma, "expected the same scale of D in every lane"));
}
