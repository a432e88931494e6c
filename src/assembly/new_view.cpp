// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/assembly/new_view.hpp>

#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

namespace araia::detail {
namespace {

/// As Kokkos 4.7 words it in every space: its exception has no type of its own.
bool says_no_memory(std::exception const& error) {
  return std::string_view(error.what()).find("failed to allocate") != std::string_view::npos;
}

std::string there_is([[maybe_unused]] bool on_host) {
#ifdef KOKKOS_ENABLE_CUDA
  if (!on_host) {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess)
      throw Error(ErrorKind::device, "cudaMemGetInfo failed, so the free device memory is not known");
    return "the device has " + std::to_string(free_bytes) + " of " + std::to_string(total_bytes) + " bytes free";
  }
#endif
  return "the host has too little left; the limit of the process is " + std::to_string(process_memory()) + " bytes";
}

}  // namespace

void rethrow_allocation(std::string const& label, std::uint64_t bytes, bool on_host) {
  try {
    throw;
  } catch (std::bad_alloc const&) {
    throw;
  } catch (std::runtime_error const& error) {
    if (!says_no_memory(error)) throw;
  }
  throw Error(ErrorKind::resource_limit,
              "araia: array " + label + " needs " + std::to_string(bytes) + " bytes, " + there_is(on_host));
}

}  // namespace araia::detail
