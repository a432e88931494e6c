// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products on the host that go part by part, so that what follows finds its rows of y in cache: b is copied into y
// before the part's product is subtracted from it, and the sum is formed behind it. The vectors pass memory once.

#include <cstdint>

#include <araia/kernels/fused_rows.hpp>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace araia::host {

/// Stored row i is row permutation[i] of y, or row i where that is null.
inline std::int64_t place_of(std::int32_t const* permutation, std::int64_t i) {
  return permutation ? std::int64_t{permutation[i]} : i;
}

/// The sum of w_i y_i over stored rows [first, last): eight sums beside each other, then those.
template <class Y>
double sum_of_rows(FusedRows<Y> const& f, std::int32_t const* permutation, std::int64_t first, std::int64_t last) {
  constexpr int lanes = 8;
  Y const* const w = f.w ? f.w : f.y;
  double sums[lanes] = {};
  std::int64_t i = first;
  if (!permutation)
    for (; i + lanes <= last; i += lanes)
      for (int l = 0; l < lanes; ++l) sums[l] += static_cast<double>(w[i + l]) * static_cast<double>(f.y[i + l]);
  for (; i < last; ++i) {
    std::int64_t const row = place_of(permutation, i);
    sums[i % lanes] += static_cast<double>(w[row]) * static_cast<double>(f.y[row]);
  }
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/// Runs a product in `parts` parts on up to `threads` threads.
/// \param first_part  first_part(t, n): first part of thread t of n, ascending, `parts` for t == n
/// \param rows_until  rows_until(p): stored rows before part p, ascending
/// \param multiply    multiply(p, alpha, beta): y = alpha A x + beta y for the rows of part p
template <class Y, class FirstPart, class RowsUntil, class Multiply>
void multiply_in_parts(FusedRows<Y> const& f, std::int32_t const* permutation, std::int64_t parts, int threads,
                       FirstPart const& first_part, RowsUntil const& rows_until, Multiply const& multiply) {
  auto const run = [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t p = from; p < to; ++p) {
      std::int64_t const first = rows_until(p);
      std::int64_t const last = rows_until(p + 1);
      if (f.b)
        for (std::int64_t i = first; i < last; ++i) {
          std::int64_t const row = place_of(permutation, i);
          f.y[row] = f.b[row];
        }
      multiply(p, f.b ? Y(-1) : Y(1), f.b ? Y(1) : Y(0));
      if (f.sum) f.partial_sums[p] = sum_of_rows(f, permutation, first, last);
    }
  };
#ifdef _OPENMP
  if (threads > 1) {
#pragma omp parallel num_threads(threads)
    {
      int const thread = omp_get_thread_num();
      int const count = omp_get_num_threads();
      run(first_part(thread, count), first_part(thread + 1, count));
    }
  } else {
    run(0, parts);
  }
#else
  static_cast<void>(threads);
  static_cast<void>(first_part);
  run(0, parts);
#endif
  if (f.sum) {
    constexpr int lanes = 8;
    double sums[lanes] = {};
    for (std::int64_t p = 0; p < parts; ++p) sums[p % lanes] += f.partial_sums[p];
    *f.sum = static_cast<Y>(((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7])));
  }
}

}  // namespace araia::host
