#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# test.sh: builds everything for OpenMP and runs all tests; where nvcc is, builds for CUDA (sm_90) too: everything, and
# runs the tests there, if there is a GPU of that architecture. If there is none, whether it compiles and links is asked
# of the CUDA backend, of f64 on Kokkos (Araia_TYPES=minimal) and of the programs, with host code not optimised.
# Installs what is missing. Warnings are errors.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ ${1:-} != -h && ${1:-} != --help ]] || { sed -n '5,8s/^# //p' "${BASH_SOURCE[0]}" && exit 0; }
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
  capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1) || capability=
  if [[ $capability == 9.* ]]; then
    gpu=ON types=full optimisation=-O3
  else
    gpu=OFF types=minimal optimisation=-O0
  fi
  step "configure for CUDA" quietly "$log" configure cuda "$prefix" -DAraia_WERROR=ON "-DAraia_ENABLE_TESTS=$gpu" \
    "-DAraia_TYPES=$types" "-DCMAKE_CUDA_FLAGS_RELEASE=$optimisation -DNDEBUG"
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
