# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of translators, and what they share.

A translator takes the builder, then the op's arguments as its schema in PyTorch has them, defaults included: tensors as
values, everything else as plain Python. It returns the op's results, one value or a list.
"""

from .types import Unsupported, Value

TRANSLATORS = {}


def op(*names):
    """Registers a translator for ops given as name.overload, of the namespace aten where none is named."""

    def register(function):
        for name in names:
            full = name if name.count(".") == 2 else f"aten.{name}"
            assert full not in TRANSLATORS, full
            TRANSLATORS[full] = function
        return function

    return register


def axis_of(dim, rank):
    """An axis counted from the front; a scalar has one for this purpose, as in PyTorch."""
    if not isinstance(dim, int) or not -max(rank, 1) <= dim < max(rank, 1):
        raise Unsupported(f"expected an axis of a tensor of rank {rank}, found {dim}")
    return dim % max(rank, 1)


def axes_of(dims, rank):
    """Axes counted from the front; none, or an empty list, means all."""
    if dims is None or dims == []:
        return list(range(rank))
    found = [axis_of(dim, rank) for dim in (dims if isinstance(dims, list) else [dims])]
    if len(set(found)) != len(found):
        raise Unsupported(f"expected distinct axes, found {dims}")
    return sorted(found) if rank else []


def expect(condition, expected, found):
    if not condition:
        raise Unsupported(f"expected {expected}, found {found}")


def only_value(x):
    """The number of a Python scalar that must not be a tensor."""
    expect(not isinstance(x, Value), "a number", "a tensor")
    return x
