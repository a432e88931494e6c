#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ccache_launcher.sh COMPILER ARGUMENTS...: ccache, as a compiler launcher. GCC never makes the same bytes of a precompiled
# header twice, and clang writes its folder into them, so ccache would know no unit that includes one from another build
# folder or clone. Beside each such header goes a sum of what it was made from, its text with all macros, which ccache
# takes in its place where CCACHE_PCH_EXTSUM is set; options it knows itself. The sum knows neither files nor lines, so
# only headers of others are to be precompiled. While there is no sum, ccache looks at the header.
set -euo pipefail

output=
for ((i = 1; i < $#; ++i)); do
  if [[ ${!i} == -o ]]; then
    next=$((i + 1))
    output=${!next}
  fi
done
[[ $output == *.gch || $output == *.pch ]] || exec ccache "$@"

rm -f "$output.sum"
if [[ $output == *.gch ]]; then ccache "$@"; else "$@"; fi # clang's names files of this folder
text=()
while (($# > 0)); do
  case $1 in
    -o | -MF | -MT | -MQ) shift 2 ;;
    -Xclang) # of clang's own options, the one that asks for a header in place of its text
      [[ $2 == -emit-pch ]] || text+=("$1" "$2")
      shift 2
      ;;
    -MD | -MMD | -MP | -MG | -MF?* | -MT?* | -MQ?* | -Wp,-M* | -c) shift ;;
    *) text+=("$1") && shift ;;
  esac
done
"${text[@]}" -E -P -dD | sha256sum >"$output.sum.new"
mv "$output.sum.new" "$output.sum"
