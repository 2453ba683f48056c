# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the losses and gradient norms of two logs of nova-run (csv).

usage: same-losses.py LOG LOG TOLERANCE      relative; 0 asks for the same bits
"""

import csv
import sys


def read(path):
    with open(path, newline="") as file:
        return [(float(row["loss"]), float(row["grad_norm"])) for row in csv.DictReader(file)]


first, second, tolerance = read(sys.argv[1]), read(sys.argv[2]), float(sys.argv[3])
if not first or len(first) != len(second):
    sys.exit(f"expected as many steps, found {len(first)} and {len(second)}")
for step, (x, y) in enumerate(zip(first, second)):
    for name, a, b in zip(("loss", "grad_norm"), x, y):
        if not abs(a - b) <= tolerance * abs(a):
            sys.exit(f"step {step}: {name} {a!r} and {b!r} differ by more than {tolerance}")
print(f"{len(first)} steps agree")
