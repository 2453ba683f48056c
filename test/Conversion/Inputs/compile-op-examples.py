# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the example of every op in docs/dialect by a pipeline to code.

usage: compile-op-examples.py NOVA_OPT PIPELINE EXAMPLES PAGE...; EXAMPLES is test/docs/Inputs/run-op-examples.py.
"""

import importlib.util
import re
import sys


def load(path):
    spec = importlib.util.spec_from_file_location("examples", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def returning_all(function):
    """The function, in generic form, with the results of all its ops as results: nothing of it is dead."""
    values, types = [], []
    for name, count, of in re.findall(r"^ *(%\d+)(?::(\d+))? = .* -> (.*)$", function, flags=re.M):
        values += [f"{name}#{i}" for i in range(int(count))] if count else [name]
        types += re.findall(r"tensor<[^>]*>", of)
    types = ", ".join(types)
    function = re.sub(r"(function_type = \(.*\)) -> \(\)", rf"\1 -> ({types})", function)
    return function.replace('"func.return"() : () ->', f'"func.return"({", ".join(values)}) : ({types}) ->')


def main():
    nova_opt, pipeline, tools, pages = sys.argv[1], sys.argv[2], load(sys.argv[3]), sys.argv[4:]
    skipped = {*tools.TOP_LEVEL, *tools.SYMBOLS, "nova.return"}
    count = problems = 0
    for op, program in tools.examples(pages):
        if op in skipped:
            continue
        generic = tools.run([nova_opt, "--mlir-print-op-generic"], program).stdout
        compiled = tools.run([nova_opt, pipeline], returning_all(generic))
        if compiled.returncode:
            problems += 1
            print(f"{op}: expected code by {pipeline}, found\n{compiled.stderr}")
        count += 1
    print(f"{count} examples, {problems} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
