// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/spmm/csr_jammed/packing.hpp"

#include <algorithm>
#include <araia/error.hpp>
#include <array>
#include <bit>
#include <string>

#include "backends/cuda/host_shares.hpp"
#include "backends/cuda/spmm/csr_jammed/row_clusters.hpp"

namespace araia::cuda {
namespace {

constexpr std::int32_t no_entry = -1;

template <class Offset>
struct JamColumn {
  std::uint32_t column = 0;  // in the chunk
  std::array<Offset, jam_rows> entry{no_entry, no_entry, no_entry, no_entry};
};

template <class Offset>
using Buckets = std::vector<std::vector<JamColumn<Offset>>>;  // by mask

// Where a stream goes; null: it is counted alone.
struct StreamPlaces {
  std::uint32_t* records = nullptr;
  std::uint32_t* counts = nullptr;
  std::int32_t* sources = nullptr;  // or null
};

// `step`: columns of a step.
int records_of(int rows_of_mask, std::size_t columns, std::size_t step) {
  if (rows_of_mask == 1) return static_cast<int>(columns / (2 * step));
  return static_cast<int>(columns / step) * (rows_of_mask <= 3 ? 1 : 2);
}

std::size_t granule(unsigned mask, std::size_t step) { return std::popcount(mask) == 1 ? 2 * step : step; }

// Whole steps only: what is left of a mask moves to one that contains it, best where that fills a step.
template <class Offset>
void fill_steps(Buckets<Offset>& buckets, std::size_t step) {
  constexpr unsigned full_mask = (1u << jam_rows) - 1;
  for (int rows = 1; rows < jam_rows; ++rows) {
    for (unsigned mask = 1; mask < full_mask; ++mask) {
      if (std::popcount(mask) != rows) continue;
      auto& bucket = buckets[mask];
      std::size_t const left = bucket.size() % granule(mask, step);
      if (left == 0) continue;
      unsigned best = 0;
      std::size_t best_rest = 0;
      for (int r = 0; r < jam_rows; ++r) {
        unsigned const larger = mask | (1u << r);
        if (larger == mask) continue;
        std::size_t const rest = buckets[larger].size() % step;
        if (best == 0 || rest > best_rest) best = larger, best_rest = rest;
      }
      buckets[best].insert(buckets[best].end(), bucket.end() - static_cast<std::ptrdiff_t>(left), bucket.end());
      bucket.resize(bucket.size() - left);
    }
  }
  auto& last = buckets[full_mask];
  while (last.size() % granule(full_mask, step) != 0) last.emplace_back();
}

constexpr std::int64_t too_many_steps = -1;

// Writes one stream of the matrix `a`; the number of its records.
template <class Offset>
std::int64_t write_stream(CsrPointers<float, std::int32_t, Offset> const& a, Buckets<Offset> const& buckets,
                          std::size_t step, StreamPlaces const& out) {
  auto const masks = static_cast<unsigned>(buckets.size());
  std::int64_t count = 0;
  for (unsigned m = 1; m < masks; ++m) {
    std::size_t const steps = buckets[m].size() / granule(m, step);
    if (steps > static_cast<std::size_t>(jam_most_steps)) return too_many_steps;
    if (out.counts) out.counts[m / 4] |= static_cast<std::uint32_t>(steps) << (8 * (m % 4));
    count += records_of(std::popcount(m), buckets[m].size(), step);
  }
  if (!out.records) return count;

  using Entries = std::array<Offset, jam_rows>;  // those of a column that its mask names, in front
  auto const put_column = [&](std::int64_t word, std::uint32_t column) { out.records[word] = column; };
  auto const put_value = [&](std::int64_t word, Offset entry) {
    if (entry == no_entry) return;  // zero, as all words are
    out.records[word] = std::bit_cast<std::uint32_t>(a.values ? a.values[entry] : 1.0f);
    if (out.sources) out.sources[word] = static_cast<std::int32_t>(entry);
  };
  std::int64_t record = 0;
  for (unsigned m = 1; m < masks; ++m) {
    auto const& bucket = buckets[m];
    int const rows = std::popcount(m);
    auto const entries_of = [&](JamColumn<Offset> const& column) {
      Entries entries{no_entry, no_entry, no_entry, no_entry};
      std::size_t n = 0;
      for (std::size_t r = 0; r < jam_rows; ++r)
        if (m >> r & 1) entries[n++] = column.entry[r];
      return entries;
    };
    for (std::size_t at = 0; at<bucket.size(); at += granule(m, step), record += rows> 3 ? 2 : 1) {
      for (std::size_t q = 0; q < step; ++q) {
        auto const& column = bucket[at + q];
        auto const entries = entries_of(column);
        auto const word = (record * static_cast<std::int64_t>(step) + static_cast<std::int64_t>(q)) * 4;
        put_column(word, column.column);
        put_value(word + 1, entries[0]);
        if (rows == 1) {
          auto const& second = bucket[at + step + q];
          put_column(word + 2, second.column);
          put_value(word + 3, entries_of(second)[0]);
        } else {
          put_value(word + 2, entries[1]);
          put_value(word + 3, entries[2]);
        }
        if (rows > 3) put_value(word + 4 * static_cast<std::int64_t>(step), entries[3]);
      }
    }
  }
  return count;
}

// Buckets of every chunk of one group.
template <class Offset>
class GroupReader {
 public:
  GroupReader(CsrPointers<float, std::int32_t, Offset> const& a, JamShape shape, std::int64_t chunks,
              std::vector<std::int32_t> const& row_order)
      : a_(a),
        row_order_(row_order),
        chunk_cols_(static_cast<std::size_t>(shape.chunk_cols)),
        step_(static_cast<std::size_t>(shape.step_columns)),
        buckets_(static_cast<std::size_t>(chunks), Buckets<Offset>(std::size_t{1} << jam_rows)),
        place_(static_cast<std::size_t>(a.cols), 0) {}

  std::vector<Buckets<Offset>>& read(std::int64_t group) {
    touched_.clear();
    columns_.clear();
    for (int r = 0; r < jam_rows; ++r) {
      std::int64_t const row = row_order_[static_cast<std::size_t>(group * jam_rows + r)];
      if (row < 0) break;
      for (Offset k = a_.row_offsets[row]; k < a_.row_offsets[row + 1]; ++k) {
        auto const c = static_cast<std::size_t>(a_.col_indices[k]);
        std::size_t at = place_[c];
        if (at == 0 || (masks_[at - 1] >> r & 1)) {  // new, or a duplicate: a column of its own
          columns_.emplace_back();
          masks_.resize(columns_.size());
          at = columns_.size();
          masks_[at - 1] = 0;
          place_[c] = at;
          touched_.push_back(c);
        }
        columns_[at - 1].entry[static_cast<std::size_t>(r)] = k;
        masks_[at - 1] |= 1u << r;
      }
    }
    for (auto& chunk : buckets_)
      for (auto& bucket : chunk) bucket.clear();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      auto const chunk = touched_[i] / chunk_cols_;
      columns_[i].column = static_cast<std::uint32_t>(touched_[i] % chunk_cols_);
      buckets_[chunk][masks_[i]].push_back(columns_[i]);
      place_[touched_[i]] = 0;
    }
    for (auto& chunk : buckets_) fill_steps(chunk, step_);
    return buckets_;
  }

 private:
  CsrPointers<float, std::int32_t, Offset> a_;
  std::vector<std::int32_t> const& row_order_;
  std::size_t chunk_cols_;
  std::size_t step_;
  std::vector<Buckets<Offset>> buckets_;
  std::vector<std::size_t> place_;    // (cols) 1 + place in columns_, 0 where the group has none
  std::vector<std::size_t> touched_;  // column of each of columns_
  std::vector<JamColumn<Offset>> columns_;
  std::vector<unsigned> masks_;
};

}  // namespace

template <class Offset>
JamPacking jam_packing(CsrPointers<float, std::int32_t, Offset> const& a, JamShape shape, int threads,
                       bool keep_sources) {
  int const k = shape.chunk_cols;
  int const s = shape.step_columns;
  if (k < 4 || k > jam_most_steps * s || k % 4 != 0 || (s != 8 && s != 16))
    throw Error(ErrorKind::invalid_argument, "araia: jam_packing: chunk_cols, step_columns are " + std::to_string(k) +
                                                 ", " + std::to_string(s) + ", expected a multiple of 4 up to " +
                                                 std::to_string(jam_most_steps) + " steps, 8 or 16");
  JamPacking out;
  out.shape = shape;
  out.rows = a.rows;
  out.cols = a.cols;
  out.nnz = a.nnz;
  out.groups = (a.rows + jam_rows - 1) / jam_rows;
  out.row_order = cluster_rows(a, jam_rows, threads);
  out.row_order.resize(static_cast<std::size_t>(out.groups) * jam_rows, -1);
  out.chunks = (a.cols + k - 1) / k;
  auto const groups = static_cast<std::size_t>(out.groups);
  auto const step = static_cast<std::size_t>(shape.step_columns);
  auto const chunks = static_cast<std::size_t>(out.chunks);
  out.stream_offsets.assign(groups * chunks + 1, 0);

  auto const for_groups = [&](auto const& work) {
    share(out.groups, threads, [&](std::int64_t first, std::int64_t last) {
      GroupReader<Offset> reader(a, shape, out.chunks, out.row_order);
      for (std::int64_t group = first; group < last; ++group) work(static_cast<std::size_t>(group), reader.read(group));
    });
  };
  for_groups([&](std::size_t group, std::vector<Buckets<Offset>> const& buckets) {
    for (std::size_t c = 0; c < chunks; ++c)
      out.stream_offsets[c * groups + group + 1] = write_stream(a, buckets[c], step, {});
  });
  if (std::find(out.stream_offsets.begin(), out.stream_offsets.end(), too_many_steps) != out.stream_offsets.end())
    throw Error(ErrorKind::unsupported, "araia: jam_packing: so many duplicates that a mask has more than " +
                                            std::to_string(jam_most_steps) + " steps");
  for (std::size_t i = 0; i + 1 < out.stream_offsets.size(); ++i) out.stream_offsets[i + 1] += out.stream_offsets[i];
  out.counts.assign(groups * chunks * 4, 0);
  out.records.assign(static_cast<std::size_t>((out.stream_offsets.back() + jam_read_ahead) * shape.record_words()), 0);
  if (keep_sources) out.sources.assign(out.records.size(), no_entry);
  for_groups([&](std::size_t group, std::vector<Buckets<Offset>> const& buckets) {
    for (std::size_t c = 0; c < chunks; ++c) {
      std::int64_t const word = out.stream_offsets[c * groups + group] * shape.record_words();
      write_stream(a, buckets[c], step,
                   {out.records.data() + word, out.counts.data() + (c * groups + group) * 4,
                    keep_sources ? out.sources.data() + word : nullptr});
    }
  });
  return out;
}

template JamPacking jam_packing(CsrPointers<float, std::int32_t, std::int32_t> const&, JamShape, int, bool);
template JamPacking jam_packing(CsrPointers<float, std::int32_t, std::int64_t> const&, JamShape, int, bool);

}  // namespace araia::cuda
