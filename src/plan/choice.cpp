// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/plan/choice.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <araia/error.hpp>

namespace araia {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t longest_json = std::size_t{1} << 16;  // bytes
constexpr std::size_t longest_word = 64;                    // bytes of a format's or a kernel's name
constexpr std::uint64_t largest_parameter = 1 << 24;

// A pointer to a member, by a name of its own: nvcc rewrites the plain declarator with parentheses,
// and its host compiler warns of them.
using IntegerField = int Choice::*;

struct Parameter {
  char const* name;
  IntegerField field;
};
constexpr std::array<Parameter, 5> parameters{{{"rows_per_team", &Choice::rows_per_team},
                                               {"entries", &Choice::entries},
                                               {"team_size", &Choice::team_size},
                                               {"vector_length", &Choice::vector_length},
                                               {"columns_per_lane", &Choice::columns_per_lane}}};

[[noreturn]] void refuse(std::string const& what) {
  throw Error(ErrorKind::invalid_argument, "araia::choice_from_json: " + what);
}

std::string word(Json const& json, char const* name) {
  auto const& value = json.at(name);
  if (!value.is_string()) refuse(std::string(name) + " must be a string");
  auto text = value.get<std::string>();
  if (text.empty() || text.size() > longest_word) refuse(std::string(name) + " must have 1 to 64 characters");
  for (char const c : text)
    if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_')
      refuse(std::string(name) + " must be of lower-case letters, digits and _");
  return text;
}

}  // namespace

std::string format_label(Choice const& choice) { return choice.format + (choice.rows_by_length ? "+by_length" : ""); }

std::string parameters_label(Choice const& choice) {
  std::string text;
  for (auto const& p : parameters)
    if (int const value = choice.*p.field; value != 0)
      text += fmt::format("{}{} {}", text.empty() ? "{" : ", ", p.name, value);
  return text.empty() ? text : text + "}";
}

std::string label(Choice const& choice) {
  return format_label(choice) + '/' + choice.kernel + parameters_label(choice);
}

std::string to_json(Choice const& choice) {
  Json json{{"format", choice.format}, {"rows_by_length", choice.rows_by_length}, {"kernel", choice.kernel}};
  for (auto const& p : parameters) json[p.name] = choice.*p.field;
  return json.dump();
}

Choice choice_from_json(std::string_view text) {
  if (text.size() > longest_json)
    refuse(fmt::format("{} bytes of text, expected at most {}", text.size(), longest_json));
  // One flat object: a nested value is refused while parsing, so depth costs no stack.
  bool nested = false;
  auto const flat = [&nested](int depth, Json::parse_event_t event, Json&) {
    if (depth > 0 && (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start))
      nested = true;
    return !nested;
  };
  auto const json = Json::parse(text, flat, false);
  if (nested || json.is_discarded() || !json.is_object()) refuse("expected one flat JSON object");
  for (char const* name : {"format", "kernel"})
    if (!json.contains(name)) refuse(std::string(name) + " is missing");
  Choice choice;
  choice.format = word(json, "format");
  choice.kernel = word(json, "kernel");
  for (auto const& [name, value] : json.items()) {
    if (name == "format" || name == "kernel") continue;
    if (name == "rows_by_length") {
      if (!value.is_boolean()) refuse("rows_by_length must be true or false");
      choice.rows_by_length = value.get<bool>();
      continue;
    }
    bool known = false;
    for (auto const& p : parameters) {
      if (name != p.name) continue;
      known = true;
      if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest_parameter)
        refuse(fmt::format("{} must be an integer from 0 to {}", name, largest_parameter));
      choice.*p.field = static_cast<int>(value.get<std::uint64_t>());
    }
    if (!known) refuse("an unknown field");
  }
  return choice;
}

}  // namespace araia
