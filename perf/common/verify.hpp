// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One check of a product against plain sums in double, before any time is taken; or of several products of one matrix.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <araia/detail/generate/generated_matrix.hpp>
#include "src/generate/build_rows.hpp"

namespace araia::perf {

namespace detail {

/// Row i of A B: the sums in double, and those of magnitudes.
/// \param B  (A.cols, columns) row-major
template <class Scalar>
void exact_row(GeneratedMatrix const& A, std::vector<Scalar> const& B, std::size_t columns, std::int64_t i, double* sum,
               double* magnitude) {
  std::fill_n(sum, columns, 0.0);
  std::fill_n(magnitude, columns, 0.0);
  auto const row = static_cast<std::size_t>(i);
  for (auto k = static_cast<std::size_t>(A.row_offsets[row]); k < static_cast<std::size_t>(A.row_offsets[row + 1]);
       ++k) {
    double const value = static_cast<Scalar>(A.values[k]);
    Scalar const* const b = B.data() + static_cast<std::size_t>(A.col_indices[k]) * columns;
    for (std::size_t j = 0; j < columns; ++j) {
      double const product = value * static_cast<double>(b[j]);
      sum[j] += product;
      magnitude[j] += std::abs(product);
    }
  }
}

/// What the error of an element is at most, over its sum of magnitudes. Four times: the reference rounds too.
template <class Scalar>
double relative_bound(GeneratedMatrix const& A, std::int64_t i, double roundoff) {
  double const unit = roundoff > 0 ? roundoff : std::numeric_limits<Scalar>::epsilon() / 2;
  auto const row = static_cast<std::size_t>(i);
  return 4 * (static_cast<double>(A.row_offsets[row + 1] - A.row_offsets[row]) + 2) * unit;
}

/// Empty, or that element (i, j) is wrong.
inline std::string wrong_element(std::int64_t i, std::size_t j, double got, double sum, double bound) {
  if (std::abs(got - sum) <= bound) return {};  // a NaN fails
  return "row " + std::to_string(i) + ", column " + std::to_string(j) + " is " + std::to_string(got) + ", expected " +
         std::to_string(sum) + " within " + std::to_string(bound);
}

/// body(first, last) for parts of the rows at once: the first message that is not empty of any of them.
template <class Body>
std::string first_message(std::int64_t rows, Body const& body) {
  std::string message;
  std::mutex mutex;
  generate::detail::parallel_chunks(rows, std::thread::hardware_concurrency(),
                                    [&](auto, std::int64_t first, std::int64_t last) {
                                      auto const found = body(first, last);
                                      std::lock_guard const lock(mutex);
                                      if (message.empty()) message = found;
                                    });
  return message;
}

}  // namespace detail

/// What is wrong with C = A B, or an empty string. The bound is (length of the row + 2) u |A| |B| an element.
/// \param B         (A.cols, columns) row-major
/// \param roundoff  u of the precision promised; 0: that of Scalar
template <class Scalar>
std::string verify_product(GeneratedMatrix const& A, std::vector<Scalar> const& B, int columns, Scalar const* C,
                           std::int64_t row_stride, std::int64_t column_stride, double roundoff = 0) {
  auto const n = static_cast<std::size_t>(columns);
  return detail::first_message(A.rows, [&](std::int64_t first, std::int64_t last) {
    std::vector<double> sum(n), magnitude(n);
    for (std::int64_t i = first; i < last; ++i) {
      detail::exact_row(A, B, n, i, sum.data(), magnitude.data());
      double const relative = detail::relative_bound<Scalar>(A, i, roundoff);
      for (std::size_t j = 0; j < n; ++j) {
        double const got = C[i * row_stride + static_cast<std::int64_t>(j) * column_stride];
        if (auto wrong = detail::wrong_element(i, j, got, sum[j], relative * magnitude[j]); !wrong.empty())
          return wrong;
      }
    }
    return std::string();
  });
}

/// The sums of A B, made once for all contenders of a cell: 16 bytes an element of C.
template <class Scalar>
class ExpectedProduct {
 public:
  ExpectedProduct(GeneratedMatrix const& A, std::vector<Scalar> const& B, int columns)
      : A_(A), columns_(static_cast<std::size_t>(columns)) {
    sum_.resize(static_cast<std::size_t>(A.rows) * columns_);
    magnitude_.resize(sum_.size());
    detail::first_message(A.rows, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i)
        detail::exact_row(A, B, columns_, i, &sum_[at(i)], &magnitude_[at(i)]);
      return std::string();
    });
  }

  /// As verify_product, of a product in native precision.
  [[nodiscard]] std::string verify(Scalar const* C, std::int64_t row_stride, std::int64_t column_stride) const {
    return detail::first_message(A_.rows, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        double const relative = detail::relative_bound<Scalar>(A_, i, 0);
        for (std::size_t j = 0; j < columns_; ++j) {
          double const got = C[i * row_stride + static_cast<std::int64_t>(j) * column_stride];
          if (auto wrong = detail::wrong_element(i, j, got, sum_[at(i) + j], relative * magnitude_[at(i) + j]);
              !wrong.empty())
            return wrong;
        }
      }
      return std::string();
    });
  }

 private:
  [[nodiscard]] std::size_t at(std::int64_t row) const { return static_cast<std::size_t>(row) * columns_; }
  GeneratedMatrix const& A_;
  std::size_t columns_;
  std::vector<double> sum_, magnitude_;
};

}  // namespace araia::perf
