//===- StateTest.cpp ----------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NovaRunTool.h"

#include <random>

using namespace nova;

//===----------------------------------------------------------------------===//
// Evaluation, checkpoints and reports of training
//===----------------------------------------------------------------------===//

TEST_F(NovaRun, EvaluatesOnOtherData) {
  folder.write("other.txt", std::string(200, 'b'));
  Outcome outcome = run("train.nova --steps 25 --data text.txt --lr 0.3 --log log.jsonl --summary s.json "
                        "--eval-data other.txt --eval-every 10 --eval-steps 3 --checkpoint c");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "step 10: evaluation loss ");
  EXPECT_CONTAINS(outcome.err, ", perplexity ");
  std::vector<int> evaluated;
  std::istringstream lines(folder.read("log.jsonl"));
  for (std::string line; std::getline(lines, line);)
    if (auto record = nlohmann::json::parse(line); !record["eval_loss"].is_null())
      evaluated.push_back(record["step"]);
  EXPECT_EQ(evaluated, (std::vector<int>{9, 19, 24}));
  auto summary = nlohmann::json::parse(folder.read("s.json"));
  EXPECT_TRUE(summary["eval_loss"].is_number());
  auto best = nlohmann::json::parse(folder.read("c/best/state.json"));
  EXPECT_EQ(best["step"], summary["best_step"]);
  EXPECT_EQ(best["best"]["eval_loss"], summary["best_eval_loss"]);
  // The parameters of the best checkpoint have that loss.
  EXPECT_EQ(run("train.nova --steps 1 --data text.txt --lr 0 --init c/best --eval-data other.txt --eval-steps 3 "
                "--quiet --summary again.json")
                .code,
            0);
  EXPECT_EQ(nlohmann::json::parse(folder.read("again.json"))["eval_loss"], summary["best_eval_loss"]);
}

TEST_F(NovaRun, DataMayLieInSeveralFilesOfANamedFormat) {
  std::string text = folder.read("text.txt");
  folder.write("part_1.bin", text.substr(0, 1111));
  folder.write("part_2.bin", text.substr(1111));
  const std::string flags = "train.nova --steps 20 --quiet --lr 0.3 --log log.jsonl ";
  ASSERT_EQ(run(flags + "--data text.txt").code, 0);
  std::vector<double> whole = losses("log.jsonl");
  ASSERT_EQ(run(flags + "--data 'part_*.bin' --data-format text").code, 0);
  EXPECT_EQ(losses("log.jsonl"), whole);
  // As tokens of two bytes they are another text, and an odd number of bytes is none.
  Outcome outcome = run(flags + "--data 'part_*.bin'");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "part_1.bin: expected tokens of 2 bytes, found 1111 bytes");
}

TEST_F(NovaRun, AResumedRunHasTheSameBits) {
  const std::string flags = "train.nova --quiet --data text.txt --lr 0.3 --lr-schedule cosine --warmup 5 ";
  ASSERT_EQ(run(flags + "--steps 30 --log whole.jsonl --save whole.safetensors").code, 0);
  ASSERT_EQ(run(flags + "--steps 30 --log parts.jsonl --checkpoint c --checkpoint-every 12").code, 0);
  std::filesystem::remove_all(folder.path("c/step-00000030"));
  std::filesystem::remove_all(folder.path("c/step-00000024"));
  Outcome outcome = run(flags + "--steps 30 --log parts.jsonl --checkpoint c --resume c --save parts.safetensors");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(losses("parts.jsonl"), losses("whole.jsonl"));
  EXPECT_EQ(folder.read("parts.safetensors"), folder.read("whole.safetensors"));
  EXPECT_EQ(folder.read("c/step-00000030/model.safetensors"), folder.read("whole.safetensors"));
}

TEST_F(NovaRun, ResumingSaysWhatDiffers) {
  ASSERT_EQ(run("train.nova --quiet --data text.txt --steps 3 --checkpoint c").code, 0);
  Outcome outcome = run("train.nova --quiet --data text.txt --steps 6 --resume c --seed 4 --data-order sequential");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err,
            "nova-run: error: c/step-00000003: expected the run that it was saved from, found one that "
            "differs\n  --data-order: random there, sequential here\n  --seed: 0 there, 4 here\n  give the "
            "same, or start a new run from its parameters: --init=c/step-00000003/model.safetensors\n");
  outcome = run("train.nova --quiet --data text.txt --steps 6 --resume c --lr 0.5");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "warning: the run goes on otherwise than c/step-00000003 was saved\n  --lr: 0.0006 there, 0.5 "
                         "here\n");
  // A longer run with a constant rate is the same run.
  EXPECT_EQ(run("train.nova --quiet --data text.txt --steps 6 --resume c").err, "");
  outcome = run("train.nova --quiet --data text.txt --steps 3 --resume c");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_CONTAINS(outcome.err, "--steps: expected more than the 3 steps of c/step-00000003, found 3");
  EXPECT_EQ(run("train.nova --quiet --steps 6 --resume missing").code, 1);
  // A new run does not write among the checkpoints of an old one.
  outcome = run("train.nova --quiet --data text.txt --steps 6 --checkpoint c");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "expected no checkpoint after step 0, where this run starts");
}

static bool hasCheckpoint(const std::string &folder) {
  if (std::filesystem::exists(folder))
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      if (entry.path().filename().string().compare(0, 5, "step-") == 0)
        return true;
  return false;
}

TEST_F(NovaRun, AKillAtAnyMomentLeavesACheckpointToGoOnFrom) {
  const std::string flags = "train.nova --quiet --threads 1 --data text.txt --lr 0.05 --steps 400 ";
  ASSERT_EQ(run(flags + "--log whole.jsonl --save whole.safetensors").code, 0);
  std::mt19937 random(7);
  bool isResumed = false;
  for (int kills = 0; kills < 8; ++kills) {
    std::vector<const char *> arguments = {"train.nova",       "--quiet",     "--threads=1",    "--data=text.txt",
                                           "--lr=0.05",        "--steps=400", "--checkpoint=c", "--checkpoint-every=1",
                                           "--log=parts.jsonl"};
    if (isResumed)
      arguments.push_back("--resume=c");
    pid_t child = startIn(folder.root, arguments);
    ASSERT_GT(child, 0);
    // On a busy machine the first one may take a while to come.
    for (int i = 0; i < 3000 && !hasCheckpoint(folder.path("c")); ++i)
      usleep(10'000);
    usleep(random() % 60'000);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) // It was faster.
      ASSERT_EQ(WEXITSTATUS(status), 0);
    isResumed = hasCheckpoint(folder.path("c"));
    if (WIFEXITED(status))
      break;
  }
  ASSERT_TRUE(isResumed);
  Outcome outcome = run(flags + "--checkpoint c --resume c --log parts.jsonl --save parts.safetensors");
  if (outcome.code == 2) { // It had come to the end.
    folder.write("parts.safetensors", folder.read("c/step-00000400/model.safetensors"));
  } else {
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  EXPECT_EQ(losses("parts.jsonl"), losses("whole.jsonl"));
  EXPECT_EQ(folder.read("parts.safetensors"), folder.read("whole.safetensors"));
}

TEST_F(NovaRun, ASignalWritesACheckpoint) {
  pid_t child = startIn(folder.root, {"train.nova", "--steps=1000000000", "--quiet", "--data=text.txt", "--log=log.csv",
                                      "--checkpoint=c"});
  ASSERT_GT(child, 0);
  for (int i = 0; i < 3000 && folder.read("log.csv").size() < 1000; ++i)
    usleep(10000);
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 143);
  std::string log = folder.read("log.csv");
  auto steps = std::count(log.begin(), log.end(), '\n') - 1;
  std::string name = std::filesystem::directory_iterator(folder.path("c"))->path().filename().string();
  EXPECT_EQ(nlohmann::json::parse(folder.read("c/" + name + "/state.json"))["step"], steps);
}

TEST_F(NovaRun, AFullDiskStopsARunAndNamesTheLastCheckpoint) {
  ASSERT_EQ(run("train.nova --steps 1 --quiet").code, 0); // The cache has the kernels from here on.
  // Files of at most 8 blocks: the log is the first that does not fit.
  Outcome outcome = runTool("sh", "-c 'ulimit -f 8; trap \"\" XFSZ; exec " NOVA_TEST_RUN_ALONE
                                  " train.nova --steps 100000 --quiet --data text.txt --log log.jsonl --checkpoint c "
                                  "--checkpoint-every 5'");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "log.jsonl: cannot write: File too large; the last good checkpoint is c/step-000");
  EXPECT_EQ(folder.read("log.jsonl").back(), '\n');
}

TEST_F(NovaRun, ReportsAreWritten) {
  Outcome outcome = run("train.nova --steps 12 --quiet --data text.txt --trace t.json --plot p.svg --tensorboard tb "
                        "--profile --threads 2 --eval-data text.txt --eval-every 5 --eval-steps 1");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.out, "limits: ");
  EXPECT_CONTAINS(outcome.out, "update_bias");
  EXPECT_CONTAINS(outcome.out, "test.mlir:4:3");
  std::map<std::string, int> spans;
  for (const auto &event : nlohmann::json::parse(folder.read("t.json")))
    ++spans[event["name"]];
  EXPECT_EQ(spans["step"], 12);
  EXPECT_EQ(spans["data"], 12);
  EXPECT_EQ(spans["evaluate"], 3);
  EXPECT_GE(spans["norm"], 24); // The launch, and the thread that ran it.
  EXPECT_CONTAINS(folder.read("p.svg"), "evaluation loss");
  EXPECT_FALSE(std::filesystem::is_empty(folder.path("tb")));
  EXPECT_EQ(runWithCompiler("train.mlir --device reference --steps 2 --quiet --profile").code, 2);
}

TEST_F(NovaRun, CheckFiniteNamesTheKernel) {
  EXPECT_EQ(run("train.nova --steps 5 --quiet --data text.txt --check-finite").code, 0);
  Outcome outcome = run("train.nova --steps 100 --quiet --data text.txt --lr 1e30 --check-finite");
  EXPECT_EQ(outcome.code, 4);
  EXPECT_CONTAINS(outcome.err, "nova-run: error: step ");
  EXPECT_CONTAINS(outcome.err, ": test.mlir:");
  EXPECT_CONTAINS(outcome.err, "expected finite numbers, found NaN or infinity in result 0 at position ");
}
