// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/error.hpp>
#include <araia/io/container.hpp>
#include <araia/io/read_matrix.hpp>

#include <string>

#include "matrix_market_source.hpp"
#include "rutherford_boeing_source.hpp"
#include "smtx_source.hpp"

namespace araia {

HostCoo read_matrix(std::filesystem::path const& path, ReadOptions const& options) {
  auto const source = detail::open_source(path, options);
  std::filesystem::path const name = path.extension() == ".gz" ? path.stem() : path.filename();
  bool const banner = detail::has_matrix_market_banner(source->peek(32));
  if (banner || name.extension() == ".mtx") return detail::read_matrix_market(*source, options);
  if (name.extension() == ".smtx") return detail::read_smtx(*source, options);
  if (detail::is_rutherford_boeing_extension(name.extension().string())) {
    return detail::read_rutherford_boeing(*source, options);
  }
  if (names_container(path))
    throw Error(ErrorKind::unsupported, {path.string()}, "a native file, which read_entries and read_container read");
  throw Error(ErrorKind::unsupported, {path.string()},
              "unknown kind of file, expected Matrix Market (.mtx), SMTX (.smtx), Rutherford-Boeing or Harwell-Boeing "
              "(.rb, .hb, .rua, .rsa, .pua, ...) or native (.araia), each also with .gz");
}

}  // namespace araia
