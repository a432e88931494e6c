// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "src/cli/named_kernel.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "src/reason.hpp"

namespace araia::cli {

void refuse_kernel(Settings const& s, std::string const& why) {
  throw Failure(Exit::usage, formatted("--kernel is {}: {}", in_quotes(s.kernel), why));
}

NamedKernel named_kernel(Settings const& s) {
  constexpr char const* expected =
      "expected NAME, FORMAT/NAME or either with its parameters, as in csr/thread_per_row{rows_per_team 128}";
  NamedKernel kernel{.format = format_choice(s), .name = s.kernel, .fields = nlohmann::ordered_json::object()};
  if (auto const slash = kernel.name.find('/'); slash != std::string::npos) {
    Choice const format = named_format("--kernel", kernel.name.substr(0, slash));
    if (kernel.format && format != *kernel.format)
      refuse_kernel(s, "--format is " + format_label(*kernel.format) + ", expected the same");
    kernel.format = format;
    kernel.name.erase(0, slash + 1);
  }
  std::string parameters;
  if (auto const brace = kernel.name.find('{'); brace != std::string::npos) {
    if (!kernel.name.ends_with('}')) refuse_kernel(s, expected);
    parameters = kernel.name.substr(brace + 1, kernel.name.size() - brace - 2);
    kernel.name.erase(brace);
  }
  if (kernel.name.empty() ||
      kernel.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
    refuse_kernel(s, expected);
  std::string_view rest = parameters;
  while (!rest.empty()) {
    auto const end = std::min(rest.find(", "), rest.size());
    auto const one = rest.substr(0, end);
    auto const space = one.find(' ');
    int value = 0;
    if (space == one.npos) refuse_kernel(s, expected);
    auto const [stop, error] = std::from_chars(one.data() + space + 1, one.data() + one.size(), value);
    if (stop != one.data() + one.size() || error == std::errc::invalid_argument) refuse_kernel(s, expected);
    if (error != std::errc{}) value = std::numeric_limits<int>::max();  // which the parameter's range leaves out too
    std::string const name(one.substr(0, space));
    if (kernel.fields.contains(name)) refuse_kernel(s, in_quotes(name) + " is given twice");
    kernel.fields[name] = value;
    if (end == rest.size()) break;
    rest.remove_prefix(end + 2);
    if (rest.empty()) refuse_kernel(s, expected);  // a comma, and nothing after it
  }
  return kernel;
}

bool has_kernel(NamedKernel const& kernel, std::string const& label, OpId operation, Op op) {
  auto const names = kernel_names(choice_of_format(label).format, operation, op);
  return std::find(names.begin(), names.end(), kernel.name) != names.end();
}

Choice choice_of(Settings const& s, NamedKernel const& kernel, Choice format) {
  try {
    format.kernel = kernel.name;
    auto json = nlohmann::ordered_json::parse(to_json(format));
    for (auto const& [name, value] : kernel.fields.items()) {
      bool const is_number = json.contains(name) && json[name].is_number();
      if (!is_number && !is_kernel_parameter(name)) refuse_kernel(s, "no parameter is called " + in_quotes(name));
      json[name] = value;
    }
    return choice_from_json(json.dump());
  } catch (Error const& e) {
    refuse_kernel(s, said(e));
  }
}

std::string unread_parameter(Settings const& s, NamedKernel const& kernel, std::string const& format,
                             Operations operations) {
  auto const read = parameters_of(operations, space(s), choice_of_format(format).format, kernel.name);
  for (auto const& [name, value] : kernel.fields.items())
    if (is_kernel_parameter(name) && std::find(read.begin(), read.end(), name) == read.end()) return name;
  return {};
}

namespace {

[[noreturn]] void refuse_unread(Settings const& s, NamedKernel const& kernel, std::string const& format,
                                Operations operations) {
  auto const base = choice_of_format(format).format;
  auto const unread = unread_parameter(s, kernel, format, operations);
  auto const read = parameters_of(operations, space(s), base, kernel.name);
  char const* const other = space(s) == "cuda" ? "" : "cuda";
  auto const elsewhere = parameters_of(operations, other, base, kernel.name);
  bool const there = std::find(elsewhere.begin(), elsewhere.end(), unread) != elsewhere.end();
  refuse_kernel(s, formatted("{}/{} does not read {}{}; it reads {}", base, kernel.name, unread,
                             there ? " on " + space(s) : "", read.empty() ? "no parameter" : joined(read)));
}

/// Which product --transpose and its like ask for.
char const* product_with(Op op) {
  switch (op) {
    case Op::none: break;
    case Op::transpose: return "products with --transpose";
    case Op::conjugate_transpose: return "products with --conjugate-transpose";
    case Op::conjugate: return "products with --conjugate";
  }
  return "this product";
}

/// The formats, without what follows a +, that have a kernel of the device: "csr" alone with its kernels.
std::string formats_with_kernels(Settings const& s, Operations operations, Op op) {
  std::vector<std::string> formats;
  std::vector<std::string> kernels;  // of the last
  for (auto const& label : format_labels()) {
    auto const format = choice_of_format(label).format;
    auto names = kernels_on(operations, space(s), format, op);
    if (names.empty() || (!formats.empty() && formats.back() == format)) continue;
    formats.push_back(format);
    kernels = std::move(names);
  }
  if (formats.size() != 1) return joined(formats);
  for (auto& name : kernels) name.insert(0, formats.front() + '/');
  return joined(kernels);
}

/// Why no kernel of a format may run; empty where some may.
std::string why_without_kernels(Settings const& s, Choice const& format, Operations operations, Op op) {
  if (kernels_on(operations, space(s), format.format, op).empty())
    return formatted("has no kernel for {} on {}, expected one of {}", product_with(op), space(s),
                     formats_with_kernels(s, operations, op));
  auto const offered = format_labels();  // what multiplies zeros is not
  bool const is_offered = std::find(offered.begin(), offered.end(), format_label(format)) != offered.end();
  return is_offered || s.allow_dense ? "" : "is for tune --allow-dense, as it multiplies zeros";
}

}  // namespace

void require_kernel(Settings const& s, Operations operations, Op op) {
  NamedKernel const kernel = named_kernel(s);
  if (kernel.format)
    if (auto const why = why_without_kernels(s, *kernel.format, operations, op); !why.empty())
      refuse_kernel(s, formatted("{} {}", kernel.format->format, why));
  auto const formats = kernel.format ? std::vector<std::string>{format_label(*kernel.format)} : format_labels();
  std::vector<std::string> names;
  std::string named;  // the first format that has the kernel
  for (auto const& format : formats)
    for (auto& name : kernels_on(operations, space(s), choice_of_format(format).format, op)) {
      if (name == kernel.name) {
        if (unread_parameter(s, kernel, format, operations).empty()) {
          (void)choice_of(s, kernel, choice_of_format(format));
          return;
        }
        if (named.empty()) named = format;
      }
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
  if (!named.empty()) refuse_unread(s, kernel, named, operations);
  auto const is_there_for = [&](Op wanted) {
    return std::any_of(formats.begin(), formats.end(), [&](std::string const& format) {
      return std::any_of(operations.begin(), operations.end(),
                         [&](OpId operation) { return has_kernel(kernel, format, operation, wanted); });
    });
  };
  std::string what = "there is no such kernel" + (kernel.format ? " of " + kernel.format->format : std::string());
  if (is_there_for(op))
    what = "it does not run on " + space(s);
  else if (is_there_for(transposes(op) ? Op::none : Op::transpose))
    what = transposes(op) ? formatted("it is not for {}", product_with(op)) : "it is for --transpose alone";
  refuse_kernel(s, formatted("{}, expected one of {}", what, joined(names)));
}

void require_format(Settings const& s, Operations operations, Op op) {
  auto const format = format_choice(s);
  if (!format) return;
  if (auto const why = why_without_kernels(s, *format, operations, op); !why.empty())
    throw Failure(Exit::usage, formatted("--format is {}, which {}", in_quotes(s.format), why));
}

std::string why_it_cannot_run(std::string reason) {
  constexpr std::string_view before_reason = "cannot run: ";
  if (auto const at = reason.find(before_reason); at != std::string::npos) reason.erase(0, at + before_reason.size());
  reason = araia::detail::without_function(std::move(reason));  // that of the conversion
  constexpr std::string_view field = "rows_by_length";
  if (auto const at = reason.find(field); at != std::string::npos) reason.replace(at, field.size(), "+by_length");
  return reason;
}

}  // namespace araia::cli
