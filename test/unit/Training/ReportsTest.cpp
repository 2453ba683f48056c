//===- ReportsTest.cpp ----------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/LogFile.h"
#include "Nova/Training/Process.h"
#include "Nova/Training/Progress.h"
#include "TempFolder.h"

#include <cmath>
#include <csignal>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace nova;

static Record sampleRecord() {
  Record record;
  record.step = 3;
  record.loss = 2.5;
  record.lr = 0.001;
  record.gradNorm = 0.75;
  record.tokensPerSecond = 1000;
  record.stepMs = 32;
  record.peakMemoryBytes = 4096;
  return record;
}

TEST(LogFile, WritesCsv) {
  TempFolder folder;
  auto log = LogFile::create(folder.path("a.csv"));
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->write(sampleRecord()));
  Record record = sampleRecord();
  record.loss = NAN;
  record.gradNorm.reset();
  record.evalLoss = 1.5;
  ASSERT_TRUE(log->write(record));
  // Every record is there at once.
  EXPECT_EQ(folder.read("a.csv"), "step,loss,lr,grad_norm,tokens_per_s,step_ms,eval_loss,peak_memory_bytes\n"
                                  "3,2.5,0.001,0.75,1000.0,32.0,,4096\n"
                                  "3,,0.001,,1000.0,32.0,1.5,4096\n");
}

TEST(LogFile, WritesJsonLines) {
  TempFolder folder;
  auto log = LogFile::create(folder.path("a.jsonl"));
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->write(sampleRecord()));
  EXPECT_EQ(folder.read("a.jsonl"), R"({"step":3,"loss":2.5,"lr":0.001,"grad_norm":0.75,"tokens_per_s":1000.0,)"
                                    R"("step_ms":32.0,"eval_loss":null,"peak_memory_bytes":4096})"
                                    "\n");
}

TEST(LogFile, GoesOnWhereARunIsTakenUpAgain) {
  TempFolder folder;
  for (const char *name : {"a.csv", "a.jsonl"}) {
    std::string path = folder.path(name);
    auto write = [&](LogFile &log, uint64_t step, double loss) {
      Record record = sampleRecord();
      record.step = step;
      record.loss = loss;
      ASSERT_TRUE(log.write(record));
    };
    {
      auto log = LogFile::create(path);
      for (uint64_t step : {0, 1, 2, 3})
        write(*log, step, 1);
    }
    std::ofstream(path, std::ios::app) << "half a rec";
    {
      auto log = LogFile::resume(path, 2);
      ASSERT_TRUE(log);
      write(*log, 2, 5);
    }
    std::string text = folder.read(name);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), std::string(name) == "a.csv" ? 4 : 3);
    EXPECT_EQ(text.find("half"), std::string::npos);
    EXPECT_NE(text.find(std::string(name) == "a.csv" ? "\n2,5.0" : "\"step\":2,\"loss\":5.0"), std::string::npos)
        << text;
  }
  // Without an earlier log it is a new one.
  ASSERT_TRUE(LogFile::resume(folder.path("new.csv"), 7));
  EXPECT_EQ(folder.read("new.csv").substr(0, 5), "step,");
}

TEST(LogFile, OtherNamesAreUsageErrors) {
  auto log = LogFile::create("a.txt");
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().kind, ErrorKind::Usage);
  TempFolder folder;
  EXPECT_FALSE(LogFile::create(folder.path("missing/a.csv")));
}

TEST(LogFile, AFullDiskLeavesWholeLines) {
  TempFolder folder;
  auto log = LogFile::create(folder.path("a.csv"));
  ASSERT_TRUE(log);
  signal(SIGXFSZ, SIG_IGN);
  rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit small = {150, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  Result<void> written;
  for (int i = 0; i < 10 && written; ++i)
    written = log->write(sampleRecord());
  setrlimit(RLIMIT_FSIZE, &old);
  ASSERT_FALSE(written);
  std::string text = folder.read("a.csv");
  EXPECT_LE(text.size(), 150u);
  EXPECT_EQ(text.back(), '\n');
}

TEST(Progress, FormatsDurationsAndCounts) {
  EXPECT_EQ(formatDuration(7.4), "0:07");
  EXPECT_EQ(formatDuration(725), "12:05");
  EXPECT_EQ(formatDuration(10800), "3:00:00");
  EXPECT_EQ(formatCount(12), "12");
  EXPECT_EQ(formatCount(1234567.4), "1,234,567");
}

/// What a run of `steps` equal steps shows in a file.
static std::string shown(Progress::Options options, uint64_t steps) {
  char *text = nullptr;
  size_t size = 0;
  options.out = open_memstream(&text, &size);
  options.steps = steps;
  {
    Progress progress(options);
    for (uint64_t step = 0; step < steps; ++step) {
      Record record = sampleRecord();
      record.step = step;
      progress.show(record);
    }
  }
  std::fclose(options.out);
  std::string result(text, size);
  free(text);
  return result;
}

TEST(Progress, ElsewhereALineNowAndThen) {
  Progress::Options options;
  options.logEvery = 2;
  EXPECT_EQ(shown(options, 4), "step 1/4  loss 2.5000  lr 1.00e-03  norm 0.750  1,000 tokens/s  0:00 left\n"
                               "step 3/4  loss 2.5000  lr 1.00e-03  norm 0.750  1,000 tokens/s  0:00 left\n"
                               "step 4/4  loss 2.5000  lr 1.00e-03  norm 0.750  1,000 tokens/s  0:00 left\n");
  options.isQuiet = true;
  EXPECT_EQ(shown(options, 4), "");
}

TEST(Progress, NotAllDataAreTokens) {
  char *text = nullptr;
  size_t size = 0;
  Progress::Options options;
  options.out = open_memstream(&text, &size);
  options.logEvery = 1;
  Record record = sampleRecord();
  record.unit = "rows";
  Progress(options).show(record);
  std::fclose(options.out);
  EXPECT_NE(std::string(text, size).find(" 1,000 rows/s "), std::string::npos) << std::string(text, size);
  free(text);
}

TEST(Progress, OnATerminalOneLineThatFits) {
  int master, slave;
  winsize size = {24, 40, 0, 0};
  ASSERT_EQ(openpty(&master, &slave, nullptr, nullptr, &size), 0);
  FILE *out = fdopen(slave, "w");
  {
    Progress::Options options;
    options.out = out;
    options.steps = 2;
    Progress progress(options);
    progress.show(sampleRecord());
    progress.note("hello");
    Record last = sampleRecord();
    last.step = 1;
    progress.show(last);
  }
  std::fflush(out);
  // What matters least goes first.
  const std::string expected = "\rstep 4/2  loss 2.5000  0:00 left\x1b[K\r\x1b[Khello\r\n"
                               "\rstep 2/2  loss 2.5000  0:00 left\x1b[K\r\n";
  // A terminal hands on in pieces.
  std::string text;
  for (char piece[100]; text.size() < expected.size();) {
    ssize_t got = read(master, piece, sizeof(piece));
    ASSERT_GT(got, 0);
    text.append(piece, static_cast<size_t>(got));
  }
  EXPECT_EQ(text, expected);
  std::fclose(out);
  close(master);
}

TEST(Process, KnowsItsMemoryAndAge) {
  EXPECT_GT(peakMemoryBytes(), 1u << 20);
  EXPECT_LT(peakMemoryBytes(), uint64_t(1) << 40);
  double age = processAge();
  EXPECT_GE(age, -0.02); // The start is known to a clock tick.
  EXPECT_LT(age, 60);
}

TEST(Process, SignalsAreNotedOnce) {
  StopSignals signals;
  EXPECT_EQ(signals.received(), 0);
  raise(SIGTERM);
  EXPECT_EQ(signals.received(), SIGTERM);
  struct sigaction action;
  sigaction(SIGTERM, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_DFL); // The next one ends the process.
}
