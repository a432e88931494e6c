// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/csr_spmm_host.hpp"

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/csr_row_partition.hpp"
#include "backends/openmp/csr_spmm_rows.hpp"
#include "backends/openmp/epilogue.hpp"
#include "backends/openmp/panel_columns.hpp"
#include "backends/openmp/past_cache.hpp"
#include "backends/openmp/stack_room.hpp"
#include "backends/openmp/thread_chunks.hpp"
#include "backends/openmp/with_isa.hpp"

namespace araia::host {

namespace {

// A row's offset, its row of C and loop cost about as much as this many entries.
constexpr std::int64_t entries_per_row = 2;

// Bytes of a row of B and C up to which AVX-512 takes the kernels of AVX2: half a register loaded by a mask crosses
// lines that a register of half the size does not.
constexpr std::int64_t half_register = 32;
constexpr std::int64_t one_register = 64;

// Between the two AVX2 is faster where rows of B are read as they lie, and AVX-512 where they are copied. The choice is
// by entries a column alone, whatever the threads and the alignment, as the bits of C follow it.
constexpr std::int64_t entries_of_column_to_copy = 64;

// Rows of B that begin anywhere in a line take two accesses for each register, copied ones take one. That pays where a
// thread multiplies each so often, but not for half registers.
constexpr std::int64_t least_entries_of_copied_row = 16;

// Operands that take so small a share of the last-level cache are found there by all products but the first, and
// prefetching them costs time. So does going block by block of rows of B.
constexpr std::int64_t share_in_cache = 4;

// Virtual machines are told of all of a cache whose other users they do not see. What is beyond so many second-level
// caches of the processors that are seen is taken for theirs.
constexpr std::int64_t second_level_shares = 8;

std::int64_t bytes_in_cache(Caches const& of) {
  return std::min(of.last / share_in_cache, second_level_shares * of.sharers * of.l2);
}

// On machines of AVX2, rows of so few entries in the mean on columns of their own prefetch rows of B one by one, where
// these have so many bytes.
constexpr std::int64_t longest_short_row = 8;
constexpr std::int64_t least_bytes_to_prefetch = 256;
constexpr std::int64_t most_bytes_to_prefetch = 1024;

template <class X>
std::int64_t row_bytes(DenseMatrix<X> const& m) {
  return m.columns * static_cast<std::int64_t>(sizeof(X));
}

/// Does B fit on the stack with rows of whole lines?
template <class X>
bool may_be_copied(DenseMatrix<X const> const& b) {
  return b.column_stride == 1 && row_bytes(b) > half_register &&
         b.rows * ((row_bytes(b) + 63) / 64 * 64) <= most_bytes_on_stack;
}

template <class X>
bool begins_lines(DenseMatrix<X const> const& b) {
  return reinterpret_cast<std::uintptr_t>(b.data) % 64 == 0 &&
         b.row_stride * static_cast<std::int64_t>(sizeof(X)) % 64 == 0;
}

/// Of a row of B of so many bytes, those that a panel of csr_spmm_rows.cpp reads; of whole rows only short ones
/// prefetch.
std::int64_t panel_bytes(std::int64_t row_bytes, Isa isa) {
  return panel_columns(row_bytes, isa == Isa::v4 || isa == Isa::v3 ? 8 : 4, register_bytes(isa));
}

/// Do short rows prefetch rows of B one by one?
template <class X>
bool short_rows_prefetch(std::int64_t rows, std::int64_t nnz, CsrRowRuns const& runs, DenseMatrix<X const> const& b,
                         Isa isa) {
  std::int64_t const bytes = row_bytes(b);
  return isa == Isa::v3 && nnz <= longest_short_row * rows && 2 * runs.shared_entries <= nnz &&
         bytes >= least_bytes_to_prefetch && bytes <= most_bytes_to_prefetch;
}

template <class Args>
void rows_by_isa(Isa isa, Args const& args) {
  bool const copied = may_be_copied(args.b) && args.a.nnz >= entries_of_column_to_copy * args.a.cols;
  bool const narrow = row_bytes(args.b) <= half_register || (row_bytes(args.b) < one_register && !copied);
  if (isa == Isa::v4 && narrow && args.b.column_stride == 1) isa = Isa::v3;
  with_isa(isa, [&]<Isa level>() { csr_spmm_rows<level>(args); });
}

}  // namespace

template <class X>
EntryPrefetch csr_spmm_entry_prefetch(std::int64_t rows, std::int64_t nnz, CsrRowRuns const* runs,
                                      DenseMatrix<X const> const& b, Isa isa, Caches const& of) {
  if (b.column_stride != 1 || b.columns == 0) return EntryPrefetch::no;
  std::int64_t const bytes = panel_bytes(row_bytes(b), isa);
  if (b.rows * bytes <= of.l2) return EntryPrefetch::no;
  if (!runs) return EntryPrefetch::in_no_order;
  if (short_rows_prefetch(rows, nnz, *runs, b, isa)) return EntryPrefetch::alone;
  return runs->reuse.prefetch_pays(bytes, of) ? EntryPrefetch::yes : EntryPrefetch::no;
}
template EntryPrefetch csr_spmm_entry_prefetch(std::int64_t, std::int64_t, CsrRowRuns const*,
                                               DenseMatrix<double const> const&, Isa, Caches const&);
template EntryPrefetch csr_spmm_entry_prefetch(std::int64_t, std::int64_t, CsrRowRuns const*,
                                               DenseMatrix<float const> const&, Isa, Caches const&);

template <class A, class X, class Y, class Offset>
void csr_spmm(CsrPointers<A, std::int32_t, Offset> const& a, Y alpha, DenseBatch<X const> const& b, Y beta,
              DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue, int threads, CsrRowRuns const* runs, Isa isa,
              Caches const& of) {
  if (a.rows == 0 || c.first.columns == 0) return;
  if (alpha == Y(0)) {
    for (std::int64_t i = 0; i < c.count; ++i) scale(beta, c.item(i), epilogue.item(i));
    return;
  }
  auto const bytes_of_a = static_cast<std::int64_t>(sizeof(A) + sizeof(std::int32_t)) * a.nnz;
  auto const bytes_of_b = static_cast<std::int64_t>(sizeof(X)) * a.cols * c.first.columns;
  auto const bytes_of_c = static_cast<std::int64_t>(sizeof(Y)) * a.rows * c.first.columns;
  std::int64_t const bytes_read = bytes_of_a + bytes_of_b * c.count;
  auto const fits_cache = [&](std::int64_t items) {
    return bytes_of_a + (bytes_of_b + bytes_of_c) * items <= bytes_in_cache(of);
  };
  std::int64_t const work = (a.nnz + entries_per_row * a.rows) * c.first.columns * c.count;
  int const workers = threads_with_work(work, least_multiply_adds, threads);
  std::int64_t const plane_chunk = runs && !a.row_permutation && b.first.column_stride == 1
                                       ? runs->plane_chunks.rows_of_chunk(row_bytes(b.first), threads, of)
                                       : 0;
  // Chunks of planes are for the second-level cache, and go plane after plane.
  std::int64_t const windows =
      plane_chunk > 0 ? 1 : windows_of_thread(a.rows, a.nnz, a.cols * row_bytes(b.first), workers, of);
  // In chunks of planes rows of B are met in another order, and found.
  EntryPrefetch const entry_prefetch =
      plane_chunk > 0 ? EntryPrefetch::no : csr_spmm_entry_prefetch(a.rows, a.nnz, runs, b.first, isa, of);
  std::int32_t const* const run_columns = runs ? runs->columns.data() : nullptr;
  CsrSpmmRows<A, X, Y, Offset> const whole{.a = a,
                                           .b = b.first,
                                           .c = c.first,
                                           .alpha = alpha,
                                           .beta = beta,
                                           .runs = runs ? runs->runs.data() : nullptr,
                                           .run_count = runs ? static_cast<std::int64_t>(runs->runs.size()) : 0,
                                           .run_columns = run_columns,
                                           .run_columns_end = runs ? run_columns + runs->columns.size() : nullptr,
                                           .streams = beta == Y(0) && leaves_caches(c, bytes_read),
                                           .past_cache = beta == Y(0) && goes_past_cache(c, bytes_read),
                                           .first_row = 0,
                                           .last_row = a.rows,
                                           .epilogue = nullptr,
                                           .in_plane_chunks = plane_chunk > 0,
                                           .entry_prefetch = entry_prefetch,
                                           .isa = isa,
                                           .in_cache = fits_cache(c.count),
                                           // By one item, as the bits of C follow.
                                           .by_blocks = !fits_cache(1),
                                           .copies_b = false};
  std::int64_t const plane_rows = plane_chunk > 0 ? runs->plane_chunks.period : 0;
  auto const multiply = [&](std::int64_t first_item, std::int64_t last_item, std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    auto rows = whole;
    for (std::int64_t i = first_item; i < last_item; ++i) {
      EpiloguePointers<Y> const of_item = epilogue.item(i);
      rows.b = b.item(i);
      rows.c = c.item(i);
      rows.copies_b = !runs && may_be_copied(rows.b) && !begins_lines(rows.b) &&
                      a.row_offsets[last] - a.row_offsets[first] >= least_entries_of_copied_row * a.cols &&
                      stack_holds(most_bytes_on_stack);
      if (of_item.any()) rows.epilogue = &of_item;
      each_plane_chunk(plane_rows, plane_chunk, first, last, [&](std::int64_t from, std::int64_t to) {
        rows.first_row = from;
        rows.last_row = to;
        rows_by_isa(isa, rows);
      });
    }
  };
  // Windows find B of one item in the cache; a thread's only window takes all items, so that its rows are searched
  // once.
  std::int64_t const items = windows > 1 ? 1 : c.count;
  in_chunks(workers, [&](int thread, int count) {
    for (std::int64_t i = 0; i < c.count; i += items)
      each_window(thread, count, windows, [&](std::int64_t chunk, std::int64_t chunks) {
        multiply(i, i + items, first_row_of_chunk(a.row_offsets, a.rows, chunk, chunks, entries_per_row),
                 first_row_of_chunk(a.row_offsets, a.rows, chunk + 1, chunks, entries_per_row));
      });
  });
}

template <class A, class X, class Y>
void csr_spmm_chunk(CsrPointers<A, std::int32_t, std::int64_t> const& chunk, std::int64_t first_row,
                    std::int32_t const* permutation, Y alpha, DenseMatrix<X const> const& b, Y beta,
                    DenseMatrix<Y> const& c, EpiloguePointers<Y> const* epilogue, bool past_cache, Isa isa) {
  EpiloguePointers<Y> moved = epilogue ? *epilogue : EpiloguePointers<Y>{};
  CsrSpmmRows<A, X, Y, std::int64_t> rows{.a = chunk,
                                          .b = b,
                                          .c = c,
                                          .alpha = alpha,
                                          .beta = beta,
                                          .runs = nullptr,
                                          .run_count = 0,
                                          .run_columns = nullptr,
                                          .run_columns_end = nullptr,
                                          .streams = false,
                                          .past_cache = past_cache,
                                          .first_row = 0,
                                          .last_row = chunk.rows,
                                          .epilogue = epilogue ? &moved : nullptr,
                                          .in_plane_chunks = false,
                                          .entry_prefetch = EntryPrefetch::no,  // too few rows to tell
                                          .isa = isa,
                                          .in_cache = false,
                                          .by_blocks = true,
                                          .copies_b = false};
  if (permutation) {
    rows.a.row_permutation = permutation + first_row;
  } else {
    rows.c.data += first_row * c.row_stride;
    if (moved.row_bias) moved.row_bias += first_row * moved.row_bias_stride;
    if (moved.residual) moved.residual += first_row * moved.residual_row_stride;
  }
  rows_by_isa(isa, rows);
}

[[gnu::used]] static void write_out_csr_spmm() {
  using namespace detail;
  for_types<RealProducts, AllOffsets>([]<class A, class X, class Y, class Offset>() {
    write_out<void(CsrPointers<A, std::int32_t, Offset> const&, Y, DenseBatch<X const> const&, Y, DenseBatch<Y> const&,
                   EpiloguePointers<Y> const&, int, CsrRowRuns const*, Isa, Caches const&)>(csr_spmm);
  });
  for_types<RealProducts>([]<class A, class X, class Y>() { write_out(csr_spmm_chunk<A, X, Y>); });
}

}  // namespace araia::host
