# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Script, run at each build: writes OUTPUT from INPUT with the commit of SOURCE_DIR, only if it differs.
set(ARAIA_GIT_HASH "unknown")
if(EXISTS "${SOURCE_DIR}/.git")
  execute_process(
    COMMAND git -C "${SOURCE_DIR}" describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE hash
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET
    RESULT_VARIABLE failed
  )
  if(NOT failed AND hash)
    set(ARAIA_GIT_HASH "${hash}")
  endif()
endif()
configure_file("${INPUT}" "${OUTPUT}" @ONLY)
