#!/usr/bin/env bash
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes a folder with everything that gpu-check.sh needs on a machine with a GPU: nova-run, bundles with code for sm_80,
# sm_89 and sm_90, and what the CPU and the reference evaluator compute. That machine needs neither Nova nor LLVM.
#
# usage: scripts/gpu-prepare.sh FOLDER [--small]
# --small: the small model alone and code for sm_89 alone, which is enough for the emulator. NOVA_BUILD names the build
# folder (build).
set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$(cd "${NOVA_BUILD:-$project/build}" && pwd -P)

fail() {
  printf 'error: %s\n' "$*" >&2
  exit 2
}
say() { printf '== %s\n' "$*"; }

(($# >= 1)) || fail "expected FOLDER, found none: scripts/gpu-prepare.sh FOLDER [--small]"
folder=$1 small=${2:-}
[[ -z $small || $small == --small ]] || fail "expected --small, found $small"
[[ ! -e $folder || -f $folder/gpu-check.sh ]] || fail "expected a new folder, found $folder with something else in it"
for tool in nova-run nova-translate; do
  [[ -x $build/bin/$tool ]] || fail "expected $build/bin/$tool, found none: build Nova first (ninja -C build)"
done

targets=sm_80,sm_89,sm_90
[[ $small ]] && targets=sm_89
rm -rf "$folder"
mkdir -p "$folder"/{bin,kernels,models}
folder=$(cd "$folder" && pwd -P)
run=("$build/bin/nova-run" --quiet --no-cache)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$project/scripts/gpu-check.sh" "$project/bench/train.py" "$folder"
cp "$build/bin/nova-run" "$folder/bin"
emulator=$build/lib/libNovaEmulator.so
[[ -f $emulator ]] && cp "$emulator" "$folder/bin"

# tolerances PROGRAM PATTERN: those of the program's test that has the pattern; nothing where there is none.
tolerances() { sed -nE "s/.*$2 .*--rtol ([^ ]+) --atol ([^ ]+).*/\1 \2/p" "$1"; }

say "kernels, for $targets"
for program in "$project"/test/Numerics/*.mlir; do
  name=$(basename "$program" .mlir)
  entry=$(sed -nE 's/^func\.func @(\w+).*/\1/p' "$program" | head -n 1)
  "${run[@]}" "$program" --device=reference --random-inputs=1 --outputs "$folder/kernels/$name.safetensors"
  # Tolerances are those of the CPU, but for tf32, which is for programs whose tests ask for it.
  for variant in fused:--device=cpu:--mode=fused eager:--device=cpu:--mode=eager \
    tf32:--random-inputs=1.*--matmul-precision=tf32:--matmul-precision=tf32; do
    IFS=: read -r suffix pattern flag <<<"$variant"
    expected=$(tolerances "$program" "$pattern" | head -n 1)
    [[ $expected || $suffix != tf32 ]] || continue
    "$build/bin/nova-translate" "$program" --nova-to-bundle --targets="$targets" --entry "$entry" "$flag" \
      -o "$folder/kernels/$name-$suffix.nova"
    printf '%s %s\n' "$name" "$expected" >"$folder/kernels/$name-$suffix.expect"
  done
done

# model NAME PROGRAM STEPS: bundles in both modes, and the losses of the CPU for the first steps (0: no losses).
model() {
  say "$1, for $targets"
  for mode in fused eager; do
    "$build/bin/nova-translate" "$2" --nova-to-bundle --targets="$targets" --mode="$mode" -o "$folder/models/$1-$mode.nova"
  done
  (($3 == 0)) || "${run[@]}" "$2" --steps "$3" --log "$folder/models/$1.csv" 2>"$work/err" || {
    cat "$work/err" >&2
    exit 1
  }
}
model tiny "$project/examples/gpt2-tiny.mlir" 10
if [[ ! $small ]]; then
  # One to compare losses, which the CPU computes in seconds, and one to measure.
  for size in check:1:256:3 speed:8:1024:0; do
    IFS=: read -r use batch length steps <<<"$size"
    "$build/bin/nova-translate" --hf-config-to-nova "$project/examples/gpt2-124m.json" --batch="$batch" \
      --seq="$length" -o "$work/$use.mlir"
    model "124m-$use" "$work/$use.mlir" "$steps"
  done
fi
say "$folder holds $(du -sh --apparent-size "$folder" | cut -f 1): there, run ./gpu-check.sh"
