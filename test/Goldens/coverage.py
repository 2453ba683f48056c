#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many goldens every op of the dialect has, values and gradients. Uses the standard library alone.

coverage.py PAGE... -- PROGRAM...    the pages of docs/dialect, then the programs of this folder
"""

import collections
import pathlib
import re
import sys

# Why an op has no golden of its own.
EXEMPT = {
    "nova.kernel": "structure", "nova.launch": "structure", "nova.return": "structure", "nova.parameter": "structure",
    "nova.read": "structure", "nova.value_and_grad": "structure", "nova.constant": "in every program",
    "nova.random_normal": "judged by stored bits and statistics: test/unit/Support, test/Numerics/random.mlir",
    "nova.attention_grad_query": "a part of attention_grad", "nova.attention_grad_key_value": "a part of attention_grad",
}  # fmt: skip
# Gradients are judged where they come from: the golden is that of the op that they differentiate.
GRADIENT_OF = re.compile(r"(nova\.\w+)_grad$")


def main():
    split = sys.argv.index("--")
    pages, programs = sys.argv[1:split], sys.argv[split + 1 :]
    ops = [op for page in pages for op in re.findall(r"^### `(nova\.\w+)`", pathlib.Path(page).read_text(), re.M)]
    values, gradients = collections.Counter(), collections.Counter()
    for program in programs:
        counter = gradients if "gradients" in program else values
        counter.update(re.findall(r"= (nova\.\w+)", pathlib.Path(program).read_text()))
    missing = []
    for op in sorted(ops):
        of = GRADIENT_OF.match(op)
        count = gradients[of[1]] if of else values[op] + gradients[op]
        print(f"{op}: {values[op]} values, {gradients[of[1] if of else op]} gradients"
              + (f" ({EXEMPT[op]})" if op in EXEMPT else ""))  # fmt: skip
        if not count and op not in EXEMPT:
            missing.append(op)
    print(f"{len(ops)} ops, {len(missing)} without a golden" + (f": {', '.join(missing)}" if missing else ""))
    return 1 if missing or len(ops) < 80 else 0


if __name__ == "__main__":
    sys.exit(main())
