// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/openmp/sell_spmv_host.hpp"

#include <algorithm>
#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/csr_row_partition.hpp"
#include "backends/openmp/far_memory.hpp"
#include "backends/openmp/fused_rows_host.hpp"
#include "backends/openmp/reference/entries.hpp"
#include "backends/openmp/sell_spmv_slices.hpp"
#include "backends/openmp/thread_chunks.hpp"
#include "backends/openmp/with_isa.hpp"

namespace araia::host {

namespace {

// Waking threads takes some microseconds: as long as one thread needs for this many slots out of its cache.
constexpr std::int64_t least_slots_per_thread = 8192;

template <class A, class X, class Y, class Offset>
Y sum_of_entries(SellPointers<A, std::int32_t, Offset> const& a, X const* x, std::int64_t stored_row) {
  Y sum(0);
  reference::for_each_entry_of_stored_row(
      a, stored_row, [&](std::int64_t, std::int64_t column, A const& value) { sum += Y(value) * Y(x[column]); });
  return sum;
}

template <class A, class Offset>
bool far(SellPointers<A, std::int32_t, Offset> const& a) {
  return a.slices != 0 &&
         comes_from_memory(static_cast<std::int64_t>(a.slice_offsets[a.slices]), a.values ? sizeof(A) : 0);
}

template <class Args>
void slices_by_isa(Isa isa, Args const& args) {
  with_isa(isa, [&]<Isa level>() { sell_spmv_slices<level>(args); });
}

}  // namespace

template <class A, class X, class Y, class Offset>
void sell_spmv(SellPointers<A, std::int32_t, Offset> const& a, Y alpha, DenseVector<X const> const& x, Y beta,
               DenseVector<Y> const& y, int threads, Isa isa, bool gathers) {
  if (a.rows == 0) return;
  if (alpha == Y(0)) {
    for (std::int64_t i = 0; i < y.size; ++i) y.data[i] = beta == Y(0) ? Y(0) : beta * y.data[i];
    return;
  }
  SellSpmvSlices<A, X, Y, Offset> const whole{.a = a,
                                              .x = x.data,
                                              .y = y.data,
                                              .alpha = alpha,
                                              .beta = beta,
                                              .gathers = gathers,
                                              .far = far(a),
                                              .into_l1 = prefetches_into_l1(),
                                              .first_slice = 0,
                                              .last_slice = a.slices,
                                              .sum_of_entries = &sum_of_entries<A, X, Y, Offset>};
  auto const slots = static_cast<std::int64_t>(a.slice_offsets[a.slices]);
  in_chunks(threads_with_work(slots, least_slots_per_thread, threads), [&](int chunk, int chunks) {
    auto mine = whole;
    mine.first_slice = first_row_of_chunk(a.slice_offsets, a.slices, chunk, chunks, a.slice_height);
    mine.last_slice = first_row_of_chunk(a.slice_offsets, a.slices, chunk + 1, chunks, a.slice_height);
    slices_by_isa(isa, mine);
  });
}

template <class A, class X, class Y, class Offset>
void sell_spmv_fused(SellPointers<A, std::int32_t, Offset> const& a, X const* x, FusedRows<Y> const& fused, int threads,
                     Isa isa, bool gathers) {
  // Slices of a chunk: few enough to stay in cache and to be dealt out evenly, and no more chunks than there is room
  // for.
  constexpr std::int64_t most_slots = 16384;
  constexpr std::int64_t fewest_chunks = 32;
  std::int64_t const slots = a.slices == 0 ? 0 : static_cast<std::int64_t>(a.slice_offsets[a.slices]);
  std::int64_t const wanted = std::min(slots == 0 ? a.slices : most_slots * a.slices / slots, a.slices / fewest_chunks);
  std::int64_t const slices_of_chunk = std::max(wanted, a.slices / most_partial_sums(a.rows) + 1);
  std::int64_t const chunks = (a.slices + slices_of_chunk - 1) / slices_of_chunk;
  auto const slices_until = [&](std::int64_t p) { return p < chunks ? p * slices_of_chunk : a.slices; };
  multiply_in_chunks(
      isa, fused, a.row_permutation, chunks, threads_with_work(slots, least_slots_per_thread, threads),
      [&](int chunk, int count) {
        return chunk >= count
                   ? chunks
                   : first_row_of_chunk(a.slice_offsets, a.slices, chunk, count, a.slice_height) / slices_of_chunk;
      },
      [&](std::int64_t p) { return p < chunks ? slices_until(p) * a.slice_height : a.rows; },
      [&](std::int64_t p, Y alpha, Y beta) {
        slices_by_isa(isa, SellSpmvSlices<A, X, Y, Offset>{.a = a,
                                                           .x = x,
                                                           .y = fused.y,
                                                           .alpha = alpha,
                                                           .beta = beta,
                                                           .gathers = gathers,
                                                           .far = far(a),
                                                           .into_l1 = prefetches_into_l1(),
                                                           .first_slice = slices_until(p),
                                                           .last_slice = slices_until(p + 1),
                                                           .sum_of_entries = &sum_of_entries<A, X, Y, Offset>});
      });
}

[[gnu::used]] static void write_out_sell_spmv() {
  using namespace detail;
  for_types<RealProducts, AllOffsets>([]<class A, class X, class Y, class Offset>() {
    write_out(sell_spmv<A, X, Y, Offset>);
    write_out(sell_spmv_fused<A, X, Y, Offset>);
  });
}

}  // namespace araia::host
