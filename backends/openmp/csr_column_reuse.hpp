// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How often an entry of A meets its row of B in a cache, where rows of A go in their own order: for kernels that may
// prefetch rows of B entry by entry.

#include <araia/detail/formats/pointers.hpp>
#include <array>
#include <cstdint>

#include "backends/openmp/caches.hpp"

namespace araia::host {

/// Whether entries prefetch the rows of B of later entries.
enum class EntryPrefetch : std::uint8_t {
  in_no_order,  ///< where columns turn out to be so
  yes,
  alone,  ///< each, and no front of a band does
  no
};

struct ColumnReuse {
  /// Of the entries, those whose row of B is not in a cache of so many rows.
  struct Misses {
    float all = 0;
    float scattered = 0;  ///< those of them that do not follow their neighbour in B, as a grid's or band's front does
    friend bool operator==(Misses const&, Misses const&) = default;
  };
  static constexpr int sizes = 24;

  std::array<Misses, sizes> of_rows{};  ///< of caches of 1, 2, 4, ... rows
  friend bool operator==(ColumnReuse const&, ColumnReuse const&) = default;

  /// Should each entry prefetch the row of B of a later one? \param row_bytes  of B that a pass over A reads
  [[nodiscard]] bool prefetch_pays(std::int64_t row_bytes, Caches const& of = caches()) const;
};

/// Samples up to 2^20 entries, in chunks; O(cols) memory. Times between two reads of a column give the rows that are
/// read in between, and so the misses: the footprint theory of [Xiang2011].
template <class Scalar, class Offset>
ColumnReuse column_reuse(CsrPointers<Scalar, std::int32_t, Offset> const& a);

}  // namespace araia::host
