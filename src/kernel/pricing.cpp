// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/kernel/pricing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <araia/detail/formats/team_shape.hpp>
#include "backends/cuda/lib/packed_kernel.hpp"

namespace araia::detail {
namespace {

constexpr double host_line = 64;      // bytes that a host's gather brings
constexpr double device_sector = 32;  // bytes that a device's gather brings
constexpr double warp_lanes = 32;

// A host's last-level cache keeps all of what is read again and again up to a half of it, and nothing from twice its
// size on: it serves others too, and what it drops is not always what is read last.
constexpr double wholly_cached = 0.5;
constexpr double not_cached = 2;

/// Columns of SpMM that the lanes of a portable kernel are there for.
double lane_columns(Problem const& p, Choice const& c) {
  double lanes = std::max(1, c.vector_length) * std::max(1, c.columns_per_lane);
  if (c.vector_length == 0)
    while (lanes < warp_lanes && lanes < static_cast<double>(p.columns)) lanes *= 2;
  return std::ceil(static_cast<double>(p.columns) / lanes) * lanes;
}

/// SpMM: what the lanes of a portable kernel take, which wait for each other and for caches rather than for memory.
double lanes_seconds(Pricing const& a) {
  auto const& h = a.prices;
  bool const pads = a.kernel.storage != "csr" && a.kernel.storage != "csc";
  double const lanes = lane_columns(a.problem, a.choice);
  return (std::max(lanes, pads ? lanes : h["device/least_lanes"]) * a.nnz() * h["device/lane_entry"] +
          lanes * a.rows() * h["device/lane_row"]) *
         (pads ? h["device/padded_lanes"] : 1) * (a.problem.x_bytes >= 8 ? h["device/lanes_of_double"] : 1);
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

/// Entries with the padding of padded rows.
double padded_slots(Problem const& p, double multiple) {
  auto const rows = static_cast<double>(p.stats.rows - p.stats.empty_rows);
  auto const nnz = static_cast<double>(p.stats.nnz);
  if (p.stats.min_length == p.stats.max_length)
    return rows * std::ceil(static_cast<double>(p.stats.max_length) / multiple) * multiple;
  return nnz + rows * (multiple - 1) / 2;
}

/// Expected passes of `entries` each over the longest of `together` rows that a warp takes in lock step.
double passes_of_longest(RowStats const& s, double entries, double together) {
  auto const rows = static_cast<double>(s.rows);
  double below = 0;  // share of the rows that are shorter than the bin's
  double expected = 0;
  for (std::size_t bin = 0; bin < s.length_histogram.size(); ++bin) {
    if (s.length_histogram[bin] == 0) continue;
    double const share = below + static_cast<double>(s.length_histogram[bin]) / rows;
    // A bin holds lengths of 2^(bin - 1) to 2^bin - 1, the outermost ones end at the extremes.
    double const middle = bin == 0 ? 0 : 1.5 * std::ldexp(1.0, static_cast<int>(bin) - 1);
    double const length = std::clamp(middle, static_cast<double>(s.min_length), static_cast<double>(s.max_length));
    expected += (std::pow(share, together) - std::pow(below, together)) * std::ceil(length / entries);
    below = share;
  }
  return expected;
}

/// Seconds of requests to the L2 for x of entries that share no line with their neighbours.
double request_seconds(Pricing const& a) {
  auto const& p = a.problem;
  if (p.operation != OpId::spmv || transposes(p.op) || p.gathered_lines <= 0) return 0;
  return (a.nnz() * p.gathered_lines + a.traffic.matrix_bytes / a.prices["device/request_bytes"]) *
         a.prices["device/request"];
}

/// Products of zeroed results are two launches, and so are those with a tail.
double usual_launches(Pricing const& a) { return a.kernel.zeroes_result || a.footprint.tail > 0 ? 2 : 1; }

double usual_atomics(Pricing const& a) { return a.kernel.zeroes_result ? a.nnz() : 0; }

}  // namespace

PriceName price_name(KernelInfo const& kernel, std::string_view term) {
  PriceName name(to_string(kernel.operation));
  ((((name += "/") += kernel.storage) += "_") += kernel.name) += ".";
  return name += term;
}

double result_rows(Problem const& p) { return static_cast<double>(transposes(p.op) ? p.stats.cols : p.stats.rows); }
double operand_rows(Problem const& p) { return static_cast<double>(transposes(p.op) ? p.stats.rows : p.stats.cols); }

double memory_seconds(double bytes, Machine const& m) {
  double const cache = static_cast<double>(m.cache_bytes);
  if (m.device) return bytes / (bytes <= cache / 2 ? m.cache_bandwidth : m.read_bandwidth);
  double const kept =
      cache > 0 ? std::clamp((not_cached - bytes / cache) / (not_cached - wholly_cached), 0.0, 1.0) : 0.0;
  return bytes * (kept / m.cache_bandwidth + (1 - kept) / m.read_bandwidth);
}

double gathered_bytes(Problem const& p, Machine const& m) {
  double const row = static_cast<double>(p.x_bytes) * static_cast<double>(p.columns);
  double const whole = operand_rows(p) * row;
  double const cache = static_cast<double>(m.cache_bytes) / 2;
  double const window = static_cast<double>(p.stats.lower_bandwidth + p.stats.upper_bandwidth + 1) * row;
  if (whole <= cache || window <= cache) return whole;
  double const line = std::max(m.device ? device_sector : host_line, row);
  double const missed = 1 - cache / whole;
  return std::max(whole, static_cast<double>(p.stats.nnz) * line * missed);
}

double lanes_of_row(Problem const& p, Choice const& c) {
  return c.vector_length > 0 ? c.vector_length : vector_length_for(p.stats.nnz, p.stats.rows);
}

HostTerms host_terms(Pricing const& a) {
  return {.entry = a.price("entry", 0),
          .column = a.price("column", 1),
          .multiplied = a.nnz(),
          .atomics = usual_atomics(a),
          .launches = usual_launches(a)};
}

double host_seconds(Pricing const& a, HostTerms const& t) {
  auto const& p = a.problem;
  auto const& h = a.prices;
  double const threads = std::max(1, a.machine.concurrency);
  // Beyond the first column, columns are vectorised; strided operands are not.
  double const per_column = h["host/flop"] * (p.complex_values ? 4 : 1) * t.column *
                            (a.choice.columns_per_lane == 1 ? h["host/one_column_a_step"] : 1) *
                            (p.strided ? h["host/strided_column"] : 1);
  double const work = t.entry + (a.columns() - 1) * per_column;
  double const starts = a.rows() * h["host/row"] + static_cast<double>(a.footprint.pieces) * h["host/row"] / 2;
  double const adding =
      threads > 1 ? t.atomics * h["host/atomic_entry"] * (p.operation == OpId::spmm ? a.columns() : 1) : 0;
  double const chain = a.kernel.even_work ? 0 : a.longest() * work;
  return a.machine.launch_seconds * t.launches + std::max({memory_seconds(a.traffic.bytes(), a.machine),
                                                           (t.multiplied * work + starts + adding) / threads, chain});
}

DeviceTerms device_terms(Pricing const& a) {
  double const waste = a.price("waste", 0);
  return {.waste = waste > 0 ? waste : a.prices["device/unmeasured_waste"],
          .in_lanes = a.problem.operation == OpId::spmm ? lanes_seconds(a) : 0,
          .gathers = request_seconds(a),
          .atomics = usual_atomics(a),
          .launches = a.machine.launch_seconds * usual_launches(a)};
}

double device_seconds(Pricing const& a, DeviceTerms const& t) {
  auto const& h = a.prices;
  double const cached_gathers =
      a.nnz() * std::max(1.0, a.columns() * a.problem.x_bytes / device_sector) * h["device/gather"] / 4;
  double const adding = t.atomics * a.columns() * h["device/atomic"];
  return t.launches + t.meeting +
         std::max({memory_seconds(a.traffic.bytes(), a.machine) * t.waste, cached_gathers, t.waiting * t.gathers,
                   adding, t.chain, t.in_lanes, a.traffic.flops / a.machine.flops});
}

double usual_seconds(Pricing const& a) { return scattered_seconds(a, host_terms(a), usual_atomics(a)); }

double scattered_seconds(Pricing const& a, HostTerms host, double atomics) {
  if (!a.machine.device) {
    host.atomics = atomics;
    return host_seconds(a, host);
  }
  auto terms = device_terms(a);
  terms.atomics = atomics;
  // "times": over another kernel of the storage that the same terms would give the same time.
  return not_below_padded(a, device_seconds(a, terms), others_over_padded(a)) * a.price("times", 1);
}

HostTerms bsr_host_terms(Pricing const& a) {
  auto terms = host_terms(a);
  terms.multiplied = std::max(a.nnz(), static_cast<double>(a.footprint.slots));
  return terms;
}

double bytes_of_runs(Problem const& p, Footprint const& f) {
  constexpr double spared = 0.5;  // of the columns passed over: the lines that they share with others come from memory
  return static_cast<double>(f.bytes) - spared * std::max(0.0, static_cast<double>(p.shared_entries)) * p.ordinal_bytes;
}

double EllInLockStep::matrix_bytes(Problem const& p, Choice const& c, Footprint const&, Machine const& m) {
  double const entry = p.value_bytes + p.ordinal_bytes;
  return ell_slots(p, c, m) * entry +
         static_cast<double>(p.stats.rows) * p.ordinal_bytes * (c.rows_by_length || p.source_permuted ? 2 : 1);
}

LongRows long_rows(RowStats const& stats) {
  std::int64_t const shorter = longest_of_lanes(stats.rows, stats.nnz);
  LongRows found{.longest = stats.max_length};
  if (found.longest <= shorter) return found;
  for (int bin = 1; bin < RowStats::bins; ++bin)
    if (std::int64_t{1} << (bin - 1) >= shorter) found.count += stats.length_histogram[static_cast<std::size_t>(bin)];
  found.count = std::max<std::int64_t>(found.count, 1);  // the longest itself
  return found;
}

double passes_seconds(Pricing const& a, double lanes, double seconds) {
  auto const& s = a.problem.stats;
  double const resident = std::max(1.0, a.machine.concurrency / warp_lanes);
  double const together = warp_lanes / lanes;
  // Rows in order of their lengths keep company with their like.
  double const passes = a.choice.rows_by_length ? 0 : passes_of_longest(s, lanes, together);
  return std::max(std::ceil(a.longest() / lanes), static_cast<double>(s.rows) / together * passes / resident) * seconds;
}

RowWaste row_waste(Pricing const& a, double lanes) {
  auto const& s = a.problem.stats;
  double const mean = std::max(1.0, s.mean_length);
  // A lane alone on a row reads a sector for an entry until rows are short; lanes beyond the row idle.
  double const filled = std::ceil(mean / lanes) * lanes / mean;
  double const scattered = lanes == 1 ? std::min(4.0, 1 + mean / 8) : std::max(1.0, 8 / lanes / 2);
  double const uneven = a.choice.rows_by_length ? 1 : 1 + 0.5 * std::min(4.0, s.length_deviation / mean) / lanes;
  return {std::max(filled, scattered) * uneven, uneven};
}

void cover_columns(Pricing const& a, double covered, DeviceTerms& t) {
  t.waste = a.price("waste", 0) * std::max(1.0, std::min(covered, warp_lanes) / a.columns());
  t.chain = a.longest() * a.prices["device/chain"] * std::max(1.0, a.columns() / covered);
}

double shared_rows_seconds(Pricing const& a, HostTerms const& host) {
  if (!a.machine.device) return host_seconds(a, host);
  auto terms = device_terms(a);
  if (a.problem.operation == OpId::spmm) {
    cover_columns(a, std::max(1, a.choice.vector_length) * std::max(1, a.choice.columns_per_lane), terms);
  } else {
    double const lanes = lanes_of_row(a.problem, a.choice);
    terms.waste = row_waste(a, lanes).waste;
    terms.chain = passes_seconds(a, lanes, a.prices["device/pass"]);
  }
  return not_below_padded(a, device_seconds(a, terms), others_over_padded(a));
}

double lock_step_seconds(Pricing const& a) {
  if (!a.machine.device) return host_seconds(a, host_terms(a));
  auto terms = device_terms(a);
  terms.chain = a.problem.operation == OpId::spmm ? a.longest() * a.prices["device/chain"]
                                                  : passes_seconds(a, 1, a.prices["device/step"]);
  return not_below_padded(a, device_seconds(a, terms), others_over_padded(a));
}

double hyb_seconds(Pricing const& a, double atomics) {
  double const launches = a.footprint.tail > 0 ? 3 : 1;
  if (!a.machine.device) {
    auto terms = host_terms(a);
    terms.atomics = atomics;
    terms.launches = launches;
    return host_seconds(a, terms);
  }
  auto terms = device_terms(a);
  terms.atomics = atomics;
  terms.launches = a.machine.launch_seconds * launches;
  if (a.problem.operation == OpId::spmv)
    terms.chain = std::min(a.longest(), 2 * std::max(1.0, a.problem.stats.mean_length)) * a.prices["device/step"];
  return not_below_padded(a, device_seconds(a, terms), others_over_padded(a));
}

double warps_seconds(Pricing const& a) {
  auto const& h = a.prices;
  double const row_bytes = a.columns() * a.problem.x_bytes;
  return (a.problem.x_bytes == 8 ? h["device/warp_double"] : 1) *
         (a.rows() * (h["device/warp_row"] + h["device/warp_row_byte"] * row_bytes) +
          a.nnz() * (h["device/warp_entry"] + h["device/warp_entry_byte"] * row_bytes));
}

double warps_over_padded(Pricing const& a) {
  auto const& h = a.prices;
  auto const& p = a.problem;
  double const mean = std::max(1.0, p.stats.mean_length);
  if (p.value_bytes != 8)
    return std::max(h["device/least_over_padded"],
                    h["device/ends_of_rows"] * a.nnz() / padded_slots(p, h["device/padded_entries"]));
  bool const few = a.columns() <= h["device/few_columns"] && a.longest() <= h["device/much_longer"] * mean;
  return h[few ? "device/doubles_in_few_columns" : "device/doubles_in_many_columns"];  // else both wait for one row
}

double others_over_padded(Pricing const& a) {
  return a.problem.value_bytes == 8 || a.columns() < warp_lanes ? 0 : a.prices["device/others_over_padded"];
}

double not_below_padded(Pricing const& a, double seconds, double factor) {
  auto const padded = cuda::least_seconds_of_rows(a.problem, a.machine);
  return padded ? std::max(seconds, *padded * factor) : seconds;
}

}  // namespace araia::detail

namespace araia {

double Pricing::rows() const { return detail::result_rows(problem); }

double Pricing::price(std::string_view term, double otherwise) const {
  return prices.get(detail::price_name(kernel, term), otherwise);
}

double roofline_seconds(Pricing const& a) {
  return a.machine.launch_seconds +
         std::max(detail::memory_seconds(a.traffic.bytes(), a.machine), a.traffic.flops / a.machine.flops);
}

}  // namespace araia
