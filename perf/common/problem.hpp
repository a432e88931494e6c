// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A product to time: the matrix and its dense operands on the execution space, in as many copies as defeat the cache.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <araia/assembly/huge_pages.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/generate/generated_matrix.hpp>
#include <araia/formats/csr.hpp>
#include "src/generate/random.hpp"

namespace araia::perf {

using Exec = Kokkos::DefaultExecutionSpace;
using Device = Exec::device_type;

template <class Scalar>
using Vector = Kokkos::View<Scalar*, Device>;
template <class Scalar>
using RowMajor = Kokkos::View<Scalar**, Kokkos::LayoutRight, Device>;
template <class Scalar>
using ColumnMajor = Kokkos::View<Scalar**, Kokkos::LayoutLeft, Device>;

inline constexpr std::uint64_t operand_seed = 0x0b01;

/// Element (i, j) of x or B: random, of magnitude 0.5 to 1.5.
template <class Scalar>
Scalar operand(std::int64_t i, std::int64_t j) {
  return static_cast<Scalar>(generate::detail::entry(
      generate::detail::draw(operand_seed, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j))));
}

/// An uninitialised View on huge pages where the system grants them: all contenders read these arrays.
template <class View, class... Extents>
View new_view(std::string const& label, Extents... extents) {
  View const view(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), static_cast<std::size_t>(extents)...);
  ask_for_huge_pages(view);
  return view;
}

/// Every element is `value`; complete when it returns.
template <class View>
void fill_view(View const& view, typename View::non_const_value_type const& value) {
  Exec const exec;
  araia::detail::fill_array(exec, view, value);
  exec.fence("araia::perf::fill_view");
}

/// A View's worth of host data on the device.
template <class View, class Source>
View to_device(std::string const& label, Source const& source) {
  auto const view = new_view<View>(label, source.size());
  auto const host = Kokkos::create_mirror_view(view);
  std::transform(source.begin(), source.end(), host.data(),
                 [](auto value) { return static_cast<typename View::non_const_value_type>(value); });
  araia::detail::copy_array(view, host);
  return view;
}

/// The copies of A that all contenders share. Kokkos allocates each array apart, so copies share no cache line.
template <class Scalar>
struct MatrixCopies {
  using value_type = Scalar;
  using Matrix = Csr<Scalar, std::int32_t, std::int32_t, Device>;

  GeneratedMatrix const& host;
  Exec exec;
  std::vector<Matrix> A;                                         // as many as defeat the cache
  double memory_left = std::numeric_limits<double>::infinity();  // bytes that one contender may take

  MatrixCopies(GeneratedMatrix const& host_, Exec const& exec_, std::int64_t copies) : host(host_), exec(exec_) {
    if (std::max({host.nnz(), host.rows, host.cols}) > std::numeric_limits<std::int32_t>::max())
      throw std::invalid_argument(host.name + ": 32-bit offsets hold at most 2147483647 entries");
    A.push_back({.rows = host.rows,
                 .cols = host.cols,
                 .nnz = host.nnz(),
                 .row_offsets = to_device<Vector<std::int32_t>>("row_offsets", host.row_offsets),
                 .col_indices = to_device<Vector<std::int32_t>>("col_indices", host.col_indices),
                 .values = to_device<Vector<Scalar>>("values", host.values),
                 .row_permutation = {}});
    for (std::int64_t copy = 1; copy < copies; ++copy)
      A.push_back({.rows = host.rows,
                   .cols = host.cols,
                   .nnz = host.nnz(),
                   .row_offsets = duplicate(A.front().row_offsets),
                   .col_indices = duplicate(A.front().col_indices),
                   .values = duplicate(A.front().values),
                   .row_permutation = {}});
  }

  /// Copies that the contender at hand rotates through: of small formats more than of A, of large ones fewer.
  [[nodiscard]] int copies() const { return copies_; }
  /// What copy `copy` of a format is made from.
  [[nodiscard]] Matrix const& source(int copy) const { return A[static_cast<std::size_t>(copy) % A.size()]; }

  template <class View>
  [[nodiscard]] static Vector<typename View::non_const_value_type> duplicate(View const& view) {
    auto const copy = new_view<Vector<typename View::non_const_value_type>>(view.label(), view.extent(0));
    araia::detail::copy_array(copy, view);
    return copy;
  }

  /// Bytes of one CSR copy.
  [[nodiscard]] static double csr_bytes(GeneratedMatrix const& host) {
    return static_cast<double>(host.nnz()) * (sizeof(Scalar) + sizeof(std::int32_t)) +
           static_cast<double>(host.rows + 1) * sizeof(std::int32_t);
  }

 protected:
  int copies_ = 1;
};

/// y = A x.
template <class Scalar>
struct SpmvProblem : MatrixCopies<Scalar> {
  static constexpr char const* operation = "spmv";
  std::vector<Vector<Scalar>> x, y;  // (copies) of (cols), (rows)

  SpmvProblem(GeneratedMatrix const& host_, Exec const& exec_, std::int64_t copies, int)
      : MatrixCopies<Scalar>(host_, exec_, copies) {
    x.push_back(new_view<Vector<Scalar>>("x", host_.cols));
    auto const host_x = Kokkos::create_mirror_view(x.front());
    for (std::int64_t j = 0; j < host_.cols; ++j) host_x(static_cast<std::size_t>(j)) = operand<Scalar>(j, 0);
    araia::detail::copy_array(x.front(), host_x);
    set_copies(static_cast<int>(copies));
  }

  /// The next contender rotates through so many copies; operands are added where there are fewer.
  void set_copies(int copies) {
    this->copies_ = copies;
    while (x.size() < static_cast<std::size_t>(copies)) x.push_back(this->duplicate(x.front()));
    while (y.size() < static_cast<std::size_t>(copies)) {
      y.push_back(new_view<Vector<Scalar>>("y", this->host.rows));
      fill_view(y.back(), Scalar{});
    }
  }

  static constexpr int layouts = 1;
  /// Bytes of x and y, each once.
  [[nodiscard]] static double dense_bytes(GeneratedMatrix const& host, int) {
    return static_cast<double>(host.rows + host.cols) * sizeof(Scalar);
  }

  void poison() { fill_view(y.front(), std::numeric_limits<Scalar>::quiet_NaN()); }

  /// calls check(values, stride of a row, stride of a column) with the result of the first copy on the host
  template <class Check>
  auto with_result(bool, Check const& check) const {
    auto const host_y = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y.front());
    return check(host_y.data(), std::int64_t{1}, std::int64_t{1});
  }
};

/// C = A B, in both layouts of B and C.
template <class Scalar>
struct SpmmProblem : MatrixCopies<Scalar> {
  static constexpr char const* operation = "spmm";
  int columns;
  std::vector<RowMajor<Scalar>> B_row, C_row;  // (copies) of (cols, columns), (rows, columns)
  std::vector<ColumnMajor<Scalar>> B_column, C_column;

  SpmmProblem(GeneratedMatrix const& host_, Exec const& exec_, std::int64_t copies, int columns_)
      : MatrixCopies<Scalar>(host_, exec_, copies), columns(columns_) {
    auto const fill = [&](auto& B) {
      using View = typename std::decay_t<decltype(B)>::value_type;
      B.push_back(new_view<View>("B", host_.cols, columns));
      auto const host_B = Kokkos::create_mirror_view(B.front());
      for (std::int64_t i = 0; i < host_.cols; ++i)
        for (int j = 0; j < columns; ++j) host_B(i, j) = operand<Scalar>(i, j);
      araia::detail::copy_array(B.front(), host_B);
    };
    fill(B_row);
    fill(B_column);
    set_copies(static_cast<int>(copies));
  }

  /// The next contender rotates through so many copies; operands are added where there are fewer.
  void set_copies(int copies) {
    this->copies_ = copies;
    auto const grow = [&](auto& B, auto& C) {
      using View = typename std::decay_t<decltype(B)>::value_type;
      while (B.size() < static_cast<std::size_t>(copies)) {
        B.push_back(new_view<View>("B", this->host.cols, columns));
        araia::detail::copy_array(B.back(), B.front());
      }
      while (C.size() < static_cast<std::size_t>(copies)) {
        C.push_back(new_view<View>("C", this->host.rows, columns));
        fill_view(C.back(), Scalar{});
      }
    };
    grow(B_row, C_row);
    grow(B_column, C_column);
  }

  static constexpr int layouts = 2;
  /// Bytes of B and C, each once.
  [[nodiscard]] static double dense_bytes(GeneratedMatrix const& host, int columns) {
    return static_cast<double>(host.rows + host.cols) * static_cast<double>(columns) * sizeof(Scalar);
  }

  void poison() {
    fill_view(C_row.front(), std::numeric_limits<Scalar>::quiet_NaN());
    fill_view(C_column.front(), std::numeric_limits<Scalar>::quiet_NaN());
  }

  template <class Check>
  auto with_result(bool column_major, Check const& check) const {
    std::int64_t const rows = this->host.rows;
    if (column_major) {
      auto const C = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), C_column.front());
      return check(C.data(), std::int64_t{1}, rows);
    }
    auto const C = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), C_row.front());
    return check(C.data(), std::int64_t{columns}, std::int64_t{1});
  }
};

}  // namespace araia::perf
