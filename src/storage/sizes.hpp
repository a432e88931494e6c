// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What storages' footprints share.

#include <algorithm>
#include <cstdint>

#include <Kokkos_Core.hpp>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/plan/traffic.hpp>

namespace araia::detail {

using StoredOrdinal = std::int32_t;
using StoredOffset = std::int32_t;  ///< of all storages but csr: plans make the others of 2^31 - 1 slots at most

/// A row permutation, the matrix's own or that of an order by length.
inline std::uint64_t permutation_bytes(Problem const& p, Choice const& c) {
  return c.rows_by_length || p.source_permuted
             ? static_cast<std::uint64_t>(p.stats.rows) * static_cast<std::uint64_t>(p.ordinal_bytes)
             : 0;
}

/// Of the matrix as a Csr, in which plans take it.
inline std::uint64_t source_bytes(Problem const& p) {
  auto const entry = static_cast<std::uint64_t>(p.value_bytes + p.ordinal_bytes);
  auto const offsets = (static_cast<std::uint64_t>(p.stats.rows) + 1) * static_cast<std::uint64_t>(p.offset_bytes);
  return saturating_sum(saturating_product(static_cast<std::uint64_t>(p.stats.nnz), entry),
                        offsets + permutation_bytes(p, {}));
}

/// f.operator()<Scalar>() for the scalar of A, by its size; a pattern is counted as double.
template <class F>
Footprint by_scalar(Problem const& p, F const& f) {
  if (p.value_bytes == 16) return f.template operator()<Kokkos::complex<double>>();
  return p.value_bytes == 4 ? f.template operator()<float>() : f.template operator()<double>();
}

}  // namespace araia::detail
