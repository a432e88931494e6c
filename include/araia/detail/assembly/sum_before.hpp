// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Offsets out of counts on CUDA, by cub, which takes less time than Kokkos' scan.

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace araia::detail {

#ifdef KOKKOS_ENABLE_CUDA
/// values(i) becomes the sum of values(0) .. values(i - 1), for all `count` of them.
/// Cost    O(n), one pass, with some KB of workspace; fences exec
/// \throws araia::Error device where the scan fails
void sum_before(Kokkos::Cuda const& exec, std::int32_t* values, std::int64_t count);
void sum_before(Kokkos::Cuda const& exec, std::int64_t* values, std::int64_t count);
#endif

}  // namespace araia::detail
