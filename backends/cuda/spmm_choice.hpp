// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which packing, kernel and shape multiply fastest, by rule. Measured on an H200: docs/kernels/spmm_cuda.md.

#include <araia/precision.hpp>
#include <cstddef>
#include <cstdint>

#include "backends/cuda/csr_spmm_row_per_warp.hpp"
#include "backends/cuda/jammed_spmm.hpp"
#include "backends/cuda/tile_spmm.hpp"

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
};

struct SpmmChoice {
  bool tiles = false;     ///< tile_spmm
  bool jammed = false;    ///< else jammed_spmm, else rows padded
  TileSpmmTuning tile;    ///< where tiles
  CsrSpmmRowTuning rows;  ///< where rows are padded
  JammedTuning jam;       ///< where jammed
  JamShape shape;         ///< of the packing, where jammed
};

SpmmChoice choose_spmm(SpmmProblem const& problem);

}  // namespace araia::cuda
