#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many goldens every op of the dialect has, values and gradients, and in which types. Uses the standard library alone.

scripts/test.sh prints this after the tests. The ops are those of the pages in docs/dialect, the goldens this folder's.
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
    # Inside a block of a GPU kernel.
    **dict.fromkeys(
        ("nova.allocate", "nova.barrier", "nova.commit", "nova.contract", "nova.convert_layout", "nova.copy_async",
         "nova.load", "nova.wait"), "judged by the tiled kernel's values: test/Numerics/scheduled-matmuls.test"),
}  # fmt: skip
# Why a differentiable op has no golden of its gradient, which finite differences judge all the same.
WITHOUT_GRADIENT = {
    "nova.cast": "nothing in f64; the goldens of GPT-2 in bf16 are full of it",
    "nova.dropout": "of the mask that PyTorch does not draw",
}
FOLDER = pathlib.Path(__file__).resolve().parent
# Gradients are judged where they come from: the golden is that of the op that they differentiate.
GRADIENT_OF = re.compile(r"(nova\.\w+)_grad$")


def main():
    ops, differentiable = [], set()
    for page in sorted((FOLDER.parent.parent / "docs" / "dialect").glob("*.md")):
        for section in re.split(r"^### ", page.read_text(), flags=re.M)[1:]:
            if op := re.match(r"`(nova\.\w+)`", section):
                ops.append(op[1])
                if "`DifferentiableOp`" in section:
                    differentiable.add(op[1])
    programs = sorted(FOLDER.glob("op-*.mlir"))
    values, gradients = collections.Counter(), collections.Counter()
    for program in programs:
        counter = gradients if "gradients" in program.name else values
        counter.update(re.findall(r"= (nova\.\w+)", program.read_text()))
    # An op with a golden in one type of floating point has one in all of them.
    by_type = {dtype: set() for dtype in ("f64", "f32", "f16", "bf16")}
    for program in programs:
        dtype = program.stem.split("-")[-1]
        if dtype in by_type:
            by_type[dtype].update(re.findall(r"= (nova\.\w+)", program.read_text()))
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
        has_gradient = op not in differentiable or gradients[of[1] if of else op] or op in WITHOUT_GRADIENT
        if op not in EXEMPT and not (count and has_gradient):
            missing.append(op)
    print(f"{len(ops)} ops, {len(differentiable)} differentiable, {len(missing)} without a golden" + (f": {', '.join(missing)}" if missing else ""))
    return 1 if missing or uneven or len(ops) < 80 else 0


if __name__ == "__main__":
    sys.exit(main())
