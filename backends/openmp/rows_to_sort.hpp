// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which rows products of several columns gain by taking in order of length: a branch that was not foreseen, at the end
// of a row of another length, costs as much as a product of two registers. Of kernels, which order rows within chunks
// on AVX-512, and of plans, which try an order of all rows.

#include <cstdint>

namespace araia::host {

constexpr std::int64_t longest_to_sort = 16;  // entries of a row, in the mean
constexpr std::int64_t bytes_to_sort = 256;   // of a row of C: wider ones hide such a branch

}  // namespace araia::host
