// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sampled dense-dense products against the reference over the zoo and real matrices: formats, kernels, operations,
// alpha and beta, layouts and strides, lengths of dot products; what must be refused.
#include <araia/ops/sddmm.hpp>  // alone, as users may include it

#include <araia/detail/formats/csr_to_bcsc.hpp>
#include <araia/io/read_matrix.hpp>
#include <filesystem>
#include <limits>
#include <sstream>

#include "backends/openmp/reference/sddmm.hpp"
#include "support/bcsc.hpp"
#include "support/check.hpp"
#include "support/data.hpp"
#include "support/formats.hpp"
#include "support/tunings.hpp"
#include "support/types.hpp"

namespace araia::test {
namespace {

template <class ExecType, class Scalar, class OffsetType>
struct SddmmTypes {
  using exec = ExecType;
  using a = Scalar;
  using x = Scalar;
  using y = Scalar;
  using offset = OffsetType;
};
#ifdef ARAIA_TYPES_MINIMAL
using AllTypes = TypeList<SddmmTypes<Device, double, std::int32_t>, SddmmTypes<Kokkos::Serial, double, std::int32_t>>;
#else
using AllTypes = TypeList<SddmmTypes<Device, double, std::int32_t>, SddmmTypes<Device, double, std::int64_t>,
                          SddmmTypes<Device, float, std::int32_t>, SddmmTypes<Device, float, std::int64_t>,
                          SddmmTypes<Device, Complex, std::int32_t>, SddmmTypes<Kokkos::Serial, double, std::int32_t>>;
#endif

ARAIA_TYPED_SUITE(Sddmm, AllTypes, OperandTypeNames);

struct SddmmCase {
  Op op = Op::transpose;  // of Y
  std::int64_t k = 8;
  bool x_row_major = true;
  bool y_row_major = true;
  std::int64_t gap = 1;
  double alpha = 1;
  double beta = 0;
};

template <class T, class Exec>
Operand<T, Exec> operand(std::int64_t rows, std::int64_t columns, bool row_major, std::int64_t gap) {
  std::int64_t const ld = std::max<std::int64_t>(1, (row_major ? columns : rows) * gap + gap - 1);
  return Operand<T, Exec>(rows, columns, row_major ? ld : gap, row_major ? gap : ld, gap - 1);
}

/// alpha A .* (X op(Y)) + beta D into values between canaries, twice: the bound is held, what lies beside stays, the
/// bits are the same. `host` is A on the host; without values of its own, A is D's pattern.
template <class Types, class Matrix, class HostPointers>
void check_sddmm(Matrix const& A, HostPointers const& host, SddmmCase const& c, sddmm_tuning_t<Matrix> const& tuning,
                 std::string const& name) {
  using Exec = typename Types::exec;
  using T = typename Types::a;
  Exec const exec;
  T const alpha = c.alpha == 1 ? T(1) : scalar_from<T>(c.alpha);
  T const beta = c.beta == 0 ? T(0) : scalar_from<T>(c.beta);
  T const nan = scalar_from<T>(std::numeric_limits<double>::quiet_NaN());
  auto x = operand<T, Exec>(A.rows, c.k, c.x_row_major, c.gap);
  auto y = transposes(c.op) ? operand<T, Exec>(A.cols, c.k, c.y_row_major, c.gap)
                            : operand<T, Exec>(c.k, A.cols, c.y_row_major, c.gap);
  Operand<T, Exec> d(A.nnz, 1, 1, 1, c.gap);
  x.fill(zoo_seed);
  y.fill(zoo_seed + 1);
  auto const fill_d = [&] { return beta == T(0) ? d.fill_with(nan) : d.fill(zoo_seed + 2); };
  fill_d();
  if (alpha == T(0)) x.fill_with(nan);
  x.to_device();
  y.to_device();
  std::ostringstream text;
  text << name << ", " << Matrix::format_name << ", " << tuning << ", op " << static_cast<int>(c.op) << ", k " << c.k
       << ", gap " << c.gap << (c.x_row_major ? ", X by rows" : ", X by columns")
       << (c.y_row_major ? ", Y by rows" : ", Y by columns") << ", alpha " << alpha << ", beta " << beta
       << (A.has_values() ? "" : ", ones");

  auto const ys = detail::rows_of_dots(c.op, y.host());
  auto const expected = reference::sddmm(std_value(alpha), host, std_matrix(x.host()), std_matrix(ys), conjugates(c.op),
                                         std_value(beta), std_matrix(d.host()).data);
  Kokkos::View<T*, Kokkos::HostSpace> first;
  for (int run = 0; run < 2; ++run) {
    fill_d();
    d.to_device();
    auto D = A;
    D.values = Kokkos::View<T*, typename Exec::device_type>(d.vector().data(), static_cast<std::size_t>(A.nnz));
    ASSERT_TRUE(supports_sddmm(exec, c.op, x.matrix(), y.matrix(), D, tuning)) << text.str();
    if (A.has_values())
      sddmm(exec, c.op, alpha, A, x.matrix(), y.matrix(), beta, D, tuning);
    else if (c.op == Op::transpose)
      sddmm(exec, alpha, x.matrix(), y.matrix(), beta, D, tuning);
    else
      sddmm(exec, c.op, alpha, x.matrix(), y.matrix(), beta, D, tuning);
    exec.fence();
    d.from_device();
    auto const got = d.host();
    if (run == 0) {
      expect_within_bound(expected, got, text.str());
      EXPECT_EQ(d.disturbed_bytes(), 0) << text.str() << ": wrote beside D";
      first = Kokkos::View<T*, Kokkos::HostSpace>("first", static_cast<std::size_t>(A.nnz));
      if (A.nnz > 0) std::memcpy(static_cast<void*>(first.data()), got.data, first.size() * sizeof(T));
    } else if (A.nnz > 0) {
      EXPECT_EQ(std::memcmp(first.data(), got.data, first.size() * sizeof(T)), 0) << text.str() << ": two runs differ";
    }
  }
}

std::vector<SddmmCase> const& cases() {
  static std::vector<SddmmCase> const all{
      {.k = 16},
      {.op = Op::none, .k = 5, .y_row_major = false, .gap = 1, .alpha = 0.7, .beta = -1},
      {.k = 64, .gap = 1, .alpha = 2, .beta = 0.5},
      {.op = Op::none, .k = 33, .alpha = -1},
      {.op = Op::conjugate_transpose, .k = 12, .x_row_major = false, .y_row_major = false, .gap = 2, .beta = 1},
      {.k = 1, .gap = 3, .alpha = 0.3, .beta = 0.3},
      {.op = Op::conjugate_transpose, .k = 130, .alpha = 1},
      {.op = Op::conjugate, .k = 9, .gap = 1, .alpha = 0.7, .beta = -1},
      {.op = Op::conjugate, .k = 33, .y_row_major = false, .beta = 0},
      {.k = 7, .alpha = 0, .beta = 0.5},
      {.k = 0, .alpha = 1, .beta = -2},
      {.op = Op::none, .k = 0, .alpha = 1, .beta = 0},
  };
  return all;
}

/// Whether a backend's kernel takes operands of the case's layout.
template <class Types, class Matrix>
bool supports_csr(Matrix const& A, CsrSddmmKernel kernel, SddmmCase const& c) {
  using Exec = typename Types::exec;
  auto const x = operand<typename Types::a, Exec>(A.rows, c.k, c.x_row_major, c.gap);
  auto const y = operand<typename Types::a, Exec>(A.cols, c.k, c.y_row_major, c.gap);
  return supports_sddmm(Exec(), c.op, x.matrix(), y.matrix(), A, {.kernel = kernel});
}

/// Every kernel that can run the case: by itself and by name.
template <class Types, class Matrix, class HostPointers>
void check_kernels(Matrix const& A, HostPointers const& host, SddmmCase const& c, std::string const& name) {
  check_sddmm<Types>(A, host, c, {}, name);
  check_sddmm<Types>(A, host, c, {.kernel = CsrSddmmKernel::equal_chunks}, name);
  if (transposes(c.op) && c.y_row_major && c.x_row_major && c.gap == 1) {
    for (auto const kernel : {CsrSddmmKernel::row_parts, CsrSddmmKernel::column_panels})
      if (supports_csr<Types>(A, kernel, c)) check_sddmm<Types>(A, host, c, {.kernel = kernel}, name);
  }
  check_sddmm<Types>(A, host, c,
                     {.kernel = CsrSddmmKernel::equal_chunks,
                      .entries_per_thread = 3,
                      .team_size = detail::is_device_space<typename Types::exec> ? 4 : 1,
                      .vector_length = 4},
                     name);
}

template <class T, class O>
auto without_values(T host, O const& A) {
  auto pattern = A;
  pattern.values = {};
  host.values = nullptr;
  return std::pair(pattern, host);
}

ARAIA_TYPED_TEST(Sddmm, CsrAgreesWithReference) {
  using Exec = typename TypeParam::exec;
  std::size_t turn = 0;
  for (auto const& m : zoo()) {
    auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
    auto const on_host = host_copy(A);
    auto const host = std_csr(on_host.pointers());
    auto const [pattern, host_pattern] = without_values(host, A);
    // Every matrix meets a third of the cases with values and another third without.
    ++turn;
    for (std::size_t n = turn % 3; n < cases().size(); n += 3) check_kernels<TypeParam>(A, host, cases()[n], m.name);
    for (std::size_t n = (turn + 1) % 3; n < cases().size(); n += 3)
      check_kernels<TypeParam>(pattern, host_pattern, cases()[n], m.name);
  }
}

ARAIA_TYPED_TEST(Sddmm, RowsMayBePermuted) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("permuted", 77, 60, 7);
  auto A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  std::vector<std::int32_t> permutation;
  for (std::int32_t i = 0; i < 77; ++i) permutation.push_back((i * 5 + 3) % 77);
  A.row_permutation = upload<std::int32_t, typename Exec::device_type>("permutation", permutation);
  auto const on_host = host_copy(A);
  for (auto const& c : cases()) check_kernels<TypeParam>(A, std_csr(on_host.pointers()), c, m.name);
}

ARAIA_TYPED_TEST(Sddmm, DotProductsOfEveryLength) {
  using Exec = typename TypeParam::exec;
  auto const m = random_matrix("lengths", 40, 50, 6);
  auto const A = device_csr<typename TypeParam::a, typename TypeParam::offset, Exec>(m);
  auto const on_host = host_copy(A);
  for (std::int64_t const k :
       {2, 3, 4, 8, 9, 15, 17, 31, 32, 48, 63, 65, 96, 127, 128, 129, 255, 256, 257, 511, 520, 1030})
    for (bool const row_major : {true, false})
      check_sddmm<TypeParam>(A, std_csr(on_host.pointers()),
                             {.k = k, .x_row_major = row_major, .y_row_major = row_major, .alpha = 1, .beta = 0.5}, {},
                             m.name);
}

/// A Bcsc of either form with scalars of another type: all ones, or values of its own.
template <class T, class S, class O, class F, class D>
Bcsc<T, O, F, D> with_scalar(Bcsc<S, O, F, D> const&);
template <class T, class S, class O, class F, class D, class R>
BcscCompact<T, O, F, D, R> with_scalar(BcscCompact<S, O, F, D, R> const&);

template <class T, class Format>
auto retyped(Format const& B, bool values) {
  decltype(with_scalar<T>(B)) out{.rows = B.rows,
                                  .cols = B.cols,
                                  .nnz = B.nnz,
                                  .blocks = B.blocks,
                                  .block_columns = B.block_columns,
                                  .block_height = B.block_height,
                                  .block_rows = B.block_rows,
                                  .block_offsets = B.block_offsets};
  out.block_cols = B.block_cols;
  out.row_in_block = B.row_in_block;
  out.split = B.split;
  out.row_permutation = B.row_permutation;
  if constexpr (requires { out.col_offsets; }) {
    out.col_offsets = B.col_offsets;
  } else {
    out.entry_offsets = B.entry_offsets;
    out.first_cols = B.first_cols;
    out.col_steps = B.col_steps;
    out.col_counts = B.col_counts;
  }
  if (values && B.nnz > 0) {
    std::vector<double> numbers;
    for (std::int64_t p = 0; p < B.nnz; ++p) numbers.push_back(static_cast<double>(p % 17) / 8 - 1);
    out.values = upload<T, typename Format::device_type>("values", numbers);
  }
  return out;
}

/// Its arrays on the host, as the reference reads them.
template <class Matrix>
struct OnHost {
  Matrix const& B;
  template <class V>
  static auto host(V const& view) {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  }
  template <class Use>
  void operator()(Use const& use) const {
    auto const block_rows = host(B.block_rows);
    auto const block_offsets = host(B.block_offsets);
    auto const block_cols = host(B.block_cols);
    auto const row_in_block = host(B.row_in_block);
    auto const values = host(B.values);
    auto const permutation = host(B.row_permutation);
    using T = std_scalar_t<typename Matrix::value_type>;
    auto const fill = [&](auto a) {
      a.rows = B.rows;
      a.cols = B.cols;
      a.nnz = B.nnz;
      a.blocks = B.blocks;
      a.block_columns = B.block_columns;
      a.block_height = B.block_height;
      a.block_rows = block_rows.size() ? block_rows.data() : nullptr;
      a.block_offsets = block_offsets.data();
      a.block_cols = block_cols.data();
      a.row_in_block = row_in_block.data();
      a.values = values.size() ? reinterpret_cast<T const*>(values.data()) : nullptr;
      a.row_permutation = permutation.size() ? permutation.data() : nullptr;
      return a;
    };
    if constexpr (requires { B.col_offsets; }) {
      auto const col_offsets = host(B.col_offsets);
      auto a = fill(BcscPointers<T, typename Matrix::ordinal_type, typename Matrix::size_type>{});
      a.col_offsets = col_offsets.data();
      use(a);
    } else {
      auto const entry_offsets = host(B.entry_offsets);
      auto const first_cols = host(B.first_cols);
      auto const col_steps = host(B.col_steps);
      auto const col_counts = host(B.col_counts);
      auto a = fill(BcscCompactPointers<T, typename Matrix::ordinal_type, typename Matrix::size_type,
                                        typename Matrix::row_index_type>{});
      a.entry_offsets = entry_offsets.data();
      a.first_cols = first_cols.data();
      a.col_steps = col_steps.size() ? col_steps.data() : nullptr;
      a.col_counts = col_counts.data();
      use(a);
    }
  }
};

template <class Types, class Matrix>
void check_bcsc(Matrix const& B, SddmmCase const& c, std::string const& name) {
  OnHost<Matrix>{B}([&](auto const& host) {
    check_sddmm<Types>(B, host, c, {}, name);
    check_sddmm<Types>(B, host, c, {.teams_per_block = 3, .team_size = 1, .vector_length = 8}, name);
  });
}

ARAIA_TYPED_TEST(Sddmm, BcscAgreesWithReference) {
  using Exec = typename TypeParam::exec;
  using T = typename TypeParam::a;
  if (sizeof(typename TypeParam::offset) == 8) {
    auto const m = random_matrix("64-bit offsets", 70, 90, 7);
    auto const A = device_csr<double, std::int64_t, Exec>(m, false);
    auto const B = csr_to_bcsc(Exec(), A, {.block_height = 16});
    for (auto const& c : cases()) check_bcsc<TypeParam>(retyped<T>(B, true), c, m.name);
    return;
  }
  std::size_t turn = 0;
  for (auto const& m : bcsc_zoo()) {
    auto const A = device_csr<double, std::int32_t, Exec>(m, false);
    auto const& [option_name, options] = all_bcsc_options()[turn % all_bcsc_options().size()];
    std::string const name = m.name + ", " + option_name;
    SddmmCase const& c = cases()[turn++ % cases().size()];
    auto const B = csr_to_bcsc(Exec(), A, options);
    check_bcsc<TypeParam>(retyped<T>(B, true), c, name);
    check_bcsc<TypeParam>(retyped<T>(B, false), cases()[0], name);
    if (B.block_height > 256 && B.rows > 256) continue;  // rows that 8 bits do not hold
    check_bcsc<TypeParam>(retyped<T>(compact_bcsc(Exec(), B), true), c, name);
    check_bcsc<TypeParam>(retyped<T>(compact_bcsc(Exec(), B, BcscColumns::wide), false), c, name);
  }
}

ARAIA_TYPED_TEST(Sddmm, OverwritesTheValuesItMultipliesBy) {
  using Exec = typename TypeParam::exec;
  using T = typename TypeParam::a;
  auto const m = random_matrix("in place", 50, 60, 8);
  auto const A = device_csr<T, typename TypeParam::offset, Exec>(m);
  auto const on_host = host_copy(A);
  auto x = operand<T, Exec>(m.rows, 20, true, 1);
  auto y = operand<T, Exec>(m.cols, 20, true, 1);
  x.fill(zoo_seed);
  y.fill(zoo_seed + 1);
  x.to_device();
  y.to_device();
  auto const expected =
      reference::sddmm(std_value(T(1)), std_csr(on_host.pointers()), std_matrix(x.host()), std_matrix(y.host()), false,
                       std_value(T(2)), reinterpret_cast<std_scalar_t<T> const*>(on_host.values.data()));
  sddmm(Exec(), Op::transpose, T(1), A, x.matrix(), y.matrix(), T(2), A);
  Exec().fence();
  auto const got = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), A.values);
  expect_within_bound(expected, DenseMatrix<T const>{got.data(), m.nnz(), 1, 1, 1}, "in place");
}

TEST(SddmmArguments, WhatCannotBeDoneIsRefused) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Exec const exec;
  auto const D = device_csr<double, std::int32_t, Exec>(random_matrix("refused", 20, 30, 4));
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> const x("x", 20, 8);
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> const y("y", 30, 8);
  expect_error(ErrorKind::dimension_mismatch, {"rows of X"}, [&] { sddmm(exec, 1.0, y, y, 0.0, D); });
  expect_error(ErrorKind::dimension_mismatch, {"rows of Y"}, [&] { sddmm(exec, 1.0, x, x, 0.0, D); });
  expect_error(ErrorKind::dimension_mismatch, {"columns of Y"}, [&] { sddmm(exec, Op::none, 1.0, x, y, 0.0, D); });
  expect_error(ErrorKind::dimension_mismatch, {"columns of Y"},
               [&] { sddmm(exec, 1.0, x, Kokkos::subview(y, Kokkos::ALL, std::pair(0, 7)), 0.0, D); });
  auto pattern = D;
  pattern.values = {};
  expect_error(ErrorKind::invalid_argument, {"without values"}, [&] { sddmm(exec, 1.0, x, y, 0.0, pattern); });
  auto inside = D;
  inside.values = Kokkos::View<double*, Exec>(y.data() + 8, static_cast<std::size_t>(D.nnz));
  expect_error(ErrorKind::invalid_argument, {"overlap"}, [&] { sddmm(exec, 1.0, x, y, 0.0, inside); });
  auto shifted = D;
  Kokkos::View<double*, Exec> const longer("longer", static_cast<std::size_t>(D.nnz + 1));
  auto other = D;
  other.values = longer;
  shifted.values = Kokkos::subview(longer, std::pair<std::size_t, std::size_t>(1, longer.extent(0)));
  expect_error(ErrorKind::invalid_argument, {"overlap"},
               [&] { sddmm(exec, Op::transpose, 1.0, other, x, y, 0.0, shifted); });
  auto const wider = device_csr<double, std::int32_t, Exec>(random_matrix("wider", 20, 31, 4));
  expect_error(ErrorKind::dimension_mismatch, {"columns of A"},
               [&] { sddmm(exec, Op::transpose, 1.0, wider, x, y, 0.0, D); });
  auto const elsewhere = detail::is_device_space<Exec> ? CsrSddmmKernel::host_simd : CsrSddmmKernel::row_parts;
  EXPECT_FALSE(supports_sddmm(exec, Op::transpose, x, y, D, {.kernel = elsewhere}));
  expect_error(ErrorKind::unsupported, {"does not run"},
               [&] { sddmm(exec, 1.0, x, y, 0.0, D, {.kernel = elsewhere}); });
  expect_error(ErrorKind::invalid_argument, {"vector_length"},
               [&] { sddmm(exec, 1.0, x, y, 0.0, D, {.kernel = CsrSddmmKernel::equal_chunks, .vector_length = 3}); });
}

TEST(SddmmData, RealMatricesAgreeWithReference) {
  namespace fs = std::filesystem;
  fs::path const folder = data_directory();
  if (!fs::exists(folder)) GTEST_SKIP() << "no data at " << folder << "; ARAIA_TEST_DATA names another place";
  using Types = SddmmTypes<Device, double, std::int32_t>;
  int checked = 0;
  for (auto const& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || !entry.path().filename().string().ends_with(".mtx")) continue;
    HostCoo coo;
    try {
      coo = read_matrix(entry.path());
    } catch (Error const&) {
      continue;  // what the readers refuse, their own tests look at
    }
    if (std::holds_alternative<std::vector<std::complex<double>>>(coo.values)) continue;
    auto const on_host = assemble<double>(coo);
    if (on_host.nnz > 100000) continue;
    auto const name = entry.path().filename().string();
    auto const A = copy_to<Device::device_type>(Device(), on_host);
    check_sddmm<Types>(A, on_host.pointers(), {.k = 20, .alpha = 0.7, .beta = 0.5}, {}, name);
    auto const B = csr_to_bcsc(Device(), A);
    OnHost<decltype(csr_to_bcsc(Device(), A))>{B}(
        [&](auto const& host) { check_sddmm<Types>(B, host, {.k = 20, .alpha = 0.7, .beta = 0.5}, {}, name); });
    ++checked;
  }
  EXPECT_GE(checked, 20);
}

}  // namespace
}  // namespace araia::test
