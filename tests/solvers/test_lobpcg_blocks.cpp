// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LOBPCG's block kernels, portable and of the host's instruction sets: every entry against sums in long double within a
// bound on rounding, odd widths and few rows, NaN beside the columns, results in place, the same bits in every run.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "src/solvers/lobpcg_blocks.hpp"
#include "support/device.hpp"

namespace araia::test {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Device = Exec::device_type;
using detail::LobpcgBasis;
using detail::LobpcgCross;
using detail::LobpcgGram;
using detail::LobpcgSubtract;
using detail::LobpcgUpdate;
using Real = long double;
constexpr double double_epsilon = std::numeric_limits<double>::epsilon();

/// A block in exec's memory: NaN behind its columns.
template <class T>
struct TestBlock {
  int cols = 0;
  std::int64_t rows = 0;
  std::int64_t ld = 4;
  std::vector<T> host{};
  Kokkos::View<T*, Device> device{};

  TestBlock() = default;
  TestBlock(std::int64_t n, int columns, unsigned seed) : cols(columns), rows(n), ld((columns + 3) / 4 * 4 + 4) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    host.assign(static_cast<std::size_t>(n * ld), std::numeric_limits<T>::quiet_NaN());
    for (std::int64_t i = 0; i < n; ++i)
      for (int j = 0; j < columns; ++j) host[static_cast<std::size_t>(i * ld + j)] = static_cast<T>(uniform(random));
    device = Kokkos::View<T*, Device>("block", host.size());
    send();
  }
  void send() { detail::copy_bytes<Device, Kokkos::HostSpace>(device.data(), host.data(), host.size() * sizeof(T)); }
  /// The same entries in an array of its own.
  [[nodiscard]] TestBlock copied() const {
    TestBlock copy = *this;
    copy.device = Kokkos::View<T*, Device>("block", host.size());
    copy.send();
    return copy;
  }
  [[nodiscard]] std::vector<T> got() const { return download<T>(device); }
  [[nodiscard]] Real at(std::int64_t i, int j) const { return host[static_cast<std::size_t>(i * ld + j)]; }
  [[nodiscard]] detail::Block<T> block() const { return {device.data(), ld, cols}; }
  [[nodiscard]] detail::Block<T const> read() const { return {device.data(), ld, cols}; }
};

template <class T>
struct Kernels {
  std::string name;
  std::function<std::int64_t(std::int64_t, int)> bytes;
  std::function<void(LobpcgGram<T> const&, double*)> gram;
  std::function<void(LobpcgUpdate<T> const&, double*)> update;
  std::function<void(LobpcgCross<T> const&, double*)> cross;
  std::function<void(LobpcgSubtract<T> const&, double*)> subtract;
};

template <class T>
std::vector<Kernels<T>> every_kernel() {
  std::vector<Kernels<T>> all;
  all.push_back({"portable",
                 [](auto rows, int columns) { return detail::lobpcg_portable_workspace_bytes(rows, columns); },
                 [](auto const& of, double* w) { detail::lobpcg_gram_portable(Exec(), of, w); },
                 [](auto const& of, double* w) { detail::lobpcg_update_portable(Exec(), of, w); },
                 [](auto const& of, double* w) { detail::lobpcg_cross_portable(Exec(), of, w); },
                 [](auto const& of, double* w) { detail::lobpcg_subtract_portable(Exec(), of, w); }});
  using Blocks = detail::LobpcgBlocksOf<Exec, T>;
  all.push_back({"of the space",
                 [](auto rows, int columns) { return Blocks::workspace_bytes(Exec(), rows, columns, true); },
                 [](auto const& of, double* w) { Blocks::gram(Exec(), of, w); },
                 [](auto const& of, double* w) { Blocks::update(Exec(), of, w); },
                 [](auto const& of, double* w) { Blocks::cross(Exec(), of, w); },
                 [](auto const& of, double* w) { Blocks::subtract(Exec(), of, w); }});
  if (detail::host_reaches<Device>)
    for (auto const isa : host::supported_isas())
      for (int const threads : {1, 3})
        all.push_back({std::string(host::to_string(isa)) + ", threads: " + std::to_string(threads),
                       [](auto rows, int columns) { return host::lobpcg_workspace_bytes(rows, columns); },
                       [=](auto const& of, double* w) { host::lobpcg_gram(of, w, threads, isa); },
                       [=](auto const& of, double* w) { host::lobpcg_update(of, w, threads, isa); },
                       [=](auto const& of, double* w) { host::lobpcg_cross(of, w, threads, isa); },
                       [=](auto const& of, double* w) { host::lobpcg_subtract(of, w, threads, isa); }});
  return all;
}

using Doubles = Kokkos::View<double*, Device>;

Doubles doubles(std::vector<double> const& from) { return upload<double, Device>("doubles", from); }
Doubles room(std::int64_t bytes) { return Doubles("room", static_cast<std::size_t>((bytes + 7) / 8)); }

std::vector<double> random_doubles(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(count);
  for (auto& value : values) value = uniform(random);
  return values;
}

/// A value, and how far rounding may put a result from it.
struct Near {
  Real value;
  Real bound;
};

/// \param what, at  name the place of a failure
void expect_near(double got, Near const& expected, char const* what, std::int64_t at) {
  if (std::abs(static_cast<Real>(got) - expected.value) <= expected.bound) return;
  ADD_FAILURE() << what << ' ' << at << ": " << got << ", expected " << expected.value << " within " << expected.bound;
}

struct Shape {
  std::int64_t rows;
  int x, r, p;
};
std::vector<Shape> const shapes{{0, 3, 2, 1},     {1, 1, 1, 1},       {7, 2, 3, 5},      {50, 8, 8, 8},  {129, 5, 0, 0},
                                {1000, 13, 9, 7}, {1201, 20, 20, 17}, {100, 64, 64, 64}, {2100, 1, 1, 0}};

/// [X R P] with A and B of it.
template <class T>
struct TestBasis {
  TestBlock<T> s[3], as[3], bs[3];
  int blocks = 1;
  int m = 0;
  bool mass;
  std::int64_t rows;

  TestBasis(Shape const& shape, bool with_b) : mass(with_b), rows(shape.rows) {
    int const cols[3] = {shape.x, shape.r, shape.p};
    for (int b = 0; b < 3; ++b) {
      if (cols[b] == 0) break;
      blocks = b + 1;
      m += cols[b];
      auto const seed = static_cast<unsigned>(10 * b);
      s[b] = TestBlock<T>(rows, cols[b], seed + 1);
      as[b] = TestBlock<T>(rows, cols[b], seed + 2);
      if (with_b) bs[b] = TestBlock<T>(rows, cols[b], seed + 3);
    }
  }
  [[nodiscard]] TestBasis copied() const {
    TestBasis copy = *this;
    for (int b = 0; b < blocks; ++b) {
      copy.s[b] = s[b].copied();
      copy.as[b] = as[b].copied();
      if (mass) copy.bs[b] = bs[b].copied();
    }
    return copy;
  }
  [[nodiscard]] LobpcgBasis<T> basis() const {
    LobpcgBasis<T> of;
    of.rows = rows;
    of.blocks = blocks;
    for (int b = 0; b < blocks; ++b) {
      of.s[b] = s[b].read();
      of.as[b] = as[b].read();
      if (mass) of.bs[b] = bs[b].read();
    }
    return of;
  }
  static Real entry(TestBlock<T> const (&of)[3], std::int64_t i, int j) {
    int b = 0;
    while (j >= of[b].cols) j -= of[b++].cols;
    return of[b].at(i, j);
  }
  [[nodiscard]] Real s_at(std::int64_t i, int j) const { return entry(s, i, j); }
  [[nodiscard]] Real as_at(std::int64_t i, int j) const { return entry(as, i, j); }
  [[nodiscard]] Real bs_at(std::int64_t i, int j) const { return mass ? entry(bs, i, j) : entry(s, i, j); }
  [[nodiscard]] bool in_r(int j) const { return j >= s[0].cols && j < s[0].cols + s[1].cols; }
};

template <class T>
class LobpcgBlocks : public ::testing::Test {};
#ifdef ARAIA_TYPES_MINIMAL
using Types = ::testing::Types<double>;
#else
using Types = ::testing::Types<double, float>;
#endif
TYPED_TEST_SUITE(LobpcgBlocks, Types);

TYPED_TEST(LobpcgBlocks, GramHoldsEverySumOnceOrItsMirrorImage) {
  using T = TypeParam;
  for (auto const& shape : shapes)
    for (bool const mass : {false, true}) {
      TestBasis<T> const basis(shape, mass);
      int const m = basis.m;
      // s_i'(A s_j) and s_i'(B s_j) for all i, j. A and B of random blocks are not symmetric: both sums are right.
      std::vector<Real> expected_g(static_cast<std::size_t>(m * m), 0);
      std::vector<Real> expected_h(static_cast<std::size_t>(m * m), 0);
      for (std::int64_t row = 0; row < shape.rows; ++row)
        for (int i = 0; i < m; ++i) {
          Real const left = basis.s_at(row, i);
          Real* const g = &expected_g[static_cast<std::size_t>(i * m)];
          Real* const h = &expected_h[static_cast<std::size_t>(i * m)];
          for (int j = 0; j < m; ++j) {
            g[j] += left * basis.as_at(row, j);
            h[j] += left * basis.bs_at(row, j);
          }
        }
      auto const size = static_cast<Real>(shape.rows);
      Real const bound = (size + 2) * double_epsilon * size;
      for (bool const only_r : {false, true}) {
        if (only_r && basis.blocks < 2) continue;
        for (auto const& kernel : every_kernel<T>()) {
          SCOPED_TRACE(kernel.name + ", rows " + std::to_string(shape.rows) + ", m " + std::to_string(m) +
                       (mass ? ", B" : "") + (only_r ? ", only R" : ""));
          auto const w = room(kernel.bytes(shape.rows, std::max({shape.x, shape.r, shape.p})));
          Doubles const g("g", static_cast<std::size_t>(m * m));
          Doubles const h("h", static_cast<std::size_t>(m * m));
          LobpcgGram<T> of;
          of.basis = basis.basis();
          of.g = g.data();
          of.h = h.data();
          of.only_r = only_r;
          kernel.gram(of, w.data());
          Kokkos::fence();
          auto const got_g = download<double>(g);
          auto const got_h = download<double>(h);
          kernel.gram(of, w.data());
          Kokkos::fence();
          EXPECT_EQ(download<double>(g), got_g);
          EXPECT_EQ(download<double>(h), got_h);
          for (int i = 0; i < m; ++i)
            for (int j = i; j < m; ++j) {
              if (only_r && !basis.in_r(i) && !basis.in_r(j)) continue;
              auto const at = static_cast<std::size_t>(i * m + j);
              auto const mirror = static_cast<std::size_t>(j * m + i);
              auto const check = [&](std::vector<double> const& got, std::vector<Real> const& expected) {
                EXPECT_EQ(got[at], got[mirror]);
                bool const right = std::abs(static_cast<Real>(got[at]) - expected[at]) <= bound ||
                                   std::abs(static_cast<Real>(got[at]) - expected[mirror]) <= bound;
                EXPECT_TRUE(right) << i << ", " << j << ": " << got[at] << ", expected " << expected[at];
              };
              check(got_g, expected_g);
              check(got_h, expected_h);
            }
        }
      }
    }
}

/// What an update must give, from the definition in long double: rows of X, A X, B X of kx columns, of P, A P, B P of
/// kp columns, of the active residuals, and the squares of R, A X and X.
struct ExpectedUpdate {
  std::vector<Near> x, ax, bx, p, ap, bp, r;
  std::vector<Near> squares;
};

/// \param inverse  (rows), by which residuals are scaled; empty: they are not
template <class T>
ExpectedUpdate expected_update(TestBasis<T> const& basis, std::vector<double> const& c, std::vector<double> const& d,
                               std::vector<double> const& theta, std::vector<std::int32_t> const& active,
                               std::vector<double> const& inverse) {
  Real const rounding = std::numeric_limits<T>::epsilon();
  int const m = basis.m;
  auto const kx = static_cast<int>(theta.size());
  int const kp = static_cast<int>(d.size()) / m;
  Real const each = (m + 4) * double_epsilon;
  ExpectedUpdate expected;
  std::vector<Real> sums(static_cast<std::size_t>(3 * kx), 0);
  std::vector<Real> bounds(static_cast<std::size_t>(3 * kx), 0);
  std::vector<Real> s(static_cast<std::size_t>(m)), as(s), bs(s);  // a row of the basis
  auto const combine = [&](std::vector<Real> const& row, std::vector<double> const& by, int width, int j, Real& size) {
    Real sum = 0;
    size = 0;
    for (int l = 0; l < m; ++l) {
      Real const term =
          row[static_cast<std::size_t>(l)] * static_cast<Real>(by[static_cast<std::size_t>(l * width + j)]);
      sum += term;
      size += std::abs(term);
    }
    return sum;
  };
  auto const stored = [&](Real value, Real size) { return Near{value, each * size + rounding * std::abs(value)}; };
  for (std::int64_t i = 0; i < basis.rows; ++i) {
    for (int l = 0; l < m; ++l) {
      auto const at = static_cast<std::size_t>(l);
      s[at] = basis.s_at(i, l);
      as[at] = basis.as_at(i, l);
      bs[at] = basis.bs_at(i, l);
    }
    for (int j = 0; j < kp; ++j) {
      Real size = 0;
      Real value = combine(s, d, kp, j, size);
      expected.p.push_back(stored(value, size));
      value = combine(as, d, kp, j, size);
      expected.ap.push_back(stored(value, size));
      value = combine(bs, d, kp, j, size);
      expected.bp.push_back(stored(value, size));
    }
    std::vector<Near> residuals;
    for (int j = 0; j < kx; ++j) {
      Real size_x = 0;
      Real size_a = 0;
      Real size_b = 0;
      Real const x = combine(s, c, kx, j, size_x);
      Real const a = combine(as, c, kx, j, size_a);
      Real const b = combine(bs, c, kx, j, size_b);
      expected.x.push_back(stored(x, size_x));
      expected.ax.push_back(stored(a, size_a));
      expected.bx.push_back(stored(b, size_b));
      Real const t = theta[static_cast<std::size_t>(j)];
      Real const residual = a - t * b;
      Real const size_r = size_a + std::abs(t) * size_b;
      Real const values[] = {residual, a, x};
      Real const sizes[] = {size_r, size_a, size_x};
      for (int q = 0; q < 3; ++q) {
        auto const at = static_cast<std::size_t>(q * kx + j);
        sums[at] += values[q] * values[q];
        // Of the value's own rounding, where a kernel squares what it stores, too.
        Real const error = each * sizes[q] + rounding * std::abs(values[q]);
        bounds[at] += 2 * std::abs(values[q]) * error + error * error;
      }
      Real const factor = inverse.empty() ? 1 : static_cast<Real>(static_cast<T>(inverse[static_cast<std::size_t>(i)]));
      residuals.push_back({factor * residual, std::abs(factor) * ((m + 6) * double_epsilon * size_r +
                                                                  3 * rounding * (std::abs(a) + std::abs(t * b)))});
    }
    for (auto const j : active) expected.r.push_back(residuals[static_cast<std::size_t>(j)]);
  }
  for (std::size_t q = 0; q < sums.size(); ++q)
    expected.squares.push_back(
        {sums[q], bounds[q] + static_cast<Real>(basis.rows + 2) * double_epsilon * sums[q] +
                      (q < static_cast<std::size_t>(kx) ? 4 * rounding * static_cast<Real>(basis.rows) * m * m : 0)});
  return expected;
}

/// Rows of a block, as they came back, against those expected.
template <class T>
void expect_block(TestBlock<T> const& block, int columns, std::vector<Near> const& expected, char const* what) {
  auto const got = block.got();
  for (std::int64_t i = 0; i < block.rows; ++i)
    for (int j = 0; j < columns; ++j)
      expect_near(static_cast<double>(got[static_cast<std::size_t>(i * block.ld + j)]),
                  expected[static_cast<std::size_t>(i * columns + j)], what, i);
}

TYPED_TEST(LobpcgBlocks, UpdateFormsBlocksResidualsAndNorms) {
  using T = TypeParam;
  for (auto const& shape : shapes)
    for (bool const mass : {false, true}) {
      TestBasis<T> const initial(shape, mass);
      int const m = initial.m;
      int const kx = shape.x;
      int const kp = initial.blocks == 3 ? shape.p : std::min(shape.r, 2);
      auto const c = random_doubles(static_cast<std::size_t>(m * kx), 5);
      auto const d = random_doubles(static_cast<std::size_t>(m * kp), 6);
      auto const theta = random_doubles(static_cast<std::size_t>(kx), 7);
      std::vector<std::int32_t> active;
      for (int j = 0; j < kx; j += 2) active.push_back(j);
      if (initial.blocks > 1 && static_cast<int>(active.size()) > shape.r)
        active.resize(static_cast<std::size_t>(shape.r));
      auto const inverse = random_doubles(static_cast<std::size_t>(shape.rows), 9);
      bool const scaled = shape.rows % 2 == 1;
      auto const expected = expected_update(initial, c, d, theta, active, scaled ? inverse : std::vector<double>());
      auto const inverse_device = upload<T, Device>("inverse", inverse);
      auto const c_device = doubles(c);
      auto const d_device = doubles(d);
      auto const theta_device = doubles(theta);
      auto const active_device = upload<std::int32_t, Device>("active", active);
      TestBlock<T> const initial_r(shape.rows, static_cast<int>(active.size()), 50);
      TestBlock<T> const initial_p(shape.rows, kp, 51);
      for (auto const& kernel : every_kernel<T>()) {
        SCOPED_TRACE(kernel.name + ", rows " + std::to_string(shape.rows) + ", m " + std::to_string(m) +
                     (mass ? ", B" : ""));
        TestBasis<T> basis = initial.copied();  // as results are in place
        TestBlock<T> own_r = initial_r.copied();
        TestBlock<T> own_p[3];
        for (auto& block : own_p) block = initial_p.copied();
        bool const in_place = basis.blocks == 3;
        Doubles const squares("squares", static_cast<std::size_t>(3 * kx));
        auto const w = room(kernel.bytes(shape.rows, std::max({shape.x, shape.r, shape.p})));
        LobpcgUpdate<T> of;
        of.basis = basis.basis();
        of.c = c_device.data();
        of.d = d_device.data();
        of.theta = theta_device.data();
        of.kx = kx;
        of.kp = kp;
        of.x = basis.s[0].block();
        of.ax = basis.as[0].block();
        TestBlock<T>* const p_s = in_place ? &basis.s[2] : &own_p[0];
        TestBlock<T>* const p_as = in_place ? &basis.as[2] : &own_p[1];
        TestBlock<T>* const p_bs = in_place ? &basis.bs[2] : &own_p[2];
        TestBlock<T>* const to_r = in_place ? &basis.s[1] : &own_r;
        of.p = p_s->block();
        of.ap = p_as->block();
        if (mass) {
          of.bx = basis.bs[0].block();
          of.bp = p_bs->block();
        }
        of.r = to_r->block();
        of.r.cols = static_cast<int>(active.size());
        of.active = active_device.data();
        of.active_count = of.r.cols;
        of.inverse_diagonal = scaled ? inverse_device.data() : nullptr;
        of.r_squares = squares.data();
        of.ax_squares = squares.data() + kx;
        of.x_squares = squares.data() + 2 * kx;
        kernel.update(of, w.data());
        Kokkos::fence();

        expect_block(basis.s[0], kx, expected.x, "X, row");
        expect_block(basis.as[0], kx, expected.ax, "A X, row");
        if (mass) expect_block(basis.bs[0], kx, expected.bx, "B X, row");
        expect_block(*p_s, kp, expected.p, "P, row");
        expect_block(*p_as, kp, expected.ap, "A P, row");
        if (mass) expect_block(*p_bs, kp, expected.bp, "B P, row");
        expect_block(*to_r, of.r.cols, expected.r, "residual, row");
        auto const got_squares = download<double>(squares);
        for (std::size_t q = 0; q < expected.squares.size(); ++q)
          expect_near(got_squares[q], expected.squares[q], "square", static_cast<std::int64_t>(q));
      }
    }
}

TYPED_TEST(LobpcgBlocks, CrossAndSubtract) {
  using T = TypeParam;
  Real const rounding = std::numeric_limits<T>::epsilon();
  for (auto const& shape : shapes) {
    int const k = shape.x;
    int const l = std::max(shape.r, 1);
    for (auto const& kernel : every_kernel<T>()) {
      SCOPED_TRACE(kernel.name + ", rows " + std::to_string(shape.rows));
      TestBlock<T> const x(shape.rows, k, 1);
      TestBlock<T> const before(shape.rows, l, 2);
      TestBlock<T> w(shape.rows, l, 2);
      auto const space = room(kernel.bytes(shape.rows, std::max(k, l)));
      Doubles const c("c", static_cast<std::size_t>(k * l));
      Doubles const ww("ww", static_cast<std::size_t>(l * l));
      LobpcgCross<T> of;
      of.rows = shape.rows;
      of.x = x.read();
      of.w = w.read();
      of.c = c.data();
      of.ww = ww.data();
      kernel.cross(of, space.data());
      Kokkos::fence();
      auto const got = download<double>(c);
      auto const expect_squares = [&](std::vector<T> const& of_w, std::vector<double> const& squares) {
        for (int i = 0; i < l; ++i)
          for (int j = 0; j < l; ++j) {
            Real sum = 0;
            Real size = 0;
            for (std::int64_t row = 0; row < shape.rows; ++row) {
              Real const term = static_cast<Real>(of_w[static_cast<std::size_t>(row * w.ld + i)]) *
                                static_cast<Real>(of_w[static_cast<std::size_t>(row * w.ld + j)]);
              sum += term;
              size += std::abs(term);
            }
            expect_near(squares[static_cast<std::size_t>(i * l + j)],
                        {sum, static_cast<Real>(shape.rows + 2) * double_epsilon * size}, "W'W, row", i);
          }
      };
      for (int i = 0; i < k; ++i)
        for (int j = 0; j < l; ++j) {
          Real sum = 0;
          for (std::int64_t row = 0; row < shape.rows; ++row) sum += x.at(row, i) * w.at(row, j);
          auto const n = static_cast<Real>(shape.rows);
          expect_near(got[static_cast<std::size_t>(i * l + j)], {sum, (n + 2) * double_epsilon * n}, "X'W, row", i);
        }
      expect_squares(w.host, download<double>(ww));

      auto const coefficients = random_doubles(static_cast<std::size_t>(k * l), 8);
      auto const by = doubles(coefficients);
      LobpcgSubtract<T> minus;
      minus.rows = shape.rows;
      minus.x = x.read();
      minus.c = by.data();
      minus.w = w.block();
      minus.ww = ww.data();
      kernel.subtract(minus, space.data());
      Kokkos::fence();
      auto const after = w.got();
      for (std::int64_t row = 0; row < shape.rows; ++row)
        for (int j = 0; j < l; ++j) {
          Real value = before.at(row, j);
          Real size = std::abs(value);
          for (int i = 0; i < k; ++i) {
            Real const term = x.at(row, i) * static_cast<Real>(coefficients[static_cast<std::size_t>(i * l + j)]);
            value -= term;
            size += std::abs(term);
          }
          expect_near(static_cast<double>(after[static_cast<std::size_t>(row * w.ld + j)]),
                      {value, (k + 3) * double_epsilon * size + rounding * std::abs(value)}, "W, row", row);
        }
      expect_squares(after, download<double>(ww));
    }
  }
}

}  // namespace
}  // namespace araia::test
