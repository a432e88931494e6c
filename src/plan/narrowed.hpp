// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A plan's source with offsets of 32 bits, which is what most formats and packings are made from.

#include <cstdint>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/loops.hpp>
#include "src/plan/stored.hpp"

namespace araia::detail {

/// The source with offsets of 32 bits; everything else is shared.
template <class Exec, class A>
PlanSource<Exec, A, std::int32_t> with_offsets(PlanSource<Exec, A, std::int64_t> const& source,
                                               decltype(PlanSource<Exec, A, std::int32_t>::row_offsets) offsets) {
  PlanSource<Exec, A, std::int32_t> narrow{.rows = source.rows, .cols = source.cols, .nnz = source.nnz};
  narrow.row_offsets = offsets;
  narrow.col_indices = source.col_indices;
  narrow.values = source.values;
  narrow.row_permutation = source.row_permutation;
  return narrow;
}

/// \throws araia::Error resource_limit where nnz does not fit
template <class Exec, class A>
PlanSource<Exec, A, std::int32_t> narrowed(Exec const& exec, PlanSource<Exec, A, std::int64_t> const& source) {
  require_fits<std::int32_t>("araia::make_plan: entries of a format with 32-bit offsets", source.nnz);
  auto const from = source.row_offsets;
  auto const offsets = new_array<std::int32_t, typename Exec::device_type>(exec, "araia::plan::row_offsets",
                                                                           static_cast<std::int64_t>(from.extent(0)));
  for_each_index(
      "araia::plan::narrow_offsets", IndexRange<Exec>(exec, 0, static_cast<std::int64_t>(from.extent(0))),
      KOKKOS_LAMBDA(std::int64_t i) { offsets(i) = static_cast<std::int32_t>(from(i)); });
  return with_offsets<Exec, A>(source, offsets);
}

template <class Exec, class A>
PlanSource<Exec, A, std::int32_t> narrowed(Exec const&, PlanSource<Exec, A, std::int32_t> const& source) {
  return source;
}

}  // namespace araia::detail
