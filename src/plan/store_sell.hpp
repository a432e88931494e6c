// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a plan makes and counts a Sell.

#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/detail/formats/loops.hpp>
#include "src/plan/store.hpp"

namespace araia::detail {

/// The sum of the rows' lengths: entries that are on no diagonal, where blocks have one column.
template <class Exec, class Lengths>
static std::int64_t sum_of_lengths(Exec const& exec, Lengths const& lengths) {
  std::int64_t all = 0;
  reduce_indices(
      "araia::plan::sum_of_lengths", IndexRange<Exec>(exec, 0, static_cast<std::int64_t>(lengths.extent(0))),
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t & sum) { sum += lengths(row); }, all);
  exec.fence("araia::plan::sum_of_lengths");
  return all;
}

struct SellStore {
  template <class Exec, class Source, class Hold>
  static auto convert(Exec const& exec, Source const& source, Choice const& choice, StoreOptions const& options,
                      Hold const& hold) {
    return hold(csr_to_sell(exec, source, sell_options(choice, options)));
  }

  template <class Exec, class Source>
  static Footprint count(Exec const& exec, Source const& source, Choice const& choice, StoreOptions const& options) {
    using Offset = std::int32_t;
    using Format = Sell<typename Source::value_type, std::int32_t, Offset, typename Exec::device_type>;
    auto const wanted = sell_options(choice, options);
    auto structure = sell_structure(exec, source.pattern(), wanted, sell_costs(source, wanted));
    std::int64_t const words =
        count_column_words(exec, source.pattern(), wanted, structure,
                           memory_limit_or_default<typename Exec::memory_space>(wanted.memory_limit));
    Footprint f{.bytes = sell_bytes<Format>(structure, source.rows, wanted, source.has_values(), words),
                .slots = structure.slots,
                .exact = true};
    if (wanted.diagonals)
      f.on_diagonals =
          std::max<std::int64_t>(0, source.nnz - sum_of_lengths(exec, structure.row_lengths) * wanted.block_width);
    return f;
  }
};

}  // namespace araia::detail
