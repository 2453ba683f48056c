#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory and file handles of a long run: flat from its first tenth to its end.

usage: bench/long_run.py [--build build] [--steps 20000] [--threads 1]

Trains examples/gpt2-tiny.mlir on the documentation with everything that a run can write: log, event file, plot, evaluations
and checkpoints. Prints resident memory and open files ten times over the run, and exits with 1 where the memory of the last
tenth is 2 MiB more than that of the second, or the files are more.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
GROWTH = 2 << 20


def resident_bytes(pid):
    pages = pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def steps_done(log):
    """The number of the last record; cheap however long the log is."""
    if not log.exists() or log.stat().st_size < 4096:
        return 0
    with log.open("rb") as file:
        file.seek(-2048, os.SEEK_END)
        return json.loads(file.read().splitlines()[-2])["step"] + 1


def watch(run, log, steps):
    """The largest memory and number of files in each tenth of the run."""
    memory, files = [0] * 10, [0] * 10
    while run.poll() is None:
        tenth = min(steps_done(log) * 10 // steps, 9)
        try:
            memory[tenth] = max(memory[tenth], resident_bytes(run.pid))
            files[tenth] = max(files[tenth], len(os.listdir(f"/proc/{run.pid}/fd")))
        except OSError:
            break  # It ended just now.
        time.sleep(0.02)
    if run.wait() != 0:
        sys.exit(f"nova-run ended with exit code {run.returncode}")
    return memory, files


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        text = folder / "text.txt"
        text.write_bytes(b"".join(page.read_bytes() for page in sorted(SOURCE.glob("docs/*.md"))))
        log, tenth = folder / "log.jsonl", max(options.steps // 10, 1)
        start = time.monotonic()
        run = subprocess.Popen(
            [options.build / "bin/nova-run", SOURCE / "examples/gpt2-tiny.mlir", f"--steps={options.steps}", "--quiet",
             f"--threads={options.threads}", f"--data={text}", f"--eval-data={text}", f"--eval-every={tenth // 4 + 1}",
             f"--log={log}", f"--tensorboard={folder / 'events'}", f"--plot={folder / 'run.svg'}",
             f"--checkpoint={folder / 'checkpoints'}", f"--checkpoint-every={tenth // 2 + 1}", "--keep=2"])
        memory, files = watch(run, log, options.steps)
        seconds = time.monotonic() - start
    for part, (size, count) in enumerate(zip(memory, files)):
        print(f"steps {part * tenth:6} to {(part + 1) * tenth:6}: {size / (1 << 20):7.1f} MiB, {count} files")
    is_flat = memory[-1] - memory[1] <= GROWTH and files[-1] <= files[1]
    print(f"{options.steps} steps in {seconds:.0f} s: memory and files {'stay flat' if is_flat else 'grow'}")
    return not is_flat


if __name__ == "__main__":
    sys.exit(main())
