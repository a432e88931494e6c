// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Complex.hpp>
#include <cstdint>

#include <araia/Araia_Config.hpp>
#include <araia/error.hpp>
#include <araia/formats/container_entries.hpp>
#include <araia/io/read_matrix.hpp>
#include "src/io/container_source.hpp"
#include "src/io/read_matrix_source.hpp"

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
#ifdef ARAIA_TYPES_MINIMAL
  throw Error(ErrorKind::unsupported,
              "araia::container_entries: the values are complex, which this build does not "
              "have: its Araia_TYPES is minimal, full has them");
#else
  return detail::by_index<Kokkos::complex<double> >(container, limit);
#endif
}

std::string format_label(Container const& container) {
  struct Word {
    ArrayName array;
    char const* text;
  };
  auto const takes = [&](Word const& word) {  // a bcsc has a permutation where its source had one
    StoredFormat const format = container.format;
    if (word.array == ArrayName::row_permutation)
      return format == StoredFormat::csr || format == StoredFormat::ell || format == StoredFormat::sell;
    return true;  // arrays of one format
  };
  std::string label = to_string(container.format);
  for (Word const& word : {Word{ArrayName::row_permutation, "+by_length"}, Word{ArrayName::diagonals, "+diagonals"},
                           Word{ArrayName::column_words, "+narrow"}, Word{ArrayName::split, "+split"}})
    for (auto const& array : container.arrays)
      if (array.name == word.array && takes(word)) label += word.text;
  return label;
}

TypedEntries read_typed_entries(std::filesystem::path const& path, ReadOptions const& options) {
  auto const source = detail::open_source(path, options);
  auto const kind = detail::kind_of(*source, path);
  if (kind != FileKind::native)
    return {.entries = detail::read_matrix(*source, kind, options), .scalar = std::nullopt, .kind = kind, .format = {}};
  Container const container = detail::read_container(*source, options);
  try {
    return {.entries = container_entries(container, options),
            .scalar = container.scalar,
            .kind = kind,
            .format = format_label(container)};
  } catch (Error const& error) {
    std::string_view reason = error.what();  // whoever reads a file called none of the functions below
    if (reason.starts_with("araia::")) reason.remove_prefix(reason.find(": ") + 2);
    throw Error(error.kind(), {path.string()}, std::string(reason));
  }
}

HostCoo read_entries(std::filesystem::path const& path, ReadOptions const& options) {
  return read_typed_entries(path, options).entries;
}

}  // namespace araia
