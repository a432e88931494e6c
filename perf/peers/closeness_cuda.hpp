// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What bit-packed searches on CUDA are measured beside: one source at a time, and the mask of the form by products.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "src/kernel/bfs_operands.hpp"

namespace araia::perf {

/// Arrays of a search from one source, in device memory.
struct OneSource {
  std::int32_t* distance = nullptr;    // (nodes)
  std::int32_t* frontiers = nullptr;   // (2, nodes)
  std::int32_t* count = nullptr;       // (2)
  std::int32_t* host_count = nullptr;  // (1) in pinned host memory
};

/// A level a launch, by lists of nodes: short lists of edges are a warp's, long ones a block's. Adds to sums.distance
/// and sums.reached. \return levels
int search_one_source(cudaStream_t stream, detail::BfsGraph const& graph, std::int32_t source, OneSource const& arrays,
                      detail::BfsSums const& sums);

/// The frontier, (nodes, columns) of zeros and ones, becomes what `reached` has and `seen` has not.
void mask_columns(cudaStream_t stream, std::int32_t nodes, int columns, float const* reached, float* frontier,
                  unsigned char* seen, std::uint32_t level, detail::BfsSums const& sums, int* any);

}  // namespace araia::perf
