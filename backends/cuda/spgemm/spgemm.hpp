// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// C = A B on CUDA, A, B and C in CSR: analysis, lengths of C's rows, then columns and values; and values alone for new
// values of A and B. Nothing is allocated on the device: callers hand in what the analysis asks for.
//
//   analyse -> Plan -> (allocate plan.workspace_bytes) -> symbolic -> (allocate C) -> numeric -> values, values, ...
//
// Each row of C is made by the form that suits it; rows of one form are a bin (operands.hpp).
//   csr_thread_per_row  the whole product, where all rows are short: merged in registers
//   csr_bit_window      span small: a bit a column in shared memory, a team of lanes a row
//   csr_row_groups      the same for groups of three rows of the same columns
//   csr_sorted_rows     few products: sorted in registers
//   csr_block_window    span middling: a bit a column in shared memory, a block a row
//   csr_long_rows            what is left: a bit a column in global memory, several blocks a row

#include <cuda_runtime_api.h>

#include <araia/detail/formats/pointers.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "backends/cuda/spgemm/operands.hpp"

namespace araia::cuda::spgemm {

using Matrix = CsrPointers<double, std::int32_t, std::int32_t>;

/// Streams beside the caller's, on which bins run at the same time; made once, for one product at a time.
class SideStreams {
 public:
  /// \throws araia::Error (device)
  SideStreams();
  ~SideStreams();
  SideStreams(SideStreams const&) = delete;
  SideStreams& operator=(SideStreams const&) = delete;

  static constexpr int count = 3;
  [[nodiscard]] cudaStream_t stream(int k) const { return streams_[static_cast<std::size_t>(k)]; }
  /// What comes on side streams waits for what is on `main` now.
  void fork(cudaStream_t main) const;
  /// What comes on `main` waits for what is on side streams now.
  void join(cudaStream_t main) const;

 private:
  void release() noexcept;
  std::array<cudaStream_t, count> streams_{};
  std::array<cudaEvent_t, count + 1> events_{};
};

/// What is to make the rows that it can make; others go where they suit. For tests and measurements.
enum class Form {
  automatic,
  thread_per_row,  ///< refused where it does not suit all rows
  row_groups,      ///< refused where rows are not in groups or do not suit
  window_short,
  window_long,
  sorted_64,
  sorted_256,
  sorted_1024,
  block_window,
  long_row
};

struct Options {
  Form form = Form::automatic;
  /// Rows of B ascend strictly, as the caller knows: not looked at.
  bool b_ascends = false;
  /// The same bits each time. Without it csr_sorted_rows, csr_block_window and csr_long_rows add by atomics in any
  /// order; the other forms have one order in any case. Refused where B's rows do not ascend strictly.
  bool deterministic = false;
  /// Bytes, analysis included. Less room first costs speed (the tile list, B in tiles, long rows at once), then is
  /// refused.
  std::size_t workspace_limit = std::numeric_limits<std::size_t>::max();
  SideStreams const* side_streams = nullptr;  ///< null: bins one after the other
};

/// Of a product of two patterns. Valid while both patterns and the analysis' memory are there.
struct Plan {
  std::string refusal;  ///< why there is no kernel for it; empty where there is
  Options options;

  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t cols = 0;
  std::int64_t products = 0;               ///< scalar multiplications; thread_per_row: at most so many before symbolic
  bool b_ascends = true;                   ///< every row of B, strictly
  bool thread_per_row = false;             ///< takes all rows
  int group = 1;                           ///< rows an item stands for
  std::array<std::int64_t, bins> items{};  ///< of each bin; of rows, or of groups
  std::size_t analysis_bytes = 0;
  std::size_t workspace_bytes = 0;  ///< at an address of 256 bytes' alignment; to be kept for `values`
  std::int64_t nnz = -1;            ///< of C, once symbolic has run

  struct Layout {  // bytes from the workspace's begin; meant where the count is not 0
    std::size_t sums = 0;
    std::size_t list = 0;
    std::int64_t list_count = 0;
    std::size_t tiles = 0;
    std::size_t tile_counts = 0;
    std::int64_t tile_count = 0;
    std::size_t positions = 0;
    std::size_t row_tiles = 0;
    std::int64_t row_tile_count = 0;
    std::size_t long_row_windows = 0;
    std::int64_t long_rows_at_once = 0;
  } layout;
  Counters counters{};
  std::array<std::uint32_t, bins> list_starts{};
  double mean_b_row = 0;
  void* analysis = nullptr;
  void* workspace = nullptr;
};

/// Why the kernels cannot index these matrices; empty where they can.
std::string size_refusal(Matrix const& a, Matrix const& b);

/// Device bytes that the analysis of C = A B takes, at an address of 256 bytes' alignment.
std::size_t analysis_bytes(Matrix const& a);

/// Decides how C = A B is made. Waits for the stream once.
/// \param a, b      patterns on the device: a.cols == b.rows; A's columns in any order, with or without duplicates; B's
///                  likewise, though more forms suit where they ascend strictly. No row permutation.
/// \param analysis  (analysis_bytes(a)) on the device, kept as long as the plan
/// Cost    O(nnz(A) + nnz(B)) reads
/// \throws araia::Error (invalid_argument, dimension_mismatch, device)
Plan analyse(Matrix const& a, Matrix const& b, Options const& options, void* analysis, cudaStream_t stream);

/// Lengths of C's rows. Waits for the stream once.
/// \param plan         one without refusal; takes note of nnz
/// \param workspace    (plan.workspace_bytes) on the device, kept as long as the plan
/// \param row_offsets  (rows + 1) on the device, written: C's, modulo 2^32
/// \returns entries of C; beyond 2^31 - 1 the offsets are to be widened
std::int64_t symbolic(Plan& plan, Matrix const& a, Matrix const& b, void* workspace, std::int32_t* row_offsets,
                      cudaStream_t stream);

/// C's offsets in 64 bits. \param row_offsets  as symbolic left them
void widen(Plan const& plan, std::int32_t const* row_offsets, std::int64_t* wide, cudaStream_t stream);

/// C's columns, strictly ascending in each row, and values. Entries that cancel stay, as zeros. Waits for nothing.
/// Rounding  |error| <= gamma(products of the entry + 1) sum |a| |b|
void numeric(Plan const& plan, Matrix const& a, Matrix const& b, Result const& c, cudaStream_t stream);

/// C's values for new values of A and B, by its offsets and columns of before.
void values(Plan const& plan, Matrix const& a, Matrix const& b, Result const& c, cudaStream_t stream);

}  // namespace araia::cuda::spgemm
