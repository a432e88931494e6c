// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Any matrix file but native ones, from any source of bytes.

#include <araia/io/read_matrix.hpp>

#include "byte_source.hpp"

namespace araia::detail {

/// `path` is what the bytes are of: its name tells the kind where they do not.
HostCoo read_matrix(ByteSource& source, std::filesystem::path const& path, ReadOptions const& options);

/// Is it a container: by its first bytes, or by the name where they are of no other kind?
bool is_native(ByteSource& source, std::filesystem::path const& path);

}  // namespace araia::detail
