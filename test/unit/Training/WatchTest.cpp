//===- WatchTest.cpp ------------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeExecutable.h"
#include "Nova/Training/FiniteCheck.h"
#include "Nova/Training/Plot.h"
#include "Nova/Training/Profile.h"
#include "Nova/Training/TensorBoard.h"
#include "Nova/Training/Trace.h"
#include "TempFolder.h"

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace nova;
using Clock = LaunchEvent::Clock;

/// Two kernels with one launch each.
static Bundle twoKernels() {
  Bundle bundle;
  for (const char *name : {"fast", "slow"}) {
    Kernel kernel;
    kernel.name = name;
    kernel.family = "matmul";
    kernel.location = "a.mlir:3:5";
    kernel.flops = 2e6;
    kernel.bytes = 1e3;
    kernel.operands = 1;
    kernel.argumentBytes = {4, 12};
    kernel.argumentTypes = {DType::F32, DType::F32};
    bundle.kernels.push_back(kernel);
  }
  Entry entry;
  entry.name = "train_step";
  entry.launches = {{0, {}}, {1, {}}};
  bundle.entries.push_back(entry);
  return bundle;
}

static LaunchEvent eventOf(size_t launch, Clock::time_point start, int milliseconds) {
  LaunchEvent event;
  event.launch = launch;
  event.span = {start, start + std::chrono::milliseconds(milliseconds)};
  event.workers = {event.span, {}};
  return event;
}

TEST(Profile, ListsKernelsByTimeWithTheirShareOfTheLimit) {
  Bundle bundle = twoKernels();
  Profile profile(bundle);
  auto now = Clock::now();
  for (int step = 0; step < 2; ++step) {
    ASSERT_TRUE(profile.launched(eventOf(0, now, 1)));
    ASSERT_TRUE(profile.launched(eventOf(1, now, 4)));
  }
  std::string table = profile.toTable({{4e9}, {{0, 1e9}}, 0}, 16, 2, 2);
  EXPECT_EQ(table,
            "limits: 4.0 GFLOP/s (f32), 1.0 GB/s (memory)\n"
            "kernel  family       launches  ms/step  share   us/launch   GFLOP/s     GB/s  of limit  where\n"
            "slow    matmul              1    4.000  50.0%     4000.00      0.50     0.00       12%  a.mlir:3:5\n"
            "fast    matmul              1    1.000  12.5%     1000.00      2.00     0.00       50%  a.mlir:3:5\n"
            "data    host                     1.000  12.5%\n"
            "other   host                     2.000  25.0%\n");
}

TEST(Profile, TheLimitsAreThoseOfAMachine) {
  auto limits = measureLimits(1);
  ASSERT_TRUE(limits);
  EXPECT_GT(limits->flopsPerSecond[0], 1e8);
  EXPECT_LT(limits->flopsPerSecond[0], 1e13);
  // Larger data comes from slower memory.
  ASSERT_FALSE(limits->memory.empty());
  for (size_t i = 1; i < limits->memory.size(); ++i) {
    EXPECT_GT(limits->memory[i].bytes, limits->memory[i - 1].bytes);
    EXPECT_LE(limits->memory[i].bytesPerSecond, limits->memory[i - 1].bytesPerSecond);
  }
  EXPECT_GT(limits->memory.back().bytesPerSecond, 1e8);
  EXPECT_LT(limits->memory.front().bytesPerSecond, 1e13);
}

TEST(Profile, TheLimitIsThatOfTheUnitAndOfTheMemory) {
  Limits limits = {{1e9, 2e9, 8e9, 0, 0}, {{0, 1e9}, {1e6, 1e8}}, 0};
  Kernel kernel;
  kernel.flops = 8e9;
  EXPECT_DOUBLE_EQ(limits.leastSeconds(kernel), 8);
  kernel.unit = Unit::Pairs;
  EXPECT_DOUBLE_EQ(limits.leastSeconds(kernel), 4);
  kernel.unit = Unit::Matrices;
  EXPECT_DOUBLE_EQ(limits.leastSeconds(kernel), 1);
  kernel.unit = Unit::TensorCores; // A device that does not say sets no limit.
  EXPECT_DOUBLE_EQ(limits.leastSeconds(kernel), 0);
  kernel.bytes = 5e5; // From a cache.
  EXPECT_DOUBLE_EQ(limits.leastSeconds(kernel), 5e-4);
  kernel.bytes = 2e6;
  EXPECT_DOUBLE_EQ(limits.leastSeconds(kernel), 2e-2);
  limits.cacheBytes = 1e6; // Half of it need not come from memory.
  EXPECT_DOUBLE_EQ(limits.leastSeconds(kernel), 1e-2);
}

TEST(Trace, HasATrackForTheHostTheKernelsAndEachThread) {
  TempFolder folder;
  Bundle bundle = twoKernels();
  {
    auto trace = Trace::create(folder.path("t.json"), bundle, 2);
    ASSERT_TRUE(trace);
    auto now = Clock::now();
    trace->hostSpan("step", now, now + std::chrono::milliseconds(9));
    ASSERT_TRUE(trace->launched(eventOf(1, now, 4)));
    ASSERT_TRUE(trace->finish());
  }
  auto events = nlohmann::json::parse(folder.read("t.json"));
  std::map<int, std::string> tracks;
  std::map<std::string, std::vector<std::string>> spans;
  for (const auto &event : events) {
    if (event["ph"] == "M") {
      tracks[event["tid"]] = event["args"]["name"];
      continue;
    }
    EXPECT_EQ(event["ph"], "X");
    spans[tracks.at(event["tid"])].push_back(event["name"]);
    EXPECT_NEAR(event["dur"].get<double>(), event["name"] == "step" ? 9000 : 4000, 1);
    EXPECT_GE(event["ts"], 0);
  }
  EXPECT_EQ(tracks.size(), 4u);
  // The second thread had no share.
  EXPECT_EQ(spans, (std::map<std::string, std::vector<std::string>>{
                       {"host", {"step"}}, {"kernels", {"slow"}}, {"thread 0", {"slow"}}}));
}

TEST(Trace, AFullDiskIsAnError) {
  Bundle bundle = twoKernels();
  auto trace = Trace::create("/dev/full", bundle, 1);
  ASSERT_TRUE(trace);
  auto finished = trace->finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().message, "/dev/full: cannot write: No space left on device");
}

TEST(FiniteCheck, FindsEveryKindOfNotFinite) {
  const std::vector<float> floats = {0, -1e38f, 1, -INFINITY, NAN};
  EXPECT_EQ(findNotFinite(DType::F32, floats.data(), 3), std::nullopt);
  EXPECT_EQ(findNotFinite(DType::F32, floats.data(), 5), 3u);
  EXPECT_EQ(findNotFinite(DType::F32, floats.data() + 4, 1), 0u);
  const std::vector<double> doubles = {1e300, NAN};
  EXPECT_EQ(findNotFinite(DType::F64, doubles.data(), 2), 1u);
  const std::vector<uint16_t> halves = {0x7bff, 0x7f7f, 0xfc00};
  EXPECT_EQ(findNotFinite(DType::F16, halves.data(), 1), std::nullopt);
  EXPECT_EQ(findNotFinite(DType::F16, halves.data(), 2), 1u);
  EXPECT_EQ(findNotFinite(DType::BF16, halves.data(), 3), std::nullopt);
  const uint16_t infinity = 0x7f80;
  EXPECT_EQ(findNotFinite(DType::BF16, &infinity, 1), 0u);
  const int32_t integer = 0x7f800000;
  EXPECT_EQ(findNotFinite(DType::I32, &integer, 1), std::nullopt);
}

namespace {
/// Arguments of launches: operands are infinite, results as given.
class FakeResults final : public Executable {
public:
  explicit FakeResults(Bundle bundle) : bundle(std::move(bundle)) {}
  const Bundle &tables() const override { return bundle; }
  DeviceInfo device() const override { return {"fake", "none", 1}; }
  Result<void> writeState(size_t, const void *) override { return {}; }
  Result<void> readState(size_t, void *) override { return {}; }
  Result<void> run(size_t, const std::vector<const void *> &, const std::vector<void *> &) override { return {}; }
  Result<void> readArgument(size_t, size_t, size_t argument, void *data) override {
    EXPECT_EQ(argument, 1u) << "operands are not looked at";
    std::memcpy(data, result, sizeof(result));
    return {};
  }

  Bundle bundle;
  float result[3] = {1, 2, 3};
};
} // namespace

TEST(FiniteCheck, NamesTheKernelAndItsPlace) {
  FakeResults executable(twoKernels());
  FiniteCheck check(executable);
  EXPECT_TRUE(check.launched(eventOf(1, {}, 1)));
  executable.result[2] = NAN;
  auto found = check.launched(eventOf(1, {}, 1));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::Numerics);
  EXPECT_EQ(found.error().message.find("a.mlir:3:5: kernel 'slow' (matmul), launch 1 of @train_step: expected finite "
                                       "numbers, found NaN or infinity in result 0 at position 2"),
            0u)
      << found.error().message;
}

TEST(TensorBoard, ChecksumsAreThoseOfTheStandard) {
  // RFC 3720, B.4.
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
}

TEST(TensorBoard, WritesFramedEvents) {
  TempFolder folder;
  {
    auto board = TensorBoard::create(folder.path("runs/a"), 3);
    ASSERT_TRUE(board) << board.error().message;
    Record record;
    record.step = 300;
    record.loss = 2.5;
    ASSERT_TRUE(board->write(record));
  }
  std::string name = std::filesystem::directory_iterator(folder.path("runs/a"))->path().filename().string();
  EXPECT_EQ(name.find("events.out.tfevents."), 0u);
  std::string bytes = folder.read("runs/a/" + name);
  int events = 0;
  std::string last;
  for (size_t at = 0; at < bytes.size(); ++events) {
    uint64_t length;
    std::memcpy(&length, bytes.data() + at, sizeof(length));
    ASSERT_LE(at + length + 16, bytes.size());
    last = bytes.substr(at + 12, length);
    at += length + 16;
  }
  EXPECT_EQ(events, 3); // Version, start of the session, record.
  EXPECT_EQ(last[9], 0x10);
  EXPECT_EQ(last.substr(10, 2), "\xac\x02"); // Step 300 as varint.
  EXPECT_NE(last.find("train/loss"), std::string::npos);
  EXPECT_EQ(last.find("eval/loss"), std::string::npos);
  folder.write("file", "");
  EXPECT_FALSE(TensorBoard::create(folder.path("file"), 0));
}

TEST(Plot, CurvesTakeConstantMemory) {
  Curve curve;
  for (int i = 0; i < 100'000; ++i)
    curve.add(i, i % 2 ? 1 : -1);
  curve.add(100'000, NAN);
  EXPECT_LE(curve.points().size(), 1024u);
  EXPECT_GT(curve.points().size(), 256u);
  uint64_t count = 0;
  for (const Curve::Point &point : curve.points()) {
    EXPECT_EQ(point.low, -1);
    EXPECT_EQ(point.high, 1);
    EXPECT_NEAR(point.mean(), 0, 1e-12);
    count += point.count;
  }
  EXPECT_EQ(count, 100'000u);
}

TEST(Plot, DrawsThreePanels) {
  Plot plot;
  for (uint64_t step = 0; step < 50; ++step) {
    Record record;
    record.step = step;
    record.loss = 5.0 / static_cast<double>(step + 1);
    record.lr = 1e-3;
    record.tokensPerSecond = 1000;
    if (step % 10 == 9)
      record.evalLoss = record.loss + 0.1;
    ASSERT_TRUE(plot.write(record));
  }
  std::string svg = plot.toSvg("a<b>&c.mlir");
  for (const char *part :
       {"<svg ", "a&lt;b&gt;&amp;c.mlir", ">loss<", ">evaluation loss<", ">learning rate<", ">tokens/s<", "</svg>\n"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  // A single step, and none, are pictures too; and not all data are tokens.
  Plot one;
  Record rows;
  rows.step = 50;
  rows.unit = "rows";
  ASSERT_TRUE(plot.write(rows));
  EXPECT_NE(plot.toSvg("rows").find(">rows/s<"), std::string::npos);
  ASSERT_TRUE(one.write(Record()));
  for (const std::string &text : {one.toSvg("one"), Plot().toSvg("none")}) {
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
    EXPECT_EQ(text.find("inf"), std::string::npos) << text;
  }
}
