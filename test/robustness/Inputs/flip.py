#!/usr/bin/env python3
"""Runs a command on copies of a file with one byte changed: flip.py FILE COPIES SEED COMMAND... (the copy comes last).

Every answer is a result or a diagnostic; a signal is none.
"""
import random
import subprocess
import sys
import tempfile


def main():
    path, copies, seed, command = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
    with open(path, "rb") as file:
        whole = file.read()
    rng, problems = random.Random(seed), 0
    with tempfile.NamedTemporaryFile(suffix=".mlirbc") as copy:
        for _ in range(copies):
            place, value = rng.randrange(len(whole)), rng.randrange(256)
            copy.seek(0)
            copy.write(whole[:place] + bytes([value]) + whole[place + 1:])
            copy.flush()
            code = subprocess.run([*command, copy.name], capture_output=True, check=False).returncode
            if code not in (0, 1, 2, 3):
                problems += 1
                print(f"byte {place} as {value}: exit code {code}")
    print(f"{copies} copies, {problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
