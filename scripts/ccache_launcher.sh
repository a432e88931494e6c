#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ccache_launcher.sh COMPILER ARGUMENTS...: ccache, as a compiler launcher. Two runs of GCC never make the same bytes of
# one precompiled header, so ccache would know no unit that includes it from another build folder or clone. Beside each
# such header goes a sum of what it was made from, its text with all macros, which ccache takes in its place where
# CCACHE_PCH_EXTSUM is set; options it knows itself.
set -euo pipefail

ccache "$@"

output=
for ((i = 1; i < $#; ++i)); do
  if [[ ${!i} == -o ]]; then
    next=$((i + 1))
    output=${!next}
  fi
done
[[ $output == *.gch ]] || exit 0

text=()
while (($# > 0)); do
  case $1 in
    -o | -MF | -MT | -MQ) shift 2 ;;
    -MD | -MMD | -c) shift ;;
    *) text+=("$1") && shift ;;
  esac
done
sum=$("${text[@]}" -E -P -dD | sha256sum)
echo "$sum" >"$output.sum"
