// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/kernel_parameters.hpp"

#include <algorithm>

#include <araia/plan/choice.hpp>

#include "src/plan/kernel_table.hpp"

namespace araia::cli {

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
  unsigned const read = araia::detail::parameters_read(format, kernel);
  std::vector<std::string> names;
  for (auto const& parameter : araia::detail::choice_parameters)
    if ((read & parameter.bit) != 0) names.emplace_back(parameter.name);
  return names;
}

bool is_kernel_parameter(std::string_view name) {
  auto const& all = araia::detail::choice_parameters;
  return std::any_of(all.begin(), all.end(), [&](auto const& parameter) {
    return parameter.bit != araia::detail::reads::none && parameter.name == name;
  });
}

}  // namespace araia::cli
