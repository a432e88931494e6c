// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One check of a product against plain sums in double, before any time is taken.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <araia/generate/generated_matrix.hpp>
#include "src/generate/build_rows.hpp"

namespace araia::perf {

/// What is wrong with C = A B, or an empty string. The bound is (length of the row + 2) u |A| |B| an element.
/// \param B         (A.cols, columns) row-major
/// \param roundoff  u of the precision promised; 0: that of Scalar
template <class Scalar>
std::string verify_product(GeneratedMatrix const& A, std::vector<Scalar> const& B, int columns, Scalar const* C,
                           std::int64_t row_stride, std::int64_t column_stride, double roundoff = 0) {
  double const unit = roundoff > 0 ? roundoff : std::numeric_limits<Scalar>::epsilon() / 2;
  std::string message;
  std::mutex mutex;
  auto const n = static_cast<std::size_t>(columns);
  generate::detail::parallel_chunks(
      A.rows, std::thread::hardware_concurrency(), [&](auto, std::int64_t first, std::int64_t last) {
        std::vector<double> sum(n), magnitude(n);
        for (std::int64_t i = first; i < last; ++i) {
          std::fill(sum.begin(), sum.end(), 0.0);
          std::fill(magnitude.begin(), magnitude.end(), 0.0);
          auto const row = static_cast<std::size_t>(i);
          for (std::int64_t k = A.row_offsets[row]; k < A.row_offsets[row + 1]; ++k) {
            double const value = static_cast<Scalar>(A.values[static_cast<std::size_t>(k)]);
            Scalar const* const b = B.data() + A.col_indices[static_cast<std::size_t>(k)] * std::int64_t{columns};
            for (std::size_t j = 0; j < n; ++j) {
              double const product = value * static_cast<double>(b[j]);
              sum[j] += product;
              magnitude[j] += std::abs(product);
            }
          }
          double const length = static_cast<double>(A.row_offsets[row + 1] - A.row_offsets[row]);
          for (std::size_t j = 0; j < n; ++j) {
            double const got = C[i * row_stride + static_cast<std::int64_t>(j) * column_stride];
            // Four times: the reference rounds too.
            double const bound = 4 * (length + 2) * unit * magnitude[j];
            if (std::abs(got - sum[j]) <= bound) continue;  // a NaN fails
            std::lock_guard const lock(mutex);
            if (message.empty())
              message = "row " + std::to_string(i) + ", column " + std::to_string(j) + " is " + std::to_string(got) +
                        ", expected " + std::to_string(sum[j]) + " within " + std::to_string(bound);
            return;
          }
        }
      });
  return message;
}

}  // namespace araia::perf
