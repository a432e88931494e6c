// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a plan makes and counts a Bcsc, in either form.

#include <algorithm>

#include <araia/detail/formats/csr_to_bcsc.hpp>
#include "src/plan/store.hpp"

namespace araia::detail {

struct BcscStore {
  template <class Exec, class Source, class Hold>
  static auto convert(Exec const& exec, Source const& source, Choice const& choice, StoreOptions const& options,
                      Hold const& hold) {
    auto const wanted = bcsc_options(choice, options);
    return choice.compact ? hold(csr_to_bcsc_compact(exec, source, wanted)) : hold(csr_to_bcsc(exec, source, wanted));
  }

  template <class Exec, class Source>
  static Footprint count(Exec const& exec, Source const& source, Choice const& choice, StoreOptions const& options) {
    using Scalar = typename Source::value_type;
    using Device = typename Exec::device_type;
    using Wide = Bcsc<Scalar, std::int32_t, std::int32_t, Device>;
    using Compact = BcscCompact<Scalar, std::int32_t, std::int32_t, Device>;
    auto const wanted = bcsc_options(choice, options);
    std::uint64_t const wide = count_bytes<Wide>(exec, source, wanted);
    Footprint f{.bytes = choice.compact ? count_bytes<Compact>(exec, source, wanted) : wide,
                .slots = source.nnz,
                .exact = true};
    // The wide form's bytes are straight in its block columns. Where heights vary the blocks are taken for as many as
    // of equal height, and the columns are right but for as many.
    BcscSizes sizes{.rows = static_cast<std::uint64_t>(source.rows),
                    .nnz = static_cast<std::uint64_t>(source.nnz),
                    .blocks = static_cast<std::uint64_t>(blocks_of(source.rows, wanted.block_height)),
                    .values = source.has_values(),
                    .varying = wanted.heights != BcscHeights::equal,
                    .split = wanted.split,
                    .permuted = source.row_permutation.extent(0) != 0,
                    .gather = wanted.keep_gather};
    std::uint64_t const without_columns = bcsc_bytes<Wide>(sizes);
    f.pieces = static_cast<std::int64_t>((wide - std::min(wide, without_columns)) / (2 * sizeof(std::int32_t)));
    return f;
  }

 private:
  static std::int64_t blocks_of(std::int64_t rows, std::int64_t height) {
    return rows / height + (rows % height != 0 ? 1 : 0);
  }
};

}  // namespace araia::detail
