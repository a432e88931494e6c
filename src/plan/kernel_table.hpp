// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the planner knows of each kernel of each format: where it runs, whether its bits repeat, how well it uses a
// machine. A kernel that has a row here, a name in its format's tuning and a line in candidates.cpp takes part.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <araia/kernels/short_rows.hpp>
#include <araia/plan/traffic.hpp>

#include "src/plan/choice_parameters.hpp"

namespace araia::detail {

/// Where a kernel adds up an element of the result.
enum class Sums {
  ordered,     ///< in one place, in an order of its own: the same bits whatever the threads
  in_scratch,  ///< ordered on a host; on a device by atomics in a team's scratch memory
  scattered    ///< by atomics, or in parts that depend on the number of threads
};

struct KernelTraits {
  std::string_view format;
  std::string_view kernel;
  bool spmv;
  bool spmm;
  bool plain;       ///< op N
  bool transposed;  ///< op T and H
  bool on_host;
  bool on_device;
  Sums sums;
  double host_entry;   ///< seconds of one thread an entry and column, of the first column
  double host_column;  ///< further columns, relative to those of the host's SIMD kernels
  /// Time on a device over that of its bytes at the read bandwidth, rows evenly long; 0: not measured, so the model
  /// alone never chooses it.
  double device_waste;
  /// Bits of choice_parameters, as the format's dispatch takes its tuning struct. SIMD kernels of hosts, those of the
  /// CUDA backend and packed ones read none: they choose for themselves.
  unsigned reads = reads::none;
};

/// The row of a choice, or null where the format has no such kernel for the operation.
KernelTraits const* kernel_traits(Problem const& problem, Choice const& choice);

/// What the kernel of this name reads, for one column or for several.
[[nodiscard]] unsigned parameters_read(std::string_view format, std::string_view kernel);

/// Bytes that the kernel must know of the matrix beside the format's arrays, where it reads them in every product.
[[nodiscard]] std::uint64_t kernel_bytes(Problem const& problem, Choice const& choice);

/// Spans of columns that csr/column_panels multiplies one after the other, each as wide as shared memory holds.
[[nodiscard]] double panel_spans(Problem const& problem);

/// Rows that are long for csr_spmm_short_rows, by the histogram: those of bins that begin beyond.
[[nodiscard]] LongRows long_rows(RowStats const& stats);

/// What the backend's rule says of the choice, or null.
[[nodiscard]] HeldEstimate const* held_estimate(Problem const& problem, Choice const& choice);

[[nodiscard]] bool knows_format(std::string_view format);

}  // namespace araia::detail
