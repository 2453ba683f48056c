#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what a program computed with what PyTorch did. Uses the standard library alone.

compare.py FOUND EXPECTED       two safetensors files; every expected.NAME of EXPECTED that FOUND has is compared

The number of an output is the largest difference over the largest magnitude: at most 1e-5 in f32, 1e-10 in f64, a unit
in the last place in bf16 and f16. Some gradients are zero by mathematics, and what any program computes for them is
rounding noise: one below 1e-5 of the largest gradient is measured against that one.
A model in bf16 or f16 is measured against f64.NAME, the same computed in f64, which EXPECTED has of most outputs: the
worst number may be twice that of PyTorch's own results.
"""

import array
import json
import math
import pathlib
import struct
import sys

TOLERANCE = {"F64": 1e-10, "F32": 1e-5, "BF16": 2**-7, "F16": 2**-10}


def read(path):
    """Name to (element type, elements)."""
    content = pathlib.Path(path).read_bytes()
    (size,) = struct.unpack("<Q", content[:8])
    header, data = json.loads(content[8 : 8 + size]), content[8 + size :]
    header.pop("__metadata__", None)
    return {name: (t["dtype"], elements(t["dtype"], data[slice(*t["data_offsets"])])) for name, t in header.items()}


def elements(dtype, content):
    if dtype == "BF16":
        return [struct.unpack("<f", b"\0\0" + content[i : i + 2])[0] for i in range(0, len(content), 2)]
    if dtype == "F16":
        return [value for (value,) in struct.iter_unpack("<e", content)]
    return array.array({"F32": "f", "F64": "d", "I32": "i", "I64": "q", "BOOL": "b", "I8": "b"}[dtype], content)


def distance(found, wanted):
    """The largest difference; infinite where only one is NaN, or an infinity of one is something else in the other."""
    if len(found) != len(wanted):
        return math.inf
    pairs = ((a, b) for a, b in zip(found, wanted) if a != b and not (math.isnan(a) and math.isnan(b)))
    return max((abs(a - b) if math.isfinite(a - b) else math.inf for a, b in pairs), default=0)


def magnitude(values):
    return max((abs(value) for value in values if math.isfinite(value)), default=0)


def number(found, wanted, largest=0):
    """The largest difference over the largest magnitude, that of all gradients where this one is noise."""
    scale = magnitude(wanted)
    scale = largest if scale < 1e-5 * largest else scale
    worst = distance(found, wanted)
    return worst / scale if scale else worst


def judge_narrow(found, expected, names):
    exact = {name: expected.get("f64." + name.removeprefix("expected.")) for name in names}
    known = [name for name in names if exact[name]]
    ours, theirs = (max(number(values[name][1], exact[name][1]) for name in known) for values in (found, expected))
    print(f"{len(known)} outputs, {ours:.2g} from f64 where PyTorch is {theirs:.2g}")
    return 0 if ours <= 2 * theirs else 1


def judge(found, expected):
    """Compares two files, and prints what is too far; the exit status."""
    found, expected = read(found), read(expected)
    names = [name for name in expected if name.startswith("expected.") and name in found]
    if any(name.startswith("parameter.") and dtype in ("BF16", "F16") for name, (dtype, _) in expected.items()):
        return judge_narrow(found, expected, names)
    gradients = [name for name in names if ".grad." in name]
    largest = max((magnitude(expected[name][1]) for name in gradients), default=0)
    far, worst = 0, 0
    for name in names:
        dtype, wanted = expected[name]
        now = number(found[name][1], wanted, largest if name in gradients else 0)
        worst = max(worst, now)
        if not now <= TOLERANCE.get(dtype, 0):
            far += 1
            print(f"{name}: {now:.3g} away, expected at most {TOLERANCE.get(dtype, 0):.3g}")
    print(f"{len(names)} outputs, {far} wrong, the worst {worst:.2g} away")
    return 1 if far or not names else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(judge(sys.argv[1], sys.argv[2]))
