// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The execution space of one thread.

#include <Kokkos_Core.hpp>

#include <araia/detail/formats/written_out.hpp>

namespace araia::detail {

#ifdef KOKKOS_ENABLE_SERIAL
/// What runs for the space "serial": Kokkos::Serial where the library brings it, else OpenMP with one thread.
inline auto one_thread() {
#ifdef ARAIA_WRITTEN_OUT_ON_SERIAL
  return Kokkos::Serial();
#else
  return Kokkos::OpenMP(1);
#endif
}
#endif

}  // namespace araia::detail
