// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bytes, operations and time of a candidate by the row statistics alone. The model ranks; it does not promise.

#include <cstdint>
#include <string>
#include <vector>

#include <araia/assembly/row_stats.hpp>
#include <araia/detail/plan/description.hpp>
#include <araia/plan/choice.hpp>
#include <araia/plan/machine.hpp>

namespace araia {

/// Slots of blocks over entries, for one shape of block; from a sample of the rows.
struct BlockFill {
  int block_rows = 1;
  int block_cols = 1;
  double fill = 1;
};

/// C = alpha op(A) op(B) of sparse matrices, beside the row statistics of op(A).
struct SparseProduct {
  std::int64_t b_entries = 0;      ///< of op(B)
  std::uint64_t products = 0;      ///< of an entry of op(A) and one of op(B)
  std::int64_t most_products = 0;  ///< of a row of C
  std::int64_t entries = -1;       ///< of C; negative: nobody counted them
  bool adds = false;               ///< to what C holds
};

/// A product as the model and the list of candidates see it, without types.
struct Problem {
  RowStats stats{};                     ///< of A
  std::vector<BlockFill> block_fill{};  ///< for every shape that was sampled
  OpId operation = OpId::spmv;
  Op op = Op::none;
  std::int64_t columns = 1;  ///< of B and C; of SDDMM those of X
  SparseProduct sparse{};    ///< of SpGEMM
  bool strided = false;      ///< operands whose strides forbid the host's SIMD kernels' contiguous access
  int value_bytes = 8;       ///< of an entry of A; 0 for a pattern
  int ordinal_bytes = 4;
  int offset_bytes = 4;
  int x_bytes = 8;  ///< of an element of x or B
  int y_bytes = 8;  ///< of an element of y or C; 0 where C is a pattern
  bool complex_values = false;
  bool source_permuted = false;       ///< A comes with a row permutation of its own
  bool host_simd = false;             ///< the host's SIMD kernel runs these types and strides
  bool b_by_rows = true;              ///< rows of B are contiguous
  bool cuda_kernels = false;          ///< the CUDA backend's kernels run these types and strides
  std::int64_t shared_entries = -1;   ///< entries whose columns host_simd_runs need not read, of stats.nnz; negative:
                                      ///< nobody looked
  bool scattered_rows = false;        ///< of B: host_simd_runs asks for them entry by entry
  std::int64_t diagonal_entries = 0;  ///< those of them that a slice of sell has on diagonals it fills
  std::int64_t chunk_rows = 0;        ///< most rows that begin in one chunk of csr/equal_chunks; 0: not known
  double gathered_lines = 0;          ///< lines of 32 columns that 1024 entries name, an entry: 1 where columns lie
                                      ///< anywhere; 0: not known. Of CUDA alone
  std::vector<std::string>
      bound{};  ///< "csr/own", ...: kernels with Runs::where_bound that are bound for these types and this space
  Precision precision = Precision::native;  ///< what products may round
  bool allow_dense = false;                 ///< products with zeros are allowed
  bool deterministic = false;  ///< kernels with atomics or with sums split by the number of threads are refused
  bool fused = false;          ///< SpMV: residual and multiply_dot are what will run
};

struct Traffic {
  double matrix_bytes = 0;   ///< read from the format's arrays
  double operand_bytes = 0;  ///< x or B read, y or C written, with beta == 0
  double flops = 0;          ///< 2 nnz columns (8 for complex)
  [[nodiscard]] double bytes() const { return matrix_bytes + operand_bytes; }
};

/// What the matrix takes in a format: predicted from the statistics, or counted by the symbolic half of a conversion.
struct Footprint {
  std::uint64_t bytes = 0;        ///< of the format's arrays; saturates where it would wrap
  std::int64_t slots = 0;         ///< values kept: entries, fill and padding
  std::int64_t pieces = 0;        ///< bsr: blocks; bcsc: block columns
  std::int64_t tail = 0;          ///< hyb: entries in coordinates
  std::int64_t on_diagonals = 0;  ///< sell, where counted: entries on diagonals
  bool exact = false;             ///< counted, or the statistics say it all
  bool bound = false;             ///< nobody looked for what the format saves: bytes are a bound from below, no figure
};

/// From the statistics, in O(1). Where they do not decide, an estimate on the low side, and where they say nothing of
/// what a format saves, a bound: who goes by a prediction that is not exact counts first.
[[nodiscard]] Footprint predicted_footprint(Problem const& problem, Choice const& choice);

/// The bytes of predicted_footprint.
[[nodiscard]] std::uint64_t format_bytes(Problem const& problem, Choice const& choice);

/// Bytes that the candidate moves when nothing of the operands stays in cache beyond what fits it.
[[nodiscard]] Traffic traffic(Problem const& problem, Choice const& choice, Machine const& machine,
                              Footprint const& footprint);
[[nodiscard]] Traffic traffic(Problem const& problem, Choice const& choice, Machine const& machine);

/// Seconds of one product: the slowest of memory, arithmetic and the longest chain of entries, plus launches.
[[nodiscard]] double modelled_seconds(Problem const& problem, Choice const& choice, Machine const& machine,
                                      Footprint const& footprint);
[[nodiscard]] double modelled_seconds(Problem const& problem, Choice const& choice, Machine const& machine);

/// Seconds of the conversion from Csr, by the bytes that it reads and those that it writes; 0 where the source is used
/// as it is.
[[nodiscard]] double modelled_conversion_seconds(Problem const& problem, Choice const& choice, Machine const& machine,
                                                 Footprint const& footprint);
[[nodiscard]] double modelled_conversion_seconds(Problem const& problem, Choice const& choice, Machine const& machine);

/// Does the kernel form residual and multiply_dot in its own pass over the matrix? Others multiply first and then go
/// over the result.
[[nodiscard]] bool fuses(Problem const& problem, Choice const& choice, Machine const& machine);

/// Precision that the candidate computes in: at least what the problem asks for.
[[nodiscard]] Precision precision_of(Problem const& problem, Choice const& choice);

/// Does the kernel multiply slots that are no entries, so that what is not finite reaches rows that a Csr keeps it
/// from? Known of a counted footprint. Slots beyond the matrix count too.
[[nodiscard]] bool mixes_rows(Problem const& problem, Choice const& choice, Footprint const& footprint);

/// Was the kernel measured on such a machine? The model alone chooses no other.
[[nodiscard]] bool is_priced(Problem const& problem, Choice const& choice, Machine const& machine);

/// Every candidate that may run, the CSR default first.
[[nodiscard]] std::vector<Choice> candidates(Problem const& problem, Machine const& machine);

/// Empty where the choice may run; else why not, naming the field.
[[nodiscard]] std::string why_illegal(Problem const& problem, Choice const& choice, Machine const& machine);

/// A kernel whose products write what the plan keeps beside the result: one at a time.
[[nodiscard]] bool writes_workspace(Problem const& problem, Choice const& choice);

}  // namespace araia
