# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parses the example of every op in docs/dialect.

usage: run-op-examples.py NOVA_OPT PAGE...
An example names operands that it doesn't define: they become arguments, of the types behind the op's colon.
"""

import re
import subprocess
import sys
from pathlib import Path

# What examples of symbols refer to, and operands whose type an op's format leaves out.
SYMBOLS = {
    "nova.read": "nova.parameter @w : tensor<64x10xf32> = #nova.constant<0.0>",
    "nova.launch": "nova.kernel @bias(%x: tensor<64x10xf32>, %b: tensor<10xf32>) -> tensor<64x10xf32> "
                   "family elementwise {\n  nova.return %x : tensor<64x10xf32>\n}",
    "nova.value_and_grad": "func.func private @loss(tensor<4x4xf32>, tensor<2x4xf32>) -> tensor<f32>",
}
UNSPELLED = {"%lr": "tensor<f32>", "%seed": "tensor<i64>", "%step": "tensor<i64>", "%s": "tensor<f32>",
             "%m": "tensor<64x10xf32>", "%v": "tensor<64x10xf32>"}
TOP_LEVEL = ("nova.parameter", "nova.kernel")


def statements(example):
    """The example's ops, one each; an op may continue on further lines."""
    lines = re.sub(r"\s*//.*", "", example).splitlines()
    found = []
    for line in lines:
        if line.startswith(" ") and found:
            found[-1] += line
        elif line.strip():
            found.append(line)
    return found


def arguments_of(statement):
    """(name, type) of the operands."""
    body, _, types = statement.partition(" = ")[2].rpartition(" : ")
    if not body:
        return []
    types = re.findall(r"tensor<[^>]*>", types.split("->")[0])
    names = list(dict.fromkeys(re.findall(r"%\w+", body)))
    spelled = [name for name in names if len(names) == len(types) or name not in UNSPELLED]
    return list(zip(spelled, types)) + [(name, UNSPELLED[name]) for name in names if name not in spelled]


def program_of(op, example):
    if op in TOP_LEVEL:
        return example
    if op == "nova.return":
        return f"nova.kernel @k(%y: tensor<64x10xf32>) -> tensor<64x10xf32> family elementwise {{\n{example}}}\n"
    ops, defined, arguments = statements(example), set(), {}
    for statement in ops:
        arguments.update((name, type) for name, type in arguments_of(statement) if name not in defined)
        defined.update(re.findall(r"%\w+", statement.partition(" = ")[0]))
    signature = ", ".join(f"{name}: {type}" for name, type in arguments.items())
    body = "\n".join("  " + statement for statement in ops)
    return f"{SYMBOLS.get(op, '')}\nfunc.func @example({signature}) {{\n{body}\n  return\n}}\n"


def examples(pages):
    """(op, its example as a program, or nothing if it has none)."""
    for page in pages:
        if Path(page).stem == "Schedule":  # only inside a block of a kernel: test/Dialect/schedule.mlir has them all
            continue
        sections = re.split(r"^### `(nova\.\w+)`", Path(page).read_text(), flags=re.M)
        for op, text in zip(sections[1::2], sections[2::2]):
            example = re.search(r"^```mlir\n(.*?)^```", text, flags=re.M | re.S)
            yield op, program_of(op, example[1]) if example else ""


def run(command, program):
    return subprocess.run(command, input=program, capture_output=True, text=True, check=False)


def main():
    nova_opt, pages, count, problems = sys.argv[1], sys.argv[2:], 0, 0
    for op, program in examples(pages):
        parsed = run([nova_opt], program)
        if parsed.returncode or op not in parsed.stdout:
            problems += 1
            print(f"{op}: expected an example that parses, found\n{program}\n{parsed.stderr}")
        count += 1
    print(f"{count} examples, {problems} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
