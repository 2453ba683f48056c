#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nova's GPU kernels judged without a GPU: counted in the emulator beside Triton's for the same problems, with
predicted times of the kernels and of GPT-2 124M's bf16 train step on two cards. Predictions are no measurements.

  bench/gpu.py                        # the problems, the step, what a step would take
  bench/gpu.py --problems 'matmul_nn' --no-step
  bench/gpu.py --gates --strict       # what the kernels must reach; exits with 1 where they don't
  bench/gpu.py --output counts.csv    # or .json, or .md
  bench/gpu.py --update-peers         # counts Triton's kernels again: pip install triton numpy

The peers' counters are kept in bench/peers. ptxas and nvdisasm give registers, spills and the mix of machine code;
without them the PTX's stands in. docs/GpuModel.md says what is counted and what the predictions stand on.
"""
import argparse
import pathlib
import re
import sys
import tempfile

from gpu_model import cards, counts, gates, nova, peers, problems, report, step, tools

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = {"gpt2": (step.GPT2, "gpt2-124m.json"), "tiny": (step.TINY, "gpt2-tiny.mlir")}


def judge_step(args, counted, folder):
    """Prints what the step does and would take; returns (rows by card and whose kernels, gates). The peers of the small
    model's kernels are not kept."""
    model, program = MODELS[args.size]
    chips = sorted({card.chip for card in cards.CARDS.values()})
    bundle = nova.step_bundle(args.build, ROOT / "examples" / program, model.batch, model.context, chips, folder)
    by_chip = {chip: nova.count_bundle(args.build / "bin/nova-emulate", bundle, chip, folder, model.batch * model.heads)
               for chip in chips}
    print(f"One step of {program}, bf16, {model.batch} x {model.context}: " +
          ", ".join(f"{value:g} {what}" for what, value in step.summary(by_chip["sm_89"]).items()))
    steps = {}
    for name, card in cards.CARDS.items():
        steps[f"{name}, nova"] = list(step.of_nova(card, by_chip[card.chip]))
        if model is step.GPT2:
            steps[f"{name}, the peers' kernels"] = list(step.of_peers(card, model))
    for name, rows in steps.items():
        report.print_step(name, rows, model.tokens)
    if model is not step.GPT2:
        return steps, list(gates.of_structure(by_chip["sm_89"]))
    for name, (card, measured) in cards.MEASURED.items():
        predicted = model.tokens / sum(row[2] for row in step.of_peers(card, model))
        print(f"Predicted on {name}, the peers' kernels: {predicted:,.0f} tokens/s; "
              f"torch.compile measured: {measured:,.0f}")
    print()
    return steps, list(gates.of_step(by_chip, counted, model))


def say_what_is_missing():
    for tool, what in (("ptxas", "registers, spills and shared memory"), ("nvdisasm", "the mix of machine code")):
        if not tools.find(tool):
            print(f"bench/gpu.py: no {tool} found, which counts {what}: {tools.WHERE}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="Nova's build folder")
    parser.add_argument("--size", choices=["gpt2", "tiny"], default="gpt2",
                        help="tiny: small problems and a small model, for tests")
    parser.add_argument("--problems", default="", metavar="REGEX", help="only these")
    parser.add_argument("--no-step", action="store_true", help="problems alone")
    parser.add_argument("--gates", action="store_true", help="compare with what the kernels must reach")
    parser.add_argument("--strict", action="store_true", help="exit with 1 where a gate is missed")
    parser.add_argument("--output", type=pathlib.Path, metavar="FILE", help="write the figures, .csv, .json or .md")
    parser.add_argument("--update-peers", action="store_true", help="count the peers' kernels again, and nothing else")
    args = parser.parse_args()
    args.build = args.build.resolve()
    if args.output and args.output.suffix not in (".csv", ".json", ".md"):
        parser.error(f"expected --output FILE.csv, FILE.json or FILE.md, found {args.output}")
    try:
        chosen = [problem for problem in problems.problems(args.size) if re.search(args.problems, problem.name)]
    except re.error as error:
        parser.error(f"expected a regular expression, found --problems {args.problems}: {error}")
    if not chosen:
        parser.error(f"no problem matches {args.problems}")
    missing = [tool for tool in ("nova-translate", "nova-emulate") if not (args.build / "bin" / tool).is_file()]
    if missing:
        parser.error(f"expected {args.build / 'bin' / missing[0]}, found none: build Nova first (ninja -C build)")
    say_what_is_missing()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if args.update_peers:
            for chip in sorted({card.peers for card in cards.CARDS.values()}):
                peers.update(args.build / "bin/nova-emulate", chip, folder, lambda text: print(text, flush=True))
            return 0
        return judge(args, chosen, folder)


def judge(args, chosen, folder):
    made_by, kept = peers.load("sm_89")
    counted = dict(zip(chosen, counts.in_parallel(
        lambda problem: nova.count_problem(args.build, problem, "sm_89", folder), chosen)))
    rows, steps = list(report.side_by_side(counted, kept)), {}
    report.print_problems(rows, made_by)
    found = list(gates.of_problems(counted, kept))
    if not args.no_step:
        steps, more = judge_step(args, counted, folder)
        found += more
    missed = report.print_gates(found) if args.gates else []
    if args.output:
        report.write(args.output, rows, steps, MODELS[args.size][0].tokens, found if args.gates else [])
    return 1 if missed and args.strict else 0


if __name__ == "__main__":
    sys.exit(main())
