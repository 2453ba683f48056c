"""Trains w by one step a value of the evaluation, where exp(w x) overflows until w is small: which step is `best`."""

import json
import os
import shutil
import struct
import subprocess
import sys

PROGRAM = """
nova.parameter @w : tensor<f32> = #nova.constant<1.0>
func.func @loss(%x: tensor<2xf32> {nova.name = "x"}) -> tensor<f32> {
  %w = nova.read @w : tensor<f32>
  %p = nova.mul %w, %x : tensor<f32>, tensor<2xf32>
  %e = nova.exp %p : tensor<2xf32>
  %d = nova.sub %e, %e : tensor<2xf32>, tensor<2xf32>
  %a = nova.add %d, %w : tensor<2xf32>, tensor<f32>
  %l = nova.reduce mean %a over [0] : tensor<2xf32>
  return %l : tensor<f32>
}
"""


def write(path, values):
    header = json.dumps({"x": {"dtype": "F32", "shape": [len(values)], "data_offsets": [0, 4 * len(values)]}}).encode()
    header += b" " * (-len(header) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + struct.pack(f"<{len(values)}f", *values))


def main(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.chdir(folder)
    with open("p.mlir", "w") as file:
        file.write(PROGRAM)
    write("train.safetensors", [0.0, 0.0])
    write("some.safetensors", [150.0, 150.0])  # exp(150 w) overflows for w = 0.7, not for 0.4
    write("never.safetensors", [1e30, 1e30])
    flags = ["--data", "train.safetensors", "--eval-every", "1", "--optimizer", "sgd", "--momentum", "0", "--lr", "0.3",
             "--clip", "0", "--weight-decay", "0", "--quiet", "--checkpoint"]

    def run(steps, name, evaluation, *more):
        subprocess.run(["nova-run", "p.mlir", "--steps", str(steps), *flags, name, "--eval-data", evaluation, *more],
                       check=True)
        state = json.load(open(sorted(os.path.join(name, entry) for entry in os.listdir(name)
                                      if entry.startswith("step-"))[-1] + "/state.json"))
        best = os.readlink(name + "/best") if os.path.lexists(name + "/best") else "none"
        print(name, "best", best, state["best"] and round(state["best"]["eval_loss"], 3))

    run(3, "whole", "some.safetensors")
    run(1, "parts", "some.safetensors")
    run(3, "parts", "some.safetensors", "--resume", "parts")
    run(2, "never", "never.safetensors")


main(sys.argv[1])
