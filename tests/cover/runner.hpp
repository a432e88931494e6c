// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runner over types. Everything that multiplies or converts is the library's own instantiation.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/ops/csr_partition.hpp>
#include <araia/plan/plan.hpp>
#include "backends/openmp/reference/flushed.hpp"
#include "cover/layouts.hpp"
#include "cover/run.hpp"
#include "src/engine/names.hpp"
#include "src/engine/tuning.hpp"
#include "src/plan/operand_shapes.hpp"
#include "src/plan/row_inspection.hpp"
#include "src/plan/stored.hpp"
#include "support/check.hpp"
#include "support/types.hpp"

namespace araia::test::cover {

template <class Exec>
Exec space_instance(Space const& s) {
#ifdef KOKKOS_ENABLE_OPENMP
  if constexpr (std::is_same_v<Exec, Kokkos::OpenMP>) return Kokkos::OpenMP(s.threads);
#endif
  if (s.own_stream) return Kokkos::Experimental::partition_space(Exec(), 1)[0];
  return Exec();
}

template <class Exec, class A, class X, class Y, class Offset>
class RunnerOf final : public Runner {
 public:
  RunnerOf(Cases const& cases, Space const& space) : cases_(cases), exec_(space_instance<Exec>(space)) {}

  Outcome run(Levels const& row, std::uint64_t seed) override {
    Case const c = of(row, seed);
    prepare_matrix(c);
    Dense<X> b = operand<X>(c, c.cols, c.layout_of_b(), row[offset_b]);
    Dense<Y> y = operand<Y>(c, c.rows, c.layout_of_c(), row[offset_c]);
    fill_b(c, b);
    fill_c(c, y);
    b.to_device();
    y.to_device();
    Outcome outcome;
    try {
      multiply(c, b, y);
      exec_.fence();
    } catch (Error const& error) {
      exec_.fence();
      y.from_device();
      outcome.refused = error.kind() == ErrorKind::unsupported;
      if (!outcome.refused)
        outcome.wrong = "an error of kind " + std::string(to_string(error.kind())) + ": " + error.what();
      if (!is_untouched(c, y)) outcome.wrong += " C was changed before the error";
      if (!disagreement_.empty()) outcome.wrong += disagreement_;
      return outcome;
    }
    auto const expected = expected_of(c, b, y);
    y.from_device();
    outcome.wrong = check(c, expected, y) + disagreement_;
    return outcome;
  }

  std::string repeated_bits(Levels const& row, std::uint64_t seed, int times) override {
    Case const c = of(row, seed);
    prepare_matrix(c);
    Dense<X> b = operand<X>(c, c.cols, c.layout_of_b(), row[offset_b]);
    fill_b(c, b);
    b.to_device();
    PlanOptions options = options_of(c);
    options.deterministic = true;
    auto const layout = c.layout_of_c();
    std::string first;
    auto const repeat = [&](auto& plan) {
      for (int i = 0; i < times; ++i) {
        Dense<Y> y = operand<Y>(c, c.rows, layout, row[offset_c]);
        fill_c(c, y);
        y.to_device();
        execute(plan, c, b, y);
        exec_.fence();
        y.from_device();
        std::string const bits = bits_of(y);
        if (i == 0) first = bits;
        if (bits != first) {
          first = "differs";
          return;
        }
      }
    };
    try {
      with_plan(c, source_->source, options, repeat);
    } catch (Error const& error) {
      return error.kind() == ErrorKind::unsupported ? "" : std::string("differs: ") + error.what();
    }
    return first;
  }

 private:
  using Near = std::conditional_t<detail::is_device_space<Exec>, Exec, Host>;
  template <class T>
  using Dense = Operand<T, Near>;
  using Source = detail::PlanSource<Exec, A, Offset>;
  using Stored = detail::StoredPtr<Exec, A, Offset>;
  using HostMatrix = CsrPointers<std_scalar_t<A>, std::int32_t, std::int64_t>;

  struct Case {
    Levels const& row;
    Product const& product;
    Op op;
    std::int64_t rows;  // of C
    std::int64_t cols;  // rows of B
    std::int64_t columns;
    Y alpha;
    Y beta;
    std::uint64_t seed;
    // nvcc takes no template arguments of a member here, so each level has a name.
    [[nodiscard]] Route way() const { return static_cast<Route>(row[route]); }
    [[nodiscard]] Values kind_of_values() const { return static_cast<Values>(row[values]); }
    [[nodiscard]] Numbers kind_of_numbers() const { return static_cast<Numbers>(row[numbers]); }
    [[nodiscard]] Factors factor_alpha() const { return static_cast<Factors>(row[cover::alpha]); }
    [[nodiscard]] Factors factor_beta() const { return static_cast<Factors>(row[cover::beta]); }
    [[nodiscard]] Layout layout_of_b() const { return static_cast<Layout>(row[layout_b]); }
    [[nodiscard]] Layout layout_of_c() const { return static_cast<Layout>(row[layout_c]); }
    [[nodiscard]] bool is(Numbers n) const { return kind_of_numbers() == n; }
  };

  static Y scale(Factors level, Y const& general) {
    switch (level) {
      case Factors::zero: return Y(0);
      case Factors::one: return Y(1);
      case Factors::minus_one: return Y(-1);
      case Factors::tiny:
        return Y(std::numeric_limits<typename reference::RealOf<std_scalar_t<Y>>::type>::denorm_min());
      case Factors::huge: return Y(std::numeric_limits<typename reference::RealOf<std_scalar_t<Y>>::type>::max() / 8);
      case Factors::nan: return Y(std::numeric_limits<typename reference::RealOf<std_scalar_t<Y>>::type>::quiet_NaN());
      case Factors::general: break;
    }
    return general;
  }

  Case of(Levels const& row, std::uint64_t seed) const {
    auto const& m = cases_.matrices[static_cast<std::size_t>(row[matrix])];
    Op const op = Cases::ops[row[operation]];
    Y general_alpha(0.75);
    Y general_beta(-0.375);
    if constexpr (is_complex_v<Y>) {
      general_alpha = Y(0.75, -0.5);
      general_beta = Y(-0.375, 0.25);
    }
    for (std::size_t f = 0; f < row.size(); ++f)  // FNV-1a; the same operands in every space
      if (f != space) seed = (seed ^ static_cast<std::uint64_t>(row[f])) * 0x100000001B3u;
    return {.row = row,
            .product = cases_.products[static_cast<std::size_t>(row[product])],
            .op = op,
            .rows = transposes(op) ? m.cols : m.rows,
            .cols = transposes(op) ? m.rows : m.cols,
            .columns = cases_.column_counts[static_cast<std::size_t>(row[columns])],
            .alpha = scale(static_cast<Factors>(row[alpha]), general_alpha),
            .beta = scale(static_cast<Factors>(row[beta]), general_beta),
            .seed = seed};
  }

  template <class T>
  static Dense<T> operand(Case const& c, std::int64_t rows, Layout layout, int offset) {
    if (c.product.operation == OpId::spmv) return Dense<T>(rows, 1, stride_of_vector(layout), 1, offset);
    auto const s = strides(layout, rows, c.columns);
    return Dense<T>(rows, c.columns, s.row, s.column, offset);
  }

  /// 2^-30 to 2^30. With a factor at the end of the range, a product of two may leave it where that of three does not.
  static double size_of(std::uint64_t k) {
    constexpr int most = 30;
    return std::ldexp(1.0, static_cast<int>(k * 0x9E3779B97F4A7C15u >> 33) % (2 * most + 1) - most);
  }

  /// alpha == 0 reads no B: then it holds nothing but NaN.
  void fill_b(Case const& c, Dense<X>& b) const {
    constexpr auto nan = std::numeric_limits<typename reference::RealOf<std_scalar_t<X>>::type>::quiet_NaN();
    if (c.alpha == Y(0)) return b.fill_with(X(nan));
    b.fill(c.seed + 1, c.is(Numbers::integers));
    if (c.cols == 0 || c.columns == 0) return;
    auto const i = static_cast<std::int64_t>(c.seed % static_cast<std::uint64_t>(c.cols));
    auto const j = static_cast<std::int64_t>(c.seed / 64 % static_cast<std::uint64_t>(c.columns));
    if (c.is(Numbers::spread))
      for (std::int64_t row = 0; row < c.cols; ++row)
        for (std::int64_t column = 0; column < c.columns; ++column)
          b(row, column) *= X(size_of(c.seed + static_cast<std::uint64_t>(row * c.columns + column)));
    if (c.is(Numbers::nan)) b(i, j) = X(nan);
    if (c.is(Numbers::infinity))
      b(i, j) = X(std::numeric_limits<typename reference::RealOf<std_scalar_t<X>>::type>::infinity());
  }

  /// beta == 0 reads no C, likewise.
  void fill_c(Case const& c, Dense<Y>& y) const {
    constexpr auto nan = std::numeric_limits<typename reference::RealOf<std_scalar_t<Y>>::type>::quiet_NaN();
    if (c.beta == Y(0)) return y.fill_with(Y(nan));
    y.fill(c.seed + 2, c.is(Numbers::integers));
  }

  /// Bytes of C's elements and of what lies between them.
  static std::string bits_of(Dense<Y> const& y) {
    auto const m = y.host();
    std::string bits;
    for (std::int64_t i = 0; i < m.rows; ++i)
      for (std::int64_t j = 0; j < m.columns; ++j)
        bits.append(reinterpret_cast<char const*>(m.data + i * m.row_stride + j * m.column_stride), sizeof(Y));
    return bits;
  }

  bool is_untouched(Case const& c, Dense<Y> const& y) const {
    Dense<Y> before = operand<Y>(c, c.rows, c.layout_of_c(), c.row[offset_c]);
    fill_c(c, before);
    return bits_of(before) == bits_of(y) && y.disturbed_bytes() == 0;
  }

  // ---- the matrix ----

  void prepare_matrix(Case const& c) {
    std::vector<int> const key{c.row[matrix], c.row[values], kind_of_values(c.kind_of_numbers()), c.row[offset_a]};
    if (key == matrix_key_) return;
    matrix_key_.clear();
    stored_key_.clear();
    stored_.reset();
    host_ = cases_.matrices[static_cast<std::size_t>(c.row[matrix])];
    if (c.is(Numbers::integers)) host_ = with_integer_values(std::move(host_));
    if (c.is(Numbers::spread))
      for (std::size_t k = 0; k < host_.values.size(); ++k) host_.values[k] *= size_of(k);
    bool const has_values = c.kind_of_values() != Values::pattern;
    host_values_.clear();
    for (double const v : host_.values) host_values_.push_back(std_value(scalar_from<A>(v)));
    source_.emplace(host_, has_values, c.row[offset_a]);
    old_source_ = source_;
    if (c.kind_of_values() == Values::updated) {
      TestMatrix old = host_;
      for (double& v : old.values) v = 3 - 2 * v;
      old_source_.emplace(old, true, c.row[offset_a]);
    }
    matrix_key_ = key;
  }

  /// A copy of an array that starts some elements after its allocation.
  template <class T>
  class Shifted {
   public:
    using Array = Kokkos::View<T*, typename Exec::device_type>;
    template <class From>
    Shifted(From const& from, int elements)
        : all_("shifted", from.extent(0) + static_cast<std::size_t>(elements)),
          part_(all_.data() + elements, from.extent(0)) {
      detail::copy_array(part_, from);
    }
    [[nodiscard]] Kokkos::View<T const*, typename Exec::device_type> array() const { return part_; }

   private:
    Array all_;
    Array part_;  // not owned
  };

  struct Matrix {
    Matrix(TestMatrix const& m, bool has_values, int offset)
        : Matrix(device_csr<A, Offset, Exec>(m, has_values), offset) {}
    template <class DeviceCsr>
    Matrix(DeviceCsr const& csr, int offset)
        : row_offsets(csr.row_offsets, offset), col_indices(csr.col_indices, offset), entries(csr.values, offset) {
      source = {.rows = csr.rows, .cols = csr.cols, .nnz = csr.nnz};
      source.row_offsets = row_offsets.array();
      source.col_indices = col_indices.array();
      if (csr.has_values()) source.values = entries.array();
    }
    Shifted<Offset> row_offsets;
    Shifted<std::int32_t> col_indices;
    Shifted<A> entries;
    Source source;
  };

  [[nodiscard]] HostMatrix host_matrix(Case const& c) const {
    bool const has_values = c.kind_of_values() != Values::pattern;
    return {host_.rows,
            host_.cols,
            host_.nnz(),
            host_.row_offsets.data(),
            host_.col_indices.data(),
            has_values ? host_values_.data() : nullptr,
            nullptr};
  }

  /// The matrix in the product's format, made before if it was the last one.
  detail::StoredMatrix<Exec, A, Offset> const& stored(Case const& c) {
    std::string const key = storage_label(c.product.choice);
    if (key != stored_key_) {
      stored_key_.clear();
      stored_ = detail::make_stored<Exec, A, Offset>(exec_, old_source_->source, c.product.choice, {});
      if (c.kind_of_values() == Values::updated) stored_->update_values(exec_, source_->source);
      stored_key_ = key;
    }
    return *stored_;
  }

  // ---- the product ----

  void multiply(Case const& c, Dense<X> const& b, Dense<Y> const& y) {
    disagreement_.clear();
    if (c.way() == Route::plan) {
      bool const update = c.kind_of_values() == Values::updated;
      with_plan(c, update ? old_source_->source : source_->source, options_of(c), [&](auto& plan) {
        if (update) plan.update_values(exec_, source_->source.values);
        execute(plan, c, b, y);
      });
    } else if (c.product.operation == OpId::spmm) {
      dispatch<SpmmDesc>(c, detail::as_const(detail::dense_matrix(b.matrix())), detail::dense_matrix(y.matrix()));
    } else {
      dispatch<SpmvDesc>(c, detail::as_const(detail::dense_vector(b.vector())), detail::dense_vector(y.vector()));
    }
  }

  /// The choice with the case's tuning.
  [[nodiscard]] Choice choice_of(Case const& c) const {
    Choice choice = c.product.choice;
    auto const& tuned = cases_.tunings[static_cast<std::size_t>(c.row[tuning])];
    choice.rows_per_team = tuned.rows_per_team;
    choice.entries = tuned.entries;
    choice.team_size = tuned.team_size;
    choice.vector_length = tuned.vector_length;
    choice.columns_per_lane = tuned.columns_per_lane;
    for (auto const& own : tuned.own)
      if (!choice.compact && detail::has_own_parameter(choice.format, choice.kernel, own.name))
        choice.set(own.name, own.value);
    return choice;
  }

  [[nodiscard]] PlanOptions options_of(Case const& c) const {
    PlanOptions options;
    if (!c.product.any_format) options.choice = choice_of(c);
    return options;
  }

  template <class Use>
  void with_plan(Case const& c, Source const& source, PlanOptions const& options, Use const& use) const {
    if (c.product.operation == OpId::spmm) {
      auto plan = make_plan<X, Y>(exec_,
                                  SpmmDesc{.op = c.op,
                                           .columns = c.columns,
                                           .layout_b = described(c.layout_of_b()),
                                           .layout_c = described(c.layout_of_c())},
                                  source, options);
      use(plan);
    } else {
      bool const strided = stride_of_vector(c.layout_of_b()) != 1 || stride_of_vector(c.layout_of_c()) != 1;
      auto plan = make_plan<X, Y>(exec_, SpmvDesc{.op = c.op, .strided = strided}, source, options);
      use(plan);
    }
  }

  template <class Desc>
  void execute(Plan<Exec, Desc, A, X, Y> const& plan, Case const& c, Dense<X> const& b, Dense<Y> const& y) const {
    if constexpr (std::is_same_v<Desc, SpmvDesc>)
      plan.execute(exec_, c.alpha, b.vector(), c.beta, y.vector());
    else
      plan.execute(exec_, c.alpha, b.matrix(), c.beta, y.matrix());
  }

  template <class Desc, class B, class C>
  void dispatch(Case const& c, B const& b, C const& y) {
    if (c.product.unsorted_coo) {
      auto coo = device_coo<A, Exec>(host_, true);
      if (c.kind_of_values() == Values::pattern) coo.values = {};
      return launch<Desc>(c, coo.pointers(), b, y);
    }
    std::visit([&](auto const& a) { launch<Desc>(c, a, b, y); }, stored(c).pointers());
  }

  /// The product, and whether it was refused as supports() says.
  template <class Desc, class Pointers, class B, class C>
  void launch(Case const& c, Pointers const& a, B const& b, C const& y) {
    Choice const choice = choice_of(c);
    detail::product_tuning_t<Desc, Pointers> kernel_tuning{};
    if (choice.kernel == "automatic")
      detail::set_parameters(kernel_tuning, choice);
    else
      kernel_tuning = detail::tuning_for<Desc>(detail::tuning_of<Desc>(choice), a);
    std::shared_ptr<host::CsrRowRuns const> runs;
    if constexpr (requires { kernel_tuning.row_runs; })
      if (kernel_tuning.kernel == decltype(kernel_tuning.kernel)::host_simd_runs) {
        runs = inspect_rows<Exec, A const, std::int32_t, Offset, typename Source::device_type, X, Y>(exec_,
                                                                                                     source_->source);
        kernel_tuning.row_runs = runs.get();
      }
    CsrPartition<typename Exec::device_type> partition;
    if constexpr (requires {
                    kernel_tuning.partition;
                    a.row_offsets;
                  }) {
      using Kernel = decltype(kernel_tuning.kernel);
      bool wanted = false;
      if constexpr (std::is_same_v<Kernel, CsrSpmmKernel>) {
        wanted = kernel_tuning.kernel == Kernel::merge_split;
        if (wanted)  // carries narrower than the product: slices of columns
          partition = detail::make_csr_partition(exec_, CsrCut::path, a.rows, a.nnz, a.row_offsets, 48,
                                                 std::max<std::int64_t>(1, c.columns / 2) * std::int64_t{sizeof(Y)});
      } else {
        wanted = kernel_tuning.kernel == Kernel::balanced || kernel_tuning.kernel == Kernel::equal_chunks;
        if (wanted)
          partition =
              detail::make_csr_partition(exec_, detail::cut_of(kernel_tuning.kernel), a.rows, a.nnz, a.row_offsets);
      }
      if (wanted) kernel_tuning.partition = partition.pointers();
    }
    bool supported = true;
    if constexpr (requires { detail::supports(exec_, kernel_tuning.kernel, c.op, a, b, y); })
      supported = detail::without_conjugate(
          c.op, a, [&](Op op, auto const& p) { return detail::supports(exec_, kernel_tuning.kernel, op, p, b, y); });
    bool const nothing = c.alpha == Y(0) || host_.nnz() == 0 || c.columns == 0;
    try {
      detail::product(exec_, kernel_tuning, c.op, c.alpha, a, b, c.beta, y);
    } catch (Error const& error) {
      if (supported && error.kind() == ErrorKind::unsupported) disagreement_ = " refused, though supports() says yes";
      exec_.fence();
      throw;
    }
    exec_.fence();
    if (!supported && !nothing) disagreement_ = " ran, though supports() says no";
  }

  // ---- the check ----

  auto expected_of(Case const& c, Dense<X> const& b, Dense<Y> const& y_before) const {
    return reference::spmm(c.op, std_value(c.alpha), host_matrix(c), std_matrix(b.host()), std_value(c.beta),
                           std_matrix(y_before.host()));
  }

  template <class Expected>
  std::string check(Case const& c, Expected expected, Dense<Y> const& y) const {
    auto const got = std_matrix(y.host());
    // Fill of Bsr counts as stored: what is not finite reaches more than the entries.
    if ((c.is(Numbers::nan) || c.is(Numbers::infinity)) && (c.product.choice.format == "bsr" || c.product.any_format))
      for (std::int64_t i = 0; i < got.rows; ++i)
        for (std::int64_t j = 0; j < got.columns; ++j) {
          auto const value = got.data[i * got.row_stride + j * got.column_stride];
          auto& want = expected.values[static_cast<std::size_t>(i * got.columns + j)];
          if (!reference::is_finite(value)) want = static_cast<typename Expected::wide>(value);
        }
    // Atomic additions of a CUDA device to float take what is below the normal range for zero.
    if (detail::is_cuda_space<Exec> && std::is_same_v<Y, float> && may_scatter(c))
      expected = reference::with_flushed(std::move(expected), got);
    // Whether NaN times a sum of nothing is written into rows without entries is left open.
    if (c.factor_alpha() == Factors::nan) {
      expected.alpha_magnitude = 0;
      for (std::int64_t i = 0; i < got.rows; ++i)
        for (std::int64_t j = 0; j < got.columns && expected.counts[static_cast<std::size_t>(i)] == 0; ++j) {
          auto const k = static_cast<std::size_t>(i * got.columns + j);
          expected.values[k] =
              static_cast<typename Expected::wide>(got.data[i * got.row_stride + j * got.column_stride]);
          expected.magnitudes[k] = 0;
        }
    }
    std::ostringstream wrong;
    wrong.precision(17);
    auto const report = reference::check(expected, got);
    if (!report.ok())
      wrong << report.violations << " of " << report.entries_checked << " entries beyond the bound, worst "
            << report.worst_ratio << " of it, first at (" << report.first_bad_row << ", " << report.first_bad_column
            << "): got " << report.got << ", expected " << report.expected << " +- " << report.bound;
    else if (is_exact(c))
      for (std::int64_t i = 0; i < got.rows; ++i)
        for (std::int64_t j = 0; j < got.columns; ++j)
          if (static_cast<typename Expected::wide>(got.data[i * got.row_stride + j * got.column_stride]) !=
                  expected.values[static_cast<std::size_t>(i * got.columns + j)] &&
              wrong.tellp() == 0)
            wrong << "integers, but not exact at (" << i << ", " << j << ")";
    if (auto const bytes = y.disturbed_bytes(); bytes != 0) wrong << ' ' << bytes << " bytes beside C were written";
    return wrong.str();
  }

  /// Sums of small integers, scaled by few bits, round nowhere.
  /// Kernels that add to C by atomics: of coordinates and columns, and of every format's transpose.
  static bool may_scatter(Case const& c) {
    auto const& format = c.product.choice.format;
    return transposes(c.op) || c.product.any_format || format == "coo" || format == "hyb" || format == "csc";
  }

  static bool is_exact(Case const& c) {
    return c.is(Numbers::integers) && c.factor_alpha() < Factors::tiny && c.factor_beta() < Factors::tiny;
  }

  Cases const& cases_;
  Exec exec_;
  std::vector<int> matrix_key_;
  TestMatrix host_;
  std::vector<std_scalar_t<A>> host_values_;
  std::optional<Matrix> source_;
  std::optional<Matrix> old_source_;  // before update_values
  std::string stored_key_;
  Stored stored_;
  std::string disagreement_;
};

/// The runner of a space by its kind.
template <class A, class X, class Y>
std::unique_ptr<Runner> runner_of(Cases const& cases, Levels const& row) {
  auto const& space_level = cases.spaces[static_cast<std::size_t>(row[space])];
  auto const make = [&]<class Exec>() -> std::unique_ptr<Runner> {
#ifndef ARAIA_TYPES_MINIMAL
    if (cases.scalars[static_cast<std::size_t>(row[types])].wide_offsets)
      return std::make_unique<RunnerOf<Exec, A, X, Y, std::int64_t>>(cases, space_level);
#endif
    return std::make_unique<RunnerOf<Exec, A, X, Y, std::int32_t>>(cases, space_level);
  };
  if (space_level.device) return make.template operator()<Device>();
#ifdef ARAIA_WRITTEN_OUT_ON_SERIAL
  if (space_level.threads == 0) return make.template operator()<Kokkos::Serial>();
#endif
  return make.template operator()<Host>();
}

}  // namespace araia::test::cover
