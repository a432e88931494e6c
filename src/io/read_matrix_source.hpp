// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Any matrix file but native ones, from any source of bytes.

#include <araia/io/read_matrix.hpp>

#include "byte_source.hpp"

namespace araia::detail {

/// The kind that the options name; else `path` is what the bytes are of: its name tells the kind where they do not.
/// \throws araia::Error (unsupported) where nothing does
FileKind kind_of(ByteSource& source, std::filesystem::path const& path, ReadOptions const& options);

/// Of a kind that is not native.
HostCoo read_matrix(ByteSource& source, FileKind kind, ReadOptions const& options);

}  // namespace araia::detail
