// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What an error's text says beside the name of the function that refused.

#include <string>

namespace araia::detail {

/// "no kernel ..." of "araia::make_plan: no kernel ...": to whom did not call the function its name says nothing. Other
/// texts as they are.
inline std::string without_function(std::string text) {
  if (auto const end = text.find(": "); text.starts_with("araia::") && end != std::string::npos) text.erase(0, end + 2);
  return text;
}

}  // namespace araia::detail
