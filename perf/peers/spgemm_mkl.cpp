// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// oneMKL's mkl_sparse_sp2m, sorted by mkl_sparse_order as its results are in no order; and its last stage again, which
// leaves C unsorted.
#include <mkl_spblas.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "spgemm_peers.hpp"

namespace araia::perf {
namespace {

void check(sparse_status_t status, char const* what) {
  if (status != SPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string("MKL: ") + what + " returned " + std::to_string(status));
}

struct Handle {
  sparse_matrix_t matrix = nullptr;
  Handle() = default;
  Handle(Handle const&) = delete;
  Handle& operator=(Handle const&) = delete;
  ~Handle() {
    if (matrix) mkl_sparse_destroy(matrix);
  }
};

struct State {
  SpgemmProblem problem;
  Handle a;
  Handle kept;  // C of refresh
};

void multiply(sparse_matrix_t a, sparse_request_t request, sparse_matrix_t* c) {
  matrix_descr general{};
  general.type = SPARSE_MATRIX_TYPE_GENERAL;
  check(mkl_sparse_sp2m(SPARSE_OPERATION_NON_TRANSPOSE, general, a, SPARSE_OPERATION_NON_TRANSPOSE, general, a, request,
                        c),
        "sp2m");
}

std::int64_t entries(sparse_matrix_t c) {
  sparse_index_base_t base{};
  MKL_INT rows = 0;
  MKL_INT cols = 0;
  MKL_INT* first = nullptr;
  MKL_INT* last = nullptr;
  MKL_INT* columns = nullptr;
  double* values = nullptr;
  check(mkl_sparse_d_export_csr(c, &base, &rows, &cols, &first, &last, &columns, &values), "export_csr");
  return rows > 0 ? last[rows - 1] : 0;
}

}  // namespace

std::vector<SpgemmContender> spgemm_of_mkl(SpgemmProblem const& problem) {
  auto const state = std::make_shared<State>();
  state->problem = problem;
  auto& p = state->problem;
  auto const n = static_cast<MKL_INT>(p.rows);
  check(mkl_sparse_d_create_csr(&state->a.matrix, SPARSE_INDEX_BASE_ZERO, n, n, p.row_offsets.data(),
                                p.row_offsets.data() + 1, p.col_indices.data(), p.values.data()),
        "create_csr");
  return {{"mkl",
           [state] {
             Handle c;
             multiply(state->a.matrix, SPARSE_STAGE_FULL_MULT, &c.matrix);
             check(mkl_sparse_order(c.matrix), "order");
             return entries(c.matrix);
           },
           [state] {
             if (!state->kept.matrix) multiply(state->a.matrix, SPARSE_STAGE_FULL_MULT, &state->kept.matrix);
             multiply(state->a.matrix, SPARSE_STAGE_FINALIZE_MULT, &state->kept.matrix);
           }},
          {"mkl_unsorted",
           [state] {
             Handle c;
             multiply(state->a.matrix, SPARSE_STAGE_FULL_MULT, &c.matrix);
             return entries(c.matrix);
           },
           {}}};
}

}  // namespace araia::perf
