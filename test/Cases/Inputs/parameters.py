# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of a case, without PyTorch.

usage: parameters.py CASE OUT                   the tensors named parameter.NAME, as NAME
       parameters.py --compare A KEY B KEY      two f32 numbers that must be equal to 1e-6 of their size
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Goldens"))
from golden import elements, read, write  # noqa: E402


def main():
    if sys.argv[1] == "--compare":
        a, b = (elements(read(path)[key])[0] for path, key in (sys.argv[2:4], sys.argv[4:6]))
        print(a, b)
        return 0 if abs(a - b) <= 1e-6 * abs(b) else 1
    tensors = read(sys.argv[1])
    write(sys.argv[2], {name.removeprefix("parameter."): tensor for name, tensor in tensors.items()
                        if name.startswith("parameter.")})
    return 0


if __name__ == "__main__":
    sys.exit(main())
