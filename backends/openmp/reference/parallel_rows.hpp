// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A parallel loop for header templates: OpenMP stays in one unit, so that no template's meaning depends on flags.

#include <cstdint>
#include <functional>

namespace araia::reference {

/// body(first, last) over chunks of [0, count), on the process's OpenMP threads where built with OpenMP.
/// Chunks are disjoint and their order is free. The body must not throw.
void parallel_rows(std::int64_t count, std::function<void(std::int64_t first, std::int64_t last)> const& body);

}  // namespace araia::reference
