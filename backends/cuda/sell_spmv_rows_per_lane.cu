// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta y, A in SELL of diagonals, 16-bit and full columns; a lane owns H consecutive stored rows.
// Mapping  grid: ceil(rows / (256 H)) | block: 256 threads | lane: H rows, all their steps, U of them loaded and
//          gathered before the first is added. Neighbouring lanes read neighbouring packs of H slots:
//          lane       0        1        2          H = 2: one 16-byte load of f64 values a step and lane
//          slots   | 0 1 |  | 2 3 |  | 4 5 | ...   of step t, at slice_offsets[s] + t C + l
// Traffic  double, int32: 12 B a slot with full columns, 10 with 16-bit ones, 8 on diagonals; some 12 B a slice; x as
//          gathered; 8 B a row of y (16 B if beta != 0). Shared memory, barriers, atomics: none.
// Suits    rows of like length inside a slice. Matrix loads leave the caches to x.
// Padding  and fill are zero, so they are read and added like entries. Only where a sum is not finite is the row summed
//          again, from what lies within its length and what the mask calls an entry: that is how a NaN or infinity in x
//          reaches exactly the rows that store its column.

#include <string>

#include "backends/cuda/check.hpp"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/sell_spmv_rows_per_lane.hpp"

namespace araia::cuda {
namespace {

constexpr int block_threads = 256;
constexpr char const* kernel_label = "araia::spmv::sell::rows_per_lane";

/// What a matrix's slices may hold: kernels are built for each, so that none carries registers of another.
enum class Storage { diagonals, full, words, mixed };

__device__ constexpr std::int32_t base_words(std::int32_t steps) { return (2 * steps + 7) / 8 * 8; }

/// A slice as the rows of one lane see it.
template <class Offset>
struct Slice {
  Offset first_value;
  Offset first_diagonal;
  Offset first_column;  // of col_indices, or word
  std::int32_t diagonals;
  std::int32_t steps;  // of columns
  bool narrow;
};

template <Storage storage, class A, class Offset>
__device__ __forceinline__ Slice<Offset> slice_of(SellPointers<A, std::int32_t, Offset> const& a, int shift,
                                                  std::int64_t s) {
  Slice<Offset> slice{};
  slice.first_value = a.slice_offsets[s];
  auto const all = static_cast<std::int32_t>((a.slice_offsets[s + 1] - slice.first_value) >> shift);
  if constexpr (storage == Storage::diagonals || storage == Storage::mixed) {
    slice.first_diagonal = a.diagonal_offsets[s];
    slice.diagonals = storage == Storage::diagonals
                          ? all
                          : static_cast<std::int32_t>(a.diagonal_offsets[s + 1] - slice.first_diagonal);
  }
  slice.steps = all - slice.diagonals;
  if constexpr (storage == Storage::full) slice.first_column = slice.first_value;
  if constexpr (storage == Storage::words || storage == Storage::mixed) {
    if (a.column_offsets) {
      slice.first_column = a.column_offsets[s];
      auto const words = static_cast<std::int64_t>(a.column_offsets[s + 1] - slice.first_column);
      slice.narrow = a.column_words && words < (std::int64_t{slice.steps} << (shift + 1));
    } else {
      slice.first_column = slice.first_value - (slice.first_diagonal << shift);
    }
  }
  return slice;
}

/// The columns of steps t .. t + U - 1 of H rows; steps from `steps` on are not read.
template <Storage storage, int H, int U, class A, class Offset>
__device__ __forceinline__ void load_columns(SellPointers<A, std::int32_t, Offset> const& a, int shift,
                                             Slice<Offset> const& slice, int l, int t, int steps,
                                             Pack<std::int32_t, H> (&column)[U]) {
  if (storage == Storage::full || (storage == Storage::mixed && a.col_indices)) {
    std::int32_t const* const first = a.col_indices + slice.first_column + l;
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (t + u < steps) column[u] = load_once<H>(first + ((t + u) << shift));
  } else if (slice.narrow) {
    std::uint16_t const* const words = a.column_words + slice.first_column;
    auto const* const bases = reinterpret_cast<std::int32_t const*>(words);
    std::uint16_t const* const first = words + base_words(slice.steps) + l;
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (t + u < steps) {
        auto const offset = load_once<H>(first + ((t + u) << shift));
        std::int32_t const base = __ldg(bases + t + u);
#pragma unroll
        for (int h = 0; h < H; ++h) column[u].at[h] = base + offset.at[h];
      }
  } else {
    std::uint16_t const* const first = a.column_words + slice.first_column + l;
#pragma unroll
    for (int u = 0; u < U; ++u)
      if (t + u < steps) {
        auto const low = load_once<H>(first + ((2 * (t + u)) << shift));
        auto const high = load_once<H>(first + ((2 * (t + u) + 1) << shift));
#pragma unroll
        for (int h = 0; h < H; ++h) column[u].at[h] = low.at[h] | (high.at[h] << 16);
      }
  }
}

/// A row's sum over what it stores alone.
template <class Y, class A, class X, class Offset>
__device__ __noinline__ Y sum_of_stored(SellPointers<A, std::int32_t, Offset> const& a, int shift,
                                        Slice<Offset> const slice, X const* x, std::int64_t row, std::int64_t y_row) {
  std::int64_t const l = row & ((std::int64_t{1} << shift) - 1);
  auto const is_stored = [&](std::int64_t k) {
    if (a.stored_mask) return (a.stored_mask[k >> 5] >> (k & 31) & 1u) != 0;
    return a.fill == 0 || a.values[k] != A{};
  };
  Y sum{};
  for (std::int64_t t = 0; t < slice.diagonals; ++t) {
    std::int64_t const k = slice.first_value + (t << shift) + l;
    std::int64_t const c = y_row + a.diagonals[slice.first_diagonal + t];
    if (c >= 0 && c < a.cols && is_stored(k)) sum += static_cast<Y>(a.values[k]) * static_cast<Y>(x[c]);
  }
  std::int64_t const length = slice.steps == 0 ? 0 : a.row_lengths[row];
  for (std::int64_t t = 0; t < length; ++t) {
    std::int64_t const k = slice.first_value + ((slice.diagonals + t) << shift) + l;
    Pack<std::int32_t, 1> column[1];
    load_columns<Storage::mixed, 1>(a, shift, slice, static_cast<int>(l), static_cast<int>(t), slice.steps, column);
    if (is_stored(k)) sum += static_cast<Y>(a.values[k]) * static_cast<Y>(x[column[0].at[0]]);
  }
  return sum;
}

template <Storage storage, int H, class A, class X, class Y, class Offset>
__global__ void __launch_bounds__(block_threads)
    rows_per_lane_kernel(__grid_constant__ SellPointers<A, std::int32_t, Offset> const a, int shift,
                         bool respect_lengths, Y alpha, X const* __restrict__ x, Y beta, Y* y) {
  constexpr int diagonal_unroll = H == 1 ? 4 : 4;
  constexpr int column_unroll = H == 1 ? 8 : H == 2 ? 4 : 2;
  std::int64_t const row = (std::int64_t{blockIdx.x} * block_threads + threadIdx.x) * H;
  if (row >= a.rows) return;
  auto const l = static_cast<int>(row) & ((1 << shift) - 1);
  auto const slice = slice_of<storage>(a, shift, row >> shift);
  std::int32_t y_row[H];
#pragma unroll
  for (int h = 0; h < H; ++h)
    y_row[h] = a.row_permutation && row + h < a.rows ? a.row_permutation[row + h] : static_cast<std::int32_t>(row + h);
  A const* value_at = a.values + slice.first_value + l;
  Y sum[H]{};

  if constexpr (storage == Storage::diagonals || storage == Storage::mixed) {
    constexpr int U = diagonal_unroll;
    std::int32_t const* const diagonals = a.diagonals + slice.first_diagonal;
    auto const cols = static_cast<std::uint32_t>(a.cols);
    auto const add = [&](int t, auto const& is_step) {
      Pack<A, H> value[U];
      X factor[U][H];
#pragma unroll
      for (int u = 0; u < U; ++u)
        if (is_step(u)) {
          std::int32_t const d = __ldg(diagonals + t + u);
          value[u] = load_once<H>(value_at + ((t + u) << shift));
#pragma unroll
          for (int h = 0; h < H; ++h) {
            auto const c = static_cast<std::uint32_t>(y_row[h] + d);
            factor[u][h] = c < cols ? __ldg(x + c) : X{};
          }
        }
#pragma unroll
      for (int u = 0; u < U; ++u)
        if (is_step(u)) {
#pragma unroll
          for (int h = 0; h < H; ++h) sum[h] += static_cast<Y>(value[u].at[h]) * static_cast<Y>(factor[u][h]);
        }
    };
    int t = 0;
    for (; t + U <= slice.diagonals; t += U) add(t, [](int) { return true; });
    if (t < slice.diagonals) add(t, [&](int u) { return t + u < slice.diagonals; });
    value_at += slice.diagonals << shift;
  }

  if constexpr (storage != Storage::diagonals) {
    constexpr int U = column_unroll;
    int steps = slice.steps;
    if (respect_lengths && steps != 0) {
      steps = 0;
#pragma unroll
      for (int h = 0; h < H; ++h)
        if (row + h < a.rows) steps = max(steps, a.row_lengths[row + h]);
    }
    auto const add = [&](int t, int last, auto const& is_step) {
      Pack<A, H> value[U];
      Pack<std::int32_t, H> column[U];
      X factor[U][H];
      load_columns<storage, H>(a, shift, slice, l, t, last, column);
#pragma unroll
      for (int u = 0; u < U; ++u)
        if (is_step(u)) value[u] = load_once<H>(value_at + ((t + u) << shift));
#pragma unroll
      for (int u = 0; u < U; ++u)
        if (is_step(u)) {
#pragma unroll
          for (int h = 0; h < H; ++h) factor[u][h] = __ldg(x + column[u].at[h]);
        }
#pragma unroll
      for (int u = 0; u < U; ++u)
        if (is_step(u)) {
#pragma unroll
          for (int h = 0; h < H; ++h) sum[h] += static_cast<Y>(value[u].at[h]) * static_cast<Y>(factor[u][h]);
        }
    };
    int t = 0;
    for (; t + U <= steps; t += U) add(t, t + U, [](int) { return true; });
    if (t < steps) add(t, steps, [&](int u) { return t + u < steps; });
  }

#pragma unroll
  for (int h = 0; h < H; ++h)
    if (row + h < a.rows) {
      if (!(sum[h] - sum[h] == Y{})) sum[h] = sum_of_stored<Y>(a, shift, slice, x, row + h, y_row[h]);
      store_scaled(y + y_row[h], alpha, sum[h], beta);
    }
}

}  // namespace

template <class A, class Offset>
bool sell_rows_per_lane_supports(SellPointers<A, std::int32_t, Offset> const& a) {
  bool const power_of_two = a.slice_height >= 8 && (a.slice_height & (a.slice_height - 1)) == 0;
  return a.values && !a.slice_rows && a.block_width == 1 && power_of_two && is_aligned(a.values, 16) &&
         is_aligned(a.col_indices, 16) && is_aligned(a.column_words, 16);
}

template <class A, class X, class Y, class Offset>
void sell_spmv_rows_per_lane(SellPointers<A, std::int32_t, Offset> const& a, SellRowsPerLaneTuning const& tuning,
                             Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream) {
  int const H = tuning.rows_per_lane != 0 ? tuning.rows_per_lane : sizeof(A) == 4 ? 4 : 1;
  if (H != 1 && H != 2 && H != 4)
    throw Error(ErrorKind::invalid_argument,
                std::string(kernel_label) + ": rows_per_lane is " + std::to_string(H) + ", expected 0, 1, 2 or 4");
  if (a.rows == 0) return;
  if (!sell_rows_per_lane_supports(a))
    throw Error(ErrorKind::unsupported,
                std::string(kernel_label) +
                    ": the matrix has another storage than values in slices of a power of two of 8 rows or more, "
                    "without blocks");
  int shift = 0;
  while ((std::int64_t{1} << shift) < a.slice_height) ++shift;
  auto const launch = [&]<Storage storage, int h>() {
    unsigned const blocks = grid_blocks(a.rows, block_threads * h, kernel_label);
    rows_per_lane_kernel<storage, h>
        <<<blocks, block_threads, 0, stream>>>(a, shift, tuning.respect_lengths, alpha, x, beta, y);
    check_launch(kernel_label);
  };
  auto const with_rows = [&]<Storage storage>() {
    if (H == 4) return launch.template operator()<storage, 4>();
    if (H == 2) return launch.template operator()<storage, 2>();
    launch.template operator()<storage, 1>();
  };
  bool const columns = a.col_indices || a.column_words;
  if (a.diagonal_offsets && !columns) return with_rows.template operator()<Storage::diagonals>();
  if (a.diagonal_offsets) return with_rows.template operator()<Storage::mixed>();
  if (a.column_words) return with_rows.template operator()<Storage::words>();
  with_rows.template operator()<Storage::full>();
}

#define ARAIA_INSTANTIATE(A, X, Y, Offset)                                                                             \
  template void sell_spmv_rows_per_lane(SellPointers<A, std::int32_t, Offset> const&, SellRowsPerLaneTuning const&, Y, \
                                        X const*, Y, Y*, cudaStream_t);
#define ARAIA_INSTANTIATE_OFFSETS(A, X, Y) \
  ARAIA_INSTANTIATE(A, X, Y, std::int32_t) \
  ARAIA_INSTANTIATE(A, X, Y, std::int64_t)
ARAIA_INSTANTIATE_OFFSETS(double, double, double)
ARAIA_INSTANTIATE_OFFSETS(float, float, float)
ARAIA_INSTANTIATE_OFFSETS(float, double, double)
template bool sell_rows_per_lane_supports(SellPointers<double, std::int32_t, std::int32_t> const&);
template bool sell_rows_per_lane_supports(SellPointers<double, std::int32_t, std::int64_t> const&);
template bool sell_rows_per_lane_supports(SellPointers<float, std::int32_t, std::int32_t> const&);
template bool sell_rows_per_lane_supports(SellPointers<float, std::int32_t, std::int64_t> const&);

}  // namespace araia::cuda
