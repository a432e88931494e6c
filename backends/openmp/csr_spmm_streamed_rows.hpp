// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows of the host SpMM that share a list of columns, each moved from the row before; and those of grid lines whose C
// leaves the caches, one by one, all of a row written out. For csr_spmm_rows.cpp alone, in the instruction set's
// namespace; unnamed there, so that GCC takes the kernels into their one caller.

#include <cstdint>

#include "backends/openmp/caches.hpp"
#include "backends/openmp/csr_spmm_panel.hpp"
#include "backends/openmp/csr_spmm_prefetch.hpp"

namespace araia::host::ARAIA_ISA {
namespace {

// Runs prefetch the rows of B of this many rows later too where these have left L2 since the rows before read them, as
// planes of a stencil may that do not go in chunks: those before a gap in the run's list that is wider than L2 holds of
// so many planes. Long rows leave the hardware its own time and prefetch in shifted groups alone, where B is wider than
// a panel.
constexpr std::int64_t rows_ahead = 16;
constexpr std::int64_t planes = 3;
constexpr std::int64_t most_gaps = 16;
constexpr std::int64_t longest_prefetching_row = 16;

// On machines of AVX2, rows of a run of up to so many entries that are not streamed prefetch nothing but what planes
// before read, as the hardware follows them.
constexpr std::int64_t longest_foreseen = 64;

/// A list of columns that rows from `first_row` on share, each moved by `shift` from the row before.
template <class A>
struct List {
  Values<A> values;                 // of the first row
  std::int32_t const* columns;      // (length)
  std::int32_t const* columns_end;  // of all lists: the next one begins at columns + length
  std::int64_t length;
  std::int64_t shift;
  std::int64_t first_row;
  std::int64_t b_columns;
  bool in_plane_chunks;
  bool prefetches;                 // its entries and the rows of B beyond its last column
  bool by_groups = false;          // rows go by groups_by_panel where a panel is so wide
  bool by_shifted_groups = false;  // rows go by shifted_groups_by_panel where a panel allows it
  std::int64_t gaps = 0;
  std::int32_t before_gap[most_gaps] = {};  // columns
};

// A group: three rows of a list at once by a panel of 8 registers, a register of B loaded once for them: 24 sums, 3 of
// A and one of B of the 32 registers of AVX-512. For groups_by_panel and shifted_groups_by_panel.
constexpr int registers_of_group = 8;
constexpr int rows_of_group = 3;

// Where registers hold them.
template <class X>
constexpr bool takes_groups = Vectors<X>::registers >= 28;

/// Prefetches the values of so many rows of a list from `first` on.
template <class A>
[[gnu::always_inline]] inline void prefetch_values(List<A> const& list, std::int64_t first, std::int64_t rows) {
  for (std::int64_t i = first; i < first + rows; ++i)
    prefetch_entries(list.values.from((i - list.first_row) * list.length).data,
                     static_cast<std::int32_t const*>(nullptr), list.length);
}

/// \param row_bytes  of B
template <class A>
void find_gaps(List<A>& list, std::int64_t row_bytes) {
  if (list.shift != 1 || (list.length > longest_prefetching_row && !list.by_shifted_groups)) return;
  for (std::int64_t k = 0; k + 1 < list.length && list.gaps < most_gaps; ++k)
    if ((std::int64_t{list.columns[k + 1]} - list.columns[k]) * row_bytes * planes > caches().l2)
      list.before_gap[list.gaps++] = list.columns[k];
}

/// Prefetches the rows of B before the gaps of a list that rows rows_ahead of so many from `first` on will read.
template <class A, class X>
[[gnu::always_inline]] inline void prefetch_before_gaps(List<A> const& list, std::int64_t first, std::int64_t rows,
                                                        Panel<X> const& p) {
  if (list.in_plane_chunks) return;
  auto const bytes = static_cast<std::int64_t>(sizeof(X));
  for (std::int64_t g = 0; g < list.gaps; ++g) {
    std::int64_t const later = list.before_gap[g] + first - list.first_row + rows_ahead;
    for (std::int64_t q = 0; q < rows; ++q)
      for (std::int64_t at = 0; at < p.columns * bytes; at += 64)
        prefetch<Into::l2>(p.b, (later + q) * p.b_row_stride * bytes + at);
  }
}

// Streamed rows prefetch rows of B into L1 so many bytes beyond the last column.
constexpr std::int64_t bytes_streamed_ahead = 8192;

// Entries of rows that are streamed: points of stencils in two and three dimensions.
constexpr int least_streamed = 5;
constexpr int most_streamed = 7;

/// Do rows of the list go by streamed_rows? Those of a grid line whose C leaves the caches.
template <class A, class X>
bool streams(List<A> const& list, Panel<X> const& p) {
  return (list.length == least_streamed || list.length == most_streamed) && list.shift == 1 && list.values.step == 1 &&
         p.streams && !p.epilogue && p.c_column_stride == 1;
}

/// Rows [first, last) of a list of few entries, one by one, all of a row written out: from memory the speed is bound by
/// how many reads a core has on their way, and so by its instructions. A branch, the same way for all rows, tells five
/// entries from seven, which spares kernels.
template <int Registers, int Part, class A, class X>
void streamed_rows(List<A> const& list, std::int64_t first, std::int64_t last, Panel<X> const& p, RowsOfB& rows_of_b) {
  using Vec = Vectors<X>;
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(X));
  std::int64_t const since = first - list.first_row;
  std::int64_t const stride = p.b_row_stride;
  std::int64_t const row_bytes = p.columns * bytes;
  std::int64_t const beyond =
      RowsOfB::within(RowsOfB::least_beyond, bytes_streamed_ahead / row_bytes, RowsOfB::most_beyond);
  std::int64_t const length = list.length;
  std::int64_t from[most_streamed] = {};
  for (std::int64_t k = 0; k < length; ++k) from[k] = list.columns[k] * stride;
  std::int64_t later[most_gaps];
  std::int64_t const gaps = list.in_plane_chunks ? 0 : list.gaps;
  for (std::int64_t g = 0; g < gaps; ++g) later[g] = (list.before_gap[g] + rows_ahead) * stride * bytes;
  std::int64_t const edge = (list.columns[length - 1] + beyond) * stride * bytes;
  auto const alpha = Vec::all(p.alpha);
  A const* values = list.values.data + since * length;
  X const* b = p.b + since * stride;
  X* c = p.c + first * p.c_row_stride;
  for (std::int64_t i = first; i < last; ++i) {
    RowSums<X, Registers> row;
    row.clear();
    auto const add = [&](auto index) __attribute__((always_inline)) {
      constexpr int k = decltype(index)::value;
      row.template add<k % row.sums, Part>(Vec::all(static_cast<X>(values[k])), b + from[k], p.columns);
    };
    each<least_streamed>(add);
    if (length == most_streamed) {
      add(Index<least_streamed>{});
      add(Index<least_streamed + 1>{});
    }
    typename Vec::V out[Registers];
    row.total(out);
    each<Registers>([&](auto r) __attribute__((always_inline)) {
      out[decltype(r)::value] = Vec::mul(alpha, out[decltype(r)::value]);
    });
    store_out<Registers, Part>(out, p, c);
    prefetch<Into::l2>(values, bytes_ahead);
    for (std::int64_t at = 0; at < row_bytes; at += 64) prefetch<Into::l1>(b, edge + at);
    for (std::int64_t g = 0; g < gaps; ++g)
      for (std::int64_t at = 0; at < row_bytes; at += 64) prefetch<Into::l1>(b, later[g] + at);
    values += length;
    b += stride;
    c += p.c_row_stride;
  }
  std::int64_t const front = list.columns[length - 1] + since + (last - first) - 1;
  rows_of_b.move_to(front, front + beyond);
}

}  // namespace
}  // namespace araia::host::ARAIA_ISA
