// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ell and Sell where rows are far longer than others, beyond the tiles and chunks in which the arrays are written:
// every entry is in its place, and all other slots are zero, whatever lay in their memory before.
#include <algorithm>
#include <numeric>
#include <set>

#include "support/sell.hpp"
#include "support/types.hpp"

#include <gtest/gtest.h>

namespace araia::test {
namespace {

ARAIA_TYPED_SUITE(Padding, FormatTypes, OperandTypeNames);

/// Leaves bytes that are no zeros where an array of this size is likely to be allocated next.
template <class Device>
void soil(std::size_t bytes) {
  Kokkos::View<unsigned char*, Device> const dirt(Kokkos::view_alloc("dirt", Kokkos::WithoutInitializing), bytes);
  Kokkos::deep_copy(dirt, static_cast<unsigned char>(0x5a));
}

/// Rows of 0 to 6 entries but for a few long ones; no entry in column 0, so that padding is the only index 0.
TestMatrix uneven(std::string name, std::int64_t rows, std::int64_t cols, std::set<std::int64_t> const& long_rows,
                  std::int64_t length) {
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(rows));
  for (std::int64_t i = 0; i < rows; ++i)
    lengths[static_cast<std::size_t>(i)] = long_rows.contains(i) ? length - i % 7 : (i * 5) % 7;
  auto m = with_row_lengths(std::move(name), cols - 1, lengths);
  m.cols = cols;
  for (std::int32_t& c : m.col_indices) ++c;
  return m;
}

/// Slots that are not zero.
template <class T, class View>
std::int64_t count_set(View const& view) {
  using Flat = Kokkos::View<typename View::const_value_type*, typename View::device_type,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  auto const all = download<T>(Flat(view.data(), view.span()));
  return static_cast<std::int64_t>(all.size()) - std::count(all.begin(), all.end(), T{});
}

ARAIA_TYPED_TEST(Padding, EverySlotOfAnEllIsAnEntryOrZero) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  using Scalar = typename TypeParam::a;
  Exec const exec;
  for (auto m : {uneven("wide", 300, 1000, {3, 40, 299}, 900), uneven("tall", 16500, 90, {7, 16400}, 40),
                 random_matrix("dense tiles", 2100, 200, 70)}) {
    bool const all_set = m.name != "dense tiles";  // columns too
    auto const before = device_csr<Scalar, Offset, Exec>(m);
    for (double& value : m.values) value = 3 - value;
    auto const after = device_csr<Scalar, Offset, Exec>(m);
    for (bool const sorted : {false, true}) {
      auto const what = m.name + (sorted ? ", sorted" : "");
      auto const stats = row_stats(exec, before);
      for (std::size_t const bytes : {sizeof(Scalar), sizeof(std::int32_t)})
        soil<typename Exec::device_type>(static_cast<std::size_t>(m.rows * stats.max_length) * bytes);
      auto const B = csr_to_ell(exec, before, {.sort_rows = sorted});
      EXPECT_EQ(count_set<Scalar>(B.values), m.nnz()) << what;
      if (all_set) {
        EXPECT_EQ(count_set<std::int32_t>(B.col_indices), m.nnz()) << what;
      }
      update_values(exec, B, after);
      EXPECT_EQ(count_set<Scalar>(B.values), m.nnz()) << what << ", updated";
      expect_same_csr(to_csr<Offset>(exec, B), m, what);
    }
  }
}

ARAIA_TYPED_TEST(Padding, EverySlotOfASellIsAnEntryOrZero) {
  using Exec = typename TypeParam::exec;
  using Offset = typename TypeParam::offset;
  using Scalar = typename TypeParam::a;
  Exec const exec;
  auto m = uneven("long rows", 300, 4000, {3, 40, 41, 299}, 3000);
  auto const before = device_csr<Scalar, Offset, Exec>(m);
  for (double& value : m.values) value = 3 - value;
  auto const after = device_csr<Scalar, Offset, Exec>(m);
  for (auto const& options : sell_storages()) {
    auto const what = printed(options);
    using Format = decltype(csr_to_sell(exec, before, options));
    soil<typename Exec::device_type>(count_bytes<Format>(exec, before, options));
    auto const B = csr_to_sell(exec, before, options);
    EXPECT_NO_THROW(validate(exec, B)) << what;
    EXPECT_EQ(count_set<Scalar>(B.values), m.nnz()) << what;
    if (!fills(options) && B.col_indices.extent(0) != 0) {
      EXPECT_EQ(count_set<std::int32_t>(B.col_indices), m.nnz()) << what;
    }
    update_values(exec, B, after);
    EXPECT_EQ(count_set<Scalar>(B.values), m.nnz()) << what << ", updated";
    expect_same_csr(to_csr<Offset>(exec, B), m, what);
  }
}

}  // namespace
}  // namespace araia::test
