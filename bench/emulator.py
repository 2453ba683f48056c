#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of the emulator: lane-instructions per second of processor time, on one thread, with all checks and without.

usage: bench/emulator.py [--tool build/bin/nova-emulate]

The kernels are those of the tests, on larger grids over zeros. The bars: 0.3 billion with all checks, 1 billion without.
"""

import argparse
import json
import resource
import subprocess
import tempfile
from pathlib import Path

CASES = Path(__file__).parent.parent / "test/Emulator/Inputs/cases"
KERNELS = {
    "cuda_matmul": ["--grid=16,16", "--block=16,16",
                    "--args=zeros:a:f32:65536,zeros:b:f32:65536,zeros:c:f32:65536,i32:256,i32:256,i32:256"],
    "cuda_reduce": ["--grid=2000", "--block=256", "--args=zeros:x:f32:16000000,zeros:out:f32:2000,i32:8000"],
}


def lane_instructions(command):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run([*command, f"--report={report}"], check=True)
        return sum(kernel["lane_instructions"] for kernel in json.loads(report.read_text()).values())


def seconds(command):
    def once():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return min(once() for _ in range(3))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="build/bin/nova-emulate")
    tool = parser.parse_args().tool
    print(f"{'kernel':<14} {'lane instructions':>18} {'all checks':>12} {'no checks':>12}   (billions per second)")
    for name, flags in KERNELS.items():
        command = [tool, str(CASES / f"{name}.ptx"), "--threads=1", *flags]
        count = lane_instructions(command)
        rates = [count / seconds([*command, f"--check={check}"]) / 1e9 for check in ("all", "none")]
        print(f"{name:<14} {count:>18,} {rates[0]:>12.2f} {rates[1]:>12.2f}")


if __name__ == "__main__":
    main()
