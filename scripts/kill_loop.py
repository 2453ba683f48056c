#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills a run at random moments and takes it up again, until it ends with the losses of one that was left alone.

    python3 scripts/kill_loop.py BIN FOLDER [--kills 50] [--steps 400] [--flag=--accumulate=2 ...]

BIN holds nova-run. Trains examples/gpt2-tiny.mlir on the documentation, with a checkpoint after every other step. Every kill
is SIGKILL; a resume that fails, or a curve that differs in a bit, ends the loop with exit code 1.
"""

import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent


def losses(log):
    return [json.loads(line)["loss"] for line in log.read_text().splitlines()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--flag", action="append", default=[])
    options = parser.parse_args()
    folder = options.folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    checkpoints, parts, whole = folder / "checkpoints", folder / "parts.jsonl", folder / "whole.jsonl"
    # A copy: a run does not go on with other data.
    text = folder / "text.txt"
    text.write_bytes(b"".join(page.read_bytes() for page in sorted(SOURCE.glob("docs/*.md"))))
    command = [options.bin / "nova-run", SOURCE / "examples/gpt2-tiny.mlir", f"--steps={options.steps}", "--quiet",
               f"--data={text}", "--lr-schedule=cosine", "--warmup=10", *options.flag]
    start = time.monotonic()
    subprocess.run([*command, "--log", whole], check=True)
    seconds = time.monotonic() - start

    generator = random.Random(options.seed)
    resumes = kills = 0
    while True:
        arguments = [*command, "--log", parts, "--checkpoint", checkpoints, "--checkpoint-every=2"]
        if any(checkpoints.glob("step-*")):
            arguments += ["--resume", checkpoints]
            resumes += 1
        run = subprocess.Popen(arguments)
        try:
            # Early and late: while the program is loaded, and within the steps.
            run.wait(generator.uniform(0, 2 * seconds / options.kills) if kills < options.kills else None)
        except subprocess.TimeoutExpired:
            run.kill()
            run.wait()
            kills += 1
            continue
        if run.returncode != 0:
            sys.exit(f"resume {resumes} ended with exit code {run.returncode}")
        break
    if losses(parts) != losses(whole):
        sys.exit(f"after {kills} kills the losses differ from those of a run that was left alone")
    print(f"{kills} kills, {resumes} resumes, {options.steps} losses with the same bits")


if __name__ == "__main__":
    main()
