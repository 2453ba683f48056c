# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes arguments of the first function of a program twice: as they are, and rounded to tf32, to the nearest and ties
away from zero. In an argument named "special" rows of 13 begin with infinities, NaN, ties and the ends of the range.

usage: tf32-inputs.py PROGRAM INPUTS ROUNDED
"""

import json
import math
import random
import re
import struct
import sys

INFINITY, NAN = 0x7F800000, 0x7FC00000
# Up to the largest number that stays finite; then the smallest one that does not.
ENDS = [0x3F801000, 0xBF801000, 0x3F800FFF, 0x3F803000, 0x00000001, 0x00001000, 0x807FFFFF, 0x80000000, 0x7F7FEFFF]
SPECIAL = [[INFINITY], [INFINITY | 1 << 31, INFINITY], [NAN], ENDS, [0x7F7FF000]]


def to_tf32(bits):
    """Infinity and NaN stay; a carry goes from the mantissa to the exponent."""
    return bits if bits & 0x7F800000 == 0x7F800000 else (bits + 0x1000) & 0xFFFFE000


def bits_of(name, count, kind):
    if kind == "bf16":
        return [struct.unpack("<I", struct.pack("<f", random.gauss(0, 1)))[0] >> 16 for _ in range(count)]
    bits = [struct.unpack("<I", struct.pack("<f", random.gauss(0, 1)))[0] for _ in range(count)]
    for row, start in enumerate(SPECIAL if name == "special" else []):
        bits[13 * row : 13 * row + len(start)] = start
    return bits


def write(path, arguments, rounded):
    header, data = {}, b""
    for name, (shape, kind, bits) in arguments.items():
        words = [to_tf32(word) for word in bits] if rounded and kind == "f32" else bits
        packed = struct.pack(f"<{len(words)}{'I' if kind == 'f32' else 'H'}", *words)
        header[name] = {"dtype": kind.upper(), "shape": shape, "data_offsets": [len(data), len(data) + len(packed)]}
        data += packed
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


random.seed(1)
signature = re.search(r"func\.func @\w+\((.*?)->", open(sys.argv[1]).read(), re.DOTALL)[1]
arguments = {}
for index, (sizes, kind, name) in enumerate(
    re.findall(r"tensor<([\dx]+)x(\w+)>(?: \{nova\.name = \"(\w+)\"\})?", signature)
):
    shape = [int(size) for size in sizes.split("x")]
    name = name or f"arg{index}"
    arguments[name] = (shape, kind, bits_of(name, math.prod(shape), kind))
write(sys.argv[2], arguments, rounded=False)
write(sys.argv[3], arguments, rounded=True)
