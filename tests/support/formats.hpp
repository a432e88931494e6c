// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tools of the tests of formats: breaking one element at a time, and comparing a Csr with what it must hold.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/device.hpp"
#include "support/errors.hpp"
#include "support/types.hpp"

namespace araia::test {

/// view.data()[at] = value, wherever it lies.
template <class View, class T>
void poke(View const& view, std::size_t at, T value) {
  ASSERT_LT(at, view.span());
  using Element = typename View::non_const_value_type;
  auto const element = static_cast<Element>(value);
  detail::copy_bytes<typename View::device_type, Kokkos::HostSpace>(const_cast<Element*>(view.data()) + at, &element,
                                                                    sizeof(Element));
}

template <class Exec, class Matrix>
void expect_broken(Matrix const& A, std::string const& rule) {
  try {
    validate(Exec(), A);
    ADD_FAILURE() << "passed, expected: " << rule;
  } catch (Error const& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_structure);
    EXPECT_NE(std::string(error.what()).find(rule), std::string::npos) << error.what() << "\nexpected: " << rule;
  }
}

/// The kind of the error that a call throws, and the texts that its message must hold.
inline void expect_error(ErrorKind kind, std::vector<std::string> const& texts, Call const& call) {
  std::string message;
  EXPECT_EQ(kind_of(call, &message), kind) << message;
  for (auto const& text : texts) EXPECT_NE(message.find(text), std::string::npos) << message << "\nexpected: " << text;
}

/// The same entries in the same places.
template <class Matrix>
void expect_same_csr(Matrix const& got, TestMatrix const& m, std::string const& what, bool values = true) {
  using value_type = typename Matrix::value_type;
  EXPECT_EQ(got.rows, m.rows) << what;
  EXPECT_EQ(got.cols, m.cols) << what;
  EXPECT_EQ(got.nnz, m.nnz()) << what;
  EXPECT_EQ(download<std::int64_t>(got.row_offsets), m.row_offsets) << what;
  EXPECT_EQ(download<std::int32_t>(got.col_indices), m.col_indices) << what;
  auto const got_values = download<value_type>(got.values);
  ASSERT_EQ(got_values.size(), values ? m.values.size() : 0) << what;
  for (std::size_t k = 0; k < got_values.size(); ++k)
    EXPECT_EQ(got_values[k], scalar_from<value_type>(m.values[k])) << what << ", entry " << k;
}

/// Columns of every row ascending, equal ones in their order.
inline TestMatrix with_sorted_columns(TestMatrix m) {
  TestMatrix const from = m;
  for (std::int64_t i = 0; i < m.rows; ++i) {
    std::vector<std::size_t> order;
    for (auto k = from.row_offsets[static_cast<std::size_t>(i)]; k < from.row_offsets[static_cast<std::size_t>(i) + 1];
         ++k)
      order.push_back(static_cast<std::size_t>(k));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t p, std::size_t q) { return from.col_indices[p] < from.col_indices[q]; });
    auto to = static_cast<std::size_t>(from.row_offsets[static_cast<std::size_t>(i)]);
    for (std::size_t const k : order) {
      m.col_indices[to] = from.col_indices[k];
      m.values[to++] = from.values[k];
    }
  }
  return m;
}

/// Every third value is a stored zero.
inline TestMatrix with_stored_zeros(TestMatrix m) {
  for (std::size_t k = 0; k < m.values.size(); k += 3) m.values[k] = 0;
  m.name += ", stored zeros";
  return m;
}

/// The Csr of a TestMatrix with indices of any type.
template <class Scalar, class Ordinal, class Offset, class Exec>
auto device_csr_of(TestMatrix const& m) {
  using ExecDevice = typename Exec::device_type;
  Csr<Scalar, Ordinal, Offset, ExecDevice> A{.rows = m.rows, .cols = m.cols, .nnz = m.nnz()};
  A.row_offsets = upload<Offset, ExecDevice>("row_offsets", m.row_offsets);
  A.col_indices = upload<Ordinal, ExecDevice>("col_indices", m.col_indices);
  A.values = upload<Scalar, ExecDevice>("values", m.values);
  return A;
}

}  // namespace araia::test
