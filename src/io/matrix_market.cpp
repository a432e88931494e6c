// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/error.hpp>
#include <araia/io/matrix_market.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <utility>

#include "lower_case.hpp"
#include "matrix_market_body.hpp"
#include "matrix_market_header.hpp"
#include "matrix_market_source.hpp"

namespace araia {
namespace detail {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

struct Opened {
  Departures departures;
  LineBlocks blocks;
  MatrixMarketHeader header;

  Opened(ByteSource& source, ReadOptions const& options)
      : departures(options),
        blocks(behind_mark(source), options.block_bytes),
        header(read_header(blocks, memory_limit(options), departures)) {}

 private:
  static ByteSource& behind_mark(ByteSource& source) {
    std::array<char, byte_order_mark.size()> mark{};
    if (source.peek(mark.size()) == byte_order_mark) source.read(mark.data(), mark.size());
    return source;
  }
};

// Calls f(k, i, j) for value k of an array file at (i, j): column by column, one triangle where there is symmetry.
template <class F>
void for_each_element(MatrixMarketHeader const& header, F&& f) {
  std::size_t k = 0;
  std::int64_t const columns = header.rows == 0 ? 0 : header.cols;  // no walk over columns of nothing
  for (std::int64_t j = 0; j < columns; ++j) {
    std::int64_t const first = header.symmetry == Symmetry::general          ? 0
                               : header.symmetry == Symmetry::skew_symmetric ? j + 1
                                                                             : j;
    for (std::int64_t i = first; i < header.rows; ++i) f(k++, i, j);
  }
}

template <class Index, class Value>
HostCoo nonzeros(MatrixMarketHeader const& header, std::vector<Value> const& elements) {
  auto const count = static_cast<std::size_t>(
      std::count_if(elements.begin(), elements.end(), [](Value const& value) { return value != Value{}; }));
  std::vector<Index> rows;
  std::vector<Index> cols;
  std::vector<Value> values;
  rows.reserve(count);
  cols.reserve(count);
  values.reserve(count);
  for_each_element(header, [&](std::size_t k, std::int64_t i, std::int64_t j) {
    if (elements[k] == Value{}) return;
    rows.push_back(static_cast<Index>(i));
    cols.push_back(static_cast<Index>(j));
    values.push_back(elements[k]);
  });
  return {header.rows, header.cols, std::move(rows), std::move(cols), std::move(values), header.symmetry};
}

HostCoo sparse_of_array(MatrixMarketHeader const& header, HostCoo::Values const& elements) {
  return std::visit(
      [&]<class Elements>(Elements const& values) -> HostCoo {
        if constexpr (std::is_same_v<Elements, std::monostate>) {
          throw Error(ErrorKind::internal, "an array file without values");
        } else {
          bool const narrow = std::max(header.rows, header.cols) <= std::numeric_limits<std::int32_t>::max();
          return narrow ? nonzeros<std::int32_t>(header, values) : nonzeros<std::int64_t>(header, values);
        }
      },
      elements);
}

std::string shape(MatrixMarketHeader const& header) {
  return std::to_string(header.rows) + " x " + std::to_string(header.cols);
}

double mirrored(double value, Symmetry symmetry) { return symmetry == Symmetry::skew_symmetric ? -value : value; }
std::complex<double> mirrored(std::complex<double> value, Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? std::conj(value) : symmetry == Symmetry::skew_symmetric ? -value : value;
}

// Adds entries to a dense matrix, and to their mirror place where there is symmetry.
template <class Scalar>
class DenseSum {
 public:
  DenseSum(std::int64_t rows, std::int64_t columns, Symmetry symmetry)
      : rows_(rows), symmetry_(symmetry), values_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}

  void add(std::int64_t i, std::int64_t j, Scalar value) {
    at(i, j) += value;
    if (symmetry_ != Symmetry::general && i != j) at(j, i) += mirrored(value, symmetry_);
  }
  // An entry of a pattern: one 1, however often it is there, as in assembly.
  void mark(std::int64_t i, std::int64_t j) {
    at(i, j) = 1;
    if (symmetry_ != Symmetry::general) at(j, i) = 1;
  }
  std::vector<Scalar> take() { return std::move(values_); }

 private:
  Scalar& at(std::int64_t i, std::int64_t j) { return values_[static_cast<std::size_t>(i + j * rows_)]; }

  std::int64_t rows_;
  Symmetry symmetry_;
  std::vector<Scalar> values_;
};

template <class Elements>
using dense_scalar_t =
    std::conditional_t<std::is_same_v<Elements, std::vector<std::complex<double>>>, std::complex<double>, double>;

template <class Value>
void show(SeeInteger const& see, Value const& value, std::int64_t row, std::int64_t col) {
  if constexpr (std::is_same_v<Value, std::int64_t>)
    if (see) see(value, row, col);
}

HostDense dense_of_array(MatrixMarketHeader const& header, HostCoo::Values elements, SeeInteger const& see) {
  return std::visit(
      [&]<class Elements>(Elements& values) -> HostDense {
        using Scalar = dense_scalar_t<Elements>;
        if constexpr (std::is_same_v<Elements, std::monostate>) {
          throw Error(ErrorKind::internal, "an array file without values");
        } else {
          if constexpr (std::is_same_v<Elements, std::vector<Scalar>>) {
            if (header.symmetry == Symmetry::general) return {header.rows, header.cols, std::move(values)};
          }
          // Assigned, not added: a sum with zero would lose the sign of -0.
          std::vector<Scalar> all(static_cast<std::size_t>(header.rows) * static_cast<std::size_t>(header.cols));
          for_each_element(header, [&](std::size_t k, std::int64_t i, std::int64_t j) {
            show(see, values[k], i, j);
            auto const value = static_cast<Scalar>(values[k]);
            all[static_cast<std::size_t>(i + j * header.rows)] = value;
            if (header.symmetry != Symmetry::general && i != j) {
              all[static_cast<std::size_t>(j + i * header.rows)] = mirrored(value, header.symmetry);
            }
          });
          return {header.rows, header.cols, std::move(all)};
        }
      },
      elements);
}

HostDense dense_of_coordinate(HostCoo const& A, SeeInteger const& see) {
  return std::visit(
      [&]<class Indices, class Elements>(Indices const& rows, Elements const& values) -> HostDense {
        using Scalar = dense_scalar_t<Elements>;
        auto const& cols = std::get<Indices>(A.col_indices);
        DenseSum<Scalar> sum(A.rows, A.cols, A.symmetry);
        for (std::size_t k = 0; k < rows.size(); ++k) {
          if constexpr (std::is_same_v<Elements, std::monostate>) {
            sum.mark(rows[k], cols[k]);
          } else {
            show(see, values[k], rows[k], cols[k]);
            sum.add(rows[k], cols[k], static_cast<Scalar>(values[k]));
          }
        }
        return {A.rows, A.cols, sum.take()};
      },
      A.row_indices, A.values);
}

}  // namespace

HostCoo read_matrix_market(ByteSource& source, ReadOptions const& options) {
  Opened file(source, options);
  if (file.header.array) {  // all its elements, and beside them those that are not zero
    require_room(file.header, shape(file.header) + " as entries",
                 static_cast<Wide>(file.header.entries) * (value_bytes(file.header) + entry_bytes(file.header)),
                 memory_limit(options));
  }
  HostCoo A =
      file.header.array
          ? sparse_of_array(file.header, read_array_body(file.header, file.blocks, options.threads, file.departures))
          : read_coordinate_body(file.header, file.blocks, options.threads, file.departures);
  file.departures.tell();
  return A;
}

HostDense read_matrix_market_dense(ByteSource& source, ReadOptions const& options, SeeInteger const& see) {
  Opened file(source, options);
  MatrixMarketHeader const& header = file.header;
  Wide const elements = static_cast<Wide>(header.rows) * static_cast<Wide>(header.cols);
  bool const as_read = header.array && header.symmetry == Symmetry::general && header.field != Field::integer &&
                       header.field != Field::unsigned_integer;
  // Beside the result: what was read, unless it is the result.
  Wide const read =
      as_read ? 0 : static_cast<Wide>(header.entries) * (header.array ? value_bytes(header) : entry_bytes(header));
  require_room(header, shape(header) + " dense", elements * (header.field == Field::complex ? 16 : 8) + read,
               memory_limit(options));
  HostDense B =
      header.array
          ? dense_of_array(header, read_array_body(header, file.blocks, options.threads, file.departures), see)
          : dense_of_coordinate(read_coordinate_body(header, file.blocks, options.threads, file.departures), see);
  file.departures.tell();
  return B;
}

bool has_matrix_market_banner(std::string_view start) {
  if (start.substr(0, byte_order_mark.size()) == byte_order_mark) start.remove_prefix(byte_order_mark.size());
  while (!start.empty() && ends_token(start.front())) start.remove_prefix(1);
  return lower_case(start.substr(0, 15)).starts_with("%%matrixmarket") ||
         lower_case(start.substr(0, 15)).starts_with("%matrixmarket");
}

}  // namespace detail

HostCoo read_matrix_market(std::filesystem::path const& path, ReadOptions const& options) {
  return detail::read_matrix_market(*detail::open_source(path, options), options);
}

HostCoo parse_matrix_market(std::string_view text, std::string name, ReadOptions const& options) {
  return detail::read_matrix_market(*detail::memory_source(text, std::move(name)), options);
}

HostDense read_matrix_market_dense(std::filesystem::path const& path, ReadOptions const& options) {
  return detail::read_matrix_market_dense(*detail::open_source(path, options), options);
}

HostDense parse_matrix_market_dense(std::string_view text, std::string name, ReadOptions const& options) {
  return detail::read_matrix_market_dense(*detail::memory_source(text, std::move(name)), options);
}

}  // namespace araia
