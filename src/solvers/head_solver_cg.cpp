// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include <utility>
#include <vector>

#include <araia/detail/formats/arrays.hpp>
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
HeadVector<T> copied(HeadExec const& exec, char const* label, std::vector<T> const& from) {
  auto to = new_array<T, HeadDevice>(exec, label, static_cast<std::int64_t>(from.size()));
  Kokkos::deep_copy(exec, to, HostVector<T const>(from.data(), from.size()));
  return to;
}

HeadMatrix matrix_of(HeadExec const& exec, HeadRows const& rows, HeadVector<double> const& values) {
  HeadMatrix A;
  A.rows = A.cols = static_cast<std::int64_t>(rows.offsets().size()) - 1;
  A.nnz = static_cast<std::int64_t>(rows.columns().size());
  A.row_offsets = copied(exec, "araia::hydraulics::offsets", rows.offsets());
  A.col_indices = copied(exec, "araia::hydraulics::columns", rows.columns());
  A.values = values;
  return A;
}

// The values that the solver is made with: any will do.
HeadVector<double> first_values(HeadExec const& exec, HeadRows const& rows) {
  return copied(exec, "araia::hydraulics::values", std::vector<double>(rows.columns().size(), 1.0));
}

class CgHeads final : public HeadSolver {
 public:
  explicit CgHeads(HeadGraph const& graph)
      : rows_(graph),
        values_(first_values(exec_, rows_)),
        right_(new_array<double, HeadDevice>(exec_, "araia::hydraulics::right", static_cast<std::int64_t>(graph.rows))),
        x_(new_array<double, HeadDevice>(exec_, "araia::hydraulics::correction",
                                         static_cast<std::int64_t>(graph.rows))),
        solver_(make_cg(exec_, matrix_of(exec_, rows_, values_), CgOptions{.tolerance = 1e-10})) {}

  std::int64_t solve(HeadCoefficients const& A, std::vector<double> const& right, std::vector<double>& x) override {
    auto const& values = rows_.values(A);
    Kokkos::deep_copy(exec_, values_, HostVector<double const>(values.data(), values.size()));
    Kokkos::deep_copy(exec_, right_, HostVector<double const>(right.data(), right.size()));
    Kokkos::deep_copy(exec_, x_, HostVector<double const>(x.data(), x.size()));
    solver_.update_values(exec_, values_);
    CgResult const result = solver_.solve(exec_, right_, x_);
    if (result.status == CgStatus::breakdown) return -1;
    // What is left over, as rounding or the iterations ended it, is corrected by the next trial.
    Kokkos::deep_copy(exec_, HostVector<double>(x.data(), x.size()), x_);
    exec_.fence("araia::hydraulics::solved");
    return result.iterations;
  }

 private:
  using Solver = decltype(make_cg(std::declval<HeadExec const&>(), std::declval<HeadMatrix const&>(),
                                  std::declval<CgOptions const&>()));
  HeadExec exec_;
  HeadRows rows_;
  HeadVector<double> values_;
  HeadVector<double> right_;
  HeadVector<double> x_;
  Solver solver_;
};

}  // namespace

std::unique_ptr<HeadSolver> make_cg_heads(HeadGraph const& graph) { return std::make_unique<CgHeads>(graph); }

}  // namespace araia::detail
