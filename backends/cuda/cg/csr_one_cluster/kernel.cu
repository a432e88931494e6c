// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conjugate gradients in one launch, A in CSR as packing.hpp cuts it up.
// Mapping  grid: clusters side by side, a system each at a time | block: a part of the rows, 1, 2, 4 or 8 a thread,
// with
//          x, r, p, s = A p, the diagonal, its inverse and up to four entries a row in registers
// Step     u = M^-1 r is published: stored to the block's vector, sent to the halos of blocks that need it
//          own columns are gathered while halos come, then halo columns: w = A u
//          r'u, w'u and r'r are summed: threads' sums by three warps, then each block's sums are sent to all blocks and
//          every warp adds them in the same order, so that all threads of the cluster decide alike
// Order    values for other blocks go by st.async, whose arrival a barrier of the receiver counts and releases to the
//          cluster; receivers acquire at that scope (barrier_wait_cluster). A halo is written again only after the sums
//          of all blocks have come, and a block sends its sum, which depends on all that its threads have read, behind
//          a __syncthreads. Sums have two places each, taken in turn: a block that is ahead by one exchange writes the
//          other one, and it cannot be ahead by two. There is no barrier of the cluster in an iteration.
// Shared   the vector; entries beyond four a row and halo entries, 10 B each; 8 B a value to send
// Suits    up to some 30,000 rows of few entries: sums and waits are what an iteration takes, not gathers.

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "backends/cuda/cg/csr_one_cluster/kernel.hpp"
#include "backends/cuda/check.hpp"
#include "backends/cuda/clusters.cuh"
#include "backends/cuda/mbarriers.cuh"
#include "backends/cuda/overlap.cuh"
#include "backends/cuda/shared_memory.hpp"

namespace araia::cuda::one_cluster {
namespace {

constexpr char const* label = "araia::cg::csr::one_cluster";

struct Arguments {
  std::uint32_t const* words;
  Layout layout;
  Systems systems;
  Stop stop;
  Result* results;
  double* history;
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/// By all lanes. The sums over k of b (4, 8), whose entry (lane % 4, lane / 4) a lane has: columns 2 (lane % 4) and the
/// next.
__device__ __forceinline__ double2 column_sums(double b) {
  double2 d;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %4};"
               : "=d"(d.x), "=d"(d.y)
               : "d"(1.0), "d"(b), "d"(0.0));
  return d;
}

/// Over the lanes of a warp, which all get it. The tensor cores are through in two steps; shuffles take five.
__device__ __forceinline__ double total_of_warp(double value) {
  double2 const columns = column_sums(value);  // of lanes 8 (lane % 4) and the three next, and four more
  double const pair = columns.x + columns.y;   // the same for all lanes of one lane % 4
  return column_sums(pair).x;
}

// Barriers in shared memory: one of the halo, two of sums.
constexpr unsigned halo_barrier = 0;
constexpr unsigned sum_barriers = 8;

/// 1 / v to an ulp or two, of normal numbers; zero or infinite near the ends of the range.
__device__ __forceinline__ double reciprocal(double v) {
  double y;  // 20 bits
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(v));
  y = fma(y, fma(-v, y, 1.0), y);
  return fma(y, fma(-v, y, 1.0), y);
}

struct Sums {
  double first, second, third;
};

/// What a thread knows of its block.
template <int cluster, int K>
struct Member {
  unsigned char* shared;
  unsigned base;  // address of `shared`
  unsigned rank;
  int thread, threads;
  unsigned peer;  // `shared` of the block whose rank is the lane's
  double* values;
  std::uint16_t* columns;
  uint2* targets;
  uint4* longs;
  int long_count;
  int inbound;
  // With eight rows a thread registers are short: what shared memory also has is read there.
  static constexpr bool registers_are_short = K == most_rows_of_thread;
  uint2 slice_words[registers_are_short ? 1 : K];
  unsigned own_columns[K][register_entries / 2];
  double own_values[K][register_entries];
  double diagonal[K];
  unsigned exchanges = 0;
  unsigned halo_phase = 0;

  __device__ __forceinline__ double* sums() const { return reinterpret_cast<double*>(shared + shared_sums_at); }
  __device__ __forceinline__ double* partials() const { return reinterpret_cast<double*>(shared + shared_partials_at); }
  __device__ __forceinline__ double& vector(unsigned offset) const {
    return *reinterpret_cast<double*>(shared + shared_head + offset);
  }
  __device__ __forceinline__ double entry(unsigned e) const { return values[e] * vector(columns[e]); }
  __device__ __forceinline__ unsigned place(int k) const { return static_cast<unsigned>(k * threads + thread); }
  /// Of entries, of targets: SliceWords.
  __device__ __forceinline__ uint2 slice(int k) const {
    if constexpr (registers_are_short)
      return reinterpret_cast<uint2 const*>(shared + shared_slices_at)[place(k) / 32];
    else
      return slice_words[k];
  }

  /// All threads of the block have stored their own rows' values of the vector when this returns.
  __device__ __forceinline__ void publish(double const (&u)[K]) const {
    if constexpr (cluster > 1) {  // first, as it takes longest; rows at the rim come last
#pragma unroll
      for (int k = K - 1; k >= 0; --k) {
        unsigned const word = slice(k).y;
        unsigned const count = word & ((1u << SliceWords::count_bits) - 1);
        uint2 const* const of_lane = targets + (word >> SliceWords::count_bits) * 32 + thread % 32;
#pragma unroll 1
        for (unsigned j = 0; j < count; ++j) {
          uint2 const target = of_lane[j * 32];
          if (target.x != 0) store_behind(target.x, u[k], target.y);
        }
      }
    }
#pragma unroll
    for (int k = 0; k < K; ++k) vector(place(k) * 8) = u[k];
    __syncthreads();
    if (long_count > 0) send_long_sums();
  }

  __device__ __forceinline__ void send_long_sums() const {
#pragma unroll 1
    for (int l = thread / 32; l < long_count; l += threads / 32) {
      uint4 const chunk = longs[l];
      double sum = 0;
#pragma unroll 1
      for (unsigned e = chunk.x + static_cast<unsigned>(thread % 32); e < chunk.y; e += 32) sum += entry(e);
      sum = total_of_warp(sum);
      if (thread % 32 != 0) continue;
      if constexpr (cluster > 1)
        store_behind(chunk.z, sum, chunk.w);
      else
        vector(chunk.z) = sum;
    }
    if constexpr (cluster == 1) __syncthreads();  // sums are there
  }

  /// w = A u of the vector that was published.
  __device__ __forceinline__ void multiply(double const (&u)[K], double (&w)[K]) {
    constexpr unsigned count_mask = (1u << SliceWords::count_bits) - 1;
    constexpr unsigned pair_mask = (1u << SliceWords::pair_bits) - 1;
    auto const own_count = [](unsigned word) {
      return word >> (SliceWords::pair_bits + SliceWords::count_bits) & count_mask;
    };
    auto const halo_count = [](unsigned word) { return word >> SliceWords::pair_bits & count_mask; };
    auto const begin = [&](unsigned word) {
      return (word >> (SliceWords::pair_bits + 2 * SliceWords::count_bits)) * 32 + static_cast<unsigned>(thread % 32);
    };
    auto const halo_begin = [&](unsigned word) { return begin(word) + own_count(word) * 32; };
#pragma unroll
    for (int k = 0; k < K; ++k) {
      w[k] = diagonal[k] * (registers_are_short ? vector(place(k) * 8) : u[k]);
      unsigned const pairs = slice(k).x & pair_mask;
#pragma unroll
      for (unsigned p = 0; p < register_entries / 2; ++p)
        if (p < pairs) {
          w[k] += own_values[k][2 * p] * vector(own_columns[k][p] & 0xffffu);
          w[k] += own_values[k][2 * p + 1] * vector(own_columns[k][p] >> 16);
        }
    }
#pragma unroll
    for (int k = 0; k < K; ++k) {
      unsigned const word = slice(k).x;
#pragma unroll 1
      for (unsigned j = 0; j < own_count(word); ++j) w[k] += entry(begin(word) + j * 32);
    }
    // What each row's first halo entry is, before the wait.
    double first_value[registers_are_short ? 1 : K];
    unsigned first_column[registers_are_short ? 1 : K];
    if constexpr (!registers_are_short) {
#pragma unroll
      for (int k = 0; k < K; ++k)
        if (halo_count(slice(k).x) > 0) {
          unsigned const first = halo_begin(slice(k).x);
          first_value[k] = values[first];
          first_column[k] = columns[first];
        }
    }
    if (cluster > 1 && inbound > 0) {
      barrier_wait_cluster(base + halo_barrier, halo_phase);
      halo_phase ^= 1;
      if (thread == 0) barrier_expect(base + halo_barrier, inbound);
    }
#pragma unroll
    for (int k = 0; k < K; ++k) {
      unsigned const word = slice(k).x;
      if (halo_count(word) == 0) continue;
      if constexpr (registers_are_short)
        w[k] += entry(halo_begin(word));
      else
        w[k] += first_value[k] * vector(first_column[k]);
#pragma unroll 1
      for (unsigned j = 1; j < halo_count(word); ++j) w[k] += entry(halo_begin(word) + j * 32);
    }
  }

  /// Sums over all threads of the cluster, the same bits in each. All of a block's threads have read the vector once
  /// any of them returns.
  __device__ __forceinline__ Sums add_up(Sums const& mine) {
    partials()[thread] = mine.first;
    partials()[most_threads + thread] = mine.second;
    partials()[2 * most_threads + thread] = mine.third;
    __syncthreads();  // all partial sums are there
    unsigned const parity = exchanges & 1;
    unsigned const phase = exchanges >> 1 & 1;
    ++exchanges;
    unsigned const place = parity * 3 * most_blocks;
    int const lane = thread % 32;
    for (int v = thread / 32; v < 3; v += threads / 32) {
      auto const* const of_lane = reinterpret_cast<double2 const*>(partials() + v * most_threads) + lane;
      double2 part[most_threads / 64];  // places of absent threads hold zero
#pragma unroll
      for (int j = 0; j < most_threads / 64; ++j) part[j] = of_lane[j * 32];
      static_assert(most_threads == 256);
      double const total = total_of_warp(((part[0].x + part[0].y) + (part[1].x + part[1].y)) +
                                         ((part[2].x + part[2].y) + (part[3].x + part[3].y)));
      unsigned const slot = place + static_cast<unsigned>(v) * most_blocks + rank;
      if constexpr (cluster > 1) {
        if (lane < cluster) store_behind(peer + shared_sums_at + slot * 8, total, peer + sum_barriers + parity * 8);
      } else {
        if (lane == 0) sums()[slot] = total;
      }
    }
    double const* const from = sums() + place;
    if constexpr (cluster == 1) {
      __syncthreads();  // all three are there
      return {from[0], from[most_blocks], from[2 * most_blocks]};
    } else {
      barrier_wait_cluster(base + sum_barriers + parity * 8, phase);
      if (thread == 0) barrier_expect(base + sum_barriers + parity * 8, 3 * 8 * cluster);
      // Columns of the tensor cores' operand are a sum each, even ones the first and odd ones the second.
      auto const of_ranks = [&](int v) {
        double const* const of_sum = from + v * most_blocks;
        if constexpr (cluster == 16) {
          double2 const a = reinterpret_cast<double2 const*>(of_sum)[lane % 4 * 2];
          double2 const b = reinterpret_cast<double2 const*>(of_sum)[lane % 4 * 2 + 1];
          return (a.x + a.y) + (b.x + b.y);
        } else if constexpr (cluster == 8) {
          double2 const a = reinterpret_cast<double2 const*>(of_sum)[lane % 4];
          return a.x + a.y;
        } else {
          return of_sum[lane % 4];  // zero beyond the cluster
        }
      };
      double2 const both = column_sums(of_ranks(lane / 4 % 2));
      double2 const last = column_sums(of_ranks(2));
      return {both.x, both.y, last.x};
    }
  }
};

/// Of one system: which entry of its values stands there.
__device__ __forceinline__ double value_of(double const* values, std::uint32_t source) {
  auto const entry = static_cast<std::int32_t>(source);
  return entry >= 0 ? values[entry] : entry == source_one ? 1.0 : 0.0;
}

/// Everything that systems have in common; afterwards all blocks of the cluster are ready to be sent to.
template <int cluster, int K>
__device__ __forceinline__ Member<cluster, K> enter(Arguments const& a, unsigned char* shared,
                                                    BlockWords const& block) {
  Member<cluster, K> m;
  Layout const& l = a.layout;
  m.shared = shared;
  m.base = shared_address(shared);
  m.rank = cluster > 1 ? cluster_rank() : 0;
  m.thread = static_cast<int>(threadIdx.x);
  m.threads = static_cast<int>(blockDim.x);
  m.peer = cluster > 1 ? shared_of_rank(m.base, m.thread % cluster) : m.base;
  unsigned char* const behind = shared + shared_head + l.vector_bytes;
  m.values = reinterpret_cast<double*>(behind);
  m.columns = reinterpret_cast<std::uint16_t*>(behind + l.values_bytes);
  m.targets = reinterpret_cast<uint2*>(behind + l.values_bytes + l.columns_bytes);
  m.longs = reinterpret_cast<uint4*>(behind + l.values_bytes + l.columns_bytes + l.targets_bytes);
  m.long_count = block.longs;
  m.inbound = block.inbound;

  for (int k = m.thread; k < 2 * 3 * most_blocks; k += m.threads) m.sums()[k] = 0;
  for (int k = m.thread; k < 3 * most_threads; k += m.threads) m.partials()[k] = 0;
  std::uint32_t const* const entry_columns = a.words + l.entry_columns_at + block.first_entry;
  for (int e = m.thread; e < block.entries; e += m.threads) m.columns[e] = static_cast<std::uint16_t>(entry_columns[e]);
  auto const vector_of = [&](std::uint32_t target) {
    return shared_of_rank(m.base + shared_head + (target & 0xffffu), static_cast<int>(target >> 16));
  };
  auto const barrier_of = [&](std::uint32_t target) {
    return shared_of_rank(m.base + halo_barrier, static_cast<int>(target >> 16));
  };
  for (int e = m.thread; cluster > 1 && e < block.targets; e += m.threads) {
    std::uint32_t const target = a.words[l.targets_at + block.first_target + e];
    m.targets[e] = target == no_target ? uint2{0, 0} : uint2{vector_of(target), barrier_of(target)};
  }
  for (int e = m.thread; e < block.longs; e += m.threads) {
    auto const chunk = reinterpret_cast<LongWords const*>(a.words + l.longs_at)[block.first_long + e];
    auto const begin = static_cast<unsigned>(chunk.begin);
    auto const end = static_cast<unsigned>(chunk.begin + chunk.entries);
    m.longs[e] = cluster > 1 ? uint4{begin, end, vector_of(chunk.target), barrier_of(chunk.target)}
                             : uint4{begin, end, chunk.target & 0xffffu, 0};
  }
  auto const block_rows = static_cast<unsigned>(K * m.threads);
  unsigned const slices = block_rows / 32;
#pragma unroll
  for (int k = 0; k < K; ++k) {
    unsigned const place = m.place(k);
    std::uint32_t const* const words = a.words + l.slices_at + 2 * m.rank * slices + place / 32;
    uint2 const both{words[0], words[slices]};
    if constexpr (Member<cluster, K>::registers_are_short)
      reinterpret_cast<uint2*>(shared + shared_slices_at)[place / 32] = both;  // by all lanes alike
    else
      m.slice_words[k] = both;
#pragma unroll
    for (unsigned p = 0; p < register_entries / 2; ++p)
      m.own_columns[k][p] = a.words[l.columns_at + (m.rank * (register_entries / 2) + p) * block_rows + place];
  }
  if constexpr (cluster > 1) {
    if (m.thread == 0) {
      barrier_init(m.base + halo_barrier, 1);
      barrier_init(m.base + sum_barriers, 1);
      barrier_init(m.base + sum_barriers + 8, 1);
      fence_barrier_init();
      if (m.inbound > 0) barrier_expect(m.base + halo_barrier, m.inbound);
      barrier_expect(m.base + sum_barriers, 3 * 8 * cluster);
      barrier_expect(m.base + sum_barriers + 8, 3 * 8 * cluster);
    }
    cluster_sync();  // barriers of all blocks are there, and zeros behind which sums are sent
  }
  return m;
}

template <int cluster, int K>
__device__ __forceinline__ void solve_one(Arguments const& a, Member<cluster, K>& m, BlockWords const& block,
                                          std::int64_t system) {
  Layout const& l = a.layout;
  double const* const values = a.systems.values + system * a.systems.values_stride;
  double const* const rhs = a.systems.rhs + system * a.systems.rhs_stride;
  double* const solution = a.systems.solution + system * a.systems.solution_stride;
  auto const block_rows = static_cast<unsigned>(K * m.threads);
  auto const row_of = [&](int k) {
    return static_cast<std::int32_t>(a.words[l.rows_at + m.rank * block_rows + m.place(k)]);
  };
  double x[K], r[K], p[K], s[K], inverse[K], w[K], u[K];

  std::uint32_t const* const entry_sources = a.words + l.entry_sources_at + block.first_entry;
  for (int e = m.thread; e < block.entries; e += m.threads) m.values[e] = value_of(values, entry_sources[e]);
#pragma unroll
  for (int k = 0; k < K; ++k) {
    unsigned const place = m.place(k);
    m.diagonal[k] = value_of(values, a.words[l.diagonals_at + m.rank * block_rows + place]);
    inverse[k] = a.stop.jacobi && m.diagonal[k] > 0 ? 1 / m.diagonal[k] : 1;
#pragma unroll
    for (unsigned e = 0; e < register_entries; ++e)
      m.own_values[k][e] =
          value_of(values, a.words[l.sources_at + (m.rank * register_entries + e) * block_rows + place]);
    std::int32_t const row = row_of(k);
    x[k] = row >= 0 ? solution[row] : 0;
    r[k] = row >= 0 ? rhs[row] : 0;
  }

  m.publish(x);
  m.multiply(x, w);
  Sums mine{0, 0, 0};
#pragma unroll
  for (int k = 0; k < K; ++k) {
    mine.first += r[k] * r[k];
    r[k] -= w[k];
    p[k] = s[k] = 0;
    u[k] = inverse[k] * r[k];
  }
  double const rhs_squares = m.add_up(mine).first;
  double const enough = a.stop.tolerance * a.stop.tolerance * rhs_squares;
  bool const reports = m.rank == 0 && m.thread == 0;
  if (reports) a.results[system].rhs_squares = rhs_squares;
  auto const record = [&](int iteration, double squares) {
    if (a.history != nullptr && reports)
      a.history[system * (std::int64_t{a.stop.max_iterations} + 1) + iteration] = squares;
  };
  int iteration = 0;
  Status status = Status::converged;
  Sums sum{0, 0, 0};  // r'u, w'u, r'r
  double inverse_gamma = 0;
  double inverse_alpha = 0;
  if (rhs_squares == 0) {
#pragma unroll
    for (int k = 0; k < K; ++k) x[k] = 0;
    record(0, 0);
  } else if (!(rhs_squares < HUGE_VAL)) {
    status = Status::breakdown;
    sum.third = rhs_squares;
    record(0, rhs_squares);
  } else {
    m.publish(u);
#pragma unroll 1
    for (;;) {
      m.multiply(u, w);
      mine = {0, 0, 0};
#pragma unroll
      for (int k = 0; k < K; ++k) {
        u[k] = inverse[k] * r[k];  // what it is, but held in no register meanwhile
        mine.first += r[k] * u[k];
        mine.second += w[k] * u[k];
        mine.third += r[k] * r[k];
      }
      sum = m.add_up(mine);
      record(iteration, sum.third);
      double const beta = sum.first * inverse_gamma;
      double const curvature = sum.second - beta * sum.first * inverse_alpha;  // p'Ap
      double const alpha = sum.first * reciprocal(curvature);                  // while ends are tested
      if (!(sum.third > enough && curvature > 0 && sum.first > 0) || iteration == a.stop.max_iterations) {
        status = sum.third <= enough                  ? Status::converged
                 : !(sum.third < HUGE_VAL)            ? Status::breakdown
                 : iteration == a.stop.max_iterations ? Status::max_iterations
                 : curvature <= 0 && sum.first > 0    ? Status::indefinite
                                                      : Status::breakdown;
        break;
      }
#pragma unroll
      for (int k = 0; k < K; ++k) {
        if constexpr (Member<cluster, K>::registers_are_short) {
          asm volatile("" : "+d"(r[k]));  // so that the product below is not kept from above
          u[k] = inverse[k] * r[k];
        }
        p[k] = u[k] + beta * p[k];
        s[k] = w[k] + beta * s[k];
        r[k] -= alpha * s[k];
        u[k] = inverse[k] * r[k];
      }
      m.publish(u);
#pragma unroll
      for (int k = 0; k < K; ++k) x[k] += alpha * p[k];
      inverse_gamma = reciprocal(sum.first);
      inverse_alpha = curvature * inverse_gamma;
      ++iteration;
    }
  }
#pragma unroll
  for (int k = 0; k < K; ++k) {
    std::int32_t const row = row_of(k);
    if (row >= 0) solution[row] = x[k];
  }
  if (reports) {
    a.results[system].residual_squares = sum.third;
    a.results[system].iterations = iteration;
    a.results[system].status = status;
  }
}

#endif

template <int cluster, int K>
__global__ void __launch_bounds__(most_threads, 1) solve_kernel(__grid_constant__ Arguments const a) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  extern __shared__ __align__(16) unsigned char shared[];
  auto const rank = blockIdx.x % cluster;
  BlockWords const block = reinterpret_cast<BlockWords const*>(a.words + a.layout.blocks_at)[rank];
  Member<cluster, K> m = enter<cluster, K>(a, shared, block);
  for (std::int64_t system = blockIdx.x / cluster; system < a.systems.count; system += gridDim.x / cluster)
    solve_one<cluster, K>(a, m, block, system);
  if constexpr (cluster > 1) cluster_sync();  // no block leaves while others may still send to it
#endif
}

using Kernel = void (*)(Arguments);

template <int cluster>
Kernel kernel_of(int rows_of_thread) {
  switch (rows_of_thread) {
    case 1: return solve_kernel<cluster, 1>;
    case 2: return solve_kernel<cluster, 2>;
    case 4: return solve_kernel<cluster, 4>;
    default: return solve_kernel<cluster, 8>;
  }
}
Kernel kernel_of(Shape const& shape) {
  switch (shape.cluster) {
    case 1: return kernel_of<1>(shape.rows_of_thread);
    case 2: return kernel_of<2>(shape.rows_of_thread);
    case 4: return kernel_of<4>(shape.rows_of_thread);
    case 8: return kernel_of<8>(shape.rows_of_thread);
    default: return kernel_of<16>(shape.rows_of_thread);
  }
}

/// Lets the kernel be launched so. Eight blocks a cluster are what every device of 9.0 has; more are asked for.
void allow(Shape const& shape, std::size_t shared_bytes) {
  Kernel const kernel = kernel_of(shape);
  allow_shared_memory(kernel, shared_bytes, label);
  if (shape.cluster > 8)
    check(
        cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
        label);
}

/// Clusters that the device holds at once; 0 where it has no such ones.
int resident_clusters(Shape const& shape, std::size_t shared_bytes) {
  auto const* const kernel = reinterpret_cast<void const*>(kernel_of(shape));
  int count = 0;
  if (shape.cluster == 1) {
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, shape.threads, shared_bytes), label);
    return count * multiprocessors_of_device(label);
  }
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(shape.cluster), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(shape.cluster));
  config.blockDim = dim3(static_cast<unsigned>(shape.threads));
  config.dynamicSmemBytes = shared_bytes;
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (cudaOccupancyMaxActiveClusters(&count, kernel, &config) != cudaSuccess) {
    clear_error();
    return 0;
  }
  return count;
}

/// Microseconds that an iteration is expected to take: sums and exchanges, and what a thread block's rows add. Fitted
/// to an H200.
double expected_microseconds(std::int64_t rows, int cluster) {
  double const base = cluster == 1 ? 0.6 : 1.05;
  constexpr double of_row = 0.55e-3;
  return base + of_row * static_cast<double>((rows + cluster - 1) / cluster);
}

/// Why the current device has no such kernel; empty where it has.
std::string refusal_of_device(std::size_t& shared_bytes) {
  int device = 0;
  int most = 0;
  int major = 0;
  check(cudaGetDevice(&device), label);
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), label);
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), label);
  shared_bytes = static_cast<std::size_t>(most);
  if (major < 9) return "the device has no clusters of thread blocks, which compute capability 9.0 brings";
  cudaFuncAttributes attributes{};
  cudaError_t const found = cudaFuncGetAttributes(&attributes, reinterpret_cast<void const*>(kernel_of(Shape{})));
  bool const is_absent = found == cudaErrorNoKernelImageForDevice || found == cudaErrorInvalidDeviceFunction;
  if (is_absent)
    clear_error();
  else
    check(found, label);
  if (is_absent || attributes.ptxVersion < 90) return "the library was built for architectures before 9.0 only";
  return {};
}

}  // namespace

template <class Offset>
Plan make_plan(std::int64_t rows, Offset const* row_offsets, std::int32_t const* col_indices, std::int64_t systems,
               int cluster) {
  if (rows < 1 || systems < 1)
    throw Error(ErrorKind::invalid_argument, "araia: one_cluster::make_plan: rows is " + std::to_string(rows) +
                                                 " and systems " + std::to_string(systems) + ", expected 1 at least");
  Plan plan;
  std::size_t most_shared = 0;
  plan.refusal = refusal_of_device(most_shared);
  if (!plan.refusal.empty()) return plan;
  struct Form {
    double microseconds;
    Shape shape;
  };
  std::vector<Form> forms;
  for (int const blocks : {1, 2, 4, 8, 16}) {
    if ((cluster != 0 && blocks != cluster) || rows > most_rows(blocks)) continue;
    Shape const shape = shape_of(rows, blocks);
    // The vector is what every packing has; entries come on top.
    std::size_t const least = shared_head + static_cast<std::size_t>(shape.block_rows()) * sizeof(double);
    if (least > most_shared) continue;
    allow(shape, least);
    int const at_once = resident_clusters(shape, least);
    if (at_once == 0) continue;
    auto const turns = static_cast<double>((systems + at_once - 1) / at_once);
    forms.push_back({turns * expected_microseconds(rows, blocks), shape});
  }
  std::ranges::sort(forms, {}, &Form::microseconds);
  plan.refusal = std::to_string(rows) + " rows are more than a cluster that the device can hold takes";
  for (Form const& form : forms) {
    plan.packing = pack(rows, row_offsets, col_indices, form.shape, plan.refusal);
    if (!plan.refusal.empty()) continue;
    std::size_t const needed = plan.packing.layout.shared_bytes();
    if (needed > most_shared) {
      plan.refusal = form.shape.name() + " needs " + std::to_string(needed) + " bytes of shared memory a block, of " +
                     std::to_string(most_shared);
    } else {
      allow(form.shape, needed);
      plan.clusters = resident_clusters(form.shape, needed);
      if (plan.clusters > 0) return plan;
      plan.refusal = "the device cannot hold " + form.shape.name();
    }
    plan.packing = {};
  }
  return plan;
}

template Plan make_plan(std::int64_t, std::int32_t const*, std::int32_t const*, std::int64_t, int);
template Plan make_plan(std::int64_t, std::int64_t const*, std::int32_t const*, std::int64_t, int);

void solve(Plan const& plan, std::uint32_t const* words, Systems const& systems, Stop const& stop, Result* results,
           double* history, cudaStream_t stream) {
  if (!plan.refusal.empty() || plan.clusters < 1)
    throw Error(ErrorKind::invalid_argument,
                "araia: one_cluster::solve: plan is refused (" + plan.refusal + "), expected one without refusal");
  if (systems.count < 0 || stop.max_iterations < 0 || !(stop.tolerance >= 0))
    throw Error(ErrorKind::invalid_argument, "araia: one_cluster::solve: count is " + std::to_string(systems.count) +
                                                 ", max_iterations " + std::to_string(stop.max_iterations) +
                                                 ", tolerance " + std::to_string(stop.tolerance) +
                                                 ", expected none below 0");
  if (!is_aligned(words, 16))
    throw Error(ErrorKind::invalid_argument, "araia: one_cluster::solve: words is not aligned to 16 bytes");
  if (systems.count == 0) return;
  Layout const& l = plan.packing.layout;
  auto const blocks = static_cast<unsigned>(l.shape.cluster * std::min(systems.count, plan.clusters));
  allow(l.shape, l.shared_bytes());
  launch_clusters(false, kernel_of(l.shape), dim3(blocks), static_cast<unsigned>(l.shape.cluster),
                  static_cast<unsigned>(l.shape.threads), l.shared_bytes(), stream, label,
                  Arguments{words, l, systems, stop, results, history});
}

}  // namespace araia::cuda::one_cluster
