// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The one implementation of AnyMatrix and AnyPlan, over types and space.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <araia/assembly/assemble.hpp>
#include <araia/detail/assembly/new_view.hpp>
#include <araia/detail/formats/ready_made.hpp>
#include <araia/detail/formats/written_out.hpp>
#include <araia/formats/make_csr.hpp>
#include <araia/ops/spmv.hpp>
#include <araia/plan/any_matrix.hpp>
#include <araia/plan/plan.hpp>
#include "backends/openmp/csr_row_runs.hpp"
#include "src/plan/any_operand.hpp"
#include "src/plan/stored.hpp"

namespace araia::detail {

/// alpha or beta in the type of the product's sums.
/// \throws araia::Error invalid_argument where that has no such value
template <class Sum>
Sum factor_of(char const* op, char const* name, std::complex<double> value) {
  if constexpr (is_complex_v<Sum>) {
    return Sum(value.real(), value.imag());
  } else {
    if (value.imag() != 0) refuse_factor(op, name, value, "expected a real number, as the plan's scalars are real");
    auto const rounded = static_cast<Sum>(value.real());
    if (std::isinf(rounded) && !std::isinf(value.real()))
      refuse_factor(op, name, value, "expected a number in the range of the plan's scalars");
    return rounded;
  }
}

/// A plan behind its types, without what its operation alone has.
/// \tparam Base  AnySpmvPlan, AnySpmmPlan or AnySddmmPlan
template <class Base, class Exec, class Desc, class A, class X>
class AnyPlanBody : public Base {
 public:
  AnyPlanBody(AnySpace const& space, ScalarTypes types, Plan<Exec, Desc, A, X> plan)
      : space_(space), types_(types), plan_(std::move(plan)) {}

  void update_values(AnySpace const& exec, AnyConstView const& values) override {
    constexpr char const* op = "araia::AnyPlan::update_values";
    require_array(op, "values", values, element_type<A>(), exec);
    require_vector(op, "values", values);
    plan_.update_values(instance(op, exec), strided_vector<A, Device>(values));
  }
  [[nodiscard]] VerifyReport verify(AnySpace const& exec) const override {
    return plan_.verify(instance("araia::AnyPlan::verify", exec));
  }
  void release_source() override { plan_.release_source(); }
  [[nodiscard]] bool shares_values() const override { return plan_.shares_values(); }
  [[nodiscard]] TuneReport const& report() const override { return plan_.report(); }
  [[nodiscard]] std::uint64_t bytes() const override { return plan_.bytes(); }
  [[nodiscard]] std::uint64_t workspace_bytes() const override { return plan_.workspace_bytes(); }
  [[nodiscard]] bool capturable() const override { return plan_.capturable(); }
  [[nodiscard]] AnySpace const& space() const override { return space_; }
  [[nodiscard]] ScalarTypes types() const override { return types_; }
  [[nodiscard]] Desc const& description() const override { return plan_.description(); }

 protected:
  using Device = typename Exec::device_type;
  using Sum = accumulator_t<X>;

  Exec const& instance(char const* op, AnySpace const& exec) const {
    if (auto const* const mine = exec.get_if<Exec>()) return *mine;
    throw Error(ErrorKind::invalid_argument,
                std::string(op) + ": exec is an instance of " + exec.name() + ", expected one of " + space_name<Exec>);
  }

  static void require_operand(char const* op, char const* name, AnyConstView const& v, AnySpace const& exec) {
    require_array(op, name, v, element_type<X>(), exec);
  }

  AnySpace space_;
  ScalarTypes types_;
  Plan<Exec, Desc, A, X> plan_;
};

template <class Exec, class A, class X>
class AnySpmvPlanOf final : public AnyPlanBody<AnySpmvPlan, Exec, SpmvDesc, A, X> {
  using Body = AnyPlanBody<AnySpmvPlan, Exec, SpmvDesc, A, X>;
  using typename Body::Device;
  using typename Body::Sum;

 public:
  using Body::Body;

  void execute(AnySpace const& exec, std::complex<double> alpha, AnyConstView const& x, std::complex<double> beta,
               AnyView const& y) const override {
    constexpr char const* op = "araia::AnyPlan::execute";
    auto const& on = this->instance(op, exec);
    this->plan_.execute(on, factor_of<Sum>(op, "alpha", alpha), vector(op, "x", x, exec),
                        factor_of<Sum>(op, "beta", beta), vector(op, "y", y, exec));
  }

  void residual(AnySpace const& exec, AnyConstView const& b, AnyConstView const& x, AnyView const& r,
                AnyView const& norm_squared) const override {
    constexpr char const* op = "araia::AnySpmvPlan::residual";
    auto const& on = this->instance(op, exec);
    auto const bs = vector(op, "b", b, exec);
    auto const xs = vector(op, "x", x, exec);
    auto const rs = vector(op, "r", r, exec);
    if (is_left_out(norm_squared))
      this->plan_.residual(on, bs, xs, rs);
    else
      this->plan_.residual(
          on, bs, xs, rs,
          sum<typename FusedOperands<X>::Real>(op, "norm_squared", "length of norm_squared", norm_squared, exec));
  }

  void multiply_dot(AnySpace const& exec, AnyConstView const& x, AnyView const& y, AnyView const& dot) const override {
    constexpr char const* op = "araia::AnySpmvPlan::multiply_dot";
    auto const& on = this->instance(op, exec);
    this->plan_.multiply_dot(on, vector(op, "x", x, exec), vector(op, "y", y, exec),
                             sum<Sum>(op, "dot", "length of dot", dot, exec));
  }

 private:
  template <class Data>
  static auto vector(char const* op, char const* name, AnyArray<Data> const& v, AnySpace const& exec) {
    Body::require_operand(op, name, v, exec);
    require_vector(op, name, v);
    return strided_vector<X, Device>(v);
  }

  template <class T>
  static Kokkos::View<T, Device, Kokkos::MemoryUnmanaged> sum(char const* op, char const* name, char const* length,
                                                              AnyView const& v, AnySpace const& exec) {
    require_array(op, name, v, element_type<T>(), exec);
    require_vector(op, name, v);
    require_extent_equal(op, length, v.rows, 1);
    return Kokkos::View<T, Device, Kokkos::MemoryUnmanaged>(static_cast<T*>(v.data));
  }
};

template <class Exec, class A, class X>
class AnySpmmPlanOf final : public AnyPlanBody<AnySpmmPlan, Exec, SpmmDesc, A, X> {
  using Body = AnyPlanBody<AnySpmmPlan, Exec, SpmmDesc, A, X>;
  using typename Body::Device;
  using typename Body::Sum;
  static constexpr char const* op_ = "araia::AnyPlan::execute";

 public:
  using Body::Body;

  void execute(AnySpace const& exec, std::complex<double> alpha, AnyConstView const& b, std::complex<double> beta,
               AnyView const& c) const override {
    if (b.items != 1 || c.items != 1) return execute(exec, alpha, b, beta, c, {});
    auto const& on = this->instance(op_, exec);
    Body::require_operand(op_, "B", b, exec);
    Body::require_operand(op_, "C", c, exec);
    this->plan_.execute(on, factor_of<Sum>(op_, "alpha", alpha), strided_matrix<X, Device>(b),
                        factor_of<Sum>(op_, "beta", beta), strided_matrix<X, Device>(c));
  }

  void execute(AnySpace const& exec, std::complex<double> alpha, AnyConstView const& b, std::complex<double> beta,
               AnyView const& c, AnyEpilogue const& epilogue) const override {
    auto const& on = this->instance(op_, exec);
    Body::require_operand(op_, "B", b, exec);
    Body::require_operand(op_, "C", c, exec);
    Epilogue<X, Device, 3> e{.relu = epilogue.relu};
    auto const bias = [&](auto& to, char const* name, AnyConstView const& v) {
      if (is_left_out(v)) return;
      Body::require_operand(op_, name, v, exec);
      require_vector(op_, name, v);
      to = strided_vector<X, Device>(v);
    };
    bias(e.row_bias, "row_bias", epilogue.row_bias);
    bias(e.column_bias, "column_bias", epilogue.column_bias);
    if (!is_left_out(epilogue.residual)) {
      Body::require_operand(op_, "residual", epilogue.residual, exec);
      e.residual = strided_batch<X, Device>(epilogue.residual);
    }
    this->plan_.execute(on, factor_of<Sum>(op_, "alpha", alpha), strided_batch<X, Device>(b),
                        factor_of<Sum>(op_, "beta", beta), strided_batch<X, Device>(c), e);
  }

  [[nodiscard]] bool fuses_epilogue() const override { return this->plan_.fuses_epilogue(); }
};

template <class Exec, class A, class X>
class AnySddmmPlanOf final : public AnyPlanBody<AnySddmmPlan, Exec, SddmmDesc, A, X> {
  using Body = AnyPlanBody<AnySddmmPlan, Exec, SddmmDesc, A, X>;
  using typename Body::Device;
  using typename Body::Sum;

 public:
  using Body::Body;

  void execute(AnySpace const& exec, std::complex<double> alpha, AnyConstView const& x, AnyConstView const& y,
               std::complex<double> beta, AnyView const& d) const override {
    constexpr char const* op = "araia::AnySddmmPlan::execute";
    auto const& on = this->instance(op, exec);
    Body::require_operand(op, "X", x, exec);
    Body::require_operand(op, "Y", y, exec);
    Body::require_operand(op, "D", d, exec);
    require_one_item(op, "X", x);
    require_one_item(op, "Y", y);
    require_vector(op, "D", d);
    this->plan_.execute(on, factor_of<Sum>(op, "alpha", alpha), strided_matrix<X, Device>(x),
                        strided_matrix<X, Device>(y), factor_of<Sum>(op, "beta", beta), strided_vector<X, Device>(d));
  }
};

template <class Exec, class A, class X, class Offset>
class AnyMatrixOf final : public AnyMatrix {
 public:
  using Matrix = ReadySource<Exec, A, Offset>;

  AnyMatrixOf(AnySpace const& space, ScalarTypes types, Matrix matrix)
      : space_(space), types_(types), matrix_(std::move(matrix)) {}

  [[nodiscard]] AnySpace const& space() const override { return space_; }
  [[nodiscard]] ScalarTypes types() const override { return types_; }
  [[nodiscard]] std::int64_t rows() const override { return matrix_.rows; }
  [[nodiscard]] std::int64_t cols() const override { return matrix_.cols; }
  [[nodiscard]] std::int64_t nnz() const override { return matrix_.nnz; }
  [[nodiscard]] std::uint64_t bytes() const override { return matrix_.bytes(); }
  [[nodiscard]] int offset_bits() const override { return 8 * static_cast<int>(sizeof(Offset)); }
  [[nodiscard]] bool has_values() const override { return matrix_.has_values(); }

  [[nodiscard]] HostCoo entries() const override {
    HostCoo coo;
    coo.rows = matrix_.rows;
    coo.cols = matrix_.cols;
    instance().fence("araia::any_matrix: the matrix is complete");
    auto const offsets = host_copy_of(matrix_.row_offsets);
    auto const cols = host_copy_of(matrix_.col_indices);
    auto const indices = [&]<class Index>(Index) {
      auto const count = static_cast<std::size_t>(matrix_.nnz);
      std::vector<Index> row_of(count);
      for (std::int64_t i = 0; i < matrix_.rows; ++i)
        std::fill(row_of.begin() + offsets(i), row_of.begin() + offsets(i + 1), static_cast<Index>(i));
      coo.row_indices = std::move(row_of);
      coo.col_indices = std::vector<Index>(cols.data(), cols.data() + count);
    };
    constexpr auto most = std::numeric_limits<std::int32_t>::max();
    if (matrix_.rows <= most && matrix_.cols <= most)
      indices(std::int32_t());
    else
      indices(std::int64_t());
    if (!matrix_.has_values()) return coo;
    using Value = std::conditional_t<is_complex_v<A>, std::complex<double>, double>;
    auto const from = host_copy_of(matrix_.values);
    std::vector<Value> values(static_cast<std::size_t>(matrix_.nnz));
    for (std::size_t k = 0; k < values.size(); ++k) {
      if constexpr (is_complex_v<A>)
        values[k] = Value(from(k).real(), from(k).imag());
      else
        values[k] = static_cast<Value>(from(k));
    }
    coo.values = std::move(values);
    return coo;
  }

  [[nodiscard]] RowStats stats(RowStatsOptions const& options) const override {
    return row_stats(instance(), matrix_, options);
  }
  [[nodiscard]] Footprint footprint(Choice const& choice) const override {
    return count_footprint<Exec, A, Offset>(instance(), matrix_, choice, {});
  }
  [[nodiscard]] std::vector<BlockFill> block_fill() const override {
    return detail::block_fill<Exec, A, Offset>(instance(), matrix_, 0);
  }
  [[nodiscard]] std::int64_t shared_entries() const override {
    if (!can_inspect_rows(matrix_.rows)) return -1;
    auto const runs =
        inspect_rows<Exec, A const, std::int32_t, Offset, typename Exec::device_type, X, X>(instance(), matrix_, false);
    return runs ? runs->shared_entries : -1;
  }

  [[nodiscard]] std::unique_ptr<AnySpmvPlan> plan(SpmvDesc const& desc, PlanOptions const& options) const override {
    return std::make_unique<AnySpmvPlanOf<Exec, A, X>>(space_, types_,
                                                       make_plan<X>(instance(), desc, matrix_, options));
  }
  [[nodiscard]] std::unique_ptr<AnySpmmPlan> plan(SpmmDesc const& desc, PlanOptions const& options) const override {
    return std::make_unique<AnySpmmPlanOf<Exec, A, X>>(space_, types_,
                                                       make_plan<X>(instance(), desc, matrix_, options));
  }
  [[nodiscard]] std::unique_ptr<AnySddmmPlan> plan(SddmmDesc const& desc, PlanOptions const& options) const override {
    return std::make_unique<AnySddmmPlanOf<Exec, A, X>>(space_, types_,
                                                        make_plan<X>(instance(), desc, matrix_, options));
  }

 private:
  [[nodiscard]] Exec const& instance() const { return *space_.get_if<Exec>(); }

  AnySpace space_;  // of Exec
  ScalarTypes types_;
  Matrix matrix_;
};

template <class Offset, class A, class X, class Exec>
std::unique_ptr<AnyMatrix> assembled_on(Exec const& exec, AnySpace const& space, HostCoo const& coo,
                                        ScalarTypes types) {
  auto const host = assemble<A, std::int32_t, Offset>(coo);
  ReadySource<Exec, A, Offset> matrix;
  if constexpr (std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>) {
    matrix.rows = host.rows;
    matrix.cols = host.cols;
    matrix.nnz = host.nnz;
    matrix.row_offsets = host.row_offsets;
    matrix.col_indices = host.col_indices;
    matrix.values = host.values;
  } else {
    matrix = ready_source<Exec>(copy_to<typename Exec::device_type>(exec, host));
  }
  return std::make_unique<AnyMatrixOf<Exec, A, X, Offset>>(space, types, std::move(matrix));
}

template <class Offset, class A, class X, class Exec>
std::unique_ptr<AnyMatrix> over_on(Exec const& exec, AnySpace const& space, AnyCsr const& csr, ScalarTypes types) {
  using Device = typename Exec::device_type;
  constexpr char const* op = "araia::make_any_matrix";
  auto const require = [&](char const* name, AnyConstView const& v, ElementType scalar) {
    require_array(op, name, v, scalar, space);
    require_vector(op, name, v);
    if (v.rows > 1 && v.row_stride != 1)
      throw Error(ErrorKind::invalid_argument,
                  std::string(op) + ": " + name + " have stride " + std::to_string(v.row_stride) + ", expected 1");
  };
  require("row_offsets", csr.row_offsets, element_type<Offset>());
  require("col_indices", csr.col_indices, ElementType::int32);
  Kokkos::View<A const*, Device> values;
  if (!is_left_out(csr.values)) {
    require("values", csr.values, element_type<A>());
    require_extent_equal(op, "length of values", csr.values.rows, csr.col_indices.rows);
    values = contiguous<A, Device>(csr.values);
  }
  return std::make_unique<AnyMatrixOf<Exec, A, X, Offset>>(
      space, types,
      make_csr(exec, csr.rows, csr.cols, csr.col_indices.rows, contiguous<Offset, Device>(csr.row_offsets),
               contiguous<std::int32_t, Device>(csr.col_indices), values));
}

/// Matrices of these scalars: src/plan/any_matrix_of.cpp writes them out.
template <class A, class X>
struct AnyMatrices {
  static std::unique_ptr<AnyMatrix> assembled(AnySpace const& space, HostCoo const& coo, ScalarTypes types);
  static std::unique_ptr<AnyMatrix> over(AnySpace const& space, AnyCsr const& csr, ScalarTypes types);
};

}  // namespace araia::detail
