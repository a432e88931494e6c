// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What breadth-first searches from many sources take and add to: plain pointers, shared by all kernels. No Kokkos here.

#include <cstdint>

namespace araia::detail {

/// A directed graph: for each node where its edges lead, and where the edges to it come from. Both are the same arrays
/// where every edge has its reverse.
struct BfsGraph {
  std::int32_t nodes = 0;
  std::int64_t edges = 0;
  std::int64_t const* out_offsets = nullptr;  // (nodes + 1)
  std::int32_t const* out_nodes = nullptr;    // (edges)
  std::int64_t const* in_offsets = nullptr;   // (nodes + 1)
  std::int32_t const* in_nodes = nullptr;     // (edges)
};

/// Sums over the sources that reach a node. Integers, so that their order does not matter: all kernels on all machines
/// give the same bits.
struct BfsSums {
  std::uint64_t* distance = nullptr;  // (nodes) of the distances
  std::uint64_t* reached = nullptr;   // (nodes) number of the sources, a source itself included
  std::uint64_t* inverse = nullptr;   // (2 nodes) of 1 / distance in units of 2^-96, low word first; or null
};

/// What a search did.
struct BfsReport {
  bool cancelled = false;    ///< the sums are then of no use
  std::int64_t batches = 0;  ///< of sources that were searched from together
  std::int64_t levels = 0;   ///< of all batches
};

/// A number of 128 bits.
struct BfsWide {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

#ifdef __CUDACC__
#define ARAIA_BFS_FUNCTION __host__ __device__
#else
#define ARAIA_BFS_FUNCTION
#endif

/// 2^96 / level, rounded down; level > 0. Off by 2^-96 at most, relatively by 2^-65 for a level of 31 bits.
ARAIA_BFS_FUNCTION constexpr BfsWide bfs_inverse(std::uint32_t level) {
  std::uint64_t const one = std::uint64_t{1} << 32;  // of 2^96, the part above 2^64
  std::uint64_t const upper = (one % level) << 32;
  std::uint64_t const lower = (upper % level) << 32;
  return {((upper / level) << 32) | (lower / level), one / level};
}

/// value * count; count < 2^32.
ARAIA_BFS_FUNCTION constexpr BfsWide bfs_times(BfsWide const& value, std::uint32_t count) {
  std::uint64_t const lower = (value.low & 0xffffffffU) * count;
  std::uint64_t const upper = (value.low >> 32) * count + (lower >> 32);
  return {(upper << 32) | (lower & 0xffffffffU), value.high * count + (upper >> 32)};
}

/// sum[0], sum[1] += value.
ARAIA_BFS_FUNCTION constexpr void bfs_add(std::uint64_t* sum, BfsWide const& value) {
  sum[0] += value.low;
  sum[1] += value.high + (sum[0] < value.low ? 1 : 0);
}

}  // namespace araia::detail
