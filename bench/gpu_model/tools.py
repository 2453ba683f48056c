# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs that count: nova-emulate, and NVIDIA's ptxas and nvdisasm where they can be found."""
import functools
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess

WHERE = "pip install nvidia-cuda-nvcc nvidia-cuda-nvdisasm, or a CUDA toolkit in PATH or CUDA_HOME"


def folders():
    """Where NVIDIA's tools may lie: a toolkit, or what PyPI's packages put beside Python's."""
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            yield pathlib.Path(os.environ[variable]) / "bin"
    yield pathlib.Path("/usr/local/cuda/bin")
    for package, parts in (("nvidia", ("*/bin",)), ("triton", ("backends/nvidia/bin",))):
        spec = importlib.util.find_spec(package)
        for place in (spec and spec.submodule_search_locations) or ():
            for part in parts:
                yield from pathlib.Path(place).glob(part)


@functools.cache
def find(tool):
    """The path of one of NVIDIA's tools, or None."""
    found = shutil.which(tool)
    return found or next((str(folder / tool) for folder in folders() if (folder / tool).is_file()), None)


def version(tool):
    """"ptxas 13.0", or that there is none."""
    if not find(tool):
        return f"no {tool}"
    told = subprocess.run([find(tool), "--version"], capture_output=True, text=True, check=True).stdout
    return f"{tool} {re.search(r'release ([0-9.]+)', told)[1]}"


def assemble(ptx, chip, folder):
    """(registers, static shared bytes, local bytes) of each kernel, and the cubin; ({}, None) without ptxas."""
    if not find("ptxas"):
        return {}, None
    cubin = folder / f"{ptx.stem}.{chip}.cubin"
    log = subprocess.run([find("ptxas"), "-v", f"-arch={chip}", ptx, "-o", cubin], capture_output=True, text=True)
    if log.returncode:
        raise SystemExit(f"error: ptxas refuses {ptx}: {log.stderr}")
    resources, name, local = {}, None, 0
    for line in (log.stdout + log.stderr).splitlines():
        if entry := re.search(r"entry function '(\S+)'", line):
            name = entry[1]
        elif frame := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores", line):
            local = int(frame[1]) + int(frame[2])
        elif used := re.search(r"Used (\d+) registers", line):
            shared = re.search(r"(\d+) bytes smem", line)
            resources[name] = (int(used[1]), int(shared[1]) if shared else 0, local)
    return resources, cubin


def disassemble(cubin):
    """The text of a cubin's SASS, or None without nvdisasm."""
    if not cubin or not find("nvdisasm"):
        return None
    return subprocess.run([find("nvdisasm"), "-c", cubin], capture_output=True, text=True, check=True).stdout


def blocks_of(grid, numbers):
    """Runs of blocks, (first, last), for the numbers of blocks of a grid, counted along x first."""
    x, y, _ = grid
    return [[[n % x, n // x % y, n // (x * y)]] * 2 for n in numbers]


def emulate(tool, ptx, kernel, grid, threads, shared, arguments, numbers, folder, inputs=None):
    """nova-emulate's counters of some blocks of one launch, without its checks."""
    launch = {"kernel": kernel, "grid": list(grid), "block": [threads], "shared": shared}
    # Only the first launch makes the buffers.
    later = [re.sub(r"^zeros:(\w+):.*", r"\1", argument) for argument in arguments]
    launches = [dict(launch, **{"first-block": first, "last-block": last}, args=later if i else arguments)
                for i, (first, last) in enumerate(blocks_of(grid, numbers))]
    if len(numbers) == grid[0] * grid[1] * grid[2]:
        launches = [dict(launch, args=arguments)]
    description, report = folder / f"{kernel}.launches.json", folder / f"{kernel}.counters.json"
    description.write_text(json.dumps(launches))
    command = [tool, ptx, f"--launches={description}", f"--report={report}", "--threads=1", "--check=none"]
    command += [f"--inputs={inputs}"] if inputs else []
    ran = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if ran.returncode:
        raise SystemExit(f"error: nova-emulate on {kernel}: {ran.stderr or ran.stdout}")
    return json.loads(report.read_text())[kernel]
