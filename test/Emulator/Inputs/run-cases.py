# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the kernels of a folder in the emulator, with the warps of a block in every order.

usage: run-cases.py NOVA-EMULATE FOLDER; beside NAME.ptx lie NAME.json (the launches), NAME.safetensors (inputs and
expected values) and NAME.meta.json: `check` goes to --check (null: no such run), `rtol` and `atol` are the tolerances,
`must_report` is a check that must find something. Exits with 1 if a case fails.
"""

import json
import subprocess
import sys
from pathlib import Path


def run(tool, base, flags):
    command = [tool, f"{base}.ptx", "--launches", f"{base}.json", "--inputs", f"{base}.safetensors", *flags]
    return subprocess.run(command, capture_output=True, text=True)


def run_case(tool, base, order):
    """What is wrong, or nothing."""
    meta = json.loads(Path(f"{base}.meta.json").read_text())
    if meta["check"]:
        result = run(tool, base, ["--check", meta["check"], "--order", order, "--expect", f"{base}.safetensors",
                                  "--rtol", str(meta["rtol"]), "--atol", str(meta["atol"])])
        if result.returncode != 0:
            return f"exit code {result.returncode}: {result.stderr.strip()}"
    if meta.get("must_report"):
        result = run(tool, base, ["--check", meta["must_report"], "--order", order])
        if result.returncode != 4:
            return f"--check={meta['must_report']} found nothing, exit code {result.returncode}"
    return ""


def main():
    tool, folder = sys.argv[1], Path(sys.argv[2])
    passed = cases = 0
    for meta in sorted(folder.glob("*.meta.json")):
        base = str(meta)[: -len(".meta.json")]
        for order in ("normal", "reversed", "round-robin"):
            problem = run_case(tool, base, order)
            cases += 1
            passed += not problem
            if problem:
                print(f"{Path(base).name}, {order}: {problem}")
    print(f"{passed} of {cases}")
    return 0 if passed == cases and cases else 1


if __name__ == "__main__":
    sys.exit(main())
