"""Inputs of open-sizes.mlir with several numbers of rows, and what its scores are."""

import random
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))
from make_mlp_data import write_safetensors


def floats(shape, values):
    return "F32", shape, struct.pack(f"<{len(values)}f", *values)


random.seed(7)
folder = Path(sys.argv[1])
for name, rows in {"five": 5, "three": 3, "none": 0}.items():
    x = [[random.uniform(-1, 1) for _ in range(3)] for _ in range(rows)]
    scores = [sum(a * b for a, b in zip(p, q)) for p in x for q in x]
    write_safetensors(folder / f"{name}.safetensors", {
        "x": floats([rows, 3], [value for row in x for value in row]),
        "scores": floats([rows, rows], scores),
    })
write_safetensors(folder / "data.safetensors", {
    "x": floats([20, 3], [random.uniform(-1, 1) for _ in range(60)]),
    "y": ("I32", [20], struct.pack("<20i", *(random.randrange(4) for _ in range(20)))),
})
