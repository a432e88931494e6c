// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/error.hpp>
#include <araia/io/matrix_market.hpp>
#include "src/io/escape.hpp"

#include <limits>
#include <type_traits>

#include "host_coo_check.hpp"
#include "text_output.hpp"

namespace araia {
namespace {

using detail::TextOutput;

std::string_view name_of(Symmetry symmetry) {
  switch (symmetry) {
    case Symmetry::general: return "general";
    case Symmetry::symmetric: return "symmetric";
    case Symmetry::skew_symmetric: return "skew-symmetric";
    case Symmetry::hermitian: return "hermitian";
  }
  return "general";
}

std::string_view name_of_field(double) { return "real"; }
std::string_view name_of_field(std::int64_t) { return "integer"; }
std::string_view name_of_field(std::complex<double>) { return "complex"; }

void write_comment(TextOutput& out, std::string_view comment) {
  constexpr std::size_t longest = 1000;  // the format allows lines of 1024 bytes
  while (!comment.empty()) {
    std::size_t const end = std::min(comment.find('\n'), comment.size());
    out << "% " << escape(comment.substr(0, end), longest) << '\n';
    comment.remove_prefix(std::min(end + 1, comment.size()));
  }
}

template <class Number>
void write_value(TextOutput& out, Number value) {
  out << value;
}
void write_value(TextOutput& out, std::complex<double> value) { out << value.real() << ' ' << value.imag(); }

double mirrored(double value, Symmetry symmetry) { return symmetry == Symmetry::skew_symmetric ? -value : value; }
std::complex<double> mirrored(std::complex<double> value, Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? std::conj(value) : symmetry == Symmetry::skew_symmetric ? -value : value;
}
std::int64_t mirrored(std::int64_t value, Symmetry symmetry) {
  return symmetry == Symmetry::skew_symmetric ? -value : value;
}

// Of all numbers the least 64-bit integer alone has no mirror value.
template <class Indices, class Values>
void require_mirrored(HostCoo const& A, Indices const& rows, Values const& values) {
  if constexpr (std::is_same_v<Values, std::vector<std::int64_t>>) {
    if (A.symmetry != Symmetry::skew_symmetric) return;
    auto const& cols = std::get<Indices>(A.col_indices);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values[k] != std::numeric_limits<std::int64_t>::min() || rows[k] == cols[k]) continue;
      throw Error(ErrorKind::invalid_structure,
                  "HostCoo: entry " + std::to_string(k) + " is " + std::to_string(values[k]) + " at (" +
                      std::to_string(rows[k]) + ", " + std::to_string(cols[k]) +
                      "), which has no mirror value among 64-bit integers; expected the lower triangle");
    }
  }
}

template <class Indices, class Values>
void write_entries(TextOutput& out, HostCoo const& A, Indices const& rows, Values const& values, bool mirror) {
  auto const& cols = std::get<Indices>(A.col_indices);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    auto const row = static_cast<std::int64_t>(rows[k]) + 1;
    auto const col = static_cast<std::int64_t>(cols[k]) + 1;
    bool const flip = mirror && row < col;
    out << (flip ? col : row) << ' ' << (flip ? row : col);
    if constexpr (!std::is_same_v<Values, std::monostate>) {
      out << ' ';
      write_value(out, flip ? mirrored(values[k], A.symmetry) : values[k]);
    }
    out << '\n';
  }
}

void write_coordinate(TextOutput& out, HostCoo const& A, WriteOptions const& options) {
  bool const mirror = detail::check_host_coo(A) == detail::Triangle::upper && A.symmetry != Symmetry::general;
  std::visit(
      [&]<class Indices, class Values>(Indices const& rows, Values const& values) {
        if (mirror) require_mirrored(A, rows, values);
        std::string_view field = "pattern";
        if constexpr (!std::is_same_v<Values, std::monostate>) field = name_of_field(typename Values::value_type{});
        out << "%%MatrixMarket matrix coordinate " << field << ' ' << name_of(A.symmetry) << '\n';
        write_comment(out, options.comment);
        out << A.rows << ' ' << A.cols << ' ' << A.stored() << '\n';
        write_entries(out, A, rows, values, mirror);
      },
      A.row_indices, A.values);
}

void write_array(TextOutput& out, HostDense const& B, WriteOptions const& options) {
  std::visit(
      [&]<class Values>(Values const& values) {
        __extension__ using Wide = __int128;
        if (B.rows < 0 || B.columns < 0 ||
            static_cast<Wide>(B.rows) * static_cast<Wide>(B.columns) != static_cast<Wide>(values.size())) {
          throw Error(ErrorKind::invalid_structure, "HostDense: " + std::to_string(values.size()) + " values for " +
                                                        std::to_string(B.rows) + " x " + std::to_string(B.columns));
        }
        out << "%%MatrixMarket matrix array " << name_of_field(typename Values::value_type{}) << " general\n";
        write_comment(out, options.comment);
        out << B.rows << ' ' << B.columns << '\n';
        for (auto const& value : values) {
          write_value(out, value);
          out << '\n';
        }
      },
      B.values);
}

}  // namespace

void write_matrix_market(std::filesystem::path const& path, HostCoo const& A, WriteOptions const& options) {
  detail::write_file(path, [&](TextOutput& out) { write_coordinate(out, A, options); });
}

void write_matrix_market(std::ostream& stream, HostCoo const& A, WriteOptions const& options) {
  detail::write_stream(stream, [&](TextOutput& out) { write_coordinate(out, A, options); });
}

void write_matrix_market_dense(std::filesystem::path const& path, HostDense const& B, WriteOptions const& options) {
  detail::write_file(path, [&](TextOutput& out) { write_array(out, B, options); });
}

void write_matrix_market_dense(std::ostream& stream, HostDense const& B, WriteOptions const& options) {
  detail::write_stream(stream, [&](TextOutput& out) { write_array(out, B, options); });
}

}  // namespace araia
