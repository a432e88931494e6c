// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Slabs of consecutive rows of several blocks of vectors, side by side in shared memory: a ring of them, filled by
// cp.async while earlier ones are worked on.

#include <algorithm>
#include <araia/error.hpp>
#include <araia/kernels/lobpcg_blocks.hpp>
#include <cstdint>
#include <string>
#include <utility>

#include "backends/cuda/check.hpp"
#include "backends/cuda/shared_memory.hpp"
#include "backends/cuda/shared_slice.cuh"

namespace araia::cuda::lobpcg {

using araia::detail::Block;

inline constexpr int warps = 16;
inline constexpr int threads = warp_size * warps;  // of every block of these kernels, one block a multiprocessor
inline constexpr int most_stages = 4;
inline constexpr int good_stages = 3;  // rather longer slabs than more of them
inline constexpr int slack = 40;  // elements behind a slab that whole tiles may read; what comes of them is not used
inline constexpr int slab_granule = 8;  // rows of one step of the tensor cores

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
struct Piece {
  unsigned char const* data = nullptr;
  std::int64_t row_bytes = 0;
  int first_chunk = 0;  // of a row's chunks of 16 bytes
  int place = 0;        // bytes from the row's start in shared memory
  int bytes = 0;        // of a row
};

inline constexpr int most_pieces = 9;

struct Slabs {
  Piece pieces[most_pieces];
  int piece_count = 0;
  int chunks = 0;  // of a row, all pieces
  std::int64_t rows = 0;
  std::int64_t count = 0;
  int slab_rows = 0;
  int pitch = 0;     // elements from row to row: lanes of a fragment meet in no bank
  int elements = 0;  // of a slab
  int stages = 0;
};

/// Puts blocks into the rows of slabs.
template <class T>
class SlabLayout {
 public:
  explicit SlabLayout(std::int64_t rows) { slabs_.rows = rows; }

  /// \return the block's first column in shared memory
  int add(Block<T const> const& block) {
    int const place = columns_;
    if (block.cols == 0) return place;
    constexpr int bytes = static_cast<int>(sizeof(T));
    Piece& piece = slabs_.pieces[slabs_.piece_count++];
    piece.data = reinterpret_cast<unsigned char const*>(block.data);
    piece.row_bytes = block.ld * bytes;
    piece.first_chunk = slabs_.chunks;
    piece.place = place * bytes;
    piece.bytes = block.cols * bytes;
    int const chunks = (piece.bytes + 15) / 16;
    slabs_.chunks += chunks;
    columns_ += chunks * (16 / bytes);
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

  /// Slabs of so many rows, as many stages as fit. stages < 2: they do not fit.
  [[nodiscard]] Slabs finish(int slab_rows, std::size_t shared_bytes) const {
    Slabs slabs = slabs_;
    // Four rows, each an odd multiple of 32 bytes from the last, are at different quarters of the banks.
    constexpr int quarter = 32 / static_cast<int>(sizeof(T));
    slabs.pitch = round_up(columns_, quarter);
    if (slabs.pitch / quarter % 2 == 0) slabs.pitch += quarter;
    slabs.slab_rows = slab_rows;
    slabs.elements = slab_rows * slabs.pitch + slack;
    slabs.count = slabs.rows / slab_rows + (slabs.rows % slab_rows != 0);
    std::size_t const bytes = static_cast<std::size_t>(slabs.elements) * sizeof(T);
    slabs.stages = static_cast<int>(std::min<std::size_t>(most_stages, shared_bytes / bytes));
    return slabs;
  }

 private:
  Slabs slabs_;
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

/// Blocks of a grid over slabs: one a multiprocessor, one at least, so that sums are written where there are no rows.
inline int blocks_for(Slabs const& slabs, Device const& device) {
  return static_cast<int>(std::clamp<std::int64_t>(slabs.count, 1, device.multiprocessors));
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

/// The block's ring of slabs, as one thread fills it: always the same chunk of rows, of those from `first_chunk` on.
class SlabReader {
 public:
  __device__ __forceinline__ explicit SlabReader(Slabs const& slabs, int first_chunk = 0) {
    int const thread = static_cast<int>(threadIdx.x);
    int const all = static_cast<int>(blockDim.x);
    int const chunks = min(all, slabs.chunks - first_chunk);
    stride_ = chunks > 0 ? all / chunks : 1;
    row_ = chunks > 0 ? thread / chunks : all;
    int const chunk = first_chunk + thread - row_ * chunks;
    if (row_ >= stride_) row_ = slabs.slab_rows;  // nothing to do
    int p = 0;
    while (p + 1 < slabs.piece_count && chunk >= slabs.pieces[p + 1].first_chunk) ++p;
    Piece const& piece = slabs.pieces[p];
    int const from = (chunk - piece.first_chunk) * 16;
    data_ = piece.data + from;
    row_bytes_ = piece.row_bytes;
    place_ = piece.place + from;
    bytes_ = min(16, piece.bytes - from);
  }
  /// Rows behind the last one are zeros, and so is what fills a row's last chunk up.
  template <class T>
  __device__ __forceinline__ void read(Slabs const& slabs, std::int64_t slab, T* to) const {
    std::int64_t const first = slab * slabs.slab_rows;
    auto const there = static_cast<int>(min(static_cast<std::int64_t>(slabs.slab_rows), slabs.rows - first));
    int const pitch = slabs.pitch * static_cast<int>(sizeof(T));
    auto* at = reinterpret_cast<unsigned char*>(to) + place_ + row_ * pitch;
    unsigned char const* from = data_ + (first + row_) * row_bytes_;
    for (int row = row_; row < slabs.slab_rows; row += stride_) {
      copy_async(at, row < there ? from : data_, row < there ? bytes_ : 0);
      at += stride_ * pitch;
      from += stride_ * row_bytes_;
    }
  }
  /// The same, and chunks beyond one for every thread: two readers of all of them would take registers.
  template <class T>
  __device__ __forceinline__ void read_all(Slabs const& slabs, std::int64_t slab, T* to) const {
    read(slabs, slab, to);
    int const all = static_cast<int>(blockDim.x);
    for (int chunk = all; chunk < slabs.chunks; chunk += all) SlabReader(slabs, chunk).read(slabs, slab, to);
  }

 private:
  unsigned char const* data_;
  std::int64_t row_bytes_;
  int row_, stride_, place_, bytes_;
};

/// work(slab in shared memory, its number) for every slab of the block: blockIdx.x, blockIdx.x + gridDim.x, ...
/// A barrier before each says that the slab is there and that all are through with the one before; one at the end that
/// the ring is free. Half of the warps of each scheduler ask for the next slab first and work then, the others the
/// other way round, so that the tensor cores are not idle meanwhile.
template <class T, class Work>
__device__ __forceinline__ void for_each_slab(Slabs const& slabs, T* ring, Work const& work) {
  SlabReader const reader(slabs);
  constexpr int schedulers = 4;
  bool const early = slabs.stages == 2 || threadIdx.x / warp_size / schedulers % 2 == 0;
  std::int64_t const step = gridDim.x;
  std::int64_t next = blockIdx.x;
  for (int stage = 0; stage + 1 < slabs.stages; ++stage, next += step) {
    if (next < slabs.count) reader.read_all(slabs, next, ring + stage * slabs.elements);
    commit_copies();
  }
  int stage = 0;
  int free = slabs.stages - 1;
  for (std::int64_t slab = blockIdx.x; slab < slabs.count; slab += step, next += step) {
    switch (slabs.stages) {
      case 4: wait_copies<2>(); break;
      case 3: wait_copies<1>(); break;
      default: wait_copies<0>();
    }
    __syncthreads();
    if (early && next < slabs.count) reader.read_all(slabs, next, ring + free * slabs.elements);
    work(ring + stage * slabs.elements, slab);
    if (!early && next < slabs.count) reader.read_all(slabs, next, ring + free * slabs.elements);
    commit_copies();
    free = stage;
    stage = stage + 1 == slabs.stages ? 0 : stage + 1;
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
