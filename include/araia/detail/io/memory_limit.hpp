// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How much host memory one step may take where its options name no limit.

#include <cstdint>

namespace araia {

/// Bytes of host memory that this process may have: the least of the physical memory, the limits of its cgroup and of
/// those around it, as the first call found them, and RLIMIT_AS.
[[nodiscard]] std::uint64_t process_memory();

/// Most bytes that a reader, an assembly, a conversion or a plan may take on the host by default: what was set last, or
/// half of process_memory().
[[nodiscard]] std::uint64_t default_host_memory_limit();

/// Sets it, for all threads. A program that keeps account of what it holds sets what is left before each step.
/// \param bytes  1 where nothing is left; unset_memory_limit: half of process_memory() again
void set_default_host_memory_limit(std::uint64_t bytes);
inline constexpr std::uint64_t unset_memory_limit = ~std::uint64_t{0};

}  // namespace araia
