# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that what nova-opt's --help says above the flags, and the page on pipelines, know all of Nova's passes.

usage: check-passes.py NOVA_OPT PAGE; prints what is missing or too much, and exits with 1 if there is anything.
"""

import re
import subprocess
import sys
from pathlib import Path


def main():
    text = subprocess.run([sys.argv[1], "--help"], capture_output=True, text=True, check=True).stdout
    overview, _, flags = text.partition("OPTIONS:")
    registered, options, current = set(), {}, None
    for indent, name in re.findall(r"^( +)--([a-z][\w-]*)", flags, flags=re.M):
        if len(indent) == 6:
            current = name
            registered.add(name)
        elif len(indent) == 8 and current:
            options.setdefault(current, set()).add(name)
    registered = {name for name in registered if name.startswith("nova-")}
    listed = set(re.findall(r"^  --(nova-[\w-]+)", overview, flags=re.M))
    problems = [f"--{name} is registered or listed, and not both" for name in sorted(registered ^ listed)]

    page = Path(sys.argv[2]).read_text()
    sections = re.split(r"^## `--(nova-[\w-]+)`", page, flags=re.M)
    documented = {name: set(re.findall(r"^\| `([\w-]+)", text, flags=re.M))
                  for name, text in zip(sections[1::2], sections[2::2])}
    pipelines = {name for name in registered if name.endswith("-pipeline")}
    pipelines.discard("nova-pipeline")  # a pass
    for name in sorted(pipelines | documented.keys()):
        if documented.get(name) != options.get(name, set()):
            problems.append(f"--{name}: expected the options {options.get(name)}, found {documented.get(name)}")
    for problem in problems:
        print(problem)
    return 1 if problems or not pipelines else 0


if __name__ == "__main__":
    sys.exit(main())
