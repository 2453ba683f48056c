# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains on the emulator and lets the device fail at many places of a run: while state goes there, between and in steps,
in evaluations, at checkpoints. Every failure is exit code 3 with a message that names the driver's function; what was
written before is whole: the log has the lines of a run without failure as far as it goes, and the run that is resumed
from the newest checkpoint ends with the same bits.

usage: lose-device.py BUNDLE FOLDER
"""

import json
import os
import random
import shutil
import struct
import subprocess
import sys
from pathlib import Path

STEPS = 9


def data(path):
    chance, header, content = random.Random(3), {}, b""
    for name in ("tokens", "targets"):
        header[name] = {"dtype": "I32", "shape": [40, 8], "data_offsets": [len(content), len(content) + 1280]}
        content += struct.pack("<320i", *(chance.randrange(16) for _ in range(320)))
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + content)


def train(bundle, folder, name, fault="", *flags):
    log = folder / f"{name}.csv"
    command = ["nova-run", bundle, "--device=emulator", "--steps", str(STEPS), "--data", folder / "tokens.safetensors",
               "--eval-data", folder / "tokens.safetensors", "--eval-every", "4", "--eval-steps", "2", "--checkpoint",
               folder / name, "--checkpoint-every", "2", "--keep", "9", "--log", log, "--quiet", *flags]  # fmt: skip
    environment = os.environ | {"NOVA_EMULATOR_FAULT": fault, "NOVA_EMULATOR_CHECK": "none"}
    return subprocess.run(command, capture_output=True, text=True, env=environment), log


def records(log):
    """Step and loss of each line; times differ."""
    lines = [line.split(",") for line in log.read_text().splitlines()] if log.exists() else []
    columns = [i for i, name in enumerate(lines[0]) if name in ("step", "loss", "eval_loss")] if lines else []
    return [[line[i] for i in columns] for line in lines]


def steps(checkpoints):
    return sorted(checkpoints.glob("step-*"), key=lambda p: int(p.name[5:])) if checkpoints.exists() else []


def check(bundle, folder, whole, fault, number):
    """What is wrong, or nothing; whether the fault came."""
    name = f"run-{number}"
    result, log = train(bundle, folder, name, fault)
    if result.returncode == 0:
        return "", False
    if result.returncode != 3 or "error: " not in result.stderr or " failed with CUDA_ERROR_" not in result.stderr:
        return f"exit code {result.returncode}: {result.stderr}", True
    found = records(log)
    if found != records(whole)[: len(found)]:
        return f"the log has {found}", True
    last = steps(folder / name)
    if last:
        resumed, _ = train(bundle, folder, name, "", "--resume", folder / name)
        if resumed.returncode:
            return f"resuming gave exit code {resumed.returncode}: {resumed.stderr}", True
        for file in ("model.safetensors", "optimizer.safetensors"):
            if (steps(folder / name)[-1] / file).read_bytes() != (steps(folder / "whole")[-1] / file).read_bytes():
                return f"{file} differs after resuming from {last[-1].name}", True
    shutil.rmtree(folder / name, ignore_errors=True)
    return "", True


def out_of_range(bundle, folder):
    """A target that the model has no place for: exit code 1, the input and the position, and what came before is kept."""
    good = (folder / "tokens.safetensors").read_bytes()
    # The last of the two rows of the last batch.
    place = len(good) - 1280 + 4 * (2 * STEPS * 8 - 1)
    (folder / "tokens.safetensors").write_bytes(good[:place] + struct.pack("<i", 16) + good[place + 4 :])
    result, log = train(bundle, folder, "range", "", "--data-order", "sequential")
    (folder / "tokens.safetensors").write_bytes(good)
    if result.returncode == 1 and "0 <= value < 16 in input 'targets', found 16 at position 15" in result.stderr:
        if len(records(log)) == STEPS and steps(folder / "range"):  # a heading, and the steps before
            return 0
    print(f"out of range: exit code {result.returncode}: {result.stderr}; {len(records(log))} lines")
    return 1


def main():
    bundle, folder = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    data(folder / "tokens.safetensors")
    result, whole = train(bundle, folder, "whole")
    if result.returncode:
        sys.exit(result.stderr)
    wrong = out_of_range(bundle, folder)
    number = failures = 0
    places = [0, 1, 2, 3, *range(5, 160, 6)]
    faults = [f"lost-device:{n}" for n in places] + [f"copy:{n}" for n in places[1:]]
    for fault in faults:
        number += 1
        problem, came = check(bundle, folder, whole, fault, number)
        failures += came
        if problem:
            wrong += 1
            print(f"{fault}: {problem}")
    print(f"{failures} runs lost their device, {wrong} of them something else")
    return 0 if wrong == 0 and failures > len(places) else 1


if __name__ == "__main__":
    sys.exit(main())
