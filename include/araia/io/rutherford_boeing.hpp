// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rutherford-Boeing and its forerunner Harwell-Boeing: assembled matrices by columns, in FORTRAN's fields.
//
// What a file means where the formats leave it open:
//  - Types: R real, C complex, I integer, P or Q pattern (Q has its values in another file); then S symmetric, H
//    hermitian, Z skew-symmetric, U or R without symmetry and of any shape; then A. Types that end in E, elemental
//    matrices, are unsupported. Skew-symmetric patterns are refused.
//  - The counts of lines and entries have fields of 14 columns, a blank one is 0; where a number crosses such a field
//    or shares it, blanks part them. Every count but that
//    of all lines, which real files have wrong, must agree with the sizes and the formats.
//  - Formats: fields rIw, rEw.d and likewise D, F, G, ES, EN with Ee behind, nX, kP, BN, BZ and groups of them, in any
//    case; where a list goes on beyond the format, FORTRAN begins at its last group. docs/formats/files.md has the
//    grammar.
//  - Fields have their width and may touch. Blanks in them are left out, or zeros by BZ; a blank field is 0. A field
//    that a line's end cuts is read as if blanks followed; one that lies wholly behind the end is a parse error. Behind
//    the last field of a line or of a part of the matrix, columns 73 and up are not read (cards were numbered there);
//    text before them is a parse error. Lines end in LF, CRLF or CR.
//  - Numbers: exponents start with E, D, Q or a sign alone; without a point the format's decimals are those of the
//    field, without an exponent kP divides by 10^k. Correctly rounded; beyond the range of a double is a parse error.
//  - Symmetry stores one triangle, as in Matrix Market. Duplicates and explicit zeros are kept.
//  - Read with a warning, refused by ReadOptions::strict: elemental entries counted in an assembled file, a line that
//    describes right-hand sides in a file without any.
//  - Right-hand sides behind a Harwell-Boeing matrix are not read; a matrix without them ends the file.

#include <araia/detail/io/read_options.hpp>
#include <araia/io/host_coo.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace araia {

/// The stored entries of a file, column by column in file order; gzip is recognised by content.
/// \throws araia::Error: parse (file, line, column); unsupported (elemental matrices); resource_limit naming need and
///         limit; invalid_argument (no readable file); device
/// Cost   time linear in the text, one thread; memory the result and 8 bytes a column; the header alone sizes nothing
[[nodiscard]] HostCoo read_rutherford_boeing(std::filesystem::path const& path, ReadOptions const& options = {});

/// The same of text in memory, which errors call `name`.
[[nodiscard]] HostCoo parse_rutherford_boeing(std::string_view text, std::string name, ReadOptions const& options = {});

}  // namespace araia
