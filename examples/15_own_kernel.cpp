// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of the application's own that plans rank, verify and run beside the library's: a matrix that is a column
// times a row, which needs two vectors in place of all its entries.

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include <araia/extend/kernel.hpp>
#include <araia/plan/plan.hpp>

using Space = Kokkos::DefaultHostExecutionSpace;
using Matrix = araia::Csr<double, std::int32_t, std::int32_t, Space::device_type>;
using OwnBound = araia::Bound<Space, araia::SpmvDesc, double, double, double, std::int32_t>;

// [descriptor]
struct RankOne {
  static constexpr araia::KernelInfo info{.operation = araia::OpId::spmv,
                                          .storage = "csr",
                                          .name = "rank_one",
                                          .runs = araia::Runs::where_bound,
                                          .sums = araia::Sums::scattered,  // in parts, one a thread
                                          .own_row_order = true,
                                          .needs_values = true,
                                          .packing = " as a column and a row"};
  static std::string refuse(araia::Problem const& p, araia::Choice const&) {
    if (p.source_permuted) return "rank_one: rows in another order";
    bool const full = p.stats.min_length == p.stats.cols && p.stats.nnz > 0;
    return full ? "" : "rank_one: the matrix has entries that are not stored";
  }
  static void propose(araia::Problem const&, araia::Machine const&, araia::Proposals& list) {
    list.add({.format = "csr", .kernel = "rank_one"});
  }
  static araia::Footprint footprint(araia::Problem const& p, araia::Choice const&) {
    auto const elements = static_cast<std::uint64_t>(p.stats.rows + p.stats.cols);
    return {.bytes = elements * sizeof(double), .slots = p.stats.nnz, .exact = true};
  }
  static double seconds(araia::Pricing const& a) {
    return 2 * a.machine.launch_seconds + a.traffic.bytes() / a.machine.read_bandwidth;
  }
};
// [descriptor]

// [bound]
class BoundRankOne final : public OwnBound {
 public:
  explicit BoundRankOne(Source const& source)
      : column_("column", static_cast<std::size_t>(source.rows)), row_("row", static_cast<std::size_t>(source.cols)) {
    take(source);
  }
  void run(Space const& exec, double alpha, Operand const& x, double beta, Result const& y) const override {
    auto const row = row_;
    auto const column = column_;
    double dot = 0;
    Kokkos::parallel_reduce(
        "rank_one::dot", Kokkos::RangePolicy<Space>(exec, 0, x.size),
        KOKKOS_LAMBDA(std::int64_t j, double& sum) { sum += row(j) * x.data[j * x.stride]; }, dot);
    Kokkos::parallel_for(
        "rank_one::scale", Kokkos::RangePolicy<Space>(exec, 0, y.size), KOKKOS_LAMBDA(std::int64_t i) {
          double& out = y.data[i * y.stride];
          out = alpha * dot * column(i) + (beta == 0 ? 0 : beta * out);
        });
  }
  void update_values(Space const&, Source const& source) override { take(source); }
  std::uint64_t bytes() const override { return (column_.extent(0) + row_.extent(0)) * sizeof(double); }

 private:
  void take(Source const& source) {
    auto const a = source.pointers();
    auto const entry = [&](std::int64_t i, std::int64_t j) { return a.values[i * a.cols + j]; };
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t j = 0; j < a.cols; ++j)
        if (entry(0, 0) == 0 || a.col_indices[i * a.cols + j] != j ||
            entry(i, j) * entry(0, 0) != entry(i, 0) * entry(0, j))
          throw araia::Error(araia::ErrorKind::unsupported, "rank_one: the matrix is no column times a row");
    for (std::int64_t i = 0; i < a.rows; ++i) column_(i) = entry(i, 0) / entry(0, 0);
    for (std::int64_t j = 0; j < a.cols; ++j) row_(j) = entry(0, j);
  }
  Kokkos::View<double*, Space> column_;
  Kokkos::View<double*, Space> row_;
};

std::shared_ptr<OwnBound> bind_rank_one(Space const&, OwnBound::Source const& source, araia::Choice const&,
                                        araia::BindOptions const&) {
  return std::make_shared<BoundRankOne>(source);
}
// [bound]

/// Entries (i mod 7 + 1) (j mod 5 + 1).
Matrix column_times_row(std::int64_t n) {
  Kokkos::View<std::int32_t*, Space> const row_offsets("row_offsets", static_cast<std::size_t>(n) + 1);
  Kokkos::View<std::int32_t*, Space> const col_indices("col_indices", static_cast<std::size_t>(n * n));
  Kokkos::View<double*, Space> const values("values", col_indices.extent(0));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      col_indices(i * n + j) = static_cast<std::int32_t>(j);
      values(i * n + j) = static_cast<double>((i % 7 + 1) * (j % 5 + 1));
    }
    row_offsets(i + 1) = static_cast<std::int32_t>((i + 1) * n);
  }
  return {.rows = n, .cols = n, .nnz = n * n, .row_offsets = row_offsets, .col_indices = col_indices, .values = values};
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Space const exec;
  // [register]
  araia::register_kernel<RankOne, Space, araia::SpmvDesc, double, double, double, std::int32_t>(bind_rank_one);
  auto const A = column_times_row(1500);
  auto const plan = araia::make_plan(exec, araia::SpmvDesc{}, A, {.measure = true, .budget = 5});
  // [register]
  std::printf("%s\n", araia::explain(plan.report()).c_str());
  auto const check = plan.verify(exec);
  std::printf("verified: %s\n", check.ok ? "yes" : check.first_violation.c_str());
  return plan.choice().kernel == "rank_one" && check.ok ? 0 : 1;
}
