// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The headers of Kokkos Kernels' sparse products, for a Kokkos without its deprecated code too. Kokkos Kernels 4.4
// needs two pieces of that code; switching all of it on in one unit would change the layout of Kokkos's own classes
// there.

#include <Kokkos_Core.hpp>
#include <type_traits>

#ifndef KOKKOS_ENABLE_DEPRECATED_CODE_4
namespace Kokkos {
template <class T>
KOKKOS_INLINE_FUNCTION void atomic_assign(T* target, std::type_identity_t<T> value) {
  atomic_store(target, value);
}
}  // namespace Kokkos
#define KOKKOS_ENABLE_DEPRECATED_CODE_4
#define KOKKOS_IMPL_DO_NOT_WARN_INCLUDE_STATIC_CRS_GRAPH
#include <Kokkos_StaticCrsGraph.hpp>
#undef KOKKOS_IMPL_DO_NOT_WARN_INCLUDE_STATIC_CRS_GRAPH
#undef KOKKOS_ENABLE_DEPRECATED_CODE_4
#endif

#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spmv.hpp>
