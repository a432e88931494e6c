// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = act(alpha A B + beta C + bias + R) for a range of rows, A in CSR. Columns of C go in panels of up to 8 registers:
// a row of a panel is summed in registers, each entry of A multiplying the panel's columns of a row of B. Rows that
// share their columns up to a shift are multiplied together and do not read them; those that share them as they are
// form groups (csr_spmm_groups.hpp, csr_spmm_group_halves.hpp). On AVX2 rows longer than a panel go whole instead
// (csr_spmm_whole_rows.hpp), together where they share their columns as they are. B by columns is summed as in SpMV,
// with the entries of A loaded once for 4 columns. The bits of an entry of C depend on its row of A, its column of B
// and its place in the panel alone, not on the range; nor on runs, but where rows on their own columns go by blocks of
// B.
//
// Traffic  double, int32: 12 B per entry and panel (8 B in runs), panel columns x 8 B per entry of B out of cache, C
//          once.
// Tried    docs/lab/host_kernels.md.

#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/csr_spmm_by_blocks.hpp"
#include "backends/openmp/csr_spmm_by_columns.hpp"
#include "backends/openmp/csr_spmm_group_halves.hpp"
#include "backends/openmp/csr_spmm_groups.hpp"
#include "backends/openmp/csr_spmm_narrow_rows.hpp"
#include "backends/openmp/csr_spmm_panel_choice.hpp"
#include "backends/openmp/csr_spmm_prefetch.hpp"
#include "backends/openmp/csr_spmm_rows.hpp"
#include "backends/openmp/csr_spmm_shifted_groups.hpp"
#include "backends/openmp/csr_spmm_streamed_rows.hpp"
#include "backends/openmp/csr_spmm_whole_rows.hpp"
#include "backends/openmp/row_lengths.hpp"
#include "backends/openmp/rows_to_sort.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

// Where a panel is 256 bytes, longer rows of B and C go whole; with panels of 512 bytes that does not pay.
template <class X>
constexpr bool takes_whole_rows = sizeof(typename Vectors<X>::V) == 32;

// Up to so many entries in the mean a row takes all of its panels before the next one, and so do rows of runs between
// whose columns are planes that leave L2: neighbouring lines of B and C are then moved one after the other.
constexpr std::int64_t short_row = 8;

// Rows of changing lengths go in order of length within a chunk of so many entries, as what is prefetched is there
// then. Where C leaves the caches, rows of C of more than a line hide a mispredicted branch. On AVX-512 alone:
// processors of AVX2 that were measured take rows as they lie faster.
constexpr std::int64_t entries_to_sort = 768;
constexpr std::int64_t streamed_bytes_to_sort = 64;

// Registers of panels whose rows of a list go by more, and whose rows on their own columns go by narrow_rows.
constexpr int narrow_panel = 2;

// Rows of a list that go at once, as far as registers hold their sums. With a wide panel more of them move more lines
// in between those of one row.
constexpr int most_rows_of_narrow = 6;
constexpr int most_rows_of_wide = 2;

/// One row, on its own columns or on a list that `b_offset` moves by so many elements of B.
template <int Registers, int Part, class A, class X>
[[gnu::always_inline]] inline void one_row(Values<A> const& values, std::int32_t const* columns, std::int64_t length,
                                           X const* b, Panel<X> const& p, std::int64_t place) {
  using Vec = Vectors<X>;
  std::int64_t const stride = p.b_row_stride;
  std::int64_t const step = values.step;
  RowSums<X, Registers> row;
  row.clear();
  each_entry<row.sums>(
      length, [&](std::int64_t k, auto s) __attribute__((always_inline)) {
        auto const a = Vec::all(static_cast<X>(values.data[k * step]));
        row.template add<decltype(s)::value, Part>(a, b + columns[k] * stride, p.columns);
      });
  store_total<Registers, Part>(row, p, place);
}

/// Rows stored rows on one list of columns, each moved by b_shift elements of B from the row before.
template <int Registers, int Part, class A, class X, int... Q>
[[gnu::always_inline]] inline void shared_rows(Values<A> const& values, std::int32_t const* columns,
                                               std::int64_t length, X const* b, std::int64_t b_shift, Panel<X> const& p,
                                               std::int64_t first, std::integer_sequence<int, Q...>) {
  using Vec = Vectors<X>;
  std::int64_t const stride = p.b_row_stride;
  std::int64_t const step = values.step;
  RowSums<X, Registers> row[sizeof...(Q)];
  (row[Q].clear(), ...);
  each_entry<sums_of<Registers>>(
      length, [&](std::int64_t k, auto s) __attribute__((always_inline)) {
        X const* const from = b + columns[k] * stride;
        (row[Q].template add<decltype(s)::value, Part>(Vec::all(static_cast<X>(values.data[(Q * length + k) * step])),
                                                       from + Q * b_shift, p.columns),
         ...);
      });
  (store_total<Registers, Part>(row[Q], p, first + Q), ...);
}

/// Rows [first, last) of a list by one panel.
template <int Registers, int Part, class A, class X>
void list_by_panel(List<A> const& list, std::int64_t first, std::int64_t last, Panel<X> const& p, RowsOfB& rows_of_b) {
  constexpr int room = Vectors<X>::registers * 3 / 4 / (Registers * sums_of<Registers>);
  constexpr int most = Registers <= narrow_panel ? most_rows_of_narrow : most_rows_of_wide;
  constexpr int rows = !Vectors<X>::tuned || room < 2 ? 1 : room > most ? most : room;
  if constexpr (Vectors<X>::tuned)
    if (streams(list, p)) return streamed_rows<Registers, Part>(list, first, last, p, rows_of_b);
  if constexpr (takes_groups<X> && Registers == registers_of_group) {
    if constexpr (Part == 0)
      if (list.by_shifted_groups) return shifted_groups_by_panel(list, first, last, p, rows_of_b);
    if (list.by_groups) return groups_by_panel<Part>(list, first, last, p, rows_of_b);
  }
  std::int64_t const shift = list.shift * p.b_row_stride;
  constexpr bool by_halves = takes_halves<X, Registers, Part>;
  bool const of_group = by_halves && list.shift == 0;
  for (std::int64_t i = first; i < last;) {
    std::int64_t const since = i - list.first_row;
    auto const values = list.values.from(since * list.length);
    X const* const b = p.b + since * shift;
    std::int64_t const count = of_group ? rows_of_list_at_once(last - i) : last - i < rows ? 1 : rows;
    if (Vectors<X>::tuned && !rows_of_b.in_cache) {
      if (list.prefetches) {
        prefetch_values(list, i, count);
        if (list.length > 0) rows_of_b.prefetch_after(p, list.columns[list.length - 1] + since * list.shift);
      }
      prefetch_before_gaps(list, i, count, p);
    }
    if constexpr (by_halves) {
      if (of_group && count > 1) {
        group_by_halves(list, i, count, p, !rows_of_b.in_cache);
        i += count;
        continue;
      }
    }
    if (count == rows) {
      shared_rows<Registers, Part>(values, list.columns, list.length, b, shift, p, i, Indices<rows>{});
    } else {
      one_row<Registers, Part>(values, list.columns, list.length, b, p, i);
    }
    i += count;
  }
  if (!list.prefetches && list.length > 0 && first < last) {
    std::int64_t const front = list.columns[list.length - 1] + (last - 1 - list.first_row) * list.shift;
    rows_of_b.move_to(front, front);
  }
}

/// Row i of a chunk, in its own order, so many entries at a time: a long row that prefetched all of its rows of B at
/// once would need more than L2 holds.
template <int Registers, int Part, class A, class X>
[[gnu::noinline]] void prefetching_row(Chunk<A> const& chunk, std::int64_t i, Panel<X> const& p, std::int64_t ahead) {
  using Vec = Vectors<X>;
  static_assert(most_prefetched_at_once % sums_of<Registers> == 0);
  auto const& values = chunk.values;
  std::int64_t const end = chunk.offset[i + 1];
  RowSums<X, Registers> row;
  row.clear();
  for (std::int64_t first = chunk.offset[i]; first < end; first += most_prefetched_at_once) {
    std::int64_t const last = first + most_prefetched_at_once < end ? first + most_prefetched_at_once : end;
    prefetch_rows_of_b(p, chunk.columns, first + ahead, last + ahead, chunk.end);
    each_entry<row.sums>(
        last - first, [&](std::int64_t k, auto s) __attribute__((always_inline)) {
          auto const a = Vec::all(static_cast<X>(values.data[(first + k) * values.step]));
          row.template add<decltype(s)::value, Part>(a, p.b + chunk.columns[first + k] * p.b_row_stride, p.columns);
        });
  }
  store_total<Registers, Part>(row, p, chunk.place(i));
}

/// \param prefetches  rows of B, which are not copied
template <int Registers, int Part, class A, class X>
void chunk_by_panel(Chunk<A> const& chunk, Panel<X> const& p, RowsOfB& rows_of_b, bool prefetches) {
  bool const prefetches_c =
      Vectors<X>::tuned && chunk.by_length && !chunk.permutation && !p.past_cache && p.c_column_stride == 1;
  std::int64_t const c_ahead = prefetches_c ? rows_of_result_ahead(p) : 0;
  [[maybe_unused]] Rows const kind = kind_of(chunk, p);
  bool const from_memory = Vectors<X>::tuned && !rows_of_b.in_cache;
  std::int64_t const ahead = from_memory && prefetches && rows_of_b.entries_prefetch() ? rows_of_b.entries_ahead : 0;
  for (std::int64_t i = 0; i < chunk.rows;) {
    std::int64_t const end = i + rows_of_b.at_once < chunk.rows ? i + rows_of_b.at_once : chunk.rows;
    if (from_memory) {
      std::int64_t const entry = chunk.offset[i];
      prefetch_entries(chunk.values.from(entry).data, chunk.columns + entry, chunk.offset[end] - entry);
      if (prefetches && chunk.offset[end] > entry) rows_of_b.prefetch_after(p, chunk.columns[chunk.offset[end] - 1]);
      if (ahead > 0 && chunk.offset[end] - entry <= most_prefetched_at_once)
        prefetch_rows_of_b(p, chunk.columns, entry + ahead, chunk.offset[end] + ahead, chunk.end);
      if (prefetches_c)
        for (std::int64_t q = i; q < end; ++q) prefetch_result(p, chunk.place(q), c_ahead);
    }
    if (ahead > 0 && chunk.offset[end] - chunk.offset[i] > most_prefetched_at_once) {
      for (; i < end; ++i) prefetching_row<Registers, Part>(chunk, i, p, ahead);
      continue;
    }
    if constexpr (Vectors<X>::tuned && Registers <= narrow_panel && Part == 0) {
      switch (kind) {
        case Rows::any: narrow_rows<Registers, Rows::any>(chunk, p, i, end); break;
        case Rows::plain: narrow_rows<Registers, Rows::plain>(chunk, p, i, end); break;
        case Rows::plain_in_order: narrow_rows<Registers, Rows::plain_in_order>(chunk, p, i, end); break;
      }
      i = end;
      continue;
    }
    for (; i < end; ++i) {
      std::int64_t const r = chunk.by_length ? std::int64_t{chunk.order[i]} : i;
      std::int64_t const begin = chunk.offset[r];
      one_row<Registers, Part>(chunk.values.from(begin), chunk.columns + begin, chunk.offset[r + 1] - begin, p.b, p,
                               chunk.place(r));
    }
  }
}

/// All rows of B side by side, each from a line of cache on, zeros up to a whole line.
template <class X>
void copy_rows(DenseMatrix<X const> const& b, X* to, std::int64_t stride) {
  using Vec = Vectors<X>;
  for (std::int64_t i = 0; i < b.rows; ++i, to += stride) {
    X const* const from = b.data + i * b.row_stride;
    std::int64_t j = 0;
    for (; j + Vec::width <= b.columns; j += Vec::width) Vec::store(to + j, Vec::load(from + j));
    if (j < b.columns) {
      Vec::store(to + j, Vec::load(from + j, b.columns - j));
      j += Vec::width;
    }
    for (; j < stride; j += Vec::width) Vec::store(to + j, Vec::zero());
  }
}

template <class A, class X, class Offset>
struct Work {
  CsrSpmmRows<A, X, X, Offset> const& in;
  Values<A> values;

  /// Rows of B in a block of chunk_by_blocks, or 0: not for this matrix. Of the whole matrix, so that a row is summed
  /// alike in every range.
  [[nodiscard]] std::int64_t rows_per_block(std::int64_t panel_columns) const {
    std::int64_t const row_bytes = panel_columns * static_cast<std::int64_t>(sizeof(X));
    if (!in.by_blocks || in.a.cols < blocks_in_cache * (bytes_of_block / row_bytes)) return 0;
    std::int64_t const block = bytes_of_block / row_bytes;
    bool const dense = static_cast<double>(in.a.nnz) * static_cast<double>(block) >=
                       least_entries_in_block * static_cast<double>(in.a.rows) * static_cast<double>(in.a.cols);
    return dense ? block : 0;
  }

  /// Bytes of a row of B in the widest panel.
  [[nodiscard]] std::int64_t panel_bytes() const {
    return panel_columns<X>(in.b.columns, widest_panel<X>) * static_cast<std::int64_t>(sizeof(X));
  }

  /// Are rows of B longer than a panel?
  [[nodiscard]] bool wider_than_panel() const { return in.b.columns > widest_panel<X> * Vectors<X>::width; }

  /// Do rows go whole?
  [[nodiscard]] bool whole() const { return takes_whole_rows<X> && wider_than_panel() && in.b.column_stride == 1; }

  /// Do groups go by panels all the same? Where rows of B are two of them, which groups read by halves.
  [[nodiscard]] bool groups_by_panels() const { return in.b.columns == 2 * registers_of_halves * Vectors<X>::width; }

  /// Bytes of a row of B that a pass over A reads.
  [[nodiscard]] std::int64_t read_at_once() const {
    return whole() ? in.b.columns * static_cast<std::int64_t>(sizeof(X)) : panel_bytes();
  }

  /// Rows that go by one panel before the next panel's turn.
  [[nodiscard]] std::int64_t chunk_rows(bool one_by_one) const {
    return one_by_one && wider_than_panel() ? 1 : rows_per_chunk;
  }

  /// The same of whole rows.
  [[nodiscard]] std::int64_t chunk_rows_of_whole() const {
    return in.b.columns > registers_of_tile<X> * Vectors<X>::width ? 1 : rows_per_chunk;
  }

  /// Rows of a chunk that may be put in order of length, or 0.
  [[nodiscard]] std::int64_t rows_to_sort() const {
    std::int64_t const most = in.streams ? streamed_bytes_to_sort : bytes_to_sort;
    if (!Vectors<X>::tuned || in.isa != Isa::v4 || in.in_cache || in.b.column_stride != 1 ||
        in.a.nnz <= most_remembered || in.a.nnz > longest_to_sort * in.a.rows ||
        in.b.columns * static_cast<std::int64_t>(sizeof(X)) > most)
      return 0;
    std::int64_t const rows = entries_to_sort * in.a.rows / in.a.nnz;
    return rows < rows_per_chunk ? rows : rows_per_chunk;
  }

  /// \param copied  B by copy_rows, or null
  void own_columns(std::int64_t first, std::int64_t last, RowsOfB& rows_of_b, X const* copied = nullptr) const {
    std::int64_t const to_sort = rows_to_sort();
    std::int64_t const at_once = to_sort > 0 ? to_sort
                                 : whole()   ? chunk_rows_of_whole()
                                             : chunk_rows(in.a.nnz <= short_row * in.a.rows);
    Chunk<A> chunk;
    chunk.values = values;
    chunk.columns = in.a.col_indices;
    chunk.end = static_cast<std::int64_t>(in.a.row_offsets[in.a.rows]);
    for (; first < last; first += at_once) {
      chunk.rows = last - first < at_once ? last - first : at_once;
      chunk.first_row = first;
      chunk.permutation = in.a.row_permutation ? in.a.row_permutation + first : nullptr;
      for (std::int64_t i = 0; i <= chunk.rows; ++i)
        chunk.offset[i] = static_cast<std::int64_t>(in.a.row_offsets[first + i]);
      chunk.by_length =
          to_sort > 0 && !rows_of_b.entries_prefetch() && uneven<rows_per_chunk, 1>(chunk.offset, chunk.rows);
      if (chunk.by_length) sort_by_length(chunk.offset, chunk.rows, chunk.order);
      if (in.b.column_stride != 1) {
        rows_by_columns(chunk, in.b, in.c, in.alpha, in.beta, in.epilogue);
      } else if (whole()) {
        // Runs are known where rows alone prefetch, so B is not copied.
        bool const prefetches = in.entry_prefetch == EntryPrefetch::alone && !in.in_cache;
        if constexpr (takes_whole_rows<X>)
          each_panel<X, registers_of_line>(in, registers_of_tile<X>, in.streams, [&](Panel<X> const& p) {
            whole_rows(chunk, copied ? of_copy(p, copied) : p, prefetches ? rows_of_b.entries_ahead : 0);
          });
      } else {
        auto const before = rows_of_b;
        each_panel<X>(in, widest_panel<X>, in.streams, [&](Panel<X> const& p) {
          rows_of_b = before;
          chunk_of_panel(chunk, p, rows_of_b, copied);
        });
      }
    }
  }

  void chunk_of_panel(Chunk<A> const& chunk, Panel<X> const& p, RowsOfB& rows_of_b, X const* copied) const {
    std::int64_t const block = Vectors<X>::tuned ? rows_per_block(p.columns) : 0;
    if (copied && block == 0) {
      Panel<X> const aligned = of_copy(p, copied);
      return with_registers<X>(p.columns, [&](auto registers) {
        chunk_by_panel<decltype(registers)::value, padded>(chunk, aligned, rows_of_b, false);
      });
    }
    // Long rows do not tell whole registers from what ends with the panel, which spares kernels.
    if constexpr (Vectors<X>::tuned)
      if (block > 0)
        return with_panel<X, 1>(p.columns, [&](auto registers, auto of) {
          constexpr int count = decltype(registers)::value;
          constexpr bool whole = decltype(of)::value == 0 && count > 1;
          constexpr int part = whole ? 1 : decltype(of)::value;
          chunk_by_blocks<count, part>(chunk, p, block, in.a.cols);
        });
    with_panel<X, padded>(p.columns, [&](auto registers, auto part) {
      chunk_by_panel<decltype(registers)::value, decltype(part)::value>(chunk, p, rows_of_b, true);
    });
  }

  /// The panel of a B by copy_rows.
  [[nodiscard]] Panel<X> of_copy(Panel<X> p, X const* copied) const {
    p.b = copied + p.first_column;
    p.b_row_stride = copied_stride();
    return p;
  }

  [[nodiscard]] std::int64_t copied_stride() const {
    constexpr auto in_line = static_cast<std::int64_t>(64 / sizeof(X));
    return (in.b.columns + in_line - 1) / in_line * in_line;
  }

  [[gnu::noinline]] void copied_to_stack(RowsOfB& rows_of_b) const {
    alignas(64) X rows[most_bytes_on_stack / static_cast<std::int64_t>(sizeof(X))];
    copy_rows(in.b, rows, copied_stride());
    own_columns(in.first_row, in.last_row, rows_of_b, rows);
  }

  /// Whole rows of a run that does not move.
  void whole_rows_of_group(CsrRowRun const& run, std::int64_t first, std::int64_t last) const {
    std::int64_t const at_once = chunk_rows_of_whole() == 1 ? most_rows_of_list : rows_per_chunk;
    for (; first < last; first += at_once) {
      std::int64_t const count = last - first < at_once ? last - first : at_once;
      each_panel<X, registers_of_line>(in, registers_of_tile<X>, in.streams, [&](Panel<X> const& p) {
        RowsOfList<A, X> const rows{.values = values.from(run.first_entry + (first - run.first_row) * run.length),
                                    .columns = in.run_columns + run.list,
                                    .length = run.length,
                                    .b = p.b,
                                    .stride = p.b_row_stride};
        whole_rows(rows, first, count, p);
      });
    }
  }

  void shared_columns(CsrRowRun const& run, std::int64_t first, std::int64_t last, RowsOfB& rows_of_b) const {
    List<A> list{.values = values.from(run.first_entry),
                 .columns = in.run_columns + run.list,
                 .columns_end = in.run_columns_end,
                 .length = run.length,
                 .shift = run.shift,
                 .first_row = run.first_row,
                 .b_columns = in.b.columns,
                 .in_plane_chunks = in.in_plane_chunks,
                 .prefetches = in.isa != Isa::v3 || run.length > longest_foreseen};
    list.by_groups = takes_groups<X> && goes_by_groups(list, in.b.row_stride * static_cast<std::int64_t>(sizeof(X)));
    list.by_shifted_groups = takes_groups<X> && wider_than_panel() && values.step == 1 && columns_in_threes(list);
    find_gaps(list, in.b.columns * static_cast<std::int64_t>(sizeof(X)));
    std::int64_t const at_once = chunk_rows(list.gaps > 0 && list.length <= longest_prefetching_row);
    for (; first < last; first += at_once) {
      std::int64_t const end = last - first < at_once ? last : first + at_once;
      auto const before = rows_of_b;
      each_panel<X>(in, widest_panel<X>, in.streams, [&](Panel<X> const& p) {
        rows_of_b = before;
        with_panel<X, 1>(p.columns, [&](auto registers, auto part) {
          list_by_panel<decltype(registers)::value, decltype(part)::value>(list, first, end, p, rows_of_b);
        });
      });
    }
  }

  /// Runs are for rows in their own order, and for B by rows.
  void all() const {
    RowsOfB rows_of_b(in.b.rows, read_at_once(), in.a.nnz / in.a.rows, in.entry_prefetch, in.isa, in.in_cache);
    if (Vectors<X>::few || !in.runs || in.a.row_permutation || in.b.column_stride != 1)
      return in.copies_b ? copied_to_stack(rows_of_b) : own_columns(in.first_row, in.last_row, rows_of_b);
    std::int64_t low = 0;  // the run that holds first_row: the last that starts at or before it
    std::int64_t high = in.run_count - 1;
    while (low < high) {
      std::int64_t const middle = low + (high - low + 1) / 2;
      if (in.runs[middle].first_row <= in.first_row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    std::int64_t i = in.first_row;
    for (std::int64_t r = low; i < in.last_row; ++r) {
      std::int64_t const next = r + 1 < in.run_count ? std::int64_t{in.runs[r + 1].first_row} : in.a.rows;
      std::int64_t const end = next < in.last_row ? next : in.last_row;
      auto const& run = in.runs[r];
      if (run.shift == CsrRowRun::own_columns || (whole() && run.shift != 0)) {
        own_columns(i, end, rows_of_b);
      } else if (whole() && (end - i < 2 || !groups_by_panels())) {
        if constexpr (takes_whole_rows<X>) whole_rows_of_group(run, i, end);
      } else {
        if constexpr (!Vectors<X>::few) shared_columns(run, i, end, rows_of_b);
      }
      i = end;
    }
  }
};

template <class A, class X, class Offset>
void rows(CsrSpmmRows<A, X, X, Offset> const& in) {
  static constexpr A one = A(1);
  if (in.first_row >= in.last_row) return;
  Work<A, X, Offset>{in, {in.a.values ? in.a.values : &one, in.a.values ? 1 : 0}}.all();
  if (in.past_cache) Vectors<X>::finish_past_cache();
}

}  // namespace

}  // namespace araia::host::ARAIA_ISA

namespace araia::host {

template <Isa level, class A, class X, class Y, class Offset>
void csr_spmm_rows(CsrSpmmRows<A, X, Y, Offset> const& args) {
  ARAIA_ISA::rows(args);
}

[[gnu::used]] static void write_out_csr_spmm_rows() {
  using namespace detail;
  for_types<RealProducts, AllOffsets>(
      []<class A, class X, class Y, class Offset>() { write_out(csr_spmm_rows<Isa::ARAIA_ISA, A, X, Y, Offset>); });
}

}  // namespace araia::host
