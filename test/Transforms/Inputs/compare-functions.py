# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates every function of a file before and after passes and compares the results, by the reference evaluator on
random arguments.

    compare-functions.py FILE PASSES...     (such as --nova-fuse-norm; nova-opt and nova-run are in PATH)
"""
import pathlib
import re
import subprocess
import sys
import tempfile

file, passes = pathlib.Path(sys.argv[1]), sys.argv[2:]
functions = re.findall(r"^func\.func @(\w+)", file.read_text(), re.MULTILINE)
failures = []
with tempfile.TemporaryDirectory() as folder:
    after, values = f"{folder}/after.mlir", f"{folder}/values.safetensors"
    subprocess.run(["nova-opt", file, *passes, "-o", after], check=True)
    for function in functions:
        flags = ["--entry", function, "--device=reference", "--random-inputs=1"]
        subprocess.run(["nova-run", file, *flags, "--outputs", values], check=True)
        # Small ops round every result to bf16, one op rounds once: differences of 2^-8 where values are about 1.
        tolerance = ["--rtol=1e-2", "--atol=1e-2"] if "bf16" in function else ["--rtol=1e-5", "--atol=1e-6"]
        compared = subprocess.run(["nova-run", after, *flags, "--expect", values, *tolerance],
                                  capture_output=True, text=True)
        if compared.returncode:
            failures.append(f"{function}: {compared.stderr}")
print(f"{len(functions)} functions, {len(failures)} differences")
print("\n".join(failures))
