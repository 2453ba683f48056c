# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks programs at random places and checks that a tool answers with a result or a diagnostic, never a crash.

usage: mutate.py COUNT SEED PROGRAM... -- COMMAND...
Each program is used in its custom and its generic form. The command reads one file of COUNT mutants, separated as for
--split-input-file. Exit codes 0 and 1 are answers; after any other the mutants are run one by one, and those that the
tool could not bear are printed.
"""

import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SEPARATOR = "\n// -----\n"
TOKEN = re.compile(r'"[^"\n]*"|tensor<[^>\n]*>|[%@#!^]?[\w.$-]+(?::\d+)?|\S|\s+')
NUMBERS = ["-1", "0", "1", "2", "3", "7", "64", "4294967296", "9223372036854775807", "-9223372036854775808", "0.0",
           "-1.0e30", "0x7FF0000000000000"]
SIZES = ["?", "0", "1", "2", "3", "5", "2147483648", "9223372036854775807"]
TYPES = ["tensor<f32>", "tensor<4xf32>", "tensor<?x?xf32>", "tensor<*xf32>", "tensor<0x3xf32>", "tensor<2x3xi1>",
         "tensor<3xi64>", "tensor<2x3xbf16>", "tensor<4xf32, \"x\">", "tensor<4xindex>", "memref<4xf32>",
         "vector<4xf32>", "index", "f32", "none", "tuple<>", "() -> ()"]
ELEMENTS = ["f64", "f32", "f16", "bf16", "i1", "i8", "i32", "i64", "i7", "index", "complex<f32>"]


def mutate_type(rng, text):
    """Another shape or element type."""
    parts = text[len("tensor<"):-1].split("x")
    place = rng.randrange(len(parts))
    if place == len(parts) - 1:
        parts[place] = rng.choice(ELEMENTS)
    else:
        choice = rng.random()
        parts[place:place + 1] = ([] if choice < 0.2 else [parts[place], rng.choice(SIZES)] if choice < 0.4
                                  else [rng.choice(SIZES)])
    return f"tensor<{'x'.join(parts)}>"


def mutate_token(rng, tokens, place):
    token = tokens[place]
    choice = rng.random()
    if choice < 0.08:
        return ""
    if choice < 0.12:
        return token + " " + token
    if token.startswith("tensor<"):
        return mutate_type(rng, token) if choice < 0.8 else rng.choice(TYPES)
    if re.fullmatch(r"-?[\d.][\d.e+-]*", token):
        return rng.choice(NUMBERS)
    # Something of the same kind from elsewhere in the program: a value, a symbol, an op, a word.
    kind = re.match(r'[%@#!^"]?', token)[0]
    return rng.choice([other for other in tokens if other.strip() and re.match(r'[%@#!^"]?', other)[0] == kind])


def mutate(rng, program):
    tokens = TOKEN.findall(program)
    places = [i for i, token in enumerate(tokens) if not token.isspace()]
    for place in rng.sample(places, min(len(places), rng.choice([1, 1, 1, 2, 3]))):
        tokens[place] = mutate_token(rng, tokens, place)
    return "".join(tokens)


def run(command, program, flags=()):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(program)
        file.flush()
        return subprocess.run([*command, *flags, file.name], capture_output=True, text=True, check=False)


def pieces(nova_opt, path):
    """The valid small programs in a test, without comments, and in generic form too."""
    text = re.sub(r"^\s*//(?! -----).*\n", "", path.read_text(), flags=re.M)
    for chunk in text.split("// -----"):
        small = chunk.count("\n") < 60
        for piece in [chunk] if small else re.findall(r"^func\.func .*?^}$", chunk, flags=re.M | re.S):
            generic = run([nova_opt], piece, ["--mlir-print-op-generic"])
            if generic.returncode == 0 and piece.strip():
                yield from (piece, generic.stdout)


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    split = sys.argv.index("--")
    paths, command = sys.argv[3:split], sys.argv[split + 1:]
    rng = random.Random(seed)
    programs = [piece for path in paths for piece in pieces(command[0], Path(path))]
    mutants = [mutate(rng, rng.choice(programs)) for _ in range(count)]
    answer = run(command, SEPARATOR.join(mutants), ["--split-input-file", "-o", "/dev/null"])
    if answer.returncode in (0, 1):
        print(f"{count} mutants of {len(programs)} programs: {answer.stderr.count(': error: ')} diagnostics")
        return 0
    for mutant in mutants:
        answer = run(command, mutant, ["-o", "/dev/null"])
        if answer.returncode not in (0, 1):
            print(f"exit code {answer.returncode}:\n{mutant}\n{answer.stderr}", flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
