// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>
#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_scan.cuh>

#include "backends/cuda/check.hpp"
#endif

#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/assembly/sum_before.hpp>

namespace araia::detail {

#ifdef KOKKOS_ENABLE_CUDA
namespace {
template <class T>
void scan(Kokkos::Cuda const& exec, T* values, std::int64_t count) {
  auto const step = [&](void* workspace, std::size_t& bytes) {
    cuda::check(cub::DeviceScan::ExclusiveSum(workspace, bytes, values, values, count, exec.cuda_stream()),
                "araia::sum_before");
  };
  std::size_t bytes = 0;
  step(nullptr, bytes);
  auto const workspace = new_view<Kokkos::View<char*, Kokkos::CudaSpace>>(exec, "araia::sum_before::workspace", bytes);
  step(workspace.data(), bytes);
  exec.fence("araia::sum_before: workspace is released");
}
}  // namespace

void sum_before(Kokkos::Cuda const& exec, std::int32_t* values, std::int64_t count) { scan(exec, values, count); }
void sum_before(Kokkos::Cuda const& exec, std::int64_t* values, std::int64_t count) { scan(exec, values, count); }
#endif

}  // namespace araia::detail
