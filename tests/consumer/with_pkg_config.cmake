# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An application without CMake: one command of the compiler and of pkg-config, then the program is run.
#   cmake -DCOMPILER=... -DFLAGS=... -DPKG_CONFIG=... -DPC_DIR=... -DBUILD=... -P with_pkg_config.cmake

function(run variable)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${output}")
  endif()
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()

set(ENV{PKG_CONFIG_PATH} "${PC_DIR}")
run(options "${PKG_CONFIG}" --cflags --libs araia)
separate_arguments(options UNIX_COMMAND "${options}")
separate_arguments(FLAGS UNIX_COMMAND "${FLAGS}")
file(MAKE_DIRECTORY "${BUILD}")
run(output "${COMPILER}" ${FLAGS} "${CMAKE_CURRENT_LIST_DIR}/consumer.cpp" "${CMAKE_CURRENT_LIST_DIR}/conversion.cpp"
    ${options} -o "${BUILD}/consumer")
run(output ${CMAKE_COMMAND} -E env "LD_LIBRARY_PATH=${PC_DIR}/.." "${BUILD}/consumer")
