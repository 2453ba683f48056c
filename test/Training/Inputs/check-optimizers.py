"""Compares the losses of nova-run with those of PyTorch's optimizers and schedules; see scripts/make_optimizer_goldens.py.

usage: check-optimizers.py FOLDER [FLAG...]; flags go to nova-run. Every case is run with whole batches and with four
micro-batches each, which must agree with PyTorch and so with each other.
"""

import json
import pathlib
import subprocess
import sys

TOLERANCE = 1e-6


def main():
    inputs, folder = pathlib.Path(__file__).parent, pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    goldens = json.loads((inputs / "optimizers.json").read_text())
    source = (inputs / "classifier.mlir.in").read_text()
    failed = False
    for case in goldens["cases"]:
        for accumulate in (1, 4):
            text = source.replace("BATCH", str(goldens["batch"] // accumulate))
            if not case["lr_factor"]:
                text = text.replace(", lr_factor = 0.5", "")
            program, log = folder / "program.mlir", folder / "log.jsonl"
            program.write_text(text)
            subprocess.run(["nova-run", program, f"--steps={goldens['steps']}", f"--accumulate={accumulate}", "--quiet",
                            "--data", inputs / "optimizers-data.safetensors", "--data-order=sequential",
                            "--init", inputs / "optimizers-init.safetensors", "--log", log, *case["flags"],
                            *sys.argv[2:]], check=True)
            losses = [json.loads(line)["loss"] for line in log.read_text().splitlines()]
            worst = max(abs(found - expected) / abs(expected)
                        for found, expected in zip(losses, case["losses"], strict=True))
            good = worst <= TOLERANCE
            failed |= not good
            print(f"{case['name']} x {accumulate}: {'equal' if good else f'differs by {worst:.2e}'}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
