# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a program of products whose kernels name the strategy tensor_cores: every layout with every type of factors, over
shapes whose rows are aligned to 16 bytes and to less, that end within a tile along each axis, with one row, column or step,
batches, and several tiles, depths and stages in turn; every other product with an epilogue and two results.

usage: scheduled-matmuls.py INPUTS   also writes arguments to that file, as safetensors: small integers, whose products and
sums are exact in every type and order, so that results are equal to the bit
"""

import itertools
import json
import math
import random
import struct
import sys

INTRINSICS = {"bf16": "mma.m16n8k16.bf16", "f16": "mma.m16n8k16.f16", "f32": "mma.m16n8k8.tf32"}
SHAPES = [(130, 136, 72), (70, 44, 50), (37, 53, 131), (1, 40, 64), (64, 1, 33), (5, 3, 1)]
# Tile, tile of a warp, depth, stages.
TILES = [((128, 128), (64, 64), 32, 3), ((64, 64), (32, 32), 32, 4), ((32, 32), (16, 16), 16, 2), ((64, 64), (32, 16), 32, 1)]


def tensor(*sizes, of):
    return "tensor<" + "".join(f"{size}x" for size in sizes) + f"{of}>"


class Product:
    def __init__(self, number, shape, transposed, factor, tile, batch=()):
        (m, n, k), (self.lhs_t, self.rhs_t) = shape, transposed
        self.name, self.batch, self.tile = f"product{number}", batch, tile
        self.sizes = (*batch, m, n)
        self.lhs = (*batch, *((k, m) if self.lhs_t else (m, k)))
        self.rhs = (*batch[1:], *((n, k) if self.rhs_t else (k, n)))
        self.factor, self.has_epilogue = factor, number % 2
        self.operands = [tensor(*self.lhs, of=factor), tensor(*self.rhs, of=factor)]
        self.wide = tensor(*self.sizes, of="f32")
        self.narrow = tensor(*self.sizes, of="bf16")
        self.bias, self.column = tensor(n, of="f32"), tensor(m, 1, of="f32")
        if self.has_epilogue:
            self.operands += [self.bias, self.narrow, self.column, "tensor<f32>"]
        self.results = [self.narrow, self.wide] if self.has_epilogue else [self.wide]

    def kernel(self):
        (rows, columns), (warp_rows, warp_columns), depth, stages = self.tile
        tile = ", ".join(map(str, [1] * len(self.batch) + [rows, columns]))
        threads = rows // warp_rows * (columns // warp_columns) * 32
        arguments = ", ".join(f"%a{i}: {type}" for i, type in enumerate(self.operands))
        yield f"nova.kernel @{self.name}({arguments}) -> ({', '.join(self.results)}) family matmul"
        yield f"    config #nova.kernel_config<tile = [{tile}], lanes = 1, micro = [{warp_rows}, {warp_columns}],"
        yield f"    threads = {threads}, strategy = tensor_cores, intrinsic = \"{INTRINSICS[self.factor]}\", depth = {depth},"
        yield f"    stages = {stages}> {{"
        factors = [tensor(*sizes, of="f32") for sizes in (self.lhs, self.rhs)]
        names = ["%a0", "%a1"]
        if self.factor != "f32":
            names = ["%x", "%y"]
            for i in (0, 1):
                yield f"  {names[i]} = nova.cast %a{i} : {self.operands[i]} -> {factors[i]}"
        flags = [flag for flag, on in (("transpose_lhs", self.lhs_t), ("transpose_rhs", self.rhs_t)) if on]
        attributes = f" {{{', '.join(flags)}}}" if flags else ""
        yield f"  %p = nova.matmul {', '.join(names)}{attributes} : {', '.join(factors)}"
        if self.has_epilogue:
            yield "  %half = nova.constant dense<0.5> : tensor<f32>"
            yield f"  %scaled = nova.mul %p, %half : {self.wide}, tensor<f32>"
            yield f"  %biased = nova.add %scaled, %a2 : {self.wide}, {self.bias}"
            yield f"  %active = nova.relu %biased : {self.wide}"
            yield f"  %residual = nova.cast %a3 : {self.narrow} -> {self.wide}"
            yield f"  %added = nova.add %active, %residual : {self.wide}, {self.wide}"
            yield f"  %weighted = nova.mul %added, %a4 : {self.wide}, {self.column}"
            yield f"  %moved = nova.add %weighted, %a5 : {self.wide}, tensor<f32>"
            yield f"  %narrow = nova.cast %moved : {self.wide} -> {self.narrow}"
        yield f"  nova.return {'%narrow, %biased' if self.has_epilogue else '%p'} : {', '.join(self.results)}"
        yield "}"

    def launch(self):
        arguments = ", ".join(f"%{self.name}_{i}" for i in range(len(self.operands)))
        count = f":{len(self.results)}" if self.has_epilogue else ""
        return (f"  %{self.name}{count} = nova.launch @{self.name}({arguments}) : ({', '.join(self.operands)}) -> "
                f"({', '.join(self.results)})")

    def values(self):
        return [f"%{self.name}#{i}" for i in range(len(self.results))]


products = []
layouts = itertools.cycle(itertools.product((False, True), repeat=2))
for shape, factor, _ in itertools.product(SHAPES, INTRINSICS, range(2)):
    number = len(products)
    products.append(Product(number, shape, next(layouts), factor, TILES[number // 2 % len(TILES)]))
products.append(Product(len(products), (50, 40, 72), (False, False), "bf16", TILES[2], batch=(3,)))
products.append(Product(len(products), (40, 50, 70), (True, True), "f16", TILES[1], batch=(2, 2)))

random.seed(1)
header, data = {}, b""
for index, type in enumerate(type for p in products for type in p.operands):
    *sizes, kind = type[len("tensor<") : -1].split("x")
    shape = [int(size) for size in sizes]
    words = []
    for _ in range(math.prod(shape)):
        number = random.randint(-3, 3)
        bits = struct.pack("<e" if kind == "f16" else "<f", number)
        words.append(bits[2:] if kind == "bf16" else bits)
    packed = b"".join(words)
    header[f"arg{index}"] = {"dtype": kind.upper(), "shape": shape, "data_offsets": [len(data), len(data) + len(packed)]}
    data += packed
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + data)

for product in products:
    print("\n".join(product.kernel()))
arguments = [f"%{p.name}_{i}: {type}" for p in products for i, type in enumerate(p.operands)]
print(f"func.func @products({', '.join(arguments)})\n    -> ({', '.join(type for p in products for type in p.results)}) {{")
for product in products:
    print(product.launch())
values = [value for p in products for value in p.values()]
print(f"  return {', '.join(values)} : {', '.join(type for p in products for type in p.results)}\n}}")
