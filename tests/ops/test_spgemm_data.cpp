// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every matrix of the shared data set times itself and times its transpose, where that takes no minute.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include <araia/assembly/assemble.hpp>
#include <araia/detail/formats/conversions.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/ops/spgemm.hpp>

#include "ops/spgemm_check.hpp"
#include "support/data.hpp"

namespace araia::test {
namespace {

namespace fs = std::filesystem;

std::int64_t products_of(WideCsr const& A, WideCsr const& B) {
  std::int64_t sum = 0;
  for (auto const k : A.col_indices)
    sum += B.row_offsets[static_cast<std::size_t>(k) + 1] - B.row_offsets[static_cast<std::size_t>(k)];
  return sum;
}

TEST(SpgemmData, EveryMatrixTimesItselfAndItsTranspose) {
  constexpr std::int64_t most_products = 4000000;  // checked without optimisation
  auto const root = data_directory();
  if (!fs::is_directory(root)) GTEST_SKIP() << "no " << root;
  std::vector<std::string> run;
  for (auto const& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    HostCoo coo;
    try {
      coo = read_matrix(entry.path());
    } catch (Error const&) {
      continue;  // no matrix, or one that readers refuse, as their own tests know
    }
    if (std::holds_alternative<std::vector<std::complex<double>>>(coo.values)) continue;  // of another type
    auto const A = copy_to<typename Device::device_type>(Device(), assemble<double>(coo));
    for (auto const op : {Op::none, Op::transpose}) {
      if (op == Op::none && A.rows != A.cols) continue;
      auto const name = entry.path().filename().string() + (op == Op::none ? " times itself" : " times its transpose");
      auto const wide = wide_csr(A);
      auto const other = op == Op::none ? wide : transposed(wide, false);
      if (products_of(wide, other) > most_products) continue;
      auto product = make_spgemm(Device(), A, A, {.op_b = op});
      product.execute();
      EXPECT_EQ(difference(product.c(), expected_spgemm(wide, other)), "") << name;
      run.push_back(name);
    }
  }
  EXPECT_GT(run.size(), 60u);
}

}  // namespace
}  // namespace araia::test
