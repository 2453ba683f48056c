#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of this folder do with the files of scripts/make_goldens.py. Uses the standard library alone.

golden.py split GOLDEN FOLDER       FOLDER/init.safetensors (the parameters), FOLDER/data.safetensors (all batches) and
                                    FOLDER/inputs.safetensors (the parameters and the first batch)
golden.py gradients FOUND GOLDEN    the loss to 1e-6 of its size, every gradient to 1e-4 of its largest element
golden.py losses LOG GOLDEN         the losses of a nova-run --log LOG.jsonl to 1e-4 of the largest
golden.py bf16-gradients FOUND GOLDEN BF16   no gradient twice as far from GOLDEN's as PyTorch's in bf16 (BF16 has how far)
golden.py bf16-losses LOG BF16               the losses to 2e-2
"""

import array
import json
import math
import pathlib
import struct
import sys


def read(path):
    """Name to (element type, shape, bytes)."""
    content = pathlib.Path(path).read_bytes()
    (size,) = struct.unpack("<Q", content[:8])
    header, data = json.loads(content[8 : 8 + size]), content[8 + size :]
    header.pop("__metadata__", None)
    return {name: (t["dtype"], t["shape"], data[slice(*t["data_offsets"])]) for name, t in header.items()}


def write(path, tensors):
    header, data = {}, b""
    for name, (dtype, shape, content) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + data)


def elements(tensor):
    dtype, _, content = tensor
    return array.array({"F32": "f", "F64": "d"}[dtype], content)


def split(golden, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    tensors = read(golden)
    parameters = {name: t for name, t in tensors.items() if name.startswith("transformer.")}
    data = {name: tensors[name] for name in ("tokens", "targets")}
    steps = len(elements(tensors["losses"]))
    first = {name: (t, [shape[0] // steps, *shape[1:]], content[: len(content) // steps])
             for name, (t, shape, content) in data.items()}  # fmt: skip
    write(folder / "init.safetensors", parameters)
    write(folder / "data.safetensors", data)
    write(folder / "inputs.safetensors", parameters | first)
    return True


def is_close(name, found, expected, tolerance):
    """Whether the largest difference is at most the tolerance times the largest element; says so where it is not."""
    if len(found) != len(expected):
        print(f"{name}: expected {len(expected)} elements, found {len(found)}")
        return False
    largest = max(map(abs, expected))
    # In this order, so that NaN is far from everything.
    worst = max(range(len(found)), key=lambda i: math.inf if math.isnan(found[i]) else abs(found[i] - expected[i]))
    if abs(found[worst] - expected[worst]) <= tolerance * largest:
        return True
    print(f"{name}: expected {expected[worst]} at {worst}, found {found[worst]}; the largest element is {largest}")
    return False


def gradients(found, golden):
    found, golden = read(found), read(golden)
    names = [name for name in golden if name == "loss" or name.startswith("gradient.")]
    missing = [name for name in names if name not in found]
    for name in missing:
        print(f"{name}: expected among the outputs, found nothing")
    far = [
        name
        for name in names
        if name in found
        and not is_close(name, elements(found[name]), elements(golden[name]), 1e-6 if name == "loss" else 1e-4)
    ]
    print(f"{len(names)} tensors, {len(missing)} missing, {len(far)} wrong")
    return not missing and not far


def read_losses(log):
    return [json.loads(line)["loss"] for line in pathlib.Path(log).read_text().splitlines()]


def losses(log, golden):
    return is_close("losses", read_losses(log), elements(read(golden)["losses"]), 1e-4)


def norm(values):
    return math.sqrt(sum(value * value for value in values))


def bf16_gradients(found, golden, bf16):
    found, golden, bf16 = read(found), read(golden), read(bf16)
    names = [name.removeprefix("distance.") for name in bf16 if name.startswith("distance.")]
    far = 0
    for name in names:
        exact, ours = elements(golden["gradient." + name]), elements(found["gradient." + name])
        distance = norm([a - b for a, b in zip(ours, exact)]) / norm(exact)
        theirs = elements(bf16["distance." + name])[0]
        if not distance <= 2 * theirs:  # NaN is far
            print(f"{name}: expected at most twice PyTorch's distance {theirs:.5f}, found {distance:.5f}")
            far += 1
    print(f"{len(names)} tensors, {far} too far")
    return bool(names) and not far


def bf16_losses(log, bf16):
    expected = elements(read(bf16)["losses"])
    return is_close("losses", read_losses(log), expected, 2e-2 / max(expected))


COMMANDS = {
    "split": (split, 2), "gradients": (gradients, 2), "losses": (losses, 2),
    "bf16-gradients": (bf16_gradients, 3), "bf16-losses": (bf16_losses, 2),
}  # fmt: skip

if __name__ == "__main__":
    command, count = COMMANDS.get(sys.argv[1] if len(sys.argv) > 1 else "", (None, 0))
    if not command or len(sys.argv) != 2 + count:
        sys.exit(__doc__)
    sys.exit(0 if command(*sys.argv[2:]) else 1)
