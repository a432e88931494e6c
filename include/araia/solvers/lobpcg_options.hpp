// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a caller may ask of LOBPCG, and what comes back. No Kokkos here.

#include <cstdint>
#include <string>
#include <vector>

namespace araia {

/// How a solve ended. Every one but `breakdown` leaves the last vectors, with residuals computed anew from products.
/// After a `breakdown` X holds nothing to go by, and pairs may be NaN.
enum class LobpcgStatus {
  converged,        ///< every pair's residual, computed anew from a product with A, is within the tolerance, and the
                    ///< vectors are B-orthonormal within rounding
  stagnated,        ///< residuals no longer fall: rounding keeps one above the tolerance
  iteration_limit,  ///< max_iterations were done
  breakdown         ///< an infinity or NaN in a product, or B was seen not to be positive definite within rounding
};

enum class LobpcgEnd {
  smallest,  ///< values ascending
  largest    ///< values descending
};

enum class LobpcgPreconditioner {
  none,
  jacobi  ///< the magnitudes of A's diagonal; zeros count as one
};

struct LobpcgOptions {
  int pairs = 1;   ///< wanted, 1 to 64
  int guard = -1;  ///< vectors beyond them, with which a cluster that `pairs` cuts converges; -1: max(2, pairs / 4), as
                   ///< far as 64 in all allow
  LobpcgEnd end = LobpcgEnd::smallest;
  double tolerance = 0;             ///< of relative_residual; 0: 1e-8 in double, 1e-5 in float
  std::int64_t max_iterations = 0;  ///< 0: 2000
  LobpcgPreconditioner preconditioner = LobpcgPreconditioner::none;
  std::uint64_t seed = 1;  ///< of the random start, with the number of constraints
  bool start = false;      ///< begin with the vectors given in X; columns of zeros become random ones
  int refresh = 20;        ///< A X and A P are computed anew every so many iterations, 1 or more
};

/// Vectors of the iteration: pairs and guard.
[[nodiscard]] constexpr int lobpcg_block(LobpcgOptions const& options) {
  constexpr int most = 64;
  int const quarter = options.pairs / 4 > 2 ? options.pairs / 4 : 2;
  int const block = options.pairs + (options.guard < 0 ? quarter : options.guard);
  return options.guard < 0 && block > most ? most : block;
}

struct LobpcgPair {
  double value = 0;
  double residual = 0;           ///< ||A x - value B x||, x'B x = 1, of a product with A at the end
  double relative_residual = 0;  ///< residual / ((||A|| + |value| ||B||) ||x||), or residual / ||A|| where B is the
                                 ///< identity; 0 for a residual of 0
};

struct LobpcgResult {
  LobpcgStatus status = LobpcgStatus::iteration_limit;
  std::int64_t iterations = 0;
  std::int64_t products = 0;      ///< columns that were to be multiplied by A; those that a plan multiplies beside
                                  ///< them, as it takes all of its columns, do not count
  std::vector<LobpcgPair> pairs;  ///< as asked for, in order
  double norm = 0;                ///< ||A|| as estimated: the largest ||A w|| / ||w|| of some steps of the power method
                                  ///< on a block of random vectors, or a larger |value| met: a lower bound
  double mass_norm = 1;           ///< ||B|| likewise
  double orthogonality = 0;       ///< largest |X'B X - I| at the end, and |Y'B X| of orthonormal constraints
  std::int64_t robust_steps = 0;  ///< iterations whose basis was made orthonormal first
  std::string form;               ///< "block", or "dense": all pairs of a small matrix by LAPACK
  std::string product;            ///< what multiplied: a plan's choice, a format's name, "operator"
};

[[nodiscard]] constexpr char const* to_string(LobpcgStatus status) {
  switch (status) {
    case LobpcgStatus::converged: return "converged";
    case LobpcgStatus::stagnated: return "stagnated";
    case LobpcgStatus::iteration_limit: return "iteration_limit";
    case LobpcgStatus::breakdown: return "breakdown";
  }
  return "unknown";
}

[[nodiscard]] constexpr char const* to_string(LobpcgEnd end) {
  switch (end) {
    case LobpcgEnd::smallest: return "smallest";
    case LobpcgEnd::largest: return "largest";
  }
  return "unknown";
}

[[nodiscard]] constexpr char const* to_string(LobpcgPreconditioner preconditioner) {
  switch (preconditioner) {
    case LobpcgPreconditioner::none: return "none";
    case LobpcgPreconditioner::jacobi: return "jacobi";
  }
  return "unknown";
}

}  // namespace araia
