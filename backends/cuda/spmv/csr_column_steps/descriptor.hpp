// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/cuda/spmv/csr_column_steps/kernel.cu. Test: tests/backends/cuda/test_csr_steps.cpp.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include <araia/detail/formats/csr_to_sell.hpp>
#include "backends/cuda/spmv/csr_column_steps/packing.hpp"
#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"
#include "src/kernel/real_bound.hpp"
#include "src/storage/sizes.hpp"

namespace araia::kernels {

struct CsrColumnStepsSpmv {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "csr",
                                   .name = "column_steps",
                                   .runs = Runs::by_cuda,
                                   .own_row_order = true,
                                   .needs_values = true,
                                   .packing = " in steps"};

  static std::string refuse(Problem const& p, Choice const&) {
    return p.stats.cols >= detail::most_gathered_cols ? "column_steps: 2^29 columns or more" : "";
  }
  static void propose(Problem const& p, Machine const&, Proposals& list) {
    // Of a row whose columns do not ascend, packing finds each next one among all.
    constexpr std::int64_t longest_to_walk = 1024;
    if (p.stats.max_length <= longest_to_walk) list.add({.format = "csr", .kernel = "column_steps"});
  }
  /// Slots of slices, and entries of zero where neighbours are far apart: as many as random columns within the band
  /// need.
  static Footprint footprint(Problem const& p, Choice const&) {
    return p.value_bytes == 4 ? footprint_of<float>(p) : footprint_of<double>(p);
  }
  /// All but the lengths of rows, which only sums that are not finite need.
  static double matrix_bytes(Problem const& p, Choice const&, Footprint const& f, Machine const&) {
    return static_cast<double>(f.bytes) - static_cast<double>(p.stats.rows) * p.ordinal_bytes;
  }
  static double seconds(Pricing const& a) {
    auto terms = detail::device_terms(a);
    terms.chain = detail::passes_seconds(a, 1, a.prices["device/step"]);
    return detail::device_seconds(a, terms);
  }

  /// Packs the matrix; of real numbers. Defined in bound.cpp, as count is.
  template <detail::RealBound Bound, class Exec, class Source, class Options>
  static std::shared_ptr<Bound> bind(Exec const& exec, Source const& source, Choice const& choice,
                                     Options const& options);
  /// What bind would keep. Fences exec.
  template <detail::RealBound Bound, class Exec, class Source, class Options>
  static Footprint count(Exec const& exec, Source const& source, Choice const& choice, Options const& options);

 private:
  template <class Scalar>
  static Footprint footprint_of(Problem const& p) {
    using Steps = cuda::CsrSteps<Scalar>;
    constexpr double step = static_cast<double>(Steps::group_bytes) / Steps::group_steps;  // bytes
    constexpr double reach = Steps::no_entry;                                              // columns
    constexpr int slice_height = Steps::slice_height;
    using Ordinal = detail::StoredOrdinal;
    using Format = Sell<Scalar, Ordinal, detail::StoredOffset, Kokkos::HostSpace>;
    std::uint64_t const full = estimate_bytes<Format>(p.stats, SellOptions{.slice_height = slice_height}, true);
    if (full >> 63 != 0) return {.bytes = full, .slots = p.stats.nnz};
    auto const nnz = static_cast<double>(p.stats.nnz);
    auto const rows = static_cast<double>(p.stats.rows);
    double const slots = std::max(nnz, (static_cast<double>(full) - rows * sizeof(Ordinal)) /
                                           (p.value_bytes + static_cast<double>(sizeof(Ordinal))));
    auto const span =
        static_cast<double>(std::min(p.stats.cols, p.stats.lower_bandwidth + p.stats.upper_bandwidth + slice_height));
    double const gap = span / (std::max(1.0, p.stats.mean_length) + 1);
    double const between = gap > 0 ? 1 / std::expm1(reach / gap) : 0;  // of random gaps, an entry
    constexpr double most = 9e18;                                      // bytes that 64 bits hold
    double const bytes =
        std::min(most, slots * (1 + between) * (p.value_bytes + step) + rows * (sizeof(Ordinal) + 20.0 / slice_height));
    return {.bytes = static_cast<std::uint64_t>(bytes) + detail::permutation_bytes(p, {}), .slots = p.stats.nnz};
  }
};

}  // namespace araia::kernels
