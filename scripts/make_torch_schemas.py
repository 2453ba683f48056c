#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes test/Cases/Inputs/schemas.json: the arguments that PyTorch's schemas give the ops which from_torch.py translates.

    python3 scripts/make_torch_schemas.py [FOLDER]        # default: test/Cases/Inputs

For each overload a list of [name, type, default or null, whether it is passed by name alone, whether it has a default].
Needs torch from PyPI; the test that reads the file does not.
"""

import json
import pathlib
import sys

import torch
from from_torch.graph import TRANSLATORS


def schema_of(name):
    """An overload's schema; None for one that this version of PyTorch does not have."""
    namespace, op, overload = name.split(".")
    try:
        return getattr(getattr(getattr(torch.ops, namespace), op), overload)._schema
    except AttributeError:
        return None


def described(argument):
    default = argument.default_value
    if not (default is None or isinstance(default, (bool, int, float, str, list))):
        default = str(default)
    return [argument.name, str(argument.type), default, argument.kwarg_only, argument.has_default_value()]


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "test/Cases/Inputs")
    schemas = {name: schema_of(name) for name in sorted(TRANSLATORS)}
    lines = []
    for name, schema in schemas.items():
        arguments = None if schema is None else [described(argument) for argument in schema.arguments]
        lines.append(f"{json.dumps(name)}: {json.dumps(arguments)}")
    (folder / "schemas.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{len(lines)} overloads, without a schema: {[name for name in schemas if schemas[name] is None]}")


if __name__ == "__main__":
    main()
