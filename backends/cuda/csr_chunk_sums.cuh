// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Sums of the segments of a chunk whose products lie in shared memory.

#include <cuda_runtime.h>

namespace araia::cuda {

inline constexpr unsigned whole_warp = 0xffffffffu;

/// Products lie 16 to a row of 17: threads that walk rows of 2^n entries meet different banks.
__host__ __device__ constexpr int padded(int i) { return i + i / 16; }

template <class Y>
__device__ __forceinline__ Y warp_sum(Y sum) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(whole_warp, sum, offset);
  return sum;
}

/// The part of a thread in summing segments: 2^shift lanes take one, the block `threads >> shift` at a time.
struct SegmentLanes {
  int shift;
  int lane;     // in its segment
  int segment;  // first of this thread
  int begin;    // of that, in the chunk
  int end;

  /// As many lanes a segment as leave no thread idle, 32 at most. bound(s): where segment s begins.
  template <int threads, class Bound>
  __device__ static __forceinline__ SegmentLanes spread(int segments, Bound const& bound) {
    int const thread = static_cast<int>(threadIdx.x);
    int shift = 0;
    while (shift < 5 && segments <= threads >> (shift + 1)) ++shift;
    int const segment = thread >> shift;
    bool const there = segment < segments;
    return {shift, thread & ((1 << shift) - 1), segment, there ? bound(segment) : 0, there ? bound(segment + 1) : 0};
  }
};

/// emit(segment, sum) by one thread for every segment. A segment of more than `long_row` entries is summed by its whole
/// warp, one after the other; one of more than `most` is left out: defer(segment), by one thread. All threads of the
/// block must call it, once the products are there.
template <int threads, int long_row, int most, class Y, class Bound, class Emit, class Defer>
__device__ __forceinline__ void sum_segments(Y const* products, int segments, SegmentLanes at, Bound const& bound,
                                             Emit const& emit, Defer const& defer) {
  int const thread = static_cast<int>(threadIdx.x);
  int const step = threads >> at.shift;
  for (int first_of_step = 0; first_of_step < segments; first_of_step += step) {  // the same for all threads
    if (first_of_step != 0) {
      at.segment = first_of_step + (thread >> at.shift);
      at.begin = at.segment < segments ? bound(at.segment) : 0;
      at.end = at.segment < segments ? bound(at.segment + 1) : 0;
    }
    bool const deferred = at.end - at.begin > most;
    bool const is_long = !deferred && at.shift < 5 && at.end - at.begin > long_row;
    Y sum{};
    if (!is_long && !deferred)
      for (int k = at.begin + at.lane; k < at.end; k += 1 << at.shift) sum += products[padded(k)];
    for (int offset = 1 << at.shift >> 1; offset > 0; offset /= 2) sum += __shfl_xor_sync(whole_warp, sum, offset);
    for (unsigned waiting = __ballot_sync(whole_warp, is_long && at.lane == 0); waiting != 0; waiting &= waiting - 1) {
      int const leader = __ffs(static_cast<int>(waiting)) - 1;
      int const long_begin = __shfl_sync(whole_warp, at.begin, leader);
      int const long_end = __shfl_sync(whole_warp, at.end, leader);
      Y part{};
#pragma unroll 4
      for (int k = long_begin + thread % 32; k < long_end; k += 32) part += products[padded(k)];
      part = warp_sum(part);
      if (thread % 32 == leader) sum = part;
    }
    if (at.lane == 0 && at.segment < segments) {
      if (deferred)
        defer(at.segment);
      else
        emit(at.segment, sum);
    }
  }
}

template <int threads, int long_row, class Y, class Bound, class Emit>
__device__ __forceinline__ void sum_segments(Y const* products, int segments, SegmentLanes at, Bound const& bound,
                                             Emit const& emit) {
  sum_segments<threads, long_row, 0x7fffffff>(products, segments, at, bound, emit, [](int) {});
}

}  // namespace araia::cuda
