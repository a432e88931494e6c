// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Epilogues and batches of SpMM, one-shot and by plans, in kernels' stores and as a pass after them: within the bound,
// nothing written beside, NaN kept.
#include <araia/ops/spmm_epilogue.hpp>  // alone, as users may include it

#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/ops/spmv.hpp>
#include <araia/plan/plan.hpp>
#include <limits>
#include <string>
#include <vector>

#include "backends/openmp/reference/epilogue.hpp"
#include "support/check.hpp"
#include "support/errors.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(SpmmEpilogue, OperandTypes, OperandTypeNames);

/// How the items of a batch lie.
enum class Lie { right, left, rows_joined, columns_joined, interleaved, strided };

/// Items inside one buffer with canaries between.
template <class T, class Exec>
struct Batch {
  using View =
      Kokkos::View<T***, Kokkos::LayoutStride, typename Exec::device_type, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  Batch(Lie lie, std::int64_t items, std::int64_t item_rows, std::int64_t item_columns)
      : count(items), rows(item_rows), columns(item_columns), all(whole(lie)) {}

  [[nodiscard]] View view() const {
    auto const size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
    return View(all.matrix().data(), Kokkos::LayoutStride(size(count), size(item_stride), size(rows), size(row_stride),
                                                          size(columns), size(column_stride)));
  }
  [[nodiscard]] DenseMatrix<T const> host(std::int64_t item) const {
    return {all.host().data + item * item_stride, rows, columns, row_stride, column_stride};
  }

  std::int64_t count, rows, columns;
  std::int64_t item_stride = 0, row_stride = 0, column_stride = 0;
  Operand<T, Exec> all;

 private:
  Operand<T, Exec> whole(Lie lie) {
    std::int64_t const k = std::max<std::int64_t>(rows, 1);
    std::int64_t const n = std::max<std::int64_t>(columns, 1);
    switch (lie) {
      case Lie::right: return at(count * rows, columns, n, 1, k * n, n, 1);
      case Lie::left: return at(rows, count * columns, 1, k, k * n, 1, k);
      case Lie::rows_joined: return at(rows, count * columns, n * count + 3, 1, n, n * count + 3, 1);
      case Lie::columns_joined: return at(rows, count * columns, 1, k + 1, (k + 1) * n, 1, k + 1);
      case Lie::interleaved: return at(rows * count, columns, 1, k * count, 1, count, k * count);
      case Lie::strided: break;
    }
    return at(count * rows, columns, 2 * n + 1, 2, k * (2 * n + 1), 2 * n + 1, 2);
  }
  Operand<T, Exec> at(std::int64_t all_rows, std::int64_t all_columns, std::int64_t all_row_stride,
                      std::int64_t all_column_stride, std::int64_t item, std::int64_t row, std::int64_t column) {
    item_stride = item;
    row_stride = row;
    column_stride = column;
    return Operand<T, Exec>(all_rows, all_columns, all_row_stride, all_column_stride, count % 2);
  }
};

/// Which parts an epilogue has.
struct Parts {
  bool row_bias, column_bias, residual, relu;
  std::int64_t bias_stride = 1;
};
std::vector<Parts> const all_parts{{true, false, false, true},  {false, true, false, true},
                                   {false, false, true, false}, {false, false, false, true},
                                   {true, true, true, true, 3}, {false, false, false, false}};

struct EpilogueCase {
  std::int64_t items;
  Lie lie_b, lie_c, lie_residual;
  std::int64_t columns;
  double alpha, beta;
};

std::string name_of(EpilogueCase const& c, Parts const& p) {
  std::string text = std::to_string(c.items) + " items of " + std::to_string(c.columns) + " columns, B, C, R lie " +
                     std::to_string(static_cast<int>(c.lie_b)) + std::to_string(static_cast<int>(c.lie_c)) +
                     std::to_string(static_cast<int>(c.lie_residual)) + ", alpha " + std::to_string(c.alpha) +
                     ", beta " + std::to_string(c.beta);
  for (auto const& [given, part] : {std::pair{p.row_bias, ", row_bias"},
                                    {p.column_bias, ", column_bias"},
                                    {p.residual, ", residual"},
                                    {p.relu, ", relu"}})
    if (given) text += part;
  return text;
}

/// What is checked, with Views of rank 2 where there is one item, else of rank 3: alone it depends on how the matrix is
/// stored.
template <class Types>
class EpilogueProduct {
 public:
  using Y = typename Types::y;
  template <class T>
  using Items = typename Batch<T, typename Types::exec>::View;
  template <class T>
  using Item = decltype(Kokkos::subview(std::declval<Items<T>>(), 0, Kokkos::ALL, Kokkos::ALL));
  virtual ~EpilogueProduct() = default;
  virtual void multiply(Y const& alpha, Item<typename Types::x> const& b, Y const& beta, Item<Y> const& c,
                        epilogue_t<Item<Y>> const& e) const = 0;
  virtual void multiply(Y const& alpha, Items<typename Types::x> const& b, Y const& beta, Items<Y> const& c,
                        epilogue_t<Items<Y>> const& e) const = 0;
};

template <class Types, class Multiply>
class EpilogueProductBy final : public EpilogueProduct<Types> {
 public:
  using typename EpilogueProduct<Types>::Y;
  template <class T>
  using Items = typename EpilogueProduct<Types>::template Items<T>;
  template <class T>
  using Item = typename EpilogueProduct<Types>::template Item<T>;
  explicit EpilogueProductBy(Multiply const& function) : function_(function) {}
  void multiply(Y const& alpha, Item<typename Types::x> const& b, Y const& beta, Item<Y> const& c,
                epilogue_t<Item<Y>> const& e) const override {
    function_(alpha, b, beta, c, e);
  }
  void multiply(Y const& alpha, Items<typename Types::x> const& b, Y const& beta, Items<Y> const& c,
                epilogue_t<Items<Y>> const& e) const override {
    function_(alpha, b, beta, c, e);
  }

 private:
  Multiply const& function_;
};

template <class Types, class HostCsr>
void check_epilogue(HostCsr const& host, Op op, EpilogueCase const& c, Parts parts, std::string const& what,
                    EpilogueProduct<Types> const& product, double in_b) {
  using Exec = typename Types::exec;
  using X = typename Types::x;
  using Y = typename Types::y;
  if (is_complex_v<Y>) parts.relu = false;
  std::int64_t const rows = transposes(op) ? host.cols : host.rows;
  std::int64_t const cols = transposes(op) ? host.rows : host.cols;
  Batch<X, Exec> b(c.lie_b, c.items, cols, c.columns);
  Batch<Y, Exec> out(c.lie_c, c.items, rows, c.columns);
  Batch<Y, Exec> residual(c.lie_residual, c.items, rows, c.columns);
  Operand<Y, Exec> row_bias(rows, 1, parts.bias_stride, 1, 1);
  Operand<Y, Exec> column_bias(c.columns, 1, parts.bias_stride, 1, 1);
  Y const alpha = scalar_from<Y>(c.alpha);
  Y const beta = c.beta == 0 ? Y(0) : scalar_from<Y>(c.beta);
  b.all.fill(zoo_seed);
  if (in_b != 0 && cols > 0 && c.columns > 0)
    for (std::int64_t i = 0; i < c.items; ++i)
      const_cast<X&>(b.host(i).data[cols / 2 * b.row_stride + c.columns / 2 * b.column_stride]) = scalar_from<X>(in_b);
  out.all.fill(zoo_seed + 1);
  residual.all.fill(zoo_seed + 2);
  row_bias.fill(zoo_seed + 3);
  column_bias.fill(zoo_seed + 4);
  if (beta == Y(0)) out.all.fill_with(scalar_from<Y>(std::numeric_limits<double>::quiet_NaN()));
  b.all.to_device();
  out.all.to_device();
  residual.all.to_device();
  row_bias.to_device();
  column_bias.to_device();

  using S = std_scalar_t<Y>;
  EpiloguePointers<S> on_host;
  auto const std_data = [](Y const* data) { return reinterpret_cast<S const*>(data); };
  if (parts.row_bias) on_host.row_bias = std_data(row_bias.host().data);
  if (parts.column_bias) on_host.column_bias = std_data(column_bias.host().data);
  on_host.row_bias_stride = on_host.column_bias_stride = parts.bias_stride;
  if (parts.residual) on_host.residual = std_data(residual.host(0).data);
  on_host.residual_row_stride = residual.row_stride;
  on_host.residual_column_stride = residual.column_stride;
  on_host.residual_batch_stride = residual.item_stride;
  on_host.relu = parts.relu;
  std::vector<decltype(expected_product(op, alpha, host, b.host(0), beta, out.host(0)))> expected;
  for (std::int64_t i = 0; i < c.items; ++i)
    expected.push_back(
        reference::with_epilogue(expected_product(op, alpha, host, b.host(i), beta, out.host(i)), on_host.item(i)));

  auto const with = [&](auto const& bs, auto const& cs, auto const& rs) {
    epilogue_t<std::decay_t<decltype(cs)>> e{.relu = parts.relu};
    if (parts.row_bias) e.row_bias = row_bias.vector();
    if (parts.column_bias) e.column_bias = column_bias.vector();
    if (parts.residual) e.residual = rs;
    product.multiply(alpha, bs, beta, cs, e);
  };
  if (c.items == 1) {
    auto const item = [](auto const& batch) { return Kokkos::subview(batch.view(), 0, Kokkos::ALL, Kokkos::ALL); };
    with(item(b), item(out), item(residual));
  } else {
    with(b.view(), out.view(), residual.view());
  }
  Exec().fence();
  out.all.from_device();
  std::string const text = what + ", op " + std::to_string(static_cast<int>(op)) + ", " + name_of(c, parts);
  for (std::int64_t i = 0; i < c.items; ++i)
    expect_within_bound(expected[static_cast<std::size_t>(i)], out.host(i), text + ", item " + std::to_string(i));
  EXPECT_EQ(out.all.disturbed_bytes(), 0) << text << ": wrote beside C";
}

/// \param multiply  multiply(alpha, B, beta, C, epilogue)
template <class Types, class HostCsr, class Multiply>
void check(HostCsr const& host, Op op, EpilogueCase const& c, Parts const& parts, std::string const& what,
           Multiply const& multiply, double in_b = 0) {
  check_epilogue<Types>(host, op, c, parts, what, EpilogueProductBy<Types, Multiply>(multiply), in_b);
}

template <class Types, class Matrix, class HostCsr>
void check_one_shot(Matrix const& A, HostCsr const& host, Op op, EpilogueCase const& c, Parts const& parts,
                    std::string const& what, spmm_tuning_t<Matrix> const& tuning = {}, double in_b = 0) {
  using Exec = typename Types::exec;
  check<Types>(
      host, op, c, parts, what,
      [&](auto alpha, auto const& b, auto beta, auto const& out, auto const& e) {
        spmm(Exec(), op, alpha, A, b, beta, out, e, tuning);
      },
      in_b);
}

EpilogueCase const one_right{1, Lie::right, Lie::right, Lie::right, 24, 1, 0};

template <class Types>
auto matrix_of(TestMatrix const& m) {
  return device_csr<typename Types::a, typename Types::offset, typename Types::exec>(m);
}

ARAIA_TYPED_TEST(SpmmEpilogue, HoldsTheBoundOnTheZoo) {
  for (auto const& m : zoo()) {
    auto const A = matrix_of<TypeParam>(m);
    auto const host = host_copy(A);
    for (auto const& parts : all_parts)
      for (EpilogueCase const& c : {one_right, EpilogueCase{1, Lie::left, Lie::right, Lie::right, 5, 0.7, -1},
                                    EpilogueCase{1, Lie::right, Lie::left, Lie::right, 9, -0.3, 0.5},
                                    EpilogueCase{1, Lie::strided, Lie::strided, Lie::left, 3, 1, 1},
                                    EpilogueCase{1, Lie::right, Lie::right, Lie::left, 16, 0, 0.5}})
        check_one_shot<TypeParam>(A, host.pointers(), Op::none, c, parts, m.name);
  }
}

ARAIA_TYPED_TEST(SpmmEpilogue, HoldsTheBoundOfEveryCsrKernelAndNumberOfColumns) {
  using Exec = typename TypeParam::exec;
  for (auto const& m : {random_matrix("random", 70, 60, 9), node_blocks(11, 3)}) {
    auto const A = matrix_of<TypeParam>(m);
    auto const host = host_copy(A);
    auto const runs = inspect_rows<Exec, typename TypeParam::a, std::int32_t, typename TypeParam::offset,
                                   typename Exec::device_type, typename TypeParam::x, typename TypeParam::y>(Exec(), A);
    for (auto const kernel : {CsrSpmmKernel::automatic, CsrSpmmKernel::columns_on_lanes, CsrSpmmKernel::host_simd,
                              CsrSpmmKernel::host_simd_runs, CsrSpmmKernel::row_per_warp})
      for (std::int64_t const columns : {1, 3, 16, 33, 64, 130}) {
        Kokkos::View<typename TypeParam::x**, Kokkos::LayoutRight, Exec> const b(
            "test::b", static_cast<std::size_t>(m.cols), static_cast<std::size_t>(columns));
        Kokkos::View<typename TypeParam::y**, Kokkos::LayoutRight, Exec> const c(
            "test::c", static_cast<std::size_t>(m.rows), static_cast<std::size_t>(columns));
        CsrSpmmTuning const tuning{.kernel = kernel, .row_runs = runs.get()};
        if (!supports_spmm(Exec(), Op::none, A, b, c, tuning)) continue;
        bool const in_store = kernel == CsrSpmmKernel::host_simd || kernel == CsrSpmmKernel::host_simd_runs ||
                              kernel == CsrSpmmKernel::row_per_warp;
        if (kernel != CsrSpmmKernel::automatic) {
          EXPECT_EQ(fuses_epilogue(Exec(), Op::none, A, b, c, tuning), in_store) << kernel_name(kernel);
        }
        for (auto const& parts : all_parts)
          for (double const beta : {0.0, -0.5})
            check_one_shot<TypeParam>(A, host.pointers(), Op::none,
                                      {1, Lie::right, Lie::right, Lie::right, columns, 0.7, beta}, parts, m.name,
                                      tuning);
      }
  }
}

ARAIA_TYPED_TEST(SpmmEpilogue, FollowsEveryFormatAndOperation) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("random", 90, 70, 8);
  auto const A = matrix_of<TypeParam>(m);
  auto const host = host_copy(A);
  EpilogueCase const batch{2, Lie::right, Lie::left, Lie::right, 7, 0.7, -1};
  for (Op const op : all_ops)
    for (auto const& parts : all_parts)
      for (EpilogueCase const& c : {one_right, batch}) {
        check_one_shot<TypeParam>(A, host.pointers(), op, c, parts, "csr");
        check_one_shot<TypeParam>(csr_to_coo(Exec(), A), host.pointers(), op, c, parts, "coo");
        check_one_shot<TypeParam>(csr_to_ell(Exec(), A, {.sort_rows = true}), host.pointers(), op, c, parts, "ell");
        check_one_shot<TypeParam>(csr_to_sell(Exec(), A, {.slice_height = 8, .sort_window = 32, .diagonals = true}),
                                  host.pointers(), op, c, parts, "sell");
        check_one_shot<TypeParam>(csr_to_bsr(Exec(), A, {.block_rows = 3, .block_cols = 2}), host.pointers(), op, c,
                                  parts, "bsr");
        check_one_shot<TypeParam>(csr_to_bcsc_compact(Exec(), A, {.block_height = 16}), host.pointers(), op, c, parts,
                                  "bcsc");
      }
}

ARAIA_TYPED_TEST(SpmmEpilogue, HoldsTheBoundOnBatchesHoweverTheyLie) {
  for (auto const& m : {random_matrix("random", 61, 45, 9), random_matrix("one row of B", 9, 1, 1),
                        with_row_lengths("without entries", 4, {0, 0, 0}), random_matrix("longer rows", 31, 90, 40)}) {
    auto const A = matrix_of<TypeParam>(m);
    auto const host = host_copy(A);
    for (std::int64_t const items : {2, 5})
      for (std::int64_t const columns : {1, 3, 16})
        for (auto const& [b, c, residual] : {std::tuple{Lie::right, Lie::right, Lie::right},
                                             {Lie::left, Lie::left, Lie::left},
                                             {Lie::rows_joined, Lie::rows_joined, Lie::rows_joined},
                                             {Lie::columns_joined, Lie::columns_joined, Lie::columns_joined},
                                             {Lie::rows_joined, Lie::rows_joined, Lie::right},
                                             {Lie::right, Lie::rows_joined, Lie::left},
                                             {Lie::interleaved, Lie::interleaved, Lie::interleaved},
                                             {Lie::right, Lie::strided, Lie::interleaved}})
          for (auto const& parts : all_parts)
            check_one_shot<TypeParam>(A, host.pointers(), Op::none, {items, b, c, residual, columns, 0.7, -0.5}, parts,
                                      m.name);
  }
}

ARAIA_TYPED_TEST(SpmmEpilogue, KeepsNaNAndInfinities) {
  auto const m = random_matrix("random", 31, 25, 9);
  auto const A = matrix_of<TypeParam>(m);
  auto const host = host_copy(A);
  double const infinity = std::numeric_limits<double>::infinity();
  for (double const bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity})
    for (auto const& parts : all_parts)
      for (Lie const lie : {Lie::right, Lie::left})
        for (std::int64_t const columns : {3, 33, 64})
          check_one_shot<TypeParam>(A, host.pointers(), Op::none, {2, lie, lie, lie, columns, 1, 0}, parts, m.name, {},
                                    bad);
}

ARAIA_TYPED_TEST(SpmmEpilogue, OfPlansHoldsTheBound) {
  using Exec = typename TypeParam::exec;
  using X = typename TypeParam::x;
  using Y = typename TypeParam::y;
  Exec const exec;
  auto const m = random_matrix("random", 80, 110, 12);
  auto const A = matrix_of<TypeParam>(m);
  auto const host = host_copy(A);
  std::vector<Choice> choices{{.format = "csr", .kernel = "columns_on_lanes"},
                              {.format = "ell", .kernel = "columns_on_lanes"}};
  if (detail::is_host_backend_space<Exec> && !is_complex_v<Y>) {
    choices.push_back({.format = "csr", .kernel = "host_simd"});
    choices.push_back({.format = "csr", .kernel = "host_simd_runs"});
    choices.push_back({.format = "sell", .diagonals = true, .kernel = "host_simd", .slice_height = 12});
    choices.push_back({.format = "bsr", .kernel = "host_simd", .block_rows = 3, .block_cols = 3});
    choices.push_back({.format = "bcsc", .kernel = "host_simd", .block_height = 24});
  }
  bool const same =
      std::is_same_v<typename TypeParam::a, X> && std::is_same_v<typename TypeParam::a, Y> && !is_complex_v<Y>;
  if (detail::is_host_backend_space<Exec> && same)
    for (char const* kernel : {"cache_panels", "copied_columns"})
      choices.push_back({.format = "csr", .kernel = kernel});
  if (detail::is_cuda_space<Exec> && same) {
    choices.push_back({.format = "csr", .kernel = "row_per_warp"});
    choices.push_back({.format = "csr", .kernel = "merge_split"});
    if constexpr (sizeof(typename TypeParam::offset) == 4)
      choices.push_back({.format = "csr", .kernel = "padded_rows"});
    if (std::is_same_v<Y, float>)
      for (char const* kernel : {"jammed", "lockstep"}) choices.push_back({.format = "csr", .kernel = kernel});
  }
  for (std::int64_t const columns : {3, 128}) {
    for (auto const& choice : choices) {
      if (columns < 96 && (choice.kernel == "jammed" || choice.kernel == "lockstep")) continue;
      auto const plan = make_plan<X, Y>(exec, SpmmDesc{.columns = columns}, A, PlanOptions{.choice = choice});
      bool const in_store = choice.kernel != "columns_on_lanes" && choice.kernel != "merge_split";
      EXPECT_EQ(plan.fuses_epilogue(), in_store) << choice.kernel;
      for (auto const& parts : all_parts)
        for (std::int64_t const items : {1, 5})
          check<TypeParam>(host.pointers(), Op::none, {items, Lie::right, Lie::right, Lie::right, columns, 0.7, -0.5},
                           parts, "plan " + label(choice),
                           [&](auto alpha, auto const& b, auto beta, auto const& c, auto const& e) {
                             plan.execute(exec, alpha, b, beta, c, e);
                           });
    }
    auto const transposed = make_plan<X, Y>(exec, SpmmDesc{.op = Op::transpose, .columns = columns}, A);
    check<TypeParam>(host.pointers(), Op::transpose, {2, Lie::right, Lie::right, Lie::left, columns, 0.7, -0.5},
                     all_parts[4], "plan of the transpose",
                     [&](auto alpha, auto const& b, auto beta, auto const& c, auto const& e) {
                       transposed.execute(exec, alpha, b, beta, c, e);
                     });
  }
}

template <class T>
using Matrix2 = Kokkos::View<T**, Kokkos::LayoutRight, Device>;
template <class T>
using Matrix3 = Kokkos::View<T***, Kokkos::LayoutRight, Device>;

TEST(SpmmEpilogueArguments, AreChecked) {
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("arguments", 30, 20, 3));
  Matrix2<double> const b("test::b", 20, 4), c("test::c", 30, 4), other("test::other", 30, 5);
  Matrix3<double> const b3("test::b3", 2, 20, 4), c3("test::c3", 2, 30, 4), three("test::three", 3, 30, 4);
  Kokkos::View<double*, Device> const rows("test::rows", 30), columns("test::columns", 4);
  using E = epilogue_t<Matrix2<double>>;
  using E3 = epilogue_t<Matrix3<double>>;
  auto const of = [&](E const& e) { return kind_of([&] { spmm(exec, Op::none, 1.0, A, b, 0.0, c, e); }); };
  EXPECT_EQ(of({.row_bias = columns}), ErrorKind::dimension_mismatch);
  EXPECT_EQ(of({.column_bias = rows}), ErrorKind::dimension_mismatch);
  EXPECT_EQ(of({.residual = other}), ErrorKind::dimension_mismatch);
  EXPECT_EQ(of({.residual = c}), ErrorKind::invalid_argument);
  EXPECT_EQ(of({.row_bias = Kokkos::subview(c, Kokkos::ALL, 1)}), ErrorKind::invalid_argument);
  auto const of_batch = [&](auto const& bs, auto const& cs, E3 const& e) {
    return kind_of([&] { spmm(exec, Op::none, 1.0, A, bs, 0.0, cs, e); });
  };
  EXPECT_EQ(of_batch(b3, three, {}), ErrorKind::dimension_mismatch);
  EXPECT_EQ(of_batch(b3, c3, {.residual = three}), ErrorKind::dimension_mismatch);
  EXPECT_EQ(of_batch(b3, c3, {.residual = c3}), ErrorKind::invalid_argument);
  EXPECT_EQ(of_batch(Matrix3<double>("test::b4", 2, 21, 4), c3, {}), ErrorKind::dimension_mismatch);
  Kokkos::View<double***, Kokkos::LayoutStride, Device> const one_place(c3.data(),
                                                                        Kokkos::LayoutStride(2, 0, 30, 4, 4, 1));
  EXPECT_EQ(of_batch(b3, one_place, {}), ErrorKind::invalid_argument);
  Kokkos::View<double***, Kokkos::LayoutStride, Device> const shifted(c3.data(),
                                                                      Kokkos::LayoutStride(2, 1, 30, 4, 4, 1));
  EXPECT_EQ(of_batch(b3, shifted, {}), ErrorKind::invalid_argument);
  auto const plan = make_plan(exec, SpmmDesc{.columns = 4}, A);
  EXPECT_EQ(kind_of([&] { plan.execute(exec, 1.0, b, 0.0, c, E{.row_bias = columns}); }),
            ErrorKind::dimension_mismatch);
  auto const narrow = make_plan(exec, SpmmDesc{.columns = 3}, A);
  EXPECT_EQ(kind_of([&] { narrow.execute(exec, 1.0, b3, 0.0, c3); }), ErrorKind::unsupported);
  exec.fence();
}

TEST(SpmmEpilogueArguments, OneBMayServeEveryItem) {
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(with_integer_values(random_matrix("shared B", 30, 20, 3)));
  Matrix2<double> const b("test::b", 20, 4), c("test::c", 30, 4);
  Kokkos::deep_copy(b, 2.0);
  Kokkos::View<double***, Kokkos::LayoutStride, Device> const same(b.data(), Kokkos::LayoutStride(3, 0, 20, 4, 4, 1));
  Matrix3<double> const c3("test::c3", 3, 30, 4);
  spmm(exec, Op::none, 1.0, A, b, 0.0, c);
  spmm(exec, Op::none, 1.0, A, same, 0.0, c3);
  exec.fence();
  auto const one = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), c);
  auto const all = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), c3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < one.size(); ++k) ASSERT_EQ(all.data()[i * one.size() + k], one.data()[k]);
}

#ifndef ARAIA_TYPES_MINIMAL
TEST(SpmmEpilogueArguments, ComplexScalarsHaveNoReLU) {
  Device const exec;
  auto const A = device_csr<Complex, std::int32_t, Device>(random_matrix("complex", 30, 20, 3));
  Matrix2<Complex> const b("test::b", 20, 4), c("test::c", 30, 4);
  using E = epilogue_t<Matrix2<Complex>>;
  EXPECT_EQ(kind_of([&] { spmm(exec, Op::none, Complex(1), A, b, Complex(0), c, E{.relu = true}); }),
            ErrorKind::unsupported);
  EXPECT_NO_THROW(spmm(exec, Op::none, Complex(1), A, b, Complex(0), c, E{}));
  exec.fence();
}
#endif

}  // namespace
}  // namespace araia::test
