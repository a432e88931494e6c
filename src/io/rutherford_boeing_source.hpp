// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rutherford-Boeing and Harwell-Boeing from any source of bytes.

#include <araia/io/rutherford_boeing.hpp>

#include <string_view>

#include "byte_source.hpp"

namespace araia::detail {

HostCoo read_rutherford_boeing(ByteSource& source, ReadOptions const& options);

/// Whether a file's extension, with its point and in any case, is .rb, .hb or a matrix type such as .rua.
bool is_rutherford_boeing_extension(std::string_view extension);

}  // namespace araia::detail
