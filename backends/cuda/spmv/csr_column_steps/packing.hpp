// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A Csr packed by steps along its rows, as plain pointers and sizes.

#include <cstdint>

namespace araia::cuda {

/// Slice s holds stored rows s C .. s C + C - 1, C = slice_height, entry by entry: entry t of row l of it has its value
/// at (step_offsets[s] + t) C + l, and its column is the one before it plus a step, from bases[s] on. A step of 1023 is
/// no entry: its value is zero and the row goes on from there. Behind a row's length values and steps are zero.
///
/// Steps lie in groups of four, 5 C bytes each, the first of a slice's at byte 5 C group_offsets[s]: the low 8 bits of
/// row l's four at 4 l, then the high 2 bits of them in byte 4 C + l, those of the first step lowest.
template <class Scalar>
struct CsrSteps {
  static constexpr int slice_height = 64;  // a warp's, two rows a lane
  static constexpr int no_entry = 1023;    // the step that stands for itself alone
  static constexpr int group_steps = 4;
  static constexpr int group_bytes = 5;  // a row
  std::int64_t rows = 0;
  std::int64_t slices = 0;
  std::int64_t* step_offsets = nullptr;           // (slices + 1)
  std::int64_t* group_offsets = nullptr;          // (slices + 1)
  std::int32_t* bases = nullptr;                  // (slices) least column
  std::int32_t* lengths = nullptr;                // (slices C) steps of a row
  std::int32_t const* row_permutation = nullptr;  // (rows), or null: identity
  std::uint8_t* steps = nullptr;                  // (5 C group_offsets[slices])
  Scalar* values = nullptr;                       // (C step_offsets[slices])
};

}  // namespace araia::cuda
