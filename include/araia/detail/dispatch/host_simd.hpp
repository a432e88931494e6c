// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Door to the host backend's SIMD kernels, for the types they are built for. Absent types answer `exists == false`.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <memory>
#include <type_traits>

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/sell_pointers.hpp>
#include <araia/detail/formats/type_list.hpp>
#include <araia/detail/kernels/epilogue.hpp>

namespace araia::host {
struct CsrRowRuns;  // of backends/openmp/csr_row_runs.hpp
}

namespace araia::detail {

/// y = alpha A x + beta y, and C = act(alpha A B + beta C + bias + R) of a batch, on `threads` host threads. `runs` may
/// be null; with it, rows that share their columns up to a shift read them once.
template <class Scalar, class Ordinal, class Offset, class X, class Y>
struct HostSimd {
  static constexpr bool exists = false;
};

/// Defined in src/dispatch/host_simd.cpp.
template <class A, class Offset, class X, class Y>
struct HostSimd<A, std::int32_t, Offset, X, Y> {
  using Csr = CsrPointers<A, std::int32_t, Offset>;
  using Sell = SellPointers<A, std::int32_t, Offset>;
  static constexpr bool exists = is_listed<RealProducts, ListOf<A, X, Y>> && is_listed<AllOffsets, Offset>;
  static bool supports_spmm(DenseMatrix<X const> const& b, DenseMatrix<Y> const& c);
  static void spmv(Csr const& a, Y alpha, DenseVector<X const> const& x, Y beta, DenseVector<Y> const& y, int threads,
                   host::CsrRowRuns const* runs);
  static void spmm(Csr const& a, Y alpha, DenseBatch<X const> const& b, Y beta, DenseBatch<Y> const& c,
                   EpiloguePointers<Y> const& epilogue, int threads, host::CsrRowRuns const* runs);
  static std::shared_ptr<host::CsrRowRuns const> inspect(Csr const& a, int threads, bool for_spmm);
  static bool supports_sell(Sell const& a);
  static void spmv(Sell const& a, Y alpha, DenseVector<X const> const& x, Y beta, DenseVector<Y> const& y, int threads);
};

/// The host backend runs on spaces whose threads are this process's own; a Kokkos::Serial instance lends it one.
template <class Exec>
inline constexpr bool is_host_backend_space =
#ifdef KOKKOS_ENABLE_OPENMP
    std::is_same_v<Exec, Kokkos::OpenMP> ||
#endif
#ifdef KOKKOS_ENABLE_SERIAL
    std::is_same_v<Exec, Kokkos::Serial> ||
#endif
    false;

}  // namespace araia::detail
