# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks figures.json of bench/gpu.py --size tiny --gates: the problems' arithmetic, and that gates say something.

usage: check-figures.py figures.json PROBLEMS"""
import json
import sys

figures = json.load(open(sys.argv[1]))
rows = {(row["problem"], row["whose"]): row for row in figures["problems"]}
problems = {problem for problem, _ in rows}
assert len(problems) == int(sys.argv[2]), problems
for problem in problems:
    assert (problem, "nova") in rows, f"Nova's {problem} is missing"
    assert any(of == problem and whose.startswith("triton") for of, whose in rows), f"the peer's {problem} is missing"
for (problem, whose), row in rows.items():
    if problem.startswith("matmul"):
        # 2 * 256^3 FLOP are 8192 matrix instructions of 4096, whoever made the kernel.
        assert row["matrix"] == 8192, (problem, whose, row["matrix"])
    assert row["warp instr"] > 0 and row["requests"] > 0, (problem, whose)
    assert row["sec/useful"] > 0.99, (problem, whose, row["sec/useful"])
assert figures["gates"] and all(isinstance(gate["passes"], bool) for gate in figures["gates"])
for name, kernels in figures["steps"].items():
    assert sum(kernel["launches"] for kernel in kernels) > 20 and all(kernel["seconds"] > 0 for kernel in kernels), name
print(f"{len(rows)} rows, {len(figures['steps'])} steps")
