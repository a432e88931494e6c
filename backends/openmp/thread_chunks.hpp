// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Work on as many threads as have enough of it.

#include <cstdint>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace araia::host {

/// Waking threads takes some microseconds: as long as one thread needs for this many multiply-adds.
inline constexpr std::int64_t least_multiply_adds = 16384;

/// Threads, of those offered, that have `least` of the work each.
inline int threads_with_work(std::int64_t work, std::int64_t least, int threads) {
  std::int64_t const useful = work / least + 1;
  return useful < threads ? static_cast<int>(useful) : threads;
}

/// f(chunk, chunks) on each of so many threads, of which OpenMP may give fewer; f(0, 1) in the caller's where one is
/// enough.
template <class F>
void in_chunks([[maybe_unused]] int threads, F const& f) {
#ifdef _OPENMP
  if (threads > 1) {
#pragma omp parallel num_threads(threads)
    f(omp_get_thread_num(), omp_get_num_threads());
    return;
  }
#endif
  f(0, 1);
}

}  // namespace araia::host
