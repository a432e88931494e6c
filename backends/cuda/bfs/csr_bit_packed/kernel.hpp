// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Breadth-first searches from many sources at once on CUDA, a bit a source, all batches in one launch: levels pass
// without the host. Two forms:
//
//   block_a_batch  a thread block owns a batch of sources with bits of its own for every node and lists of the nodes of
//                  a level. Batches do not wait for one another, and a level costs two barriers of a block. For graphs
//                  of many levels of few nodes, as lattices and roads, and many batches
//   grid_a_batch   all blocks work on one batch, pull over all nodes, and meet in a barrier of the grid a level. For
//                  graphs of few levels, as power laws, and for few batches

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>
#include <functional>

#include "src/kernel/bfs_operands.hpp"

namespace araia::cuda {

enum class BfsForm { block_a_batch, grid_a_batch };

struct BfsTuning {
  BfsForm form = BfsForm::grid_a_batch;
  int words = 8;    ///< of 64 sources a batch: 1, 2, 4 or 8
  int threads = 0;  ///< of a block, a multiple of 32 up to 1024, or 256 of grid_a_batch; 0: the form's own
  int blocks = 0;   ///< at most; 0: as many as the device holds at once
};

/// The form that suits a graph whose searches have about so many levels.
BfsForm bfs_form(std::int64_t levels, std::int64_t batches);

/// Bytes of workspace: what there must be, and what block_a_batch takes where every block has bits of its own. Depends
/// on the current device. \throws araia::Error (device)
struct BfsWorkspace {
  std::uint64_t least = 0;
  std::uint64_t best = 0;
};
BfsWorkspace bfs_workspace(std::int64_t nodes, std::int64_t sources, BfsTuning const& tuning);

/// Adds to `sums` what searches from the sources reach. Waits for its end.
/// \param graph, sources, sums  in device memory; sources are (count) different nodes, those near one another together
/// \param workspace  `bytes` of device memory aligned to 256 B, at least `least` of bfs_workspace
/// \param cancel     looked at now and then; may be null
/// \param progress   told the share that is done, in the caller's thread, now and then; may be empty, may throw
/// \throws araia::Error (device, invalid_argument, resource_limit)
detail::BfsReport bit_packed_bfs(cudaStream_t stream, detail::BfsGraph const& graph, std::int32_t const* sources,
                                 std::int64_t count, detail::BfsSums const& sums, BfsTuning const& tuning,
                                 void* workspace, std::uint64_t bytes, std::atomic<bool> const* cancel,
                                 std::function<void(double)> const& progress);

}  // namespace araia::cuda
