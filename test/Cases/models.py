#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the loss and every gradient of models that --train takes, and judges them against PyTorch's.

models.py CASES FOLDER [DEVICE...]      CASES: FAMILY.ATTENTION.json.gz, or a folder of them
                                        DEVICE: reference or cpu; default: reference, and cpu for one graph of a family
"""

import gzip
import pathlib
import re
import subprocess
import sys

import compare

READ = re.compile(r'^  (%arg\d+) = nova\.read @"(.*)" : (.*)$', re.M)
PARAMETER = re.compile(r'^nova\.parameter @"(.*?)" : .*\n', re.M)


def with_gradients(program):
    """The program to train with its parameters as arguments, and a function of the loss and its gradients."""
    reads = READ.findall(program)
    head = re.fullmatch(r"func\.func @loss\(\n(.*?)\n\) -> (.*?) \{\n.*", PARAMETER.sub("", program), re.S)
    given = re.findall(r"(%arg\d+): (tensor<.*?>)", head[1])
    arguments = [f'    {value}: {kind} {{nova.name = "parameter.{name}"}}' for value, name, kind in reads]
    signature = ",\n".join([*arguments, head[1]])
    values = [value for value, _, _ in reads] + [value for value, _ in given]
    kinds = [kind for _, _, kind in reads] + [kind for _, kind in given]
    loss = PARAMETER.sub("", READ.sub("", program)).replace(head[1], signature, 1)
    results = [("loss", head[2])] + [(f"grad.{name}", kind) for _, name, kind in reads]
    named = ",\n".join(f'    {kind} {{nova.name = "expected.{name}"}}' for name, kind in results)
    types = ", ".join(kind for _, kind in results)
    wrt = list(range(len(reads)))
    return (f"{loss}func.func @gradients(\n{signature}\n) -> (\n{named}\n) {{\n"
            f"  %r:{len(results)} = nova.value_and_grad @loss({', '.join(values)}) wrt {wrt} : "
            f"({', '.join(kinds)}) -> ({types})\n"
            f"  return {', '.join(f'%r#{i}' for i in range(len(results)))} : {types}\n}}\n")  # fmt: skip


def judge(case, folder, devices):
    """Whether a case's loss and gradients are right, by device; zero if they are."""
    family, attention = case.name.split(".")[:2]
    tensors = case.parent / f"{family}.safetensors"
    graph, program = folder / case.stem, folder / f"{family}.{attention}.mlir"
    graph.write_bytes(gzip.decompress(case.read_bytes()))
    script = pathlib.Path(__file__).parents[2] / "scripts/from_torch.py"
    subprocess.run([sys.executable, script, graph, "--train", "-o", program], check=True)
    program.write_text(with_gradients(program.read_text()))
    subprocess.run(["nova-opt", program, "--nova-autodiff", "-o", program], check=True)
    wanted = {name for name in compare.read(tensors) if name.startswith("expected.")}
    status = 0
    for device in devices:
        outputs = folder / f"{device}.safetensors"
        subprocess.run(["nova-run", program, "--entry", "gradients", "--inputs", tensors, "--outputs", outputs,
                        f"--device={device}"], check=True)  # fmt: skip
        print(f"{family} {attention} {device}: ", end="", flush=True)
        status |= compare.judge(outputs, tensors)
        if left := wanted - set(compare.read(outputs)):
            print(f"expected all gradients, found none for {', '.join(sorted(left))}")
            status = 1
    return status


def main():
    cases, folder, *devices = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    cases = pathlib.Path(cases)
    found = sorted(cases.glob("*.json.gz")) if cases.is_dir() else [cases]
    # Compiling takes nearly all of the time: one graph of each family is enough for the kernels.
    compiled = {case.name.split(".")[0]: case for case in found}.values()
    failed = []
    for case in found:
        if judge(case, folder, devices or (["reference", "cpu"] if case in compiled else ["reference"])):
            failed.append(case.name)
    print(f"{len(found)} graphs, {len(failed)} wrong: {', '.join(failed)}" if failed else f"{len(found)} graphs, all right")
    return 1 if failed or not found else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main())
