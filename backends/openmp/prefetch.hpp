// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Prefetching memory ahead of its use.

#include <cstdint>

namespace araia::host {

enum class Into { l1 = 3, l2 = 2 };  // the locality of __builtin_prefetch

/// Whether kernels prefetch streams, and into which cache.
enum class Prefetch { never, into_l1, into_l2 };

/// The line `bytes` on from p, which need not be memory of ours. Inlined by force: GCC 12 drops calls of a function
/// that does nothing else. For that reason no copy of it is shared either by units of different instruction sets.
template <Into Cache>
[[gnu::always_inline]] inline void prefetch(void const* p, std::int64_t bytes) {
  auto const place = reinterpret_cast<std::uintptr_t>(p) + static_cast<std::uintptr_t>(bytes);
  __builtin_prefetch(reinterpret_cast<void const*>(place), 0, static_cast<int>(Cache));
}

}  // namespace araia::host
