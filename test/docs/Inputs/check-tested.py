# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names the flags of a tool's --help that no test uses.

usage: check-tested.py TOOL FOLDER...; exits with 1 if there are any.
"""

import re
import subprocess
import sys
from pathlib import Path


def main():
    tool, *folders = sys.argv[1:]
    text = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    flags = set(re.findall(r"^\s+(?:-\w,? *)?(--[a-z][\w-]*)", text, flags=re.M))
    used = set()
    for path in (path for folder in folders for path in Path(folder).rglob("*") if path.is_file()):
        if path.suffix in (".test", ".mlir", ".py", ".cpp", ".json"):
            used |= set(re.findall(r"--[a-z][\w-]*", path.read_text(errors="replace")))
    for flag in sorted(flags - used):
        print(f"no test uses {flag} of {tool}")
    print(f"{len(flags)} flags of {tool}, {len(flags - used)} untested")
    return 1 if flags - used or not flags else 0


if __name__ == "__main__":
    sys.exit(main())
