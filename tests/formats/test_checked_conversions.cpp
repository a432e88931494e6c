// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions check what they are given: a broken Csr is named before anything reads it.
#include <araia/detail/formats/conversions.hpp>
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <cstdint>
#include <string>

#include "support/device.hpp"
#include "support/formats.hpp"

namespace araia::test {
namespace {

template <class Matrix>
void expect_all_refuse(Matrix const& A, std::string const& text) {
  Device const exec;
  auto const refuses = [&](auto const& convert) {
    expect_error(ErrorKind::invalid_structure, {text}, [&] { (void)convert(); });
  };
  refuses([&] { return csr_to_coo(exec, A); });
  refuses([&] { return csr_to_csc(exec, A); });
  refuses([&] { return csr_to_ell(exec, A); });
  refuses([&] { return csr_to_hyb(exec, A); });
  refuses([&] { return csr_to_sell(exec, A); });
  refuses([&] { return csr_to_bsr(exec, A, {.block_rows = 2, .block_cols = 2}); });
  refuses([&] { return csr_to_bcsc(exec, A); });
  refuses([&] { return csr_to_bcsc_compact(exec, A); });
}

template <class Offset>
void check_broken() {
  auto const m = random_matrix("mutant", 40, 30, 6);
  auto A = device_csr<double, Offset, Device>(m);
  poke(A.col_indices, 0, 30);
  expect_all_refuse(A, "the column is 30, in row 0, and cols is 30");
  A = device_csr<double, Offset, Device>(m);
  poke(A.row_offsets, 7, static_cast<Offset>(m.nnz() + 3));
  expect_all_refuse(A, "row_offsets must not descend");
  A = device_csr<double, Offset, Device>(m);
  poke(A.row_offsets, 40, static_cast<Offset>(m.nnz() + 3));
  expect_all_refuse(A, "row_offsets(40) is " + std::to_string(m.nnz() + 3));
}

TEST(CheckedConversions, BrokenMatricesAreNamed) {
  check_broken<std::int32_t>();  // by the library
  check_broken<std::int64_t>();  // compiled here
}

// What the caller vouches for is not read again: a column that no conversion to coordinates looks at goes through.
TEST(CheckedConversions, TheCallersWordIsTaken) {
  auto const m = random_matrix("mutant", 40, 30, 6);
  auto const A = device_csr<double, std::int32_t, Device>(m);
  poke(A.col_indices, 0, 30);
  auto const coo = csr_to_coo(Device(), A, {.validate = false});
  EXPECT_EQ(download<std::int32_t>(coo.col_indices).front(), 30);
}

}  // namespace
}  // namespace araia::test
