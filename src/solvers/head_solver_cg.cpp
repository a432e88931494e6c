// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include <utility>
#include <vector>

#include <araia/formats/csr.hpp>
#include <araia/solvers/cg.hpp>

#include "head_solver.hpp"

namespace araia::detail {
namespace {

using HeadExec = Kokkos::DefaultExecutionSpace;
using HeadDevice = HeadExec::device_type;
using HeadMatrix = Csr<double const, std::int32_t, std::int32_t, HeadDevice>;
template <class T>
using HeadVector = Kokkos::View<T*, HeadDevice>;

template <class T>
using HostVector = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

template <class T>
HeadVector<T> room(std::string const& label, std::size_t size) {
  return HeadVector<T>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), size);
}

template <class T>
HeadVector<T> copied(HeadExec const& exec, std::string const& label, std::vector<T> const& from) {
  auto to = room<T>(label, from.size());
  Kokkos::deep_copy(exec, to, HostVector<T const>(from.data(), from.size()));
  return to;
}

HeadMatrix matrix_of(HeadExec const& exec, HeadPattern const& pattern, HeadVector<double> const& values) {
  HeadMatrix A;
  A.rows = A.cols = static_cast<std::int64_t>(pattern.rows());
  A.nnz = static_cast<std::int64_t>(pattern.columns.size());
  A.row_offsets = copied(exec, "araia::hydraulics::offsets", pattern.offsets);
  A.col_indices = copied(exec, "araia::hydraulics::columns", pattern.columns);
  A.values = values;
  return A;
}

// The values that the solver is made with: any that are positive definite.
HeadVector<double> first_values(HeadExec const& exec, HeadPattern const& pattern) {
  return copied(exec, "araia::hydraulics::values", std::vector<double>(pattern.columns.size(), 1.0));
}

CgOptions options_of_heads() {
  CgOptions options;
  options.tolerance = 1e-10;
  return options;
}

class CgHeads final : public HeadSolver {
 public:
  explicit CgHeads(HeadPattern const& pattern)
      : values_(first_values(exec_, pattern)),
        right_(room<double>("araia::hydraulics::right", pattern.rows())),
        x_(room<double>("araia::hydraulics::correction", pattern.rows())),
        solver_(make_cg(exec_, matrix_of(exec_, pattern, values_), options_of_heads())) {}

  std::int64_t solve(std::vector<double> const& values, std::vector<double> const& right,
                     std::vector<double>& x) override {
    Kokkos::deep_copy(exec_, values_, HostVector<double const>(values.data(), values.size()));
    Kokkos::deep_copy(exec_, right_, HostVector<double const>(right.data(), right.size()));
    Kokkos::deep_copy(exec_, x_, HostVector<double const>(x.data(), x.size()));
    solver_.update_values(exec_, values_);
    CgResult const result = solver_.solve(exec_, right_, x_);
    if (result.status == CgStatus::breakdown) return -1;
    // What rounding left over is corrected by the next trial.
    Kokkos::deep_copy(exec_, HostVector<double>(x.data(), x.size()), x_);
    exec_.fence("araia::hydraulics::solved");
    return result.iterations;
  }

 private:
  using Solver = decltype(make_cg(std::declval<HeadExec const&>(), std::declval<HeadMatrix const&>(),
                                  std::declval<CgOptions const&>()));
  HeadExec exec_;
  HeadVector<double> values_;
  HeadVector<double> right_;
  HeadVector<double> x_;
  Solver solver_;
};

}  // namespace

std::unique_ptr<HeadSolver> make_cg_heads(HeadPattern const& pattern) { return std::make_unique<CgHeads>(pattern); }

}  // namespace araia::detail
