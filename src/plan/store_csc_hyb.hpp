// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a plan makes and counts a Csc and a Hyb.

#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include "src/plan/store.hpp"

namespace araia::detail {

struct CscStore {
  template <class Exec, class Source, class Hold>
  static auto convert(Exec const& exec, Source const& source, Choice const& choice, StoreOptions const& options,
                      Hold const& hold) {
    return hold(csr_to_csc(exec, source, csc_options(choice, options)));
  }

  template <class Exec, class Source>
  static Footprint count(Exec const& exec, Source const& source, Choice const& choice, StoreOptions const& options) {
    using Format = Csc<typename Source::value_type, std::int32_t, std::int32_t, typename Exec::device_type>;
    return {
        .bytes = count_bytes<Format>(exec, source, csc_options(choice, options)), .slots = source.nnz, .exact = true};
  }
};

struct HybStore {
  template <class Exec, class Source, class Hold>
  static auto convert(Exec const& exec, Source const& source, Choice const& choice, StoreOptions const& options,
                      Hold const& hold) {
    return hold(csr_to_hyb(exec, source, hyb_options(choice, options)));
  }

  template <class Exec, class Source>
  static Footprint count(Exec const& exec, Source const& source, Choice const& choice, StoreOptions const& options) {
    using Scalar = typename Source::value_type;
    using Format = Hyb<Scalar, std::int32_t, typename Exec::device_type>;
    auto const asked = hyb_options(choice, options).width;
    auto const a = source.pointers();
    auto const costs = HybCosts::of<Scalar, std::int32_t>(source.has_values());
    std::int64_t const width = asked >= 0 ? asked : hyb_width(exec, a, costs);
    std::int64_t const tail = entries_beyond(exec, a, width);
    return {.bytes =
                hyb_bytes<Format>(source.rows, width, tail, source.has_values(), source.row_permutation.extent(0) != 0),
            .slots = source.rows * width + tail,
            .tail = tail,
            .exact = true};
  }
};

}  // namespace araia::detail
