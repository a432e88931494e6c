// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose packed matrix, partition or steps a plan owns: products, new values, and the source released.
#include <araia/detail/ops/csr_partition.hpp>
#include <araia/ops/spmm.hpp>
#include <string>

#include "plan/plan_checks.hpp"

namespace araia::test {
namespace {

TEST(Plan, OwnsThePartitionOfItsKernel) {
  Device const exec;
  std::vector<std::int64_t> lengths(2000, 3);
  lengths[7] = 3000;
  auto const m = with_row_lengths("skewed", 4000, lengths);
  auto const A = device_csr<double, std::int32_t, Device>(m);
  using Types = Operands<Device, double, double, double, std::int32_t>;
  auto other = m;
  for (double& v : other.values) v = 3 * v - 1;
  auto const B = device_csr<double, std::int32_t, Device>(other);
  std::vector<Choice> all;
  for (auto const& choice : choices_of(make_plan(exec, SpmvDesc{}, A).report()))
    if (choice.kernel == "balanced" || choice.kernel == "equal_chunks") all.push_back(choice);
  EXPECT_EQ(all.size(), detail::is_cuda_space<Device> ? 2u : 1u);
  for (auto const& choice : all) {
    auto plan = make_plan(exec, SpmvDesc{}, A, {.deterministic = true, .choice = choice});
    CsrSpmvKernel const kernel = choice.kernel == "balanced" ? CsrSpmvKernel::balanced : CsrSpmvKernel::equal_chunks;
    EXPECT_EQ(plan.bytes(), A.bytes() + partition_rows(exec, A, kernel).bytes());
    EXPECT_EQ(plan.report().winner().bytes, plan.bytes());
    EXPECT_NE(plan.explain().find("chosen: csr/" + choice.kernel), std::string::npos);
    EXPECT_TRUE(plan.verify(exec).ok);
    check_execute<Types>(plan, host_copy(A), 1, false, "skewed");
    plan.update_values(exec, B.values);
    check_execute<Types>(plan, host_copy(B), 1, false, "skewed, new values");
    Choice by_length = choice;
    by_length.rows_by_length = true;
    EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.choice = by_length}); }), ErrorKind::unsupported);
    EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{.op = Op::transpose}, A, {.choice = choice}); }),
              ErrorKind::unsupported);
  }
  auto const measured = make_plan(exec, SpmvDesc{}, A, {.measure = true, .budget = 0.2, .formats = {"csr"}});
  EXPECT_TRUE(measured.verify(exec).ok);
  EXPECT_GE(measured.bytes(), A.bytes());
}

// The same of SpMM on CUDA, whose carries have the columns of the description; wider products go in slices.
TEST(Plan, OwnsTheChunksOfItsSpmmKernel) {
  if constexpr (!detail::is_cuda_space<Device>) GTEST_SKIP() << "csr/merge_split is of CUDA";
  Device const exec;
  std::vector<std::int64_t> lengths(2000, 3);
  lengths[7] = lengths[1999] = 3000;
  auto const m = with_row_lengths("skewed", 4000, lengths);
  auto const A = device_csr<double, std::int32_t, Device>(m);
  using Types = Operands<Device, double, double, double, std::int32_t>;
  auto other = m;
  for (double& v : other.values) v = 3 * v - 1;
  auto const B = device_csr<double, std::int32_t, Device>(other);
  Choice const choice{.format = "csr", .kernel = "merge_split"};
  for (std::int64_t const columns : {1, 6, 64}) {
    SpmmDesc const desc{.columns = columns, .layout_b = DenseLayout::right, .layout_c = DenseLayout::right};
    auto plan = make_plan(exec, desc, A, {.deterministic = true, .choice = choice});
    auto const partition = partition_rows(exec, A, CsrSpmmKernel::merge_split, columns);
    EXPECT_EQ(partition.bytes(), detail::csr_spmm_partition_bytes(A.rows, A.nnz, columns, sizeof(double)));
    EXPECT_EQ(plan.bytes(), A.bytes() + partition.bytes());
    EXPECT_EQ(plan.report().winner().bytes, plan.bytes());
    EXPECT_TRUE(plan.verify(exec).ok);
    check_execute<Types>(plan, host_copy(A), columns, true, "skewed");
    plan.update_values(exec, B.values);
    check_execute<Types>(plan, host_copy(B), columns, true, "skewed, new values");
  }
  SpmmDesc const by_columns{.columns = 4, .layout_b = DenseLayout::left, .layout_c = DenseLayout::left};
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, by_columns, A, {.choice = choice}); }), ErrorKind::unsupported);
  Kokkos::View<double**, Kokkos::LayoutRight, Device> const X("X", 4000, 4);
  Kokkos::View<double**, Kokkos::LayoutRight, Device> const Y("Y", 2000, 4);
  CsrSpmmTuning tuning{.kernel = CsrSpmmKernel::merge_split};
  auto const call = [&] { spmm(exec, Op::none, 1.0, A, X, 0.0, Y, tuning); };
  EXPECT_EQ(kind_of(call), ErrorKind::invalid_argument);  // no partition
  auto const of_entries = partition_rows(exec, A, CsrSpmvKernel::equal_chunks);
  tuning.partition = of_entries.pointers();
  EXPECT_EQ(kind_of(call), ErrorKind::invalid_argument);
  auto const of_spmv = partition_rows(exec, A);
  tuning.partition = of_spmv.pointers();
  EXPECT_EQ(kind_of(call), ErrorKind::invalid_argument);
  auto const of_two = partition_rows(exec, A, CsrSpmmKernel::merge_split, 2);
  tuning.partition = of_two.pointers();
  call();  // two slices
  EXPECT_EQ(kind_of([&] { (void)partition_rows(exec, A, CsrSpmmKernel::row_per_warp, 4); }),
            ErrorKind::invalid_argument);
  for (std::int64_t const columns : {std::int64_t{0}, std::int64_t{1} << 61})
    EXPECT_EQ(kind_of([&] { (void)partition_rows(exec, A, CsrSpmmKernel::merge_split, columns); }),
              ErrorKind::invalid_argument);
}

/// The plan of `choice`, whose kernel is CUDA's alone, holds a packing of `m` of its own, of so many bytes an entry.
/// \param packing  its storage label
void check_packing(TestMatrix const& m, Choice const& choice, std::string const& packing,
                   std::uint64_t least_entry_bytes) {
  Device const exec;
  auto const A = device_csr<double, std::int32_t, Device>(m);
  using Types = Operands<Device, double, double, double, std::int32_t>;
  EXPECT_EQ(storage_label(choice), packing);
  if (!detail::is_cuda_space<Device>) {
    EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.choice = choice}); }), ErrorKind::unsupported);
    return;
  }
  auto other = m;
  for (double& v : other.values) v = 3 * v - 1;
  auto const B = device_csr<double, std::int32_t, Device>(other);
  auto plan = make_plan(exec, SpmvDesc{}, A, {.deterministic = true, .choice = choice});
  EXPECT_EQ(plan.choice(), choice);
  auto const& winner = plan.report().winner();
  EXPECT_TRUE(winner.footprint.exact);
  EXPECT_EQ(winner.bytes, plan.bytes());
  EXPECT_GE(winner.footprint.slots, A.nnz);
  EXPECT_GE(plan.bytes(), static_cast<std::uint64_t>(A.nnz) * least_entry_bytes);
  EXPECT_TRUE(plan.verify(exec).ok);
  check_execute<Types>(plan, host_copy(A), 1, false, packing);
  plan.update_values(exec, B.values);
  check_execute<Types>(plan, host_copy(B), 1, false, packing + ", new values");
  plan.release_source();
  check_execute<Types>(plan, host_copy(B), 1, false, packing + ", source released");
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{.op = Op::transpose}, A, {.choice = choice}); }),
            ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmmDesc{.columns = 2}, A, {.choice = choice}); }),
            ErrorKind::unsupported);
  EXPECT_EQ(kind_of([&] { (void)make_plan(exec, SpmvDesc{}, A, {.memory_limit = 1000, .choice = choice}); }),
            ErrorKind::resource_limit);
}

TEST(Plan, OwnsThePanelsOfItsKernel) {
  std::vector<std::int64_t> lengths(3000, 7);
  lengths[11] = 4000;
  check_packing(with_row_lengths("skewed", 5000, lengths), {.format = "csr", .kernel = "column_panels"},
                "csr in panels", 8 + 2 + 2);
}

/// A plan of csr/column_panels for a matrix of more columns than shared memory holds: its entries lie anywhere, or at
/// both ends alone in rows that are permuted, where no span lies between two.
template <class A, class X, class Offset>
void check_spans_of_columns(bool ends_alone) {
  using Types = Operands<Device, A, X, X, Offset>;
  Device const exec;
  constexpr std::int64_t cols = sizeof(X) == 4 ? 14000001 : 7000003;
  Choice const choice{.format = "csr", .kernel = "column_panels"};
  std::string const what = ends_alone ? "both ends" : "anywhere";
  auto m = random_matrix("random", 700, cols, 11);
  if (ends_alone)
    for (std::size_t k = 0; k < m.col_indices.size(); ++k)
      m.col_indices[k] = static_cast<std::int32_t>(static_cast<std::int64_t>(k % 11) + (k % 11 < 5 ? 0 : cols - 11));
  auto before = device_csr<A, Offset, Device>(m);
  for (double& v : m.values) v = 2 - v;
  auto after = device_csr<A, Offset, Device>(m);
  if (ends_alone) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(m.rows));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(order.size() - 1 - i);
    before.row_permutation = after.row_permutation =
        upload<std::int32_t, typename Device::device_type>("row_permutation", order);
  }
  auto plan = make_plan<X, X>(exec, SpmvDesc{}, before, {.deterministic = true, .choice = choice});
  EXPECT_EQ(plan.report().winner().bytes, plan.bytes());
  check_execute<Types>(plan, host_copy(before), 1, false, what);
  plan.update_values(exec, after.values);
  plan.release_source();
  check_execute<Types>(plan, host_copy(after), 1, false, what + ", new values");
  EXPECT_EQ(kind_of([&] {
              (void)make_plan<X, X>(exec, SpmvDesc{}, before, {.memory_limit = plan.bytes() - 1, .choice = choice});
            }),
            ErrorKind::resource_limit);
}

TEST(Plan, AddsUpSpansOfColumns) {
  if (!detail::is_cuda_space<Device>) GTEST_SKIP() << "csr/column_panels is of CUDA";
  for (bool const ends_alone : {false, true}) {
    check_spans_of_columns<double, double, std::int32_t>(ends_alone);
    check_spans_of_columns<double, double, std::int64_t>(ends_alone);
#ifndef ARAIA_TYPES_MINIMAL
    check_spans_of_columns<float, float, std::int32_t>(ends_alone);
    check_spans_of_columns<float, double, std::int32_t>(ends_alone);
#endif
  }
}

// Random columns: gaps of more than a step among them.
TEST(Plan, OwnsTheStepsOfItsKernel) {
  check_packing(random_matrix("random", 900, 9000, 9), {.format = "csr", .kernel = "column_steps"}, "csr in steps", 8);
}

TEST(Plan, OwnsTheSlicesOfItsKernel) {
  for (int const size : {2, 3, 4}) {
    std::string const shape = std::to_string(size);
    check_packing(random_matrix("random", 901, 1100, 9),
                  {.format = "bsr", .kernel = "slices", .block_rows = size, .block_cols = size},
                  "bsr{block_rows " + shape + ", block_cols " + shape + "} in slices", 8);
  }
}

}  // namespace
}  // namespace araia::test
