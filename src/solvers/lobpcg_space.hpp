// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// LOBPCG's blocks in exec's memory and the steps on them, with small matrices on the host: what waits, waits here.

#include <Kokkos_Core.hpp>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <araia/formats/arrays.hpp>
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
    std::int64_t const bytes = Blocks::workspace_bytes(exec, rows_, width);
    workspace_ = new_array<double, Device>(exec, "araia::lobpcg::workspace", (bytes + 7) / 8);
    grams_ = new_array<double, Device>(exec, "araia::lobpcg::grams", 2 * m * m);
    coefficients_ = new_array<double, Device>(
        exec, "araia::lobpcg::coefficients",
        std::max<std::int64_t>(2 * m * width + 2 * width, lobpcg_most_columns * lobpcg_most_columns));
    squares_ = new_array<double, Device>(exec, "araia::lobpcg::squares", 2 * block);
    if (parts_.diagonal.size() > 0) invert_magnitudes(exec, parts_.diagonal.data(), rows_);
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

  Trio new_trio(Exec const& exec, char const* label, int cols, bool with_a = true) const {
    Trio trio;
    trio.cols = cols;
    trio.ld = padded(cols);
    trio.s = new_array<T, Device>(exec, label, rows_ * trio.ld);
    if (with_a) trio.as = new_array<T, Device>(exec, label, rows_ * trio.ld);
    if (with_b()) trio.bs = new_array<T, Device>(exec, label, rows_ * trio.ld);
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

  void multiply_a(Exec const& exec, Trio const& trio) {
    if (trio.cols == 0) return;
    parts_.a->multiply(exec, trio.s.data(), trio.as.data(), ld_, trio.cols);
    products_ += trio.cols;
  }
  void multiply_b(Exec const& exec, Trio const& trio) {
    if (with_b() && trio.cols > 0) parts_.b->multiply(exec, trio.s.data(), trio.bs.data(), trio.ld, trio.cols);
  }
  /// R = M^-1 R by the caller's preconditioner.
  void precondition(Exec const& exec) {
    if (!with_m() || r.cols == 0) return;
    parts_.m->multiply(exec, r.s.data(), r.as.data(), ld_, r.cols);
    std::swap(r.s, r.as);
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

  /// Makes W B-orthonormal, and B-orthogonal to each of `apart`, which are B-orthonormal; B W is made.
  /// Columns that vanish become random ones where `fill`, else they go.
  /// \return whether all numbers were finite, and B positive along W
  bool orthonormalise(Exec const& exec, Trio& w, std::vector<Trio const*> const& apart, bool fill, std::uint64_t seed) {
    constexpr int most_rounds = 6;
    constexpr double cutoff = 1e-13;
    double const enough = 1e-2 * std::sqrt(static_cast<double>(std::numeric_limits<T>::epsilon()));
    multiply_b(exec, w);
    for (int round = 0; round < most_rounds; ++round) {
      if (w.cols == 0) return true;
      for (auto const* q : apart) remove(exec, *q, w, true);
      SmallMatrix const m = cross(exec, read(w.s, w.cols, w.ld), read(b_of(w), w.cols, w.ld));
      if (!all_finite(m)) return false;
      for (int j = 0; j < m.rows; ++j)
        if (m(j, j) < 0) return false;
      Orthonormaliser const o = orthonormaliser(m, cutoff);
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
    return true;
  }

  /// The largest ||A w|| / ||w|| of steps of the power method on a random block; NaN where there is one. Uses R.
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
      SmallMatrix const after = cross(exec, read(product, block_), read(product, block_));
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
  Doubles workspace_;
  Doubles grams_;
  Doubles coefficients_;
  Doubles squares_;
};

}  // namespace araia::detail
