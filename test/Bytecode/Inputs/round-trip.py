# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes programs as bytecode and reads them again.

usage: round-trip.py PROGRAM...
A program in text and the same from its bytecode print alike, and bytecode of bytecode is the same to the byte. Of a
file with several programs (-split-input-file), each counts; one that is meant to be wrong is left out.
"""

import subprocess
import sys
from pathlib import Path


def nova_opt(source, *flags):
    return subprocess.run(["nova-opt", "-", *flags], input=source, capture_output=True, check=False)


def main():
    count, problems = 0, 0
    for path in map(Path, sys.argv[1:]):
        for part in path.read_text().split("// -----"):
            # Without locations, which in text are lines of this very text.
            text = nova_opt(part.encode(), "--strip-debuginfo")
            if text.returncode or b"nova." not in text.stdout:
                continue
            count += 1
            bytecode = nova_opt(text.stdout, "--strip-debuginfo", "--emit-bytecode")
            again = nova_opt(bytecode.stdout, "--emit-bytecode")
            if (nova_opt(bytecode.stdout).stdout, again.stdout) != (text.stdout, bytecode.stdout):
                problems += 1
                print(f"{path}: expected the same program from its bytecode, found another\n{bytecode.stderr.decode()}")
    print(f"{count} programs, {problems} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
