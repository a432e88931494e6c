// SPDX-FileCopyrightText: 2026 The Araia authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <araia/error.hpp>
#include <araia/io/container.hpp>
#include <araia/io/read_matrix.hpp>

#include <string>

#include "container_source.hpp"
#include "lower_case.hpp"
#include "matrix_market_source.hpp"
#include "read_matrix_source.hpp"
#include "rutherford_boeing_source.hpp"
#include "smtx_source.hpp"

namespace araia {

namespace detail {

FileKind kind_of(ByteSource& source, std::filesystem::path const& path, ReadOptions const& options) {
  if (options.kind) return *options.kind;
  if (has_container_magic(source.peek(8))) return FileKind::native;
  if (has_matrix_market_banner(source.peek(64))) return FileKind::matrix_market;
  if (names_container(path)) return FileKind::native;
  std::filesystem::path const name = lower_case(path.filename().string());
  std::string const extension = (name.extension() == ".gz" ? name.stem() : name).extension().string();
  if (extension == ".mtx") return FileKind::matrix_market;
  if (extension == ".smtx") return FileKind::smtx;
  if (is_rutherford_boeing_extension(extension)) return FileKind::rutherford_boeing;
  throw Error(ErrorKind::unsupported, {path.string()},
              "unknown kind of file, expected Matrix Market (by its banner or .mtx), SMTX (.smtx), Rutherford-Boeing "
              "or Harwell-Boeing (.rb, .hb, .rua, .rsa, .pua, ...) or native (by its first bytes or .araia), each also "
              "with .gz, or a kind that is named (--kind)");
}

HostCoo read_matrix(ByteSource& source, FileKind kind, ReadOptions const& options) {
  switch (kind) {
    case FileKind::matrix_market: return read_matrix_market(source, options);
    case FileKind::smtx: return read_smtx(source, options);
    case FileKind::rutherford_boeing: return read_rutherford_boeing(source, options);
    case FileKind::native: break;
  }
  throw Error(ErrorKind::unsupported, {source.name()}, "a native file, which read_entries and read_container read");
}

}  // namespace detail

HostCoo read_matrix(std::filesystem::path const& path, ReadOptions const& options) {
  auto const source = detail::open_source(path, options);
  return detail::read_matrix(*source, detail::kind_of(*source, path, options), options);
}

}  // namespace araia
