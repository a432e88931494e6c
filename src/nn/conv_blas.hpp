// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The host's dense product, where the build found a BLAS.

#include <cstdint>

namespace araia::detail {

[[nodiscard]] bool has_blas();

/// C = A B, all with contiguous rows: A (m, k), B (k, n), C (m, n).
/// \throws araia::Error unsupported where !has_blas(); resource_limit where an extent does not fit a BLAS's integers
void blas_multiply(std::int64_t m, std::int64_t n, std::int64_t k, double const* a, double const* b, double* c);
void blas_multiply(std::int64_t m, std::int64_t n, std::int64_t k, float const* a, float const* b, float* c);

}  // namespace araia::detail
