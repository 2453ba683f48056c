# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What modules can hold beside tensors and parameters, exported and trained: it is refused by name, or taken as it is."""

import sys

import torch

sys.path.insert(0, sys.argv[1])
import from_torch  # noqa: E402


class Detached(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        z = x * self.w
        with torch.no_grad():
            scale = z.exp()
        return (z * z.detach() * scale)[:, :].mean()


class Buffered(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(3))
        self.f = torch.nn.Parameter(torch.ones(3), requires_grad=False)
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x):
        self.steps.add_(1)
        with torch.no_grad():
            scale = (x * self.f).exp()
        return (x * self.w * scale).mean()


class Times(torch.nn.Module):
    def forward(self, x, n=2):
        return x * n, None


def translate(title, module, arguments, train, names=(), **options):
    program = torch.export.export(module, arguments, **options).run_decompositions()
    try:
        graph, _ = from_torch.graph_of(program, arguments, names)
        print(f"{title}:\n{from_torch.convert(graph, train)}")
    except from_torch.Unsupported as error:
        print(f"{title}: {error}")


x = torch.randn(2, 3)
translate("detached", Detached(), (x,), train=True)
translate("buffered", Buffered(), (x,), train=True)
translate("written", Buffered(), (x,), train=False, names=["loss"])
translate("number", Times(), (x, 2), train=False)
translate("nothing", Times(), (x,), train=False)
translate("dynamic", Buffered(), (x,), train=False, dynamic_shapes={"x": {0: torch.export.Dim("rows")}})
