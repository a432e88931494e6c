# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `cmake --install` lays down: headers, libraries, the command, and the package that find_package(Araia) reads.

include(CMakePackageConfigHelpers)

set(araia_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Araia")
set(araia_libraries araia_io araia_generate araia_backends araia_araia araia_solvers)
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

# For builds without CMake: araia.pc. It finds Araia from where it lies itself, and Kokkos where this build found it, or
# beside Araia where that is in the same tree. Applications on CUDA need nvcc's options, which only CMake's package tells.
if(Araia_KOKKOS_LANGUAGE STREQUAL CXX AND NOT Araia_ENABLE_CUDA)
  file(RELATIVE_PATH araia_pc_prefix "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
  string(REGEX REPLACE "/$" "" araia_pc_prefix "${araia_pc_prefix}")
  set(araia_pc_prefix "\${pcfiledir}/${araia_pc_prefix}")
  foreach(kind IN ITEMS LIB INCLUDE)
    string(TOLOWER "araia_pc_${kind}dir" variable)
    set(${variable} "\${prefix}/${CMAKE_INSTALL_${kind}DIR}")
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${kind}DIR}")
      set(${variable} "${CMAKE_INSTALL_${kind}DIR}")
    endif()
  endforeach()
  set(araia_pc_openmp)
  if(Araia_ENABLE_OPENMP)
    set(araia_pc_openmp "${OpenMP_CXX_FLAGS}")
  endif()
  set(araia_pc_flags "${araia_pc_openmp}")
  set(araia_pc_kokkos_libdir "${araia_pc_libdir}")
  set(araia_pc_kokkos_includedir "${araia_pc_includedir}")
  set(araia_kokkos_is_found FALSE)
  if(TARGET Kokkos::kokkoscore)
    get_target_property(araia_kokkos_is_found Kokkos::kokkoscore IMPORTED)
  endif()
  if(araia_kokkos_is_found)
    set(araia_pc_kokkos_libdir "$<TARGET_FILE_DIR:Kokkos::kokkoscore>")
    get_target_property(araia_pc_kokkos_includedir Kokkos::kokkoscore INTERFACE_INCLUDE_DIRECTORIES)
    list(JOIN araia_pc_kokkos_includedir " -I" araia_pc_kokkos_includedir)
    get_target_property(araia_pc_options Kokkos::kokkoscore INTERFACE_COMPILE_OPTIONS)
    # Those of an architecture, which come with the language that they are for.
    string(REGEX MATCHALL "<COMPILE_LANGUAGE:CXX>:[^>]*" araia_pc_options "${araia_pc_options}")
    list(TRANSFORM araia_pc_options REPLACE "^<COMPILE_LANGUAGE:CXX>:" "")
    list(APPEND araia_pc_flags ${araia_pc_options})
    list(JOIN araia_pc_flags " " araia_pc_flags)
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/cmake/araia.pc.in" "${PROJECT_BINARY_DIR}/araia.pc.configured" @ONLY)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/araia.pc" INPUT "${PROJECT_BINARY_DIR}/araia.pc.configured")
  install(FILES "${PROJECT_BINARY_DIR}/araia.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()
