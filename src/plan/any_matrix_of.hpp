// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The one implementation of AnyMatrix and AnyPlan, over types and space.

#include <Kokkos_Core.hpp>
#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <araia/assembly/assemble.hpp>
#include <araia/assembly/new_view.hpp>
#include <araia/formats/arrays.hpp>
#include <araia/formats/written_out.hpp>
#include <araia/ops/spmv.hpp>
#include <araia/plan/any_matrix.hpp>
#include <araia/plan/plan.hpp>
#include "backends/openmp/csr_row_runs.hpp"
#include "src/plan/one_thread.hpp"
#include "src/plan/stored.hpp"

namespace araia::detail {

/// An element of a file's dense matrix in the plan's scalar.
template <class T, class From>
T scalar_from(From const& value) {
  if constexpr (is_complex_v<T>) {
    std::complex<double> const z(value);
    return T(z.real(), z.imag());
  } else if constexpr (std::is_same_v<From, std::complex<double>>) {
    throw Error(ErrorKind::unsupported, "araia: complex operands need a complex matrix");
  } else {
    return static_cast<T>(value);
  }
}

template <class Exec, class Desc, class A, class X>
class AnyPlanOf final : public AnyPlan {
 public:
  AnyPlanOf(Exec const& exec, Plan<Exec, Desc, A, X> plan) : exec_(exec), plan_(std::move(plan)) {}

  void execute(double alpha, HostDense const& b, double beta, HostDense& c) const override {
    require_operand("B", b);
    require_operand("C", c);
    auto const device_b = to_space(b, "araia::any_plan::b");
    auto const device_c = to_space(c, "araia::any_plan::c");
    if constexpr (std::is_same_v<Desc, SpmvDesc>)
      plan_.execute(exec_, alpha_of(alpha), Kokkos::subview(device_b, Kokkos::ALL, 0), alpha_of(beta),
                    Kokkos::subview(device_c, Kokkos::ALL, 0));
    else
      plan_.execute(exec_, alpha_of(alpha), device_b, alpha_of(beta), device_c);
    exec_.fence("araia::any_plan: the product is complete");
    from_space(device_c, c);
  }

  [[nodiscard]] VerifyReport verify() const override { return plan_.verify(exec_); }
  [[nodiscard]] TuneReport const& report() const override { return plan_.report(); }
  [[nodiscard]] std::uint64_t bytes() const override { return plan_.bytes(); }

 private:
  static void require_operand(char const* name, HostDense const& dense) {
    constexpr char const* op = "araia::AnyPlan::execute";
    std::string const of = std::string(" of ") + name;
    if (std::is_same_v<Desc, SpmvDesc>) require_extent_equal(op, ("number of columns" + of).c_str(), dense.columns, 1);
    auto const size = std::visit([](auto const& values) { return values.size(); }, dense.values);
    require_extent_equal(op, ("number of values" + of).c_str(), static_cast<std::int64_t>(size),
                         dense.rows * dense.columns);
  }

  // One column is contiguous either way; rows are contiguous where there are more, as the command describes them.
  using Layout = std::conditional_t<std::is_same_v<Desc, SpmvDesc>, Kokkos::LayoutLeft, Kokkos::LayoutRight>;
  using Dense = Kokkos::View<X**, Layout, typename Exec::device_type>;
  using Sum = accumulator_t<X>;

  static Sum alpha_of(double value) { return scalar_from<Sum>(value); }

  Dense to_space(HostDense const& from, char const* label) const {
    auto const target = new_view<Dense>(exec_, label, from.rows, from.columns);
    auto const host = host_mirror_of(target);
    std::visit(
        [&](auto const& values) {
          for (std::int64_t j = 0; j < from.columns; ++j)
            for (std::int64_t i = 0; i < from.rows; ++i)
              host(i, j) = scalar_from<X>(values[static_cast<std::size_t>(i + j * from.rows)]);
        },
        from.values);
    copy_array(target, host);
    return target;
  }

  void from_space(Dense const& from, HostDense& target) const {
    auto const host = host_copy_of(from);
    auto const fill = [&](auto values) {
      using T = typename decltype(values)::value_type;
      // Where the old ones lie, if they are of this type: a copy beside them would be one more of C.
      if (auto* const same = std::get_if<decltype(values)>(&target.values)) values.swap(*same);
      values.resize(from.size());
      for (std::int64_t j = 0; j < target.columns; ++j)
        for (std::int64_t i = 0; i < target.rows; ++i) {
          auto& to = values[static_cast<std::size_t>(i + j * target.rows)];
          if constexpr (is_complex_v<X>)
            to = T(host(i, j).real(), host(i, j).imag());
          else
            to = static_cast<T>(host(i, j));
        }
      target.values = std::move(values);
    };
    if constexpr (is_complex_v<X>)
      fill(std::vector<std::complex<double>>());
    else
      fill(std::vector<double>());
  }

  Exec exec_;
  Plan<Exec, Desc, A, X> plan_;
};

template <class Exec, class A, class X, class Offset>
class AnyMatrixOf final : public AnyMatrix {
 public:
  AnyMatrixOf(Exec const& exec, HostCoo const& coo) : exec_(exec) {
    auto const host = assemble<A, std::int32_t, Offset>(coo);
    if constexpr (std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>) {
      matrix_.rows = host.rows;
      matrix_.cols = host.cols;
      matrix_.nnz = host.nnz;
      matrix_.row_offsets = host.row_offsets;
      matrix_.col_indices = host.col_indices;
      matrix_.values = host.values;
    } else {
      matrix_ = copy_to<typename Exec::device_type>(exec_, host);
    }
  }

  [[nodiscard]] RowStats stats(RowStatsOptions const& options) const override {
    return row_stats(exec_, matrix_, options);
  }
  [[nodiscard]] Footprint footprint(Choice const& choice) const override {
    return count_footprint<Exec, A, Offset>(exec_, source(), choice, {});
  }
  [[nodiscard]] std::vector<BlockFill> block_fill() const override {
    return detail::block_fill<Exec, A, Offset>(exec_, source(), 0);
  }
  [[nodiscard]] std::int64_t shared_entries() const override {
    if (!can_inspect_rows(matrix_.rows)) return -1;
    auto const runs =
        inspect_rows<Exec, A, std::int32_t, Offset, typename Exec::device_type, X, X>(exec_, matrix_, false);
    return runs ? runs->shared_entries : -1;
  }
  [[nodiscard]] std::uint64_t bytes() const override { return matrix_.bytes(); }
  [[nodiscard]] int offset_bits() const override { return 8 * static_cast<int>(sizeof(Offset)); }
  [[nodiscard]] bool has_values() const override { return matrix_.has_values(); }
  [[nodiscard]] std::unique_ptr<AnyPlan> plan(SpmvDesc const& desc, PlanOptions const& options) const override {
    return make(desc, options);
  }
  [[nodiscard]] std::unique_ptr<AnyPlan> plan(SpmmDesc const& desc, PlanOptions const& options) const override {
    return make(desc, options);
  }

 private:
  template <class Desc>
  std::unique_ptr<AnyPlan> make(Desc const& desc, PlanOptions const& options) const {
    return std::make_unique<AnyPlanOf<Exec, Desc, A, X>>(exec_, make_plan<X>(exec_, desc, matrix_, options));
  }

  [[nodiscard]] PlanSource<Exec, A, Offset> source() const { return ready_source<Exec>(matrix_); }

  Exec exec_;
  Csr<A, std::int32_t, Offset, typename Exec::device_type> matrix_;
};

/// The matrix on this instance, offsets as wide as needed.
template <class A, class X, class Exec>
std::unique_ptr<AnyMatrix> any_matrix_on(Exec const& exec, HostCoo const& coo) {
#ifndef ARAIA_TYPES_MINIMAL
  if (most_entries(coo) > std::numeric_limits<std::int32_t>::max())
    return std::make_unique<AnyMatrixOf<Exec, A, X, std::int64_t>>(exec, coo);
#endif
  return std::make_unique<AnyMatrixOf<Exec, A, X, std::int32_t>>(exec, coo);
}

/// One a file of src/plan/any_matrix_<scalars>.cpp; null where the space is not built.
template <class A, class X>
std::unique_ptr<AnyMatrix> any_matrix_of(HostCoo const& coo, std::string const& space) {
#ifdef KOKKOS_ENABLE_SERIAL
  if (space == "serial") return any_matrix_on<A, X>(one_thread(), coo);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  if (space == "openmp") return any_matrix_on<A, X>(Kokkos::OpenMP(), coo);
#endif
#ifdef KOKKOS_ENABLE_CUDA
  if (space == "cuda") return any_matrix_on<A, X>(Kokkos::Cuda(), coo);
#endif
  return nullptr;
}

extern template std::unique_ptr<AnyMatrix> any_matrix_of<double, double>(HostCoo const&, std::string const&);
#ifndef ARAIA_TYPES_MINIMAL
extern template std::unique_ptr<AnyMatrix> any_matrix_of<float, float>(HostCoo const&, std::string const&);
extern template std::unique_ptr<AnyMatrix> any_matrix_of<float, double>(HostCoo const&, std::string const&);
extern template std::unique_ptr<AnyMatrix> any_matrix_of<Kokkos::complex<double>, Kokkos::complex<double>>(
    HostCoo const&, std::string const&);
#endif

}  // namespace araia::detail
