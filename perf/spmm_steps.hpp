// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// bench_spmm --steps: what one column more costs, for every number of columns, beside what it must cost.
// B and C are LayoutRight with leading dimension N. The rule: t(N + 1) <= max(1.3, 1.15 bound(N + 1) / bound(N)) t(N).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <araia/ops/spmm.hpp>
#include <araia/plan/plan.hpp>
#include <common/bench_main.hpp>
#include <common/matrices.hpp>
#include <common/problem.hpp>
#include <common/timing.hpp>
#include <common/verify.hpp>
#include "src/generate/patterns.hpp"

namespace araia::perf {

/// Bytes that caches move at once: a sector of a device's L2, a line of a host's.
inline constexpr std::int64_t cache_granule = araia::detail::is_device_space<Exec> ? 32 : 64;

/// Granules that a row of so many bytes touches, in the mean over rows one after the other from an aligned address.
/// They begin at all multiples of g = gcd(bytes, granule) in a granule alike, where (bytes + granule - g) / granule
/// is the mean of ceil((start + bytes) / granule).
inline double granules_of_row(std::int64_t row_bytes, std::int64_t granule = cache_granule) {
  return static_cast<double>(row_bytes + granule - std::gcd(row_bytes, granule)) / static_cast<double>(granule);
}

/// Seconds that a product takes at least: all bytes once from memory where they do not fit into the cache; from the
/// cache A, and the granules of a row of B for each entry and of a row of C; and its flops.
inline double spmm_bound(araia::Machine const& machine, GeneratedMatrix const& A, std::int64_t columns,
                         std::int64_t scalar_bytes) {
  auto const nnz = static_cast<double>(A.nnz());
  auto const rows = static_cast<double>(A.rows);
  double const matrix = nnz * static_cast<double>(scalar_bytes + 4) + rows * 4;
  double const once = matrix + (rows + static_cast<double>(A.cols)) * static_cast<double>(columns * scalar_bytes);
  double const moved =
      matrix + (nnz + rows) * granules_of_row(columns * scalar_bytes) * static_cast<double>(cache_granule);
  double const flops = machine.flops * (scalar_bytes == 4 ? 2 : 1);
  bool const fits = once <= static_cast<double>(machine.cache_bytes);
  return std::max({fits ? 0 : once / machine.copy_bandwidth, moved / machine.cache_bandwidth,
                   2 * nnz * static_cast<double>(columns) / flops});
}

/// The matrices where flags name none: a pruned layer, a 7-point stencil, a 27-point one.
inline std::vector<std::shared_ptr<LazyMatrix>> matrices_for_steps() {
  auto const lazy = [](char const* name, auto make) {
    return std::make_shared<LazyMatrix>(LazyMatrix{.name = name, .klass = "steps", .make = make});
  };
  return {lazy("pruned_1024x1024_0.8", [] { return generate::pruned_layer(1024, 1024, 0.8); }),
          lazy("stencil7_58x58x58", [] { return generate::stencil_7_point(58, 58, 58); }),
          lazy("stencil27_40x40x40", [] { return generate::stencil_27_point(40, 40, 40); })};
}

namespace detail {

/// Some rows of a matrix, spread over it.
inline GeneratedMatrix sampled_rows(GeneratedMatrix const& A, std::vector<std::int64_t>& rows) {
  constexpr std::int64_t most_rows = 64;
  GeneratedMatrix some{
      .name = A.name, .klass = A.klass, .cols = A.cols, .row_offsets = {0}, .col_indices = {}, .values = {}};
  some.rows = std::min(most_rows, A.rows);
  for (std::int64_t i = 0; i < some.rows; ++i) {
    rows.push_back(i * (A.rows - 1) / std::max<std::int64_t>(1, some.rows - 1));
    auto const begin = static_cast<std::ptrdiff_t>(A.row_offsets[static_cast<std::size_t>(rows.back())]);
    auto const end = static_cast<std::ptrdiff_t>(A.row_offsets[static_cast<std::size_t>(rows.back()) + 1]);
    some.col_indices.insert(some.col_indices.end(), A.col_indices.begin() + begin, A.col_indices.begin() + end);
    some.values.insert(some.values.end(), A.values.begin() + begin, A.values.begin() + end);
    some.row_offsets.push_back(static_cast<std::int64_t>(some.values.size()));
  }
  return some;
}

/// Products of one matrix with B of any number of columns: the first columns * cols numbers of one array.
template <class Scalar>
class StepProducts {
 public:
  using Dense = Kokkos::View<Scalar**, Kokkos::LayoutRight, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using MatrixPlan = Plan<Exec, SpmmDesc, Scalar>;

  StepProducts(Exec const& exec, GeneratedMatrix const& host, std::int64_t most_columns)
      : exec_(exec),
        copies_(host, exec, 1),
        sample_(sampled_rows(host, sampled_)),
        b_host_(static_cast<std::size_t>(host.cols * most_columns)),
        c_(new_view<Vector<Scalar>>("C", host.rows * most_columns)) {
    for (std::size_t i = 0; i < b_host_.size(); ++i) b_host_[i] = operand<Scalar>(static_cast<std::int64_t>(i), 0);
    b_ = to_device<Vector<Scalar>>("B", b_host_);
  }

  std::function<void(int)> one_shot(std::int64_t columns) {
    return checked(columns, [exec = exec_, A = copies_.A.front(), B = b(columns), C = c(columns)](int) {
      spmm(exec, Op::none, Scalar{1}, A, B, Scalar{}, C);
    });
  }

  std::shared_ptr<MatrixPlan> plan(std::int64_t columns) {
    return std::make_shared<MatrixPlan>(make_plan(exec_, SpmmDesc{.columns = columns}, copies_.A.front()));
  }
  std::function<void(int)> planned(std::int64_t columns, std::shared_ptr<MatrixPlan> const& plan) {
    return checked(columns, [exec = exec_, plan, B = b(columns), C = c(columns)](int) {
      plan->execute(exec, Scalar{1}, B, Scalar{}, C);
    });
  }

 private:
  [[nodiscard]] Dense b(std::int64_t columns) const {
    return {b_.data(), static_cast<std::size_t>(copies_.host.cols), static_cast<std::size_t>(columns)};
  }
  [[nodiscard]] Dense c(std::int64_t columns) const {
    return {c_.data(), static_cast<std::size_t>(copies_.host.rows), static_cast<std::size_t>(columns)};
  }

  /// \throws std::runtime_error where a sampled row of the product is wrong
  template <class Launch>
  std::function<void(int)> checked(std::int64_t columns, Launch const& launch) {
    fill_view(c_, std::numeric_limits<Scalar>::quiet_NaN());
    launch(0);
    exec_.fence("araia::perf::steps: product to verify");
    auto const whole = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), c(columns));
    std::vector<Scalar> some;
    for (std::int64_t const row : sampled_)
      some.insert(some.end(), whole.data() + row * columns, whole.data() + (row + 1) * columns);
    auto const wrong =
        verify_product(sample_, b_host_, static_cast<int>(columns), some.data(), columns, std::int64_t{1});
    if (!wrong.empty()) throw std::runtime_error("wrong result with " + std::to_string(columns) + " columns: " + wrong);
    return launch;
  }

  Exec exec_;
  MatrixCopies<Scalar> copies_;
  std::vector<std::int64_t> sampled_;
  GeneratedMatrix sample_;
  std::vector<Scalar> b_host_;
  Vector<Scalar> b_;
  Vector<Scalar> c_;
};

/// Where the rule does not hold, of one way to multiply.
class StepCount {
 public:
  explicit StepCount(char const* name) : name_(name) {}
  /// Prints the step's time and ratio.
  void add(std::int64_t columns, double seconds, double ratio, double limit) {
    bool const holds = ratio <= limit;
    std::printf("  %10.2f %5.2f %c", seconds * 1e6, ratio, holds ? ' ' : '*');
    ++steps_;
    if (holds) return;
    ++broken_;
    char text[64];
    std::snprintf(text, sizeof text, " %lld (%.2f, limit %.2f)", static_cast<long long>(columns), ratio, limit);
    where_ += text;
  }
  void report() const {
    std::printf("# %s: the rule holds at %d of %d%s%s\n", name_, steps_ - broken_, steps_,
                broken_ > 0 ? "; not from" : "", where_.c_str());
  }

 private:
  char const* name_;
  std::string where_;
  int steps_ = 0;
  int broken_ = 0;
};

/// Both products with N and N + 1 columns are timed in turns: the ratio is the median of the rounds' ratios.
template <class Scalar>
void report_steps_of(Exec const& exec, Options const& options, araia::Machine const& machine,
                     GeneratedMatrix const& host, std::vector<std::int64_t> const& columns, char const* type) {
  StepProducts<Scalar> products(exec, host, columns.back() + 1);
  std::printf("# %s, %lld entries, %s\n# %3s %6s %6s  %10s %5s   %10s %5s   %s\n", host.name.c_str(),
              static_cast<long long>(host.nnz()), type, "N", "bound", "limit", "spmm, us", "step", "plan, us", "step",
              "the plan's kernel; bound and step: N + 1 over N; * where the rule does not hold");
  StepCount one_shot("spmm");
  StepCount planned("plan");
  std::shared_ptr<typename StepProducts<Scalar>::MatrixPlan> plans[2];
  for (std::int64_t const n : columns) {
    bool const follows = plans[1] && plans[1]->description().columns == n;
    plans[0] = follows ? plans[1] : products.plan(n);
    plans[1] = products.plan(n + 1);
    auto const samples = measure_interleaved(exec,
                                             {products.one_shot(n), products.one_shot(n + 1),
                                              products.planned(n, plans[0]), products.planned(n + 1, plans[1])},
                                             options.samples, options.batch_seconds, 1);
    auto const ratio = [&](std::size_t of) {
      std::vector<double> ratios;
      for (std::size_t i = 0; i < samples[of].size(); ++i) ratios.push_back(samples[of + 1][i] / samples[of][i]);
      return median(ratios);
    };
    constexpr std::int64_t scalar_bytes = sizeof(Scalar);
    double const bound = spmm_bound(machine, host, n + 1, scalar_bytes) / spmm_bound(machine, host, n, scalar_bytes);
    double const limit = std::max(1.3, 1.15 * bound);
    std::printf("%5lld %6.3f %6.3f", static_cast<long long>(n), bound, limit);
    one_shot.add(n, median(samples[0]), ratio(0), limit);
    planned.add(n, median(samples[2]), ratio(2), limit);
    std::printf("  %s\n", label(plans[0]->choice()).c_str());
    std::fflush(stdout);
  }
  one_shot.report();
  planned.report();
}

}  // namespace detail

/// bench_spmm --steps. Returns the exit code: times do not decide it.
inline int spmm_steps_main(int argc, char** argv) {
  try {
    Options const options = parse_options(argc, argv);
    Kokkos::ScopeGuard const kokkos(argc, argv);
    if (options.help) return 0;
    refuse_others(argc, argv);
    Exec const exec = make_exec();
    araia::Machine const machine = araia::measure_machine(exec);
    std::vector<std::int64_t> columns(options.columns.begin(), options.columns.end());
    std::sort(columns.begin(), columns.end());
    std::printf("# memory %.0f GB/s, cache of %.0f MB %.0f GB/s\n", machine.copy_bandwidth * 1e-9,
                static_cast<double>(machine.cache_bytes) * 1e-6, machine.cache_bandwidth * 1e-9);
    bool const named = !options.generators.empty() || !options.files.empty();
    for (auto const& matrix : named ? list_matrices(options) : matrices_for_steps()) {
      auto const* const host = made_or_left_out(*matrix);
      if (!host) continue;
      for_each_scalar([&](auto scalar) {
        using Scalar = decltype(scalar);
        if (options.wants(options.types, scalar_name<Scalar>()))
          detail::report_steps_of<Scalar>(exec, options, machine, *host, columns, scalar_name<Scalar>());
      });
      matrix->release();
    }
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
}

}  // namespace araia::perf
