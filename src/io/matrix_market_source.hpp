// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Matrix Market from any source of bytes.

#include <araia/io/matrix_market.hpp>

#include <cstdint>
#include <functional>

#include "byte_source.hpp"

namespace araia::detail {

HostCoo read_matrix_market(ByteSource& source, ReadOptions const& options);

/// Of an integer, and its row and column from 0.
using SeeInteger = std::function<void(std::int64_t, std::int64_t, std::int64_t)>;

/// Every element of a file; `see` is shown the integers of the file, mirrored ones once, before they become double.
HostDense read_matrix_market_dense(ByteSource& source, ReadOptions const& options, SeeInteger const& see = {});

/// Whether text starts like a Matrix Market file, behind a byte order mark and blanks or not.
bool has_matrix_market_banner(std::string_view start);

}  // namespace araia::detail
