# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops in PTX and SASS, and what they hold: share of matrix instructions, width of loads."""
import re
from dataclasses import asdict, dataclass

COPY = re.compile(r"cp\.async\.c[ag]\.")
MATRIX = re.compile(r"mma\.sync|wgmma\.mma_async|(HMMA|HGMMA|IMMA|IGMMA|QMMA|QGMMA|DMMA|OMMA)\b")
BYTES = {"8": 1, "16": 2, "32": 4, "64": 8, "128": 16}


@dataclass(frozen=True)
class Instruction:
    opcode: str
    position: int
    target: int | None = None  # of a branch
    operands: str = ""

    @property
    def is_matrix(self):
        return bool(MATRIX.match(self.opcode))

    @property
    def loads(self):
        """Bytes that a thread loads from global memory, 0 for other instructions."""
        if match := re.match(r"ld\.global(?:\.\w+(?:::\w+)?)*?(?:\.v(\d))?\.[a-z]+(\d+)$", self.opcode):
            return int(match[1] or 1) * BYTES[match[2]]
        if COPY.match(self.opcode):
            return int(self.operands.split(",")[2], 0)
        if re.match(r"LDG(STS)?\b", self.opcode):
            width = re.search(r"\.[US]?(8|16|64|128)\b", re.sub(r"LTC\d+B|L\d::\w+", "", self.opcode))
            return BYTES[width[1]] if width else 4
        return 0

    @property
    def is_asynchronous(self):
        return bool(COPY.match(self.opcode)) or self.opcode.startswith("LDGSTS")


@dataclass(frozen=True)
class Loop:
    instructions: int
    matrix: int
    load_bytes: int  # of a thread, by loads into registers
    narrowest: int  # bytes of the narrowest load or copy from global memory, 0 without any
    is_loop: bool = True  # or the whole kernel, when it has none

    @property
    def share(self):
        return self.matrix / self.instructions

    as_json = asdict


def ptx_kernels(text):
    """Instructions of each kernel of a PTX file."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/|^\s*\.(loc|file)\b[^\n]*", "", text, flags=re.S | re.M)
    result = {}
    for entry in re.finditer(r"\.entry\s+([\w$]+)\s*\((.*?)\).*?\n\{(.*?)\n\}", text, re.S):
        labels, found = {}, []
        for statement in entry[3].split(";"):
            while label := re.match(r"\s*([\w$]+):(?!:)", statement):
                labels[label[1]] = len(found)
                statement = statement[label.end():]
            match = re.match(r"[\s{}]*(?:@!?%?\w+\s+)?([a-z][\w.:]*)\s*(.*)", statement, re.S)
            if match:
                found.append((match[1], match[2].strip()))
        result[entry[1]] = [
            Instruction(opcode, at, labels.get(operands) if opcode.startswith("bra") else None, operands)
            for at, (opcode, operands) in enumerate(found)]
    return result


def parameters(text, kernel):
    """The number of parameters of a kernel of a PTX file."""
    header = re.search(r"\.entry\s+" + re.escape(kernel) + r"\s*\((.*?)\)", text, re.S)
    return len(re.findall(r"\.param\b", header[1]))


def sass_kernels(text):
    """Instructions of each kernel, of what nvdisasm -c prints. What ptxas pads with is left out."""
    result = {}
    for section in re.split(r"\n\s*\.section\s+\.text\.", text)[1:]:
        name, labels, found = re.match(r"[\w$]+", section)[0], {}, []
        for line in section.splitlines():
            if label := re.match(r"(\.L_\w+):", line):
                labels[label[1]] = len(found)
            elif match := re.match(r"\s+/\*[0-9a-f]+\*/\s+(@!?U?P\w+\s+)?([A-Z][\w.]*)\s*([^;]*)", line):
                if match[2] != "NOP" and (match[1] or "").strip() != "@!PT":
                    found.append((match[2], match[3]))
        result[name] = []
        for at, (opcode, operands) in enumerate(found):
            label = re.search(r"`\((\.L_\w+)\)", operands) if opcode.startswith("BRA") else None
            result[name].append(Instruction(opcode, at, labels.get(label[1]) if label else None, operands))
    return result


def summary(instructions, is_loop):
    loads = [(i.loads, i.is_asynchronous) for i in instructions if i.loads]
    return Loop(len(instructions), sum(i.is_matrix for i in instructions),
                sum(width for width, asynchronous in loads if not asynchronous), min((w for w, _ in loads), default=0),
                is_loop)


def main_loop(instructions):
    """The innermost loop with the greatest share of matrix instructions; without any, with most bytes loaded."""
    ends = {}
    for i in instructions:
        if i.target is not None and i.target <= i.position:
            ends[i.target] = max(ends.get(i.target, 0), i.position)
    loops = [(first, last) for first, last in ends.items()
             if not any(first <= f and l <= last and (f, l) != (first, last) for f, l in ends.items())]
    found = [summary(instructions[first:last + 1], True) for first, last in loops]
    found = [loop for loop in found if loop.matrix] or [loop for loop in found if loop.load_bytes]
    whole = summary(instructions, False)
    if not found or (whole.matrix and not any(loop.matrix for loop in found)):
        return whole
    return max(found, key=lambda loop: (loop.share, loop.load_bytes))
