# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From ATen graphs to Nova programs.

    import from_torch                                   # with scripts/ on the path
    text = from_torch.convert(graph)                    # a graph in JSON's form, as the script reads it
    graph, tensors = from_torch.graph_of(program, args) # from a torch.export program, and its parameters and inputs

Nothing but graph_of needs PyTorch. A file for each group of ops holds their translators; the rules of promotion and
broadcasting are in types.py, the spelling of Nova's ops in builder.py.
"""

from .exported import graph_of
from .graph import convert
from .types import Unsupported

__all__ = ["Unsupported", "convert", "graph_of"]
