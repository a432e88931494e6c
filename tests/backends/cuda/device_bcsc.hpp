// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A matrix of the zoo in BCSC, wide or compact, on a CUDA device, made by the plainest loops, for kernels that take
// plain pointers.

#include <algorithm>
#include <araia/detail/formats/bcsc_pointers.hpp>
#include <cstdint>
#include <vector>

#include "backends/csr_zoo.hpp"
#include "backends/cuda/device_array.hpp"

namespace araia::test {

/// How the rows are cut, and whether the columns of a block go by descending count.
struct BcscCut {
  std::int64_t height = 32;
  bool uneven = false;  // heights 1, 2, .. height, 1, 2, ..
  bool split = false;   // columns of two entries and more first
};

template <class A, class Offset>
struct DeviceBcsc {
  BcscPointers<A, std::int32_t, Offset> pointers;

  DeviceBcsc(ZooMatrix<A, Offset> const& m, BcscCut const& cut) {
    struct Entry {
      std::int32_t col;
      std::int32_t row;
      A value;
      std::int64_t count;  // of its block column
    };
    auto const csr = m.pointers();
    std::vector<std::int32_t> block_rows{0}, block_cols, row_in_block(m.first_element, -1);
    std::vector<Offset> block_offsets{0}, col_offsets, split;
    std::vector<A> values(m.first_element, A(-1e30f));
    while (block_rows.back() < csr.rows) {
      std::int64_t const height = cut.uneven ? static_cast<std::int64_t>(split.size()) % cut.height + 1 : cut.height;
      std::int64_t const first = block_rows.back();
      std::int64_t const last = std::min(csr.rows, first + height);
      std::vector<Entry> entries;
      for (std::int64_t i = first; i < last; ++i)
        for (Offset k = csr.row_offsets[i]; k < csr.row_offsets[i + 1]; ++k)
          entries.push_back(
              {csr.col_indices[k], static_cast<std::int32_t>(i - first), csr.values ? csr.values[k] : A(1), 0});
      std::vector<std::int64_t> counts(static_cast<std::size_t>(csr.cols), 0);
      for (auto const& e : entries) ++counts[static_cast<std::size_t>(e.col)];
      for (auto& e : entries) e.count = counts[static_cast<std::size_t>(e.col)];
      std::stable_sort(entries.begin(), entries.end(), [&](Entry const& x, Entry const& y) {
        if (cut.split && x.count != y.count) return x.count > y.count;
        return x.col < y.col;
      });
      std::int64_t dense = 0;
      for (std::size_t k = 0; k < entries.size(); ++k) {
        if (k == 0 || entries[k].col != entries[k - 1].col) {
          block_cols.push_back(entries[k].col);
          col_offsets.push_back(static_cast<Offset>(row_in_block.size() - m.first_element));
          dense += entries[k].count >= 2;
        }
        row_in_block.push_back(entries[k].row);
        values.push_back(entries[k].value);
      }
      split.push_back(static_cast<Offset>(block_offsets.back() + dense));
      block_offsets.push_back(static_cast<Offset>(block_cols.size()));
      block_rows.push_back(static_cast<std::int32_t>(last));
    }
    col_offsets.push_back(static_cast<Offset>(row_in_block.size() - m.first_element));
    auto const blocks = static_cast<std::int64_t>(split.size());
    auto const block_columns = static_cast<std::int64_t>(block_cols.size());
    block_rows_ = DeviceArray<std::int32_t>(block_rows);
    block_offsets_ = DeviceArray<Offset>(block_offsets);
    block_cols_ = DeviceArray<std::int32_t>(block_cols);
    col_offsets_ = DeviceArray<Offset>(col_offsets);
    row_in_block_ = DeviceArray<std::int32_t>(row_in_block);
    values_ = DeviceArray<A>(values);
    split_ = DeviceArray<Offset>(split);
    row_permutation_ = DeviceArray<std::int32_t>(m.row_permutation);
    pointers = {.rows = csr.rows,
                .cols = csr.cols,
                .nnz = csr.nnz,
                .blocks = blocks,
                .block_columns = block_columns,
                .block_height = cut.height,
                .block_rows = cut.uneven ? block_rows_.data() : nullptr,
                .block_offsets = block_offsets_.data(),
                .block_cols = block_cols_.data(),
                .col_offsets = col_offsets_.data(),
                .row_in_block = row_in_block_.data() + m.first_element,
                .values = csr.values ? values_.data() + m.first_element : nullptr,
                .split = cut.split ? split_.data() : nullptr,
                .row_permutation = csr.row_permutation ? row_permutation_.data() : nullptr};
  }

  /// What the constructor has made, back on the host, for DeviceBcscCompact.
  [[nodiscard]] std::vector<Offset> block_offsets() const { return block_offsets_.download(); }
  [[nodiscard]] std::vector<Offset> col_offsets() const { return col_offsets_.download(); }
  [[nodiscard]] std::vector<Offset> split() const { return split_.download(); }
  [[nodiscard]] std::vector<std::int32_t> block_cols() const { return block_cols_.download(); }
  [[nodiscard]] std::vector<std::int32_t> row_in_block() const { return row_in_block_.download(); }

 private:
  DeviceArray<std::int32_t> block_rows_, block_cols_, row_in_block_, row_permutation_;
  DeviceArray<Offset> block_offsets_, col_offsets_, split_;
  DeviceArray<A> values_;
};

/// The same entries in the same order, in the compact form. Lives beside `wide`, whose values it shares.
template <class A, class Offset, class RowIndex>
struct DeviceBcscCompact {
  BcscCompactPointers<A, std::int32_t, Offset, RowIndex> pointers;

  /// \param narrow  steps of 16 bits from each block's lowest column, else columns of 32 bits
  /// \param before  elements before the first count and row, so that they need not be aligned
  DeviceBcscCompact(DeviceBcsc<A, Offset> const& wide, bool narrow, std::size_t before) {
    auto const& w = wide.pointers;
    auto const block_offsets = wide.block_offsets(), col_offsets = wide.col_offsets(), split = wide.split();
    auto const block_cols = wide.block_cols(), rows = wide.row_in_block();
    std::size_t const skipped = rows.size() - static_cast<std::size_t>(w.nnz);
    std::vector<Offset> offsets{0}, entries, splits;
    std::vector<std::int32_t> cols, first_cols;
    std::vector<std::uint16_t> steps;
    std::vector<std::uint8_t> counts;
    for (std::size_t block = 0; block < static_cast<std::size_t>(w.blocks); ++block) {
      auto const first = static_cast<std::size_t>(block_offsets[block]);
      auto const last = static_cast<std::size_t>(block_offsets[block + 1]);
      std::int32_t const lowest = first < last
                                      ? *std::min_element(block_cols.begin() + static_cast<std::ptrdiff_t>(first),
                                                          block_cols.begin() + static_cast<std::ptrdiff_t>(last))
                                      : 0;
      first_cols.push_back(lowest);
      entries.push_back(col_offsets[first]);
      for (std::size_t j = first; j < last; ++j) {
        if (static_cast<std::size_t>(split[block]) == j) splits.push_back(static_cast<Offset>(cols.size()));
        for (Offset left = col_offsets[j + 1] - col_offsets[j]; left > 0; left -= std::min<Offset>(left, 256)) {
          counts.push_back(static_cast<std::uint8_t>(std::min<Offset>(left, 256) - 1));
          cols.push_back(block_cols[j]);
          steps.push_back(static_cast<std::uint16_t>(block_cols[j] - lowest));
        }
      }
      if (static_cast<std::size_t>(split[block]) == last) splits.push_back(static_cast<Offset>(cols.size()));
      offsets.push_back(static_cast<Offset>(cols.size()));
    }
    entries.push_back(col_offsets.back());
    block_offsets_ = DeviceArray<Offset>(offsets);
    entry_offsets_ = DeviceArray<Offset>(entries);
    split_ = DeviceArray<Offset>(splits);
    block_cols_ = DeviceArray<std::int32_t>(cols);
    first_cols_ = DeviceArray<std::int32_t>(first_cols);
    col_steps_ = DeviceArray<std::uint16_t>(steps, before);
    col_counts_ = DeviceArray<std::uint8_t>(counts, before);
    row_in_block_ = DeviceArray<RowIndex>(
        std::vector<RowIndex>(rows.begin() + static_cast<std::ptrdiff_t>(skipped), rows.end()), before);
    pointers = {.rows = w.rows,
                .cols = w.cols,
                .nnz = w.nnz,
                .blocks = w.blocks,
                .block_columns = static_cast<std::int64_t>(cols.size()),
                .block_height = w.block_height,
                .block_rows = w.block_rows,
                .block_offsets = block_offsets_.data(),
                .entry_offsets = entry_offsets_.data(),
                .block_cols = narrow ? nullptr : block_cols_.data(),
                .first_cols = narrow ? first_cols_.data() : nullptr,
                .col_steps = narrow ? col_steps_.data() : nullptr,
                .col_counts = col_counts_.data(),
                .row_in_block = row_in_block_.data(),
                .values = w.values,
                .split = w.split ? split_.data() : nullptr,
                .row_permutation = w.row_permutation};
  }

 private:
  DeviceArray<Offset> block_offsets_, entry_offsets_, split_;
  DeviceArray<std::int32_t> block_cols_, first_cols_;
  DeviceArray<std::uint16_t> col_steps_;
  DeviceArray<std::uint8_t> col_counts_;
  DeviceArray<RowIndex> row_in_block_;
};

}  // namespace araia::test
