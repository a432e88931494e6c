// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a plan takes, shares and notices: broken matrices, indices of other types, copies, values that change in place.
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/formats/make_csr.hpp>
#include <araia/plan/plan_from.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/plan_checks.hpp"
#include "support/formats.hpp"

namespace araia::test {
namespace {

using OneType = Operands<Device, double, double, double, std::int32_t>;
using DeviceVector = Kokkos::View<double*, Device>;

template <class Matrix, class Desc>
void expect_refused(Matrix const& A, Desc const& desc, std::string const& text) {
  expect_error(ErrorKind::invalid_structure, {text}, [&] { make_plan(Device(), desc, A); });
}

TEST(PlanLife, BrokenMatricesAreNamed) {
  auto const fresh = small_csr();
  auto const offsets = download<int>(fresh.row_offsets);
  auto const with = [&](int row, int offset) {
    auto A = small_csr();
    poke(A.row_offsets, static_cast<std::size_t>(row), offset);
    return A;
  };
  auto const entry = static_cast<std::size_t>(offsets[7]);
  for (int const column : {40, -1}) {
    auto A = small_csr();
    poke(A.col_indices, entry, column);
    auto const text = "the column is " + std::to_string(column) + ", in row 7, and cols is 40";
    expect_refused(A, SpmvDesc{}, text);
    expect_refused(A, SpmmDesc{.columns = 3}, text);
    expect_refused(csr_to_coo(Device(), A, {.validate = false}), SpmvDesc{}, "col_indices must lie in [0, cols)");
  }
  auto const nnz = static_cast<int>(fresh.nnz);
  expect_refused(with(8, nnz + 5), SpmvDesc{}, "row_offsets(8) is " + std::to_string(nnz + 5));
  expect_refused(with(60, nnz + 1), SpmvDesc{},
                 "row_offsets(60) is " + std::to_string(nnz + 1) + ", nnz is " + std::to_string(nnz));
  auto A = small_csr();
  A.nnz = nnz + 1;
  expect_refused(A, SpmvDesc{}, "col_indices holds");
  EXPECT_NO_THROW(make_plan(Device(), SpmvDesc{}, fresh, {.validate = false}));
}

/// The same matrix with indices of other types.
template <class Offset, class Ordinal>
auto small_csr_of() {
  auto const m = small();
  auto A = make_csr(Device(), m.rows, m.cols, m.nnz(), upload<Offset, Device::device_type>("o", m.row_offsets),
                    upload<Ordinal, Device::device_type>("c", m.col_indices),
                    upload<double, Device::device_type>("v", m.values));
  return A;
}

template <class Offset, class Ordinal>
void check_indices(std::string const& what) {
  auto const host = host_copy(small_csr());
  for (std::string const format : {"csr", "sell"}) {
    auto A = std::optional(small_csr_of<Offset, Ordinal>());
    auto plan = make_plan(Device(), SpmvDesc{}, *A, {.formats = {format}});
    EXPECT_EQ(plan.shares_values(), format == "csr") << what;
    auto const values = A->values;
    auto const columns = A->col_indices;
    A.reset();  // the plan keeps what it reads, and nothing of what it has copied
    EXPECT_EQ(columns.use_count() > 1, sizeof(Ordinal) == sizeof(int)) << what;
    check_execute<OneType>(plan, host, 1, false, what + ", " + format);
    plan.update_values(Device(), values);
    check_execute<OneType>(plan, host, 1, false, what + ", " + format + ", new values");
    EXPECT_TRUE(plan.verify(Device()).ok) << what;
  }
  auto broken = small_csr_of<Offset, Ordinal>();
  poke(broken.col_indices, 0, 40);
  expect_refused(broken, SpmvDesc{}, "the column is 40, in row 0");
}

TEST(PlanLife, IndicesOfAnyTypeAreTaken) {
  check_indices<std::size_t, int>("size_t offsets");
  check_indices<std::int64_t, int>("int64 offsets");
  check_indices<std::uint32_t, int>("uint32 offsets");
  check_indices<int, std::uint32_t>("uint32 columns");
  check_indices<int, std::int64_t>("int64 columns");
  check_indices<std::size_t, std::size_t>("size_t everywhere");
  // A column beyond 32 bits must not come back within them.
  auto broken = small_csr_of<int, std::int64_t>();
  poke(broken.col_indices, 3, std::int64_t{1} << 32);
  expect_refused(broken, SpmvDesc{}, "the column is 4294967296");
  auto wide = small_csr_of<int, std::int64_t>();
  wide.cols = std::int64_t{1} << 32;
  EXPECT_EQ(kind_of([&] { make_plan(Device(), SpmvDesc{}, wide); }), ErrorKind::resource_limit);
}

TEST(PlanLife, CopiesAreTheSamePlan) {
  auto other = small();
  for (double& v : other.values) v = 3 * v - 1;
  auto const B = device_csr<double, std::int32_t, Device>(other);
  auto plan = make_plan(Device(), SpmvDesc{}, small_csr(), {.formats = {"sell"}});
  auto const copy = plan;
  plan.update_values(Device(), B.values);
  check_execute<OneType>(copy, host_copy(B), 1, false, "a copy");
  auto const moved = std::move(plan);
  check_execute<OneType>(moved, host_copy(B), 1, false, "moved");
  EXPECT_EQ(kind_of([&] { (void)plan.report(); }), ErrorKind::invalid_argument);  // NOLINT: after the move
  EXPECT_EQ(kind_of([&] { (void)plan.shares_values(); }), ErrorKind::invalid_argument);
}

void negate(DeviceVector const& values) {
  auto negated = download<double>(values);
  for (double& v : negated) v = -v;
  detail::copy_bytes<Device, Kokkos::HostSpace>(values.data(), negated.data(), negated.size() * sizeof(double));
}

/// Every choice for the description: products follow values that change in place where the plan says that it shares
/// them, and not where it does not.
template <class Desc>
void check_sharing(Desc const& desc, std::int64_t columns, int& sharing, int& others) {
  auto const m = random_matrix("60 x 60", 60, 60, 5);
  auto choices = choices_of(make_plan(Device(), desc, device_csr<double, std::int32_t, Device>(m)).report());
  // For larger B: on hosts, and on its source.
  if (columns > 1) choices.push_back({.format = "csr", .kernel = "copied_columns"});
  for (auto const& choice : choices) {
    auto const A = device_csr<double, std::int32_t, Device>(m);
    auto const before = host_copy(A);
    std::string const what = label(choice);
    using Made = decltype(make_plan(Device(), desc, A));
    std::optional<Made> plan;
    try {
      plan = make_plan(Device(), desc, A, {.choice = choice});
    } catch (Error const&) {
      continue;  // the structure does not allow it
    }
    negate(A.values);
    if (choice.kernel == "copied_columns") {
      EXPECT_TRUE(plan->shares_values());
    }
    check_execute<OneType>(*plan, plan->shares_values() ? host_copy(A) : before, columns, true, what);
    plan->update_values(Device(), A.values);
    check_execute<OneType>(*plan, host_copy(A), columns, true, what + ", told");
    ++(plan->shares_values() ? sharing : others);
  }
}

TEST(PlanLife, SharesValuesSaysWhichChangesShow) {
  int sharing = 0;
  int others = 0;
  check_sharing(SpmvDesc{}, 1, sharing, others);
  check_sharing(SpmmDesc{.columns = 24}, 24, sharing, others);
  EXPECT_GT(sharing, 0);
  EXPECT_GT(others, 0);
}

TEST(PlanLife, ChangedValuesAreNoticedWhereAskedFor) {
  for (std::string const format : {"csr", "sell"}) {
    auto const A = small_csr();
    auto plan = make_plan(Device(), SpmvDesc{}, A, {.check_values = true, .formats = {format}});
    check_execute<OneType>(plan, host_copy(A), 1, false, format);
    DeviceVector const x("x", 40);
    DeviceVector const y("y", 60);
    auto const multiply = [&] { plan.execute(Device(), 1, x, 0, y); };
    auto const kept = download<double>(A.values);
    poke(A.values, 17, kept[17] + 1);
    expect_error(ErrorKind::invalid_argument, {"update_values"}, multiply);
    poke(A.values, 17, kept[17]);
    EXPECT_NO_THROW(multiply());
    poke(A.values, 17, kept[18]);
    poke(A.values, 18, kept[17]);
    EXPECT_EQ(kind_of(multiply), ErrorKind::invalid_argument) << "changed places";
    EXPECT_EQ(kind_of([&] { (void)plan.verify(Device()); }), ErrorKind::invalid_argument);
    plan.update_values(Device(), A.values);
    check_execute<OneType>(plan, host_copy(A), 1, false, format + ", told");
    plan.release_source();
    if (format == "csr") continue;  // runs on it
    negate(A.values);
    EXPECT_NO_THROW(multiply()) << "the plan has its own";
  }
  auto const hyb = csr_to_hyb(Device(), small_csr());
  auto const plan = make_plan(Device(), SpmvDesc{}, hyb, {.check_values = true});
  DeviceVector const x("x", 40);
  DeviceVector const y("y", 60);
  EXPECT_NO_THROW(plan.execute(Device(), 1, x, 0, y));
  ASSERT_GT(hyb.tail.nnz, 0);
  negate(hyb.tail.values);
  EXPECT_EQ(kind_of([&] { plan.execute(Device(), 1, x, 0, y); }), ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace araia::test
