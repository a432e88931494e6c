// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cover/cases.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <sstream>
#include <string_view>

#include "src/engine/kernels.hpp"
#include "src/engine/names.hpp"

namespace araia::test::cover {
namespace {

constexpr char const* route_names[] = {"dispatch", "plan"};
constexpr char const* value_names[] = {"stored", "pattern", "updated"};
constexpr char const* number_names[] = {"random", "integers", "of all sizes", "a NaN in B", "an infinity in B"};
constexpr char const* factor_names[] = {"0", "1", "-1", "general", "tiny", "huge", "NaN"};
constexpr char const* layout_names[] = {"right", "right with odd ld", "left", "left with odd ld", "strided"};
constexpr int offsets = 4;  // elements: 0, 4, 8 and 12 bytes of float

/// Formats with their options. The default of every one, and what changes the path through a kernel.
std::vector<Choice> formats() {
  return {
      {.format = "csr"},
      {.format = "csr", .rows_by_length = true},
      {.format = "coo"},
      {.format = "csc"},
      {.format = "ell"},
      {.format = "ell", .rows_by_length = true},
      {.format = "hyb"},
      {.format = "hyb", .width = 1},
      {.format = "hyb", .width = 3},
      {.format = "sell"},
      {.format = "sell", .slice_height = 1},
      {.format = "sell", .slice_height = 8},
      {.format = "sell", .rows_by_length = true, .slice_height = 3, .sort_window = 7},
      {.format = "sell", .rows_by_length = true, .slice_height = 64},
      {.format = "sell", .slice_height = 16, .least_slice_height = 2},
      {.format = "sell", .slice_height = 8, .block_width = 2},
      {.format = "sell", .rows_by_length = true, .slice_height = 32, .block_width = 4},
      {.format = "sell", .diagonals = true},
      {.format = "sell", .diagonals = true, .slice_height = 8},
      {.format = "sell", .narrow = true},
      {.format = "sell", .narrow = true, .slice_height = 128},
      {.format = "sell", .diagonals = true, .narrow = true, .slice_height = 64},
      {.format = "sell",
       .rows_by_length = true,
       .diagonals = true,
       .narrow = true,
       .slice_height = 8,
       .sort_window = 16,
       .least_slice_height = 2,
       .block_width = 4},
      {.format = "bsr"},
      {.format = "bsr", .block_rows = 2, .block_cols = 2},
      {.format = "bsr", .block_rows = 3, .block_cols = 3},
      {.format = "bsr", .block_rows = 4, .block_cols = 4},
      {.format = "bsr", .block_rows = 1, .block_cols = 5},
      {.format = "bsr", .block_rows = 7, .block_cols = 2},
      {.format = "bsr", .block_rows = 32, .block_cols = 32},
      {.format = "bcsc"},
      {.format = "bcsc", .block_height = 1},
      {.format = "bcsc", .block_height = 8},
      {.format = "bcsc", .split = true, .block_height = 32},
      {.format = "bcsc", .compact = true},
      {.format = "bcsc", .compact = true, .block_height = 256},
      {.format = "bcsc", .compact = true, .split = true, .block_height = 16},
  };
}

Problem problem_of(OpId operation, Op op) {
  Problem p;
  p.operation = operation;
  p.op = op;
  return p;
}

KernelInfo const* traits_of(Product const& p, Op op) {
  auto const* const kernel = detail::kernel_of(problem_of(p.operation, op), p.choice);
  return kernel ? &kernel->info : nullptr;
}

std::vector<Product> all_products() {
  std::vector<Product> all;
  for (OpId const operation : {OpId::spmv, OpId::spmm}) {
    all.push_back({.operation = operation, .choice = {.kernel = "automatic"}, .any_format = true});
    for (Choice choice : formats()) {
      auto names = kernel_names(choice.format, operation, Op::none);
      for (auto& name : kernel_names(choice.format, operation, Op::transpose))
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      names.emplace_back("automatic");
      for (auto& name : names) {
        if (name == "tensor_tiles") continue;  // of a precision that nothing here asks for
        choice.kernel = name;
        all.push_back({.operation = operation, .choice = choice});
        if (choice.format == "coo" && (operation == OpId::spmv || name == "automatic"))
          all.push_back({.operation = operation, .choice = choice, .unsorted_coo = true});
      }
    }
  }
  return all;
}

bool is_host_simd(Product const& p) { return p.choice.kernel.starts_with("host_simd"); }
/// Does one of the kernels of this name run so?
template <class Is>
bool has_kernel_that(Is const& is, Product const& p) {
  auto const all = detail::kernels();
  return std::any_of(all.begin(), all.end(), [&](detail::Kernel const& k) {
    return k.info.storage == p.choice.format && k.info.name == p.choice.kernel && is(k.info);
  });
}
bool is_bound(Product const& p) {
  return has_kernel_that([](KernelInfo const& info) { return info.runs == Runs::where_bound; }, p);
}
bool has_kernel_of_cuda(Product const& p) {
  return has_kernel_that([](KernelInfo const& info) { return info.runs == Runs::by_cuda; }, p);
}
/// Of CUDA alone: one call by name knows no kernels that are bound.
bool is_of_cuda(Product const& p, bool plan) {
  if (has_kernel_that([](KernelInfo const& info) { return info.cuda_alone; }, p)) return true;
  return has_kernel_of_cuda(p) && !(plan && is_bound(p));
}
bool is_of_hosts(Product const& p) {
  auto const* const kernel = detail::kernel_named(p.choice.format, p.choice.kernel);
  return kernel && kernel->info.hosts_alone;
}
/// Types, structure and columns may be none that it packs for.
bool is_packed_on_hosts(Product const& p) {
  return is_of_hosts(p) && !detail::packing_of(p.choice.format, p.choice.kernel).empty();
}
bool has_blocks(Choice const& c) { return c.format == "bsr" || c.diagonals || c.block_width > 1; }

/// Kernels that the one-call functions take by name.
bool is_named_by_tuning(Product const& p) {
  auto const& format = p.choice.format;
  if (is_bound(p) && !has_kernel_of_cuda(p)) return false;
  // The only one of its packing.
  if (p.operation == OpId::spmv && !detail::packing_of(format, p.choice.kernel).empty()) return false;
  if (p.operation == OpId::spmm) return format == "csr" || format == "bsr" || format == "sell" || format == "bcsc";
  return format == "csr" || format == "coo" || format == "sell" || format == "bsr" || format == "bcsc";
}

/// Is a vector of this layout's stride other than one? See Strides in run.hpp.
bool is_strided_vector(int level) {
  return level == static_cast<int>(Layout::right_odd) || level == static_cast<int>(Layout::left_odd) ||
         level == static_cast<int>(Layout::strided);
}

}  // namespace

std::string Product::name() const {
  std::string const of = std::string(to_string(operation)) + ' ';
  if (any_format) return of + "by the plan alone";
  return of + label(choice) + (unsorted_coo ? ", unsorted" : "");
}

Cases::Cases(std::vector<Scalars> scalars_of, std::vector<Space> spaces_of, std::vector<TestMatrix> matrices_of)
    : products(all_products()),
      scalars(std::move(scalars_of)),
      spaces(std::move(spaces_of)),
      matrices(std::move(matrices_of)) {
  for (std::int64_t n = 0; n <= 17; ++n) column_counts.push_back(n);
  for (std::int64_t const n : {31, 32, 33, 63, 64, 65, 127, 128, 129, 130, 512}) column_counts.push_back(n);
  tunings = {{},
             {.rows_per_team = 1, .entries = 1, .team_size = 1, .vector_length = 1, .columns_per_lane = 1},
             {.rows_per_team = 7, .entries = 5, .vector_length = 2},
             {.rows_per_team = 64, .entries = 1000, .team_size = 32, .vector_length = 16, .columns_per_lane = 4},
             {.team_size = 4, .vector_length = 32, .columns_per_lane = 4}};
  // Shapes of kernels' own, in the wide form: tiles of threads in one stage and two, tiles with producers.
  tunings[1].own = {{"stages", 1}, {"warp_size", 8}};
  tunings[2].own = {{"items_x", 4},    {"items_y", 8},    {"k_tile", 16}, {"threads_x", 16},
                    {"threads_y", 16}, {"warp_size", 16}, {"warps", 16}};
  tunings[3].own = {{"items_y", 16}, {"stages", 2}, {"warp_size", 32}, {"warps", 2}};
  tunings[4].own = {{"items_y", 1}, {"k_tile", 32}, {"stages", 2}, {"threads_x", 8}, {"vector_width", 1}};
  for (auto const& m : matrices) strict_.push_back(has_strict_rows(m));
}

std::vector<int> Cases::level_counts() const {
  auto const count = [](auto const& levels) { return static_cast<int>(std::size(levels)); };
  std::vector<int> counts(factor_count);
  counts[product] = count(products);
  counts[route] = count(route_names);
  counts[types] = count(scalars);
  counts[operation] = count(ops);
  counts[space] = count(spaces);
  counts[matrix] = count(matrices);
  counts[values] = count(value_names);
  counts[numbers] = count(number_names);
  counts[alpha] = counts[beta] = count(factor_names);
  counts[layout_b] = counts[layout_c] = count(layout_names);
  counts[offset_a] = counts[offset_b] = counts[offset_c] = offsets;
  counts[columns] = count(column_counts);
  counts[tuning] = count(tunings);
  return counts;
}

/// Host SIMD kernels: real scalars, contiguous vectors, a B with contiguous rows or columns.
bool Cases::simd_refuses(Levels const& row, Product const& p) const {
  if (row[types] >= 0 && scalars[static_cast<std::size_t>(row[types])].complex) return true;
  if (p.operation == OpId::spmv) return is_strided_vector(row[layout_b]) || is_strided_vector(row[layout_c]);
  if (row[layout_b] != static_cast<int>(Layout::strided) || row[matrix] < 0) return false;
  if (matrices[static_cast<std::size_t>(row[matrix])].cols == 1) return false;
  // A View of one row or column has no stride along it; a plan is told of strides before it sees one.
  if (row[route] == static_cast<int>(Route::plan)) return true;
  return row[columns] >= 0 && column_counts[static_cast<std::size_t>(row[columns])] != 1;
}

/// The host SIMD kernels of Bsr and Bcsc, beside what simd_refuses() says: a B with contiguous rows, and values of Bsr.
Verdict Cases::verdict_of_blocks(Levels const& row, bool reads_patterns) const {
  auto const at = [&](Factor f) { return static_cast<std::size_t>(row[f]); };
  bool const one_column = row[columns] < 0 || column_counts[at(columns)] == 1;
  if (row[layout_b] >= static_cast<int>(Layout::left) && !one_column) {
    bool const one_row = row[matrix] >= 0 && matrices[at(matrix)].cols == 1;  // its columns may lie side by side
    return one_row ? Verdict::either : Verdict::refused;
  }
  if (reads_patterns) return Verdict::runs;
  bool const no_entries = row[matrix] >= 0 && matrices[at(matrix)].nnz() == 0;
  return row[values] == static_cast<int>(Values::pattern) && !no_entries ? Verdict::refused : Verdict::runs;
}

/// Is it a product that the route knows?
bool Cases::is_case(Levels const& row, Product const& p) const {
  bool const automatic = p.choice.kernel == "automatic";
  if (row[route] == static_cast<int>(Route::plan)) {
    if (p.any_format) return row[tuning] <= 0;
    return !automatic && !p.unsorted_coo;
  }
  if (p.any_format || (!automatic && !is_named_by_tuning(p))) return false;
  if (p.unsorted_coo && row[values] == static_cast<int>(Values::updated)) return false;
  // The row runs of the source are not those of its rows in another order.
  return p.choice.kernel != "host_simd_runs" || !p.choice.rows_by_length;
}

/// Runs, refused or either, of a product with a kernel by name.
Verdict Cases::verdict_of_kernel(Levels const& row, Product const& p) const {
  bool const plan = row[route] == static_cast<int>(Route::plan);
  bool const of_cuda = is_of_cuda(p, plan);
  if (row[operation] >= 0 && !traits_of(p, ops[row[operation]])) return Verdict::refused;
  if (row[space] >= 0) {
    bool const device = spaces[static_cast<std::size_t>(row[space])].device;
    if (device ? is_host_simd(p) || is_of_hosts(p) : of_cuda) return Verdict::refused;
  } else if (of_cuda && std::none_of(spaces.begin(), spaces.end(), [](Space const& s) { return s.device; })) {
    return Verdict::refused;
  }
  if (of_cuda || is_packed_on_hosts(p)) return Verdict::either;
  if (is_bound(p) && !is_of_hosts(p)) {
    // No conjugates of complex matrices; and shapes that are not built are refused, if no kernel of CUDA has the name.
    bool const complex = row[types] < 0 || scalars[static_cast<std::size_t>(row[types])].complex;
    bool const conjugate = row[operation] < 0 || ops[row[operation]] == Op::conjugate;
    if (row[tuning] != 0 || (complex && conjugate)) return Verdict::either;
  }
  if (p.unsorted_coo && p.choice.kernel == "segmented") return Verdict::refused;
  // Plans look at the source's rows for some kernels, which those by length are not.
  auto const* const kernel = detail::kernel_named(p.choice.format, p.choice.kernel);
  if (plan && kernel && kernel->info.own_row_order && p.choice.rows_by_length) return Verdict::refused;
  if (!is_host_simd(p)) return Verdict::runs;
  if (simd_refuses(row, p)) {
    // A vector of one element shows no stride.
    bool const one = p.operation == OpId::spmv && !plan && row[matrix] >= 0 &&
                     std::min(matrices[static_cast<std::size_t>(row[matrix])].rows,
                              matrices[static_cast<std::size_t>(row[matrix])].cols) == 1;
    return one ? Verdict::either : Verdict::refused;
  }
  if (p.choice.kernel == "host_simd_runs" && p.choice.rows_by_length) return Verdict::refused;
  if (p.choice.format == "bsr" || p.choice.format == "bcsc") return verdict_of_blocks(row, p.choice.format == "bcsc");
  if (p.choice.format != "sell" || p.operation != OpId::spmv) return Verdict::runs;
  if (p.choice.slice_height % 8 != 0) return Verdict::refused;
  // Whether slices were halved, and whether there is fill, is the structure's to say; a plan goes by what was asked.
  bool const pattern = row[values] == static_cast<int>(Values::pattern);
  if (p.choice.least_slice_height != 0 || (pattern && has_blocks(p.choice)))
    return plan ? Verdict::refused : Verdict::either;
  return Verdict::runs;
}

Verdict Cases::verdict_of_route(Levels const& row) const {
  auto const at = [&](Factor f) { return static_cast<std::size_t>(row[f]); };
  std::int64_t const n = row[columns] >= 0 ? column_counts[at(columns)] : -1;
  if (row[matrix] >= 0 && n >= 0) {
    constexpr std::int64_t most_work = 250000;  // entries of A, B and C: about a millisecond of the reference
    auto const& m = matrices[at(matrix)];
    if ((m.rows + m.cols + m.nnz()) * n > most_work) return Verdict::no_case;
  }
  // Finite terms may add up to the other infinity before the infinite one comes.
  if (row[alpha] == static_cast<int>(Factors::huge) && row[numbers] == static_cast<int>(Numbers::infinity))
    return Verdict::no_case;
  if (row[product] < 0) return Verdict::runs;
  auto const& p = products[at(product)];
  if (p.operation == OpId::spmv && n >= 0 && n != 1) return Verdict::no_case;  // one level stands for SpMV
  if (!is_case(row, p)) return Verdict::no_case;
  // A block holds an entry once.
  bool const picky = row[matrix] >= 0 && has_blocks(p.choice) && !strict_[at(matrix)];
  auto const verdict = p.choice.kernel == "automatic" ? Verdict::runs : verdict_of_kernel(row, p);
  if (verdict == Verdict::refused && row[route] == static_cast<int>(Route::dispatch)) {
    // Nothing to multiply: dispatch scales C and looks at no kernel.
    bool const nothing = row[alpha] == static_cast<int>(Factors::zero) || n == 0 ||
                         (row[matrix] >= 0 && matrices[at(matrix)].nnz() == 0);
    if (nothing) return Verdict::either;
  }
  return picky && verdict == Verdict::runs ? Verdict::either : verdict;
}

Verdict Cases::verdict(Levels const& row) const {
  if (row[route] >= 0) return verdict_of_route(row);
  Levels by_dispatch = row;
  Levels by_plan = row;
  by_dispatch[route] = static_cast<int>(Route::dispatch);
  by_plan[route] = static_cast<int>(Route::plan);
  return std::min(verdict_of_route(by_dispatch), verdict_of_route(by_plan));
}

std::string Cases::describe(Levels const& row) const {
  auto const at = [&](Factor f) { return static_cast<std::size_t>(row[f]); };
  std::ostringstream text;
  text << products[at(product)].name() << " by " << route_names[at(route)] << " in " << scalars[at(types)].name
       << ", op " << to_string(ops[at(operation)]) << " on " << spaces[at(space)].name << "; A '"
       << matrices[at(matrix)].name << "' " << value_names[at(values)] << ", " << number_names[at(numbers)]
       << ", arrays from " << row[offset_a] << "; alpha " << factor_names[at(alpha)] << ", beta "
       << factor_names[at(beta)] << "; B " << layout_names[at(layout_b)] << " from " << row[offset_b] << ", C "
       << layout_names[at(layout_c)] << " from " << row[offset_c] << "; " << column_counts[at(columns)]
       << " columns; tuning " << (row[tuning] == 0 ? "{}" : parameters_label(tunings[at(tuning)]));
  return text.str();
}

/// Columns of every row in random order, each once.
TestMatrix shuffled_columns(TestMatrix m) {
  std::mt19937_64 random(zoo_seed + 6);
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.rows); ++i)
    for (auto k = m.row_offsets[i + 1] - 1; k > m.row_offsets[i]; --k) {
      auto const other =
          m.row_offsets[i] + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(k - m.row_offsets[i] + 1));
      std::swap(m.col_indices[static_cast<std::size_t>(k)], m.col_indices[static_cast<std::size_t>(other)]);
    }
  m.name += ", columns in any order";
  return m;
}

std::vector<TestMatrix> matrices_of_cases() {
  std::vector<TestMatrix> all;
  for (auto const& m : zoo())
    if (m.nnz() <= 1600) all.push_back(m);
  all.push_back(with_row_lengths("1 x 17", 17, {9}));
  all.push_back(with_row_lengths("7 x 1", 1, {1, 0, 1, 1, 0, 0, 1}));
  all.push_back(with_row_lengths("full 13 x 9", 9, std::vector<std::int64_t>(13, 9)));
  all.push_back(with_row_lengths("full 64 x 3", 3, std::vector<std::int64_t>(64, 3)));
  all.push_back(with_row_lengths("last row alone", 65, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 65}));
  all.push_back(random_matrix("129 x 128", 129, 128, 2));
  all.push_back(random_matrix("1025 x 33", 1025, 33, 1));
  all.push_back(shuffled_columns(random_matrix("40 x 60", 40, 60, 7)));
  all.push_back(unsorted_with_duplicates(random_matrix("20 x 20", 20, 20, 4)));
  all.push_back(stencil(7, 9));
  all.push_back(node_blocks(9, 3));
  all.push_back(node_blocks(6, 4));
  auto zeros = stencil(8, 5);
  for (std::size_t k = 0; k < zeros.values.size(); k += 3) zeros.values[k] = 0;
  zeros.name += ", stored zeros";
  all.push_back(std::move(zeros));
  TestMatrix repeated{"one entry many times", 2, 3, {0, 70, 71}, std::vector<std::int32_t>(71, 1), {}};
  for (int k = 0; k < 71; ++k) repeated.values.push_back(k % 7 - 3);
  all.push_back(std::move(repeated));
  return all;
}

}  // namespace araia::test::cover
