#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares results at special numbers with PyTorch's. Uses the standard library alone.

special.py check GOLDENS FOUND...         every op's results on every device, the points counted
special.py fold GOLDENS                   the program with constants in place of inputs, to the standard output
special.py check-fold REFERENCE FOLDED    folded constants against the evaluator's results, bit by bit
"""

import json
import math
import pathlib
import re
import struct
import sys

# Relative bounds, and the least normal number: what lies below may be 0.
BOUNDS = {"F64": (2e-12, 2.3e-308), "F32": (4e-6, 1.2e-38), "F16": (2e-3, 6.2e-5), "BF16": (1.6e-2, 1.2e-38)}
LARGEST = {"F64": sys.float_info.max, "F32": 3.4028234663852886e38, "F16": 65504.0, "BF16": 3.3895313892515355e38}
EPSILON = {"F64": 2.0**-52, "F32": 2.0**-23, "F16": 2.0**-10, "BF16": 2.0**-7}
# Results of one rounding, the sign of zero included, or of none.
EXACT = ("abs neg sign square relu sqrt reciprocal floor ceil round add sub mul div max min clamp select not and or xor "
         "compare cast").split()  # fmt: skip
FORMATS = {"F64": "d", "F32": "f", "F16": "e", "I8": "b", "I32": "i", "I64": "q", "BOOL": "?"}
TYPES = {"F64": "f64", "F32": "f32", "F16": "f16", "BF16": "bf16", "I8": "i8", "I32": "i32", "I64": "i64", "BOOL": "i1"}
# Where devices differ from PyTorch or from each other by design: the page of the op, or docs/ReferenceEvaluator.md, says it.
DOCUMENTED = {
    "gelu exact": "the left tail of 1 + erf(x) is exact to an epsilon of 1 in kernels",
    "gelu_grad exact": "the left tail of 1 + erf(x) is exact to an epsilon of 1 in kernels",
}  # fmt: skip
# Ops whose result is their operand, bit by bit: there is no value to get wrong.
IDENTITIES = {"stop_gradient"}


def read(path):
    """Name to type, shape, numbers and bits."""
    content = pathlib.Path(path).read_bytes()
    (size,) = struct.unpack("<Q", content[:8])
    header, data, tensors = json.loads(content[8 : 8 + size]), content[8 + size :], {}
    header.pop("__metadata__", None)
    for name, entry in header.items():
        dtype, raw = entry["dtype"], data[slice(*entry["data_offsets"])]
        if dtype == "BF16":
            raw = b"".join(b"\0\0" + raw[i : i + 2] for i in range(0, len(raw), 2))
        code = FORMATS.get(dtype, "f")
        tensors[name] = dtype, entry["shape"], struct.unpack(f"<{len(raw) // struct.calcsize(code)}{code}", raw)
    return tensors


def is_same(found, right):
    """NaN is NaN, and zeros have signs."""
    if isinstance(right, float) and (math.isnan(right) or right == 0):
        return math.isnan(found) if math.isnan(right) else found == 0 and math.copysign(1, found) == math.copysign(1, right)
    return found == right


def is_close(op, dtype, found, right, scale):
    if is_same(found, right):
        return True
    if dtype not in BOUNDS or math.isnan(found) or math.isnan(right):
        return False
    relative, least = BOUNDS[dtype]
    if op.split()[0] in EXACT:
        # Numbers below the normal ones may have lost bits to a second rounding; nothing else may.
        return found == right == 0 and op.split()[0] not in ("abs", "neg", "floor", "ceil", "round", "cast", "select")
    if math.isinf(found) or math.isinf(right):  # Rounding decides at the end of the range.
        return found * right > 0 and min(abs(found), abs(right)) >= LARGEST[dtype] * (1 - 2 * relative)
    absolute = 4 * EPSILON["F32" if dtype in ("F16", "BF16") else dtype] * scale
    return abs(found - right) <= relative * abs(right) + least + absolute


def scale_of(name, golden, index):
    """How large the terms are that cancel in a result, which bounds what rounding leaves of it."""
    op = name.split()[0]
    if name in DOCUMENTED:
        count = len(golden["x"][2])
        factor = abs(golden["x"][2][index // count]) if op == "gelu_grad" else 1.0
        return 20.0 * max(factor, 1.0) if math.isfinite(factor) else 1.0
    if op in ("gelu", "gelu_grad", "cce", "bce", "adam", "adamw", "sgd") or re.match("softmax|log_?s|cross|layer|rms", op):
        return 4.0
    if op in ("reduce", "cumsum", "rotary", "mse") and name not in ("reduce max", "reduce min", "reduce product"):
        row = golden["r"][2]
        width = len(row) // golden["r"][1][0]
        first = index * width if op == "reduce" else index // width * width
        return max(abs(x) for x in row[first : first + width])
    return 0.0


def check(golden_path, *paths):
    golden = read(golden_path)
    failures, points = 0, 0
    rights = {name[7:]: tensor for name, tensor in golden.items() if name.startswith("result.")}
    for path in paths:
        is_reference, found = ".reference." in path, read(path)
        for name, (dtype, _, right) in rights.items():
            own = golden.get(f"own.{name}", (0, 0, right))[2] if not is_reference else right
            values = found[f"result.{name}"][2]
            bad = [i for i, (x, y, z) in enumerate(zip(values, right, own))
                   if not (is_close(name, dtype, x, y, scale_of(name, golden, i)) or is_close(name, dtype, x, z, scale_of(name, golden, i)))]  # fmt: skip
            points += len(right)
            failures += len(bad)
            if bad or len(values) != len(right):
                some = ", ".join(f"[{i}] {values[i]!r} for {right[i]!r}" for i in bad[:4])
                print(f"{path.rsplit('/')[-1]}: {name}: {len(bad)} of {len(right)} differ: {some}")
    print(f"{pathlib.Path(golden_path).stem}: {points} points, {failures} differ")
    return bool(failures) or walks_all(golden, rights)


def walks_all(golden, rights):
    """Every elementwise op that the element type admits has results here: an op without them is named."""
    dtype = golden["x"][0]
    have, missing = {name.split()[0] for name in rights}, []
    page = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "dialect" / "Elementwise.md"
    for section in re.split(r"^### ", page.read_text(), flags=re.M)[1:]:
        op = re.match(r"`nova\.(\w+)`", section)
        operand = re.search(r"^\| `(?:x|lhs|onTrue)` \| (.*) \|$", section, flags=re.M)
        if not op or not operand:
            continue
        if op[1] in IDENTITIES:
            continue
        if re.search(rf"\b{TYPES[dtype]}\b", operand[1]) and op[1] not in have:
            missing.append(op[1])
    if missing:
        print(f"without special values of {TYPES[dtype]}: {', '.join(missing)}; add them to scripts/make_special_goldens.py")
    return bool(missing)


def literal(dtype, value):
    if dtype == "BOOL":
        return str(value).lower()
    if dtype not in BOUNDS:
        return str(value)
    if dtype == "BF16":
        bits = struct.pack(">f", value)[:2]
    else:
        bits = struct.pack(f">{FORMATS[dtype]}", value)
    return "0x" + bits.hex().upper()


def fold(golden_path):
    golden = read(golden_path)
    dtype, _, x = golden["x"]
    program = pathlib.Path(golden_path).parent.parent / (pathlib.Path(golden_path).stem + ".mlir")
    type = f"tensor<1x{TYPES[dtype]}>"
    constants = [f"  %k{i} = nova.constant dense<{literal(dtype, v)}> : {type}" for i, v in enumerate(x)]
    constants += ["  %yes = nova.constant dense<true> : tensor<1xi1>", "  %no = nova.constant dense<false> : tensor<1xi1>"]
    body, results, count = [], [], len(x)
    # Constants fold for these ops; other ops are evaluated as they stand.
    folds = r"(add|sub|mul|div|pow|neg|abs|not|floor|ceil|round|select|cast) (.*?) :"
    for line in program.read_text().splitlines():
        match = re.match(r"  (%\S+) = nova\." + folds + r".*?(?:-> (tensor<\d+x(\w+)>))?$", line)
        if not match:
            continue
        op, operands, target = match[2], match[3], match[5]
        out = f"tensor<1x{target}>" if target else type
        name = f"cast {target}" if op == "cast" else op
        pairs = [(i, j) for i in range(count) for j in range(count)] if "%a" in operands else [(0, j) for j in range(count)]
        for i, j in pairs:
            position = i * count + j if "%a" in operands else j
            known = operands.replace("%a", f"%k{i}").replace("%x", f"%k{j}").replace("%c", "%yes" if j % 3 == 0 else "%no")
            types = ", ".join(["tensor<1xi1>"] * ("%c" in operands) + [type] * len(re.findall(r"%[ax]", operands)))
            body.append(f"  %r{len(results)} = nova.{op} {known} : {types}" + (f" -> {out}" if target else ""))
            results.append((f"{name}@{position}", out))
    print(f"func.func @fold() -> ({', '.join(f'{t} {{nova.name = %s}}' % json.dumps(n) for n, t in results)}) {{")
    print("\n".join(constants + body))
    print(f"  return {', '.join(f'%r{i}' for i in range(len(results)))} : {', '.join(t for _, t in results)}\n}}")


def check_fold(reference_path, folded_path):
    reference, folded, failures = read(reference_path), read(folded_path), 0
    for name, (_, _, (value,)) in folded.items():
        op, position = name.split("@")
        right = reference[f"result.{op}"][2][int(position)]
        if not is_same(value, right):
            failures += 1
            print(f"folded {op} at {position}: {value!r} for {right!r}")
    print(f"{len(folded)} folded points, {failures} differ")
    return bool(failures)


if __name__ == "__main__":
    command, *paths = sys.argv[1:]
    sys.exit({"check": check, "fold": fold, "check-fold": check_fold}[command](*paths))
