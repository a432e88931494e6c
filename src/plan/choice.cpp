// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/plan/choice.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <nlohmann/json.hpp>

#include <araia/error.hpp>
#include "src/engine/names.hpp"
#include "src/formatted.hpp"
#include "src/io/escape.hpp"
#include "src/kernel/choice_parameters.hpp"
#include "src/storage/info.hpp"

namespace araia {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t longest_json = std::size_t{1} << 16;  // bytes
constexpr std::size_t longest_word = 64;                    // bytes of a format's or a kernel's name
constexpr std::uint64_t largest_parameter = 1 << 24;

using detail::choice_flags;
using detail::choice_parameters;

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

/// \param conversion_alone  what the conversion is told; else also what the kernel is
std::string listed(Choice const& choice, bool conversion_alone) {
  std::string text;
  auto const add = [&](std::string_view name, int value) {
    text += detail::formatted("{}{} {}", text.empty() ? "{" : ", ", name, value);
  };
  if (!conversion_alone)
    for (auto const& own : choice.own) add(own.name, own.value);
  for (auto const& p : choice_parameters)
    if (int const value = choice.*p.field; value != 0 && (!conversion_alone || p.bit == reads::none))
      add(p.name, value);
  return text.empty() ? text : text + "}";
}

/// Where the parameter stands, or would.
auto place_of(std::vector<OwnParameter>& own, std::string_view name) {
  return std::lower_bound(own.begin(), own.end(), name,
                          [](OwnParameter const& p, std::string_view text) { return p.name < text; });
}

int parameter_of(Json const& value, std::string const& name) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > largest_parameter)
    refuse(detail::formatted("{} must be an integer from 0 to {}", name, largest_parameter));
  return static_cast<int>(value.get<std::uint64_t>());
}

}  // namespace

int Choice::get(std::string_view parameter) const {
  for (auto const& p : own)
    if (p.name == parameter) return p.value;
  return 0;
}

void Choice::set(std::string_view parameter, int value) {
  auto const place = place_of(own, parameter);
  bool const there = place != own.end() && place->name == parameter;
  if (value == 0) {
    if (there) own.erase(place);
  } else if (there) {
    place->value = value;
  } else {
    own.insert(place, OwnParameter{std::string(parameter), value});
  }
}

std::string format_label(Choice const& choice) {
  std::string text = choice.format;
  for (auto const& flag : choice_flags)
    if (choice.*flag.field) text += std::string("+") + flag.word;
  return text;
}

std::string storage_label(Choice const& choice) {
  return format_label(choice) + listed(choice, true) + std::string(detail::packing_of(choice.format, choice.kernel));
}

std::string parameters_label(Choice const& choice) { return listed(choice, false); }

std::string label(Choice const& choice) {
  return format_label(choice) + '/' + choice.kernel + parameters_label(choice);
}

std::vector<std::string> format_labels() {
  std::vector<std::string> labels;
  for (auto const& storage : detail::storages()) {
    if (!storage.is_format) continue;
    auto const words =
        std::count_if(storage.flags.begin(), storage.flags.end(), [](detail::FlagField f) { return f != nullptr; });
    for (unsigned chosen = 0; chosen < 1u << words; ++chosen) {
      Choice choice{.format = std::string(storage.name)};
      for (std::size_t i = 0; i < storage.flags.size(); ++i)
        if ((chosen >> i & 1u) != 0) choice.*storage.flags[i] = true;
      labels.push_back(format_label(choice));
    }
  }
  return labels;
}

Choice choice_of_format(std::string_view text) {
  auto const name = text.substr(0, text.find('+'));
  auto const* const storage = detail::storage_named(name);
  Choice choice{.format = std::string(name)};
  bool known = storage != nullptr;
  for (auto rest = text.substr(name.size()); known && !rest.empty();) {
    rest.remove_prefix(1);  // the plus
    auto const word = rest.substr(0, rest.find('+'));
    auto const* const flag = std::find_if(choice_flags.begin(), choice_flags.end(),
                                          [&](detail::ChoiceFlag const& f) { return f.word == word; });
    known = flag != choice_flags.end() && storage->has(flag->field);
    if (known) choice.*flag->field = true;
    rest.remove_prefix(word.size());
  }
  if (known) return choice;
  throw Error(ErrorKind::invalid_argument,
              detail::formatted("araia: format '{}', expected one of {}", text, detail::joined(format_labels())));
}

std::string to_json(Choice const& choice) {
  Json json{{"format", choice.format}, {"rows_by_length", choice.rows_by_length}, {"kernel", choice.kernel}};
  for (auto const& p : choice_parameters) json[p.name] = choice.*p.field;
  for (auto const& flag : choice_flags) json[flag.name] = choice.*flag.field;
  for (auto const& own : choice.own) json[own.name] = own.value;
  return json.dump();
}

Choice choice_from_json(std::string_view text) {
  if (text.size() > longest_json)
    refuse(detail::formatted("{} bytes of text, expected at most {}", text.size(), longest_json));
  // One flat object: a nested value is refused while parsing, so depth costs no stack. Of a field that is there twice,
  // the object that comes out holds one.
  bool nested = false;
  std::vector<std::string> names;
  auto const flat = [&](int depth, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::key) names.push_back(value.get<std::string>());
    if (depth > 0 && (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start))
      nested = true;
    return !nested;
  };
  auto const json = Json::parse(text, flat, false);
  if (nested || json.is_discarded() || !json.is_object()) refuse("expected one flat JSON object");
  std::sort(names.begin(), names.end());
  if (auto const twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
    refuse("the field '" + escape(*twice, longest_word) + "' is there twice, expected each once");
  for (char const* name : {"format", "kernel"})
    if (!json.contains(name)) refuse(std::string(name) + " is missing");
  Choice choice;
  choice.format = word(json, "format");
  choice.kernel = word(json, "kernel");
  for (auto const& [name, value] : json.items()) {
    if (name == "format" || name == "kernel") continue;
    bool known = false;
    for (auto const& flag : choice_flags) {
      if (name != flag.name) continue;
      known = true;
      if (!value.is_boolean()) refuse(std::string(flag.name) + " must be true or false");
      choice.*flag.field = value.get<bool>();
    }
    for (auto const& p : choice_parameters) {
      if (name != p.name) continue;
      known = true;
      choice.*p.field = parameter_of(value, name);
    }
    if (!known && detail::has_own_parameter(choice.format, choice.kernel, name)) {
      known = true;
      choice.set(name, parameter_of(value, name));
    }
    if (!known) refuse("an unknown field");
  }
  return choice;
}

}  // namespace araia
