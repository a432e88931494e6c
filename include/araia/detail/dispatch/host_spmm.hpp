// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Doors to the host backend's SpMM over BSR, SELL and BCSC, for the types it is built for. Absent types answer
// `exists == false`.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/dispatch/host_simd.hpp>
#include <araia/detail/formats/bcsc_pointers.hpp>
#include <araia/detail/formats/bsr_pointers.hpp>
#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/formats/scalar.hpp>
#include <araia/detail/formats/sell_pointers.hpp>
#include <araia/detail/formats/type_list.hpp>
#include <araia/detail/kernels/epilogue.hpp>

namespace araia::detail {

/// Matrices of A that it takes.
template <class A, class OffsetList = AllOffsets>
struct HostSpmmForms;
template <class A, class... F>
struct HostSpmmForms<A, ListOf<F...>> {
  using type = ListOf<BsrPointers<A, std::int32_t, F>..., SellPointers<A, std::int32_t, F>...,
                      BcscPointers<A, std::int32_t, F>..., BcscCompactPointers<A, std::int32_t, F, std::uint8_t>...,
                      BcscCompactPointers<A, std::int32_t, F, std::uint16_t>...>;
};

/// C = act(alpha A B + beta C + bias + R) for a batch, on `threads` host threads. Defined in
/// src/dispatch/host_spmm.cpp.
template <class Pointers, class X, class Y>
struct HostSpmm {
  using A = scalar_of<Pointers>;
  static constexpr bool exists =
      is_listed<RealProducts, ListOf<A, X, Y>> && is_listed<typename HostSpmmForms<A>::type, Pointers>;
  static bool supports(Pointers const& a, DenseMatrix<X const> const& b, DenseMatrix<Y> const& c);
  static void spmm(Pointers const& a, Y alpha, DenseBatch<X const> const& b, Y beta, DenseBatch<Y> const& c,
                   EpiloguePointers<Y> const& epilogue, int threads);
};

template <class Exec, class Pointers, class X, class Y>
bool host_spmm_supports(Op op, Pointers const& a, DenseMatrix<X const> const& b, DenseMatrix<Y> const& c) {
  if constexpr (is_host_backend_space<Exec> && HostSpmm<Pointers, X, Y>::exists)
    return op == Op::none && HostSpmm<Pointers, X, Y>::supports(a, b, c);
  return false;
}

/// For operands that host_spmm_supports() names. \param why  of the fence before it
template <class Exec, class Pointers, class X, class Y>
void host_spmm(char const* why, Exec const& exec, accumulator_t<Y> alpha, Pointers const& a,
               DenseBatch<X const> const& b, accumulator_t<Y> beta, DenseBatch<Y> const& c,
               EpiloguePointers<Y> const& epilogue) {
  if constexpr (is_host_backend_space<Exec> && HostSpmm<Pointers, X, Y>::exists) {
    exec.fence(why);
    HostSpmm<Pointers, X, Y>::spmm(a, alpha, b, beta, c, epilogue, exec.concurrency());
  }
}

}  // namespace araia::detail
