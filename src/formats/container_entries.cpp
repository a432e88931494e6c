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
HostCoo container_entries_of(Container const& c);

template <class Scalar>
HostCoo by_index(Container const& c) {
  return c.ordinal == ElementType::int64 ? container_entries_of<Scalar, std::int64_t>(c)
                                         : container_entries_of<Scalar, std::int32_t>(c);
}

}  // namespace detail

HostCoo container_entries(Container const& container) {
  if (container.scalar != ElementType::complex_float32 && container.scalar != ElementType::complex_float64)
    return detail::by_index<double>(container);
#ifdef ARAIA_TYPES_MINIMAL
  throw Error(ErrorKind::unsupported,
              "araia::container_entries: complex values are not in this build: Araia_TYPES is minimal");
#else
  return detail::by_index<Kokkos::complex<double> >(container);
#endif
}

TypedEntries read_typed_entries(std::filesystem::path const& path, ReadOptions const& options) {
  auto const source = detail::open_source(path, options);
  if (!detail::is_native(*source, path))
    return {.entries = detail::read_matrix(*source, path, options), .scalar = std::nullopt};
  Container const container = detail::read_container(*source, options);
  try {
    return {.entries = container_entries(container), .scalar = container.scalar};
  } catch (Error const& error) {
    throw Error(error.kind(), {path.string()}, error.what());
  }
}

HostCoo read_entries(std::filesystem::path const& path, ReadOptions const& options) {
  return read_typed_entries(path, options).entries;
}

}  // namespace araia
