# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bench/gpu.py shows: tables for people, and files as CSV, JSON and Markdown."""
import csv
import json

from . import bound, cards

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


def short(value):
    """A figure with three digits or as it is, for a table to read."""
    if not isinstance(value, int) or value < 10000:
        return "" if value is None else f"{value:,}" if isinstance(value, (int, float)) else value
    unit, name = (1e6, "M") if value >= 999500 else (1e3, "K")
    return f"{value / unit:,.{max(0, 2 - len(str(int(value / unit))) + 1)}f}{name}"


def group_of(kernel):
    for group, words in (("products", ("matmul", "product", "head")), ("attention", ("attention", "mul_sum")),
                         ("kernels that only move data", ("slice", "transpose", "concat", "reshape", "pad"))):
        if kernel.startswith(words):
            return group
    return "the rest"


def markdown(rows, steps, tokens, found):
    """The tables of docs/GpuModel.md: of the peers' products the tile that gates compare with most."""
    lines = ["| one problem, on sm_89 | whose | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 2) + "|"]
    for problem, whose, row in rows:
        if whose in ("nova", "triton", "triton 128x128x64"):
            lines.append(f"| {problem} | {whose} | " + " | ".join(short(row[column]) for column in COLUMNS) + " |")
    if steps:
        lines += ["", "| a step, predicted | " + " | ".join(steps) + " |", "|---" * (len(steps) + 1) + "|"]
        groups = ["products", "attention", "kernels that only move data", "the rest"]
        for group in groups:
            times = [sum(row[2] for row in of if group_of(row[0]) == group) for of in steps.values()]
            lines.append(f"| {group}, ms | " + " | ".join(f"{1e3 * time:.1f}" for time in times) + " |")
        totals = [sum(row[2] for row in of) for of in steps.values()]
        lines.append("| all, ms | " + " | ".join(f"{1e3 * time:.1f}" for time in totals) + " |")
        lines.append("| **tokens/s** | " + " | ".join(f"**{tokens / time:,.0f}**" for time in totals) + " |")
        lines.append("| launches | " + " | ".join(str(sum(row[1] for row in of)) for of in steps.values()) + " |")
    if found:
        lines += ["", f"{sum(not gate.passes for gate in found)} of {len(found)} gates are missed."]
    return "\n".join(lines) + "\n"


def write(path, rows, steps, tokens, found):
    """rows: (problem, whose, figures); steps: {whose: [(kernel, launches, seconds, bound)]}."""
    if path.suffix == ".csv":
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["problem", "whose", *COLUMNS])
            writer.writerows([problem, whose, *(row[column] for column in COLUMNS)] for problem, whose, row in rows)
    elif path.suffix == ".md":
        path.write_text(markdown(rows, steps, tokens, found))
    else:
        path.write_text(json.dumps({
            "problems": [{"problem": problem, "whose": whose, **row} for problem, whose, row in rows],
            "steps": {name: [dict(zip(("kernel", "launches", "seconds", "by"), row)) for row in of]
                      for name, of in steps.items()},
            "gates": [{"what": gate.what, "value": gate.value, "limit": gate.limit, "peer": gate.peer,
                       "passes": gate.passes} for gate in found],
        }, indent=1) + "\n")
