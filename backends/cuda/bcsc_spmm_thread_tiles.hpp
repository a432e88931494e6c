// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = alpha A B + beta C on CUDA, A in BCSC as it is, B and C row-major: K_Tile block columns made dense in shared
// memory, a register tile a thread. The tiled kernel of the 2019 thesis in its best shapes.

#include <cuda_runtime_api.h>
#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <cstdint>

#include "backends/cuda/bcsc_shapes.hpp"

namespace araia::cuda {

/// How the product is done. It may change the time, never the answer beyond rounding.
struct BcscThreadTilesTuning {
  BcscThreadTile shape{};  ///< one of bcsc_thread_tiles
  int stages = 1;          ///< chunks in shared memory, 1 or 2: with 2 rows of B come while a chunk is multiplied, from
                           ///< compute capability 8.0 on
  int vector = 0;          ///< columns a load of B: 1, or as many as 16 bytes hold, which 0 stands for
  friend bool operator==(BcscThreadTilesTuning const&, BcscThreadTilesTuning const&) = default;
};

/// C = alpha A B + beta C on `stream`; asynchronous, allocates nothing, may be captured in a graph, the same bits in
/// every run. T float or double, offsets int32 or int64; blocks of any height, of which a thread block takes as many
/// rows as its shape has; any number of columns, any alignment: where 16-byte accesses do not fit, B comes by single
/// elements. beta == 0 overwrites C. alpha is not 0 (callers scale C then). Inf and NaN of B reach the rows that store
/// their columns and no others.
/// Cost    2 rows k_tile flop a chunk of k_tile block columns and column of C, whatever the chunk's entries
/// Source  [KoutsanitiStathopoulou2019], section 3.4.3; differs: two stages by asynchronous copies of all threads
/// \throws araia::Error invalid_argument on a tuning out of range, resource_limit, device
template <class T, class Offset>
void bcsc_spmm_thread_tiles(BcscPointers<T, std::int32_t, Offset> const& a, T alpha, DenseMatrix<T const> const& b,
                            T beta, DenseMatrix<T> const& c, BcscThreadTilesTuning const& tuning, cudaStream_t stream);

}  // namespace araia::cuda
