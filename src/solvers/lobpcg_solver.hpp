// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// LOBPCG [Knyazev2001] with a basis [X R P] in which X and P stay B-orthonormal through the small problem
// [DuerschShaoYangGu2018]. An iteration: A R; the Gram matrices of the basis; the small problem; one update of all
// blocks with the next residuals. Where R depends on the rest of the basis, it is made orthonormal first.
// Entries of the Gram matrices between X and P are known from the small problem before, so that a pass reads X, P, R
// and A R alone; every so many iterations A X and A P are products again, and every entry is formed.

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

#include "src/solvers/lobpcg_small_device.hpp"
#include "src/solvers/lobpcg_space.hpp"

namespace araia::detail {

template <class Exec, class T>
class LobpcgSolver final : public LobpcgBody<Exec, T> {
 public:
  using Space = LobpcgSpace<Exec, T>;
  using Trio = typename Space::Trio;

  LobpcgSolver(Exec const& exec, LobpcgParts<Exec, T> parts, LobpcgOptions const& options)
      : options_(options),
        space_(exec, std::move(parts), lobpcg_block(options)),
        eigensolver_(exec, 3 * lobpcg_block(options)) {
    exec.fence("araia::make_lobpcg: the blocks are there");
  }

  [[nodiscard]] std::int64_t rows() const override { return space_.rows(); }
  [[nodiscard]] LobpcgOptions const& options() const override { return options_; }
  [[nodiscard]] std::uint64_t bytes() const override { return space_.bytes() + eigensolver_.bytes(); }

  LobpcgResult solve(Exec const& exec, LobpcgVectors<T> const& x, LobpcgVectors<T const> const& y) override {
    Kokkos::Profiling::ScopedRegion const region("araia::lobpcg");
    state_ = {};
    space_.count_from_zero();
    space_.forget_scales();
    apart_.clear();
    result_ = {};
    result_.product = space_.product_name();
    result_.form = "block";
    bool const known = estimate_norms(exec);
    std::int64_t const constraints = take_constraints(exec, y);
    if (constraints < 0) return failed();
    // A start of its own beside other constraints: from the one that they were found with, copies of a multiple value
    // would never be seen.
    seed_ = options_.seed + 0x9e3779b97f4a7c15ull * static_cast<std::uint64_t>(constraints);
    std::int64_t const room = rows() - constraints;
    if (options_.pairs > room)
      throw Error(ErrorKind::invalid_argument, "araia::Lobpcg::solve: pairs is " + std::to_string(options_.pairs) +
                                                   ", expected at most " + std::to_string(room) +
                                                   ": rows less independent constraints");
    block_ = static_cast<int>(std::min<std::int64_t>(lobpcg_block(options_), room));
    LobpcgStatus status = LobpcgStatus::breakdown;
    if (known) {
      space_.invert_diagonal(exec);
      constexpr std::int64_t most_dense_rows = 2048;
      bool const small = room < 3 * static_cast<std::int64_t>(block_) && rows() <= most_dense_rows;
      status = small ? solve_dense(exec) : iterate(exec, x);
    }
    auto const pairs = static_cast<std::size_t>(options_.pairs);
    if (space_.x.cols < options_.pairs || state_.theta.size() < pairs || state_.squares.r.size() < pairs)
      return failed();
    space_.unscale_x(exec, options_.pairs);
    copy_out(exec, space_.read(space_.x.s, options_.pairs), x);
    exec.fence("araia::Lobpcg::solve: X is there");
    result_.status = status;
    report();
    return std::move(result_);
  }

 private:
  static constexpr double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
  // Beyond these condition numbers of the scaled Gram matrix, entries that are known from the step before are formed
  // again, and R is made orthonormal first.
  static constexpr double trusted_condition = std::is_same_v<T, double> ? 1e5 : 1e2;
  static constexpr double solved_condition = std::is_same_v<T, double> ? 1e10 : 1e5;
  static constexpr std::int64_t patience = 100;  // iterations without progress

  struct State {
    std::vector<double> theta;
    LobpcgSquares squares;
    std::vector<int> active;
    SmallMatrix g_pp;      // of the P that is there
    bool trusted = false;  // is [X P] B-orthonormal within rounding, G of it diag(theta) and g_pp?
    double best = std::numeric_limits<double>::infinity();
    double trace = std::numeric_limits<double>::infinity();
    std::int64_t progressed = 0;  // in which iteration
    int alarms = 0;               // the recurrence said converged, the products did not
  };

  [[nodiscard]] bool largest() const { return options_.end == LobpcgEnd::largest; }
  [[nodiscard]] double tolerance() const {
    if (options_.tolerance > 0) return options_.tolerance;
    return std::is_same_v<T, double> ? 1e-8 : 1e-5;
  }

  LobpcgResult failed() {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    result_.status = LobpcgStatus::breakdown;
    result_.pairs.assign(static_cast<std::size_t>(options_.pairs), {nan, nan, nan});
    report_norms();
    return std::move(result_);
  }

  /// \return independent constraints, or -1 where they are not finite
  std::int64_t take_constraints(Exec const& exec, LobpcgVectors<T const> const& y) {
    constexpr std::int64_t width = lobpcg_most_columns;
    std::int64_t count = 0;
    constraint_condition_ = 1;
    constraints_.clear();
    constraints_.reserve(static_cast<std::size_t>((y.columns + width - 1) / width));
    for (std::int64_t first = 0; first < y.columns; first += width) {
      int const cols = static_cast<int>(std::min<std::int64_t>(width, y.columns - first));
      Trio trio = space_.new_trio(exec, "araia::lobpcg::y", cols, false);
      copy_in(exec, y, first, space_.block(trio.s, cols, trio.ld));
      if (!space_.orthonormalise(exec, trio, apart_, false, 0)) return -1;
      if (trio.cols == 0) continue;
      count += trio.cols;
      if (space_.with_b())
        for (double const square : space_.squares_of(exec, trio))
          constraint_condition_ = std::max(constraint_condition_, space_.mass_norm() * square);
      constraints_.push_back(std::move(trio));
      apart_.push_back(&constraints_.back());
    }
    return count;
  }

  bool estimate_norms(Exec const& exec) {
    result_.norm = space_.norm_estimate(exec, false, options_.seed ^ 0x6e6f726dull);
    result_.mass_norm = space_.with_b() ? space_.norm_estimate(exec, true, options_.seed ^ 0x6d617373ull) : 1;
    return std::isfinite(result_.norm) && std::isfinite(result_.mass_norm);
  }

  /// Relative residual of a column. As A and B are scaled, a square of zero is of a residual that is zero, or further
  /// below ||A|| than any tolerance.
  [[nodiscard]] double relative(int j) const {
    auto const at = static_cast<std::size_t>(j);
    double const residual = std::sqrt(state_.squares.r[at]);
    if (residual == 0) return 0;
    double scale = std::max(result_.norm, 0.0);
    if (space_.with_b())
      scale = (scale + std::abs(state_.theta[at]) * result_.mass_norm) * std::sqrt(state_.squares.x[at]);
    return residual / scale;  // infinite where A is zero as far as it was seen
  }
  [[nodiscard]] double worst() const {
    double most = 0;
    for (int j = 0; j < options_.pairs; ++j) {
      double const of = relative(j);
      if (std::isnan(of)) return of;
      most = std::max(most, of);
    }
    return most;
  }

  void choose_active() {
    state_.active.clear();
    for (int j = 0; j < space_.x.cols; ++j)
      if (!(relative(j) <= tolerance())) state_.active.push_back(j);
  }
  void all_active() {
    state_.active.resize(static_cast<std::size_t>(block_));
    for (int j = 0; j < block_; ++j) state_.active[static_cast<std::size_t>(j)] = j;
  }

  void took(RitzStep const& step, LobpcgSquares squares) {
    state_.theta = step.theta;
    state_.squares = std::move(squares);
    for (double const value : step.theta)
      if (!space_.with_b()) result_.norm = std::max(result_.norm, std::abs(value));
  }

  RitzStep ritz(Exec const& exec, SmallMatrix const& g, SmallMatrix const& h, int block,
                std::vector<int> const& active) const {
    return ritz_step(g, h, block, largest(), active, solved_condition,
                     [&](SmallMatrix const& a, std::vector<double>& values, SmallMatrix& vectors) {
                       return eigensolver_(exec, a, values, vectors);
                     });
  }

  /// Rayleigh-Ritz on X, A X being there.
  bool ritz_on_x(Exec const& exec) {
    SmallMatrix g;
    SmallMatrix h;
    space_.gram(exec, 1, false, true, g, h);
    RitzStep const step = ritz(exec, g, h, space_.x.cols, {});
    if (!step.solved) return false;
    int const directions = space_.p.cols;
    took(step, space_.update(exec, 1, {&step.c, nullptr, &step.theta, &state_.active}));
    space_.p.cols = directions;  // X turned within its own space: P is as it was
    return finite(state_.squares.r);
  }
  static bool finite(std::vector<double> const& values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  }

  /// Residuals and orthogonality from products with A and B of the vectors as they are.
  /// \return whether all numbers were finite
  bool look_again(Exec const& exec) {
    if (space_.x.cols < options_.pairs) return false;
    if (space_.x.cols < block_) {
      block_ = space_.x.cols;
      all_active();
    }
    for (auto const* y : apart_) space_.remove(exec, *y, space_.x, false);
    space_.multiply_b(exec, space_.x);
    space_.multiply_a(exec, space_.x);
    if (!ritz_on_x(exec)) return false;
    space_.multiply_b(exec, space_.x);
    space_.multiply_a(exec, space_.x);
    SmallMatrix g;
    SmallMatrix h;
    space_.gram(exec, 1, false, false, g, h);
    result_.orthogonality = 0;
    for (int i = 0; i < options_.pairs; ++i)
      for (int j = 0; j < options_.pairs; ++j)
        result_.orthogonality = std::max(result_.orthogonality, std::abs(h(i, j) - (i == j ? 1 : 0)));
    for (auto const* y : apart_) {
      SmallMatrix const c =
          space_.cross(exec, space_.read(space_.b_of(*y), y->cols, y->ld), space_.read(space_.x.s, options_.pairs));
      if (!all_finite(c)) return false;
      for (double const value : c.at) result_.orthogonality = std::max(result_.orthogonality, std::abs(value));
    }
    SmallMatrix identity(space_.x.cols, space_.x.cols);
    for (int j = 0; j < identity.cols; ++j) identity(j, j) = 1;
    int const directions = space_.p.cols;
    state_.squares = space_.update(exec, 1, {&identity, nullptr, &state_.theta, &state_.active});
    space_.p.cols = directions;
    state_.trusted = false;
    return finite(state_.squares.r) && std::isfinite(result_.orthogonality) && !in_null_space();
  }

  /// The largest ||B|| ||x||^2 of the pairs with x'B x = 1: by how much rounding in B x is larger than that of x.
  [[nodiscard]] double mass_condition() const {
    double most = 1;
    if (space_.with_b())
      for (int j = 0; j < options_.pairs; ++j)
        most = std::max(most, result_.mass_norm * state_.squares.x[static_cast<std::size_t>(j)]);
    return most;
  }
  /// Is one of the pairs in B's null space within rounding?
  [[nodiscard]] bool in_null_space() const { return !(mass_condition() <= 1 / (1e3 * epsilon)); }
  [[nodiscard]] bool orthonormal() const {
    return result_.orthogonality <= 1e3 * epsilon * std::max(mass_condition(), constraint_condition_);
  }
  [[nodiscard]] bool passed() const { return worst() <= tolerance() && orthonormal(); }

  LobpcgStatus iterate(Exec const& exec, LobpcgVectors<T> const& start) {
    space_.x.cols = block_;
    space_.p.cols = 0;
    int const given = options_.start ? options_.pairs : 0;
    if (given > 0) copy_in(exec, as_const(start), 0, space_.block(space_.x.s, given));
    fill_normal(exec, space_.block(space_.x.s, block_), rows(), given, seed_);
    if (!space_.orthonormalise(exec, space_.x, apart_, true, seed_ + 1) || space_.x.cols < options_.pairs)
      return LobpcgStatus::breakdown;
    block_ = space_.x.cols;
    all_active();
    space_.multiply_a(exec, space_.x);
    if (!ritz_on_x(exec)) return LobpcgStatus::breakdown;
    std::int64_t const most = options_.max_iterations > 0 ? options_.max_iterations : 2000;
    for (;; ++result_.iterations) {
      if (worst() <= tolerance()) {
        if (!look_again(exec)) return LobpcgStatus::breakdown;
        if (passed()) return LobpcgStatus::converged;
        constexpr int most_alarms = 5;
        if (++state_.alarms == most_alarms) return LobpcgStatus::stagnated;
      }
      bool const over = result_.iterations >= most;
      if (over || !progresses()) {
        if (!look_again(exec)) return LobpcgStatus::breakdown;
        if (passed()) return LobpcgStatus::converged;
        return over ? LobpcgStatus::iteration_limit : LobpcgStatus::stagnated;
      }
      if (!step(exec)) {
        bool const there = look_again(exec);
        return there && passed() ? LobpcgStatus::converged : LobpcgStatus::breakdown;
      }
    }
  }

  /// Has a residual fallen, or the sum of the values gone on, in the last so many iterations?
  bool progresses() {
    double const residual = worst();
    double trace = 0;
    for (int j = 0; j < options_.pairs; ++j) trace += state_.theta[static_cast<std::size_t>(j)];
    if (largest()) trace = -trace;
    double const visible = 10 * epsilon * result_.norm * options_.pairs;
    if (residual < 0.9 * state_.best || trace < state_.trace - visible) {
      state_.progressed = result_.iterations;
      state_.best = std::min(state_.best, residual);
      state_.trace = std::min(state_.trace, trace);
    }
    return result_.iterations - state_.progressed < patience;
  }

  /// One iteration: new X, P and R. \return whether all went well; else X is as it was, or has become what is not
  /// finite or in B's null space
  bool step(Exec const& exec) {
    auto& x = space_.x;
    auto& r = space_.r;
    auto& p = space_.p;
    bool const refresh = result_.iterations % options_.refresh == 0 && result_.iterations > 0;
    if (refresh) {
      space_.multiply_b(exec, x);
      space_.multiply_a(exec, x);
      space_.multiply_b(exec, p);
      space_.multiply_a(exec, p);
    }
    space_.precondition(exec);
    for (auto const* y : apart_) space_.remove(exec, *y, r, false);
    RitzStep step;
    if (r.cols > 0) {
      space_.multiply_b(exec, r);
      space_.multiply_a(exec, r);
      SmallMatrix g;
      SmallMatrix h;
      bool const known = state_.trusted && !refresh;
      gram(exec, known, g, h);
      if (!all_finite(g) || !all_finite(h)) return false;
      step = ritz(exec, g, h, block_, next_active());
    }
    if (!step.solved || r.cols == 0) step = robust_step(exec);
    if (!step.solved) return false;
    state_.trusted = step.condition <= trusted_condition;
    state_.g_pp = step.g_pp;
    int const blocks = p.cols > 0 ? 3 : 2;
    std::vector<int> const active = next_active();
    took(step, space_.update(exec, blocks, {&step.c, &step.d, &step.theta, &active}));
    state_.active = active;
    return finite(state_.squares.r) && !in_null_space();
  }

  /// Columns of which the step's directions and residuals are made: those that have not converged, as far as is known.
  std::vector<int> next_active() {
    choose_active();
    if (state_.active.empty()) all_active();
    return state_.active;
  }

  /// G and H of the whole basis. \param known  what is between X and P is not formed
  void gram(Exec const& exec, bool known, SmallMatrix& g, SmallMatrix& h) {
    int const blocks = space_.p.cols > 0 ? 3 : 2;
    space_.gram(exec, blocks, known, true, g, h);
    if (!known) return;
    int const nx = space_.x.cols;
    int const behind = nx + space_.r.cols;
    auto const outside = [&](int i) { return i < nx || i >= behind; };
    for (int j = 0; j < g.cols; ++j)
      for (int i = 0; i < g.rows; ++i) {
        if (!outside(i) || !outside(j)) continue;
        h(i, j) = i == j ? 1 : 0;
        if (i < nx && j < nx)
          g(i, j) = i == j ? state_.theta[static_cast<std::size_t>(i)] : 0;
        else if (i >= behind && j >= behind)
          g(i, j) = state_.g_pp(i - behind, j - behind);
        else
          g(i, j) = 0;
      }
  }

  /// R, and P where it has to be, made B-orthonormal; then without P; then with random R.
  RitzStep robust_step(Exec const& exec) {
    auto& x = space_.x;
    auto& r = space_.r;
    auto& p = space_.p;
    ++result_.robust_steps;
    RitzStep step;
    constexpr int attempts = 3;
    for (int attempt = 0; attempt < attempts && !step.solved; ++attempt) {
      auto const seed = seed_ + static_cast<std::uint64_t>(1000 * (result_.iterations + 1) + attempt);
      if (attempt > 0) p.cols = 0;
      auto apart = apart_;
      if (!space_.orthonormalise(exec, x, apart, true, seed)) return step;
      space_.multiply_a(exec, x);
      if (x.cols < block_) return step;
      apart.push_back(&x);
      if (p.cols > 0) {
        if (!space_.orthonormalise(exec, p, apart, false, seed)) return step;
        space_.multiply_a(exec, p);
      }
      if (p.cols > 0) apart.push_back(&p);
      std::int64_t const room = rows() - constrained() - x.cols - p.cols;
      if (attempt == attempts - 1 || r.cols == 0) {
        r.cols = block_;
        fill_normal(exec, space_.block(r.s, r.cols), rows(), 0, seed);
      }
      r.cols = static_cast<int>(std::min<std::int64_t>(r.cols, room));
      if (!space_.orthonormalise(exec, r, apart, true, seed)) return step;
      space_.multiply_a(exec, r);
      SmallMatrix g;
      SmallMatrix h;
      int const blocks = p.cols > 0 ? 3 : 2;
      space_.gram(exec, blocks, false, true, g, h);
      if (!all_finite(g) || !all_finite(h)) return step;
      step = ritz(exec, g, h, block_, next_active());
    }
    return step;
  }

  [[nodiscard]] std::int64_t constrained() const {
    std::int64_t count = 0;
    for (auto const& trio : constraints_) count += trio.cols;
    return count;
  }

  /// A matrix of few rows, read column by column from products with unit vectors.
  template <class Multiply>
  SmallMatrix read_dense(Exec const& exec, typename Space::Array const& product, Multiply const& multiply) {
    int const n = static_cast<int>(rows());
    SmallMatrix dense(n, n);
    int const width = lobpcg_block(options_);
    space_.r.cols = width;
    for (int first = 0; first < n; first += width) {
      fill_units(exec, space_.block(space_.r.s, width), rows(), first);
      multiply();
      std::vector<T> const columns = space_.download_block(exec, product);
      for (int j = first; j < std::min(first + width, n); ++j)
        for (int i = 0; i < n; ++i)
          dense(i, j) = static_cast<double>(columns[static_cast<std::size_t>(i * space_.ld() + j - first)]);
    }
    return dense;
  }

  LobpcgStatus solve_dense(Exec const& exec) {
    result_.form = "dense";
    int const n = static_cast<int>(rows());
    SmallMatrix const a = read_dense(exec, space_.r.as, [&] { space_.multiply_a(exec, space_.r); });
    SmallMatrix b;
    if (space_.with_b()) b = read_dense(exec, space_.r.bs, [&] { space_.multiply_b(exec, space_.r); });
    SmallMatrix y(n, static_cast<int>(constrained()));
    int at = 0;
    for (auto const& trio : constraints_) {
      std::vector<T> const columns = space_.download_block(exec, trio.s);
      for (int j = 0; j < trio.cols; ++j, ++at)
        for (int i = 0; i < n; ++i) y(i, at) = static_cast<double>(columns[static_cast<std::size_t>(i * trio.ld + j)]);
    }
    SmallMatrix x;
    if (!dense_pairs(a, b, y, block_, largest(), x)) return LobpcgStatus::breakdown;
    std::vector<T> columns(static_cast<std::size_t>(n * space_.ld()), T(0));
    for (int j = 0; j < block_; ++j)
      for (int i = 0; i < n; ++i) columns[static_cast<std::size_t>(i * space_.ld() + j)] = static_cast<T>(x(i, j));
    space_.upload_block(exec, space_.x.s, columns);
    space_.x.cols = block_;
    space_.p.cols = 0;
    all_active();
    if (!look_again(exec)) return LobpcgStatus::breakdown;
    return passed() ? LobpcgStatus::converged : LobpcgStatus::stagnated;
  }

  void report() {
    double const a = space_.scale_of_a();
    double const b = space_.scale_of_b();
    for (int j = 0; j < options_.pairs; ++j) {
      auto const at = static_cast<std::size_t>(j);
      result_.pairs.push_back(
          {state_.theta[at] / a * b, std::sqrt(state_.squares.r[at]) / a * std::sqrt(b), relative(j)});
    }
    report_norms();
  }
  void report_norms() {
    result_.products = space_.products();
    result_.norm /= space_.scale_of_a();
    result_.mass_norm /= space_.scale_of_b();
  }

  LobpcgOptions options_;
  Space space_;
  SmallEigensolver<Exec> eigensolver_;
  int block_ = 0;
  std::uint64_t seed_ = 0;
  State state_{};
  LobpcgResult result_{};
  std::vector<Trio> constraints_{};
  double constraint_condition_ = 1;  // as mass_condition, of the constraints
  std::vector<Trio const*> apart_{};
};

}  // namespace araia::detail
