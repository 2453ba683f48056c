# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a page: its fenced blocks marked `sh`, in order, in one shell, in a folder that looks like the
checkout's root. Prints how many blocks ran; the first command that fails ends it."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

page, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
blocks = re.findall(r"^```sh\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
with tempfile.TemporaryDirectory() as folder:
    # What commands read is there; what they write stays out of the checkout.
    for name in ("docs", "examples", "scripts", "README.md"):
        os.symlink(source / name, pathlib.Path(folder) / name)
    script = "set -euxo pipefail\n" + "".join(blocks)
    done = subprocess.run(["bash"], input=script, text=True, cwd=folder)
if done.returncode:
    sys.exit(f"{page}: a command failed with exit code {done.returncode}")
print(f"{len(blocks)} blocks ran")
