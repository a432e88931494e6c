// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/kernel_parameters.hpp"

#include <algorithm>
#include <array>

#include <araia/plan/choice.hpp>

#include "src/plan/kernel_table.hpp"

namespace araia::cli {
namespace {

namespace bits {  // one a parameter of kernels
constexpr unsigned rows = 1, entries = 2, threads = 4, lanes = 8, columns = 16;
constexpr unsigned team = rows | threads;
}  // namespace bits

struct KernelParameter {
  unsigned bit;
  std::string_view name;
};
constexpr auto kernel_parameters = std::to_array<KernelParameter>({{bits::rows, "rows_per_team"},
                                                                   {bits::entries, "entries"},
                                                                   {bits::threads, "team_size"},
                                                                   {bits::lanes, "vector_length"},
                                                                   {bits::columns, "columns_per_lane"}});

struct Reads {
  std::string_view format;
  std::string_view kernel;
  unsigned what;
};
// As the dispatch of each format takes its tuning struct; kernels that have no row read none: SIMD kernels of hosts,
// those of the CUDA backend, and packed ones choose for themselves.
constexpr auto reads_of_kernels = std::to_array<Reads>({
    {"csr", "thread_per_row", bits::team},
    {"csr", "vector_per_row", bits::team | bits::lanes},
    {"csr", "balanced", bits::threads},
    {"csr", "columns_on_lanes", bits::team | bits::lanes | bits::columns},
    {"csr", "transposed", bits::team | bits::lanes},
    {"coo", "atomic", bits::entries | bits::threads | bits::lanes},
    {"coo", "segmented", bits::entries | bits::threads},
    {"csc", "by_columns", bits::team | bits::lanes | bits::columns},
    {"ell", "thread_per_row", bits::team},
    {"ell", "columns_on_lanes", bits::team | bits::lanes | bits::columns},
    {"ell", "transposed", bits::team | bits::lanes},
    {"hyb", "ell_then_tail", bits::team | bits::lanes | bits::columns | bits::entries},
    {"sell", "thread_per_row", bits::team | bits::lanes},
    {"sell", "columns_on_lanes", bits::team | bits::lanes | bits::columns},
    {"sell", "transposed", bits::team | bits::lanes},
    {"bsr", "lanes_on_blocks", bits::team | bits::lanes},
    {"bsr", "columns_on_lanes", bits::team | bits::lanes},
    {"bsr", "transposed", bits::team | bits::lanes},
    {"bcsc", "block_per_team", bits::threads},
    {"bcsc", "naive", bits::threads | bits::columns},
    {"bcsc", "transposed", bits::threads},
});

}  // namespace

std::vector<std::string> kernels_on(std::string_view device, std::string_view format, Op op) {
  std::vector<std::string> names;
  for (bool const spmm : {false, true})
    for (auto& name : kernel_names(format, spmm, op)) {
      Problem problem;
      problem.spmm = spmm;
      problem.op = op;
      auto const* const traits = araia::detail::kernel_traits(problem, {.format = std::string(format), .kernel = name});
      bool const runs = traits && (device == "cuda" ? traits->on_device : traits->on_host);
      if (runs && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
  return names;
}

std::vector<std::string> parameters_of(std::string_view format, std::string_view kernel) {
  std::vector<std::string> names;
  for (auto const& row : reads_of_kernels)
    if (row.format == format && row.kernel == kernel)
      for (auto const& parameter : kernel_parameters)
        if ((row.what & parameter.bit) != 0) names.emplace_back(parameter.name);
  return names;
}

bool is_kernel_parameter(std::string_view name) {
  return std::any_of(kernel_parameters.begin(), kernel_parameters.end(),
                     [&](KernelParameter const& p) { return p.name == name; });
}

}  // namespace araia::cli
