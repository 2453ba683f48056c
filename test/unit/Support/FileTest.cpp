//===- FileTest.cpp -------------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Support/File.h"
#include "TempFolder.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace nova;

TEST(File, WritesWhatIsReadBack) {
  TempFolder folder;
  ASSERT_TRUE(writeFile(folder.path("a"), "hello"));
  auto file = MappedFile::open(folder.path("a"));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes(), "hello");
}

TEST(File, AnEmptyFileIsNoError) {
  TempFolder folder;
  auto file = MappedFile::open(folder.write("a", ""));
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->bytes().empty());
}

TEST(File, WithoutCommitTheOldContentStays) {
  TempFolder folder;
  folder.write("a", "old");
  {
    auto file = AtomicFile::create(folder.path("a"));
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("new"));
  }
  EXPECT_EQ(folder.read("a"), "old");
  EXPECT_EQ(folder.names().size(), 1u);
}

TEST(File, FollowsSymbolicLinks) {
  TempFolder folder;
  folder.write("target", "old");
  ASSERT_EQ(symlink("target", folder.path("link").c_str()), 0);
  ASSERT_TRUE(writeFile(folder.path("link"), "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_EQ(folder.read("target"), "new");
}

// A limit on the size of files stands in for a full disk.
TEST(File, AFullDiskLeavesNoPartialFile) {
  TempFolder folder;
  signal(SIGXFSZ, SIG_IGN);
  rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit small = {1000, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  auto written = writeFile(folder.path("a"), std::string(2000, 'x'));
  setrlimit(RLIMIT_FSIZE, &old);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, folder.path("a") + ": cannot write: File too large");
  EXPECT_TRUE(folder.names().empty());
}

TEST(File, DevicesAreWrittenDirectlyAndStayDevices) {
  EXPECT_TRUE(writeFile("/dev/null", "x"));
  EXPECT_TRUE(checkWritable("/dev/null"));
  struct stat info;
  ASSERT_EQ(stat("/dev/null", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
  auto full = writeFile("/dev/full", "x");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().message, "/dev/full: cannot write: No space left on device");
}

TEST(File, WritableIsFoundOutWithoutATrace) {
  TempFolder folder;
  EXPECT_TRUE(checkWritable(folder.path("a")));
  EXPECT_TRUE(folder.names().empty());
  EXPECT_FALSE(checkWritable(folder.path("missing/a")));
  EXPECT_FALSE(checkWritable(folder.root));
  EXPECT_FALSE(writeFile(folder.root, "x"));
}

TEST(File, ReadingReportsWhatIsWrong) {
  TempFolder folder;
  auto missing = MappedFile::open(folder.path("a"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, folder.path("a") + ": cannot open: No such file or directory");
  auto directory = MappedFile::open(folder.root);
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().message, folder.root + ": expected a regular file, found a folder");
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(MappedFile::open(folder.path("pipe")));
}
