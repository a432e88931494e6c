// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A Csr packed for SpMM by panels of columns: the rows of B that a panel multiplies lie in L1 while all rows of A pass.
//
//             panel 0   panel 1            a panel of a block of rows: groups of 4 rows of about equal length,
//   block 0 [ . .. .  | .  . .  ]          the longest first, their entries side by side:
//           [  ..  .  |  ..   . ]            values  r0 r1 r2 r3 | r0 r1 r2 r3 | ...     places likewise
//   block 1 [ .  . .. | .   .   ]          places: bytes from the panel's first row of B to the entry's
//
// Shorter rows of a group are filled with zeros whose place is a line of zeros behind the panel, so that nothing of B
// is multiplied that its row does not store.

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/kernels/epilogue.hpp>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "backends/openmp/isa.hpp"
#include "backends/openmp/spmm/csr_cache_panels/panels.hpp"

namespace araia::host {

/// How a Csr is cut for products of so many columns, and what that costs.
struct CachePanelShape {
  int lines = 0;                ///< lines of 64 bytes of a row of B that are multiplied at once, 1 to 6
  std::int32_t panel_cols = 0;  ///< columns of A in a panel
  std::int32_t block_rows = 0;  ///< rows of A in a block
  double seconds = 0;           ///< estimate of a product by one thread
  bool pays = false;            ///< rows have entries enough in a panel
  friend bool operator==(CachePanelShape const&, CachePanelShape const&) = default;
};

/// Rows by their lengths, as RowStats has them: [0] empty ones, [b] those of 2^(b-1) to 2^b - 1 entries.
using LengthHistogram = std::array<std::int64_t, 64>;

/// The histogram of a matrix. In O(rows).
template <class Offset>
LengthHistogram length_histogram(Offset const* row_offsets, std::int64_t rows) {
  LengthHistogram of_length{};
  for (std::int64_t i = 0; i < rows; ++i)
    ++of_length[static_cast<std::size_t>(
        std::bit_width(static_cast<std::uint64_t>(row_offsets[i + 1] - row_offsets[i])))];
  return of_length;
}

/// The shape for a matrix of such statistics, or nothing where it would be mostly bookkeeping of rows without entries
/// in a panel. In O(1). \param scalar_bytes  4 or 8
std::optional<CachePanelShape> cache_panel_shape(LengthHistogram const& lengths, std::int64_t cols, std::int64_t nnz,
                                                 std::int64_t columns, int scalar_bytes);

/// Bytes of what packing would make, without the zeros that fill groups.
std::uint64_t cache_panels_bytes(std::int64_t rows, std::int64_t cols, std::int64_t nnz, int scalar_bytes,
                                 CachePanelShape const& shape);

template <class Scalar>
struct CachePanels {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t blocks = 0;
  std::int64_t panels = 0;
  CachePanelShape shape{};
  std::vector<std::int64_t> first_group{};  // (blocks * panels + 1), block by block
  std::vector<std::int64_t> first_slot{};   // likewise
  std::vector<std::int32_t> lengths{};      // (groups) slots of each of its rows
  std::vector<std::uint16_t> group_rows{};  // (groups, 4) within the block; block_rows: none
  std::vector<Scalar> values{};             // (slots)
  std::vector<std::uint16_t> places{};      // (slots) bytes
  std::vector<std::int32_t> permutation{};  // (rows) row of C, or empty: in order

  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::int64_t stored() const { return static_cast<std::int64_t>(values.size()); }
  [[nodiscard]] CachePanelsPointers<Scalar> pointers() const;
};

/// Packs A: two passes over its entries. Columns in any order, duplicates kept, rows that a permutation places where it
/// says, absent values as ones. The same for any number of threads.
/// \param memory_limit  bytes of the result
/// \throws araia::Error resource_limit naming need and limit, when the groups are known and before the values' arrays
/// \pre shape comes from cache_panel_shape, rows < 2^31
template <class Scalar, class Offset>
CachePanels<Scalar> pack_cache_panels(CsrPointers<Scalar, std::int32_t, Offset> const& a, CachePanelShape const& shape,
                                      int threads, std::uint64_t memory_limit = ~std::uint64_t{0});

/// Takes the values of A, of the structure that was packed: one pass. Leaves the old ones where it throws bad_alloc.
template <class Scalar, class Offset>
void update_values(CachePanels<Scalar>& packed, CsrPointers<Scalar, std::int32_t, Offset> const& a, int threads);

/// C = act(alpha A B + beta C + bias + R), for each B and C of a batch, of any strides and any number of columns.
/// \param B,C      not aliased; beta == 0 overwrites C, NaN included
/// \pre alpha != 0
/// \throw std::bad_alloc  where a thread's stack has no room (OMP_STACKSIZE) nor memory takes its place; C is then not
///                        written whole
/// \param threads  OpenMP threads, at least 1; the bits of C do not depend on it. Each gets panels of columns of C, or
///                 blocks of rows in one, of equal work
/// Rounding  |error_ij| <= gamma(len_i + 2) (|alpha| |A| |B| + |beta| |C|)_ij; with an epilogue gamma(len_i + 5) and
/// |bias| + |R| more. An entry of C is summed panel by panel, whatever its column.
template <class Scalar>
void cache_panels_spmm(CachePanels<Scalar> const& a, Scalar alpha, DenseBatch<Scalar const> const& b, Scalar beta,
                       DenseBatch<Scalar> const& c, EpiloguePointers<Scalar> const& epilogue, int threads,
                       Isa isa = host::isa());

}  // namespace araia::host
