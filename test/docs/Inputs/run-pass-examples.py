# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples of docs/passes: a pass turns the program under "Before" into that under "After".

usage: run-pass-examples.py NOVA_OPT PAGE...
Options that the example needs stand behind "After" in backquotes, as in "After, with `clip=0`:", and so do further passes,
as in "After, and after `--canonicalize`:". Programs are compared by the ops of each symbol that "After" shows, in order;
it may leave out attributes and symbols.
"""

import re
import subprocess
import sys
from pathlib import Path

EXAMPLE = re.compile(r"^Before.*?:\n\n```mlir\n(.*?)```\n+After(.*?):\n\n```mlir\n(.*?)```", re.M | re.S)


def ops_of(nova_opt, program, *flags):
    """The names of the ops of each symbol, or the diagnostic."""
    command = [nova_opt, "--mlir-print-op-generic", *flags]
    run = subprocess.run(command, input=program, capture_output=True, text=True, check=False)
    if run.returncode:
        return run.stderr
    symbols, ops = {}, []
    for line in run.stdout.splitlines():
        symbol = re.search(r'sym_name = "([^"]+)"', line)
        if symbol:
            ops = symbols.setdefault(symbol[1], [])
        ops += re.findall(r'"([a-z]\w*\.[\w.]+)"\(', line)
    return symbols


def check(nova_opt, name, before, note, after):
    """Why the example is wrong, or None."""
    quoted = re.findall(r"`([^`]+)`", note)
    options = " ".join(word for word in quoted if "=" in word)
    passes = [word for word in quoted if word.startswith("--")]
    expected = ops_of(nova_opt, after)
    found = ops_of(nova_opt, before, f"--{name}={options}" if options else f"--{name}", *passes)
    for what, ops in (("the program after it", expected), ("the program before it", found)):
        if isinstance(ops, str):
            return f"{what} fails: {ops}"
    for symbol, ops in expected.items():
        if found.get(symbol) != ops:
            return f"@{symbol}: expected {ops}, found {found.get(symbol)}"
    return None


def main():
    nova_opt, pages, examples, problems = sys.argv[1], sys.argv[2:], 0, 0
    for page in pages:
        sections = re.split(r"^### `-([\w-]+)`$", Path(page).read_text(), flags=re.M)
        for name, text in zip(sections[1::2], sections[2::2]):
            found = EXAMPLE.findall(text)
            reasons = [check(nova_opt, name, *example) for example in found] or ["expected an example, Before and After"]
            for reason in filter(None, reasons):
                print(f"{Path(page).name}: --{name}: {reason}")
                problems += 1
            examples += len(found)
    print(f"{examples} examples, {problems} problems")
    return 1 if problems or not examples else 0


if __name__ == "__main__":
    sys.exit(main())
