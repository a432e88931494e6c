// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Containers into formats: what does not belong, does not fit or breaks a rule is refused, whatever the checksums say.
// That everything else comes back is the round trips' test.
#include <gtest/gtest.h>

#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/detail/formats/csr_to_bsr.hpp>
#include <araia/detail/formats/csr_to_csc.hpp>
#include <araia/detail/formats/csr_to_hyb.hpp>
#include <araia/detail/formats/csr_to_sell.hpp>
#include <araia/formats/container.hpp>
#include <araia/io/matrix_market.hpp>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <sstream>
#include "src/formats/container_entries.hpp"

#include "support/errors.hpp"
#include "support/formats.hpp"

namespace araia::test {
namespace {

using HostCsr = Csr<double, std::int32_t, std::int32_t, Host::device_type>;
using HostEll = Ell<double, std::int32_t, Host::device_type>;

Container stored_csr() {
  return to_container(Host(), device_csr<double, std::int32_t, Host>(random_matrix("csr", 12, 9, 3)));
}

template <class T>
ContainerArray array_of(ArrayName name, std::vector<T> values) {
  auto const owner = std::make_shared<std::vector<T>>(std::move(values));
  return {name, detail::element_type<T>(), owner->size(), {owner, owner->data()}};
}

void expect_refused(ErrorKind kind, std::string const& text, std::function<void(Container&)> const& change) {
  Container c = stored_csr();
  change(c);
  expect_error(kind, {text}, [&] { from_container<HostCsr>(Host(), c); });
}

TEST(FromContainer, WhatDoesNotBelongIsNamed) {
  constexpr auto structure = ErrorKind::invalid_structure;
  expect_refused(ErrorKind::unsupported, "the format is ell, expected csr",
                 [](Container& c) { c.format = StoredFormat::ell; });
  expect_refused(structure, "col_indices holds 0 elements", [](Container& c) { c.arrays.erase(c.arrays.begin() + 1); });
  expect_refused(structure, "row_offsets holds 0 elements", [](Container& c) { c.arrays.erase(c.arrays.begin()); });
  expect_refused(structure, "gather of uint32 is no array of the format",
                 [](Container& c) { c.arrays.push_back(array_of<std::uint32_t>(ArrayName::gather, {1})); });
  expect_refused(structure, "parameter 3 is 7", [](Container& c) { c.parameters[2] = 7; });
  expect_refused(structure, "row_offsets is of int32, the file's header says int64",
                 [](Container& c) { c.offset = ElementType::int64; });
  expect_refused(structure, "values is of float64, the file's header says float32",
                 [](Container& c) { c.scalar = ElementType::float32; });
  expect_refused(structure, "row_offsets(rows) must be nnz", [](Container& c) { --c.nnz; });
  expect_refused(structure, "col_indices must lie in [0, cols)", [](Container& c) { c.cols = 1; });
  expect_refused(structure, "row_permutation must name each row once", [](Container& c) {
    c.arrays.push_back(array_of<std::int32_t>(ArrayName::row_permutation, std::vector<std::int32_t>(12, 0)));
  });
}

TEST(FromContainer, SizesThatNoArrayFills) {
  Host const exec;
  auto c = to_container(exec, csr_to_ell(exec, device_csr<double, std::int32_t, Host>(random_matrix("ell", 12, 9, 3))));
  constexpr std::int64_t huge = std::int64_t{1} << 60;
  auto const expect_broken_ell = [&](std::int64_t rows, std::int64_t width) {
    auto bad = c;
    bad.rows = rows;
    bad.parameters[0] = width;
    expect_error(ErrorKind::invalid_structure, {"ell: "}, [&] { from_container<HostEll>(exec, bad); });
  };
  expect_broken_ell(huge, huge);
  expect_broken_ell(huge, c.parameters[0]);
  expect_broken_ell(c.rows, huge);
  expect_broken_ell(huge, 0);
  expect_broken_ell(0, huge);
  expect_broken_ell(c.rows + 1, c.parameters[0]);
  EXPECT_EQ((from_container<HostEll>(exec, c).nnz), c.nnz);
}

TEST(FromContainer, TypesMayBeWiderThanThoseStored) {
  Host const exec;
  auto const m = with_integer_values(random_matrix("narrow", 40, 30, 4));
  auto const narrow = to_container(exec, device_csr_of<float, std::int16_t, std::int16_t, Host>(m));
  expect_same_csr(from_container<HostCsr>(exec, narrow), m, "float, 16-bit indices");
  using Wide = Csr<Complex, std::int64_t, std::int64_t, Host::device_type>;
  auto const wide = from_container<Wide>(exec, narrow);
  for (std::size_t k = 0; k < m.values.size(); ++k) EXPECT_EQ(wide.values(k), Complex(m.values[k]));
  using Unsigned = Csr<double, std::int32_t, std::size_t, Host::device_type>;
  expect_same_csr(from_container<Unsigned>(exec, narrow), m, "16-bit offsets as size_t");
  // And not the other way.
  using Narrow = Csr<float, std::int32_t, std::int32_t, Host::device_type>;
  expect_error(ErrorKind::unsupported, {"values is of float64", "float32"},
               [&] { from_container<Narrow>(exec, stored_csr()); });
  using Short = Csr<double, std::int16_t, std::int32_t, Host::device_type>;
  expect_error(ErrorKind::unsupported, {"col_indices is of int32", "int16"},
               [&] { from_container<Short>(exec, stored_csr()); });
}

TEST(FromContainer, HalvesAreReadExactly) {
  // Bits, and the numbers that they stand for.
  std::pair<std::uint16_t, double> const halves[] = {
      {0x0000, 0.0},          {0x3c00, 1.0},     {0xc000, -2.0},       {0x7bff, 65504.0},  {0x0001, 0x1p-24},
      {0x83ff, -0x1.ff8p-15}, {0x0400, 0x1p-14}, {0x3555, 0x1.554p-2}, {0x7c00, HUGE_VAL}, {0xfc00, -HUGE_VAL}};
  for (auto const& [bits, number] : halves) EXPECT_EQ(detail::float_of_half(bits), number) << bits;
  EXPECT_TRUE(std::signbit(detail::float_of_half(0x8000)));
  EXPECT_TRUE(std::isnan(detail::float_of_half(0x7e01)));
  EXPECT_EQ(static_cast<double>(detail::Bfloat16Bits{0x4049}), 3.140625);
}

Container with_flipped_bit(Container c, std::size_t array, std::uint64_t bit) {
  auto const copy = std::make_shared<std::vector<unsigned char>>(c.arrays[array].bytes());
  std::memcpy(copy->data(), c.arrays[array].data.get(), copy->size());
  (*copy)[bit / 8] = static_cast<unsigned char>((*copy)[bit / 8] ^ (1u << bit % 8));
  c.arrays[array].data = {copy, copy->data()};
  return c;
}

// Every bit of header, table and arrays, under checksums that fit: an error, or a matrix that keeps the rules.
TEST(FromContainer, EveryFlippedBitIsRefusedOrHarmless) {
  Host const exec;
  auto const good =
      to_container(exec, csr_to_ell(exec, device_csr<double, std::int32_t, Host>(random_matrix("flips", 6, 5, 2))));
  int refused = 0;
  auto const look = [&](Container const& c) {
    try {
      auto const A = from_container<HostEll>(exec, c);
      EXPECT_NO_THROW(validate(exec, A));
      EXPECT_EQ(to_csr(exec, A).nnz, A.nnz);
    } catch (Error const& error) {
      EXPECT_TRUE(error.kind() == ErrorKind::invalid_structure || error.kind() == ErrorKind::unsupported)
          << error.what();
      ++refused;
    }
  };
  // Rows and width stay below what memory holds: the readers' limits are tested with the command.
  for (int bit = 0; bit < 20; ++bit)
    for (int field = 0; field < 4; ++field) {
      Container c = good;
      std::int64_t* const fields[] = {&c.rows, &c.cols, &c.nnz, &c.parameters[0]};
      *fields[field] ^= std::int64_t{1} << bit;
      look(c);
    }
  for (std::size_t i = 0; i < good.arrays.size(); ++i)
    for (std::uint64_t bit = 0; bit < 8 * good.arrays[i].bytes(); ++bit) look(with_flipped_bit(good, i, bit));
  EXPECT_GT(refused, 500);
}

// As a file of text with the same sizes is.
TEST(Container, RowsAndColumnsThatNoByteIsForAreRefused) {
  Host const exec;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  Kokkos::View<std::int32_t*, Host> const last("last", 1);
  Kokkos::View<double*, Host> const one("one", 1);
  Coo<double, std::int32_t, Host::device_type> A;
  A.rows = most;
  A.cols = 40;
  A.nnz = 1;
  A.row_indices = A.col_indices = last;
  A.values = one;
  HostCsr B;
  B.rows = 40;
  B.cols = most;
  B.row_offsets = Kokkos::View<std::int32_t*, Host>("row_offsets", 41);
  for (auto const& c : {to_container(exec, A), to_container(exec, B)}) {
    expect_error(ErrorKind::resource_limit, {"2147483647", "entries needs", "the limit is 1048576"},
                 [&] { (void)container_entries(c, {.max_memory_bytes = 1 << 20}); });
  }
}

// Beyond parse_container, where the fuzz target of files ends: every bit of sizes and arrays in every format.
TEST(Container, EveryFlippedBitIsRefusedOrGivesEntries) {
  Host const exec;
  auto const A = device_csr<double, std::int32_t, Host>(random_matrix("flips", 6, 5, 2));
  std::vector<Container> const all = {to_container(exec, A),
                                      to_container(exec, csr_to_coo(exec, A)),
                                      to_container(exec, csr_to_csc(exec, A)),
                                      to_container(exec, csr_to_ell(exec, A)),
                                      to_container(exec, csr_to_hyb(exec, A)),
                                      to_container(exec, csr_to_sell(exec, A)),
                                      to_container(exec, csr_to_sell(exec, A, {.diagonals = true})),
                                      to_container(exec, csr_to_bsr(exec, A, {.block_rows = 2, .block_cols = 2})),
                                      to_container(exec, csr_to_bcsc(exec, A)),
                                      to_container(exec, csr_to_bcsc_compact(exec, A))};
  for (auto const& good : all) {
    int refused = 0;
    auto const look = [&](Container const& c) {
      try {
        std::ostringstream out;
        write_matrix_market(out, container_entries(c, {.max_memory_bytes = 1 << 16}));  // asks for HostCoo's rules
      } catch (Error const& error) {
        EXPECT_TRUE(error.kind() == ErrorKind::invalid_structure || error.kind() == ErrorKind::unsupported ||
                    error.kind() == ErrorKind::resource_limit)
            << error.what();
        EXPECT_EQ(std::string(error.what()).find("HostCoo"), std::string::npos) << error.what();
        ++refused;
      }
    };
    for (std::size_t field = 0; field < 3 + good.parameters.size(); ++field)
      for (int bit = 0; bit < 64; ++bit) {
        Container c = good;
        std::int64_t* const sizes[] = {&c.rows, &c.cols, &c.nnz};
        auto& size = field < 3 ? *sizes[field] : c.parameters[field - 3];
        size = static_cast<std::int64_t>(static_cast<std::uint64_t>(size) ^ (std::uint64_t{1} << bit));
        look(c);
      }
    for (std::size_t i = 0; i < good.arrays.size(); ++i)
      for (std::uint64_t bit = 0; bit < 8 * good.arrays[i].bytes(); ++bit) look(with_flipped_bit(good, i, bit));
    EXPECT_GT(refused, 500) << "format " << static_cast<int>(good.format);
  }
}

TEST(Container, EntriesThatFewBytesClaimAreRefusedBeforeTheyAreMade) {  // a million diagonals of a million rows
  constexpr std::int32_t n = 1 << 20;
  Sell<double, std::int32_t, std::int64_t, Host::device_type> A;
  A.rows = A.slice_height = n;
  A.cols = 2 * n;  // all diagonals stay inside
  A.slices = 1;
  A.nnz = A.slots = std::int64_t{n} * n;
  Kokkos::View<std::int64_t*, Host> const slice_offsets("slice_offsets", 2);
  Kokkos::View<std::int64_t*, Host> const diagonal_offsets("diagonal_offsets", 2);
  Kokkos::View<std::int32_t*, Host> const diagonals("diagonals", n);
  slice_offsets(1) = A.slots;
  diagonal_offsets(1) = n;
  for (std::int32_t d = 0; d < n; ++d) diagonals(static_cast<std::size_t>(d)) = d;
  A.slice_offsets = slice_offsets;
  A.diagonal_offsets = diagonal_offsets;
  A.diagonals = diagonals;
  A.row_lengths = Kokkos::View<std::int32_t*, Host>("row_lengths", n);
  auto const c = to_container(Host(), A);
  expect_error(ErrorKind::resource_limit, {"entries needs", "the limit is"}, [&] { (void)container_entries(c); });
}

}  // namespace
}  // namespace araia::test
