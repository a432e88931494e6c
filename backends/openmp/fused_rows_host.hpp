// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products on the host that go chunk by chunk, so that what follows finds its rows of y in cache: b is copied into y
// before the chunk's product is subtracted from it, and the sum is formed behind it. The vectors pass memory once.

#include <cstdint>
#include <cstring>

#include <araia/detail/kernels/fused_rows.hpp>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "backends/openmp/fused_rows_sum.hpp"
#include "backends/openmp/isa.hpp"
#include "backends/openmp/prefetch.hpp"
#include "backends/openmp/with_isa.hpp"

namespace araia::host {

template <class Y>
double sum_of_rows(Isa isa, Y const* w, Y const* y, std::int64_t rows) {
  return with_isa(isa, [&]<Isa level>() { return sum_of_rows<level>(w, y, rows); });
}

/// The sum of w_i y_i over stored rows [first, last).
template <class Y>
double sum_of_rows(Isa isa, FusedRows<Y> const& f, std::int32_t const* permutation, std::int64_t first,
                   std::int64_t last) {
  Y const* const w = f.w ? f.w : f.y;
  if (!permutation) return sum_of_rows(isa, w + first, f.y + first, last - first);
  double sum = 0;
  for (std::int64_t i = first; i < last; ++i)
    sum += static_cast<double>(w[permutation[i]]) * static_cast<double>(f.y[permutation[i]]);
  return sum;
}

/// y := b for stored rows [first, last), and b is prefetched up to `next`: its rows of one chunk are too few for
/// hardware to foresee.
template <class Y>
void copy_rows(FusedRows<Y> const& f, std::int32_t const* permutation, std::int64_t first, std::int64_t last,
               std::int64_t next) {
  if (permutation) {
    for (std::int64_t i = first; i < last; ++i) f.y[permutation[i]] = f.b[permutation[i]];
    return;
  }
  std::memcpy(f.y + first, f.b + first, static_cast<std::size_t>(last - first) * sizeof(Y));
  constexpr std::int64_t line = 64 / sizeof(Y);
  for (std::int64_t i = last; i < next; i += line) prefetch<Into::l2>(f.b + i, 0);
}

/// Runs a product in `chunks` chunks on up to `threads` threads.
/// \param permutation  stored row i is row permutation[i] of y, or row i where that is null
/// \param first_chunk  first_chunk(t, n): first chunk of thread t of n, ascending, `chunks` for t == n
/// \param rows_until  rows_until(p): stored rows before chunk p, ascending
/// \param multiply    multiply(p, alpha, beta): y = alpha A x + beta y for the rows of chunk p
template <class Y, class FirstChunk, class RowsUntil, class Multiply>
void multiply_in_chunks(Isa isa, FusedRows<Y> const& f, std::int32_t const* permutation, std::int64_t chunks,
                        int threads, FirstChunk const& first_chunk, RowsUntil const& rows_until,
                        Multiply const& multiply) {
  auto const run = [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t p = from; p < to; ++p) {
      std::int64_t const first = rows_until(p);
      std::int64_t const last = rows_until(p + 1);
      if (f.b) copy_rows(f, permutation, first, last, p + 1 < to ? rows_until(p + 2) : last);
      multiply(p, f.b ? Y(-1) : Y(1), f.b ? Y(1) : Y(0));
      if (f.sum) f.partial_sums[p] = sum_of_rows(isa, f, permutation, first, last);
    }
  };
#ifdef _OPENMP
  if (threads > 1) {
#pragma omp parallel num_threads(threads)
    {
      int const thread = omp_get_thread_num();
      int const count = omp_get_num_threads();
      run(first_chunk(thread, count), first_chunk(thread + 1, count));
    }
  } else {
    run(0, chunks);
  }
#else
  static_cast<void>(threads);
  static_cast<void>(first_chunk);
  run(0, chunks);
#endif
  if (f.sum) {
    constexpr int lanes = 8;
    double sums[lanes] = {};
    for (std::int64_t p = 0; p < chunks; ++p) sums[p % lanes] += f.partial_sums[p];
    *f.sum = static_cast<Y>(((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7])));
  }
}

}  // namespace araia::host
