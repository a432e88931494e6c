// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain loop over oneMKL: its sparse product, tuned by mkl_sparse_optimize, its dot products and vector updates.
#include <mkl_cblas.h>
#include <mkl_spblas.h>
#include <mkl_vml_functions.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "cg_peers.hpp"

namespace araia::perf {
namespace {

void check(sparse_status_t status, char const* what) {
  if (status != SPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string("MKL: ") + what + " returned " + std::to_string(status));
}

struct State {
  CgSystem system;
  sparse_matrix_t a = nullptr;
  matrix_descr description{};
  std::vector<double> x, r, z, p, q, inverse;

  explicit State(CgSystem const& from) : system(from) {
    auto const n = static_cast<std::size_t>(system.rows);
    for (auto* v : {&x, &r, &z, &p, &q, &inverse}) v->assign(n, 0.0);
    check(mkl_sparse_d_create_csr(&a, SPARSE_INDEX_BASE_ZERO, static_cast<MKL_INT>(system.rows),
                                  static_cast<MKL_INT>(system.rows), system.row_offsets.data(),
                                  system.row_offsets.data() + 1, system.col_indices.data(), system.values.data()),
          "create_csr");
    description.type = SPARSE_MATRIX_TYPE_GENERAL;
    constexpr MKL_INT expected_calls = 1000;
    check(mkl_sparse_set_mv_hint(a, SPARSE_OPERATION_NON_TRANSPOSE, description, expected_calls), "set_mv_hint");
    check(mkl_sparse_optimize(a), "optimize");
    for (std::size_t i = 0; i < n; ++i)
      for (std::int32_t k = system.row_offsets[i]; k < system.row_offsets[i + 1]; ++k)
        if (system.col_indices[static_cast<std::size_t>(k)] == static_cast<std::int32_t>(i))
          inverse[i] = 1 / system.values[static_cast<std::size_t>(k)];
  }
  State(State const&) = delete;
  State& operator=(State const&) = delete;
  ~State() { mkl_sparse_destroy(a); }

  void solve(std::int64_t iterations) {
    auto const n = static_cast<MKL_INT>(system.rows);
    std::fill(x.begin(), x.end(), 0.0);
    r = system.b;
    vdMul(n, inverse.data(), r.data(), z.data());
    p = z;
    double rz = cblas_ddot(n, r.data(), 1, z.data(), 1);
    double residual = 0;
    for (std::int64_t i = 0; i < iterations; ++i) {
      check(mkl_sparse_d_mv(SPARSE_OPERATION_NON_TRANSPOSE, 1, a, description, p.data(), 0, q.data()), "mv");
      double const alpha = rz / cblas_ddot(n, p.data(), 1, q.data(), 1);
      cblas_daxpy(n, alpha, p.data(), 1, x.data(), 1);
      cblas_daxpy(n, -alpha, q.data(), 1, r.data(), 1);
      residual += cblas_dnrm2(n, r.data(), 1);  // what a convergence test needs
      vdMul(n, inverse.data(), r.data(), z.data());
      double const next = cblas_ddot(n, r.data(), 1, z.data(), 1);
      cblas_daxpby(n, 1, z.data(), 1, next / rz, p.data(), 1);
      rz = next;
    }
    last_residuals = residual;
  }
  double last_residuals = 0;
};

}  // namespace

std::vector<CgContender> cg_of_mkl(CgSystem const& system) {
  auto const state = std::make_shared<State>(system);
  return {{"mkl_loop", [state](std::int64_t iterations) { state->solve(iterations); }, [state] { return state->x; }}};
}

}  // namespace araia::perf
