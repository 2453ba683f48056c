#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the data of examples/mlp.mlir: noisy pictures of digits, 8 by 8, as one safetensors file.

    make_mlp_data.py OUT.safetensors [--rows 2000] [--seed 0]

Arrays: x, f32 [rows, 64], brightness; y, i32 [rows], the digit. Needs nothing but Python; the same seed gives the same
file.
"""
import argparse
import json
import random
import struct

# Five columns and seven rows each, from top to bottom; shifted about in the 8 by 8 frame.
GLYPHS = [
    ".###. #...# #..## #.#.# ##..# #...# .###.",
    "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",
    ".###. #...# ....# ..##. .#... #.... #####",
    ".###. #...# ....# ..##. ....# #...# .###.",
    "...#. ..##. .#.#. #..#. ##### ...#. ...#.",
    "##### #.... ####. ....# ....# #...# .###.",
    "..##. .#... #.... ####. #...# #...# .###.",
    "##### ....# ...#. ..#.. .#... .#... .#...",
    ".###. #...# #...# .###. #...# #...# .###.",
    ".###. #...# #...# .#### ....# ...#. .##..",
]
SIDE = 8


def draw(digit, generator):
    """A picture of a digit at a random place, with uneven brightness and noise."""
    rows = GLYPHS[digit].split()
    down, right = generator.randrange(SIDE - 7 + 1), generator.randrange(SIDE - 5 + 1)
    brightness = generator.uniform(0.7, 1.0)
    image = [generator.gauss(0.0, 0.1) for _ in range(SIDE * SIDE)]
    for i, row in enumerate(rows):
        for j, pixel in enumerate(row):
            if pixel == "#":
                image[(down + i) * SIDE + right + j] += brightness
    return image


def write_safetensors(path, arrays):
    """`arrays`: name to (dtype, shape, bytes). The header is padded so that the arrays begin at a multiple of 8."""
    header, offset = {}, 0
    for name, (dtype, shape, data) in arrays.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, _, data in arrays.values():
            file.write(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.rows < 1:
        parser.error(f"expected at least one row, found {arguments.rows}")

    generator = random.Random(arguments.seed)
    digits = [generator.randrange(len(GLYPHS)) for _ in range(arguments.rows)]
    pixels = [value for digit in digits for value in draw(digit, generator)]
    write_safetensors(arguments.out, {
        "x": ("F32", [arguments.rows, SIDE * SIDE], struct.pack(f"<{len(pixels)}f", *pixels)),
        "y": ("I32", [arguments.rows], struct.pack(f"<{len(digits)}i", *digits)),
    })


if __name__ == "__main__":
    main()
