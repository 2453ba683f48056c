# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the flags of a tool's --help with those of its section in docs/CommandLine.md.

usage: check-flags.py PAGE TOOL [PREFIX]; only flags with the prefix count. Exits with 1 if the two differ.
"""

import re
import subprocess
import sys
from pathlib import Path


def main():
    page, tool = Path(sys.argv[1]).read_text(), sys.argv[2]
    prefix = "--" + (sys.argv[3] if len(sys.argv) > 3 else "")
    section = re.search(rf"^## {tool}\n(.*?)(?=^## |\Z)", page, flags=re.M | re.S)[1]
    documented = {flag for code in re.findall(r"`([^`]*)`", section) for flag in re.findall(r"--[a-z][\w-]*", code)}
    text = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    # A flag's own line, not one that an example or a description mentions.
    existing = set(re.findall(r"^\s+(?:-\w,? *)?(--[a-z][\w-]*)", text, flags=re.M))
    documented, existing = ({flag for flag in flags if flag.startswith(prefix)} - {"--help", "--help-list", "--version", "--"}
                            for flags in (documented, existing))
    for flag in sorted(existing - documented):
        print(f"{flag} of {tool} is not in {sys.argv[1]}")
    for flag in sorted(documented - existing):
        print(f"{tool} has no {flag}, though {sys.argv[1]} says so")
    print(f"{len(existing)} flags of {tool}, {len(existing ^ documented)} differences")
    return 1 if existing != documented or not existing else 0


if __name__ == "__main__":
    sys.exit(main())
