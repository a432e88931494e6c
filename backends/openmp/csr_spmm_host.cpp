// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/csr_spmm_host.hpp"

#include <algorithm>
#include <araia/formats/type_list.hpp>

#include "backends/openmp/csr_row_partition.hpp"
#include "backends/openmp/csr_spmm_rows.hpp"
#include "backends/openmp/epilogue.hpp"
#include "backends/openmp/panel_columns.hpp"
#include "backends/openmp/past_cache.hpp"
#include "backends/openmp/stack_room.hpp"
#include "backends/openmp/thread_parts.hpp"
#include "backends/openmp/with_isa.hpp"

namespace araia::host {

namespace {

// A row's offset, its row of C and loop cost about as much as this many entries.
constexpr std::int64_t entries_per_row = 2;

// Bytes of a row of B and C up to which AVX-512 takes the kernels of AVX2: half a register loaded by a mask crosses
// lines that a register of half the size does not. 8 columns of f32: 1.1 to 1.4 times the speed on stencils, FEM,
// random rows and pruned layers.
constexpr std::int64_t half_register = 32;
constexpr std::int64_t one_register = 64;

// Between the two AVX2 wins where rows of B are read as they lie, 1.0 to 1.6 times the speed of AVX-512 (9 to 15
// columns of f32 on FEM and stencils), and AVX-512 where they are copied, 1.3 times. So many entries a column tell,
// whatever the threads and the alignment, as the bits of C follow.
constexpr std::int64_t entries_of_column_to_copy = 64;

// Rows of B that begin anywhere in a line take two accesses for each register. Copied they take one, which pays where
// each is multiplied so often by a thread: pruned layer, 1.4 times the speed. Not half registers: 0.85.
constexpr std::int64_t least_entries_of_copied_row = 16;

// Operands that take so small a share of the last-level cache are found there by all products but the first, and what
// asks for them ahead costs: 2 MB of A by 8 to 32 columns of f64 on Emerald Rapids, power laws 1.4 to 1.8 times the
// time, circuits 1.2 to 1.5, grids 1.1 to 1.4, stencils and bands 1.05 to 1.25. From memory it is ahead, by 1.1 to 1.5.
// Rows that go block by block of B, an LP by 8 and 16 columns, 1.7 and 1.5 times the time.
constexpr std::int64_t share_in_cache = 4;

// Virtual machines are told of all of a cache whose other users they do not see. What is beyond so many second-level
// caches of the processors that are seen is taken for theirs. Emerald Rapids, 260 MiB told to 2 cores: operands of 38
// to 68 MB that were just multiplied take, where they ask, by 8 to 32 columns of f64 0.65 to 0.7 of the time on bands,
// 0.7 on power grids, 0.75 to 0.85 on circuits and 0.85 to 1.1 on other classes; those of 15 to 32 MB 0.8 to 1.35.
constexpr std::int64_t second_level_shares = 8;

std::int64_t bytes_in_cache(Caches const& of) {
  return std::min(of.last / share_in_cache, second_level_shares * of.sharers * of.l2);
}

// On machines of AVX2, rows of so few entries in the mean on columns of their own ask for rows of B one by one, where
// these have so many bytes. Zen 3, 16 MB from memory, by 32, 64 and 128 columns of f64: power grid 1.5, 1.33 and 1.2
// times the speed, circuit 1.2, 1.2 and 1.2; by 16 1.07 and 0.93, by 256 1.0; by 32 and 64 columns of f32 1.2 and 1.3,
// 1.0 and 1.15.
constexpr std::int64_t longest_short_row = 8;
constexpr std::int64_t least_bytes_to_ask = 256;
constexpr std::int64_t most_bytes_to_ask = 1024;

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

/// Of a row of B of so many bytes, those that a panel of csr_spmm_rows.cpp reads; of whole rows only short ones ask.
std::int64_t panel_bytes(std::int64_t row_bytes, Isa isa) {
  return panel_columns(row_bytes, isa == Isa::v4 || isa == Isa::v3 ? 8 : 4, register_bytes(isa));
}

/// Do short rows ask for rows of B one by one?
template <class X>
bool short_rows_ask(std::int64_t rows, std::int64_t nnz, CsrRowRuns const& runs, DenseMatrix<X const> const& b,
                    Isa isa) {
  std::int64_t const bytes = row_bytes(b);
  return isa == Isa::v3 && nnz <= longest_short_row * rows && 2 * runs.shared_entries <= nnz &&
         bytes >= least_bytes_to_ask && bytes <= most_bytes_to_ask;
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
AsksEach csr_spmm_asks(std::int64_t rows, std::int64_t nnz, CsrRowRuns const* runs, DenseMatrix<X const> const& b,
                       Isa isa, Caches const& of) {
  if (b.column_stride != 1 || b.columns == 0) return AsksEach::no;
  std::int64_t const bytes = panel_bytes(row_bytes(b), isa);
  if (b.rows * bytes <= of.l2) return AsksEach::no;
  if (!runs) return AsksEach::in_no_order;
  if (short_rows_ask(rows, nnz, *runs, b, isa)) return AsksEach::alone;
  return runs->reuse.asks_each(bytes, of) ? AsksEach::yes : AsksEach::no;
}
template AsksEach csr_spmm_asks(std::int64_t, std::int64_t, CsrRowRuns const*, DenseMatrix<double const> const&, Isa,
                                Caches const&);
template AsksEach csr_spmm_asks(std::int64_t, std::int64_t, CsrRowRuns const*, DenseMatrix<float const> const&, Isa,
                                Caches const&);

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
  std::int64_t const slab = runs && !a.row_permutation && b.first.column_stride == 1
                                ? runs->slabs.rows_of_slab(row_bytes(b.first), threads, of)
                                : 0;
  // Slabs are for the second-level cache, and go plane after plane.
  std::int64_t const windows =
      slab > 0 ? 1 : windows_of_thread(a.rows, a.nnz, a.cols * row_bytes(b.first), workers, of);
  // In slabs rows of B are met in another order, and found.
  AsksEach const asks_each = slab > 0 ? AsksEach::no : csr_spmm_asks(a.rows, a.nnz, runs, b.first, isa, of);
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
                                           .in_slabs = slab > 0,
                                           .asks_each = asks_each,
                                           .isa = isa,
                                           .in_cache = fits_cache(c.count),
                                           // By one item, as the bits of C follow.
                                           .by_blocks = !fits_cache(1),
                                           .copies_b = false};
  std::int64_t const slab_period = slab > 0 ? runs->slabs.period : 0;
  auto const multiply = [&](std::int64_t first_item, std::int64_t last_item, std::int64_t first, std::int64_t last) {
    if (first >= last) return;
    auto part = whole;
    for (std::int64_t i = first_item; i < last_item; ++i) {
      EpiloguePointers<Y> const of_item = epilogue.item(i);
      part.b = b.item(i);
      part.c = c.item(i);
      part.copies_b = !runs && may_be_copied(part.b) && !begins_lines(part.b) &&
                      a.row_offsets[last] - a.row_offsets[first] >= least_entries_of_copied_row * a.cols &&
                      stack_holds(most_bytes_on_stack);
      if (of_item.any()) part.epilogue = &of_item;
      each_slab(slab_period, slab, first, last, [&](std::int64_t from, std::int64_t to) {
        part.first_row = from;
        part.last_row = to;
        rows_by_isa(isa, part);
      });
    }
  };
  // Windows find B of one item in the cache; a thread's only window takes all items, so that its rows are searched
  // once.
  std::int64_t const items = windows > 1 ? 1 : c.count;
  in_parts(workers, [&](int part, int parts) {
    for (std::int64_t i = 0; i < c.count; i += items)
      each_window(part, parts, windows, [&](std::int64_t piece, std::int64_t pieces) {
        multiply(i, i + items, first_row_of_part(a.row_offsets, a.rows, piece, pieces, entries_per_row),
                 first_row_of_part(a.row_offsets, a.rows, piece + 1, pieces, entries_per_row));
      });
  });
}

template <class A, class X, class Y>
void csr_spmm_piece(CsrPointers<A, std::int32_t, std::int64_t> const& piece, std::int64_t first_row,
                    std::int32_t const* permutation, Y alpha, DenseMatrix<X const> const& b, Y beta,
                    DenseMatrix<Y> const& c, EpiloguePointers<Y> const* epilogue, bool past_cache, Isa isa) {
  EpiloguePointers<Y> moved = epilogue ? *epilogue : EpiloguePointers<Y>{};
  CsrSpmmRows<A, X, Y, std::int64_t> part{.a = piece,
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
                                          .last_row = piece.rows,
                                          .epilogue = epilogue ? &moved : nullptr,
                                          .in_slabs = false,
                                          .asks_each = AsksEach::no,  // too few rows to tell
                                          .isa = isa,
                                          .in_cache = false,
                                          .by_blocks = true,
                                          .copies_b = false};
  if (permutation) {
    part.a.row_permutation = permutation + first_row;
  } else {
    part.c.data += first_row * c.row_stride;
    if (moved.row_bias) moved.row_bias += first_row * moved.row_bias_stride;
    if (moved.residual) moved.residual += first_row * moved.residual_row_stride;
  }
  rows_by_isa(isa, part);
}

[[gnu::used]] static void write_out_csr_spmm() {
  using namespace detail;
  for_types<RealProducts, AllOffsets>([]<class A, class X, class Y, class Offset>() {
    write_out<void(CsrPointers<A, std::int32_t, Offset> const&, Y, DenseBatch<X const> const&, Y, DenseBatch<Y> const&,
                   EpiloguePointers<Y> const&, int, CsrRowRuns const*, Isa, Caches const&)>(csr_spmm);
  });
  for_types<RealProducts>([]<class A, class X, class Y>() { write_out(csr_spmm_piece<A, X, Y>); });
}

}  // namespace araia::host
