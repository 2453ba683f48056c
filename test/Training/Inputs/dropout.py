# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks logs of dropout.mlir, trained with a learning rate of 0: a quarter of the 768 elements is kept in each step,
never the same ones, and all of them where the loss is evaluated. Two micro-batches of a step have the masks of two
batches.

usage: dropout.py LOG.csv LOG-OF-2-MICRO-BATCHES.csv
"""

import csv
import sys


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


rows = read(sys.argv[1])
losses = [float(row["loss"]) for row in rows]
evaluated = {float(row["eval_loss"]) for row in rows if row["eval_loss"]}
if not all(loss % 4 == 0 and 140 < loss / 4 < 244 for loss in losses):
    sys.exit(f"expected 4 for each of about 192 elements, found {losses}")
if len(set(losses)) < len(losses) - 2:
    sys.exit(f"expected another mask in every step, found {losses}")
if evaluated != {768.0}:
    sys.exit(f"expected evaluations without dropout to give 768, found {evaluated}")
for step, row in enumerate(read(sys.argv[2])):
    expected = (losses[2 * step] + losses[2 * step + 1]) / 2
    if float(row["loss"]) != expected:
        sys.exit(f"expected {expected} for the micro-batches of step {step}, found {row['loss']}")
print(f"{len(losses)} masks")
