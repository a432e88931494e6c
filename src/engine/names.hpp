// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What labels need of the registry, without Kokkos.

#include <string_view>

#include <araia/plan/choice.hpp>

namespace araia::detail {

/// How a kernel's own matrix differs from its storage, as storage labels end: " in slices", ...; mostly nothing.
[[nodiscard]] std::string_view packing_of(std::string_view storage, std::string_view kernel);

/// Does a plan for the operation run on its source as it lies, without a conversion?
[[nodiscard]] bool is_source(OpId operation, Choice const& choice);

/// Does it read the source's own arrays, whatever it keeps beside them?
[[nodiscard]] bool shares_source(OpId operation, Choice const& choice);

/// Does a kernel of this name have the parameter for its own? Either empty: does any?
[[nodiscard]] bool has_own_parameter(std::string_view storage, std::string_view kernel, std::string_view parameter);

}  // namespace araia::detail
