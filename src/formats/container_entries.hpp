// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The entries of any matrix file, .araia in any format included: what the readers of io/ give for theirs.

#include <filesystem>
#include <optional>
#include <string>

#include <araia/detail/io/read_options.hpp>
#include <araia/io/container.hpp>
#include <araia/io/host_coo.hpp>
#include <araia/io/read_matrix.hpp>

namespace araia {

/// The entries of the matrix that a container holds: in the order of a Coo, else row by row. Values become double or
/// std::complex<double>, which hold all that files have; a container without values gives a pattern,
/// one without entries too where it says so.
/// \throws araia::Error invalid_structure, unsupported as from_container; resource_limit where the rows,
///         the columns or the entries are more than memory may hold, as for readers of text
/// Cost    the format's validate and to_csr, on the host; memory of the result, of the format and of its Csr
[[nodiscard]] HostCoo container_entries(Container const& container, ReadOptions const& options = {});

/// read_matrix, or the entries of an .araia file: by its first bytes, whatever its name, or by the name.
/// \throws araia::Error as read_matrix, or as read_container and container_entries, naming the file
[[nodiscard]] HostCoo read_entries(std::filesystem::path const& path, ReadOptions const& options = {});

/// "csr", "sell+by_length+narrow", ...: the format that a container holds, as choice_of_format takes it, by the arrays
/// that are there: a sell whose conversion looked for diagonals and found none is a sell.
[[nodiscard]] std::string format_label(Container const& container);

/// The entries of a file, its kind, and the type that it names for their values.
struct TypedEntries {
  HostCoo entries;
  std::optional<ElementType> scalar;  ///< of an .araia file, a pattern's too; files of text name none
  FileKind kind = FileKind::native;
  std::string format{};  ///< format_label of an .araia file; empty of text
};

/// read_entries with the kind, the type and the format, which the entries have lost.
/// \throws araia::Error as read_entries
[[nodiscard]] TypedEntries read_typed_entries(std::filesystem::path const& path, ReadOptions const& options = {});

}  // namespace araia
