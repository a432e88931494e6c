// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds by name: their sizes from what is asked for, and the usual shape of each.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include <araia/generate/matrix.hpp>
#include "src/generate/patterns.hpp"

#include <araia/detail/assembly/checked.hpp>

#include "src/generate/kinds.hpp"
#include "src/generate/sizes.hpp"

namespace araia::generate {
namespace {

using detail::least_edge;
using detail::Planned;

constexpr std::string_view like = "like:";
constexpr std::int64_t usual_entries = 16;  // of a row
constexpr std::int64_t usual_band = 1000;   // half of it
constexpr double usual_lengths[] = {0.01, 0.2};
constexpr double usual_mean_length = (usual_lengths[0] + usual_lengths[1]) / 2;

std::int64_t cube_edge(double points) { return std::max<std::int64_t>(2, std::lround(std::cbrt(points))); }

std::int64_t cube(std::int64_t n) { return n * n * n; }

/// What a kind makes of the options, which are checked: rows and cols are set.
struct Wanted {
  std::int64_t rows;
  std::int64_t cols;
  Options options;

  /// Entries of a row, where they are a whole number: asked for, or by the fill of so many columns, or `usual`.
  [[nodiscard]] std::int64_t entries(std::int64_t columns, std::int64_t usual) const {
    if (options.fill)
      return std::clamp<std::int64_t>(std::llround(*options.fill * static_cast<double>(columns)), 1, columns);
    std::int64_t const entries = options.entries_per_row.value_or(std::min(usual, columns));
    if (entries > columns)
      detail::refuse("matrix", "entries_per_row is " + std::to_string(entries) + ", expected 1 to the columns, " +
                                   std::to_string(columns));
    return entries;
  }
  [[nodiscard]] double fill(double usual) const {
    if (options.fill) return *options.fill;
    if (!options.entries_per_row) return usual;
    return static_cast<double>(entries(cols, 1)) / static_cast<double>(cols);
  }
};

struct Kind {
  char const* name;
  char const* klass;
  std::int64_t usual_rows;
  bool takes_cols;
  bool takes_entries;
  Planned (*plan)(Wanted const& wanted);
  GeneratedMatrix (*of_entries)(double nnz);  ///< null: no kind of the suite
};

Planned square(std::int64_t rows, double mean, std::function<GeneratedMatrix()> make) {
  return {{rows, rows, mean * static_cast<double>(rows)}, std::move(make)};
}

constexpr std::array table{
    Kind{"stencil7", "stencil", 100000, false, false,
         [](Wanted const& w) {
           auto const n = least_edge(1, w.rows, cube);
           return square(cube(n), 7, [n, seed = w.options.seed] { return stencil_7_point(n, n, n, seed); });
         },
         [](double nnz) {
           auto const n = cube_edge(nnz / 7);
           return stencil_7_point(n, n, n);
         }},
    Kind{"stencil27", "stencil", 100000, false, false,
         [](Wanted const& w) {
           auto const n = least_edge(1, w.rows, cube);
           return square(cube(n), 27, [n, seed = w.options.seed] { return stencil_27_point(n, n, n, seed); });
         },
         [](double nnz) {
           auto const n = cube_edge(nnz / 27);
           return stencil_27_point(n, n, n);
         }},
    Kind{"fem", "fem", 100000, false, false,
         [](Wanted const& w) {
           auto const n = least_edge(1, w.rows, [](std::int64_t cells) { return 3 * cube(cells + 1); });
           return square(3 * cube(n + 1), 85, [n, seed = w.options.seed] { return fem_3_dof(n, n, n, seed); });
         },
         [](double nnz) {
           auto const n = cube_edge(nnz / (3 * 81));
           return fem_3_dof(n, n, n);
         }},
    Kind{"lattice4", "lattice", 49152, false, false,
         [](Wanted const& w) {
           auto const n = least_edge(3, w.rows, [](std::int64_t edge) { return 12 * cube(edge) * edge; });
           return square(12 * cube(n) * n, 39, [n, seed = w.options.seed] { return lattice_4d(n, seed); });
         },
         [](double nnz) {
           // 12 rows of 39 entries a site; sizes go in steps of whole edges.
           return lattice_4d(std::max<std::int64_t>(3, std::lround(std::pow(nnz / (12 * 39), 0.25))));
         }},
    Kind{"orbitals", "orbitals", 100000, false, false,
         [](Wanted const& w) {
           // Sites count alike in every cube, so that the rows of all cubes are sums of one sequence.
           std::int64_t rows = 0;
           std::int64_t site = 0;
           auto const rows_of_cube = [&](std::int64_t edge) {
             for (; site < cube(edge); ++site) rows += orbitals_of_site(site, w.options.seed);
             return rows;
           };
           auto const n = least_edge(1, w.rows, rows_of_cube);
           return square(rows, 50, [n, seed = w.options.seed] { return orbital_lattice(n, n, n, seed); });
         },
         [](double nnz) {
           auto const n = cube_edge(nnz / (7 * 53));  // 7 orbitals, and their squares' mean
           return orbital_lattice(n, n, n);
         }},
    Kind{"power_grid", "power_grid", 100000, false, false,
         [](Wanted const& w) {
           auto const rows = std::max<std::int64_t>(w.rows, 2);
           return square(rows, 3.8, [rows, seed = w.options.seed] { return power_grid(rows, seed); });
         },
         [](double nnz) { return power_grid(std::max<std::int64_t>(64, std::lround(nnz / 3.7))); }},
    Kind{"banded", "banded", 100000, false, true,
         [](Wanted const& w) {
           auto const rows = w.rows;
           auto const entries = w.entries(rows, usual_entries);
           auto const band = std::min(rows - 1, std::max(usual_band, entries - 1));
           return square(rows, static_cast<double>(entries),
                         [=, seed = w.options.seed] { return banded_random(rows, entries, band, seed); });
         },
         [](double nnz) {
           auto const rows = std::max<std::int64_t>(64, std::lround(nnz / usual_entries));
           return banded_random(rows, usual_entries, std::min(rows - 1, usual_band));
         }},
    Kind{"uniform", "uniform_random", 100000, true, true,
         [](Wanted const& w) {
           auto const entries = w.entries(w.cols, usual_entries);
           return Planned{{w.rows, w.cols, static_cast<double>(entries) * static_cast<double>(w.rows)},
                          [=, rows = w.rows, cols = w.cols, seed = w.options.seed] {
                            return uniform_random(rows, cols, entries, seed);
                          }};
         },
         [](double nnz) {
           auto const rows = std::max<std::int64_t>(64, std::lround(nnz / usual_entries));
           return uniform_random(rows, rows, usual_entries);
         }},
    Kind{"power_law", "power_law", 100000, false, true,
         [](Wanted const& w) {
           constexpr std::int64_t share = 16;  // of the columns that the longest row has at most
           constexpr double most_fill = 1.0 / share;
           if (w.options.fill && *w.options.fill > most_fill)
             detail::refuse("matrix",
                            "fill is " + std::to_string(*w.options.fill) + ", expected 1/16 at most for power_law");
           std::int64_t const entries = w.options.entries_per_row.value_or(w.options.fill ? 1 : 15);
           if (entries > detail::most_rows / share)
             detail::refuse("matrix", "entries_per_row is " + std::to_string(entries) +
                                          ", expected a sixteenth of the columns at most for power_law");
           std::int64_t const rows = std::max(w.rows, share * entries);
           double const mean =
               w.options.fill ? std::min(*w.options.fill * static_cast<double>(rows), static_cast<double>(rows / share))
                              : static_cast<double>(entries);
           return square(rows, mean, [=, seed = w.options.seed] { return power_law(rows, mean, 0, seed); });
         },
         [](double nnz) { return power_law(std::max<std::int64_t>(512, std::lround(nnz / 15)), 15); }},
    Kind{"circuit", "circuit", 100000, false, false,
         [](Wanted const& w) {
           auto const rows = std::max<std::int64_t>(w.rows, 256);
           return square(rows, 4.6, [rows, seed = w.options.seed] { return circuit(rows, 5, 20000, seed); });
         },
         [](double nnz) { return circuit(std::max<std::int64_t>(256, std::lround(nnz / 4.6))); }},
    Kind{"lp", "lp", 2000, true, false,
         [](Wanted const& w) {
           auto const rows = std::max<std::int64_t>(w.rows, 256);
           auto const cols = w.options.cols.value_or(std::min(50 * rows, detail::most_rows));
           return Planned{{rows, cols, 4 * static_cast<double>(cols)},
                          [=, seed = w.options.seed] { return linear_program(rows, cols, 1, 7, seed); }};
         },
         [](double nnz) {
           auto const cols = std::max<std::int64_t>(1024, std::lround(nnz / 4));
           return linear_program(std::max<std::int64_t>(256, cols / 50), cols);
         }},
    Kind{"pruned", "pruned", 2048, true, true,
         [](Wanted const& w) {
           double const fill = w.fill(0.1);
           return Planned{{w.rows, w.cols, fill * static_cast<double>(w.rows) * static_cast<double>(w.cols)},
                          [=, rows = w.rows, cols = w.cols, seed = w.options.seed] {
                            return pruned_layer(rows, cols, 1 - fill, seed);
                          }};
         },
         [](double nnz) {
           auto const n = std::max<std::int64_t>(16, std::lround(std::sqrt(nnz / 0.1) / 16) * 16);
           return pruned_layer(n, n, 0.9);
         }},
    Kind{"row_lengths", "random_lengths", 4096, true, true,
         [](Wanted const& w) {
           double const mean = w.fill(usual_mean_length);
           // The usual proportion of the shortest and the longest row, as long as the latter has room.
           double const most = std::min(1.0, usual_lengths[1] / usual_mean_length * mean);
           double const least = std::max(0.0, 2 * mean - most);
           bool const usual = !w.options.fill && !w.options.entries_per_row;
           double const from = usual ? usual_lengths[0] : least;
           double const to = usual ? usual_lengths[1] : most;
           return Planned{{w.rows, w.cols, mean * static_cast<double>(w.rows) * static_cast<double>(w.cols)},
                          [=, rows = w.rows, cols = w.cols, seed = w.options.seed] {
                            return random_lengths(rows, cols, from, to, seed);
                          }};
         },
         nullptr},
};

[[noreturn]] void refuse_kind(std::string_view kind, std::vector<std::string> const& known) {
  std::string list;
  for (auto const& name : known) list += (list.empty() ? "" : ", ") + name;
  detail::refuse("matrix", "kind is '" + std::string(kind) + "', expected one of " + list);
}

Kind const* find(std::string_view name) {
  auto const found = std::find_if(table.begin(), table.end(), [&](Kind const& kind) { return kind.name == name; });
  return found == table.end() ? nullptr : &*found;
}

detail::LookAlike const* find_look_alike(std::string_view name) {
  if (!name.starts_with(like)) return nullptr;
  auto const all = detail::look_alikes();
  auto const found = std::find_if(
      all.begin(), all.end(), [&](detail::LookAlike const& known) { return known.name == name.substr(like.size()); });
  return found == all.end() ? nullptr : &*found;
}

/// Kinds that take an option: "banded, uniform and pruned".
std::string kinds_with(bool Kind::*takes) {
  std::vector<std::string> names;
  for (Kind const& kind : table)
    if (kind.*takes) names.emplace_back(kind.name);
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return list;
}

void require_options(std::string_view kind, bool takes_cols, bool takes_entries, Options const& o) {
  auto const require_count = [](char const* option, std::optional<std::int64_t> const& count) {
    if (count) detail::require_size("matrix", option, *count, 1);
  };
  require_count("rows", o.rows);
  require_count("cols", o.cols);
  require_count("entries_per_row", o.entries_per_row);
  if (o.fill && !(*o.fill > 0 && *o.fill <= 1))
    detail::refuse("matrix", "fill is " + std::to_string(*o.fill) + ", expected above 0 and at most 1");
  if (o.fill && o.entries_per_row) detail::refuse("matrix", "fill excludes entries_per_row, expected one of them");
  if (o.cols && !takes_cols)
    detail::refuse("matrix", "cols is for " + kinds_with(&Kind::takes_cols) + "; those of " + std::string(kind) +
                                 " follow from the rows");
  for (auto const& [given, option] :
       {std::pair{o.fill.has_value(), "fill"}, std::pair{o.entries_per_row.has_value(), "entries_per_row"}})
    if (given && !takes_entries)
      detail::refuse("matrix", option + (" is for " + kinds_with(&Kind::takes_entries)) + "; the entries of " +
                                   std::string(kind) + " follow from its pattern");
}

Planned plan(std::string_view name, Options const& options) {
  Planned planned;
  std::int64_t rows = 0;
  if (Kind const* const kind = find(name)) {
    require_options(name, kind->takes_cols, kind->takes_entries, options);
    rows = options.rows.value_or(kind->usual_rows);
    planned = kind->plan({rows, options.cols.value_or(rows), options});
  } else if (auto const* const original = find_look_alike(name)) {
    require_options(name, false, false, options);
    rows = options.rows.value_or(original->rows);
    planned = original->plan(*original, rows, options.seed);
  } else {
    refuse_kind(name, kinds());
  }
  if (std::max(planned.size.rows, planned.size.cols) > detail::most_rows)
    detail::refuse("matrix", "rows is " + std::to_string(rows) + ", for which " + std::string(name) + " is " +
                                 std::to_string(planned.size.rows) + " x " + std::to_string(planned.size.cols) +
                                 ", expected " + std::to_string(detail::most_rows) + " each at most");
  return planned;
}

/// Of the blocks of rows and the arrays that they are joined to.
std::uint64_t bytes_while_made(Size const& size) {
  constexpr double bytes_of_an_entry = 24;
  constexpr double bytes_of_a_row = 32;  // and of what numbers nodes
  double const bytes = bytes_of_an_entry * size.entries + bytes_of_a_row * static_cast<double>(size.rows);
  return bytes < 0x1p63 ? static_cast<std::uint64_t>(bytes) : std::uint64_t{1} << 63;
}

}  // namespace

std::vector<std::string> suite_kinds() {
  std::vector<std::string> names;
  for (Kind const& kind : table)
    if (kind.of_entries) names.emplace_back(kind.name);
  return names;
}

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (Kind const& kind : table) names.emplace_back(kind.name);
  for (auto const& known : detail::look_alikes()) names.push_back(std::string(like).append(known.name));
  return names;
}

std::string class_of(std::string_view name) {
  if (Kind const* const kind = find(name)) return kind->klass;
  if (auto const* const original = find_look_alike(name)) return original->klass;
  refuse_kind(name, kinds());
}

Size size_of(std::string_view kind, Options const& options) { return plan(kind, options).size; }

GeneratedMatrix matrix(std::string_view kind, Options const& options) {
  Planned const planned = plan(kind, options);
  araia::detail::require_memory(std::string(kind).c_str(), bytes_while_made(planned.size),
                                options.memory_limit != 0 ? options.memory_limit : default_host_memory_limit());
  GeneratedMatrix A = planned.make();
  A.klass = class_of(kind);
  return A;
}

GeneratedMatrix of_entries(std::string_view name, std::int64_t entries) {
  Kind const* const kind = find(name);
  if (kind == nullptr || kind->of_entries == nullptr) refuse_kind(name, suite_kinds());
  return kind->of_entries(static_cast<double>(entries));
}

}  // namespace araia::generate

namespace araia {

HostCoo to_host_coo(GeneratedMatrix A) {
  std::vector<std::int32_t> rows;
  rows.reserve(A.col_indices.size());
  for (std::int64_t i = 0; i < A.rows; ++i) {
    auto const row = static_cast<std::size_t>(i);
    rows.insert(rows.end(), static_cast<std::size_t>(A.row_offsets[row + 1] - A.row_offsets[row]),
                static_cast<std::int32_t>(i));
  }
  HostCoo coo;
  coo.rows = A.rows;
  coo.cols = A.cols;
  coo.row_indices = std::move(rows);
  coo.col_indices = std::move(A.col_indices);
  coo.values = std::move(A.values);
  return coo;
}

}  // namespace araia
