// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, A as a dense row-major matrix, multiplied by cuBLAS: what pruned matrices must beat,
// and where they do not, what a plan may take.
// Fill     zeros are multiplied, so an infinity or NaN in B reaches every row of C.
// Rounding where TF32 is allowed cuBLAS may cut operands to 11 bits where it should round them: 2^-9 a product, within
//          the bound of tf32 for rows of two entries or more.
// Code: backends/cuda/spmm/dense_cublas/bound.cpp. Test: tests/plan/test_packed_cuda.cpp.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include <araia/detail/assembly/checked.hpp>
#include "backends/cuda/lib/packed_kernel.hpp"
#include "backends/cuda/spmm/dense_cublas/built.hpp"
#include "src/kernel/proposals.hpp"

namespace araia::cuda {

// What cuBLAS asks for on compute capability 9.0, from the next multiple of the alignment on. With less it chooses
// kernels of up to twice the time, without a word.
inline constexpr std::size_t cublas_workspace = std::size_t{32} << 20;
inline constexpr std::size_t cublas_alignment = 256;
inline constexpr std::size_t cublas_room = cublas_workspace + cublas_alignment;

/// A dense matrix of the source, duplicates summed, with a workspace of cuBLAS.
/// \throws araia::Error resource_limit; device
template <class Own, class Exec, class Source, class Options>
std::shared_ptr<Own> bind_dense(Exec const& exec, Source const& source, Options const& options);

}  // namespace araia::cuda

namespace araia::kernels {

struct DenseCublasSpmm : detail::ProposedAsIs<DenseCublasSpmm> {
  static constexpr KernelInfo info{.operation = OpId::spmm,
                                   .storage = "dense",
                                   .name = "cublas",
                                   .runs = Runs::where_bound,
                                   .writes_workspace = true,
                                   .own_row_order = true,
                                   .cuda_alone = true};

  static bool is_built() { return cuda::has_cublas(); }
  static Precision precision(Problem const& p) {
    return allows_tf32(p.precision) && p.x_bytes == sizeof(float) ? Precision::tf32 : Precision::native;
  }

  static std::string refuse(Problem const& p, Choice const&) {
    if (!p.cuda_kernels) return detail::why_not_packed(p, info);
    if (auto why = detail::why_too_many_entries(p, info); !why.empty()) return why;
    // cuBLAS may cut operands to 11 bits instead of rounding: beyond the bound where an entry is alone in its row.
    return precision(p) == Precision::tf32 && p.stats.length_histogram[1] > 0 ? "dense in tf32: rows of one entry" : "";
  }
  static Footprint footprint(Problem const& p, Choice const&) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() - cuda::cublas_room;
    return {.bytes = std::min(elements_bytes(p), most) + cuda::cublas_room, .slots = p.stats.nnz};
  }
  /// All but the workspace.
  static double matrix_bytes(Problem const& p, Choice const&, Footprint const&, Machine const&) {
    return static_cast<double>(p.stats.rows) * static_cast<double>(p.stats.cols) * p.x_bytes;
  }
  static double seconds(Pricing const& a) { return detail::rule_seconds(a, product_seconds(a.problem)); }
  /// A handle of cuBLAS, and a pass in which the matrix is set to zero and filled.
  static double conversion_seconds(Problem const& p, Machine const&) {
    constexpr double handle = 1e-3;
    constexpr double pass = 1e12;  // B/s
    return handle + static_cast<double>(p.stats.rows) * static_cast<double>(p.stats.cols) * p.x_bytes / pass;
  }
  static bool is_priced(Problem const&, Machine const& m) { return cuda::is_measured(m); }
  template <class Own, class Exec, class Source, class Options>
  requires detail::multiplies_one_real<Own, Source>
  static std::shared_ptr<Own> bind(Exec const& exec, Source const& source, Choice const&, Options const& options) {
    return cuda::bind_dense<Own>(exec, source, options);
  }

 private:
  static std::uint64_t elements_bytes(Problem const& p) {
    auto const elements =
        detail::saturating_product(static_cast<std::uint64_t>(p.stats.rows), static_cast<std::uint64_t>(p.stats.cols));
    return detail::saturating_product(elements, static_cast<std::uint64_t>(p.x_bytes));
  }
  // cuBLAS on an H200: fits to matrices of 512, 1024 and 2048 rows with 32 to 2048 columns.
  static double product_seconds(Problem const& p) {
    auto const rows = static_cast<double>(p.stats.rows);
    auto const cols = static_cast<double>(p.stats.cols);
    auto const columns = static_cast<double>(p.columns);
    if (precision(p) == Precision::tf32) return tf32_seconds(rows, cols, columns);
    if (p.x_bytes == sizeof(float)) return 6e-6 + 2 * rows * cols * columns / 50.7e12 + std::min(6e-6, cols * 3e-9);
    return 4e-6 + 2 * rows * cols * columns / 61.5e12 + std::min(8e-6, cols * 3e-9);
  }
  /// Tiles of 128 x 128 in waves, or smaller ones that share the inner dimension where they would leave the device
  /// idle.
  static double tf32_seconds(double rows, double cols, double columns) {
    constexpr double multiprocessors = 132;
    auto const tiles = [&](double side) { return std::ceil(rows / side) * std::ceil(columns / side); };
    double const large = std::ceil(tiles(128) / multiprocessors) * cols * 9.5e-9;
    double const small_tiles = tiles(64);
    double small = std::ceil(small_tiles / multiprocessors) * cols * 5.9e-9;
    for (int split = 2; split <= 8 && small_tiles * split <= multiprocessors; split *= 2) small /= 1.4;
    return 4.3e-6 + std::min(large, small);
  }
};

}  // namespace araia::kernels
