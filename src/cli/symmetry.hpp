// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What methods for symmetric matrices ask of a file before they begin.

#include <string_view>

#include <araia/formats/csr.hpp>

#include "src/cli/cli.hpp"

namespace araia::cli {

using HostMatrix = Csr<double, std::int32_t, std::int32_t, HostDevice>;

/// The file's matrix is real, square and, within rounding of its values, symmetric.
/// \param method  "conjugate gradients are for symmetric positive definite matrices": behind what is wrong
/// \throws Failure with Exit::input naming the first entry whose mirror image differs
void require_real(Input const& input);
void require_symmetric(Input const& input, HostMatrix const& A, std::string_view method);

}  // namespace araia::cli
