#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs, each computed in every way that Nova has; what differs is made small and kept.

random_programs.py --seed S --count N [--kind raising] [--until WAY] [--batch B] [--keep FOLDER] [--first I]

The judge is the evaluator on the program as written. Compared with it are the evaluator on what raising makes of it, the
CPU, fused and eager, and for each of the two the levels on the way there (raised, kernels, tiles), which the evaluator
runs too. A third of the programs are losses whose gradients are compared. Programs are put into one module B at a time;
the same seed gives the same programs whatever B is. What differs is reduced and written to FOLDER. --kind raising makes
programs of what raising looks for, and --until names the last way to compute them in. docs/RandomPrograms.md says more.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Cases"))
import compare
import ops
from programs import Generator, spell
from raising import Raising
from reduce import reduced

LEVELS = ("2-raised", "3-kernels", "4-tiled")
MODES = {
    "cpu": ["--device=cpu"],
    "eager": ["--device=cpu", "--mode=eager"],
    "emulator": ["--device=emulator"],
    "emulator-eager": ["--device=emulator", "--mode=eager"],
}


RAISING = ("--nova-fuse-attention", "--nova-fuse-norm", "--nova-fuse-activation")


def program(seed, number, kind="ops"):
    """Program `number` of a seed."""
    rng = random.Random(seed * 1000003 + number)
    for _ in range(50):
        is_training = rng.random() < 0.34
        generator = Raising(rng, is_training) if kind == "raising" else Generator(rng, ops.OPS, is_training)
        found = generator.program()
        if found:
            return found
    raise ValueError(f"expected a program for seed {seed}, number {number}, found none in 50 tries")


class Failure(Exception):
    """What went wrong, and where: the kind, and the output concerned if there is one."""

    def __init__(self, way, message, output=None):
        super().__init__(f"{way}: {message}")
        self.way, self.output = way, output


def run(way, *command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    except subprocess.TimeoutExpired:
        raise Failure(way, "no answer in 300 s") from None
    if done.returncode:
        raise Failure(way, f"exit code {done.returncode}\n{done.stderr[:2000]}")


def outputs(way, source, folder, *flags):
    """The results of a program, in order: (element type, elements)."""
    path = folder / "found.safetensors"
    run(way, "nova-run", str(source), "--random-inputs=1", "--no-cache", "--outputs", str(path), *flags)
    found = compare.read(path)
    return [found[f"result{i}"] for i in range(len(found))]


def check(programs, folder, last=None):
    """Computes some programs in every way, or until a last one; Failure for the first that differs."""
    written, text, raised = (folder / f"{name}.mlir" for name in ("written", "program", "raised"))
    written.write_text(spell(programs))
    run("autodiff", "nova-opt", str(written), "--nova-autodiff", "-o", str(text))
    # Raising is for what is not differentiated yet.
    run("raising", "nova-opt", str(written), *RAISING, "--nova-autodiff", "-o", str(raised))
    wanted = outputs("reference", text, folder, "--device=reference")
    allowed = [output for p in programs for output in p.outputs()]
    judge("raised", outputs("raised", raised, folder, "--device=reference"), wanted, allowed)
    if last and last.split()[0] not in MODES:
        return
    text = raised if any(p.is_training for p in programs) else text
    for mode, flags in MODES.items():
        dump = folder / mode
        judge(mode, outputs(mode, text, folder, *flags, f"--dump-ir={dump}"), wanted, allowed)
        for level in LEVELS:
            source = dump / f"{level}.mlir"
            if source.exists():
                way = f"{mode} {level}"
                judge(way, outputs(way, source, folder, "--device=reference"), wanted, allowed)
        if last and mode == last.split()[0]:
            return


def judge(way, found, wanted, allowed):
    for i, ((dtype, a), (_, b), (_, part, absolute)) in enumerate(zip(found, wanted, allowed)):
        distance = compare.distance(a, b)
        limit = 2 * absolute + part * compare.magnitude(b) if dtype.startswith(("F", "B")) and dtype != "BOOL" else 0
        if not distance <= limit:
            raise Failure(way, f"result {i} is {distance:.3g} away, expected at most {limit:.3g}", i)


def fails(programs, folder, last=None):
    try:
        check(programs, folder, last)
        return None
    except Failure as failure:
        return failure


def keep(found, failure, seed, number, folder):
    """Writes a reduced program as a test that fails until what it shows is repaired."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"seed{seed}-{number}.mlir"
    path.write_text(f"// {failure}\n".split("\n", 1)[0] + "\n" + spell([found]))
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--kind", choices=("ops", "raising"), default="ops", help="programs of any ops, or of patterns "
                        "that raising looks for")  # fmt: skip
    parser.add_argument("--until", choices=("raised", *MODES), help="the last way to compute them in (all)")
    parser.add_argument("--batch", type=int, default=10)
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("random-programs"))
    parser.add_argument("--print", action="store_true", help="print the programs, and run nothing")
    options = parser.parse_args()
    numbers, bad = list(range(options.first, options.first + options.count)), 0
    if options.print:
        print("// -----\n\n".join(spell([program(options.seed, n, options.kind)]) for n in numbers))
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for start in range(0, len(numbers), options.batch):
            batch = {n: program(options.seed, n, options.kind) for n in numbers[start : start + options.batch]}
            if not fails(list(batch.values()), folder, options.until):
                continue
            for number, one in batch.items():
                failure = fails([one], folder, options.until)
                if failure:
                    bad += 1
                    small, failure = reduced(one, failure, lambda p: fails([p], folder, failure.way))
                    path = keep(small, failure, options.seed, number, options.keep)
                    print(f"program {number}: {failure}\nreduced to {path}", flush=True)
    print(f"{len(numbers)} programs of seed {options.seed}: {bad} differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
