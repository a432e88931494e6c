// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// oneMKL's inspector-executor sparse products, with and without mkl_sparse_optimize.
#include <mkl_spblas.h>

#include <chrono>
#include <common/suite.hpp>
#include <memory>
#include <stdexcept>
#include <string>

namespace araia::perf {
namespace {

constexpr MKL_INT expected_calls = 1000;  // hint to the optimiser: it may spend time

void check(sparse_status_t status, char const* what) {
  if (status != SPARSE_STATUS_SUCCESS)
    throw std::runtime_error(std::string("MKL: ") + what + " returned " + std::to_string(status));
}

matrix_descr general() {
  matrix_descr description{};
  description.type = SPARSE_MATRIX_TYPE_GENERAL;
  return description;
}

sparse_status_t create(sparse_matrix_t* handle, MKL_INT rows, MKL_INT cols, MKL_INT* offsets, MKL_INT* columns,
                       double* values) {
  return mkl_sparse_d_create_csr(handle, SPARSE_INDEX_BASE_ZERO, rows, cols, offsets, offsets + 1, columns, values);
}
[[maybe_unused]] sparse_status_t create(sparse_matrix_t* handle, MKL_INT rows, MKL_INT cols, MKL_INT* offsets,
                                        MKL_INT* columns, float* values) {
  return mkl_sparse_s_create_csr(handle, SPARSE_INDEX_BASE_ZERO, rows, cols, offsets, offsets + 1, columns, values);
}
sparse_status_t multiply(sparse_matrix_t A, double const* x, double* y) {
  return mkl_sparse_d_mv(SPARSE_OPERATION_NON_TRANSPOSE, 1, A, general(), x, 0, y);
}
[[maybe_unused]] sparse_status_t multiply(sparse_matrix_t A, float const* x, float* y) {
  return mkl_sparse_s_mv(SPARSE_OPERATION_NON_TRANSPOSE, 1, A, general(), x, 0, y);
}
sparse_status_t multiply(sparse_matrix_t A, sparse_layout_t layout, double const* B, MKL_INT columns, MKL_INT ldb,
                         double* C, MKL_INT ldc) {
  return mkl_sparse_d_mm(SPARSE_OPERATION_NON_TRANSPOSE, 1, A, general(), layout, B, columns, ldb, 0, C, ldc);
}
[[maybe_unused]] sparse_status_t multiply(sparse_matrix_t A, sparse_layout_t layout, float const* B, MKL_INT columns,
                                          MKL_INT ldb, float* C, MKL_INT ldc) {
  return mkl_sparse_s_mm(SPARSE_OPERATION_NON_TRANSPOSE, 1, A, general(), layout, B, columns, ldb, 0, C, ldc);
}

/// MKL's handles on our copies. MKL takes mutable arrays and does not write them.
template <class Scalar>
struct Handles {
  std::vector<typename MatrixCopies<Scalar>::Matrix> A{};  // keeps the arrays alive
  std::vector<sparse_matrix_t> handles;
  double setup_seconds = 0;

  template <class Optimise>
  Handles(MatrixCopies<Scalar> const& problem, Optimise const& optimise) {
    for (int copy = 0; copy < problem.copies(); ++copy) {
      auto const& a = A.emplace_back(problem.source(copy));
      auto const start = std::chrono::steady_clock::now();
      sparse_matrix_t handle = nullptr;
      check(create(&handle, static_cast<MKL_INT>(a.rows), static_cast<MKL_INT>(a.cols),
                   const_cast<MKL_INT*>(a.row_offsets.data()), const_cast<MKL_INT*>(a.col_indices.data()),
                   a.values.data()),
            "create_csr");
      handles.push_back(handle);
      optimise(handle);
      setup_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
  }
  Handles(Handles const&) = delete;
  Handles& operator=(Handles const&) = delete;
  ~Handles() {
    for (sparse_matrix_t const handle : handles) mkl_sparse_destroy(handle);
  }
};

template <class Scalar>
Prepared from_handles(SpmvProblem<Scalar> const& problem, std::shared_ptr<Handles<Scalar>> const& handles) {
  Prepared prepared;
  prepared.matrix_bytes = static_cast<double>(problem.A.front().bytes());
  prepared.stored = problem.host.nnz();
  prepared.setup_seconds = handles->setup_seconds;
  prepared.launch = [handles, x = problem.x, y = problem.y](int copy) {
    auto const c = static_cast<std::size_t>(copy);
    check(multiply(handles->handles[c], x[c].data(), y[c].data()), "mv");
  };
  return prepared;
}

template <class Scalar>
Prepared prepare_spmv(SpmvProblem<Scalar>& problem, bool optimised) {
  auto const handles = std::make_shared<Handles<Scalar>>(problem, [&](sparse_matrix_t handle) {
    if (!optimised) return;
    check(mkl_sparse_set_mv_hint(handle, SPARSE_OPERATION_NON_TRANSPOSE, general(), expected_calls), "set_mv_hint");
    check(mkl_sparse_set_memory_hint(handle, SPARSE_MEMORY_AGGRESSIVE), "set_memory_hint");
    check(mkl_sparse_optimize(handle), "optimize");
  });
  return from_handles(problem, handles);
}

template <class Scalar>
Prepared prepare_spmm(SpmmProblem<Scalar>& problem, bool optimised, bool column_major) {
  sparse_layout_t const layout = column_major ? SPARSE_LAYOUT_COLUMN_MAJOR : SPARSE_LAYOUT_ROW_MAJOR;
  auto const columns = static_cast<MKL_INT>(problem.columns);
  auto const handles = std::make_shared<Handles<Scalar>>(problem, [&](sparse_matrix_t handle) {
    if (!optimised) return;
    check(mkl_sparse_set_mm_hint(handle, SPARSE_OPERATION_NON_TRANSPOSE, general(), layout, columns, expected_calls),
          "set_mm_hint");
    check(mkl_sparse_set_memory_hint(handle, SPARSE_MEMORY_AGGRESSIVE), "set_memory_hint");
    check(mkl_sparse_optimize(handle), "optimize");
  });
  Prepared prepared;
  prepared.matrix_bytes = static_cast<double>(problem.A.front().bytes());
  prepared.stored = problem.host.nnz();
  prepared.setup_seconds = handles->setup_seconds;
  prepared.column_major = column_major;
  auto const with = [&](auto const& B, auto const& C, MKL_INT ldb, MKL_INT ldc) {
    prepared.launch = [=](int copy) {
      auto const c = static_cast<std::size_t>(copy);
      check(multiply(handles->handles[c], layout, B[c].data(), columns, ldb, C[c].data(), ldc), "mm");
    };
  };
  if (column_major)
    with(problem.B_column, problem.C_column, static_cast<MKL_INT>(problem.host.cols),
         static_cast<MKL_INT>(problem.host.rows));
  else
    with(problem.B_row, problem.C_row, columns, columns);
  return prepared;
}

}  // namespace

void add_mkl(Suite& suite) {
  for_each_scalar([&](auto scalar) {
    using Scalar = decltype(scalar);
    for (bool const optimised : {true, false}) {
      std::string const name = optimised ? "mkl_optimised" : "mkl_unoptimised";
      // What mkl_sparse_optimize makes is not told: it is taken for another CSR.
      auto const storage = [optimised](auto const& problem) {
        double const csr = MatrixCopies<Scalar>::csr_bytes(problem.host);
        return Storage{.read = csr, .made = optimised ? csr : 0};
      };
      suite.spmv<Scalar>().push_back(
          {"mkl",
           "csr",
           name,
           [optimised](SpmvProblem<Scalar>& problem) { return prepare_spmv(problem, optimised); },
           {},
           storage});
      for (bool const column_major : {false, true})
        suite.spmm<Scalar>().push_back({"mkl",
                                        "csr",
                                        name + (column_major ? "_column_major" : "_row_major"),
                                        [optimised, column_major](SpmmProblem<Scalar>& problem) {
                                          return prepare_spmm(problem, optimised, column_major);
                                        },
                                        {},
                                        storage});
    }
  });
}

}  // namespace araia::perf
