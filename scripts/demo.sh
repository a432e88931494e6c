#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# demo.sh [--stencil | FILE]: builds the command and lets it find the fastest way to multiply with the matrix in FILE
# (Matrix Market, SMTX), or with a finite-element matrix that it assembles itself, or with the Laplacian of a cube by
# central differences, a stencil of 7 points. Installs what is missing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage="usage: demo.sh [--stencil | FILE]"
stencil=false
case ${1:-} in
  -h | --help) sed -n '5,7s/^# //p' "${BASH_SOURCE[0]}" && exit 0 ;;
  --stencil) stencil=true && shift ;;
  -*) die "unknown option '$1'; $usage" ;;
esac
$stencil && (($# > 0)) && die "--stencil and a file exclude one another; $usage"
(($# <= 1)) || die "one file at most; $usage"
matrix=${1:-}
[[ -z $matrix || -r $matrix ]] || die "cannot read '$matrix'"

# write_stencil FILE: the lower triangle, on a grid of 60 points an edge.
write_stencil() {
  awk -v n=60 'BEGIN {
    print "%%MatrixMarket matrix coordinate real symmetric"
    print n * n * n, n * n * n, n * n * n + 3 * n * n * (n - 1)
    for (row = 0; row < n * n * n; ++row) {
      print row + 1, row + 1, 6
      if (row % n) print row + 1, row, -1
      if (int(row / n) % n) print row + 1, row + 1 - n, -1
      if (row >= n * n) print row + 1, row + 1 - n * n, -1
    }
  }' >"$1"
}

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

if $stencil; then
  matrix=stencil.mtx
  cd "$build"
  step "write the matrix of a stencil" write_stencil "$matrix"
elif [[ -z $matrix ]]; then
  matrix=fem.mtx
  cd "$build"
  step "assemble a finite-element matrix" "$build/bin/examples/01_fem_matrix" "$matrix"
fi
say "==> araia tune $matrix"
exec "$build/bin/araia" tune "$matrix"
