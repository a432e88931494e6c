// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmv/csr_column_panels/choice.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace araia::cuda {
namespace {

constexpr std::int64_t product_bytes = 15872;  // of a chunk: with padding, 1024 units at most, four for each thread
constexpr std::int64_t fewest_bands = 4;       // phases overlap between bands
constexpr int usual_slots = 3;                 // two for the phases, one for thread blocks that lag
constexpr std::int64_t fewest_entries = 256;   // of a chunk, before bands are given up
constexpr std::int64_t most_columns = 65536;   // 16-bit columns
constexpr std::int64_t run_entries = 56;       // of a chunk in a panel: longer runs have no use
constexpr double even = 1.1;                   // entries of the busiest thread block over the mean: even enough
constexpr double worth = 0.95;                 // of that number, below which fewer parts pay

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// First buckets of panels, and the number of buckets behind them.
struct Panels {
  std::vector<std::int64_t> firsts;
  std::int64_t fullest = 0;  // entries of a panel
};

/// Panels of at most `most` entries, one bucket at least, and `widest` buckets, from left to right.
Panels fill_panels(std::span<std::int32_t const> buckets, std::int64_t most, std::int64_t widest) {
  Panels cut{{0}, 0};
  std::int64_t entries = 0;
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    auto const at = static_cast<std::int64_t>(b);
    if (at > cut.firsts.back() && (entries + buckets[b] > most || at - cut.firsts.back() == widest)) {
      cut.firsts.push_back(at);
      entries = 0;
    }
    entries += buckets[b];
    cut.fullest = std::max(cut.fullest, entries);
  }
  cut.firsts.push_back(static_cast<std::int64_t>(buckets.size()));
  return cut;
}

/// At most `count` panels, the fullest of them as empty as can be, within a thousandth; by bisection.
Panels share_buckets(std::span<std::int32_t const> buckets, std::int64_t count, std::int64_t widest) {
  std::int64_t high = std::accumulate(buckets.begin(), buckets.end(), std::int64_t{0});
  std::int64_t low = std::max<std::int64_t>(high / count, 1);  // from 0 the bisection would not go on
  Panels best = fill_panels(buckets, high, widest);
  for (std::int64_t most = low + low / 100; high - low > low / 1000 + 1;
       most = std::min(2 * low, low + (high - low) / 2)) {
    Panels cut = fill_panels(buckets, most, widest);
    if (static_cast<std::int64_t>(cut.firsts.size()) - 1 <= count) {
      high = most;
      best = std::move(cut);
    } else {
      low = most;
    }
  }
  return best;
}

}  // namespace

CsrPanelCut choose_csr_panels(std::span<std::int32_t const> buckets, std::int64_t cols, std::int64_t nnz,
                              int vector_bytes, CsrPanelDevice const& device, CsrPanelTuning const& tuning) {
  CsrPanelCut cut;
  auto const all = static_cast<std::int64_t>(buckets.size());
  if (nnz == 0 || all == 0 || device.multiprocessors < 1) return cut;
  CsrPanelShape s{.groups = tuning.groups > 0 ? tuning.groups : csr_panel_groups, .vector_bytes = vector_bytes};

  // Room for chunks first, with as many thread blocks as run at once.
  std::int64_t const most = ceil_div(tuning.chunk > 0 ? tuning.chunk : product_bytes / vector_bytes, 16) * 16;
  std::int64_t of_a_band = std::int64_t{s.groups} * device.multiprocessors;
  std::int64_t const wanted = std::min(fewest_bands, std::max<std::int64_t>(1, nnz / (of_a_band * fewest_entries)));
  std::int64_t const room = std::min(most, ceil_div(ceil_div(nnz, of_a_band * wanted), 16) * 16 + 16);
  int const padding = csr_panel_padding(std::min(csr_panel_most, device.multiprocessors), vector_bytes);
  std::int64_t const free_bytes =
      device.shared_bytes - csr_panel_static - csr_panel_ring_bytes(vector_bytes) -
      std::int64_t{s.groups} * csr_panel_places(static_cast<int>(room), padding) * vector_bytes;
  std::int64_t const widest = std::min(free_bytes / vector_bytes, most_columns) / csr_panel_bucket;  // buckets
  if (widest < 1) return cut;
  std::int64_t const fewest = ceil_div(all, widest);
  // Parts make runs of a chunk's entries in a panel long, but leave few panels to share all entries, and wide ones to
  // load.
  Panels panels;
  double fullest = 0;  // entries of a block
  std::int64_t const most_parts = std::clamp<std::int64_t>(ceil_div(device.multiprocessors * run_entries, room), 1,
                                                           std::max<std::int64_t>(1, device.multiprocessors / fewest));
  for (std::int64_t parts = tuning.parts > 0 ? tuning.parts : most_parts; parts > 0;
       parts = tuning.parts > 0 ? 0 : parts / 2) {
    std::int64_t const count = std::min({device.multiprocessors / parts, all, std::int64_t{csr_panel_most}});
    if (fewest > count) continue;
    Panels shared = share_buckets(buckets, count, widest);
    double const busiest = static_cast<double>(shared.fullest) / static_cast<double>(parts);
    if (s.parts != 0 && busiest > fullest * worth) continue;
    s.parts = static_cast<int>(parts);
    panels = std::move(shared);
    fullest = busiest;
    if (fullest * device.multiprocessors < even * static_cast<double>(nnz)) break;
  }
  if (s.parts == 0) return cut;
  s.panels = static_cast<int>(panels.firsts.size()) - 1;
  s.blocks = s.panels * s.parts;
  // Chunks of equal length that make whole bands.
  of_a_band = std::int64_t{s.groups} * s.blocks;
  std::int64_t const bands = std::max(wanted, ceil_div(nnz, of_a_band * room));
  s.chunk = static_cast<int>(ceil_div(ceil_div(nnz, of_a_band * bands), 16) * 16);
  s.chunks = ceil_div(nnz, s.chunk);
  s.bands = static_cast<int>(ceil_div(s.chunks, of_a_band));
  s.slots = std::min({tuning.slots > 0 ? tuning.slots : usual_slots, s.bands, csr_panel_most_slots});
  for (std::int64_t const first : panels.firsts) {
    cut.panel_columns.push_back(static_cast<std::int32_t>(std::min(first * csr_panel_bucket, cols)));
    if (first != 0) s.widest = std::max(s.widest, cut.panel_columns.back() - *(cut.panel_columns.end() - 2));
  }
  cut.shape = s;
  return cut;
}

std::vector<CsrPanelSpanCut> choose_csr_panel_spans(std::span<std::int32_t const> buckets, std::int64_t cols,
                                                    int vector_bytes, CsrPanelDevice const& device) {
  auto const all = static_cast<std::int64_t>(buckets.size());
  for (std::int64_t count = 1; count <= std::min<std::int64_t>(csr_panel_most_spans, all); ++count) {
    std::vector<CsrPanelSpanCut> spans;
    bool fits = true;
    for (std::int64_t i = 0; fits && i < count; ++i) {
      std::int64_t const first = all * i / count;
      std::int64_t const last = all * (i + 1) / count;
      auto const own = buckets.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
      CsrPanelSpanCut span{.first_column = first * csr_panel_bucket};
      span.columns = std::min(last * csr_panel_bucket, cols) - span.first_column;
      span.nnz = std::accumulate(own.begin(), own.end(), std::int64_t{0});
      if (span.nnz == 0) continue;
      span.cut = choose_csr_panels(own, span.columns, span.nnz, vector_bytes, device);
      fits = span.cut.shape.blocks != 0;
      spans.push_back(std::move(span));
    }
    if (fits) return spans;
  }
  return {};
}

}  // namespace araia::cuda
