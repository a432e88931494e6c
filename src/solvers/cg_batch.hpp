// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Several systems at once, held to their residuals together; those that need more than a launch go on alone.

#include <araia/solvers/cg_batch.hpp>
#include <cmath>
#include <limits>

#include "src/solvers/cg_cluster.hpp"
#include "src/solvers/cg_steps.hpp"

namespace araia::detail {

/// Of one system: squares of 2-norms, and the largest sum of magnitudes of a row.
struct CgNorms {
  double residual;
  double solution;
  double rhs;
  double matrix;
};

/// norms(s) of each system, a team a system.
template <class Exec, class T, class Norms>
static void cg_norms_of_systems(Exec const& exec, CsrPointers<T, std::int32_t, std::int32_t> const& pattern,
                                CgSystems<T> const& systems, Norms const& norms) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  int const team_size = is_device_space<Exec> ? device_block : 1;
  for_each_team(
      "araia::cg::norms_of_systems", Policy(exec, static_cast<int>(systems.count), team_size),
      KOKKOS_LAMBDA(typename Policy::member_type const& team) {
        std::int64_t const s = team.league_rank();
        auto a = pattern;
        a.values = systems.values + (systems.own_values ? s * a.nnz : 0);
        T const* const b = systems.b + (systems.own_b ? s * a.rows : 0);
        T const* const x = systems.x + s * a.rows;
        TwoSums residual_and_solution;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, a.rows),
            [&](std::int64_t i, TwoSums& sums) {
              std::int64_t const row = matrix_row(a, i);
              double r = static_cast<double>(b[row]);
              for (std::int32_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
                r -= static_cast<double>(a.values[k]) * static_cast<double>(x[a.col_indices[k]]);
              sums.first += r * r;
              sums.second += static_cast<double>(x[row]) * static_cast<double>(x[row]);
            },
            Kokkos::Sum<TwoSums>(residual_and_solution));
        TwoSums rhs;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, a.rows),
            [&](std::int64_t i, TwoSums& sums) { sums.first += static_cast<double>(b[i]) * static_cast<double>(b[i]); },
            Kokkos::Sum<TwoSums>(rhs));
        double matrix = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, a.rows),
            [&](std::int64_t i, double& most) {
              double sum = 0;
              for (std::int32_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
                sum += Kokkos::abs(static_cast<double>(a.values[k]));
              if (sum > most) most = sum;
            },
            Kokkos::Max<double>(matrix));
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          norms(s) = {residual_and_solution.first, residual_and_solution.second, rhs.first, matrix};
        });
      });
}

template <class Exec, class T>
class CgBatchSolver final : public CgBatchBody<Exec, T> {
 public:
  CgBatchSolver(Exec const& exec, CgSource<Exec, T> const& source, std::int64_t systems, CgOptions const& options,
                Cg<Exec, T> one)
      : source_(source),
        options_(options),
        one_(std::move(one)),
        norms_(new_array<CgNorms, typename Exec::device_type>(exec, "araia::cg::norms_of_systems", systems)) {
    std::string refusal;
    if (options.form == CgForm::automatic || options.form == CgForm::cluster)
      clusters_ = CgClusters<Exec, T>::make(exec, source, systems, refusal);
    most_iterations_ =
        options.max_iterations > 0 ? options.max_iterations : std::max<std::int64_t>(1000, 10 * source.matrix.rows);
    exec.fence("araia::make_cg_batch: before a solve on any instance");
  }

  std::vector<CgResult> solve(Exec const& exec, CgSystems<T> const& systems) override {
    Kokkos::Profiling::ScopedRegion const region("araia::cg_batch");
    std::vector<CgResult> results(static_cast<std::size_t>(systems.count));
    std::vector<bool> solved(results.size(), false);
    if (clusters_) solve_on_clusters(exec, systems, results, solved);
    std::int64_t const rows = source_.matrix.rows;
    for (std::int64_t s = 0; s < systems.count; ++s) {
      auto const at = static_cast<std::size_t>(s);
      if (solved[at]) continue;
      T const* const values = systems.values + (systems.own_values ? s * source_.matrix.nnz : 0);
      if (s == 0 || systems.own_values || clusters_)
        one_.update_values(exec, CgConstVector<Exec, T>(values, static_cast<std::size_t>(source_.matrix.nnz)));
      auto const n = static_cast<std::size_t>(rows);
      std::int64_t const before = results[at].iterations;
      results[at] = one_.solve(exec, CgConstVector<Exec, T>(systems.b + (systems.own_b ? s * rows : 0), n),
                               CgVector<Exec, T>(systems.x + s * rows, n));
      results[at].iterations += before;
    }
    return results;
  }

 private:
  /// All systems in one launch. Those that are not solved then, by the residual computed from x, are left to be gone on
  /// with.
  void solve_on_clusters(Exec const& exec, CgSystems<T> const& systems, std::vector<CgResult>& results,
                         std::vector<bool>& solved) {
    auto const ends = clusters_->solve(exec, systems.values, systems.own_values, systems.b, systems.own_b, systems.x,
                                       systems.count, options_.preconditioner == CgPreconditioner::jacobi,
                                       std::max(options_.tolerance, least_aim), most_iterations_, nullptr);
    cg_norms_of_systems(exec, source_.matrix.pointers(), systems, norms_);
    std::vector<CgNorms> norms(results.size());
    exec.fence("araia::cg_batch: norms are there");
    copy_bytes<Kokkos::HostSpace, Exec>(norms.data(), norms_.data(), norms.size() * sizeof(CgNorms));
    for (std::size_t s = 0; s < results.size(); ++s) {
      CgResult& result = results[s];
      result.iterations = ends[s].iterations;
      double const rhs = std::sqrt(norms[s].rhs);
      result.residual = std::sqrt(norms[s].residual);
      bool const converged = std::isfinite(rhs) && result.residual <= options_.tolerance * rhs;
      if (!converged && (ends[s].phase != CgPhase::limit || !std::isfinite(result.residual))) continue;
      result.form = clusters_->name();
      result.product = "csr";
      result.status = converged ? CgStatus::converged : CgStatus::limit;
      result.relative_residual = rhs > 0 ? result.residual / rhs : 0;
      double const scale = norms[s].matrix * std::sqrt(norms[s].solution) + rhs;
      result.backward_error = scale > 0 ? result.residual / scale : 0;
      solved[s] = true;
    }
  }

  static constexpr double least_aim = 1e-100;  // further down sums lose their digits below the least number

  CgSource<Exec, T> source_;
  CgOptions options_;
  Cg<Exec, T> one_;
  Kokkos::View<CgNorms*, typename Exec::device_type> norms_;
  std::unique_ptr<CgClusters<Exec, T>> clusters_;
  std::int64_t most_iterations_ = 0;
};

}  // namespace araia::detail
