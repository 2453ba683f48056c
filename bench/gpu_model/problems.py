# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The problems that Nova's kernels and other compilers' solve: products, attention, softmax, layer norm, in bf16."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    kind: str  # matmul_nn, matmul_nt, matmul_tn, attention, attention_grad, or the name of an op over rows
    sizes: tuple  # M, N, K; heads, length, width; rows, columns

    @property
    def name(self):
        return f"{self.kind} {'x'.join(map(str, self.sizes))}"

    @property
    def entry(self):
        return self.name.replace(" ", "_")

    @property
    def family(self):
        return self.kind.split("_")[0] if self.kind.startswith(("matmul", "attention")) else "row"

    @property
    def heads(self):
        return self.sizes[0] if self.family == "attention" else 0

    @property
    def bytes(self):
        """What must be read and written."""
        if self.family == "matmul":
            m, n, k = self.sizes
            return 2 * (m * k + k * n + m * n)
        if self.family == "attention":
            heads, length, width = self.sizes
            tensors = 4 if self.kind == "attention" else 8
            return heads * length * (2 * width * tensors + 4)
        rows, columns = self.sizes
        tensors = {"softmax": 2, "softmax_grad": 3, "layer_norm": 2, "layer_norm_grad": 3}[self.kind]
        vectors = {"layer_norm": 2, "layer_norm_grad": 3}.get(self.kind, 0)
        return 2 * rows * columns * tensors + 4 * columns * vectors

    @property
    def rows_bytes(self):
        """What must be read and written when the vectors of a norm are read anew for each row, which the L1 serves, and
        their gradients leave every one of 142 multiprocessors once and are read again to be added up."""
        rows, columns = self.sizes
        more = {"layer_norm": 8 * (rows - 1), "layer_norm_grad": 4 * (rows - 1) + 2 * 8 * 142}.get(self.kind, 0)
        return self.bytes + more * columns

    def nova(self):
        """The problem as a function of Nova's dialect. Values that no kernel stores are f32, as in mixed precision."""
        body = BODIES[self.kind.split("_n")[0].split("_t")[0] if self.family == "matmul" else self.kind]
        if self.family == "matmul":
            m, n, k = self.sizes
            shapes = {"lhs": f"{k}x{m}" if self.kind.endswith("tn") else f"{m}x{k}",
                      "rhs": f"{n}x{k}" if self.kind.endswith("nt") else f"{k}x{n}", "out": f"{m}x{n}"}
            flag = {"tn": " {transpose_lhs}", "nt": " {transpose_rhs}"}.get(self.kind[-2:], "")
        elif self.family == "attention":
            heads, length, width = self.sizes
            shapes, flag = {"x": f"1x{heads}x{length}x{width}", "sums": f"1x{heads}x{length}"}, ""
        else:
            shapes, flag = {"x": "{}x{}".format(*self.sizes), "w": str(self.sizes[1])}, ""
        for name, shape in shapes.items():
            body = body.replace(f"[{name}]", f"tensor<{shape}xf32>").replace(f"[{name} bf16]", f"tensor<{shape}xbf16>")
        return body.replace("@entry", f"@{self.entry}").replace("[flag]", flag)


BODIES = {
    "matmul": """func.func @entry(%x: [lhs bf16], %w: [rhs bf16]) -> [out bf16] {
  %a = nova.cast %x : [lhs bf16] -> [lhs]
  %b = nova.cast %w : [rhs bf16] -> [rhs]
  %y = nova.matmul %a, %b[flag] : [lhs], [rhs]
  %r = nova.cast %y : [out] -> [out bf16]
  return %r : [out bf16]
}
""",
    "attention": """func.func @entry(%q: [x bf16], %k: [x bf16], %v: [x bf16]) -> ([x bf16], [sums]) {
  %0 = nova.cast %q : [x bf16] -> [x]
  %1 = nova.cast %k : [x bf16] -> [x]
  %2 = nova.cast %v : [x bf16] -> [x]
  %o, %lse = nova.attention %0, %1, %2 {causal} : [x], [x], [x]
  %r = nova.cast %o : [x] -> [x bf16]
  return %r, %lse : [x bf16], [sums]
}
""",
    "attention_grad": """func.func @entry(%q: [x bf16], %k: [x bf16], %v: [x bf16], %o: [x bf16], %d: [x bf16],
    %lse: [sums]) -> ([x bf16], [x bf16], [x bf16]) {
  %0 = nova.cast %q : [x bf16] -> [x]
  %1 = nova.cast %k : [x bf16] -> [x]
  %2 = nova.cast %v : [x bf16] -> [x]
  %3 = nova.cast %o : [x bf16] -> [x]
  %4 = nova.cast %d : [x bf16] -> [x]
  %dq, %dk, %dv = nova.attention_grad %4, %0, %1, %2, %3, %lse {causal} : [x], [x], [x], [x], [x], [sums]
  %5 = nova.cast %dq : [x] -> [x bf16]
  %6 = nova.cast %dk : [x] -> [x bf16]
  %7 = nova.cast %dv : [x] -> [x bf16]
  return %5, %6, %7 : [x bf16], [x bf16], [x bf16]
}
""",
    "softmax": """func.func @entry(%x: [x bf16]) -> [x bf16] {
  %0 = nova.cast %x : [x bf16] -> [x]
  %1 = nova.softmax %0 : [x]
  %r = nova.cast %1 : [x] -> [x bf16]
  return %r : [x bf16]
}
""",
    "softmax_grad": """func.func @entry(%d: [x bf16], %y: [x bf16]) -> [x bf16] {
  %0 = nova.cast %d : [x bf16] -> [x]
  %1 = nova.cast %y : [x bf16] -> [x]
  %2 = nova.softmax_grad %0, %1 : [x], [x]
  %r = nova.cast %2 : [x] -> [x bf16]
  return %r : [x bf16]
}
""",
    "layer_norm": """func.func @entry(%x: [x bf16], %w: [w], %b: [w]) -> [x bf16] {
  %0 = nova.cast %x : [x bf16] -> [x]
  %1 = nova.layer_norm %0, %w, %b : [x], [w], [w]
  %r = nova.cast %1 : [x] -> [x bf16]
  return %r : [x bf16]
}
""",
    "layer_norm_grad": """func.func @entry(%d: [x bf16], %x: [x bf16], %w: [w]) -> ([x bf16], [w], [w]) {
  %0 = nova.cast %d : [x bf16] -> [x]
  %1 = nova.cast %x : [x bf16] -> [x]
  %dx, %dw, %db = nova.layer_norm_grad %0, %1, %w : [x], [x], [w]
  %r = nova.cast %dx : [x] -> [x bf16]
  return %r, %dw, %db : [x bf16], [w], [w]
}
""",
}

ROWS = ("softmax", "softmax_grad", "layer_norm", "layer_norm_grad")


def products(tokens, width, vocabulary):
    """The products of a GPT-2 step: forward nn, gradients of inputs nt and of weights tn; the head's, too."""
    layers = [(3 * width, width), (width, width), (4 * width, width), (width, 4 * width)]
    for n, k in layers:
        yield Problem("matmul_nn", (tokens, n, k))
        yield Problem("matmul_nt", (tokens, k, n))
        yield Problem("matmul_tn", (k, n, tokens))
    yield Problem("matmul_nt", (tokens, vocabulary, width))
    yield Problem("matmul_nn", (tokens, width, vocabulary))
    yield Problem("matmul_tn", (vocabulary, width, tokens))


def problems(size):
    """Those of GPT-2 124M with 8 x 1024 tokens, and small ones of each kind for tests."""
    if size == "tiny":
        return [Problem(f"matmul_{layout}", (256, 256, 256)) for layout in ("nn", "nt", "tn")] + \
               [Problem(kind, (1, 128, 64)) for kind in ("attention", "attention_grad")] + \
               [Problem(kind, (64, 768)) for kind in ROWS]
    found = list(products(8192, 768, 50304))
    found += [Problem(kind, (1, 1024, 64)) for kind in ("attention", "attention_grad")]
    found += [Problem(kind, (1024, columns)) for columns in (768, 1024, 50257) for kind in ROWS]
    return found
