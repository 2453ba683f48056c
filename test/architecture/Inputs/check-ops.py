# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every op that computes is compared with the evaluator in test/Numerics, and that the gradient of every
differentiable op has a golden. What ops there are, docs/dialect says.

usage: check-ops.py PROJECT; prints a line per op that is missing somewhere and exits with 1 if there is any.
"""

import re
import sys
from pathlib import Path

# Made by passes: from nova.attention_grad, from nova.value_and_grad, from programs with parameters. Tests of whole
# train steps run them.
MADE_BY_PASSES = {"nova.attention_grad_query", "nova.attention_grad_key_value", "nova.global_norm", "nova.read"}
# The gradient of a cast is a cast back, which test/Dialect/gradients-elementwise.mlir has; dropout draws its mask itself.
WITHOUT_GOLDEN = {"nova.cast", "nova.dropout", "nova.read"}


def ops(project):
    """(name, line of interfaces)."""
    for page in sorted((project / "docs/dialect").glob("*.md")):
        sections = re.split(r"^### `(nova\.\w+)`", page.read_text(), flags=re.M)
        for op, text in zip(sections[1::2], sections[2::2]):
            interfaces = re.search(r"^Interfaces: .*$", text, flags=re.M)
            yield op, interfaces[0] if interfaces else ""


def main():
    project = Path(sys.argv[1])
    programs = [*(project / "test/Numerics").glob("*.mlir"), *(project / "test/Goldens").glob("op-values-*.mlir")]
    numerics = "\n".join(path.read_text() for path in programs)
    goldens = (project / "test/Goldens/op-gradients.mlir").read_text()
    count = problems = 0
    for op, interfaces in ops(project):
        count += 1
        use = re.compile(rf"\b{re.escape(op)}\b")
        missing = []
        if "`IndexedOp`" in interfaces and op not in MADE_BY_PASSES and not use.search(numerics):
            missing.append("test/Numerics")
        if "`DifferentiableOp`" in interfaces and op not in WITHOUT_GOLDEN and not use.search(goldens):
            missing.append("test/Goldens/op-gradients.mlir")
        problems += len(missing)
        for place in missing:
            print(f"{op} is not in {place}")
    print(f"{count} ops, {problems} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
