// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/kernels/short_rows.hpp>
#include <araia/plan/traffic.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <araia/formats/team_shape.hpp>
#include "backends/cuda/csr_chunk_rows_suits.hpp"
#include "src/plan/kernel_table.hpp"

namespace araia {
namespace {

constexpr double host_line = 64;      // bytes that a host's gather brings
constexpr double device_sector = 32;  // bytes that a device's gather brings
constexpr double warp_lanes = 32;
constexpr double host_simd_entry = 0.45e-9;  // as in kernel_table.cpp, of the kernel that csc lends from csr

// Host kernels are bound by instructions as often as by bytes: seconds of one thread beside those of kernel_table.cpp.
constexpr double host_atomic_entry = 6e-9;       // an uncontended atomic addition
constexpr double host_diagonal_entry = 0.15e-9;  // 7-point stencil in L3 of a Zen 5
constexpr double host_row = 1.5e-9;              // loop entry, store
constexpr double host_flop = 0.12e-9;            // SpMM, vectorised over columns
constexpr double device_atomic = 1.0 / 60e9;     // seconds an atomic, device-wide
constexpr double one_row_a_lane = 1.08;          // times that of two rows: f64 1.02 to 1.14, f32 1.05 to 1.35
constexpr double rounding_of_float = 1.5;        // of the tensor cores' time, which double does not have
constexpr double usual_row_bytes = 256;          // of C: with less, tensor cores wait for memory rather
constexpr double waits_of_few_columns = 1.6;
constexpr double device_gather = 1.0 / 150e9;  // seconds a gathered sector, device-wide
constexpr double device_chain = 8e-9;          // SpMM: seconds an entry of one row's serial chain
// SpMM of the portable kernels, whose lanes have a column each: seconds of a lane for an entry and for a row,
// device-wide; a pass takes 1, 2, 4, ... or 32 columns. H200, 7- and 27-point stencils by 1 to 33 columns of f32 and
// f64: within 30%; for several columns a lane it is a guess.
constexpr double lane_entry = 0.65e-12;
constexpr double lane_row = 12e-12;
constexpr double padded_lanes = 1.3;     // of formats other than csr and csc over these: 1.2 to 1.9
constexpr double least_lanes = 5;        // an entry of csr and csc: fewer read entries of rows that lie apart
constexpr double lanes_of_double = 1.4;  // 27 points by 8 and 16 columns 22.5 and 42.5 us on an H100, f32 18 and 31.5
// SpMM by a warp a row or a piece: seconds of a row and an entry by no column, and of each byte of B's rows more.
// Within a third of H100 and H200, 7- and 27-point stencils by 8 to 128 columns: rows wait for memory in turn, entries
// for L1.
constexpr double warp_row = 0.33e-9;
constexpr double warp_row_byte = 1.2e-12;
constexpr double warp_entry = 3e-12;
constexpr double warp_entry_byte = 0.055e-12;
constexpr double warp_double = 1.2;
// SpMV: seconds of a pass along a row, which loads columns and then the x that they name. H200, rows of 125000 entries:
// 0.26 us with 8 lanes of two entries, 0.4 us in Kokkos Kernels; steps of a lane's own row overlap.
constexpr double device_pass = 0.3e-6;
constexpr double device_step = 0.1e-6;
// Seconds of a lane for a row of csr/vector_per_row, device-wide, beside the bytes: H200, f64, 16 matrices of 1 to 16
// lanes a row within a fifth, of 32 within a third. docs/lab/cuda_spmv_prices.md has them.
constexpr double vector_row = 6e-12;
constexpr double vector_waste = 1.6;
// csr/sub_warp: rows of more than some passes go to the warp, and beyond a thousand entries to the block.
constexpr double sub_warp_waste = 1.25;
constexpr double sub_warp_uneven = 0.15;  // for each deviation over the mean, up to four: power laws 1.54, programs 1.5
constexpr double sub_warp_passes = 4;
constexpr double take_over = 4e-6;
constexpr double block_entries = 512;       // of a pass
constexpr double warp_block_row = 0.25e-9;  // seconds of a block row of bsr/warp_per_block_row, device-wide
// Dependent loads of one piece, by their number, and of 256 rows more that begin in a piece of equal_chunks.
constexpr double balanced_piece = 3e-6;
constexpr double chunk_piece = 1.5e-6;
constexpr double chunk_strip = 0.5e-6;
constexpr double chunk_threads = 256;
// A gather that goes to the L2 is a request there as 64 bytes of the matrix are: H200, within 1% for three precisions.
constexpr double device_request = 1.0 / 158e9;
constexpr double request_bytes = 64;
// column_panels: panels are loaded and the first band multiplied before sums begin; then bytes through the L2 bind, at
// a share of its bandwidth.
constexpr double panel_words = 4;  // bytes of the column and the place of an entry
constexpr double panels_start = 8e-6;
constexpr double panels_of_cache = 0.4;
constexpr double panels_rows = 4;  // chunks that are so many times those of equal_chunks
constexpr double panels_threads = 256;
constexpr double segmented_run = 8;   // entries of a thread, unless the choice names them
constexpr double padded_entries = 8;  // of csr/padded_rows: rows are multiples of it
constexpr double ends_of_rows = 1.2;  // of csr/row_per_warp over padded_rows in float without padding: 1.15 to 1.5
constexpr std::int64_t few_columns = 256;
constexpr double much_longer = 4;               // than the mean
constexpr double doubles_in_few_columns = 0.8;  // of csr/row_per_warp over padded_rows: 0.75 to 0.9, then 1 to 1.3
// Of csr/merge_split over csr/row_per_warp on rows of like length: 0.2 to 1.0 where they have 7 or 16 entries, a guess
// where they have more.
constexpr double pieces_over_short_rows = 0.75;
constexpr double pieces_over_long_rows = 1.2;
constexpr double pieces_over_shortest_rows = 1.25;  // of csr/row_per_warp that share warps: 1.4 to 2 on 7 points, cold
constexpr double short_rows = 16;
constexpr double others_over_padded = 1.1;  // of all others on an H200 beside padded_rows: 1.0 to 2.5
constexpr double unmeasured_waste = 1.5;    // of a device's kernels that have no measurement yet: the race decides

using detail::KernelTraits;
using detail::panel_spans;
using detail::Sums;

// A host's last-level cache keeps all of what is read again and again up to a half of it, and nothing from twice its
// size on: it serves others too, and what it drops is not always what is read last.
constexpr double wholly_cached = 0.5;
constexpr double not_cached = 2;
// Of the columns that csr/host_simd_runs passes over: the lines that they share with others come from memory.
constexpr double columns_spared = 0.5;

/// Seconds to bring so many bytes, product after product.
double memory_seconds(double bytes, Machine const& m) {
  double const cache = static_cast<double>(m.cache_bytes);
  if (m.device) return bytes / (bytes <= cache / 2 ? m.cache_bandwidth : m.read_bandwidth);
  double const kept =
      cache > 0 ? std::clamp((not_cached - bytes / cache) / (not_cached - wholly_cached), 0.0, 1.0) : 0.0;
  return bytes * (kept / m.cache_bandwidth + (1 - kept) / m.read_bandwidth);
}

double rows_of(Problem const& p) { return static_cast<double>(transposes(p.op) ? p.stats.cols : p.stats.rows); }
double cols_of(Problem const& p) { return static_cast<double>(transposes(p.op) ? p.stats.rows : p.stats.cols); }

/// Columns of SpMM that the lanes of a portable kernel are there for.
double lane_columns(Problem const& p, Choice const& c) {
  double lanes = std::max(1, c.vector_length) * std::max(1, c.columns_per_lane);
  if (c.vector_length == 0)
    while (lanes < warp_lanes && lanes < static_cast<double>(p.columns)) lanes *= 2;
  return std::ceil(static_cast<double>(p.columns) / lanes) * lanes;
}

/// Of SpMM: does a warp have a row, or a piece of the entries, of a Csr that is not packed?
bool is_warps_of_csr(Choice const& c) { return c.kernel == "row_per_warp" || c.kernel == "merge_split"; }

/// csr/row_per_warp where rows are short and share warps.
bool shares_warps(Problem const& p, Choice const& c) {
  return c.kernel == "row_per_warp" &&
         detail::has_short_rows(p.stats.rows, p.stats.cols, p.stats.nnz, p.columns * p.y_bytes);
}

/// SpMM: what the lanes of a device's kernel take, which wait for each other and for caches rather than for memory.
double lanes_seconds(Problem const& p, Choice const& c) {
  double const nnz = static_cast<double>(p.stats.nnz);
  double const rows = rows_of(p);
  if (shares_warps(p, c))
    return detail::short_rows_seconds(p.stats.rows, p.stats.nnz, p.columns, p.x_bytes, detail::long_rows(p.stats));
  if (is_warps_of_csr(c)) {
    double const row_bytes = static_cast<double>(p.columns) * p.x_bytes;
    return (p.x_bytes == 8 ? warp_double : 1) *
           (rows * (warp_row + warp_row_byte * row_bytes) + nnz * (warp_entry + warp_entry_byte * row_bytes));
  }
  bool const pads = c.format != "csr" && c.format != "csc";
  double const lanes = lane_columns(p, c);
  return (std::max(lanes, pads ? lanes : least_lanes) * nnz * lane_entry + lanes * rows * lane_row) *
         (pads ? padded_lanes : 1) * (p.x_bytes >= 8 ? lanes_of_double : 1);
}

/// Does every entry go into memory that was zeroed before, by an atomic or by parts?
bool is_scattered(Problem const& p, Choice const& c) {
  auto const* const traits = detail::kernel_traits(p, c);
  return traits && traits->sums == Sums::scattered && (c.format != "hyb" || transposes(p.op));
}

/// Entries with the padding of csr/padded_rows.
double padded_slots(Problem const& p) {
  auto const rows = static_cast<double>(p.stats.rows - p.stats.empty_rows);
  auto const nnz = static_cast<double>(p.stats.nnz);
  if (p.stats.min_length == p.stats.max_length)
    return rows * std::ceil(static_cast<double>(p.stats.max_length) / padded_entries) * padded_entries;
  return nnz + rows * (padded_entries - 1) / 2;
}

/// Additions by atomics a column of the result.
double atomics_of(Problem const& p, Choice const& c, Machine const& m, Footprint const& f) {
  if (c.format == "hyb" && !transposes(p.op)) return p.spmm ? static_cast<double>(f.tail) : 0;
  if (!is_scattered(p, c)) return 0;
  if (c.kernel == "segmented")  // at both ends of a thread's run, which is long on a host
    return m.device ? 2 * static_cast<double>(p.stats.nnz) / (c.entries > 0 ? c.entries : segmented_run) : 0;
  if (c.format == "bcsc") return static_cast<double>(f.pieces);
  return static_cast<double>(c.format == "bsr" ? f.slots : p.stats.nnz);
}

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

/// Lanes of a device that share a row of csr.
double lanes_of(Problem const& p, Choice const& c) {
  if (c.kernel == "thread_per_row") return 1;
  return c.vector_length > 0 ? c.vector_length : detail::vector_length_for(p.stats.nnz, p.stats.rows);
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

/// Seconds of an SpMV on a device that no bandwidth shortens: the longest row goes pass by pass through the lanes that
/// share it, and so does the longest row of every warp, with as many warps at a time as the device holds.
double spmv_chain(Problem const& p, Choice const& c, Machine const& m) {
  auto const longest = static_cast<double>(p.stats.max_length);
  if (c.kernel == "equal_chunks")
    return chunk_piece + std::floor(static_cast<double>(p.chunk_rows) / chunk_threads) * chunk_strip;
  if (is_csr_in_panels(c))
    return panel_spans(p) *
           (panels_start + std::floor(panels_rows * static_cast<double>(p.chunk_rows) / panels_threads) * chunk_strip);
  if (c.kernel == "balanced") return balanced_piece;
  if (c.kernel == "sub_warp") {
    double const pass = 2 * lanes_of(p, c);
    if (longest <= sub_warp_passes * pass) return std::ceil(longest / pass) * device_pass;
    return take_over + std::ceil(longest / block_entries) * device_pass;
  }
  if (c.format == "coo" || c.format == "bcsc") return 0;
  // A lane has a row of hyb up to the width that most rows fill.
  if (c.format == "hyb") return std::min(longest, 2 * std::max(1.0, p.stats.mean_length)) * device_step;
  if (c.format == "bsr") {
    double const block = std::max(1, c.block_rows) * std::max(1, c.block_cols);
    if (is_bsr_in_slices(c)) return longest / std::max(1, c.block_cols) * device_step;
    double const lanes = c.kernel == "warp_per_block_row" ? std::max(1.0, std::floor(warp_lanes / block)) * c.block_cols
                                                          : lanes_of(p, c);
    return longest / lanes * device_pass;
  }
  bool const lane_a_row = c.format == "ell" || c.format == "sell" || c.kernel == "thread_per_row" || is_csr_in_steps(c);
  double const lanes = lane_a_row ? 1 : lanes_of(p, c);
  double const entries = lanes;
  double const pass = lane_a_row ? device_step : device_pass;
  double const resident = std::max(1.0, m.concurrency / warp_lanes);
  double const together = warp_lanes / lanes;
  // Rows in order of their lengths keep company with their like.
  double const passes = c.rows_by_length ? 0 : passes_of_longest(p.stats, entries, together);
  return std::max(std::ceil(longest / entries), static_cast<double>(p.stats.rows) / together * passes / resident) *
         pass;
}

/// Does the host's SIMD kernel gain by rows of B that rows of a block share? Taller blocks than it sums at once took
/// 0.85 to 1.12 of a Csr's time on Zen 5.
bool shares_rows_of_b(Choice const& c) {
  constexpr int most_rows_at_once = 4;
  return c.format == "bsr" && is_host_simd(c) && c.block_rows > 1 && c.block_rows <= most_rows_at_once;
}

/// Seconds of an SpMV on a device that requests to the L2 take: x of entries that share no line with their neighbours.
double gather_seconds(Problem const& p, Choice const& c, Machine const& m, Traffic const& t) {
  if (is_csr_in_panels(c)) {
    constexpr double unit = 16;  // bytes of products that share the number of a panel
    double const entry = p.value_bytes + panel_words + 2 * p.y_bytes + p.y_bytes / unit;
    return panel_spans(p) * panels_start +
           static_cast<double>(p.stats.nnz) * entry / (panels_of_cache * m.cache_bandwidth);
  }
  if (p.spmm || transposes(p.op)) return 0;
  return p.gathered_lines > 0
             ? (static_cast<double>(p.stats.nnz) * p.gathered_lines + t.matrix_bytes / request_bytes) * device_request
             : 0;
}

}  // namespace

Traffic traffic(Problem const& p, Choice const& c, Machine const& m, Footprint const& f) {
  Traffic t;
  double const nnz = static_cast<double>(p.stats.nnz);
  double const entry = p.value_bytes + p.ordinal_bytes;
  if (c.format == "ell")
    t.matrix_bytes = ell_slots(p, c, m) * entry + static_cast<double>(p.stats.rows) * p.ordinal_bytes *
                                                      (c.rows_by_length || p.source_permuted ? 2 : 1);
  else
    t.matrix_bytes = static_cast<double>(f.bytes);
  if (c.format == "dense")  // all but the workspace
    t.matrix_bytes = static_cast<double>(p.stats.rows) * static_cast<double>(p.stats.cols) * p.value_bytes;
  if (is_bsr_in_slices(c))  // the structure of the Bsr is kept for new values alone
    t.matrix_bytes -= (static_cast<double>(f.pieces) + static_cast<double>(p.stats.rows) / std::max(1, c.block_rows)) *
                      p.ordinal_bytes;
  if (is_csr_in_panels(c))  // all but the buffer of products, which stays in the L2
    t.matrix_bytes = nnz * (p.value_bytes + 2.0 * sizeof(std::uint16_t)) +
                     panel_spans(p) * static_cast<double>(p.stats.rows) * sizeof(std::uint16_t) +
                     (panel_spans(p) - 1) * static_cast<double>(p.stats.rows) * 2 * p.y_bytes;  // y, read and written
  if (is_csr_in_steps(c))  // all but the lengths of rows, which only sums that are not finite need
    t.matrix_bytes -= static_cast<double>(p.stats.rows) * p.ordinal_bytes;
  if (c.kernel == "host_simd_runs")
    t.matrix_bytes -= columns_spared * std::max(0.0, static_cast<double>(p.shared_entries)) * p.ordinal_bytes;
  double const result = rows_of(p) * static_cast<double>(p.columns) * p.y_bytes;
  // Scattering kernels first write zeros, then read and write every element that they meet; a tail those of its rows.
  double const tail = 2 * std::min(result, static_cast<double>(f.tail * p.columns) * p.y_bytes);
  // Strips of B stay in cache, and A comes once for each.
  auto const* const strips = is_csr_with_strips(c) ? detail::held_estimate(p, c) : nullptr;
  if (strips)
    t.matrix_bytes = static_cast<double>(strips->passes) * (t.matrix_bytes - static_cast<double>(strips->room));
  double const operand = strips ? cols_of(p) * static_cast<double>(p.columns) * p.x_bytes : gathered_bytes(p, m);
  t.operand_bytes = operand + (is_scattered(p, c) ? 3 * result : result + tail);
  t.flops = 2 * nnz * static_cast<double>(p.columns) * (p.complex_values ? 4 : 1);
  return t;
}

Traffic traffic(Problem const& p, Choice const& c, Machine const& m) {
  return traffic(p, c, m, predicted_footprint(p, c));
}

Precision precision_of(Problem const& p, Choice const& c) {
  if (c.kernel == "tensor_tiles" || (c.kernel == "tensor_cores" && p.value_bytes == 4)) return p.precision;
  return c.format == "dense" && allows_tf32(p.precision) && p.value_bytes == 4 ? Precision::tf32 : Precision::native;
}

/// Launches of a product that its time has in it.
static double launches_of(Problem const& p, Choice const& c, Footprint const& f) {
  if (is_csr_in_panels(c)) return 2 * panel_spans(p);
  if (c.format == "hyb") return f.tail > 0 ? 3 : 1;
  // Its second launch starts while the first one ends.
  if (c.kernel == "equal_chunks") return cuda::csr_chunk_rows_suits(p.stats.nnz, p.stats.max_length) ? 1 : 1.5;
  return is_scattered(p, c) || f.tail > 0 || is_partitioned(c) ? 2 : 1;
}

/// Seconds of y = op(A) x, or C = op(A) B.
static double product_seconds(Problem const& p, Choice const& c, Machine const& m, Footprint const& f) {
  auto const* const traits = detail::kernel_traits(p, c);
  if (!traits) return std::numeric_limits<double>::infinity();
  Traffic const t = traffic(p, c, m, f);
  if (is_held(c)) {
    auto const* const held = detail::held_estimate(p, c);
    if (!held) return std::numeric_limits<double>::infinity();
    // The rule of a device has its kernel's start in it, that of a host is of one thread at work: it is added here, as
    // for all other kernels. Each strip of B starts threads that copy it and threads that multiply.
    double const starts = m.device ? 0 : is_csr_with_strips(c) ? 2.0 * static_cast<double>(held->passes) : 1;
    return starts * m.launch_seconds +
           std::max(held->seconds, m.device ? t.bytes() / m.read_bandwidth : memory_seconds(t.bytes(), m));
  }
  double const nnz = static_cast<double>(p.stats.nnz);
  double const columns = static_cast<double>(p.columns);
  double const mean = std::max(1.0, p.stats.mean_length);
  double const longest = static_cast<double>(p.stats.max_length);
  double const atomics = atomics_of(p, c, m, f);
  double const memory = memory_seconds(t.bytes(), m);
  // Short rows are priced as what a backend holds, whose rule knows its start in a stream.
  double const launches =
      m.device && p.spmm && shares_warps(p, c) ? detail::start_of_short_rows : m.launch_seconds * launches_of(p, c, f);

  if (!m.device) {
    double const threads = std::max(1, m.concurrency);
    // A csc gathers, by the host's SIMD kernel where there is one, as a csr does for the other operation.
    bool const simd = is_host_simd(c) || (c.format == "csc" && transposes(p.op) && p.host_simd);
    bool const as_csr = simd && (c.format == "csc" || (c.format == "bsr" && !shares_rows_of_b(c)));
    double entry = as_csr ? host_simd_entry : traits->host_entry;
    if (!p.spmm && c.format == "sell" && simd && c.diagonals && !c.rows_by_length && nnz > 0)
      entry += (host_diagonal_entry - entry) * static_cast<double>(p.diagonal_entries) / nnz;
    // Beyond the first column, columns are vectorised; strided operands are not.
    double const per_column = host_flop * (p.complex_values ? 4 : 1) *
                              (simd && !shares_rows_of_b(c) && c.format != "bcsc" ? 1 : traits->host_column) *
                              (c.columns_per_lane == 1 ? 1.6 : 1) * (p.strided ? 2 : 1);
    double const work = entry + (columns - 1) * per_column;
    // Blocks are multiplied whole; elsewhere padding is passed over.
    double const multiplied = c.format == "bsr" ? std::max(nnz, static_cast<double>(f.slots)) : nnz;
    double const starts = rows_of(p) * host_row + static_cast<double>(f.pieces) * host_row / 2;
    double const adding = threads > 1 ? atomics * host_atomic_entry * (p.spmm ? columns : 1) : 0;
    bool const balanced = (simd && c.format != "bcsc") || is_partitioned(c) || c.format == "coo" || c.format == "hyb" ||
                          c.format == "csc";
    double const chain = balanced ? 0 : longest * work;  // one thread has the longest row for itself
    return launches + std::max({memory, (multiplied * work + starts + adding) / threads, chain});
  }

  if (c.kernel == "tensor_cores") {
    // Its waste is that of blocks of eight rows and more; smaller ones leave rows of every MMA idle.
    double const row_bytes = columns * p.x_bytes;
    double const rows_of_b = static_cast<double>(f.pieces) * std::max(1, c.block_cols) * row_bytes / m.cache_bandwidth;
    double const idle = 8.0 / std::clamp(c.block_rows, 1, 8) * (p.value_bytes == 4 ? rounding_of_float : 1) *
                        (row_bytes < usual_row_bytes ? waits_of_few_columns : 1);
    return launches + traits->device_waste * idle * std::max(memory, rows_of_b);
  }
  double const lanes = p.spmm ? 1 : lanes_of(p, c);
  double waste = traits->device_waste > 0 ? traits->device_waste : unmeasured_waste;  // of transactions or lanes
  // One row a lane leaves few loads in flight where a slot takes few bytes.
  double const over_rows = mean <= short_rows ? pieces_over_short_rows : pieces_over_long_rows;
  if (c.kernel == "merge_split") waste *= over_rows;
  if (c.kernel == "rows_per_lane" && c.slice_height == warp_lanes && (c.diagonals || c.narrow)) waste *= one_row_a_lane;
  double chain = 0;
  double waiting = 1;  // of lanes for those with longer rows
  bool const by_rows = !is_partitioned(c) && !is_csr_in_panels(c) && !is_csr_in_steps(c) &&
                       (c.format == "csr" || (c.format == "csc" && transposes(p.op)));
  if (!p.spmm) {
    chain = spmv_chain(p, c, m);
  } else if (c.format == "ell" || c.format == "sell") {
    chain = longest * device_chain;
  }
  if (!by_rows) {
    // nothing else depends on the rows' lengths
  } else if (!p.spmm) {
    // A lane alone on a row reads a sector for an entry until rows are short; lanes beyond the row idle.
    double const filled = std::ceil(mean / lanes) * lanes / mean;
    double const scattered = lanes == 1 ? std::min(4.0, 1 + mean / 8) : std::max(1.0, 8 / lanes / 2);
    double const uneven = c.rows_by_length ? 1 : 1 + 0.5 * std::min(4.0, p.stats.length_deviation / mean) / lanes;
    waste = std::max(filled, scattered) * uneven;
    if (c.kernel == "vector_per_row") waste = std::max(waste, vector_waste * uneven);
    if (c.kernel == "sub_warp") {
      waiting = 1 + sub_warp_uneven * std::min(4.0, p.stats.length_deviation / mean);
      waste = sub_warp_waste * waiting;
    }
  } else {
    // row_per_warp has tiles of its own choice: lanes of one or more columns each.
    double const covered = shares_warps(p, c) ? columns
                           : c.kernel == "row_per_warp"
                               ? std::max(warp_lanes, columns)
                               : std::max(1, c.vector_length) * std::max(1, c.columns_per_lane);
    waste = traits->device_waste * std::max(1.0, std::min(covered, warp_lanes) / columns);
    // Short rows have what their longest one takes in their price.
    chain = shares_warps(p, c) ? 0 : longest * device_chain * std::max(1.0, columns / covered);
  }
  double const cached_gathers = nnz * std::max(1.0, columns * p.x_bytes / device_sector) * device_gather / 4;
  double const adding = atomics * columns * device_atomic;
  bool const reads_csr = is_warps_of_csr(c);
  double in_lanes = p.spmm ? lanes_seconds(p, c) : 0;
  // Rows that wait for their lanes to meet come on top of their bytes.
  double meeting = 0;
  if (!p.spmm && c.kernel == "vector_per_row") meeting = rows_of(p) * lanes * vector_row;
  if (c.kernel == "warp_per_block_row") meeting = rows_of(p) / std::max(1, c.block_rows) * warp_block_row;
  if (c.kernel == "merge_split") {
    in_lanes *= over_rows;
    if (p.spmm && detail::has_shortest_rows(p.stats.rows, p.stats.nnz))
      in_lanes = std::max(in_lanes, pieces_over_shortest_rows *
                                        detail::short_rows_seconds(p.stats.rows, p.stats.nnz, p.columns, p.x_bytes));
  }
  double const seconds = launches + meeting +
                         std::max({memory * waste, cached_gathers, waiting * gather_seconds(p, c, m, t), adding, chain,
                                   in_lanes, t.flops / m.flops});
  auto const* const padded = detail::held_estimate(p, {.format = "csr", .kernel = "padded_rows"});
  if (!padded || (p.spmm && shares_warps(p, c))) return seconds;
  // row_per_warp is the same kernel, but for what the ends of rows cost it, and the padding that it does not read. What
  // the others read of B comes from the same caches, of which this model knows less than the rule.
  // merge_split reads the same, and waits for no row.
  double over_padded = 0;
  bool const few_doubles = p.columns <= few_columns && longest <= much_longer * mean;  // else both wait for one row
  if (p.value_bytes == 8)
    over_padded = !reads_csr ? 0 : few_doubles ? doubles_in_few_columns : 1.05;
  else if (reads_csr)
    over_padded = std::max(1.02, ends_of_rows * nnz / padded_slots(p));
  else if (columns >= warp_lanes)
    over_padded = others_over_padded;
  if (c.kernel == "merge_split") over_padded *= over_rows;
  return std::max(seconds, padded->seconds * over_padded);
}

double modelled_seconds(Problem const& p, Choice const& c, Machine const& m, Footprint const& f) {
  double const product = product_seconds(p, c, m, f);
  if (!p.fused || fuses(p, c, m)) return product;
  // Two vectors are read again, by a launch of its own.
  return product + m.launch_seconds + memory_seconds(rows_of(p) * (p.x_bytes + p.y_bytes), m);
}

double modelled_seconds(Problem const& p, Choice const& c, Machine const& m) {
  return modelled_seconds(p, c, m, predicted_footprint(p, c));
}

bool fuses(Problem const& p, Choice const& c, Machine const& m) {
  if (p.spmm || transposes(p.op) || p.complex_values || p.strided) return false;
  if (!m.device) return is_host_simd(c) && (c.format == "csr" || c.format == "sell");
  if (p.value_bytes == 0 && c.format == "csr") return false;
  if (c.format == "csr" && c.kernel == "equal_chunks")
    return cuda::csr_chunk_rows_suits(p.stats.nnz, p.stats.max_length);
  return (c.format == "csr" && c.kernel == "sub_warp") || (c.format == "sell" && c.kernel == "rows_per_lane");
}

double modelled_conversion_seconds(Problem const& p, Choice const& c, Machine const& m, Footprint const& f) {
  if (storage_label(c) == "csr") return 0;
  if (auto const* const held = detail::held_estimate(p, c)) return held->conversion_seconds;
  // Bytes of Csr a second: of one thread, and of a device; measured on a 2-core host and on an H200.
  struct Rate {
    char const* format;
    double host_thread;
    double device;
  };
  constexpr Rate rates[] = {{"csr", 0.5e9, 60e9},  {"coo", 0.6e9, 350e9}, {"csc", 0.2e9, 120e9},
                            {"ell", 0.4e9, 300e9}, {"hyb", 0.2e9, 180e9}, {"sell", 0.3e9, 220e9},
                            {"bsr", 0.2e9, 100e9}, {"bcsc", 0.4e9, 70e9}};
  double const of_diagonals = m.device ? 0.3 : 0.45;  // of the rate
  double const threads = m.device ? 1 : std::max(1, m.concurrency);
  double rate = 0.2e9 * threads;
  for (auto const& known : rates)
    if (c.format == known.format) rate = m.device ? known.device : known.host_thread * threads;
  if (c.diagonals) rate *= of_diagonals;
  // What is written beyond the Csr's own bytes is padding and fill, into pages that are new.
  constexpr double host_writes = 0.5e9;  // bytes a second of a thread, pages included
  constexpr double device_writes = 0.3;  // of the copy bandwidth
  double const writes = m.device ? device_writes * m.copy_bandwidth : host_writes * threads;
  constexpr double launches = 10;
  double const csr = static_cast<double>(format_bytes(p, {.format = "csr", .kernel = {}}));
  double const beyond = std::max(0.0, static_cast<double>(f.bytes) - csr);
  return csr / rate + beyond / writes + launches * m.launch_seconds;
}

double modelled_conversion_seconds(Problem const& p, Choice const& c, Machine const& m) {
  return modelled_conversion_seconds(p, c, m, predicted_footprint(p, c));
}

bool mixes_rows(Problem const& p, Choice const& c, Footprint const& f) {
  bool const multiplies_fill = c.kernel == "tensor_cores" || (c.format == "bsr" && is_host_simd(c));
  return multiplies_fill && f.exact && f.slots != p.stats.nnz;
}

/// Do blocks hold slots that are no entries, as far as the sample says?
static bool has_fill(Problem const& p, Choice const& c) {
  return predicted_footprint(p, c).slots >= p.stats.nnz + std::int64_t{c.block_rows} * c.block_cols;
}

bool is_priced(Problem const& p, Choice const& c, Machine const& m) {
  auto const* const traits = detail::kernel_traits(p, c);
  if (is_held(c)) {
    auto const* const held = detail::held_estimate(p, c);
    return held && held->by_model;
  }
  // What is not finite would reach rows that share a block, which a model's choice for a Csr must not cause.
  if ((c.kernel == "tensor_cores" || (c.format == "bsr" && is_host_simd(c))) && has_fill(p, c)) return false;
  return traits && (m.device ? traits->device_waste > 0 : traits->host_entry > 0);
}

}  // namespace araia
