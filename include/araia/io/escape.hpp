// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Text out of files, made fit for terminals, logs and JSON.

#include <cstddef>
#include <string>
#include <string_view>

namespace araia {

inline constexpr std::size_t escaped_bytes = 256;  ///< the longest text that escape returns

/// `text` with every byte that is not printable ASCII as \xNN and every backslash doubled; longer than `most` bytes, it
/// is cut and ends in "...".
[[nodiscard]] std::string escape(std::string_view text, std::size_t most = escaped_bytes);

}  // namespace araia
