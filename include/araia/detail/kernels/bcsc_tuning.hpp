// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tuning of BCSC kernels: structs that may change the time, never the answer beyond rounding.

#include <algorithm>
#include <cstdint>
#include <ostream>

#include <araia/detail/assembly/checked.hpp>
#include <araia/detail/formats/team_shape.hpp>

namespace araia {

/// Kernels for y = alpha op(A) x + beta y, A in BCSC of any form.
enum class BcscSpmvKernel {
  automatic,
  block_per_team,  ///< portable: a block's part of y in scratch; Op::none
  transposed       ///< portable: Op::transpose and Op::conjugate_transpose, one atomic a block column
};

struct BcscSpmvTuning {
  BcscSpmvKernel kernel = BcscSpmvKernel::automatic;
  int team_size = 0;  ///< threads a block; 0: from the mean number of a block's columns
  friend bool operator==(BcscSpmvTuning const&, BcscSpmvTuning const&) = default;
};

/// Kernels for C = alpha op(A) B + beta C, A in BCSC of any form.
enum class BcscSpmmKernel {
  automatic,     ///< the best default for the space and operands; naive where a team or its columns are described
  naive,         ///< portable: a tile of C a team, in scratch; a thread a column; Op::none
  transposed,    ///< portable: Op::transpose and Op::conjugate_transpose, an atomic a block column and column of C
  tiled,         ///< CUDA: chunks of block columns in shared memory; as the others, Op::none, B and C row-major, one
                 ///< scalar for all; of the compact forms that with rows of 8 bits
  short_blocks,  ///< CUDA: a warp a block of at most 32 rows, sums in registers; the wide form
  warp_centric,  ///< CUDA: a logical warp a block column, sums in shared memory
  warp_centric_atomic,  ///< CUDA: the same by atomics, the order of additions left open; never chosen by itself
  host_simd             ///< host spaces: SIMD over the columns, a block's rows in L1; Op::none, B row-major
};

struct BcscSpmmTuning {
  BcscSpmmKernel kernel = BcscSpmmKernel::automatic;
  int team_size = 0;  ///< naive: threads, each with columns of its own; 0: from the number of columns
  int columns_per_thread =
      0;  ///< naive: columns of C a thread sums at once; 0: one on a device, what fits scratch on a host
  // CUDA, tiled: one of the shapes that are built; 0: by the rule, of several by the first that has all the others.
  int threads_x = 0;      ///< threads, or lanes, over columns
  int threads_y = 0;      ///< over rows; threads_y * items_y rows are a tile, the thesis's M_Tile
  int items_x = 0;        ///< columns a thread
  int items_y = 0;        ///< rows a thread
  int k_tile = 0;         ///< block columns of a chunk
  int stages = 0;         ///< chunks in shared memory
  int parts = 0;          ///< thread blocks that share a block's columns
  int dense_percent = 0;  ///< a chunk filled to this part is multiplied whole
  // CUDA, warp_centric and warp_centric_atomic; 0: by the rule.
  int warp_size = 0;  ///< lanes of a logical warp: 8, 16 or 32
  int warps = 0;      ///< logical ones a thread block: 32 to 256 threads
  // CUDA, all of these.
  int vector_width = 0;  ///< columns a load of B, or a lane: 1, or as many as 16 bytes hold
  friend bool operator==(BcscSpmmTuning const&, BcscSpmmTuning const&) = default;
};

/// Names as printed by plans and accepted by the command: "block_per_team", ...
[[nodiscard]] constexpr char const* kernel_name(BcscSpmvKernel kernel) {
  switch (kernel) {
    case BcscSpmvKernel::automatic: return "automatic";
    case BcscSpmvKernel::block_per_team: return "block_per_team";
    case BcscSpmvKernel::transposed: return "transposed";
  }
  return "unknown";
}
[[nodiscard]] constexpr char const* kernel_name(BcscSpmmKernel kernel) {
  switch (kernel) {
    case BcscSpmmKernel::automatic: return "automatic";
    case BcscSpmmKernel::naive: return "naive";
    case BcscSpmmKernel::transposed: return "transposed";
    case BcscSpmmKernel::tiled: return "tiled";
    case BcscSpmmKernel::short_blocks: return "short_blocks";
    case BcscSpmmKernel::warp_centric: return "warp_centric";
    case BcscSpmmKernel::warp_centric_atomic: return "warp_centric_atomic";
    case BcscSpmmKernel::host_simd: return "host_simd";
  }
  return "unknown";
}

inline std::ostream& operator<<(std::ostream& out, BcscSpmvTuning const& t) {
  return out << kernel_name(t.kernel) << "{team_size " << t.team_size << '}';
}
inline std::ostream& operator<<(std::ostream& out, BcscSpmmTuning const& t) {
  out << kernel_name(t.kernel) << "{team_size " << t.team_size << ", columns_per_thread " << t.columns_per_thread;
  auto const given = [&](char const* name, int value) {
    if (value != 0) out << ", " << name << ' ' << value;
  };
  given("threads_x", t.threads_x);
  given("threads_y", t.threads_y);
  given("items_x", t.items_x);
  given("items_y", t.items_y);
  given("k_tile", t.k_tile);
  given("stages", t.stages);
  given("parts", t.parts);
  given("dense_percent", t.dense_percent);
  given("warp_size", t.warp_size);
  given("warps", t.warps);
  given("vector_width", t.vector_width);
  return out << '}';
}

namespace detail {

/// Rows of a block that a team holds in scratch at once; a taller block is split among several teams, which each read
/// all of it and keep their own rows.
struct RowWindow {
  std::int64_t rows;     // of a window
  std::int64_t windows;  // of a block
};

inline constexpr std::int64_t scratch_budget = 30 * 1024;  // bytes, of the 32 to 40 KiB that Kokkos gives a team

/// Windows for blocks of `height` rows with `row_bytes` of scratch a row.
inline RowWindow row_window(std::int64_t height, std::int64_t row_bytes) {
  std::int64_t const most = std::max<std::int64_t>(1, scratch_budget / row_bytes);
  std::int64_t const windows = (height + most - 1) / most;
  return {windows > 0 ? (height + windows - 1) / windows : 1, std::max<std::int64_t>(1, windows)};
}

/// A league of one team a task.
/// \throws araia::Error resource_limit where Kokkos cannot count them
inline int one_per_team(std::int64_t tasks) {
  require_fits<int>("araia: teams of a BCSC product", tasks);
  return static_cast<int>(tasks);
}

/// Threads of a team whose threads take a block's columns.
template <class Exec>
int block_column_team(std::int64_t block_columns, std::int64_t blocks, int asked) {
  require_tuning(asked >= 0 && asked <= 1024, "team_size", asked, "0 to 1024");
  if constexpr (!is_device_space<Exec>) return 1;
  if (asked) return asked;
  int threads = device_warp;
  while (threads < device_block && threads * 2 < block_columns / std::max<std::int64_t>(blocks, 1)) threads *= 2;
  return threads;
}

}  // namespace detail
}  // namespace araia
