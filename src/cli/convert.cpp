// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <araia/Araia_Config.hpp>
#include <araia/formats/element_type.hpp>
#include <araia/io/container.hpp>
#include <araia/io/escape.hpp>
#include <araia/io/matrix_market.hpp>
#include <araia/plan/choice.hpp>

#include "src/cli/cli.hpp"

namespace araia::cli {

namespace detail {
/// Defined in container.hpp, instantiated in a unit each.
template <class Scalar>
Container container_of(HostCoo const& coo, std::string const& format);
}  // namespace detail

namespace {

/// The array's elements in the narrower type.
template <class From, class To>
void narrow(ContainerArray& array) {
  auto const* const from = static_cast<From const*>(array.data.get());
  auto const to = std::make_shared<std::vector<To>>(array.count);
  for (std::size_t i = 0; i < to->size(); ++i) (*to)[i] = static_cast<To>(from[i]);
  array.data = {to, to->data()};
  array.type = araia::detail::element_type<To>();
}

Container container_of(HostCoo const& coo, ScalarTypes types, std::string const& format) {
#ifdef ARAIA_TYPES_MINIMAL
  if (types != ScalarTypes::f64)
    throw Error(ErrorKind::unsupported,
                std::string("type ") + to_string(types) + " is not in this build: Araia_TYPES is minimal");
#else
  if (types == ScalarTypes::c64) return detail::container_of<Kokkos::complex<double>>(coo, format);
#endif
  Container c = detail::container_of<double>(coo, format);
  if (types == ScalarTypes::f64) return c;
  // Duplicates were summed in double: each value is rounded once.
  c.scalar = ElementType::float32;
  for (auto& array : c.arrays)
    if (array.type == ElementType::float64) narrow<double, float>(array);
  return c;
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
  for (auto& array : c.arrays)
    if (is_offsets(array.name)) narrow<std::int64_t, std::int32_t>(array);
}

/// \throws Failure with Exit::usage, or as choice_of_format, where no file holds the format
void require_stored(std::string const& format) {
  auto const known = format_labels();
  if (std::find(known.begin(), known.end(), format_label(choice_of_format(format))) == known.end())
    throw Failure(Exit::usage, "--format is '" + format + "', which plans alone hold: no file does");
}

}  // namespace

Exit run_convert(Settings const& s) {
  Progress progress;
  bool const container = names_container(s.output);
  require_suffix({"OUT", s.output}, {".mtx", ".araia"}, false);
  if (!container && !s.format.empty())
    throw Failure(Exit::usage, "--format is for OUT in .araia; Matrix Market files hold coordinates");
  if (!container && !s.type.empty())
    throw Failure(Exit::usage, "--type is for OUT in .araia; Matrix Market files hold numbers as text");
  if (!s.format.empty()) require_stored(s.format);
  require_other_file({"OUT", s.output}, {{"IN", s.file}});
  progress.show("reading " + s.file);
  Input const input = load(s);
  std::string held;
  if (container) {
    auto const types = scalar_types(s, input.coo);
    progress.show("assembling");
    Container c = container_of(input.coo, types, s.format.empty() ? "csr" : s.format);
    narrow_offsets(c);
    progress.show("writing " + s.output);
    write_container(s.output, c);
    held = fmt::format("{} of {}, {} entries, {} bytes", to_string(c.format), to_string(c.scalar), c.nnz, c.bytes());
  } else {
    progress.show("writing " + s.output);
    write_matrix_market(s.output, input.coo);
    held = fmt::format("{} entries", input.coo.stored());
  }
  progress.show("");
  if (s.json)
    print_json(
        nlohmann::ordered_json{{"command", "convert"}, {"matrix", to_json(input)}, {"output", escape(s.output)}});
  else
    print(fmt::format("{} x {}, {} written to {}; values: {}\n", input.coo.rows, input.coo.cols, held, escape(s.output),
                      input.values));
  return Exit::done;
}

}  // namespace araia::cli
