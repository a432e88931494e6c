// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Rows in groups, whose entries lie in streams of records: packings for kernels that keep a slice of B in shared
// memory. Columns are cut into chunks; a chunk and a group have a stream of their own.

#include <cstdint>
#include <vector>

namespace araia::cuda {

/// On the host; the same arrays on a device are RowStreamPointers.
struct RowStreams {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  std::int64_t groups = 0;
  std::int64_t chunks = 0;
  std::vector<std::int32_t> row_order;       // (groups in all, rows of a group) stored rows, -1: none
  std::vector<std::int64_t> stream_offsets;  // (streams + 1) records
  std::vector<std::uint32_t> records;        // words: columns and the bits of values
  std::vector<std::int32_t> sources;  // (words) the entry whose value a word is, -1: none; empty unless asked for

  /// Of what a product reads.
  [[nodiscard]] std::uint64_t bytes() const {
    return row_order.size() * sizeof(std::int32_t) + stream_offsets.size() * sizeof(std::int64_t) +
           records.size() * sizeof(std::uint32_t);
  }
};

struct RowStreamPointers {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t groups = 0;
  std::int64_t chunks = 0;
  std::int32_t const* row_order = nullptr;
  std::int64_t const* stream_offsets = nullptr;
  std::uint32_t const* records = nullptr;
};

}  // namespace araia::cuda
