#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# deps.sh [openmp|serial|debug|cuda]: Kokkos 4.7.0 and Kokkos Kernels 4.4.0 (sparse) in the user's cache, built once
# for each set of options and compilers. Prints the prefix, for CMAKE_PREFIX_PATH, as its last line on stdout; all
# else goes to stderr. A Kokkos that CMake finds by itself and that has the backend is taken instead; the environment's
# CXX is the compiler. debug is openmp with bounds checks. More options for Kokkos in ARAIA_KOKKOS_OPTIONS, separated
# by spaces: -DKokkos_ENABLE_IMPL_CUDA_MALLOC_ASYNC=ON takes a device's memory from its pool.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

variant=${1:-openmp}
recipe=1 # raise it when the recipe below changes in a way that the key would not show
kokkos=4.7.0
kernels=4.4.0
sdist=pygenten-0.1.5 # carries both sources
sdist_sha256=e620f05c742905e2db705d875f1cac92ef0ed453f9e6734e9beda26cc0f9cce7
cache=${XDG_CACHE_HOME:-$HOME/.cache}/araia-deps
shim=$araia_root/cmake/kokkos_cuda13.hpp

options=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF
  -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_DEPRECATED_CODE_4=OFF)
kernels_options=(-DKokkosKernels_ENABLE_ALL_COMPONENTS=OFF -DKokkosKernels_ENABLE_COMPONENT_SPARSE=ON
  -DKokkosKernels_ADD_DEFAULT_ETI=OFF -DKokkosKernels_INST_DOUBLE=OFF -DKokkosKernels_INST_LAYOUTLEFT=OFF
  -DKokkosKernels_ENABLE_TPL_BLAS=OFF)
wanted=SERIAL
case $variant in
  serial) ;;
  openmp | debug)
    wanted=OPENMP
    options+=(-DKokkos_ENABLE_OPENMP=ON)
    if [[ $variant == debug ]]; then
      options+=(-DKokkos_ENABLE_DEBUG=ON -DKokkos_ENABLE_DEBUG_BOUNDS_CHECK=ON)
    fi
    ;;
  cuda)
    wanted=CUDA
    options+=(-DKokkos_ENABLE_CUDA=ON -DKokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE=ON -DKokkos_ARCH_HOPPER90=ON
      -DCMAKE_CUDA_ARCHITECTURES=90)
    kernels_options+=(-DCMAKE_CUDA_ARCHITECTURES=90 -DKokkosKernels_ENABLE_TPL_CUSPARSE=OFF
      -DKokkosKernels_ENABLE_TPL_CUBLAS=OFF -DKokkosKernels_ENABLE_TPL_CUSOLVER=OFF)
    ;;
  *) die "unknown variant '$variant', expected openmp, serial, debug or cuda" ;;
esac

read -ra more <<<"${ARAIA_KOKKOS_OPTIONS:-}"
options+=("${more[@]}")

compiler=${CXX:-c++}
command -v "$compiler" >/dev/null || die "no C++ compiler '$compiler': run scripts/setup.sh"
identity=$("$compiler" --version | head -n 1)
if [[ $variant == cuda ]]; then
  nvcc=$(find_nvcc)
  [[ -n $nvcc ]] || die "no nvcc on PATH or in /usr/local/cuda/bin: the CUDA toolkit is needed"
  export PATH=${nvcc%/*}:$PATH
  identity+=$("$nvcc" --version)$(cat "$shim")
fi
digest=$(printf '%s\n' "$recipe" "$sdist_sha256" "${options[@]}" "${kernels_options[@]}" "$identity" | sha256sum)
key=kokkos-$kokkos-$kernels-$variant-${digest:0:12}
prefix=$cache/$key
finish() {
  printf '%s\n' "$prefix"
  exit 0
}
[[ ! -d $prefix ]] || finish

mkdir -p "$cache"
exec 9>"$cache/$key.lock"
flock -n 9 || {
  say "waiting for another run that builds $key"
  flock 9
}
[[ ! -d $prefix ]] || finish

# We hold the lock, so whatever a killed build left under our name is dead.
rm -rf "$cache/tmp.$key".*
work=$(mktemp -d "$cache/tmp.$key.XXXXXX")
trap 'rm -rf "$work"' EXIT

# A Kokkos that CMake finds. Bounds checks are no backend, so debug always builds its own, as do options asked for.
found_elsewhere() {
  [[ $variant != debug && -z ${ARAIA_KOKKOS_OPTIONS:-} ]] || return 1
  mkdir -p "$work/probe"
  cat >"$work/probe/CMakeLists.txt" <<PROBE
cmake_minimum_required(VERSION 3.25)
project(probe LANGUAGES CXX)
find_package(Kokkos 4.7 QUIET)
if(NOT Kokkos_FOUND OR NOT Kokkos_ENABLE_$wanted)
  message(FATAL_ERROR "none")
endif()
string(REGEX REPLACE "/lib[^/]*(/[^/]+)?/cmake/Kokkos\$" "" prefix "\${Kokkos_DIR}")
file(WRITE "$work/probe/prefix" "\${prefix}")
PROBE
  cmake -GNinja -S "$work/probe" -B "$work/probe/build" >/dev/null 2>&1 || return 1
  prefix=$(cat "$work/probe/prefix")
}
if found_elsewhere; then
  say "using the Kokkos in $prefix"
  finish
fi

# pip asks a source package's build system for metadata before it saves the file. Answering ourselves spares
# installing that build system (half a minute) and running it.
download() {
  mkdir -p "$work/backend/scikit_build_core"
  : >"$work/backend/scikit_build_core/__init__.py"
  cat >"$work/backend/scikit_build_core/build.py" <<'BACKEND'
import os


def prepare_metadata_for_build_wheel(folder, settings=None):
    name = "pygenten-0.1.5.dist-info"
    os.makedirs(os.path.join(folder, name))
    with open(os.path.join(folder, name, "METADATA"), "w") as out:
        out.write("Metadata-Version: 2.1\nName: pygenten\nVersion: 0.1.5\n")
    return name
BACKEND
  local pip=(python3 -m pip --disable-pip-version-check download --no-deps --no-binary :all: -d "$work")
  PYTHONPATH=$work/backend "${pip[@]}" --no-build-isolation "${sdist/-/==}" || "${pip[@]}" "${sdist/-/==}"
}
# These run under `||`, where bash heeds no `set -e`: hence the && from command to command.
sources() {
  download &&
  # A registry that hands out another file has not given us what was reviewed.
  echo "$sdist_sha256  $work/$sdist.tar.gz" | sha256sum --check --quiet &&
  tar -xzf "$work/$sdist.tar.gz" -C "$work" --strip-components=2 "$sdist/tpls/kokkos" "$sdist/tpls/kokkos-kernels"
}
step "get the sources of Kokkos $kokkos and Kokkos Kernels $kernels" quietly "$cache/$key.download.log" sources

staged=$work/prefix
common=(-GNinja "-DCMAKE_INSTALL_PREFIX=$staged" -DCMAKE_INSTALL_LIBDIR=lib "-DCMAKE_CXX_COMPILER=$compiler")
# A Kokkos of the user's in the environment must not be taken for the one being built.
unset Kokkos_ROOT Kokkos_DIR KokkosKernels_ROOT KokkosKernels_DIR
build_kokkos() {
  local forced=()
  [[ $variant != cuda ]] || forced=("-DCMAKE_CUDA_FLAGS=-include $shim")
  cmake "${common[@]}" "${options[@]}" "${forced[@]}" -S "$work/kokkos" -B "$work/build-kokkos" &&
    cmake --build "$work/build-kokkos" -j "$araia_jobs" &&
    cmake --install "$work/build-kokkos" &&
    { [[ $variant != cuda ]] || install_shim; }
}
# Every consumer of this Kokkos compiles its headers, so each needs the shim too.
install_shim() {
  cp "$shim" "$staged/include/" && cat >>"$staged/lib/cmake/Kokkos/KokkosConfig.cmake" <<'SHIM'

get_filename_component(Kokkos_CUDA13_SHIM "${CMAKE_CURRENT_LIST_DIR}/../../../include/kokkos_cuda13.hpp" ABSOLUTE)
set_property(
  TARGET Kokkos::kokkoscore
  APPEND
  PROPERTY INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-include ${Kokkos_CUDA13_SHIM}>"
)
SHIM
}
build_kernels() {
  cmake "${common[@]}" -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF \
    "${kernels_options[@]}" "-DKokkos_ROOT=$staged" -S "$work/kokkos-kernels" -B "$work/build-kernels" &&
    cmake --build "$work/build-kernels" -j "$araia_jobs" &&
    cmake --install "$work/build-kernels"
}
step "build Kokkos $kokkos ($variant)" quietly "$cache/$key.kokkos.log" build_kokkos
step "build Kokkos Kernels $kernels ($variant)" quietly "$cache/$key.kernels.log" build_kernels

# Kokkos's sources stay beside it: an application in the tests builds them in its own tree.
mkdir "$staged/src"
mv "$work/kokkos" "$staged/src/kokkos"

# Two package files name the place they were installed to; the rename is what makes the result exist.
grep -rlZ --include='*.cmake' -F "$staged" "$staged" | xargs -0 -r sed -i "s|$staged|$prefix|g"
mv -T "$staged" "$prefix"
rm -f "$cache/$key".*.log
finish
