#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says how many digits of scripts/make_mlp_data.py the model of examples/mlp.mlir recognises.

    mlp_accuracy.py DATA.safetensors LOGITS.safetensors

DATA has the digits, i32 [rows] as y; LOGITS, as nova-run --outputs writes them, ten numbers a row, f32 as result0.
"""
import argparse
import json
import struct


def read(path, key):
    """An array of 4-byte numbers: its data, flat."""
    with open(path, "rb") as file:
        data = file.read()
    size = struct.unpack("<Q", data[:8])[0]
    said = json.loads(data[8 : 8 + size])[key]
    begin, end = (8 + size + offset for offset in said["data_offsets"])
    return struct.unpack(f"<{(end - begin) // 4}{'f' if said['dtype'] == 'F32' else 'i'}", data[begin:end])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("logits")
    arguments = parser.parse_args()
    digits, logits = read(arguments.data, "y"), read(arguments.logits, "result0")
    rows = [logits[i : i + 10] for i in range(0, len(logits), 10)]
    right = sum(max(range(10), key=row.__getitem__) == digit for row, digit in zip(rows, digits))
    print(f"{right} of {len(rows)} digits recognised")


if __name__ == "__main__":
    main()
