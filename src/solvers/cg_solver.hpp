// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A solve in cycles: each computes the residual from x, runs the iteration until its own residual says that it is done,
// and is followed by another where the residual computed anew says otherwise.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <araia/detail/formats/arrays.hpp>
#include <araia/detail/formats/row_access.hpp>
#include <araia/solvers/cg.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include "backends/openmp/csr_spmv_host.hpp"
#include "src/solvers/cg_cluster.hpp"
#include "src/solvers/cg_graph.hpp"
#include "src/solvers/cg_steps.hpp"

namespace araia::detail {

/// threshold = tolerance^2 ||b||^2, and a state that has done nothing.
struct CgBegun {
  CgState* state;
  double squared_tolerance;
  std::int64_t most_iterations;
  KOKKOS_INLINE_FUNCTION void operator()(TwoSums const& sums) const {
    *state = {};
    state->norm = sums.first;
    state->threshold = squared_tolerance * sums.first;
    state->most_iterations = most_iterations;
  }
};

template <class T>
struct CgKeepDot {
  T* dot;
  KOKKOS_INLINE_FUNCTION void operator()(TwoSums const& sums) const { *dot = static_cast<T>(sums.first); }
};

/// inverse(i) = 1 / A(i, i), or one where that is not positive.
template <class T>
struct CgInvertDiagonal {
  CsrPointers<T, std::int32_t, std::int32_t> a;
  T* inverse;
  [[nodiscard]] KOKKOS_INLINE_FUNCTION CgInvertDiagonal start() const { return *this; }
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t stored) const {
    std::int64_t const row = matrix_row(a, stored);
    double sum = 0;
    for (std::int32_t k = a.row_offsets[stored]; k < a.row_offsets[stored + 1]; ++k)
      if (a.col_indices[k] == row) sum += entry_value<double>(a, k);
    double const inverted = 1 / sum;
    inverse[row] = sum > 0 && cg_is_finite(inverted) ? static_cast<T>(inverted) : T{1};
  }
};

/// The largest sum of magnitudes of a row. Fences exec.
template <class Exec, class T>
static double cg_largest_row(Exec const& exec, CsrPointers<T, std::int32_t, std::int32_t> const& a) {
  double most = 0;
  reduce_indices(
      "araia::cg::largest_row", IndexRange<Exec>(exec, 0, a.rows),
      KOKKOS_LAMBDA(std::int64_t i, double& largest) {
        double sum = 0;
        for (std::int32_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
          sum += Kokkos::abs(entry_value<double>(a, k));
        if (sum > largest) largest = sum;
      },
      Kokkos::Max<double>(most));
  return a.rows > 0 ? most : 0;
}

template <class Exec, class T>
class CgSolver final : public CgBody<Exec, T> {
 public:
  CgSolver(Exec const& exec, std::shared_ptr<CgOperator<Exec, T>> a, CgSource<Exec, T> const& source,
           std::shared_ptr<CgPreconditioning<Exec, T>> preconditioning, CgOptions const& options)
      : a_(std::move(a)), m_(std::move(preconditioning)), source_(source), options_(options), n_(a_->rows()) {
    most_iterations_ = options.max_iterations > 0 ? options.max_iterations : std::max<std::int64_t>(1000, 10 * n_);
    state_ =
        State(reinterpret_cast<CgState*>(keep<double>(exec, "araia::cg::state", sizeof(CgState) / sizeof(double))));
    dot_ = keep<T>(exec, "araia::cg::dot", 1);
    sums_ = ChunkSums<Exec>(exec);
    at_.state = state_;
    at_.dot = dot_;
    at_.r = keep<T>(exec, "araia::cg::r", n_);
    at_.p = keep<T>(exec, "araia::cg::p", n_);
    at_.q = keep<T>(exec, "araia::cg::q", n_);
    one_ = options.reductions == CgReductions::one;
    at_.has_z = m_ != nullptr;
    if (one_ || m_) at_.z = keep<T>(exec, "araia::cg::z", n_);
    if (one_) w_ = keep<T>(exec, "araia::cg::w", n_);
    if (!m_ && options.preconditioner == CgPreconditioner::jacobi) {
      inverse_ = keep<T>(exec, "araia::cg::inverse", n_);
      at_.inverse = inverse_;
    }
    if (options.history) {
      require_fits<std::int64_t>("araia::make_cg: iterations of a history", most_iterations_ + 1);
      at_.history = keep<double>(exec, "araia::cg::history", most_iterations_ + 1);
    }
    bool const with_graph = CgLoopGraph<Exec>::available() && a_->capturable() && (!m_ || m_->capturable());
    if (options.form == CgForm::graph && !with_graph)
      throw Error(ErrorKind::unsupported,
                  "araia::make_cg: form is graph, expected an operator that can be captured, on CUDA 12.4 or later");
    if (options.form == CgForm::automatic || options.form == CgForm::cluster) {
      std::string refusal = "expected no preconditioner of the caller's";
      if (!source_.stays) refusal = "expected a solver that is made from a Csr alone";
      if (!m_ && source_.stays) clusters_ = CgClusters<Exec, T>::make(exec, source_, 1, refusal);
      if (!clusters_ && options.form == CgForm::cluster)
        throw Error(ErrorKind::unsupported, "araia::make_cg: form is cluster: " + refusal);
      if (clusters_) bytes_ += clusters_->bytes();
    }
    in_one_thread_ = options.form == CgForm::automatic && options.plan && suits_one_thread();
    graphed_ = with_graph && options.form != CgForm::loop && !clusters_;
    if (graphed_) own_x_ = keep<T>(exec, "araia::cg::x", n_);
    new_values(exec, nullptr);
    if (source_.known && !source_.stays) {
      norm_of_matrix_ = cg_largest_row(exec, source_.matrix.pointers());
      source_.matrix = {};
    }
    exec.fence("araia::make_cg: before a solve on any instance");
  }

  CgResult solve(Exec const& exec, T const* b, T* x) override {
    Kokkos::Profiling::ScopedRegion const region("araia::cg");
    CgResult result;
    result.form = clusters_ ? clusters_->name() : graphed_ ? "graph" : in_one_thread_ ? "one_thread" : "loop";
    result.product = clusters_ || in_one_thread_ ? "csr" : a_->name();
    sum_pass(exec, "araia::cg::norm_of_b", n_, sums_, CgNorm<T>{b},
             CgBegun{state_, options_.tolerance * options_.tolerance, most_iterations_});
    double const norm_of_b = std::sqrt(state(exec).norm);
    if (!std::isfinite(norm_of_b)) return without_answer(result);
    if (norm_of_b == 0) {
      fill_array(exec, x, n_, T{});
      exec.fence("araia::cg: the solution of b = 0");
      result.status = CgStatus::converged;
      if (options_.history) result.history = {0.0};
      return result;
    }
    at_.x = x;
    if (graphed_) {
      at_.x = own_x_;
      copy_vector(exec, own_x_, x);
    }
    result.status = run_cycles(exec, b);
    CgState const end = state(exec);
    result.iterations = end.iterations;
    if (!std::isfinite(end.rr)) return without_answer(result);
    result.residual = std::sqrt(end.rr);
    result.relative_residual = result.residual / norm_of_b;
    double const norm_of_x = std::sqrt(norm(exec, at_.x));
    result.backward_error = result.residual / (norm_of_matrix(exec, norm_of_x) * norm_of_x + norm_of_b);
    if (options_.history) read_history(exec, end.iterations, result.history);
    if (graphed_) {
      copy_vector(exec, x, own_x_);
      exec.fence("araia::cg: x is written");
    }
    return result;
  }

  void new_values(Exec const& exec, T const* values) override {
    if (values)
      source_.matrix.values =
          CgConstVector<Exec, T>(values, static_cast<std::size_t>(source_.matrix.nnz));  // as the plan shares them
    norm_of_matrix_.reset();
    graph_.forget();
    if (inverse_)
      row_pass(exec, "araia::cg::invert_diagonal", n_, CgInvertDiagonal<T>{source_.matrix.pointers(), inverse_});
  }

  [[nodiscard]] std::int64_t rows() const override { return n_; }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_ + sums_.bytes(); }

 private:
  using State = CgState*;
  using Memory = Kokkos::View<double*, typename Exec::device_type>;

  /// Memory of the solver's own, as long as it lives.
  template <class Element>
  Element* keep(Exec const& exec, char const* label, std::int64_t count) {
    auto const doubles = static_cast<std::int64_t>((static_cast<std::uint64_t>(count) * sizeof(Element) + 7) / 8);
    memory_.push_back(new_array<double, typename Exec::device_type>(exec, label, doubles));
    bytes_ += static_cast<std::uint64_t>(doubles) * sizeof(double);
    return reinterpret_cast<Element*>(memory_.back().data());
  }

  [[nodiscard]] CgState state(Exec const& exec) const { return value_at(exec, "araia::cg: state", state_); }

  static CgResult without_answer(CgResult& result) {
    result.status = CgStatus::breakdown;
    result.residual = result.relative_residual = result.backward_error = std::numeric_limits<double>::quiet_NaN();
    return result;
  }

  void copy_vector(Exec const& exec, T* to, T const* from) const {
    auto const n = static_cast<std::size_t>(n_);
    copy_array(exec, CgVector<Exec, T>(to, n), CgConstVector<Exec, T>(from, n));
  }

  double norm(Exec const& exec, T const* v) {
    sum_pass(exec, "araia::cg::norm", n_, sums_, CgNorm<T>{v}, CgKeepNorm{state_});
    return state(exec).norm;
  }

  /// Host: is an iteration done sooner than other threads would wake?
  [[nodiscard]] bool suits_one_thread() const {
    constexpr std::int64_t most_entries = 32768;
    return is_host_backend_space<Exec> && source_.known && source_.stays && n_ <= fewest_rows_of_sum &&
           source_.matrix.nnz <= most_entries;
  }

  /// y = A x, dot = x'y.
  void multiply(Exec const& exec, T const* x, T* y) {
    if constexpr (is_host_backend_space<Exec>) {
      if (in_one_thread_) {
        auto* const chunk_sums = reinterpret_cast<double*>(sums_.sums());  // room for twice most_chunks_of_sum
        host::csr_spmv_fused(source_.matrix.pointers(), x,
                             FusedRows<T>{.w = x, .y = y, .sum = dot_, .partial_sums = chunk_sums}, 1);
        return;
      }
    }
    if (a_->multiply(exec, x, y, dot_)) return;
    CgPointers<T> at = at_;
    at.r = const_cast<T*>(x);
    at.z = y;
    sum_pass(exec, "araia::cg::dot", n_, sums_, CgDirection<T>{at}, CgKeepDot<T>{dot_});
  }

  /// The residual from x, and the first direction.
  void start_cycle(Exec const& exec, T const* b) {
    at_.w = one_ ? w_ : nullptr;
    multiply(exec, at_.x, at_.r);
    sum_pass(exec, "araia::cg::residual", n_, sums_, CgStart<T>{b, at_}, CgStarted{state_, at_.history});
    if (m_) m_->apply(exec, at_.r, at_.z);
    sum_pass(exec, "araia::cg::first_direction", n_, sums_, CgFirstDirection<T>{at_}, CgFirstDirected{state_});
  }

  void iterate(Exec const& exec) {
    if (one_) {
      multiply(exec, at_.z, at_.w);
      sum_pass(exec, "araia::cg::update_all", n_, sums_, CgUpdateAll<T>{at_}, CgAllUpdated<T>{at_});
    } else {
      multiply(exec, at_.p, at_.q);
      sum_pass(exec, "araia::cg::update_residual", n_, sums_, CgUpdateResidual<T>{at_}, CgResidualUpdated<T>{at_});
    }
    if (m_) {
      m_->apply(exec, at_.r, at_.z);
      sum_pass(exec, "araia::cg::direction", n_, sums_, CgDirection<T>{at_}, CgDirected{state_});
    }
    if (!one_) row_pass(exec, "araia::cg::update_direction", n_, CgUpdateDirection<T>{at_});
  }

  /// Iterations until the state has ended.
  CgPhase iterate_to_end(Exec const& exec) {
    if (graphed_) {
      graph_.launch(exec);
      return state(exec).phase;
    }
    // A device works on while the host looks: what it does after the end changes nothing.
    constexpr int most_between_looks = is_device_space<Exec> ? 32 : 1;
    for (int between = 1;; between = std::min(2 * between, most_between_looks)) {
      for (int i = 0; i < between; ++i) iterate(exec);
      if (CgPhase const phase = state(exec).phase; phase != CgPhase::running) return phase;
    }
  }

  /// The same from x, in one launch.
  CgPhase iterate_on_cluster(Exec const& exec, T const* b, CgState const& now) {
    auto const ends =
        clusters_->solve(exec, source_.matrix.values.data(), false, b, false, at_.x, 1, at_.inverse != nullptr,
                         std::sqrt(now.aim / now.norm), most_iterations_ - now.iterations,
                         at_.history ? at_.history + now.iterations : nullptr);
    CgState after = now;
    after.iterations += ends.front().iterations;
    set_state(exec, after);
    return ends.front().phase;
  }

  CgStatus run_cycles(Exec const& exec, T const* b) {
    one_ = options_.reductions == CgReductions::one;
    bool by_cluster = clusters_ != nullptr;
    auto before = std::numeric_limits<double>::infinity();
    auto ended = CgPhase::running;
    for (;;) {
      start_cycle(exec, b);
      CgState const now = state(exec);
      if (now.phase == CgPhase::done) return CgStatus::converged;
      if (now.phase == CgPhase::limit) return CgStatus::limit;
      if (now.phase == CgPhase::indefinite) return CgStatus::indefinite;
      if (now.phase == CgPhase::breakdown) return CgStatus::breakdown;
      if (ended == CgPhase::indefinite) return CgStatus::indefinite;
      if (ended == CgPhase::breakdown) return CgStatus::breakdown;
      constexpr double least_gain = 0.25;  // of the squared norm
      if (now.rr > least_gain * before) return CgStatus::stagnated;
      before = now.rr;
      if (by_cluster) {
        ended = iterate_on_cluster(exec, b, now);
      } else {
        if (graphed_ && !(graph_.captured() && captured_one_ == one_)) capture(exec);
        ended = iterate_to_end(exec);
      }
      if ((one_ || by_cluster) && (ended == CgPhase::indefinite || ended == CgPhase::breakdown)) {
        // The recurrence for p'A p may have lost its sign to rounding: the other form computes it.
        one_ = by_cluster = false;
        ended = CgPhase::running;
        before = std::numeric_limits<double>::infinity();
      }
    }
  }

  /// The loop of the form that runs. The iteration before it, of a state that has ended, changes only what each
  /// iteration writes anew.
  void capture(Exec const& exec) {
    CgState const now = state(exec);
    CgState ended = now;
    ended.phase = CgPhase::limit;
    set_state(exec, ended);
    graph_.capture(state_, [this](Exec const& on) { iterate(on); });
    captured_one_ = one_;
    set_state(exec, now);
  }

  void set_state(Exec const& exec, CgState const& value) {
    copy_bytes<typename Exec::memory_space, Kokkos::HostSpace>(state_, &value, sizeof value);
    exec.fence("araia::cg: state");
  }

  /// The largest sum of magnitudes of a row, at least the 2-norm of a symmetric matrix; where the matrix is not known
  /// ||A x|| / ||x||.
  double norm_of_matrix(Exec const& exec, double norm_of_x) {
    if (!source_.known) {
      multiply(exec, at_.x, at_.q);
      double const product = std::sqrt(norm(exec, at_.q));
      return norm_of_x > 0 ? product / norm_of_x : 0;
    }
    if (!norm_of_matrix_) norm_of_matrix_ = cg_largest_row(exec, source_.matrix.pointers());
    return *norm_of_matrix_;
  }

  void read_history(Exec const& exec, std::int64_t iterations, std::vector<double>& history) const {
    history.resize(static_cast<std::size_t>(iterations) + 1);
    exec.fence("araia::cg: history");
    copy_bytes<Kokkos::HostSpace, typename Exec::memory_space>(history.data(), at_.history,
                                                               history.size() * sizeof(double));
    for (double& squared : history) squared = std::sqrt(squared);
  }

  std::shared_ptr<CgOperator<Exec, T>> a_;
  std::shared_ptr<CgPreconditioning<Exec, T>> m_;
  CgSource<Exec, T> source_;
  CgOptions options_;
  std::int64_t n_;
  std::int64_t most_iterations_ = 0;
  std::vector<Memory> memory_;
  std::uint64_t bytes_ = 0;
  ChunkSums<Exec> sums_;
  CgPointers<T> at_;
  State state_{};
  T* dot_ = nullptr;
  T* w_ = nullptr;
  T* inverse_ = nullptr;
  T* own_x_ = nullptr;
  bool one_ = false;
  bool graphed_ = false;
  bool in_one_thread_ = false;
  bool captured_one_ = false;
  CgLoopGraph<Exec> graph_;
  std::unique_ptr<CgClusters<Exec, T>> clusters_;
  std::optional<double> norm_of_matrix_;
};

}  // namespace araia::detail
