// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Matrix Market from any source of bytes.

#include <araia/io/matrix_market.hpp>

#include "byte_source.hpp"

namespace araia::detail {

HostCoo read_matrix_market(ByteSource& source, ReadOptions const& options);

/// Whether text starts like a Matrix Market file, byte order mark or not.
bool has_matrix_market_banner(std::string_view start);

}  // namespace araia::detail
