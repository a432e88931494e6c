// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = alpha A x + beta y, A in CSR with its columns as steps of 10 bits along the rows; a lane owns two rows.
// Mapping  grid: ceil(rows / 512) | block: 256 threads | lane: two consecutive rows, four steps of them in flight
//          lane       0        1        2          values by packs of two rows, as sell/rows_per_lane
//          slots   | 0 1 |  | 2 3 |  | 4 5 | ...   of step t; low bits of four steps by one word a row, their high
//                                                  bits by one byte; a lane adds its rows' steps up as it goes
//                                                  along, those of the next group loaded before it multiplies
// Traffic  double: 9.25 B a slot, float: 5.25; 20 B a slice of 64 rows; x as gathered; 8 B a row of y (16 B if
//          beta != 0). Shared memory, barriers, atomics: none.
// Suits    rows of like length inside a slice whose neighbouring entries lie less than 1023 columns apart: random
//          bands, where the columns of a slice's step are too far apart for 8 bits and 16 are more than are needed. A
//          longer gap costs an entry of zero for every 1023 columns.
// Source   differences of columns in few bytes [Kourtis2008]; differs: bits of one width, in slices of rows.
// Padding  and steps that are no entries are zero, so they are read and added like entries. Only where a sum is not
//          finite is the row summed again, from its entries alone.

#include <cuda_runtime.h>

#include <araia/detail/formats/type_list.hpp>
#include <string>

#include "backends/cuda/block_scan.cuh"
#include "backends/cuda/check.hpp"
#include "backends/cuda/memory.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/spmv/csr_column_steps/kernel.hpp"

namespace araia::cuda {
namespace {

constexpr int block_threads = 256;
constexpr int no_entry = CsrSteps<double>::no_entry;
constexpr int in_group = CsrSteps<double>::group_steps;
constexpr int group_bytes = CsrSteps<double>::group_bytes;
constexpr int rows_of_lane = 2;
constexpr int height = 32 * rows_of_lane;
constexpr char const* kernel_label = "araia::spmv::csr::column_steps";
static_assert(height == CsrSteps<double>::slice_height, "a warp owns a slice");

/// The entries of a row by ascending column.
template <class A, class Offset>
struct AscendingRow {
  std::int32_t const* columns;
  std::int64_t first = 0;
  std::int64_t last = 0;
  bool ascending = true;

  __device__ AscendingRow(CsrPointers<A, std::int32_t, Offset> const& a, std::int64_t row) : columns(a.col_indices) {
    if (row >= a.rows) return;
    first = static_cast<std::int64_t>(a.row_offsets[row]);
    last = static_cast<std::int64_t>(a.row_offsets[row + 1]);
    for (std::int64_t k = first + 1; k < last; ++k) ascending = ascending && columns[k - 1] <= columns[k];
  }
  /// The entry with the least (column, place) behind that of entry k, or of all where k < 0. There is one.
  [[nodiscard]] __device__ std::int64_t next(std::int64_t k) const {
    if (ascending) return k < 0 ? first : k + 1;
    std::int64_t best = -1;
    for (std::int64_t other = first; other < last; ++other) {
      bool const behind = k < 0 || columns[other] > columns[k] || (columns[other] == columns[k] && other > k);
      if (behind && (best < 0 || columns[other] < columns[best])) best = other;
    }
    return best;
  }
};

/// A thread block a slice, a thread a row.
template <class A, class Offset>
__global__ void __launch_bounds__(height) count_kernel(CsrPointers<A, std::int32_t, Offset> a, CsrSteps<A> packed) {
  __shared__ std::int32_t least;
  __shared__ std::int32_t most;
  int const thread = static_cast<int>(threadIdx.x);
  std::int64_t const s = blockIdx.x;
  std::int64_t const row = s * height + thread;
  if (thread == 0) {
    least = static_cast<std::int32_t>(a.cols);
    most = 0;
  }
  AscendingRow const entries(a, row);
  __syncthreads();  // least and most have their first values
  if (entries.first < entries.last) atomicMin(&least, a.col_indices[entries.next(-1)]);
  __syncthreads();  // least is the least of all rows
  std::int32_t const base = least;
  std::int32_t length = 0;
  std::int32_t column = base;
  std::int64_t k = -1;
  for (std::int64_t e = entries.first; e < entries.last; ++e) {
    k = entries.next(k);
    length += 1 + (a.col_indices[k] - column) / no_entry;
    column = a.col_indices[k];
  }
  packed.lengths[row] = length;
  atomicMax(&most, length);
  __syncthreads();  // most is the most of all rows
  if (thread == 0) {
    packed.bases[s] = base;
    packed.step_offsets[s] = most;
  }
}

/// Offsets of slices from their steps; one thread block, once a plan.
template <class A>
__global__ void __launch_bounds__(scan_threads) scan_kernel(CsrSteps<A> packed) {
  __shared__ TwoSums partial[scan_threads];
  auto const of_slice = [&](std::int64_t s) {
    std::int64_t const steps = packed.step_offsets[s];
    return TwoSums{steps, (steps + in_group - 1) / in_group};
  };
  scan_by_block(packed.slices, partial, of_slice, [&](std::int64_t s, TwoSums const& before) {
    packed.step_offsets[s] = before.first;
    packed.group_offsets[s] = before.second;
  });
}

/// A thread block a slice, a thread a row.
template <class A, class Offset>
__global__ void __launch_bounds__(height) fill_kernel(CsrPointers<A, std::int32_t, Offset> a, CsrSteps<A> packed) {
  int const thread = static_cast<int>(threadIdx.x);
  std::int64_t const s = blockIdx.x;
  std::int64_t const row = s * height + thread;
  AscendingRow const entries(a, row);
  std::int64_t const first_step = packed.step_offsets[s];
  auto const steps = static_cast<int>(packed.step_offsets[s + 1] - first_step);
  std::uint8_t* group_at = packed.steps + packed.group_offsets[s] * group_bytes * height;
  std::int32_t column = packed.bases[s];
  std::int64_t left = entries.last - entries.first;
  std::int64_t k = left > 0 ? entries.next(-1) : -1;
  for (int t = 0; t < steps; t += in_group, group_at += group_bytes * height) {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    for (int u = 0; u < in_group && t + u < steps; ++u) {
      A value{};
      if (left > 0) {
        std::int32_t const gap = a.col_indices[k] - column;
        auto const step = static_cast<std::uint32_t>(min(gap, no_entry));
        low |= (step & 255u) << 8 * u;
        high |= (step >> 8) << 2 * u;
        column += static_cast<std::int32_t>(step);
        if (gap < no_entry) {
          value = a.values[k];
          if (--left > 0) k = entries.next(k);
        }
      }
      packed.values[(first_step + t + u) * height + thread] = value;
    }
    reinterpret_cast<std::uint32_t*>(group_at)[thread] = low;
    group_at[4 * height + thread] = static_cast<std::uint8_t>(high);
  }
}

/// x[c] by a 32-bit offset in bytes.
template <class X>
__device__ __forceinline__ X gather(X const* x, std::uint32_t c) {
  return load_operand(
      reinterpret_cast<X const*>(reinterpret_cast<char const*>(x) + c * static_cast<std::uint32_t>(sizeof(X))));
}

/// A row's sum over its entries alone; slow, and small in registers.
template <class Y, class A, class X>
__device__ __noinline__ Y sum_of_entries(CsrSteps<A> const& a, std::int64_t row, X const* x) {
  std::int64_t const s = row / height;
  std::int64_t const l = row % height;
  std::uint8_t const* const groups = a.steps + a.group_offsets[s] * group_bytes * height;
  std::int64_t column = a.bases[s];
  Y sum{};
#pragma unroll 1
  for (std::int64_t t = 0; t < a.lengths[row]; ++t) {  // 80 bytes of columns a step: more than 2^31 in all
    std::uint8_t const* const group = groups + t / in_group * group_bytes * height;
    int const u = static_cast<int>(t % in_group);
    int const step = group[4 * l + u] | (group[4 * height + l] >> 2 * u & 3) << 8;
    column += step;
    if (step != no_entry)
      sum += static_cast<Y>(a.values[(a.step_offsets[s] + t) * height + l]) * static_cast<Y>(x[column]);
  }
  return sum;
}

/// Thread blocks a multiprocessor at least, which bounds registers: as measured on an H200 (docs/lab/cuda_kernels.md).
template <class A, class X>
constexpr int blocks_of = sizeof(X) == 4   ? 6
                          : sizeof(A) == 4 ? 5
                                           : 4;

template <class A, class X, class Y>
__global__ void __launch_bounds__(block_threads, blocks_of<A, X>)
    column_steps_kernel(__grid_constant__ CsrSteps<A> const a, Y alpha, X const* x, Y beta, Y* y) {
  wait_for_predecessor();
  let_successor_start();
  constexpr int H = rows_of_lane;
  std::int64_t const row = (std::int64_t{blockIdx.x} * block_threads + threadIdx.x) * H;
  if (row >= a.rows) return;
  std::int64_t const s = row / height;
  int const l = static_cast<int>(threadIdx.x) % 32 * H;
  std::int64_t const first_step = a.step_offsets[s];
  auto const steps = static_cast<int>(a.step_offsets[s + 1] - first_step);
  std::uint8_t const* group = a.steps + a.group_offsets[s] * group_bytes * height;
  A const* value_at = a.values + first_step * height + l;
  auto const base = static_cast<std::uint32_t>(a.bases[s]);
  std::uint32_t column[H]{base, base};
  Y sum[H]{};
  Pack<std::uint32_t, H> low{};
  Pack<std::uint8_t, H> high{};
  auto const load_steps = [&] {  // of the next group
    low = load_once<H>(reinterpret_cast<std::uint32_t const*>(group) + l);
    high = load_once<H>(group + 4 * height + l);
    group += group_bytes * height;
  };
  auto const add = [&]<bool whole>(int left) {  // a group, or what the last one has
    Pack<A, H> value[in_group];
    X factor[in_group][H];
#pragma unroll
    for (int e = 0; e < in_group; ++e)
      if (whole || e < left) value[e] = load_once<H>(value_at + e * height);
    value_at += in_group * height;
#pragma unroll
    for (int e = 0; e < in_group; ++e)
      if (whole || e < left) {
#pragma unroll
        for (int h = 0; h < H; ++h) {
          column[h] += (low.at[h] >> 8 * e & 255u) | (static_cast<std::uint32_t>(high.at[h]) >> 2 * e & 3u) << 8;
          factor[e][h] = gather(x, column[h]);
        }
      }
    if (left > in_group) load_steps();
#pragma unroll
    for (int e = 0; e < in_group; ++e)
      if (whole || e < left) {
#pragma unroll
        for (int h = 0; h < H; ++h) sum[h] += static_cast<Y>(value[e].at[h]) * static_cast<Y>(factor[e][h]);
      }
  };
  int left = steps;
  if (left > 0) load_steps();
#pragma unroll 1
  for (; left >= in_group; left -= in_group) add.template operator()<true>(left);
  if (left > 0) add.template operator()<false>(left);
#pragma unroll
  for (int h = 0; h < H; ++h)
    if (row + h < a.rows) {
      if (!(sum[h] - sum[h] == Y{})) sum[h] = sum_of_entries<Y>(a, row + h, x);
      store_scaled(y + (a.row_permutation ? a.row_permutation[row + h] : row + h), alpha, sum[h], beta);
    }
}

}  // namespace

template <class A, class Offset>
void csr_steps_count(CsrPointers<A, std::int32_t, Offset> const& a, CsrSteps<A> const& packed, cudaStream_t stream) {
  if (packed.slices != 0) {
    unsigned const blocks = grid_blocks(packed.slices, 1, kernel_label);
    count_kernel<<<blocks, height, 0, stream>>>(a, packed);
    check_launch("araia::csr_steps_count");
  }
  scan_kernel<<<1, scan_threads, 0, stream>>>(packed);
  check_launch("araia::csr_steps_count");
}

template <class A, class Offset>
void csr_steps_fill(CsrPointers<A, std::int32_t, Offset> const& a, CsrSteps<A> const& packed, cudaStream_t stream) {
  if (packed.slices == 0) return;
  unsigned const blocks = grid_blocks(packed.slices, 1, kernel_label);
  fill_kernel<<<blocks, height, 0, stream>>>(a, packed);
  check_launch("araia::csr_steps_fill");
}

template <class A, class X, class Y>
void csr_spmv_column_steps(CsrSteps<A> const& a, Y alpha, X const* x, Y beta, Y* y, cudaStream_t stream) {
  if (a.rows == 0) return;
  unsigned const blocks = grid_blocks(a.rows, block_threads * rows_of_lane, kernel_label);
  launch_overlapped(column_steps_kernel<A, X, Y>, blocks, block_threads, 0, stream, kernel_label, a, alpha, x, beta, y);
}

[[gnu::used]] static void write_out_csr_spmv_column_steps() {
  using namespace araia::detail;
  for_types<AllReals, AllOffsets>([&]<class A, class F>() {
    write_out(csr_steps_count<A, F>);
    write_out(csr_steps_fill<A, F>);
  });
  for_types<AllRealProducts>([&]<class A, class X, class Y>() { write_out(csr_spmv_column_steps<A, X, Y>); });
}

}  // namespace araia::cuda
