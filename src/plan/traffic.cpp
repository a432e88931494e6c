// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/plan/traffic.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <araia/assembly/checked.hpp>

namespace araia {
namespace {

constexpr double host_line = 64;      // bytes that a host's gather brings
constexpr double device_sector = 32;  // bytes that a device's gather brings
constexpr double warp = 32;           // lanes

// Host kernels are bound by instructions as often as by bytes: seconds of one thread an entry, single-column.
constexpr double host_simd_entry = 0.45e-9;
constexpr double host_scalar_entry = 0.8e-9;
constexpr double host_coo_entry = 1.2e-9;
constexpr double host_atomic_entry = 6e-9;     // an uncontended atomic addition
constexpr double host_ell_entry = 1.6e-9;      // strides of a column's length between entries of a row
constexpr double host_row = 1.5e-9;            // loop entry, store
constexpr double host_flop = 0.12e-9;          // SpMM, vectorised over columns
constexpr double device_atomic = 1.0 / 60e9;   // seconds an atomic, device-wide
constexpr double device_gather = 1.0 / 150e9;  // seconds a gathered sector, device-wide
constexpr double device_chain = 8e-9;          // seconds an entry of one lane's serial chain

bool is_atomic(Choice const& c) { return c.kernel == "atomic" || c.kernel == "transposed"; }

double rows_of(Problem const& p) { return static_cast<double>(p.op == Op::none ? p.stats.rows : p.stats.cols); }
double cols_of(Problem const& p) { return static_cast<double>(p.op == Op::none ? p.stats.cols : p.stats.rows); }

/// Bytes of x or B that come from memory: once where the part in use stays in cache, else a line an entry that misses.
double gathered_bytes(Problem const& p, Machine const& m) {
  double const row = static_cast<double>(p.x_bytes) * static_cast<double>(p.columns);
  double const whole = cols_of(p) * row;
  double const cache = static_cast<double>(m.cache_bytes) / 2;
  double const window = static_cast<double>(p.stats.lower_bandwidth + p.stats.upper_bandwidth + 1) * row;
  if (whole <= cache || window <= cache) return whole;
  double const line = std::max(m.device ? device_sector : host_line, row);
  double const missed = 1 - cache / whole;
  return std::max(whole, static_cast<double>(p.stats.nnz) * line * missed);
}

/// Slots that neighbours in lock step pass over in an ELL: the longest row of each group of a warp.
double ell_slots(Problem const& p, Choice const& c, Machine const& m) {
  double const nnz = static_cast<double>(p.stats.nnz);
  if (!m.device) return nnz;
  double const full = static_cast<double>(p.stats.rows) * static_cast<double>(p.stats.max_length);
  if (c.rows_by_length) return std::min(full, nnz * 1.02);
  // Expected maximum of a warp's lengths, about two deviations above the mean.
  double const typical = p.stats.mean_length + 2 * p.stats.length_deviation;
  return std::min(full, std::max(nnz, typical * static_cast<double>(p.stats.rows)));
}

}  // namespace

std::uint64_t format_bytes(Problem const& p, Choice const& c) {
  using detail::saturating_product;
  auto const nnz = static_cast<std::uint64_t>(p.stats.nnz);
  auto const rows = static_cast<std::uint64_t>(p.stats.rows);
  auto const entry = static_cast<std::uint64_t>(p.value_bytes + p.ordinal_bytes);
  auto const ordinal = static_cast<std::uint64_t>(p.ordinal_bytes);
  std::uint64_t const permutation = c.rows_by_length || p.source_permuted ? rows * ordinal : 0;
  auto const sum = [](std::uint64_t a, std::uint64_t b) {
    return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
  };
  if (c.format == "coo") return saturating_product(nnz, entry + ordinal);
  if (c.format == "ell")
    return sum(saturating_product(saturating_product(rows, static_cast<std::uint64_t>(p.stats.max_length)), entry),
               rows * ordinal + permutation);
  return sum(saturating_product(nnz, entry), (rows + 1) * static_cast<std::uint64_t>(p.offset_bytes) + permutation);
}

Traffic traffic(Problem const& p, Choice const& c, Machine const& m) {
  Traffic t;
  double const nnz = static_cast<double>(p.stats.nnz);
  double const entry = p.value_bytes + p.ordinal_bytes;
  if (c.format == "ell")
    t.matrix_bytes = ell_slots(p, c, m) * entry + static_cast<double>(p.stats.rows) * p.ordinal_bytes *
                                                      (c.rows_by_length || p.source_permuted ? 2 : 1);
  else
    t.matrix_bytes = static_cast<double>(format_bytes(p, c));
  if (c.kernel == "host_simd_runs") t.matrix_bytes -= static_cast<double>(p.shared_entries) * p.ordinal_bytes;
  double const result = rows_of(p) * static_cast<double>(p.columns) * p.y_bytes;
  // Atomic kernels first write zeros, then read and write every element that they meet.
  t.operand_bytes = gathered_bytes(p, m) + (is_atomic(c) || c.kernel == "segmented" ? 3 : 1) * result;
  t.flops = 2 * nnz * static_cast<double>(p.columns) * (p.complex_values ? 4 : 1);
  return t;
}

double modelled_seconds(Problem const& p, Choice const& c, Machine const& m) {
  Traffic const t = traffic(p, c, m);
  double const nnz = static_cast<double>(p.stats.nnz);
  double const rows = static_cast<double>(p.stats.rows);
  double const columns = static_cast<double>(p.columns);
  double const mean = std::max(1.0, p.stats.mean_length);
  double const longest = static_cast<double>(p.stats.max_length);
  bool const atomic = is_atomic(c);
  bool const in_cache = t.bytes() <= static_cast<double>(m.cache_bytes) / 2;
  double const memory = t.bytes() / (in_cache ? m.cache_bandwidth : m.read_bandwidth);
  double const launches = m.launch_seconds * (atomic || c.kernel == "segmented" ? 2 : 1);

  if (!m.device) {
    double const threads = std::max(1, m.concurrency);
    bool const shared = threads > 1;
    double entry = host_scalar_entry;
    if (is_host_simd(c)) entry = host_simd_entry;
    if (c.format == "coo") entry = host_coo_entry;
    if (c.format == "ell") entry = host_ell_entry;
    if (atomic && shared) entry += host_atomic_entry * (p.spmm ? columns : 1);
    // Beyond the first column, columns are vectorised; strided operands are not.
    double const per_column = host_flop * (p.complex_values ? 4 : 1) * (is_host_simd(c) ? 1 : 2.5) *
                              (c.columns_per_lane == 1 ? 1.6 : 1) * (p.strided ? 2 : 1);
    double const work = entry + (columns - 1) * per_column;
    bool const balanced = is_host_simd(c) || c.format == "coo";
    double const chain = balanced ? 0 : longest * work;  // one thread has the longest row for itself
    return launches + std::max({memory, (nnz * work + rows * host_row) / threads, chain});
  }

  double const lanes = p.spmm ? 1 : std::max(1, c.vector_length);
  double waste = 1;  // of memory transactions or lanes
  double chain = 0;
  if (c.format == "coo") {
    waste = 1.1;
  } else if (c.format == "ell") {
    chain = longest * device_chain;
  } else if (!p.spmm) {
    // A lane alone on a row reads a sector for an entry until rows are short; lanes beyond the row idle.
    double const filled = std::ceil(mean / lanes) * lanes / mean;
    double const scattered = lanes == 1 ? std::min(4.0, 1 + mean / 8) : std::max(1.0, 8 / lanes / 2);
    double const uneven = c.rows_by_length ? 1 : 1 + 0.5 * std::min(4.0, p.stats.length_deviation / mean) / lanes;
    waste = std::max(filled, scattered) * uneven;
    chain = longest / lanes * device_chain;
  } else {
    double const covered = std::max(1, c.vector_length) * std::max(1, c.columns_per_lane);
    waste = std::max(1.0, std::min(covered, warp) / columns);
    chain = longest * device_chain * std::max(1.0, columns / covered);
  }
  double const cached_gathers = nnz * std::max(1.0, columns * p.x_bytes / device_sector) * device_gather / 4;
  double const atomics = atomic ? nnz * columns * device_atomic : 0;
  return launches + std::max({memory * waste, cached_gathers, atomics, chain, t.flops / m.flops});
}

}  // namespace araia
