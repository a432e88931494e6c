// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// y = alpha A x + beta y on CUDA, A in SELL: a lane owns one, two or four consecutive stored rows.

#include <cuda_runtime_api.h>

#include <araia/detail/formats/sell_pointers.hpp>
#include <araia/detail/kernels/fused_rows.hpp>
#include <cstdint>

namespace araia::cuda {

struct SellRowsPerLaneTuning {
  bool respect_lengths = false;  ///< stop at a row's length: for slices of unlike rows, costs 4 bytes a row
  friend bool operator==(SellRowsPerLaneTuning const&, SellRowsPerLaneTuning const&) = default;
};

/// x is gathered by 32-bit offsets in bytes.
inline constexpr std::int64_t sell_rows_per_lane_most_cols = std::int64_t{1} << 29;

/// Can the kernel read this storage? With values, or without fill and diagonals, which values tell from entries; slices
/// of 32, 64 or 128 rows (one, two or four a lane), all of one height, block_width 1, fewer than 2^29 columns, no
/// row_permutation beside diagonals, arrays aligned as allocations.
template <class A, class Offset>
bool sell_rows_per_lane_supports(SellPointers<A, std::int32_t, Offset> const& a);

/// Types (A, x, y): (f32, f32, f32), (f64, f64, f64), (f32, f64, f64); offsets int32 or int64. And (__half or
/// __nv_bfloat16, f32, f32) with offsets int32.
/// \param a       arrays on the device; see sell_rows_per_lane_supports
/// \param x,y     (cols), (rows), contiguous, not aliased; beta == 0 overwrites y, NaN included
/// \param stream  of the work; nothing is allocated, may be captured
/// \throws araia::Error (unsupported) on other storage
/// Cost      2 slots flop. Rounding |error_i| <= gamma(len_i + 2) (|alpha| |A| |x| + |beta| |y|)_i; deterministic
template <class A, class X, class Y, class Offset>
void sell_spmv_rows_per_lane(SellPointers<A, std::int32_t, Offset> const& a, SellRowsPerLaneTuning const& tuning,
                             Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream);

/// The same with what follows: y = A x or b - A x, and a sum of its rows, in one pass over memory and one launch.
/// Types as above but for those of 16 bits, storage and errors as above; x may be fused.w. The sum has the same bits on
/// every run.
template <class A, class X, class Y, class Offset>
void sell_spmv_rows_per_lane_fused(SellPointers<A, std::int32_t, Offset> const& a, SellRowsPerLaneTuning const& tuning,
                                   X const* x, FusedRows<Y> const& fused, cudaStream_t stream);

}  // namespace araia::cuda
