#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# setup.sh [demo|test|ci]: installs the Debian packages that are missing for building the command, for the tests too
# (the default), or for all of CI. Says nothing and takes no time where nothing is missing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

purpose=${1:-test}
packages=(g++ cmake ninja-build ccache git python3-pip zlib1g-dev libfmt-dev libcli11-dev nlohmann-json3-dev
  libfast-float-dev liblapack-dev)
case $purpose in
  demo) ;;
  test) packages+=(libgtest-dev libbenchmark-dev libeigen3-dev) ;;
  ci) packages+=(libgtest-dev libbenchmark-dev libeigen3-dev clang libclang-rt-dev libomp-dev llvm
    clang-format) ;;
  *) die "unknown purpose '$purpose', expected demo, test or ci" ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  for tool in g++ cmake ninja git python3; do
    command -v "$tool" >/dev/null ||
      die "no $tool, and no apt-get to install it with. On Debian 12 the packages are: ${packages[*]}"
  done
  exit 0
fi

installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  grep -qx "installed $package" <<<"$installed" || missing+=("$package")
done
((${#missing[@]} > 0)) || exit 0

if ((EUID == 0)); then
  as_root=()
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
  as_root=(sudo)
else
  die "packages are missing and this is neither root nor a user with sudo. As root:
  apt-get install --no-install-recommends ${missing[*]}"
fi

install() {
  "${as_root[@]}" apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}
log=$(mktemp)
step "install ${missing[*]}" quietly "$log" install
rm -f "$log"
