// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// LOBPCG's blocks in exec's memory and the steps on them, with small matrices on the host: what waits, waits here.

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <araia/detail/formats/arrays.hpp>
#include <araia/solvers/lobpcg.hpp>

#include "src/solvers/lobpcg_blocks.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "src/solvers/lobpcg_blocks_cuda.hpp"
#endif
#include "src/solvers/lobpcg_small.hpp"
#include "src/solvers/lobpcg_vectors.hpp"

namespace araia::detail {

/// A block with A and B of it. Without B, bs is empty and stands for s.
template <class Exec, class T>
struct LobpcgTrio {
  using Array = Kokkos::View<T*, typename Exec::device_type>;
  Array s;
  Array as;
  Array bs;
  int cols = 0;
  std::int64_t ld = 0;
};

/// What an update is to do besides new X.
struct LobpcgUpdatePlan {
  SmallMatrix const* c = nullptr;
  SmallMatrix const* d = nullptr;  // null: no P
  std::vector<double> const* theta = nullptr;
  std::vector<int> const* active = nullptr;
};

/// Squares of norms of columns, as the last update left them.
struct LobpcgSquares {
  std::vector<double> r;
  std::vector<double> x;  // where B is there
};

template <class Exec, class T>
class LobpcgSpace {
 public:
  using Device = typename Exec::device_type;
  using Trio = LobpcgTrio<Exec, T>;
  using Array = typename Trio::Array;
  using Doubles = Kokkos::View<double*, Device>;
  using Blocks = LobpcgBlocksOf<Exec, T>;

  LobpcgSpace(Exec const& exec, LobpcgParts<Exec, T> parts, int block)
      : x(), r(), p(), parts_(std::move(parts)), rows_(parts_.a->rows()), block_(block), ld_(padded(block)) {
    require_memory("araia::make_lobpcg: a block",
                   saturating_product(static_cast<std::uint64_t>(rows_), static_cast<std::uint64_t>(ld_) * sizeof(T)),
                   static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
    x = new_trio(exec, "araia::lobpcg::x", block);
    r = new_trio(exec, "araia::lobpcg::r", block);
    p = new_trio(exec, "araia::lobpcg::p", block);
    // Constraints may be wider than the block: what 24 columns take as a basis is enough for 64 beside a block.
    int const width = std::max(block, lobpcg_most_basis / 8);
    std::int64_t const m = 3 * static_cast<std::int64_t>(width);
    std::int64_t const bytes = Blocks::workspace_bytes(exec, rows_, width, with_b());
    workspace_ = new_array<double, Device>(exec, "araia::lobpcg::workspace", (bytes + 7) / 8);
    grams_ = new_array<double, Device>(exec, "araia::lobpcg::grams", 2 * m * m);
    coefficients_ = new_array<double, Device>(
        exec, "araia::lobpcg::coefficients",
        std::max<std::int64_t>(2 * m * width + 2 * width, lobpcg_most_columns * lobpcg_most_columns));
    squares_ = new_array<double, Device>(exec, "araia::lobpcg::squares", 2 * block);
  }

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t ld() const { return ld_; }
  [[nodiscard]] bool with_b() const { return parts_.b != nullptr; }
  [[nodiscard]] bool with_m() const { return parts_.m != nullptr; }
  [[nodiscard]] std::string product_name() const { return parts_.a->name(); }
  [[nodiscard]] std::int64_t products() const { return products_; }
  void count_from_zero() { products_ = 0; }
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (auto const* trio : {&x, &r, &p}) sum += (trio->s.size() + trio->as.size() + trio->bs.size()) * sizeof(T);
    return sum + parts_.diagonal.size() * sizeof(T) +
           (workspace_.size() + grams_.size() + coefficients_.size() + squares_.size()) * sizeof(double);
  }

  /// Of zeros: what plans multiply beside a block's columns is initialised.
  Trio new_trio(Exec const& exec, char const* label, int cols, bool with_a = true) const {
    Trio trio;
    trio.cols = cols;
    trio.ld = padded(with_b() ? std::max(cols, parts_.b->least_ld()) : cols);
    auto const zeros = [&] {
      auto const array = new_array<T, Device>(exec, label, rows_ * trio.ld);
      Kokkos::deep_copy(exec, array, T(0));
      return array;
    };
    trio.s = zeros();
    if (with_a) trio.as = zeros();
    if (with_b()) trio.bs = zeros();
    return trio;
  }

  [[nodiscard]] Block<T> block(Array const& array, int cols) const { return block(array, cols, ld_); }
  [[nodiscard]] Block<T> block(Array const& array, int cols, std::int64_t ld) const { return {array.data(), ld, cols}; }
  [[nodiscard]] Block<T const> read(Array const& array, int cols) const { return read(array, cols, ld_); }
  [[nodiscard]] Block<T const> read(Array const& array, int cols, std::int64_t ld) const {
    return {array.data(), ld, cols};
  }
  /// B times the block.
  [[nodiscard]] Array const& b_of(Trio const& trio) const { return with_b() ? trio.bs : trio.s; }

  /// A and B are multiplied by powers of two where their norms are far from one, so that no square of an element under-
  /// or overflows: all that is here, X and the Ritz values too, is of the scaled problem. Found by norm_estimate.
  [[nodiscard]] double scale_of_a() const { return static_cast<double>(scale_of_a_); }
  [[nodiscard]] double scale_of_b() const { return static_cast<double>(scale_of_b_); }
  /// Of the scaled B, as norm_estimate found it; 1 where B is the identity.
  [[nodiscard]] double mass_norm() const { return mass_norm_; }
  void forget_scales() {
    scale_of_a_ = 1;
    scale_of_b_ = 1;
    mass_norm_ = 1;
  }
  /// X of the scaled problem becomes that of the caller's: x'B x = 1.
  void unscale_x(Exec const& exec, int cols) {
    if (scale_of_b_ == T(1)) return;
    scale_block(exec, static_cast<T>(std::ldexp(1.0, std::ilogb(scale_of_b_) / 2)), block(x.s, cols), rows_);
  }

  void multiply_a(Exec const& exec, Trio const& trio) {
    if (trio.cols == 0) return;
    parts_.a->multiply(exec, trio.s.data(), trio.as.data(), ld_, trio.cols);
    if (scale_of_a_ != T(1)) scale_block(exec, scale_of_a_, block(trio.as, trio.cols), rows_);
    products_ += trio.cols;
  }
  void multiply_b(Exec const& exec, Trio const& trio) {
    if (!with_b() || trio.cols == 0) return;
    parts_.b->multiply(exec, trio.s.data(), trio.bs.data(), trio.ld, trio.cols);
    if (scale_of_b_ != T(1)) scale_block(exec, scale_of_b_, block(trio.bs, trio.cols, trio.ld), rows_);
  }
  /// The caller's diagonal becomes what residuals are multiplied by. Once, when the scale of A is known.
  void invert_diagonal(Exec const& exec) {
    if (parts_.diagonal.size() == 0 || inverted_) return;
    invert_magnitudes(exec, scale_of_a_, parts_.diagonal.data(), rows_);
    inverted_ = true;
  }
  /// R = M^-1 R by the caller's preconditioner, brought to a size near one where A is scaled: M is of the unscaled A.
  void precondition(Exec const& exec) {
    if (!with_m() || r.cols == 0) return;
    parts_.m->multiply(exec, r.s.data(), r.as.data(), ld_, r.cols);
    std::swap(r.s, r.as);
    if (scale_of_a_ == T(1) && scale_of_b_ == T(1)) return;
    double const most = largest_magnitude(exec, read(r.s, r.cols), rows_);
    scale_block(exec, power_to_one(most), block(r.s, r.cols), rows_);
  }

  /// G and H of the first `blocks` of [X R P]. Waits.
  /// \param only_r  entries of R's rows and columns alone
  void gram(Exec const& exec, int blocks, bool only_r, bool want_g, SmallMatrix& g, SmallMatrix& h) {
    LobpcgGram<T> of;
    of.basis = basis(blocks);
    int const m = columns(of.basis);
    auto const entries = static_cast<std::int64_t>(m) * m;
    of.g = want_g ? grams_.data() : nullptr;
    of.h = grams_.data() + entries;
    of.only_r = only_r;
    Blocks::gram(exec, of, workspace_.data());
    std::vector<double> const both = download(exec, grams_.data(), 2 * entries, want_g ? 0 : entries);
    g = SmallMatrix(m, m);
    h = SmallMatrix(m, m);
    auto const size = static_cast<std::size_t>(entries);
    if (want_g) std::copy_n(both.begin(), size, g.at.begin());  // symmetric: either order
    std::copy_n(both.begin() + static_cast<std::ptrdiff_t>(size), size, h.at.begin());
  }

  /// X = S C and all that follows it, P = S D; R of the active columns, and norms. Waits.
  LobpcgSquares update(Exec const& exec, int blocks, LobpcgUpdatePlan const& plan) {
    LobpcgUpdate<T> of;
    of.basis = basis(blocks);
    int const kx = plan.c->cols;
    int const kp = plan.d ? plan.d->cols : 0;
    std::vector<int> const& active = *plan.active;
    // One copy: C, D, theta, active.
    std::vector<double> all;
    append(all, *plan.c);
    if (plan.d) append(all, *plan.d);
    auto const theta_at = all.size();
    all.insert(all.end(), plan.theta->begin(), plan.theta->end());
    auto const active_at = all.size();
    all.resize(active_at + (active.size() + 1) / 2);
    if (!active.empty()) std::memcpy(&all[active_at], active.data(), active.size() * sizeof(int));
    upload(exec, all);
    of.c = coefficients_.data();
    of.d = coefficients_.data() + plan.c->at.size();
    of.theta = coefficients_.data() + theta_at;
    of.active = reinterpret_cast<int const*>(coefficients_.data() + active_at);
    of.active_count = static_cast<int>(active.size());
    of.kx = kx;
    of.kp = kp;
    of.x = block(x.s, kx);
    of.ax = block(x.as, kx);
    of.bx = block(x.bs, kx);
    if (kp > 0) {
      of.p = block(p.s, kp);
      of.ap = block(p.as, kp);
      of.bp = block(p.bs, kp);
    }
    of.r = block(r.s, of.active_count);
    of.inverse_diagonal = parts_.diagonal.size() > 0 && !with_m() ? parts_.diagonal.data() : nullptr;
    of.r_squares = squares_.data();
    if (with_b()) of.x_squares = squares_.data() + kx;
    Blocks::update(exec, of, workspace_.data());
    x.cols = kx;
    p.cols = kp;
    r.cols = of.active_count;
    std::vector<double> const squares = download(exec, squares_.data(), with_b() ? 2 * kx : kx, 0);
    return {{squares.begin(), squares.begin() + kx}, {squares.begin() + kx, squares.end()}};
  }

  /// W = W C, B W too.
  void rotate(Exec const& exec, Trio& w, SmallMatrix const& c) {
    LobpcgUpdate<T> of;
    of.basis.rows = rows_;
    of.basis.blocks = 1;
    of.basis.s[0] = read(w.s, w.cols, w.ld);
    of.basis.bs[0] = read(w.bs, w.cols, w.ld);
    std::vector<double> all;
    append(all, c);
    upload(exec, all);
    of.c = coefficients_.data();
    of.kx = c.cols;
    of.x = block(w.s, c.cols, w.ld);
    of.bx = block(w.bs, c.cols, w.ld);
    Blocks::update(exec, of, workspace_.data());
    w.cols = c.cols;
  }

  /// W' V. Waits.
  SmallMatrix cross(Exec const& exec, Block<T const> const& w, Block<T const> const& v) {
    LobpcgCross<T> of;
    of.rows = rows_;
    of.x = w;
    of.w = v;
    of.c = grams_.data();
    Blocks::cross(exec, of, workspace_.data());
    std::vector<double> const got = download(exec, grams_.data(), static_cast<std::int64_t>(w.cols) * v.cols, 0);
    SmallMatrix c(w.cols, v.cols);
    for (int i = 0; i < w.cols; ++i)
      for (int j = 0; j < v.cols; ++j) c(i, j) = got[static_cast<std::size_t>(i * v.cols + j)];
    return c;
  }

  /// W -= Q (B Q)'W, and B W -= B Q (B Q)'W where `also_b`. Nothing waits.
  void remove(Exec const& exec, Trio const& q, Trio const& w, bool also_b) {
    if (q.cols == 0 || w.cols == 0) return;
    LobpcgCross<T> of;
    of.rows = rows_;
    of.x = read(b_of(q), q.cols, q.ld);
    of.w = read(w.s, w.cols, w.ld);
    of.c = grams_.data();
    Blocks::cross(exec, of, workspace_.data());
    LobpcgSubtract<T> minus;
    minus.rows = rows_;
    minus.x = read(q.s, q.cols, q.ld);
    minus.c = grams_.data();
    minus.w = block(w.s, w.cols, w.ld);
    Blocks::subtract(exec, minus, workspace_.data());
    if (!also_b || !with_b()) return;
    minus.x = read(q.bs, q.cols, q.ld);
    minus.w = block(w.bs, w.cols, w.ld);
    Blocks::subtract(exec, minus, workspace_.data());
  }

  /// W'B W. Waits.
  SmallMatrix gram_of(Exec const& exec, Trio const& w) {
    return cross(exec, read(w.s, w.cols, w.ld), read(b_of(w), w.cols, w.ld));
  }
  /// Squares of the norms of W's columns, without B. Waits.
  std::vector<double> squares_of(Exec const& exec, Trio const& w) {
    return diagonal_of(cross(exec, read(w.s, w.cols, w.ld), read(w.s, w.cols, w.ld)));
  }

  /// Makes W B-orthonormal, and B-orthogonal to each of `apart`, which are B-orthonormal; B W is made.
  /// Columns that vanish become random ones where `fill`, else they go.
  /// \return whether all numbers were finite, B positive along W as far as rounding shows it, and W orthonormal within
  ///         rounding at the end
  bool orthonormalise(Exec const& exec, Trio& w, std::vector<Trio const*> const& apart, bool fill, std::uint64_t seed) {
    constexpr int most_rounds = 6;
    constexpr double cutoff = 1e-13;
    // Of the square of a column's norm: what is left after less than its root is mostly rounding.
    constexpr double lost = std::is_same_v<T, double> ? 1e-16 : 1e-8;
    double const enough = 1e-2 * std::sqrt(epsilon);
    multiply_b(exec, w);
    std::vector<double> before;  // squares of norms, where a column can be lost to `apart`
    if (!fill && !apart.empty() && w.cols > 0) before = diagonal_of(gram_of(exec, w));
    for (int round = 0; round < most_rounds; ++round) {
      if (w.cols == 0) return true;
      for (auto const* q : apart) remove(exec, *q, w, true);
      SmallMatrix m = gram_of(exec, w);
      if (!all_finite(m)) return false;
      for (std::size_t j = 0; round == 0 && j < before.size(); ++j)
        if (std::abs(m.at[j * before.size() + j]) <= lost * before[j]) clear_column(m, static_cast<int>(j));
      for (int j = 0; j < m.rows; ++j)
        if (m(j, j) < 0) return false;
      Orthonormaliser const o = orthonormaliser(m, cutoff);
      if (with_b() && o.least < -cutoff && !is_rounding(exec, w, m, o.least)) return false;
      bool const whole = o.w.cols == w.cols;
      if (whole && round > 0 && o.departure < enough) return true;
      int const wanted = w.cols;
      if (o.w.cols > 0) rotate(exec, w, o.w);
      w.cols = o.w.cols;
      if (whole || !fill || round >= most_rounds - 3) continue;
      int const kept = w.cols;
      w.cols = wanted;
      fill_normal(exec, block(w.s, wanted, w.ld), rows_, kept, seed + static_cast<std::uint64_t>(round));
      multiply_b(exec, w);
    }
    if (w.cols == 0) return true;
    SmallMatrix const m = gram_of(exec, w);
    if (!all_finite(m)) return false;
    // Products with B leave rounding of its norm.
    double most = 1;
    if (with_b())
      for (double const square : squares_of(exec, w)) most = std::max(most, mass_norm_ * square);
    constexpr double never = 0.5;
    return orthonormaliser(m, cutoff).departure <= std::min(std::max(enough, 1e3 * epsilon * most), never);
  }

  /// The largest ||A w|| / ||w|| of steps of the power method on a random block, for A or B as scaled; NaN where there
  /// is one. Finds the scale first: the inverse of the largest element of the first product as a power of two, or 1
  /// where that is not needed. Uses R.
  double norm_estimate(Exec const& exec, bool of_b, std::uint64_t seed) {
    constexpr int steps = 4;
    r.cols = block_;
    fill_normal(exec, block(r.s, block_), rows_, 0, seed);
    double norm = 0;
    for (int step = 0; step < steps; ++step) {
      if (of_b)
        multiply_b(exec, r);
      else
        multiply_a(exec, r);
      Array const& product = of_b ? r.bs : r.as;
      SmallMatrix const before = cross(exec, read(r.s, block_), read(r.s, block_));
      SmallMatrix after = cross(exec, read(product, block_), read(product, block_));
      if (step == 0 && !near_one(diagonal_of(after))) {
        T const power = power_to_one(largest_magnitude(exec, read(product, block_), rows_));
        T& of = of_b ? scale_of_b_ : scale_of_a_;
        // The square root of B's scales X.
        of = of_b ? static_cast<T>(std::ldexp(1.0, std::ilogb(power) / 2 * 2)) : power;
        if (of != T(1)) {
          scale_block(exec, of, block(product, block_), rows_);
          after = cross(exec, read(product, block_), read(product, block_));
        }
      }
      SmallMatrix scale(block_, block_);
      for (int j = 0; j < block_; ++j) {
        if (!std::isfinite(after(j, j))) return std::numeric_limits<double>::quiet_NaN();
        if (before(j, j) > 0) norm = std::max(norm, std::sqrt(after(j, j) / before(j, j)));
        if (after(j, j) > std::numeric_limits<double>::min()) scale(j, j) = 1 / std::sqrt(after(j, j));
      }
      if (norm == 0 || step + 1 == steps) break;
      Trio next;
      next.cols = block_;
      next.ld = ld_;
      next.s = product;
      rotate_without_b(exec, next, scale);
      copy_array(exec, r.s, product);
    }
    if (of_b) mass_norm_ = norm;
    return norm;
  }

  /// Of columns that a block holds: (rows x cols) on the host. Waits.
  std::vector<T> download_block(Exec const& exec, Array const& array) const {
    std::vector<T> values(array.size());
    exec.fence("araia::lobpcg: the block is there");
    copy_bytes<Kokkos::HostSpace, Device>(values.data(), array.data(), values.size() * sizeof(T));
    return values;
  }
  void upload_block(Exec const& exec, Array const& array, std::vector<T> const& values) const {
    exec.fence("araia::lobpcg: the block is free");
    copy_bytes<Device, Kokkos::HostSpace>(array.data(), values.data(), values.size() * sizeof(T));
  }

  Trio x;
  Trio r;
  Trio p;

 private:
  static constexpr double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());

  /// Is the largest of these squares of norms one that no scale is needed for? Squares of residuals of any tolerance,
  /// or in float residuals themselves, are then far from where numbers end.
  static bool near_one(std::vector<double> const& squares) {
    constexpr int most_exponent = std::is_same_v<T, double> ? 100 : 40;
    double most = 0;
    for (double const square : squares) {
      if (!std::isfinite(square)) return false;
      most = std::max(most, square);
    }
    return most >= std::ldexp(1.0, -2 * most_exponent) && most <= std::ldexp(1.0, 2 * most_exponent);
  }
  /// The power of two that brings a magnitude into [1, 2), as far as T holds it and its inverse; 1 for zero, and for
  /// what is not finite.
  static T power_to_one(double magnitude) {
    if (!(magnitude > 0) || !std::isfinite(magnitude)) return T(1);
    constexpr int limit = std::numeric_limits<T>::max_exponent - 4;
    return static_cast<T>(std::ldexp(1.0, std::clamp(-std::ilogb(magnitude), -limit, limit)));
  }

  static std::vector<double> diagonal_of(SmallMatrix const& m) {
    std::vector<double> values(static_cast<std::size_t>(m.rows));
    for (int j = 0; j < m.rows; ++j) values[static_cast<std::size_t>(j)] = m(j, j);
    return values;
  }
  /// Row and column j of a symmetric matrix become zero.
  static void clear_column(SmallMatrix& m, int j) {
    for (int i = 0; i < m.rows; ++i) m(i, j) = m(j, i) = 0;
  }
  /// Can an eigenvalue below zero of M = W'B W, scaled to a unit diagonal, come from rounding in products with B?
  bool is_rounding(Exec const& exec, Trio const& w, SmallMatrix const& m, double least) {
    double spread = 1;
    std::vector<double> const squares = squares_of(exec, w);
    for (int j = 0; j < m.rows; ++j)
      if (m(j, j) > 0) spread = std::max(spread, mass_norm_ * squares[static_cast<std::size_t>(j)] / m(j, j));
    return -least <= 10 * m.rows * epsilon * spread;
  }

  static std::int64_t padded(int cols) { return (cols + 3) / 4 * std::int64_t{4}; }

  [[nodiscard]] LobpcgBasis<T> basis(int blocks) const {
    LobpcgBasis<T> of;
    of.rows = rows_;
    of.blocks = blocks;
    Trio const* const trios[] = {&x, &r, &p};
    for (int b = 0; b < blocks; ++b) {
      of.s[b] = read(trios[b]->s, trios[b]->cols);
      of.as[b] = read(trios[b]->as, trios[b]->cols);
      of.bs[b] = read(trios[b]->bs, trios[b]->cols);
    }
    return of;
  }
  static int columns(LobpcgBasis<T> const& of) {
    int m = 0;
    for (int b = 0; b < of.blocks; ++b) m += of.s[b].cols;
    return m;
  }

  void rotate_without_b(Exec const& exec, Trio& w, SmallMatrix const& c) {
    w.bs = Array();
    rotate(exec, w, c);
  }

  /// Row-major.
  static void append(std::vector<double>& to, SmallMatrix const& c) {
    for (int i = 0; i < c.rows; ++i)
      for (int j = 0; j < c.cols; ++j) to.push_back(c(i, j));
  }

  /// Elements [first, count) arrive, those before are zeros.
  std::vector<double> download(Exec const& exec, double const* from, std::int64_t count, std::int64_t first) const {
    std::vector<double> values(static_cast<std::size_t>(count), 0.0);
    Kokkos::deep_copy(
        exec,
        BytesOf<Kokkos::HostSpace, unsigned char>(reinterpret_cast<unsigned char*>(values.data() + first),
                                                  static_cast<std::size_t>(count - first) * sizeof(double)),
        BytesOf<typename Exec::memory_space, unsigned char const>(
            reinterpret_cast<unsigned char const*>(from + first),
            static_cast<std::size_t>(count - first) * sizeof(double)));
    exec.fence("araia::lobpcg: small numbers are there");
    return values;
  }
  void upload(Exec const& exec, std::vector<double> const& values) const {
    Kokkos::deep_copy(exec,
                      BytesOf<typename Exec::memory_space, unsigned char>(
                          reinterpret_cast<unsigned char*>(coefficients_.data()), values.size() * sizeof(double)),
                      BytesOf<Kokkos::HostSpace, unsigned char const>(
                          reinterpret_cast<unsigned char const*>(values.data()), values.size() * sizeof(double)));
    exec.fence("araia::lobpcg: small numbers were read");
  }

  LobpcgParts<Exec, T> parts_;
  std::int64_t rows_;
  int block_;
  std::int64_t ld_;
  std::int64_t products_ = 0;
  T scale_of_a_ = 1;
  T scale_of_b_ = 1;
  double mass_norm_ = 1;
  bool inverted_ = false;  // is the diagonal what residuals are multiplied by?
  Doubles workspace_;
  Doubles grams_;
  Doubles coefficients_;
  Doubles squares_;
};

}  // namespace araia::detail
