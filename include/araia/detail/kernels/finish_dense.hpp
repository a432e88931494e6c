// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C := act(beta C + bias + R), as a pass of its own: after products whose kernels store C without an epilogue, and in
// place of products of nothing.
// Mapping  a thread an element of C, neighbours along its smaller stride; on hosts a line of them
// Traffic  double: 16 B an element, 8 B of them not where beta == 0, 8 B more with R. Scratch, barriers, atomics: none.

#include <Kokkos_Core.hpp>
#include <cstdint>

#include <araia/detail/formats/loops.hpp>
#include <araia/detail/formats/scalar.hpp>
#include <araia/detail/formats/team_shape.hpp>
#include <araia/detail/kernels/epilogue.hpp>

namespace araia::detail {

template <class Y, bool lines>
struct FinishDense {
  using Sum = accumulator_t<Y>;
  DenseBatch<Y> c;
  EpiloguePointers<Y> epilogue;
  Sum beta;
  bool rows_fast;
  std::int64_t fast;  // elements of a line
  std::int64_t slow;  // lines of an item

  KOKKOS_INLINE_FUNCTION void element(std::int64_t item, std::int64_t line, std::int64_t place) const {
    auto const& e = epilogue;
    std::int64_t const row = rows_fast ? place : line;
    std::int64_t const column = rows_fast ? line : place;
    Y& to = c.first.data[item * c.stride + row * c.first.row_stride + column * c.first.column_stride];
    Sum value = beta == Sum{} ? Sum{} : beta == Sum(1) ? static_cast<Sum>(to) : beta * static_cast<Sum>(to);
    if (e.row_bias) value += static_cast<Sum>(e.row_bias[row * e.row_bias_stride]);
    if (e.column_bias) value += static_cast<Sum>(e.column_bias[column * e.column_bias_stride]);
    if (e.residual)
      value += static_cast<Sum>(
          e.residual[item * e.residual_batch_stride + row * e.residual_row_stride + column * e.residual_column_stride]);
    if constexpr (!is_complex_v<Y>)
      if (e.relu && value < Sum{}) value = Sum{};  // NaN stays
    to = static_cast<Y>(value);
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t i) const {
    if constexpr (lines) {
      for (std::int64_t place = 0; place < fast; ++place) element(i / slow, i % slow, place);
    } else {
      std::int64_t const line = i / fast;
      element(line / slow, line % slow, i % fast);
    }
  }
};

/// beta == 0 overwrites C, NaN included.
template <class Exec, class Y>
void finish_dense(Exec const& exec, accumulator_t<Y> beta, DenseBatch<Y> const& c,
                  EpiloguePointers<Y> const& epilogue) {
  using Finish = FinishDense<Y, !is_device_space<Exec>>;
  auto const& m = c.first;
  if (c.count == 0 || m.rows == 0 || m.columns == 0) return;
  if (beta == accumulator_t<Y>(1) && !epilogue.any()) return;
  bool const rows_fast = m.row_stride < m.column_stride;
  Finish const finish{c, epilogue, beta, rows_fast, rows_fast ? m.rows : m.columns, rows_fast ? m.columns : m.rows};
  std::int64_t const all_lines = c.count * finish.slow;
  for_each_index("araia::finish_dense",
                 IndexRange<Exec>(exec, 0, is_device_space<Exec> ? all_lines * finish.fast : all_lines), finish);
}

}  // namespace araia::detail
