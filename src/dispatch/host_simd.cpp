// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/host_simd.hpp>

#include "backends/openmp/csr_row_runs.hpp"
#include "backends/openmp/csr_spmm_host.hpp"
#include "backends/openmp/csr_spmv_host.hpp"
#include "backends/openmp/sell_spmv_host.hpp"

namespace araia::detail {

template <class A, class F, class X, class Y>
bool HostSimd<A, std::int32_t, F, X, Y>::supports_spmm(DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) {
  return host::csr_spmm_supports(b, c);
}

template <class A, class F, class X, class Y>
void HostSimd<A, std::int32_t, F, X, Y>::spmv(Csr const& a, Y alpha, DenseVector<X const> const& x, Y beta,
                                              DenseVector<Y> const& y, int threads, host::CsrRowRuns const* runs) {
  host::csr_spmv(a, alpha, x, beta, y, threads, runs);
}

template <class A, class F, class X, class Y>
void HostSimd<A, std::int32_t, F, X, Y>::spmm(Csr const& a, Y alpha, DenseBatch<X const> const& b, Y beta,
                                              DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue, int threads,
                                              host::CsrRowRuns const* runs) {
  host::csr_spmm(a, alpha, b, beta, c, epilogue, threads, runs);
}

template <class A, class F, class X, class Y>
std::shared_ptr<host::CsrRowRuns const> HostSimd<A, std::int32_t, F, X, Y>::inspect(Csr const& a, int threads,
                                                                                    bool for_spmm) {
  return std::make_shared<host::CsrRowRuns const>(host::csr_row_runs(a, threads, for_spmm));
}

template <class A, class F, class X, class Y>
bool HostSimd<A, std::int32_t, F, X, Y>::supports_sell(Sell const& a) {
  return host::sell_spmv_supports(a);
}

template <class A, class F, class X, class Y>
void HostSimd<A, std::int32_t, F, X, Y>::spmv(Sell const& a, Y alpha, DenseVector<X const> const& x, Y beta,
                                              DenseVector<Y> const& y, int threads) {
  host::sell_spmv(a, alpha, x, beta, y, threads);
}

[[gnu::used]] static void write_out_host_simd() {
  for_types<RealProducts, AllOffsets>([&]<class A, class X, class Y, class F>() {
    using Simd = HostSimd<A, std::int32_t, F, X, Y>;
    using VectorX = DenseVector<X const>;
    using VectorY = DenseVector<Y>;
    write_out(Simd::supports_spmm);
    write_out(Simd::spmm);
    write_out(Simd::inspect);
    write_out(Simd::supports_sell);
    write_out<void(typename Simd::Csr const&, Y, VectorX const&, Y, VectorY const&, int, host::CsrRowRuns const*)>(
        Simd::spmv);
    write_out<void(typename Simd::Sell const&, Y, VectorX const&, Y, VectorY const&, int)>(Simd::spmv);
  });
}

}  // namespace araia::detail
