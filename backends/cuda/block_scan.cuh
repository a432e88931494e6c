// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Prefix sums by one block, for packings: of arrays so much shorter than the matrix that a launch less is worth more
// than a faster scan.

#include <cstdint>

namespace araia::cuda {

inline constexpr int scan_threads = 1024;

/// Two sums at once.
struct TwoSums {
  std::int64_t first;
  std::int64_t second;
  __device__ TwoSums& operator+=(TwoSums const& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
};

/// put(i, sum of value(0) .. value(i - 1)) for i in [0, count], by all threads of a block of scan_threads. value(i) may
/// be read from where put(i, ...) writes: it is asked for first. \param partial  (scan_threads), shared memory
template <class Sum, class Value, class Put>
__device__ void scan_by_block(std::int64_t count, Sum* partial, Value const& value, Put const& put) {
  int const thread = static_cast<int>(threadIdx.x);
  std::int64_t const each = (count + scan_threads - 1) / scan_threads;
  std::int64_t const first = thread * each < count ? thread * each : count;
  std::int64_t const last = first + each < count ? first + each : count;
  Sum sum{};
  for (std::int64_t i = first; i < last; ++i) sum += value(i);
  __syncthreads();  // the scan before has read its partial sums
  partial[thread] = sum;
  __syncthreads();  // all partial sums are there
  Sum before{};
  for (int other = 0; other < thread; ++other) before += partial[other];
  for (std::int64_t i = first; i < last; ++i) {
    Sum const own = value(i);
    put(i, before);
    before += own;
  }
  if (thread == scan_threads - 1) put(count, before);
}

}  // namespace araia::cuda
