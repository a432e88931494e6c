// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Sort.hpp>
#include <algorithm>
#include <araia/assembly/sort_keys.hpp>
#include <vector>

namespace araia::detail {

template <class Exec>
void sort_keys(Exec const& exec, Kokkos::View<std::uint64_t*, typename Exec::memory_space> const& keys) {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible) {
    // Kokkos sorts by equal bins of the key range on hosts, which degenerates where keys cluster, as ours do: sort
    // pieces instead and merge them pairwise.
    std::uint64_t* const data = keys.data();
    std::int64_t const count = static_cast<std::int64_t>(keys.extent(0));
    exec.fence("araia::sort_keys");
    int pieces = 1;
    while (pieces < exec.concurrency()) pieces *= 2;
    auto const at = [=](std::int64_t piece) { return data + count * piece / pieces; };
    using Range = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>>;
    Kokkos::parallel_for("araia::sort_keys::sort", Range(exec, 0, pieces),
                         [=](int piece) { std::sort(at(piece), at(piece + 1)); });
    for (int width = 1; width < pieces; width *= 2)
      Kokkos::parallel_for("araia::sort_keys::merge", Range(exec, 0, pieces / (2 * width)), [=](int pair) {
        std::int64_t const first = static_cast<std::int64_t>(pair) * 2 * width;
        std::inplace_merge(at(first), at(first + width), at(first + 2 * width));
      });
    exec.fence("araia::sort_keys");
  } else {
    Kokkos::sort(exec, keys);
    exec.fence("araia::sort_keys");
  }
}

#ifdef KOKKOS_ENABLE_SERIAL
template void sort_keys(Kokkos::Serial const&, Kokkos::View<std::uint64_t*, Kokkos::HostSpace> const&);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template void sort_keys(Kokkos::OpenMP const&, Kokkos::View<std::uint64_t*, Kokkos::HostSpace> const&);
#endif
#ifdef KOKKOS_ENABLE_CUDA
template void sort_keys(Kokkos::Cuda const&, Kokkos::View<std::uint64_t*, Kokkos::CudaSpace> const&);
#endif

}  // namespace araia::detail
