// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/cuda/csr_sddmm_row_parts.hpp"

#include <algorithm>
#include <string>

#include "backends/cuda/check.hpp"

namespace araia::cuda {
namespace {

constexpr int warp_size = 32;
constexpr int batch = warp_size;  // entries of a step
constexpr int own_batches = 4;    // of a row's part: what is longer is shared by the block

template <class T>
inline constexpr int vector_of = 16 / sizeof(T);

template <class T>
struct Sixteen {
  T of[vector_of<T>];
};

template <class T, class Offset>
struct SddmmArguments {
  CsrPointers<T, std::int32_t, Offset> a;
  T* d;
  T const* x;
  T const* y;
  std::int64_t x_row_stride, x_k_stride;  // elements
  std::int64_t y_row_stride, y_k_stride;
  std::int64_t k;
  T alpha;
  T beta;
  int parts;
  int rows_per_block;
  unsigned row_blocks;
  unsigned swizzle;
};

// Sixteen bytes of a row from element `at` on, zeros past its end.
template <bool VECTOR, int LANES, class T>
__device__ __forceinline__ Sixteen<T> load_sixteen(T const* row, std::int64_t stride, std::int64_t at, std::int64_t k) {
  Sixteen<T> v{};
  if constexpr (VECTOR) {
    if (at < k) {
      auto const bits = *reinterpret_cast<uint4 const*>(row + at);
      v = *reinterpret_cast<Sixteen<T> const*>(&bits);
    }
  } else {
#pragma unroll
    for (int i = 0; i < vector_of<T>; ++i)
      if (at + i * LANES < k) v.of[i] = row[(at + i * LANES) * stride];
  }
  return v;
}

// A row's part: entries [first, last).
template <class Offset>
struct Part {
  Offset first;
  Offset last;
};

template <class T, class Offset, int LANES, int CHUNKS, int FLIGHT, bool VECTOR, bool TILED>
struct Dots {
  static constexpr int groups = warp_size / LANES;
  static constexpr int tile = LANES * CHUNKS * vector_of<T>;
  static constexpr int jam = FLIGHT / CHUNKS > LANES ? LANES
                             : FLIGHT / CHUNKS > 1   ? FLIGHT / CHUNKS
                                                     : 1;  // entries of a group at once

  SddmmArguments<T, Offset> const& args;
  int lane;
  Sixteen<T> x[CHUNKS];

  __device__ __forceinline__ std::int64_t first_k(int chunk) const {
    int const own = lane % LANES;
    return VECTOR ? (chunk * LANES + own) * vector_of<T> : chunk * LANES * vector_of<T> + own;
  }

  __device__ __forceinline__ void load_x(std::int64_t stored_row, std::int64_t k_first) {
    std::int64_t const row = args.a.row_permutation ? args.a.row_permutation[stored_row] : stored_row;
    T const* const from = args.x + row * args.x_row_stride;
#pragma unroll
    for (int c = 0; c < CHUNKS; ++c)
      x[c] = load_sixteen<VECTOR, LANES>(from, args.x_k_stride, k_first + first_k(c), args.k);
  }

  // One batch of a row, from entry `at` on; `column` is that of entry at + lane, -1 past the part. Entry e of group g
  // is entry e * groups + g of the batch, and in the end that of lane e of the group.
  __device__ __forceinline__ void step(std::int64_t stored_row, std::int32_t column, Offset at, int count) {
    int const group = lane / LANES;
    T result{};
#pragma unroll 1
    for (int e = 0; e < LANES; e += jam) {
      if (e * groups >= count) break;
      T sum[jam] = {};
      std::int64_t k_first = 0;
      do {
        if constexpr (TILED) load_x(stored_row, k_first);
        Sixteen<T> y[jam][CHUNKS];
#pragma unroll
        for (int j = 0; j < jam; ++j) {
          std::int32_t const col = __shfl_sync(~0u, column, (e + j) * groups + group);
          T const* const from = args.y + static_cast<std::int64_t>(col) * args.y_row_stride;
#pragma unroll
          for (int c = 0; c < CHUNKS; ++c)
            y[j][c] = col >= 0 ? load_sixteen<VECTOR, LANES>(from, args.y_k_stride, k_first + first_k(c), args.k)
                               : Sixteen<T>{};
        }
#pragma unroll
        for (int j = 0; j < jam; ++j)
#pragma unroll
          for (int c = 0; c < CHUNKS; ++c)
#pragma unroll
            for (int v = 0; v < vector_of<T>; ++v) sum[j] += x[c].of[v] * y[j][c].of[v];
        k_first += tile;
      } while (TILED && k_first < args.k);
      // Lanes exchange halves of the sums until lane l has a part of entry e + l % jam, then add up the parts:
      //   lane     0       1       2       3      ...       (jam = 2)
      //   has      s0 s1   s0 s1   s0 s1   s0 s1
      //   width 1  s0+s0'  s1+s1'  s0+s0'  s1+s1'           then widths 2, 4, ... of one sum
#pragma unroll
      for (int width = jam / 2; width > 0; width /= 2) {
        bool const upper = (lane & width) != 0;
#pragma unroll
        for (int i = 0; i < width; ++i) {
          T const give = upper ? sum[i] : sum[i + width];
          T const keep = upper ? sum[i + width] : sum[i];
          sum[i] = keep + __shfl_xor_sync(~0u, give, width);
        }
      }
#pragma unroll
      for (int width = jam; width < LANES; width *= 2) sum[0] += __shfl_xor_sync(~0u, sum[0], width);
      if (lane % LANES / jam * jam == e) result = sum[0];
    }
    int const own = lane % LANES * groups + lane / LANES;
    if (own >= count) return;
    Offset const entry = at + static_cast<Offset>(own);
    if (args.a.values) result *= args.a.values[entry];
    result *= args.alpha;
    args.d[entry] = args.beta == T{} ? result : result + args.beta * args.d[entry];
  }
};

template <class T, class Offset, int LANES, int CHUNKS, int FLIGHT, bool VECTOR, bool TILED, int WARPS, int BLOCKS>
__global__ void __launch_bounds__(WARPS* warp_size, BLOCKS) row_parts(SddmmArguments<T, Offset> const args) {
  int const warp = static_cast<int>(threadIdx.x) / warp_size;
  int const lane = static_cast<int>(threadIdx.x) % warp_size;
  unsigned place = blockIdx.x;
  if (args.swizzle) {
    unsigned const deep = gridDim.x / args.swizzle;
    if (place < deep * args.swizzle) place = place % args.swizzle * deep + place / args.swizzle;
  }
  unsigned const part = place / args.row_blocks;
  std::int64_t const first_row = static_cast<std::int64_t>(place - part * args.row_blocks) * args.rows_per_block;
  std::int64_t const last_row = min(first_row + args.rows_per_block, args.a.rows);
  Dots<T, Offset, LANES, CHUNKS, FLIGHT, VECTOR, TILED> dots{args, lane, {}};
  constexpr Offset own = own_batches * batch;

  for (std::int64_t base = first_row; base < last_row; base += warp_size) {
    // Lane l has the bounds of row base + l.
    Part<Offset> bounds{0, 0};
    if (base + lane < last_row) {
      Offset const start = args.a.row_offsets[base + lane];
      std::int64_t const length = args.a.row_offsets[base + lane + 1] - start;
      bounds.first = start + static_cast<Offset>(length * part / args.parts);
      bounds.last = start + static_cast<Offset>(length * (part + 1) / args.parts);
    }
    // First each warp does rows of its own, a few batches of each; what is left of long rows belongs to all warps.
#pragma unroll 1
    for (bool shared = false;; shared = true) {
      bool const mine = shared ? bounds.last - bounds.first > own : bounds.last > bounds.first && lane % WARPS == warp;
      unsigned rows = __ballot_sync(~0u, mine);
      Offset const skip = shared ? own + static_cast<Offset>(warp * batch) : 0;
      Offset const stride = shared ? WARPS * batch : batch;
      int row = __ffs(static_cast<int>(rows)) - 1;
      Offset at = __shfl_sync(~0u, bounds.first, row & 31) + skip;
      Offset last = __shfl_sync(~0u, bounds.last, row & 31);
      if (!shared && last - at > own) last = at + own;
      bool new_row = true;
      std::int32_t column = rows && at + lane < last ? args.a.col_indices[at + lane] : -1;
      while (rows) {
        // The next batch's columns are on their way while this one is worked on.
        std::int32_t const column_now = column;
        Offset const at_now = at;
        int const count = static_cast<int>(min(last - at, static_cast<Offset>(batch)));
        int const row_now = row;
        bool const load = new_row;
        at += stride;
        new_row = at >= last;
        if (new_row) {
          rows &= rows - 1;
          row = __ffs(static_cast<int>(rows)) - 1;
          at = __shfl_sync(~0u, bounds.first, row & 31) + skip;
          last = __shfl_sync(~0u, bounds.last, row & 31);
          if (!shared && last - at > own) last = at + own;
        }
        column = rows && at + lane < last ? args.a.col_indices[at + lane] : -1;
        if (count <= 0) continue;  // of a shared row that is at its end
        if constexpr (!TILED)
          if (load) dots.load_x(base + row_now, 0);
        dots.step(base + row_now, column_now, at_now, count);
      }
      if (shared) break;
    }
  }
}

template <class T, class Offset, int LANES, int CHUNKS, bool VECTOR, bool TILED>
void launch(SddmmArguments<T, Offset> const& args, cudaStream_t stream) {
  constexpr char const* name = "araia: csr_sddmm_row_parts";
  constexpr int warps = 8;
  constexpr int blocks = VECTOR ? 3 : 2;
  unsigned const grid = grid_blocks(static_cast<std::int64_t>(args.row_blocks) * args.parts, 1, name);
  row_parts<T, Offset, LANES, CHUNKS, 4, VECTOR, TILED, warps, blocks><<<grid, warps * warp_size, 0, stream>>>(args);
  check_launch(name);
}

}  // namespace

CsrSddmmTuning csr_sddmm_tuning(std::int64_t rows, std::int64_t cols, std::int64_t nnz, std::int64_t k,
                                std::size_t scalar_bytes, int multiprocessors) {
  CsrSddmmTuning t;
  // Rows of Y that one part of the columns names fit into L1, which blocks of the same part share.
  constexpr double cached_bytes = 128 * 1024;
  double const y_bytes = static_cast<double>(cols) * static_cast<double>(k) * static_cast<double>(scalar_bytes);
  std::int64_t const mean = nnz / std::max<std::int64_t>(rows, 1);
  double const parts = std::min(y_bytes / cached_bytes + 1, static_cast<double>(mean) / batch + 0.5);
  t.parts = std::max(1, static_cast<int>(std::min(parts, 64.0)));
  while (t.rows_per_block > 8 && rows * t.parts < std::int64_t{4} * multiprocessors * t.rows_per_block)
    t.rows_per_block /= 2;
  return t;
}

template <class T, class Offset>
void csr_sddmm(CsrPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& x,
               DenseMatrix<T const> const& y, T beta, T* d, int multiprocessors, cudaStream_t stream,
               CsrSddmmTuning const* tuning) {
  if (a.rows == 0 || a.nnz == 0) return;
  auto const t = tuning ? *tuning : csr_sddmm_tuning(a.rows, a.cols, a.nnz, x.columns, sizeof(T), multiprocessors);
  if (t.parts < 1 || t.parts > 1024 || t.rows_per_block < 1 || t.rows_per_block > 65536)
    throw Error(ErrorKind::invalid_argument, "araia: csr_sddmm: parts, rows_per_block are " + std::to_string(t.parts) +
                                                 ", " + std::to_string(t.rows_per_block) +
                                                 ", expected 1 to 1024, 1 to 65536");
  SddmmArguments<T, Offset> const args{.a = a,
                                       .d = d,
                                       .x = x.data,
                                       .y = y.data,
                                       .x_row_stride = x.row_stride,
                                       .x_k_stride = x.column_stride,
                                       .y_row_stride = y.row_stride,
                                       .y_k_stride = y.column_stride,
                                       .k = x.columns,
                                       .alpha = alpha,
                                       .beta = beta,
                                       .parts = t.parts,
                                       .rows_per_block = t.rows_per_block,
                                       .row_blocks = grid_blocks(a.rows, t.rows_per_block, "araia: csr_sddmm"),
                                       .swizzle = 0};
  auto const fits = [](DenseMatrix<T const> const& m) {
    return m.column_stride == 1 && is_aligned(m.data, 16) && m.row_stride % vector_of<T> == 0 &&
           m.columns % vector_of<T> == 0;
  };
  std::int64_t const loads = (x.columns + vector_of<T> - 1) / vector_of<T>;  // of 16 bytes, of a row
  auto const run = [&]<bool VECTOR>() {
    if (loads <= 8) return launch<T, Offset, 8, 1, VECTOR, false>(args, stream);
    if (VECTOR && loads <= 16) return launch<T, Offset, 8, 2, true, false>(args, stream);
    if (loads <= 32) return launch<T, Offset, 8, 4, VECTOR, false>(args, stream);
    if (VECTOR && loads <= 64) return launch<T, Offset, 16, 4, true, false>(args, stream);
    launch<T, Offset, 16, 4, VECTOR, true>(args, stream);
  };
  if (fits(x) && fits(y))
    run.template operator()<true>();
  else
    run.template operator()<false>();
}

#define ARAIA_CUDA_SDDMM(T, F)                                                                    \
  template void csr_sddmm(CsrPointers<T, std::int32_t, F> const&, T, DenseMatrix<T const> const&, \
                          DenseMatrix<T const> const&, T, T*, int, cudaStream_t, CsrSddmmTuning const*);
ARAIA_CUDA_SDDMM(double, std::int32_t)
ARAIA_CUDA_SDDMM(double, std::int64_t)
ARAIA_CUDA_SDDMM(float, std::int32_t)
ARAIA_CUDA_SDDMM(float, std::int64_t)
#undef ARAIA_CUDA_SDDMM

}  // namespace araia::cuda
