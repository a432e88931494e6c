// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a caller may ask of conjugate gradients, and what comes back. No Kokkos here.

#include <cstdint>
#include <string>
#include <vector>

namespace araia {

/// How a solve ended. Every one but `converged` leaves in x what was reached.
enum class CgStatus {
  converged,   ///< ||b - A x|| <= tolerance ||b||, of the residual computed anew from x at the end
  stagnated,   ///< the residual computed from x no longer falls: rounding in A x keeps it above the tolerance
  indefinite,  ///< p'A p < 0 or r'M^-1 r < 0 was met: A or the preconditioner is not positive definite
  breakdown,   ///< an infinity or NaN, in the input or in a sum, or p'A p = 0: A is singular along p
  limit        ///< max_iterations were done
};

enum class CgPreconditioner {
  none,
  jacobi  ///< the diagonal of A; an entry that is not positive counts as one
};

/// How often an iteration waits for a sum over all rows. In exact arithmetic both have the same iterates.
enum class CgReductions {
  two,  ///< Hestenes and Stiefel: p'A p, then r'M^-1 r
  one   ///< Chronopoulos and Gear: both together; one more vector, one kernel less an iteration. Where rounding makes
        ///< its p'A p negative, `two` goes on
};

/// Where the iterations run. All forms compute the residual anew at the end, and go on from it where it is not small
/// enough.
enum class CgForm {
  automatic,  ///< cluster where that can be, else graph where that can be, else loop; on hosts matrices of up to 4096
              ///< rows and 32768 entries in the caller's thread, as waking others would take longer
  loop,       ///< a launch or parallel region a step; the host looks at the residual now and then
  graph,      ///< CUDA 12.4: a graph whose loop ends on the device
  cluster     ///< CUDA, compute capability 9.0, matrices of double that fit: a launch of one thread-block cluster
};

struct CgOptions {
  double tolerance = 1e-10;         ///< of ||b - A x|| / ||b||, 2-norms
  std::int64_t max_iterations = 0;  ///< 0: 10 rows, and 1000 at least
  CgPreconditioner preconditioner = CgPreconditioner::jacobi;
  CgReductions reductions = CgReductions::two;
  CgForm form = CgForm::automatic;
  bool plan = true;      ///< multiply a Csr by a plan of it, which the model chooses; else as it lies
  bool history = false;  ///< keep the residual's norm of every iteration: 8 bytes of max_iterations, in exec's memory
};

struct CgResult {
  CgStatus status = CgStatus::limit;
  std::int64_t iterations = 0;
  double residual = 0;           ///< ||b - A x||, of the residual computed from x at the end
  double relative_residual = 0;  ///< residual / ||b||; 0 for b = 0
  double backward_error = 0;     ///< residual / (||A|| ||x|| + ||b||), [RigalGaches1967]: how far the next system is
                                 ///< of which x is the solution. ||A|| is the largest sum of magnitudes of a row where
                                 ///< make_cg has seen the matrix, else ||A x|| / ||x||, a lower bound
  std::string form;              ///< what was chosen: "loop", "one_thread", "graph", "one_block", "cluster_16", ...
  std::string product;           ///< what multiplied: a plan's choice, a format's name, "operator"
  std::vector<double> history;   ///< with options.history: ||r|| of the recurrence after 0, 1, ... iterations
};

[[nodiscard]] constexpr char const* to_string(CgStatus status) {
  switch (status) {
    case CgStatus::converged: return "converged";
    case CgStatus::stagnated: return "stagnated";
    case CgStatus::indefinite: return "indefinite";
    case CgStatus::breakdown: return "breakdown";
    case CgStatus::limit: return "limit";
  }
  return "unknown";
}

[[nodiscard]] constexpr char const* to_string(CgForm form) {
  switch (form) {
    case CgForm::automatic: return "automatic";
    case CgForm::loop: return "loop";
    case CgForm::graph: return "graph";
    case CgForm::cluster: return "cluster";
  }
  return "unknown";
}

[[nodiscard]] constexpr char const* to_string(CgPreconditioner preconditioner) {
  switch (preconditioner) {
    case CgPreconditioner::none: return "none";
    case CgPreconditioner::jacobi: return "jacobi";
  }
  return "unknown";
}

}  // namespace araia
