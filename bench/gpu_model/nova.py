# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Nova's compiler makes of a program: its bundle taken apart, and each kernel of it counted."""
import json
import random
import re
import struct
import subprocess
from dataclasses import dataclass

from . import counts

SIZES = {"f64": 8, "i64": 8, "f32": 4, "i32": 4, "f16": 2, "bf16": 2, "i8": 1, "bool": 1}
MOVES = re.compile(r"((slice|transpose|concat|reshape|pad|broadcast_in_dim|copy|cast)_)+[\dx]+(_\d+)?")


@dataclass
class Kernel:
    """A kernel of a bundle with its launches in one run of an entry."""
    name: str
    family: str
    launches: int
    blocks: int
    bytes: float  # of a launch, as those below
    argument_bytes: list
    counts: counts.Counts

    @property
    def only_moves(self):
        return bool(MOVES.fullmatch(self.name))


def compile_bundle(build, arguments, output):
    command = [build / "bin/nova-translate", *arguments, "-o", output]
    ran = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if ran.returncode:
        raise SystemExit(f"error: {' '.join(map(str, command))}: {ran.stderr}")


def sections(path):
    """The parts of a bundle, by name (include/Nova/Runtime/Bundle.h)."""
    data = path.read_bytes()
    magic, _, count = struct.unpack_from("<8sII", data)
    if magic != b"NOVABNDL":
        raise SystemExit(f"error: expected a bundle, found {path}")
    headers = [struct.unpack_from("<48sQQ", data, 32 + 64 * i) for i in range(count)]
    return {name.rstrip(b"\0").decode(): data[offset:offset + size] for name, offset, size in headers}


def for_chip(parts, chip):
    """The tables and the PTX that a bundle has for a chip: a file holds a bundle for each target."""
    for name, text in parts.items():
        if name.endswith("/tables"):
            tables = json.loads(text)
            for i, image in enumerate(tables["images"]):
                if (image["target"], image["format"]) == (chip, "ptx"):
                    return tables, parts[name.replace("tables", f"image/{i}")]
    raise SystemExit(f"error: expected PTX for {chip} in the bundle, found none")


def write_tokens(path, sizes, bound):
    """Random indices for the kernels that look something up: tensors named i and their number of elements."""
    generator, header, data = random.Random(0), {}, b""
    for size in sorted(sizes):
        tensor = struct.pack(f"<{size}i", *(generator.randrange(bound) for _ in range(size)))
        header[f"i{size}"] = {"dtype": "I32", "shape": [size], "data_offsets": [len(data), len(data) + len(tensor)]}
        data += tensor
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def count_bundle(emulator, bundle, chip, folder, heads=0):
    """The kernels of a bundle's train step, or of its only entry, each with its Counts."""
    tables, image = for_chip(sections(bundle), chip)
    ptx = folder / f"{bundle.stem}.{chip}.ptx"
    ptx.write_bytes(image.rstrip(b"\0"))
    module = counts.Module(emulator, ptx, chip, folder)
    entry = next((e for e in tables["entries"] if e["name"] == "train_step"), tables["entries"][0])
    launches = [launch["kernel"] for launch in entry["launches"]]
    bound = min((i["bound"] for i in entry["inputs"] if i.get("bound")), default=1 << 15)
    indices = folder / f"{bundle.stem}.safetensors"
    write_tokens(indices, {size // 4 for kernel in tables["kernels"]
                           for size, kind in zip(kernel["argument_bytes"], kernel["argument_types"]) if kind == "i32"},
                 bound)

    def count(number):
        kernel = tables["kernels"][number]
        arguments = [f"i{size // 4}" if kind == "i32" else f"zeros:a{i}:{kind}:{max(1, size // SIZES[kind])}"
                     for i, (size, kind) in enumerate(zip(kernel["argument_bytes"], kernel["argument_types"]))]
        # An array of indices that a kernel is given twice is one buffer.
        launch = counts.Launch(kernel["name"], (kernel["blocks"], 1, 1), kernel["gpu_threads"],
                               kernel["gpu_shared_bytes"], arguments, kernel["bytes"],
                               heads if kernel["family"] == "attention" else 0, indices)
        return Kernel(kernel["name"], kernel["family"], launches.count(number), kernel["blocks"], kernel["bytes"],
                      kernel["argument_bytes"], module.count(launch, counts.most_samples(kernel["family"])))
    return counts.in_parallel(count, sorted(set(launches)))


def count_problem(build, problem, chip, folder):
    """The kernels of one problem. Attention's run whole, as a head is little work."""
    source, bundle = folder / f"{problem.entry}.mlir", folder / f"{problem.entry}.nova"
    source.write_text(problem.nova())
    compile_bundle(build, [source, "--nova-to-bundle", f"--targets={chip}", f"--entry={problem.entry}"], bundle)
    return count_bundle(build / "bin/nova-emulate", bundle, chip, folder, problem.heads)


def step_bundle(build, config, batch, context, chips, folder):
    """The bf16 train step of a GPT-2, from its Hugging Face configuration or a program."""
    program = config
    if config.suffix == ".json":
        program = folder / "step.mlir"
        compile_bundle(build, [config, "--hf-config-to-nova", f"--batch={batch}", f"--seq={context}"], program)
    bundle = folder / "step.nova"
    compile_bundle(build, [program, "--nova-to-bundle", f"--targets={','.join(chips)}", "--dtype=bf16"], bundle)
    return bundle
