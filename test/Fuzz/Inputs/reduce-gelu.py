# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reduces a random program of many ops to the one op that a judge calls wrong, and prints it."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from programs import spell
from random_programs import Failure, program
from reduce import reduced


def judge(candidate):
    text = spell([candidate])
    return Failure("judge", "no gelu, please") if "nova.gelu " in text and candidate.results else None


found = next(p for p in (program(1, n) for n in range(1000)) if not p.is_training and len(p.ops) > 8 and judge(p))
small, _ = reduced(found, judge(found), judge)
print(spell([small]))
