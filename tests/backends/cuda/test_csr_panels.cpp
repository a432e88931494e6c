// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// csr/column_panels of the CUDA backend: how matrices are cut, on the host; the packing and products, on a device.
#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "backends/cuda/csr_gathered_lines.hpp"
#include "backends/cuda/spmv/csr_column_panels/kernel.hpp"
#include "backends/cuda/spmv_products.hpp"

namespace araia::test {
namespace {

constexpr cuda::CsrPanelDevice h200{132, 232448};

std::vector<std::int32_t> even_buckets(std::int64_t cols, std::int64_t nnz) {
  std::vector<std::int32_t> buckets(static_cast<std::size_t>((cols - 1) / cuda::csr_panel_bucket + 1));
  auto const each = nnz / static_cast<std::int64_t>(buckets.size());
  std::fill(buckets.begin(), buckets.end(), static_cast<std::int32_t>(each));
  buckets.back() += static_cast<std::int32_t>(nnz - each * static_cast<std::int64_t>(buckets.size()));
  return buckets;
}

void expect_whole(cuda::CsrPanelCut const& cut, std::int64_t cols, std::int64_t nnz, cuda::CsrPanelDevice const& d) {
  auto const& s = cut.shape;
  ASSERT_GT(s.blocks, 0);
  EXPECT_EQ(s.blocks, s.panels * s.parts);
  EXPECT_LE(s.blocks, d.multiprocessors);
  ASSERT_EQ(cut.panel_columns.size(), static_cast<std::size_t>(s.panels) + 1);
  EXPECT_EQ(cut.panel_columns.front(), 0);
  EXPECT_EQ(cut.panel_columns.back(), cols);
  for (std::size_t p = 0; p + 1 < cut.panel_columns.size(); ++p) {
    EXPECT_GT(cut.panel_columns[p + 1], cut.panel_columns[p]);
    EXPECT_LE(cut.panel_columns[p + 1] - cut.panel_columns[p], std::min(s.widest, 65536));
    EXPECT_EQ(cut.panel_columns[p] % cuda::csr_panel_bucket, 0);
  }
  EXPECT_GE(s.chunks * s.chunk, nnz);
  EXPECT_LT((s.chunks - 1) * s.chunk, nnz);
  EXPECT_GE(std::int64_t{s.bands} * s.groups * s.blocks, s.chunks);
  EXPECT_LT(std::int64_t{s.bands - 1} * s.groups * s.blocks, s.chunks);
  EXPECT_GE(s.slots, 1);
  EXPECT_LE(s.slots, std::min(s.bands, cuda::csr_panel_most_slots));
  EXPECT_LE(cuda::csr_panel_places(s), 65536);
  EXPECT_LE(cuda::csr_panel_vector_bytes(s) + cuda::csr_panel_ring_bytes(s.vector_bytes) + cuda::csr_panel_static,
            d.shared_bytes);
}

TEST(CsrPanelChoice, EveryProductHasAPlaceOfItsOwn) {
  for (int const vector_bytes : {4, 8})
    for (int const chunk : {16, 64, 1984, 3968})
      for (int const panels : {1, 7, cuda::csr_panel_most}) {
        int const padding = cuda::csr_panel_padding(panels, vector_bytes);
        int const places = cuda::csr_panel_places(chunk, padding);
        std::set<int> taken;
        for (int entry = 0; entry < chunk; ++entry) {
          EXPECT_FALSE(cuda::csr_panel_is_unused(chunk, cuda::csr_panel_padded(entry)));
          taken.insert(cuda::csr_panel_padded(entry));
        }
        for (int k = 0; k < padding; ++k) {
          EXPECT_TRUE(cuda::csr_panel_is_unused(chunk, cuda::csr_panel_unused(chunk, k)));
          taken.insert(cuda::csr_panel_unused(chunk, k));
        }
        EXPECT_EQ(taken.size(), static_cast<std::size_t>(chunk + padding)) << chunk << ", " << panels << " panels";
        EXPECT_LT(*taken.rbegin(), places);
        EXPECT_EQ(*taken.begin(), 0);
      }
}

TEST(CsrPanelChoice, HoldsAllOfXAndCutsWholeBands) {
  struct Case {
    std::int64_t cols, nnz;
    int vector_bytes;
  };
  for (auto const& c :
       {Case{2000000, 32000000, 4}, Case{2000000, 32000000, 8}, Case{1000000, 4001020, 4}, Case{1000000, 4001020, 8},
        Case{4000000, 60000000, 4}, Case{9000, 36191, 8}, Case{17, 1, 4}, Case{1, 2000000000, 8}, Case{5, 12, 4}})
    expect_whole(cuda::choose_csr_panels(even_buckets(c.cols, c.nnz), c.cols, c.nnz, c.vector_bytes, h200), c.cols,
                 c.nnz, h200);
}

TEST(CsrPanelChoice, SharesEntriesEvenlyWhereColumnsAreUnlike) {
  constexpr std::int64_t cols = 1000000;
  auto buckets = even_buckets(cols, 16000000);
  for (std::size_t b = 0; b < 1000; ++b) buckets[b] += 8000;  // a fortieth of the columns holds a third
  auto const nnz = std::accumulate(buckets.begin(), buckets.end(), std::int64_t{0});
  auto const cut = cuda::choose_csr_panels(buckets, cols, nnz, 8, h200);
  expect_whole(cut, cols, nnz, h200);
  for (std::size_t p = 0; p + 1 < cut.panel_columns.size(); ++p) {
    std::int64_t entries = 0;
    for (int b = cut.panel_columns[p] / 16; b * 16 < cut.panel_columns[p + 1]; ++b)
      entries += buckets[static_cast<std::size_t>(b)];
    EXPECT_LT(static_cast<double>(entries), 1.3 * static_cast<double>(nnz) / cut.shape.panels) << "panel " << p;
  }
}

TEST(CsrPanelChoice, CutsFewerEntriesThanThereArePanels) {
  for (std::int64_t const cols : {70000, 1000000, 4000000})
    for (std::int64_t const nnz : {1, 2, 10, 100, 300}) {
      std::vector<std::int32_t> buckets(static_cast<std::size_t>((cols - 1) / cuda::csr_panel_bucket + 1));
      auto const all = static_cast<std::int64_t>(buckets.size());
      for (std::int64_t k = 0; k < nnz; ++k) ++buckets[static_cast<std::size_t>(all * (2 * k + 1) / (2 * nnz))];
      expect_whole(cuda::choose_csr_panels(buckets, cols, nnz, 4, h200), cols, nnz, h200);
    }
}

TEST(CsrPanelChoice, WhatDoesNotFitHasNoBlocks) {
  EXPECT_EQ(cuda::choose_csr_panels(even_buckets(9000000, 90000000), 9000000, 90000000, 8, h200).shape.blocks, 0);
  EXPECT_EQ(cuda::choose_csr_panels({}, 0, 0, 8, h200).shape.blocks, 0);
  EXPECT_EQ(cuda::choose_csr_panels(even_buckets(900, 9000), 900, 9000, 8, {132, 49152}).shape.blocks, 0);
}

TEST(CsrPanelChoice, SpansHoldAllEntriesBetweenThem) {
  for (int const vector_bytes : {4, 8})
    for (std::int64_t const cols : {1000000, 9000000, 13541667}) {
      auto buckets = even_buckets(cols, 3 * cols);
      auto const nnz = std::accumulate(buckets.begin(), buckets.end(), std::int64_t{0});
      auto const spans = cuda::choose_csr_panel_spans(buckets, cols, vector_bytes, h200);
      ASSERT_FALSE(spans.empty());
      EXPECT_EQ(spans.size() == 1, cols == 1000000);
      std::int64_t column = 0;
      std::int64_t entries = 0;
      for (auto const& span : spans) {
        EXPECT_EQ(span.first_column, column);
        expect_whole(span.cut, span.columns, span.nnz, h200);
        column += span.columns;
        entries += span.nnz;
      }
      EXPECT_EQ(column, cols);
      EXPECT_EQ(entries, nnz);
      // Entries of the first and the last columns alone: spans between them are left out.
      std::fill(buckets.begin() + 1, buckets.end() - 1, 0);
      EXPECT_EQ(cuda::choose_csr_panel_spans(buckets, cols, vector_bytes, h200).size(), spans.size() == 1 ? 1U : 2U);
    }
  EXPECT_TRUE(cuda::choose_csr_panel_spans(even_buckets(100000000, 300000000), 100000000, 4, h200).empty());
}

template <class T>
class CsrPanelsCuda : public OnCudaDevice {};
TYPED_TEST_SUITE(CsrPanelsCuda, AllTypes);

/// A packing in arrays between canaries.
template <class Types>
struct Packed {
  using A = typename Types::A;
  using Y = typename Types::Y;
  cuda::CsrPanelSpan<A> panels;
  DeviceArray<std::int32_t> panel_columns, first_rows, lines, slot_lines, band_lines, chunk_units;
  DeviceArray<std::uint16_t> row_begins, columns, positions;
  DeviceArray<std::uint32_t> sources, done;
  DeviceArray<std::uint8_t> unit_panels;
  DeviceArray<A> values;
  DeviceArray<Y> buffer, carries;

  template <class Pointers>
  Packed(Pointers const& a, cuda::CsrPanelTuning const& tuning, int blocks) {
    auto device = cuda::csr_panel_device();
    if (blocks > 0) device.multiprocessors = std::min(device.multiprocessors, blocks);
    DeviceArray<std::int32_t> const buckets(
        std::vector<std::int32_t>(static_cast<std::size_t>((a.cols - 1) / cuda::csr_panel_bucket + 1)));
    cuda::csr_count_buckets(a, buckets.data(), nullptr);
    auto const cut = cuda::choose_csr_panels(buckets.download(), a.cols, a.nnz, sizeof(Y), device, tuning);
    if (cut.shape.blocks == 0) return;
    panels.rows = a.rows;
    panels.nnz = a.nnz;
    panels.row_permutation = a.row_permutation;
    auto const& s = panels.shape = cut.shape;
    auto const place = []<class T>(DeviceArray<T>& array, auto& pointer, std::int64_t size, T fill) {
      array = DeviceArray<T>(std::vector<T>(static_cast<std::size_t>(size), fill));
      pointer = array.data();
    };
    std::int64_t const pairs = std::int64_t{s.blocks} * s.bands;
    panel_columns = DeviceArray<std::int32_t>(cut.panel_columns);
    panels.panel_columns = panel_columns.data();
    place(first_rows, panels.first_rows, s.chunks + 1, -1);
    place(row_begins, panels.row_begins, a.rows, std::uint16_t{0xffff});
    place(lines, panels.lines, pairs + 1, -1);
    place(slot_lines, panels.slot_lines, pairs, -1);
    place(band_lines, panels.band_lines, std::int64_t{s.bands} + 1, -1);
    place(chunk_units, panels.chunk_units, s.chunks + 1, -1);
    place(sources, panels.sources, s.chunks * s.panels, 0xffffffffu);
    cuda::csr_panels_count(a, panels, nullptr);
    std::int64_t const entries = std::int64_t{lines.download().back()} * cuda::csr_panel_line;
    std::int64_t const units = chunk_units.download().back();
    place(values, panels.values, entries, A{});
    place(columns, panels.columns, entries, std::uint16_t{0});
    place(unit_panels, panels.unit_panels, units, std::uint8_t{0xff});
    place(positions, panels.positions, units * (16 / s.vector_bytes), std::uint16_t{0xffff});
    place(buffer, panels.buffer, std::int64_t{s.slots} * band_lines.download().back() * cuda::csr_panel_line, nan<Y>);
    place(carries, panels.carries, s.chunks, nan<Y>);
    place(done, panels.done, 2 * std::int64_t{s.bands} + 1, 0u);
    cuda::csr_panels_fill(a, panels, nullptr);
  }

  [[nodiscard]] int disturbed_bytes() const {
    return panel_columns.disturbed_bytes() + first_rows.disturbed_bytes() + lines.disturbed_bytes() +
           slot_lines.disturbed_bytes() + band_lines.disturbed_bytes() + chunk_units.disturbed_bytes() +
           row_begins.disturbed_bytes() + columns.disturbed_bytes() + positions.disturbed_bytes() +
           sources.disturbed_bytes() + done.disturbed_bytes() + unit_panels.disturbed_bytes() +
           values.disturbed_bytes() + buffer.disturbed_bytes() + carries.disturbed_bytes();
  }
};

/// As chosen, and so small that there are several panels, parts, bands and turns of the buffer.
struct Cut {
  char const* name;
  cuda::CsrPanelTuning tuning;
  int blocks;
};
constexpr std::array cuts{Cut{"as chosen", {}, 0}, Cut{"chunks of 16, 6 blocks", {.chunk = 16, .parts = 1}, 6},
                          Cut{"chunks of 64, 2 blocks a panel, one slot", {.chunk = 64, .parts = 2, .slots = 1}, 4}};

TYPED_TEST(CsrPanelsCuda, HoldTheBound) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  for (auto const& m : matrices()) {
    if (m.nnz() == 0) continue;  // the library scales y instead
    for (bool const permuted : {false, true}) {
      CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m, permuted ? 1 : 0, permuted);
      for (auto const& cut : cuts) {
        if (is_wide(m) && cut.blocks > 0) continue;  // so few blocks do not hold all columns
        Packed<TypeParam> const packed(A.device, cut.tuning, cut.blocks);
        ASSERT_GT(packed.panels.shape.blocks, 0) << m.name << ", " << cut.name;
        for (bool const with_nan : {false, true}) {
          if (with_nan && is_wide(m)) continue;
          check_product<X, Y>(
              A.host.pointers(), m.name + ", " + cut.name,
              [&](Y alpha, X const* x, Y beta, Y* y) {
                cuda::csr_spmv_column_panels(packed.panels, alpha, x, beta, y, nullptr);
              },
              [&](std::vector<X>& x) {
                if (with_nan) x[x.size() / 2] = nan<X>;
              });
        }
        EXPECT_EQ(packed.disturbed_bytes(), 0) << m.name << ", " << cut.name;
        auto const done = packed.done.download();
        EXPECT_EQ(std::count(done.begin(), done.end(), 0u), static_cast<std::ptrdiff_t>(done.size())) << m.name;
      }
    }
  }
}

// Padding repeats the first column of its panel: what x holds there stays where it is stored.
TYPED_TEST(CsrPanelsCuda, NonFiniteXReachesExactlyTheRowsThatStoreItsColumn) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  auto const m = random_matrix("random", 300, 150, 6);
  CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m);
  for (auto const& cut : cuts) {
    Packed<TypeParam> const packed(A.device, cut.tuning, cut.blocks);
    for (std::size_t const place : {0U, 16U, 48U, 149U})
      for (X const value : {nan<X>, std::numeric_limits<X>::infinity()})
        check_product<X, Y>(
            A.host.pointers(), cut.name,
            [&](Y alpha, X const* x, Y beta, Y* y) {
              cuda::csr_spmv_column_panels(packed.panels, alpha, x, beta, y, nullptr);
            },
            [&](std::vector<X>& x) { x[place] = value; });
  }
}

TYPED_TEST(CsrPanelsCuda, TakesValuesAloneIntoThePlacesOfTheOldOnes) {
  using A = typename TypeParam::A;
  auto m = random_matrix("random", 500, 400, 9);
  CsrPair<A, typename TypeParam::Offset> const before(m);
  for (double& v : m.values) v = 3 * v - 1;
  CsrPair<A, typename TypeParam::Offset> const after(m);
  for (auto const& cut : cuts) {
    Packed<TypeParam> const packed(before.device, cut.tuning, cut.blocks);
    cuda::csr_panels_fill_values(after.device, packed.panels, nullptr);
    check_product<typename TypeParam::X, typename TypeParam::Y>(
        after.host.pointers(), cut.name, [&](auto alpha, auto const* x, auto beta, auto* y) {
          cuda::csr_spmv_column_panels(packed.panels, alpha, x, beta, y, nullptr);
        });
  }
}

TYPED_TEST(CsrPanelsCuda, ReplayInAGraphWithTheSameBits) {
  using X = typename TypeParam::X;
  using Y = typename TypeParam::Y;
  std::vector<std::int64_t> lengths(4000, 9);
  lengths[17] = 5000;
  auto const m = with_row_lengths("skewed", 6000, lengths);
  CsrPair<typename TypeParam::A, typename TypeParam::Offset> const A(m);
  Packed<TypeParam> const packed(A.device, {.chunk = 256, .slots = 2}, 0);
  expect_same_replays<X, Y>(m.rows, m.cols, [&](X const* x, Y* y, cudaStream_t stream) {
    cuda::csr_spmv_column_panels(packed.panels, Y(1), x, Y(0), y, stream);
  });
}

TYPED_TEST(CsrPanelsCuda, PackedForAnotherSizeOfResultIsRefused) {
  using Y = typename TypeParam::Y;
  using Other = std::conditional_t<sizeof(Y) == 4, double, float>;
  if constexpr (std::is_same_v<typename TypeParam::A, float>) {
    CsrPair<float, typename TypeParam::Offset> const A(random_matrix("random", 50, 40, 3));
    Packed<TypeParam> const packed(A.device, {}, 0);
    EXPECT_THROW(cuda::csr_spmv_column_panels(packed.panels, Other(1), static_cast<Other const*>(nullptr), Other(0),
                                              static_cast<Other*>(nullptr), nullptr),
                 Error);
  }
}

struct Doubles {
  using A = double;
  using Y = double;
};

// What a kernel is allowed of shared memory belongs to the process.
TEST(CsrPanels, AGraphKeepsItsSharedMemoryBesideSmallerProducts) {
  if (!has_cuda_device()) GTEST_SKIP() << "no CUDA device";
  CsrPair<double, std::int32_t> const large(random_matrix("large", 700, 1000000, 11));
  CsrPair<double, std::int32_t> const small(random_matrix("small", 70, 50, 3));
  Packed<Doubles> const of_large(large.device, {}, 0);
  Packed<Doubles> const of_small(small.device, {}, 0);
  DeviceArray<double> const x(std::vector<double>(1000000, 0.5)), y(std::vector<double>(700, -1)),
      expected(std::vector<double>(700, -2));
  auto const product = [&](auto const& packed, double* to, cudaStream_t stream) {
    cuda::csr_spmv_column_panels(packed.panels, 1.0, x.data(), 0.0, to, stream);
  };
  product(of_large, expected.data(), nullptr);
  cudaStream_t stream{};
  cudaGraph_t graph{};
  cudaGraphExec_t replay{};
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  product(of_large, y.data(), stream);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  product(of_small, y.data(), nullptr);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(replay, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(y.download(), expected.download());
  cudaGraphExecDestroy(replay);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

TEST(CsrGatheredLines, CountsLinesThatChunksOfEntriesName) {
  if (!has_cuda_device()) GTEST_SKIP() << "no CUDA device";
  std::vector<std::int32_t> columns;
  for (int k = 0; k < 1024; ++k) columns.push_back(k);              // 32 lines
  for (int k = 0; k < 1024; ++k) columns.push_back(5);              // one
  for (int k = 0; k < 1024; ++k) columns.push_back(1000 + k * 32);  // as many as entries
  DeviceArray<std::int32_t> const device(columns), counts(std::vector<std::int32_t>(3, -1));
  cuda::csr_count_gathered_lines(device.data(), 3072, 3, counts.data(), nullptr);
  EXPECT_EQ(counts.download(), (std::vector<std::int32_t>{32, 1, 1024}));
  EXPECT_EQ(counts.disturbed_bytes(), 0);
}

}  // namespace
}  // namespace araia::test
