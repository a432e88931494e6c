// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LOBPCG's block kernels on CUDA against sums in extended precision: inner products, updates, what they leave alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <araia/error.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include "src/kernel/lobpcg_blocks.hpp"

#include "backends/cuda/check.hpp"
#include "backends/cuda/device_array.hpp"
#include "backends/cuda/lobpcg/blocks_gram/kernel.hpp"
#include "backends/cuda/lobpcg/blocks_update/kernel.hpp"
#include "support/errors.hpp"

namespace {

using namespace araia;
using namespace araia::detail;
namespace lobpcg = araia::cuda::lobpcg;
using test::DeviceArray;

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// gamma(terms) of double precision.
long double gamma(std::int64_t terms) {
  constexpr long double unit = std::numeric_limits<double>::epsilon() / 2;
  long double const e = static_cast<long double>(terms) * unit;
  return e / (1 - e);
}

/// A block on hosts and on the device; NaN behind the columns of a row.
template <class T>
class Vectors {
 public:
  Vectors() = default;
  Vectors(std::int64_t rows, int cols, int seed, int pad = 0)
      : rows_(rows), cols_(cols), ld_((cols + 3) / 4 * 4 + pad), host_(at(rows * ld_), static_cast<T>(nan)) {
    std::mt19937 random(static_cast<unsigned>(seed));
    std::uniform_real_distribution<T> values(-1, 1);
    for (std::int64_t i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) host_[at(i * ld_ + j)] = values(random);
    device_ = DeviceArray<T>(host_);
  }
  [[nodiscard]] long double operator()(std::int64_t i, int j) const {
    return static_cast<long double>(host_[at(i * ld_ + j)]);
  }
  [[nodiscard]] int cols() const { return cols_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] Block<T const> in() const { return {device_.data(), ld_, cols_}; }
  [[nodiscard]] Block<T> out() const { return {device_.data(), ld_, cols_}; }
  [[nodiscard]] std::vector<T> download() const { return device_.download(); }
  [[nodiscard]] std::vector<T> const& host() const { return host_; }
  /// As on the device.
  [[nodiscard]] Vectors fetched() const {
    Vectors copy = *this;
    copy.host_ = device_.download();
    return copy;
  }
  /// Nothing but columns was written.
  void expect_padding(std::string const& name) const {
    EXPECT_EQ(device_.disturbed_bytes(), 0) << name;
    std::vector<T> const now = device_.download();
    for (std::int64_t i = 0; i < rows_; ++i)
      for (std::int64_t j = cols_; j < ld_; ++j) ASSERT_TRUE(std::isnan(now[at(i * ld_ + j)])) << name << " row " << i;
  }

 private:
  std::int64_t rows_ = 0;
  int cols_ = 0;
  std::int64_t ld_ = 0;
  std::vector<T> host_;
  DeviceArray<T> device_;
};

struct Workspace {
  explicit Workspace(std::size_t bytes) : memory(std::vector<double>((bytes + 7) / 8, nan)) {}
  DeviceArray<double> memory;
  [[nodiscard]] void* data() const { return memory.data(); }
};

void synchronize() { cuda::check(cudaDeviceSynchronize(), "lobpcg"); }

struct Shape {
  std::int64_t rows;
  std::vector<int> widths;
  bool with_b;
};

std::string name_of(Shape const& shape) {
  std::string name = std::to_string(shape.rows) + " rows, widths";
  for (int const w : shape.widths) name += " " + std::to_string(w);
  return name + (shape.with_b ? ", B" : "");
}

std::vector<std::vector<int>> const all_widths{{1},          {8},          {64},         {3, 2},       {1, 1, 1},
                                               {2, 0, 5},    {5, 7, 4},    {8, 8, 8},    {10, 10, 10}, {16, 16, 16},
                                               {17, 13, 9},  {20, 19, 18}, {24, 24, 24}, {32, 32, 32}, {33, 40, 21},
                                               {40, 40, 40}, {43, 43, 42}, {64, 1, 63},  {50, 51, 52}, {64, 64, 64}};

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  for (auto const& widths : all_widths)
    for (std::int64_t const rows : {0, 1, 7, 1000})
      for (bool const b : {false, true}) all.push_back({rows, widths, b});
  return all;
}

constexpr std::int64_t many_rows = 100003;  // several chunks for every block

std::vector<Shape> long_shapes() { return {{many_rows, {16, 16, 16}, false}, {many_rows, {7, 6, 5}, true}}; }

template <class T>
struct Basis {
  explicit Basis(Shape const& shape, int seed = 1) : rows(shape.rows) {
    for (std::size_t k = 0; k < shape.widths.size(); ++k) {
      int const n = static_cast<int>(k);
      s.emplace_back(rows, shape.widths[k], seed + 3 * n, 4 * n);
      as.emplace_back(rows, shape.widths[k], seed + 3 * n + 1, 4 * (n % 2));
      if (shape.with_b) bs.emplace_back(rows, shape.widths[k], seed + 3 * n + 2);
      for (int j = 0; j < shape.widths[k]; ++j) block_of.push_back({k, j});
    }
  }
  [[nodiscard]] LobpcgBasis<T> get() const {
    LobpcgBasis<T> basis;
    basis.rows = rows;
    basis.blocks = static_cast<int>(s.size());
    for (std::size_t k = 0; k < s.size(); ++k) {
      basis.s[k] = s[k].in();
      basis.as[k] = as[k].in();
      if (!bs.empty()) basis.bs[k] = bs[k].in();
    }
    return basis;
  }
  /// Which: 0 S, 1 A S, 2 B S.
  [[nodiscard]] long double value(int which, std::int64_t row, int col) const {
    auto const [block, j] = block_of[at(col)];
    auto const& blocks = which == 1 ? as : which == 2 && !bs.empty() ? bs : s;
    return blocks[block](row, j);
  }
  [[nodiscard]] int m() const { return static_cast<int>(block_of.size()); }

  std::int64_t rows;
  std::vector<Vectors<T>> s, as, bs;
  std::vector<std::pair<std::size_t, int>> block_of;
};

struct Reference {
  std::vector<long double> value, size;  // sums, and of absolute values
};

/// V'W, entries (i, j) of (m x m).
template <class V, class W>
Reference products(std::int64_t rows, int v_cols, int w_cols, V const& v, W const& w) {
  Reference r{std::vector<long double>(at(v_cols) * at(w_cols)), std::vector<long double>(at(v_cols) * at(w_cols))};
  std::vector<long double> left(at(v_cols)), right(at(w_cols));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (int i = 0; i < v_cols; ++i) left[at(i)] = v(row, i);
    for (int j = 0; j < w_cols; ++j) right[at(j)] = w(row, j);
    for (int i = 0; i < v_cols; ++i)
      for (int j = 0; j < w_cols; ++j) {
        long double const p = left[at(i)] * right[at(j)];
        r.value[at(i * w_cols + j)] += p;
        r.size[at(i * w_cols + j)] += std::fabs(p);
      }
  }
  return r;
}

/// A symmetric matrix of which the upper triangle is v_i'w_j; v_j'w_i is as good where `either`. Entries for which
/// `asked` is false are NaN still.
template <class Asked>
void expect_gram(std::vector<double> const& got, Reference const& ref, int m, std::int64_t rows, bool either,
                 Asked const& asked, std::string const& name) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      double const v = got[at(i * m + j)];
      if (!asked(i, j)) {
        ASSERT_TRUE(std::isnan(v)) << name << " (" << i << ", " << j << ") was written";
        continue;
      }
      auto const fits = [&](int k) {
        return std::fabs(static_cast<long double>(v) - ref.value[at(k)]) <= gamma(rows) * ref.size[at(k)];
      };
      ASSERT_TRUE(fits(i * m + j) || (either && fits(j * m + i)))
          << name << " (" << i << ", " << j << "): " << v << ", expected "
          << static_cast<double>(ref.value[at(i * m + j)]);
      double const mirror = got[at(j * m + i)];
      ASSERT_EQ(std::memcmp(&v, &mirror, sizeof v), 0) << name << " (" << i << ", " << j << ") is not symmetric";
    }
}

template <class T>
class LobpcgCuda : public test::OnCudaDevice {};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(LobpcgCuda, Scalars);

template <class T>
void expect_grams(std::vector<Shape> const& all) {
  for (Shape const& shape : all) {
    Basis<T> const basis(shape);
    int const m = basis.m();
    std::string const name = name_of(shape);
    auto const column = [&](int which) {
      return [&basis, which](std::int64_t row, int col) { return basis.value(which, row, col); };
    };
    Reference const g = products(shape.rows, m, m, column(0), column(1));
    Reference const h = products(shape.rows, m, m, column(0), column(2));
    DeviceArray<double> const blank(std::vector<double>(at(m) * at(m), nan));
    for (int const wanted : {3, 1, 2})
      for (bool const only_r : {false, true}) {
        if (only_r && shape.widths.size() < 2) continue;
        DeviceArray<double> const to_g(std::vector<double>(at(m) * at(m), nan));
        DeviceArray<double> const to_h(std::vector<double>(at(m) * at(m), nan));
        LobpcgGram<T> gram{basis.get(), wanted & 1 ? to_g.data() : nullptr, wanted & 2 ? to_h.data() : nullptr, only_r};
        if (wanted == 2)
          for (auto& block : gram.basis.as) block.data = nullptr;
        Workspace const workspace(lobpcg::workspace_bytes(gram));
        std::string const what = name + ", wanted " + std::to_string(wanted) + (only_r ? ", only R" : "");
        auto const asked = [&](int i, int j) {
          return !only_r || basis.block_of[at(i)].first == 1 || basis.block_of[at(j)].first == 1;
        };
        lobpcg::gram(gram, workspace.data(), nullptr);
        synchronize();
        auto const first_g = to_g.download();
        auto const first_h = to_h.download();
        if (wanted & 1) expect_gram(first_g, g, m, shape.rows, true, asked, what + ", G");
        if (wanted & 2) expect_gram(first_h, h, m, shape.rows, true, asked, what + ", H");
        EXPECT_EQ(to_g.disturbed_bytes() + to_h.disturbed_bytes() + workspace.memory.disturbed_bytes(), 0) << what;
        lobpcg::gram(gram, workspace.data(), nullptr);
        synchronize();
        EXPECT_EQ(std::memcmp(first_g.data(), to_g.download().data(), first_g.size() * sizeof(double)), 0) << what;
        EXPECT_EQ(std::memcmp(first_h.data(), to_h.download().data(), first_h.size() * sizeof(double)), 0) << what;
        if (testing::Test::HasFatalFailure()) return;
      }
  }
}

TYPED_TEST(LobpcgCuda, GramsAreInnerProducts) { expect_grams<TypeParam>(shapes()); }
TYPED_TEST(LobpcgCuda, GramsOfManyRows) { expect_grams<TypeParam>(long_shapes()); }

template <class T>
void expect_cross(std::vector<std::int64_t> const& all_rows, std::vector<std::pair<int, int>> const& widths) {
  for (auto const& [kx, kw] : widths)
    for (std::int64_t const rows : all_rows) {
      std::string const name = std::to_string(rows) + " rows, " + std::to_string(kx) + " and " + std::to_string(kw);
      Vectors<T> const x(rows, kx, 1, 4), w(rows, kw, 2);
      Reference const c = products(rows, kx, kw, x, w);
      Reference const ww = products(rows, kw, kw, w, w);
      for (bool const with_ww : {true, false}) {
        DeviceArray<double> const to_c(std::vector<double>(at(kx) * at(kw), nan));
        DeviceArray<double> const to_ww(std::vector<double>(at(kw) * at(kw), nan));
        LobpcgCross<T> const cross{rows, x.in(), w.in(), to_c.data(), with_ww ? to_ww.data() : nullptr};
        Workspace const workspace(lobpcg::workspace_bytes(cross));
        lobpcg::cross(cross, workspace.data(), nullptr);
        synchronize();
        auto const got = to_c.download();
        for (std::size_t k = 0; k < got.size(); ++k)
          ASSERT_LE(std::fabs(static_cast<long double>(got[k]) - c.value[k]), gamma(rows) * c.size[k])
              << name << " entry " << k;
        expect_gram(
            to_ww.download(), ww, kw, rows, false, [&](int, int) { return with_ww; }, name);
        if (testing::Test::HasFatalFailure()) return;
        EXPECT_EQ(to_c.disturbed_bytes() + to_ww.disturbed_bytes() + workspace.memory.disturbed_bytes(), 0) << name;
        lobpcg::cross(cross, workspace.data(), nullptr);
        synchronize();
        EXPECT_EQ(std::memcmp(got.data(), to_c.download().data(), got.size() * sizeof(double)), 0) << name;
      }
    }
}

TYPED_TEST(LobpcgCuda, CrossIsInnerProducts) {
  expect_cross<TypeParam>({0, 1, 7, 1000},
                          {{0, 3}, {1, 1}, {3, 5}, {8, 8}, {16, 16}, {7, 33}, {40, 24}, {64, 1}, {64, 47}, {64, 64}});
}
TYPED_TEST(LobpcgCuda, CrossOfManyRows) { expect_cross<TypeParam>({many_rows}, {{3, 5}, {16, 16}}); }

template <class T>
constexpr long double rounding() {
  return std::is_same_v<T, double> ? 0.0L : std::numeric_limits<T>::epsilon() / 2;
}

/// Small coefficients, row-major.
std::vector<double> coefficients(int rows, int cols, int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> values(-1, 1);
  std::vector<double> c(at(rows) * at(cols));
  for (double& v : c) v = values(random);
  return c;
}

/// A row of a basis by a small matrix: values and sums of absolute values.
template <class T>
void times(Basis<T> const& basis, int which, std::int64_t row, std::vector<double> const& c, int cols,
           std::vector<long double>& value, std::vector<long double>& size) {
  value.assign(at(cols), 0);
  size.assign(at(cols), 0);
  for (int k = 0; k < basis.m(); ++k) {
    long double const s = basis.value(which, row, k);
    for (int j = 0; j < cols; ++j) {
      long double const p = s * static_cast<long double>(c[at(k) * at(cols) + at(j)]);
      value[at(j)] += p;
      size[at(j)] += std::fabs(p);
    }
  }
}

struct UpdateCase {
  int kx, kp;
  std::vector<int> active;
  bool in_place;
  bool scaled;
};

std::string name_of(UpdateCase const& c) {
  return ", kx " + std::to_string(c.kx) + ", kp " + std::to_string(c.kp) + ", active " +
         std::to_string(c.active.size()) + (c.in_place ? ", in place" : "") + (c.scaled ? ", scaled" : "");
}

std::vector<int> every(int cols, int step) {
  std::vector<int> some;
  for (int j = step > 1 ? 1 : 0; j < cols; j += step) some.push_back(j);
  return some;
}

template <class T>
std::vector<std::vector<T>> expect_update(Shape const& shape, UpdateCase const& how) {
  std::string const name = name_of(shape) + name_of(how);
  Basis<T> const basis(shape, 11);
  Basis<T> const before = basis;  // on hosts
  int const m = basis.m();
  auto const c = coefficients(m, how.kx, 5);
  auto const d = coefficients(m, how.kp, 6);
  auto const theta = coefficients(1, how.kx, 7);
  std::vector<T> diagonal(at(shape.rows));
  for (std::size_t i = 0; i < diagonal.size(); ++i) diagonal[i] = static_cast<T>(0.25 + static_cast<double>(i % 13));
  DeviceArray<double> const to_c(c), to_d(d), to_theta(theta);
  DeviceArray<T> const to_diagonal(diagonal);
  DeviceArray<int> const active(how.active);
  auto const count = static_cast<int>(how.active.size());
  auto const block = [&](int k, int seed) { return Vectors<T>(shape.rows, k, seed, 4); };
  Vectors<T> const x = how.in_place ? basis.s[0] : block(how.kx, 100);
  Vectors<T> const ax = how.in_place ? basis.as[0] : block(how.kx, 101);
  Vectors<T> const bx = how.in_place && shape.with_b ? basis.bs[0] : block(how.kx, 102);
  Vectors<T> const r = how.in_place ? basis.s[1] : block(count, 103);
  Vectors<T> const p = how.in_place ? basis.s[2] : block(how.kp, 104);
  Vectors<T> const ap = how.in_place ? basis.as[2] : block(how.kp, 105);
  Vectors<T> const bp = how.in_place && shape.with_b ? basis.bs[2] : block(how.kp, 106);
  DeviceArray<double> const r_squares(std::vector<double>(at(how.kx), nan));
  DeviceArray<double> const ax_squares(std::vector<double>(at(how.kx), nan));
  DeviceArray<double> const x_squares(std::vector<double>(at(how.kx), nan));

  LobpcgUpdate<T> update;
  update.basis = basis.get();
  update.c = to_c.data();
  update.d = to_d.data();
  update.theta = to_theta.data();
  update.kx = how.kx;
  update.kp = how.kp;
  update.x = x.out();
  update.ax = ax.out();
  update.p = p.out();
  update.ap = ap.out();
  if (shape.with_b) {
    update.bx = bx.out();
    update.bp = bp.out();
  }
  update.r = r.out();
  update.active = active.data();
  update.active_count = count;
  update.inverse_diagonal = how.scaled ? to_diagonal.data() : nullptr;
  update.r_squares = r_squares.data();
  update.ax_squares = ax_squares.data();
  update.x_squares = x_squares.data();
  Workspace const workspace(lobpcg::workspace_bytes(update));
  lobpcg::update(update, workspace.data(), nullptr);
  synchronize();

  EXPECT_EQ(workspace.memory.disturbed_bytes(), 0) << name;
  EXPECT_EQ(r_squares.disturbed_bytes() + ax_squares.disturbed_bytes() + x_squares.disturbed_bytes(), 0) << name;
  Vectors<T> const outs[7] = {x.fetched(), ax.fetched(), bx.fetched(), r.fetched(),
                              p.fetched(), ap.fetched(), bp.fetched()};
  for (auto const& out : outs) out.expect_padding(name);
  std::vector<std::vector<T>> all;
  for (Vectors<T> const* out : {&x, &ax, &bx, &r, &p, &ap, &bp}) all.push_back(out->download());
  for (auto const* squares : {&r_squares, &ax_squares, &x_squares}) {
    auto const s = squares->download();
    std::vector<T> bits(s.size() * sizeof(double) / sizeof(T));
    if (!s.empty()) std::memcpy(bits.data(), s.data(), s.size() * sizeof(double));
    all.push_back(bits);
  }

  constexpr long double unit = rounding<T>();
  std::vector<long double> value[3], size[3], sum(at(3 * how.kx)), slack(at(3 * how.kx));
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    auto const expect_row = [&](Vectors<T> const& got, int which, char const* what) {
      for (int j = 0; j < got.cols(); ++j)
        ASSERT_LE(std::fabs(got(row, j) - value[which][at(j)]),
                  (gamma(m) * (1 + unit) + unit) * size[which][at(j)] + unit * std::fabs(value[which][at(j)]))
            << name << " " << what << " (" << row << ", " << j << ")";
    };
    for (int which = 0; which < 3; ++which) times(before, which, row, c, how.kx, value[which], size[which]);
    expect_row(outs[0], 0, "X");
    expect_row(outs[1], 1, "AX");
    if (shape.with_b) expect_row(outs[2], 2, "BX");
    for (int j = 0; j < how.kx; ++j) {
      long double const t = theta[at(j)];
      long double const exact[3] = {value[1][at(j)] - value[2][at(j)] * t, value[1][at(j)], value[0][at(j)]};
      long double const error[3] = {gamma(m + 2) * (size[1][at(j)] + size[2][at(j)] * std::fabs(t)),
                                    gamma(m) * size[1][at(j)], gamma(m) * size[0][at(j)]};
      for (int kind = 0; kind < 3; ++kind) {
        long double const most = std::fabs(exact[kind]) + error[kind];
        sum[at(kind * how.kx + j)] += exact[kind] * exact[kind];
        slack[at(kind * how.kx + j)] += most * most - exact[kind] * exact[kind] + gamma(shape.rows + 2) * most * most;
      }
    }
    auto const expect_residuals = [&] {
      for (int q = 0; q < count; ++q) {
        int const j = how.active[at(q)];
        long double const scale = how.scaled ? static_cast<long double>(diagonal[at(row)]) : 1.0L;
        long double const exact = (value[1][at(j)] - value[2][at(j)] * theta[at(j)]) * scale;
        long double const error = gamma(m + 3) * scale * (size[1][at(j)] + size[2][at(j)] * std::fabs(theta[at(j)]));
        ASSERT_LE(std::fabs(outs[3](row, q) - exact), error * (1 + unit) + unit * std::fabs(exact))
            << name << " R (" << row << ", " << q << ")";
      }
    };
    expect_residuals();
    for (int which = 0; which < 3; ++which) times(before, which, row, d, how.kp, value[which], size[which]);
    expect_row(outs[4], 0, "P");
    expect_row(outs[5], 1, "AP");
    if (shape.with_b) expect_row(outs[6], 2, "BP");
    if (testing::Test::HasFatalFailure()) return all;
  }
  std::vector<double> const squares[3] = {r_squares.download(), ax_squares.download(), x_squares.download()};
  for (int kind = 0; kind < 3; ++kind)
    for (int j = 0; j < how.kx; ++j)
      EXPECT_LE(std::fabs(static_cast<long double>(squares[kind][at(j)]) - sum[at(kind * how.kx + j)]),
                slack[at(kind * how.kx + j)])
          << name << " squares " << kind << " of column " << j;
  return all;
}

template <class T>
void expect_updates(std::vector<Shape> const& all) {
  for (Shape const& shape : all) {
    int const k = shape.widths[0];
    std::vector<UpdateCase> cases{{k, 0, every(k, 1), false, false},
                                  {(k + 1) / 2, k, every((k + 1) / 2, 2), false, true}};
    if (shape.widths.size() == 3) {
      int const kr = std::min(shape.widths[1], k);  // R is in place of the old R where it has as many columns
      if (kr == shape.widths[1]) {
        std::vector<int> active;
        for (int j = k - kr; j < k; ++j) active.push_back(j);
        cases.push_back({k, shape.widths[2], active, true, true});
      }
    }
    for (UpdateCase const& how : cases) {
      auto const first = expect_update<T>(shape, how);
      if (testing::Test::HasFailure()) return;
      if (shape.rows == 1000 && shape.widths.size() == 3) {
        auto const second = expect_update<T>(shape, how);
        for (std::size_t b = 0; b < first.size(); ++b)
          EXPECT_EQ(std::memcmp(first[b].data(), second[b].data(), first[b].size() * sizeof(T)), 0)
              << name_of(shape) << name_of(how) << " output " << b;
      }
    }
  }
}

TYPED_TEST(LobpcgCuda, UpdatesAreProducts) { expect_updates<TypeParam>(shapes()); }
TYPED_TEST(LobpcgCuda, UpdatesOfManyRows) { expect_updates<TypeParam>(long_shapes()); }

TYPED_TEST(LobpcgCuda, UpdatesOfSAloneNeedNoOtherBlocks) {
  using T = TypeParam;
  Basis<T> const basis({1000, {12, 5, 12}, true}, 3);
  auto const c = coefficients(basis.m(), 12, 5);
  DeviceArray<double> const to_c(c);
  for (bool const with_b : {false, true}) {
    Vectors<T> const x(1000, 12, 1), bx(1000, 12, 2);
    DeviceArray<double> const squares(std::vector<double>(12, nan));
    LobpcgUpdate<T> update;
    update.basis = basis.get();
    for (int k = 0; k < 3; ++k) {
      update.basis.as[k] = {};
      if (!with_b) update.basis.bs[k] = {};
    }
    update.c = to_c.data();
    update.kx = 12;
    update.x = x.out();
    if (with_b) update.bx = bx.out();
    update.x_squares = squares.data();
    Workspace const workspace(lobpcg::workspace_bytes(update));
    lobpcg::update(update, workspace.data(), nullptr);
    synchronize();
    Vectors<T> const got[2] = {x.fetched(), bx.fetched()};
    std::vector<long double> value, size, sum(12), slack(12);
    constexpr long double unit = rounding<T>();
    for (std::int64_t row = 0; row < 1000; ++row)
      for (int which = 0; which < (with_b ? 2 : 1); ++which) {
        times(basis, 2 * which, row, c, 12, value, size);
        for (int j = 0; j < 12; ++j) {
          ASSERT_LE(std::fabs(got[which](row, j) - value[at(j)]), (gamma(basis.m()) + unit) * (1 + unit) * size[at(j)])
              << row << ", " << j;
          if (which == 0) {
            long double const most = std::fabs(value[at(j)]) + gamma(basis.m()) * size[at(j)];
            sum[at(j)] += value[at(j)] * value[at(j)];
            slack[at(j)] += most * most - value[at(j)] * value[at(j)] + gamma(1002) * most * most;
          }
        }
      }
    auto const s = squares.download();
    for (int j = 0; j < 12; ++j) EXPECT_LE(std::fabs(static_cast<long double>(s[at(j)]) - sum[at(j)]), slack[at(j)]);
  }
}

template <class T>
void expect_subtract(std::vector<std::int64_t> const& all_rows, std::vector<std::pair<int, int>> const& widths) {
  for (auto const& [kx, kw] : widths)
    for (std::int64_t const rows : all_rows) {
      for (bool const with_ww : {true, false}) {
        std::string const name = std::to_string(rows) + " rows, " + std::to_string(kx) + " and " + std::to_string(kw);
        Vectors<T> const x(rows, kx, 1, 4), w(rows, kw, 2, 4);
        auto const c = coefficients(kx, kw, 9);
        DeviceArray<double> const to_c(c);
        DeviceArray<double> const to_ww(std::vector<double>(at(kw) * at(kw), nan));
        LobpcgSubtract<T> const subtract{rows, x.in(), to_c.data(), w.out(), with_ww ? to_ww.data() : nullptr};
        Workspace const workspace(lobpcg::workspace_bytes(subtract));
        lobpcg::subtract(subtract, workspace.data(), nullptr);
        synchronize();
        Vectors<T> const got = w.fetched();
        got.expect_padding(name);
        constexpr long double unit = rounding<T>();
        for (std::int64_t row = 0; row < rows; ++row)
          for (int j = 0; j < kw; ++j) {
            long double value = w(row, j);
            long double size = std::fabs(value);
            for (int k = 0; k < kx; ++k) {
              long double const product = x(row, k) * static_cast<long double>(c[at(k) * at(kw) + at(j)]);
              value -= product;
              size += std::fabs(product);
            }
            ASSERT_LE(std::fabs(got(row, j) - value), (gamma(kx) * (1 + unit) + unit) * size)
                << name << " (" << row << ", " << j << ")";
          }
        expect_gram(
            to_ww.download(), products(rows, kw, kw, got, got), kw, rows, false, [&](int, int) { return with_ww; },
            name + ", W'W");
        if (testing::Test::HasFatalFailure()) return;
        EXPECT_EQ(to_ww.disturbed_bytes() + workspace.memory.disturbed_bytes(), 0) << name;
      }
    }
}

TYPED_TEST(LobpcgCuda, SubtractsProducts) {
  expect_subtract<TypeParam>(
      {0, 1, 7, 1000},
      {{0, 3}, {1, 1}, {3, 5}, {8, 8}, {16, 16}, {7, 33}, {40, 24}, {64, 1}, {20, 40}, {64, 50}, {64, 64}});
}
TYPED_TEST(LobpcgCuda, SubtractsOfManyRows) { expect_subtract<TypeParam>({many_rows}, {{3, 5}, {16, 16}}); }

TYPED_TEST(LobpcgCuda, WorkIsCapturedInGraphs) {
  using T = TypeParam;
  constexpr int k = 9;
  constexpr int m = 3 * k;
  Basis<T> const basis({777, {k, k, k}, false}, 3);
  DeviceArray<double> const c(coefficients(m, k, 5));
  DeviceArray<double> const g(std::vector<double>(m * m, nan)), h(std::vector<double>(m * m, nan));
  DeviceArray<double> const xw(std::vector<double>(k * k, nan)), ww(std::vector<double>(k * k, nan));
  Vectors<T> const x(777, k, 50), w(777, k, 51);
  LobpcgUpdate<T> update;
  update.basis = basis.get();
  update.c = c.data();
  update.kx = k;
  update.x = x.out();
  LobpcgGram<T> const gram{basis.get(), g.data(), h.data(), false};
  LobpcgCross<T> const cross{777, basis.s[0].in(), basis.s[1].in(), xw.data(), nullptr};
  LobpcgSubtract<T> const subtract{777, basis.s[0].in(), c.data(), w.out(), ww.data()};
  Workspace const workspace(std::max({lobpcg::workspace_bytes(update), lobpcg::workspace_bytes(gram),
                                      lobpcg::workspace_bytes(cross), lobpcg::workspace_bytes(subtract)}));
  auto const work = [&](cudaStream_t stream) {
    lobpcg::gram(gram, workspace.data(), stream);
    lobpcg::cross(cross, workspace.data(), stream);
    lobpcg::update(update, workspace.data(), stream);
    lobpcg::subtract(subtract, workspace.data(), stream);
  };
  auto const results = [&] {
    synchronize();
    std::vector<double> all;
    for (auto const* matrix : {&g, &h, &xw, &ww}) {
      auto const values = matrix->download();
      all.insert(all.end(), values.begin(), values.end());
    }
    for (auto const* block : {&x, &w}) {
      auto const now = block->fetched();
      for (std::int64_t i = 0; i < now.rows(); ++i)
        for (int j = 0; j < k; ++j) all.push_back(static_cast<double>(now(i, j)));
    }
    return all;
  };
  auto const restore = [&] {  // W is changed in place
    std::vector<T> const before = w.host();
    cuda::check(cudaMemcpy(w.out().data, before.data(), before.size() * sizeof(T), cudaMemcpyHostToDevice), "restore");
  };
  cudaStream_t stream = nullptr;
  cuda::check(cudaStreamCreate(&stream), "cudaStreamCreate");
  work(stream);
  auto const expected = results();
  restore();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cuda::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  work(stream);
  cuda::check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  cuda::check(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
  for (int run = 0; run < 2; ++run) {
    cuda::check(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
    auto const got = results();
    ASSERT_EQ(got.size(), expected.size());
    EXPECT_EQ(std::memcmp(got.data(), expected.data(), got.size() * sizeof(double)), 0) << "run " << run;
    restore();
  }
  cuda::check(cudaGraphExecDestroy(exec), "cudaGraphExecDestroy");
  cuda::check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  cuda::check(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

TYPED_TEST(LobpcgCuda, RefusesWhatItCannotRead) {
  using T = TypeParam;
  Basis<T> const basis({100, {8, 8, 8}, false});
  DeviceArray<double> const to(std::vector<double>(24 * 24));
  Workspace const workspace(std::size_t{1} << 22);
  LobpcgGram<T> const good{basis.get(), to.data(), to.data(), false};
  std::string message;
  auto const refused = [&](auto const& change, ErrorKind kind, std::string const& text) {
    LobpcgGram<T> bad = good;
    change(bad);
    EXPECT_EQ(test::kind_of([&] { lobpcg::gram(bad, workspace.data(), nullptr); }, &message), kind) << text;
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  using Gram = LobpcgGram<T>;
  refused([](Gram& g) { g.basis.s[1].data += 1; }, ErrorKind::invalid_argument, "basis.s[1] is not aligned");
  refused([](Gram& g) { g.basis.as[2].ld = 9; }, ErrorKind::invalid_argument, "basis.as[2]");
  refused([](Gram& g) { g.basis.s[0].ld = 4; }, ErrorKind::invalid_argument, "basis.s[0]");
  refused([](Gram& g) { g.basis.s[0].cols = 65; }, ErrorKind::invalid_argument, "65 columns");
  refused([](Gram& g) { g.basis.s[0].data = nullptr; }, ErrorKind::invalid_argument, "basis.s[0] is null");
  refused([](Gram& g) { g.basis.as[1].cols = 7; }, ErrorKind::dimension_mismatch, "basis.as[1]");
  refused([](Gram& g) { g.basis.blocks = 4; }, ErrorKind::invalid_argument, "basis.blocks");
  refused([](Gram& g) { g.basis.rows = -1; }, ErrorKind::invalid_argument, "rows");
  EXPECT_EQ(test::kind_of([&] { lobpcg::gram(good, nullptr, nullptr); }), ErrorKind::invalid_argument);
  LobpcgUpdate<T> update;
  update.basis = basis.get();
  update.kx = 65;
  EXPECT_EQ(test::kind_of([&] { lobpcg::update(update, workspace.data(), nullptr); }), ErrorKind::invalid_argument);
  update.kx = 8;
  update.x = basis.s[0].out();
  update.x.cols = 7;
  EXPECT_EQ(test::kind_of([&] { lobpcg::update(update, workspace.data(), nullptr); }), ErrorKind::dimension_mismatch);
}

}  // namespace
