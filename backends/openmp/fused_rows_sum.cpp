// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of w_i y_i in double, for vectors in cache: sixteen sums beside each other, then those by halves. The order
// is the same on every instruction set.

#include <araia/detail/formats/type_list.hpp>

#include "backends/openmp/fused_rows_sum.hpp"

namespace araia::host::ARAIA_ISA {

namespace {

template <class T>
double sum(T const* w, T const* y, std::int64_t rows) {
  constexpr int lanes = 16;
  double sums[lanes] = {};
  std::int64_t i = 0;
  for (; i + lanes <= rows; i += lanes)
    for (int l = 0; l < lanes; ++l) sums[l] += static_cast<double>(w[i + l]) * static_cast<double>(y[i + l]);
  for (int l = 0; i < rows; ++i, ++l) sums[l] += static_cast<double>(w[i]) * static_cast<double>(y[i]);
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) sums[l] += sums[l + half];
  return sums[0];
}

}  // namespace

}  // namespace araia::host::ARAIA_ISA

namespace araia::host {

template <Isa level, class Y>
double sum_of_rows(Y const* w, Y const* y, std::int64_t rows) {
  return ARAIA_ISA::sum(w, y, rows);
}

[[gnu::used]] static void write_out_sum_of_rows() {
  using namespace detail;
  for_types<AllReals>([]<class Y>() { write_out(sum_of_rows<Isa::ARAIA_ISA, Y>); });
}

}  // namespace araia::host
