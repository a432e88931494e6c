// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// residual and multiply_dot, in one pass and as a product with a pass after it, one-shot and by plans: results within
// the product's bound, sums within theirs, nothing written beside, the same bits again and on other numbers of threads.
#include <araia/ops/fused.hpp>  // alone, as users may include it

#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/plan/plan.hpp>
#include <limits>
#include <optional>
#include <sstream>

#include "backends/openmp/csr_spmv_host.hpp"
#include "backends/openmp/sell_spmv_host.hpp"
#include "support/check.hpp"
#include "support/errors.hpp"
#include "support/sell.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(Fused, OperandTypes, OperandTypeNames);
ARAIA_TYPED_SUITE(FusedFormats, FormatTypes, OperandTypeNames);

using Wide = std::complex<long double>;
template <class T>
Wide wide(T const& v) {
  if constexpr (is_complex_v<T>)
    return {v.real(), v.imag()};
  else
    return {static_cast<long double>(v), 0};
}

/// |got - sum of conj(w_i) y_i| within the bound of a sum in double of `terms` roundings, and one to its type.
template <class Y, class Got>
void expect_sum(Got const& got, DenseMatrix<Y const> const& w, DenseMatrix<Y const> const& y, std::string const& what) {
  Wide sum{};
  long double size = 0;
  for (std::int64_t i = 0; i < y.rows; ++i) {
    sum += std::conj(wide(w.data[i * w.row_stride])) * wide(y.data[i * y.row_stride]);
    size += std::abs(wide(w.data[i * w.row_stride])) * std::abs(wide(y.data[i * y.row_stride]));
  }
  constexpr long double u = std::numeric_limits<double>::epsilon() / 2;
  using Real = typename detail::ScalarTraits<Y>::real;
  constexpr long double u_of_type = std::numeric_limits<Real>::epsilon() / 2;
  long double const terms = static_cast<long double>(std::min<std::int64_t>(y.rows, 4096) + 4);
  long double const bound = 2 * terms * u * size + 2 * u_of_type * std::abs(sum) + std::numeric_limits<Real>::min();
  EXPECT_TRUE(std::abs(wide(got) - sum) <= bound)
      << what << ": sum " << wide(got) << ", expected " << sum << " +- " << bound;
}

std::vector<Strides> const fused_strides{{1, 1, 0}, {1, 1, 1}, {3, 2, 1}};

/// Where a sum goes, starting as NaN.
template <class T, class Exec>
auto sum_view() {
  Kokkos::View<T, typename Exec::device_type> const view("sum");
  Exec const exec;
  detail::fill_array(exec, view, scalar_from<T>(std::numeric_limits<double>::quiet_NaN()));
  exec.fence();
  return view;
}

/// What is checked: alone it depends on how the matrix is stored.
template <class Types>
class FusedProducts {
 public:
  using Exec = typename Types::exec;
  using X = typename Operand<typename Types::x, Exec>::VectorView;
  using Y = typename Operand<typename Types::y, Exec>::VectorView;
  using Norm = decltype(sum_view<typename detail::ScalarTraits<typename Types::y>::real, Exec>());
  using Dot = decltype(sum_view<typename Types::y, Exec>());
  virtual ~FusedProducts() = default;
  virtual void residual(Y const& b, X const& x, Y const& r) const = 0;
  virtual void residual(Y const& b, X const& x, Y const& r, Norm const& norm_squared) const = 0;
  virtual void multiply_dot(X const& x, Y const& y, Dot const& dot) const = 0;  // where X is Y and A is square
};

template <class Types, class HostCsr>
void check_fused(HostCsr const& host, Op op, FusedProducts<Types> const& products, std::string const& name,
                 std::vector<Strides> const& strides) {
  using Exec = typename Types::exec;
  using X = typename Types::x;
  using Y = typename Types::y;
  using Real = typename detail::ScalarTraits<Y>::real;
  std::int64_t const rows = transposes(op) ? host.cols : host.rows;
  std::int64_t const cols = transposes(op) ? host.rows : host.cols;
  Exec const exec;
  for (auto const& stride : strides) {
    std::string const what = name + ", strides " + std::to_string(stride.x) + ' ' + std::to_string(stride.y) +
                             ", offset " + std::to_string(stride.offset);
    Operand<X, Exec> x(cols, 1, stride.x, 1, stride.offset);
    Operand<Y, Exec> b(rows, 1, stride.x, 1, stride.offset);
    x.fill(zoo_seed);
    b.fill(zoo_seed + 1);
    x.to_device();
    b.to_device();
    auto const less = expected_product(op, Y(-1), host, x.host(), Y(1), b.host());
    auto const plain = expected_product(op, Y(1), host, x.host(), Y(0), b.host());
    for (bool const with_norm : {false, true}) {
      Operand<Y, Exec> r(rows, 1, stride.y, 1, stride.offset);
      r.fill_with(scalar_from<Y>(std::numeric_limits<double>::quiet_NaN()));
      r.to_device();
      auto const norm = sum_view<Real, Exec>();
      if (with_norm)
        products.residual(b.vector(), x.vector(), r.vector(), norm);
      else
        products.residual(b.vector(), x.vector(), r.vector());
      exec.fence();
      r.from_device();
      expect_within_bound(less, r.host(), what + ", residual");
      EXPECT_EQ(r.disturbed_bytes(), 0) << what << ": wrote beside r";
      if (with_norm)
        expect_sum<Y>(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), norm)(), r.host(), r.host(),
                      what + ", norm");
    }
    if constexpr (std::is_same_v<X, Y>)
      if (rows == cols) {
        Operand<Y, Exec> y(rows, 1, stride.y, 1, stride.offset);
        y.fill_with(scalar_from<Y>(std::numeric_limits<double>::quiet_NaN()));
        y.to_device();
        auto const sum = sum_view<Y, Exec>();
        products.multiply_dot(x.vector(), y.vector(), sum);
        exec.fence();
        y.from_device();
        expect_within_bound(plain, y.host(), what + ", multiply_dot");
        EXPECT_EQ(y.disturbed_bytes(), 0) << what << ": wrote beside y";
        expect_sum<Y>(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum)(), x.host(), y.host(),
                      what + ", dot");
      }
  }
}

template <class Types, class Matrix>
class OneShot final : public FusedProducts<Types> {
 public:
  using typename FusedProducts<Types>::Exec, typename FusedProducts<Types>::X, typename FusedProducts<Types>::Y;
  using typename FusedProducts<Types>::Norm, typename FusedProducts<Types>::Dot;
  OneShot(Matrix const& A, spmv_tuning_t<Matrix> const& tuning) : A_(A), tuning_(tuning), sums_(Exec(), A.rows) {}

  void residual(Y const& b, X const& x, Y const& r) const override { araia::residual(Exec(), A_, b, x, r, tuning_); }
  void residual(Y const& b, X const& x, Y const& r, Norm const& norm_squared) const override {
    araia::residual(Exec(), A_, b, x, r, norm_squared, sums_, tuning_);
  }
  void multiply_dot([[maybe_unused]] X const& x, [[maybe_unused]] Y const& y,
                    [[maybe_unused]] Dot const& dot) const override {
    if constexpr (std::is_same_v<X, Y>) araia::multiply_dot(Exec(), A_, x, y, dot, sums_, tuning_);
  }

 private:
  Matrix const& A_;
  spmv_tuning_t<Matrix> const& tuning_;
  PartialSums<Exec, typename Types::y> sums_;
};

template <class Types, class Plan>
class OfPlan final : public FusedProducts<Types> {
 public:
  using typename FusedProducts<Types>::Exec, typename FusedProducts<Types>::X, typename FusedProducts<Types>::Y;
  using typename FusedProducts<Types>::Norm, typename FusedProducts<Types>::Dot;
  explicit OfPlan(Plan const& plan) : plan_(plan) {}

  void residual(Y const& b, X const& x, Y const& r) const override { plan_.residual(Exec(), b, x, r); }
  void residual(Y const& b, X const& x, Y const& r, Norm const& norm_squared) const override {
    plan_.residual(Exec(), b, x, r, norm_squared);
  }
  void multiply_dot([[maybe_unused]] X const& x, [[maybe_unused]] Y const& y,
                    [[maybe_unused]] Dot const& dot) const override {
    if constexpr (std::is_same_v<X, Y>) plan_.multiply_dot(Exec(), x, y, dot);
  }

 private:
  Plan const& plan_;
};

template <class Types, class Matrix, class HostCsr>
void check_one_shot(Matrix const& A, HostCsr const& host, spmv_tuning_t<Matrix> const& tuning, std::string const& name,
                    std::vector<Strides> const& strides = fused_strides) {
  check_fused<Types>(host, Op::none, OneShot<Types, Matrix>(A, tuning), name + ", " + printed(tuning), strides);
}

/// The zoo, and square matrices of enough rows for several parts, of even and of very unlike rows.
std::vector<TestMatrix> const& matrices() {
  static std::vector<TestMatrix> const all = [] {
    std::vector<TestMatrix> m = zoo();
    std::vector<std::int64_t> lengths(5000, 3);
    for (std::size_t i = 0; i < lengths.size(); i += 7) lengths[i] = 0;
    lengths[17] = 900;
    lengths[4999] = 2500;
    m.push_back(stencil(97, 61));
    m.push_back(node_blocks(900, 3));
    m.push_back(with_row_lengths("unlike rows", 5000, lengths));
    return m;
  }();
  return all;
}

ARAIA_TYPED_TEST(Fused, CsrAgreesWithReference) {
  using Exec = typename TypeParam::exec;
  for (auto const& m : matrices()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host = host_copy(A);
    auto const runs = inspect_rows<Exec, typename TypeParam::a, std::int32_t, typename TypeParam::offset,
                                   typename Exec::device_type, typename TypeParam::x, typename TypeParam::y>(Exec(), A);
    for (auto const kernel : {CsrSpmvKernel::automatic, CsrSpmvKernel::thread_per_row, CsrSpmvKernel::vector_per_row,
                              CsrSpmvKernel::host_simd, CsrSpmvKernel::host_simd_runs, CsrSpmvKernel::sub_warp,
                              CsrSpmvKernel::balanced, CsrSpmvKernel::equal_chunks}) {
      CsrSpmvTuning tuning{.kernel = kernel, .row_runs = runs.get()};
      CsrPartition<typename Exec::device_type> partition;
      if (kernel == CsrSpmvKernel::balanced || kernel == CsrSpmvKernel::equal_chunks) {
        partition = partition_rows(Exec(), A, kernel);
        tuning.partition = partition.pointers();
      }
      for (auto const& stride : fused_strides) {
        Operand<typename TypeParam::x, Exec> x(m.cols, 1, stride.x, 1);
        Operand<typename TypeParam::y, Exec> y(m.rows, 1, stride.y, 1);
        if (supports_spmv(Exec(), Op::none, A, x.vector(), y.vector(), tuning))
          check_one_shot<TypeParam>(A, host.pointers(), tuning, m.name, {stride});
      }
    }
  }
}

ARAIA_TYPED_TEST(Fused, PermutedRowsAndPatternsAgreeWithReference) {
  using Exec = typename TypeParam::exec;
  for (auto const& m : matrices()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host = host_copy(A);
    auto const sorted = sort_rows_by_length(Exec(), A);
    check_one_shot<TypeParam>(sorted, host.pointers(), {}, m.name + " by length");
    auto const pattern = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m, false);
    check_one_shot<TypeParam>(pattern, host_copy(pattern).pointers(), {}, m.name + ", pattern");
  }
}

ARAIA_TYPED_TEST(Fused, CooAndSellAgreeWithReference) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  for (auto const& m : matrices()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host = host_copy(A);
    check_one_shot<TypeParam>(csr_to_coo(exec, A), host.pointers(), {}, m.name + ", coo", {{1, 1, 0}});
    if constexpr (sizeof(typename TypeParam::offset) == 4)
      for (auto const& options :
           {SellOptions{.slice_height = 32}, SellOptions{.slice_height = 8, .sort_window = 64},
            SellOptions{.slice_height = 64, .columns = SellColumns::least_bytes},
            SellOptions{.slice_height = 128, .sort_window = 256}, SellOptions{.slice_height = 32, .diagonals = true},
            SellOptions{.slice_height = 3, .block_width = 2}}) {
        try {
          check_one_shot<TypeParam>(csr_to_sell(exec, A, options), host.pointers(), {}, m.name + ", sell",
                                    {{1, 1, 0}, {1, 1, 1}});
        } catch (Error const& e) {  // blocks and diagonals want ascending columns
          EXPECT_TRUE(e.kind() == ErrorKind::unsupported && m.name.find("unsorted") != std::string::npos) << e.what();
        }
      }
  }
}

ARAIA_TYPED_TEST(FusedFormats, AgreeWithReference) {
  using Exec = typename TypeParam::exec;
  Exec const exec;
  std::vector<Strides> const contiguous{{1, 1, 0}};
  for (auto const& m : matrices()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host_csr = host_copy(A);
    auto const host = host_csr.pointers();
    check_one_shot<TypeParam>(csr_to_csc(exec, A), host, {}, m.name + ", csc", contiguous);
    check_one_shot<TypeParam>(csr_to_hyb(exec, A), host, {}, m.name + ", hyb", contiguous);
    check_one_shot<TypeParam>(csr_to_bcsc(exec, A), host, {}, m.name + ", bcsc", contiguous);
    if (m.name != "unlike rows")  // a hundred times its entries
      check_one_shot<TypeParam>(csr_to_ell(exec, A), host, {}, m.name + ", ell", contiguous);
    if (m.name.find("duplicates") == std::string::npos)  // blocks hold an entry once
      check_one_shot<TypeParam>(csr_to_bsr(exec, A, {.block_rows = 3, .block_cols = 2}), host, {}, m.name + ", bsr",
                                contiguous);
  }
}

ARAIA_TYPED_TEST(Fused, EveryPlanAgreesWithReference) {
  using Exec = typename TypeParam::exec;
  using X = typename TypeParam::x;
  using Y = typename TypeParam::y;
  Exec const exec;
  for (auto const& m : matrices()) {
    // Each plan is a conversion: matrices of every kind, but not every one. Transposed products have no form of one
    // pass, so one matrix shows all of them.
    bool const chosen = m.rows == 0 || m.nnz() == 0 || m.rows == m.cols || m.name == "row length ladder";
    if (!chosen) continue;
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const host = host_copy(A);
    for (Op const op : {Op::none, Op::conjugate, Op::conjugate_transpose}) {
      if (transposes(op) && m.name.find("130 x 130") == std::string::npos) continue;
      auto const report = make_plan<X, Y>(exec, SpmvDesc{.op = op}, A).report();
      int plans = 0;
      for (auto const& candidate : report.candidates) {
        std::optional<decltype(make_plan<X, Y>(exec, SpmvDesc{}, A))> plan;
        try {
          plan.emplace(make_plan<X, Y>(exec, SpmvDesc{.op = op}, A, {.choice = candidate.choice}));
        } catch (Error const& e) {
          EXPECT_EQ(e.kind(), ErrorKind::unsupported) << m.name << label(candidate.choice) << ": " << e.what();
          continue;
        }
        ++plans;
        check_fused<TypeParam>(host.pointers(), op, OfPlan<TypeParam, std::decay_t<decltype(*plan)>>(*plan),
                               m.name + ", op " + to_string(op) + ", " + label(candidate.choice), {{1, 1, 0}});
      }
      EXPECT_GT(plans, 0) << m.name << ", op " << to_string(op);
    }
  }
}

ARAIA_TYPED_TEST(Fused, SumsRepeatTheirBits) {
  using Exec = typename TypeParam::exec;
  using Y = typename TypeParam::y;
  using Real = typename detail::ScalarTraits<Y>::real;
  Exec const exec;
  auto const& m = matrices().back();
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  Operand<typename TypeParam::x, Exec> x(m.cols, 1, 1, 1);
  Operand<Y, Exec> b(m.rows, 1, 1, 1);
  Operand<Y, Exec> const r(m.rows, 1, 1, 1);
  x.fill(zoo_seed);
  b.fill(zoo_seed + 1);
  x.to_device();
  b.to_device();
  auto const plan = make_plan<typename TypeParam::x, Y>(exec, SpmvDesc{}, A, {.deterministic = true});
  auto const norm = sum_view<Real, Exec>();
  Real first{};
  for (int run = 0; run < 20; ++run) {
    plan.residual(exec, b.vector(), x.vector(), r.vector(), norm);
    auto const got = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), norm)();
    if (run == 0) first = got;
    EXPECT_EQ(std::memcmp(&got, &first, sizeof(Real)), 0) << "run " << run;
  }
}

TEST(FusedHost, BitsDoNotDependOnThreads) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  Exec const exec;
  for (auto const& m : matrices()) {
    auto const A = device_csr<double, std::int32_t, Exec>(m);
    std::vector<double> x(static_cast<std::size_t>(m.cols), 0.3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i % 17) - 7.7;
    std::vector<double> const b(static_cast<std::size_t>(m.rows), 0.7);
    std::vector<double> partial_sums(static_cast<std::size_t>(most_partial_sums(m.rows)));
    auto const check = [&](std::string const& kernel, auto const& multiply) {
      std::vector<double> first_r;
      double first_sum = 0;
      for (int const threads : {1, 2, 3, 7}) {
        std::vector<double> r(b.size());
        double sum = -1;
        multiply(FusedRows<double>{.b = b.data(), .y = r.data(), .sum = &sum, .partial_sums = partial_sums.data()},
                 threads);
        if (threads == 1) {
          first_r = r;
          first_sum = sum;
        }
        EXPECT_EQ(std::memcmp(&sum, &first_sum, sizeof(double)), 0) << m.name << kernel << ", threads " << threads;
        EXPECT_TRUE(r == first_r) << m.name << kernel << ", threads " << threads;
      }
    };
    auto const runs = host::csr_row_runs(A.pointers(), 1);
    for (host::CsrRowRuns const* const r : {static_cast<host::CsrRowRuns const*>(nullptr), &runs})
      check(r ? ", csr with runs" : ", csr", [&](FusedRows<double> const& f, int threads) {
        host::csr_spmv_fused(A.pointers(), x.data(), f, threads, r);
      });
    bool const ascending = m.name.find("unsorted") == std::string::npos;
    for (auto const& options : {SellOptions{.slice_height = 32}, SellOptions{.slice_height = 8, .sort_window = 64},
                                SellOptions{.slice_height = 32, .diagonals = true}}) {
      if (options.diagonals && !ascending) continue;
      auto const S = csr_to_sell(exec, A, options);
      ASSERT_TRUE(host::sell_spmv_supports(S.pointers())) << m.name;
      check(
          ", sell, " + std::to_string(options.slice_height) + (options.diagonals ? " diagonals" : ""),
          [&](FusedRows<double> const& f, int threads) { host::sell_spmv_fused(S.pointers(), x.data(), f, threads); });
    }
  }
}

// [1 0; 0 i] (2, 3)', of a scalar that only the headers know: a build with warnings as errors sees what they bring.
TEST(FusedOwnTypes, ComplexFloatsHaveFloatNorms) {
  using Complex32 = Kokkos::complex<float>;
  Device const exec;
  auto const make = [](char const* label, std::vector<Complex32> const& from) {
    return upload<Complex32, Device::device_type>(label, from);
  };
  auto A = device_csr<Complex32, std::int32_t, Device>({"2 x 2", 2, 2, {0, 1, 2}, {0, 1}, {1, 1}});
  A.values = make("values", {{1, 0}, {0, 1}});
  auto const x = make("x", {{2, 0}, {3, 0}});
  auto const b = make("b", {{5, 0}, {0, 7}});
  auto const r = make("r", {{0, 0}, {0, 0}});
  auto const norm = sum_view<float, Device>();
  auto const dot = sum_view<Complex32, Device>();
  PartialSums<Device, Complex32> const sums(exec, 2);
  residual(exec, A, b, x, r, norm, sums);
  exec.fence();
  EXPECT_EQ(download<Complex32>(r), (std::vector<Complex32>{{3, 0}, {0, 4}}));
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), norm)(), 25);
  multiply_dot(exec, A, x, r, dot, sums);
  exec.fence();
  EXPECT_EQ(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dot)(), Complex32(4, 9));
}

// More rows than there is room for sums: each is of several rows' parts.
TEST(FusedDevice, SumsOfManyRowsKeepTheirBound) {
  using Types = Operands<Device, double, double, double, std::int32_t>;
  auto const m = stencil(1009, 907);
  auto const A = device_csr<double, std::int32_t, Device>(m);
  auto const host = host_copy(A);
  for (auto const kernel : {CsrSpmvKernel::automatic, CsrSpmvKernel::thread_per_row})
    check_one_shot<Types>(A, host.pointers(), {.kernel = kernel}, m.name, {{1, 1, 0}});
  check_one_shot<Types>(csr_to_sell(Device(), A, {.slice_height = 32, .diagonals = true}), host.pointers(), {}, m.name,
                        {{1, 1, 0}});
}

#ifdef KOKKOS_ENABLE_CUDA
// Captured once and replayed on new operands, with other products that use the plan's sums between.
TEST(FusedCapture, PlansReplayInAGraph) {
  using Vector = Kokkos::View<double*, Kokkos::Cuda::device_type>;
  Kokkos::Cuda const exec;
  auto const m = stencil(97, 61);
  auto const A = device_csr<double, std::int32_t, Kokkos::Cuda>(m);
  auto const n = static_cast<std::size_t>(m.rows);
  Vector const x("x", n);
  Vector const y("y", n);
  Vector const r("r", n);
  Kokkos::View<double[4], Kokkos::Cuda::device_type> const sums("sums");
  auto const sum = [&](int i) { return Kokkos::subview(sums, i); };
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  auto const report = make_plan(exec, SpmvDesc{}, A).report();
  for (auto const& candidate : report.candidates) {
    SCOPED_TRACE(label(candidate.choice));
    auto const plan = make_plan(exec, SpmvDesc{}, A, {.choice = candidate.choice});
    Kokkos::fence("test: the plan is ready");
    Kokkos::Cuda const captured(stream);
    auto const both = [&](int first) {
      plan.multiply_dot(captured, x, y, sum(first));
      plan.residual(captured, x, y, r, sum(first + 1));
    };
    both(0);  // whatever happens on a first launch happens outside the graph
    captured.fence("test: the first launch");
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    both(0);
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);
    for (double const scale : {1.0, -3.0}) {
      std::vector<double> values(n);
      for (std::size_t i = 0; i < n; ++i) values[i] = scale * static_cast<double>(i % 7);
      Kokkos::deep_copy(x, Kokkos::View<double const*, Kokkos::HostSpace>(values.data(), n));
      Kokkos::deep_copy(sums, -1.0);
      ASSERT_EQ(cudaGraphLaunch(replay, stream), cudaSuccess);
      both(2);
      captured.fence("test: both");
      auto const got = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
      EXPECT_NEAR(got(0), got(2), 1e-12 * std::abs(got(2)));  // some kernels add by atomics
      EXPECT_NEAR(got(1), got(3), 1e-12 * std::abs(got(3)));
      EXPECT_GT(got(1), 0);
    }
    EXPECT_EQ(cudaGraphExecDestroy(replay), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  }
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}
#endif

TEST(FusedDevice, WrongOperandsAreRefused) {
  Device const exec;
  using Vector = Kokkos::View<double*, Device>;
  auto const A = device_csr<double, std::int32_t, Device>(random_matrix("60 x 40", 60, 40, 5));
  auto const square = device_csr<double, std::int32_t, Device>(random_matrix("60 x 60", 60, 60, 5));
  Vector const x("x", 40);
  Vector const long_x("long x", 60);
  Vector const b("b", 60);
  Vector const r("r", 60);
  Kokkos::View<double, Device> const sum("sum");
  PartialSums<Device, double> const sums(exec, 60);
  PartialSums<Device, double> const small(exec, 8);
  auto const plan = make_plan(exec, SpmvDesc{}, A);
  auto const square_plan = make_plan(exec, SpmvDesc{}, square);
  EXPECT_EQ(kind_of([&] { residual(exec, A, b, long_x, r); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { residual(exec, A, x, x, r); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { residual(exec, A, b, x, x); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { residual(exec, A, b, x, b); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { residual(exec, square, b, long_x, long_x); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { residual(exec, A, b, x, r, sum, small); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { residual(exec, A, b, x, r, sum, {}); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { multiply_dot(exec, A, x, r, sum, sums); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { multiply_dot(exec, square, b, b, sum, sums); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { multiply_dot(exec, square, b, r, sum, small); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { plan.residual(exec, b, long_x, r); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { plan.multiply_dot(exec, x, r, sum); }), ErrorKind::dimension_mismatch);
  EXPECT_EQ(kind_of([&] { square_plan.multiply_dot(exec, b, b, sum); }), ErrorKind::invalid_argument);
  Kokkos::View<double**, Kokkos::LayoutRight, Device> const wide("wide", 60, 2);
  auto const strided = Kokkos::subview(wide, Kokkos::ALL, 0);
  for (auto const& within : {Kokkos::subview(b, 59), Kokkos::subview(x, 0), Kokkos::subview(r, 7)})
    EXPECT_EQ(kind_of([&] { residual(exec, A, b, x, r, within, sums); }), ErrorKind::invalid_argument);
  for (auto const& within : {Kokkos::subview(b, 0), Kokkos::subview(r, 59)})
    EXPECT_EQ(kind_of([&] { multiply_dot(exec, square, b, r, within, sums); }), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { multiply_dot(exec, square, b, strided, Kokkos::subview(wide, 7, 0), sums); }),
            ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { square_plan.multiply_dot(exec, b, r, Kokkos::subview(r, 59)); }),
            ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of([&] { plan.residual(exec, b, x, r, Kokkos::subview(x, 0)); }), ErrorKind::invalid_argument);
  multiply_dot(exec, square, b, strided, Kokkos::subview(wide, 7, 1), sums);  // between elements of y
  exec.fence("test: products are done before their operands go");
  EXPECT_EQ(kind_of([&] { plan.residual(exec, strided, x, r); }), ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { square_plan.multiply_dot(exec, b, strided, sum); }), ErrorKind::unsupported);
}

}  // namespace
}  // namespace araia::test
