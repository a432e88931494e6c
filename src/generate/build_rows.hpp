// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A CSR matrix from a function that writes one row: rows are made in parallel blocks, then joined in order.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <araia/detail/generate/generated_matrix.hpp>

namespace araia::generate::detail {

/// Entries of the rows of one block, in order.
struct RowBlock {
  std::vector<std::int64_t> lengths;
  std::vector<std::int32_t> columns;
  std::vector<double> values;
};

/// Runs work(chunk, first, last) over [0, count) on every core, in chunks of equal size. What a chunk throws is thrown
/// on once all have ended; a chunk whose thread cannot be made is worked on by the caller.
template <class Work>
void parallel_chunks(std::int64_t count, std::int64_t chunks, Work const& work) {
  std::int64_t const used = std::clamp<std::int64_t>(chunks, 1, std::max<std::int64_t>(count, 1));
  std::exception_ptr thrown;
  std::mutex mutex;
  auto const run = [&](std::int64_t p) noexcept {
    try {
      work(p, count * p / used, count * (p + 1) / used);
    } catch (...) {
      std::lock_guard const lock(mutex);
      thrown = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(used));
  for (std::int64_t p = 1; p < used; ++p) {
    try {
      threads.emplace_back(run, p);
    } catch (std::system_error const&) {
      run(p);
    }
  }
  run(0);
  for (auto& thread : threads) thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

/// \param row  row(i, block) appends row i's columns, strictly ascending, and values; it may use the block's end only
template <class Row>
void build_rows(GeneratedMatrix& A, Row const& row) {
  std::int64_t const chunks = std::clamp<std::int64_t>(std::thread::hardware_concurrency(), 1, 64);
  std::vector<RowBlock> blocks(static_cast<std::size_t>(chunks));
  parallel_chunks(A.rows, chunks, [&](std::int64_t chunk, std::int64_t first, std::int64_t last) {
    RowBlock& block = blocks[static_cast<std::size_t>(chunk)];
    block.lengths.reserve(static_cast<std::size_t>(last - first));
    for (std::int64_t i = first; i < last; ++i) {
      std::size_t const before = block.columns.size();
      row(i, block);
      block.lengths.push_back(static_cast<std::int64_t>(block.columns.size() - before));
    }
  });
  std::size_t nnz = 0;
  for (RowBlock const& block : blocks) nnz += block.columns.size();
  A.row_offsets.reserve(static_cast<std::size_t>(A.rows) + 1);
  A.row_offsets.assign(1, 0);
  A.col_indices.reserve(nnz);
  A.values.reserve(nnz);
  for (RowBlock& block : blocks) {
    for (std::int64_t const length : block.lengths) A.row_offsets.push_back(A.row_offsets.back() + length);
    A.col_indices.insert(A.col_indices.end(), block.columns.begin(), block.columns.end());
    A.values.insert(A.values.end(), block.values.begin(), block.values.end());
    block = RowBlock{};
  }
}

/// Sorts columns, drops repeated ones and appends them with values from value(column).
template <class Value>
void append_sorted(RowBlock& block, std::vector<std::int32_t>& columns, Value const& value) {
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  for (std::int32_t const column : columns) {
    block.columns.push_back(column);
    block.values.push_back(value(column));
  }
}

}  // namespace araia::generate::detail
