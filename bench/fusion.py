#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What fusion is worth, kernel by kernel: each fused kernel of a GPT-2 train step against its ops apart.

  bench/fusion.py --build build --model medium
  bench/fusion.py --model 124m --dtype bf16 --rounds 5

The step runs fused and op by op, in turns, under --trace. The ops of a fused kernel are looked up among the kernels of
the other run by what they do: the op, its attributes and the sizes of its tensors. Casts that both runs have within other
kernels count as nothing on the side of the ops apart. A kernel's time is that of its fastest launches (the first decile
of all steps and rounds), as a machine that others use slows down for some milliseconds at a time. Those that lose are
named at the end; the exit code says nothing about time.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile

import train

MOVES = {"return", "constant", "reshape", "splat", "read", "write"}


def sizes(types):
    """The tensor types of an op without their shapes: kernels of several ranks do the same work."""
    result = []
    for shape, element in re.findall(r"tensor<((?:\d+x)*)([a-z]\w*)>", types):
        result.append((math.prod(map(int, shape.split("x")[:-1])) if shape else 1, element))
    return tuple(result)


def describe(line):
    """(op, attributes, sizes) of an op of a kernel; None for what does no work."""
    text = re.sub(r"^\s*(%[\w.$\-:, %]+ = )?", "", line)
    name = re.match(r"nova\.(\w+)", text)
    if not name or name[1] in MOVES:
        return None
    head, _, types = text.rpartition(" : ")
    attributes = re.sub(r"%[\w.$\-]+(#\d+)?", "", head[name.end():])
    return name[1], re.sub(r"[\s,]+", " ", attributes).strip(), sizes(types)


def kernels_of(text):
    """The described ops of every kernel, by its name."""
    result, current = {}, None
    for line in text.splitlines():
        if started := re.match(r"\s*nova\.kernel @([\w.$\-]+)", line):
            current = result[started[1]] = []
        elif line.strip() == "}":
            current = None
        elif current is not None and (op := describe(line)):
            current.append(op)
    return result


class Mode:
    """The train step in one mode."""

    def __init__(self, args, program, folder, mode):
        dump = folder / mode
        self.command = [args.build / "bin/nova-run", program, "--quiet", "--threads", str(args.threads), "--dtype",
                        args.dtype, "--mode", mode, "--cache-dir", folder / "cache"]
        self.steps, self.rounds, self.folder = args.steps, args.rounds, folder
        self.times = collections.defaultdict(list)
        subprocess.run([*self.command, "--steps", "1", "--dump-ir", dump], check=True, capture_output=True)
        self.kernels = kernels_of((dump / "3-kernels.mlir").read_text())

    def run(self):
        """Kernel -> microseconds of each launch of the steps after the first."""
        trace = self.folder / "trace.json"
        subprocess.run([*self.command, "--steps", str(self.steps + 1), "--trace", trace], check=True,
                       capture_output=True)
        events = json.loads(trace.read_text())
        track = next(e["tid"] for e in events if e["name"] == "thread_name" and e["args"]["name"] == "kernels")
        times = collections.defaultdict(list)
        for event in events:
            if event["ph"] == "X" and event["tid"] == track and event["name"] in self.kernels:
                times[event["name"]].append(event["dur"])
        for name, durations in times.items():
            self.times[name] += durations[len(durations) // (self.steps + 1):]

    def launches(self, name):
        return len(self.times[name]) // (self.steps * self.rounds)


def first_decile(times):
    return sorted(times)[len(times) // 10]


def without_casts(ops):
    return [op for op in ops if op[0] != "cast"] or ops


def compare(fused, eager):
    """Yields (kernel, its time, that of its ops apart, an op that has no kernel of its own)."""
    alone = collections.defaultdict(list)
    for name, times in eager.times.items():
        ops = without_casts(eager.kernels[name])
        if len(ops) == 1:
            alone[ops[0]] += times
    for name, times in fused.times.items():
        ops = without_casts(fused.kernels[name])
        if len(ops) > 1:
            missing = next((op[0] for op in ops if op not in alone), None)
            apart = None if missing else sum(first_decile(alone[op]) for op in ops)
            yield name, first_decile(times), apart, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=train.ROOT / "build", help="Nova's build folder")
    parser.add_argument("--model", action="append", choices=train.MODELS, help="may be given several times (medium)")
    parser.add_argument("--dtype", choices=["f32", "bf16"], default="f32")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    args.build = args.build.resolve()
    for model in args.model or ["medium"]:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            program = train.nova_program(args.build, train.MODELS[model], folder)
            fused, eager = (Mode(args, program, folder, mode) for mode in ("fused", "eager"))
            for _ in range(args.rounds):
                fused.run()
                eager.run()
        print(f"{model} {args.dtype}: {args.threads} threads, {args.rounds} rounds of {args.steps} steps")
        print(f"  {'kernel':44s} launches    fused us    apart us  apart/fused")
        losing = []
        rows = sorted(compare(fused, eager), key=lambda row: -row[1] * fused.launches(row[0]))
        for kernel, time, apart, missing in rows:
            start = f"  {kernel:44s} {fused.launches(kernel):8d} {time:11.1f}"
            if missing:
                print(f"{start}              no kernel of the other run is its {missing} alone")
                continue
            print(f"{start} {apart:11.1f}  {apart / time if time else 1:11.2f}")
            losing += [kernel] if apart < time else []
        print(f"  lose: {', '.join(losing) or 'none'}", flush=True)


if __name__ == "__main__":
    main()
