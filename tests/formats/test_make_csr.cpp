// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Csr over an application's own Views: any types of them, no copy, and every error with what was found.
#include <araia/formats/make_csr.hpp>
#include <araia/ops/spmv.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/formats.hpp"

namespace araia::test {
namespace {

/// [1 0 2; 0 4 0] in an application's Views, with room for one element more in each.
template <class Offset, class Ordinal>
struct Held {
  Kokkos::View<Offset*, Device> offsets = upload<Offset, Device::device_type>("o", std::vector<int>{0, 2, 3, 17});
  Kokkos::View<Ordinal*, Device> columns = upload<Ordinal, Device::device_type>("c", std::vector<int>{0, 2, 1, 17});
  Kokkos::View<double*, Device> values = upload<double, Device::device_type>("v", std::vector<int>{1, 2, 4, 17});
};

template <class Matrix>
void expect_product(Matrix const& A) {
  auto const x = upload<double, Device::device_type>("x", std::vector<int>{1, 10, 100});
  Kokkos::View<double*, Device> const y("y", 2);
  spmv(Device(), Op::none, 1.0, A, x, 0.0, y);
  EXPECT_EQ(download<double>(y), (std::vector<double>{201, 40}));
}

template <class Offset, class Ordinal>
void check_types() {
  Held<Offset, Ordinal> const held;
  auto const A = make_csr(Device(), 2, 3, 3, held.offsets, held.columns, held.values);
  static_assert(std::is_same_v<typename decltype(A)::size_type, Offset>);
  EXPECT_EQ(A.row_offsets.data(), held.offsets.data());
  EXPECT_EQ(A.col_indices.data(), held.columns.data());
  EXPECT_EQ(A.values.data(), held.values.data());
  EXPECT_EQ(held.values.use_count(), 2) << "the result shares ownership";
  expect_product(A);
}

TEST(MakeCsr, IntegersOfAnyWidthAreShared) {
  check_types<int, int>();
  check_types<std::int64_t, int>();
  check_types<std::size_t, int>();
  check_types<std::uint32_t, int>();
  check_types<std::int64_t, std::int64_t>();
}

TEST(MakeCsr, ConstTraitsAndStridesOfOneAreShared) {
  Held<int, int> const held;
  using Fetched = Kokkos::View<double const*, Device, Kokkos::MemoryTraits<Kokkos::RandomAccess>>;
  using Unowned = Kokkos::View<int const*, Device, Kokkos::MemoryUnmanaged>;
  using Strided = Kokkos::View<int*, Kokkos::LayoutStride, Device>;
  auto const A = make_csr(Device(), 2, 3, 3, Unowned(held.offsets), Strided(held.columns), Fetched(held.values));
  static_assert(std::is_same_v<decltype(A), Csr<double const, int, int, Device::device_type> const>);
  EXPECT_EQ(A.values.data(), held.values.data());
  expect_product(A);
}

TEST(MakeCsr, AnEmptyArrayOfValuesIsAPattern) {
  Held<int, int> const held;
  auto const A = make_csr(Device(), 2, 3, 3, held.offsets, held.columns, Kokkos::View<double*, Device>());
  EXPECT_FALSE(A.has_values());
  auto const empty = make_csr(Device(), 0, 3, 0, Kokkos::View<int*, Device>(), Kokkos::View<int*, Device>(),
                              Kokkos::View<double*, Device>());
  EXPECT_EQ(empty.cols, 3);
}

TEST(MakeCsr, ErrorsSayWhatWasFound) {
  Held<int, int> const held;
  auto const refused = [&](ErrorKind kind, std::string const& text, std::int64_t rows, std::int64_t cols,
                           std::int64_t nnz, CsrOptions const& options = {}) {
    expect_error(kind, {text},
                 [&] { make_csr(Device(), rows, cols, nnz, held.offsets, held.columns, held.values, options); });
  };
  auto const structure = ErrorKind::invalid_structure;
  refused(structure, "row_offsets(2) is 3, nnz is 2", 2, 3, 2);
  refused(structure, "the column is 2, in row 0, and cols is 2", 2, 2, 3);
  refused(ErrorKind::invalid_argument, "rows, cols and nnz are 2, -1 and 3", 2, -1, 3);
  for (bool const validates : {true, false}) {
    refused(structure, "col_indices holds 4 elements, expected nnz = 5", 2, 3, 5, {.validate = validates});
    refused(structure, "row_offsets holds 4 elements, expected rows + 1 = 5", 4, 3, 3, {.validate = validates});
  }
  poke(held.offsets, 1, 5);
  refused(structure, "row_offsets(1) is 5, row_offsets(2) is 3", 2, 3, 3);
  EXPECT_NO_THROW(make_csr(Device(), 2, 3, 3, held.offsets, held.columns, held.values, {.validate = false}));
  poke(held.offsets, 1, 2);
  poke(held.offsets, 0, 1);
  refused(structure, "row_offsets(0) must be 0, it is 1", 2, 3, 3);
  poke(held.offsets, 0, 0);
  poke(held.columns, 2, -7);
  refused(structure, "(first broken at entry 2): the column is -7, in row 1, and cols is 3", 2, 3, 3);
}

TEST(MakeCsr, StridesAreRefused) {
  Held<int, int> const held;
  Kokkos::View<double**, Kokkos::LayoutRight, Device> const pairs("pairs", 3, 2);
  expect_error(ErrorKind::invalid_argument, {"values has stride 2, expected 1"}, [&] {
    make_csr(Device(), 2, 3, 3, held.offsets, held.columns, Kokkos::subview(pairs, Kokkos::ALL, 0));
  });
}

}  // namespace
}  // namespace araia::test
