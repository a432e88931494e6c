// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Columns of B and C in panels of registers. Inlined and of each unit's own, as units are compiled for different
// instruction sets.

#include <cstdint>

namespace araia::host {

/// Columns of the next panel where `left` are left: as few panels of `widest` times `width` columns at most as there
/// can be, of even size.
[[gnu::always_inline]] static inline std::int64_t panel_columns(std::int64_t left, std::int64_t widest,
                                                                std::int64_t width) {
  std::int64_t const registers = (left + width - 1) / width;
  std::int64_t const panels = (registers + widest - 1) / widest;
  std::int64_t const columns = (registers + panels - 1) / panels * width;
  return left < columns ? left : columns;
}

}  // namespace araia::host
