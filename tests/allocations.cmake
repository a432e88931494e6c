# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DSOURCE_DIR=<folder> -P allocations.cmake: fails, naming file and text, where the library allocates with Kokkos
# elsewhere than in detail/assembly/new_view.hpp, which tells what an allocation that fails needed.

set(door include/araia/detail/assembly/new_view.hpp)
set(allocating "view_alloc|create_mirror|Kokkos::(resize|realloc|kokkos_malloc)|Kokkos::View<[^;()]*> (const )?[a-z_]+\\(\"")
file(
  GLOB_RECURSE files
  RELATIVE "${SOURCE_DIR}"
  "${SOURCE_DIR}/include/*.hpp" "${SOURCE_DIR}/src/*.hpp" "${SOURCE_DIR}/src/*.cpp"
)
set(found)
foreach(file IN LISTS files)
  if(file STREQUAL door)
    continue()
  endif()
  file(STRINGS "${SOURCE_DIR}/${file}" lines REGEX "${allocating}")
  foreach(line IN LISTS lines)
    string(APPEND found "\n${file}: ${line}")
  endforeach()
endforeach()
file(STRINGS "${SOURCE_DIR}/${door}" lines REGEX "view_alloc")
if(NOT lines)
  message(FATAL_ERROR "${door} allocates nothing: the door is elsewhere")
endif()
if(found)
  message(FATAL_ERROR "Allocations of Kokkos's beside ${door}:${found}")
endif()
