#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many goldens every op of the dialect has, values and gradients, and in which types. Uses the standard library alone.

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
    # An op with a golden in one type of floating point has one in all of them.
    by_type = {dtype: set() for dtype in ("f64", "f32", "f16", "bf16")}
    for program in programs:
        dtype = pathlib.Path(program).stem.split("-")[-1]
        if dtype in by_type:
            by_type[dtype].update(re.findall(r"= (nova\.\w+)", pathlib.Path(program).read_text()))
    float_ops = set.union(*by_type.values())
    for dtype, found in by_type.items():
        print(f"{dtype}: {len(found)} of {len(float_ops)} ops"
              + "".join(f", without {op}" for op in sorted(float_ops - found)))  # fmt: skip
    uneven = any(found != float_ops for found in by_type.values())
    missing = []
    for op in sorted(ops):
        of = GRADIENT_OF.match(op)
        count = gradients[of[1]] if of else values[op] + gradients[op]
        print(f"{op}: {values[op]} values, {gradients[of[1] if of else op]} gradients"
              + (f" ({EXEMPT[op]})" if op in EXEMPT else ""))  # fmt: skip
        if not count and op not in EXEMPT:
            missing.append(op)
    print(f"{len(ops)} ops, {len(missing)} without a golden" + (f": {', '.join(missing)}" if missing else ""))
    return 1 if missing or uneven or len(ops) < 80 else 0


if __name__ == "__main__":
    sys.exit(main())
