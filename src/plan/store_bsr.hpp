// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a plan makes and counts a Bsr.

#include <araia/detail/formats/csr_to_bsr.hpp>
#include "src/plan/store.hpp"

namespace araia::detail {

struct BsrStore {
  template <class Exec, class Source, class Hold>
  static auto convert(Exec const& exec, Source const& source, Choice const& choice, StoreOptions const& options,
                      Hold const& hold) {
    return hold(csr_to_bsr(exec, source, sized(exec, source, bsr_options(choice, options))));
  }

  template <class Exec, class Source>
  static Footprint count(Exec const& exec, Source const& source, Choice const& choice, StoreOptions const& options) {
    using Format = Bsr<typename Source::value_type, std::int32_t, std::int32_t, typename Exec::device_type>;
    auto const wanted = sized(exec, source, bsr_options(choice, options));
    Kokkos::View<std::int32_t*, typename Exec::device_type> sorted;
    auto const a = blockable(exec, "araia::count_bytes", source, sorted);
    std::int64_t const blocks =
        count_blocks(exec, a, wanted.block_rows, wanted.block_cols, 0, blocks_along(source.rows, wanted.block_rows));
    return {.bytes = bsr_bytes<Format>(source.rows, source.nnz, blocks, source.has_values(), wanted),
            .slots = blocks * wanted.block_rows * wanted.block_cols,
            .pieces = blocks,
            .exact = true};
  }

 private:
  /// Zeros stand for the shape of the fewest bytes.
  template <class Exec, class Source>
  static BsrOptions sized(Exec const& exec, Source const& source, BsrOptions options) {
    if (options.block_rows > 0 && options.block_cols > 0) return options;
    auto const best = detect_block_size(exec, source);
    if (options.block_rows == 0) options.block_rows = best.block_rows;
    if (options.block_cols == 0) options.block_cols = best.block_cols;
    return options;
  }
};

}  // namespace araia::detail
