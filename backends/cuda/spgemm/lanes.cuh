// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lanes of a warp that work on one row together: 8, 16 or 32 neighbours, a team.

#include <cuda_runtime.h>

#include <cstdint>

namespace araia::cuda::spgemm {

template <int lanes>
struct Team {
  static_assert(lanes == 8 || lanes == 16 || lanes == 32);
  int lane;       ///< of the team
  unsigned mask;  ///< of the team's lanes in the warp

  __device__ static Team of_thread() {
    int const in_warp = static_cast<int>(threadIdx.x % 32);
    unsigned const all = lanes == 32 ? 0xffffffffu : (1u << (lanes % 32)) - 1;
    return {in_warp % lanes, all << (in_warp - in_warp % lanes)};
  }
  template <class T>
  __device__ T from(T value, int other) const {
    return __shfl_sync(mask, value, other, lanes);
  }
  template <class T>
  __device__ T sum(T value) const {
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2) value += __shfl_xor_sync(mask, value, d, lanes);
    return value;
  }
  template <class T>
  __device__ T least(T value) const {
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2) {
      T const other = __shfl_xor_sync(mask, value, d, lanes);
      value = other < value ? other : value;
    }
    return value;
  }
  template <class T>
  __device__ T most(T value) const {
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2) {
      T const other = __shfl_xor_sync(mask, value, d, lanes);
      value = value < other ? other : value;
    }
    return value;
  }
  /// Of the values up to this lane's, its own included.
  template <class T>
  __device__ T sum_up_to(T value) const {
#pragma unroll
    for (int d = 1; d < lanes; d *= 2) {
      T const other = __shfl_up_sync(mask, value, d, lanes);
      if (lane >= d) value += other;
    }
    return value;
  }
  /// How many lanes before this one have it, and how many at all.
  __device__ int rank(bool has, int& all) const {
    unsigned const ballot = __ballot_sync(mask, has) & mask;
    all = __popc(ballot);
    return __popc(ballot & ((1u << (threadIdx.x % 32)) - 1));
  }
  /// What lanes have written before is seen by all of the team after.
  __device__ void sync() const { __syncwarp(mask); }
};

}  // namespace araia::cuda::spgemm
