// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which parameters of a Choice a kernel reads, and where it runs: what --kernel may say.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/plan/description.hpp>

namespace araia::cli {

/// Operations that a command has kernels for.
using Operations = std::span<OpId const>;

/// The kernels of a format ("csr") for any of the operations with an op, that run on a device of this name.
[[nodiscard]] std::vector<std::string> kernels_on(Operations operations, std::string_view device,
                                                  std::string_view format, Op op);

/// The names of the parameters that a kernel reads for any of the operations where it runs on a device of this name:
/// not those of the conversion.
[[nodiscard]] std::vector<std::string> parameters_of(Operations operations, std::string_view device,
                                                     std::string_view format, std::string_view kernel);

/// Is it a parameter of kernels, not of conversions?
[[nodiscard]] bool is_kernel_parameter(std::string_view name);

}  // namespace araia::cli
