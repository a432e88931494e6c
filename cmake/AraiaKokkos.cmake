# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Finds Kokkos, unless the application brings its own target, and follows it: its backends, its compiler, its flags.
# Sets Araia_ENABLE_OPENMP, Araia_ENABLE_CUDA, Araia_KOKKOS_LANGUAGE and Araia_KOKKOS_CUDA_ARCHITECTURES.

if(NOT TARGET Kokkos::kokkos)
  if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_EXTENSIONS)
    set(CMAKE_CXX_EXTENSIONS OFF) # or Kokkos warns that it switches them off
  endif()
  find_package(Kokkos 4.7 REQUIRED)
endif()

# An installed Kokkos tells its language; one in the same tree has only the options it was configured with.
if(DEFINED Kokkos_COMPILE_LANGUAGE)
  set(Araia_KOKKOS_LANGUAGE ${Kokkos_COMPILE_LANGUAGE})
elseif(Kokkos_ENABLE_CUDA AND Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE)
  set(Araia_KOKKOS_LANGUAGE CUDA)
else()
  set(Araia_KOKKOS_LANGUAGE CXX)
endif()
# Kokkos names one architecture. CI names more, to see that our units compile for them.
if(Araia_KOKKOS_LANGUAGE STREQUAL CUDA AND NOT Araia_KOKKOS_CUDA_ARCHITECTURES)
  if(DEFINED Kokkos_CUDA_ARCHITECTURES)
    set(Araia_KOKKOS_CUDA_ARCHITECTURES ${Kokkos_CUDA_ARCHITECTURES})
  else()
    get_target_property(Araia_KOKKOS_CUDA_ARCHITECTURES kokkoscore CUDA_ARCHITECTURES)
  endif()
endif()

foreach(backend IN ITEMS OPENMP CUDA)
  if(Kokkos_ENABLE_${backend})
    set(kokkos_has ON)
  else()
    set(kokkos_has OFF)
  endif()
  option(Araia_ENABLE_${backend} "Kernels for ${backend} (default: what Kokkos has)" ${kokkos_has})
  if(Araia_ENABLE_${backend} AND NOT kokkos_has AND NOT Kokkos_DIR)
    message(
      FATAL_ERROR
        "Araia_ENABLE_${backend} is ON, but the Kokkos in the application's tree lacks ${backend}: set "
        "Kokkos_ENABLE_${backend}=ON before Kokkos is added."
    )
  elseif(Araia_ENABLE_${backend} AND NOT kokkos_has)
    message(
      FATAL_ERROR
        "Araia_ENABLE_${backend} is ON, but the Kokkos that was found lacks ${backend}: it has ${Kokkos_DEVICES} "
        "(Kokkos_DIR: ${Kokkos_DIR}). Point Kokkos_ROOT at a Kokkos built with Kokkos_ENABLE_${backend}=ON, "
        "for example the one from scripts/deps.sh."
    )
  endif()
endforeach()

if(Araia_ENABLE_OPENMP)
  find_package(OpenMP REQUIRED COMPONENTS CXX)
endif()
if(Kokkos_ENABLE_CUDA)
  if(Araia_KOKKOS_LANGUAGE STREQUAL CUDA AND NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # Only so that CMake's compiler test has one; each of our targets names its own.
    set(CMAKE_CUDA_ARCHITECTURES ${Araia_KOKKOS_CUDA_ARCHITECTURES})
    enable_language(CUDA)
    unset(CMAKE_CUDA_ARCHITECTURES)
  else()
    enable_language(CUDA)
  endif()
  find_package(CUDAToolkit REQUIRED)
  # Libraries of the toolkit, used where they are there unless the option says otherwise.
  set(araia_cublas_serves "Let plans hold dense matrices, multiplied by cuBLAS")
  set(araia_cusolver_serves "Let cuSOLVER solve the larger dense problems of LOBPCG")
  foreach(library cublas cusolver)
    string(TOUPPER ${library} name)
    if(TARGET CUDA::${library})
      set(araia_has_library ON)
    else()
      set(araia_has_library OFF)
    endif()
    option(Araia_ENABLE_${name} "${araia_${library}_serves}" ${araia_has_library})
    if(Araia_ENABLE_${name} AND NOT araia_has_library)
      message(FATAL_ERROR "Araia_ENABLE_${name} is ON, but the CUDA toolkit in ${CUDAToolkit_LIBRARY_DIR} has no ${library}")
    endif()
  endforeach()
  # kokkos_cuda13.hpp tells why: kernels would read their captures from the wrong places.
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13 AND NOT DEFINED Kokkos_CUDA13_SHIM)
    message(
      WARNING
        "nvcc ${CMAKE_CUDA_COMPILER_VERSION} lays Kokkos 4.7 Views out differently on host and device in C++20. The "
        "Kokkos that scripts/deps.sh builds works around it; for another one, compile every unit that includes Kokkos "
        "with -include ${PROJECT_SOURCE_DIR}/cmake/kokkos_cuda13.hpp"
    )
  endif()
endif()
