// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the backends may hold for a product, as the model sees it.

#include <vector>

#include <araia/dispatch/cuda_dense.hpp>
#include <araia/dispatch/cuda_packed_csr.hpp>
#include <araia/dispatch/host_packed_csr.hpp>
#include <araia/plan/traffic.hpp>
#include "backends/openmp/csr_cache_panels.hpp"
#include "backends/openmp/csr_copied_columns.hpp"
#include "src/engine/kernels.hpp"

namespace araia::detail {

/// Rows that csr/row_groups puts together at most: what they share of A's columns decides what it takes.
inline constexpr std::int64_t held_group_rows = 4;

/// \param p  of an SpMM with op N; on CUDA, whose operands its kernels run
template <class Scalar, class Exec>
std::vector<HeldEstimate> held_estimates([[maybe_unused]] Exec const& exec, [[maybe_unused]] Problem const& p) {
  std::vector<HeldEstimate> all;
  if constexpr (is_host_backend_space<Exec> && packs_on_host<Scalar>) {
    auto const& s = p.stats;
    auto const bytes_of_scalar = static_cast<int>(sizeof(Scalar));
    if (auto const shape = host::cache_panel_shape(s.length_histogram, s.cols, s.nnz, p.columns, bytes_of_scalar)) {
      constexpr double packed_a_second = 60e6;  // entries, by a thread
      double const threads = exec.concurrency();
      all.push_back({.format = "csr",
                     .kernel = "cache_panels",
                     .seconds = shape->seconds / threads,
                     .conversion_seconds = static_cast<double>(s.nnz) / (packed_a_second * threads),
                     .bytes = host::cache_panels_bytes(s.rows, s.cols, s.nnz, bytes_of_scalar, *shape),
                     .by_model = shape->pays});
    }
    if (auto const shape = host::copied_columns_shape(s.cols, s.nnz, p.columns, bytes_of_scalar)) {
      auto const room =
          static_cast<std::uint64_t>(host::copied_columns_room(s.cols, shape->lines, bytes_of_scalar)) * sizeof(Scalar);
      all.push_back({.format = "csr",
                     .kernel = "copied_columns",
                     .seconds = shape->seconds / exec.concurrency(),
                     .conversion_seconds = 0,
                     .bytes = format_bytes(p, {.format = "csr", .kernel = "host_simd"}) + room,
                     .by_model = false,  // the order of the rows that are read decides, which measuring tells
                     .listed = shape->pays,
                     .passes = shape->strips,
                     .room = room});
    }
  }
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (is_cuda_space<Exec> && has_held_spmm<Scalar>) {
    auto const& s = p.stats;
    bool const measured = exec.cuda_device_prop().major == 9;
    double shared = 1;
    for (auto const& known : s.block_columns)
      if (known.height == held_group_rows && known.columns > 0)
        shared = static_cast<double>(s.nnz) / static_cast<double>(known.columns);
    for (auto const& e : CudaPackedCsr<Scalar, std::int32_t>::estimates(exec, s.rows, s.cols, s.nnz, p.columns,
                                                                        p.precision, shared, long_rows(s)))
      all.push_back({.format = "csr",
                     .kernel = e.kernel,
                     .seconds = e.seconds,
                     .conversion_seconds = e.packing_seconds,
                     .bytes = e.bytes,
                     .by_model = measured,
                     .bounds_others = e.kernel == "padded_rows"});
    if (p.allow_dense && has_cublas()) {
      auto const dense = estimate_dense(s.rows, s.cols, p.columns, static_cast<int>(sizeof(Scalar)), p.precision);
      all.push_back({.format = "dense",
                     .kernel = "cublas",
                     .seconds = dense.seconds,
                     .conversion_seconds = dense.conversion_seconds,
                     .bytes = dense.bytes,
                     .by_model = measured});
    }
  }
#endif
  return all;
}

}  // namespace araia::detail
