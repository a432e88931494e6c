// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/kernel_parameters.hpp"

#include <algorithm>

#include <araia/plan/choice.hpp>

#include "src/engine/kernels.hpp"
#include "src/engine/names.hpp"
#include "src/kernel/choice_parameters.hpp"

namespace araia::cli {
namespace {

bool runs_on(KernelInfo const& info, std::string_view device) {
  return device == "cuda" ? info.on_device() : info.on_host();
}

}  // namespace

std::vector<std::string> kernels_on(Operations operations, std::string_view device, std::string_view format, Op op) {
  std::vector<std::string> names;
  for (auto const& kernel : araia::detail::kernels()) {
    auto const& info = kernel.info;
    bool const runs = info.storage == format && runs_on(info, device) &&
                      std::any_of(operations.begin(), operations.end(),
                                  [&](OpId operation) { return info.is_for(operation, transposes(op)); });
    if (runs && std::find(names.begin(), names.end(), info.name) == names.end()) names.emplace_back(info.name);
  }
  return names;
}

std::vector<std::string> parameters_of(Operations operations, std::string_view device, std::string_view format,
                                       std::string_view kernel) {
  unsigned read = araia::reads::none;
  std::vector<std::string> own;
  for (auto const& known : araia::detail::kernels()) {
    auto const& info = known.info;
    if (info.storage != format || info.name != kernel || !runs_on(info, device) ||
        std::find(operations.begin(), operations.end(), info.operation) == operations.end())
      continue;
    read |= info.reads;
    for (auto const& parameter : info.parameters)
      if (std::find(own.begin(), own.end(), parameter.name) == own.end()) own.emplace_back(parameter.name);
  }
  std::vector<std::string> names;
  for (auto const& parameter : araia::detail::choice_parameters)
    if ((read & parameter.bit) != 0) names.emplace_back(parameter.name);
  names.insert(names.end(), own.begin(), own.end());
  return names;
}

bool is_kernel_parameter(std::string_view name) {
  auto const& all = araia::detail::choice_parameters;
  return araia::detail::has_own_parameter({}, {}, name) ||
         std::any_of(all.begin(), all.end(), [&](auto const& parameter) {
           return parameter.bit != araia::reads::none && parameter.name == name;
         });
}

}  // namespace araia::cli
