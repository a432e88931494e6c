// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kokkos Kernels' own kernels: the native and merge-path SpMV, and SpMM as its SpMV on rank-2 vectors.
#include "kokkos_kernels_headers.hpp"

#include <chrono>
#include <memory>

#include <common/suite.hpp>

namespace araia::perf {
namespace {

template <class Scalar>
using Matrix = KokkosSparse::CrsMatrix<Scalar, std::int32_t, Device, void, std::int32_t>;

/// Kokkos Kernels' view of our copies: no data is copied.
template <class Scalar>
std::vector<Matrix<Scalar>> wrap(MatrixCopies<Scalar> const& problem) {
  std::vector<Matrix<Scalar>> wrapped;
  for (auto const& A : problem.A) {
    using Entries = Kokkos::View<std::int32_t*, Device, Kokkos::MemoryUnmanaged>;
    // Kokkos Kernels takes mutable Views and does not write them.
    Entries const entries(const_cast<std::int32_t*>(A.col_indices.data()), A.col_indices.extent(0));
    Entries const offsets(const_cast<std::int32_t*>(A.row_offsets.data()), A.row_offsets.extent(0));
    wrapped.emplace_back("A", static_cast<std::int32_t>(A.rows), static_cast<std::int32_t>(A.cols),
                         static_cast<std::int32_t>(A.nnz), A.values, offsets, entries);
  }
  return wrapped;
}

/// y = A x by the public call, or, in the release that its parts were read in, by the kernel which that call picks for
/// mode "N", alpha 1 and beta 0: the public call also builds the other modes and factors, 2 minutes of compiling.
template <class Handle, class A, class X, class Y>
void multiply(Exec const& exec, Handle& handle, A const& matrix, X const& x, Y const& y) {
  using Scalar = typename Y::non_const_value_type;
#if KOKKOSKERNELS_VERSION == 40400
  using Layout = typename KokkosKernels::Impl::GetUnifiedLayout<X>::array_layout;
  using Constant =
      KokkosSparse::CrsMatrix<Scalar const, std::int32_t const, Device, Kokkos::MemoryUnmanaged, std::int32_t const>;
  using Gathered = Kokkos::View<typename X::const_data_type, Layout, Device,
                                Kokkos::MemoryTraits<Kokkos::Unmanaged | Kokkos::RandomAccess>>;
  using Written = Kokkos::View<typename Y::non_const_data_type, Layout, Device, Kokkos::MemoryUnmanaged>;
  Constant const unmanaged(matrix);
  Gathered const gathered(x);
  Written const written(y);
  if constexpr (X::rank() == 2)
    KokkosSparse::Impl::spmv_alpha_beta_mv_no_transpose<Exec, Constant, Gathered, Written, 1, 0, false>(
        exec, Scalar{1}, unmanaged, gathered, Scalar{}, written);
  else if (handle.get_algorithm() == KokkosSparse::SPMV_NATIVE_MERGE_PATH)
    KokkosSparse::Impl::SpmvMergeHierarchical<Exec, Constant, Gathered, Written>::spmv(exec, "N", Scalar{1}, unmanaged,
                                                                                       gathered, Scalar{}, written);
  else
    KokkosSparse::Impl::spmv_beta_no_transpose<Exec, typename Handle::ImplType, Constant, Gathered, Written, 0, false>(
        exec, handle.get_impl(), Scalar{1}, unmanaged, gathered, Scalar{}, written);
#else
  KokkosSparse::spmv(exec, &handle, "N", Scalar{1}, matrix, x, Scalar{}, y);
#endif
}

template <class Scalar, class Problem, class X, class Y>
Prepared prepare(Problem& problem, std::vector<X> const& x, std::vector<Y> const& y,
                 KokkosSparse::SPMVAlgorithm algorithm) {
  using Handle = KokkosSparse::SPMVHandle<Exec, Matrix<Scalar>, X, Y>;
  auto const matrices = std::make_shared<std::vector<Matrix<Scalar>>>(wrap(problem));
  auto const handles = std::make_shared<std::vector<std::unique_ptr<Handle>>>();
  Prepared prepared;
  prepared.launch = [=, exec = problem.exec](int copy) {
    auto const c = static_cast<std::size_t>(copy);
    multiply(exec, *(*handles)[c], (*matrices)[c], x[c], y[c]);
  };
  // The first product of a handle sets it up.
  for (int copy = 0; copy < problem.copies(); ++copy) {
    handles->push_back(std::make_unique<Handle>(algorithm));
    auto const start = std::chrono::steady_clock::now();
    prepared.launch(copy);
    problem.exec.fence("araia::perf: set-up of a handle");
    prepared.setup_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  prepared.matrix_bytes = static_cast<double>(problem.A.front().bytes());
  prepared.stored = problem.host.nnz();
  return prepared;
}

template <class Scalar>
void add(Suite& suite) {
  auto const spmv = [&](char const* name, KokkosSparse::SPMVAlgorithm algorithm) {
    suite.spmv<Scalar>().push_back({"kokkos_kernels", "csr", name, [algorithm](SpmvProblem<Scalar>& problem) {
                                      return prepare<Scalar>(problem, problem.x, problem.y, algorithm);
                                    }});
  };
  spmv("kokkos_kernels_native", KokkosSparse::SPMV_NATIVE);
  spmv("kokkos_kernels_merge", KokkosSparse::SPMV_NATIVE_MERGE_PATH);
  suite.spmm<Scalar>().push_back(
      {"kokkos_kernels", "csr", "kokkos_kernels_native_row_major", [](SpmmProblem<Scalar>& problem) {
         return prepare<Scalar>(problem, problem.B_row, problem.C_row, KokkosSparse::SPMV_NATIVE);
       }});
  suite.spmm<Scalar>().push_back(
      {"kokkos_kernels", "csr", "kokkos_kernels_native_column_major", [](SpmmProblem<Scalar>& problem) {
         auto prepared = prepare<Scalar>(problem, problem.B_column, problem.C_column, KokkosSparse::SPMV_NATIVE);
         prepared.column_major = true;
         return prepared;
       }});
}

}  // namespace

void add_kokkos_kernels(Suite& suite) {
  for_each_scalar([&](auto scalar) { add<decltype(scalar)>(suite); });
}

}  // namespace araia::perf
