// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A Csr as plans hold it for products of several columns on hosts: packed for csr/cache_panels, or with room for strips
// of B for csr/copied_columns.

#include <cstdint>
#include <type_traits>

#include <araia/dispatch/spmv.hpp>
#include <araia/dispatch/tuning_of.hpp>
#include <araia/formats/pointers.hpp>
#include <araia/formats/written_out.hpp>
#include <araia/kernels/epilogue.hpp>
#include <araia/kernels/scale_dense.hpp>
#include <araia/kernels/spmm_tuning.hpp>

namespace araia::host {
template <class Scalar>
struct CachePanels;
}

namespace araia::detail {

/// Scalars that there are such kernels of.
template <class Scalar>
inline constexpr bool packs_on_host = is_listed<Reals, Scalar>;

/// Beside the pointers of formats.
template <class Scalar>
struct HostPackedPointers {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  host::CachePanels<Scalar> const* packed = nullptr;  // or null: csr/copied_columns, by what follows
  CsrPointers<Scalar, std::int32_t, std::int32_t> csr{};
  int lines = 0;           // of a row of a strip, as host::CopiedColumnsShape
  Scalar* room = nullptr;  // of one product at a time
};
template <class Scalar>
struct SpmvTuningOf<HostPackedPointers<Scalar>> {
  using type = CsrSpmvTuning;
};
template <class Scalar>
struct SpmmTuningOf<HostPackedPointers<Scalar>> {
  using type = CsrSpmmTuning;
};

/// host::cache_panels_spmm or host::copied_columns_spmm. Defined in src/dispatch/host_packed_csr.cpp.
template <class Scalar>
void packed_spmm(HostPackedPointers<Scalar> const& a, Scalar alpha, DenseBatch<Scalar const> const& b, Scalar beta,
                 DenseBatch<Scalar> const& c, EpiloguePointers<Scalar> const& epilogue, int threads);

template <class Exec, class S, class X, class Y>
inline constexpr bool runs_packed =
    is_host_backend_space<Exec>&& packs_on_host<S>&& std::is_same_v<S, X>&& std::is_same_v<S, Y>;

template <class Exec, class S, class X, class Y>
void spmm_in_store(Exec const& exec, CsrSpmmTuning const&, accumulator_t<Y> alpha, HostPackedPointers<S> const& a,
                   DenseBatch<X const> const& b, accumulator_t<Y> beta, DenseBatch<Y> const& c,
                   EpiloguePointers<Y> const& epilogue) {
  if constexpr (runs_packed<Exec, S, X, Y>) {
    exec.fence(a.packed ? "araia::spmm::csr::cache_panels: host kernels run in the caller's thread"
                        : "araia::spmm::csr::copied_columns: host kernels run in the caller's thread");
    packed_spmm(a, alpha, b, beta, c, epilogue, exec.concurrency());
  }
}

template <class Exec, class S, class X, class Y>
void spmm_pointers(Exec const& exec, CsrSpmmTuning const& tuning, Op op, accumulator_t<Y> alpha,
                   HostPackedPointers<S> const& a, DenseMatrix<X const> const& b, accumulator_t<Y> beta,
                   DenseMatrix<Y> const& c) {
  if constexpr (runs_packed<Exec, S, X, Y>) {
    if (op == Op::none) {
      if (alpha == Y(0)) return scale_dense(exec, beta, c);
      return spmm_in_store(exec, tuning, alpha, a, DenseBatch<X const>{b}, beta, DenseBatch<Y>{c},
                           EpiloguePointers<Y>{});
    }
  }
  throw_unsupported("araia::spmm: the packed matrix does not run this product (operation or types)");
}

template <class Exec, class S, class X, class Y>
bool stores_epilogue(Exec const&, CsrSpmmTuning const&, Op op, HostPackedPointers<S> const&,
                     DenseMatrix<X const> const&, DenseMatrix<Y> const&) {
  return runs_packed<Exec, S, X, Y> && op == Op::none;
}

template <class Exec, class S, class X, class Y>
void spmv_pointers(Exec const&, CsrSpmvTuning const&, Op, accumulator_t<Y>, HostPackedPointers<S> const&,
                   DenseVector<X const> const&, accumulator_t<Y>, DenseVector<Y> const&) {
  throw_unsupported("araia::spmv: the packed matrix has products of several columns alone");
}

}  // namespace araia::detail
