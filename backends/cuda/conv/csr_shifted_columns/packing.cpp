// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "backends/cuda/conv/csr_shifted_columns/packing.hpp"

#include <algorithm>
#include <araia/error.hpp>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace araia::cuda::shifted_columns {
namespace {

constexpr std::int64_t most_index = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t most_offset = most_index - 1024;  // a tile behind it has indices too

std::int64_t down_to_four(std::int64_t n) { return n / 4 * 4; }
std::int64_t up_to_four(std::int64_t n) { return (n + 3) / 4 * 4; }

std::int32_t index(std::int64_t value) {
  if (value > most_index)
    throw Error(ErrorKind::resource_limit, "araia::cuda::shifted_columns: packing has an index of " +
                                               std::to_string(value) + ", expected at most " +
                                               std::to_string(most_index));
  return static_cast<std::int32_t>(value);
}

void require(ShiftedWeights<float> const& w) {
  auto const broken = [](std::string const& what) {
    throw Error(ErrorKind::invalid_structure, "araia::cuda::shifted_columns: " + what);
  };
  if (w.rows < 0 || w.rows > most_index) broken("rows is " + std::to_string(w.rows) + ", expected 0 to 2^31 - 1");
  if (w.rows == 0) return;
  if (w.row_offsets[0] != 0) broken("row_offsets[0] is " + std::to_string(w.row_offsets[0]) + ", expected 0");
  for (std::int64_t row = 0; row < w.rows; ++row) {
    std::int64_t const begin = w.row_offsets[row];
    std::int64_t const end = w.row_offsets[row + 1];
    if (end < begin) broken("row_offsets descend at row " + std::to_string(row));
    for (std::int64_t k = begin; k < end; ++k)
      if (w.col_offsets[k] < 0 || (k > begin && w.col_offsets[k] <= w.col_offsets[k - 1]))
        broken("col_offsets[" + std::to_string(k) + "] is " + std::to_string(w.col_offsets[k]) +
               ", expected an ascending one from 0 on");
    if (end > begin && w.col_offsets[end - 1] > most_offset)
      throw Error(ErrorKind::resource_limit, "araia::cuda::shifted_columns: col_offsets[" + std::to_string(end - 1) +
                                                 "] is " + std::to_string(w.col_offsets[end - 1]) +
                                                 ", expected at most " + std::to_string(most_offset));
  }
}

struct Entry {
  std::int32_t offset;
  std::int32_t place;  // of its row in the chunk: warp * warp_rows + r
  float value;
};

/// Places of rows in a chunk: the longest first, there and back over the warps.
std::vector<std::int32_t> deal_rows(ShiftedWeights<float> const& w, std::int64_t first, std::int64_t count,
                                    Shape const& shape) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), static_cast<std::int32_t>(first));
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::int32_t row) { return w.row_offsets[row + 1] - w.row_offsets[row]; });
  std::vector<std::int32_t> ids(static_cast<std::size_t>(shape.chunk_rows()), -1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::size_t const round = i / warps;
    std::size_t const at = i % warps;
    std::size_t const warp = round % 2 == 0 ? at : warps - 1 - at;
    ids[warp * static_cast<std::size_t>(shape.warp_rows) + round] = order[i];
  }
  return ids;
}

/// Collects a stage's spans and tells what it takes.
class Stage {
 public:
  explicit Stage(Shape const& shape) : shape_(shape), counts_(static_cast<std::size_t>(shape.chunk_rows())) {}

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::int64_t plane_words() const { return words_; }
  [[nodiscard]] std::int64_t bytes() const { return head_bytes() + records_ * record_bytes + words_ * 4; }

  /// Bytes that entries [from, to) of one offset would add.
  [[nodiscard]] std::int64_t bytes_of(Entry const* from, Entry const* to) const {
    std::int64_t more = 0;
    for (Entry const* e = from; e != to; ++e)
      more += counts_[static_cast<std::size_t>(e->place)] % 2 == 0 ? record_bytes : 0;
    return more + words_of(from->offset) * 4;
  }

  void add(Entry const* from, Entry const* to) {
    std::int64_t const begin = down_to_four(from->offset);
    std::int64_t const end = up_to_four(std::int64_t{from->offset} + shape_.tile());
    words_ += words_of(from->offset);
    if (!spans_.empty() && begin <= spans_.back().end)
      spans_.back().end = std::max(spans_.back().end, end);
    else
      spans_.push_back({begin, end, begin});
    spans_.back().last = from->offset;
    for (Entry const* e = from; e != to; ++e) {
      auto& count = counts_[static_cast<std::size_t>(e->place)];
      records_ += count % 2 == 0;
      ++count;
      entries_.push_back(*e);
    }
  }

  /// Appends its words.
  void write(std::vector<StageWords>& stages, std::vector<SpanWords>& spans,
             std::vector<std::uint32_t>& records) const {
    StageWords words{index(static_cast<std::int64_t>(spans.size())), 0,
                     index(static_cast<std::int64_t>(records.size() / 4)),
                     index((head_bytes() + records_ * record_bytes) / record_bytes)};
    std::int64_t const planes_at = head_bytes() + records_ * record_bytes;

    // Spans, and where each begins in the slot.
    std::vector<std::int64_t> begins;  // of spans_, bytes
    std::int64_t to = planes_at;
    for (Span const& span : spans_) {
      begins.push_back(to);
      for (std::int64_t at = span.begin; at < span.end; at += most_span_words) {
        std::int64_t const length = std::min<std::int64_t>(span.end - at, most_span_words);
        spans.push_back(
            {index(at), index(to), index(length), index(std::max<std::int64_t>(span.last - at, -most_index))});
        to += length * 4;
        ++words.spans;
      }
    }

    // Where rows begin in the records.
    std::size_t const base = records.size();
    records.resize(base + static_cast<std::size_t>(words.records) * 4);
    std::uint32_t* const block = records.data() + base;
    std::vector<std::size_t> next(counts_.size());  // half records
    std::int64_t at = head_bytes();
    auto const warp_rows = static_cast<std::size_t>(shape_.warp_rows);
    for (std::size_t warp = 0; warp < warps; ++warp) {
      std::uint32_t* const header = block + warp * static_cast<std::size_t>(shape_.header_bytes()) / 4;
      header[0] = static_cast<std::uint32_t>(at);
      for (std::size_t r = 0; r < warp_rows; ++r) {
        std::size_t const place = warp * warp_rows + r;
        header[1 + r / 2] |= static_cast<std::uint32_t>(counts_[place]) << (r % 2 * 16);
        next[place] = static_cast<std::size_t>(at) / 8;
        at += (counts_[place] + 1) / 2 * record_bytes;
      }
    }
    std::size_t span = 0;
    for (Entry const& e : entries_) {  // ascending offsets
      while (span + 1 < spans_.size() && spans_[span + 1].begin <= e.offset) ++span;
      std::size_t const half_record = next[static_cast<std::size_t>(e.place)]++;
      block[half_record * 2] = static_cast<std::uint32_t>(begins[span] + (e.offset - spans_[span].begin) * 4);
      block[half_record * 2 + 1] = std::bit_cast<std::uint32_t>(e.value);
    }
    stages.push_back(words);
  }

  [[nodiscard]] bool holds_more(Entry const* from, Entry const* to) const {
    for (Entry const* e = from; e != to; ++e)
      if (counts_[static_cast<std::size_t>(e->place)] == std::numeric_limits<std::uint16_t>::max()) return false;
    return true;
  }

 private:
  struct Span {
    std::int64_t begin;  // elements, a multiple of 4
    std::int64_t end;    // likewise
    std::int64_t last;   // the last range that begins in it
  };

  [[nodiscard]] std::int64_t head_bytes() const { return std::int64_t{warps} * shape_.header_bytes(); }

  /// Words of planes that an offset adds.
  [[nodiscard]] std::int64_t words_of(std::int64_t offset) const {
    std::int64_t const begin = down_to_four(offset);
    std::int64_t const end = up_to_four(offset + shape_.tile());
    if (spans_.empty() || begin > spans_.back().end) return end - begin;
    return std::max<std::int64_t>(end - spans_.back().end, 0);
  }

  Shape shape_;
  std::vector<Span> spans_;
  std::vector<Entry> entries_;
  std::vector<std::int32_t> counts_;  // of the chunk's rows
  std::int64_t words_ = 0;
  std::int64_t records_ = 0;
};

/// Calls `use(first, last)` for each offset's entries.
template <class Use>
void for_each_offset(Entry const* begin, Entry const* end, Use const& use) {
  while (begin != end) {
    Entry const* last = begin;
    while (last != end && last->offset == begin->offset) ++last;
    use(begin, last);
    begin = last;
  }
}

template <class T>
std::size_t append(std::vector<std::uint32_t>& words, std::vector<T> const& of) {
  static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
  while (words.size() % 4 != 0) words.push_back(0);
  std::size_t const at = words.size();
  words.resize(at + of.size() * (sizeof(T) / sizeof(std::uint32_t)));
  if (!of.empty()) std::memcpy(words.data() + at, of.data(), of.size() * sizeof(T));
  return at * sizeof(std::uint32_t);
}

bool is_one_of(int value, std::initializer_list<int> values) {
  return std::ranges::find(values, value) != values.end();
}

}  // namespace

std::string Shape::name() const {
  return "columns:" + std::to_string(tile()) + ",rows:" + std::to_string(chunk_rows()) +
         ",splits:" + std::to_string(splits);
}

void check_shape(Shape const& shape) {
  auto const wrong = [](char const* field, int value, char const* expected) {
    throw Error(ErrorKind::invalid_argument, std::string("araia::cuda::shifted_columns: shape.") + field + " is " +
                                                 std::to_string(value) + ", expected " + expected);
  };
  if (!is_one_of(shape.lane_columns, {1, 2, 4, 8})) wrong("lane_columns", shape.lane_columns, "1, 2, 4 or 8");
  if (!is_one_of(shape.warp_rows, {1, 2, 4, 8})) wrong("warp_rows", shape.warp_rows, "1, 2, 4 or 8");
  if (!is_one_of(shape.splits, {1, 2, 4, 8})) wrong("splits", shape.splits, "1, 2, 4 or 8");
  if (shape.slot_bytes < 4096) wrong("slot_bytes", shape.slot_bytes, "4096 or more");
  if (shape.least_stages < 1) wrong("least_stages", shape.least_stages, "1 or more");
}

Packing pack(ShiftedWeights<float> const& weights, Shape const& shape) {
  check_shape(shape);
  require(weights);
  Packing packing;
  packing.shape = shape;
  packing.rows = weights.rows;
  packing.nnz = weights.rows == 0 ? 0 : weights.row_offsets[weights.rows];
  std::int64_t const chunk_rows = shape.chunk_rows();
  packing.chunks = index((weights.rows + chunk_rows - 1) / chunk_rows);

  std::vector<ShareWords> shares;
  std::vector<std::int32_t> row_ids;
  std::vector<StageWords> stages;
  std::vector<SpanWords> spans;
  std::vector<std::uint32_t> records;
  std::vector<Entry> entries;
  std::int64_t slot = 0;
  for (std::int64_t chunk = 0; chunk < packing.chunks; ++chunk) {
    std::int64_t const first_row = chunk * chunk_rows;
    auto const ids = deal_rows(weights, first_row, std::min(chunk_rows, weights.rows - first_row), shape);
    row_ids.insert(row_ids.end(), ids.begin(), ids.end());

    entries.clear();
    for (std::size_t place = 0; place < ids.size(); ++place)
      if (ids[place] >= 0)
        for (std::int64_t k = weights.row_offsets[ids[place]]; k < weights.row_offsets[ids[place] + 1]; ++k)
          entries.push_back({weights.col_offsets[k], static_cast<std::int32_t>(place), weights.values[k]});
    std::ranges::sort(entries, {}, [](Entry const& e) { return std::pair(e.offset, e.place); });

    Entry const* const begin = entries.data();
    Entry const* const end = begin + entries.size();
    Entry const* from = begin;
    for (int split = 0; split < shape.splits; ++split) {
      // An equal share of the entries, whole offsets.
      Entry const* to = begin + static_cast<std::int64_t>(entries.size()) * (split + 1) / shape.splits;
      to = std::max(to, from);
      while (to != end && to != begin && to->offset == (to - 1)->offset) ++to;

      Stage whole(shape);
      for_each_offset(from, to, [&](Entry const* a, Entry const* b) { whole.add(a, b); });
      std::int64_t const target =
          std::min<std::int64_t>(shape.slot_bytes, whole.bytes() / shape.least_stages + whole.bytes() / 64 + 1024);

      ShareWords share{index(static_cast<std::int64_t>(stages.size())), 0};
      Stage stage(shape);
      auto const close = [&] {
        slot = std::max(slot, stage.bytes());
        packing.copied_words += stage.plane_words();
        stage.write(stages, spans, records);
        ++share.count;
        stage = Stage(shape);
      };
      for_each_offset(from, to, [&](Entry const* a, Entry const* b) {
        if (!stage.empty() && (stage.bytes() + stage.bytes_of(a, b) > target || !stage.holds_more(a, b))) close();
        stage.add(a, b);
      });
      if (!stage.empty()) close();
      packing.most_stages = std::max(packing.most_stages, share.count);
      shares.push_back(share);
      from = to;
    }
  }
  packing.slot_bytes = index((slot + 127) / 128 * 128);
  packing.shares_at = append(packing.words, shares);
  packing.row_ids_at = append(packing.words, row_ids);
  packing.stages_at = append(packing.words, stages);
  packing.spans_at = append(packing.words, spans);
  packing.records_at = append(packing.words, records);
  return packing;
}

Work measure(ShiftedWeights<float> const& weights) {
  require(weights);
  Work work;
  work.rows = weights.rows;
  work.nnz = weights.rows == 0 ? 0 : weights.row_offsets[weights.rows];
  std::vector<std::int32_t> offsets(weights.col_offsets, weights.col_offsets + work.nnz);
  std::ranges::sort(offsets);
  offsets.erase(std::ranges::unique(offsets).begin(), offsets.end());
  work.distinct_offsets = static_cast<std::int64_t>(offsets.size());
  for (int i = 0; i < 4; ++i) {
    std::int64_t end = 0;
    for (std::int64_t const offset : offsets) {
      std::int64_t const to = up_to_four(offset + (32 << i));
      work.window_words[i] += to - std::max(end, down_to_four(offset));
      end = to;
    }
  }
  return work;
}

double expected_cycles(Work const& work, std::int64_t columns, int multiprocessors, Shape const& shape) {
  auto const v = static_cast<double>(shape.lane_columns);
  auto const tiles = static_cast<double>((columns + shape.tile() - 1) / shape.tile());
  std::int64_t const chunks = (work.rows + shape.chunk_rows() - 1) / shape.chunk_rows();
  double const blocks = tiles * static_cast<double>(chunks) * shape.splits;
  double const waves = std::ceil(blocks / multiprocessors);
  double const entries =
      static_cast<double>(work.nnz) / static_cast<double>(std::max<std::int64_t>(chunks, 1)) / shape.splits;
  auto const words =
      static_cast<double>(work.window_words[std::countr_zero(static_cast<unsigned>(shape.lane_columns))]);
  double const bytes = words * 4 / shape.splits + entries * 8;

  // Fitted to every form for the layers of ResNet-50 at 0.9 sparsity on an H200 (docs/kernels/conv_cuda.md). Shared
  // memory fills a warp's registers in a cycle; a warp alone waits for each of its entries, and for each of its rows.
  auto const area = static_cast<double>(shape.chunk_rows()) * shape.tile();
  double const multiply =
      std::max(entries * (v + 0.76), entries / warps * (v * 1.94 + 25)) + 26.5 * static_cast<double>(shape.warp_rows);
  double const busy = std::min(blocks, static_cast<double>(multiprocessors));
  double const copy = bytes / std::min(12.6, 1540.0 / busy);
  double const store = area * 4 / 12 / shape.splits;
  double const reduce = shape.splits > 1 ? 3800 + area * 8 / 19.4 : 0;
  double const memory = static_cast<double>(work.rows) * static_cast<double>(columns) * 4 / 3400;
  return std::max(waves * (std::max(multiply, copy) + 0.35 * std::min(multiply, copy) + store + reduce), memory) + 7800;
}

Shape choose_shape(Work const& work, std::int64_t columns, int multiprocessors, std::size_t shared_bytes,
                   bool clusters) {
  Shape best;
  double least = std::numeric_limits<double>::infinity();
  for (int const lane_columns : {8, 4, 2, 1})
    for (int const warp_rows : {8, 4, 2, 1})
      for (int const splits : {1, 2, 4, 8}) {
        if (splits > 1 && !clusters) continue;
        Shape const shape{lane_columns, warp_rows, splits, static_cast<int>(shared_bytes / 3 / 1024 * 1024), 2};
        double const cycles = expected_cycles(work, columns, multiprocessors, shape);
        if (cycles < least) least = cycles, best = shape;
      }
  return best;
}

}  // namespace araia::cuda::shifted_columns
