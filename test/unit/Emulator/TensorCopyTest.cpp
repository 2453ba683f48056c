//===- TensorCopyTest.cpp - Bulk copies of tensors ------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionTest.h"

#include "Nova/Emulator/TensorMap.h"

#include <cstring>

using namespace nova::emulator;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

namespace {
/// A tensor of 32-bit or 16-bit elements in the buffer of a test, and a box of it.
struct Tensor {
  const char *name;
  std::vector<uint32_t> dims, box, steps;
  std::vector<int32_t> at;
  TensorElement element = TensorElement::F32;
  TensorSwizzle swizzle = TensorSwizzle::None;
  bool fillsNan = false;

  uint32_t width() const { return bytesOf(element); }
  uint64_t stride(size_t dimension) const { // rows begin at multiples of 16
    uint64_t bytes = width();
    for (size_t i = 0; i < dimension; ++i)
      bytes = i == 0 ? (bytes * dims[0] + 15) / 16 * 16 : bytes * dims[i];
    return bytes;
  }
  TensorMap map(uint64_t address) const {
    TensorMap map;
    map.address = address;
    map.rankMinus1 = static_cast<uint32_t>(dims.size() - 1);
    map.element = element;
    map.swizzle = swizzle;
    map.fillsNan = fillsNan;
    for (size_t i = 0; i < dims.size(); ++i) {
      map.dims[i] = dims[i];
      map.box[i] = box[i];
      map.elementStrides[i] = steps.empty() ? 1 : steps[i];
      if (i)
        map.strides[i - 1] = stride(i);
    }
    return map;
  }
};
} // namespace

static const Tensor kTensors[] = {
    {"line", {100}, {32}, {}, {20}},
    {"line over both ends", {5}, {16}, {}, {-3}},
    {"plane", {64, 8}, {16, 4}, {}, {32, 2}},
    {"plane, 32", {64, 16}, {8, 16}, {}, {8, 0}, TensorElement::F32, TensorSwizzle::B32},
    {"plane, 64", {64, 16}, {16, 16}, {}, {8, 0}, TensorElement::S32, TensorSwizzle::B64},
    {"plane, 128", {64, 16}, {32, 16}, {}, {8, 0}, TensorElement::U32, TensorSwizzle::B128},
    {"halves", {128, 16}, {64, 16}, {}, {64, 4}, TensorElement::BF16, TensorSwizzle::B128},
    {"NaN", {20, 3}, {16, 6}, {}, {8, -2}, TensorElement::F32, TensorSwizzle::B64, true},
    {"NaN in halves", {20, 3}, {16, 6}, {}, {8, -2}, TensorElement::F16, TensorSwizzle::None, true},
    {"cube", {16, 5, 4}, {8, 3, 2}, {}, {4, 3, -1}},
    {"steps", {16, 12, 8}, {8, 6, 4}, {1, 2, 3}, {4, 1, 2}},
    {"four", {8, 3, 4, 3}, {4, 2, 2, 2}, {}, {2, 1, 1, 2}},
    {"five", {8, 3, 2, 4, 3}, {4, 2, 2, 2, 2}, {}, {4, 2, 0, -1, 2}},
    {"outside", {8, 4}, {8, 4}, {}, {8, 4}},
};

static constexpr uint32_t kTensorWords = 1024; ///< the map behind, and from word 2048 on the tile

static uint32_t elementOf(const std::vector<uint32_t> &words, uint64_t byte, uint32_t width) {
  uint32_t value = 0;
  std::memcpy(&value, reinterpret_cast<const uint8_t *>(words.data()) + byte, width);
  return value;
}

/// Calls `visit` with the index of each element of a box in its tensor, whether it is inside, and its byte in the tile.
template <typename VisitFn> static void forEachElement(const Tensor &tensor, VisitFn visit) {
  size_t rank = tensor.dims.size();
  std::vector<uint32_t> index(rank), extents(rank);
  uint32_t total = 1;
  for (size_t i = 0; i < rank; ++i) {
    uint32_t step = tensor.steps.empty() ? 1 : tensor.steps[i];
    extents[i] = (tensor.box[i] + step - 1) / step;
    total *= extents[i];
  }
  uint32_t swizzle = tensor.swizzle == TensorSwizzle::None ? 0 : 16u << static_cast<unsigned>(tensor.swizzle);
  uint32_t pitch = std::max(tensor.box[0] * tensor.width(), swizzle);
  for (uint32_t n = 0; n < total; ++n) {
    uint32_t rest = n;
    bool isInside = true;
    uint64_t global = 0;
    for (size_t i = 0; i < rank; ++i) {
      int64_t place = tensor.at[i] + int64_t(rest % extents[i]) * (tensor.steps.empty() ? 1 : tensor.steps[i]);
      rest /= extents[i];
      isInside &= place >= 0 && place < tensor.dims[i];
      global += static_cast<uint64_t>(place) * tensor.stride(i);
    }
    uint32_t row = n / extents[0], inRow = n % extents[0] * tensor.width(), piece = inRow / 16;
    uint32_t turn = swizzle == 128 ? row % 8 : swizzle == 64 ? row / 2 % 4 : swizzle == 32 ? row / 4 % 2 : 0;
    visit(global, isInside, row * pitch + (piece ^ turn) * 16 + inRow % 16);
  }
}

static uint32_t boxBytes(const Tensor &tensor) {
  uint32_t bytes = 0;
  forEachElement(tensor, [&](uint64_t, bool, uint32_t) { bytes += tensor.width(); });
  return bytes;
}

static std::string coordinatesOf(const Tensor &tensor) {
  std::string text;
  for (int32_t at : tensor.at)
    text += (text.empty() ? "" : ", ") + std::to_string(at);
  return "{" + text + "}";
}

static std::string note(const std::string &text) {
  noteTested(text);
  return text;
}

TEST(Instructions, OnTensorLoads) {
  for (const Tensor &tensor : kTensors)
    for (const char *tile : {"", ".tile"}) {
      std::string bytes = std::to_string(boxBytes(tensor)), rank = std::to_string(tensor.dims.size());
      std::string at = "[%d1, " + coordinatesOf(tensor) + "]";
      std::string text =
          kernelText("add.u64 %d1, %out, 4096; mov.u32 %r0, s; mov.u32 %r1, b; setp.eq.u32 %p0, %tid, 0;\n"
                     "@%p0 mbarrier.init.shared.b64 [%r1], 1; fence.mbarrier_init.release.cluster; bar.sync 0;\n"
                     "@!%p0 bra wait; mbarrier.arrive.expect_tx.shared.b64 _, [%r1], " +
                         bytes + ";\n" +
                         note("prefetch.tensormap [%d1];\ncp.async.bulk.prefetch.tensor." + rank + "d.L2.global" +
                              tile + " " + at +
                              ";\n"
                              "cp.async.bulk.tensor." +
                              rank + "d.shared::cluster.global" + tile + ".mbarrier::complete_tx::bytes [%r0], " + at +
                              ", [%r1];\n") +
                         "wait: mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0; @!%p1 bra wait;\n"
                         // The tile, word by word, but for what no copy wrote.
                         "mov.u32 %r2, %tid;\nnext: shl.b32 %r3, %r2, 2; add.u32 %r4, %r0, %r3; cvt.u64.u32 %d2, %r3; "
                         "add.u64 %d2, "
                         "%d2, %out;\nld.shared.b32 %r5, [%r4]; st.global.b32 [%d2+8192], %r5;\n"
                         "add.u32 %r2, %r2, 64; setp.lt.u32 %p2, %r2, 1024; @%p2 bra next;",
                     ".shared .align 1024 .b8 s[4096];\n.shared .align 8 .b64 b;");
      Options options;
      options.checks.uninitialised = false;
      std::vector<uint32_t> before;
      Ran ran = runPtx(text, {}, {64}, 3072, options, 0, [&](uint64_t address, std::vector<uint32_t> &words) {
        for (uint32_t i = 0; i < kTensorWords; ++i)
          words[i] = i * 2654435761u;
        TensorMap map = tensor.map(address);
        EXPECT_TRUE(map.check()) << map.check().error().message;
        std::memcpy(&words[kTensorWords], &map, sizeof(map));
        before = words;
      });
      ASSERT_TRUE(isClean(ran)) << tensor.name;
      forEachElement(tensor, [&](uint64_t global, bool isInside, uint32_t place) {
        uint32_t outside = tensor.fillsNan ? (tensor.width() == 2 ? 0x7fff : 0x7fffffff) : 0;
        uint32_t wanted = isInside ? elementOf(before, global, tensor.width()) : outside;
        EXPECT_EQ(elementOf(ran.out, 8192 + place, tensor.width()), wanted) << tensor.name << ", byte " << place;
      });
      EXPECT_EQ(ran.counters.bulkCopies, 1u);
      EXPECT_EQ(ran.counters.bulkBytes, boxBytes(tensor));
    }
}

TEST(Instructions, OnTensorStores) {
  for (const Tensor &tensor : kTensors)
    for (const char *tile : {"", ".tile"}) {
      std::string rank = std::to_string(tensor.dims.size());
      std::string text = kernelText(
          "add.u64 %d1, %out, 4096; mov.u32 %r0, s; setp.eq.u32 %p0, %tid, 0; mov.u32 %r2, %tid;\n"
          "next: shl.b32 %r3, %r2, 2; add.u32 %r4, %r0, %r3; mul.lo.u32 %r5, %r2, 40503; st.shared.b32 [%r4], %r5;\n"
          "add.u32 %r2, %r2, 64; setp.lt.u32 %p2, %r2, 1024; @%p2 bra next;\nfence.proxy.async; bar.sync 0;\n"
          "@!%p0 bra end;\n" +
              note("cp.async.bulk.tensor." + rank + "d.global.shared::cta" + tile + ".bulk_group [%d1, " +
                   coordinatesOf(tensor) + "], [%r0];\n") +
              "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; end:",
          ".shared .align 1024 .b8 s[4096];");
      std::vector<uint32_t> wanted;
      Ran ran = runPtx(text, {}, {64}, 3072, {}, 0, [&](uint64_t address, std::vector<uint32_t> &words) {
        for (uint32_t i = 0; i < kTensorWords; ++i)
          words[i] = i;
        TensorMap map = tensor.map(address);
        std::memcpy(&words[kTensorWords], &map, sizeof(map));
        wanted = words;
      });
      ASSERT_TRUE(isClean(ran)) << tensor.name;
      std::vector<uint32_t> tile32(1024);
      for (uint32_t i = 0; i < 1024; ++i)
        tile32[i] = i * 40503;
      forEachElement(tensor, [&](uint64_t global, bool isInside, uint32_t place) {
        uint32_t value = elementOf(tile32, place, tensor.width());
        if (isInside)
          std::memcpy(reinterpret_cast<uint8_t *>(wanted.data()) + global, &value, tensor.width());
      });
      EXPECT_EQ(ran.out, wanted) << tensor.name;
    }
}

/// A map that the kernel itself makes of zeros, in shared memory, and copies to global memory.
TEST(Instructions, OnTensorMapsOfKernels) {
  for (const char *space : {".shared::cta", ".shared", "", ".global"})
    for (const char *order : {".gpu", ".cta", ".cluster", ".sys"}) {
      bool isGlobal = space == std::string(".global");
      std::string field = "tensormap.replace.tile.", of = std::string(space) + ".b1024.", at = "[%d3], ";
      std::string replace;
      for (const char *part : {"rank", "elemtype", "interleave_layout", "swizzle_mode", "fill_mode"})
        replace += field + part + of + "b32 " + at +
                   (part == std::string("rank") ? "1"
                    : part[0] == 'e'            ? "3"
                                                : "0") +
                   ";\n";
      replace += field + "global_address" + of + "b64 " + at + "%out;\n" + field + "global_stride" + of + "b64 " + at +
                 "0, %d4;\n";
      for (const char *dimension : {"0", "1"})
        for (const char *part : {"box_dim", "global_dim", "element_stride"})
          replace += field + part + of + "b32 " + at + dimension + ", " +
                     (part[0] == 'e'   ? "1"
                      : part[0] == 'b' ? "4"
                                       : "16") +
                     ";\n";
      std::string copy = note("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release" +
                              std::string(order) + ".sync.aligned [%d1], [%d2], 0x80;\n");
      std::string fences = note("fence.proxy.tensormap::generic.release" + std::string(order) +
                                ";\nfence.proxy.tensormap::generic.acquire" + order + " [%d1], 0x80;\n");
      std::string text = kernelText(
          "add.u64 %d1, %out, 4096; mov.u64 %d2, m; mov.u64 %d4, 64; mov.u32 %r0, s; mov.u32 %r1, b;\n"
          "setp.eq.u32 %p0, %tid, 0; shl.b32 %r2, %tid, 2; mov.u32 %r3, m; add.u32 %r3, %r3, %r2; st.shared.b32 [%r3], "
          "0;\n"
          "cvt.u64.u32 %d5, %r2; add.u64 %d5, %d5, %d1; st.global.b32 [%d5], 0; bar.warp.sync 0xffffffff;\n" +
              std::string(isGlobal ? "mov.u64 %d3, %d1;\n"
                          : *space ? "mov.u64 %d3, %d2;\n"
                                   : "cvta.shared.u64 %d3, %d2;\n") +
              "@!%p0 bra made;\n" + note(replace) + "made: bar.warp.sync 0xffffffff;\n" + (isGlobal ? "" : copy) +
              fences +
              "@!%p0 bra end; mbarrier.init.shared.b64 [%r1], 1; mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 64;\n"
              "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r0], [%d1, {4, 2}], [%r1];\n"
              "wait: mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0; @!%p1 bra wait;\n"
              "ld.shared.b32 %r5, [%r0+36]; st.global.b32 [%out+8192], %r5; end:",
          ".shared .align 128 .b8 m[128];\n.shared .align 128 .b8 s[64];\n.shared .align 8 .b64 b;");
      Ran ran = runPtx(text, {}, {32}, 3072, {}, 0, [](uint64_t, std::vector<uint32_t> &words) {
        for (uint32_t i = 0; i < kTensorWords; ++i)
          words[i] = 1000 + i;
      });
      ASSERT_TRUE(isClean(ran)) << space << order;
      EXPECT_EQ(ran.out[2048], 1000u + 16 * (2 + 2) + 4 + 1); // the tile's word (1, 2) is the tensor's (5, 4)
    }
}
