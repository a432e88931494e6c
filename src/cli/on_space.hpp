// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Work of a subcommand on the space that --device names.

#include <Kokkos_Core.hpp>

#include "src/cli/cli.hpp"
#include "src/plan/one_thread.hpp"

namespace araia::cli {

/// work(exec) on the default instance of the space, of one type whatever the space.
/// \throws araia::Error device where the build has no such space
template <class Work>
auto on_space(Settings const& s, Work const& work) -> decltype(work(Kokkos::DefaultHostExecutionSpace())) {
#ifdef KOKKOS_ENABLE_CUDA
  if (space(s) == "cuda") return work(Kokkos::Cuda());
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  if (space(s) == "openmp") return work(Kokkos::OpenMP());
#endif
#ifdef KOKKOS_ENABLE_SERIAL
  if (space(s) == "serial") return work(araia::detail::one_thread());
#endif
  throw Error(ErrorKind::device, "device " + in_quotes(space(s)) + " is not in this build");
}

}  // namespace araia::cli
