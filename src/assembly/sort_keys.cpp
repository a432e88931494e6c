// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <utility>
#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_radix_sort.cuh>

#include "backends/cuda/check.hpp"
#endif

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/assembly/sort_keys.hpp>

namespace araia::detail {

#ifdef KOKKOS_ENABLE_CUDA
namespace {
/// cub's radix sort between two arrays: `keys` is the one that holds the result.
void radix_sort(Kokkos::Cuda const& exec, Kokkos::View<std::uint64_t*, Kokkos::CudaSpace>& keys,
                Kokkos::View<std::uint64_t*, Kokkos::CudaSpace>& other, KeyBits bits) {
  auto const count = static_cast<std::int64_t>(keys.extent(0));
  cub::DoubleBuffer<std::uint64_t> buffers(keys.data(), other.data());
  auto const step = [&](void* workspace, std::size_t& bytes) {
    cuda::check(
        cub::DeviceRadixSort::SortKeys(workspace, bytes, buffers, count, bits.first, bits.last, exec.cuda_stream()),
        "araia::sort_keys");
  };
  std::size_t bytes = 0;
  step(nullptr, bytes);
  auto const workspace = new_view<Kokkos::View<char*, Kokkos::CudaSpace>>(exec, "araia::sort_keys::workspace", bytes);
  step(workspace.data(), bytes);
  if (buffers.Current() != keys.data()) std::swap(keys, other);
  exec.fence("araia::sort_keys");
}
}  // namespace
#endif

template <class Exec>
void sort_keys(Exec const& exec, Kokkos::View<std::uint64_t*, typename Exec::memory_space>& keys,
               Kokkos::View<std::uint64_t*, typename Exec::memory_space>& other, KeyBits bits) {
  if (keys.extent(0) < 2 || bits.first >= bits.last) return;
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible) {
    // Kokkos sorts by equal bins of the key range on hosts, which degenerates where keys cluster, as ours do: sort
    // chunks instead and merge them pairwise. Whole keys give the order of the bits that decide: the rest ascends.
    std::uint64_t* const data = keys.data();
    std::int64_t const count = static_cast<std::int64_t>(keys.extent(0));
    exec.fence("araia::sort_keys");
    int chunks = 1;
    while (chunks < exec.concurrency()) chunks *= 2;
    auto const at = [=](std::int64_t chunk) { return data + count * chunk / chunks; };
    using Range = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>>;
    Kokkos::parallel_for("araia::sort_keys::sort", Range(exec, 0, chunks),
                         [=](int chunk) { std::sort(at(chunk), at(chunk + 1)); });
    for (int width = 1; width < chunks; width *= 2)
      Kokkos::parallel_for("araia::sort_keys::merge", Range(exec, 0, chunks / (2 * width)), [=](int pair) {
        std::int64_t const first = static_cast<std::int64_t>(pair) * 2 * width;
        std::inplace_merge(at(first), at(first + width), at(first + 2 * width));
      });
    exec.fence("araia::sort_keys");
  } else {
    radix_sort(exec, keys, other, bits);
  }
}

template <class Exec>
void sort_keys(Exec const& exec, Kokkos::View<std::uint64_t*, typename Exec::memory_space>& keys, KeyBits bits) {
  constexpr bool on_host = Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible;
  Kokkos::View<std::uint64_t*, typename Exec::memory_space> other;
  if (!on_host) other = new_keys(exec, "araia::sort_keys::other", static_cast<std::int64_t>(keys.extent(0)));
  sort_keys(exec, keys, other, bits);
}

#ifdef KOKKOS_ENABLE_SERIAL
template void sort_keys(Kokkos::Serial const&, Kokkos::View<std::uint64_t*, Kokkos::HostSpace>&, KeyBits);
template void sort_keys(Kokkos::Serial const&, Kokkos::View<std::uint64_t*, Kokkos::HostSpace>&,
                        Kokkos::View<std::uint64_t*, Kokkos::HostSpace>&, KeyBits);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template void sort_keys(Kokkos::OpenMP const&, Kokkos::View<std::uint64_t*, Kokkos::HostSpace>&, KeyBits);
template void sort_keys(Kokkos::OpenMP const&, Kokkos::View<std::uint64_t*, Kokkos::HostSpace>&,
                        Kokkos::View<std::uint64_t*, Kokkos::HostSpace>&, KeyBits);
#endif
#ifdef KOKKOS_ENABLE_CUDA
template void sort_keys(Kokkos::Cuda const&, Kokkos::View<std::uint64_t*, Kokkos::CudaSpace>&, KeyBits);
template void sort_keys(Kokkos::Cuda const&, Kokkos::View<std::uint64_t*, Kokkos::CudaSpace>&,
                        Kokkos::View<std::uint64_t*, Kokkos::CudaSpace>&, KeyBits);
#endif

}  // namespace araia::detail
