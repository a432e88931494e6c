// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/csr_spmv_host.hpp"

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/csr_row_partition.hpp"
#include "backends/openmp/csr_spmv_rows.hpp"
#include "backends/openmp/far_memory.hpp"
#include "backends/openmp/fused_rows_host.hpp"
#include "backends/openmp/thread_chunks.hpp"
#include "backends/openmp/with_isa.hpp"

namespace araia::host {

namespace {

// A row's offset, y and loop cost about as much as this many entries.
constexpr std::int64_t entries_per_row = 2;

// Waking threads takes some microseconds: as long as one thread needs for this many entries out of its cache.
constexpr std::int64_t least_work_per_thread = 4096;

template <class Y>
void scale(Y beta, DenseVector<Y> const& y) {
  for (std::int64_t i = 0; i < y.size; ++i) y.data[i] = beta == Y(0) ? Y(0) : beta * y.data[i];
}

template <class Args>
void rows_by_isa(Isa isa, Args const& args) {
  with_isa(isa, [&]<Isa level>() { csr_spmv_rows<level>(args); });
}

/// Rows of a chunk of a fused product: whole vectors; few enough to stay in cache and to be dealt out evenly, else as
/// many as one can, since chunks cut runs; and no more chunks than there is room for.
std::int64_t rows_of_fused_chunk(std::int64_t rows, std::int64_t nnz) {
  constexpr std::int64_t step = 16;
  constexpr std::int64_t most_work = 16384;
  constexpr std::int64_t most_rows = 2048;
  constexpr std::int64_t fewest_chunks = 32;
  std::int64_t const wanted =
      std::min({most_work * rows / (nnz + entries_per_row * rows), most_rows, rows / fewest_chunks});
  std::int64_t const least = (rows - 1) / most_partial_sums(rows) + 1;
  return (std::max(wanted, least) + step - 1) / step * step;
}

/// Threads, of those offered, that have enough to do.
template <class Pointers>
int useful_threads(Pointers const& a, int threads) {
  return threads_with_work(a.nnz + entries_per_row * a.rows, least_work_per_thread, threads);
}

/// All rows; a caller narrows first_row and last_row.
template <class A, class X, class Y, class Offset>
CsrSpmvRows<A, X, Y> rows_of(CsrPointers<A, std::int32_t, Offset> const& a, X const* x, Y* y, Y alpha, Y beta,
                             CsrRowRuns const* runs, bool gathers) {
  std::int32_t const* offsets = nullptr;
  std::int64_t const* wide_offsets = nullptr;
  if constexpr (sizeof(Offset) == sizeof(std::int32_t)) {
    offsets = a.row_offsets;
  } else {
    wide_offsets = a.row_offsets;
  }
  return {.a = {a.rows, a.cols, a.nnz, offsets, a.col_indices, a.values, a.row_permutation},
          .wide_offsets = wide_offsets,
          .x = x,
          .y = y,
          .alpha = alpha,
          .beta = beta,
          .runs = runs ? runs->runs.data() : nullptr,
          .run_count = runs ? static_cast<std::int64_t>(runs->runs.size()) : 0,
          .run_columns = runs ? runs->columns.data() : nullptr,
          .run_columns_end = runs ? runs->columns.data() + runs->columns.size() : nullptr,
          .run_groups = runs ? runs->groups.data() : nullptr,
          .gathers = gathers,
          .far = comes_from_memory(a.nnz, a.values ? sizeof(A) : 0),
          .into_l1 = prefetches_into_l1(),
          .first_row = 0,
          .last_row = a.rows};
}

}  // namespace

template <class A, class X, class Y, class Offset>
void csr_spmv(CsrPointers<A, std::int32_t, Offset> const& a, Y alpha, DenseVector<X const> const& x, Y beta,
              DenseVector<Y> const& y, int threads, CsrRowRuns const* runs, Isa isa, bool gathers) {
  if (a.rows == 0) return;
  if (alpha == Y(0)) return scale(beta, y);
  auto const whole = rows_of(a, x.data, y.data, alpha, beta, runs, gathers);
  in_chunks(useful_threads(a, threads), [&](int chunk, int chunks) {
    auto mine = whole;
    mine.first_row = first_row_of_chunk(a.row_offsets, a.rows, chunk, chunks, entries_per_row);
    mine.last_row = first_row_of_chunk(a.row_offsets, a.rows, chunk + 1, chunks, entries_per_row);
    rows_by_isa(isa, mine);
  });
}

template <class A, class X, class Y, class Offset>
void csr_spmv_fused(CsrPointers<A, std::int32_t, Offset> const& a, X const* x, FusedRows<Y> const& fused, int threads,
                    CsrRowRuns const* runs, Isa isa, bool gathers) {
  std::int64_t const rows_of_chunk = a.rows == 0 ? 1 : rows_of_fused_chunk(a.rows, a.nnz);
  std::int64_t const chunks = (a.rows + rows_of_chunk - 1) / rows_of_chunk;
  auto const rows_until = [&](std::int64_t p) { return p < chunks ? p * rows_of_chunk : a.rows; };
  multiply_in_chunks(
      isa, fused, a.row_permutation, chunks, useful_threads(a, threads),
      [&](int chunk, int count) {
        return chunk >= count
                   ? chunks
                   : first_row_of_chunk(a.row_offsets, a.rows, chunk, count, entries_per_row) / rows_of_chunk;
      },
      rows_until,
      [&](std::int64_t p, Y alpha, Y beta) {
        auto chunk = rows_of(a, x, fused.y, alpha, beta, runs, gathers);
        chunk.first_row = rows_until(p);
        chunk.last_row = rows_until(p + 1);
        rows_by_isa(isa, chunk);
      });
}

[[gnu::used]] static void write_out_csr_spmv() {
  using namespace detail;
  for_types<RealProducts, AllOffsets>([]<class A, class X, class Y, class Offset>() {
    write_out(csr_spmv<A, X, Y, Offset>);
    write_out(csr_spmv_fused<A, X, Y, Offset>);
  });
}

}  // namespace araia::host
