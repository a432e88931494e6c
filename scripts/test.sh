#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# test.sh: builds everything for OpenMP and runs all tests; where nvcc is, builds for CUDA (sm_90) too: everything, and
# runs the tests there, if there is a GPU of that architecture; if there is none, what cuda_options in common.sh says.
# Installs what is missing. Warnings are errors.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '5,7s/^# //p' "${BASH_SOURCE[0]}" && exit 0; }
(($# == 0)) || die "takes no arguments"

"$araia_root/scripts/setup.sh" test
source "$araia_root/scripts/common.sh" # again: ccache may be there now
mkdir -p "$araia_root/build"

prefix=$("$araia_root/scripts/deps.sh" openmp | tail -n 1)
log=$araia_root/build/openmp.log
step "configure for OpenMP" quietly "$log" configure openmp "$prefix" -DAraia_WERROR=ON
step "build for OpenMP" quietly "$log" cmake --build "$araia_root/build/openmp" -j "$araia_jobs" -- -k 0

nvcc=$(find_nvcc)
if [[ -n $nvcc ]]; then
  export PATH=${nvcc%/*}:$PATH
  prefix=$("$araia_root/scripts/deps.sh" cuda | tail -n 1)
  log=$araia_root/build/cuda.log
  has_gpu && gpu=ON || gpu=OFF
  mapfile -t options < <(cuda_options)
  step "configure for CUDA" quietly "$log" configure cuda "$prefix" -DAraia_WERROR=ON "-DAraia_ENABLE_TESTS=$gpu" \
    "${options[@]}"
  step "build for CUDA" quietly "$log" cmake --build "$araia_root/build/cuda" -j "$araia_jobs" -- -k 0
  if [[ $gpu == ON ]]; then
    step "tests on the GPU" ctest --test-dir "$araia_root/build/cuda" --output-on-failure -j 1
  else
    say "==> the CUDA tests are not built: there is no GPU of compute capability 9.x"
  fi
else
  say "==> the CUDA part is skipped: no nvcc on PATH or in /usr/local/cuda/bin"
fi

step "tests on OpenMP" ctest --test-dir "$araia_root/build/openmp" --output-on-failure -j "$araia_jobs"
