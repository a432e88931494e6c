// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/detail/dispatch/host_spmm.hpp>

#include "backends/openmp/bcsc_spmm_host.hpp"
#include "backends/openmp/bsr_spmm_host.hpp"
#include "backends/openmp/csr_spmm_host.hpp"
#include "backends/openmp/sell_spmm_host.hpp"

namespace araia::detail {
namespace {

template <class Pointers, class X, class Y>
bool supported(Pointers const&, DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) {
  return host::csr_spmm_supports(b, c);
}
template <class A, class O, class F, class X, class Y>
bool supported(BsrPointers<A, O, F> const& a, DenseMatrix<X const> const& b, DenseMatrix<Y> const&) {
  return host::bsr_spmm_supports(a, b);
}
template <class A, class O, class F, class X, class Y>
bool supported(BcscPointers<A, O, F> const&, DenseMatrix<X const> const& b, DenseMatrix<Y> const&) {
  return host::bcsc_spmm_supports(b);
}
template <class A, class O, class F, class R, class X, class Y>
bool supported(BcscCompactPointers<A, O, F, R> const&, DenseMatrix<X const> const& b, DenseMatrix<Y> const&) {
  return host::bcsc_spmm_supports(b);
}

template <class Pointers, class X, class Y>
void run(Pointers const& a, Y alpha, DenseBatch<X const> const& b, Y beta, DenseBatch<Y> const& c,
         EpiloguePointers<Y> const& epilogue, int threads) {
  host::bcsc_spmm(a, alpha, b, beta, c, epilogue, threads);
}
template <class A, class O, class F, class X, class Y>
void run(BsrPointers<A, O, F> const& a, Y alpha, DenseBatch<X const> const& b, Y beta, DenseBatch<Y> const& c,
         EpiloguePointers<Y> const& epilogue, int threads) {
  host::bsr_spmm(a, alpha, b, beta, c, epilogue, threads);
}
template <class A, class O, class F, class X, class Y>
void run(SellPointers<A, O, F> const& a, Y alpha, DenseBatch<X const> const& b, Y beta, DenseBatch<Y> const& c,
         EpiloguePointers<Y> const& epilogue, int threads) {
  host::sell_spmm(a, alpha, b, beta, c, epilogue, threads);
}

}  // namespace

template <class Pointers, class X, class Y>
bool HostSpmm<Pointers, X, Y>::supports(Pointers const& a, DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) {
  return supported(a, b, c);
}

template <class Pointers, class X, class Y>
void HostSpmm<Pointers, X, Y>::spmm(Pointers const& a, Y alpha, DenseBatch<X const> const& b, Y beta,
                                    DenseBatch<Y> const& c, EpiloguePointers<Y> const& epilogue, int threads) {
  run(a, alpha, b, beta, c, epilogue, threads);
}

[[gnu::used]] static void write_out_host_spmm() {
  for_types<RealProducts>([&]<class A, class X, class Y>() {
    for_types<typename HostSpmmForms<A>::type>([&]<class Pointers>() {
      write_out(HostSpmm<Pointers, X, Y>::supports);
      write_out(HostSpmm<Pointers, X, Y>::spmm);
    });
  });
}

}  // namespace araia::detail
