// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// fmt::format without what it takes to compile: fmt's header-only half is two seconds of a unit, so one unit holds it.

#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

namespace araia::detail {

/// fmt::vformat.
std::string formatted_from(fmt::string_view format, fmt::format_args args);

#ifdef __CUDACC__
// nvcc cannot evaluate the check.
template <class... Args>
using FormatString = fmt::string_view;
#else
template <class... Args>
using FormatString = fmt::format_string<Args...>;
#endif

/// fmt::format: the format string is checked while compiling, but by nvcc.
template <class... Args>
std::string formatted(FormatString<Args...> format, Args&&... args) {
  return formatted_from(format, fmt::make_format_args(args...));
}

/// The texts with ", " between them.
std::string joined(std::vector<std::string> const& texts);

}  // namespace araia::detail
