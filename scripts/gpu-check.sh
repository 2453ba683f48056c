#!/usr/bin/env bash
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks and measures Nova on a GPU, from a folder that gpu-prepare.sh made: all kernels against what the reference
# evaluator computed, losses of GPT-2 against the CPU's and run to run, tokens per second of GPT-2 124M fused, op by op,
# and by PyTorch, and the time of each kernel. Needs the driver; python3 with PyTorch for the comparison. At most 6
# minutes: every part has a limit of its own and leaves its result when it ends, in FOLDER/report.txt.
#
# usage: ./gpu-check.sh [--device=cuda|emulator] [--report=FILE]
# Exit codes are nova-run's: 0 all is well, 3 device, 4 a result is wrong. What could not be compared is said.
set -uo pipefail

folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
device=cuda report=
for argument in "$@"; do
  case $argument in
  --device=cuda | --device=emulator) device=${argument#*=} ;;
  --report=?*) report=${argument#*=} ;;
  *)
    printf 'error: expected --device=cuda, --device=emulator or --report=FILE, found %s\n' "$argument" >&2
    exit 2
    ;;
  esac
done
report=${report:-$folder/report.txt}
[[ -x $folder/bin/nova-run && -d $folder/kernels ]] || {
  printf 'error: expected %s to be a folder of gpu-prepare.sh, found no bin/nova-run and kernels in it\n' "$folder" >&2
  exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$report" || exit 2
status=0

# To the terminal and to the report, which is complete up to here whatever happens next.
say() { printf '%s\n' "$*" | tee -a "$report"; }
# worse CODE: keeps the first code that is not 0.
worse() { ((status)) || status=$1; }
# nova SECONDS ARGUMENTS...: nova-run on the device; its diagnostics in $work/err. 124 when the time is over.
nova() {
  local limit=$1
  shift
  timeout --kill-after=5 "$limit" "$folder/bin/nova-run" "$@" --device="$device" 2>"$work/err"
}
# explain CODE WHAT: a part that failed.
explain() {
  if (($1 == 124 || $1 == 137)); then
    say "  $2: not done in its time"
    return
  fi
  say "  $2: exit code $1"
  sed 's/^/    /' "$work/err" | head -n 8 | tee -a "$report"
  worse "$1"
}
# field NAME FILE: a value of a summary.
field() { sed -nE "s/^ *\"$1\": \"?([^\",]*)\"?,?$/\1/p" "$2"; }
whole() { LC_ALL=C printf %.0f "$(field "$1" "$2")"; }
# seconds_left LIMIT: of a part that began at $began.
seconds_left() { echo $(($1 - (SECONDS - began) > 1 ? $1 - (SECONDS - began) : 1)); }

say "Nova on $device, $(date -u '+%Y-%m-%d %H:%M UTC')"
say "$("$folder/bin/nova-run" --version | sed -n 's/^  CUDA: */driver: /p;1p')"

began=$SECONDS limit=45 passed=0
say "kernels against the reference evaluator:"
for expect in "$folder"/kernels/*.expect; do
  name=$(basename "$expect" .expect)
  read -r golden rtol atol <"$expect"
  nova "$(seconds_left $limit)" "$folder/kernels/$name.nova" --random-inputs=1 --rtol "$rtol" --atol "$atol" --quiet \
    --expect "$folder/kernels/$golden.safetensors"
  code=$?
  if ((code)); then explain $code "$name"; else passed=$((passed + 1)); fi
  if ((code == 3)); then
    say "the device can't be used; nothing else was tried"
    exit 3
  fi
done
say "  $passed of $(find "$folder/kernels" -name '*.expect' | wc -l) agree"

# compare NAME LOG: the losses of a log against the CPU's, to 1e-4 of the loss.
compare() {
  awk -F, 'NR == FNR { expected[$1] = $2; next }
           $1 in expected && $1 != "step" {
             difference = $2 - expected[$1]; if (difference < 0) difference = -difference
             if ($2 != $2 + 0 || difference > 1e-4 * expected[$1]) bad = 1
             if (difference > worst) worst = difference; steps++
           }
           END { printf "%d steps, at most %.1e apart", steps, worst; exit !(steps && !bad) }' "$folder/models/$1.csv" "$2"
}

began=$SECONDS limit=60
say "losses against the CPU's:"
for losses in "$folder"/models/*.csv; do
  model=$(basename "$losses" .csv)
  steps=$(($(wc -l <"$losses") - 1))
  [[ $device == emulator ]] && steps=2
  for mode in fused eager; do
    for run in 1 2; do
      nova "$(seconds_left $limit)" "$folder/models/$model-$mode.nova" --steps "$steps" --quiet --log "$work/$run.csv" \
        --save "$work/$run.safetensors"
      code=$?
      ((code == 0)) || break
    done
    if ((code)); then
      explain "$code" "$model $mode"
    elif ! result=$(compare "$model" "$work/1.csv"); then
      say "  $model $mode: WRONG, $result"
      worse 4
    elif ! cmp -s "$work/1.safetensors" "$work/2.safetensors"; then
      say "  $model $mode: $result; WRONG, a second run gave other bits"
      worse 4
    else
      say "  $model $mode: $result; the same bits in a second run"
    fi
  done
done

speed=124m-speed steps=12
[[ -f $folder/models/$speed-fused.nova && $device == cuda ]] || speed=tiny steps=1
began=$SECONDS limit=45
say "tokens per second, $speed:"
for mode in fused eager; do
  if nova "$(seconds_left $limit)" "$folder/models/$speed-$mode.nova" --steps $steps --quiet --summary "$work/$mode.json"; then
    say "  nova $mode, f32: $(whole tokens_per_s "$work/$mode.json") ($(whole step_ms "$work/$mode.json") ms a step of $(field \
      launches_per_step "$work/$mode.json") launches, on $(field chip "$work/$mode.json"))"
  else
    explain $? "nova $mode"
  fi
done
if [[ $device != cuda ]]; then
  say "  PyTorch: not compared, it needs a GPU"
elif ! timeout 20 python3 -c 'import torch; assert torch.cuda.is_available()' 2>/dev/null; then
  say "  PyTorch: not compared, python3 has none that sees a GPU"
else
  for peer in eager compile; do
    flags=() limit=40
    [[ $peer == compile ]] && flags=(--compiled) limit=75
    if timeout --kill-after=5 $limit python3 "$folder/train.py" --torch-device cuda "${flags[@]}" \
      --child '[12, 12, 768, 50257, 8, 1024, 10]' >"$work/torch.json" 2>"$work/err"; then
      say "  torch $peer, f32: $(sed -nE 's/.*"tokens_per_s": ([0-9]+).*/\1/p' "$work/torch.json")"
    else
      code=$?
      say "  torch $peer: not measured (exit code $code)"
    fi
  done
fi

say "time per kernel, $speed fused:"
if ! "$folder/bin/nova-run" --help | grep -q -- --profile; then
  say "  this nova-run has no --profile"
elif nova 25 "$folder/models/$speed-fused.nova" --steps 3 --quiet --profile >"$work/profile"; then
  head -n 40 "$work/profile" | sed 's/^/  /' | tee -a "$report"
else
  explain $? profile
fi

if [[ $device == cuda ]]; then
  say "compute-sanitizer, tiny fused:"
  sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
  if [[ -z $sanitizer ]]; then
    say "  none here"
  else
    for tool in memcheck racecheck; do
      timeout --kill-after=5 20 "$sanitizer" --tool $tool --error-exitcode 4 "$folder/bin/nova-run" \
        "$folder/models/tiny-fused.nova" --device=cuda --steps 1 --quiet >"$work/err" 2>&1
      code=$?
      if ((code)); then explain $code "$tool"; else say "  $tool: nothing found"; fi
    done
  fi
fi
say "$( ((status)) && echo "NOT all is well: exit code $status" || echo "all is well"), after $SECONDS s"
exit "$status"
