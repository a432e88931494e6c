// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/error.hpp>
#include <araia/io/container.hpp>
#include <araia/io/read_matrix.hpp>

#include <string>

#include "container_source.hpp"
#include "matrix_market_source.hpp"
#include "read_matrix_source.hpp"
#include "rutherford_boeing_source.hpp"
#include "smtx_source.hpp"

namespace araia {

namespace detail {

HostCoo read_matrix(ByteSource& source, std::filesystem::path const& path, ReadOptions const& options) {
  if (is_native(source, path))
    throw Error(ErrorKind::unsupported, {path.string()}, "a native file, which read_entries and read_container read");
  std::filesystem::path const name = path.extension() == ".gz" ? path.stem() : path.filename();
  if (has_matrix_market_banner(source.peek(32)) || name.extension() == ".mtx")
    return read_matrix_market(source, options);
  if (name.extension() == ".smtx") return read_smtx(source, options);
  if (is_rutherford_boeing_extension(name.extension().string())) return read_rutherford_boeing(source, options);
  throw Error(ErrorKind::unsupported, {path.string()},
              "unknown kind of file, expected Matrix Market (by its banner or .mtx), SMTX (.smtx), Rutherford-Boeing "
              "or Harwell-Boeing (.rb, .hb, .rua, .rsa, .pua, ...) or native (by its first bytes or .araia), each also "
              "with .gz");
}

bool is_native(ByteSource& source, std::filesystem::path const& path) {
  return has_container_magic(source.peek(8)) || (names_container(path) && !has_matrix_market_banner(source.peek(32)));
}

}  // namespace detail

HostCoo read_matrix(std::filesystem::path const& path, ReadOptions const& options) {
  return detail::read_matrix(*detail::open_source(path, options), path, options);
}

}  // namespace araia
