// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which backends run the types and strides of a product, where one kernel of csr answers for the others, and what else
// they tell of a matrix.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <type_traits>

#include <araia/detail/dispatch/spmm.hpp>
#include <araia/detail/dispatch/spmv.hpp>
#include <araia/detail/plan/description.hpp>

namespace araia::detail {

/// Do the SIMD kernels of hosts run y = A x, or C = A B for SpmmDesc?
template <class Desc, class Exec, class Pointers, class X, class Y>
bool has_host_simd(Exec const& exec, Pointers const& a, X const& x, Y const& y) {
  if constexpr (std::is_same_v<Desc, SpmvDesc>)
    return supports(exec, CsrSpmvKernel::host_simd, Op::none, a, x, y);
  else
    return supports(exec, CsrSpmmKernel::host_simd, Op::none, a, x, y);
}

/// The same of the kernels of the CUDA backend.
template <class Desc, class Exec, class Pointers, class X, class Y>
bool has_cuda_kernels(Exec const& exec, Pointers const& a, X const& x, Y const& y) {
  if constexpr (std::is_same_v<Desc, SpmvDesc>)
    return supports(exec, CsrSpmvKernel::sub_warp, Op::none, a, x, y);
  else
    return supports(exec, CsrSpmmKernel::row_per_warp, Op::none, a, x, y);
}

#ifdef KOKKOS_ENABLE_CUDA
/// Lines of 32 columns that 1024 consecutive entries name, an entry, by samples: 1 where columns lie anywhere, 0 where
/// entries are too few to tell. Fences exec.
double gathered_lines(Kokkos::Cuda const& exec, std::int32_t const* col_indices, std::int64_t nnz);
#endif

}  // namespace araia::detail
