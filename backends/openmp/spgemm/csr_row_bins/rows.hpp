// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One thread's chunk of C = alpha A B on hosts, compiled once for each instruction set. Data and declarations alone.

#include <cstdint>
#include <type_traits>

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// How a row is summed.
enum class SpgemmRowKind : int { empty, copy, sort, window, hash, ranges };
inline constexpr int spgemm_row_kinds = 6;

/// Rows of at most so many products may be summed by `sort`.
inline constexpr std::int64_t spgemm_short_row = 32;
/// Rows that are summed at once, where they lie next to each other and share their structure.
inline constexpr std::int64_t spgemm_lanes = 4;

struct SpgemmRowTuning {
  std::int64_t mask_columns = 0;     ///< of the window of marks: a multiple of 64
  std::int64_t window_columns = 0;   ///< of the window of values: rows of larger span find places by their marks
  std::int64_t byte_columns = 0;     ///< of the window of bytes: a multiple of 64, at most mask_columns
  std::int64_t hash_slots = 0;       ///< of the table: a power of two, or 0 for none
  std::int64_t sorted_products = 0;  ///< rows of at most so many products are sorted: at most spgemm_short_row
  std::int64_t near_columns = 0;   ///< rows whose span is at most this take the window, however few products they have
  std::int64_t sparse_window = 0;  ///< others take it where they have a product for so many columns of their span
  std::int64_t lane_entries = 0;   ///< rows of C of at most so many entries are summed several at once
  std::int64_t mapped_products = 0;  ///< rows of at most so many products keep the place of each: at most 65536
};

/// What the columns of a row have to do with those of the row before: two bits of each row of B, four of C's.
inline constexpr unsigned spgemm_same = 1;     ///< they are the same
inline constexpr unsigned spgemm_shifted = 2;  ///< each is one more
inline constexpr unsigned spgemm_short = 4;    ///< nothing; the row of C is summed by `sort`
/// Links of so many rows are in bytes of their own.
inline constexpr std::int64_t spgemm_link_rows = 4;

/// A thread's memory, all of it zeros between two rows (keys: -1; starts, order, map and lanes: anything).
template <class Scalar>
struct SpgemmRowMemory {
  Scalar* window = nullptr;          // (window_columns), or null where no values are formed
  std::uint64_t* mask = nullptr;     // (mask_columns / 64) columns that the row has
  std::uint64_t* summary = nullptr;  // (mask_columns / 4096, rounded up) words of mask that are not zero
  std::uint8_t* bytes = nullptr;     // (byte_columns) the same a byte each, until they become bits
  std::uint32_t* starts = nullptr;   // (mask_columns / 64) entries before a word that is not zero
  std::int32_t* keys = nullptr;      // (hash_slots) columns, or -1
  Scalar* sums = nullptr;            // (hash_slots)
  std::uint64_t* order = nullptr;    // (hash_slots) column and place, to be sorted, and as much to sort with
  Scalar* lanes = nullptr;           // (lane_entries, spgemm_lanes) sums of several rows, aligned to 64 bytes
  std::uint16_t* map = nullptr;      // (mapped_products) places of products in a row of C
};

/// Rows [first_row, last_row) of C.
template <class Scalar, class Offset>
struct SpgemmRowsArgs {
  CsrPointers<Scalar, std::int32_t, Offset> a;
  CsrPointers<Scalar, std::int32_t, Offset> b;
  bool ascending;  // columns of every row of B ascend strictly
  SpgemmRowTuning tuning;
  std::uint8_t const* b_links;  // of B's rows, or null; so with c_links
  std::uint8_t* c_links;        // of C's rows, or null
  SpgemmRowMemory<Scalar> memory;
  std::int64_t first_row;
  std::int64_t last_row;
};

/// C's row offsets, one of them null; before they are summed, i + 1 holds the entries of row i.
struct SpgemmRowOffsets {
  std::int32_t* narrow;
  std::int64_t* wide;
};

/// Rows of one kind.
struct SpgemmRowCount {
  std::int64_t rows = 0;
  std::uint64_t products = 0;
};

/// Of a thread, in lines of cache of its own.
struct alignas(64) SpgemmRowCounts {
  SpgemmRowCount kinds[spgemm_row_kinds];
};

/// The most that any row takes.
struct alignas(64) SpgemmRowExtent {
  std::int64_t window = 0;  // columns
  std::int64_t hashed = 0;  // columns that differ, at most
  std::int64_t span = 0;    // columns, of all rows
  std::int64_t lanes = 0;   // entries of a row that has a neighbour of its structure, at most
  std::int64_t mapped = 0;  // products of such a row
};

/// Complex numbers without a header's templates: the layout of Kokkos::complex<double>.
struct alignas(16) SpgemmComplex {
  double re = 0;
  double im = 0;
};

/// Links of the rows [first, last) to those before them; first is a multiple of spgemm_link_rows.
template <class Offset>
struct SpgemmLinksArgs {
  Offset const* row_offsets;
  std::int32_t const* col_indices;
  std::uint8_t* links;
  std::int64_t first;
  std::int64_t last;
};

/// Scalars of what is written out.
using SpgemmScalars =
    std::conditional_t<detail::has_all_types, detail::ListOf<double, float, SpgemmComplex>, detail::ListOf<double>>;

template <Isa level, class Offset>
void spgemm_rows_links(SpgemmLinksArgs<Offset> const& args);

/// Widens `extent`, and writes links of C's rows where there are any; first_row is a multiple of spgemm_link_rows.
/// \param a_is_b  A and B have one structure
template <Isa level, class Scalar, class Offset>
void spgemm_rows_shapes(SpgemmRowsArgs<Scalar, Offset> const& args, bool a_is_b, SpgemmRowExtent& extent);

/// Entries of each row of C.
template <Isa level, class Scalar, class Offset>
void spgemm_rows_count(SpgemmRowsArgs<Scalar, Offset> const& args, SpgemmRowOffsets const& counts,
                       SpgemmRowCounts& kinds);

/// Columns and values (or null) of C. \param sorted  columns must ascend
template <Isa level, class Scalar, class Offset>
void spgemm_rows_fill(SpgemmRowsArgs<Scalar, Offset> const& args, Scalar alpha, bool sorted,
                      SpgemmRowOffsets const& offsets, std::int32_t* cols, Scalar* values);

/// Values of C, whose columns are there. \param add  to what it holds
template <Isa level, class Scalar, class Offset>
void spgemm_rows_refresh(SpgemmRowsArgs<Scalar, Offset> const& args, Scalar alpha, bool add,
                         SpgemmRowOffsets const& offsets, std::int32_t const* cols, Scalar* values);

}  // namespace araia::host
