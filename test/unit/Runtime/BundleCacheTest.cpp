//===- BundleCacheTest.cpp ------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Runtime/BundleCache.h"
#include "Damage.h"
#include "TempFolder.h"
#include "TestProgram/TestProgram.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace nova;

TEST(BundleCache, GivesBackWhatWasStored) {
  TempFolder folder;
  auto cache = BundleCache::open(folder.path("nova"));
  ASSERT_TRUE(cache);
  EXPECT_FALSE(cache->load("key"));
  std::string bytes = serialize(affineProgram());
  ASSERT_TRUE(cache->store("key", bytes));
  auto bundle = cache->load("key");
  ASSERT_TRUE(bundle);
  EXPECT_EQ(serialize(*bundle), bytes);
}

TEST(BundleCache, IgnoresDamagedEntries) {
  TempFolder folder;
  auto cache = BundleCache::open(folder.root);
  ASSERT_TRUE(cache);
  std::string bytes = serialize(affineProgram());
  for (const std::string &bad : {std::string(), bytes.substr(0, 100), bytes.substr(0, bytes.size() - 1)}) {
    folder.write("key.nova", bad);
    EXPECT_FALSE(cache->load("key"));
  }
  ASSERT_TRUE(cache->store("key", bytes));
  EXPECT_TRUE(cache->load("key"));
}

TEST(BundleCache, FollowsTheXdgSpecification) {
  setenv("XDG_CACHE_HOME", "/some/cache", 1);
  EXPECT_EQ(BundleCache::defaultFolder(), "/some/cache/nova");
  setenv("XDG_CACHE_HOME", "relative", 1);
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(BundleCache::defaultFolder(), "/home/me/.cache/nova");
  unsetenv("HOME");
  EXPECT_EQ(BundleCache::defaultFolder(), "");
}

TEST(BundleCache, TheKeyDependsOnEveryPart) {
  HostCpu cpu = {"model", {"avx2"}};
  std::string key = cacheKey("program", "request", "id", cpu);
  EXPECT_EQ(key.size(), 32u);
  EXPECT_EQ(key, cacheKey("program", "request", "id", cpu));
  EXPECT_NE(key, cacheKey("programr", "equest", "id", cpu));
  EXPECT_NE(key, cacheKey("program", "request", "id2", cpu));
  EXPECT_NE(key, cacheKey("program", "request", "id", {"model", {"avx2", "fma"}}));
  EXPECT_NE(key, cacheKey("program", "request", "id", {"model2", {"avx2"}}));
}

/// The least ELF file with one PT_NOTE segment.
static std::string elfWithNote(const std::string &note) {
  std::string file(64 + 56, '\0');
  auto put = [&](size_t at, uint64_t value, size_t size) {
    file.replace(at, size, reinterpret_cast<const char *>(&value), size);
  };
  file.replace(0, 5,
               "\x7f"
               "ELF\x02");
  put(32, 64, 8);               // e_phoff
  put(54, 56, 2);               // e_phentsize
  put(56, 1, 2);                // e_phnum
  put(64, 4, 4);                // PT_NOTE
  put(64 + 8, 120, 8);          // p_offset
  put(64 + 32, note.size(), 8); // p_filesz
  return file + note;
}

TEST(BuildId, IsReadFromTheFileAlone) {
  TempFolder folder;
  std::string note("\4\0\0\0\3\0\0\0\3\0\0\0GNU\0\xab\xcd\x01\0", 20);
  auto id = buildIdOf(folder.write("lib.so", elfWithNote(note)));
  ASSERT_TRUE(id);
  EXPECT_EQ(*id, "id:abcd01");
}

TEST(BuildId, WithoutOneTheContentDecides) {
  TempFolder folder;
  auto one = buildIdOf(folder.write("one", "a")), two = buildIdOf(folder.write("two", "b"));
  ASSERT_TRUE(one && two);
  EXPECT_NE(*one, *two);
  EXPECT_FALSE(buildIdOf(folder.path("missing")));
}

TEST(BuildId, NoDamageCrashes) {
  TempFolder folder;
  std::string note("\4\0\0\0\3\0\0\0\3\0\0\0GNU\0\xab\xcd\x01\0", 20);
  std::string good = elfWithNote(note);
  forEachDamage(good, good.size(), [&](const std::string &bad) { (void)buildIdOf(folder.write("lib.so", bad)); });
}
