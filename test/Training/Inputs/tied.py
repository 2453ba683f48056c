#!/usr/bin/env python3
"""Checkpoints of a model with tied weights: tied.py PROGRAM FOLDER [NOVA-RUN-OPTION...].

GPT-2's head is its token embedding. A checkpoint may have it under both names, as `--save` writes it, or under either."""
import json
import pathlib
import struct
import subprocess
import sys

program, folder, options = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
EMBEDDING, HEAD = "transformer.wte.weight", "lm_head.weight"


def nova(*arguments):
    return subprocess.run(["nova-run", program, "--no-cache", "--log-every", "1", *options, *map(str, arguments)],
                          capture_output=True, text=True)  # fmt: skip


def losses_of(run):
    if run.returncode:
        sys.exit(run.stderr)
    return [line.split("loss ")[1].split()[0] for line in run.stderr.splitlines() + run.stdout.splitlines()
            if line.startswith("step ")]  # fmt: skip


def read(path):
    """The tensors of a .safetensors: what the header says of each, and its bytes."""
    data = path.read_bytes()
    end = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:end])
    header.pop("__metadata__", None)
    return {name: (entry, data[end + entry["data_offsets"][0] : end + entry["data_offsets"][1]])
            for name, entry in header.items()}  # fmt: skip


def write(path, tensors):
    header, data = {}, b""
    for name, (entry, content) in tensors.items():
        header[name] = {**entry, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


saved = folder / "saved.safetensors"
losses_of(nova("--steps", "2", "--save", saved))
tensors = read(saved)
if tensors[EMBEDDING][1] != tensors[HEAD][1] or tensors[EMBEDDING][0]["shape"] != tensors[HEAD][0]["shape"]:
    sys.exit("expected both names with one value")
both = losses_of(nova("--steps", "2", "--init", saved))
if len(both) != 2:
    sys.exit(f"expected two losses, found {both}")
for left_out in (EMBEDDING, HEAD):
    path = folder / f"without-{left_out}.safetensors"
    write(path, {name: tensor for name, tensor in tensors.items() if name != left_out})
    if (found := losses_of(nova("--steps", "2", "--init", path))) != both:
        sys.exit(f"expected the losses {both} without {left_out}, found {found}")
print("both names, and either, give the same losses")

entry, content = tensors[HEAD]
write(folder / "apart.safetensors", {**tensors, HEAD: (entry, bytes([content[0] ^ 1]) + content[1:])})
write(folder / "neither.safetensors", {name: tensor for name, tensor in tensors.items() if name not in (EMBEDDING, HEAD)})
for name in ("apart", "neither"):
    run = nova("--steps", "1", "--init", folder / f"{name}.safetensors")
    print(f"{name}: exit code {run.returncode}: {run.stderr.strip().splitlines()[-1].strip()}")

# The run goes on from a checkpoint, which has the first name.
kept = folder / "kept"
whole = losses_of(nova("--steps", "4"))
losses_of(nova("--steps", "2", "--checkpoint", kept))
if (found := losses_of(nova("--steps", "4", "--resume", kept))) != whole[2:]:
    sys.exit(f"expected the losses {whole[2:]} of a run that goes on, found {found}")
print("resumed with the same losses")
