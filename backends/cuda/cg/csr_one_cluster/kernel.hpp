// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Conjugate gradients on CUDA, whole solves in one launch: each cluster of thread blocks keeps a matrix and all vectors
// in its registers and shared memory. Several systems of one pattern are shared out among clusters. Compute capability
// 9.0 and above.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>

#include "backends/cuda/cg/csr_one_cluster/packing.hpp"

namespace araia::cuda::one_cluster {

/// How a pattern is solved on the current device.
struct Plan {
  Packing packing;
  int clusters = 0;     ///< that the device holds at once
  std::string refusal;  ///< why no form suits; empty where one does
};

/// Chooses the form by size: the one that is expected to be through with `systems` systems first, of those that the
/// device can hold.
/// \param rows, row_offsets, col_indices  as `pack` takes them, in host memory
/// \param systems  solved by one launch, 1 at least
/// \param cluster  1, 2, 4, 8 or 16 blocks and no other; 0: the best
/// Cost    that of `pack` for each form that is tried, mostly one; asks the device, allocates nothing on it
/// \throws araia::Error (invalid_argument, invalid_structure, resource_limit, device); what does not fit is a refusal
template <class Offset>
Plan make_plan(std::int64_t rows, Offset const* row_offsets, std::int32_t const* col_indices, std::int64_t systems = 1,
               int cluster = 0);

/// Systems of one pattern, in device memory; strides in elements from one system to the next.
struct Systems {
  int count = 1;
  double const* values = nullptr;    ///< (nnz) as the Csr has them
  std::int64_t values_stride = 0;    ///< 0: all systems share them
  double const* rhs = nullptr;       ///< (rows)
  std::int64_t rhs_stride = 0;       ///< 0: all systems share it
  double* solution = nullptr;        ///< (rows) in: where to start, out: x
  std::int64_t solution_stride = 0;  ///< rows at least where there are several
};

struct Stop {
  double tolerance = 1e-8;  ///< converged once ||r|| <= tolerance ||b||, r by recurrence
  int max_iterations = 1000;
  bool jacobi = true;  ///< preconditioned by the diagonal, 1 in place of entries that are not positive
};

enum class Status : std::int32_t {
  converged = 0,
  max_iterations = 1,
  indefinite = 2,  ///< p'Ap <= 0: A is not positive definite
  breakdown = 3    ///< something is not finite, or r'M^-1 r is zero though r is not
};

struct Result {
  double residual_squares;  ///< sum r_i^2 at the end
  double rhs_squares;       ///< sum b_i^2
  std::int32_t iterations;
  Status status;
};

/// Conjugate gradients with one synchronisation an iteration (Chronopoulos and Gear): A symmetric positive definite.
/// Where b is 0, x is 0 after no iteration. A system that stops early keeps the last x that it has come to.
/// \param plan     one without refusal, made on this device
/// \param words    plan.packing.words in device memory, at an address of 16 bytes' alignment
/// \param results  (systems.count) on the device
/// \param history  (systems.count, max_iterations + 1) on the device, sum r_i^2 before each iteration and after the
///                 last, or null
/// \param stream   of the work; nothing is allocated and nothing waited for, may be captured
/// Cost      an iteration takes as long as its sums and exchanges: near a microsecond
/// Rounding  sums in a fixed order: the same bits each time, for a shape and whatever systems are beside
/// Source    [ChronopoulosGear1989]; the sum r_i^2 travels with the other two
/// \throws araia::Error (invalid_argument, device)
void solve(Plan const& plan, std::uint32_t const* words, Systems const& systems, Stop const& stop, Result* results,
           double* history, cudaStream_t stream);

}  // namespace araia::cuda::one_cluster
