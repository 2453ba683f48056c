# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far functions of f32 are from the right value, in units in the last place. Uses the standard library alone.

ulps.py make FILE            the program: every function with a bound, on a tensor
ulps.py inputs FILE          numbers of all sizes, as safetensors
ulps.py check INPUTS FOUND   the largest distance of each function
"""

import array
import json
import math
import pathlib
import random
import struct
import sys

COUNT = 20000


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x > 0 else math.exp(x) / (1 + math.exp(x))


# Function, what it is asked for, and the bound.
FUNCTIONS = {
    "exp": (math.exp, "exponents", 2), "log": (math.log, "positive", 2), "tanh": (math.tanh, "all", 5),
    "erf": (math.erf, "all", 5), "sin": (math.sin, "all", 2), "cos": (math.cos, "all", 2), "tan": (math.tan, "all", 2),
    "exp2": (lambda x: 2.0**x, "powers", 2), "expm1": (math.expm1, "exponents", 2), "log1p": (math.log1p, "positive", 2),
    "log2": (math.log2, "positive", 2), "log10": (math.log10, "positive", 2), "asin": (math.asin, "unit", 2),
    "acos": (math.acos, "unit", 2), "atan": (math.atan, "all", 2), "sinh": (math.sinh, "both", 2),
    "cosh": (math.cosh, "both", 2), "asinh": (math.asinh, "all", 2), "acosh": (math.acosh, "above", 2),
    "atanh": (math.atanh, "unit", 2), "sigmoid": (sigmoid, "exponents", 3),
}  # fmt: skip


def rounded(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def domains():
    """Arguments of functions, exact in f32."""
    rng = random.Random(7)
    every = [struct.unpack("f", struct.pack("I", rng.getrandbits(32)))[0] for _ in range(2 * COUNT)]
    every = [x for x in every if math.isfinite(x)][:COUNT]
    return {
        "all": every,
        "positive": [abs(x) or 1.0 for x in every],
        # From below the smallest result, which is no normal number, to the largest.
        "exponents": [rounded(rng.uniform(-106, 88)) if i % 2 else rounded(rng.gauss(0, 1)) for i in range(COUNT)],
        "both": [rounded(rng.uniform(-88, 88)) if i % 2 else rounded(rng.gauss(0, 1)) for i in range(COUNT)],
        "powers": [rounded(rng.uniform(-151, 127)) for _ in range(COUNT)],
        "unit": [rounded(rng.uniform(-1, 1)) * 2.0 ** -rng.choice([0, 0, 1, 10, 40]) for _ in range(COUNT)],
        "above": [rounded(1 + abs(x)) if abs(x) < 1e38 else 2.0 for x in every],
    }


def distance(found, right):
    """In units in the last place of f32 at the right value; results below the normal numbers are in units there."""
    exponent = max(math.frexp(right)[1] - 24, -149) if right else -149
    return abs(found - right) / 2.0**exponent


def write(path, tensors):
    header, data = {}, b""
    for name, values in tensors.items():
        content = array.array("f", values).tobytes()
        header[name] = {"dtype": "F32", "shape": [len(values)], "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + data)


def read(path):
    content = pathlib.Path(path).read_bytes()
    (size,) = struct.unpack("<Q", content[:8])
    header, data = json.loads(content[8 : 8 + size]), content[8 + size :]
    header.pop("__metadata__", None)
    return {name: array.array("f", data[slice(*t["data_offsets"])]) for name, t in header.items()}


def program():
    type = f"tensor<{COUNT}xf32>"
    arguments = ", ".join(f'%{name}: {type} {{nova.name = "{name}"}}' for name in domains())
    results = ", ".join(f'{type} {{nova.name = "{name}"}}' for name in FUNCTIONS)
    lines = [f"func.func @functions({arguments}) -> ({results}) {{"]
    lines += [f"  %{name}.y = nova.{name} %{domain} : {type}" for name, (_, domain, _) in FUNCTIONS.items()]
    values = ", ".join(f"%{name}.y" for name in FUNCTIONS)
    return "\n".join([*lines, f"  return {values} : {', '.join([type] * len(FUNCTIONS))}", "}", ""])


def check(inputs, found):
    failed = False
    for name, (function, domain, bound) in FUNCTIONS.items():
        worst, where = 0.0, 0.0
        for x, y in zip(inputs[domain], found[name]):
            d = distance(y, function(x))
            if not d <= worst:
                worst, where = d, x
        failed |= not worst <= bound
        print(f"{name}: {worst:.2f} units at {where!r}, at most {bound} allowed")
    return failed


def main():
    command, *paths = sys.argv[1:]
    if command == "make":
        pathlib.Path(paths[0]).write_text(program())
    elif command == "inputs":
        write(paths[0], domains())
    else:
        return check(read(paths[0]), read(paths[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
