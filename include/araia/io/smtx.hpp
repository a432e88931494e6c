// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SMTX, the pattern of a pruned layer: `rows, cols, nnz`, a line of row offsets, a line of column indices, from 0.
//
// % comment lines may precede the sizes, which are parted by commas, blanks or both; offsets and indices by blanks.
// Each of the three stands on one line of any length; blank lines are skipped, so that an empty line of indices may be
// missing. Lines end in LF, CRLF or CR.

#include <araia/detail/io/read_options.hpp>
#include <araia/io/host_coo.hpp>

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

namespace araia {

/// The entries of a file, row by row in file order, as a pattern; gzip is recognised by content.
/// \throws araia::Error: parse (file, line, column) where offsets do not start at 0, rise and end at nnz, where an
///         index is outside the columns, at too few or too many numbers; resource_limit; invalid_argument; device
/// Cost   time linear in the text, one thread; memory the result and 8 bytes a row
[[nodiscard]] HostCoo read_smtx(std::filesystem::path const& path, ReadOptions const& options = {});

/// The same of text in memory, which errors call `name`.
[[nodiscard]] HostCoo parse_smtx(std::string_view text, std::string name, ReadOptions const& options = {});

/// Writes the pattern of A, whole or not at all; compressed where `path` ends in .gz. Entries of a row keep their
/// order.
/// \throws araia::Error: unsupported where A has symmetry; invalid_structure where it breaks its own rules;
/// resource_limit; device
void write_smtx(std::filesystem::path const& path, HostCoo const& A);
void write_smtx(std::ostream& out, HostCoo const& A);

}  // namespace araia
