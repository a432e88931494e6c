// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a plan makes and counts a Csr packed by panels of columns.

#include <araia/dispatch/cuda_csr_panels.hpp>
#include "src/plan/store_csr_packed.hpp"

namespace araia::detail {

struct PanelsPacking {
#ifdef KOKKOS_ENABLE_CUDA
  template <class Scalar>
  static constexpr bool exists = CudaPanels<Scalar, Scalar, Scalar>::exists;

  static auto pack(Kokkos::Cuda const& exec, auto const& A, StoreOptions const& options) {
    return pack_panels(exec, A.pointers(), panels_options(options));
  }
  static auto count(Kokkos::Cuda const& exec, auto const& A, StoreOptions const& options) {
    return count_panels(exec, A.pointers(), panels_options(options));
  }

 private:
  static CsrPanelsOptions panels_options(StoreOptions const& options) {
    return {.vector_bytes = options.vector_bytes, .memory_limit = options.memory_limit};
  }
#endif
};

struct PanelsStore : CsrPackedStore<PanelsPacking> {};

}  // namespace araia::detail
