// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spgemm/spgemm.hpp"

#include <algorithm>
#include <araia/error.hpp>
#include <cstddef>

#include "backends/cuda/check.hpp"
#include "backends/cuda/spgemm/analysis/kernel.hpp"
#include "backends/cuda/spgemm/csr_bit_window/kernel.hpp"
#include "backends/cuda/spgemm/csr_block_window/kernel.hpp"
#include "backends/cuda/spgemm/csr_long_rows/kernel.hpp"
#include "backends/cuda/spgemm/csr_row_groups/kernel.hpp"
#include "backends/cuda/spgemm/csr_sorted_rows/kernel.hpp"
#include "backends/cuda/spgemm/csr_thread_per_row/kernel.hpp"

namespace araia::cuda::spgemm {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }
std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }
std::int64_t words_of(std::int64_t columns) { return (columns + word_columns - 1) / word_columns; }
std::size_t at(Bin bin) { return static_cast<std::size_t>(index(bin)); }
constexpr Bin window_bins[] = {Bin::window_short, Bin::window_long};
constexpr Bin sorted_bins[] = {Bin::sorted_64, Bin::sorted_256, Bin::sorted_1024};

Operands operands_of(Plan const& plan, Matrix const& a, Matrix const& b) {
  return {{a.row_offsets, a.col_indices, a.values},
          {b.row_offsets, b.col_indices, b.values},
          a.rows,
          a.cols,
          words_of(b.cols),
          plan.b_ascends,
          plan.options.deterministic};
}

void check_operands(Matrix const& a, Matrix const& b) {
  if (a.cols != b.rows)
    throw Error(ErrorKind::dimension_mismatch, "araia::spgemm: A has " + std::to_string(a.cols) + " columns and B " +
                                                   std::to_string(b.rows) + " rows, expected as many");
  if (auto const refusal = size_refusal(a, b); !refusal.empty())
    throw Error(ErrorKind::resource_limit, "araia::spgemm: " + refusal);
  if (a.row_permutation != nullptr || b.row_permutation != nullptr)
    throw Error(ErrorKind::invalid_argument, "araia::spgemm: row_permutation is set, expected null");
}

// ---- the analysis' memory: counters, bins, first tiles ----

Counters* counters_of(Plan const& plan) { return static_cast<Counters*>(plan.analysis); }
std::int32_t* first_tiles_of(Plan const& plan) {
  return reinterpret_cast<std::int32_t*>(static_cast<unsigned char*>(plan.analysis) + aligned(sizeof(Counters)));
}
std::uint8_t* bins_of(Plan const& plan) { return reinterpret_cast<std::uint8_t*>(first_tiles_of(plan) + plan.rows); }

Counters download(Plan const& plan, cudaStream_t stream) {
  Counters counters;
  check(cudaMemcpyAsync(&counters, plan.analysis, sizeof(Counters), cudaMemcpyDeviceToHost, stream), "cudaMemcpyAsync");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return counters;
}

// ---- the workspace ----

template <class T>
T* place(Plan const& plan, std::size_t begin) {
  return reinterpret_cast<T*>(static_cast<unsigned char*>(plan.workspace) + begin);
}

std::int64_t all_items(Plan const& plan) { return plan.thread_per_row ? plan.rows : plan.rows / plan.group; }

void lay_out(Plan& plan, std::int64_t b_nnz) {
  auto& layout = plan.layout;
  std::size_t const limit = plan.options.workspace_limit;
  std::size_t end = 0;
  auto const room = [&] { return limit - std::min(limit, plan.analysis_bytes + end); };
  auto const take = [&](std::size_t bytes) {
    std::size_t const begin = end;
    end += aligned(bytes);
    return begin;
  };
  layout.sums = take(8 * size(scan_blocks(plan.rows)));
  if (!plan.thread_per_row) {
    std::int64_t const items = all_items(plan);
    if (std::ranges::count_if(plan.items, [](std::int64_t n) { return n != 0; }) > 1) {
      layout.list_count = items;
      layout.list = take(4 * size(items));
    }
    std::int64_t const count = plan.items[at(Bin::long_row)];
    std::size_t const of_long_row = size(std::max<std::int64_t>(1, long_rows::window_bytes(words_of(plan.cols))));
    if (count > 0) {
      // Room is for all of them at once, or for what there is.
      std::size_t const fit = room() < alignment ? 0 : (room() - alignment) / of_long_row;
      layout.long_rows_at_once =
          std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(fit, size(count))), 1, count);
      layout.long_row_windows = take(of_long_row * size(layout.long_rows_at_once));
    }
    std::int64_t const windows = plan.items[at(Bin::window_short)] + plan.items[at(Bin::window_long)];
    std::int64_t const b_items = plan.inner / plan.group;
    if (windows > 0 && aligned(8 * size(b_nnz)) + aligned(4 * size(b_items)) <= room()) {
      layout.tile_count = b_nnz;
      layout.tiles = take(8 * size(b_nnz));
      layout.tile_counts = take(4 * size(b_items));
    }
    constexpr std::int64_t most = 0x7fffffff;  // the list is counted in 32 bits
    constexpr std::int64_t least_share = 8;    // a list of less than an eighth of the rows is not worth its room
    auto const wanted = static_cast<std::int64_t>(plan.counters.list_entries);
    std::size_t const positions = aligned(4 * size(items)) + alignment;
    if (windows > 0 && room() > positions) {
      auto const fit = static_cast<std::int64_t>(std::min((room() - positions) / 8, size(most)));
      if (std::min(fit, wanted) > wanted / least_share) {
        layout.row_tile_count = std::min(fit, wanted);
        layout.positions = take(4 * size(items));
        layout.row_tiles = take(8 * size(layout.row_tile_count));
      }
    }
  }
  plan.workspace_bytes = end;
  if (plan.analysis_bytes + end > limit)
    plan.refusal = "the workspace would take " + std::to_string(plan.analysis_bytes + end) +
                   " bytes, expected at most workspace_limit = " + std::to_string(limit);
}

Items items_of(Plan const& plan, Bin bin) {
  if (plan.layout.list_count == 0) return {nullptr, 0, plan.items[at(bin)]};
  return {place<std::int32_t const>(plan, plan.layout.list), plan.list_starts[at(bin)], plan.items[at(bin)]};
}

bit_window::Rows window_rows(Plan const& plan, Bin bin) {
  auto const& layout = plan.layout;
  bit_window::Rows rows{};
  rows.items = items_of(plan, bin);
  rows.bin = bin;
  rows.group = plan.group;
  rows.words = static_cast<std::int32_t>(plan.counters.words[at(bin)]);
  rows.first_tile = first_tiles_of(plan);
  if (layout.tile_count > 0)
    rows.tiled = {place<Tile>(plan, layout.tiles), place<std::int32_t>(plan, layout.tile_counts), plan.group};
  if (layout.row_tile_count > 0)
    rows.lists = {place<Tile>(plan, layout.row_tiles), place<std::uint32_t>(plan, layout.positions),
                  static_cast<std::uint32_t>(layout.row_tile_count)};
  return rows;
}

/// Hands out the caller's stream first, then side streams in turn; joins them at its end.
class Branches {
 public:
  Branches(Plan const& plan, cudaStream_t main) : side_(plan.options.side_streams), main_(main) {
    if (side_ != nullptr && std::ranges::count_if(plan.items, [](std::int64_t n) { return n != 0; }) > 1)
      side_->fork(main_);
    else
      side_ = nullptr;
  }
  cudaStream_t next() {
    int const k = next_++ % (SideStreams::count + 1);
    return side_ == nullptr || k == 0 ? main_ : side_->stream(k - 1);
  }
  void join() const {
    if (side_ != nullptr) side_->join(main_);
  }

 private:
  SideStreams const* side_;
  cudaStream_t main_;
  int next_ = 0;
};

/// work(rows) for long rows, so many at a time.
template <class Work>
void for_each_batch(Plan const& plan, Work const& work) {
  Items const all = items_of(plan, Bin::long_row);
  std::int64_t const at_once = plan.layout.long_rows_at_once;
  for (std::int64_t first = 0; first < all.count; first += at_once)
    work(Items{all.list, all.first + first, std::min(at_once, all.count - first)});
}

BinRules rules_of(Form form) {
  switch (form) {
    case Form::automatic: return {};
    case Form::thread_per_row: return {true, false, -1};
    case Form::row_groups: return {false, true, -1};
    case Form::window_short: return {false, false, index(Bin::window_short)};
    case Form::window_long: return {false, false, index(Bin::window_long)};
    case Form::sorted_64: return {false, false, index(Bin::sorted_64)};
    case Form::sorted_256: return {false, false, index(Bin::sorted_256)};
    case Form::sorted_1024: return {false, false, index(Bin::sorted_1024)};
    case Form::block_window: return {false, false, index(Bin::block_window)};
    case Form::long_row: return {false, false, index(Bin::long_row)};
  }
  throw Error(ErrorKind::invalid_argument, "araia::spgemm: form is none of the enumeration");
}

void run_numeric(Plan const& plan, Matrix const& a, Matrix const& b, Result const& c, bool known, cudaStream_t stream) {
  check_operands(a, b);
  if (plan.nnz < 0)
    throw Error(ErrorKind::invalid_argument, "araia::spgemm: the plan has no symbolic pass behind it, expected one");
  if (plan.nnz == 0) return;
  if (a.values == nullptr || b.values == nullptr)
    throw Error(ErrorKind::unsupported, "araia::spgemm: values are null, expected numbers");
  Operands const p = operands_of(plan, a, b);
  auto const longest = [&](Bin bin) { return static_cast<std::int32_t>(plan.counters.pass.longest_c[at(bin)]); };
  if (plan.thread_per_row) {
    thread_per_row::numeric(p, static_cast<std::int32_t>(plan.counters.pass.longest_c[0]), c, known, stream);
    return;
  }
  Branches branches(plan, stream);
  if (plan.items[at(Bin::long_row)] > 0) {
    cudaStream_t const own = branches.next();
    bool const windows_there = plan.layout.long_rows_at_once >= plan.items[at(Bin::long_row)];
    for_each_batch(plan, [&](Items const& rows) {
      void* const windows = place<void*>(plan, plan.layout.long_row_windows);
      if (!windows_there)
        long_rows::make_windows(p, rows, plan.counters.longest_a, windows, nullptr, counters_of(plan), own);
      long_rows::numeric(p, rows, plan.counters.longest_a, windows, c, known, own);
    });
  }
  for (Bin const bin : window_bins)
    if (plan.items[at(bin)] > 0) {
      cudaStream_t const own = branches.next();
      bit_window::Rows const rows = window_rows(plan, bin);
      std::int32_t const entries = std::min(longest(bin), most_team_entries);
      if (longest(bin) > entries) block_window::numeric(p, rows, entries, c, known, own);
      if (plan.group > 1)
        row_groups::numeric(p, rows, entries, c, known, own);
      else
        bit_window::numeric(p, rows, entries, c, known, plan.mean_b_row, own);
    }
  if (plan.items[at(Bin::block_window)] > 0)
    block_window::numeric(p, window_rows(plan, Bin::block_window), 0, c, known, branches.next());
  for (Bin const bin : {Bin::sorted_1024, Bin::sorted_256, Bin::sorted_64})
    if (plan.items[at(bin)] > 0) sorted_rows::numeric(p, items_of(plan, bin), bin, c, known, branches.next());
  branches.join();
}

}  // namespace

SideStreams::SideStreams() {
  try {
    for (auto& stream : streams_)
      check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    for (auto& event : events_)
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  } catch (...) {
    release();
    throw;
  }
}
SideStreams::~SideStreams() { release(); }
void SideStreams::release() noexcept {
  for (auto const stream : streams_)
    if (stream != nullptr) static_cast<void>(cudaStreamDestroy(stream));
  for (auto const event : events_)
    if (event != nullptr) static_cast<void>(cudaEventDestroy(event));
}
void SideStreams::fork(cudaStream_t main) const {
  check(cudaEventRecord(events_[count], main), "cudaEventRecord");
  for (auto const stream : streams_) check(cudaStreamWaitEvent(stream, events_[count], 0), "cudaStreamWaitEvent");
}
void SideStreams::join(cudaStream_t main) const {
  for (std::size_t k = 0; k < streams_.size(); ++k) {
    check(cudaEventRecord(events_[k], streams_[k]), "cudaEventRecord");
    check(cudaStreamWaitEvent(main, events_[k], 0), "cudaStreamWaitEvent");
  }
}

std::string size_refusal(Matrix const& a, Matrix const& b) {
  constexpr std::int64_t most = 0x7fffffff - 0x10000;  // loops step beyond the end
  for (Matrix const* m : {&a, &b})
    if (m->nnz > most || m->rows > most || m->cols > most)
      return std::string(m == &a ? "A is " : "B is ") + std::to_string(m->rows) + " x " + std::to_string(m->cols) +
             " with " + std::to_string(m->nnz) + " entries, expected at most " + std::to_string(most) + " of each";
  return {};
}

std::size_t analysis_bytes(Matrix const& a) { return aligned(sizeof(Counters)) + aligned(5 * size(a.rows)); }

Plan analyse(Matrix const& a, Matrix const& b, Options const& options, void* analysis, cudaStream_t stream) {
  check_operands(a, b);
  BinRules rules = rules_of(options.form);
  Plan plan;
  plan.options = options;
  plan.rows = a.rows;
  plan.inner = a.cols;
  plan.cols = b.cols;
  plan.analysis = analysis;
  plan.analysis_bytes = analysis_bytes(a);
  plan.mean_b_row = b.rows == 0 ? 0 : static_cast<double>(b.nnz) / static_cast<double>(b.rows);
  rules.groups = rules.groups && a.rows % group_rows == 0 && a.cols % group_rows == 0;

  Operands const p = operands_of(plan, a, b);
  check(cudaMemsetAsync(analysis, 0, sizeof(Counters), stream), "cudaMemsetAsync");
  look_at_rows(p, !options.b_ascends, rules.groups, counters_of(plan), stream);
  choose_bins(p, rules, counters_of(plan), bins_of(plan), first_tiles_of(plan), stream);
  plan.counters = download(plan, stream);

  auto const read = [&] {
    std::ranges::copy(plan.counters.items, plan.items.begin());
    bool const grouped = rules.groups && plan.counters.b_unordered == 0 && plan.counters.ungrouped == 0;
    plan.group = grouped && !plan.thread_per_row ? group_rows : 1;
  };
  plan.b_ascends = plan.counters.b_unordered == 0;
  plan.thread_per_row = rules.merge && plan.b_ascends && plan.counters.longest_a <= merged_entries &&
                        plan.counters.longest_b <= merged_entries;
  read();
  if (plan.group > 1) {
    std::int64_t others = 0;
    for (Bin const bin : sorted_bins) others += plan.items[at(bin)];
    others += plan.items[at(Bin::block_window)] + plan.items[at(Bin::long_row)];
    if (others > 0) {  // groups that no window takes: rows one by one
      rules.groups = false;
      check(cudaMemsetAsync(counters_of(plan), 0, offsetof(Counters, longest_a), stream), "cudaMemsetAsync");
      choose_bins(p, rules, counters_of(plan), bins_of(plan), first_tiles_of(plan), stream);
      plan.counters = download(plan, stream);
      read();
    }
  }
  plan.products = plan.thread_per_row ? merged_entries * a.nnz
                                      : static_cast<std::int64_t>(plan.counters.products) * plan.group * plan.group;
  std::uint32_t start = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    plan.list_starts[bin] = start;
    start += plan.counters.items[bin];
  }
  if (options.deterministic && !plan.b_ascends)
    plan.refusal = "rows of B do not ascend strictly, and sums in a fixed order want them so";
  else if (options.form == Form::thread_per_row && !plan.thread_per_row)
    plan.refusal = "rows are longer than one thread merges, or B's do not ascend strictly";
  else if (options.form == Form::row_groups && plan.group == 1)
    plan.refusal = "rows are not in groups of three of the same columns whose windows fit";
  else
    lay_out(plan, b.nnz);
  return plan;
}

std::int64_t symbolic(Plan& plan, Matrix const& a, Matrix const& b, void* workspace, std::int32_t* row_offsets,
                      cudaStream_t stream) {
  check_operands(a, b);
  if (!plan.refusal.empty())
    throw Error(ErrorKind::unsupported, "araia::spgemm: the plan was refused: " + plan.refusal);
  plan.workspace = workspace;
  Operands const p = operands_of(plan, a, b);
  Counters* const counters = counters_of(plan);
  check(cudaMemsetAsync(&counters->pass, 0, sizeof(counters->pass), stream), "cudaMemsetAsync");
  if (plan.rows == 0) check(cudaMemsetAsync(row_offsets, 0, sizeof(std::int32_t), stream), "cudaMemsetAsync");
  if (plan.thread_per_row) {
    check(cudaMemsetAsync(&counters->products, 0, sizeof(counters->products), stream), "cudaMemsetAsync");
    thread_per_row::symbolic(p, row_offsets, counters, stream);
  } else {
    if (plan.items[at(Bin::empty)] > 0)
      check(cudaMemsetAsync(row_offsets, 0, sizeof(std::int32_t) * size(plan.rows), stream), "cudaMemsetAsync");
    if (plan.layout.list_count > 0) {
      ListStarts starts;
      std::ranges::copy(plan.list_starts, starts.at);
      list_rows(plan.layout.list_count, bins_of(plan), starts, counters, place<std::int32_t>(plan, plan.layout.list),
                stream);
    }
    Branches branches(plan, stream);
    cudaStream_t const first = branches.next();
    if (plan.layout.tile_count > 0) make_tiles(p, window_rows(plan, Bin::window_short).tiled, first);
    for (Bin const bin : window_bins)
      if (plan.items[at(bin)] > 0) bit_window::symbolic(p, window_rows(plan, bin), row_offsets, counters, first);
    if (plan.items[at(Bin::long_row)] > 0) {
      cudaStream_t const own = branches.next();
      for_each_batch(plan, [&](Items const& rows) {
        long_rows::make_windows(p, rows, plan.counters.longest_a, place<void*>(plan, plan.layout.long_row_windows),
                                row_offsets, counters, own);
      });
    }
    if (plan.items[at(Bin::block_window)] > 0)
      block_window::symbolic(p, window_rows(plan, Bin::block_window), row_offsets, counters, branches.next());
    for (Bin const bin : {Bin::sorted_1024, Bin::sorted_256, Bin::sorted_64})
      if (plan.items[at(bin)] > 0)
        sorted_rows::symbolic(p, items_of(plan, bin), bin, row_offsets, counters, branches.next());
    branches.join();
  }
  scan_lengths(plan.rows, row_offsets, place<unsigned long long>(plan, plan.layout.sums), counters, stream);
  Counters const now = download(plan, stream);
  plan.counters.pass = now.pass;
  if (plan.thread_per_row) plan.products = static_cast<std::int64_t>(now.products);
  plan.nnz = static_cast<std::int64_t>(now.pass.nnz);
  return plan.nnz;
}

void widen(Plan const& plan, std::int32_t const* row_offsets, std::int64_t* wide, cudaStream_t stream) {
  if (plan.rows == 0)
    check(cudaMemsetAsync(wide, 0, sizeof(std::int64_t), stream), "cudaMemsetAsync");
  else
    widen_offsets(plan.rows, row_offsets, place<unsigned long long>(plan, plan.layout.sums), wide, stream);
}

void numeric(Plan const& plan, Matrix const& a, Matrix const& b, Result const& c, cudaStream_t stream) {
  run_numeric(plan, a, b, c, false, stream);
}

void values(Plan const& plan, Matrix const& a, Matrix const& b, Result const& c, cudaStream_t stream) {
  run_numeric(plan, a, b, c, true, stream);
}

}  // namespace araia::cuda::spgemm
