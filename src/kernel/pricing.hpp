// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What descriptors price a product with: terms that all kernels share, over the prices of a machine.

#include <cstdint>
#include <string_view>

#include <araia/detail/extend/pricing.hpp>
#include <araia/detail/plan/traffic.hpp>
#include "backends/cuda/lib/short_rows.hpp"
#include "src/kernel/tunings.hpp"
#include "src/machine/prices.hpp"

namespace araia::detail {

/// "<operation>/<storage>_<name>.<term>".
[[nodiscard]] PriceName price_name(KernelInfo const& kernel, std::string_view term);

/// What a kernel takes on hosts beside its bytes.
struct HostTerms {
  double entry = 0;       ///< seconds of a thread for an entry, of the first column
  double column = 1;      ///< further columns, relative to the SIMD kernels'
  double multiplied = 0;  ///< slots
  double atomics = 0;     ///< additions by them a column of the result
  double launches = 1;
};

/// The usual ones: the kernel's prices, entries multiplied, launches as it scatters.
[[nodiscard]] HostTerms host_terms(Pricing const& a);

/// Launches and the slowest of memory, work of a thread and the longest row.
[[nodiscard]] double host_seconds(Pricing const& a, HostTerms const& t);

/// What a kernel takes on devices beside its bytes.
struct DeviceTerms {
  double waste = 1;     ///< of the bytes' time: transactions, lanes
  double chain = 0;     ///< seconds that no bandwidth shortens: a row after pass after pass
  double waiting = 1;   ///< times the gathers, of lanes for those with longer rows
  double meeting = 0;   ///< seconds that come on top: of rows whose lanes meet
  double in_lanes = 0;  ///< SpMM: seconds of the lanes, device-wide
  double gathers = 0;   ///< SpMV: seconds of requests to the L2
  double atomics = 0;   ///< additions by them a column of the result
  double launches = 1;  ///< seconds
};

/// The usual ones: the kernel's waste, gathers, launches as it scatters, SpMM on the lanes of columns.
[[nodiscard]] DeviceTerms device_terms(Pricing const& a);

/// Launches and the slowest of memory, gathers, atomics, the longest chain, lanes and arithmetic.
[[nodiscard]] double device_seconds(Pricing const& a, DeviceTerms const& t);

/// The usual ones where blocks are multiplied whole; elsewhere padding is passed over.
[[nodiscard]] HostTerms bsr_host_terms(Pricing const& a);

/// Seconds of host or device with the usual terms, on devices with what others_over_padded() says.
[[nodiscard]] double usual_seconds(Pricing const& a);

/// The same of a kernel that scatters so many additions a column of the result.
/// \param host  host_terms() or bsr_host_terms()
[[nodiscard]] double scattered_seconds(Pricing const& a, HostTerms host, double atomics);

/// Seconds to bring so many bytes, product after product.
[[nodiscard]] double memory_seconds(double bytes, Machine const& m);

/// Bytes of x or B that come from memory: once where the part in use stays in cache, else a line an entry that misses.
[[nodiscard]] double gathered_bytes(Problem const& p, Machine const& m);

[[nodiscard]] double result_rows(Problem const& p);
[[nodiscard]] double operand_rows(Problem const& p);

/// Lanes of a device that share a row of csr where the choice names none.
[[nodiscard]] double lanes_of_row(Problem const& p, Choice const& c);

/// SpMV on a device: passes along rows, the longest row and the longest of those that a warp takes in lock step.
/// \param lanes     that share a row
/// \param seconds   of a pass, an entry a lane
[[nodiscard]] double passes_seconds(Pricing const& a, double lanes, double seconds);

/// SpMV by rows of csr, or of a csc transposed: what lanes that idle and sectors read for one entry waste.
struct RowWaste {
  double waste;
  double uneven;
};
[[nodiscard]] RowWaste row_waste(Pricing const& a, double lanes);

/// SpMM by rows of csr whose lanes cover so many columns: waste and chain.
void cover_columns(Pricing const& a, double covered, DeviceTerms& t);

/// Of rows of csr, or of a csc transposed, that the lanes of a portable kernel share. \param host  on hosts
[[nodiscard]] double shared_rows_seconds(Pricing const& a, HostTerms const& host);

/// Of rows that lanes go along in lock step, slot by slot: ell, sell.
[[nodiscard]] double lock_step_seconds(Pricing const& a);

/// Of a hyb: a lane's row up to the width that most rows fill; then the tail.
[[nodiscard]] double hyb_seconds(Pricing const& a, double atomics);

/// SpMM with a warp a row or a chunk of a Csr that is not packed: seconds of the lanes.
[[nodiscard]] double warps_seconds(Pricing const& a);

/// Of such kernels over the rule of padded rows: what the ends of rows cost them, and the padding that they do not
/// read.
[[nodiscard]] double warps_over_padded(Pricing const& a);

/// Of kernels that read B otherwise: the same caches, of which this model knows less than the rule. 0: no bound.
[[nodiscard]] double others_over_padded(Pricing const& a);

/// Not below the seconds of padded rows times the factor, where the backend has a rule for them.
[[nodiscard]] double not_below_padded(Pricing const& a, double seconds, double factor);

/// Bytes of a Csr whose kernel does not read the columns of runs.
[[nodiscard]] double bytes_of_runs(Problem const& p, Footprint const& f);

/// Base of descriptors of Ell: its bytes with the slots that neighbours in lock step pass over.
struct EllInLockStep {
  static double matrix_bytes(Problem const& p, Choice const& c, Footprint const& f, Machine const& m);
};

/// Columns from which on gathers by 32-bit offsets in bytes do not reach.
inline constexpr std::int64_t most_gathered_cols = std::int64_t{1} << 29;

/// Rows that are long for SpMM by lanes of their own, by the histogram: those of bins that begin beyond.
[[nodiscard]] LongRows long_rows(RowStats const& stats);

/// Rows whose columns are counted together, which says what rows share: RowStats::block_columns.
inline constexpr std::int64_t rows_that_share = 4;

}  // namespace araia::detail
