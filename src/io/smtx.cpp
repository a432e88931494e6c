// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/error.hpp>
#include <araia/io/smtx.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include "host_coo_check.hpp"
#include "matrix_market_header.hpp"
#include "smtx_source.hpp"
#include "text_output.hpp"
#include "token_stream.hpp"

namespace araia {
namespace detail {
namespace {

struct Sizes {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
};

void require_line(TokenStream& text, std::string const& what) {
  if (!text.next_line()) text.refuse("the file ends before the " + what);
}

void require_line_end(TokenStream& text, std::string const& what) {
  if (text.more_in_line()) text.refuse(text.quoted() + " follows the " + what + ", expected the end of the line");
}

Sizes read_sizes(TokenStream& text, std::uint64_t memory) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max() - 1;
  require_line(text, "sizes");
  FilePlace const place = text.place();
  Sizes sizes;
  sizes.rows = text.number("number of rows", largest, true);
  text.skip_separator();
  sizes.cols = text.number("number of columns", largest, true);
  text.skip_separator();
  sizes.nnz = text.number("number of entries", largest);
  require_line_end(text, "sizes");
  // Every number takes a digit and what parts it from the next.
  std::uint64_t const left = text.remaining().most;
  std::uint64_t const most = left == UINT64_MAX ? left : (left + 1) / 2;
  Wide const rows = static_cast<Wide>(sizes.rows);
  Wide const nnz = static_cast<Wide>(sizes.nnz);
  if (rows + 1 + nnz > most) {
    throw Error(
        ErrorKind::parse, place,
        "the sizes promise more numbers than the " + std::to_string(most) + " that the rest of the file can hold");
  }
  std::uint64_t const entry = std::max(sizes.rows, sizes.cols) > std::numeric_limits<std::int32_t>::max() ? 16 : 8;
  require_memory(place.file,
                 std::to_string(sizes.rows) + " x " + std::to_string(sizes.cols) + " with " +
                     std::to_string(sizes.nnz) + " entries",
                 8 * (static_cast<Wide>(std::max(sizes.rows, sizes.cols)) + 1) + nnz * entry, memory);
  return sizes;
}

std::vector<std::int64_t> read_offsets(TokenStream& text, Sizes const& sizes) {
  std::vector<std::int64_t> offsets;
  auto const count = static_cast<std::size_t>(sizes.rows) + 1;
  if (text.remaining().exact) offsets.reserve(count);
  require_line(text, "row offsets");
  while (offsets.size() < count) {
    if (!text.more_in_line()) {
      text.refuse("the line ends after " + std::to_string(offsets.size()) + " of " + std::to_string(count) +
                  " row offsets");
    }
    std::int64_t const offset = text.number("row offset", sizes.nnz);
    std::int64_t const least = offsets.empty() ? 0 : offsets.back();
    bool const first = offsets.empty() && offset != 0;
    bool const last = offsets.size() + 1 == count && offset != sizes.nnz;
    if (first || last || offset < least) {
      text.refuse_number("row offset " + std::to_string(offsets.size()) + " is " + std::to_string(offset) +
                         ", expected " +
                         (first  ? "0"
                          : last ? std::to_string(sizes.nnz) + ", the number of entries"
                                 : "at least " + std::to_string(least)));
    }
    offsets.push_back(offset);
  }
  require_line_end(text, "row offsets");
  return offsets;
}

template <class Index>
HostCoo read_indices(TokenStream& text, Sizes const& sizes, std::vector<std::int64_t> const& offsets) {
  std::vector<Index> rows;
  std::vector<Index> cols;
  auto const nnz = static_cast<std::size_t>(sizes.nnz);
  // The offsets took at least as many bytes as they declare rows, but only text bounds nnz.
  if (text.remaining().exact) cols.reserve(nnz);
  if (nnz != 0) require_line(text, "column indices");
  if (nnz != 0 && sizes.cols == 0) text.refuse("column index is " + text.quoted() + ", but the matrix has no columns");
  while (cols.size() < nnz) {
    if (!text.more_in_line()) {
      text.refuse("the line ends after " + std::to_string(cols.size()) + " of " + std::to_string(nnz) +
                  " column indices");
    }
    if (cols.size() == cols.capacity()) {
      cols.reserve(std::min(nnz, std::max<std::size_t>(1024, 2 * cols.capacity())));
    }
    cols.push_back(static_cast<Index>(text.number("column index", sizes.cols - 1)));
  }
  if (text.next_line()) text.refuse(text.quoted() + " follows the column indices, expected the end of the file");
  rows.resize(nnz);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    std::fill(rows.begin() + offsets[i], rows.begin() + offsets[i + 1], static_cast<Index>(i));
  }
  return {sizes.rows, sizes.cols, std::move(rows), std::move(cols), std::monostate{}, Symmetry::general};
}

template <class Indices>
void write_pattern(TextOutput& out, HostCoo const& A, Indices const& rows) {
  auto const& cols = std::get<Indices>(A.col_indices);
  require_memory(
      {},  // whoever knows the file's name adds it
      std::to_string(A.rows) + " x " + std::to_string(A.cols) + " with " + std::to_string(A.stored()) + " entries",
      8 * (static_cast<Wide>(A.rows) + 1) + static_cast<Wide>(cols.size()) * sizeof(cols[0]), memory_limit({}));
  // Counting sort by row, which keeps the order inside one.
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(A.rows) + 1, 0);
  for (auto const row : rows) ++offsets[static_cast<std::size_t>(row) + 1];
  for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
  out << A.rows << ", " << A.cols << ", " << A.stored() << '\n';
  for (std::size_t i = 0; i < offsets.size(); ++i) out << std::string_view(" ", i == 0 ? 0 : 1) << offsets[i];
  out << '\n';
  Indices sorted(cols.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    sorted[static_cast<std::size_t>(offsets[static_cast<std::size_t>(rows[k])]++)] = cols[k];
  }
  for (std::size_t k = 0; k < sorted.size(); ++k) out << std::string_view(" ", k == 0 ? 0 : 1) << sorted[k];
  out << '\n';
}

void write_smtx(TextOutput& out, HostCoo const& A) {
  check_host_coo(A);
  if (A.symmetry != Symmetry::general) {
    throw Error(ErrorKind::unsupported, "SMTX stores no symmetry: expand the matrix before it is written");
  }
  std::visit([&](auto const& rows) { write_pattern(out, A, rows); }, A.row_indices);
}

}  // namespace

HostCoo read_smtx(ByteSource& source, ReadOptions const& options) {
  TokenStream text(source, options.block_bytes);
  Sizes const sizes = read_sizes(text, memory_limit(options));
  std::vector<std::int64_t> const offsets = read_offsets(text, sizes);
  bool const narrow = std::max(sizes.rows, sizes.cols) <= std::numeric_limits<std::int32_t>::max();
  return narrow ? read_indices<std::int32_t>(text, sizes, offsets) : read_indices<std::int64_t>(text, sizes, offsets);
}

}  // namespace detail

HostCoo read_smtx(std::filesystem::path const& path, ReadOptions const& options) {
  return detail::read_smtx(*detail::open_source(path, options), options);
}

HostCoo parse_smtx(std::string_view text, std::string name, ReadOptions const& options) {
  return detail::read_smtx(*detail::memory_source(text, std::move(name)), options);
}

void write_smtx(std::filesystem::path const& path, HostCoo const& A) {
  detail::write_file(path, [&](detail::TextOutput& out) { detail::write_smtx(out, A); });
}

void write_smtx(std::ostream& stream, HostCoo const& A) {
  detail::write_stream(stream, [&](detail::TextOutput& out) { detail::write_smtx(out, A); });
}

}  // namespace araia
