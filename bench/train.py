#!/usr/bin/env python3
"""Tokens per second of GPT-2 training: nova-run and PyTorch side by side, in one run on this machine.

  bench/train.py --build build --model tiny --model 124m
  bench/train.py --model 124m --batch 1 --context 1024 --peers eager,compile
  bench/train.py --model 124m --dtype bf16 --peers eager,nova-f32
  bench/train.py --dtype f32,bf16 --peers nova-eager

Every contestant trains the same model on random tokens, with global-norm clipping and AdamW (PyTorch's fused one), on the
same number of threads, all in f32 or all in mixed precision (PyTorch by autocast), but for the peer nova-f32. Contestants
take turns, `--rounds` times and for at least `--seconds`, and the median of the rounds is reported, for speeds and for
ratios within a round, so that a machine that slows down slows all of them. Needs PyTorch from PyPI; without it only Nova
runs.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# layers, heads, width, vocabulary, batch, context, measured steps
MODELS = {
    "tiny": (2, 2, 64, 256, 8, 64, 100),
    "small": (4, 4, 128, 256, 12, 64, 30),
    "medium": (6, 6, 384, 256, 16, 256, 4),
    "124m": (12, 12, 768, 50257, 4, 64, 4),
    "124m-long": (12, 12, 768, 50257, 1, 1024, 2),
}


def nova_program(build, model, folder):
    layers, heads, width, vocabulary, batch, context, _ = model
    config = {"model_type": "gpt2", "n_layer": layers, "n_head": heads, "n_embd": width, "vocab_size": vocabulary,
              "n_positions": max(context, 1024), "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5,
              "initializer_range": 0.02}
    (folder / "config.json").write_text(json.dumps(config))
    program = folder / "train.mlir"
    subprocess.run([build / "bin/nova-translate", "--hf-config-to-nova", folder / "config.json", f"--batch={batch}",
                    f"--seq={context}", "-o", program], check=True)
    return program


class Nova:
    name = "nova"

    def __init__(self, args, model, folder, dtype, mode="fused"):
        self.name = " ".join(["nova"] + [mode] * (mode != "fused"))
        self.steps = model[-1] + 2
        program = nova_program(args.build, model, folder)
        self.summary = folder / "summary.json"
        self.command = [args.build / "bin/nova-run", program, "--steps", str(self.steps), "--quiet", "--threads",
                        str(args.threads), "--mode", mode, "--dtype", dtype, "--summary", self.summary,
                        "--cache-dir", folder / "cache"]

    def run(self):
        subprocess.run(self.command, check=True, stderr=subprocess.DEVNULL)
        report = json.loads(self.summary.read_text())
        return report["tokens_per_s"], report["peak_memory_bytes"]


class Torch:
    """GPT-2 as a PyTorch user writes it, in a process of its own."""

    def __init__(self, args, model, dtype, compiled):
        self.name = "torch.compile" if compiled else "torch eager"
        self.command = [sys.executable, __file__, "--child", json.dumps(model), "--threads", str(args.threads),
                        "--dtype", dtype]
        if compiled:
            self.command.append("--compiled")

    def run(self):
        result = subprocess.run(self.command, check=True, capture_output=True, text=True)
        report = json.loads(result.stdout.splitlines()[-1])
        return report["tokens_per_s"], report["peak_memory_bytes"]


def torch_child(model, threads, compiled, device, dtype):
    import resource

    import torch
    import torch.nn as nn
    import torch.nn.functional as F

    layers, heads, width, vocabulary, batch, context, steps = model
    torch.set_num_threads(threads)
    torch.manual_seed(0)

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
            self.attn, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.fc, self.out = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x):
            b, t, c = x.shape
            q, k, v = (z.view(b, t, heads, c // heads).transpose(1, 2) for z in self.attn(self.ln_1(x)).split(c, 2))
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.proj(y.transpose(1, 2).reshape(b, t, c))
            return x + self.out(F.gelu(self.fc(self.ln_2(x)), approximate="tanh"))

    class Gpt2(nn.Module):
        def __init__(self):
            super().__init__()
            self.wte, self.wpe = nn.Embedding(vocabulary, width), nn.Embedding(max(context, 1024), width)
            self.h = nn.ModuleList(Block() for _ in range(layers))
            self.ln_f = nn.LayerNorm(width)

        def forward(self, tokens, targets):
            x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1], device=device))
            for block in self.h:
                x = block(x)
            logits = F.linear(self.ln_f(x), self.wte.weight)
            return F.cross_entropy(logits.view(-1, vocabulary), targets.reshape(-1))

    def initialize(module):
        # GPT-2's own, as Nova's program: PyTorch's default N(0, 1) embeddings make logits so large that most of the
        # softmax is subnormal, and products with subnormal numbers take several times as long.
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, nn.Linear):
            nn.init.zeros_(module.bias)

    net = Gpt2().apply(initialize).to(device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1, fused=True)
    forward = torch.compile(net) if compiled else net
    times = []
    for step in range(steps + 2):
        tokens = torch.randint(vocabulary, (batch, context + 1)).to(device)
        start = time.perf_counter()
        with torch.autocast(device, torch.bfloat16, enabled=dtype == "bf16"):
            loss = forward(tokens[:, :-1], tokens[:, 1:])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        loss.item()
        times.append(time.perf_counter() - start)
    peak = (torch.cuda.max_memory_allocated() if device == "cuda"
            else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    print(json.dumps({"tokens_per_s": batch * context / statistics.median(times[2:]), "peak_memory_bytes": peak}))


def contestants_of(args, model, dtype, folder):
    yield Nova(args, model, folder, dtype)
    for peer in args.peers:
        if peer == "nova-eager":
            yield Nova(args, model, folder, dtype, "eager")
        elif peer == "nova-f32":
            other = Nova(args, model, folder, "f32")
            other.name += " f32"
            yield other
        else:
            yield Torch(args, model, dtype, peer == "compile")


def measure(args, name, dtype):
    model = list(MODELS[name])
    model[4] = args.batch or model[4]
    model[5] = args.context or model[5]
    with tempfile.TemporaryDirectory() as folder:
        contestants = list(contestants_of(args, model, dtype, pathlib.Path(folder)))
        rounds, end = [], time.monotonic() + args.seconds
        while len(rounds) < args.rounds or time.monotonic() < end:
            rounds.append([contestant.run() for contestant in contestants])
    print(f"{name} {dtype}: batch {model[4]}, context {model[5]}, {len(rounds)} rounds")
    for i, contestant in enumerate(contestants):
        speed = statistics.median(r[i][0] for r in rounds)
        turns = sorted(r[0][0] / r[i][0] for r in rounds)
        ratio = f"   nova is {statistics.median(turns):.3f}x ({turns[0]:.3f} to {turns[-1]:.3f})" if i else ""
        print(f"  {contestant.name:14s} {speed:10.0f} tokens/s {rounds[-1][i][1] / 1e9:7.2f} GB{ratio}", flush=True)


def names(text):
    return [name for name in text.split(",") if name]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="Nova's build folder")
    parser.add_argument("--model", action="append", choices=MODELS, help="may be given several times (all)")
    parser.add_argument("--batch", type=int, help="instead of the model's own")
    parser.add_argument("--context", type=int, help="instead of the model's own")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20, help="small models get more turns (20)")
    parser.add_argument("--peers", type=names, default=["eager"],
                        help="a list of eager, compile, nova-eager and nova-f32")
    parser.add_argument("--dtype", type=names, default=["f32"],
                        help="a list of f32 and bf16, which is mixed precision (f32)")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--compiled", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--torch-device", default="cpu", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if unknown := set(args.dtype) - {"f32", "bf16"} | set(args.peers) - {"eager", "compile", "nova-eager", "nova-f32"}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    if args.child:
        return torch_child(json.loads(args.child), args.threads, args.compiled, args.torch_device, args.dtype[0])
    args.build = args.build.resolve()
    try:
        import torch
        print(f"PyTorch {torch.__version__}, {args.threads} threads")
    except ImportError:
        args.peers = [peer for peer in args.peers if peer.startswith("nova-")]
        print("PyTorch is not installed: Nova alone")
    for name in args.model or MODELS:
        for dtype in args.dtype:
            measure(args, name, dtype)


if __name__ == "__main__":
    main()
