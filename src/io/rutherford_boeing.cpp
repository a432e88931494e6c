// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/error.hpp>
#include <araia/io/rutherford_boeing.hpp>

#include <algorithm>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include "fortran_records.hpp"
#include "lower_case.hpp"
#include "matrix_market_body.hpp"
#include "rutherford_boeing_header.hpp"
#include "rutherford_boeing_source.hpp"

namespace araia {
namespace detail {
namespace {

// Appends to `to`, which holds `most` elements in the end and has room for all at once where the file has their text.
template <class T>
void append(std::vector<T>& to, T value, std::size_t most) {
  make_room(to, 1, most);
  to.push_back(value);
}

// From 0: where the entries of each column start, and the end.
std::vector<std::int64_t> read_pointers(Records& records, RutherfordBoeingHeader const& header) {
  std::vector<std::int64_t> pointers;
  auto const count = static_cast<std::size_t>(header.cols) + 1;
  if (records.remaining().exact) pointers.reserve(count);
  Fields fields(records, header.pointer_format, "column pointers", header.cols + 1);
  while (pointers.size() < count) {
    std::int64_t const pointer = fields.integer(1, header.entries + 1) - 1;
    bool const first = pointers.empty() && pointer != 0;
    bool const last = pointers.size() + 1 == count && pointer != header.entries;
    std::int64_t const least = pointers.empty() ? 0 : pointers.back();
    if (first || last || pointer < least) {
      fields.refuse("column pointer " + std::to_string(pointers.size() + 1) + " is " + std::to_string(pointer + 1) +
                    ", expected " +
                    (first  ? "1"
                     : last ? std::to_string(header.entries + 1) + ", one more than the entries"
                            : "at least " + std::to_string(least + 1)));
    }
    append(pointers, pointer, count);
  }
  fields.finish();
  return pointers;
}

template <class Index>
void read_indices(Records& records, RutherfordBoeingHeader const& header, std::vector<std::int64_t> const& pointers,
                  HostCoo& A) {
  std::vector<Index> rows;
  std::vector<Index> cols;
  auto const count = static_cast<std::size_t>(header.entries);
  if (records.remaining().exact) {
    rows.reserve(count);
    cols.reserve(count);
  }
  Fields fields(records, header.index_format, "row indices", header.entries);
  bool lower = false;
  bool upper = false;
  for (std::size_t j = 0; j + 1 < pointers.size(); ++j) {
    auto const col = static_cast<std::int64_t>(j);
    for (std::int64_t k = pointers[j]; k < pointers[j + 1]; ++k) {
      std::int64_t const row = fields.integer(1, header.rows) - 1;
      lower |= row > col;
      upper |= row < col;
      if (header.symmetry != Symmetry::general && lower && upper) {
        fields.refuse(std::string("an entry ") + (row > col ? "below" : "above") +
                      " the diagonal after one on the other side: a file with symmetry stores one triangle");
      }
      append(rows, static_cast<Index>(row), count);
      append(cols, static_cast<Index>(col), count);
    }
  }
  fields.finish();
  A.row_indices = std::move(rows);
  A.col_indices = std::move(cols);
}

std::int64_t next_value(Fields& fields, std::int64_t const*) {
  return fields.integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
}
double next_value(Fields& fields, double const*) { return fields.real(); }
std::complex<double> next_value(Fields& fields, std::complex<double> const*) {
  double const re = fields.real();
  return {re, fields.real()};
}

template <class Value>
std::vector<Value> read_values(Records& records, RutherfordBoeingHeader const& header) {
  std::vector<Value> values;
  auto const count = static_cast<std::size_t>(header.entries);
  if (records.remaining().exact) values.reserve(count);
  Fields fields(records, header.value_format, "values", header.numbers());
  while (values.size() < count) append(values, next_value(fields, static_cast<Value const*>(nullptr)), count);
  fields.finish();
  return values;
}

void require_end(Records& records) {
  while (records.next()) {
    std::size_t const at = first_visible(records.line());
    if (at < records.line().size()) records.refuse(at, "a line follows the matrix, expected the end of the file");
  }
}

}  // namespace

HostCoo read_rutherford_boeing(ByteSource& source, ReadOptions const& options) {
  Records records(source, options.block_bytes);
  Departures departures(options);
  RutherfordBoeingHeader const header = read_rutherford_boeing_header(records, memory_limit(options), departures);
  HostCoo A;
  A.rows = header.rows;
  A.cols = header.cols;
  A.symmetry = header.symmetry;
  bool const narrow = std::max(header.rows, header.cols) <= std::numeric_limits<std::int32_t>::max();
  {
    std::vector<std::int64_t> const pointers = read_pointers(records, header);
    if (narrow)
      read_indices<std::int32_t>(records, header, pointers, A);
    else
      read_indices<std::int64_t>(records, header, pointers, A);
  }
  if (header.field == Field::real) A.values = read_values<double>(records, header);
  if (header.field == Field::integer) A.values = read_values<std::int64_t>(records, header);
  if (header.field == Field::complex) A.values = read_values<std::complex<double>>(records, header);
  if (!header.right_hand_sides) require_end(records);
  departures.tell();
  return A;
}

bool is_rutherford_boeing_extension(std::string_view extension) {
  std::string const letters = lower_case(extension);
  if (letters == ".rb" || letters == ".hb") return true;
  auto const among = [](char c, std::string_view known) { return known.find(c) != std::string_view::npos; };
  return letters.size() == 4 && letters[0] == '.' && among(letters[1], "rcipq") && among(letters[2], "usrhz") &&
         among(letters[3], "ae");
}

}  // namespace detail

HostCoo read_rutherford_boeing(std::filesystem::path const& path, ReadOptions const& options) {
  return detail::read_rutherford_boeing(*detail::open_source(path, options), options);
}

HostCoo parse_rutherford_boeing(std::string_view text, std::string name, ReadOptions const& options) {
  return detail::read_rutherford_boeing(*detail::memory_source(text, std::move(name)), options);
}

}  // namespace araia
