// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A format, a kernel and its parameters as plain data: what a plan runs, what it can be pinned to, what is stored.

#include <cstdint>
#include <string>
#include <string_view>

namespace araia {

/// Zeros stand for "chosen by the kernel". Fields that a kernel has no use for are zero.
struct Choice {
  std::string format{};         ///< "csr", "coo" or "ell"
  bool rows_by_length = false;  ///< csr, ell: rows are stored by length, behind a permutation
  std::string kernel{};         ///< "thread_per_row", ... as kernel_name() prints them
  int rows_per_team = 0;        ///< rows
  int entries = 0;              ///< coo: consecutive entries of a thread (SpMV) or a team (SpMM)
  int team_size = 0;            ///< threads
  int vector_length = 0;        ///< lanes: a power of two, at most 32
  int columns_per_lane = 0;     ///< SpMM: columns that a lane sums at once: 1, 4 or 8
  friend bool operator==(Choice const&, Choice const&) = default;
};

/// "csr", "csr+by_length", ...: the format as plans print it and as the command takes it.
[[nodiscard]] std::string format_label(Choice const& choice);

/// "csr/vector_per_row{vector_length 8}": parameters that are zero are left out.
[[nodiscard]] std::string label(Choice const& choice);

/// "{vector_length 8}", or nothing where all are zero.
[[nodiscard]] std::string parameters_label(Choice const& choice);

/// One line of JSON, the same on every machine.
[[nodiscard]] std::string to_json(Choice const& choice);

/// \throws araia::Error invalid_argument: not JSON, over 64 KiB, a field that is missing, unknown or out of range
[[nodiscard]] Choice choice_from_json(std::string_view text);

}  // namespace araia
