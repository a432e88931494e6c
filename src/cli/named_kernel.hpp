// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What --kernel names: a kernel as tune prints it, with or without its format and its parameters.

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "src/cli/cli.hpp"
#include "src/cli/kernel_parameters.hpp"

namespace araia::cli {

struct NamedKernel {
  std::optional<Choice> format;  ///< of --kernel or --format
  std::string name;
  nlohmann::ordered_json fields;  ///< the parameters, by their names in Choice
};

/// \throws Failure with Exit::usage, naming --kernel
[[noreturn]] void refuse_kernel(Settings const& s, std::string const& why);

/// Of --kernel.
/// \throws Failure with Exit::usage where it is none
NamedKernel named_kernel(Settings const& s);

/// Is there a kernel of this name in the format that a label names?
bool has_kernel(NamedKernel const& kernel, std::string const& label, OpId operation, Op op);

/// The kernel in a format, its parameters checked by their names and ranges.
Choice choice_of(Settings const& s, NamedKernel const& kernel, Choice format);

/// A parameter that is given, of kernels, and not read by this format's on the device; empty where there is none.
std::string unread_parameter(Settings const& s, NamedKernel const& kernel, std::string const& format,
                             Operations operations);

/// Refuses a name that no kernel of the device has for the operations, and parameters that no such kernel reads or
/// takes.
void require_kernel(Settings const& s, Operations operations, Op op);

/// Refuses a format of --format that no kernel of the device has for the operations.
void require_format(Settings const& s, Operations operations, Op op);

/// What make_plan says of a choice that it refuses, without what is known already.
std::string why_it_cannot_run(std::string reason);

}  // namespace araia::cli
