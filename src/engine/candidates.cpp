// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of candidates, and the rules by which a choice from elsewhere is accepted.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <araia/detail/plan/traffic.hpp>
#include "src/engine/kernels.hpp"
#include "src/formatted.hpp"

namespace araia {
namespace detail {
namespace {

/// The kernel's own numbers.
std::string why_illegal_tuning(Storage const& storage, Choice const& c) {
  constexpr int warp = 32;         // lanes of a device's warp
  constexpr int most_team = 1024;  // threads of a block
  bool const power_of_two = (c.vector_length & (c.vector_length - 1)) == 0;
  if (c.vector_length < 0 || c.vector_length > warp || !power_of_two)
    return outside("vector_length", c.vector_length, "0 or a power of two up to 32");
  if (c.team_size < 0 || c.team_size > most_team) return outside("team_size", c.team_size, "0 to 1024");
  if (c.team_size * std::max(1, c.vector_length) > most_team)
    return outside("team_size", c.team_size, "team_size * vector_length of at most 1024");
  if (c.rows_per_team < 0) return outside("rows_per_team", c.rows_per_team, "0 or more");
  constexpr int most_entries = 1 << 20;  // times team_size fits an int
  if (c.entries < 0 || c.entries > most_entries) return outside("entries", c.entries, "0 to 1048576");
  // The text is the list: "0, 1, 4 or 8" has the numbers that there are.
  std::string const number = std::to_string(c.columns_per_lane);
  auto const listed = storage.columns_per_lane;
  bool const known = listed.empty() || (number.size() == 1 && listed.find(number) != std::string_view::npos);
  return known ? std::string() : outside("columns_per_lane", c.columns_per_lane, listed);
}

/// Parameters that belong to kernels: only those of this one.
std::string why_illegal_own(KernelInfo const& info, Choice const& c) {
  for (auto const& own : c.own) {
    auto const listed = std::find_if(info.parameters.begin(), info.parameters.end(),
                                     [&](ParameterInfo const& p) { return p.name == own.name; });
    if (listed == info.parameters.end()) return formatted("{}/{} does not read {}", c.format, c.kernel, own.name);
    if (own.value < 0) return outside(listed->name.data(), own.value, listed->values);
  }
  return {};
}

}  // namespace
}  // namespace detail

std::vector<Choice> candidates(Problem const& problem, Machine const& machine) {
  Proposals list(problem, [&](Choice const& c) { return why_illegal(problem, c, machine).empty(); });
  for (auto const& kernel : detail::kernels())
    if (kernel.propose && kernel.info.is_for(problem.operation, transposes(problem.op)) &&
        !detail::is_unbound(kernel.info, problem))
      kernel.propose(problem, machine, list);
  return list.take();
}

std::string why_illegal(Problem const& p, Choice const& c, Machine const& m) {
  using detail::formatted;
  auto const* const storage = detail::storage_named(c.format);
  if (!storage) return formatted("format '{}', expected {}", c.format, detail::storage_names());
  auto const* const kernel = detail::kernel_of(p, c);
  if (!kernel)
    return formatted("kernel '{}' does not exist for {} {} with op {}", c.kernel, c.format, to_string(p.operation),
                     to_string(p.op));
  auto const& info = kernel->info;
  if (detail::is_unbound(info, p) || (info.runs == Runs::by_host_simd && !p.host_simd) ||
      (info.runs == Runs::by_cuda && !p.cuda_kernels) || !(m.device ? info.on_device() : info.on_host()))
    return formatted("kernel '{}' does not run these types and strides on this execution space", c.kernel);
  if (info.runs == Runs::where_bound && !info.conjugates && p.complex_values && p.op == Op::conjugate)
    return formatted("kernel '{}' does not take conjugates", c.kernel);
  if (kernel->precision &&
      unit_roundoff(kernel->precision(p), p.value_bytes) > unit_roundoff(p.precision, p.value_bytes))
    return formatted("kernel '{}' computes in {}, which precision {} does not permit", c.kernel,
                     precision_name(kernel->precision(p)), precision_name(p.precision));
  if (info.own_row_order && c.rows_by_length) return c.kernel + " is for rows in their own order";
  if (auto why = detail::why_foreign(*storage, c); !why.empty()) return why;
  if (c.rows_by_length && p.source_permuted) return "rows_by_length: the matrix brings a row permutation of its own";
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  bool const narrow = !storage->offsets_of_64_bits || !info.packing.empty();
  if (narrow && info.runs != Runs::where_bound && p.stats.nnz > most)
    return formatted("plans hold {} with 32-bit offsets, the matrix has {} entries", c.format, p.stats.nnz);
  if (storage->refuse)
    if (auto why = storage->refuse(p, c); !why.empty()) return why;
  if (auto why = detail::why_illegal_tuning(*storage, c); !why.empty()) return why;
  if (auto why = detail::why_illegal_own(info, c); !why.empty()) return why;
  if (info.needs_values && p.value_bytes == 0) return c.kernel + ": a pattern has no values";
  if (kernel->refuse)
    if (auto why = kernel->refuse(p, c, m); !why.empty()) return why;
  bool const repeats = info.sums == Sums::ordered || (info.sums == Sums::in_scratch && !m.device);
  // A plan is executed on any instance of its space: of one thread, whatever the plan was made on, Serial alone is.
  if (p.deterministic && m.space != "Serial" && !repeats)
    return formatted("kernel '{}' of {} sums by atomics, which deterministic plans refuse", c.kernel, c.format);
  return {};
}

}  // namespace araia
