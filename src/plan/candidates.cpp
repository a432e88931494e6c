// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of candidates, and the rules by which a choice from elsewhere is accepted.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include <araia/formats/bsr.hpp>
#include <araia/formats/csr_panels_pointers.hpp>
#include <araia/formats/sell_options.hpp>
#include <araia/formats/team_shape.hpp>
#include <araia/kernels/bsr_tuning.hpp>
#include <araia/plan/traffic.hpp>
#include "backends/openmp/rows_to_sort.hpp"
#include "src/formatted.hpp"
#include "src/plan/format_options.hpp"
#include "src/plan/kernel_table.hpp"

namespace araia {
namespace {

constexpr int warp = 32;         // lanes of a device's warp
constexpr int most_team = 1024;  // threads of a block

int lanes_covering(std::int64_t columns) {
  int lanes = 1;
  while (lanes < warp && lanes < columns) lanes *= 2;
  return lanes;
}

bool has_uneven_rows(Problem const& p) { return p.stats.min_length != p.stats.max_length; }

/// SpMM on hosts: may an order of all rows by length spare branches that are not foreseen? Emerald Rapids, two threads,
/// of csr/host_simd's speed by 4, 8, 16 and 32 columns of f64: citations of 88,651 entries 1.57, 1.53, 1.38 and 0.99, a
/// power law of 120,000 1.50, 1.30, 0.87 and 0.85, of 500,000 1.48, 1.36, 1.04 and 0.96, a circuit of
/// 120,000 1.88, 1.06, 0.61 and 0.64, as it leaves neighbours of a row elsewhere. What branches remember is a thread's:
/// citations of 13,264 entries by 16 and 32 columns 1.32 and 1.24 on one thread, 0.73 and 0.77 on two. Stencils, in
/// runs, 0.8 to 0.9.
bool may_gain_by_order(Problem const& p) {
  // Of rows of two lengths one apart, of which every eighth is unlike the one before: from there on kernels of AVX-512
  // order them.
  constexpr double least_deviation = 0.25;
  return p.host_simd && p.b_by_rows && p.stats.nnz <= host::longest_to_sort * p.stats.rows &&
         p.columns * p.y_bytes <= host::bytes_to_sort && p.stats.length_deviation >= least_deviation &&
         2 * p.shared_entries < p.stats.nnz;
}

class List {
 public:
  explicit List(Problem const& problem, Machine const& machine) : problem_(problem), machine_(machine) {}

  void add(Choice choice) {
    if (std::find(list_.begin(), list_.end(), choice) != list_.end()) return;
    if (why_illegal(problem_, choice, machine_).empty()) list_.push_back(std::move(choice));
  }
  /// Also with rows ordered by length, where that changes anything.
  void add_with_order(Choice choice) {
    add(choice);
    if (problem_.source_permuted || !has_uneven_rows(problem_)) return;
    choice.rows_by_length = true;
    add(std::move(choice));
  }
  [[nodiscard]] std::vector<Choice> take() { return std::move(list_); }

 private:
  Problem const& problem_;
  Machine const& machine_;
  std::vector<Choice> list_;
};

/// Formats whose variants are the same for every kernel: slices, blocks, columns.
void list_stored(List& list, Problem const& p, char const* sell, char const* bsr, char const* bcsc) {
  list.add({.format = "hyb", .kernel = "ell_then_tail"});
  list.add_with_order({.format = "sell", .kernel = sell});
  list.add({.format = "sell", .narrow = true, .kernel = sell});
  list.add({.format = "sell", .diagonals = true, .kernel = sell});
  list.add({.format = "sell", .diagonals = true, .narrow = true, .kernel = sell});
  // Blocks pay by the indices they save, as long as fill does not eat that: the shape of the fewest bytes.
  Choice square{.format = "bsr", .kernel = bsr, .block_rows = 2, .block_cols = 2};
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (auto const& known : p.block_fill) {
    if (known.block_rows == 1) {
      Choice pairs{.format = "sell", .kernel = sell, .block_width = known.block_cols};
      auto const bytes_of = [&p](Choice const& c) { return static_cast<double>(format_bytes(p, c)); };
      if (bytes_of(pairs) * known.fill < bytes_of({.format = "sell", .kernel = sell})) list.add(std::move(pairs));
      continue;
    }
    Choice shape = square;
    shape.block_rows = known.block_rows;
    shape.block_cols = known.block_cols;
    if (auto const bytes = format_bytes(p, shape); bytes < least) {
      least = bytes;
      square = shape;
    }
  }
  list.add(square);
  for (auto const& kernel : kernel_names("bsr", p.spmm, p.op)) {  // those of the CUDA backend
    square.kernel = kernel;
    if (is_cuda_kernel(square) && (kernel != "tensor_cores" || p.columns >= bsr_tensor_least_columns)) list.add(square);
  }
  for (int const height : {64, 128}) {
    list.add({.format = "bcsc", .compact = true, .kernel = bcsc, .block_height = height});
    list.add({.format = "bcsc", .kernel = bcsc, .block_height = height});
  }
}

void list_spmv(List& list, Problem const& p, Machine const& m) {
  if (!m.device) {
    list.add({.format = "csr", .kernel = "host_simd"});
    if (p.shared_entries > 0) list.add({.format = "csr", .kernel = "host_simd_runs"});
    list.add_with_order({.format = "csr", .kernel = "thread_per_row"});
    constexpr int small_chunk = 128;  // rows: evens out clusters of long rows at some cost a chunk
    list.add({.format = "csr", .kernel = "thread_per_row", .rows_per_team = small_chunk});
  } else {
    int const near = detail::vector_length_for(p.stats.nnz, p.stats.rows);
    if (p.cuda_kernels) list.add({.format = "csr", .kernel = "sub_warp"});  // what one call takes
    list.add({.format = "csr", .kernel = "vector_per_row", .vector_length = std::max(2, near)});
    list.add_with_order({.format = "csr", .kernel = "thread_per_row"});
    for (int const lanes : {near / 2, near, near * 2, near * 4})
      if (lanes >= 2 && lanes <= warp)
        list.add_with_order({.format = "csr", .kernel = "vector_per_row", .vector_length = lanes});
    int const lanes = std::max(2, near);
    list.add({.format = "csr", .kernel = "vector_per_row", .team_size = 128 / lanes, .vector_length = lanes});
    list.add({.format = "csr", .kernel = "vector_per_row", .team_size = 512 / lanes, .vector_length = lanes});
  }
  if (p.cuda_kernels) {
    list.add({.format = "csr", .kernel = "equal_chunks"});
    if (detail::panel_spans(p) <= csr_panel_most_spans) list.add({.format = "csr", .kernel = "column_panels"});
    // Of a row whose columns do not ascend, packing finds each next one among all.
    constexpr std::int64_t longest_to_walk = 1024;
    if (p.stats.max_length <= longest_to_walk) list.add({.format = "csr", .kernel = "column_steps"});
    for (int const height : {32, 64}) {  // one row a lane, and two
      list.add_with_order({.format = "sell", .kernel = "rows_per_lane", .slice_height = height});
      list.add({.format = "sell", .narrow = true, .kernel = "rows_per_lane", .slice_height = height});
      list.add({.format = "sell", .diagonals = true, .kernel = "rows_per_lane", .slice_height = height});
      list.add(
          {.format = "sell", .diagonals = true, .narrow = true, .kernel = "rows_per_lane", .slice_height = height});
    }
  }
  list.add({.format = "csr", .kernel = "balanced"});
  list.add({.format = "coo", .kernel = "segmented"});
  if (m.device) {
    list.add({.format = "coo", .kernel = "segmented", .entries = 4});
    list.add({.format = "coo", .kernel = "segmented", .entries = 16});
  }
  list.add({.format = "coo", .kernel = "atomic"});
  list.add_with_order({.format = "ell", .kernel = "thread_per_row"});
  list.add({.format = "csc", .kernel = "by_columns"});
  // The host's SIMD kernel needs values where there may be fill; short of them, the portable one takes all.
  bool const simd = !m.device && p.host_simd && p.value_bytes > 0;
  list_stored(list, p, simd ? "host_simd" : "thread_per_row", "lanes_on_blocks", "block_per_team");
}

void list_spmm(List& list, Problem const& p, Machine const& m) {
  int const lanes = m.device ? lanes_covering(p.columns) : 1;
  if (!m.device) {
    // Of equal traffic, so the first is taken where nothing is measured.
    if (p.scattered_rows) list.add({.format = "csr", .kernel = "host_simd_runs"});
    list.add({.format = "csr", .kernel = "host_simd"});
    if (p.shared_entries > 0 && !p.scattered_rows) list.add({.format = "csr", .kernel = "host_simd_runs"});
    if (may_gain_by_order(p)) list.add_with_order({.format = "csr", .kernel = "host_simd"});
  }
  if (p.cuda_kernels) {
    list.add({.format = "csr", .kernel = "row_per_warp"});
    list.add({.format = "csr", .kernel = "merge_split"});
  }
  for (auto const& held : p.held)
    if (held.listed) list.add({.format = held.format, .kernel = held.kernel});
  auto const add_lanes = [&](int vector_length, int columns_per_lane) {
    // A step beyond the columns repeats the one below it.
    if (columns_per_lane > 1 && vector_length * (columns_per_lane / 2) >= p.columns) return;
    Choice const csr{.format = "csr",
                     .kernel = "columns_on_lanes",
                     .vector_length = m.device ? vector_length : 0,
                     .columns_per_lane = columns_per_lane};
    if (m.device)
      list.add_with_order(csr);
    else
      list.add(csr);
    Choice ell = csr;
    ell.format = "ell";
    list.add_with_order(ell);
  };
  for (int const columns_per_lane : {4, 8, 1}) add_lanes(lanes, columns_per_lane);
  if (m.device && lanes > 1)
    for (int const columns_per_lane : {4, 8}) add_lanes(lanes / 2, columns_per_lane);
  list.add({.format = "coo", .kernel = "atomic"});
  list.add({.format = "csc", .kernel = "by_columns"});
  bool const simd = !m.device && p.host_simd;
  bool const by_rows = simd && p.b_by_rows;
  list_stored(list, p, simd ? "host_simd" : "columns_on_lanes",
              by_rows && p.value_bytes > 0 ? "host_simd" : "columns_on_lanes", by_rows ? "host_simd" : "naive");
  if (p.cuda_kernels) {
    for (int const height : {4, 8}) list.add({.format = "bcsc", .kernel = "short_blocks", .block_height = height});
    for (int const height : {64, 128}) list.add({.format = "bcsc", .kernel = "tiled", .block_height = height});
  }
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::vector<Choice> candidates(Problem const& problem, Machine const& machine) {
  List list(problem, machine);
  if (transposes(problem.op)) {
    list.add({.format = "csr", .kernel = "transposed"});
    list.add({.format = "coo", .kernel = "atomic"});
    list.add_with_order({.format = "ell", .kernel = "transposed"});
    list.add({.format = "csc", .kernel = "by_columns"});
    list_stored(list, problem, "transposed", "transposed", "transposed");
  } else if (problem.spmm) {
    list_spmm(list, problem, machine);
  } else {
    list_spmv(list, problem, machine);
  }
  return list.take();
}

namespace {

std::string outside(char const* field, int got, char const* expected) {
  return detail::formatted("{} is {}, expected {}", field, got, expected);
}

bool is_power_of_two(int value) { return (value & (value - 1)) == 0; }

/// The kernel's own numbers.
std::string why_illegal_tuning(Problem const& p, Choice const& c) {
  if (c.vector_length < 0 || c.vector_length > warp || !is_power_of_two(c.vector_length))
    return outside("vector_length", c.vector_length, "0 or a power of two up to 32");
  if (c.team_size < 0 || c.team_size > most_team) return outside("team_size", c.team_size, "0 to 1024");
  if (c.team_size * std::max(1, c.vector_length) > most_team)
    return outside("team_size", c.team_size, "team_size * vector_length of at most 1024");
  if (c.rows_per_team < 0) return outside("rows_per_team", c.rows_per_team, "0 or more");
  constexpr int most_entries = 1 << 20;  // times team_size fits an int
  if (c.entries < 0 || c.entries > most_entries) return outside("entries", c.entries, "0 to 1048576");
  if (c.format == "bcsc") {
    // team_size threads of columns_per_lane sums of at most 16 bytes meet in 30 KiB of scratch
    constexpr int most_sums = 30 * 1024 / 16;
    if (c.columns_per_lane < 0 || c.columns_per_lane > 256)
      return outside("columns_per_lane", c.columns_per_lane, "0 to 256");
    if (p.spmm && std::max(1, c.team_size) * std::max(1, c.columns_per_lane) > most_sums)
      return outside("team_size", c.team_size, "team_size * columns_per_lane of at most 1920");
  } else if (c.format == "sell") {
    if (c.columns_per_lane != 0 && c.columns_per_lane != 1 && c.columns_per_lane != 4)
      return outside("columns_per_lane", c.columns_per_lane, "0, 1 or 4");
  } else if (c.columns_per_lane != 0 && c.columns_per_lane != 1 && c.columns_per_lane != 4 && c.columns_per_lane != 8) {
    return outside("columns_per_lane", c.columns_per_lane, "0, 1, 4 or 8");
  }
  return {};
}

/// What the host's SIMD kernels of bsr, bcsc and sell read.
std::string why_illegal_on_host(Problem const& p, Choice const& c) {
  if (c.kernel != "host_simd") return {};
  if ((c.format == "bsr" || c.format == "bcsc") && !p.b_by_rows) return "host_simd of " + c.format + " reads B by rows";
  if (c.format == "bsr" && p.value_bytes == 0) return "host_simd of bsr: a pattern has no values";
  if (c.format != "sell" || p.spmm) return {};
  if (c.slice_height % 8 != 0 || c.least_slice_height != 0)
    return "host_simd reads slices of equal height, a multiple of 8";
  if (p.value_bytes == 0 && (c.block_width > 1 || c.diagonals)) return "host_simd reads no pattern with fill";
  return {};
}

/// What the CUDA backend's kernels read.
std::string why_illegal_on_cuda(Problem const& p, Choice const& c) {
  bool const needs_values = c.kernel == "warp_per_block_row" || is_bsr_in_slices(c) || is_csr_in_panels(c) ||
                            is_csr_in_steps(c) || (c.kernel == "rows_per_lane" && c.diagonals);
  if (needs_values && p.value_bytes == 0) return c.kernel + ": a pattern has no values";
  if (c.kernel == "rows_per_lane") {
    if (c.slice_height != 0 && c.slice_height != 32 && c.slice_height != 64 && c.slice_height != 128)
      return outside("slice_height", c.slice_height, "0, 32, 64 or 128 with rows_per_lane");
    if (c.block_width > 1 || c.least_slice_height != 0)
      return "rows_per_lane reads neither blocks nor slices of unlike height";
    if (c.diagonals && (c.rows_by_length || p.source_permuted))
      return "rows_per_lane: diagonals of rows in another order";
  }
  if ((c.kernel == "warp_per_block_row" || is_bsr_in_slices(c)) &&
      (c.block_rows != c.block_cols || c.block_rows < 2 || c.block_rows > 4))
    return outside("block_rows", c.block_rows, "blocks of 2 x 2, 3 x 3 or 4 x 4 with warp_per_block_row and slices");
  if (c.kernel == "tensor_cores" && p.value_bytes == 0) return "tensor_cores: a pattern has no values";
  if (c.kernel == "tensor_cores" && p.value_bytes == 4 && p.precision == Precision::native)
    return "tensor_cores rounds float, which precision native does not permit";
  if (c.format == "dense" && !p.allow_dense) return "dense multiplies zeros, which allow_dense does not permit";
  if (is_held(c) && !detail::held_estimate(p, c))
    return detail::formatted("kernel '{}' does not run {} columns of these types in {} on this device", c.kernel,
                             p.columns, precision_name(p.precision));
  // cuBLAS may cut operands to 11 bits instead of rounding: beyond the bound where an entry is alone in its row.
  if (c.format == "dense" && precision_of(p, c) == Precision::tf32 && p.stats.length_histogram[1] > 0)
    return "dense in tf32: rows of one entry";
  if (c.kernel == "short_blocks" && c.compact) return "short_blocks reads the wide form of bcsc";
  constexpr int most_short_rows = 32;  // of bcsc_spmm_short_blocks
  if (c.kernel == "short_blocks" && (c.block_height < 1 || c.block_height > most_short_rows))
    return outside("block_height", c.block_height, "1 to 32 with short_blocks");
  constexpr std::int64_t most_cols = std::int64_t{1} << 29;  // gathers have 32-bit offsets in bytes
  if ((c.kernel == "rows_per_lane" || is_bsr_in_slices(c) || is_csr_in_steps(c)) && p.stats.cols >= most_cols)
    return c.kernel + ": 2^29 columns or more";
  return {};
}

/// What the conversion is told.
std::string why_illegal_storage(Problem const& p, Choice const& c) {
  bool const sell = c.format == "sell";
  if (c.rows_by_length && !sell && !one_of(c.format, {"csr", "ell"})) return "rows_by_length is for csr, ell and sell";
  if (c.rows_by_length && p.source_permuted) return "rows_by_length: the matrix brings a row permutation of its own";
  if ((c.diagonals || c.narrow) && !sell) return "diagonals and narrow are for sell";
  if ((c.compact || c.split) && c.format != "bcsc") return "compact and split are for bcsc";
  struct Size {
    char const* name;
    int value;
    char const* format;
  };
  for (auto const& size :
       {Size{"slice_height", c.slice_height, "sell"}, Size{"sort_window", c.sort_window, "sell"},
        Size{"least_slice_height", c.least_slice_height, "sell"}, Size{"block_width", c.block_width, "sell"},
        Size{"block_rows", c.block_rows, "bsr"}, Size{"block_cols", c.block_cols, "bsr"},
        Size{"block_height", c.block_height, "bcsc"}, Size{"width", c.width, "hyb"}}) {
    if (size.value < 0) return outside(size.name, size.value, "0 or more");
    if (size.value > 0 && c.format != size.format) return detail::formatted("{} is for {}", size.name, size.format);
  }
  if (c.sort_window > 0 && !c.rows_by_length) return "sort_window is for rows_by_length";
  if (c.block_rows > largest_block) return outside("block_rows", c.block_rows, "0 to 32");
  if (c.block_cols > largest_block) return outside("block_cols", c.block_cols, "0 to 32");
  constexpr int rows_in_8_bits = 256;
  if (c.compact && c.block_height > rows_in_8_bits)
    return outside("block_height", c.block_height, "0 to 256 with compact");
  if (sell) {
    try {
      detail::check(detail::sell_options(c, {}));
    } catch (Error const& e) {
      return e.what();
    }
  }
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  bool const packed_csr = is_csr_in_panels(c) || is_csr_in_steps(c) || is_held(c);
  if ((!one_of(c.format, {"csr", "coo", "ell"}) || packed_csr) && p.stats.nnz > most)
    return detail::formatted("plans hold {} with 32-bit offsets, the matrix has {} entries", c.format, p.stats.nnz);
  if (c.format == "bsr" && p.source_permuted) return "bsr: the matrix brings a row permutation of its own";
  return {};
}

}  // namespace

std::string why_illegal(Problem const& p, Choice const& c, Machine const& m) {
  if (!detail::knows_format(c.format))
    return detail::formatted("format '{}', expected csr, coo, csc, ell, hyb, sell, bsr, bcsc or dense", c.format);
  auto const* const traits = detail::kernel_traits(p, c);
  if (!traits || (c.kernel == "segmented" && p.source_permuted))
    return detail::formatted("kernel '{}' does not exist for {} {} with op {}", c.kernel, c.format,
                             p.spmm ? "spmm" : "spmv", to_string(p.op));
  if ((is_host_simd(c) && !p.host_simd) || (is_cuda_kernel(c) && !p.cuda_kernels) ||
      !(m.device ? traits->on_device : traits->on_host))
    return detail::formatted("kernel '{}' does not run these types and strides on this execution space", c.kernel);
  if ((c.kernel == "host_simd_runs" || is_partitioned(c) || is_csr_in_panels(c) || is_csr_in_steps(c) || is_held(c)) &&
      c.rows_by_length)
    return c.kernel + " is for rows in their own order";
  if (auto const why = why_illegal_storage(p, c); !why.empty()) return why;
  if (auto const why = why_illegal_tuning(p, c); !why.empty()) return why;
  if (auto const why = why_illegal_on_host(p, c); !why.empty()) return why;
  if (auto const why = why_illegal_on_cuda(p, c); !why.empty()) return why;
  bool const repeats = traits->sums == detail::Sums::ordered || (traits->sums == detail::Sums::in_scratch && !m.device);
  // A plan is executed on any instance of its space: of one thread, whatever the plan was made on, Serial alone is.
  if (p.deterministic && m.space != "Serial" && !repeats)
    return detail::formatted("kernel '{}' of {} sums by atomics, which deterministic plans refuse", c.kernel, c.format);
  return {};
}

}  // namespace araia
