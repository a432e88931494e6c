// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans that hold a packed Csr, or the dense matrix: the model takes them where they win, they are right in the
// precision that they promise, take new values, are pinned by their choice and replayed in graphs.
#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <gtest/gtest.h>

#include <araia/plan/plan.hpp>
#include <limits>
#include <string>
#include <vector>

#include "backends/cuda/spmm/dense_cublas/built.hpp"
#include "src/engine/names.hpp"
#include "support/check.hpp"
#include "support/device.hpp"
#include "support/errors.hpp"
#include "support/zoo.hpp"

namespace araia::test {
namespace {

using Cuda = Kokkos::Cuda;
using Offset = std::int32_t;
template <class T>
using Matrix = Csr<T, std::int32_t, Offset, Cuda::device_type>;
template <class T>
using Dense = Kokkos::View<T**, Kokkos::LayoutRight, Cuda::device_type>;

constexpr std::int64_t many = 256;  // columns, enough for every kernel

Choice packed(char const* kernel) { return {.format = "csr", .kernel = kernel}; }
Choice const dense{.format = "dense", .kernel = "cublas"};

/// B and C of a product, and C's bits after it.
template <class T>
struct Product {
  Product(std::int64_t rows, std::int64_t cols, std::int64_t columns)
      : b("test::b", static_cast<std::size_t>(cols), static_cast<std::size_t>(columns)),
        c("test::c", static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)) {
    auto const host = Kokkos::create_mirror_view(b);
    for (std::size_t i = 0; i < host.size(); ++i)
      host.data()[i] = static_cast<T>(static_cast<double>(i * 7919 % 2048) / 1024 - 1);
    Kokkos::deep_copy(b, host);
  }
  std::vector<T> of(auto const& plan) const {
    Cuda const exec;
    Kokkos::deep_copy(exec, c, T(-3));
    plan.execute(exec, T(0.75), b, T(-0.5), c);
    exec.fence("test: the product");
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), c);
    return {host.data(), host.data() + host.size()};
  }
  Dense<T> b, c;
};

/// Rows of about `mean` entries.
TestMatrix pruned(std::int64_t rows, std::int64_t cols, std::int64_t mean) {
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = mean - 5 + static_cast<std::int64_t>(i * 7 % 11);
  return with_row_lengths("pruned", cols, lengths);
}

#ifndef ARAIA_TYPES_MINIMAL
TestMatrix with_other_values(TestMatrix m) {
  for (double& v : m.values) v = 3 * v - 1;
  return m;
}

/// Kernels in the precision that they need.
struct PackedFor {
  Choice choice;
  Precision precision = Precision::native;
};
std::vector<PackedFor> packed_in_float() {
  std::vector<PackedFor> all{{packed("padded_rows")}, {packed("row_groups")}, {packed("jammed")}, {packed("lockstep")}};
  if (Cuda().cuda_device_prop().major == 9)
    for (Precision const p : opt_in_precisions) all.push_back({packed("tensor_tiles"), p});
  if (cuda::has_cublas())
    for (Precision const p : {Precision::native, Precision::tf32, Precision::bf16}) all.push_back({dense, p});
  return all;
}

std::string name_of(PackedFor const& packing) {
  return label(packing.choice) + " in " + precision_name(packing.precision);
}

SpmmDesc desc_of(PackedFor const& packing, std::int64_t columns = many) {
  return {.columns = columns, .precision = packing.precision};
}
PlanOptions options_of(PackedFor const& packing, bool keep_maps = false) {
  return {.keep_maps = keep_maps, .allow_dense = true, .choice = packing.choice};
}

bool has_row_of_one_entry(TestMatrix const& m) {
  for (std::size_t i = 1; i < m.row_offsets.size(); ++i)
    if (m.row_offsets[i] - m.row_offsets[i - 1] == 1) return true;
  return false;
}

TEST(PackedPlan, EveryKernelHoldsItsBoundOnTheZoo) {
  Cuda const exec;
  auto matrices = zoo();
  matrices.push_back(pruned(300, 260, 90));
  matrices.push_back(unsorted_with_duplicates(random_matrix("duplicates", 100, 80, 9)));
  for (auto const& m : matrices) {
    auto const A = device_csr<float, Offset, Cuda>(m);
    for (auto const& packing : packed_in_float())
      for (std::int64_t const columns : {std::int64_t{101}, many}) {
        SCOPED_TRACE(m.name + ", " + name_of(packing));
        try {
          auto const plan = make_plan(exec, desc_of(packing, columns), A, options_of(packing));
          EXPECT_EQ(plan.choice(), packing.choice);
          auto const verified = plan.verify(exec);
          EXPECT_TRUE(verified.ok) << verified.first_violation;
          EXPECT_TRUE(plan.capturable());
        } catch (Error const& e) {
          // Nothing to pack, or rows that cuBLAS in tf32 cannot promise.
          bool const cuts = packing.choice.format == "dense" && allows_tf32(packing.precision);
          EXPECT_TRUE(e.kind() == ErrorKind::unsupported && (m.nnz() == 0 || (cuts && has_row_of_one_entry(m))))
              << e.what();
        }
      }
  }
}

TEST(PackedPlan, NewValuesGiveTheBitsOfAFreshPlan) {
  Cuda const exec;
  auto m = pruned(300, 260, 90);
  m.col_indices[3] = m.col_indices[2];  // a duplicate
  auto const A = device_csr<float, Offset, Cuda>(m);
  auto const B = device_csr<float, Offset, Cuda>(with_other_values(m));
  Product<float> const product(300, 260, many);
  for (auto const& packing : packed_in_float())
    for (bool const keep_maps : {false, true}) {
      SCOPED_TRACE(name_of(packing) + (keep_maps ? ", with maps" : ""));
      auto plan = make_plan(exec, desc_of(packing), A, options_of(packing, keep_maps));
      auto const fresh = make_plan(exec, desc_of(packing), B, options_of(packing));
      auto const before = product.of(plan);
      plan.update_values(exec, B.values);
      auto const after = product.of(plan);
      EXPECT_NE(after, before);
      EXPECT_EQ(after, product.of(fresh));
      EXPECT_TRUE(plan.verify(exec).ok);
      plan.release_source();
      EXPECT_EQ(product.of(plan), after);
    }
}

// Nothing lies between the kernel that writes the values and the product, whose blocks must not read them before.
TEST(PackedPlan, TheVeryNextProductSeesNewValues) {
  Cuda const exec;
  auto const m = pruned(1024, 1024, 410);
  auto const A = device_csr<float, Offset, Cuda>(m);
  auto const B = device_csr<float, Offset, Cuda>(with_other_values(m));
  Product<float> const product(1024, 1024, many);
  for (auto const& packing : packed_in_float()) {
    SCOPED_TRACE(name_of(packing));
    auto plan = make_plan(exec, desc_of(packing), A, options_of(packing, true));
    auto const product_of = [&](auto const& of) {
      of.execute(exec, 0.75f, product.b, 0.0f, product.c);
      exec.fence("test: the product");
      auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), product.c);
      return std::vector<float>(host.data(), host.data() + host.size());
    };
    auto const first = product_of(plan);
    auto const second = product_of(make_plan(exec, desc_of(packing), B, options_of(packing)));
    EXPECT_NE(first, second);
    for (int i = 0; i < 10; ++i) {
      plan.update_values(exec, B.values);
      EXPECT_EQ(product_of(plan), second);
      plan.update_values(exec, A.values);
      EXPECT_EQ(product_of(plan), first);
    }
  }
}

TEST(PackedPlan, ReleasedSourcesAreKeptOnlyWhereSumsAreMadeAgain) {
  Cuda const exec;
  for (auto const& packing : packed_in_float()) {
    SCOPED_TRACE(name_of(packing));
    auto const A = device_csr<float, Offset, Cuda>(pruned(300, 260, 90));
    Product<float> const product(300, 260, many);
    auto plan = make_plan(exec, desc_of(packing), A, options_of(packing));
    auto const before = product.of(plan);
    plan.release_source();
    bool const again = packing.choice.kernel == "row_groups" || packing.choice.kernel == "jammed" ||
                       packing.choice.kernel == "tensor_tiles";
    EXPECT_EQ(A.values.use_count(), 1);
    EXPECT_EQ(A.row_offsets.use_count(), again ? 2 : 1);
    EXPECT_EQ(A.col_indices.use_count(), again ? 2 : 1);
    EXPECT_EQ(product.of(plan), before);
    EXPECT_EQ(kind_of([&] { plan.update_values(exec, A.values); }), ErrorKind::unsupported);
  }
}

// A sum that is not finite is made again, from the values that the plan was given.
TEST(PackedPlan, InfinitiesSeeTheNewValuesAndOnlyTheirRows) {
  Cuda const exec;
  auto const m = pruned(300, 260, 90);
  auto const A = device_csr<float, Offset, Cuda>(m);
  auto const B = device_csr<float, Offset, Cuda>(with_other_values(m));
  Product<float> const product(300, 260, many);
  auto const b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), product.b);
  b(7, 5) = std::numeric_limits<float>::infinity();
  Kokkos::deep_copy(product.b, b);
  for (auto const& packing : packed_in_float()) {
    if (packing.choice.format == "dense") continue;  // its zeros meet the infinity
    SCOPED_TRACE(name_of(packing));
    auto plan = make_plan(exec, desc_of(packing), A, options_of(packing, true));
    plan.update_values(exec, B.values);
    auto const got = product.of(plan);
    for (std::size_t i = 0; i < 300; ++i) {
      double value = 0;  // of the entry that meets the infinity
      for (auto k = static_cast<std::size_t>(m.row_offsets[i]); k < static_cast<std::size_t>(m.row_offsets[i + 1]); ++k)
        if (m.col_indices[k] == 7) value = 3 * m.values[k] - 1;
      float const element = got[i * static_cast<std::size_t>(many) + 5];
      if (value == 0)
        ASSERT_TRUE(std::isfinite(element)) << "row " << i;
      else
        ASSERT_EQ(element, value > 0 ? b(7, 5) : -b(7, 5)) << "row " << i;
    }
  }
}

TEST(PackedPlan, TheModelTakesThemWhereTheyWinAndSaysWhatPackingCosts) {
  Cuda const exec;
  if (exec.cuda_device_prop().major != 9) GTEST_SKIP() << "the rule is that of compute capability 9.0";
  auto const A = device_csr<float, Offset, Cuda>(pruned(1024, 1024, 410));
  auto const kernel_for = [&](std::int64_t columns, Precision precision, bool allow_dense) {
    auto const plan =
        make_plan(exec, SpmmDesc{.columns = columns, .precision = precision}, A, {.allow_dense = allow_dense});
    EXPECT_NE(plan.explain().find("paid back"), std::string::npos) << plan.explain();
    EXPECT_TRUE(plan.verify(exec).ok) << label(plan.choice());
    EXPECT_TRUE(plan.report().winner().footprint.exact);
    EXPECT_EQ(plan.bytes(), plan.report().winner().bytes);
    EXPECT_GE(plan.bytes(), static_cast<std::uint64_t>(A.nnz) * 6);
    if (precision != Precision::native) {
      EXPECT_NE(plan.explain().find(precision_name(precision)), std::string::npos);
    }
    auto const again = make_plan(exec, SpmmDesc{.columns = columns, .precision = precision}, A,
                                 {.allow_dense = allow_dense, .choice = choice_from_json(to_json(plan.choice()))});
    EXPECT_EQ(again.choice(), plan.choice());
    Product<float> const product(1024, 1024, columns);
    EXPECT_EQ(product.of(again), product.of(plan));
    return label(plan.choice());
  };
  EXPECT_EQ(kernel_for(64, Precision::native, false), "csr/padded_rows");
  EXPECT_EQ(kernel_for(2048, Precision::native, false), "csr/jammed");
  EXPECT_EQ(kernel_for(2048, Precision::fp32_3xtf32, false), "csr/tensor_tiles");
  for (Precision const p : {Precision::tf32, Precision::fp16, Precision::bf16})
    EXPECT_EQ(kernel_for(2048, p, false), "csr/tensor_tiles");
  if (cuda::has_cublas()) {
    EXPECT_EQ(kernel_for(2048, Precision::tf32, true), "dense/cublas");
  }
}

TEST(PackedPlan, MeasuringVerifiesEveryOneInItsPrecision) {
  Cuda const exec;
  auto const A = device_csr<float, Offset, Cuda>(pruned(512, 512, 200));
  auto const plan = make_plan(exec, SpmmDesc{.columns = 128, .precision = Precision::tf32}, A,
                              {.measure = true, .budget = 10, .allow_dense = true});
  std::vector<std::string> seen;
  for (auto const& c : plan.report().candidates) {
    EXPECT_NE(c.status, CandidateStatus::wrong) << label(c.choice) << ": " << c.reason;
    EXPECT_NE(c.status, CandidateStatus::failed) << label(c.choice) << ": " << c.reason;
    bool const packed = c.choice.format == "dense" || !detail::packing_of(c.choice.format, c.choice.kernel).empty();
    if (packed && c.status == CandidateStatus::timed) {
      EXPECT_GT(c.conversion_seconds, 0) << label(c.choice);
      seen.push_back(label(c.choice));
    }
  }
  EXPECT_GE(seen.size(), 3u);
  EXPECT_TRUE(plan.report().winner().verified.ok);
}

TEST(PackedPlan, RefusesWhatWasNotAllowed) {
  Cuda const exec;
  auto const A = device_csr<float, Offset, Cuda>(pruned(300, 260, 90));
  auto const with = [&](SpmmDesc const& desc, PlanOptions const& options) {
    return kind_of([&] { (void)make_plan(exec, desc, A, options); });
  };
  EXPECT_EQ(with({.columns = many}, {.choice = packed("tensor_tiles")}), ErrorKind::unsupported);
  EXPECT_EQ(with({.columns = many}, {.choice = dense}), ErrorKind::unsupported);
  EXPECT_EQ(with({.columns = 8}, {.choice = packed("jammed")}), ErrorKind::unsupported);
  EXPECT_EQ(with({.op = Op::transpose, .columns = many}, {.choice = packed("padded_rows")}), ErrorKind::unsupported);
  EXPECT_EQ(with({.columns = many, .layout_b = DenseLayout::left}, {.choice = packed("padded_rows")}),
            ErrorKind::unsupported);
  EXPECT_EQ(with({.columns = many}, {.memory_limit = 1000, .choice = packed("lockstep")}), ErrorKind::resource_limit);
  if (cuda::has_cublas()) {
    EXPECT_EQ(with({.columns = many}, {.memory_limit = 1000, .allow_dense = true, .choice = dense}),
              ErrorKind::resource_limit);
  }
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.choice = packed("padded_rows")}); }),
            ErrorKind::unsupported);
}

TEST(PackedPlan, ReplaysInAGraphWithNewValues) {
  auto const m = pruned(300, 260, 90);
  auto const A = device_csr<float, Offset, Cuda>(m);
  auto const B = device_csr<float, Offset, Cuda>(with_other_values(m));
  Product<float> const product(300, 260, many);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  Kokkos::fence("test: the operands are ready");
  for (auto const& packing : packed_in_float()) {
    SCOPED_TRACE(name_of(packing));
    Cuda const captured(stream);
    auto plan = make_plan(captured, desc_of(packing), A, options_of(packing, true));
    plan.execute(captured, 0.75f, product.b, 0.0f, product.c);
    captured.fence("test: the first launch");
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    plan.execute(captured, 0.75f, product.b, 0.0f, product.c);
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);
    for (bool const update : {false, true}) {
      if (update) plan.update_values(captured, B.values);
      auto const result = [&] {
        captured.fence("test: a product");
        auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), product.c);
        return std::vector<float>(host.data(), host.data() + host.size());
      };
      plan.execute(captured, 0.75f, product.b, 0.0f, product.c);
      auto const expected = result();
      Kokkos::deep_copy(captured, product.c, -1.0f);
      ASSERT_EQ(cudaGraphLaunch(replay, stream), cudaSuccess);
      EXPECT_EQ(result(), expected) << (update ? "new values" : "first values");
    }
    EXPECT_EQ(cudaGraphExecDestroy(replay), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  }
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(PackedPlan, TakesWideOffsetsToo) {
  Cuda const exec;
  auto const m = pruned(300, 260, 90);
  auto const A = device_csr<float, std::int64_t, Cuda>(m);
  auto const B = device_csr<float, std::int64_t, Cuda>(with_other_values(m));
  for (auto const& packing : packed_in_float()) {
    SCOPED_TRACE(name_of(packing));
    auto plan = make_plan(exec, desc_of(packing), A, options_of(packing));
    EXPECT_TRUE(plan.verify(exec).ok);
    plan.update_values(exec, B.values);
    EXPECT_TRUE(plan.verify(exec).ok);
  }
}
#endif

// Long rows are cut, and their parts wait in the plan's workspace.
TEST(PackedPlan, GroupsOfRowsMultiplyVerySparseMatricesWithLongRows) {
  Cuda const exec;
  std::vector<std::int64_t> lengths(3000, 4);
  lengths[7] = lengths[1500] = 2500;
  auto const m = with_row_lengths("long rows", 2700, lengths);
  auto const A = device_csr<double, Offset, Cuda>(m);
  auto other = m;
  for (double& v : other.values) v = 2 - v;
  auto const B = device_csr<double, Offset, Cuda>(other);
  for (std::int64_t const columns : {1, 8, 13, 64, 200})
    for (bool const keep_maps : {false, true}) {
      SCOPED_TRACE(std::to_string(columns) + (keep_maps ? " columns, with maps" : " columns"));
      auto plan =
          make_plan(exec, SpmmDesc{.columns = columns}, A, {.keep_maps = keep_maps, .choice = packed("row_groups")});
      EXPECT_TRUE(plan.verify(exec).ok) << plan.verify(exec).first_violation;
      plan.update_values(exec, B.values);
      EXPECT_TRUE(plan.verify(exec).ok) << plan.verify(exec).first_violation;
    }
}

TEST(PackedPlan, LowerPrecisionIsAPermissionThatDoubleDoesNotUse) {
  Cuda const exec;
  auto const A = device_csr<double, Offset, Cuda>(pruned(300, 260, 90));
  auto const plan = make_plan(exec, SpmmDesc{.columns = many, .precision = Precision::tf32}, A, {.measure = true});
  auto const& report = plan.report();
  EXPECT_TRUE(report.winner().verified.ok);
  EXPECT_EQ(precision_of(report.problem, plan.choice()), Precision::native);
  auto const rows = make_plan(exec, SpmmDesc{.columns = many}, A, {.choice = packed("padded_rows")});
  EXPECT_TRUE(rows.verify(exec).ok);
  if (cuda::has_cublas()) {
    auto const gemm = make_plan(exec, SpmmDesc{.columns = many}, A, {.allow_dense = true, .choice = dense});
    EXPECT_TRUE(gemm.verify(exec).ok);
  }
}

}  // namespace
}  // namespace araia::test
#endif
