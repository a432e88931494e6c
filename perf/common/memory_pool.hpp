// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "problem.hpp"

namespace araia::perf {

/// Lets the device's memory pool keep what is freed, so that allocating it again costs microseconds: where Kokkos
/// allocates from the pool, as one built with Kokkos_ENABLE_IMPL_CUDA_MALLOC_ASYNC does. Nothing elsewhere.
/// \return where the execution space's memory comes from, in words
char const* keep_freed_memory(Exec const& exec);

}  // namespace araia::perf
