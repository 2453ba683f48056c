# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a table of 10 rows of 4 and five tokens, one of them 12, as a .safetensors.

usage: write-tokens.py FILE
"""

import json
import struct
import sys

table, tokens = struct.pack("<40f", *range(40)), struct.pack("<5i", 1, 9, 0, 12, 3)
header = json.dumps({"table": {"dtype": "F32", "shape": [10, 4], "data_offsets": [0, len(table)]},
                     "tokens": {"dtype": "I32", "shape": [5], "data_offsets": [len(table), len(table) + len(tokens)]}})
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header.encode() + table + tokens)
