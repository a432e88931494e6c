// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Ascending order of distinct 64-bit keys on any execution space. Callers put what they order by in the high half and
// the position in the low half, so that equal items keep their order and the result does not depend on threads.

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace araia::detail {

/// Sorts keys in place. Cost O(n log n) on hosts, a radix sort on CUDA, with a copy of the keys as workspace; fences
/// exec.
template <class Exec>
void sort_keys(Exec const& exec, Kokkos::View<std::uint64_t*, typename Exec::memory_space> const& keys);

#ifdef KOKKOS_ENABLE_SERIAL
extern template void sort_keys(Kokkos::Serial const&, Kokkos::View<std::uint64_t*, Kokkos::HostSpace> const&);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
extern template void sort_keys(Kokkos::OpenMP const&, Kokkos::View<std::uint64_t*, Kokkos::HostSpace> const&);
#endif
#ifdef KOKKOS_ENABLE_CUDA
extern template void sort_keys(Kokkos::Cuda const&, Kokkos::View<std::uint64_t*, Kokkos::CudaSpace> const&);
#endif

/// The low half of a key: the position that a caller put there.
KOKKOS_INLINE_FUNCTION std::int64_t key_position(std::uint64_t key) {
  return static_cast<std::int64_t>(key & 0xffffffffu);
}

KOKKOS_INLINE_FUNCTION std::uint64_t make_key(std::int64_t order, std::int64_t position) {
  return static_cast<std::uint64_t>(order) << 32 | static_cast<std::uint64_t>(position);
}

}  // namespace araia::detail
