# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `cmake --install` lays down: headers, libraries, the command, and the package that find_package(Araia) reads.

include(CMakePackageConfigHelpers)

set(araia_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Araia")
set(araia_libraries araia_io araia_backends araia_araia)
if(Araia_ENABLE_CUDA)
  list(APPEND araia_libraries araia_backends_cuda)
endif()
# Shared ones find each other wherever they are put, and the command finds them.
if(BUILD_SHARED_LIBS)
  foreach(library IN LISTS araia_libraries)
    set_property(TARGET ${library} APPEND PROPERTY INSTALL_RPATH "$ORIGIN")
  endforeach()
  if(TARGET araia_cli)
    file(RELATIVE_PATH araia_to_libraries "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
    set_property(TARGET araia_cli APPEND PROPERTY INSTALL_RPATH "$ORIGIN/${araia_to_libraries}")
  endif()
endif()
install(
  TARGETS ${araia_libraries}
  EXPORT AraiaTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
)
if(TARGET araia_cli)
  install(TARGETS araia_cli EXPORT AraiaTargets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(
  EXPORT AraiaTargets
  NAMESPACE Araia::
  DESTINATION "${araia_package_dir}"
)
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/include/araia" "${PROJECT_BINARY_DIR}/include/araia"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING
  PATTERN "*.hpp"
)

# Without Kokkos_DIR the application's find_package looks where this build found it.
set(Araia_BUILT_WITH_KOKKOS_DIR "${Kokkos_DIR}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/AraiaConfig.cmake.in" "${PROJECT_BINARY_DIR}/AraiaConfig.cmake"
  INSTALL_DESTINATION "${araia_package_dir}"
  NO_SET_AND_CHECK_MACRO
)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/AraiaConfigVersion.cmake"
  VERSION ${PROJECT_VERSION}
  COMPATIBILITY SameMajorVersion
)
install(FILES "${PROJECT_BINARY_DIR}/AraiaConfig.cmake" "${PROJECT_BINARY_DIR}/AraiaConfigVersion.cmake"
        DESTINATION "${araia_package_dir}"
)
