// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Code: backends/cuda/spmv/bsr_slices/kernel.cu. Test: tests/backends/cuda/test_spmv_cuda.cpp.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "src/kernel/pricing.hpp"
#include "src/kernel/proposals.hpp"
#include "src/kernel/real_bound.hpp"
#include "src/plan/format_options.hpp"
#include "src/storage/bsr.hpp"

namespace araia::kernels {

struct BsrSlicesSpmv : detail::ProposedInBlocks<BsrSlicesSpmv> {
  static constexpr KernelInfo info{.operation = OpId::spmv,
                                   .storage = "bsr",
                                   .name = "slices",
                                   .runs = Runs::by_cuda,
                                   .needs_values = true,
                                   .packing = " in slices"};

  static std::string refuse(Problem const& p, Choice const& c) {
    if (c.block_rows != c.block_cols || c.block_rows < 2 || c.block_rows > 4)
      return detail::outside("block_rows", c.block_rows,
                             "blocks of 2 x 2, 3 x 3 or 4 x 4 with warp_per_block_row and slices");
    return p.stats.cols >= detail::most_gathered_cols ? "slices: 2^29 columns or more" : "";
  }

  /// What packing in slices adds to a Bsr, without the padding of slices: columns again, in the two bytes that most
  /// take, bases of steps, places and lengths of block rows.
  static std::uint64_t packing_bytes(std::int64_t rows, std::int64_t blocks, BsrOptions const& o) {
    constexpr std::int64_t window = 512;  // block rows: a place each, whether there are as many or not
    constexpr std::int64_t height = 32;
    auto const windows =
        static_cast<std::uint64_t>(detail::blocks_along(detail::blocks_along(rows, o.block_rows), window));
    auto const of_columns = static_cast<std::uint64_t>(blocks) * sizeof(std::uint16_t) +
                            static_cast<std::uint64_t>(detail::blocks_along(blocks, height)) * sizeof(std::int32_t);
    return of_columns + windows * window * 2 * sizeof(std::int32_t) +
           2 * (windows * window / height + 1) * sizeof(std::int64_t);
  }
  static Footprint footprint(Problem const& p, Choice const& c) {
    return detail::bsr_footprint_with(p, c, packing_bytes);
  }
  /// The structure of the Bsr is kept for new values alone.
  static double matrix_bytes(Problem const& p, Choice const& c, Footprint const& f, Machine const&) {
    return static_cast<double>(f.bytes) -
           (static_cast<double>(f.pieces) + static_cast<double>(p.stats.rows) / std::max(1, c.block_rows)) *
               p.ordinal_bytes;
  }
  static double seconds(Pricing const& a) {
    auto terms = detail::device_terms(a);
    terms.chain = a.longest() / std::max(1, a.choice.block_cols) * a.prices["device/step"];
    return detail::device_seconds(a, terms);
  }

  /// Packs the matrix; of real numbers. Defined in bound.cpp, as count is.
  template <detail::RealBound Bound, class Exec, class Source, class Options>
  static std::shared_ptr<Bound> bind(Exec const& exec, Source const& source, Choice const& choice,
                                     Options const& options);
  /// What bind would keep. Fences exec.
  template <detail::RealBound Bound, class Exec, class Source, class Options>
  static Footprint count(Exec const& exec, Source const& source, Choice const& choice, Options const& options);
};

}  // namespace araia::kernels
