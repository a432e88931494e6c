// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/formatted.hpp"

#include <fmt/format.h>

namespace araia::detail {

std::string formatted_from(fmt::string_view format, fmt::format_args args) { return fmt::vformat(format, args); }

std::string joined(std::vector<std::string> const& texts) {
  std::string list;
  for (auto const& text : texts) list += (list.empty() ? "" : ", ") + text;
  return list;
}

}  // namespace araia::detail
