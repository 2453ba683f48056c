# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what CONTRIBUTING.md asks of every file: header, size, nothing left to do, passes that tests name; that links
between pages lead somewhere, and that nothing unknown lies at the root.

usage: check-files.py PROJECT; prints one line per violation and exits 1 if there is any.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

MOST_LINES = {".cpp": 600, ".h": 600, ".td": 350}
HEADER = """//
// Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-"""
LEFT_TO_DO = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK"]) + r")\b")


# What lies at the root; anything else belongs into a folder, or is left over from somebody's work.
AT_ROOT = {".ci", ".clang-format", ".clang-tidy", ".gitignore", "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md",
           "LICENSE", "README.md", "bench", "cmake", "docs", "examples", "include", "lib", "scripts", "test", "tools"}


def check_root(project):
    """What is part of the project, as git knows it. A copy without git has what it was unpacked from, and builds."""
    if not shutil.which("git") or not (project / ".git").exists():
        return
    listed = subprocess.run(["git", "-C", project, "ls-files"], capture_output=True, text=True, check=True).stdout
    for name in sorted({line.split("/")[0] for line in listed.splitlines()} - AT_ROOT):
        yield project / name, 1, "expected nothing of this name at the root"


def files_under(project, *folders):
    for folder in folders:
        yield from (path for path in sorted((project / folder).rglob("*"))
                    if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".safetensors")


def check_code(path, text):
    first, _, rest = text.partition("\n")
    if not re.match(rf"//===-+ {re.escape(path.name)} .*===//$", first) or not rest.startswith(HEADER):
        yield 1, "expected the header that every file has, with the file's name"
    lines = text.count("\n")
    if lines > MOST_LINES[path.suffix]:
        yield 1, f"expected at most {MOST_LINES[path.suffix]} lines, found {lines}: which two jobs does it hold?"


def check_lines(text):
    for number, line in enumerate(text.splitlines(), 1):
        if LEFT_TO_DO.search(line):
            yield number, "something is left to do"


def check_passes(project):
    """Every pass is named on a command line of a test."""
    tests = "\n".join(path.read_text(errors="replace") for path in files_under(project, "test"))
    for path in files_under(project, "include"):
        if path.suffix != ".td":
            continue
        text = path.read_text()
        for match in re.finditer(r'Pass<"(nova-[\w-]+)"', text):
            if not re.search(rf"--?{match[1]}(?![\w-])|\b{match[1]}(?=[,){{])", tests):
                yield path, text.count("\n", 0, match.start()) + 1, f"no test runs --{match[1]}"


def check_links(path, text):
    # Code has brackets of its own.
    text = re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), text, flags=re.M | re.S)
    for number, line in enumerate(text.splitlines(), 1):
        for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", line):
            if not (path.parent / link).exists():
                yield number, f"the link to {link} leads nowhere"


def main():
    project = Path(sys.argv[1])
    problems = [*check_root(project), *check_passes(project)]
    checked = 0
    for path in files_under(project, "include", "lib", "tools", "test", "scripts", "cmake", "examples"):
        text = path.read_text(errors="replace")
        checked += 1
        problems += [(path, *problem) for problem in check_lines(text)]
        if path.suffix in MOST_LINES and "Inputs" not in path.parts:
            problems += [(path, *problem) for problem in check_code(path, text)]
    for path in [*project.glob("*.md"), *sorted((project / "docs").rglob("*.md"))]:
        checked += 1
        problems += [(path, *problem) for problem in check_links(path, path.read_text())]
    for path, line, problem in problems:
        print(f"{path.relative_to(project)}:{line}: {problem}")
    print(f"{checked} files, {len(problems)} problems")
    return 1 if problems or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
