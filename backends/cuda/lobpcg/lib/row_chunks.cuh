// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Chunks of consecutive rows of several blocks of vectors, side by side in shared memory: a ring of them, filled by
// cp.async while earlier ones are worked on.

#include <algorithm>
#include <araia/error.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include "src/kernel/lobpcg_blocks.hpp"

#include "backends/cuda/check.hpp"
#include "backends/cuda/shared_memory.hpp"
#include "backends/cuda/shared_slice.cuh"

namespace araia::cuda::lobpcg {

using araia::detail::Block;

inline constexpr int warps = 16;
inline constexpr int threads = warp_size * warps;  // of every block of these kernels, one block a multiprocessor
inline constexpr int most_stages = 4;
inline constexpr int good_stages = 3;  // longer chunks are better than more of them
inline constexpr int slack = 40;  // elements behind a chunk that whole tiles may read; what comes of them is not used
inline constexpr int chunk_granule = 8;  // rows of one step of the tensor cores

/// f(0), f(1), ... f(n - 1), each number as a type.
template <int n, class Function>
__device__ __forceinline__ void static_for(Function const& f) {
  [&]<int... k>(std::integer_sequence<int, k...>) { (f(std::integral_constant<int, k>{}), ...); }
  (std::make_integer_sequence<int, n>{});
}

constexpr int round_up(int value, int to) { return (value + to - 1) / to * to; }

/// Columns of up to three blocks side by side, each from a multiple of 16 bytes on.
struct Columns {
  int blocks = 0;
  int place[3] = {};  // first column in shared memory
  int first[3] = {};  // first column of the basis
  int cols[3] = {};

  /// The column of the basis at a column of shared memory; -1: none.
  __host__ __device__ constexpr int at(int column) const {
    for (int k = 0; k < blocks; ++k)
      if (column >= place[k] && column < place[k] + cols[k]) return column - place[k] + first[k];
    return -1;
  }
};

/// A block of vectors as rows are copied from it.
struct BlockRows {
  unsigned char const* data = nullptr;
  std::int64_t row_bytes = 0;
  int first_pack = 0;  // of a row's packs of 16 bytes
  int place = 0;       // bytes from the row's start in shared memory
  int bytes = 0;       // of a row
};

inline constexpr int most_blocks = 9;

struct RowChunks {
  BlockRows blocks[most_blocks];
  int block_count = 0;
  int packs = 0;  // of a row, all blocks
  std::int64_t rows = 0;
  std::int64_t count = 0;
  int chunk_rows = 0;
  int pitch = 0;     // elements from row to row: lanes of a fragment meet in no bank
  int elements = 0;  // of a chunk
  int stages = 0;
};

/// Puts blocks side by side into the rows of chunks.
template <class T>
class ChunkLayout {
 public:
  explicit ChunkLayout(std::int64_t rows) { chunks_.rows = rows; }

  /// \return the block's first column in shared memory
  int add(Block<T const> const& block) {
    int const place = columns_;
    if (block.cols == 0) return place;
    constexpr int bytes = static_cast<int>(sizeof(T));
    BlockRows& rows = chunks_.blocks[chunks_.block_count++];
    rows.data = reinterpret_cast<unsigned char const*>(block.data);
    rows.row_bytes = block.ld * bytes;
    rows.first_pack = chunks_.packs;
    rows.place = place * bytes;
    rows.bytes = block.cols * bytes;
    int const packs = (rows.bytes + 15) / 16;
    chunks_.packs += packs;
    columns_ += packs * (16 / bytes);
    return place;
  }
  /// Blocks side by side.
  Columns add(Block<T const> const* blocks, int count) {
    Columns columns;
    columns.blocks = count;
    int first = 0;
    for (int k = 0; k < count; ++k) {
      columns.place[k] = add(blocks[k]);
      columns.first[k] = first;
      columns.cols[k] = blocks[k].cols;
      first += blocks[k].cols;
    }
    return columns;
  }
  /// The next block starts at column `column`; those before it that no block has stay as they are.
  void skip_to(int column) { columns_ = column; }
  [[nodiscard]] int columns() const { return columns_; }

  /// Chunks of so many rows, as many stages as fit. stages < 2: they do not fit.
  [[nodiscard]] RowChunks finish(int chunk_rows, std::size_t shared_bytes) const {
    RowChunks chunks = chunks_;
    // Four rows, each an odd multiple of 32 bytes from the last, are at different quarters of the banks.
    constexpr int quarter = 32 / static_cast<int>(sizeof(T));
    chunks.pitch = round_up(columns_, quarter);
    if (chunks.pitch / quarter % 2 == 0) chunks.pitch += quarter;
    chunks.chunk_rows = chunk_rows;
    chunks.elements = chunk_rows * chunks.pitch + slack;
    chunks.count = chunks.rows / chunk_rows + (chunks.rows % chunk_rows != 0);
    std::size_t const bytes = static_cast<std::size_t>(chunks.elements) * sizeof(T);
    chunks.stages = static_cast<int>(std::min<std::size_t>(most_stages, shared_bytes / bytes));
    return chunks;
  }

 private:
  RowChunks chunks_;
  int columns_ = 0;
};

/// What the kernels ask of the current device.
struct Device {
  int multiprocessors = 0;
  std::size_t shared_bytes = 0;  // that a block may have
};

inline Device device_of(char const* what) {
  int device = 0;
  int shared = 0;
  check(cudaGetDevice(&device), what);
  check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), what);
  return {multiprocessors_of_device(what), static_cast<std::size_t>(shared)};
}

/// Blocks of a grid over chunks: one a multiprocessor, one at least, so that sums are written where there are no rows.
inline int blocks_for(RowChunks const& chunks, Device const& device) {
  return static_cast<int>(std::clamp<std::int64_t>(chunks.count, 1, device.multiprocessors));
}

/// \throws araia::Error (invalid_argument)
template <class T>
void require_block(Block<T> const& block, std::int64_t rows, std::string const& name) {
  auto const refuse = [&](std::string const& got, std::string const& expected) {
    throw Error(ErrorKind::invalid_argument, name + " is " + got + ", expected " + expected);
  };
  if (block.cols < 0 || block.cols > araia::detail::lobpcg_most_columns)
    refuse("a block of " + std::to_string(block.cols) + " columns", "0 to 64");
  if (block.cols == 0 || rows == 0) return;
  if (block.data == nullptr) refuse("null", "an address in device memory");
  if (!is_aligned(block.data, 16)) refuse("not aligned", "an address of 16 bytes' alignment");
  if (block.ld < block.cols || block.ld % 4 != 0)
    refuse("of leading dimension " + std::to_string(block.ld), "a multiple of 4, its columns at least");
}

inline void require_rows(std::int64_t rows, char const* function) {
  if (rows < 0)
    throw Error(ErrorKind::invalid_argument,
                std::string(function) + ": rows is " + std::to_string(rows) + ", expected 0 or more");
}

/// The block's ring of chunks, as one thread fills it: always the same pack of rows, of those from `first_pack` on.
class ChunkReader {
 public:
  __device__ __forceinline__ explicit ChunkReader(RowChunks const& chunks, int first_pack = 0) {
    int const thread = static_cast<int>(threadIdx.x);
    int const all = static_cast<int>(blockDim.x);
    int const packs = min(all, chunks.packs - first_pack);
    stride_ = packs > 0 ? all / packs : 1;
    row_ = packs > 0 ? thread / packs : all;
    int const pack = first_pack + thread - row_ * packs;
    if (row_ >= stride_) row_ = chunks.chunk_rows;  // nothing to do
    int p = 0;
    while (p + 1 < chunks.block_count && pack >= chunks.blocks[p + 1].first_pack) ++p;
    BlockRows const& rows = chunks.blocks[p];
    int const from = (pack - rows.first_pack) * 16;
    data_ = rows.data + from;
    row_bytes_ = rows.row_bytes;
    place_ = rows.place + from;
    bytes_ = min(16, rows.bytes - from);
  }
  /// Rows behind the last one are zeros, and so is what fills a row's last pack up.
  template <class T>
  __device__ __forceinline__ void read(RowChunks const& chunks, std::int64_t chunk, T* to) const {
    std::int64_t const first = chunk * chunks.chunk_rows;
    auto const there = static_cast<int>(min(static_cast<std::int64_t>(chunks.chunk_rows), chunks.rows - first));
    int const pitch = chunks.pitch * static_cast<int>(sizeof(T));
    auto* at = reinterpret_cast<unsigned char*>(to) + place_ + row_ * pitch;
    unsigned char const* from = data_ + (first + row_) * row_bytes_;
    for (int row = row_; row < chunks.chunk_rows; row += stride_) {
      copy_async(at, row < there ? from : data_, row < there ? bytes_ : 0);
      at += stride_ * pitch;
      from += stride_ * row_bytes_;
    }
  }
  /// The same, and packs beyond one for every thread: two readers of all of them would take registers.
  template <class T>
  __device__ __forceinline__ void read_all(RowChunks const& chunks, std::int64_t chunk, T* to) const {
    read(chunks, chunk, to);
    int const all = static_cast<int>(blockDim.x);
    for (int pack = all; pack < chunks.packs; pack += all) ChunkReader(chunks, pack).read(chunks, chunk, to);
  }

 private:
  unsigned char const* data_;
  std::int64_t row_bytes_;
  int row_, stride_, place_, bytes_;
};

/// work(chunk in shared memory, its number) for every chunk of the block: blockIdx.x, blockIdx.x + gridDim.x, ...
/// A barrier before each says that the chunk is there and that all are through with the one before; one at the end that
/// the ring is free. Half of the warps of each scheduler copy the next chunk first and work then, the others the
/// other way round, so that the tensor cores are not idle meanwhile.
template <class T, class Work>
__device__ __forceinline__ void for_each_chunk(RowChunks const& chunks, T* ring, Work const& work) {
  ChunkReader const reader(chunks);
  constexpr int schedulers = 4;
  bool const early = chunks.stages == 2 || threadIdx.x / warp_size / schedulers % 2 == 0;
  std::int64_t const step = gridDim.x;
  std::int64_t next = blockIdx.x;
  for (int stage = 0; stage + 1 < chunks.stages; ++stage, next += step) {
    if (next < chunks.count) reader.read_all(chunks, next, ring + stage * chunks.elements);
    commit_copies();
  }
  int stage = 0;
  int free = chunks.stages - 1;
  for (std::int64_t chunk = blockIdx.x; chunk < chunks.count; chunk += step, next += step) {
    switch (chunks.stages) {
      case 4: wait_copies<2>(); break;
      case 3: wait_copies<1>(); break;
      default: wait_copies<0>();
    }
    __syncthreads();
    if (early && next < chunks.count) reader.read_all(chunks, next, ring + free * chunks.elements);
    work(ring + stage * chunks.elements, chunk);
    if (!early && next < chunks.count) reader.read_all(chunks, next, ring + free * chunks.elements);
    commit_copies();
    free = stage;
    stage = stage + 1 == chunks.stages ? 0 : stage + 1;
  }
  wait_copies<0>();
  __syncthreads();
}

/// The block's shared memory, at an address of 16 bytes' alignment.
__device__ __forceinline__ unsigned char* shared_bytes() {
  extern __shared__ uint4 lobpcg_shared[];
  return reinterpret_cast<unsigned char*>(lobpcg_shared);
}

}  // namespace araia::cuda::lobpcg
