//===- NovaRunTest.cpp ----------------------------------------------------===//
//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NovaRunTool.h"

#include <csignal>
#include <cstring>
#include <dlfcn.h>

using namespace nova;

//===----------------------------------------------------------------------===//
// Usage
//===----------------------------------------------------------------------===//

TEST_F(NovaRun, HelpIsGroupedAndGoesToStdout) {
  Outcome outcome = run("--help");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char *part :
       {"Train:", "Data:", "Optimizer:", "State:", "Evaluate:", "Device:", "Reports:", "Compile:", "Examples:"})
    EXPECT_CONTAINS(outcome.out, part);
}

TEST_F(NovaRun, VersionSaysWhatWasFound) {
  EXPECT_EQ(run("--version").out.find("Nova "), 0u);
  EXPECT_CONTAINS(run("--version").out, "compiler: none found, only bundles can be run");
  EXPECT_CONTAINS(runWithCompiler("--version").out, "compiler: fake (");
}

TEST_F(NovaRun, WrongUsageIsExitCode2) {
  for (const char *arguments : {"",
                                "train.nova --foo",
                                "train.nova --lr 1e-3",
                                "train.nova --steps 0",
                                "train.nova --steps x",
                                "train.nova --steps 3 --device gpu",
                                "train.nova --steps 3 --lr nan",
                                "train.nova --steps 3 --beta1 1",
                                "train.nova --steps 3 --beta2=1",
                                "train.nova --steps 3 --weight-decay=-1",
                                "train.nova --steps 3 --threads 0",
                                "train.nova --steps 3 --inputs a",
                                "train.nova --steps 3 --min-lr 1e-5",
                                "train.nova --steps 3 --warmup 4",
                                "train.nova --steps 3 --dtype=f16",
                                "train.nova --steps 3 --matmul-precision=bf16",
                                "train.nova --steps 3 --matmul-precision=tf32",
                                "train.nova --matmul-precision=tf32 --device=reference",
                                "train.nova --steps 3 --lr-schedule=step",
                                "train.nova --steps 3 --optimizer=lion",
                                "train.nova --steps 3 --momentum=1",
                                "train.nova --steps 3 --nesterov",
                                "train.nova --steps 3 --optimizer=sgd --momentum=0 --nesterov",
                                "train.nova --steps 3 --accumulate=0",
                                "train.nova --steps 3 --eval-every=2",
                                "train.nova --steps 3 --eval-steps=2",
                                "train.nova --steps 3 --keep=2",
                                "train.nova --steps 3 --checkpoint-every=2",
                                "train.nova --steps 3 --resume=a --init=b",
                                "train.nova --profile",
                                "train.nova --check-finite",
                                "a.nova b.nova",
                                "train.nova --steps 3 --log a.txt",
                                "train.nova --rtol 0.1",
                                "train.nova --steps 3 --no-cache --cache-dir x",
                                "train.nova --steps 3 --data-order=sequential",
                                "train.nova --dump-ir d --entry affine"}) {
    Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_CONTAINS(outcome.err, "nova-run: error: ");
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST_F(NovaRun, UsageErrorsNameTheWayOut) {
  EXPECT_EQ(run("train.nova --step 3").err, "nova-run: error: unknown flag --step; see nova-run --help\n");
  EXPECT_EQ(run("train.nova --step=3").err, "nova-run: error: unknown flag --step; see nova-run --help\n");
  EXPECT_CONTAINS(run("train.nova --init a.safetensors").err, "to evaluate, give parameters with --params; see");
  EXPECT_CONTAINS(run("train.nova --steps 1 --params a").err, "to train, give parameters with --init; see");
  EXPECT_CONTAINS(run("train.nova --matmul-precision=tf32").err,
                  "--matmul-precision: tf32 is for GPUs, and --device=cpu multiplies exactly; add --device=cuda or "
                  "leave it out; see");
}

TEST_F(NovaRun, FlagsThatContradictABundleAreUsageErrors) {
  Outcome outcome = run("train.nova --steps 1 --beta1=0.8");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "nova-run: error: --beta1=0.8 contradicts train.nova, which was compiled with 0.9; leave the "
                         "flag out or compile the program again\n");
  EXPECT_EQ(run("train.nova --steps 1 --mode=eager").code, 2);
  EXPECT_EQ(run("train.nova --steps 1 --loss=other").code, 2);
  EXPECT_CONTAINS(run("train.nova --steps 1 --weight-decay=0").err, "--weight-decay=0 contradicts");
  // The same values, however they are spelled, are no contradiction.
  EXPECT_EQ(run("train.nova --steps 1 --quiet --beta1=0.90 --clip=1.0 --mode fused --eps 0.00000001").code, 0);
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

TEST_F(NovaRun, TrainsABundle) {
  Outcome outcome = run("train.nova --steps 60 --data text.txt --lr 0.3 --log log.jsonl --summary summary.json "
                        "--save model.safetensors --log-every 20");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_CONTAINS(outcome.err, "train.nova: 129 parameters, 7 kernels, cpu with ");
  EXPECT_CONTAINS(outcome.err, "step 21/60  loss ");
  EXPECT_CONTAINS(outcome.err, "step 60/60  loss ");
  std::vector<double> loss = losses("log.jsonl");
  ASSERT_EQ(loss.size(), 60u);
  EXPECT_LT(loss.back(), loss.front() / 2);
  auto summary = nlohmann::json::parse(folder.read("summary.json"));
  EXPECT_EQ(summary["steps"], 60);
  EXPECT_EQ(summary["final_loss"], loss.back());
  EXPECT_EQ(summary["first_loss"], loss.front());
  EXPECT_EQ(summary["parameters"], 129);
  EXPECT_EQ(summary["tokens_per_step"], 32);
  EXPECT_TRUE(summary["cache"].is_null());
  EXPECT_GT(summary["start_s"], 0);
  auto saved = SafetensorsFile::open(folder.path("model.safetensors"));
  ASSERT_TRUE(saved);
  EXPECT_NE(saved->find("transformer.wte.weight"), nullptr);
}

TEST_F(NovaRun, OneSeedOneCurve) {
  auto curve = [&](const std::string &flags) {
    EXPECT_EQ(run("train.nova --steps 20 --quiet --data text.txt --lr 0.3 --log log.jsonl " + flags).code, 0);
    return losses("log.jsonl");
  };
  std::vector<double> one = curve("--threads 1");
  EXPECT_EQ(one, curve("--threads 1"));
  EXPECT_EQ(one, curve("--threads 2"));
  EXPECT_EQ(one, curve("--threads 3"));
  EXPECT_NE(one, curve("--seed 1"));
  EXPECT_NE(one, curve("--data-order sequential"));
}

TEST_F(NovaRun, SavedParametersComeBackByInit) {
  ASSERT_EQ(run("train.nova --steps 30 --quiet --data text.txt --lr 0.3 --save m.safetensors").code, 0);
  ASSERT_EQ(run("train.nova --steps 1 --quiet --data text.txt --init m.safetensors --save n.safetensors --lr 0").code,
            0);
  EXPECT_EQ(folder.read("m.safetensors"), folder.read("n.safetensors"));
}

TEST_F(NovaRun, WithoutDataTokensAreRandomAndALineSaysSo) {
  Outcome outcome = run("train.nova --steps 2 --quiet");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_CONTAINS(outcome.err, "no --data: training on random tokens below 128");
}

TEST_F(NovaRun, ATokenBeyondTheVocabularyIsNamedWithItsPlace) {
  folder.write("text.txt", std::string(40, 'a') + "\xe9" + std::string(100, 'b'));
  Outcome outcome = run("train.nova --steps 9 --quiet --data text.txt --data-order sequential");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "nova-run: error: text.txt: token 40: expected a token below 128, found 233; use data for "
                         "this vocabulary, or a model with a larger one\n");
}

/// Tokens of two bytes, 1 to 100 again and again.
static std::string bytesOfTokens(int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i)
    bytes += {static_cast<char>(i % 100 + 1), '\0'};
  return bytes;
}

TEST_F(NovaRun, AFlagGivenTwiceIsWrongUsage) {
  for (const char *flags : {"--lr 0.1 --lr 0.2", "--quiet --quiet", "--seed 1 --seed 1",
                            "--optimizer sgd --nesterov "
                            "--nesterov=false",
                            "--shape x=2x3 --shape x=4x3", "--shape x=2x3 --shape y=2x3 --shape x=2x3",
                            "--data text.txt --data text.txt", "--dtype f32 --dtype bf16", "--threads 1 --threads 2"}) {
    Outcome outcome = run(std::string("train.nova --steps 1 ") + flags);
    EXPECT_EQ(outcome.code, 2) << flags << "\n" << outcome.err;
    EXPECT_CONTAINS(outcome.err, "; see nova-run --help");
  }
  Outcome outcome = run("train.nova --steps 1 --shape x=2x3 --shape x=4x3");
  EXPECT_CONTAINS(outcome.err, "--shape: expected one shape for 'x', found two; leave one of them out");
}

TEST_F(NovaRun, EvaluatesOnDataOfTheSameKind) {
  folder.write("tokens.bin", std::string(400, '\1'));
  Outcome outcome = run("train.nova --steps 1 --quiet --data text.txt --eval-data tokens.bin --data-order sequential");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "token 0: expected a token below 128, found 257");
  folder.write("tokens.bin", bytesOfTokens(200));
  outcome = run("train.nova --steps 1 --quiet --data text.txt --eval-data tokens.bin");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "tokens.bin: expected text as in text.txt, found tokens; give data of one kind to both");
}

TEST_F(NovaRun, OutputsThatCannotBeWrittenAreErrorsAtOnce) {
  for (const char *flag : {"--save missing/m.safetensors", "--summary missing/s.json", "--log missing/l.csv",
                           "--plot missing/p.svg", "--trace missing/t.json"}) {
    Outcome outcome = run(std::string("train.nova --steps 1000000000 ") + flag);
    EXPECT_EQ(outcome.code, 1) << flag;
    EXPECT_CONTAINS(outcome.err, "cannot write: No such file or directory");
  }
}

TEST_F(NovaRun, AFullDiskIsAnError) {
  EXPECT_EQ(run("train.nova --steps 3 --quiet --summary /dev/full").code, 1);
  EXPECT_EQ(run("affine.nova --random-inputs 1 >/dev/full 2>err #").code, 1);
}

TEST_F(NovaRun, ASignalFinishesTheStepAndSaves) {
  for (int signal : {SIGINT, SIGTERM}) {
    pid_t child = startIn(folder.root, {"train.nova", "--steps=1000000000", "--quiet", "--data=text.txt",
                                        "--log=log.csv", "--save=m.safetensors"});
    ASSERT_GT(child, 0);
    // Wait until it trains.
    for (int i = 0; i < 3000 && folder.read("log.csv").size() < 1000; ++i)
      usleep(10000);
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 128 + signal);
    EXPECT_TRUE(SafetensorsFile::open(folder.path("m.safetensors")));
    std::filesystem::remove(folder.path("m.safetensors"));
    std::filesystem::remove(folder.path("log.csv"));
  }
}

//===----------------------------------------------------------------------===//
// Evaluating
//===----------------------------------------------------------------------===//

TEST_F(NovaRun, EvaluatesAndPrints) {
  writeInputs("in.safetensors", {0, 1, 2, 3, 4, 5});
  Outcome outcome = run("affine.nova --inputs in.safetensors");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "result0: tensor<2x3xf32> [[1, 3, 5], [7, 9, 11]]\n");
  EXPECT_EQ(run("train.nova --entry affine --inputs in.safetensors").out, outcome.out);
  EXPECT_EQ(run("affine.nova --inputs in.safetensors --quiet").out, "");
}

TEST_F(NovaRun, WritesResultsThatItCanExpect) {
  writeInputs("in.safetensors", {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(run("affine.nova --inputs in.safetensors --outputs out.safetensors").out, "");
  const std::string expect = "affine.nova --inputs in.safetensors --expect out.safetensors --rtol 0 --atol 0";
  Outcome outcome = run(expect);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "nova-run: result0: within the tolerance, equal\n");
  EXPECT_EQ(run(expect + " --quiet").err, "");
}

TEST_F(NovaRun, ADifferenceIsExitCode4WithTheWorstElement) {
  writeInputs("in.safetensors", {0, 1, 2, 3, 4, 5});
  writeExpected("want.safetensors", "result0", {1, 3, 5.5f, 7, 9, 11});
  Outcome outcome = run("affine.nova --inputs in.safetensors --expect want.safetensors --atol 0.1 --rtol 0");
  EXPECT_EQ(outcome.code, 4);
  EXPECT_EQ(outcome.err, "nova-run: error: want.safetensors: 'result0': expected 5.5, found 5 at [0, 2], 5 times the "
                         "tolerance (1 of 6 elements differ)\n");
  outcome = run("affine.nova --inputs in.safetensors --expect want.safetensors --atol 1");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "nova-run: result0: within the tolerance, worst difference 0.5 at [0, 2]\n");
  writeExpected("other.safetensors", "other", {1, 3, 5, 7, 9, 11});
  outcome = run("affine.nova --inputs in.safetensors --expect other.safetensors");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "expected a tensor named as a result (result0), found none");
}

TEST_F(NovaRun, MissingInputsAreErrorsOrMadeUp) {
  Outcome outcome = run("affine.nova");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "nova-run: error: affine.nova: expected inputs a: tensor<2x3xf32>, found none; give them with "
                         "--inputs, or --random-inputs=SEED\n");
  writeExpected("other.safetensors", "other", {1, 3, 5, 7, 9, 11});
  EXPECT_CONTAINS(run("affine.nova --inputs other.safetensors").err,
                  "other.safetensors: expected inputs a: tensor<2x3xf32>, found other; give them with --inputs, or ");
  outcome = run("affine.nova --random-inputs 1");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, run("affine.nova --random-inputs 1").out);
  EXPECT_NE(outcome.out, run("affine.nova --random-inputs 2").out);
  // Integers stay below their bound.
  EXPECT_EQ(run("train.nova --entry loss --random-inputs 1").code, 0);
}

TEST_F(NovaRun, TheEntryMustBeClear) {
  Outcome outcome = run("train.nova");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "nova-run: error: train.nova: expected --entry with one of affine, loss, train_step\n");
  outcome = run("affine.nova --entry other");
  EXPECT_EQ(outcome.err, "nova-run: error: affine.nova: expected --entry with one of affine, found 'other'\n");
}

TEST_F(NovaRun, ParamsReplaceInitialValues) {
  const std::vector<float> table(kVocabulary, 0.25f), bias = {0.25f};
  ASSERT_TRUE(writeSafetensors(folder.path("p.safetensors"), {{{"wte.weight", DType::F32, {kVocabulary}}, table.data()},
                                                              {{"b", DType::F32, {1}}, bias.data()}}));
  const std::vector<int32_t> x(kBatch * kLength, 1), y(kBatch * kLength, 64);
  ASSERT_TRUE(writeSafetensors(folder.path("in.safetensors"), {{{"x", DType::I32, {kBatch, kLength}}, x.data()},
                                                               {{"y", DType::I32, {kBatch, kLength}}, y.data()}}));
  EXPECT_EQ(run("train.nova --entry loss --inputs in.safetensors --params p.safetensors").out, "loss: tensor<f32> 0\n");
  EXPECT_EQ(run("train.nova --steps 1 --params p.safetensors").code, 2);
}

//===----------------------------------------------------------------------===//
// Programs and the cache
//===----------------------------------------------------------------------===//

TEST_F(NovaRun, AProgramNeedsTheCompiler) {
  Outcome outcome = run("train.mlir --steps 1");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_CONTAINS(outcome.err, "train.mlir: expected the compiler in one of ");
  EXPECT_CONTAINS(outcome.err, "a bundle (nova-translate --nova-to-bundle) runs without");
  EXPECT_EQ(run("missing.mlir").code, 1);
}

TEST_F(NovaRun, CompilesOnceThenUsesTheCache) {
  const std::string arguments = "train.mlir --steps 2 --quiet --summary s.json";
  ASSERT_EQ(runWithCompiler(arguments).code, 0);
  EXPECT_EQ(nlohmann::json::parse(folder.read("s.json"))["cache"], "miss");
  ASSERT_EQ(requests().size(), 1u);
  nlohmann::json request = requests()[0];
  EXPECT_EQ(request["file"], "train.mlir");
  EXPECT_EQ(request["entry"], "loss");
  EXPECT_EQ(request["train"], true);
  EXPECT_EQ(request["optimizer"]["beta2"], 0.95);
  EXPECT_EQ(request["optimizer"]["clip"], 1.0);

  ASSERT_EQ(runWithCompiler(arguments).code, 0);
  EXPECT_EQ(nlohmann::json::parse(folder.read("s.json"))["cache"], "hit");
  EXPECT_EQ(requests().size(), 1u);
  // What is compiled in is part of the key; what is not, is not.
  ASSERT_EQ(runWithCompiler(arguments + " --lr 0.1 --seed 3 --threads 1 --matmul-precision exact").code, 0);
  EXPECT_EQ(requests().size(), 1u);
  ASSERT_EQ(runWithCompiler(arguments + " --beta1 0.8").code, 0);
  EXPECT_EQ(requests().size(), 2u);
  ASSERT_EQ(runWithCompiler(arguments + " --mode eager").code, 0);
  EXPECT_EQ(requests().size(), 3u);
  folder.write("train.mlir", "module { }");
  ASSERT_EQ(runWithCompiler(arguments).code, 0);
  EXPECT_EQ(requests().size(), 4u);
}

TEST_F(NovaRun, ReportsAndNoCacheCompileAnew) {
  const std::string arguments = "train.mlir --steps 1 --quiet ";
  ASSERT_EQ(runWithCompiler(arguments).code, 0);
  ASSERT_EQ(runWithCompiler(arguments + "--kernel-report").code, 0);
  EXPECT_EQ(requests().back()["kernel_report"], true);
  ASSERT_EQ(runWithCompiler(arguments + "--dump-ir ir").code, 0);
  EXPECT_EQ(requests().back()["dump_ir"], "ir");
  ASSERT_EQ(runWithCompiler(arguments + "--no-cache").code, 0);
  EXPECT_EQ(requests().size(), 4u);
  ASSERT_EQ(runWithCompiler(arguments).code, 0);
  EXPECT_EQ(requests().size(), 4u);
}

TEST_F(NovaRun, ADamagedCacheIsMadeAgain) {
  const std::string arguments = "train.mlir --steps 1 --quiet --cache-dir kept";
  ASSERT_EQ(runWithCompiler(arguments).code, 0);
  int bundles = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path("kept"))) {
    bundles += entry.path().extension() == ".nova";
    std::ofstream(entry.path(), std::ios::trunc) << "damaged";
  }
  EXPECT_EQ(bundles, 1);
  EXPECT_EQ(runWithCompiler(arguments).code, 0);
  EXPECT_EQ(requests().size(), 2u);
  EXPECT_EQ(runWithCompiler(arguments).code, 0);
  EXPECT_EQ(requests().size(), 2u);
}

TEST_F(NovaRun, ADefaultCacheThatCannotBeUsedIsAWarning) {
  folder.write("cache", "a file, not a folder");
  Outcome outcome = runWithCompiler("train.mlir --steps 1 --quiet");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_CONTAINS(outcome.err, "nova-run: warning: no cache: ");
  EXPECT_EQ(runWithCompiler("train.mlir --steps 1 --quiet --cache-dir cache").code, 3);
}

TEST_F(NovaRun, DiagnosticsOfTheCompilerAreShownOnce) {
  folder.write("bad.mlir", "bad");
  for (const char *device : {"cpu", "reference"}) {
    Outcome outcome = runWithCompiler(std::string("bad.mlir --steps 1 --device ") + device);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_CONTAINS(outcome.err, "bad.mlir:1:1: error: bad program\n");
    EXPECT_EQ(outcome.err.find("bad program", outcome.err.find("bad program") + 1), std::string::npos);
  }
}

TEST_F(NovaRun, TheReferenceTrainsAndEvaluatesLikeTheCpu) {
  const std::string train = " --steps 10 --quiet --data text.txt --lr 0.3 --log log.jsonl --save m.safetensors";
  ASSERT_EQ(runWithCompiler("train.mlir --device reference" + train).code, 0);
  std::vector<double> reference = losses("log.jsonl");
  std::string model = folder.read("m.safetensors");
  ASSERT_EQ(runWithCompiler("train.mlir" + train).code, 0);
  EXPECT_EQ(losses("log.jsonl"), reference);
  EXPECT_EQ(folder.read("m.safetensors"), model);
  EXPECT_EQ(runWithCompiler("train.mlir --device reference --random-inputs 1").out,
            runWithCompiler("train.mlir --random-inputs 1").out);
  EXPECT_EQ(runWithCompiler("train.nova --device reference --steps 1").code, 2);
}

TEST_F(NovaRun, BrokenBundlesAreDiagnostics) {
  std::string good = serialize(testProgram());
  for (size_t size : {8, 40, 200, 1000, 5000}) {
    folder.write("broken.nova", good.substr(0, size));
    Outcome outcome = run("broken.nova --steps 1");
    EXPECT_EQ(outcome.code, 1) << size;
    EXPECT_CONTAINS(outcome.err, "nova-run: error: broken.nova: ");
  }
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

TEST_F(NovaRun, AGpuIsADeviceAsAnyOther) {
  // Beside that nova-run lies a driver for tests, in the emulator's place.
  ASSERT_EQ(run("train.nova --steps 20 --data text.txt --log cpu.jsonl --quiet").code, 0);
  Outcome outcome = runWithCompiler("gpu.nova --steps 20 --data text.txt --device=emulator --log gpu.jsonl "
                                    "--save gpu.safetensors --summary gpu.json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_CONTAINS(outcome.err, "emulator on Fake (sm_89)");
  EXPECT_EQ(losses("gpu.jsonl"), losses("cpu.jsonl"));
  EXPECT_EQ(nlohmann::json::parse(folder.read("gpu.json"))["device"], "emulator");

  environment += "NOVA_CUDA_SYNC=1 ";
  ASSERT_EQ(runWithCompiler("gpu.nova --steps 20 --data text.txt --device=emulator --log one.jsonl --quiet").code, 0);
  EXPECT_EQ(losses("one.jsonl"), losses("cpu.jsonl"));

  writeInputs("in.safetensors", {0, 1, 2, 3, 4, 5});
  writeExpected("good.safetensors", "result0", {1, 3, 5, 7, 9, 11});
  writeExpected("bad.safetensors", "result0", {1, 3, 5, 7, 9, 12});
  const std::string evaluate = "gpu.nova --device=emulator --entry affine --inputs in.safetensors --expect ";
  EXPECT_EQ(runWithCompiler(evaluate + "good.safetensors").code, 0);
  EXPECT_EQ(runWithCompiler(evaluate + "bad.safetensors").code, 4);
}

TEST_F(NovaRun, ParametersGoToAGpuAndComeBack) {
  ASSERT_EQ(runWithCompiler("gpu.nova --steps 3 --device=emulator --save a.safetensors --quiet").code, 0);
  ASSERT_EQ(runWithCompiler("gpu.nova --steps 1 --device=emulator --init a.safetensors --lr 0 --save b.safetensors "
                            "--quiet")
                .code,
            0);
  EXPECT_EQ(folder.read("a.safetensors"), folder.read("b.safetensors"));
}

TEST_F(NovaRun, WithoutAGpuTheErrorComesAtOnce) {
  Outcome outcome = run("train.nova --steps 1 --device=emulator");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.err, "expected the emulator in one of ");
  EXPECT_CONTAINS(outcome.err, "libNovaEmulator.so");
  if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL))
    GTEST_SKIP() << "there is a CUDA driver";
  outcome = runWithCompiler("train.mlir --steps 1 --device=cuda");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.err, "expected a CUDA driver, libcuda.so.1, found none");
  EXPECT_TRUE(requests().empty());
}

TEST_F(NovaRun, ABundleWithoutCodeForTheGpu) {
  Outcome outcome = runWithCompiler("train.nova --steps 1 --device=emulator");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_CONTAINS(outcome.err, "train.nova: expected code for sm_89, found cpu (elf); make the bundle with");
}

TEST_F(NovaRun, ProgramsAreCompiledForTheGpu) {
  runWithCompiler("train.mlir --steps 1 --device=emulator --mode=eager");
  ASSERT_EQ(requests().size(), 1u);
  EXPECT_EQ(requests()[0]["targets"], nlohmann::json({"sm_89"}));
  EXPECT_EQ(requests()[0]["assemble"], false);
}

TEST_F(NovaRun, WhatAGpuDoesWrongIsExitCode3) {
  const std::string train = "gpu.nova --steps 5 --data text.txt --device=emulator --quiet";
  for (auto [fault, message] :
       {std::pair("cuInit:0:100", "cuInit failed with"), std::pair("cuMemAlloc_v2:0:2", "use a smaller batch or model"),
        std::pair("cuModuleLoadDataEx:0:218", "line 7: nonsense"),
        std::pair("cuLaunchKernel:1:719", "kernel 'mean' with 1 blocks"),
        std::pair("cuGraphLaunch:3:46", "the device is lost for this process"),
        std::pair("cuEventSynchronize:2:700", "NOVA_CUDA_SYNC=1 names the kernel")}) {
    std::string before = environment;
    environment += std::string("NOVA_FAKE_CUDA_FAULTS=") + fault + " ";
    Outcome outcome = runWithCompiler(train);
    EXPECT_EQ(outcome.code, 3) << fault;
    EXPECT_CONTAINS(outcome.err, message);
    environment = before;
  }
}

TEST_F(NovaRun, ALostDeviceLosesNoFile) {
  const std::string train = "gpu.nova --steps 5 --data text.txt --device=emulator --save model.safetensors "
                            "--log log.jsonl --quiet";
  ASSERT_EQ(runWithCompiler(train).code, 0);
  std::string model = folder.read("model.safetensors");
  for (const char *fault : {"cuEventSynchronize:3:46", "cuMemcpyDtoHAsync_v2:15:46"}) {
    environment += std::string("NOVA_FAKE_CUDA_FAULTS=") + fault + " ";
    EXPECT_EQ(runWithCompiler(train).code, 3);
    EXPECT_EQ(folder.read("model.safetensors"), model);
  }
  EXPECT_EQ(losses("log.jsonl").size(), 5u); // all steps were done when the parameters could not be read
}
