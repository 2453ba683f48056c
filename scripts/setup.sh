# shellcheck shell=bash
# Part of Nova, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What quickstart.sh and test.sh share: the packages that Nova needs, and how it is built. Sourced, never run.

export LC_ALL=C.UTF-8 # The order of files and the language of messages are the same on every machine.
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$project" || exit

packages=(
  ccache clang-22 cmake libclang-rt-22-dev libcli11-dev libgtest-dev libmlir-22-dev lld-22 llvm-22-dev llvm-22-tools
  mlir-22-tools ninja-build nlohmann-json3-dev python3
)

say() { printf '== %s\n' "$*"; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Says so when the suite that carries LLVM 22 is not among the package sources.
explain_security_suite() {
  local suite archive
  suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}-security")
  if grep --recursive --quiet --no-messages -- "$suite" /etc/apt/sources.list /etc/apt/sources.list.d; then
    return
  fi
  # Beside the mirror that this machine uses already.
  # shellcheck disable=SC2016 # apt-get expands it.
  read -r archive < <(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' "Codename: ${suite%-security}") || true
  archive=${archive%/}
  printf '%s\n' "LLVM 22 is in Debian's security suite, which is not enabled on this machine. As root:" \
    "  echo 'deb ${archive:-MIRROR/debian}-security $suite main' > /etc/apt/sources.list.d/security.list" >&2
}

# Installs the packages that are missing; without root, says how to.
install_packages() {
  local missing=() package log
  command -v apt-get >/dev/null ||
    fail "this is no Debian; Nova needs the counterparts of these packages: ${packages[*]}"
  for package in "${packages[@]}"; do
    [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  if ((EUID != 0)); then
    printf 'error: packages are missing, and only root can install them: %s\n' "${missing[*]}" >&2
    explain_security_suite
    printf '%s\n' "Install them, then run this again:" "  sudo apt-get update" \
      "  sudo apt-get install ${missing[*]}" >&2
    exit 1
  fi

  say "installing ${missing[*]} (minutes, and up to 2 GB)"
  log=$(mktemp)
  # A source that cannot be reached matters only when a package is missing because of it.
  apt-get update >"$log" 2>&1 </dev/null || true
  if ! DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}" \
    >>"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    explain_security_suite
    fail "apt-get could not install the packages; its messages stand above"
  fi
  rm -f "$log"
}

# build_preset NAME [TARGET...]: configures a preset of CMakePresets.json and builds it.
build_preset() {
  local preset=$1 log
  shift
  say "building ($preset)"
  log=$(mktemp)
  cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2 && fail "cmake could not configure the preset $preset"; }
  rm -f "$log"
  cmake --build --preset "$preset" ${1:+--target "$@"}
}
