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


class Asserting(torch.nn.Module):
    """Conversions assert what they convert from."""

    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return (x.half().float() * x.to(torch.float64).type_as(x) * self.w).mean()


class Storing(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(3))
        self.register_buffer("scales", torch.tensor([1.0, 2.0, float("inf")]), persistent=False)
        self.register_buffer("ones", torch.ones(2, 3, dtype=torch.bfloat16))
        self.register_buffer("keep", torch.tensor([True, False, True]))

    def forward(self, x):
        return (torch.where(self.keep, x * self.w * self.ones, self.scales) + torch.tensor([3.0, 4.0, 5.0])).mean()


class Counting(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(3))
        self.register_buffer("steps", torch.zeros(1))

    def forward(self, x):
        self.steps.add_(1)
        return (x * self.w * self.steps).mean()


class Tied(torch.nn.Module):
    def __init__(self, share):
        super().__init__()
        self.e = torch.nn.Embedding(3, 3)
        self.h = torch.nn.Linear(3, 3, bias=False)
        self.h.weight = torch.nn.Parameter(self.e.weight.detach().t()) if share == "transposed" else self.e.weight

    def forward(self, x):
        return self.h(x @ self.e.weight).mean()


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
translate("asserting", Asserting(), (x,), train=True)
translate("storing", Storing(), (x,), train=True)
translate("counting", Counting(), (x,), train=True)
translate("tied", Tied("all"), (x,), train=True)
translate("transposed", Tied("transposed"), (x,), train=True)
translate("number", Times(), (x, 2), train=False)
translate("nothing", Times(), (x,), train=False)
translate("dynamic", Buffered(), (x,), train=False, dynamic_shapes={"x": {0: torch.export.Dim("rows")}})
