//===- CheckpointTest.cpp -------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nova/Training/Checkpoint.h"
#include "FakeExecutable.h"
#include "Nova/Support/Safetensors.h"
#include "TempFolder.h"

#include <csignal>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/resource.h>

using namespace nova;

/// Parameters w and b with the state of Adam, and an accumulator, which no checkpoint holds.
static FakeExecutable program(std::vector<int64_t> shape = {3, 2}) {
  Bundle bundle;
  using Role = StateTensor::Role;
  for (Role role : {Role::Parameter, Role::Moment1, Role::Moment2, Role::Accumulator})
    bundle.state.push_back({{"w", DType::F32, shape}, role, {}, {}});
  bundle.state.push_back({{"b", DType::BF16, {4}}, Role::Parameter, {}, {}});
  return FakeExecutable(std::move(bundle));
}

/// The same with w under another name, of which w is an alias.
static FakeExecutable renamed() {
  Bundle bundle = program().tables();
  for (StateTensor &tensor : bundle.state)
    if (tensor.tensor.name == "w") {
      tensor.tensor.name = "head.w";
      if (tensor.role == StateTensor::Role::Parameter)
        tensor.aliases = {"w"};
    }
  return FakeExecutable(std::move(bundle));
}

static FakeExecutable filled(char seed) {
  FakeExecutable executable = program();
  for (auto &tensor : executable.storage)
    for (char &byte : tensor)
      byte = seed++;
  return executable;
}

static RunState stateAt(uint64_t step) {
  RunState state;
  state.step = step;
  state.batch = 2 * step;
  state.fixed = {{"--seed", "3"}};
  state.settings = {{"--lr", "0.1"}};
  return state;
}

static std::set<std::string> namesIn(const TempFolder &folder, const std::string &name) {
  std::set<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path(name)))
    names.insert(entry.path().filename().string());
  return names;
}

TEST(Checkpoint, KnowsEachNameOfATiedTensor) {
  TempFolder folder;
  FakeExecutable saved = filled(1), restored = renamed();
  auto checkpoints = CheckpointFolder::open(folder.path("c"), 0, 3);
  ASSERT_TRUE(checkpoints && checkpoints->save(saved, stateAt(12)));
  auto opened = Checkpoint::open(folder.path("c"));
  ASSERT_TRUE(opened);
  auto done = opened->restore(restored);
  ASSERT_TRUE(done) << done.error().message;
  for (size_t i : {0, 1, 2, 4}) // 3 is the accumulator, which no checkpoint holds.
    EXPECT_EQ(restored.storage[i], saved.storage[i]);
}

TEST(Checkpoint, ComesBackAsItWas) {
  TempFolder folder;
  FakeExecutable saved = filled(1);
  auto checkpoints = CheckpointFolder::open(folder.path("c"), 0, 3);
  ASSERT_TRUE(checkpoints) << checkpoints.error().message;
  EXPECT_EQ(checkpoints->newest(), "");
  RunState state = stateAt(12);
  state.best = RunState::Best{10, 2.5};
  ASSERT_TRUE(checkpoints->save(saved, state));
  EXPECT_EQ(checkpoints->newest(), folder.path("c/step-00000012"));
  EXPECT_EQ(namesIn(folder, "c/step-00000012"),
            (std::set<std::string>{"model.safetensors", "optimizer.safetensors", "state.json"}));

  // By the folder of all, and by its own name.
  for (const char *name : {"c", "c/step-00000012"}) {
    auto opened = Checkpoint::open(folder.path(name));
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(opened->path(), folder.path("c/step-00000012"));
    EXPECT_EQ(opened->state().step, 12u);
    EXPECT_EQ(opened->state().batch, 24u);
    EXPECT_EQ(opened->state().best->step, 10u);
    EXPECT_EQ(opened->state().best->evalLoss, 2.5);
    FakeExecutable restored = program();
    ASSERT_TRUE(opened->restore(restored));
    for (size_t i = 0; i < saved.storage.size(); ++i)
      if (i == 3)
        EXPECT_EQ(restored.storage[i], std::vector<char>(24)) << "the accumulator starts anew";
      else
        EXPECT_EQ(restored.storage[i], saved.storage[i]) << i;
  }
  auto model = SafetensorsFile::open(folder.path("c/step-00000012/model.safetensors"));
  ASSERT_TRUE(model);
  EXPECT_NE(model->find("w"), nullptr);
  EXPECT_EQ(model->entries().size(), 2u);
}

TEST(Checkpoint, TheNewestAndTheBestAreKept) {
  TempFolder folder;
  FakeExecutable executable = filled(1);
  auto checkpoints = CheckpointFolder::open(folder.path("c"), 0, 2);
  for (uint64_t step = 1; step <= 5; ++step) {
    RunState state = stateAt(step);
    state.best = RunState::Best{step < 2 ? 1u : 2u, 1.0};
    ASSERT_TRUE(checkpoints->save(executable, state));
  }
  EXPECT_EQ(namesIn(folder, "c"), (std::set<std::string>{"best", "step-00000002", "step-00000004", "step-00000005"}));
  auto best = Checkpoint::open(folder.path("c/best"));
  ASSERT_TRUE(best) << best.error().message;
  EXPECT_EQ(best->state().step, 2u);
}

TEST(Checkpoint, TheFolderBelongsToOneRun) {
  TempFolder folder;
  std::filesystem::create_directories(folder.path("c/.step-00000007"));
  auto first = CheckpointFolder::open(folder.path("c"), 0, 2);
  ASSERT_TRUE(first);
  EXPECT_EQ(namesIn(folder, "c"), std::set<std::string>()) << "what a killed run left goes away";
  auto second = CheckpointFolder::open(folder.path("c"), 0, 2);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message,
            folder.path("c") + ": another run writes its checkpoints there; name another folder");
  std::filesystem::create_directories(folder.path("d/step-00000007"));
  auto older = CheckpointFolder::open(folder.path("d"), 6, 2);
  ASSERT_FALSE(older);
  EXPECT_EQ(older.error().message, folder.path("d/step-00000007") +
                                       ": expected no checkpoint after step 6, where this run starts; go on with "
                                       "--resume=" +
                                       folder.path("d") + " or name another folder");
  EXPECT_TRUE(CheckpointFolder::open(folder.path("d"), 7, 2));
  folder.write("file", "");
  EXPECT_FALSE(CheckpointFolder::open(folder.path("file"), 0, 2));
}

TEST(Checkpoint, DamageIsFoundBeforeAnythingIsRead) {
  TempFolder folder;
  FakeExecutable executable = filled(1);
  ASSERT_TRUE(CheckpointFolder::open(folder.path("c"), 0, 2)->save(executable, stateAt(1)));
  std::string name = "c/step-00000001/optimizer.safetensors", good = folder.read(name);
  std::string bad = good;
  bad.back() ^= 1;
  folder.write(name, bad);
  auto opened = Checkpoint::open(folder.path("c"));
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find(folder.path(name) + ": expected checksum "), std::string::npos);
  EXPECT_NE(opened.error().message.find("the file is damaged; name an older checkpoint"), std::string::npos);
  folder.write(name, good.substr(1));
  EXPECT_NE(Checkpoint::open(folder.path("c")).error().message.find(" bytes, found "), std::string::npos);
  std::filesystem::remove(folder.path(name));
  EXPECT_FALSE(Checkpoint::open(folder.path("c")));
  folder.write(name, good);
  EXPECT_TRUE(Checkpoint::open(folder.path("c")));

  std::string stateName = "c/step-00000001/state.json", state = folder.read(stateName);
  for (const std::string &text : {std::string("{"), std::string("{}"), std::string("[1]"), state.substr(0, 60)}) {
    folder.write(stateName, text);
    auto broken = Checkpoint::open(folder.path("c"));
    ASSERT_FALSE(broken) << text;
    EXPECT_NE(broken.error().message.find("no state of a checkpoint"), std::string::npos);
  }
  auto json = nlohmann::json::parse(state);
  json["format"] = 99;
  folder.write(stateName, json.dump());
  EXPECT_NE(Checkpoint::open(folder.path("c")).error().message.find("expected format 1, found 99"), std::string::npos);
}

TEST(Checkpoint, AnotherRunIsAnErrorThatSaysWhatDiffers) {
  TempFolder folder;
  FakeExecutable executable = filled(1);
  ASSERT_TRUE(CheckpointFolder::open(folder.path("c"), 0, 2)->save(executable, stateAt(1)));
  auto opened = Checkpoint::open(folder.path("c"));
  ASSERT_TRUE(opened);
  auto same = opened->compare(stateAt(0));
  ASSERT_TRUE(same);
  EXPECT_EQ(*same, "");
  RunState other = stateAt(0);
  other.settings["--lr"] = "0.2";
  auto warning = opened->compare(other);
  ASSERT_TRUE(warning);
  EXPECT_EQ(*warning,
            "warning: the run goes on otherwise than " + opened->path() + " was saved\n  --lr: 0.1 there, 0.2 here");
  other.fixed = {{"--seed", "4"}, {"--accumulate", "2"}};
  auto error = opened->compare(other);
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().message, opened->path() +
                                       ": expected the run that it was saved from, found one that differs\n"
                                       "  --accumulate: nothing there, 2 here\n  --seed: 3 there, 4 here\n"
                                       "  give the same, or start a new run from its parameters: --init=" +
                                       opened->path() + "/model.safetensors");
}

TEST(Checkpoint, AnotherProgramIsAnErrorAndNothingIsWritten) {
  TempFolder folder;
  FakeExecutable executable = filled(1);
  ASSERT_TRUE(CheckpointFolder::open(folder.path("c"), 0, 2)->save(executable, stateAt(1)));
  auto opened = Checkpoint::open(folder.path("c"));
  FakeExecutable other = program({2, 3});
  other.bundle.state.back().tensor.name = "c";
  auto restored = opened->restore(other);
  ASSERT_FALSE(restored);
  EXPECT_EQ(restored.error().message,
            opened->path() + ": expected the parameters and optimizer state of the program, found a checkpoint of "
                             "another one\n  w: expected tensor<2x3xf32>, found tensor<3x2xf32>\n"
                             "  m.w: expected tensor<2x3xf32>, found tensor<3x2xf32>\n"
                             "  v.w: expected tensor<2x3xf32>, found tensor<3x2xf32>\n  missing: c");
  EXPECT_EQ(other.storage[0], std::vector<char>(24));
  FakeExecutable smaller = program();
  smaller.bundle.state.pop_back();
  EXPECT_NE(opened->restore(smaller).error().message.find("1 tensors that the program does not have"),
            std::string::npos);
}

TEST(Checkpoint, AFullDiskLeavesTheEarlierOnes) {
  TempFolder folder;
  FakeExecutable executable = filled(1);
  auto checkpoints = CheckpointFolder::open(folder.path("c"), 0, 1);
  ASSERT_TRUE(checkpoints->save(executable, stateAt(1)));
  signal(SIGXFSZ, SIG_IGN);
  rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit small = {100, old.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  auto saved = checkpoints->save(executable, stateAt(2));
  setrlimit(RLIMIT_FSIZE, &old);
  ASSERT_FALSE(saved);
  EXPECT_NE(saved.error().message.find("cannot write: File too large"), std::string::npos) << saved.error().message;
  EXPECT_EQ(namesIn(folder, "c"), std::set<std::string>{"step-00000001"});
  EXPECT_TRUE(Checkpoint::open(folder.path("c")));
}

TEST(Checkpoint, NothingToGoOnFromIsAnError) {
  TempFolder folder;
  for (const char *name : {"", "missing"}) {
    auto opened = Checkpoint::open(folder.path(name));
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("expected a checkpoint, or a folder with some (step-00000100), found none"),
              std::string::npos);
  }
}
