// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// An order of rows in which neighbours have columns in common.

#include <araia/detail/formats/pointers.hpp>
#include <cstdint>
#include <vector>

namespace araia::cuda {

/// A permutation of the stored rows in groups of `group_rows`: a group starts with the first row left and takes, one by
/// one, the row that shares most columns with it beyond what chance would give. Rows are looked for within windows of
/// at most 1024, shorter where rows are wide: O(65536) words a row. The result does not depend on `threads`.
template <class T, class Offset>
std::vector<std::int32_t> cluster_rows(CsrPointers<T, std::int32_t, Offset> const& a, int group_rows, int threads);

}  // namespace araia::cuda
