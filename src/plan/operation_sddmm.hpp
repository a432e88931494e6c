// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// SDDMM to the steps of a plan: what its description says of X and Y, random operands of it, and what its products
// should be. All its kernels are bound (extend/kernel.hpp).

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <araia/detail/dispatch/sddmm.hpp>
#include <araia/plan/plan.hpp>
#include "backends/openmp/reference/sddmm.hpp"
#include "src/plan/verify.hpp"

namespace araia::detail {

inline std::int64_t columns_of(SddmmDesc const& d) { return d.columns; }
inline Precision precision_of(SddmmDesc const&) { return Precision::native; }
inline DenseLayout layout_b(SddmmDesc const& d) { return d.layout_x; }
/// Of op(Y)' as (cols, k).
inline DenseLayout layout_c(SddmmDesc const& d) {
  if (transposes(d.op) || d.layout_y == DenseLayout::strided) return d.layout_y;
  return d.layout_y == DenseLayout::left ? DenseLayout::right : DenseLayout::left;
}
/// Of A: Y's is the kernels' own affair.
inline Op op_of_matrix(SddmmDesc const&) { return Op::none; }
inline bool reads_pattern(SddmmDesc const& d) { return d.pattern; }

/// Random operands of one problem in the memory of Exec: Operands of X, op(Y)' and D.
template <class Exec, class X, class Y>
class SampledOperands {
 public:
  using Shapes = Operands<Exec, X, Y>;

  /// \param layout_x, layout_y  of X, and of op(Y)' as (cols, k)
  /// \param memory_limit        bytes that they may take
  /// \throws araia::Error (resource_limit) naming need and limit, before anything is allocated
  SampledOperands(Exec const& exec, Problem const& problem, DenseLayout layout_x, DenseLayout layout_y,
                  std::uint64_t memory_limit) {
    require_room(problem, layout_x, layout_y, memory_limit);
    auto const x_shape = Shapes::shape(layout_x, problem.stats.rows, problem.columns);
    auto const y_shape = Shapes::shape(layout_y, problem.stats.cols, problem.columns);
    x_array = new_view<Kokkos::View<X*, Device>>(exec, "araia::operands::x", Shapes::span(x_shape));
    y_array = new_view<Kokkos::View<X*, Device>>(exec, "araia::operands::y", Shapes::span(y_shape));
    d_array = new_view<Kokkos::View<Y*, Device>>(exec, "araia::operands::d", problem.stats.nnz);
    factors = {Shapes::template with_data<X const>(x_array.data(), x_shape),
               Shapes::template with_data<X const>(y_array.data(), y_shape)};
    d = {d_array.data(), problem.stats.nnz, 1};
    fill_random(exec, x_array, 1);
    fill_random(exec, y_array, 2);
    fill_random(exec, d_array, 3);
  }

  /// Bytes that these operands and a SampledVerifier of them take in the memory of Exec.
  static std::uint64_t bytes(Problem const& problem, DenseLayout layout_x, DenseLayout layout_y) {
    auto const operands = operand_bytes(problem, layout_x, layout_y);
    return host_reaches<Memory> ? saturating_sum(operands, host_bytes(problem)) : operands;
  }

  /// \throws araia::Error (resource_limit) naming need and limit where these operands do not fit
  static void require_room(Problem const& problem, DenseLayout layout_x, DenseLayout layout_y,
                           std::uint64_t memory_limit) {
    auto const what = "araia::make_plan: verifying SDDMM of " + std::to_string(problem.columns) + " columns";
    require_memory(what.c_str(), bytes(problem, layout_x, layout_y), memory_limit);
    if constexpr (!host_reaches<Memory>)
      require_memory((what + ", on the host,").c_str(),
                     saturating_sum(operand_bytes(problem, layout_x, layout_y), host_bytes(problem)),
                     default_host_memory_limit());
  }

  Kokkos::View<X*, typename Exec::device_type> x_array;
  Kokkos::View<X*, typename Exec::device_type> y_array;
  Kokkos::View<Y*, typename Exec::device_type> d_array;
  DenseFactors<X const> factors;
  DenseVector<Y> d;

 private:
  using Device = typename Exec::device_type;
  using Memory = typename Exec::memory_space;

  static std::uint64_t operand_bytes(Problem const& problem, DenseLayout layout_x, DenseLayout layout_y) {
    auto const of = [&](DenseLayout layout, std::int64_t rows) {
      return saturating_product(static_cast<std::uint64_t>(Shapes::span(Shapes::shape(layout, rows, problem.columns))),
                                sizeof(X));
    };
    return saturating_sum(saturating_sum(of(layout_x, problem.stats.rows), of(layout_y, problem.stats.cols)),
                          result_bytes(problem));
  }
  static std::uint64_t result_bytes(Problem const& problem) {
    return saturating_product(static_cast<std::uint64_t>(problem.stats.nnz), sizeof(Y));
  }
  /// D before and after the product, and what is expected of the entries that are checked.
  static std::uint64_t host_bytes(Problem const& problem) {
    using Kept = reference::Expected<plain_scalar_t<Y>>;
    constexpr std::uint64_t kept_bytes =
        sizeof(typename Kept::wide) + 2 * sizeof(typename Kept::wide_real) + 2 * sizeof(std::int64_t);
    auto const lengths = saturating_product(static_cast<std::uint64_t>(problem.stats.rows), 2 * sizeof(std::int64_t));
    return saturating_sum(saturating_sum(saturating_product(2, result_bytes(problem)), lengths),
                          saturating_product(kept_bytes, static_cast<std::uint64_t>(checked_elements(problem))));
  }
};

/// Of SpMV and SpMM Operands, of SDDMM SampledOperands.
template <class Exec, class Desc, class X, class Y>
using RandomOperands =
    std::conditional_t<std::is_same_v<Desc, SddmmDesc>, SampledOperands<Exec, X, Y>, Operands<Exec, X, Y>>;

template <class Exec, class X, class Y>
auto random_operand(SddmmDesc const&, SampledOperands<Exec, X, Y> const& operands) {
  return operands.factors;
}
template <class Exec, class X, class Y>
auto random_result(SddmmDesc const&, SampledOperands<Exec, X, Y> const& operands) {
  return operands.d;
}
template <class Desc, class Exec, class X, class Y>
auto random_operand(Desc const& desc, Operands<Exec, X, Y> const& operands) {
  return operand(desc, operands.b);
}
template <class Desc, class Exec, class X, class Y>
auto random_result(Desc const& desc, Operands<Exec, X, Y> const& operands) {
  return operand(desc, operands.c);
}

/// What D = alpha A .* (X op(Y)) + beta D should be for the operands, computed once; then any number of checks. Of
/// large problems the entries of sampled rows.
template <class Exec, class A, class X, class Y, class Ordinal, class Offset, class Memory>
class SampledVerifier {
 public:
  using Source = Csr<A const, Ordinal, Offset, Kokkos::Device<Exec, Memory>>;
  using Sum = accumulator_t<Y>;

  /// \param operands  kept by the caller as long as this
  SampledVerifier(Exec const& exec, SddmmDesc const& desc, Source const& source, Problem const& problem,
                  SampledOperands<Exec, X, Y> const& operands, Sum alpha, Sum beta)
      : operands_(operands) {
    auto const host = readable_pointers(exec, source, host_);
    auto const x = host_copy_of(operands.x_array);
    auto const y = host_copy_of(operands.y_array);
    before_ = new_view<Kokkos::View<Y*, Kokkos::HostSpace>>("araia::verify::before", operands.d_array.extent(0));
    exec.fence("araia::verify: operands are filled");
    copy_array(before_, operands.d_array);
    result_ = new_view<Kokkos::View<Y*, Kokkos::HostSpace>>("araia::verify::result", operands.d_array.extent(0));
    // Where beta is zero nothing of D may survive: a NaN would.
    if (beta == Sum{})
      std::fill_n(before_.data(), before_.size(), static_cast<Y>(std::numeric_limits<double>::quiet_NaN()));

    bool const has_values = host.values && !desc.pattern;
    CsrPointers<plain_scalar_t<A>, Ordinal, signed_offset_t<Offset>> const a{
        host.rows,           host.cols,        host.nnz,
        host.row_offsets,    host.col_indices, has_values ? plain(host.values) : nullptr,
        host.row_permutation};
    auto const as_plain = [](Sum s) { return static_cast<plain_scalar_t<Y>>(*plain(&s)); };
    auto const with = [](auto const* data, auto const& m) {
      return DenseMatrix<plain_scalar_t<X> const>{plain(data), m.rows, m.columns, m.row_stride, m.column_stride};
    };
    auto const rows = rows_to_check(problem, a);
    rows_checked_ = static_cast<std::int64_t>(rows.size());
    expected_ =
        reference::sddmm(as_plain(alpha), a, with(x.data(), operands.factors.x), with(y.data(), operands.factors.y),
                         conjugates(desc.op), as_plain(beta), plain(before_.data()), rows);
    whole_ = rows_checked_ == a.rows;
    places_.reserve(expected_.rows.size());
    for (std::int64_t const row : rows)
      for (auto k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k)
        places_.push_back({a.row_permutation ? static_cast<std::int64_t>(a.row_permutation[row]) : row,
                           static_cast<std::int64_t>(a.col_indices[k])});
  }

  /// Runs the product on a fresh D and holds it to the reference. Fences exec.
  VerifyReport check(Exec const& exec, std::function<void()> const& product, Promise const& promise) {
    copy_array(exec, operands_.d_array, before_);
    product();
    exec.fence("araia::verify: the product is complete");
    copy_array(result_, operands_.d_array);
    std::int64_t const nnz = operands_.d.size;
    DenseMatrix<plain_scalar_t<Y> const> const got{plain(result_.data()), nnz, 1, 1, 1};
    auto found = promise.flushes ? reference::check(reference::with_flushed(expected_, got), got)
                                 : reference::check(expected_, got);
    VerifyReport report{.done = true,
                        .ok = found.ok(),
                        .whole = whole_,
                        .rows_checked = rows_checked_,
                        .entries_checked = found.entries_checked,
                        .violations = found.violations,
                        .worst_share = static_cast<double>(found.worst_ratio)};
    if (report.ok) return report;
    auto const& entries = expected_.rows;
    auto const slot = std::lower_bound(entries.begin(), entries.end(), found.first_bad_row) - entries.begin();
    auto const& place = places_[static_cast<std::size_t>(slot)];
    found.first_bad_row = place.row;
    found.first_bad_column = place.col;
    report.first_violation = violation_text(found);
    return report;
  }

 private:
  struct Place {
    std::int64_t row;
    std::int64_t col;
  };

  /// Stored rows whose entries are checked.
  template <class Pointers>
  static std::vector<std::int64_t> rows_to_check(Problem const& problem, Pointers const& a) {
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(a.rows));
    for (std::int64_t i = 0; i < a.rows; ++i)
      lengths[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(a.row_offsets[i + 1] - a.row_offsets[i]);
    auto const share = checked_share(problem);
    return reference::sample_rows(lengths, share.rows == 0 ? std::max<std::int64_t>(1, a.rows) : share.rows, 1,
                                  sampled_extremes);
  }

  SampledOperands<Exec, X, Y> const& operands_;
  Csr<A, Ordinal, Offset, HostDevice> host_;
  Kokkos::View<Y*, Kokkos::HostSpace> before_;
  Kokkos::View<Y*, Kokkos::HostSpace> result_;
  reference::Expected<plain_scalar_t<Y>> expected_;
  std::vector<Place> places_;  // of the entries checked
  std::int64_t rows_checked_ = 0;
  bool whole_ = true;
};

/// Of SpMV and SpMM a Verifier, of SDDMM a SampledVerifier.
template <class A, class X, class Y, class Ordinal, class Offset, class Memory, class Exec, class Desc, class Source,
          class RandomOperands, class Sum>
auto verifier_of(Exec const& exec, Desc const& desc, Source const& source, Problem const& problem,
                 RandomOperands const& operands, Sum alpha, Sum beta) {
  if constexpr (std::is_same_v<Desc, SddmmDesc>)
    return SampledVerifier<Exec, A, X, Y, Ordinal, Offset, Memory>(exec, desc, source, problem, operands, alpha, beta);
  else
    return Verifier<Exec, A, X, Y, Ordinal, Offset, Memory>(exec, source, problem, operands, alpha, beta);
}

/// Which backends' kernels run the operands that a plan is for.
template <class Exec, class X, class Y, class Pointers>
void describe_backend(SddmmDesc const& desc, Pointers const& a, Problem& p) {
  auto const described = [&](DenseLayout layout, std::int64_t rows) {
    return Operands<Exec, X, Y>::template with_data<X const>(nullptr,
                                                             Operands<Exec, X, Y>::shape(layout, rows, p.columns));
  };
  auto const x = described(layout_b(desc), p.stats.rows);
  auto const y = described(layout_c(desc), p.stats.cols);
  p.b_by_rows = (x.column_stride == 1 && y.column_stride == 1) || p.columns == 1;
  using Backend = SddmmBackend<Exec, Pointers, X, X, Y>;
  if constexpr (Backend::exists) {
    p.host_simd = Backend::supports(CsrSddmmKernel::host_simd, a, x, y);
    p.cuda_kernels = Backend::supports(CsrSddmmKernel::row_parts, a, x, y);
  }
}

}  // namespace araia::detail
