#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes docs/dialect and docs/passes from the .td files: a page for each group of ops and for each room with passes.

usage: generate_docs.py MLIR_TBLGEN [--check]
With --check nothing is written; pages that are not fresh are listed, and the exit code is 1 if there are any.
`ninja -C build nova-docs` calls this.
"""

import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
INCLUDE = PROJECT / "include"


def pages():
    """(page, title, generator, source) of every page."""
    dialect = INCLUDE / "Nova/Dialect"
    for source in sorted(dialect.glob("Nova*Ops.td")):
        group = source.stem[len("Nova"):-len("Ops")]
        if group:
            yield f"dialect/{group}.md", f"{group} ops", "-gen-op-doc", source
    yield "dialect/Attributes.md", "Attributes", "-gen-attrdef-doc", dialect / "NovaAttributes.td"
    yield "dialect/Interfaces.md", "Interfaces", "-gen-op-interface-docs", dialect / "NovaInterfaces.td"
    for source in sorted(INCLUDE.glob("Nova/*/Passes.td")):
        room = source.parent.name
        yield f"passes/{room}.md", f"Passes of {room}", "-gen-pass-doc", source


def render(tblgen, title, generator, source):
    command = [tblgen, generator, f"-I{INCLUDE}", f"-I{tblgen.parent.parent / 'include'}", source]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    notice, _, body = text.partition("\n")
    lines = [line.rstrip() for line in body.strip().splitlines()]
    return f"{notice}\n\n# {title}\n\n" + "\n".join(lines) + "\n"


def main():
    tblgen, check = Path(shutil.which(sys.argv[1])), sys.argv[2:] == ["--check"]
    made = {PROJECT / "docs" / page: render(tblgen, *how) for page, *how in pages()}
    present = {path for folder in ("dialect", "passes") for path in (PROJECT / "docs" / folder).glob("*.md")}
    stale = [path for path in sorted(made.keys() | present)
             if path not in made or path not in present or path.read_text() != made[path]]
    for path in stale:
        if check:
            print(f"{path.relative_to(PROJECT)} is not fresh; run ninja -C build nova-docs")
        elif path in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made[path])
        else:
            path.unlink()
    if check:
        print(f"{len(made)} pages, {len(stale)} not fresh")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
