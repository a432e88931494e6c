// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A format, a kernel and its parameters as plain data: what a plan runs, what it can be pinned to, what is stored.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <araia/detail/formats/pointers.hpp>
#include <araia/detail/plan/description.hpp>

namespace araia {

/// A parameter that belongs to one kernel, by a name that its descriptor lists (KernelInfo::parameters).
struct OwnParameter {
  std::string name{};
  int value = 0;
  friend bool operator==(OwnParameter const&, OwnParameter const&) = default;
};

/// Zeros stand for "chosen by the kernel" or "by the conversion". Fields without use for the format or kernel are zero.
struct Choice {
  std::string format{};             ///< "csr", "coo", "csc", "ell", "hyb", "sell", "bsr", "bcsc"; in plans also "dense"
  bool rows_by_length = false;      ///< csr, ell, sell: rows are stored by length, behind a permutation
  bool diagonals = false;           ///< sell: diagonals without indices where that takes fewer bytes
  bool narrow = false;              ///< sell: 16-bit columns where that takes fewer bytes
  bool compact = false;             ///< bcsc: 8-bit rows and counts, 16-bit columns where they reach
  bool split = false;               ///< bcsc: the dense columns of a block before the others
  std::string kernel{};             ///< "thread_per_row", ... as kernel_name() prints them
  int rows_per_team = 0;            ///< rows; csc: columns
  int entries = 0;                  ///< coo: consecutive entries of a thread (SpMV) or a team (SpMM)
  int team_size = 0;                ///< threads
  int vector_length = 0;            ///< lanes: a power of two, at most 32
  int columns_per_lane = 0;         ///< SpMM: columns that a lane sums at once: 1, 4 or 8; bcsc: that a thread sums
  int slice_height = 0;             ///< sell: rows of a slice; 0: 32
  int sort_window = 0;              ///< sell by length: rows that are sorted together; 0: 32 slices
  int least_slice_height = 0;       ///< sell: slices may be halved down to this; 0: never
  int block_width = 0;              ///< sell: columns that share an index, 1, 2 or 4; 0: 1
  int block_rows = 0;               ///< bsr: rows of a block, 1 to 32; 0: of the fewest bytes
  int block_cols = 0;               ///< bsr: columns of a block, 1 to 32; 0: of the fewest bytes
  int block_height = 0;             ///< bcsc: rows of a block, the mean where they vary; 0: 128
  int block_entries = 0;            ///< bcsc: entries of a block, whose heights vary; 0: heights are equal
  int block_columns = 0;            ///< bcsc: columns with entries of a block, likewise; one of the two at most
  int dense_entries = 0;            ///< bcsc+split: entries in a block from which a column is dense; 0: by the model
  int width = 0;                    ///< hyb: slots of a row; 0: from the lengths of the rows
  std::vector<OwnParameter> own{};  ///< by name, ascending, each once and none 0: set() keeps them so

  /// The value of a parameter of the kernel's own; 0 where it is not given.
  [[nodiscard]] int get(std::string_view parameter) const;
  /// Gives a parameter of the kernel's own a value; 0 takes it away.
  void set(std::string_view parameter, int value);
  friend bool operator==(Choice const&, Choice const&) = default;
};

/// "csr", "csr+by_length", "sell+diagonals+narrow", ...: the format as plans print it and as the command takes it.
/// Sizes of slices and blocks are left out: "bsr" stands for blocks of any size.
[[nodiscard]] std::string format_label(Choice const& choice);

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
