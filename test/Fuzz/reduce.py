# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a program that shows a fault smaller, as long as it fails in the same way."""

from programs import Program


def candidates(program):
    """Smaller programs: with one result alone, without a result, with an argument in an op's place, without an op."""
    if not program.is_training:
        for result in program.results if len(program.results) > 1 else []:
            yield Program(program.arguments, program.ops, [result]).pruned()
        # Ending earlier: a result's op away, its operands the results.
        for result in program.results:
            made = next(op for op in program.ops if result in op.results)
            rest = [r for r in program.results if r is not result]
            inner = [v for v in made.operands if any(v in op.results for op in program.ops)]
            if rest + inner:
                yield Program(program.arguments, program.ops, list(dict.fromkeys(rest + inner))).pruned()
    for op in reversed(program.ops):
        # An op whose results become arguments.
        if any(result in program.results or result.is_kept for result in op.results):
            continue
        values = [value for value in op.results if any(value in other.operands for other in program.ops)]
        if all(value.dtype not in ("i32", "i64") for value in values):
            yield Program(program.arguments + values, [o for o in program.ops if o is not op], program.results,
                          program.is_training).pruned()  # fmt: skip


def reduced(program, failure, fails):
    """The smallest program found, and how it fails."""
    shrunk = True
    while shrunk:
        shrunk = False
        for smaller in candidates(program):
            again = fails(smaller)
            if again and again.way.split()[0] == failure.way.split()[0]:
                program, failure, shrunk = smaller, again, True
                break
    return program, failure
