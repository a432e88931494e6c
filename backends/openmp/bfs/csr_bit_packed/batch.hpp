// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One batch of breadth-first searches, compiled for each x86-64 level; kernel.hpp says what it does.

#include <atomic>
#include <cstdint>

#include "src/kernel/bfs_operands.hpp"

#include "backends/openmp/isa.hpp"

namespace araia::host {

/// What a thread searches with. Between batches all bits are zero.
struct BfsState {
  std::uint64_t* seen = nullptr;      // (nodes, words) aligned to 64 B: a bit a source that has reached the node
  std::uint64_t* frontier = nullptr;  // (nodes, words) of those, who did in the last level
  std::uint64_t* next = nullptr;      // (nodes, words)
  std::int32_t* active = nullptr;     // (nodes) nodes with a bit in frontier
  std::int32_t* reached = nullptr;    // (nodes) nodes with a bit in next
};

struct BfsBatch {
  detail::BfsGraph graph{};
  detail::BfsSums sums{};
  std::int32_t const* sources = nullptr;  // (count) all different
  int count = 0;                          // 64 words at most
  int words = 0;                          // 1, 2, 4 or 8
  std::atomic<bool> const* cancel = nullptr;
};

/// \return levels, or -1 where it was cancelled, which spoils state
template <Isa level>
std::int32_t bfs_batch(BfsBatch const& batch, BfsState state);

}  // namespace araia::host
