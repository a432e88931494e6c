# SPDX-FileCopyrightText: 2026 The Araia authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How each of our targets is made: warnings, the Kokkos language, instruction sets. No flag is global.

include(CheckCXXCompilerFlag)

# Warnings for our own targets; linked as $<BUILD_INTERFACE:araia_warnings>, so no consumer sees it.
add_library(araia_warnings INTERFACE)
set(araia_warning_flags -Wall -Wextra -Wshadow -Wconversion)
if(Araia_WERROR)
  list(APPEND araia_warning_flags -Werror)
endif()
# g++ 12 warns of overlapping copies in std::string's own operator+ (its bug 105651).
set(araia_warning_flags_gcc)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12
   AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  set(araia_warning_flags_gcc -Wno-restrict)
endif()
list(APPEND araia_warning_flags ${araia_warning_flags_gcc})
list(JOIN araia_warning_flags "," araia_warning_flags_host)
set(araia_warning_flags_nvcc -Xcompiler=${araia_warning_flags_host})
if(Araia_WERROR)
  list(APPEND araia_warning_flags_nvcc -Werror=all-warnings)
endif()
# nvcc's own code is not pedantic, so -Wpedantic is for what it does not touch.
target_compile_options(
  araia_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${araia_warning_flags};-Wpedantic>"
                           "$<$<COMPILE_LANGUAGE:CUDA>:${araia_warning_flags_nvcc}>"
)

# Fuzz targets need every unit they run instrumented.
if(Araia_ENABLE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "Araia_ENABLE_FUZZ needs clang, got ${CMAKE_CXX_COMPILER_ID} (${CMAKE_CXX_COMPILER})")
  endif()
  set(araia_fuzz_flags -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
endif()

# UBSan's check of alignment takes a third of a unit's time, and half of one of host SIMD. It is asked of the library, of
# host SIMD at the lowest level alone, and not of the tests' own code.
set(araia_fewer_checks)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,-]*undefined")
  set(araia_fewer_checks -fno-sanitize=alignment)
endif()

# What all our compiled targets share. GCC collects garbage from 128 MB on, which units on Kokkos always reach: waiting
# for 512 MB spares some 8% of the time of a unit, for up to 120 MB more.
set(araia_gcc_heap --param=ggc-min-heapsize=524288)
function(araia_common target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(
      ${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${araia_gcc_heap}>
                        $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<NOT:$<BOOL:${CMAKE_CUDA_HOST_COMPILER}>>>:-Xcompiler=${araia_gcc_heap}>
    )
  endif()
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:araia_warnings>)
  if(Araia_ENABLE_FUZZ)
    target_compile_options(${target} PRIVATE ${araia_fuzz_flags})
    target_link_options(${target} PRIVATE ${araia_fuzz_flags})
  endif()
endfunction()

# araia_kokkos_sources(<target> <files...>): adds sources that include Kokkos; they are compiled by what compiled
# Kokkos, for its architectures. Call it from the directory of the target. Plain C++ sources may stand beside them.
function(araia_kokkos_sources target)
  target_sources(${target} PRIVATE ${ARGN})
  if(NOT Araia_KOKKOS_LANGUAGE STREQUAL CXX)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE ${Araia_KOKKOS_LANGUAGE})
  endif()
  if(Araia_KOKKOS_LANGUAGE STREQUAL CUDA)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${Araia_KOKKOS_CUDA_ARCHITECTURES}")
    # CMake 3.25.1 does not know that nvcc has C++20.
    if(cuda_std_20 IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
      target_compile_features(${target} PUBLIC cuda_std_20)
    else()
      target_compile_options(${target} PUBLIC $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
    endif()
  endif()
endfunction()

# araia_units(<variable> <name> <files...>): the files as one unit that includes them, or as they are where
# Araia_UNITY_BUILD is off. Templates that files of one target instantiate alike are then compiled once: half the time
# of the tests. What files of one unit define outside of functions must have names of its own, in anonymous namespaces
# too. Paths begin at the repository's root, so that ccache knows a unit in another clone.
function(araia_units variable name)
  if(NOT Araia_UNITY_BUILD OR ARGC EQUAL 3)
    set(${variable} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(includes)
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    file(RELATIVE_PATH file "${PROJECT_SOURCE_DIR}" "${file}")
    string(APPEND includes "#include \"${file}\"\n")
  endforeach()
  set(unit "${CMAKE_CURRENT_BINARY_DIR}/units/${name}.cpp")
  file(CONFIGURE OUTPUT "${unit}" CONTENT "${includes}")
  set_source_files_properties("${unit}" PROPERTIES INCLUDE_DIRECTORIES "${PROJECT_SOURCE_DIR}")
  set(${variable} "${unit}" PARENT_SCOPE)
endfunction()

# araia_together(<list> <name> <patterns...>): those of the list's files whose whole name matches a pattern become one unit
# of it, in the order of the patterns, then of the list. A file's own name is a pattern. Kokkos's headers take nvcc seven
# seconds a unit, g++ two, or one from a precompiled header, and files of one kind instantiate much alike.
function(araia_together list name)
  set(sources ${${list}})
  set(files)
  foreach(pattern IN LISTS ARGN)
    foreach(file IN LISTS sources)
      if((file STREQUAL pattern OR file MATCHES "^(${pattern})$") AND NOT file IN_LIST files)
        list(APPEND files ${file})
      endif()
    endforeach()
  endforeach()
  if(NOT files)
    return()
  endif()
  list(REMOVE_ITEM sources ${files})
  araia_units(units ${name} ${files})
  if(NOT units STREQUAL files)
    set_source_files_properties(${files} PROPERTIES ARAIA_UNIT "${units}")
  endif()
  set(${list} ${sources} ${units} PARENT_SCOPE)
endfunction()

# araia_precompile(<target> [CHECKS [PLAIN]]): the target's units begin with Kokkos_Core.hpp, those of CHECKS (-O0) with
# gtest too, and those of PLAIN with gtest alone, from a precompiled header that all such targets share: a second of each
# unit's time. nvcc has no such thing.
# What a compiler bakes into it must be alike, so programs are compiled as position-independent as libraries are.
function(araia_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CHECKS;PLAIN" "" "")
  if(NOT PROJECT_IS_TOP_LEVEL OR NOT Araia_KOKKOS_LANGUAGE STREQUAL CXX OR Araia_ENABLE_CUDA)
    return() # an application that embeds us may count on ccache, which needs to be told of such headers
  endif()
  set(donor araia_precompiled)
  if(arg_PLAIN)
    set(donor araia_precompiled_plain_checks)
  elseif(arg_CHECKS)
    set(donor araia_precompiled_checks)
  endif()
  if(NOT TARGET ${donor})
    set(unit "${PROJECT_BINARY_DIR}/${donor}.cpp")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "")
    add_library(${donor} OBJECT "${unit}")
    araia_common(${donor})
    if(NOT arg_PLAIN)
      target_link_libraries(${donor} PRIVATE Kokkos::kokkos)
      target_precompile_headers(${donor} PRIVATE <Kokkos_Core.hpp>)
    endif()
    if(arg_CHECKS)
      target_link_libraries(${donor} PRIVATE GTest::gtest)
      target_precompile_headers(${donor} PRIVATE <gtest/gtest.h>)
      target_compile_options(${donor} PRIVATE $<$<CONFIG:Release>:-O0> ${araia_fewer_checks})
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${donor})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    target_compile_options(${target} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
  endif()
endfunction()

# araia_optimize(<level> <files...>): the host's optimisation in Release builds, for sources where -O3 buys nothing, and
# for the units that araia_together made of them. Call it behind araia_kokkos_sources, which decides their language.
function(araia_optimize level)
  foreach(file IN LISTS ARGN)
    get_source_file_property(unit "${file}" ARAIA_UNIT)
    if(unit)
      set(file "${unit}")
    endif()
    get_source_file_property(language "${file}" LANGUAGE)
    if(NOT language)
      set(language CXX)
    endif()
    if("${CMAKE_${language}_FLAGS_RELEASE}" MATCHES "-O0")
      continue() # whether it compiles is all that is asked
    endif()
    set(flag -O${level})
    if(language STREQUAL CUDA)
      set(flag -Xcompiler=${flag})
    endif()
    set(flag $<$<CONFIG:Release>:${flag}>)
    get_source_file_property(options "${file}" COMPILE_OPTIONS)
    if(NOT flag IN_LIST options)
      set_property(SOURCE "${file}" APPEND PROPERTY COMPILE_OPTIONS "${flag}")
    endif()
  endforeach()
endfunction()

# araia_optimize_under_sanitizers(<files...>): at -O1 there too, for units that tests spend longer in than their optimisation
# takes; three times as long as without. Precompiled headers are not optimised, so they are compiled without.
function(araia_optimize_under_sanitizers)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -O1)
    set_property(SOURCE ${ARGN} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# araia_newest_architecture(<target>): for programs, which run on one device. The library is what must compile for every
# architecture that is asked for.
function(araia_newest_architecture target)
  if(Araia_KOKKOS_LANGUAGE STREQUAL CUDA)
    list(GET Araia_KOKKOS_CUDA_ARCHITECTURES -1 newest)
    set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${newest}")
  endif()
endfunction()

# Host SIMD: each file is compiled once for each x86-64 level, with ARAIA_ISA=v2|v3|v4 to name its namespace, and chosen
# by CPUID at run time; elsewhere once, with ARAIA_ISA=generic. v2 is there so that machines without AVX2 run everything;
# -O1 halves its compile time, and SpMV takes 1.1 to 1.6 times as long. The others keep -O3: -O2 compiles a fifth faster,
# but SpMM of f64 takes 1.09 times as long in the mean of 16 cells. Such a file includes no Kokkos and no inline
# template that another unit also uses: the linker might keep the copy that the machine cannot run. Nor does it start
# threads, and it is not compiled for OpenMP: ccache then knows its objects from other builds of the same types, for CUDA
# too.
# The target gets ARAIA_ISA_X86=1 where there are three. Call it once a target, after the target's links are set.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  check_cxx_compiler_flag(-march=x86-64-v4 Araia_HAVE_X86_64_LEVELS)
endif()
function(araia_isa_sources target)
  if(Araia_HAVE_X86_64_LEVELS)
    set(levels v2 v3 v4)
    target_compile_definitions(${target} PRIVATE ARAIA_ISA_X86=1)
  else()
    set(levels generic)
  endif()
  foreach(level IN LISTS levels)
    add_library(${target}_${level} OBJECT ${ARGN})
    araia_common(${target}_${level})
    target_compile_definitions(${target}_${level} PRIVATE ARAIA_ISA=${level})
    target_include_directories(${target}_${level} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    if(level MATCHES "^v[34]$")
      target_compile_options(${target}_${level} PRIVATE ${araia_fewer_checks})
    endif()
    if(araia_fewer_checks AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      # Values of a pattern are null, and places behind them are named where nobody reads; g++ does not mind.
      target_compile_options(${target}_${level} PRIVATE -fno-sanitize=pointer-overflow)
    endif()
    if(NOT level STREQUAL generic)
      target_compile_options(${target}_${level} PRIVATE -march=x86-64-${level})
    endif()
    if(level STREQUAL v2 AND NOT CMAKE_CXX_FLAGS_RELEASE MATCHES "-O0")
      target_compile_options(${target}_${level} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${level}>)
  endforeach()
endfunction()
