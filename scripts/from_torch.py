#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns an ATen graph, forward or forward and backward, into a Nova program.

The graph is JSON with the lists inputs, nodes and outputs, as docs/FromTorch.md describes. Arguments carry the input's
key in the graph's file of tensors as nova.name, results the key of the expected value:

    scripts/from_torch.py CASE.json -o CASE.mlir
    nova-run CASE.mlir --inputs CASE.safetensors --expect CASE.safetensors

With --train, a graph whose only scalar result is the loss becomes a program that nova-run trains: the model's parameters
are the program's, by their names in PyTorch.

    scripts/from_torch.py CASE.json --train -o CASE.mlir
    nova-run CASE.mlir --steps 100 --data DATA.safetensors --init PARAMETERS.safetensors

Exit codes: 0 ok, 1 a graph that cannot be translated (one message names every op in its way), 2 wrong usage.
"""

import argparse
import json
import pathlib
import sys

import from_torch


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", metavar="CASE.json", type=pathlib.Path)
    parser.add_argument("-o", metavar="CASE.mlir", dest="output", type=pathlib.Path, help="default: standard output")
    parser.add_argument("--train", action="store_true", help="a program to train, not one to evaluate")
    options = parser.parse_args()
    try:
        graph = json.loads(options.graph.read_text(encoding="utf-8"))
        text = from_torch.convert(graph, options.train)
        if options.output:
            options.output.write_text(text, encoding="utf-8")
        else:
            sys.stdout.write(text)
    except (OSError, ValueError, RecursionError, from_torch.Unsupported) as error:
        print(f"{options.graph}: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
