"""Trains a program in one run and in two, which must not differ in a bit.

usage: check-resume.py PROGRAM FOLDER [FLAG...]; flags go to nova-run. The second run of the two has another number of threads.
"""

import json
import pathlib
import shutil
import subprocess
import sys

STEPS = 12


def main():
    program, folder, flags = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = ["nova-run", program, f"--steps={STEPS}", "--quiet", "--data", __file__, "--lr-schedule=cosine", "--warmup=2",
               "--seed=3", *flags]
    whole, parts, log = folder / "whole", folder / "parts", folder / "log.jsonl"
    subprocess.run([*command, "--checkpoint", whole, "--log", folder / "whole.jsonl"], check=True)
    subprocess.run([*command, "--threads=1", "--checkpoint", parts, f"--checkpoint-every={STEPS // 2}", "--log", log],
                   check=True)
    last = f"step-{STEPS:08}"
    shutil.rmtree(parts / last)
    subprocess.run([*command, "--threads=2", "--checkpoint", parts, "--resume", parts, "--log", log], check=True)
    losses = [[json.loads(line)["loss"] for line in file.read_text().splitlines()]
              for file in (folder / "whole.jsonl", log)]
    if losses[0] != losses[1] or len(losses[0]) != STEPS:
        sys.exit(f"losses differ: {losses}")
    for name in ("model.safetensors", "optimizer.safetensors"):
        if (whole / last / name).read_bytes() != (parts / last / name).read_bytes():
            sys.exit(f"{name} differs")
    print(f"{STEPS} losses, parameters and moments have the same bits")


if __name__ == "__main__":
    main()
