// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Ascending order of 64-bit keys on any execution space. Callers put what they order by in the high bits and the
// position in the low ones, so that equal items keep their order and the result does not depend on threads.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>

namespace araia::detail {

/// Bits [first, last) of a key that decide. Those from `last` on are zero in every key; among keys whose deciding bits
/// are equal, those below `first` ascend as the keys stand. A radix sort makes a pass for each 8 bits that decide.
struct KeyBits {
  int first = 0;
  int last = 64;
};

/// Bits of values 0 .. most.
KOKKOS_INLINE_FUNCTION int bits_for(std::int64_t most) {
  int bits = 0;
  while (most >> bits) ++bits;
  return bits;
}

/// Sorts keys; on devices the View may come back as another one.
/// Cost    O(n log n) on hosts; a radix sort on CUDA, with a copy of the keys as workspace; fences exec
/// \throws araia::Error device where the radix sort fails
template <class Exec>
void sort_keys(Exec const& exec, Kokkos::View<std::uint64_t*, typename Exec::memory_space>& keys, KeyBits bits = {});

/// The same with the copy's memory from the caller: `other` has room for the keys and is free again afterwards, when
/// the two Views may have changed places. Hosts leave it alone.
template <class Exec>
void sort_keys(Exec const& exec, Kokkos::View<std::uint64_t*, typename Exec::memory_space>& keys,
               Kokkos::View<std::uint64_t*, typename Exec::memory_space>& other, KeyBits bits);

#ifdef KOKKOS_ENABLE_SERIAL
extern template void sort_keys(Kokkos::Serial const&, Kokkos::View<std::uint64_t*, Kokkos::HostSpace>&, KeyBits);
extern template void sort_keys(Kokkos::Serial const&, Kokkos::View<std::uint64_t*, Kokkos::HostSpace>&,
                               Kokkos::View<std::uint64_t*, Kokkos::HostSpace>&, KeyBits);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
extern template void sort_keys(Kokkos::OpenMP const&, Kokkos::View<std::uint64_t*, Kokkos::HostSpace>&, KeyBits);
extern template void sort_keys(Kokkos::OpenMP const&, Kokkos::View<std::uint64_t*, Kokkos::HostSpace>&,
                               Kokkos::View<std::uint64_t*, Kokkos::HostSpace>&, KeyBits);
#endif
#ifdef KOKKOS_ENABLE_CUDA
extern template void sort_keys(Kokkos::Cuda const&, Kokkos::View<std::uint64_t*, Kokkos::CudaSpace>&, KeyBits);
extern template void sort_keys(Kokkos::Cuda const&, Kokkos::View<std::uint64_t*, Kokkos::CudaSpace>&,
                               Kokkos::View<std::uint64_t*, Kokkos::CudaSpace>&, KeyBits);
#endif

/// An array of keys, not yet set.
/// \throws araia::Error resource_limit where they take more than the host's default limit: conversions have keys beside
///         their result, and a host that has no room for them kills the process rather than refuse
template <class Exec>
Kokkos::View<std::uint64_t*, typename Exec::memory_space> new_keys(Exec const& exec, char const* label,
                                                                   std::int64_t count) {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible)
    require_memory(label, saturating_product(static_cast<std::uint64_t>(count), sizeof(std::uint64_t)),
                   default_host_memory_limit());
  return new_view<Kokkos::View<std::uint64_t*, typename Exec::memory_space>>(exec, label, count);
}

/// Where make_key's first argument lies in a key, for values 0 .. most.
inline KeyBits key_order_bits(std::int64_t most) { return {32, 32 + bits_for(most)}; }

/// Place of the first of `count` ascending values that is not below `value`; count where all are.
template <class T>
KOKKOS_INLINE_FUNCTION std::int64_t first_not_below(T const* values, std::int64_t count, T value) {
  std::int64_t first = 0;
  std::int64_t last = count;
  while (first < last) {
    std::int64_t const middle = first + (last - first) / 2;
    if (values[middle] < value)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

/// The low half of a key: the position that a caller put there.
KOKKOS_INLINE_FUNCTION std::int64_t key_position(std::uint64_t key) {
  return static_cast<std::int64_t>(key & 0xffffffffu);
}

KOKKOS_INLINE_FUNCTION std::uint64_t make_key(std::int64_t order, std::int64_t position) {
  return static_cast<std::uint64_t>(order) << 32 | static_cast<std::uint64_t>(position);
}

}  // namespace araia::detail
