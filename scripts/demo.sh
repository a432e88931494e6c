#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# demo.sh [FILE]: builds the command and lets it find the fastest way to multiply with the matrix in FILE (Matrix
# Market, SMTX), or with a finite-element matrix that it assembles itself. Installs what is missing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${1:-} in
  -h | --help) sed -n '5,6s/^# //p' "${BASH_SOURCE[0]}" && exit 0 ;;
  -*) die "unknown option '$1'; usage: demo.sh [FILE]" ;;
esac
(($# <= 1)) || die "one file at most; usage: demo.sh [FILE]"
matrix=${1:-}
[[ -z $matrix || -r $matrix ]] || die "cannot read '$matrix'"

"$araia_root/scripts/setup.sh" demo
source "$araia_root/scripts/common.sh" # again: ccache may be there now
prefix=$("$araia_root/scripts/deps.sh" openmp | tail -n 1)
build=$araia_root/build/demo
mkdir -p "$build"
build_demo() {
  configure openmp "$prefix" -B "$build" -DAraia_ENABLE_TESTS=OFF -DAraia_ENABLE_PERF=OFF &&
    cmake --build "$build" -j "$araia_jobs" --target araia_cli araia_example_01_fem_matrix
}
step "build the command" quietly "$build/demo.log" build_demo

if [[ -z $matrix ]]; then
  matrix=$build/fem.mtx
  step "assemble a finite-element matrix" "$build/bin/examples/01_fem_matrix" "$matrix"
fi
say "==> araia tune $matrix"
exec "$build/bin/araia" tune "$matrix"
