// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every matrix of the shared data set through every format, one after the other.
#include <gtest/gtest.h>

#include <araia/assembly/assemble.hpp>
#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/formats/container.hpp>
#include <araia/io/read_matrix.hpp>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "support/data.hpp"

namespace araia::test {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(Container const& c) {
  std::ostringstream out;
  write_container(out, c);
  return out.str();
}

/// A -> X -> A for one format after the other, each from what the one before gave.
template <class Exec, class Scalar, class Device>
void check_chain(Csr<Scalar, std::int32_t, std::int32_t, Device> A, std::string const& name) {
  Exec const exec;
  std::string const expected = bytes_of(to_container(exec, A));
  auto const through = [&](char const* format, auto const& convert) {
    try {
      auto const B = convert(A);
      validate(exec, B);
      auto const back = to_csr<std::int32_t>(exec, B);
      EXPECT_TRUE(bytes_of(to_container(exec, back)) == expected) << name << " by " << format;
      A = back;
    } catch (Error const& error) {
      // A row as long as the matrix is no Ell, and says so.
      EXPECT_EQ(error.kind(), ErrorKind::resource_limit) << name << " by " << format << ": " << error.what();
    }
  };
  through("coo", [&](auto const& a) { return csr_to_coo(exec, a); });
  through("csr by length", [&](auto const& a) { return sort_rows_by_length(exec, a); });
  through("csc", [&](auto const& a) { return csr_to_csc(exec, a); });
  through("ell", [&](auto const& a) { return csr_to_ell(exec, a); });
  through("hyb", [&](auto const& a) { return csr_to_hyb(exec, a); });
  through("sell", [&](auto const& a) { return csr_to_sell(exec, a, {.slice_height = 8, .sort_window = 64}); });
  through("sell, all kinds", [&](auto const& a) {
    return csr_to_sell(exec, a,
                       {.slice_height = 32,
                        .least_slice_height = 8,
                        .block_width = 2,
                        .diagonals = true,
                        .columns = SellColumns::least_bytes});
  });
  through("bsr 2 x 3", [&](auto const& a) {
    return csr_to_bsr(exec, a, {.block_rows = 2, .block_cols = 3, .keep_stored_mask = true});
  });
  through("bcsc", [&](auto const& a) { return csr_to_bcsc(exec, a); });
  through("bcsc hybrid", [&](auto const& a) {
    return csr_to_bcsc(exec, a, {.block_height = 32, .heights = BcscHeights::by_columns, .split = true});
  });
  through("bcsc+compact", [&](auto const& a) { return csr_to_bcsc_compact(exec, a); });
}

bool is_matrix_file(std::string const& name) {
  for (char const* ending : {".mtx", ".smtx", ".rb", ".rua", ".rsa", ".rra", ".cua"})
    if (name.ends_with(ending)) return true;
  return false;
}

TEST(RoundTripsData, EveryFileThroughEveryFormat) {
  fs::path const folder = data_directory();
  if (!fs::exists(folder)) GTEST_SKIP() << "no data at " << folder << "; ARAIA_TEST_DATA names another place";
  using Exec = Kokkos::DefaultExecutionSpace;
  int chains = 0;
  int boeing = 0;
  for (auto const& entry : fs::recursive_directory_iterator(folder)) {
    std::string name = entry.path().filename().string();
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    if (!entry.is_regular_file() || !is_matrix_file(name)) continue;
    HostCoo coo;
    try {
      coo = read_matrix(entry.path());
    } catch (Error const& error) {
      // What the readers refuse, their own tests look at.
      continue;
    }
    if (std::holds_alternative<std::vector<std::complex<double>>>(coo.values))
      check_chain<Exec>(copy_to<Exec::device_type>(Exec(), assemble<Kokkos::complex<double>>(coo)), name);
    else
      check_chain<Exec>(copy_to<Exec::device_type>(Exec(), assemble<double>(coo)), name);
    ++chains;
    if (!name.ends_with("mtx")) ++boeing;
  }
  EXPECT_GE(chains, 90);
  EXPECT_GE(boeing, 10);
}

}  // namespace
}  // namespace araia::test
