#!/usr/bin/env python3
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nova's GPU kernels judged without a GPU: counted in the emulator beside Triton's for the same problems, with
predicted times of the kernels and of GPT-2 124M's bf16 train step on two cards. Predictions are no measurements.

  bench/gpu.py                        # the problems, the step, what a step would take
  bench/gpu.py --problems 'matmul_nn' --no-step
  bench/gpu.py --gates --strict       # what the kernels must reach; exits with 1 where they don't
  bench/gpu.py --output counts.csv    # or .json
  bench/gpu.py --update-peers         # counts Triton's kernels again: pip install triton numpy

The peers' counters are kept in bench/peers. ptxas and nvdisasm give registers, spills and the mix of machine code;
without them the PTX's stands in. docs/GpuModel.md says what is counted and what the predictions stand on.
"""
import argparse
import csv
import json
import pathlib
import re
import sys
import tempfile

from gpu_model import bound, cards, counts, gates, nova, peers, problems, step, tools

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = {"gpt2": (step.GPT2, "gpt2-124m.json"), "tiny": (step.TINY, "gpt2-tiny.mlir")}
COLUMNS = ["warp instr", "matrix", "instr/matrix", "share %", "requests", "sectors", "req/KB", "sec/useful",
           "wavefr/matrix", "conflicts", "shuffles", "regs", "shared", "warps", "Ada us", "by"]


def row_of(kernel_counts):
    """The figures of one or more kernels that solve a problem together."""
    card = cards.CARDS["RTX 6000 Ada"]
    main = max(kernel_counts, key=lambda c: bound.predict(card, c)[0])

    def total(field):
        return sum(getattr(c, field) for c in kernel_counts)
    matrix = total("products")
    time = sum(bound.predict(card, c)[0] for c in kernel_counts)
    return {
        "warp instr": round(total("warp_instructions")), "matrix": round(matrix),
        "instr/matrix": round(total("warp_instructions") / matrix, 2) if matrix else None,
        "share %": round(100 * main.loop.share, 1), "requests": round(total("requests")),
        "sectors": round(total("sectors")),
        "req/KB": round(total("requests") / (total("bytes") / 1024), 2),
        "sec/useful": round(total("sectors") / (total("bytes") / 32), 2),
        "wavefr/matrix": round(total("shared_wavefronts") / matrix, 2) if matrix else None,
        "conflicts": round(total("shared_wavefronts") / total("shared_ideal"), 2) if total("shared_ideal") else None,
        "shuffles": round(total("shuffles")), "regs": main.registers, "shared": main.shared_bytes,
        "warps": bound.warps_per_multiprocessor(card, main), "Ada us": round(1e6 * time, 1),
        "by": bound.predict(card, main)[1],
    }


def print_table(head, rows):
    """rows: lists of the texts and numbers under the names of the columns."""
    texts = [head] + [["" if value is None else f"{value:,}" if isinstance(value, (int, float)) else value
                       for value in row] for row in rows]
    widths = [max(len(line[i]) for line in texts) for i in range(len(head))]
    for line in texts:
        print("  ".join(text.ljust(width) if i == 0 else text.rjust(width)
                        for i, (text, width) in enumerate(zip(line, widths))).rstrip())
    print()


def side_by_side(counted, kept):
    """A row for Nova and each of the peers' variants, problem by problem."""
    for problem, kernels in counted.items():
        yield problem.name, "nova", row_of([kernel.counts for kernel in kernels])
        for variant, found in kept.get(problem.name, {}).items():
            yield problem.name, f"triton {variant}".strip(), row_of(found)


def print_problems(rows, made_by):
    print(f"One problem each, on sm_89: Nova's kernels and {made_by}. Microseconds are predicted.")
    print_table(["problem", "whose", *COLUMNS],
                [[problem, whose, *(row[column] for column in COLUMNS)] for problem, whose, row in rows])


def print_step(card_name, rows, tokens):
    total = sum(time for *_, time, _ in rows)
    print(f"Predicted on {card_name}: {1e3 * total:.1f} ms, {tokens / total:,.0f} tokens/s, "
          f"{sum(launches for _, launches, *_ in rows)} launches")
    ordered = sorted(rows, key=lambda row: -row[2])
    shown = [[name, launches, round(1e3 * time, 3), round(100 * time / total, 1), by]
             for name, launches, time, by in ordered if time > 0.005 * total]
    print_table(["kernel", "launches", "ms", "%", "by"], shown)


def print_gates(found):
    missed = [gate for gate in found if not gate.passes]
    for gate in found:
        peer = "" if gate.peer is None else f", the peer's {gate.peer:.4g}"
        print(f"{'ok    ' if gate.passes else 'MISSED'} {gate.what}: {gate.value:.4g}, at "
              f"{'least' if gate.at_least else 'most'} {gate.limit:.4g}{peer}")
    print(f"{len(missed)} of {len(found)} gates missed\n")
    return missed


def write_output(path, rows, steps, found):
    if path.suffix == ".csv":
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["problem", "whose", *COLUMNS])
            writer.writerows([problem, whose, *(row[column] for column in COLUMNS)] for problem, whose, row in rows)
        return
    path.write_text(json.dumps({
        "problems": [{"problem": problem, "whose": whose, **row} for problem, whose, row in rows],
        "steps": {name: [dict(zip(("kernel", "launches", "seconds", "by"), row)) for row in step_rows]
                  for name, step_rows in steps.items()},
        "gates": [{"what": gate.what, "value": gate.value, "limit": gate.limit, "peer": gate.peer,
                   "passes": gate.passes} for gate in found],
    }, indent=1) + "\n")


def judge_step(args, kept, counted, folder):
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
            steps[f"{name}, the peers' kernels"] = list(step.of_peers(card, model, kept))
    for name, rows in steps.items():
        print_step(name, rows, model.tokens)
    if model is not step.GPT2:
        return steps, list(gates.of_structure(by_chip["sm_89"]))
    for name, (card, measured) in cards.MEASURED.items():
        predicted = model.tokens / sum(row[2] for row in step.of_peers(card, model, kept))
        print(f"Predicted on {name}, the peers' kernels: {predicted:,.0f} tokens/s; "
              f"torch.compile measured: {measured:,.0f}")
    print()
    return steps, list(gates.of_step(by_chip, kept, counted, model))


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
    parser.add_argument("--output", type=pathlib.Path, metavar="FILE", help="write the figures, .csv or .json")
    parser.add_argument("--update-peers", action="store_true", help="count the peers' kernels again, and nothing else")
    args = parser.parse_args()
    args.build = args.build.resolve()
    if args.output and args.output.suffix not in (".csv", ".json"):
        parser.error(f"expected --output FILE.csv or FILE.json, found {args.output}")
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
            return peers.update(args.build / "bin/nova-emulate", "sm_89", folder, lambda text: print(text, flush=True))
        return judge(args, chosen, folder)


def judge(args, chosen, folder):
    made_by, kept = peers.load("sm_89")
    counted = dict(zip(chosen, counts.in_parallel(
        lambda problem: nova.count_problem(args.build, problem, "sm_89", folder), chosen)))
    rows, steps = list(side_by_side(counted, kept)), {}
    print_problems(rows, made_by)
    found = list(gates.of_problems(counted, kept))
    if not args.no_step:
        steps, more = judge_step(args, kept, counted, folder)
        found += more
    missed = print_gates(found) if args.gates else []
    if args.output:
        write_output(args.output, rows, steps, found if args.gates else [])
    return 1 if missed and args.strict else 0


if __name__ == "__main__":
    sys.exit(main())
