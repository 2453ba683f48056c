#!/usr/bin/env bash
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds everything and runs all tests: the rooms without LLVM under the address and undefined-behaviour sanitizers, then
# everything as released. Installs what is missing first; may be run again.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_packages
build_preset asan
build_preset release

status=0
for preset in asan release; do
  say "testing ($preset)"
  ctest --preset "$preset" || status=$?
done
say "goldens by op"
python3 test/Goldens/coverage.py || status=$?
exit $status
