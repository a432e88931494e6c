// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How a plan makes and counts a Csr packed by steps along its rows.

#include <araia/dispatch/cuda_csr_steps.hpp>
#include "src/plan/store_csr_packed.hpp"

namespace araia::detail {

struct StepsPacking {
#ifdef KOKKOS_ENABLE_CUDA
  template <class Scalar>
  static constexpr bool exists = CudaSteps<Scalar, Scalar, Scalar>::exists;

  static auto pack(Kokkos::Cuda const& exec, auto const& A, StoreOptions const& options) {
    return pack_steps(exec, A.pointers(), options.memory_limit);
  }
  static auto count(Kokkos::Cuda const& exec, auto const& A, StoreOptions const&) {
    return count_steps(exec, A.pointers());
  }
#endif
};

struct StepsStore : CsrPackedStore<StepsPacking> {};

}  // namespace araia::detail
