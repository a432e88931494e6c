// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which execution space the CUDA backend's kernels run on.

#include <Kokkos_Core.hpp>
#include <type_traits>

namespace araia::detail {

template <class Exec>
inline constexpr bool is_cuda_space =
#ifdef KOKKOS_ENABLE_CUDA
    std::is_same_v<Exec, Kokkos::Cuda>;
#else
    false;
#endif

}  // namespace araia::detail
