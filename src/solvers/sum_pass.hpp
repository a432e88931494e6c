// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A pass over the rows of vectors that forms up to two sums and then runs one thread with them, and a pass without
// sums. Rows: start() is called once a thread and gives what is called with a row and the two sums; or what has
// read(i), and finish(i, what was read, sums), where several rows are read before the first is written. Finish: is
// called once, with the sums.
// Mapping  league: chunks of 4096 rows or more | threads: rows; then one team adds the chunks' sums. On CUDA one
//          kernel: as many blocks as the device holds, and the block that ends last adds up. The same bits in every run
//          and, on hosts, on any number of threads: chunks depend on the rows alone, on CUDA on the device too.
// Traffic  that of Rows, and 16 bytes a chunk. Atomics: none but a counter of blocks.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>

#include <araia/detail/dispatch/cuda_space.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/team_shape.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include "backends/cuda/check.hpp"
#endif

namespace araia::detail {

/// Two sums, as Kokkos reduces them.
struct TwoSums {
  double first = 0;
  double second = 0;
  KOKKOS_INLINE_FUNCTION TwoSums& operator+=(TwoSums const& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
};

}  // namespace araia::detail

template <>
struct Kokkos::reduction_identity<araia::detail::TwoSums> {
  KOKKOS_FORCEINLINE_FUNCTION static araia::detail::TwoSums sum() { return {}; }
};

namespace araia::detail {

/// Does it read before it writes, in a step of its own?
template <class Row>
concept ReadsFirst = requires(Row const& row) {
  row.read(std::int64_t{});
};

/// One row, whichever way; sums are none or one TwoSums.
template <class Row, class... Sums>
KOKKOS_FORCEINLINE_FUNCTION void do_row(Row const& row, std::int64_t i, Sums&... sums) {
  if constexpr (ReadsFirst<Row>)
    row.finish(i, row.read(i), sums...);
  else
    row(i, sums...);
}

inline constexpr std::int64_t fewest_rows_of_sum = 4096;
inline constexpr std::int64_t most_chunks_of_sum = 4096;

/// Workspace of sum_pass: one pass at a time.
template <class Exec>
class ChunkSums {
 public:
  ChunkSums() = default;
  explicit ChunkSums(Exec const& exec)
      : sums_(new_array<double, typename Exec::device_type>(exec, "araia::cg::parts", 2 * most_chunks_of_sum + 1)) {
    fill_array(exec, sums_, 0.0);
  }
  [[nodiscard]] TwoSums* sums() const { return reinterpret_cast<TwoSums*>(sums_.data()); }
  /// Of CUDA: blocks that are done; as bits, zero is zero.
  [[nodiscard]] unsigned* arrived() const { return reinterpret_cast<unsigned*>(sums_.data() + 2 * most_chunks_of_sum); }
  [[nodiscard]] std::uint64_t bytes() const { return sums_.size() * sizeof(double); }

 private:
  Kokkos::View<double*, typename Exec::device_type> sums_;
};

#ifdef KOKKOS_ENABLE_CUDA
namespace cuda_sums {

inline constexpr int threads = 256;

__device__ inline TwoSums block_sums(TwoSums sum) {
  __shared__ TwoSums of_warps[threads / 32];
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    sum.first += __shfl_xor_sync(0xffffffffu, sum.first, offset);
    sum.second += __shfl_xor_sync(0xffffffffu, sum.second, offset);
  }
  __syncthreads();  // earlier sums were read
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();  // every warp's are there
  TwoSums total;
  if (threadIdx.x == 0)
    for (int warp = 0; warp < threads / 32; ++warp) total += of_warps[warp];
  return total;
}

/// A thread's rows, which lie the grid's width apart.
template <class Row, class... Sums>
__device__ __forceinline__ void rows_of_thread(std::int64_t n, Row const& row, Sums&... sums) {
  std::int64_t const stride = static_cast<std::int64_t>(gridDim.x) * threads;
  std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if constexpr (ReadsFirst<Row>) {
    constexpr int together = 4;  // on their way at once
    for (; i + (together - 1) * stride < n; i += together * stride) {
      decltype(row.read(i)) read[together];
#pragma unroll
      for (int k = 0; k < together; ++k) read[k] = row.read(i + k * stride);
#pragma unroll
      for (int k = 0; k < together; ++k) row.finish(i + k * stride, read[k], sums...);
    }
  }
  for (; i < n; i += stride) do_row(row, i, sums...);
}

template <class Rows, class Finish>
__global__ void __launch_bounds__(threads)
    sum_rows(std::int64_t n, Rows rows, Finish finish, TwoSums* chunk_sums, unsigned* arrived) {
  __shared__ bool is_last;
  auto const row = rows.start();
  TwoSums sum;
  rows_of_thread(n, row, sum);
  TwoSums const own = block_sums(sum);
  if (threadIdx.x == 0) {
    chunk_sums[blockIdx.x] = own;
    __threadfence();
    is_last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();  // is_last is known
  if (!is_last) return;
  __threadfence();
  TwoSums total;
  for (unsigned p = threadIdx.x; p < gridDim.x; p += threads) {
    total.first += __ldcg(&chunk_sums[p].first);
    total.second += __ldcg(&chunk_sums[p].second);
  }
  total = block_sums(total);
  if (threadIdx.x == 0) {
    finish(total);
    *arrived = 0;
  }
}

template <class Rows>
__global__ void __launch_bounds__(threads) each_row(std::int64_t n, Rows rows) {
  rows_of_thread(n, rows.start());
}

/// Blocks that the device holds at once, and no more than there are rows for.
inline unsigned blocks(std::int64_t n, char const* label) {
  std::int64_t const fit = std::int64_t{cuda::multiprocessors_of_device(label)} * (2048 / threads);
  return static_cast<unsigned>(
      std::clamp<std::int64_t>((n + threads - 1) / threads, 1, std::min(fit, most_chunks_of_sum)));
}

}  // namespace cuda_sums
#endif

/// Host: the rows of a chunk; four sums side by side, as one waits for each addition.
template <class Row>
KOKKOS_FUNCTION static TwoSums sum_of_chunk(Row const& row, std::int64_t first, std::int64_t last) {
  TwoSums sums[4];
  std::int64_t i = first;
  for (; i + 4 <= last; i += 4)
    for (int k = 0; k < 4; ++k) do_row(row, i + k, sums[k]);
  for (; i < last; ++i) do_row(row, i, sums[0]);
  sums[0] += sums[1];
  sums[2] += sums[3];
  sums[0] += sums[2];
  return sums[0];
}

/// A team's rows; the sum is the one thread's that asks Kokkos::single.
template <class Exec, class Team, class Row>
KOKKOS_FUNCTION static TwoSums sum_of_team(Team const& team, Row const& row, std::int64_t first, std::int64_t last) {
  if constexpr (shares_loops<Exec>) {
    return sum_of_chunk(row, first, last);
  } else {
    TwoSums sum;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t i, TwoSums& own) { do_row(row, i, own); },
        Kokkos::Sum<TwoSums>(sum));
    return sum;
  }
}

template <class Exec, class Rows, class Finish>
static void sum_pass(Exec const& exec, char const* label, std::int64_t n, ChunkSums<Exec> const& workspace,
                     Rows const& rows, Finish const& finish) {
  if constexpr (is_cuda_space<Exec>) {
#ifdef KOKKOS_ENABLE_CUDA
    cuda_sums::sum_rows<<<cuda_sums::blocks(n, label), cuda_sums::threads, 0, exec.cuda_stream()>>>(
        n, rows, finish, workspace.sums(), workspace.arrived());
    cuda::check_launch(label);
#endif
  } else {
    std::int64_t const rows_of_chunk = std::max(fewest_rows_of_sum, n / most_chunks_of_sum + 1);
    std::int64_t const chunks = std::max<std::int64_t>(1, (n + rows_of_chunk - 1) / rows_of_chunk);
    if constexpr (shares_loops<Exec>) {
      if (chunks == 1) {  // a parallel region would take longer
        exec.fence(label);
        finish(sum_of_chunk(rows.start(), 0, n));
        return;
      }
    }
    using Policy = Kokkos::TeamPolicy<Exec>;
    int const team_size = is_device_space<Exec> ? device_block : 1;
    auto* const sums = workspace.sums();
    for_each_team(
        label, Policy(exec, static_cast<int>(chunks), team_size),
        KOKKOS_LAMBDA(typename Policy::member_type const& team) {
          std::int64_t const first = team.league_rank() * rows_of_chunk;
          std::int64_t const last = Kokkos::min(first + rows_of_chunk, n);
          auto const row = rows.start();
          TwoSums const sum = sum_of_team<Exec>(team, row, first, last);
          Kokkos::single(Kokkos::PerTeam(team), [&] { sums[team.league_rank()] = sum; });
        });
    for_each_team(
        label, Policy(exec, 1, 1), KOKKOS_LAMBDA(typename Policy::member_type const&) {
          TwoSums total;
          for (std::int64_t p = 0; p < chunks; ++p) total += sums[p];
          finish(total);
        });
  }
}

/// row(i) for every row.
template <class Exec, class Rows>
static void row_pass(Exec const& exec, char const* label, std::int64_t n, Rows const& rows) {
  if (n == 0) return;
  if constexpr (is_cuda_space<Exec>) {
#ifdef KOKKOS_ENABLE_CUDA
    cuda_sums::each_row<<<cuda_sums::blocks(n, label), cuda_sums::threads, 0, exec.cuda_stream()>>>(n, rows);
    cuda::check_launch(label);
#endif
  } else {
    if constexpr (shares_loops<Exec>) {
      if (n <= fewest_rows_of_sum) {
        exec.fence(label);
        auto const row = rows.start();
        for (std::int64_t i = 0; i < n; ++i) do_row(row, i);
        return;
      }
    }
    using Policy = Kokkos::TeamPolicy<Exec>;
    std::int64_t const rows_of_chunk = std::max(fewest_rows_of_sum, n / most_chunks_of_sum + 1);
    int const team_size = is_device_space<Exec> ? device_block : 1;
    for_each_team(
        label, Policy(exec, static_cast<int>((n + rows_of_chunk - 1) / rows_of_chunk), team_size),
        KOKKOS_LAMBDA(typename Policy::member_type const& team) {
          std::int64_t const first = team.league_rank() * rows_of_chunk;
          std::int64_t const last = Kokkos::min(first + rows_of_chunk, n);
          auto const row = rows.start();
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::int64_t i) { do_row(row, i); });
        });
  }
}

}  // namespace araia::detail
