// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LOBPCG on plans of the caller's: they run and nothing else does, the pairs are those of the matrices, and a plan that
// does not fit is refused by the argument's name.
#include "solvers/lobpcg_problems.hpp"  // first: it includes lobpcg.hpp alone

#include <gtest/gtest.h>

#include <algorithm>
#include <araia/detail/formats/conversions.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/device.hpp"
#include "support/errors.hpp"

namespace araia::test {
namespace {

constexpr std::int64_t side = 7;
constexpr std::int64_t points = side * side * side;

Rows mass_matrix() { return tridiagonal(points, 4, 1, 0.25); }

/// (4 I - A / 3) / 12, positive definite, near the inverse of the cube's A where that is small.
Rows near_inverse() {
  Rows m = cube(side);
  for (std::int64_t i = 0; i < points; ++i)
    for (auto k = static_cast<std::size_t>(m.row_offsets[static_cast<std::size_t>(i)]);
         k < static_cast<std::size_t>(m.row_offsets[static_cast<std::size_t>(i) + 1]); ++k)
      m.values[k] = (m.col_indices[k] == i ? 4.0 : 0.0) / 12 - m.values[k] / 36;
  return m;
}

Choice const by_rows{.format = "csr", .kernel = "columns_on_lanes"};
Choice const by_slots{.format = "ell", .kernel = "columns_on_lanes"};
Choice const by_slices{.format = "sell", .kernel = "columns_on_lanes"};

template <class T = double>
auto pinned_plan(Rows const& rows, std::int64_t columns, Choice const& choice, SpmmDesc desc = {}) {
  desc.columns = columns;
  return make_plan(Exec(), desc, on_device<T>(rows), {.choice = choice});
}

/// An operator that multiplies by a matrix.
struct Multiplying {
  Matrix<double> A;
  template <class From, class To>
  void apply(Exec const& exec, From const& x, To const& y) const {
    spmm(exec, Op::none, 1.0, A, x, 0.0, y);
  }
};

/// Regions of SpMM in a run, by label.
std::map<std::string, int> products;
template <class Run>
void count_products(Run const& run) {
  products.clear();
  Kokkos::Tools::Experimental::set_push_region_callback([](char const* label) {
    std::string const name = label;
    if (name.starts_with("araia::spmm::")) ++products[name];
  });
  run();
  Kokkos::Tools::Experimental::set_push_region_callback(nullptr);
}

template <class Solver>
Solved solve_by(Solver solver, LobpcgOptions const& options, Rows const& a, Rows const* b,
                std::vector<double> const& constraints = {}) {
  auto const X = vectors<double>(a.n, options.pairs);
  auto const columns = static_cast<int>(static_cast<std::int64_t>(constraints.size()) / a.n);
  Solved solved;
  solved.result = constraints.empty() ? solver.solve(Exec(), X)
                                      : solver.solve(Exec(), X, vectors<double>(a.n, columns, constraints));
  solved.x = download<double>(X);
  expect_honest<double>(a, b, solved, options);
  EXPECT_STREQ(to_string(solved.result.status), "converged");
  return solved;
}

/// Values within rounding of the residuals, and for values that are alone the same vectors but for their sign.
void expect_pairs(Solved const& got, Solved const& expected, std::int64_t rows = points) {
  auto const& pairs = expected.result.pairs;
  ASSERT_EQ(got.result.pairs.size(), pairs.size());
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    EXPECT_NEAR(got.result.pairs[j].value, pairs[j].value, 1e-9) << j;
    bool const alone = (j == 0 || pairs[j].value - pairs[j - 1].value > 1e-3) && j + 1 < pairs.size() &&
                       pairs[j + 1].value - pairs[j].value > 1e-3;
    if (!alone) continue;
    double dot = 0;
    double norm = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
      std::size_t const at = j * static_cast<std::size_t>(rows) + i;
      dot += got.x[at] * expected.x[at];
      norm += expected.x[at] * expected.x[at];
    }
    EXPECT_NEAR(std::abs(dot) / norm, 1, 1e-6) << j;
  }
}

TEST(LobpcgPlans, MultiplyByAsFewProductsAsColumnsTake) {
  constexpr std::int64_t rows = 60;
  constexpr std::int64_t most_ld = 10;
  auto const a = graph(rows);
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (int width = 1; width <= 7; ++width) {
    detail::LobpcgGivenPlan<Exec, double, decltype(pinned_plan(a, 1, by_slots))> by_plan(
        pinned_plan(a, width, by_slots));
    EXPECT_EQ(by_plan.rows(), rows);
    EXPECT_EQ(by_plan.least_ld(), width);
    for (std::int64_t ld = width; ld <= most_ld; ++ld)
      for (int columns = 1; columns <= ld; ++columns) {
        SCOPED_TRACE(testing::Message() << columns << " columns of " << ld << ", by " << width);
        auto const size = static_cast<std::size_t>(rows * ld);
        std::vector<double> x(size, nan);  // beside the columns too
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t j = 0; j < static_cast<std::size_t>(columns); ++j)
            x[i * static_cast<std::size_t>(ld) + j] = static_cast<double>((7 * i + 3 * j) % 11) - 4;
        std::vector<double> const before(size + 1, nan);
        auto const from = upload<double, Device>("x", x);
        auto const to = upload<double, Device>("y", before);
        count_products([&] {
          by_plan.multiply(Exec(), from.data(), to.data(), ld, columns);
          Exec().fence();
        });
        ASSERT_EQ(products.size(), 1u);
        EXPECT_EQ(products.begin()->second, (columns + width - 1) / width);
        auto const y = download<double>(to);
        EXPECT_TRUE(std::isnan(y[size]));
        for (std::size_t j = 0; j < static_cast<std::size_t>(columns); ++j) {
          std::vector<double> column;
          for (std::size_t i = 0; i < rows; ++i) column.push_back(x[i * static_cast<std::size_t>(ld) + j]);
          auto const expected = times(a, column.data());  // whole numbers
          for (std::size_t i = 0; i < rows; ++i)
            ASSERT_EQ(y[i * static_cast<std::size_t>(ld) + j], static_cast<double>(expected[i])) << i << ", " << j;
        }
      }
  }
}

/// A plan that looks at all that it multiplies.
class Looking final : public detail::LobpcgOperator<Exec, double> {
 public:
  using Plan = decltype(pinned_plan({}, 1, by_slots));
  Looking(Plan plan, std::int64_t& nans)
      : columns_(static_cast<int>(plan.description().columns)), by_plan_(std::move(plan)), nans_(nans) {}
  [[nodiscard]] std::int64_t rows() const override { return by_plan_.rows(); }
  void multiply(Exec const& exec, double const* x, double* y, std::int64_t ld, int columns) override {
    std::int64_t found = 0;
    Kokkos::parallel_reduce(
        Kokkos::RangePolicy<Exec>(exec, 0, rows() * ld),
        KOKKOS_LAMBDA(std::int64_t k, std::int64_t & sum) { sum += Kokkos::isnan(x[k]) ? 1 : 0; }, found);
    nans_ += found;
    by_plan_.multiply(exec, x, y, ld, columns);
  }
  [[nodiscard]] int least_ld() const override { return columns_; }
  [[nodiscard]] std::string name() const override { return by_plan_.name(); }

 private:
  int columns_;
  detail::LobpcgGivenPlan<Exec, double, Plan> by_plan_;
  std::int64_t& nans_;
};

TEST(LobpcgPlans, AreGivenInitialisedColumnsAlone) {
  if constexpr (!Kokkos::SpaceAccessibility<Kokkos::HostSpace, Exec::memory_space>::accessible) {
    GTEST_SKIP() << "the host fills what is allocated";
  } else {
    // 6 vectors in rows of 8 elements, by plans of 5 columns, beside the first vector of A and B = A + 2 I.
    LobpcgOptions const options{.pairs = 4, .max_iterations = 300, .refresh = 3};
    auto const a = cube(side);
    auto b = a;
    for (double& value : b.values) value += value > 0 ? 2 : 0;
    auto const line = line_vector(side, 1);
    std::vector<double> first;
    for (double const z : line)
      for (double const y : line)
        for (double const x : line) first.push_back(x * y * z);
    std::int64_t nans = 0;
    auto const looking = [&](Rows const& of) { return std::make_shared<Looking>(pinned_plan(of, 5, by_slots), nans); };
    detail::LobpcgParts<Exec, double> parts;
    parts.a = looking(a);
    parts.b = looking(b);
    parts.m = looking(near_inverse());
    auto const X = vectors<double>(points, 4);
    auto const Y = vectors<double>(points, 1, first);
    Kokkos::Tools::Experimental::set_allocate_data_callback(
        [](Kokkos::Tools::SpaceHandle, char const* label, void const* memory, std::uint64_t bytes) {
          if (std::string(label).starts_with("araia::lobpcg::")) std::memset(const_cast<void*>(memory), 0xff, bytes);
        });
    auto const body = detail::make_lobpcg_body<Exec, double>(Exec(), parts, options);
    auto const result = body->solve(Exec(), detail::dense_matrix(X), detail::as_const(detail::dense_matrix(Y)));
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
    EXPECT_STREQ(to_string(result.status), "converged");
    for (std::size_t j = 0; j < 4; ++j) {
      double const value = cube_values(side)[j + 1];
      EXPECT_NEAR(result.pairs[j].value, value / (value + 2), 1e-9);
    }
    EXPECT_EQ(nans, 0);
  }
}

TEST(LobpcgPlans, RunWhateverTheirWidthAndNothingElseMultiplies) {
  auto const a = cube(side);
  LobpcgOptions const options{.pairs = 8};
  int const block = lobpcg_block(options);
  ASSERT_EQ(block, 10);
  auto const expected = solve(a, options);
  for (int const columns : {1, 3, 4, 7, 10})
    for (Choice const& choice : {by_rows, by_slots}) {
      SCOPED_TRACE(label(choice) + ", columns " + std::to_string(columns));
      auto const plan = pinned_plan(a, columns, choice);
      ASSERT_EQ(plan.choice().format, choice.format);
      std::optional<Solved> solved;
      count_products([&] { solved = solve_by(make_lobpcg(Exec(), plan, options), options, a, nullptr); });
      expect_pairs(*solved, expected);
      EXPECT_EQ(solved->result.product, label(plan.choice()));
      EXPECT_NE(plan.explain().find(label(plan.choice())), std::string::npos);
      ASSERT_EQ(products.size(), 1u);
      auto const [name, count] = *products.begin();
      EXPECT_EQ(name, "araia::spmm::" + label(plan.choice()));
      if (columns == 1) {
        EXPECT_EQ(count, solved->result.products);
      }
      if (columns == block) {
        EXPECT_LT(count, solved->result.products);
      }
    }
}

TEST(LobpcgPlans, StandForAnyOfAAndBAndThePreconditioner) {
  Exec const exec;
  auto const a = cube(side);
  auto const b = mass_matrix();
  auto const m = near_inverse();
  LobpcgOptions const options{.pairs = 6};
  int const block = lobpcg_block(options);
  auto const A = on_device<double>(a);
  auto const B = on_device<double>(b);
  auto const plan_a = pinned_plan(a, block, by_rows);
  auto const plan_b = pinned_plan(b, block, by_slots);
  auto const narrow_b = pinned_plan(b, 3, by_slots);
  auto const plan_m = pinned_plan(m, block, by_slices);
  Multiplying const operator_m{on_device<double>(m)};
  auto const expected = solve(a, options);
  auto const heavy = solve(a, options, &b);

  auto const plain = [&](char const* what, auto solver) {
    SCOPED_TRACE(what);
    auto const solved = solve_by(std::move(solver), options, a, nullptr);
    expect_pairs(solved, expected);
    return solved.result.iterations;
  };
  plain("A a plan", make_lobpcg(exec, plan_a, options));
  auto const by_operator = plain("A a plan, M an operator", make_lobpcg(exec, plan_a, options, operator_m));
  // The same preconditioner: sums in another order move the end by an iteration at most.
  EXPECT_NEAR(static_cast<double>(plain("A a plan, M a plan", make_lobpcg(exec, plan_a, options, plan_m))),
              static_cast<double>(by_operator), 1);
  EXPECT_LT(by_operator, expected.result.iterations);
  plain("A a matrix, M a plan", make_lobpcg(exec, A, options, plan_m));
  plain("A a matrix, M a plan of two columns", make_lobpcg(exec, A, options, pinned_plan(m, 2, by_rows)));
  plain("A an operator, M a plan", make_lobpcg<double>(exec, points, Multiplying{A}, options, plan_m));

  auto const with_mass = [&](char const* what, auto solver) {
    SCOPED_TRACE(what);
    expect_pairs(solve_by(std::move(solver), options, a, &b), heavy);
  };
  with_mass("A and B plans", make_lobpcg(exec, plan_a, plan_b, options));
  with_mass("A and B plans, B narrow", make_lobpcg(exec, plan_a, narrow_b, options));
  with_mass("A a plan, B a matrix", make_lobpcg(exec, plan_a, B, options));
  with_mass("A a plan, B an operator", make_lobpcg(exec, plan_a, Multiplying{B}, options));
  with_mass("A a matrix, B a plan", make_lobpcg(exec, A, plan_b, options));
  with_mass("A a matrix, B an operator", make_lobpcg(exec, A, Multiplying{B}, options));
  with_mass("A an operator, B a plan", make_lobpcg<double>(exec, points, Multiplying{A}, plan_b, options));
  with_mass("A an operator, B a matrix", make_lobpcg<double>(exec, points, Multiplying{A}, B, options));
  with_mass("A and B plans, M an operator", make_lobpcg(exec, plan_a, plan_b, options, operator_m));
  count_products([&] { with_mass("A, B and M plans", make_lobpcg(exec, plan_a, plan_b, options, plan_m)); });
  ASSERT_EQ(products.size(), 3u);
  for (auto const& label_of : {label(plan_a.choice()), label(plan_b.choice()), label(plan_m.choice())})
    EXPECT_GT(products["araia::spmm::" + label_of], 0) << label_of;
}

/// Weights that differ from row to row.
std::vector<double> weights(std::int64_t rows) {
  std::vector<double> of;
  for (std::int64_t i = 0; i < rows; ++i) of.push_back(1 + 0.5 * static_cast<double>(i % 3));
  return of;
}

/// The pairs that follow so many constraints, by plans for B of fewer columns than the block and of all.
void expect_next(Rows const& a, Rows const& b, std::vector<double> const& constraints,
                 std::vector<double> const& next) {
  LobpcgOptions const options{.pairs = 2, .guard = 7, .max_iterations = 4000};
  auto const A = pinned_plan(a, 9, by_rows);
  for (int const columns : {2, 9}) {
    SCOPED_TRACE(std::to_string(constraints.size()) + " elements of constraints, columns " + std::to_string(columns));
    auto const plan_b = pinned_plan(b, columns, by_slots);
    auto const solved = solve_by(make_lobpcg(Exec(), A, plan_b, options), options, a, &b, constraints);
    for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(solved.result.pairs[j].value, next[j], 1e-7);
    EXPECT_LE(solved.result.orthogonality, 1e-12);
  }
}

TEST(LobpcgPlans, MultiplyConstraintsNarrowerThanThey) {
  // In rows of four elements, where a product of nine columns would write those of other rows.
  auto const a = cube(side);
  auto const b = diagonal_matrix(weights(points));
  auto const found = solve(a, {.pairs = 5, .tolerance = 1e-11}, &b);
  ASSERT_STREQ(to_string(found.result.status), "converged");
  for (std::size_t const constraints : {std::size_t{1}, std::size_t{3}}) {
    auto const end = found.x.begin() + static_cast<std::ptrdiff_t>(constraints) * points;
    auto const& pairs = found.result.pairs;
    expect_next(a, b, {found.x.begin(), end}, {pairs[constraints].value, pairs[constraints + 1].value});
  }
}

TEST(LobpcgPlans, MultiplyConstraintsWiderThanTheBlock) {
  constexpr std::size_t length = 200;
  constexpr std::size_t constraints = 66;
  std::vector<double> of_a;
  std::vector<double> const of_b = weights(length);
  std::vector<std::pair<double, std::size_t>> known;  // of unit vectors
  for (std::size_t i = 0; i < length; ++i) {
    of_a.push_back(static_cast<double>(i + 1));
    known.emplace_back(of_a[i] / of_b[i], i);
  }
  std::sort(known.begin(), known.end());
  std::vector<double> columns(constraints * length);
  for (std::size_t j = 0; j < constraints; ++j) columns[j * length + known[j].second] = 2;
  expect_next(diagonal_matrix(of_a), diagonal_matrix(of_b), columns,
              {known[constraints].first, known[constraints + 1].first});
}

TEST(LobpcgPlans, MultiplySmallMatrices) {
  auto const a = graph(12);
  auto const b = tridiagonal(12, 4, 1);
  LobpcgOptions const options{.pairs = 5};
  auto const solved =
      solve_by(make_lobpcg(Exec(), pinned_plan(a, 7, by_rows), pinned_plan(b, 3, by_slots), options), options, a, &b);
  EXPECT_EQ(solved.result.form, "dense");
  expect_pairs(solved, solve(a, options, &b), 12);
}

TEST(LobpcgPlans, AreSharedAndTheirNewValuesCount) {
  Exec const exec;
  auto const a = cube(side);
  LobpcgOptions const options{.pairs = 4};
  int const block = lobpcg_block(options);
  auto const X = vectors<double>(points, 4);
  auto plan = std::make_optional(pinned_plan(a, block, by_slots));
  int others = 0;
  static int* counted = nullptr;
  counted = &others;
  Kokkos::Tools::Experimental::set_allocate_data_callback(
      [](Kokkos::Tools::SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
        if (bytes > 0 && !std::string(label).starts_with("araia::lobpcg::")) ++*counted;
      });
  auto solver = make_lobpcg(exec, *plan, options);
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  EXPECT_EQ(others, 0);
  EXPECT_EQ(solver.bytes(), make_lobpcg<double>(exec, points, Multiplying{on_device<double>(a)}, options).bytes());

  auto const once = solver.solve(exec, X);
  auto values = a.values;
  for (double& value : values) value *= 3;
  plan->update_values(exec, upload<double, Device>("values", values));
  plan.reset();  // the solver keeps it
  auto const thrice = solver.solve(exec, X);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(thrice.pairs[j].value, 3 * once.pairs[j].value, 1e-9);
}

#ifndef ARAIA_TYPES_MINIMAL
TEST(LobpcgPlans, MayHoldAMatrixOfLessPrecisionThanTheirOperands) {
  auto const a = cube(side);
  LobpcgOptions const options{.pairs = 4};
  auto const plan = make_plan<double>(Exec(), SpmmDesc{.columns = lobpcg_block(options)}, on_device<float>(a));
  expect_pairs(solve_by(make_lobpcg(Exec(), plan, options), options, a, nullptr), solve(a, options));

  auto const in_float = make_plan(Exec(), SpmmDesc{.columns = 5}, on_device<float>(a));
  auto const X = vectors<float>(points, 4);
  auto const r = make_lobpcg(Exec(), in_float, options).solve(Exec(), X);
  expect_values(r, cube_values(side), 1e-5);
}
#endif

TEST(LobpcgPlans, AreRefusedByTheArgumentsName) {
  Exec const exec;
  LobpcgOptions const options{.pairs = 4};
  auto const a = cube(side);
  auto const A = pinned_plan(a, 6, by_rows);
  auto const of = [&](SpmmDesc const& desc) { return make_plan(exec, desc, on_device<double>(a)); };
  auto const refused_for_m = [&](auto const& plan, ErrorKind kind, std::string const& text) {
    std::string message;
    EXPECT_EQ(kind_of([&] { (void)make_lobpcg(exec, A, options, plan); }, &message), kind) << message;
    EXPECT_NE(message.find("M" + text), std::string::npos) << message;
  };
  auto const refused = [&](auto const& plan, ErrorKind kind, std::string const& text) {
    std::string message;
    EXPECT_EQ(kind_of([&] { (void)make_lobpcg(exec, plan, options); }, &message), kind) << message;
    EXPECT_NE(message.find("A" + text), std::string::npos) << message;
    EXPECT_EQ(kind_of([&] { (void)make_lobpcg(exec, A, plan, options); }, &message), kind) << message;
    EXPECT_NE(message.find("B" + text), std::string::npos) << message;
  };
  auto const refused_for_all = [&](auto const& plan, ErrorKind kind, std::string const& text) {
    refused(plan, kind, text);
    refused_for_m(plan, kind, text);
  };
  refused_for_all(of({.op = Op::transpose, .columns = 6}), ErrorKind::unsupported,
                  " was made for op transpose, expected none");
  refused_for_all(of({.columns = 6, .layout_b = DenseLayout::left}), ErrorKind::unsupported,
                  " was made for layout_b left, expected right or strided");
  refused_for_all(of({.columns = 6, .layout_c = DenseLayout::left}), ErrorKind::unsupported,
                  " was made for layout_c left, expected right or strided");
  refused_for_all(of({.columns = 7}), ErrorKind::dimension_mismatch,
                  " was made for columns 7, expected 1 to 6, lobpcg_block(options)");
  auto wide = on_device<double>(a);
  wide.cols = points + 2;
  refused_for_all(make_plan(exec, SpmmDesc{.columns = 6}, wide), ErrorKind::dimension_mismatch,
                  " is 343 x 345, expected a square matrix");
  // In double a permission to round is of no use to any kernel.
  auto const in_double = of({.columns = 6, .precision = Precision::tf32});
  EXPECT_NO_THROW((void)make_lobpcg(exec, in_double, in_double, options, in_double));
#ifndef ARAIA_TYPES_MINIMAL
  auto const in_float = make_plan(exec, SpmmDesc{.columns = 6, .precision = Precision::tf32}, on_device<float>(a));
  auto const native = make_plan(exec, SpmmDesc{.columns = 6}, on_device<float>(a));
  std::string of_float;
  EXPECT_EQ(kind_of([&] { (void)make_lobpcg(exec, in_float, options); }, &of_float), ErrorKind::unsupported);
  EXPECT_NE(of_float.find("A was made for precision tf32, expected native"), std::string::npos) << of_float;
  EXPECT_EQ(kind_of([&] { (void)make_lobpcg(exec, native, in_float, options); }, &of_float), ErrorKind::unsupported);
  EXPECT_NE(of_float.find("B was made for precision tf32, expected native"), std::string::npos) << of_float;
  EXPECT_NO_THROW((void)make_lobpcg(exec, native, options, in_float));
#endif

  auto const other = pinned_plan(tridiagonal(10, 4, 1), 6, by_rows);
  refused_for_m(other, ErrorKind::dimension_mismatch, " has 10 rows, expected those of A, 343");
  std::string message;
  EXPECT_EQ(kind_of([&] { (void)make_lobpcg(exec, A, other, options); }, &message), ErrorKind::dimension_mismatch);
  EXPECT_NE(message.find("B has 10 rows, expected those of A, 343"), std::string::npos) << message;
  auto jacobi = options;
  jacobi.preconditioner = LobpcgPreconditioner::jacobi;
  EXPECT_EQ(kind_of([&] { (void)make_lobpcg(exec, A, jacobi); }, &message), ErrorKind::unsupported);
  EXPECT_NE(message.find("jacobi"), std::string::npos) << message;

  // A strided plan takes the blocks.
  auto const strided = of({.columns = 6, .layout_b = DenseLayout::strided, .layout_c = DenseLayout::strided});
  expect_pairs(solve_by(make_lobpcg(exec, strided, options), options, a, nullptr), solve(a, options));
}

}  // namespace
}  // namespace araia::test
