# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the kernel report of a bundle: no kernel of a GPU may use local memory, which spills are, too.

usage: no-local-memory.py REPORT TARGETS
"""

import sys

tables, columns = 0, None
for line in open(sys.argv[1]):
    fields = line.split()
    if line.startswith("one run of "):
        columns = None
    elif fields[:1] == ["kernel"]:
        columns = fields if "local" in fields else None
        tables += columns is not None
    elif columns and len(fields) >= len(columns):
        if fields[columns.index("local")] != "0":
            sys.exit(f"{fields[0]} uses local memory: {line.strip()}")
if tables != int(sys.argv[2]):
    sys.exit(f"expected tables of {sys.argv[2]} GPUs, found {tables}")
