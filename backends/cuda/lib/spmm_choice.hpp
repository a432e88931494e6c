// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which packing, kernel and shape multiply fastest, by rule. Measured on an H200: docs/kernels/spmm_cuda.md.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <araia/precision.hpp>
#include "backends/cuda/lib/csr_spmm_row_tuning.hpp"
#include "backends/cuda/spmm/csr_jammed/packing.hpp"
#include "backends/cuda/spmm/csr_lockstep/packing.hpp"
#include "backends/cuda/spmm/csr_row_groups/choice.hpp"
#include "backends/cuda/spmm/csr_tensor_tiles/packing.hpp"

namespace araia::cuda {

/// What the rule looks at.
struct SpmmProblem {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t columns = 0;                 ///< of B and C
  std::size_t scalar_bytes = 4;             ///< 4 or 8
  int multiprocessors = 132;                ///< of the device
  std::size_t shared_bytes = 0;             ///< most that a block may have
  Precision precision = Precision::native;  ///< other than native: tile_spmm runs on the device
  double shared = 1;                        ///< entries a nonempty column of blocks of four rows, where that is known
  std::int64_t longest = 0;                 ///< entries of the longest row, where that is known
  std::int64_t long_rows = 0;               ///< beyond detail::longest_of_lanes; 0: none, or not known
  std::int64_t cache_bytes = 50 << 20;      ///< of the device's L2
  friend bool operator==(SpmmProblem const&, SpmmProblem const&) = default;
};

enum class SpmmKernel { padded_rows, row_groups, jammed, lockstep, tensor_tiles };

/// "padded_rows", "row_groups", "jammed", "lockstep" or "tensor_tiles".
char const* kernel_name(SpmmKernel kernel);

struct SpmmChoice {
  SpmmKernel kernel = SpmmKernel::padded_rows;
  CsrSpmmRowTuning rows;   ///< of padded_rows_spmm, whatever is chosen
  JammedTuning jam;        ///< of jammed_spmm, where chosen
  JamShape jam_shape;      ///< and its packing
  LockstepShape lockstep;  ///< the packing of lockstep_spmm, where chosen
  TileSpmmTuning tile;     ///< of tile_spmm, where chosen
  GroupChoice groups;      ///< of row_groups_spmm: by choose_groups, from the matrix's structure, where it is packed
};

/// A kernel in its best shape.
struct SpmmEstimate {
  SpmmChoice choice;
  double seconds = 0;  ///< of a product, of an H200
};

/// The kernels that run the problem, each once, padded_rows first.
std::vector<SpmmEstimate> estimate_spmm(SpmmProblem const& problem);

/// The least estimate.
SpmmChoice choose_spmm(SpmmProblem const& problem);

}  // namespace araia::cuda
