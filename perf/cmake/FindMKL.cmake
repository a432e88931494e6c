# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# oneMKL with 32-bit indices on GNU OpenMP, so that it shares its threads with Kokkos. Target MKL::MKL.
# Looks where MKLROOT, MKL_ROOT or CMAKE_PREFIX_PATH point: an installed oneAPI, or the prefix of a Python environment
# with the packages mkl-devel and mkl-include, whose libraries carry a version and no plain name.

set(MKL_HINTS "$ENV{MKLROOT}")
find_path(MKL_INCLUDE_DIR mkl_spblas.h HINTS ${MKL_HINTS} PATH_SUFFIXES include include/mkl)
foreach(library IN ITEMS intel_lp64 gnu_thread core)
  string(TOUPPER ${library} variable)
  find_library(
    MKL_${variable}_LIBRARY NAMES mkl_${library} libmkl_${library}.so.3 libmkl_${library}.so.2
    HINTS ${MKL_HINTS}
    PATH_SUFFIXES lib lib/intel64
  )
  list(APPEND MKL_LIBRARY_VARIABLES MKL_${variable}_LIBRARY)
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MKL REQUIRED_VARS MKL_INCLUDE_DIR ${MKL_LIBRARY_VARIABLES})
mark_as_advanced(MKL_INCLUDE_DIR ${MKL_LIBRARY_VARIABLES})

if(MKL_FOUND AND NOT TARGET MKL::MKL)
  add_library(MKL::MKL INTERFACE IMPORTED)
  target_include_directories(MKL::MKL INTERFACE "${MKL_INCLUDE_DIR}")
  # MKL loads its kernels at run time and expects all three here, though the program names one only.
  target_link_libraries(
    MKL::MKL INTERFACE -Wl,--no-as-needed ${MKL_INTEL_LP64_LIBRARY} ${MKL_GNU_THREAD_LIBRARY} ${MKL_CORE_LIBRARY}
                       -Wl,--as-needed ${CMAKE_DL_LIBS}
  )
  get_filename_component(MKL_LIBRARY_DIR "${MKL_CORE_LIBRARY}" DIRECTORY)
endif()
