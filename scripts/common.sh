# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# shellcheck shell=bash
#
# Sourced by the scripts beside it: messages, steps with their seconds, and where the tools are.

araia_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
araia_jobs=${ARAIA_JOBS:-$(nproc)}

say() { printf '%s\n' "$*" >&2; }
die() {
  say "${0##*/}: $*"
  exit 1
}

# step TITLE COMMAND...: runs the command, says how long it took, passes its status on.
step() {
  local title=$1 start=$SECONDS status=0
  shift
  say "==> $title"
  "$@" || status=$?
  if ((status == 0)); then
    say "==> $title: $((SECONDS - start)) s"
  else
    say "==> $title: FAILED with status $status after $((SECONDS - start)) s"
  fi
  return "$status"
}

# quietly LOG COMMAND...: output to LOG, shown only when the command fails.
quietly() {
  local log=$1 status=0
  shift
  "$@" >"$log" 2>&1 || status=$?
  if ((status != 0)); then
    tail -n 60 "$log" >&2
    say "(all of it in $log)"
  fi
  return "$status"
}

# nvcc from PATH or the usual place; nothing where there is none.
find_nvcc() { command -v nvcc || { [[ -x /usr/local/cuda/bin/nvcc ]] && echo /usr/local/cuda/bin/nvcc; } || true; }

# ccache where there is one; CMake reads the launchers from the environment. Paths below the base are hashed as relative
# ones, so that another build folder, or another clone, hits too. It takes units with precompiled headers only where it
# need not know which of their macros a unit looks at, and those with debug information whatever the folder: that then
# names the clone that compiled first.
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=$araia_root/scripts/ccache_launcher.sh CMAKE_CUDA_COMPILER_LAUNCHER=ccache
  export CCACHE_BASEDIR=$araia_root CCACHE_PCH_EXTSUM=1 CCACHE_NOHASHDIR=1
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:+$CCACHE_SLOPPINESS,}pch_defines,time_macros
fi

# Options of a CUDA build on this machine, one a line. Without a GPU of sm_90 whether it compiles and links is all that
# can be asked.
cuda_options() {
  if has_gpu; then
    printf '%s\n' -DAraia_TYPES=full '-DCMAKE_CUDA_FLAGS_RELEASE=-O3 -DNDEBUG'
  else
    cuda_compiles_options
  fi
}
# Options of a CUDA build that nobody runs: the CUDA backend, f64 on Kokkos, and the programs that have CUDA code of their
# own. Nothing is optimised, device code where nvcc (12.9 and newer) knows how to spare that; all instructions go through
# the assembler. Host SIMD is compiled once, as on processors without levels: the OpenMP build has each level.
cuda_compiles_options() {
  local cuda='-O0 -DNDEBUG'
  if [[ $("$(find_nvcc)" --help) == *--Ofast-compile* ]]; then cuda+=' --Ofast-compile=max'; fi
  printf '%s\n' -DAraia_TYPES=minimal -DAraia_PERF_PORTABLE=OFF -DAraia_HAVE_X86_64_LEVELS=OFF \
    "-DCMAKE_CUDA_FLAGS_RELEASE=$cuda" '-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG'
}
has_gpu() { [[ $(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1) == 9.* ]]; }

# configure PRESET PREFIX [CMAKE ARGUMENTS...]: with the Kokkos in PREFIX and the launchers of now, also where others
# were found before.
configure() {
  local preset=$1 prefix=$2 language launcher options=()
  shift 2
  for language in CXX CUDA; do
    launcher=CMAKE_${language}_COMPILER_LAUNCHER
    [[ -z ${!launcher:-} ]] || options+=("-D$launcher=${!launcher}")
  done
  (cd "$araia_root" && cmake --preset "$preset" -U'Kokkos*_DIR' "-DCMAKE_PREFIX_PATH=$prefix" "${options[@]}" "$@")
}
