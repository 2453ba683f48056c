#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a browser drew: a PNG must show enough of every colour, on white. Uses the standard library alone.

look-at.py PICTURE.png NAME=RRGGBB...
"""

import pathlib
import struct
import sys
import zlib


def pixels(data):
    """The RGB pixels of a PNG of 8 bits a channel without interlacing, which is what browsers write."""
    at, packed, width, channels = 8, b"", 0, 0
    while at < len(data):
        (length,), kind = struct.unpack_from(">I", data, at), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, _, depth, colour, *_, interlaced = struct.unpack(">IIBBBBB", body)
            channels = {2: 3, 6: 4}[colour]
            assert depth == 8 and not interlaced
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    raw, stride = zlib.decompress(packed), width * channels
    above = bytearray(stride)
    for start in range(0, len(raw), stride + 1):
        kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for i in range(stride):
            a, b, c = row[i - channels] if i >= channels else 0, above[i], above[i - channels] if i >= channels else 0
            if kind == 4:
                p = a + b - c
                a = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[i] = (row[i] + (0, a, b, (a + b) // 2, a)[kind]) & 255
        above = row
        yield from (tuple(row[i : i + 3]) for i in range(0, stride, channels))


def main():
    picture, wanted = list(pixels(pathlib.Path(sys.argv[1]).read_bytes())), dict(x.split("=") for x in sys.argv[2:])
    bad = picture.count((255, 255, 255)) < len(picture) // 2
    for name, code in wanted.items():
        colour = bytes.fromhex(code)
        near = sum(max(abs(a - b) for a, b in zip(pixel, colour)) < 24 for pixel in picture)
        print(f"{name}: {near} pixels")
        bad |= near < 150
    return bad


if __name__ == "__main__":
    sys.exit(main())
