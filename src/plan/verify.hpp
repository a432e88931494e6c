// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products of random operands held to the reference.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <araia/assembly/assemble.hpp>
#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/memory_limit.hpp>
#include <araia/formats/csr.hpp>
#include <araia/plan/report.hpp>
#include "backends/openmp/reference/check.hpp"
#include "backends/openmp/reference/entries.hpp"
#include "backends/openmp/reference/flushed.hpp"
#include "backends/openmp/reference/sample.hpp"
#include "backends/openmp/reference/spmm.hpp"
#include "src/engine/kernels.hpp"
#include "src/plan/measuring_price.hpp"
#include "src/plan/stored.hpp"

namespace araia::detail {

/// Kokkos::complex as the reference names it; other scalars are themselves.
template <class T>
struct PlainScalar {
  using type = T;
};
template <class T>
struct PlainScalar<Kokkos::complex<T>> {
  using type = std::complex<T>;
};
template <class T>
using plain_scalar_t = typename PlainScalar<T>::type;

template <class T>
auto plain(T const* data) {
  return reinterpret_cast<plain_scalar_t<T> const*>(data);
}

/// What a candidate is held to.
struct Promise {
  Precision precision = Precision::native;
  bool flushes = false;  ///< what is below the normal range may be lost
};

/// Atomic additions of a CUDA device to float lose what is below the normal range, and so do the halves that its
/// tensor cores multiply.
template <class Exec, class Y>
Promise promise_of(Problem const& problem, Choice const& choice) {
  Precision const precision = precision_of(problem, choice);
  auto const* const kernel = kernel_of(problem, choice);
  bool const scatters = kernel && kernel->info.sums == Sums::scattered;
  return {precision, is_cuda_space<Exec> && std::is_same_v<Y, float> && (scatters || precision != Precision::native)};
}

std::string violation_text(reference::CheckReport const& check);

/// Random operands of one problem in the memory of Exec, as the description lays them out.
template <class Exec, class X, class Y>
class Operands {
 public:
  /// \param memory_limit  bytes that they may take
  /// \throws araia::Error (resource_limit) naming need and limit, before anything is allocated
  Operands(Exec const& exec, Problem const& problem, DenseLayout layout_b, DenseLayout layout_c,
           std::uint64_t memory_limit) {
    std::int64_t const rows = transposes(problem.op) ? problem.stats.cols : problem.stats.rows;
    std::int64_t const cols = transposes(problem.op) ? problem.stats.rows : problem.stats.cols;
    require_room(problem, layout_b, layout_c, memory_limit);
    x_array = allocate<X>(exec, "araia::operands::x", shape(layout_b, cols, problem.columns));
    y_array = allocate<Y>(exec, "araia::operands::y", shape(layout_c, rows, problem.columns));
    b = with_data<X const>(x_array.data(), shape(layout_b, cols, problem.columns));
    c = with_data<Y>(y_array.data(), shape(layout_c, rows, problem.columns));
    fill_random(exec, x_array, 1);
    fill_random(exec, y_array, 2);
  }

  /// Bytes that these operands and a Verifier of them take in the memory of Exec.
  static std::uint64_t bytes(Problem const& problem, DenseLayout layout_b, DenseLayout layout_c) {
    std::int64_t const rows = transposes(problem.op) ? problem.stats.cols : problem.stats.rows;
    std::int64_t const cols = transposes(problem.op) ? problem.stats.rows : problem.stats.cols;
    return bytes(problem, shape(layout_b, cols, problem.columns), shape(layout_c, rows, problem.columns));
  }

  /// \throws araia::Error (resource_limit) naming need and limit where these operands do not fit
  static void require_room(Problem const& problem, DenseLayout layout_b, DenseLayout layout_c,
                           std::uint64_t memory_limit) {
    std::int64_t const rows = transposes(problem.op) ? problem.stats.cols : problem.stats.rows;
    std::int64_t const cols = transposes(problem.op) ? problem.stats.rows : problem.stats.cols;
    require_room(problem, shape(layout_b, cols, problem.columns), shape(layout_c, rows, problem.columns), memory_limit);
  }

  /// Elements from the first to the last, gaps included.
  static std::int64_t span(DenseMatrix<char> const& m) {
    return m.rows == 0 || m.columns == 0 ? 0 : (m.rows - 1) * m.row_stride + (m.columns - 1) * m.column_stride + 1;
  }

  static DenseMatrix<char> shape(DenseLayout layout, std::int64_t rows, std::int64_t columns) {
    switch (layout) {
      // Also of one row, columns lie apart: what is chosen here must run with any leading dimension.
      case DenseLayout::left: return {nullptr, rows, columns, 1, std::max<std::int64_t>(rows, 2)};
      case DenseLayout::right: return {nullptr, rows, columns, columns, 1};
      case DenseLayout::strided: return {nullptr, rows, columns, 2 * columns, 2};
    }
    return {};
  }

  template <class T>
  static DenseMatrix<T> with_data(T* data, DenseMatrix<char> const& m) {
    return {data, m.rows, m.columns, m.row_stride, m.column_stride};
  }

  Kokkos::View<X*, typename Exec::device_type> x_array;
  Kokkos::View<Y*, typename Exec::device_type> y_array;
  DenseMatrix<X const> b;
  DenseMatrix<Y> c;

 private:
  using Memory = typename Exec::memory_space;

  /// Refused as one: the operands and what a Verifier keeps on the host, C before and after the product and what is
  /// expected of the rows that it checks.
  static void require_room(Problem const& problem, DenseMatrix<char> const& b, DenseMatrix<char> const& c,
                           std::uint64_t memory_limit) {
    auto const what = "araia::make_plan: verifying products of " + std::to_string(problem.columns) + " columns";
    require_memory(what.c_str(), bytes(problem, b, c), memory_limit);
    if constexpr (!host_reaches<Memory>)
      require_memory((what + ", on the host,").c_str(), saturating_sum(bytes<X>(b), host_bytes(problem, c)),
                     default_host_memory_limit());
  }

  static std::uint64_t bytes(Problem const& problem, DenseMatrix<char> const& b, DenseMatrix<char> const& c) {
    auto const operands = saturating_sum(bytes<X>(b), bytes<Y>(c));
    return host_reaches<Memory> ? saturating_sum(operands, host_bytes(problem, c)) : operands;
  }

  /// Of what a Verifier keeps on the host, but for a copy of B.
  static std::uint64_t host_bytes(Problem const& problem, DenseMatrix<char> const& c) {
    using Kept = reference::Expected<plain_scalar_t<Y>>;
    constexpr std::uint64_t kept_bytes = sizeof(typename Kept::wide) + 2 * sizeof(typename Kept::wide_real);
    auto const elements = static_cast<std::uint64_t>(checked_elements(problem));
    // Lengths and numbers of all rows, where a sample of them is drawn.
    std::uint64_t const drawn = checked_share(problem).rows == 0
                                    ? 0
                                    : saturating_product(static_cast<std::uint64_t>(c.rows), 2 * sizeof(std::int64_t));
    return saturating_sum(saturating_sum(saturating_product(2, bytes<Y>(c)), drawn),
                          saturating_product(kept_bytes, elements));
  }

  template <class T>
  static std::uint64_t bytes(DenseMatrix<char> const& m) {
    return saturating_product(static_cast<std::uint64_t>(span(m)), sizeof(T));
  }
  template <class T>
  static Kokkos::View<T*, typename Exec::device_type> allocate(Exec const& exec, std::string const& label,
                                                               DenseMatrix<char> const& m) {
    return new_view<Kokkos::View<T*, typename Exec::device_type>>(exec, label, span(m));
  }
};

/// The matrix where the reference can read it: the source itself, or `copy`, which takes it. Fences exec.
template <class Exec, class Source, class Copy>
auto readable_pointers(Exec const& exec, Source const& source, [[maybe_unused]] Copy& copy) {
  if constexpr (host_reaches<typename Source::memory_space>) {
    exec.fence("araia::verify: the matrix is complete");
    return source.pointers();
  } else {
    copy = copy_to<HostDevice>(exec, source);
    return copy.pointers();
  }
}

/// What C = alpha op(A) B + beta C should be for the operands, computed once; then any number of checks.
template <class Exec, class A, class X, class Y, class Ordinal, class Offset, class Memory>
class Verifier {
 public:
  using Source = Csr<A const, Ordinal, Offset, Kokkos::Device<Exec, Memory>>;
  using Sum = accumulator_t<Y>;

  /// \param operands  kept by the caller as long as the Verifier
  Verifier(Exec const& exec, Source const& source, Problem const& problem, Operands<Exec, X, Y> const& operands,
           Sum alpha, Sum beta)
      : operands_(operands) {
    auto const host = readable_pointers(exec, source, host_);
    auto const x = host_copy_of(operands.x_array);
    before_ = new_view<Kokkos::View<Y*, Kokkos::HostSpace>>("araia::verify::before", operands.y_array.extent(0));
    exec.fence("araia::verify: operands are filled");
    copy_array(before_, operands.y_array);
    result_ = new_view<Kokkos::View<Y*, Kokkos::HostSpace>>("araia::verify::result", operands.y_array.extent(0));
    // Where beta is zero nothing of C may survive: a NaN would.
    if (beta == Sum{})
      std::fill_n(before_.data(), before_.size(), static_cast<Y>(std::numeric_limits<double>::quiet_NaN()));

    CsrPointers<plain_scalar_t<A>, Ordinal, signed_offset_t<Offset>> const a{
        host.rows,           host.cols,        host.nnz,
        host.row_offsets,    host.col_indices, host.values ? plain(host.values) : nullptr,
        host.row_permutation};
    DenseMatrix<plain_scalar_t<X> const> const b{plain(x.data()), operands.b.rows, operands.b.columns,
                                                 operands.b.row_stride, operands.b.column_stride};
    auto const as_plain = [](Sum s) { return static_cast<plain_scalar_t<Y>>(*plain(&s)); };
    auto const share = checked_share(problem);
    auto const rows = rows_to_check(problem, a, share);
    whole_ = rows.empty() && share.columns == 0;
    if constexpr (std::is_same_v<A, float> && std::is_same_v<X, float>)
      if (problem.precision == Precision::fp16) {
        largest_a_ = reference::largest_magnitude(a.values, a.nnz);
        largest_b_ = reference::largest_magnitude(b.data, static_cast<std::int64_t>(x.extent(0)));
      }
    for (auto const& columns : columns_to_check(b.columns, share)) {
      auto const before = columns.of(plain_result(before_));
      parts_.push_back({columns, rows.empty() ? reference::spmm(problem.op, as_plain(alpha), a, columns.of(b),
                                                                as_plain(beta), before)
                                              : reference::spmm(problem.op, as_plain(alpha), a, columns.of(b),
                                                                as_plain(beta), before, rows)});
    }
  }

  /// Runs the product on a fresh C and holds it to the reference. Fences exec.
  VerifyReport check(Exec const& exec, std::function<void()> const& product, Promise const& promise) {
    copy_array(exec, operands_.y_array, before_);
    product();
    exec.fence("araia::verify: the product is complete");
    copy_array(result_, operands_.y_array);
    long double const u = promise.precision == Precision::native
                              ? reference::unit_roundoff<reference::real_t<plain_scalar_t<Y>>>()
                              : static_cast<long double>(unit_roundoff(promise.precision, sizeof(Y)));
    auto const floor = static_cast<long double>(product_floor(promise.precision, largest_a_, largest_b_));
    VerifyReport report{.done = true, .ok = true, .whole = whole_};
    for (auto const& part : parts_) {
      auto const got = part.columns.of(plain_result(result_));
      auto found = promise.flushes ? reference::check(reference::with_flushed(part.expected, got), got, u, floor)
                                   : reference::check(part.expected, got, u, floor);
      report.rows_checked = found.rows_checked;
      report.entries_checked += found.entries_checked;
      report.violations += found.violations;
      report.worst_share = std::max(report.worst_share, found.worst_ratio);
      if (!found.ok() && report.ok) {
        found.first_bad_column = part.columns.first + found.first_bad_column * part.columns.apart;
        report.first_violation = violation_text(found);
        report.ok = false;
      }
    }
    return report;
  }

 private:
  DenseMatrix<plain_scalar_t<Y> const> plain_result(Kokkos::View<Y*, Kokkos::HostSpace> const& array) const {
    auto const& c = operands_.c;
    return {plain(array.data()), c.rows, c.columns, c.row_stride, c.column_stride};
  }

  /// Columns of dense matrices, `apart` from one to the next.
  struct Columns {
    std::int64_t first = 0;
    std::int64_t apart = 1;
    std::int64_t count = 0;
    template <class T>
    [[nodiscard]] DenseMatrix<T> of(DenseMatrix<T> const& m) const {
      return {m.data + first * m.column_stride, m.rows, count, m.row_stride, apart * m.column_stride};
    }
  };
  struct Part {
    Columns columns;
    reference::Expected<plain_scalar_t<Y>> expected;
  };

  /// All of them in one, or a share spread over all and the last ones.
  static std::vector<Columns> columns_to_check(std::int64_t columns, CheckedShare const& share) {
    if (share.columns == 0) return {{.count = columns}};
    std::int64_t const apart = columns / share.columns;
    std::int64_t const last = std::min(columns, sampled_last_columns);
    return {{.apart = apart, .count = std::min(share.columns, (columns - 1) / apart + 1)},
            {.first = columns - last, .count = last}};
  }

  /// Rows of the result to check; none: all of them.
  template <class Pointers>
  static std::vector<std::int64_t> rows_to_check(Problem const& problem, Pointers const& a, CheckedShare const& share) {
    if (share.rows == 0) return {};
    return reference::sample_rows(reference::row_lengths(problem.op, a), share.rows, 1, sampled_extremes);
  }

  Operands<Exec, X, Y> const& operands_;
  Csr<A, Ordinal, Offset, HostDevice> host_;
  Kokkos::View<Y*, Kokkos::HostSpace> before_;
  Kokkos::View<Y*, Kokkos::HostSpace> result_;
  std::vector<Part> parts_;
  bool whole_ = true;
  double largest_a_ = 0;  // of float alone, where it may be rounded to a smaller range
  double largest_b_ = 0;
};

}  // namespace araia::detail
