// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Complex.hpp>
#include <algorithm>
#include <cstdint>

#include <araia/detail/formats/type_list.hpp>
#include <araia/error.hpp>
#include <araia/io/read_matrix.hpp>
#include <araia/plan/choice.hpp>
#include "src/formats/container_entries.hpp"
#include "src/io/container_source.hpp"
#include "src/io/read_matrix_source.hpp"
#include "src/reason.hpp"

namespace araia {

namespace detail {

/// Defined in src/formats/container_entries.hpp, instantiated in a unit for each index.
template <class Scalar, class Ordinal>
HostCoo container_entries_of(Container const& c, std::uint64_t memory_limit);

template <class Scalar>
HostCoo by_index(Container const& c, std::uint64_t memory_limit) {
  return c.ordinal == ElementType::int64 ? container_entries_of<Scalar, std::int64_t>(c, memory_limit)
                                         : container_entries_of<Scalar, std::int32_t>(c, memory_limit);
}

}  // namespace detail

HostCoo container_entries(Container const& container, ReadOptions const& options) {
  auto const limit = detail::memory_limit(options);
  if (container.scalar != ElementType::complex_float32 && container.scalar != ElementType::complex_float64)
    return detail::by_index<double>(container, limit);
  if constexpr (detail::has_all_types)
    return detail::by_index<Kokkos::complex<double> >(container, limit);
  else
    throw Error(ErrorKind::unsupported,
                "araia::container_entries: the values are complex, which this build does not "
                "have: its Araia_TYPES is minimal, full has them");
}

std::string format_label(Container const& container) {
  auto const has = [&](ArrayName name) {
    return std::any_of(container.arrays.begin(), container.arrays.end(), [&](auto const& a) { return a.name == name; });
  };
  Choice choice = choice_of_format(to_string(container.format));
  // A bcsc has a permutation where its source had one.
  choice.rows_by_length = choice.format != "bcsc" && has(ArrayName::row_permutation);
  choice.diagonals = has(ArrayName::diagonals);
  choice.narrow = has(ArrayName::column_words);
  choice.split = has(ArrayName::split);
  return format_label(choice);
}

TypedEntries read_typed_entries(std::filesystem::path const& path, ReadOptions const& options) {
  auto const source = detail::open_source(path, options);
  auto const kind = detail::kind_of(*source, path, options);
  if (kind != FileKind::native)
    return {.entries = detail::read_matrix(*source, kind, options), .scalar = std::nullopt, .kind = kind, .format = {}};
  Container const container = detail::read_container(*source, options);
  try {
    return {.entries = container_entries(container, options),
            .scalar = container.scalar,
            .kind = kind,
            .format = format_label(container)};
  } catch (Error const& error) {
    throw Error(error.kind(), {path.string()}, detail::without_function(error.what()));
  }
}

HostCoo read_entries(std::filesystem::path const& path, ReadOptions const& options) {
  return read_typed_entries(path, options).entries;
}

}  // namespace araia
