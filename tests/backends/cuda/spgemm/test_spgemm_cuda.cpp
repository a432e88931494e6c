// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A B on CUDA against a host product: its pattern entry by entry, its values within the bound for any order of
// summation.

#include <gtest/gtest.h>

#include <araia/error.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "backends/cuda/device_array.hpp"
#include "backends/cuda/spgemm/matrices.hpp"
#include "backends/cuda/spgemm/spgemm.hpp"

namespace araia::test {
namespace {

namespace sg = cuda::spgemm;
using spgemm::Case;
using spgemm::HostCsr;

class SpgemmCuda : public OnCudaDevice {};

struct Entry {
  long double value = 0;
  long double magnitude = 0;
  std::int64_t products = 0;
};
using ReferenceRows = std::vector<std::map<std::int32_t, Entry>>;

ReferenceRows reference_product(HostCsr const& a, HostCsr const& b) {
  ReferenceRows rows(static_cast<std::size_t>(a.rows));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (auto k = static_cast<std::size_t>(a.row_offsets[i]); k < static_cast<std::size_t>(a.row_offsets[i + 1]); ++k) {
      auto const j = static_cast<std::size_t>(a.col_indices[k]);
      for (auto t = static_cast<std::size_t>(b.row_offsets[j]); t < static_cast<std::size_t>(b.row_offsets[j + 1]);
           ++t) {
        Entry& entry = rows[i][b.col_indices[t]];
        long double const product = static_cast<long double>(a.values[k]) * static_cast<long double>(b.values[t]);
        entry.value += product;
        entry.magnitude += std::abs(product);
        ++entry.products;
      }
    }
  return rows;
}

/// Operands on the device, the plan and C: every array between canaries, all of it freed at the end.
class DeviceProduct {
 public:
  DeviceProduct(HostCsr const& a, HostCsr const& b, sg::Options const& options)
      : a_(a),
        b_(b),
        analysis_(std::vector<unsigned char>(sg::analysis_bytes(a_.matrix))),
        plan_(sg::analyse(a_.matrix, b_.matrix, options, analysis_.data(), nullptr)) {}

  [[nodiscard]] sg::Plan const& plan() const { return plan_; }

  void symbolic(bool wide = false) {
    workspace_ = DeviceArray<unsigned char>(std::vector<unsigned char>(plan_.workspace_bytes, 0xcd));
    offsets_ = DeviceArray<std::int32_t>(std::vector<std::int32_t>(static_cast<std::size_t>(plan_.rows) + 1, -1));
    nnz_ = sg::symbolic(plan_, a_.matrix, b_.matrix, workspace_.data(), offsets_.data(), nullptr);
    c_.row_offsets = {offsets_.data(), wide};
    if (wide) {
      wide_ = DeviceArray<std::int64_t>(std::vector<std::int64_t>(static_cast<std::size_t>(plan_.rows) + 1, -1));
      sg::widen(plan_, offsets_.data(), wide_.data(), nullptr);
      c_.row_offsets.data = wide_.data();
    }
    columns_ = DeviceArray<std::int32_t>(std::vector<std::int32_t>(static_cast<std::size_t>(nnz_), -1));
    clear_values();
    c_.col_indices = columns_.data();
  }
  void clear_values() {
    values_ = DeviceArray<double>(
        std::vector<double>(static_cast<std::size_t>(nnz_), std::numeric_limits<double>::quiet_NaN()));
    c_.values = values_.data();
  }
  void numeric() { sg::numeric(plan_, a_.matrix, b_.matrix, c_, nullptr); }
  void refresh(std::vector<double> const& a, std::vector<double> const& b) {
    a_.replace(a);
    b_.replace(b);
    clear_values();
    sg::values(plan_, a_.matrix, b_.matrix, c_, nullptr);
  }
  [[nodiscard]] std::vector<double> values() const { return values_.download(); }

  void expect_is(ReferenceRows const& want, std::string const& what) const {
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::vector<std::int32_t> const columns = columns_.download();
    std::vector<double> const values = values_.download();
    std::vector<std::int64_t> offsets;
    if (c_.row_offsets.wide) {
      offsets = wide_.download();
    } else {
      auto const narrow = offsets_.download();
      offsets.assign(narrow.begin(), narrow.end());
    }
    ASSERT_EQ(offsets.size(), want.size() + 1) << what;
    ASSERT_EQ(offsets[0], 0) << what;
    constexpr long double u = std::numeric_limits<double>::epsilon() / 2;
    for (std::size_t i = 0; i < want.size(); ++i) {
      ASSERT_EQ(offsets[i + 1] - offsets[i], static_cast<std::int64_t>(want[i].size())) << what << ", row " << i;
      auto k = static_cast<std::size_t>(offsets[i]);
      for (auto const& [column, entry] : want[i]) {
        ASSERT_EQ(columns[k], column) << what << ", row " << i;
        long double const count = static_cast<long double>(entry.products) + 1;
        long double const bound = count * u / (1 - count * u) * entry.magnitude;
        ASSERT_LE(std::abs(static_cast<long double>(values[k]) - entry.value), bound)
            << what << ", row " << i << ", column " << column;
        ++k;
      }
    }
    EXPECT_EQ(columns_.disturbed_bytes() + values_.disturbed_bytes() + offsets_.disturbed_bytes() +
                  analysis_.disturbed_bytes() + workspace_.disturbed_bytes(),
              0)
        << what;
  }

 private:
  struct DeviceCsr {
    DeviceArray<std::int32_t> row_offsets;
    DeviceArray<std::int32_t> col_indices;
    DeviceArray<double> values;
    sg::Matrix matrix;
    explicit DeviceCsr(HostCsr const& m) : row_offsets(m.row_offsets), col_indices(m.col_indices), values(m.values) {
      matrix.rows = m.rows;
      matrix.cols = m.cols;
      matrix.nnz = m.nnz();
      matrix.row_offsets = row_offsets.data();
      matrix.col_indices = col_indices.data();
      matrix.values = values.data();
    }
    void replace(std::vector<double> const& by) {
      values = DeviceArray<double>(by);
      matrix.values = values.data();
    }
  };
  DeviceCsr a_;
  DeviceCsr b_;
  DeviceArray<unsigned char> analysis_;
  sg::Plan plan_;
  DeviceArray<unsigned char> workspace_;
  DeviceArray<std::int32_t> offsets_;
  DeviceArray<std::int64_t> wide_;
  DeviceArray<std::int32_t> columns_;
  DeviceArray<double> values_;
  std::int64_t nnz_ = 0;
  sg::Result c_{};
};

std::int64_t items_of(sg::Plan const& plan, sg::Bin bin) { return plan.items[static_cast<std::size_t>(bin)]; }

/// The whole product, then values for others of A and B. \returns false where the plan is refused
bool expect_product(Case const& product, sg::Options const& options, std::string const& what, bool wide = false) {
  DeviceProduct device(product.a, product.b, options);
  if (!device.plan().refusal.empty()) return false;
  device.symbolic(wide);
  device.numeric();
  device.expect_is(reference_product(product.a, product.b), product.name + what);
  HostCsr const a = spgemm::with_values(product.a, 1001);
  HostCsr const b = spgemm::with_values(product.b, 1002);
  device.refresh(a.values, b.values);
  device.expect_is(reference_product(a, b), product.name + what + ", values alone");
  return !testing::Test::HasFatalFailure();
}

TEST_F(SpgemmCuda, EveryClassIsTheHostProduct) {
  for (Case const& product : spgemm::cases()) EXPECT_TRUE(expect_product(product, {}, "")) << product.name;
}

TEST_F(SpgemmCuda, WideOffsetsAreTheSame) {
  for (Case const& product : spgemm::cases()) EXPECT_TRUE(expect_product(product, {}, ", wide", true)) << product.name;
}

TEST_F(SpgemmCuda, BinsBesideEachOtherOnSideStreams) {
  sg::SideStreams const side;
  sg::Options options;
  options.side_streams = &side;
  for (Case const& product : spgemm::cases())
    EXPECT_TRUE(expect_product(product, options, ", side streams")) << product.name;
}

TEST_F(SpgemmCuda, FormsSuitTheirClasses) {
  auto const plan_of = [](HostCsr const& m) { return DeviceProduct(m, m, {}).plan(); };
  EXPECT_TRUE(plan_of(spgemm::stencil(9, false, 1, 14)).thread_per_row);
  sg::Plan const points = plan_of(spgemm::stencil(7, true, 1, 15));
  EXPECT_EQ(points.group, 1);
  EXPECT_EQ(items_of(points, sg::Bin::window_short), points.rows);
  sg::Plan const unknowns = plan_of(spgemm::stencil(5, true, 3, 16));
  EXPECT_EQ(unknowns.group, 3);
  EXPECT_EQ(items_of(unknowns, sg::Bin::window_short), unknowns.rows / 3);
  HostCsr const rows = spgemm::with_long_rows(900, 500, 22);
  EXPECT_GT(items_of(plan_of(rows), sg::Bin::sorted_64), 0);
}

TEST_F(SpgemmCuda, ProductsAreCounted) {
  for (Case const& product : spgemm::cases()) {
    std::int64_t products = 0;
    for (auto const& row : reference_product(product.a, product.b))
      for (auto const& [column, entry] : row) products += entry.products;
    DeviceProduct device(product.a, product.b, {});
    EXPECT_GE(device.plan().products, products) << product.name;
    device.symbolic();
    EXPECT_EQ(device.plan().products, products) << product.name;
  }
}

class SpgemmCudaForms : public OnCudaDevice, public testing::WithParamInterface<sg::Form> {};

TEST_P(SpgemmCudaForms, IsTheHostProductWhereItSuits) {
  sg::Options options;
  options.form = GetParam();
  int suited = 0;
  for (Case const& product : spgemm::cases())
    suited += expect_product(product, options, ", form " + std::to_string(static_cast<int>(GetParam())));
  EXPECT_GT(suited, 0);
}
INSTANTIATE_TEST_SUITE_P(All, SpgemmCudaForms,
                         testing::Values(sg::Form::thread_per_row, sg::Form::row_groups, sg::Form::window_short,
                                         sg::Form::window_long, sg::Form::sorted_64, sg::Form::sorted_256,
                                         sg::Form::sorted_1024, sg::Form::block_window, sg::Form::long_row));

TEST_F(SpgemmCuda, ForcedFormsTakeWhatFits) {
  HostCsr const m = spgemm::random_csr(700, 700, 5, 30, 10, 40);
  for (auto const& [form, bin] : {std::pair{sg::Form::window_short, sg::Bin::window_short},
                                  {sg::Form::window_long, sg::Bin::window_long},
                                  {sg::Form::sorted_1024, sg::Bin::sorted_1024},
                                  {sg::Form::block_window, sg::Bin::block_window},
                                  {sg::Form::long_row, sg::Bin::long_row}}) {
    sg::Options options;
    options.form = form;
    EXPECT_EQ(items_of(DeviceProduct(m, m, options).plan(), bin), m.rows) << static_cast<int>(form);
  }
}

TEST_F(SpgemmCuda, FormsThatDoNotSuitAreRefusedInWords) {
  HostCsr const m = spgemm::random_csr(100, 100, 12, 12, 1);
  for (sg::Form const form : {sg::Form::thread_per_row, sg::Form::row_groups}) {
    sg::Options options;
    options.form = form;
    DeviceProduct device(m, m, options);
    EXPECT_FALSE(device.plan().refusal.empty());
    EXPECT_THROW(device.symbolic(), Error);
  }
}

TEST_F(SpgemmCuda, KeepsToItsMemory) {
  for (Case const& product : spgemm::cases())
    for (sg::Form const form : {sg::Form::automatic, sg::Form::long_row}) {
      sg::Options options;
      options.form = form;
      DeviceProduct const free(product.a, product.b, options);
      if (!free.plan().refusal.empty()) continue;
      std::size_t const most = free.plan().analysis_bytes + free.plan().workspace_bytes;
      for (std::size_t const share : {2U, 10U}) {
        options.workspace_limit = most / share;
        DeviceProduct const limited(product.a, product.b, options);
        if (limited.plan().refusal.empty()) {
          EXPECT_LE(limited.plan().analysis_bytes + limited.plan().workspace_bytes, options.workspace_limit);
          EXPECT_TRUE(expect_product(product, options, ", limited")) << product.name;
        } else {
          EXPECT_NE(limited.plan().refusal.find("workspace_limit"), std::string::npos);
        }
      }
    }
}

TEST_F(SpgemmCuda, LessMemoryIsEnoughForWindowsAndHubs) {
  std::vector<std::pair<HostCsr, sg::Form>> products;
  products.emplace_back(spgemm::stencil(7, true, 1, 15), sg::Form::automatic);
  products.emplace_back(spgemm::stencil(5, true, 3, 16), sg::Form::automatic);
  products.emplace_back(spgemm::with_long_rows(900, 500, 22), sg::Form::long_row);
  for (auto const& [m, form] : products) {
    sg::Options options;
    options.form = form;
    DeviceProduct const free(m, m, options);
    for (std::size_t const share : {2U, 3U, 5U}) {
      options.workspace_limit = free.plan().analysis_bytes + 8192 +
                                (free.plan().workspace_bytes > 8192 ? free.plan().workspace_bytes / share : 0);
      EXPECT_TRUE(expect_product(spgemm::square("limited", m), options, ", a share of " + std::to_string(share)));
    }
  }
}

TEST_F(SpgemmCuda, TooLittleMemoryIsRefused) {
  HostCsr const m = spgemm::stencil(7, true, 1, 15);
  sg::Options options;
  options.workspace_limit = 100;
  DeviceProduct device(m, m, options);
  EXPECT_NE(device.plan().refusal.find("workspace_limit = 100"), std::string::npos) << device.plan().refusal;
}

TEST_F(SpgemmCuda, DeterministicRunsAreBitEqual) {
  sg::Options options;
  options.deterministic = true;
  int suited = 0;
  for (Case const& product : spgemm::cases()) {
    EXPECT_TRUE(expect_product(product, options, ", deterministic") ||
                DeviceProduct(product.a, product.b, options).plan().refusal.find("ascend") != std::string::npos)
        << product.name;
    DeviceProduct device(product.a, product.b, options);
    if (!device.plan().refusal.empty()) continue;
    ++suited;
    device.symbolic();
    device.numeric();
    std::vector<double> const first = device.values();
    for (int run = 0; run < 3; ++run) {
      device.clear_values();
      device.numeric();
      std::vector<double> const again = device.values();
      ASSERT_EQ(first.size(), again.size());
      EXPECT_TRUE(first.empty() || std::memcmp(first.data(), again.data(), first.size() * sizeof(double)) == 0)
          << product.name;
    }
  }
  EXPECT_GT(suited, 15);
}

TEST_F(SpgemmCuda, CancellationLeavesZeros) {
  HostCsr a;
  a.cols = 2;
  a.add_row({0, 1});
  a.values = {1, 1};
  HostCsr b;
  b.cols = 40;
  b.add_row({3, 39});
  b.add_row({3, 20});
  b.values = {2, 1, -2, 1};
  for (sg::Form const form : {sg::Form::automatic, sg::Form::sorted_64, sg::Form::window_short, sg::Form::long_row}) {
    sg::Options options;
    options.form = form;
    DeviceProduct device(a, b, options);
    device.symbolic();
    device.numeric();
    EXPECT_EQ(device.values(), (std::vector<double>{0, 1, 1}));
  }
}

TEST_F(SpgemmCuda, SymbolicMayBeRepeated) {
  for (Case const& product : spgemm::cases()) {
    DeviceProduct device(product.a, product.b, {});
    device.symbolic();
    device.symbolic();
    device.numeric();
    device.expect_is(reference_product(product.a, product.b), product.name + ", again");
  }
}

TEST_F(SpgemmCuda, ShapesThatDoNotFitThrow) {
  HostCsr const a = spgemm::random_csr(3, 4, 1, 2, 1);
  HostCsr const b = spgemm::random_csr(5, 3, 1, 2, 1);
  try {
    DeviceProduct const device(a, b, {});
    FAIL();
  } catch (Error const& error) {
    EXPECT_EQ(error.kind(), ErrorKind::dimension_mismatch);
    EXPECT_NE(std::string(error.what()).find("4 columns and B 5 rows"), std::string::npos) << error.what();
  }
}

TEST_F(SpgemmCuda, SizesBeyondItsIndicesThrow) {
  sg::Matrix a;
  a.rows = 1;
  a.cols = 1;
  sg::Matrix b = a;
  b.cols = std::int64_t{1} << 31;
  try {
    static_cast<void>(sg::analyse(a, b, {}, nullptr, nullptr));
    FAIL();
  } catch (Error const& error) {
    EXPECT_EQ(error.kind(), ErrorKind::resource_limit);
    EXPECT_NE(std::string(error.what()).find("B is 1 x 2147483648"), std::string::npos) << error.what();
  }
}

TEST_F(SpgemmCuda, PlansWithoutASymbolicPassThrow) {
  HostCsr const m = spgemm::random_csr(10, 10, 1, 3, 1);
  DeviceProduct device(m, m, {});
  EXPECT_THROW(device.numeric(), Error);
}

}  // namespace
}  // namespace araia::test
