#!/usr/bin/env bash
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# From a fresh Debian to a training GPT: installs what is missing, builds Nova, and trains examples/gpt2-tiny.mlir on the
# text of the licences that every Debian machine has. May be run again; then only the training takes time.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_packages
build_preset release nova-run NovaCompiler nova-opt nova-translate

licences=/usr/share/common-licenses text=build/licences.txt summary=build/quickstart.json
[[ -d $licences ]] ||
  fail "$licences is missing; train on another text: build/bin/nova-run examples/gpt2-tiny.mlir --steps 300 --data FILE"
# Links name a file that is there already.
find "$licences" -type f -print0 | sort -z | xargs -0 cat >"$text.new"
mv "$text.new" "$text"

say "training examples/gpt2-tiny.mlir for 300 steps on $(wc -c <"$text") bytes of licences"
build/bin/nova-run examples/gpt2-tiny.mlir --steps 300 --data "$text" --lr 1e-3 --log-every 20 --summary "$summary"

python3 - "$summary" <<'PYTHON'
import json
import sys

summary = json.load(open(sys.argv[1]))
first, last = summary["first_loss"], summary["mean_last_20_loss"]
print(f"loss: {first:.3f} at the first step, {last:.3f} on average over the last 20 ({summary['tokens_per_s']:.0f} tokens/s)")
PYTHON

say "next: export PATH=\$PWD/build/bin:\$PATH, and docs/GettingStarted.md"
