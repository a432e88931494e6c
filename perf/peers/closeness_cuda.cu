// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "closeness_cuda.hpp"

#include <algorithm>
#include <utility>

#include "backends/cuda/check.hpp"

namespace araia::perf {

namespace {

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr std::int64_t long_list = 512;  // edges of a node that a block looks at

__device__ void visit(std::int32_t node, std::int32_t level, OneSource const& arrays, detail::BfsSums const& sums,
                      std::int32_t* next, std::int32_t* next_count) {
  if (arrays.distance[node] >= 0 || atomicCAS(arrays.distance + node, -1, level) != -1) return;
  next[atomicAdd(next_count, 1)] = node;
  sums.distance[node] += static_cast<std::uint64_t>(level);
  sums.reached[node] += 1;
}

__global__ void expand(detail::BfsGraph const graph, OneSource const arrays, detail::BfsSums const sums,
                       std::int32_t level, std::int32_t const* active, std::int32_t active_count, std::int32_t* next,
                       std::int32_t* next_count) {
  int const warp = static_cast<int>(threadIdx.x) / 32;
  int const lane = static_cast<int>(threadIdx.x) % 32;
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * warps; first < active_count;
       first += static_cast<std::int64_t>(gridDim.x) * warps) {
    for (int k = 0; k < warps && first + k < active_count; ++k) {
      std::int32_t const node = active[first + k];
      std::int64_t const begin = graph.out_offsets[node];
      std::int64_t const end = graph.out_offsets[node + 1];
      if (end - begin > long_list) {
        for (std::int64_t e = begin + threadIdx.x; e < end; e += threads)
          visit(graph.out_nodes[e], level, arrays, sums, next, next_count);
      } else if (k == warp) {
        for (std::int64_t e = begin + lane; e < end; e += 32)
          visit(graph.out_nodes[e], level, arrays, sums, next, next_count);
      }
    }
  }
}

__global__ void start(OneSource const arrays, detail::BfsSums const sums, std::int32_t source) {
  arrays.distance[source] = 0;
  arrays.frontiers[0] = source;
  sums.reached[source] += 1;
}

__global__ void mask(std::int32_t nodes, int columns, float const* reached, float* frontier, unsigned char* seen,
                     std::uint32_t level, detail::BfsSums const sums, int* any) {
  int const lane = static_cast<int>(threadIdx.x) % 32;
  std::int64_t const v = (static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x) / 32;
  if (v >= nodes) return;
  unsigned count = 0;
  for (int s = lane; s < columns; s += 32) {
    bool const fresh = reached[v * columns + s] != 0 && seen[v * columns + s] == 0;
    frontier[v * columns + s] = fresh ? 1.0F : 0.0F;
    if (fresh) {
      seen[v * columns + s] = 1;
      ++count;
    }
  }
  for (int step = 16; step > 0; step /= 2) count += __shfl_xor_sync(0xffffffffU, count, step);
  if (lane != 0 || count == 0) return;
  sums.distance[v] += static_cast<std::uint64_t>(level) * count;
  sums.reached[v] += count;
  *any = 1;
}

}  // namespace

int search_one_source(cudaStream_t stream, detail::BfsGraph const& graph, std::int32_t source, OneSource const& arrays,
                      detail::BfsSums const& sums) {
  auto const nodes = static_cast<std::size_t>(graph.nodes);
  cuda::check(cudaMemsetAsync(arrays.distance, 0xff, nodes * sizeof(std::int32_t), stream), "cudaMemsetAsync");
  start<<<1, 1, 0, stream>>>(arrays, sums, source);
  std::int32_t count = 1;
  std::int32_t level = 0;
  std::int32_t* active = arrays.frontiers;
  std::int32_t* next = arrays.frontiers + nodes;
  constexpr std::int64_t most_blocks = 4096;
  while (count > 0) {
    ++level;
    cuda::check(cudaMemsetAsync(arrays.count, 0, sizeof(std::int32_t), stream), "cudaMemsetAsync");
    auto const blocks = static_cast<unsigned>(std::min<std::int64_t>((count + warps - 1) / warps, most_blocks));
    expand<<<blocks, threads, 0, stream>>>(graph, arrays, sums, level, active, count, next, arrays.count);
    cuda::check_launch("expand");
    cuda::check(cudaMemcpyAsync(arrays.host_count, arrays.count, sizeof(std::int32_t), cudaMemcpyDeviceToHost, stream),
                "cudaMemcpyAsync");
    cuda::check(cudaStreamSynchronize(stream), "expand");
    count = *arrays.host_count;
    std::swap(active, next);
  }
  return level - 1;
}

void mask_columns(cudaStream_t stream, std::int32_t nodes, int columns, float const* reached, float* frontier,
                  unsigned char* seen, std::uint32_t level, detail::BfsSums const& sums, int* any) {
  mask<<<cuda::grid_blocks(nodes, warps, "mask"), threads, 0, stream>>>(nodes, columns, reached, frontier, seen, level,
                                                                        sums, any);
  cuda::check_launch("mask");
}

}  // namespace araia::perf
