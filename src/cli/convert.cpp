// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <araia/detail/formats/type_list.hpp>
#include <araia/io/container.hpp>
#include <araia/io/matrix_market.hpp>
#include <araia/plan/choice.hpp>
#include "src/io/escape.hpp"

#include "src/cli/cli.hpp"

namespace araia::cli {

namespace detail {
/// Defined in container.hpp, instantiated in container.cpp.
template <class Scalar>
Container container_of(Input const& input, std::string const& format);
}  // namespace detail

namespace {

Container container_of(Input const& input, ScalarTypes types, std::string const& format) try {
  if constexpr (araia::detail::has_all_types) {  // else of f64 alone, as require_choices and scalar_types see to
    if (types == ScalarTypes::f32) return detail::container_of<float>(input, format);
    if (types == ScalarTypes::c64) return detail::container_of<Kokkos::complex<double>>(input, format);
  }
  return detail::container_of<double>(input, format);
} catch (Error const& e) {
  if (e.kind() != ErrorKind::resource_limit) throw;
  throw Failure(Exit::resource, formatted("{} as {} in {}: {}", input.name, format, to_string(types), said(e)));
}

bool is_offsets(ArrayName name) {
  for (auto const offsets :
       {ArrayName::row_offsets, ArrayName::col_offsets, ArrayName::slice_offsets, ArrayName::diagonal_offsets,
        ArrayName::column_offsets, ArrayName::block_offsets, ArrayName::split, ArrayName::entry_offsets})
    if (name == offsets) return true;
  return false;
}

/// Offsets of 32 bits, where all of them fit: they are numbers, and do not say where anything else lies.
void narrow_offsets(Container& c) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  auto const wide = [](ContainerArray const& array) { return static_cast<std::int64_t const*>(array.data.get()); };
  for (auto const& array : c.arrays)
    if (is_offsets(array.name) && wide(array)[array.count - 1] > most) return;
  c.offset = ElementType::int32;
  for (auto& array : c.arrays) {
    if (!is_offsets(array.name)) continue;
    auto const narrow = std::make_shared<std::vector<std::int32_t>>(array.count);
    std::transform(wide(array), wide(array) + array.count, narrow->data(),
                   [](std::int64_t offset) { return static_cast<std::int32_t>(offset); });
    array.data = {narrow, narrow->data()};
    array.type = ElementType::int32;
  }
}

/// \throws Failure with Exit::usage, or as choice_of_format, where no file holds the format
void require_stored(std::string const& format) {
  auto const known = format_labels();
  if (std::find(known.begin(), known.end(), format_label(choice_of_format(format))) == known.end())
    throw Failure(Exit::usage, "--format is '" + format + "', which plans alone hold: no file does");
}

std::string text_of(Settings const& s, Input const& input, Written const& w) {
  std::string text = formatted("{} x {}, ", input.coo.rows, input.coo.cols);
  if (!w.type.empty()) text += formatted("{} in {}, ", w.format, w.type);
  text += formatted("{} entries", w.entries);
  if (w.bytes > 0) text += formatted(", {} bytes of arrays", w.bytes);
  text += " written to " + escape(s.output);
  if (w.file_bytes > 0) text += formatted(", {} bytes", w.file_bytes);
  return text + "; values: " + input.values + '\n';
}

nlohmann::ordered_json json_of(Settings const& s, Input const& input, Written const& w) {
  nlohmann::ordered_json json{{"command", "convert"},
                              {"matrix", to_json(input)},
                              {"output", valid_utf8(s.output)},
                              {"format", w.format},
                              {"entries", w.entries}};
  if (!w.type.empty()) json["type"] = w.type;
  if (w.bytes > 0) json["bytes"] = w.bytes;
  if (w.file_bytes > 0) json["file_bytes"] = w.file_bytes;
  return json;
}

}  // namespace

Written write_matrix(Settings const& s, Input const& input, bool container, Progress& progress,
                     std::string const& comment) {
  Written written{.format = "matrix_market", .type = {}, .entries = input.coo.stored()};
  if (container) {
    auto const types = scalar_types(s, input);
    progress.show("assembling");
    Container c = container_of(input, types, s.format.empty() ? "csr" : s.format);
    narrow_offsets(c);
    c.empty_pattern = c.nnz == 0 && std::holds_alternative<std::monostate>(input.coo.values);
    progress.show("writing " + s.output);
    write_container(s.output, c);
    written = {.format = format_label(choice_of_format(s.format.empty() ? "csr" : s.format)),
               .type = to_string(types),
               .entries = c.nnz,
               .bytes = c.bytes()};
  } else {
    progress.show("writing " + s.output);
    write_matrix_market(s.output, input.coo, {.comment = comment});
  }
  std::error_code none;  // what is no file has no size
  if (!is_written_directly(s.output)) written.file_bytes = std::filesystem::file_size(s.output, none);
  return written;
}

Exit run_convert(Settings const& s) {
  Progress progress;
  require_suffix({"OUT", s.output}, {".mtx", ".araia"});
  // A pipe or device whose name says nothing takes what the options are for.
  bool const container =
      names_container(s.output) || (is_written_directly(s.output) && !(s.format.empty() && s.type.empty()));
  if (!container && !s.format.empty())
    throw Failure(Exit::usage, "--format is for OUT in .araia; Matrix Market files hold coordinates");
  if (!container && !s.type.empty())
    throw Failure(Exit::usage, "--type is for OUT in .araia; Matrix Market files hold numbers as text");
  if (format_choice(s)) require_stored(s.format);
  require_choices(s);
  require_other_file({"OUT", s.output}, {{"IN", s.file}});
  require_writable({"OUT", s.output}, s.json);
  progress.show("reading " + s.file);
  Input const input = load(s);
  Written const written = write_matrix(s, input, container, progress);
  progress.show("");
  print_written(s.output, s.json ? json_text(json_of(s, input, written)) : text_of(s, input, written));
  return Exit::done;
}

}  // namespace araia::cli
