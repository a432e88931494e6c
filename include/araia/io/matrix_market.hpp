// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Matrix Market: coordinate and array files of every field and symmetry, plain or gzip, to and from host memory.
//
// What a file means where the format leaves it open:
//  - Lines end in LF, CRLF or CR. A UTF-8 byte order mark is skipped. Blank lines and % comments may stand anywhere
//    behind the banner; blanks are spaces and tabs; the banner's words are in any case. One entry a line.
//  - Read with a warning, refused by ReadOptions::strict: blanks before the banner, one percent sign, text behind the
//    banner, a number behind an entry of a pattern, whole decimal numbers in a file of integers.
//  - Numbers: a leading + is allowed, the locale is never asked. Real values are correctly rounded, so text too small
//    for a double is zero or subnormal; text too large (1e400) is a parse error; nan, inf and infinity are values, in
//    any case. An integer, an unsigned one too, that does not fit 64 bits with its sign is a parse error.
//  - Index 0, an index beyond the size, fewer or more entries than promised, anything else on a line: parse errors.
//  - Symmetric, skew-symmetric and hermitian files store one triangle, the lower or the upper; the first off-diagonal
//    entry of the other one is a parse error, so is a size that is not square. Entries on the diagonal are kept as they
//    stand and stand for themselves alone, also in a skew-symmetric file or with an imaginary part in a hermitian one.
//  - An array file read as a sparse matrix keeps the values that are not zero (nan is kept, -0 is not).
//  - Duplicates and explicit zeros of a coordinate file are kept; assembly sums the former, of a pattern it keeps one.
//  - Fields real, double, integer, unsigned-integer, complex, pattern. A pattern has no array form and no sign, so that
//    skew-symmetric patterns are refused.
//  - The object `vector` in an array file is a matrix of one column, whose size line has one number; in coordinates it
//    is unsupported.

#include <araia/detail/io/read_options.hpp>
#include <araia/io/host_coo.hpp>
#include <araia/io/host_dense.hpp>

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

namespace araia {

/// The stored entries of a file, in file order; gzip is recognised by content.
/// \throws araia::Error: parse (file, line, column); resource_limit naming need and limit; unsupported (other
///         compressions, vectors in coordinates); invalid_argument (no readable file); device
/// Cost   time linear in the text; memory the result, a block and its entries a thread; the header alone sizes nothing
[[nodiscard]] HostCoo read_matrix_market(std::filesystem::path const& path, ReadOptions const& options = {});

/// The same of text in memory, which errors call `name`.
[[nodiscard]] HostCoo parse_matrix_market(std::string_view text, std::string name, ReadOptions const& options = {});

/// Every element of an array file, or of a coordinate file with duplicates summed in file order; symmetry expanded,
/// integers rounded to double, a 1 wherever a pattern has entries, however many.
[[nodiscard]] HostDense read_matrix_market_dense(std::filesystem::path const& path, ReadOptions const& options = {});
[[nodiscard]] HostDense parse_matrix_market_dense(std::string_view text, std::string name,
                                                  ReadOptions const& options = {});

struct WriteOptions {
  std::string comment;  ///< lines written as % comments behind the banner
};

/// Writes A as a coordinate file, whole or not at all (AtomicFile); compressed where `path` ends in .gz. Numbers are
/// the shortest that read back as the same bits, -0 and subnormals included; of a nan only the sign is kept. Entries
/// keep their order; those of an upper triangle are written mirrored, as the format wants the lower one.
/// \throws araia::Error: invalid_structure where A breaks its own rules; device
void write_matrix_market(std::filesystem::path const& path, HostCoo const& A, WriteOptions const& options = {});
void write_matrix_market(std::ostream& out, HostCoo const& A, WriteOptions const& options = {});

/// Writes B as a general array file, in the same manner.
void write_matrix_market_dense(std::filesystem::path const& path, HostDense const& B, WriteOptions const& options = {});
void write_matrix_market_dense(std::ostream& out, HostDense const& B, WriteOptions const& options = {});

}  // namespace araia
