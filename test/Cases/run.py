#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Translates a graph that PyTorch traced, runs it and judges the results against PyTorch's.

run.py CASE.json FOLDER [MODE...]       modes: reference, cpu, eager (on the CPU), emulator; all of them by default
"""

import json
import pathlib
import subprocess
import sys

import compare

FLAGS = {
    "reference": ["--device=reference"],
    "cpu": ["--device=cpu"],
    "eager": ["--device=cpu", "--mode=eager"],
    "emulator": ["--device=emulator"],
}


def main():
    graph, folder, modes = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:] or list(FLAGS)
    folder.mkdir(parents=True, exist_ok=True)
    program, name = folder / "program.mlir", json.loads(graph.read_text()).get("tensors", f"{graph.stem}.safetensors")
    tensors = graph.parent / name
    script = pathlib.Path(__file__).parents[2] / "scripts/from_torch.py"
    subprocess.run([sys.executable, script, graph, "-o", program], check=True)
    status = 0
    for mode in modes:
        outputs = folder / f"{mode}.safetensors"
        subprocess.run(["nova-run", program, "--inputs", tensors, "--outputs", outputs, *FLAGS[mode]], check=True)
        print(f"{graph.stem} {mode}: ", end="", flush=True)
        status |= compare.judge(outputs, tensors)
    return status


if __name__ == "__main__":
    if len(sys.argv) < 3 or set(sys.argv[3:]) - set(FLAGS):
        sys.exit(__doc__)
    sys.exit(main())
