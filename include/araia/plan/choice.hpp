// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A format, a kernel and its parameters as plain data: what a plan runs, what it can be pinned to, what is stored.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <araia/formats/pointers.hpp>
#include <araia/plan/description.hpp>

namespace araia {

/// Zeros stand for "chosen by the kernel" or "by the conversion". Fields without use for the format or kernel are zero.
struct Choice {
  std::string format{};         ///< "csr", "coo", "csc", "ell", "hyb", "sell", "bsr", "bcsc"; in plans also "dense"
  bool rows_by_length = false;  ///< csr, ell, sell: rows are stored by length, behind a permutation
  bool diagonals = false;       ///< sell: diagonals without indices where that takes fewer bytes
  bool narrow = false;          ///< sell: 16-bit columns where that takes fewer bytes
  bool compact = false;         ///< bcsc: 8-bit rows and counts, 16-bit columns where they reach
  bool split = false;           ///< bcsc: the dense columns of a block before the others
  std::string kernel{};         ///< "thread_per_row", ... as kernel_name() prints them
  int rows_per_team = 0;        ///< rows; csc: columns
  int entries = 0;              ///< coo: consecutive entries of a thread (SpMV) or a team (SpMM)
  int team_size = 0;            ///< threads
  int vector_length = 0;        ///< lanes: a power of two, at most 32
  int columns_per_lane = 0;     ///< SpMM: columns that a lane sums at once: 1, 4 or 8; bcsc: that a thread sums
  int slice_height = 0;         ///< sell: rows of a slice; 0: 32
  int sort_window = 0;          ///< sell by length: rows that are sorted together; 0: 32 slices
  int least_slice_height = 0;   ///< sell: slices may be halved down to this; 0: never
  int block_width = 0;          ///< sell: columns that share an index, 1, 2 or 4; 0: 1
  int block_rows = 0;           ///< bsr: rows of a block, 1 to 32; 0: of the fewest bytes
  int block_cols = 0;           ///< bsr: columns of a block, 1 to 32; 0: of the fewest bytes
  int block_height = 0;         ///< bcsc: rows of a block; 0: 128
  int width = 0;                ///< hyb: slots of a row; 0: from the lengths of the rows
  friend bool operator==(Choice const&, Choice const&) = default;
};

/// "csr", "csr+by_length", "sell+diagonals+narrow", ...: the format as plans print it and as the command takes it.
/// Sizes of slices and blocks are left out: "bsr" stands for blocks of any size.
[[nodiscard]] std::string format_label(Choice const& choice);

/// A bsr that its kernel has packed in slices of block rows, its own matrix.
[[nodiscard]] inline bool is_bsr_in_slices(Choice const& choice) {
  return choice.format == "bsr" && choice.kernel == "slices";
}

/// A csr that its kernel has packed by panels of columns, its own matrix.
[[nodiscard]] inline bool is_csr_in_panels(Choice const& choice) {
  return choice.format == "csr" && choice.kernel == "column_panels";
}

/// A csr that its kernel has packed in slices of rows whose columns are steps, its own matrix.
[[nodiscard]] inline bool is_csr_in_steps(Choice const& choice) {
  return choice.format == "csr" && choice.kernel == "column_steps";
}

/// A kernel of csr that owns equal pieces of the matrix, whatever its rows.
[[nodiscard]] inline bool is_partitioned(Choice const& choice) {
  return choice.format == "csr" &&
         (choice.kernel == "balanced" || choice.kernel == "equal_chunks" || choice.kernel == "merge_split");
}

/// A csr as it lies, with room for strips of B beside it.
[[nodiscard]] inline bool is_csr_with_strips(Choice const& choice) {
  return choice.format == "csr" && choice.kernel == "copied_columns";
}

/// A csr that a host's kernel holds for products of several columns: packed, its own matrix, or with strips.
[[nodiscard]] inline bool is_held_on_host(Choice const& choice) {
  return (choice.format == "csr" && choice.kernel == "cache_panels") || is_csr_with_strips(choice);
}

/// A csr that its kernel has packed for products of several columns, its own matrix.
[[nodiscard]] inline bool is_csr_packed(Choice const& choice) {
  if (is_held_on_host(choice)) return true;
  return choice.format == "csr" &&
         (choice.kernel == "padded_rows" || choice.kernel == "row_groups" || choice.kernel == "jammed" ||
          choice.kernel == "lockstep" || choice.kernel == "tensor_tiles");
}

/// A matrix that a backend's kernel holds in an order of its own: a packed csr, or the dense matrix.
[[nodiscard]] inline bool is_held(Choice const& choice) { return is_csr_packed(choice) || choice.format == "dense"; }

/// "bsr{block_rows 3, block_cols 3}": all that the conversion is told, "... in slices" where it packs for the kernel.
/// Choices of one storage share one matrix.
[[nodiscard]] std::string storage_label(Choice const& choice);

/// The choice of format_label(), without kernel or sizes.
/// \throws araia::Error invalid_argument naming the words that there are
[[nodiscard]] Choice choice_of_format(std::string_view label);

/// Every label that choice_of_format takes, in the order of formats; "dense" apart, which plans alone hold.
[[nodiscard]] std::vector<std::string> format_labels();

/// The kernels that a format ("csr", not "csr+by_length") has for an operation with an op, on hosts and devices: empty
/// for a format that is unknown. Which of them run depends on types, strides and space.
[[nodiscard]] std::vector<std::string> kernel_names(std::string_view format, OpId operation, Op op);

/// "csr/vector_per_row{vector_length 8}": parameters that are zero are left out.
[[nodiscard]] std::string label(Choice const& choice);

/// "{vector_length 8}", or nothing where all are zero.
[[nodiscard]] std::string parameters_label(Choice const& choice);

/// One line of JSON, the same on every machine.
[[nodiscard]] std::string to_json(Choice const& choice);

/// \throws araia::Error invalid_argument: not JSON, over 64 KiB, a field that is missing, unknown or out of range
[[nodiscard]] Choice choice_from_json(std::string_view text);

}  // namespace araia
