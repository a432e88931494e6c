// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The headers of Kokkos Kernels' sparse matrices, for a Kokkos without its deprecated code too. Kokkos Kernels 4.4
// needs two pieces of that code, which are given to it here: switching all of it on in one unit would change the layout
// of Kokkos's own classes there. Include this before other headers of Kokkos Kernels, which then compile as well. Where
// Kokkos has its deprecated code, or Kokkos Kernels has a graph of its own, this adds nothing.

#include <Kokkos_Core.hpp>
#include <type_traits>

#if !defined(KOKKOS_ENABLE_DEPRECATED_CODE_4) && !__has_include(<KokkosSparse_StaticCrsGraph.hpp>)
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

#include <KokkosSparse_BsrMatrix.hpp>
#include <KokkosSparse_CcsMatrix.hpp>
#include <KokkosSparse_CooMatrix.hpp>
#include <KokkosSparse_CrsMatrix.hpp>
