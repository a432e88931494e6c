// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What models and reports must know of an operation: its dense operands and its result in numbers of elements.

#include <string>

#include <araia/detail/plan/traffic.hpp>

namespace araia::detail {

/// Elements of y, C or D.
[[nodiscard]] double result_elements(Problem const& p);

/// Elements of the dense operands that are read: x, B, or X and Y.
[[nodiscard]] double operand_elements(Problem const& p);

/// Those of them that kernels read once, one after another, beside those that entries name: X.
[[nodiscard]] double streamed_elements(Problem const& p);

/// Products of two elements that a sum of the result has, in the mean.
[[nodiscard]] double terms_of_element(Problem const& p);

/// "SpMV", "SpMM of 32 columns", ...
[[nodiscard]] std::string operation_title(Problem const& p);

}  // namespace araia::detail
